r"""Read the formulas of a hypothesis from its words: `$\sum_jp_j=\beta$, $c\ge0$`, `$n,d\ge1$ are integers`.

A relation is one comparison, a chain of them several, in the order of the words; each holds for every free
index, over the range that arrays or `ranges` tell. Every name of a list, `$a,b>0$`, has its relation. "Is an
integer" is said of what the last relation or name is about, "are integers" of all of them that the sentence
has so far; it comes first in what is said of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from theory.formula import Compare, Every, Formula, IsInteger, every
from theory.latex.clauses import Clause, clauses, interval, split
from theory.latex.expressions import Expressions
from theory.latex.extents import SIGNS, counted_from, range_of
from theory.latex.nodes import ONE, ZERO, Node, Unreadable, names_of, number
from theory.latex.parser import read
from theory.latex.sentences import Said, sentences
from theory.latex.tokens import Fragment, Token, spelled
from theory.latex.vocabulary import Vocabulary

if TYPE_CHECKING:
    from theory.claim import Claim


@dataclass
class _Item:
    """What is said of names or entries; the first one is what it is about."""

    names: list[Node]
    formulas: list[Formula] = field(default_factory=list)


class Reader:
    """Read the hypotheses of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.vocabulary = Vocabulary(claim)
        self._expressions = Expressions(self.vocabulary)
        variables = self.vocabulary.variables.items()
        self._scalars = frozenset(name for name, item in variables if not item.shape)
        self._hidden = frozenset(
            name for name, item in variables if not item.shape and name not in (item.tex, *item.aliases)
        )

    def formulas(self, words: str) -> tuple[Formula, ...]:
        """Return the formulas that words say, in their order.

        Raises:
            Unreadable: They say more than formulas, or something in them cannot be read.
        """
        found = [formula for sentence in sentences(words) for formula in self._sentence(sentence)]
        if not found:
            raise Unreadable(f"‘{words}’ has no formula")
        return tuple(found)

    def _sentence(self, pieces: Sequence[Said]) -> list[Formula]:
        items: list[_Item] = []
        begin, is_integer_next = 0, False
        for piece in pieces:
            if piece.kind == "math":
                new = self._items(piece.math[0])
                if is_integer_next:
                    self._are_integers(new, piece)
                    items, begin, is_integer_next = new + items, begin + len(new), False
                else:
                    items += new
            elif piece.kind == "next":
                is_integer_next = True
            elif piece.kind in ("index", "all"):
                _check_quantifier(piece, items)
            elif piece.kind != "join":
                self._are_integers(items[-1:] if piece.words.startswith("is ") else items[begin:], piece)
                begin = len(items)
        if is_integer_next or not all(item.formulas for item in items):
            raise Unreadable("a name of which nothing is said")
        return [formula for item in items for formula in item.formulas]

    def _are_integers(self, items: Sequence[_Item], piece: Said) -> None:
        low: Node | None = {"whole": ZERO, "positive": ONE}.get(piece.kind)
        high: Node | None = None
        if piece.kind == "range":
            *first, last = (self._side(_tokens(item)) for item in piece.math)
            low, high = first[0] if first else number(int(piece.words.split()[-3])), last
        if not items or not all(item.names for item in items):
            raise Unreadable(f"it is no name of which ‘{piece.words}’ is said")
        for item in items:
            said = []
            for name in item.names if piece.words.startswith("are ") else item.names[:1]:
                said.append(self._for_every((name,), IsInteger))
                if low is not None:
                    said.append(self._compare(low, "<=", name))
                if high is not None:
                    said.append(self._compare(name, "<=", high))
            item.formulas[:0] = said

    # ---------------------------------------------------------------- one piece of mathematics

    def _items(self, fragment: Fragment) -> list[_Item]:
        found: list[_Item] = []
        names: list[_Item] = []
        for clause in clauses(fragment):
            sides, signs, place = _chain(clause)
            indices = frozenset(self._indices(clause.tokens))
            nodes = [self._side(side, indices) for side in sides]
            item = _Item([node for node in nodes if node[0] in ("name", "entry")])
            found.append(item)
            names.append(item)
            if not signs and not item.names:
                raise Unreadable(f"‘{clause.key}’ is no relation")
            if signs:
                for other in names:
                    written = [*nodes]
                    if other is not item:
                        written[place] = other.names[0]
                    other.formulas += map(self._compare, written, signs, written[1:])
                names = []
        return found

    def _side(self, tokens: Sequence[Token], indices: Iterable[str] = ()) -> Node:
        # The letter of an index cannot be told from a symbol of that name that is written otherwise.
        hidden = next((token.text for token in self._letters(tokens) if token.text in self._hidden), "")
        if hidden:
            raise Unreadable(f"‘{hidden}’ is the name of a symbol that is written otherwise")
        return read(tokens, self.vocabulary, _no_value, indices)

    def _letters(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Yield the tokens that belong to no word of the vocabulary, those in subscripts of words, too."""
        place = 0
        while place < len(tokens):
            found = self.vocabulary.longest(list(tokens), place)
            if found is None:
                yield tokens[place]
            for inside in found.indices if found else ():
                yield from self._letters(inside)
            place = found.end if found else place + 1

    def _indices(self, tokens: Sequence[Token]) -> Iterator[str]:
        """Yield the letters in subscripts of words."""
        for place in range(len(tokens)):
            found = self.vocabulary.longest(list(tokens), place)
            for inside in found.indices if found else ():
                yield from (token.text for token in self._letters(inside) if token.text.isalpha())

    def _compare(self, left: Node, sign: str, right: Node) -> Formula:
        if sign in (">=", ">"):
            left, sign, right = right, {">=": "<=", ">": "<"}[sign], left
        return self._for_every((left, right), lambda first, second: Compare(first, sign, second))

    def _for_every(self, nodes: tuple[Node, ...], formula: Callable[..., Formula]) -> Formula:
        """Return a formula of expressions for every index that is free in their nodes."""
        import sympy

        places: dict[str, Any] = {}
        ranges = []
        for name in sorted(frozenset().union(*map(names_of, nodes)) - self._scalars, reverse=True):
            _, low, high = range_of(name, nodes, self.vocabulary)
            first = counted_from(name, nodes, self.vocabulary)
            symbol = sympy.Symbol(name, real=True)
            ranges.append((symbol, *(self._expressions.of(end, {}) - first for end in (low, high))))
            places[name] = symbol + first
        return every(formula(*(self._expressions.of(node, places) for node in nodes)), *ranges)


def _chain(clause: Clause) -> tuple[list[list[Token]], list[str], int]:
    """Return sides, operators, and the place of the side that is one of a list."""
    sides, signs = split(clause.tokens)
    if r"\in" not in signs:
        return sides, [SIGNS[sign] for sign in signs], 0
    ends = interval(sides[-1])
    if len(signs) != 1 or ends is None:
        raise Unreadable(f"‘{clause.key}’ is no interval")
    low, left, right, high = ends
    return [low, sides[0], high], [SIGNS[left], SIGNS[right]], 1


def _tokens(fragment: Fragment) -> tuple[Token, ...]:
    (clause,) = clauses(fragment)
    return clause.tokens


def _check_quantifier(piece: Said, items: Sequence[_Item]) -> None:
    indices = set()
    for formula in items[-1].formulas if items else ():
        while isinstance(formula, Every):
            indices.add(formula.index.name)
            formula = formula.formula
    named = {spelled(_tokens(item)) for item in piece.math}
    if not indices or not named <= indices:
        raise Unreadable(f"‘{piece.words}’ has no index that is free before it")


def _no_value(text: str) -> Any:
    raise Unreadable(f"{text} has no place in a hypothesis")
