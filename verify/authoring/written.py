"""Changes of a law that a mutant says in words: `bound = bound / 2, share = share(n = n + 1), scale = 4`."""

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.exact_text import assigned, exact, symbols_of
from verify.authoring.law import Law
from verify.errors import CheckError


def written(text: str, law: Law) -> Law:
    """Return the law with the changes of a text.

    A formula is replaced by a formula, in which its own name, its symbols, all formulas of the claim and
    their symbols may stand (in this order); an implementation by a number, text, truth value, None, or a
    tuple of these.

    Raises:
        CheckError: The text does not read so, or names what the law does not have.
    """
    try:
        unknown = [name for name in assigned(text) if name not in (*law.formulas, *law.implementations)]
        if unknown:
            known = ", ".join((*law.formulas, *law.implementations))
            raise ValueError(f"the law has no {unknown[0]!r} to replace; it has {known}")
        changes = {
            name: exact(value, _names(name, law)) if name in law.formulas else _constant(value)
            for name, value in assigned(text).items()
        }
    except ValueError as error:
        raise CheckError(f"mutant of {law.claim_id!r}: {error}") from error
    return law.replace(**changes)


def _names(name: str, law: Law) -> Mapping[str, Any]:
    own = law.formulas[name]
    known = {key: symbol for item in law.formulas.values() for key, symbol in symbols_of(item).items()}
    return {**known, **law.formulas, **symbols_of(own), name: own}


def _constant(text: str) -> Any:
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return Fraction(_constant(ast.unparse(node.left))) / _constant(ast.unparse(node.right))
    return ast.literal_eval(node)
