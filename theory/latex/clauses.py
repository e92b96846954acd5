"""Clauses of mathematics: a fragment is cut at commas and spaces, a clause at its relation signs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from theory.latex.extents import SIGNS
from theory.latex.nodes import Unreadable
from theory.latex.tokens import CLOSING, OPENING, Fragment, Token, fragments, spelled, tokenize

IMPLICATIONS = frozenset({r"\iff", r"\implies", r"\Rightarrow", r"\Leftrightarrow"})
"""Arrows between clauses; texts of parts say in words what follows from what."""
_CUTS = frozenset({",", ";", r"\quad", r"\qquad", "\\\\"}) | IMPLICATIONS
_UNREGISTERED = (
    r"\propto \asymp \Theta \to \sim \approx \gtrsim \lesssim \ll \gg \subset \subseteq "
    r"\succ \succeq \prec \preceq \equiv \mapsto \dots \pm"
)
ONLY_PINS = frozenset(_UNREGISTERED.split())
"""Signs that no formula has: a clause with one must be part of a pin."""


@dataclass(frozen=True)
class Clause:
    """One clause with its tokens; `start` and `end` are places in the text."""

    tokens: tuple[Token, ...]
    start: int
    end: int

    @property
    def key(self) -> str:
        """Return the tokens as one text."""
        return spelled(self.tokens)


def clauses(fragment: Fragment) -> list[Clause]:
    """Return the clauses of a fragment."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokenize(fragment.inside, fragment.start):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth <= 0 and (token.text in _CUTS or token.is_words):
            found.append([])
        else:
            found[-1].append(token)
    result = []
    for tokens in found:
        while tokens and tokens[-1].text in (".", ":"):
            tokens.pop()
        if tokens:
            result.append(Clause(tuple(tokens), tokens[0].start, tokens[-1].end))
    return result


def all_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of all fragments of a text."""
    for fragment in fragments(text):
        yield from clauses(fragment)


def conjunction(fragment: Fragment) -> list[Clause]:
    """Return the clauses of a fragment that says all of them.

    Raises:
        Unreadable: Words or an implication stand between them.
    """
    tokens = tokenize(fragment.inside, fragment.start)
    said = [token.text for token in tokens if token.is_words or token.text in IMPLICATIONS]
    if said or r"\tag" in fragment.inside or r"\label" in fragment.inside:
        raise Unreadable(f"‘{(said or ['a tag'])[0]}’ stands in the mathematics of ‘{fragment.inside}’")
    return clauses(fragment)


def split(tokens: tuple[Token, ...]) -> tuple[list[list[Token]], list[str]]:
    r"""Return the sides of a clause and the signs between them; an interval after `\in` is a chain of two."""
    sides: list[list[Token]] = [[]]
    signs: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth <= 0 and (token.text in SIGNS or token.text == r"\in"):
            signs.append(token.text)
            sides.append([])
        else:
            sides[-1].append(token)
    return sides, signs


def interval(tokens: list[Token]) -> tuple[list[Token], str, str, list[Token]] | None:
    """Return low end, sign, sign and high end of an interval, or None."""
    if len(tokens) < 5 or tokens[0].text not in "([" or tokens[-1].text not in ")]":
        return None
    depth = 0
    for place, token in enumerate(tokens[1:-1], start=1):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0 and token.text == ",":
            low, high = tokens[1:place], tokens[place + 1 : -1]
            left = r"\le" if tokens[0].text == "[" else "<"
            right = r"\le" if tokens[-1].text == "]" else "<"
            return low, left, right, high
    return None
