"""The arithmetic coder of Witten, Neal and Cleary; stands for the loops of `impl.coding.AdaptiveCoder`.

The state is the number that all bits so far and the register make together, and the width of the interval.
Bits that are pending there are a carry here. How far the interval is scaled follows from its width, and from
where its lower end lies in a quarter of the register. Quotients by the total are exact products with a
rounded up inverse, which waits for no digit.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.coders.adaptive_counts import BLOCKS, FLAT, count_one, sum_below
from impl.kernels.compiled import inlined, kernel
from impl.kernels.instructions import LANES, how_many_begin_before, leading_zeros, upper_product

Array = npt.NDArray[Any]

_WIDE, _HALF, _QUARTER = 2**32, 2**31, 2**30
_ONE, _TWO, _SIX, _THIRTY = np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(30)
_WORD, _LAST, _LOW = np.uint64(32), np.uint64(63), np.uint64(2**32 - 1)


@kernel
def encode_adaptively(digits: Array, counts: Array, form: int, total: int, words: Array) -> Any:
    """Write the code of digits, int64 (n,), most significant bit first.

    Args:
        digits: From 0 to total - 1.
        counts: Those of `first_counts`; they are changed.
        form: Of the counts.
        total: The number of digits.
        words: Output, uint32, with room for n + 4; the code is behind the first one.

    Returns:
        The bits of the code.
    """
    low, held, at, width = np.uint64(0), np.int64(0), np.int64(0), np.int64(_WIDE)
    words[0] = 0
    for digit in digits:
        up, inverse = _inverse(total)
        first = _part(width, _fraction(sum_below(counts, form, digit), up, inverse))
        behind = _part(width, _fraction(sum_below(counts, form, digit + 1), up, inverse))
        count_one(counts, form, digit)
        total += 1
        low += np.uint64(first)
        width = behind - first
        shift = _scalings(np.int64(low & _LOW), width)
        width <<= shift
        held += shift
        if held >= 32:
            held -= 32
            rest = shift - held
            _carry(words, at, low >> np.uint64(64 - rest))
            low <<= np.uint64(rest)
            at += 1
            words[at] = np.uint32(low >> _WORD)
            low &= _LOW
            shift = held
        low <<= np.uint64(shift)
    # The two bits of the end: the next quarter.
    low = ((low >> _THIRTY) + _ONE) << _THIRTY
    _carry(words, at, low >> np.uint64(32 + held))
    low <<= np.uint64(32 - held)
    words[at + 1] = np.uint32(low >> _WORD)
    words[at + 2] = np.uint32(low & _LOW)
    return 32 * at + held + 2


@kernel
def decode_adaptively(data: Array, bits: int, counts: Array, form: int, total: int, digits: Array) -> Any:
    """Read digits, int64 (n,).

    Args:
        data: The code, uint64, most significant bit first, and two words of zeros.
        bits: Of its whole bytes.
        counts: As of `encode_adaptively`, and likewise form, total.
        form: As there.
        total: As there.
        digits: Output.

    Returns:
        0, 1 where the code ends inside of a symbol, 2 where it does not end as it should.
    """
    low, width, at, alphabet = np.int64(0), np.int64(_WIDE), np.int64(32), total
    value = np.int64(data[0] >> _WORD)
    for j in range(len(digits)):
        up, inverse = _inverse(total)
        digit = _find(counts, form, width, value, total, alphabet)
        first = _part(width, _fraction(sum_below(counts, form, digit), up, inverse))
        behind = _part(width, _fraction(sum_below(counts, form, digit + 1), up, inverse))
        while value < first:  # a quotient that was rounded the other way: seldom
            digit -= 1
            behind, first = first, _part(width, _fraction(sum_below(counts, form, digit), up, inverse))
        while value >= behind:
            digit += 1
            first, behind = (
                behind,
                _part(width, _fraction(sum_below(counts, form, digit + 1), up, inverse)),
            )
        digits[j] = digit
        count_one(counts, form, digit)
        total += 1
        value -= first
        low += first
        width = behind - first
        shift = _scalings(low, width)
        if at + shift - 32 > bits:
            return 1
        value = (value << shift) | _ahead(data, np.uint64(at), shift)
        width <<= shift
        low = (low << shift) & (_WIDE - 1)
        at += shift
    ends = value == _QUARTER - (low & (_QUARTER - 1)) and bits // 8 == (at - 32 + 2 + 7) // 8
    return 0 if ends else 2


@inlined
def _inverse(total: Any) -> Any:
    """Return s = 63 - k and g, with 2^k the power of two in the total and g 2^(63 + k) / total, rounded up.

    It is at most two units more. The total is at most 2^28.
    """
    up = leading_zeros(total)
    share = np.float64(1) / np.float64(total)
    near = np.int64(share * np.float64((np.int64(1) << 62) >> (up - 1)) * np.float64(2**61)) << 2
    # What is missing fits 64 bits, though its parts do not: 2^(63 + k) is 0 there, or 2^63 for k = 0.
    missing = (np.int64(up == 63) << 63) - near * total
    return up, np.uint64(near + np.int64(np.float64(missing) * share) + 1)


@inlined
def _fraction(amount: Any, up: Any, inverse: Any) -> Any:
    """Return amount 2^62 / total, too large by less than three units."""
    return upper_product(np.uint64(amount << up), inverse) + _ONE


@inlined
def _part(width: Any, fraction: Any) -> Any:
    """Return width * amount // total: what the fraction adds is below 1 / total."""
    return np.int64(upper_product(np.uint64(width) << _TWO, fraction))


