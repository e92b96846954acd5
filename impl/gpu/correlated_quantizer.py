"""Correlated quantizer on a device; stands for `impl.kernels.correlated_quantizer`."""

# ruff: noqa: RUF005 - Triton does not unpack tuples

import functools
import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.contract import Message, Size
from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.joint.correlated.stratified_thresholds import last_bits, network
from impl.errors import ArgumentError
from impl.gpu.available import require_tensor
from impl.gpu.block_norms import norms_of
from impl.gpu.message import DeviceMessage
from impl.gpu.philox import four_jitters, four_words, key_of

_THREADS, _WARPS, _REGISTERS = 32, 1, 128
_NAME = "CorrelatedQuantizer"
_MOST = 16  # clients whose keys are sorted in registers; more never ran on a GPU


class DeviceCorrelatedQuantizer:
    """The correlated quantizer for float32 tensors (..., n, d), with the strata and jitter of the fused tier.

    Args:
        compressor: Its grid and norm bits.
        checked: Whether each call waits for the norms, to refuse what is not finite; without that such
            clients become NaN, and nothing waits for the device.
    """

    def __init__(self, compressor: CorrelatedQuantizer, *, checked: bool = True) -> None:
        self.compressor, self.checked = compressor, checked

    def message(self, x: Any, rng: np.random.Generator) -> DeviceMessage:
        """Return the levels of all clients, int8 (..., n, d), and their norms, float64 (..., n)."""
        norms = self._norms(x, rng)
        levels = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        self._run(x, norms, levels, rng, mean=False)
        return DeviceMessage(levels, norms, (), self._counted)

    def reconstruct(self, message: DeviceMessage) -> Any:
        """Return what the server decodes from each client, float32 (..., n, d)."""
        return message.symbols * message.scales.to(torch.float32)[..., None] + 0.0  # no negative zeros

    def compress(self, x: Any, rng: np.random.Generator) -> Any:
        """Return the same without levels in between."""
        norms = self._norms(x, rng)
        out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
        return self._run(x, norms, out, rng, mean=False)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None) -> Any:
        """Return estimates of the mean over the clients, float32 (*size, ..., d)."""
        axes = as_axes(size, "size", _NAME)
        norms = self._norms(x, rng)
        shape = (*axes, *x.shape[:-2], x.shape[-1])
        out = torch.empty(shape, dtype=torch.float32, device=x.device)
        return self._run(x, norms, out, rng, mean=True)

    def _norms(self, x: Any, rng: Any) -> Any:
        require_tensor(x, _NAME)
        require_generator(rng, _NAME)
        if x.ndim < 2 or not 2 <= x.shape[-2] <= _MOST:
            raise ArgumentError(
                f"{_NAME}: x has shape {tuple(x.shape)}; give (..., n, d), on a device "
                f"with n from 2 to {_MOST}"
            )
        norms = norms_of(x, (x.shape[-1],), 2.0, dtype=torch.float64)[0][..., 0]
        if self.compressor.norm_bits == 32:
            norms = _rounded_up(norms)
        if self.checked:
            largest = float(norms.max())
            if not largest <= np.finfo(np.float32).max:  # NaN fails
                raise ArgumentError(
                    f"{_NAME}: a norm is {largest}; x must be finite, and its norms at most "
                    "the largest float32"
                )
            return norms
        return torch.where(norms <= np.finfo(np.float32).max, norms, float("nan"))

    def _run(self, x: Any, norms: Any, out: Any, rng: np.random.Generator, *, mean: bool) -> Any:
        n, d = x.shape[-2:]
        rows = out.numel() // (d if mean else n * d)
        tiles = triton.cdiv(d, 4 * _THREADS)
        strata, jitter = key_of(rng), key_of(rng)
        _clients_kernel[(tiles * rows,)](
            x.contiguous(),
            norms.contiguous(),
            out,
            rows,
            math.prod(x.shape[:-2]),
            d,
            tiles,
            *strata,
            *jitter,
            N=n,
            PARTNERS=_partners(n),
            LOW=int(last_bits(n)),
            BINARY=self.compressor.grid == "binary",
            MEAN=mean,
            LEVELS=out.dtype == torch.int8,
            EVEN=d % 4 == 0,
            THREADS=_THREADS,
            num_warps=_WARPS,
            maxnreg=_REGISTERS,  # more would leave too few warps to hide what they wait for
            enable_fp_fusion=False,  # the rounding of numpy, operation by operation
        )
        return out

    def _counted(self, levels: Any, norms: Any) -> Message:
        return Message(levels, norms, self.compressor._lengths(levels.shape), levels.shape)


