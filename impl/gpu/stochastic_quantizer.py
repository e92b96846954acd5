"""Stochastic quantizer on a device; stands for `impl.kernels.stochastic_rounding`."""

from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.contract import Message, Size
from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer
from impl.errors import ArgumentError
from impl.gpu.available import require_tensor
from impl.gpu.block_norms import norms_of
from impl.gpu.message import DeviceMessage
from impl.gpu.philox import key_of, uniforms

_BLOCK, _WARPS = 2048, 8
_NAME = "StochasticQuantizer"
_LOW, _HIGH = 2.0**-100, 2.0**100  # norms times steps in between are rounded as they are


class DeviceStochasticQuantizer:
    """The stochastic quantizer for float32 tensors (..., d).

    Args:
        compressor: Its steps, blocks and norm; steps for each node are not supported.
        checked: Whether each call waits for the norms, to refuse what is not finite or out of range; without
            that such vectors become NaN, and nothing waits for the device.

    Raises:
        ArgumentError: The compressor needs what kernels do not do.
    """

    def __init__(self, compressor: StochasticQuantizer, *, checked: bool = True) -> None:
        steps = compressor._steps
        if steps.nodes is not None:
            raise ArgumentError(
                f"{_NAME}: steps are given for n={steps.nodes} nodes; on a device give one row"
            )
        if steps.smallest < 2.0**-30:
            raise ArgumentError(
                f"{_NAME}: the step {steps.smallest} is below 2**-30; levels on a device have 32 bits"
            )
        self.compressor, self.checked, self._steps = compressor, checked, steps

    def message(self, x: Any, rng: np.random.Generator) -> DeviceMessage:
        """Return levels, int32, and norms, with draws from a new stream of the generator."""
        norms, spacing = self._norms(x, rng)
        levels = torch.empty(x.shape, dtype=torch.int32, device=x.device)
        self._round(x.contiguous(), spacing, levels, key_of(rng))
        return DeviceMessage(levels, norms, (), self._counted)

    def reconstruct(self, message: DeviceMessage) -> Any:
        """Return the estimate of a message, float32 (..., d)."""
        spacing = self._spacing(message.scales)
        levels = message.symbols.view(-1, message.symbols.shape[-1])
        return (levels * spacing.view(-1, spacing.shape[-1])).view(message.symbols.shape)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None) -> Any:
        """Return float32 (*size, ..., d), compressed with the draws of the fused tier."""
        axes = as_axes(size, "size", _NAME)
        _, spacing = self._norms(x, rng)
        out = torch.empty((*axes, *x.shape), dtype=torch.float32, device=x.device)
        return self._round(x.contiguous(), spacing, out, key_of(rng))

    def _norms(self, x: Any, rng: Any) -> tuple[Any, Any]:
        require_tensor(x, _NAME)
        require_generator(rng, _NAME)
        self._steps.require_fit(tuple(x.shape))
        order = float("inf") if self.compressor.norm == "max" else 2.0
        even = self._steps.values.ndim == 0 and self._steps.block_of is None and order == 2
        step = float(np.float32(self._steps.values)) if even else 1.0
        norms, products = norms_of(x, self._steps.block_lengths(x.shape[-1]), order, step)
        if self.checked:
            self._require_ordinary(norms)
        return norms, products if even else self._spacing(norms)

    def _require_ordinary(self, norms: Any) -> None:
        largest = norms.max()
        smallest = torch.where(norms > 0, norms, largest).min()
        low, high = (
            float(smallest) * min(1.0, self._steps.smallest),
            float(largest) * max(1.0, self._steps.largest),
        )
        if not np.isfinite(high):
            raise ArgumentError(
                f"{_NAME}: a norm is {float(largest)}; x must be finite, and its norm a float32"
            )
        if high > _HIGH or 0 < low < _LOW:
            raise ArgumentError(
                f"{_NAME}: norms times steps reach from {low} to {high}; on a device they must lie in "
                f"[{_LOW:.1e}, {_HIGH:.1e}]: scale x, or use the compressor itself"
            )

    def _spacing(self, norms: Any) -> Any:
        """Return h N, float32 (..., 1) or (..., d); a norm of zero counts as one."""
        norms = torch.where(norms == 0, 1.0, norms)
        if self._steps.block_of is not None:
            norms = norms[..., torch.as_tensor(self._steps.block_of, device=norms.device)]
        values = self._steps.values
        h = (
            float(np.float32(values))
            if not values.ndim
            else torch.as_tensor(values.astype(np.float32)).to(norms)
        )
        spacing = norms * h
        return spacing if self.compressor.norm == "euclidean" else _bounded(norms, spacing)

    def _round(self, x: Any, spacing: Any, out: Any, key: tuple[int, ...]) -> Any:
        spacing, total, d = spacing.contiguous(), out.numel(), x.shape[-1]
        _round_kernel[(triton.cdiv(total, _BLOCK),)](
            x,
            spacing,
            out,
            total,
            x.numel(),
            d,
            *key,
            WIDE=spacing.shape[-1] > 1,
            SINGLE=spacing.numel() == 1,
            ONCE=x.numel() == total,
            LEVELS=out.dtype == torch.int32,
            BLOCK=_BLOCK,
            num_warps=_WARPS,
            enable_fp_fusion=False,  # the rounding of numpy, operation by operation
        )
        return out

    def _counted(self, levels: Any, norms: Any) -> Message:
        bits = self.compressor._code.bits(levels) + self.compressor.norm_bits * norms.shape[-1]
        levels = levels.astype(np.int64)
        return Message(levels, norms, int(bits) if bits.ndim == 0 else bits, levels.shape)


