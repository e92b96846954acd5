"""The payload and the overhead of its packets."""

from collections.abc import Hashable
from typing import Any

from impl.communication.contract import CostModel, packets, require_frame, require_price
from impl.errors import Problems


class Wire(CostModel):
    """C(P) = P + h ceil(P / P_max) + c_0.

    Args:
        payload_bits: P_max, payload of a packet.
        overhead: h for each packet, at least 0.
        fixed: c_0 for each message, at least 0.
    """

    def __init__(self, payload_bits: int, overhead: Any, fixed: Any = 0) -> None:
        problems = Problems("Wire")
        require_frame(problems, payload_bits)
        require_price(problems, "overhead", overhead)
        require_price(problems, "fixed", fixed)
        problems.raise_if_any()
        self.payload_bits, self.overhead, self.fixed = int(payload_bits), overhead, fixed

    def __repr__(self) -> str:
        return (
            f"Wire({self.payload_bits}, overhead={self.overhead!r}"
            f"{'' if self.fixed == 0 else f', fixed={self.fixed!r}'})"
        )

    def __call__(self, bits: Any) -> Any:
        payload = self._payload(bits)
        return payload + self.overhead * packets(payload, self.payload_bits) + self.fixed

    @property
    def empty(self) -> Any:
        return self.fixed

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.payload_bits, self.overhead, self.fixed)
