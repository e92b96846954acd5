"""Least bits of entropy codes of so many digits: what is shorter is refused before memory is taken for them.

The codes add one count to each digit, so equal digits have the shortest code. What rounding gains is less
than one count more for the digit that is coded: an interval has 2^30 numbers where totals are at most 2^30,
and chances have steps of 2^-24 where totals are at most 2^23.
"""

import math

UNITS = 2**24  # steps of the chances of the range coder, of which each digit has one at least
_EXACT = 2**23  # a total up to which rounding gains less than a count


def fewest_adaptive_bits(count: int, alphabet: int) -> float:
    """Return a bound below the bits of `AdaptiveCoder`: log2 of (n + A - 1)! / ((A - 1)! (n + 1)!)."""
    parts = math.lgamma(count + alphabet) - math.lgamma(alphabet) - math.lgamma(count + 2)
    return max(0.0, parts / math.log(2) - 1)  # lgamma rounds


def fewest_range_bits(count: int, alphabet: int, largest: float | None) -> float:
    """Return a bound below the bits of `RangeCoder`.

    Args:
        count: Number of digits.
        alphabet: A, at least 2.
        largest: Largest chance of the fixed model, None for the adaptive one.
    """
    most = 1 - (alphabet - 1) / UNITS
    if largest is not None:  # two units are what rounding adds at most
        most, exact = min(most, largest + 3 / UNITS), 0
    else:
        exact = min(count, _EXACT - alphabet)
    # The last state holds up to 64 bits that are in no word.
    return fewest_adaptive_bits(exact, alphabet) - (count - exact) * math.log2(most) - 64