def _rounded_up(norms: Any) -> Any:
    """Return numbers of float32 at least as large as the norms, as float64: `threshold_quantizer`."""
    near = norms.to(torch.float32)
    up = torch.nextafter(near, torch.full_like(near, float("inf")))
    return torch.where(near.to(torch.float64) < norms, up, near).to(torch.float64)


@functools.cache
def _partners(n: int) -> tuple[tuple[int, ...], ...]:
    """Return whom each client is compared with, itself if with none, in each pass of the sorting network."""
    passes: list[list[int]] = []
    for i, j in network(n).tolist():
        if not passes or passes[-1][i] != i or passes[-1][j] != j:
            passes.append(list(range(n)))
        passes[-1][i], passes[-1][j] = j, i
    return tuple(map(tuple, passes))


@triton.jit
def _sorted(keys, N: tl.constexpr, PARTNERS: tl.constexpr):
    """Return keys in ascending order, by a sorting network."""
    for p in tl.static_range(len(PARTNERS)):
        after = ()
        for i in tl.static_range(N):
            if PARTNERS[p][i] > i:
                after = after + (tl.minimum(keys[i], keys[PARTNERS[p][i]]),)
            elif PARTNERS[p][i] < i:
                after = after + (tl.maximum(keys[i], keys[PARTNERS[p][i]]),)
            else:
                after = after + (keys[i],)
        keys = after
    return keys


@triton.jit
def _tied(keys, N: tl.constexpr, LOW: tl.constexpr):
    """Return 1 where neighbours are equal but for the number of the client."""
    tied = keys[0] ^ keys[0]
    for i in tl.static_range(N - 1):
        tied |= ((keys[i] ^ keys[i + 1]) <= LOW).to(tl.uint32)
    return tied


@triton.jit
def _decoded(x, u, stratum, divisor, factor, unit, N: tl.constexpr, BINARY: tl.constexpr):
    """Return the level above or below x / divisor, times unit, a scalar of the type that is wanted."""
    # The stratum, written into the last bits of 2^52.
    s = (stratum.to(tl.int64) | 0x4330000000000000).to(tl.float64, bitcast=True) - 4503599627370496.0
    if BINARY:
        up = (x.to(tl.float64) * factor + 0.5) * N - u > s
        found = tl.where(up, unit, 0.0 - unit)
    else:
        t = x.to(tl.float64) / divisor
        t = tl.where(t < -1.0, -1.0, tl.where(t > 1.0, 1.0, t))  # NaN stays
        below = tl.floor(t)
        up = (t - below) * N - u > s
        found = (below.to(unit.dtype) + up.to(unit.dtype)) * unit
    return found + 0.0  # no negative zeros


