"""Time on air of LoRa frames."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from impl.communication.contract import CostModel, require_frame, require_price
from impl.errors import Problems

_LOW_RATE = Fraction(16)  # milliseconds of a symbol above which the low data rate is optimised


class LoRaAirtime(CostModel):
    r"""Milliseconds on air: full frames, then one frame with what is left, in whole bytes.

    A frame with $P_L$ bytes, overhead included, takes $(12.25+n)T_s$ with $T_s=2^{SF}/BW$ and
    $n=8+5\max(\lceil(8P_L-4SF+44)/(4(SF-2DE))\rceil,0)$, $DE=[T_s>16\,\mathrm{ms}]$ (coding 4/5, explicit
    header, CRC). Formula and sizes are presets to be configured, not claims.

    Args:
        spreading_factor: SF, from 7 to 12.
        bandwidth: BW in Hz.
        payload_bits: Payload of a full frame.
        overhead_bytes: Bytes of a frame besides the payload.
        fixed: c_0 for each message, in milliseconds.
    """

    unit = "ms"

    def __init__(
        self,
        spreading_factor: int = 12,
        bandwidth: int = 125_000,
        payload_bits: int = 408,
        overhead_bytes: int = 13,
        fixed: Any = 0,
    ) -> None:
        problems = Problems("LoRaAirtime")
        known = isinstance(spreading_factor, int) and 7 <= spreading_factor <= 12
        problems.require(known, f"spreading_factor={spreading_factor!r} must be from 7 to 12")
        require_price(problems, "bandwidth", bandwidth, positive=True)
        require_frame(problems, payload_bits)
        require_price(problems, "overhead_bytes", overhead_bytes)
        require_price(problems, "fixed", fixed)
        problems.raise_if_any()
        self.spreading_factor, self.bandwidth, self.payload_bits = (
            spreading_factor,
            bandwidth,
            int(payload_bits),
        )
        self.overhead_bytes, self.fixed = overhead_bytes, fixed

    def __repr__(self) -> str:
        return (
            f"LoRaAirtime({self.spreading_factor}, {self.bandwidth}, {self.payload_bits}, "
            f"{self.overhead_bytes}{'' if self.fixed == 0 else f', fixed={self.fixed!r}'})"
        )

    @cached_property
    def symbol(self) -> Fraction:
        """Return T_s in milliseconds."""
        return Fraction(1000 * 2**self.spreading_factor) / Fraction(self.bandwidth)

    def frame_time(self, payload_bytes: Any) -> Any:
        """Return the milliseconds of one frame; exact for an integer, an array for an array."""
        slow = 2 if self.symbol > _LOW_RATE else 0
        divisor = 4 * (self.spreading_factor - slow)
        needed = 8 * (payload_bytes + self.overhead_bytes) - 4 * self.spreading_factor + 44
        if isinstance(payload_bytes, int):
            return (Fraction(49, 4) + 8 + 5 * max(-(-needed // divisor), 0)) * self.symbol
        return (12.25 + 8 + 5 * np.maximum(-(-needed // divisor), 0)) * float(self.symbol)

    def __call__(self, bits: Any) -> Any:
        payload = self._payload(bits)
        if isinstance(payload, int | Fraction):
            full, rest = divmod(payload, self.payload_bits)
            last = self.frame_time(int(-(-rest // 8))) if rest else 0
            return full * self._full_frame + last + self.fixed
        full, rest = np.divmod(np.ceil(payload).astype(np.int64), self.payload_bits)
        last = np.where(rest > 0, self.frame_time(-(-rest // 8)), 0.0)
        return full * float(self._full_frame) + last + float(self.fixed)

    @cached_property
    def _full_frame(self) -> Any:
        return self.frame_time(-(-self.payload_bits // 8))

    @property
    def empty(self) -> Any:
        return self.fixed

    def _parameters(self) -> tuple[Hashable, ...]:
        return (
            self.spreading_factor,
            self.bandwidth,
            self.payload_bits,
            self.overhead_bytes,
            self.fixed,
        )
