"""Names that are random in one formula of a claim and numbers in another one, as if they were the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.expectation import Expectation
from theory.latex.expectations import not_random

if TYPE_CHECKING:
    from theory.claim import Claim


def random_elsewhere(claim: Claim) -> list[str]:
    """Return what is wrong with names that have a law in one formula and none in another one."""
    random: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for place, formula in _formulas(claim):
        inner, bound = formula, set()
        while hasattr(inner, "formula"):
            bound |= {str(inner.base.label)} if hasattr(inner, "base") else set()
            inner = inner.formula
        for side in [inner.term] if hasattr(inner, "term") else [inner.left, inner.right]:
            random |= dict.fromkeys([str(item.args[1]) for item in side.atoms(Expectation)], place)
            numbers |= dict.fromkeys({str(base.label) for base in not_random(side)} - bound, place)
    return [
        f"{name} is random in {random[name]} and a number in {numbers[name]}: write two names"
        for name in sorted(random.keys() & numbers.keys())
    ]


def _formulas(claim: Claim) -> Iterator[tuple[str, Any]]:
    for kind, items in (("hypothesis", claim.hypotheses), ("relation", claim.relations)):
        for name, item in items.items():
            yield from ((f"{kind} {name!r}", formula) for formula in item.formulas)