@triton.jit(do_not_specialize=["rows", "inputs", "s0", "s1", "s2", "s3", "j0", "j1", "j2", "j3"])
def _clients_kernel(
    x_ptr,
    scale_ptr,
    out_ptr,
    rows,
    inputs,
    d,
    tiles,
    s0,
    s1,
    s2,
    s3,
    j0,
    j1,
    j2,
    j3,
    N: tl.constexpr,
    PARTNERS: tl.constexpr,
    LOW: tl.constexpr,
    BINARY: tl.constexpr,
    MEAN: tl.constexpr,
    LEVELS: tl.constexpr,
    EVEN: tl.constexpr,
    THREADS: tl.constexpr,
):
    """Write 4 THREADS coordinates of all clients of one row, or of their mean.

    Each thread has the four coordinates of one counter, and sorts their keys in registers.
    """
    program = tl.num_programs(0) - 1 - tl.program_id(0)  # from the end, which the norms left in the cache
    row, start = (program // tiles).to(tl.int64), (program % tiles).to(tl.int64) * (4 * THREADS)
    a, b, c, e = _strata(row, start, rows, d, s0, s1, s2, s3, N, PARTNERS, LOW, EVEN, THREADS)
    at = start + tl.arange(0, 4 * THREADS)
    inside = at < d
    own = (row % inputs) * N
    none = tl.zeros((THREADS,), tl.float64)
    sum0, sum1, sum2, sum3 = none, none, none, none
    ahead = tl.load(x_ptr + own * d + at, mask=inside, other=0.0)
    for i in range(N):
        x = ahead  # of the next client, whose numbers come while this one's are used
        ahead = tl.load(x_ptr + (own + i + 1) * d + at, mask=inside & (i + 1 < N), other=0.0)
        scale = tl.load(scale_ptr + own + i)
        divisor = tl.where(scale > 0, scale, 1.0)
        factor = 0.5 / divisor
        even, odd = tl.split(tl.reshape(x, (THREADS, 2, 2)))
        x0, x2 = tl.split(even)
        x1, x3 = tl.split(odd)
        u0, u1, u2, u3 = four_jitters((row * N + i) * d + start, j0, j1, j2, j3, EVEN, THREADS)
        unit = scale if MEAN else (scale * 0.0 + 1.0 if LEVELS else scale).to(tl.float32)
        v0 = _decoded(x0, u0, _unpacked(a, i, N), divisor, factor, unit, N, BINARY)
        v1 = _decoded(x1, u1, _unpacked(b, i, N), divisor, factor, unit, N, BINARY)
        v2 = _decoded(x2, u2, _unpacked(c, i, N), divisor, factor, unit, N, BINARY)
        v3 = _decoded(x3, u3, _unpacked(e, i, N), divisor, factor, unit, N, BINARY)
        if MEAN:
            sum0, sum1, sum2, sum3 = sum0 + v0, sum1 + v1, sum2 + v2, sum3 + v3
        else:
            v = tl.interleave(tl.interleave(v0, v2), tl.interleave(v1, v3))
            tl.store(out_ptr + (row * N + i) * d + at, v.to(out_ptr.dtype.element_ty), mask=inside)
    if MEAN:
        left, right = tl.interleave(sum0, sum2), tl.interleave(sum1, sum3)
        mean = (tl.interleave(left, right) / N + 0.0).to(tl.float32)
        tl.store(out_ptr + row * d + at, mean, mask=inside)


@triton.jit
def _strata(
    row,
    start,
    rows,
    d,
    s0,
    s1,
    s2,
    s3,
    N: tl.constexpr,
    PARTNERS: tl.constexpr,
    LOW: tl.constexpr,
    EVEN: tl.constexpr,
    THREADS: tl.constexpr,
):
    """Return the strata of all clients at four coordinates a thread: `impl.kernels.strata.order_block`."""
    none = tl.zeros((THREADS,), tl.uint32)
    a, b, c, e = (), (), (), ()
    for _ in tl.static_range(N):
        a, b, c, e = a + (none,), b + (none,), c + (none,), e + (none,)
    tied0, tied1, tied2, tied3 = none + 1, none + 1, none + 1, none + 1
    attempt = row * 0
    while tl.max(tied0 | tied1 | tied2 | tied3) > 0:
        f, g, h, m = (), (), (), ()
        for i in tl.static_range(N):
            first = ((attempt * rows + row) * N + i) * d + start
            w0, w1, w2, w3 = four_words(first, s0, s1, s2, s3, EVEN, THREADS)
            f, g = f + (w0 & (0xFFFFFFFF - LOW) | i,), g + (w1 & (0xFFFFFFFF - LOW) | i,)
            h, m = h + (w2 & (0xFFFFFFFF - LOW) | i,), m + (w3 & (0xFFFFFFFF - LOW) | i,)
        a = _taken(tied0, _sorted(f, N, PARTNERS), a, N)
        b = _taken(tied1, _sorted(g, N, PARTNERS), b, N)
        c = _taken(tied2, _sorted(h, N, PARTNERS), c, N)
        e = _taken(tied3, _sorted(m, N, PARTNERS), e, N)
        tied0, tied1, tied2, tied3 = _tied(a, N, LOW), _tied(b, N, LOW), _tied(c, N, LOW), _tied(e, N, LOW)
        attempt += 1
    return _packed(a, N, LOW), _packed(b, N, LOW), _packed(c, N, LOW), _packed(e, N, LOW)


@triton.jit
def _taken(tied, again, keys, N: tl.constexpr):
    after = ()
    for i in tl.static_range(N):
        after = after + (tl.where(tied > 0, again[i], keys[i]),)
    return after


@triton.jit
def _packed(keys, N: tl.constexpr, LOW: tl.constexpr):
    """Return the last bits of four keys at a time as the bytes of a word."""
    words = ()
    for i in tl.static_range(0, N, 4):
        word = keys[i] & LOW
        for j in tl.static_range(1, 4):
            if i + j < N:
                word |= (keys[i + j] & LOW) << (8 * j)
        words = words + (word,)
    return words


@triton.jit
def _unpacked(words, i, N: tl.constexpr):
    """Return byte i."""
    word = words[0]
    which = (word ^ word) + i // 4
    for w in tl.static_range(1, (N + 3) // 4):
        word = tl.where(which == w, words[w], word)
    return (word >> (8 * (i % 4))) & 255
