"""Top-k on a device: torch selects, ties go to the lowest indices as in the compressor itself."""

import math
from typing import Any

import numpy as np
import torch

from impl.compressors.checked_input import as_axes
from impl.compressors.contract import Draws, Message, Size
from impl.compressors.sparse.top_k import TopK
from impl.errors import ArgumentError
from impl.gpu.available import require_tensor
from impl.gpu.message import DeviceMessage

_NAME = "TopK"
_LONG, _SAMPLE = 2**16, 2**12  # vectors of this length are worth a sample of so many entries


class DeviceTopK:
    """Top-k for float32 tensors (..., d).

    Args:
        compressor: Its k.
        checked: Whether each call waits for the device, to refuse what is not finite.
    """

    def __init__(self, compressor: TopK, *, checked: bool = True) -> None:
        self.compressor, self.checked = compressor, checked

    def message(self, x: Any, rng: np.random.Generator | None = None) -> DeviceMessage:
        """Return the kept entries, zeros elsewhere; nothing is random."""
        return DeviceMessage(self._kept(x), torch.empty(0, device=x.device), (), self._counted)

    def reconstruct(self, message: DeviceMessage) -> Any:
        """Return the estimate of a message, float32 (..., d)."""
        return message.symbols.clone()

    def sample(self, x: Any, rng: np.random.Generator | None = None, size: Size = None) -> Any:
        """Return float32 (*size, ..., d)."""
        return self._kept(x).expand(*as_axes(size, "size", _NAME), *x.shape).clone()

    def _kept(self, x: Any) -> Any:
        require_tensor(x, _NAME)
        self.compressor._require_dimension(tuple(x.shape))
        k, size = self.compressor.k, x.abs()
        largest = _largest(size, k)
        if self.checked and not bool(torch.isfinite(largest[..., 0]).all()):  # topk puts NaN first
            raise ArgumentError(f"{_NAME}: x must be finite; remove NaN and infinities before compression")
        threshold = largest[..., -1:]
        kept = size >= threshold
        if bool((kept.sum(dim=-1) > k).any()):
            above, equal = size > threshold, size == threshold
            room = k - above.sum(dim=-1, keepdim=True)
            kept = above | (equal & (equal.cumsum(dim=-1) <= room))
        return torch.where(kept, x, 0.0) + 0.0  # no negative zeros

    def _counted(self, entries: Any, scales: Any) -> Message:
        return self.compressor.message(np.asarray(entries, dtype=np.float32), Draws())


def _largest(size: Any, k: int) -> Any:
    """Return the k largest magnitudes in order, (..., k).

    Of a long vector only those from a threshold on, which a sample tells, are put in order; where they are
    fewer than k, all are.
    """
    d = size.shape[-1]
    if size.numel() == d >= _LONG and 4 * k <= d:
        flat = size.reshape(-1)
        step = max(1, d // max(_SAMPLE, min(d // 64, 64 * d // k)))
        sample = flat[step // 2 :: step]
        mean = k * len(sample) / d
        rank = min(len(sample), int(mean + 4 * math.sqrt(mean) + 4))  # four standard deviations above it
        candidates = flat[~(flat < sample.topk(rank).values[-1])]  # NaN stays
        if len(candidates) >= k:
            return candidates.topk(k).values.reshape(*size.shape[:-1], k)
    return size.topk(k, dim=-1).values
