"""Dither of a key, quantized and decoded tile by tile; stands for `KeyedDither` and loops of `dither_tiles`.

The words are those of numpy's Philox (Philox4x64-10): word w is output w mod 4 of its counter plus
1 + w div 4. The results are bit by bit those of numpy: the dither is prescribed on every tier.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import inlined, kernel, kernel_part
from impl.kernels.instructions import both_halves

Array = npt.NDArray[Any]

_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_ONE, _FOUR, _TWELVE = np.uint64(1), np.uint64(4), np.uint64(12)
_MANTISSA, _ONE_AND_HALF_STEP = np.uint64(((1 << 24) - 1) << 28), np.uint64((0x3FF << 52) | (1 << 27))


@kernel
def fill_keyed_words(words: Array, first: Any, counter: Array, key: Array) -> None:
    """Fill words, uint64 (m,), with the words first, first + 1, ... of a key.

    Args:
        words: Output.
        first: uint64.
        counter: Four words; the lowest has room for all.
        key: Two words.
    """
    skip, place = np.int64(first % _FOUR), counter[0] + first // _FOUR + _ONE
    begin: Any = min((4 - skip) % 4, len(words))
    if begin:
        _fill_part(words[:begin], skip, place, counter, key)
        place += _ONE
    whole = (len(words) - begin) // 4 * 4
    _fill_whole(words[begin : begin + whole], place, counter, key)
    if begin + whole < len(words):
        _fill_part(words[begin + whole :], np.int64(0), place + np.uint64(whole // 4), counter, key)


@kernel_part
def _fill_part(words: Array, skip: Any, first: Any, counter: Array, key: Array) -> None:
    """Fill less than four words, with those of one counter behind so many others."""
    four = _four_words(first, counter[1], counter[2], counter[3], key[0], key[1])
    for j in range(len(words)):
        words[j] = four[skip + j]


@kernel_part
def _fill_whole(words: Array, first: Any, counter: Array, key: Array) -> None:
    """Fill words, uint64 (4 m,), with the outputs of the m counters from `first` on."""
    c1, c2, c3, k0, k1 = counter[1], counter[2], counter[3], key[0], key[1]
    for j in range(len(words) // 4):
        x0, x1, x2, x3 = _four_words(first + np.uint64(j), c1, c2, c3, k0, k1)
        words[4 * j], words[4 * j + 1], words[4 * j + 2], words[4 * j + 3] = x0, x1, x2, x3


@inlined
def _four_words(x0: Any, x1: Any, x2: Any, x3: Any, a: Any, b: Any) -> Any:
    # A product of 128 bits is one instruction; of vectors of products of 32 bits it takes 2.5 times as long.
    for _ in range(10):
        high_0, low_0 = both_halves(x0, _MULTIPLIER_0)
        high_1, low_1 = both_halves(x2, _MULTIPLIER_1)
        x0, x1, x2, x3 = high_1 ^ x1 ^ a, low_1, high_0 ^ x3 ^ b, low_0
        a, b = a + _WEYL_0, b + _WEYL_1
    return x0, x1, x2, x3


@kernel
def fill_keyed_dither(dither: Array, first: Any, counter: Array, key: Array) -> None:
    """Fill dither, float64 (m,), with that of the same words: its bits are those of a number from 1 to 2."""
    words = dither.view(np.uint64)
    fill_keyed_words(words, first, counter, key)
    for j in range(len(words)):
        words[j] = ((words[j] >> _TWELVE) & _MANTISSA) | _ONE_AND_HALF_STEP
    for j in range(len(dither)):
        dither[j] -= 1.5


@kernel
def quantize_tile(x: Array, divisors: Array, u: Array, gain: float, limit: float, indices: Array) -> Any:
    """Write floor((gain (x / divisor) + u) + 1/2), clipped; return how many were.

    Args:
        x: float32 or float64, (m,).
        divisors: float64, (1,) or (m,).
        u: float64, (m,).
        gain: Steps per scale.
        limit: Perhaps infinite.
        indices: Output, int64 (m,).
    """
    clipped = 0
    if len(divisors) == 1:
        divisor = divisors[0]
        for j in range(len(x)):
            v = np.floor((np.float64(x[j]) / divisor * gain + u[j]) + 0.5)
            clipped += abs(v) > limit
            indices[j] = np.int64(min(max(v, -limit), limit))
    else:
        for j in range(len(x)):
            v = np.floor((np.float64(x[j]) / divisors[j] * gain + u[j]) + 0.5)
            clipped += abs(v) > limit
            indices[j] = np.int64(min(max(v, -limit), limit))
    return clipped


@kernel
def decode_tile(indices: Array, u: Array, scales: Array, levels: float, out: Array) -> None:
    """Write scale ((q - u) / M), zero where the scale is.

    Args:
        indices: q, int64 (m,).
        u: float64, (m,).
        scales: float64, (1,) or (m,).
        levels: M.
        out: float32 or float64, (m,).
    """
    if len(scales) == 1:
        scale = scales[0]
        for j in range(len(out)):
            out[j] = (np.float64(indices[j]) - u[j]) / levels * scale if scale > 0 else 0.0
    else:
        for j in range(len(out)):
            out[j] = (np.float64(indices[j]) - u[j]) / levels * scales[j] if scales[j] > 0 else 0.0
