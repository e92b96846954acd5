r"""Read the formulas of a hypothesis from its words: `$\sum_jp_j=\beta$, $c\ge0$`, `$n,d\ge1$ are integers`.

A relation is one comparison, a chain of them several, in the order of the words; each holds for every free
index, over the range that arrays or `ranges` tell, or that `for $j\le k$` behind it tells: with both ends,
`for $1\le j<d$`, of a shifted index, too. `for all real $v_1$` says it of every number in place of the only
one of an array. Every name of a list, `$a,b>0$`, has its relation. "Is an integer" is said of the name that
the relation before it is about, "are integers" of the names of one list or chain, or of several bounds; it
comes first in what is said of them. What readers could understand in two ways is refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from theory.formula import Compare, Every, EveryFamily, Formula, IsInteger, every
from theory.latex.clauses import Clause, conjunction, interval, split
from theory.latex.expectations import Law, check_random, is_expectation, law_of, with_laws
from theory.latex.expressions import Expressions
from theory.latex.extents import SIGNS, counted_from, range_of
from theory.latex.items import (
    Item,
    check_condition,
    check_restriction,
    check_subjects,
    indices_of,
    item_of,
    without_ranges,
)
from theory.latex.nodes import (
    ONE,
    ZERO,
    Node,
    Unreadable,
    check_indices,
    entries_of,
    names_of,
    number,
    shifted,
)
from theory.latex.parser import read
from theory.latex.places import Places
from theory.latex.restricted import Restriction, chains, ends, restrict
from theory.latex.sentences import NOUNS, Said, sentences
from theory.latex.tokens import Fragment, Token, spelled
from theory.latex.vocabulary import Vocabulary

if TYPE_CHECKING:
    from theory.claim import Claim, Variable

_RANGED = frozenset({"math", "for", "real", "vector", "join"})
"""Pieces of a sentence that ends with the range of an index."""


class Reader:
    """Read the hypotheses of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.vocabulary = Vocabulary(claim)
        self._expressions = Expressions(self.vocabulary)
        self._places = Places(self.vocabulary, self._expressions)
        variables = self.vocabulary.variables.items()
        self._firsts: dict[str, int] = {}
        self._told: dict[str, tuple[Node, Node]] = {}
        self._laws: dict[str, Law] = {}
        self._used: set[str] = set()
        self._scalars = frozenset(name for name, item in variables if not item.shape)
        self._hidden = frozenset(
            name for name, item in variables if not item.shape and name not in (item.tex, *item.aliases)
        )

    def formulas(self, words: str) -> tuple[Formula, ...]:
        """Return the formulas that words say, in their order.

        Raises:
            Unreadable: They say more than formulas, or something in them cannot be read.
        """
        found: list[Formula] = []
        random = set[str]()
        for sentence in sentences(words):
            pieces = self._without_laws(sentence)
            found += self._sentence(pieces)
            if unused := self._laws.keys() - self._used:
                written = ", ".join(self._laws[name].written for name in sorted(unused))
                raise Unreadable(f"the random ‘{written}’ stands in no expectation: leave its law out")
            random |= self._used
        if not found:
            raise Unreadable(f"‘{words}’ has no formula")
        check_random(random, found)
        return tuple(found)

    def _without_laws(self, pieces: Sequence[Said]) -> Sequence[Said]:
        """Return what stands before the laws of random names, and keep these for the sentence."""
        self._laws, self._used = {}, set()
        begin = next((place for place, piece in enumerate(pieces) if piece.kind == "law"), len(pieces))
        for piece in pieces[begin:]:
            if piece.kind != "law":
                if piece.kind != "join":
                    raise Unreadable("after the law of a random name, begin a new sentence with ‘;’")
                continue
            law = law_of(piece.words, [_tokens(item) for item in piece.math], self._side, self.vocabulary)
            if law.name in self._laws:
                raise Unreadable(f"the random ‘{law.written}’ has two laws")
            self._laws[law.name] = law
        return pieces[:begin]

    def _sentence(self, pieces: Sequence[Said]) -> list[Formula]:
        items: list[Item] = []
        begin, restricted = 0, ""
        last, next_words = "", ""
        self._firsts = {}
        self._told = {
            name: ends for piece in pieces if piece.kind == "for" for name, ends in self._ends(piece)
        }
        for piece in pieces:
            if last == "range of an index" and piece.kind != "join":
                raise Unreadable("after the range of an index, begin a new sentence with ‘;’")
            if piece.kind == "math":
                new = self._items(piece.math[0])
                if next_words == "done":
                    raise Unreadable("after what ‘integer’ is said of, begin a new sentence with ‘;’")
                if restricted:
                    check_restriction(new, items)
                    if restricted == "where":
                        check_condition(new)
                if next_words:
                    self._are_integers(new, piece, next_words == "integers")
                    items, begin, next_words = new + items, begin + len(new), "done"
                else:
                    items += new
            elif piece.kind == "next":
                next_words = piece.words.split()[-1]
            elif piece.kind in ("real", "vector"):
                self._for_all(piece, pieces, items)
                last = "range of an index"
                continue
            elif piece.kind == "for" and self._restrict(piece, pieces, items):
                last = "range of an index"
                continue
            elif piece.kind in ("for", "all"):
                _check_quantifier(piece, items)
            elif piece.kind == "where":
                restricted = piece.words
            elif piece.kind != "join":
                if last != "math":
                    raise Unreadable(f"it is no name of which ‘{piece.words}’ is said")
                said_of_all = piece.words.startswith("are ")
                self._are_integers(items[begin:] if said_of_all else items[-1:], piece, said_of_all)
                begin = len(items)
            last = last if last == "range of an index" else piece.kind
        if next_words not in ("", "done") or not all(item.formulas for item in items):
            raise Unreadable("a name of which nothing is said")
        return [formula for item in items for formula in item.formulas]

    def _restrict(self, piece: Said, pieces: Sequence[Said], items: list[Item]) -> bool:
        """Let the relations of a sentence hold in a range of an index; return whether the words say one."""
        tokens = _tokens(piece.math[0])
        if not any(token.text in SIGNS for token in tokens):
            return False
        _check_alone(f"for {spelled(tokens)}", piece, pieces)
        free = frozenset(one.index.name for item in items for one in indices_of(item))
        places = {name: _symbol(name) + self._firsts[name] for name in free}
        for chain in chains(tokens):
            found = Restriction(chain, free, lambda side: self._side(side, free), spelled(tokens))
            for _, node in found.bounds:
                self._check_bound(node, free, found.words)
            for item in items:
                item.formulas = restrict(
                    found, item.formulas, lambda node: self._expressions.of(node, places), self._firsts
                )
        return True

    def _ends(self, piece: Said) -> Iterator[tuple[str, tuple[Node, Node]]]:
        """Yield the indices of which the words say both ends, with those of the last one for both of two."""
        tokens = _tokens(piece.math[0])
        letters = {token.text for token in self._letters(tokens) if token.text.islower()}
        found = [ends(chain, lambda side: self._side(side, letters)) for chain in chains(tokens)]
        if found[0] and not names_of(("ends", *found[0][1])) - self._scalars:
            yield from ((one[0], found[0][1]) for one in found if one)

    def _for_all(self, piece: Said, pieces: Sequence[Said], items: list[Item]) -> None:
        """Let the relations of a sentence hold for every vector, or every number in an array of one."""
        tokens = _tokens(piece.math[0])
        words = f"for every {piece.kind} {spelled(tokens)}"
        _check_alone(words, piece, pieces)
        array = self._vector(tokens) if piece.kind == "vector" else self._only_entry(tokens)
        if array is None:
            meant = "array of one index" if piece.kind == "vector" else "entry of an array of one"
            raise Unreadable(f"‘{words}’ names no {meant}")
        for item in items:
            if any(array.symbol not in _arrays(formula) for formula in item.formulas):
                raise Unreadable(f"‘{words}’ names no number of the relation before it")
            item.formulas = [_innermost(array.symbol, formula) for formula in item.formulas]

    def _vector(self, tokens: Sequence[Token]) -> Variable | None:
        """Return the array of one index that tokens name without it."""
        found = self.vocabulary.longest(list(tokens), 0)
        is_vector = found and found.word.kind == "array" and len(found.word.sizes) == 1
        if not found or not is_vector or found.end < len(tokens):
            return None
        return self.vocabulary.variables[found.word.name]

    def _only_entry(self, tokens: Sequence[Token]) -> Variable | None:
        """Return the array of one number of which tokens name the entry."""
        node = self._side(tokens)
        array = self.vocabulary.variables.get(node[1]) if node[0] == "entry" else None
        return array if array and array.shape.replace(" ", "") == "(1,)" else None

    def _check_bound(self, node: Node, free: frozenset[str], words: str) -> None:
        """Refuse a bound with a letter that is neither a scalar nor an index of what it restricts."""
        if loose := names_of(node) - self._scalars - free:
            raise Unreadable(f"‘{words}’: what is {', '.join(sorted(loose))}?")

    def _are_integers(self, items: Sequence[Item], piece: Said, said_of_all: bool) -> None:
        low: Node | None = {"whole": ZERO, "positive": ONE}.get(piece.kind)
        high: Node | None = None
        if piece.kind == "range":
            *first, last = (self._side(_tokens(item)) for item in piece.math)
            low, high = first[0] if first else number(int(piece.words.split()[-3])), last
        words = "integers" if piece.kind == "math" else piece.words
        check_subjects(items, words, said_of_all, is_list_of=piece.kind == "math")
        for item in items:
            said = []
            for name in item.names if said_of_all else filter(None, [item.subject]):
                said.append(self._for_every((name,), IsInteger))
                if low is not None:
                    said.append(self._compare(low, "<=", name))
                if high is not None:
                    said.append(self._compare(name, "<=", high))
            item.formulas[:0] = said

    # ---------------------------------------------------------------- one piece of mathematics

    def _items(self, fragment: Fragment) -> list[Item]:
        found: list[Item] = []
        names: list[tuple[Item, Node]] = []
        for clause in conjunction(fragment):
            sides, signs, place = _chain(clause)
            indices = frozenset(self._indices(clause.tokens))
            nodes = [self._side(side, indices) for side in sides]
            check_indices(nodes)
            nodes = with_laws(nodes, self._laws, self._scalars, self._used)
            item = item_of(clause.key, nodes, signs, is_interval=place == 1)
            found.append(item)
            names.append((item, nodes[place]))
            if not signs and item.subject is None:
                raise Unreadable(f"‘{clause.key}’ is no relation")
            if signs:
                for other, name in names:
                    written = [*nodes]
                    written[place] = name
                    other.formulas += map(self._compare, written, signs, written[1:])
                    other.of_list = len(names)
                    other.is_plain, other.is_bound = item.is_plain, item.is_bound
                    other.is_bounded = item.is_bounded
                names = []
        return found

    def _side(self, tokens: Sequence[Token], indices: Iterable[str] = ()) -> Node:
        # The letter of an index cannot be told from a symbol of that name that is written otherwise.
        hidden = next((token.text for token in self._letters(tokens) if token.text in self._hidden), "")
        if hidden:
            raise Unreadable(f"‘{hidden}’ is the name of a symbol that is written otherwise")
        node = read(tokens, self.vocabulary, _no_value, indices, self._laws)
        for entry in entries_of(node):
            self._places.check(entry)
        return node

    def _letters(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Yield the tokens that belong to no word of the vocabulary, those in subscripts of words, too."""
        place = 0
        while place < len(tokens):
            found = self.vocabulary.longest(list(tokens), place)
            if found is None and not is_expectation(tokens, place):
                yield tokens[place]
            for inside in found.indices if found else ():
                yield from self._letters(inside)
            place = found.end if found else place + 1

    def _indices(self, tokens: Sequence[Token]) -> Iterator[str]:
        """Yield the letters in subscripts of words."""
        for place in range(len(tokens)):
            found = self.vocabulary.longest(list(tokens), place)
            for inside in found.indices if found else ():
                letters = (token.text for token in self._letters(inside))
                yield from (text for text in letters if len(text) == 1 and text.isalpha() and text.islower())

    def _compare(self, left: Node, sign: str, right: Node) -> Formula:
        if sign in (">=", ">"):
            left, sign, right = right, {">=": "<=", ">": "<"}[sign], left
        return self._for_every((left, right), lambda first, second: Compare(first, sign, second))

    def _for_every(self, nodes: tuple[Node, ...], formula: Callable[..., Formula]) -> Formula:
        """Return a formula of expressions for every index that is free in their nodes."""
        places: dict[str, Any] = {}
        ranges = []
        for name in sorted(frozenset().union(*map(names_of, nodes)) - self._scalars, reverse=True):
            low, high = self._range(name, nodes)
            first = counted_from(name, nodes, self.vocabulary)
            if self._firsts.setdefault(name, first) != first:
                raise Unreadable(f"the index {name} counts arrays from {first} and {self._firsts[name]}")
            symbol = _symbol(name)
            ranges.append((symbol, *(self._expressions.of(end, {}) - first for end in (low, high))))
            places[name] = symbol + first
        return every(formula(*(self._expressions.of(node, places) for node in nodes)), *ranges)

    def _range(self, name: str, nodes: tuple[Node, ...]) -> tuple[Node, Node]:
        """Return the ends of an index as text counts it: those that words say, else those of arrays.

        Raises:
            Unreadable: The index counts nothing, or it counts outside of what arrays or words tell.
        """
        counted = [
            (entry, index, first, size)
            for entry in entries_of(nodes)
            for index, first, size in zip(entry[2], *self._places.counts(entry[1]), strict=True)
            if name in names_of(index)
        ]
        if not counted:
            range_of(name, nodes, self.vocabulary)
            raise Unreadable(f"the index {name} counts no array")
        is_given = name in self.vocabulary.ranges
        is_shifted = any(index != shifted(("name", name), -first) for _, index, first, _ in counted)
        if name in self._told and not is_given:
            for end in self._told[name]:
                for entry, *_ in counted:
                    self._places.check(entry, {name: self._expressions.of(end, {})})
            if is_shifted or self._places.hold(self._told[name], counted):
                return self._told[name]
        _, low, high = range_of(name, nodes, self.vocabulary)
        if not is_given and is_shifted:
            raise Unreadable(
                f"the index {name} is shifted: write both ends behind the relation, as in "
                f"for $1\\le {name}<d$, or `ranges` of the claim, as in ranges={{{name!r}: (1, d - 1)}}"
            )
        return low, high


def _symbol(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, real=True)


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
    found = conjunction(fragment)
    if len(found) != 1:
        raise Unreadable(f"‘{fragment.inside}’ is not one expression")
    return found[0].tokens


def _innermost(base: Any, formula: Formula) -> Formula:
    """Return a formula for every number in place of that of an array, within the ranges of its indices."""
    if isinstance(formula, Every):
        return dataclasses.replace(formula, formula=_innermost(base, formula.formula))
    return EveryFamily(base, formula)


def _arrays(formula: Formula) -> set[Any]:
    """Return the arrays in a comparison."""
    import sympy

    inner = without_ranges(formula)
    sides = (inner.left, inner.right) if isinstance(inner, Compare) else ()
    return {entry.base for side in sides for entry in side.atoms(sympy.Indexed)}


def _check_alone(words: str, piece: Said, pieces: Sequence[Said]) -> None:
    """Refuse a range that does not stand behind the only relation or list of its sentence."""
    kinds = [item.kind for item in pieces]
    if kinds.count("math") != 1 or kinds.index("math") > pieces.index(piece) or set(kinds) - _RANGED:
        raise Unreadable(f"of what is ‘{words}’ said? Put one relation or list before it, and ‘;’")


def _check_quantifier(piece: Said, items: Sequence[Item]) -> None:
    found = indices_of(items[-1]) if items else []
    free = {one.index.name for one in found}
    named = {spelled(_tokens(item)) for item in piece.math}
    if not free or not named <= free:
        raise Unreadable(f"‘{piece.words}’ has no index that is free before it")
    if piece.kind == "all":
        size = next(size for noun, size in NOUNS.items() if noun in piece.words)
        if len(free) > 1 or {str(one.high + 1) for one in found} != {size}:
            raise Unreadable(f"‘{piece.words}’ needs one index that goes up to {size}")


def _no_value(text: str) -> str:
    raise Unreadable(f"{text} has no place in a hypothesis")
