"""Clauses of mathematics: a fragment is cut at commas and spaces, a clause at its relation signs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

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


_PUNCTUATION = frozenset({",", ";", ".", ":"})
_OPERATORS = frozenset({"+", r"\cdot", r"\times", "*", "/", "^", "_", "!"})
_BETWEEN = re.compile(r"[^\W_]|[,.;:()\[\]`]")
"""What of a text tells two formulas apart: a word or punctuation."""


@dataclass(frozen=True)
class Clause:
    """One clause with its tokens; `start` and `end` are places in the text.

    `problem` says why it cannot be told from the clause before it; empty where it can.
    """

    tokens: tuple[Token, ...]
    start: int
    end: int
    problem: str = ""

    @property
    def key(self) -> str:
        """Return the tokens as one text."""
        return spelled(self.tokens)


def clauses(fragment: Fragment) -> list[Clause]:
    """Return the clauses of a fragment."""
    return list(_clauses(fragment))


@functools.lru_cache(maxsize=8192)
def _clauses(fragment: Fragment) -> tuple[Clause, ...]:
    found: list[tuple[list[Token], list[Token]]] = [([], [])]
    depth = 0
    for token in tokenize(fragment.inside, fragment.start):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth > 0 or not (token.text in _CUTS or token.is_words):
            found[-1][1].append(token)
        elif found[-1][1]:
            found.append(([token], []))
        else:
            found[-1][0].append(token)
    result: list[Clause] = []
    for cuts, tokens in found:
        while tokens and tokens[-1].text in (".", ":"):
            tokens.pop()
        problem = _problem(cuts, tokens, is_first=not result)
        if tokens:
            result.append(Clause(tuple(tokens), tokens[0].start, tokens[-1].end, problem))
        elif problem and result:
            result[-1] = replace(result[-1], problem=problem)
    return tuple(result)


def _problem(cuts: list[Token], tokens: list[Token], is_first: bool) -> str:
    """Return why a clause after these cuts cannot be told from the one before it."""
    for cut in cuts:
        if cut.is_words and not re.search(r"[^\W\d_]", cut.text.partition("{")[2]):
            return f"‘{cut.text}’ has no words"
    if is_first or not tokens:
        return ""
    texts = {cut.text for cut in cuts}
    begins, is_apart = tokens[0].text, bool(texts & (IMPLICATIONS | _PUNCTUATION))
    if begins in _OPERATORS or (begins == "-" and not is_apart):
        return f"it begins with {begins} and looks like the rest of what stands before it"
    if is_apart:
        return ""
    if "\\\\" in texts:
        return "it looks like the rest of the row before it: end that with a comma"
    if not any(token.text in SIGNS or token.text in ONLY_PINS | {r"\in"} for token in tokens):
        return (
            "without a relation it looks like the rest of what stands before it: write a comma between them"
        )
    return ""


def all_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of all fragments of a text."""
    before: Fragment | None = None
    for fragment in fragments(text):
        found = clauses(fragment)
        if before and found and not found[0].problem:
            found[0] = replace(found[0], problem=_touching(text, before, fragment, found[0]))
        yield from found
        before = fragment


def _touching(text: str, before: Fragment, fragment: Fragment, clause: Clause) -> str:
    """Return why the first clause of a fragment cannot be told from the fragment before it."""
    between = text[before.end : fragment.start]
    if _BETWEEN.search(between) or before.inside.rstrip()[-1:] in _PUNCTUATION:
        return ""
    is_display = re.search(r"\s\$\$$", between) or (
        between.startswith("$$") and re.search(r"\$\$\s", between)
    )
    if is_display and clause.tokens[0].text not in _OPERATORS:
        return ""
    return "between it and the formula before it stands no word and no punctuation: write a comma"


def conjunction(fragment: Fragment) -> list[Clause]:
    """Return the clauses of a fragment that says all of them.

    Raises:
        Unreadable: Words or an implication stand between them, or too little does.
    """
    tokens = tokenize(fragment.inside, fragment.start)
    said = [token.text for token in tokens if token.is_words or token.text in IMPLICATIONS]
    if said or r"\tag" in fragment.inside or r"\label" in fragment.inside:
        raise Unreadable(f"‘{(said or ['a tag'])[0]}’ stands in the mathematics of ‘{fragment.inside}’")
    found = clauses(fragment)
    problem = next((f"‘{clause.key}’: {clause.problem}" for clause in found if clause.problem), "")
    if problem:
        raise Unreadable(problem)
    return found


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
