"""Philox words, uniforms and dithers in a kernel: those of `impl.kernels.philox`, in the same layout."""

import numpy as np
import triton
import triton.language as tl

from impl.compressors.philox_draws import philox_stream


def key_of(rng: np.random.Generator) -> tuple[int, ...]:
    """Return key and upper counter words of a new stream as signed integers of the same 32 bits."""
    return tuple(int(word) for word in philox_stream(rng).view(np.int32))


@triton.jit
def words(first, k0, k1, c2, c3, COUNT: tl.constexpr):
    """Return the words first, ..., first + COUNT - 1 of a stream, uint32 (COUNT,); 4 divides both."""
    counter = first // 4 + tl.arange(0, COUNT // 4)
    low, high = counter.to(tl.uint32), (counter >> 32).to(tl.uint32)
    none = low ^ low
    upper2, upper3 = none + c2.to(tl.uint32, bitcast=True), none + c3.to(tl.uint32, bitcast=True)
    key0, key1 = none + k0.to(tl.uint32, bitcast=True), none + k1.to(tl.uint32, bitcast=True)
    w0, w1, w2, w3 = tl.philox_impl(low, high, upper2, upper3, key0, key1, 10)
    return tl.interleave(tl.interleave(w0, w2), tl.interleave(w1, w3))


@triton.jit
def uniforms(first, k0, k1, c2, c3, COUNT: tl.constexpr):
    """Return the uniforms first, ..., first + COUNT - 1 of a stream, float32 (COUNT,)."""
    high = words(first, k0, k1, c2, c3, COUNT) >> 8
    return high.to(tl.int32).to(tl.float32) * 5.9604644775390625e-08  # 2^-24


@triton.jit
def dithers(first, k0, k1, c2, c3, POINTS: tl.constexpr, COUNT: tl.constexpr):
    """Return the dithers first, ..., first + COUNT - 1 of a stream, float64 (COUNT,): see `fill_dither`."""
    drawn = words(first, k0, k1, c2, c3, COUNT)
    if POINTS == 16777216:
        odd = 2 * (drawn >> 8).to(tl.int32) + (1 - 16777216)
        return odd.to(tl.float64) * 2.98023223876953125e-08  # 2^-25
    point = ((drawn.to(tl.uint64) * POINTS) >> 32).to(tl.int32)
    return (2.0 * point.to(tl.float64) + (1 - POINTS)) / (2 * POINTS)
