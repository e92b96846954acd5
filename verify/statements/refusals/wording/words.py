r"""Formulas in words: numbers and signs outside of mathematics, and in `\text{...}` and `\tag{...}`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from theory.latex.clauses import clauses
from theory.latex.tokens import Fragment, fragments
from verify.statements.slots import SLOT, outside

_SKIPPED = re.compile(rf"`[^`]*`|{SLOT.pattern}")
WORDS_IN_MATH = re.compile(r"\\(?:text\w*|mbox|tag|label)\s*\*?\s*\{([^{}]*)\}?")
# A digit after a letter belongs to a name, such as w8a, but not in letters that go on after a formula.
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:\.\d+)?|(?<=\$)[^\W\d_]+\d+")
_CODE = re.compile(r"`[^`]*`")
_SAYS = re.compile(r"[<>=$\\^]|[^ -~]")
"""What of code says more than a name or an expression."""
_BLANK = "\0"
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")
_OTHER = re.compile(r"[^\n\t -~]")
_LETTERS = re.compile("(?![\u0131\u0138\u0149\u017f])[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f\u1e00-\u1eff]")
"""Letters of European names; others look like those of ASCII."""
_PERCENT = re.compile(r"[\d}][ ~]?\Z")
_OPEN, _SHUT, _ENDS, _SPACE = '([“"', ')]”"', ".,;:?", " \t\n~"
_SUFFIX = re.compile(r"(?:-[A-Za-z]|(?:th|st|nd|rd)(?![A-Za-z0-9]))")
_NAMED, _LETTER = re.compile(r"(?<![\w\\$])(?:top|rand|perm)-\Z", re.IGNORECASE), re.compile("[A-Za-z]")
_ADVICE = "write the formula between dollars, or make the words a pin with its evidence"


_UNSEEN = "it is not seen as what it is: leave it out, or write it in LaTeX"
_TOUCHES = (
    "it is seen with the formula beside it and not read with it: write it between the dollars, "
    "or a word between them"
)


def formulas_in_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield place, characters and message of what says numbers or relations where no formula is read."""
    pieces = fragments(text)
    for code in _CODE.finditer(text):
        if match := _SAYS.search(code.group()):
            yield code.start() + match.start(), match.group(), f"a relation in code is not read: {_ADVICE}"
    for start, words in outside(text, pieces):
        yield from _found(start, words, "in words")
    for piece in pieces:
        for match in WORDS_IN_MATH.finditer(piece.inside):
            start = piece.start + match.start(1)
            where = f"in {match.group().partition('{')[0].strip()}{{...}}"
            # One problem for all: what stands there goes elsewhere as a whole.
            yield from sorted(_found(start, match.group(1), where))[:1]


def seen_otherwise(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield place, characters and message of what changes a formula as it is seen, and is not read with it.

    Signs, digits, letters and value slots that touch its dollars; a value slot after a comma of it; a `%`
    where LaTeX begins a comment.
    """
    pieces = fragments(text)
    for match in _OTHER.finditer(text):
        if _is_unseen(match.group()) or any(piece.start <= match.start() < piece.end for piece in pieces):
            yield match.start(), match.group(), _UNSEEN
    for match in _COMMENT.finditer(text):
        place = match.end() - 1
        inside = any(piece.start <= place < piece.end for piece in pieces)
        if inside or not _PERCENT.search(text[:place]):
            yield place, "%", "LaTeX reads a comment from here on: write it after a number, or as \\%"
    for piece in pieces:
        yield from _touching(text, piece)
        found = clauses(piece)
        for clause in found if len(found) > 1 else ():
            if len(clause.tokens) == 1 and clause.tokens[0].is_slot:
                message = (
                    "a value after a comma looks like the rest of a number: write it in words of its own"
                )
                yield clause.start, clause.key, message


def text_without_formulas(text: str) -> str:
    r"""Return a text of the same length without formulas, names and slots; words of `\text{...}` stay.

    Its command and braces are spaces, so that these words stand beside a formula as others do.
    """

    def blank(match: re.Match[str]) -> str:
        return _BLANK * len(match.group())

    shown = text
    for piece in fragments(text):
        inside = list(_BLANK * (piece.end - piece.start))
        for match in WORDS_IN_MATH.finditer(text, piece.start, piece.end):
            begin, end = (place - piece.start for place in match.span())
            inside[begin:end] = f"{match[1]:>{match.end(1) - match.start()}}".ljust(end - begin)
        shown = shown[: piece.start] + "".join(inside) + shown[piece.end :]
    return SLOT.sub(blank, re.sub(r"`[^`]+`", blank, shown))


def _touching(text: str, piece: Fragment) -> Iterator[tuple[int, str, str]]:
    is_display = text[: piece.start].endswith("$$")
    start, end = piece.start - 1 - is_display, piece.end + 1 + is_display
    before = text[:start].rstrip(_OPEN)
    far = before.rstrip(_SPACE)
    sign = far[-1:]
    fits = not sign or _is_letter(sign) or sign in "`$" + _ENDS + _SHUT
    if sign.isdigit() or (far.endswith("}") and SLOT.search(far[-80:])):
        # A number before a display, or before brackets with a formula, stands for itself.
        fits = is_display or before != text[:start]
    # Top-$k$ is the name of a compressor, and its hyphen no minus.
    is_named = _NAMED.search(text[:start]) and _LETTER.fullmatch(text[piece.start : piece.end])
    if (not is_named or is_display) and (not fits or (before and before == far)):
        yield start - 1, sign, _TOUCHES
    after = text[end:].lstrip(_SHUT)
    far = after.lstrip(_SPACE)
    sign, following = far[:1], far[1:2]
    if after == far:
        fits = not sign or bool(_SUFFIX.match(far))
        fits |= sign in _ENDS and not (following.isdigit() or following == "{")
    else:
        fits = not sign or _is_letter(sign) or sign in "0123456789`${" + _ENDS + _OPEN
    if not fits:
        yield end, sign, _TOUCHES


def _is_unseen(sign: str) -> bool:
    """Return whether a sign beyond ASCII is a letter, a digit, a mark on what is before it, or nothing."""
    return unicodedata.category(sign)[0] in "LMNC" and not _LETTERS.fullmatch(sign)


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign) in ("Lu", "Ll")


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
