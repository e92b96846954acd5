r"""Formulas in words: numbers and signs outside of mathematics, and in `\text{...}` and `\tag{...}`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from theory.latex.tokens import fragments
from verify.statements.slots import SLOT, outside

_SKIPPED = re.compile(rf"`[^`]*`|{SLOT.pattern}")
_WORDS_IN_MATH = re.compile(r"\\(?:text\w*|mbox|tag|label)\s*\*?\s*\{([^{}]*)\}?")
# A digit after a letter belongs to a name, such as w8a, but not in letters that go on after a formula.
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:\.\d+)?|(?<=\$)[^\W\d_]+\d+")
_ADVICE = "write the formula between dollars, or make the words a pin with its evidence"


def formulas_in_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield place, characters and message of what says numbers or relations where no formula is read."""
    pieces = fragments(text)
    for start, words in outside(text, pieces):
        yield from _found(start, words, "in words")
    for piece in pieces:
        for match in _WORDS_IN_MATH.finditer(piece.inside):
            start = piece.start + match.start(1)
            where = f"in {match.group().partition('{')[0].strip()}{{...}}"
            # One problem for all: what stands there goes elsewhere as a whole.
            yield from sorted(_found(start, match.group(1), where))[:1]


def _found(start: int, words: str, where: str) -> Iterator[tuple[int, str, str]]:
    skipped = [match.span() for match in _SKIPPED.finditer(words)]

    def is_free(place: int) -> bool:
        return not any(low <= place < high for low, high in skipped)

    for match in _NUMBER.finditer(words):
        if is_free(match.start()):
            message = f"a number {where} is a value slot `{{value:NAME}}` or part of a pin"
            yield start + match.start(), match.group(), message
    for place, sign in enumerate(words):
        # Between dollars in `\text{...}` stands a formula that is not read.
        if is_free(place) and (_is_mathematics(sign, words[:place]) or (sign == "$" and "{" in where)):
            yield start + place, sign, f"a sign of mathematics {where} is not read: {_ADVICE}"


def _is_mathematics(sign: str, before: str) -> bool:
    if sign == "+":  # the end of a name, such as DIANA+
        return not before[-1:].isalpha()
    return sign in r"\^" or (sign != "~" and unicodedata.category(sign) in ("Sm", "No", "Nl"))
