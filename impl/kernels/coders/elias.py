"""Elias codes of levels by table; stands for `write`, `read` and `bits` of `SparseCode` and `DenseCode`.

What a kernel does not do (long numbers on the way in, anything wrong on the way out) it leaves to these.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part
from impl.kernels.lowest_bit import lowest_bit

Array = npt.NDArray[Any]

_ONE, _WORD, _LAST = np.uint64(1), np.uint64(64), np.uint64(63)
_SIX, _HALF, _TOP = np.uint64(6), np.uint64(32), np.uint64(48)
_LOG = np.array([max(k.bit_length() - 1, 0) for k in range(2**16)], dtype=np.int8)


@kernel
def bits_of_rows(levels: Array, sparse: bool, lengths: Array, bits: Array) -> Any:
    """Write the bits of the codes of rows of levels, int64 (R, d); tell whether all numbers are in the table.

    Args:
        levels: Signed levels.
        sparse: By gaps, with the sentinel; otherwise coordinate by coordinate.
        lengths: Of the words of 0 (of no use), 1, 2, ..., uint8.
        bits: Output, int64 (R,).
    """
    rows, d = levels.shape
    most = len(lengths)
    for row in range(rows):
        total, gap = np.int64(0), 1
        many = 0
        for j in range(d if sparse and d + 1 < most else 0):
            many += levels[row, j] != 0
        if 8 * many > d:
            total = _bits_of_many(levels[row], lengths)
            if total < 0:
                return False
            bits[row] = total
            continue
        for j in range(d):
            size = abs(levels[row, j])
            if sparse:
                if size:
                    if not 0 < size < most or gap >= most:  # the least integer is its own magnitude
                        return False
                    total += 1 + np.int64(lengths[gap]) + np.int64(lengths[size])
                    gap = 0
                gap += 1
            else:
                if not 0 <= size < most - 1:
                    return False
                total += np.int64(lengths[size + 1]) + (size > 0)
        if sparse:
            if gap >= most:
                return False
            total += np.int64(lengths[gap])
        bits[row] = total
    return True


@kernel_part
def _bits_of_many(levels: Array, lengths: Array) -> Any:
    """Return the bits of a code by gaps, -1 where a number is not in the table; no jump depends on a level.

    Where many levels are not 0, such jumps cannot be foreseen, and take twice as long.
    """
    most, unknown, total, gap = len(lengths), np.int64(0), np.int64(0), 1
    for j in range(len(levels)):
        size = abs(levels[j])
        known = size if 0 <= size < most else 0  # the least integer is its own magnitude
        unknown |= size - known
        more = 1 + np.int64(lengths[gap]) + np.int64(lengths[known])
        total += more if size else 0
        gap = 1 if size else gap + 1
    return -1 if unknown else total + np.int64(lengths[gap])


@kernel
def write_dense(levels: Array, codes: Array, lengths: Array, words: Array) -> Any:
    """Write the code of levels, int64 (d,), coordinate by coordinate, into words of 64 bits.

    Args:
        levels: Signed levels.
        codes: Words of 0 (of no use), 1, 2, ..., uint64, of at most 31 bits.
        lengths: Their lengths, uint8.
        words: Output, with room for all, and for one more.

    Returns:
        The bits of the code, -1 where a number is too large.
    """
    most, state = len(codes), (np.uint64(0), np.int64(64), np.int64(0))
    for level in levels:
        size = abs(level)
        if not 0 <= size < most - 1:
            return -1
        field, width = codes[size + 1], np.int64(lengths[size + 1])
        if size:
            field, width = (field << _ONE) | np.uint64(level < 0), width + 1
        state = _put(words, state, field, width)
    words[state[2]] = state[0]
    return 64 * state[2] + 64 - state[1]


@kernel
def write_sparse(levels: Array, codes: Array, lengths: Array, words: Array) -> Any:
    """Write the code of levels by gaps, with its sentinel; as `write_dense` otherwise."""
    most, d, last, state = len(codes), len(levels), -1, (np.uint64(0), np.int64(64), np.int64(0))
    for start in range(0, d, 64):
        part, present, many = levels[start : start + 64], np.uint64(0), 0
        for j in range(len(part)):
            present |= np.uint64(part[j] != 0) << np.uint64(j)
            many += part[j] != 0
        j = start - 1
        while present:
            if many > 40:  # the next one is near: to look for it takes longer than to meet it
                j += 1
                here = present & _ONE
                present >>= _ONE
                if not here:
                    continue
            else:
                j = start + lowest_bit(present)
                present &= present - _ONE
            size, gap = abs(levels[j]), j - last
            if not 0 < size < most or gap >= most:
                return -1
            own = np.uint64(lengths[size])
            field = (codes[gap] << (own + _ONE)) | (np.uint64(levels[j] < 0) << own) | codes[size]
            state = _put(words, state, field, np.int64(lengths[gap]) + 1 + np.int64(own))
            last = j
    gap = d - last
    if gap >= most:
        return -1
    state = _put(words, state, codes[gap], np.int64(lengths[gap]))
    words[state[2]] = state[0]
    return 64 * state[2] + 64 - state[1]


@kernel_part
def _put(words: Array, state: Any, field: Any, width: Any) -> Any:
    """Append a field of 1 to 63 bits; the state is the word that is filled, its room, and its place."""
    held, room, at = state
    if width < room:
        return held | (field << np.uint64(room - width)), room - width, at
    rest = width - room
    words[at] = held | (field >> np.uint64(rest))
    return field << np.uint64(64 - rest) if rest else np.uint64(0), 64 - rest, at + 1


@kernel
def read_levels(
    words: Array,
    at: int,
    end: int,
    sparse: bool,
    gamma: bool,
    table: Array,
    position: int,
    levels: Array,
) -> Any:
    """Read levels, int64 (d,), from bit `at` on; stop before what is not plainly right, or the sentinel.

    Args:
        words: The payload, uint64, most significant bit first, and four words more.
        at: First bit.
        end: Bits of the payload.
        sparse: As of `bits_of_rows`.
        gamma: The gamma code; otherwise the omega code.
        table: Length, gap and level of the first word of each window of 16 bits, int16 (2^16, 3); length 0
            where it does not fit.
        position: Coordinates that are behind us.
        levels: Zeros; output.

    Returns:
        Bit and position behind the last level that was read.
    """
    d = len(levels)
    while position < d:
        short = table[_peek(words, at) >> _TOP]
        if short[0] and at + short[0] <= end and position + short[1] <= d:
            at += short[0]
            position += short[1]
            levels[position - 1] = short[2]
            continue
        here, gap = at, 1
        if sparse:
            gap, here = _number(words, here, gamma)
            if gap <= 0 or gap > d - position:
                break
            negative = _peek(words, here) >> _LAST
            size, here = _number(words, here + 1, gamma)
        else:
            size, here = _number(words, here, gamma)
            size -= 1
            negative = np.uint64(0)
            if size > 0:
                negative = _peek(words, here) >> _LAST
                here += 1
        if size < 0 or here > end:
            break
        position += gap
        levels[position - 1] = -size if negative else size
        at = here
    return at, position


@kernel_part
def _peek(words: Array, at: int) -> Any:
    """Return the 64 bits from bit `at` on."""
    place = np.uint64(at)
    first, shift = words[place >> _SIX], place & _LAST
    if shift == np.uint64(0):
        return first
    return (first << shift) | (words[(place >> _SIX) + _ONE] >> (_WORD - shift))


@kernel_part
def _number(words: Array, at: int, gamma: bool) -> Any:
    """Return a number and the bit behind its word; -1 where it has more than 31 bits."""
    held = _peek(words, at)
    if gamma:
        if held >> _HALF == np.uint64(0):
            return -1, at
        high = held >> _TOP
        log = 15 - _LOG[high] if high else 31 - _LOG[held >> _HALF]  # the zeros in front
        log = np.int64(log)
        return np.int64(held >> np.uint64(63 - 2 * log)), at + 2 * log + 1
    k, used = np.int64(1), np.int64(0)
    while held >> _LAST:
        if k > 30:
            return -1, at
        k, step = np.int64(held >> np.uint64(63 - k)), k + 1
        held <<= np.uint64(step)
        used += step
    return k, at + used + 1
