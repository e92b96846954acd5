"""Nodes as sympy expressions in the symbols of a claim, indices counted from 0 as formulas count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from theory.latex.extents import counted_from
from theory.latex.nodes import FUNCTIONS, Node, Unreadable, names_of, to_sympy
from theory.latex.vocabulary import Vocabulary


class Expressions:
    """Turn the nodes of one claim into expressions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._symbols = {name: item.symbol for name, item in vocabulary.variables.items()}

    def of(self, node: Node, places: Mapping[str, Any]) -> Any:
        """Return the expression of a node; `places` are indices as the formula counts them.

        Raises:
            Unreadable: It has a condition or a value that hypotheses write as formulas.
        """
        import sympy

        kind = node[0]
        if kind == "name":
            found = places.get(node[1], self._symbols.get(node[1]))
            return sympy.Symbol(node[1], real=True) if found is None else found
        if kind == "entry":
            return self._symbols[node[1]][tuple(self.of(item, places) for item in node[2])]
        if kind == "fold":
            return self._fold(node, places)
        if kind == "expectation":
            return self._expectation(node, places)
        if kind == "call":
            return self._call(node[1], [self.of(item, places) for item in node[2:]])
        heads = {"add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow, "max": sympy.Max, "min": sympy.Min}
        if kind in heads:
            # A product is one, not products of products: sympy multiplies 2(a + b) out.
            children = _factors(node) if kind == "mul" else node[1:]
            return heads[kind](*(self.of(item, places) for item in children))
        if kind in ("number", "constant", "infinity"):
            return to_sympy(node)
        raise Unreadable(f"a {kind} is written as a formula")

    def _call(self, name: str, arguments: list[Any]) -> Any:
        import sympy

        if name == "frac":
            return arguments[0] - sympy.floor(arguments[0])
        function = getattr(sympy, name) if name in FUNCTIONS else self._symbols[name]
        if function is sympy.KroneckerDelta:
            arguments = _counted_alike(*arguments)
        return function(*arguments)

    def _fold(self, node: Node, places: Mapping[str, Any]) -> Any:
        import sympy

        from theory.extremum import MaxOver, MinOver

        _, kind, body, ranges, conditions = node
        if conditions:
            raise Unreadable("a sum under a condition is written as a formula")
        inner, limits = dict(places), []
        for name, low, high in ranges:
            first = counted_from(name, (body,), self.vocabulary)
            symbol = sympy.Symbol(name, real=True)
            limits.append((symbol, self.of(low, inner) - first, self.of(high, inner) - first))
            inner[name] = symbol + first
        heads = {"sum": sympy.Sum, "prod": sympy.Product, "max": MaxOver, "min": MinOver}
        return heads[kind](self.of(body, inner), *reversed(limits))

    def _expectation(self, node: Node, places: Mapping[str, Any]) -> Any:
        import sympy

        from theory.expectation import E

        _, body, family, ranges, mean, variance = node
        inner, limits = dict(places), []
        for (name, low, high), first in zip(ranges, self.vocabulary.variables[family].firsts, strict=False):
            symbol = sympy.Symbol(name, real=True)
            limits.append((symbol, self.of(low, places) - first, self.of(high, places) - first))
            inner[name] = symbol + first
        if not ranges:  # one number: an index that neither its mean nor its variance has
            others = names_of(mean) | names_of(variance) | self._symbols.keys()
            name = next(letter for letter in "klijtrpqabcdefgh" if letter not in others)
            limits.append((sympy.Symbol(name, real=True), 0, 0))
        moments = {"mean": self.of(mean, inner), "variance": self.of(variance, inner)}
        return E(self.of(body, places), self._symbols[family], *limits, **moments)


def _counted_alike(one: Any, other: Any) -> list[Any]:
    """Return two numbers less the integer in the first one: indices are compared as formulas count them."""
    constant, _ = one.as_coeff_Add()
    return [one - constant, other - constant] if constant.is_integer else [one, other]


def _factors(node: Node) -> Iterator[Node]:
    for item in node[1:]:
        if item[0] == "mul":
            yield from _factors(item)
        else:
            yield item
