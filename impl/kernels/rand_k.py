"""Uniform sets of k of d coordinates, and Rand-k; stands for `impl.compressors.sparse.rand_k`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part, kernel_with_memory
from impl.kernels.lowest_bit import lowest_bit
from impl.kernels.philox import fill_words

Array = npt.NDArray[Any]

_WORDS = 1024  # made at a time
_HALF, _LOW, _FIRST = np.uint64(32), np.uint64(2**32 - 1), np.uint64(1)
_ALL, _PLACE = np.uint64(6), np.uint64(63)


@kernel_with_memory
def fill_sets(d: int, stream: Array, sets: Array) -> None:
    """Fill index sets, int64 (S, k), sorted, by Floyd's algorithm; d is below 2^32.

    The words of the stream are taken one after the other. A number below n is (word n) >> 32, unless the
    lower half of the product is less than 2^32 mod n: then the next word is tried (Lemire 2019), so that all
    numbers are equally likely.
    """
    words = np.empty(min(_WORDS, (sets.size + 7) // 4 * 4), np.uint32)
    _choose(d, stream, sets, words, np.zeros(d // 64 + 1, np.uint64))


@kernel_part
def _choose(d: int, stream: Array, sets: Array, words: Array, taken: Array) -> None:
    """Fill the sets, by room for words and zeros, a bit for each coordinate."""
    used, counter = len(words), np.uint64(0)
    for row in range(len(sets)):
        k = sets.shape[1]
        for j in range(d - k, d):
            n = np.uint64(j + 1)
            while True:
                if used == len(words):
                    fill_words(words, counter, stream)
                    counter, used = counter + np.uint64(len(words) // 4), 0
                product = np.uint64(words[used]) * n
                used += 1
                if (product & _LOW) >= n or (product & _LOW) >= np.uint64(2**32) % n:
                    break
            t = product >> _HALF
            if taken[t >> _ALL] >> (t & _PLACE) & _FIRST:
                t = np.uint64(j)
            taken[t >> _ALL] |= _FIRST << (t & _PLACE)
        at = 0
        for place in range(len(taken)):
            bits = taken[place]
            taken[place] = np.uint64(0)
            while bits:
                sets[row, at] = 64 * place + lowest_bit(bits)
                at += 1
                bits &= bits - _FIRST


@kernel
def scatter(x: Array, sets: Array, factor: Any, out: Array) -> bool:
    """Write factor times the entries of the sets into out, zeros (R, d); tell whether all of them are finite.

    Row r is of x[r mod M]; x, (M, d), out and the factor have one dtype. No negative zeros are written.
    """
    finite = True
    for row in range(len(out)):
        own, target = x[row % len(x)], out[row]
        for j in sets[row]:
            target[j] = own[j] * factor
            target[j] += 0
            finite &= np.isfinite(target[j])
    return finite
