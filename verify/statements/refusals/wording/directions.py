r"""What words call a bound is one on that side: "at most $b$" stands beside $a\le b$, not $b\le a$."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from theory.latex.clauses import all_clauses
from theory.latex.nodes import Unreadable, number
from theory.latex.parser import read
from verify.statements.registered import Chain

if TYPE_CHECKING:
    from theory.latex.clauses import Clause
    from theory.latex.nodes import Node
    from verify.statements.matching import Matcher

_THAN = r"than(?: or equal to)?"
_AS = r"(?: as (?:large|great|high|big|small|much|many|long) as)?"
_WORDS = {
    "<": rf"at most{_AS}|up to|(?:less|smaller|lower|fewer) {_THAN}|below|bounded (?:from above |above )?by|"
    r"dominated by|(?:stays?|is|lies?|remains?) under",
    ">": rf"at least{_AS}|(?:more|greater|larger|higher) {_THAN}|above|beyond|bounded (?:from )?below by|"
    r"exceeds?|dominates?|(?:stays?|is|lies?|remains?) over",
}
# What turns words round, with the verbs that may stand before them, and what may stand before a formula.
_NOT = (
    r"(?P<not>(?:(?:can)?not|never|no|nowhere|none|neither|n't)\s"
    r"(?:(?:be|go|get|is|strictly|always|ever|even)\s)*)?"
)
_SAY = r"(?:,? say,?| the (?:number|value|bound|constant)| \(\w+\))?(?P<factor> twice| half)?[\s$]*\Z"
_BEFORE = {sign: re.compile(rf"\b{_NOT}(?:{words}){_SAY}", re.IGNORECASE) for sign, words in _WORDS.items()}
_BEHIND = {
    "<": re.compile(r"[\s$]*(?:or (?:less|smaller|fewer|lower)\b|at most[.,;:]|is an? upper bound\b)"),
    ">": re.compile(r"[\s$]*(?:or (?:more|larger|greater|higher)\b|at least[.,;:]|is a lower bound\b)"),
}
_TURNED = {"<": ">", ">": "<"}
_FACTORS = {"twice": Fraction(2), "half": Fraction(1, 2)}


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
        direction, factor = _direction(before, text[clause.end :])
        found = _ends(clause, labels, matcher, factor) if direction else set()
        if found and not found & {direction, "="}:
            side = "from above" if direction == "<" else "from below"
            yield (
                clause.start,
                clause.key,
                f"words call it a bound {side}, and no relation of this part says so",
            )


def _direction(before: str, behind: str) -> tuple[str, Fraction]:
    """Return on which side words beside an expression call it a bound, and what they multiply it by."""
    words = " ".join(before.replace("~", " ").replace("’", "'").replace("n't ", " n't ").split())
    for sign, pattern in _BEFORE.items():
        if match := pattern.search(words):
            factor = _FACTORS.get((match["factor"] or "").strip(), Fraction(1))
            return (_TURNED[sign] if match["not"] else sign), factor
    found = next((sign for sign, pattern in _BEHIND.items() if pattern.match(behind)), "")
    return found, Fraction(1)


def _ends(clause: Clause, labels: Sequence[str], matcher: Matcher, factor: Fraction) -> set[str]:
    """Return how a multiple of an expression bounds what is beside it in relations: `<` is from above."""
    reading = matcher.reading(clause, tuple(labels))
    sides = reading.sides
    if reading.operators or reading.message:
        return set()
    if not sides:
        try:
            sides = (read(clause.tokens, matcher.vocabulary),)
        except (Unreadable, KeyError, ValueError):
            return set()
    side = sides[0] if factor == 1 else ("mul", number(factor), sides[0])
    return {
        sign for chain in matcher.chains if chain.label in labels for sign in _signs(side, chain, matcher)
    }


def _signs(node: Node, chain: Chain, matcher: Matcher) -> Iterator[str]:
    for place, side in enumerate(chain.sides):
        if matcher.same((node,), (), Chain(chain.label, (side,), (), chain.free)) is None:
            continue
        yield from ({"<=": "<", "<": "<"}.get(sign, "=") for sign in chain.operators[:place])
        yield from ({"<=": ">", "<": ">"}.get(sign, "=") for sign in chain.operators[place:])
