r"""What words call a bound is one on that side: "at most $b$" stands beside $a\le b$, not $b\le a$."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from theory.latex.clauses import all_clauses
from theory.latex.nodes import Unreadable
from theory.latex.parser import read
from verify.statements.registered import Chain

if TYPE_CHECKING:
    from theory.latex.clauses import Clause
    from theory.latex.nodes import Node
    from verify.statements.matching import Matcher

_NO = r"(?:no|not|never)"
_UPPER = (
    rf"at most|{_NO} (?:more|greater|larger|higher) than|{_NO} (?:above|beyond)|up to|"
    r"(?<!not )(?:(?:less|smaller|lower|fewer) than|below)|bounded (?:from above )?by|"
    r"does not exceed|never exceeds"
)
_LOWER = (
    rf"at least|{_NO} (?:less|smaller|lower|fewer) than|{_NO} below|bounded from below by|"
    r"(?<!not )(?:(?:more|greater|larger|higher) than|above|beyond)|(?<!never )exceeds"
)
_DIRECTIONS = {
    "<": re.compile(rf"\b(?:{_UPPER})[\s$]*\Z"),
    ">": re.compile(rf"\b(?:{_LOWER})[\s$]*\Z"),
}


def directed(text: str, labels: Sequence[str], matcher: Matcher) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of what words call a bound from above or below and relations do not.

    Args:
        text: A part that names a proof.
        labels: The relations that it says.
        matcher: Of its claim.
    """
    last = 0
    for clause in all_clauses(text):
        before, last = text[last : clause.start], clause.end
        direction = next((sign for sign, words in _DIRECTIONS.items() if words.search(before)), "")
        found = _ends(clause, labels, matcher) if direction else set()
        if found and not found & {direction, "="}:
            side = "from above" if direction == "<" else "from below"
            yield (
                clause.start,
                clause.key,
                f"words call it a bound {side}, and no relation of this part says so",
            )


def _ends(clause: Clause, labels: Sequence[str], matcher: Matcher) -> set[str]:
    """Return how an expression bounds what stands beside it in relations: `<` is from above."""
    reading = matcher.reading(clause, tuple(labels))
    sides = reading.sides
    if reading.operators or reading.message:
        return set()
    if not sides:
        try:
            sides = (read(clause.tokens, matcher.vocabulary),)
        except (Unreadable, KeyError, ValueError):
            return set()
    return {
        sign for chain in matcher.chains if chain.label in labels for sign in _signs(sides[0], chain, matcher)
    }


def _signs(node: Node, chain: Chain, matcher: Matcher) -> Iterator[str]:
    for place, side in enumerate(chain.sides):
        if matcher.same((node,), (), Chain(chain.label, (side,), (), chain.free)) is None:
            continue
        yield from ({"<=": "<", "<": "<"}.get(sign, "=") for sign in chain.operators[:place])
        yield from ({"<=": ">", "<": ">"}.get(sign, "=") for sign in chain.operators[place:])
