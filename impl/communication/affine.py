"""A price per bit and a fixed price per message."""

from collections.abc import Hashable
from typing import Any

from impl.communication.contract import CostModel, require_price
from impl.errors import Problems


class Affine(CostModel):
    """C(P) = c_1 P + c_0.

    Args:
        per_bit: c_1, positive.
        fixed: c_0 for each message, at least 0.
    """

    is_affine = True

    def __init__(self, per_bit: Any = 1, fixed: Any = 0) -> None:
        problems = Problems("Affine")
        require_price(problems, "per_bit", per_bit, positive=True)
        require_price(problems, "fixed", fixed)
        problems.raise_if_any()
        self.per_bit, self.fixed = per_bit, fixed

    def __repr__(self) -> str:
        return f"Affine(per_bit={self.per_bit!r}, fixed={self.fixed!r})"

    def __call__(self, bits: Any) -> Any:
        return self.per_bit * self._payload(bits) + self.fixed

    @property
    def empty(self) -> Any:
        return self.fixed

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.per_bit, self.fixed)
