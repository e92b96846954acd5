"""The table of constants of public code: theirs, ours, who is right, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import sympify

import theory
from theory.latex.vocabulary import name_of
from theory.public_constant import RIGHT, PublicConstant, Words
from verify.formulas.evaluation import evaluate
from verify.statements.explain import in_latex


def rows() -> Iterator[tuple[str, ...]]:
    """Yield code, constant, theirs, ours, who is right, both at one place, and the part that shows it."""
    found = [(item, claim) for claim in theory.claims() for item in claim.public]
    for item, claim in sorted(found, key=lambda pair: (pair[0].code, pair[1].id)):
        yield (
            item.code,
            item.of,
            _shown(item.theirs, claim),
            _shown(item.ours, claim),
            RIGHT[item.right],
            _compared(item, claim),
            f"`{claim.id}` ({item.part})",
        )


def _shown(name: str, claim: Any) -> str:
    if isinstance(name, Words):
        return str(name)
    formula = sympify(claim.formulas[name])
    if formula.is_number and not formula.is_integer:
        return f"{float(formula):.4g}"
    variables = {name_of(item.symbol): item for item in claim.variables}
    return f"${in_latex(formula, variables)}$"


def _compared(item: PublicConstant, claim: Any) -> str:
    if not item.at:
        return ""
    numbers = [
        f"{number(claim.formulas[name], item):.4g}"
        for name in (item.theirs, item.ours)
        if not isinstance(name, Words)
    ]
    return f"{item.at}: {' against '.join(numbers)}"


def number(formula: Any, item: PublicConstant) -> Any:
    """Return a formula at the values of the row."""
    names = {str(symbol) for symbol in sympify(formula).free_symbols}
    return evaluate(formula, {name: value for name, value in item.values.items() if name in names})