@inlined
def _scalings(low: Any, width: Any) -> Any:
    """Return how often an interval is doubled, given its width and its lower end within 32 bits."""
    shift = max(leading_zeros(width - 1) - 33, 0)
    quarter = (low << shift) & (_QUARTER - 1)
    return shift + ((width << shift) + quarter <= _HALF)


@inlined
def _find(counts: Array, form: int, width: Any, value: Any, total: Any, alphabet: Any) -> Any:
    """Return the last digit whose part begins at `value` or before, up to rounding."""
    share, limit, size = np.float64(1) / np.float64(total), np.float64(value + 1), np.float64(width)
    if form == FLAT:
        found = how_many_begin_before(counts, 0, 0, share, size, limit)
        for start in range(LANES, len(counts), LANES):
            found += how_many_begin_before(counts, start, 0, share, size, limit)
        return min(found, alphabet) - 1
    if form == BLOCKS:
        block = how_many_begin_before(counts, 0, 0, share, size, limit) - 1
        base, start = np.int64(counts[np.uint64(block)]), LANES * block
        found = how_many_begin_before(counts, start + LANES, base, share, size, limit)
        return min(start + found, alphabet) - 1
    # The tree is gone down by whole numbers, as the coder does.
    target = ((value + 1) * total - 1) // width
    place, step = np.int64(0), (len(counts) - 1) >> 1
    while step:
        if counts[place + step] <= target:
            place += step
            target -= counts[place]
        step >>= 1
    return place


@inlined
def _ahead(data: Array, at: Any, count: Any) -> Any:
    """Return the next bits, 0 to 32, from bit `at` on."""
    place, offset = at >> _SIX, at & _LAST
    held = (data[place] << offset) | ((data[place + _ONE] >> _ONE) >> (_LAST - offset))
    return np.int64((held >> _ONE) >> np.uint64(63 - count))


@inlined
def _carry(words: Array, at: Any, carry: Any) -> None:
    """Add a carry, 0 or 1, to the number that the words up to `at` make."""
    words[at] = np.uint32(np.int64(words[at]) + np.int64(carry))
    while carry and words[at] == 0:  # seldom: a word of ones
        at -= 1
        words[at] = np.uint32(np.int64(words[at]) + 1)
