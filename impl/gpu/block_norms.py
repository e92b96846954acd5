"""Norms of blocks on a device, in one pass: the last program of a block sums up what the others found."""

from typing import Any

import torch
import triton
import triton.language as tl

_BLOCK, _WARPS = 2048, 8
_PARTS = 1056  # programs that share one block at most

_counters: dict[tuple[Any, int], Any] = {}
"""By device and stream: how many programs of a block are done. Kernels leave zeros behind."""


def norms_of(
    x: Any, lengths: tuple[int, ...], order: float, step: float = 1.0, *, dtype: Any = torch.float32
) -> tuple[Any, Any]:
    """Return the norms of blocks and, where a norm is zero 1, their products with a step, (..., B).

    Args:
        x: float32, (..., d).
        lengths: Block lengths that sum to d.
        order: 2 for Euclidean norms, of squares in float64; infinity for largest magnitudes.
        step: What the products are with.
        dtype: Of the norms, float32 or float64; products are float32.
    """
    norms = torch.empty((*x.shape[:-1], len(lengths)), dtype=dtype, device=x.device)
    products = torch.empty_like(norms, dtype=torch.float32)
    if len(set(lengths)) == 1:
        _fill(x, lengths[0], order, step, norms, products)
        return norms, products
    for place, part in enumerate(x.split(lengths, dim=-1)):
        found = norms_of(part, (lengths[place],), order, step, dtype=dtype)
        norms[..., place], products[..., place] = found[0][..., 0], found[1][..., 0]
    return norms, products


def _fill(x: Any, length: int, order: float, step: float, norms: Any, products: Any) -> None:
    x = x.contiguous()
    rows = x.numel() // length
    parts = min(triton.cdiv(length, _BLOCK), _PARTS)
    partial = torch.empty((rows, parts), dtype=torch.float64, device=x.device)
    _norm_kernel[(rows, parts)](
        x,
        partial,
        _zeros(x.device, rows),
        norms,
        products,
        length,
        parts,
        step,
        SQUARE=order == 2,
        BLOCK=_BLOCK,
        WIDE=triton.next_power_of_2(parts),
        num_warps=_WARPS,
    )


def _zeros(device: Any, count: int) -> Any:
    stream = torch.cuda.current_stream(device).cuda_stream if device.type == "cuda" else 0
    known = _counters.get((device, stream))
    if known is None or len(known) < count:
        known = _counters[device, stream] = torch.zeros(count, dtype=torch.int32, device=device)
    return known


@triton.jit
def _norm_kernel(
    x_ptr,
    partial_ptr,
    count_ptr,
    norms_ptr,
    products_ptr,
    length,
    parts,
    step,
    SQUARE: tl.constexpr,
    BLOCK: tl.constexpr,
    WIDE: tl.constexpr,
):
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    squares = tl.zeros((BLOCK,), tl.float64)
    largest, lost = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for start in range(part * BLOCK, length, parts * BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * length + at, mask=at < length, other=0.0, eviction_policy="evict_last")
        if SQUARE:
            wide = x.to(tl.float64)  # squares of float32 may be too large or too small for it
            squares += wide * wide
        else:
            largest, lost = tl.maximum(largest, tl.abs(x)), lost + x * 0.0  # a maximum may lose NaN
    total = tl.sum(squares) if SQUARE else (tl.max(largest) + tl.sum(lost)).to(tl.float64)
    tl.store(partial_ptr + row * parts + part, total)
    if tl.atomic_add(count_ptr + row, 1, sem="acq_rel") == parts - 1:
        at = tl.arange(0, WIDE)
        found = tl.load(partial_ptr + row * parts + at, mask=at < parts, other=0.0, cache_modifier=".cg")
        if SQUARE:
            wide = tl.sqrt(tl.sum(found))
        else:
            wide = tl.max(found) + 0.0 * tl.sum(found * 0.0)
        norm = wide.to(tl.float32)
        tl.store(norms_ptr + row, wide if norms_ptr.dtype.element_ty == tl.float64 else norm)
        tl.store(products_ptr + row, tl.where(norm == 0, 1.0, norm) * step)
        tl.store(count_ptr + row, 0)
