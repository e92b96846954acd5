"""The range coder with words of 32 bits; stands for what `impl.coding.RangeCoder` asks the library for.

Its literal form is in verify/ndqsg/fixtures/literal/literal_range_coder.py: an interval [low, low + width) of
64 bits, of which a digit takes its weight of 2^24 parts. A carry waits for the next word: there is at most
one between two of them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.coders.adaptive_counts import BLOCKS, FLAT, count_one, sum_below
from impl.kernels.compiled import inlined, kernel
from impl.kernels.instructions import LANES, how_many_scaled_reach

Array = npt.NDArray[Any]

UNITS = 2**24
BUCKET = 12  # bits of a quantile that a digit is looked up without
_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
_WORD, _LOW, _PARTS = np.uint64(32), np.uint64(2**32 - 1), np.uint64(24)

State = tuple[Any, Any, Any, Any]  # low, width, whether a carry waits, words written


@kernel
def encode_by_ends(digits: Array, ends: Array, words: Array) -> Any:
    """Write the code of digits, int64 (n,), into words, uint32, behind the first; return their number.

    Args:
        digits: From 0 to A - 1.
        ends: Of their parts, int64 (A + 1,), from 0 to 2^24.
        words: Output, with room for n + 4.
    """
    state = (_NONE, _ALL, _NONE, np.int64(0))
    words[0] = 0
    for digit in digits:
        state = _taken(state, ends[np.uint64(digit)], ends[np.uint64(digit + 1)], words)
    return _ended(state, words) if len(digits) else 0


@kernel
def encode_by_counts(digits: Array, counts: Array, form: int, alphabet: int, words: Array) -> Any:
    """Write the code of digits likewise, by counts that start at one and grow behind every digit.

    Args:
        digits: From 0 to alphabet - 1.
        counts: Those of `first_counts`; they are changed.
        form: Of the counts.
        alphabet: A.
        words: As above.
    """
    state = (_NONE, _ALL, _NONE, np.int64(0))
    words[0] = 0
    total, free = np.int64(alphabet), np.float64(UNITS - alphabet)
    for digit in digits:
        scale = free / np.float64(total)
        left = _end(counts, form, digit, scale, alphabet)
        state = _taken(state, left, _end(counts, form, digit + 1, scale, alphabet), words)
        count_one(counts, form, digit)
        total += 1
    return _ended(state, words) if len(digits) else 0


@kernel
def decode_by_ends(data: Array, ends: Array, table: Array, digits: Array) -> Any:
    """Read digits, int64 (n,).

    Args:
        data: The words of the code, uint32.
        ends: As of `encode_by_ends`.
        table: First digits of the buckets of quantiles, and the last digit, int64.
        digits: Output.

    Returns:
        0, 1 where it is not the code of these digits, 2 where the interval has no such number.
    """
    state, at = _begun(data), np.int64(2)
    for j in range(len(digits)):
        quantile = state[2] // (state[1] >> _PARTS)
        if quantile >= UNITS:
            return 2
        bucket = np.uint64(quantile) >> np.uint64(BUCKET)
        digit, last = table[bucket], table[bucket + _ONE]
        while digit < last:
            middle = (digit + last + 1) >> 1
            if ends[middle] <= np.int64(quantile):
                digit = middle
            else:
                last = middle - 1
        digits[j] = digit
        state, scaling = _left(state, ends[np.uint64(digit)], ends[np.uint64(digit + 1)], data, at)
        at += scaling
    return _judged(state, at - 2, len(data), len(digits))


@kernel
def decode_by_counts(data: Array, counts: Array, form: int, alphabet: int, digits: Array) -> Any:
    """Read digits likewise, by the counts of `encode_by_counts`."""
    state, at = _begun(data), np.int64(2)
    total, free = np.int64(alphabet), np.float64(UNITS - alphabet)
    for j in range(len(digits)):
        quantile = state[2] // (state[1] >> _PARTS)
        if quantile >= UNITS:
            return 2
        scale = free / np.float64(total)
        digit = _find(counts, form, scale, np.int64(quantile), alphabet)
        digits[j] = digit
        left = _end(counts, form, digit, scale, alphabet)
        right = _end(counts, form, digit + 1, scale, alphabet)
        state, scaling = _left(state, left, right, data, at)
        at += scaling
        count_one(counts, form, digit)
        total += 1
    return _judged(state, at - 2, len(data), len(digits))


@inlined
def _end(counts: Array, form: int, digit: Any, scale: Any, alphabet: Any) -> Any:
    """Return where the part of a digit begins."""
    end = np.int64(np.float64(sum_below(counts, form, digit)) * scale) + digit
    return UNITS if digit == alphabet else end


@inlined
def _find(counts: Array, form: int, scale: Any, quantile: Any, alphabet: Any) -> Any:
    """Return the last digit whose part begins at the quantile or before."""
    limit = np.float64(quantile)
    if form == FLAT:
        found = how_many_scaled_reach(counts, 0, 0, scale, 0, 1, limit)
        for start in range(LANES, len(counts), LANES):
            found += how_many_scaled_reach(counts, start, 0, scale, start, 1, limit)
        return min(found, alphabet) - 1
    if form == BLOCKS:
        block = how_many_scaled_reach(counts, 0, 0, scale, 0, LANES, limit) - 1
        base, start = np.int64(counts[np.uint64(block)]), LANES * block
        found = how_many_scaled_reach(counts, start + LANES, base, scale, start, 1, limit)
        return min(start + found, alphabet) - 1
    place, below, step = np.int64(0), np.int64(0), np.int64(len(counts) - 1) >> 1
    while step:
        behind = below + np.int64(counts[place + step])
        if place + step < alphabet and np.int64(np.float64(behind) * scale) + place + step <= quantile:
            place, below = place + step, behind
        step >>= 1
    return place


@inlined
def _taken(state: State, left: Any, right: Any, words: Array) -> State:
    """Return the state behind a digit that takes the parts from left to right."""
    low, width, waits, at = state
    part = width >> _PARTS
    add = part * np.uint64(left)
    low += add
    waits += np.uint64(low < add)
    width = part * np.uint64(right - left)
    if width <= _LOW:
        _carry(words, at, waits)
        at += 1
        words[at] = np.uint32(low >> _WORD)
        low, width, waits = low << _WORD, width << _WORD, _NONE
    return low, width, waits, at


@inlined
def _ended(state: State, words: Array) -> Any:
    """Write the end: the first word of the last number of a word, a zero where others follow it."""
    low, width, waits, at = state
    point = (low + _LOW) >> _WORD
    waits += np.uint64(low + _LOW < low)
    _carry(words, at, waits)
    words[at + 1], words[at + 2] = np.uint32(point), np.uint32(0)
    return at + 1 + (point == (low + width) >> _WORD)


@inlined
def _begun(data: Array) -> Any:
    """Return low, width, and the number of the code above low."""
    first = np.uint64(data[0]) if len(data) > 0 else _NONE
    second = np.uint64(data[1]) if len(data) > 1 else _NONE
    return _NONE, _ALL, (first << _WORD) | second


@inlined
def _left(state: Any, left: Any, right: Any, data: Array, at: Any) -> Any:
    """Return the state behind a digit that took the parts from left to right, and whether it was scaled."""
    low, width, value = state
    part = width >> _PARTS
    add = part * np.uint64(left)
    low, value, width = low + add, value - add, part * np.uint64(right - left)
    if width <= _LOW:
        following = np.uint64(data[at]) if at < len(data) else _NONE
        return (low << _WORD, width << _WORD, (value << _WORD) | following), 1
    return (low, width, value), 0


@inlined
def _judged(state: Any, scalings: Any, words: Any, count: Any) -> Any:
    """Return 0 where the code ends as `_ended` makes it."""
    low, width, value = state
    if count == 0:
        return 0 if words == 0 else 1
    longer = (low + _LOW) >> _WORD == (low + width) >> _WORD
    return 0 if value == (_NONE - low) & _LOW and words == scalings + 1 + longer else 1


@inlined
def _carry(words: Array, at: Any, carry: Any) -> None:
    """Add a carry, 0 or 1, to the number that the words up to `at` make."""
    words[at] = np.uint32(np.int64(words[at]) + np.int64(carry))
    while carry and words[at] == 0:  # seldom: a word of ones
        at -= 1
        words[at] = np.uint32(np.int64(words[at]) + 1)
