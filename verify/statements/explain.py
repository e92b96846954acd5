"""Say to an author how a clause was read and which registered relation is the nearest."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, to_sympy
from verify.statements.registered import Chain

if TYPE_CHECKING:
    from theory.claim import Variable
    from verify.statements.matching import Matcher, Reading

_LATEX = {"<=": r"\le", "<": "<", "=": "=", "!=": r"\ne"}


def explained(matcher: Matcher, *labels: str, reading: Reading | None = None) -> str:
    """Return the reading of a clause and the nearest chain; without a clause, the first chain."""
    chains = [chain for chain in matcher.chains if chain.label in labels] or list(matcher.chains)
    if reading is None:
        return f"{chains[0].label}: {_shown(matcher, chains[0])}" if chains else "nothing is registered"
    read = f"read as {_plain(reading.sides, reading.operators)}"
    if not chains:
        return f"{read}; nothing is registered"
    nearest = max(chains, key=lambda chain: _likeness(matcher, reading, chain))
    differences = _differences(matcher, reading, nearest)
    return f"{read}; nearest is {nearest.label}: {_shown(matcher, nearest)}{differences}"


def _likeness(matcher: Matcher, reading: Reading, chain: Chain) -> tuple[int, float]:
    equal = sum(_has(matcher, side, chain) for side in reading.sides)
    ours, theirs = _plain(reading.sides, reading.operators), _plain(chain.sides, chain.operators)
    return equal, difflib.SequenceMatcher(None, ours, theirs).ratio()


def _has(matcher: Matcher, side: Node, chain: Chain) -> bool:
    return any(
        matcher.same((side,), (), Chain(chain.label, (other,), (), _free(matcher, other, chain))) is not None
        for other in chain.sides
    )


def _free(matcher: Matcher, side: Node, chain: Chain) -> tuple[str, ...]:
    from theory.latex.nodes import names_of

    return tuple(sorted(names_of(side) & set(chain.free)))


def _differences(matcher: Matcher, reading: Reading, chain: Chain) -> str:
    if not reading.operators:
        return ""
    wrong = [str(to_sympy(side)) for side in reading.sides if not _has(matcher, side, chain)]
    if wrong:
        return f"; not there: {', '.join(wrong)}"
    if reading.operators != chain.operators:
        return f"; the sides are there, the operators are {' '.join(chain.operators)}"
    return "; its sides are there in another order"


def _plain(sides: tuple[Node, ...], operators: tuple[str, ...]) -> str:
    shown = [str(to_sympy(side)) for side in sides]
    pieces = [shown[0]]
    for sign, side in zip(operators, shown[1:], strict=False):
        pieces += [sign, side]
    return " ".join(pieces)


def _shown(matcher: Matcher, chain: Chain) -> str:
    variables = matcher.vocabulary.variables
    shown = [in_latex(to_sympy(side), variables) for side in chain.sides]
    pieces = [shown[0]]
    for sign, side in zip(chain.operators, shown[1:], strict=True):
        pieces += [_LATEX[sign], side]
    return f"{_plain(chain.sides, chain.operators)} (${' '.join(pieces)}$, counted from 0)"


def in_latex(formula: Any, variables: Mapping[str, Variable]) -> str:
    """Return a sympy expression in the letters of variables, given by the names of their symbols."""
    import sympy

    written: dict[object, str] = {
        sympy.Symbol(name, real=True): variable.tex for name, variable in variables.items()
    }
    for entry in formula.atoms(sympy.Indexed):
        name = str(entry.base.label)
        declared = variables.get(name)  # a family of hypotheses need not be declared
        tex = name if declared is None else declared.tex
        indices = [sympy.latex(index) for index in entry.indices]
        if "#" in tex:
            for place, index in enumerate(indices, start=1):
                tex = tex.replace(f"#{place}", index)
        else:
            tex = f"{tex}_{{{','.join(indices)}}}"
        # A symbol for each entry, whose LaTeX has a place for the index.
        symbol = sympy.Dummy(real=True)
        written[symbol] = tex
        formula = formula.xreplace({entry: symbol})
    return str(sympy.latex(formula, symbol_names=written))
