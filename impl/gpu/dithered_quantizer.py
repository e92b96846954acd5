"""Dithered quantizer on a device; stands for `impl.kernels.dithered.dithered_quantizer`."""

from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.contract import Message, Size
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.errors import ArgumentError
from impl.gpu.available import require_tensor
from impl.gpu.block_norms import norms_of
from impl.gpu.message import DeviceMessage
from impl.gpu.philox import dithers, key_of

_BLOCK, _WARPS = 1024, 8
_NAME = "DitheredQuantizer"


class DeviceDitheredQuantizer:
    """The dithered quantizer for float32 tensors (..., d), with the largest magnitude of each block as scale.

    Args:
        compressor: Its levels, blocks and grid; a fixed scale is not supported.
        checked: Whether each call waits for the scales, to refuse what is not finite; without that such
            vectors become NaN, and nothing waits for the device.

    Raises:
        ArgumentError: The compressor needs what kernels do not do.
    """

    def __init__(self, compressor: DitheredQuantizer, *, checked: bool = True) -> None:
        if compressor.scale is not None:
            raise ArgumentError(f"{_NAME}: scale={compressor.scale!r} is fixed; on a device leave it out")
        self.compressor, self.checked = compressor, checked

    def message(self, x: Any, rng: np.random.Generator) -> DeviceMessage:
        """Return indices, int32, and scales; the receiver makes the dither of the key in the message."""
        scales, key = self._scales(x, rng), key_of(rng)
        indices = torch.empty(x.shape, dtype=torch.int32, device=x.device)
        self._run(x.contiguous(), scales, indices, key, estimates=False)
        return DeviceMessage(indices, scales, key, self._counted)

    def reconstruct(self, message: DeviceMessage) -> Any:
        """Return the estimate of a message, float32 (..., d)."""
        indices = message.symbols.contiguous()
        out = torch.empty(indices.shape, dtype=torch.float32, device=indices.device)
        self._run(indices, message.scales, out, message.key, estimates=True)
        return out

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None) -> Any:
        """Return float32 (*size, ..., d), compressed with the dither of the fused tier."""
        axes = as_axes(size, "size", _NAME)
        scales, key = self._scales(x, rng), key_of(rng)
        out = torch.empty((*axes, *x.shape), dtype=torch.float32, device=x.device)
        self._run(x.contiguous(), scales, out, key, estimates=True)
        return out

    def _scales(self, x: Any, rng: Any) -> Any:
        require_tensor(x, _NAME)
        require_generator(rng, _NAME)
        self.compressor._require_dimension(tuple(x.shape))
        scales, _ = norms_of(x, self.compressor.block_lengths(x.shape[-1]), float("inf"))
        if self.checked:
            largest = float(scales.max())
            if not largest <= np.finfo(np.float32).max / 2:  # NaN fails
                raise ArgumentError(
                    f"{_NAME}: a scale is {largest}; x must be finite, and at most half the largest float32"
                )
        return scales

    def _run(self, given: Any, scales: Any, out: Any, key: tuple[int, ...], *, estimates: bool) -> None:
        d, total = out.shape[-1], out.numel()
        if scales.shape[-1] > 1:  # of coordinates
            lengths = torch.as_tensor(self.compressor.block_lengths(d), device=scales.device)
            scales = scales.repeat_interleave(lengths, dim=-1, output_size=d)
        _dither_kernel[(triton.cdiv(total, _BLOCK),)](
            given,
            scales.contiguous(),
            out,
            total,
            given.numel(),
            d,
            *key,
            gain=self.compressor.levels,
            POINTS=self.compressor.points,
            WIDE=scales.shape[-1] > 1,
            ONCE=given.numel() == total,
            RECEIVED=given.dtype == torch.int32,
            ESTIMATES=estimates,
            BLOCK=_BLOCK,
            num_warps=_WARPS,
            enable_fp_fusion=False,  # the rounding of numpy, operation by operation
        )

    def _counted(self, indices: Any, scales: Any) -> Message:
        return self.compressor._message(self.compressor.symbols(indices.astype(np.int64)), scales)


@triton.jit(do_not_specialize=["k0", "k1", "c2", "c3", "gain"])
def _dither_kernel(
    x_ptr,
    scale_ptr,
    out_ptr,
    total,
    period,
    d,
    k0,
    k1,
    c2,
    c3,
    gain,
    POINTS: tl.constexpr,
    WIDE: tl.constexpr,
    ONCE: tl.constexpr,
    RECEIVED: tl.constexpr,
    ESTIMATES: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Write q = floor((gain (x / scale) + u) + 1/2), or scale ((q - u) / gain), for one tile.

    In float64, as numpy does: in float32 the dither would lose its last digits at many levels.
    """
    first = (tl.num_programs(0) - 1 - tl.program_id(0)).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    inside = at < total
    own = at if ONCE else at % period
    scale = tl.load(scale_ptr + (own if WIDE else own // d), mask=inside, other=1.0).to(tl.float64)
    u = dithers(first, k0, k1, c2, c3, POINTS, BLOCK)
    levels = gain.to(tl.float64)
    if RECEIVED:
        q = tl.load(x_ptr + own, mask=inside, other=0).to(tl.float64)
    else:
        x = tl.load(x_ptr + own, mask=inside, other=0.0).to(tl.float64)
        q = tl.floor((x / tl.where(scale > 0, scale, 1.0) * levels + u) + 0.5)
        q = tl.where(q < -levels, -levels, tl.where(q > levels, levels, q))  # NaN stays
    if ESTIMATES:
        estimate = (q - u) / levels * scale
        tl.store(out_ptr + at, tl.where(scale == 0, 0.0, estimate).to(tl.float32), mask=inside)
    else:
        tl.store(out_ptr + at, q.to(tl.int32), mask=inside)
