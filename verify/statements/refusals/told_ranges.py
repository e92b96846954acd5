r"""A relation that is said of fewer indices than its arrays have says so by a formula: `for $1\le j<T$`.

Where the lengths of arrays and the domain of the index tell more places than `every` has, the clause that
says the relation has the range beside it, and that is the registered one; or `ranges` of the claim has it.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from theory.latex.extents import SIGNS
from theory.latex.nodes import INFINITY, Node, Unreadable, from_sympy, names_of, number, to_sympy
from theory.latex.parser import read
from theory.latex.reading import Reader
from theory.latex.vocabulary import name_of
from verify.statements.comparing.names import kinds
from verify.statements.comparing.written_domains import Declared, declared_of
from verify.statements.refusals.assumed import is_read
from verify.statements.refusals.declared import node_of
from verify.statements.refusals.wording.denials import DENIAL

if TYPE_CHECKING:
    from theory.claim import Claim, Relation
    from theory.latex.clauses import Clause
    from verify.statements.matching import Indices, Matcher, Reading

_SPACE = re.compile(r"\\(quad|qquad|[,;! ])|\\text\s*\{|[}$\s]+")
_FOR = re.compile(r"\bfor (?:(?:each|every|all) )?\$+\Z")
_LAW = re.compile(r"\bover (?:uncorrelated |independent )?\$[^;]*\Z")
"""What stands before a clause in the law of a random name."""
_BEHIND = re.compile(r"[\s$,]*for (?:(?:each|every|all) )?[\s$]*")
_AND = re.compile(r",|(, )?and")
_AFTER = re.compile(r",|(, ?)?(for|where|when|if)( (all|each|every))?")
_BEFORE = re.compile(r",?|,? ?(then|it holds that|we have)")
_BEGINS = re.compile(r"\b(for|where|when|if|with|of|at|in)\b", re.IGNORECASE)
_TURNS = re.compile(
    r"\b(not|no|nor|only|unless|except|apart|beyond|besides|beside|also|even|outside|than|without|whether|"
    r"instead|or|other|others|otherwise|else|both|first|already|including|again|likewise|say|as)\b",
    re.IGNORECASE,
)
"""Words with which a range before a relation may be another one than that of it."""
_MORE = re.compile(
    r"\b(beyond|elsewhere|others?|otherwise|rest|remaining|too|even|also|likewise|well|or|"
    r"all|any|every|each|general|generally|always|whatever)\b",
    re.IGNORECASE,
)
"""Words after a relation and its range that may say more than it."""
_ENDS = re.compile(r"[.;](?=[\s$]|\Z)")
_DENIED = re.compile(rf"\b(?:{DENIAL})\b", re.IGNORECASE)
_SIGNS = {"<=": (False, False), "<": (False, True), ">=": (True, False), ">": (True, True)}


@dataclass(frozen=True)
class _Place:
    """A clause of a text, how it is read, and the number of its sentence."""

    clause: Clause
    reading: Reading
    sentence: int

    @property
    def says(self) -> bool:
        return any(label.startswith("relation ") for label in self.reading.labels)


class ToldRanges:
    """Find the ranges that the texts of one claim say, and relations without theirs.

    Args:
        claim: The claim.
        matcher: What reads its texts.
    """

    def __init__(self, claim: Claim, matcher: Matcher) -> None:
        self._claim, self._matcher = claim, matcher
        self._narrow: dict[str, tuple[str, ...]] = {}
        self._shapes = {name_of(item.symbol): item.shape for item in claim.variables}

    def is_in_hypothesis(self, place: str, text: str, clause: Clause) -> bool:
        """Return whether a clause is a range or a part of a law in words of a hypothesis that are read."""
        before = text[: clause.start]
        is_range = place.startswith("hypothesis ") and bool(_FOR.search(before) or _LAW.search(before))
        return is_range and is_read(self._reader, text)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._claim)

    def of_hypotheses(
        self, text: str, clauses: Sequence[tuple[Clause, Reading]]
    ) -> tuple[frozenset[int], list[tuple[Clause, str]]]:
        """Return where ranges of hypotheses begin, `$a_j=0$ for $j>k$`, and those that are not theirs."""
        accepted, problems = set(), []
        for (one, said), (other, _) in itertools.pairwise(clauses):
            names = [label.removeprefix("hypothesis ") for label in said.labels if label.startswith("hypo")]
            between = text[one.end : other.start]
            texts = {token.text for token in other.tokens}
            letters = {item for item in texts if len(item) == 1 and item.islower()} - self._scalars
            related = bool(letters) and bool(texts & {*SIGNS, r"\in"})
            if not related or len(names) < len(said.labels) or not names or not _BEHIND.fullmatch(between):
                continue
            words = f"${text[one.start : one.end]}$ for ${text[other.start : other.end]}$"
            try:
                formulas = self._reader.formulas(words)
            except Unreadable:
                formulas = ()
            hypotheses = [self._claim.hypotheses[name].formulas for name in names]
            if formulas and any(set(formulas) <= set(item) for item in hypotheses):
                accepted.add(other.start)
                continue
            shown = " and ".join(map(repr, names))
            message = f"hypothesis {shown} is not assumed in this range: say it as it is assumed"
            problems.append((other, message))
        return frozenset(accepted), problems

    def judged(
        self, text: str, clauses: Sequence[tuple[Clause, Reading]]
    ) -> tuple[frozenset[int], list[tuple[Clause, str]]]:
        """Return where clauses begin that are ranges of relations, and relations without theirs."""
        places = _placed(text, clauses)
        accepted: dict[int, bool] = {}
        problems = []
        for at, place in enumerate(places):
            if not place.says:
                continue
            beside = self._beside(text, places, at)
            for chain, _, free in place.reading.said:
                name = chain.label.removeprefix("relation ")
                if chain.label == name:
                    continue
                told = self._told(name, free, beside)
                for item in beside:
                    accepted[item.clause.start] = accepted.get(item.clause.start, True) and told
                if not told and self._narrow_of(name):
                    problems.append((place.clause, self._message(name)))
        return frozenset(start for start, right in accepted.items() if right), problems

    def _message(self, name: str) -> str:
        relation = self._claim.relations[name]
        shown = " and ".join(f"{index} from {low} to {high}" for index, low, high in relation.every)
        return (
            f"relation {name!r} holds for {shown} only, which its words do not say: write this range, "
            r"counted as the text does, right before or after it, such as ‘for $1\le j\le k$’, or in `ranges`"
        )

    def _beside(self, text: str, places: list[_Place], at: int) -> list[_Place]:
        """Return the clauses beside a relation that bound indices: its ranges, if they are these."""
        before, after = at, at + 1
        while before and self._is_range(places[before - 1]) and self._joined(text, places, before - 1, at):
            before -= 1
        while after < len(places) and self._is_range(places[after]):
            pattern = _AFTER if after == at + 1 else _AND
            if not pattern.fullmatch(_between(text, places, after)):
                break
            after += 1
        found = [] if before == at or not self._begins(text, places, before) else places[before:at]
        found += places[at + 1 : after]
        return [] if _goes_on(text, places, after) else found

    def _joined(self, text: str, places: list[_Place], place: int, at: int) -> bool:
        """Return whether a range belongs to what stands after it: the relation or more of its range."""
        pattern = _BEFORE if place + 1 == at else _AND
        alike = places[place].sentence == places[at].sentence
        return alike and bool(pattern.fullmatch(_between(text, places, place + 1)))

    def _begins(self, text: str, places: list[_Place], place: int) -> bool:
        """Return whether words before a range that stands before its relation lead to it."""
        start = places[place - 1].clause.end if place else 0
        words = _ENDS.split(text[start : places[place].clause.start])[-1]
        return bool(_BEGINS.search(words)) and not _TURNS.search(words) and not _DENIED.search(words)

    def _is_range(self, place: _Place) -> bool:
        reading = place.reading
        names = {side[1] for side in reading.sides if side[0] == "name"}
        return (
            not reading.mark
            and not place.clause.problem
            and bool(reading.operators)
            and set(reading.operators) <= set(_SIGNS)
            and bool(names - (self._scalars - self._counting))
        )

    def _told(self, name: str, free: Indices, beside: list[_Place]) -> bool:
        """Return whether a relation has its range beside it, or needs none."""
        relation = self._claim.relations[name]
        registered = self._registered(relation, free)
        own = {mine for mine, _, _ in free}
        written: list[Any] = []
        for item in beside:
            letters = frozenset().union(*map(names_of, item.reading.sides))
            ends = self._written(item.reading)
            if ends is None or not letters - self._scalars <= own:
                return False
            written += ends
        if not all(_follows(end, registered) for end in written):
            return False
        whole = self._whole(relation, free)
        if any((end - item).is_positive for end in written for item in whole):
            return False  # beyond the entries that there are
        known = [*written, *whole]
        if all(_follows(end, known) for end in registered):
            return True
        return not beside and not [item for item in self._narrow_of(name) if not self._in_ranges(name, item)]

    def _written(self, reading: Reading) -> list[Any] | None:
        """Return what a chain says to be nowhere negative; None where it is not of integers."""
        found = []
        for left, operator, right in zip(reading.sides, reading.operators, reading.sides[1:], strict=False):
            turned, strict = _SIGNS[operator]
            if strict and not (self._is_integer(left) and self._is_integer(right)):
                return None
            low, high = (right, left) if turned else (left, right)
            found.append(to_sympy(high) - to_sympy(low) - int(strict))
        return found

    def _is_integer(self, node: Node) -> bool:
        kind = node[0]
        if kind == "number":
            return bool(node[1].denominator == 1)
        if kind in ("name", "entry"):
            index = kind == "name" and (node[1] not in self._scalars or node[1] in self._counting)
            return index or node[1] in self._integers
        if kind in ("add", "mul"):
            return all(map(self._is_integer, node[1:]))
        return kind == "call" and node[1] in ("floor", "ceiling")

    @cached_property
    def _integers(self) -> frozenset[str]:
        return kinds(self._claim).integers

    @cached_property
    def _scalars(self) -> frozenset[str]:
        return frozenset(self._matcher.vocabulary.variables)

    @cached_property
    def _counting(self) -> frozenset[str]:
        """Return the indices of relations, of which some are variables of their own."""
        return frozenset(str(index) for item in self._claim.relations.values() for index, *_ in item.every)

    @cached_property
    def _declared(self) -> Mapping[str, Declared]:
        return {name_of(item.symbol): declared_of(item) for item in self._claim.variables}

    def _narrow_of(self, name: str) -> tuple[str, ...]:
        """Return the indices of a relation that neither arrays nor their own domains keep in its range."""
        if name not in self._narrow:
            relation = self._claim.relations[name]
            free = tuple((str(index), str(index), 0) for index, *_ in relation.every)
            whole = self._whole(relation, free)
            counted = frozenset().union(*(names_of(node_of(side)) for side in relation.sides))
            found = []
            for index, low, high in relation.every:
                told = all(_follows(end, whole) for end in _ends(index, low, high))
                if str(index) in counted and not told:
                    found.append(str(index))
            self._narrow[name] = tuple(found)
        return self._narrow[name]

    def _in_ranges(self, name: str, index: str) -> bool:
        """Return whether `ranges` has the registered range of an index."""
        relation = self._claim.relations[name]
        firsts = {
            first
            for item in self._claim.variables
            for entry in self._entries(relation)
            if entry[1] == name_of(item.symbol)
            for place, first in zip(entry[2], item.firsts, strict=True)
            if index in names_of(place)
        }
        first = firsts.pop() if len(firsts) == 1 else 0
        given = self._claim.ranges.get(index)
        ends = next((low, high) for other, low, high in relation.every if str(other) == index)
        return given is not None and all(
            _plain(one) == _plain(other) + first for one, other in zip(given, ends, strict=True)
        )

    def _registered(self, relation: Relation, free: Indices) -> list[Any]:
        """Return what is nowhere negative in the range of a relation, as a text counts."""
        return [_renamed(end, free) for index, low, high in relation.every for end in _ends(index, low, high)]

    def _whole(self, relation: Relation, free: Indices) -> list[Any]:
        """Return what is nowhere negative since it counts from the first place of an array to its last."""
        import sympy

        symbols = {name_of(item.symbol): item.symbol for item in self._claim.variables}
        found = []
        for _, array, places in self._entries(relation):
            sizes = [size.strip() for size in self._shapes.get(array, "").strip("() ").split(",")]
            for node, size in zip(places, sizes, strict=False):
                place = to_sympy(node)
                found.append(_renamed(place, free))
                if size and size != "oo":
                    last = _plain(sympy.sympify(size, locals=symbols)) - 1
                    found.append(_renamed(last - place, free))
        for index, *_ in relation.every:
            found += self._domain(str(index))
        return list(dict.fromkeys(found))

    def _domain(self, name: str) -> Iterator[Any]:
        """Yield what is nowhere negative in the domain of a variable: the range of one that is an index."""
        domain = self._declared.get(name, Declared())
        if domain.low and domain.low.number is not None:
            yield _letter(name) - to_sympy(number(domain.low.number))
        if domain.high:
            with contextlib.suppress(Unreadable, KeyError, ValueError):
                yield to_sympy(read(domain.high.text, self._matcher.vocabulary)) - _letter(name)

    def _entries(self, relation: Relation) -> list[Node]:
        return [item for side in relation.sides for item in _free_entries(node_of(side), frozenset())]


def _placed(text: str, clauses: Sequence[tuple[Clause, Reading]]) -> list[_Place]:
    found, sentence, last = [], 0, 0
    for clause, reading in clauses:
        sentence += len(_ENDS.findall(text[last : clause.start]))
        found.append(_Place(clause, reading, sentence))
        last = clause.end
    return found


def _between(text: str, places: list[_Place], place: int) -> str:
    """Return the words between a clause and the one before it."""
    return " ".join(_SPACE.sub(" ", text[places[place - 1].clause.end : places[place].clause.start]).split())


def _goes_on(text: str, places: list[_Place], after: int) -> bool:
    """Return whether words behind a relation and its range say that it holds elsewhere, too."""
    end = places[after].clause.start if after < len(places) else len(text)
    words = _ENDS.split(text[places[after - 1].clause.end : end])[0]
    return bool(_MORE.search(words) or _DENIED.search(words))


def _free_entries(node: Any, bound: frozenset[str]) -> Iterator[Node]:
    """Yield the entries of arrays in a node that no index of a sum counts."""
    if not isinstance(node, tuple):
        return
    if node and node[0] == "fold":
        bound |= {name for name, _, _ in node[3]}
    if node and node[0] == "entry" and not _letters(node) & bound:
        yield node
    for item in node:
        yield from _free_entries(item, bound)


def _letters(entry: Node) -> frozenset[str]:
    return frozenset().union(*map(names_of, entry[2]))


def _plain(expression: Any) -> Any:
    """Return an expression whose names carry no assumption but that they are real."""
    import sympy

    return to_sympy(from_sympy(sympy.sympify(expression)))


def _ends(index: Any, low: Any, high: Any) -> Iterator[Any]:
    """Yield what is nowhere negative in a range."""
    yield _plain(index) - _plain(low)
    last = _plain(high)
    if last != to_sympy(INFINITY):
        yield last - _plain(index)


def _renamed(expression: Any, free: Indices) -> Any:
    """Return an expression in the indices of a text, as it counts them."""
    return expression.subs(
        [(_letter(theirs), _letter(mine) - first) for mine, theirs, first in free], simultaneous=True
    )


def _letter(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, real=True)


def _follows(wanted: Any, known: Sequence[Any]) -> bool:
    """Return whether a difference is nowhere negative: it is a sum of such ones and a number."""
    import sympy

    related = [item for item in known if item.free_symbols]
    for count in range(4):
        for chosen in itertools.combinations(related, count):
            rest = sympy.expand(wanted - sympy.Add(*chosen))
            if rest.is_number and rest >= 0:
                return True
    return False
