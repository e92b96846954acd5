"""A price per packet, whatever it holds."""

from collections.abc import Hashable
from typing import Any

from impl.communication.contract import CostModel, packets, require_frame, require_price
from impl.errors import Problems


class Packet(CostModel):
    """C(P) = c_1 ceil(P / P_max) + c_0.

    Args:
        payload_bits: P_max, payload of a packet.
        per_packet: c_1, positive.
        fixed: c_0 for each message, at least 0.
    """

    def __init__(self, payload_bits: int, per_packet: Any = 1, fixed: Any = 0) -> None:
        problems = Problems("Packet")
        require_frame(problems, payload_bits)
        require_price(problems, "per_packet", per_packet, positive=True)
        require_price(problems, "fixed", fixed)
        problems.raise_if_any()
        self.payload_bits, self.per_packet, self.fixed = int(payload_bits), per_packet, fixed
        self.frame = self.payload_bits

    def __repr__(self) -> str:
        return (
            f"Packet({self.payload_bits}, per_packet={self.per_packet!r}"
            f"{'' if self.fixed == 0 else f', fixed={self.fixed!r}'})"
        )

    def __call__(self, bits: Any) -> Any:
        return self.per_packet * packets(self._payload(bits), self.payload_bits) + self.fixed

    @property
    def empty(self) -> Any:
        return self.fixed

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.payload_bits, self.per_packet, self.fixed)
