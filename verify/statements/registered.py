"""What a text may say: the relations of a claim and the formulas of its hypotheses, as chains of sides."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, Unreadable, from_sympy, names_of

if TYPE_CHECKING:
    from theory.claim import Claim
    from theory.formula import Compare

_TURNED = {">=": "<=", ">": "<"}


@dataclass(frozen=True)
class Chain:
    """Sides with operators between them; `label` is where it is registered, such as `relation descent`."""

    label: str
    sides: tuple[Node, ...]
    operators: tuple[str, ...]
    free: tuple[str, ...] = ()
    source: tuple[Any, ...] = ()


def comparisons(formulas: Iterable[Any]) -> Iterator[Compare]:
    """Yield the comparisons in formulas, ranges and families left out."""
    from theory.formula import Compare, Every, EveryFamily

    for formula in formulas:
        while isinstance(formula, Every | EveryFamily):
            formula = formula.formula
        if isinstance(formula, Compare):
            yield formula


def turned(sides: tuple[Node, ...], operators: tuple[str, ...]) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """Return a chain with `>=` and `>` only as one with `<=` and `<`."""
    if any(sign in _TURNED for sign in operators) and not any(sign in ("<=", "<") for sign in operators):
        return tuple(reversed(sides)), tuple(_TURNED.get(sign, sign) for sign in reversed(operators))
    return sides, operators


def chains(claim: Claim, variables: Iterable[str]) -> tuple[Chain, ...]:
    """Return everything that the texts of a claim may say.

    Raises:
        Unreadable: A side contains something that statements cannot say.
    """
    known = frozenset(variables)
    found = [
        _chain(f"relation {name}", tuple(relation.sides), tuple(relation.operators), known)
        for name, relation in claim.relations.items()
    ]
    for name, hypothesis in claim.hypotheses.items():
        for compare in comparisons(hypothesis.formulas):
            # What no text can say, such as an expectation over families, is kept by the hash of the words.
            with contextlib.suppress(Unreadable):
                sides = (compare.left, compare.right)
                found.append(_chain(f"hypothesis {name}", sides, (compare.operator,), known))
    return tuple(found)


def _chain(label: str, source: tuple[Any, ...], operators: tuple[str, ...], known: frozenset[str]) -> Chain:
    import sympy

    sides = tuple(from_sympy(sympy.sympify(side)) for side in source)
    free = tuple(sorted(frozenset().union(*(names_of(side) for side in sides)) - known))
    ordered, signs = turned(sides, operators)
    return Chain(label, ordered, signs, free, source)
