"""What variables, definitions and families of a claim say beside its formulas must be what readers see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from theory.formula import Compare
from theory.latex.nodes import FUNCTIONS, Node, Unreadable, from_sympy
from theory.latex.parser import read
from theory.latex.vocabulary import name_of
from verify.statements.comparing.canonical import canonical
from verify.statements.comparing.written_domains import base_and_exponent
from verify.statements.refusals.any_vector import any_elsewhere
from verify.statements.refusals.random_names import random_elsewhere

if TYPE_CHECKING:
    from theory.claim import Claim
    from theory.latex.vocabulary import Vocabulary


def misdeclared(claim: Claim, vocabulary: Vocabulary) -> list[str]:
    """Return what is wrong with shapes, definitions and families of a claim."""
    shapes = (*_shapes(claim, vocabulary), *_known_functions(claim))
    elsewhere = (*random_elsewhere(claim), *any_elsewhere(claim, vocabulary))
    return [*shapes, *_circles(claim), *_narrow(claim), *elsewhere]


def _known_functions(claim: Claim) -> Iterator[str]:
    """Yield declared functions that are evaluated as another one than their meaning says."""
    import sympy

    from theory.indicator import INDICATOR

    for item in claim.variables:
        is_function = not isinstance(item.symbol, sympy.Basic) or isinstance(item.symbol, type)
        name = name_of(item.symbol)
        told = (item.symbol, item.meaning) == (INDICATOR.symbol, INDICATOR.meaning)
        if is_function and (name in FUNCTIONS or name == name_of(INDICATOR.symbol)) and not told:
            yield f"{item.tex} is evaluated as {name}, whatever its meaning says: write it so, or rename it"


def _shapes(claim: Claim, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield arrays whose domain names another number of entries than their shape."""
    symbols = {name_of(item.symbol): item.symbol for item in claim.variables}
    ragged = {item.tex for item in claim.variables if item.shape}  # rows of different lengths
    for item in claim.variables:
        exponent = base_and_exponent(item.domain)[1]
        if not item.shape or not exponent:
            continue
        sizes = item.sizes
        said = [part.strip() for part in re.split(r"\\times(?![a-zA-Z])", exponent)]
        if sizes == ("oo",) or (
            len(sizes) == len(said)
            and all(
                one == other
                or other.partition("_")[0] in ragged
                or _size(one, symbols) == _read(other, vocabulary)
                for one, other in zip(sizes, said, strict=True)
            )
        ):  # more places than a domain names restrict nothing
            continue
        yield (
            f"the domain {item.domain} of {name_of(item.symbol)} has the exponent {exponent}, but its shape "
            f"is {item.shape}: write the same numbers of entries"
        )


def _read(text: str, vocabulary: Vocabulary) -> Node | None:
    try:
        return canonical(read(text, vocabulary), {})
    except (Unreadable, KeyError, ValueError):
        return None


def _size(text: str, symbols: Mapping[str, Any]) -> Node:
    import sympy

    return canonical(from_sympy(sympy.sympify(text, locals=dict(symbols))), {})


def _circles(claim: Claim) -> Iterator[str]:
    """Yield names that definitions define by each other, which restricts them like an assumption."""
    import sympy

    rests: dict[str, set[str]] = {}
    for hypothesis in claim.hypotheses.values():
        for formula in hypothesis.formulas if hypothesis.kind == "definition" else ():
            left = getattr(formula, "left", None)
            if isinstance(formula, Compare) and formula.operator == "=" and isinstance(left, sympy.Symbol):
                right = sympy.sympify(formula.right)
                names = {item.name for item in right.free_symbols}
                # A fixed point of a linear equation is one number.
                solved = not right.diff(left).has(left) if left in right.free_symbols else False
                rests.setdefault(left.name, set()).update(names - ({left.name} if solved else set()))
    for name in rests:
        seen, waiting = set[str](), list(rests[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += rests.get(other, ())
        if name in seen:
            yield f"{name} is defined by itself, through other definitions: state an equation as assumption"


def _narrow(claim: Claim) -> Iterator[str]:
    """Yield relations said of a family of which they hold at one place, or up to a number, only."""
    import sympy

    for name, relation in claim.relations.items():
        indexed = {
            index
            for side in relation.sides
            for entry in sympy.sympify(side).atoms(sympy.Indexed)
            for index in entry.indices
        }
        for index, low, high in relation.every:
            low, high = sympy.sympify(low), sympy.sympify(high)
            alone = low == high or (high.is_number and high != sympy.oo and sympy.sympify(index) in indexed)
            if alone and str(index) not in claim.ranges:
                yield (
                    f"relation {name!r} holds for {index} from {low} to {high} only, which its words do not "
                    "say: write the place as an index, or the range in `ranges`"
                )
