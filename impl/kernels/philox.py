"""Uniforms by Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): counters, words and numbers, in their layout.

A stream is four words of 32 bits, taken from a generator of numpy (`impl.compressors.philox_draws`):
key = (k0, k1) and the upper half (c2, c3) of every counter. Its numbers have an index each, from 0, in C
order of the array that they fill; nothing else matters, neither tiles nor threads.

    word w, w = 0, 1, ...      output w mod 4 of the counter (c0, c1, c2, c3), where c0 and c1 are the lower
                               and the upper half of the 64-bit number w div 4
    float32, index j           (word j >> 8) 2^-24
    float64, index j           (word 2j >> 5) 2^-27 + (word 2j + 1 >> 6) 2^-53, of 53 bits

All of these operations are exact. Outputs are in the order of Random123: the counter (0, 0, 0, 0) under the
key (0, 0) gives 6627e8d5, e169c58d, bc57ac4c, 9b00dbd8. The literal form is in
tests/impl/kernels/test_philox.py.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part, kernel_with_memory

Array = npt.NDArray[Any]

BLOCK = 1024  # numbers that a kernel makes at a time: they stay in the innermost cache
SCRATCH = 2 * BLOCK + 4  # words that it needs for them

_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_FOUR, _HALF = np.uint64(4), np.uint64(32)
_LOW_8, _LOW_5, _LOW_6 = np.uint32(8), np.uint32(5), np.uint32(6)


@kernel
def fill_words(words: Array, counter: Any, stream: Array) -> None:
    """Fill words, uint32 (4 m,), with the outputs of m counters from `counter`, uint64."""
    for j in range(len(words) // 4):
        at = counter + np.uint64(j)
        x0, x1, x2, x3 = np.uint32(at), np.uint32(at >> _HALF), stream[2], stream[3]
        k0, k1 = stream[0], stream[1]
        for _ in range(10):
            p0 = _MULTIPLIER_0 * np.uint64(x0)
            p1 = _MULTIPLIER_1 * np.uint64(x2)
            x0, x2 = np.uint32(p1 >> _HALF) ^ x1 ^ k0, np.uint32(p0 >> _HALF) ^ x3 ^ k1
            x1, x3 = np.uint32(p1), np.uint32(p0)
            k0, k1 = np.uint32(k0 + _WEYL_0), np.uint32(k1 + _WEYL_1)
        words[4 * j], words[4 * j + 1], words[4 * j + 2], words[4 * j + 3] = x0, x1, x2, x3


@kernel_part
def fill_from(scratch: Array, first: Any, count: int, stream: Array) -> Any:
    """Fill scratch with words first, ..., first + count - 1 of a stream, and return where these begin.

    That is at 0, 1, 2 or 3; scratch has room for count + 4.
    """
    skip = np.int64(first % _FOUR)
    fill_words(scratch[: (skip + count + 3) // 4 * 4], first // _FOUR, stream)
    return skip


@kernel_part
def fill_block(uniforms: Array, scratch: Array, first: Any, stream: Array) -> None:
    """Fill at most `BLOCK` uniforms, float32 or float64, with the numbers of a stream from index `first`."""
    m, each = len(uniforms), uniforms.itemsize // 4
    words = scratch[fill_from(scratch, np.uint64(each) * first, each * m, stream) :]
    if each == 1:
        for j in range(m):
            uniforms[j] = np.float32(np.int32(words[j] >> _LOW_8)) * np.float32(2.0**-24)
    else:
        for j in range(m):
            high, low = np.int32(words[2 * j] >> _LOW_5), np.int32(words[2 * j + 1] >> _LOW_6)
            uniforms[j] = np.float64(high) * 2.0**-27 + np.float64(low) * 2.0**-53


@kernel_with_memory
def fill_uniforms(uniforms: Array, first: Any, stream: Array) -> None:
    """Fill a contiguous array, (m,), with the numbers first, ..., first + m - 1 of a stream."""
    _fill_blocks(uniforms, first, stream, np.empty(SCRATCH, np.uint32))


@kernel_part
def _fill_blocks(uniforms: Array, first: Any, stream: Array, scratch: Array) -> None:
    for at in range(0, len(uniforms), BLOCK):
        fill_block(uniforms[at : at + BLOCK], scratch, first + np.uint64(at), stream)


def try_it() -> str | None:
    """Return why this machine cannot compile kernels, None where it can."""
    words = np.empty(4, np.uint32)
    try:
        fill_words(words, np.uint64(0), np.zeros(4, np.uint32))
    except (numba.core.errors.NumbaError, RuntimeError, OSError) as error:
        return f"numba {numba.__version__} cannot compile them: {error}"
    if words[0] != 0x6627E8D5:
        return f"numba {numba.__version__} compiles them wrongly"
    return None
