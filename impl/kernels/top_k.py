"""Top-k of rows, and candidates for it of long ones; both stand for parts of `sparse.largest_entries`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part, kernel_with_memory
from impl.kernels.lowest_bit import lowest_bit

Array = npt.NDArray[Any]

_GROUP = 64  # entries that are compared together: a bit of a word each
_DIGIT = 8  # bits of a magnitude that are looked at together


@kernel
def reaching(x: Array, threshold: Any, found: Array) -> int:
    """Write the indices of the entries of x, (d,), whose magnitude reaches the threshold.

    Returns:
        Their number, or len(found) + 1 where there are more than found has room for.
    """
    count = 0
    for start in range(0, len(x), _GROUP):
        group = x[start : start + _GROUP]
        reached = np.uint64(0)
        for j in range(len(group)):
            reached |= np.uint64(abs(group[j]) >= threshold) << np.uint64(j)
        while reached:
            if count == len(found):
                return count + 1
            found[count] = start + lowest_bit(reached)
            count += 1
            reached &= reached - np.uint64(1)
    return count


@kernel_with_memory
def keep_largest(x: Array, d: int, k: int, kept: Array) -> None:
    """Write the k entries of largest magnitude of every row, without negative zeros, and zeros elsewhere.

    Finite floats are ordered as their bits without the sign are: digit after digit of these the entries are
    counted that begin as the k-th largest one does. Among equals those of the lowest indices are kept.

    Args:
        x: Bits of finite float32 or float64, unsigned integers of this size, (R d,).
        d: Length of a row.
        k: From 1 to d.
        kept: Bits of the output, likewise.
    """
    _keep(x, d, k, kept, np.empty(d, x.dtype), np.empty(2**_DIGIT, np.int64))


@kernel_part
def _keep(x: Array, d: int, k: int, kept: Array, sizes: Array, counts: Array) -> None:
    zero, one, digit = x.dtype.type(0), x.dtype.type(1), x.dtype.type(2**_DIGIT - 1)
    top = x.dtype.type(8 * x.itemsize - 1)
    magnitude = (one << top) - one
    for start in range(0, len(x), d):
        own, target = x[start : start + d], kept[start : start + d]
        for j in range(d):
            sizes[j] = own[j] & magnitude
        left, room, least, shift = d, k, zero, top
        while left > room and shift > zero:
            shift -= min(shift, x.dtype.type(_DIGIT))
            for i in range(len(counts)):
                counts[i] = 0
            for j in range(left):
                counts[(sizes[j] >> shift) & digit] += 1
            place = len(counts) - 1
            while counts[place] < room:
                room -= counts[place]
                place -= 1
            least |= x.dtype.type(place) << shift
            begin = 0
            for j in range(left):
                sizes[begin] = sizes[j]
                begin += (sizes[j] >> shift) & digit == x.dtype.type(place)
            left = begin
        for j in range(d):
            size = own[j] & magnitude
            target[j] = own[j] if size >= least and size > zero else zero
        for j in range(d - 1, -1, -1):  # of equals too many: the last ones go
            if left == room:
                break
            if own[j] & magnitude == least:
                target[j] = zero
                left -= 1