def _bounded(norms: Any, spacing: Any) -> Any:
    """Raise spacings that the largest entry would exceed by a rounding: `level_grid.bounded_spacing`."""
    ratio = norms / spacing
    levels = torch.round(ratio)
    eps = torch.finfo(torch.float32).eps
    above = (ratio > levels) & (ratio - levels <= 4 * eps * ratio)
    raised = norms / torch.where(above, levels, 1.0)
    up = torch.nextafter(raised, torch.full_like(raised, float("inf")))
    raised = torch.where(norms / raised > levels, up, raised)
    return torch.where(above, raised, spacing)


@triton.jit(do_not_specialize=["k0", "k1", "c2", "c3"])
def _round_kernel(
    x_ptr,
    a_ptr,
    out_ptr,
    total,
    period,
    d,
    k0,
    k1,
    c2,
    c3,
    WIDE: tl.constexpr,
    SINGLE: tl.constexpr,
    ONCE: tl.constexpr,
    LEVELS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Write sign(x) b (floor(v) + (u < v - floor(v))), v = |x| / a, with b = a or 1, for one tile."""
    # From the end: the norm read the vector from its start, so its end is still in the cache.
    first = (tl.num_programs(0) - 1 - tl.program_id(0)).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    inside = at < total
    own = at if ONCE else at % period
    x = tl.load(x_ptr + own, mask=inside, other=0.0, eviction_policy="evict_first")
    if SINGLE:
        a = tl.load(a_ptr)
    else:
        a = tl.load(a_ptr + (own if WIDE else own // d), mask=inside, other=1.0)
    u = uniforms(first, k0, k1, c2, c3, BLOCK)
    v = tl.div_rn(tl.abs(x), tl.zeros_like(x) + a)
    level = tl.floor(v)
    level += tl.where(u < v - level, 1.0, 0.0)
    if LEVELS:
        tl.store(out_ptr + at, tl.where(x > 0, level, -level).to(tl.int32), mask=inside, cache_modifier=".cs")
    else:
        size = level * a
        size = tl.where(x > 0, size, 0.0 - size)  # never a negative zero
        tl.store(out_ptr + at, size, mask=inside, cache_modifier=".cs")
