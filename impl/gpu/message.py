"""What a compressor on a device sends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from impl.compressors.contract import Message


@dataclass(frozen=True)
class DeviceMessage:
    """Symbols and scales on the device, with the stream that the receiver draws from, too.

    Args:
        symbols: int32 (..., d); of a correlated quantizer int8 (..., n, d), the levels of all clients.
        scales: float32 (..., B); of a correlated quantizer float64 (..., n).
        key: Key and upper counter words of the shared stream; empty where draws are private.
        counted: The message with these numpy arrays and its bits, as the compressor itself makes it; of a
            correlated quantizer one of all clients, which is not for `aggregate`.
    """

    symbols: Any
    scales: Any
    key: tuple[int, ...]
    counted: Callable[[Any, Any], Message]

    def to_host(self) -> Message:
        """Return the message of the compressor, with numpy arrays and its bits."""
        return self.counted(self.symbols.cpu().numpy(), self.scales.cpu().numpy())
