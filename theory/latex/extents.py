r"""What sums and extrema go over: `_j`, `_{j=1}^d`, `_{i<j}`, `_{0\le i<j\le d+1}`, `_{j:k_j\ge1}`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from theory.latex.nodes import INFINITY, Node, Unreadable, entries_of, names_of, number, shifted, to_sympy
from theory.latex.tokens import Token, spelled
from theory.latex.vocabulary import Vocabulary

if TYPE_CHECKING:
    from theory.latex.parser import Parser

SIGNS = {r"\le": "<=", "<": "<", r"\ge": ">=", ">": ">", "=": "=", r"\ne": "!=", ":=": "="}


@dataclass(frozen=True)
class Extent:
    """Indices with the ranges that the text writes, and conditions."""

    names: tuple[str, ...]
    written: tuple[tuple[str, Node, Node], ...] = ()
    conditions: tuple[Node, ...] = ()

    def ranges(self, body: Node, vocabulary: Vocabulary) -> tuple[Node, ...]:
        """Return a range for each index; without a written one that of the arrays it counts.

        Raises:
            Unreadable: No array tells it.
        """
        written = {name: (name, low, high) for name, low, high in self.written}
        found = []
        for name in self.names:
            found.append(written.get(name) or range_of(name, (body, self.conditions), vocabulary))
        return tuple(found)


def range_of(name: str, body: Node, vocabulary: Vocabulary) -> Node:
    """Return the range of an index as text counts it: that of the claim, else of the arrays that it counts.

    Raises:
        Unreadable: No array tells it, arrays of different sizes do, or `ranges` differs from them.
    """
    found = set()
    for _, array, indices in entries_of(body):
        variable = vocabulary.variables[array]
        word = next(word for words in vocabulary.words.values() for word in words if word.name == array)
        for size, index, first in zip(word.sizes, indices, variable.firsts, strict=True):
            if index == shifted(("name", name), -first):
                found.add((name, number(first), shifted(size, first - 1)))
    if name in vocabulary.ranges:
        given = (name, *vocabulary.ranges[name])
        if any(_is_finite(item) and not _same(item, given) for item in found):
            raise Unreadable(
                f"`ranges` of the claim says less of the index {name} than an array that it counts, which "
                "no reader sees: write its bounds in the text"
            )
        return given
    if len(found) != 1:
        reason = "no array tells" if not found else "arrays of different sizes tell"
        raise Unreadable(f"{reason} the range of the index {name}: write bounds, or `ranges` of the claim")
    return next(iter(found))


def _is_finite(extent: Node) -> bool:
    return INFINITY not in (extent[2], *extent[2][1:])


def _same(one: Node, other: Node) -> bool:
    return all(to_sympy(a) == to_sympy(b) for a, b in zip(one[1:], other[1:], strict=True))


def counted_from(name: str, nodes: Iterable[Node], vocabulary: Vocabulary) -> int:
    """Return what text counts an index from: what the arrays that it counts say, else 0."""
    firsts: set[int] = set()
    for node in nodes:
        for _, array, indices in entries_of(node):
            of_indices = zip(indices, vocabulary.variables[array].firsts, strict=True)
            firsts.update(first for index, first in of_indices if name in names_of(index))
    return firsts.pop() if len(firsts) == 1 else 0


def indices_of_fold(lower: list[Token], upper: Node | None, parser: Parser) -> Extent:
    """Return what the subscript of a sum, product or extremum says.

    Raises:
        Unreadable: It is none of the known forms.
    """
    texts = [token.text for token in lower]
    if ":" in texts:
        cut = texts.index(":")
        names = _letters(lower[:cut])
        return Extent(names, (), _conditions(lower[cut + 1 :], frozenset(names), parser))
    if upper is not None:
        if len(lower) < 3 or texts[1] != "=" or not _letters(lower[:1]):
            raise Unreadable(f"a sum with an upper bound begins with INDEX=, not ‘{spelled(lower)}’")
        return Extent((texts[0],), ((texts[0], parser.inner(lower[2:]), upper),))
    if not any(text in SIGNS for text in texts):
        return Extent(_letters([token for token in lower if token.text != ","]))
    return _chained(lower, parser)


def _chained(lower: list[Token], parser: Parser) -> Extent:
    sides, signs = _split(lower)
    letters = tuple(
        side[0].text
        for side in sides
        if len(side) == 1 and side[0].text.isalpha() and _is_free(side[0].text, parser)
    )
    if not letters:
        raise Unreadable(f"‘{spelled(lower)}’ names no index")
    conditions = _conditions(lower, frozenset(letters), parser)
    ends = [sides[0], sides[-1]]
    if any(len(end) == 1 and end[0].text in letters for end in ends) or not set(signs) <= {r"\le", "<"}:
        return Extent(letters, (), conditions)
    low, high = (parser.inner(end) for end in ends)
    return Extent(letters, tuple((name, low, high) for name in letters), conditions)


def _is_free(text: str, parser: Parser) -> bool:
    words = parser.vocabulary.words.get(text, ())
    is_scalar = any(word.pattern == (text,) and word.kind == "name" for word in words)
    return text not in parser.bound and not is_scalar


def _conditions(tokens: list[Token], names: frozenset[str], parser: Parser) -> tuple[Node, ...]:
    found: list[Node] = []
    for piece in _pieces(tokens):
        sides, signs = _split(piece)
        if not signs:
            raise Unreadable(f"‘{spelled(piece)}’ is no condition")
        nodes = [parser.inner(side, names) for side in sides]
        found += [
            (left, SIGNS[sign], right) for left, sign, right in zip(nodes, signs, nodes[1:], strict=False)
        ]
    return tuple(found)


def _pieces(tokens: list[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _split(tokens: list[Token]) -> tuple[list[list[Token]], list[str]]:
    sides: list[list[Token]] = [[]]
    signs: list[str] = []
    for token in tokens:
        if token.text in SIGNS:
            signs.append(token.text)
            sides.append([])
        else:
            sides[-1].append(token)
    return sides, signs


def _letters(tokens: list[Token]) -> tuple[str, ...]:
    letters = tuple(token.text for token in tokens)
    if not letters or not all(
        len(letter) == 1 and letter.isalpha() and letter.islower() for letter in letters
    ):
        raise Unreadable(f"‘{spelled(tokens)}’ is no list of indices")
    return letters
