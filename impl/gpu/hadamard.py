"""Hadamard transform on a device, by small matrices; stands for `impl.kernels.hadamard`.

H of d = n1 n2 n3 is a Kronecker product, so that a vector of at most 2^13 entries is read and written once,
one of at most 2^18 twice. The products are those of the tensor cores, where an entry is three numbers of
bfloat16: these are all of its bits. The error is that of sums in float32, in another order than that of the
stages.
"""

from typing import Any

import torch
import triton
import triton.language as tl

from impl.errors import ArgumentError
from impl.gpu.available import interpreted, require_tensor

_WHOLE = 2**13  # entries of the longest vector that one program holds
_ROWS = 2**11  # entries of the parts of a longer one
_SMALL = 2**12  # entries of a tile
_LEAST = 16  # rows and columns of a product on tensor cores


def transform(x: Any) -> Any:
    """Return H x, float32 (..., d), for d a power of two; H has entries 1 and -1.

    Raises:
        ArgumentError: x is no float32 tensor on a device, or d no power of two.
    """
    require_tensor(x, "transform")
    d = x.shape[-1]
    if d & (d - 1):
        raise ArgumentError(f"transform: d={d} must be a power of two; fill x up with zeros")
    out = torch.empty_like(x, memory_format=torch.contiguous_format)
    if d < _LEAST:
        out.copy_(x)
        return _stages(out.view(-1, d)).view(x.shape)
    inner = d if d <= _WHOLE else min(_ROWS, d // _LEAST)
    _transform_rows(x.contiguous(), out, inner)
    while inner < d:  # the stages beyond, so many at a time that what is left makes a product
        left = d // inner
        n = left if left <= 128 else min(128, left // _LEAST)
        _transform_columns(out, n, inner)
        inner *= n
    return out


def _part() -> Any:
    return tl.float32 if interpreted() else tl.bfloat16  # the interpreter has no products of bfloat16


def _transform_rows(x: Any, out: Any, d: int) -> None:
    rows, tile = x.numel() // d, max(1, _SMALL // d)
    warps = 4 if d <= _SMALL else 8
    grid = (triton.cdiv(rows, tile),)
    _rows_kernel[grid](x, out, x.numel(), *_factors(d), ROWS=tile, PART=_part(), num_warps=warps)


def _transform_columns(x: Any, n: int, width: int) -> None:
    """Replace x (R, n, width) by its transform along n, for n from 16 to 128."""
    columns = min(width, _SMALL // n)
    grid = (x.numel() // (n * columns),)
    _columns_kernel[grid](x, width, N=n, COLUMNS=columns, PART=_part(), num_warps=4)


def _factors(d: int) -> tuple[int, int, int]:
    """Return n1, n2, n3 with product d, 1 or at least 16 and at most 128 each."""
    exponent = d.bit_length() - 1
    count = 1 if exponent <= 7 else 2 if exponent <= 11 else 3
    parts = [exponent // count + (place < exponent % count) for place in range(count)]
    n1, n2, n3 = ([0] * (3 - count) + sorted(parts))[:3]
    return 2**n1, 2**n2, 2**n3


def _stages(rows: Any) -> Any:
    """Do all stages of short rows (R, d)."""
    d, width = rows.shape[-1], 1
    while width < d:
        pairs = rows.view(-1, d // (2 * width), 2, width)
        rows = torch.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], dim=2)
        width *= 2
    return rows.reshape(-1, d)


@triton.jit
def _matrix(N: tl.constexpr, PART: tl.constexpr):
    both = tl.arange(0, N)[:, None] & tl.arange(0, N)[None, :]
    both ^= both >> 4
    both ^= both >> 2
    both ^= both >> 1
    return (1 - 2 * (both & 1)).to(PART)


@triton.jit
def _parts(x, PART: tl.constexpr):
    """Return three parts of 8 bits each, whose products sum up in float32."""
    high = x.to(PART)
    rest = x - high.to(tl.float32)
    middle = rest.to(PART)
    return high, middle, (rest - middle.to(tl.float32)).to(PART)


@triton.jit
def _product(x, N: tl.constexpr, PART: tl.constexpr):
    """Return x H for the rows of x (M, N)."""
    high, middle, low = _parts(x, PART)
    matrix = _matrix(N, PART)
    return tl.dot(high, matrix, tl.dot(middle, matrix, tl.dot(low, matrix)))


@triton.jit
def _rows_kernel(
    x_ptr,
    out_ptr,
    total,
    N1: tl.constexpr,
    N2: tl.constexpr,
    N3: tl.constexpr,
    ROWS: tl.constexpr,
    PART: tl.constexpr,
):
    size: tl.constexpr = ROWS * N1 * N2 * N3
    at = tl.program_id(0).to(tl.int64) * size + tl.arange(0, size)
    x = tl.load(x_ptr + at, mask=at < total, other=0.0)
    x = _product(tl.reshape(x, (ROWS * N1 * N2, N3)), N3, PART)
    if N2 > 1:
        x = tl.permute(tl.reshape(x, (ROWS * N1, N2, N3)), (0, 2, 1))
        x = _product(tl.reshape(x, (ROWS * N1 * N3, N2)), N2, PART)
        if N1 > 1:
            x = tl.permute(tl.reshape(x, (ROWS, N1, N3, N2)), (0, 2, 3, 1))
            x = _product(tl.reshape(x, (ROWS * N3 * N2, N1)), N1, PART)
            x = tl.permute(tl.reshape(x, (ROWS, N3, N2, N1)), (0, 3, 2, 1))
        else:
            x = tl.permute(tl.reshape(x, (ROWS * N1, N3, N2)), (0, 2, 1))
    tl.store(out_ptr + at, tl.reshape(x, (size,)), mask=at < total)


@triton.jit
def _columns_kernel(x_ptr, width, N: tl.constexpr, COLUMNS: tl.constexpr, PART: tl.constexpr):
    # From the end: what was written last is still in the cache.
    tile = (tl.num_programs(0) - 1 - tl.program_id(0)).to(tl.int64)
    strips = width // COLUMNS
    start = tile // strips * (N * width) + tile % strips * COLUMNS
    at = start + tl.arange(0, N)[:, None] * width + tl.arange(0, COLUMNS)[None, :]
    high, middle, low = _parts(tl.load(x_ptr + at), PART)
    matrix = _matrix(N, PART)
    tl.store(x_ptr + at, tl.dot(matrix, high, tl.dot(matrix, middle, tl.dot(matrix, low))))
