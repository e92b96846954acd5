"""The cost is the payload itself."""

from collections.abc import Hashable
from typing import Any

from impl.communication.contract import CostModel


class Payload(CostModel):
    """C(P) = P."""

    is_affine = True

    def __repr__(self) -> str:
        return "Payload()"

    def __call__(self, bits: Any) -> Any:
        return self._payload(bits)

    @property
    def empty(self) -> Any:
        return 0

    def _parameters(self) -> tuple[Hashable, ...]:
        return ()
