"""Small changes of a formula: each constant, each exponent, each sign of a sum, each Max and Min."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Perturbation:
    """A changed formula, in one direction or both: one of them has to be noticed.

    Args:
        name: The formula.
        description: What is changed.
        formulas: The changed formulas.
    """

    name: str
    description: str
    formulas: tuple[Any, ...]


def perturbations(name: str, formula: Any) -> Iterator[Perturbation]:
    """Yield the perturbations of a formula, in the order in which it is written."""
    if hasattr(formula, "equation"):
        for part in ("expression", "equation"):
            for found in perturbations(name, getattr(formula, part)):
                changed = tuple(replace(formula, **{part: item}) for item in found.formulas)
                yield Perturbation(name, found.description, changed)
        return
    for path, node in _nodes(formula, ()):
        for description, changed in _changes(formula, path, node):
            formulas = tuple(_put(formula, path, item) for item in changed)
            kept = tuple(item for item in formulas if item != formula)
            if kept:
                yield Perturbation(name, description, kept)


def _nodes(node: Any, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    from sympy import Indexed, IndexedBase, Tuple

    yield path, node
    if isinstance(node, Indexed | IndexedBase | Tuple):
        return  # places of entries and ranges of sums are no constants of the statement
    for position, argument in enumerate(node.args):
        yield from _nodes(argument, (*path, position))


def _changes(formula: Any, path: tuple[int, ...], node: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    from sympy import Add, Max, Min, Pow, Rational

    if not node.args and node.is_number and not node.is_infinite and node != 0:
        parent = _at(formula, path[:-1]) if path else None
        place = f" of {_short(parent)}" if parent is not None else ""
        if isinstance(parent, Pow) and path[-1] == 1:
            yield f"exponent {node}{place} plus 1", (node + 1,)
        else:
            yield f"constant {node}{place} times 17/16", (node * Rational(17, 16), node * Rational(16, 17))
    elif isinstance(node, Add):
        for term in node.args:
            yield f"sign of {_short(term)} in {_short(node)}", (node - 2 * term,)
    elif isinstance(node, Max):
        yield f"Min for {_short(node)}", (Min(*node.args),)
    elif isinstance(node, Min):
        yield f"Max for {_short(node)}", (Max(*node.args),)


def _at(node: Any, path: tuple[int, ...]) -> Any:
    for position in path:
        node = node.args[position]
    return node


def _put(node: Any, path: tuple[int, ...], item: Any) -> Any:
    if not path:
        return item
    arguments = list(node.args)
    arguments[path[0]] = _put(arguments[path[0]], path[1:], item)
    return node.func(*arguments)


@functools.cache
def _short(node: Any) -> str:
    text = str(node)
    return text if len(text) <= 40 else f"{text[:37]}..."
