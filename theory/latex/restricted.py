r"""Ranges of an index: `$a_j=0$ for $j>k$`, `for $1\le t\le d$`, `for $i\ne l$`, `for every $j\le l$`.

Of two indices `for $0\le k\le m<d$`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from theory.formula import Every, Formula, every
from theory.latex.clauses import split
from theory.latex.extents import SIGNS
from theory.latex.nodes import INFINITY, Node, Unreadable, names_of, shifted

if TYPE_CHECKING:
    from collections.abc import Callable

    from theory.latex.tokens import Token

_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "!=": "!="}


class Restriction:
    """Bounds of one index.

    Args:
        tokens: A relation or chain of inequalities.
        free: Names of indices that are free in what is restricted.
        read: Returns the node of a side.
        words: For messages.
    """

    def __init__(
        self,
        tokens: tuple[Token, ...],
        free: frozenset[str],
        read: Callable[[Sequence[Token]], Node],
        words: str,
    ) -> None:
        sides, written = split(tokens)
        signs = [SIGNS.get(sign, "") for sign in written]
        if not signs or len(sides) > 3 or not set(signs) <= _TURNED.keys():
            raise Unreadable(f"‘{words}’ is no range of an index")
        nodes = [read(side) for side in sides]
        named = [place for place, node in enumerate(nodes) if node[0] == "name" and node[1] in free]
        place = 1 if len(nodes) == 3 else next(iter(named), -1)
        if place not in named:
            other = next((node[1] for node in nodes if node[0] == "name"), "")
            beside = (
                f"; where {other} is a variable of the claim, it is one number: take another letter"
                if other
                else ""
            )
            raise Unreadable(f"‘{words}’ names no index that is free in what stands before it{beside}")
        self.words = words
        self.index: str = nodes[place][1]
        if any(self.index in names_of(node) for at, node in enumerate(nodes) if at != place):
            raise Unreadable(f"‘{words}’ bounds the index {self.index} by itself")
        if any(node == INFINITY for node in nodes):
            raise Unreadable(f"‘{words}’ has an end that is no number")
        self.bounds = [
            (_TURNED[sign] if right == place else sign, nodes[right - 1 if right == place else right])
            for right, sign in enumerate(signs, 1)
            if place in (right - 1, right)
        ]

    def of(self, formula: Formula, value: Callable[[Node], Any], first: int) -> list[Formula]:
        """Return what a formula says where the restriction holds: two formulas for "other than".

        Args:
            formula: For every index.
            value: Returns the expression of a bound.
            first: What text counts the index from.
        """
        loops: list[Every] = []
        while isinstance(formula, Every):
            loops.append(formula)
            formula = formula.formula
        mine = next((loop for loop in loops if loop.index.name == self.index), None)
        if mine is None:
            raise Unreadable(f"‘{self.words}’ restricts an index that is not free in each relation before it")
        rest = [loop for loop in loops if loop is not mine]
        if any(mine.index in end.free_symbols for loop in rest for end in (loop.low, loop.high)):
            raise Unreadable(f"‘{self.words}’ restricts an index on which another range depends")
        found: list[tuple[Any, Any]] = [(mine.low, mine.high)]
        for sign, node in self.bounds:
            found = [item for ends in found for item in self._cut(ends, sign, value(node) - first)]
        ranges = [(loop.index, loop.low, loop.high) for loop in reversed(rest)]
        return [every(formula, (mine.index, low, high), *ranges) for low, high in found]

    def _cut(self, ends: tuple[Any, Any], sign: str, bound: Any) -> list[tuple[Any, Any]]:
        low, high = ends
        if sign == "!=":
            return [(low, bound - 1), (bound + 1, high)]
        if sign in ("<", "<="):
            return [(low, self._inside(bound - int(sign == "<"), high, 1))]
        return [(self._inside(bound + int(sign == ">"), low, -1), high)]

    def _inside(self, bound: Any, end: Any, side: int) -> Any:
        """Return a bound that is not seen to be beyond the end of an array."""
        if ((bound - end) * side).is_positive:
            raise Unreadable(f"‘{self.words}’ goes beyond the entries that there are")
        return bound


def chains(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    r"""Return the chains of both indices of `$0\le k\le m<d$`, m before k; else the tokens."""
    sides, written = split(tokens)
    signs = [token for token in tokens if token.text in written]
    if len(sides) != 4 or len(signs) != 3 or not all(SIGNS.get(sign) in ("<=", "<") for sign in written):
        return [tokens]
    low, one, other, high = sides
    return [(*low, signs[0], *other, signs[2], *high), (*low, signs[0], *one, signs[1], *other)]


def ends(
    tokens: tuple[Token, ...], read: Callable[[Sequence[Token]], Node]
) -> tuple[str, tuple[Node, Node]] | None:
    r"""Return the index of a chain such as `$1\le j<d$`, with its first and last value, if it is one."""
    sides, written = split(tokens)
    signs = [SIGNS.get(sign, "") for sign in written]
    if len(sides) != 3 or [token.text.isalpha() for token in sides[1]] != [True]:
        return None
    if set(signs) <= {">=", ">"}:
        sides, signs = sides[::-1], [_TURNED[sign] for sign in reversed(signs)]
    if not set(signs) <= {"<=", "<"}:
        return None
    low, high = read(sides[0]), read(sides[2])
    return sides[1][0].text, (shifted(low, int(signs[0] == "<")), shifted(high, -int(signs[1] == "<")))


def restrict(
    restriction: Restriction,
    formulas: Sequence[Formula],
    value: Callable[[Node], Any],
    firsts: Mapping[str, int],
) -> list[Formula]:
    """Return formulas under a restriction."""
    first = firsts[restriction.index]
    return [one for formula in formulas for one in restriction.of(formula, value, first)]
