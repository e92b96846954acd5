"""Range coder with words of 32 bits and a state of 64 bits, literal: one whole number for the lower end.

The design is that of the library constriction (its note on range coding, and the documentation of its
categorical model): the interval begins at `low` and holds `width` numbers; a digit takes its weight of 2**24
parts of it; below 2**32 numbers the interval is scaled by 2**32, which sends a word. Here `low` is never cut
off, so that there is no carry to think of.
"""

from collections.abc import Iterable, Sequence

UNITS = 2**24
"""Sum of the weights of all digits."""

_WORD = 2**32


def cumulative(chances: Sequence[float]) -> list[int]:
    """Return A + 1 integers from 0 to 2**24; the weight of a digit is the distance of its two.

    Args:
        chances: Positive numbers, up to a common factor; sums are taken from the left, in double precision.
    """
    total = 0.0
    for chance in chances:
        total += chance
    scale = (UNITS - len(chances)) / total
    left, ends = 0.0, []
    for digit, chance in enumerate(chances):
        ends.append(int(left * scale) + digit)
        left += chance
    return [*ends, UNITS]


class RangeEncoder:
    """State of the encoder."""

    def __init__(self) -> None:
        self.low, self.width, self.scalings = 0, 2**64 - 1, 0
        self.empty = True

    def encode(self, left: int, right: int) -> None:
        """Take the part [left, right) of 2**24 parts of the interval."""
        part = self.width // UNITS
        self.low += part * left
        self.width = part * (right - left)
        self.empty = False
        if self.width < _WORD:
            self.width *= _WORD
            self.low *= _WORD
            self.scalings += 1

    def number(self) -> tuple[int, int]:
        """Return the code as a number and its length in words.

        The first word of the number at `low` + 2**32 - 1, and a zero where that word could be continued so
        far that the interval is left.
        """
        if self.empty:
            return 0, 0
        point, end = (self.low + _WORD - 1) // _WORD, (self.low + self.width) // _WORD
        if point == end:
            return point * _WORD, self.scalings + 2
        return point, self.scalings + 1

    @property
    def bits(self) -> int:
        """Return the length of the code."""
        return 32 * self.number()[1]

    def data(self) -> bytes:
        """Return the code, little-endian words of 32 bits."""
        number, count = self.number()
        words = ((number >> 32 * place) % _WORD for place in reversed(range(count)))
        return b"".join(word.to_bytes(4, "little") for word in words)


def fixed(digits: Iterable[int], chances: Sequence[float]) -> RangeEncoder:
    """Return the encoder behind the digits, with fixed chances."""
    encoder, ends = RangeEncoder(), cumulative(chances)
    for digit in digits:
        encoder.encode(ends[digit], ends[digit + 1])
    return encoder


def adaptive(digits: Iterable[int], alphabet: int, *, updated: bool = True) -> RangeEncoder:
    """Return the encoder behind the digits, with counts that start at one and are updated behind each digit.

    Args:
        digits: Integers from 0 to alphabet - 1.
        alphabet: Number of digits.
        updated: Whether the counts are updated at all.
    """
    encoder, counts = RangeEncoder(), [1.0] * alphabet
    for digit in digits:
        ends = cumulative(counts)
        encoder.encode(ends[digit], ends[digit + 1])
        counts[digit] += updated
    return encoder
