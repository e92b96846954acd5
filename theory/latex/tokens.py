r"""LaTeX as tokens, and the places of a text where mathematics stands."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

OPENING = frozenset({"(", "[", "{", r"\{", r"\langle", r"\lfloor", r"\lceil"})
CLOSING = frozenset({")", "]", "}", r"\}", r"\rangle", r"\rfloor", r"\rceil"})

_SLOT = r"\{value:[^{}]*\}"
_TOKEN = re.compile(
    rf"{_SLOT}|\\(?:text|textrm|mbox)\s*\{{[^{{}}]*\}}|\\(?:tag|label)\s*\{{[^{{}}]*\}}"
    r"|\\[A-Za-z]+|\\.|\#\d|:=|\s+|.",
    re.DOTALL,
)
_IGNORED = frozenset(
    [r"\left", r"\right", r"\displaystyle", r"\textstyle", r"\limits", r"\nolimits", "~", "&"]
    + [rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")]
    + [r"\,", r"\;", r"\:", r"\!", "\\ "]
)
_SYNONYMS = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\leqslant": r"\le",
    r"\geqslant": r"\ge",
    r"\lt": "<",
    r"\gt": ">",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\ast": "*",
}
_MATH = re.compile(r"`[^`]*`|\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


class Token(NamedTuple):  # quicker to make than a dataclass: every edit of a text is cut into tokens
    """A token with its place in the text."""

    text: str
    start: int
    end: int

    @property
    def is_slot(self) -> bool:
        """Return whether it is a value slot."""
        return self.text.startswith("{value:")

    @property
    def is_words(self) -> bool:
        r"""Return whether it is `\text{...}`."""
        return self.text.startswith((r"\text{", r"\textrm{", r"\mbox{"))


@dataclass(frozen=True)
class Fragment:
    """A piece of mathematics in a text; `start` and `end` are those of its inside."""

    inside: str
    start: int
    end: int


def fragments(text: str) -> list[Fragment]:
    """Return the mathematics of a text: what stands between dollars, code apart."""
    found = []
    for match in _MATH.finditer(text):
        group = 1 if match.group(1) is not None else 2
        if match.group(group) is not None:
            found.append(Fragment(match.group(group), match.start(group), match.end(group)))
    return found


def tokenize(text: str, start: int = 0) -> list[Token]:
    """Return the tokens of LaTeX mathematics.

    Spaces, sizes and tags are left out; `x_{j}` is `x_j`; relations have one name each.
    """
    return list(_tokens(text, start))


# A checker reads the same texts many times over.
@functools.lru_cache(maxsize=8192)
def _tokens(text: str, start: int) -> tuple[Token, ...]:
    found = []
    for match in _TOKEN.finditer(text):
        raw = match.group()
        if raw.isspace() or raw in _IGNORED or re.match(r"\\(tag|label)\s*\{", raw):
            continue
        name = _SYNONYMS.get(raw, raw)
        if re.match(r"\\(text|textrm|mbox)\s", raw):
            name = re.sub(r"\s*\{", "{", raw, count=1)
        found.append(Token(name, start + match.start(), start + match.end()))
    return tuple(_without_braces_around_one(found))


def _without_braces_around_one(tokens: list[Token]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        found.append(token)
        if token.text != "}" or len(found) < 3 or found[-3].text != "{" or found[-2].text in "{}":
            continue
        if not found[-2].is_slot:  # it may print more than one sign
            found[-3:] = [found[-2]]
    return found


def printed_slots(tokens: list[Token], printed: Callable[[str], str]) -> list[Token]:
    """Return tokens with those of what each value slot prints at its place."""
    found: list[Token] = []
    for token in tokens:
        if not token.is_slot:
            found.append(token)
            continue
        inside = tokenize(printed(token.text), token.start)
        # The last one ends where the slot does: digits after it are its neighbours.
        found += [*inside[:-1], Token(inside[-1].text, inside[-1].start, token.end)]
    return _without_braces_around_one(found)


def spelled(tokens: list[Token] | tuple[Token, ...]) -> str:
    """Return tokens as one text, which compares equal for equal tokens."""
    return " ".join(token.text for token in tokens)


def group_end(tokens: list[Token], position: int) -> int:
    """Return the position after the group that the brace at `position` opens, or the end."""
    depth = 0
    for place in range(position, len(tokens)):
        if tokens[place].text == "{":
            depth += 1
        elif tokens[place].text == "}":
            depth -= 1
            if depth == 0:
                return place + 1
    return len(tokens)


def closing(tokens: Sequence[Token], place: int) -> int:
    """Return where the bracket at a place is closed, -1 if nowhere."""
    depth = 0
    for end in range(place, len(tokens)):
        depth += (tokens[end].text in OPENING) - (tokens[end].text in CLOSING)
        if depth == 0:
            return end
    return -1
