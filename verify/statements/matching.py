"""Find the registered chain that a clause of a text says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from theory.latex.clauses import ONLY_PINS, Clause, interval, split
from theory.latex.extents import SIGNS, counted_from
from theory.latex.nodes import Node, Unreadable, check_indices, from_sympy, minus, names_of
from theory.latex.parser import read
from theory.latex.tokens import Token, spelled, tokenize
from theory.latex.vocabulary import Vocabulary
from verify.statements.comparing.endless import MESSAGE, endless
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.names import indices, kinds
from verify.statements.registered import Chain, chains, turned
from verify.statements.slots import printed, slot_value

if TYPE_CHECKING:
    from theory.claim import Claim, Part


_IN_DOMAIN = " in its domain"
Indices = tuple[tuple[str, str, int], ...]
"""Free indices of a side in a text: name there, name in the formula, what is added to its value there."""
Saying = tuple[Chain, tuple[Node, ...], Indices]
"""A registered chain, the sides of the text that say it, and their free indices."""


@dataclass(frozen=True)
class Reading:
    """What a clause says.

    Args:
        mark: What stands for it in the text whose hash is kept; empty where it says nothing known.
        labels: Registered chains that it says in full, such as `relation descent`.
        message: Why it is not accepted.
        sides: Its sides, where they can be read.
        operators: The operators between them.
        said: Each registered chain with the sides that say it and their free indices, as in `Side`.
    """

    mark: str = ""
    labels: tuple[str, ...] = ()
    message: str = ""
    sides: tuple[Node, ...] = ()
    operators: tuple[str, ...] = ()
    said: tuple[Saying, ...] = ()

    @property
    def in_domain(self) -> bool:
        """Return whether it says a variable with its domain."""
        return self.mark.endswith(_IN_DOMAIN)


class Matcher:
    """Read clauses of one claim; what was read once is kept."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.vocabulary = Vocabulary(claim, indices(claim))
        self.chains = chains(claim, self.vocabulary.variables)
        self.compare = Sides(kinds(claim))
        self._readings: dict[tuple[str, tuple[str, ...], frozenset[str] | None], Reading] = {}
        self._last: tuple[tuple[Node, ...], list[str]] | None = None

    def reading(
        self, clause: Clause, labels: tuple[str, ...], among: frozenset[str] | None = None
    ) -> Reading:
        """Return what a clause says, looking among the chains with these labels first.

        Args:
            clause: The clause.
            labels: Labels of the chains that are looked at first.
            among: Labels of all chains that are looked at; by default every one.
        """
        if clause.problem:
            return Reading(message=clause.problem)
        key = (clause.key, labels, among)
        if key not in self._readings:
            self._readings[key] = self._read(clause, labels, among)
        return self._readings[key]

    def _read(self, clause: Clause, labels: tuple[str, ...], among: frozenset[str] | None) -> Reading:
        tokens = list(clause.tokens)
        if self.is_name(tokens):
            return Reading(mark=clause.key)
        if len(tokens) == 1 and tokens[0].is_slot:
            return self._slot(tokens[0])
        if sign := self.sign_outside(tokens, ONLY_PINS):
            return Reading(message=f"{sign} is in no formula: make the sentence a pin, with its evidence")
        pieces, signs = split(clause.tokens)
        if r"\in" in signs:
            domain = self._domain(pieces, signs)
            if domain is not None:
                return domain
            found = interval(pieces[-1])
            if len(signs) != 1 or found is None:
                return Reading(
                    message="it is neither the domain of a variable nor an interval: make it a pin"
                )
            low, left, right, high = found
            pieces, signs = [low, pieces[0], high], [left, right]
        try:
            nodes = tuple(read(piece, self.vocabulary, self._value) for piece in pieces)
            check_indices(nodes)
        except Unreadable as error:
            return Reading(message=str(error))
        except (KeyError, ValueError) as error:
            return Reading(message=f"{error}")
        sides, operators = turned(nodes, tuple(SIGNS[sign] for sign in signs))
        known = [chain for chain in self.chains if among is None or chain.label in among]
        return self._matched(sides, operators, labels, known)

    def is_name(self, tokens: list[Token]) -> bool:
        """Return whether tokens are one name of the vocabulary, or an index."""
        if len(tokens) == 1 and tokens[0].text in self.vocabulary.indices:
            return True
        found = self.vocabulary.longest(tokens, 0)
        if found is None:
            return False
        if found.end < len(tokens) and found.word.kind == "function":
            return False
        return found.end == len(tokens)

    def sign_outside(self, tokens: list[Token], signs: frozenset[str]) -> str:
        r"""Return the first of some signs that is in no known name, as `\pm` is in `L_\pm`; '' if none."""
        place = 0
        while place < len(tokens) and any(token.text in signs for token in tokens[place:]):
            found = self.vocabulary.longest(tokens, place)
            if found is None and tokens[place].text in signs:
                return tokens[place].text
            place = found.end if found else place + 1
        return ""

    def _value(self, text: str) -> str:
        return printed(*slot_value(self.claim, text), in_math=True)

    def _slot(self, token: Token) -> Reading:
        try:
            self._value(token.text)
        except (KeyError, ValueError) as error:
            return Reading(message=str(error.args[0]))
        return Reading(mark=token.text)

    def _domain(self, pieces: list[list[Token]], signs: list[str]) -> Reading | None:
        if len(signs) != 1:
            return None
        found = self.vocabulary.longest(pieces[0], 0)
        if found is None or found.end != len(pieces[0]) or found.word.kind == "notation":
            return None
        variable = self.vocabulary.variables[found.word.name]
        if spelled(tokenize(variable.domain)) != spelled(pieces[1]):
            return None
        return Reading(mark=f"{spelled(pieces[0])}{_IN_DOMAIN}")

    def _matched(
        self, sides: tuple[Node, ...], operators: tuple[str, ...], labels: tuple[str, ...], known: list[Chain]
    ) -> Reading:
        if not operators:
            return self._side(sides, labels, known)
        # Said relations first, then their hypotheses, others, and relations that other parts say.
        ordered = sorted(
            known,
            key=lambda chain: (
                chain.label not in labels,
                chain.label in labels and chain.label.startswith("hypothesis"),
                chain.label,
            ),
        )
        for chain in ordered:
            free = self.same(sides, operators, chain)
            if free is not None:
                said = ((chain, sides, free),)
                return Reading(_mark(chain, free), (chain.label,), "", sides, operators, said)
        cover = self._cover(sides, operators, ordered, 0)
        if cover is not None:
            assumed = self._assumed_beside(cover)
            if assumed:
                message = f"{assumed} is joined to what is concluded: write them apart"
                return Reading(message=message, sides=sides, operators=operators)
            labels = tuple(chain.label for chain, _, _ in cover)
            return Reading(
                "".join(_mark(c, free) for c, _, free in cover), labels, "", sides, operators, cover
            )
        message = "it is no relation that this part says and no hypothesis"
        message = MESSAGE if any(map(endless, sides)) else message
        return Reading(message=message, sides=sides, operators=operators)

    def labels(self, part: Part) -> tuple[str, ...]:
        """Return the labels of what a part may say: its relations, and hypotheses under which they hold."""
        special = {name for relation in self.claim.relations.values() for name in relation.under}
        under = {name for said in part.says for name in self.claim.relations[said].under}
        allowed = [name for name in self.claim.hypotheses if name not in special or name in under]
        return *(f"relation {name}" for name in part.says), *(f"hypothesis {name}" for name in allowed)

    def _assumed_beside(self, cover: tuple[Saying, ...]) -> str:
        """Return a hypothesis in a chain with a relation, '' where it only says what a name is."""
        if not any(chain.label.startswith("relation") for chain, _, _ in cover):
            return ""
        for chain, _, _ in cover:
            kind, _, name = chain.label.partition(" ")
            defines = set(chain.operators) == {"="} and kind == "hypothesis"
            if kind == "hypothesis" and not (defines and self.claim.hypotheses[name].kind == "definition"):
                return chain.label
        return ""

    def _cover(
        self, sides: tuple[Node, ...], operators: tuple[str, ...], known: list[Chain], start: int
    ) -> tuple[Saying, ...] | None:
        """Return chains that follow each other and are the whole clause together."""
        if start == len(operators):
            return ()
        for chain in known:
            end = start + len(chain.operators)
            if end > len(operators) or (start == 0 and end == len(operators)):
                continue
            own = sides[start : end + 1]
            free = self.same(own, operators[start:end], chain)
            rest = self._cover(sides, operators, known, end) if free is not None else None
            if free is not None and rest is not None:
                return (chain, own, free), *rest
        return None

    def _side(self, sides: tuple[Node, ...], labels: tuple[str, ...], known: list[Chain]) -> Reading:
        """Read an expression alone: it must be a side of something that the part says or a hypothesis."""
        for chain in known:
            if chain.label.startswith("relation") and chain.label not in labels:
                continue
            for place, side in enumerate(chain.sides):
                single = Chain(chain.label, (side,), (), chain.free)
                free = self.same(sides, (), single) if side[0] != "number" else None
                if free is not None:
                    mark = f"[side {place} of {chain.label}]"
                    return Reading(mark, (), "", sides, (), ((single, sides, free),))
        message = (
            "it is an expression but no side of a relation that this part says: write the relation, a slot, "
            "or a name that a hypothesis defines as it"
        )
        return Reading(message=message, sides=sides)

    def same(self, sides: tuple[Node, ...], operators: tuple[str, ...], chain: Chain) -> Indices | None:
        """Return how free indices are named if sides and operators are those of a chain, else None."""
        if operators != chain.operators:
            return None
        free = self._free(sides)
        orders = [sides, sides[::-1]] if set(operators) == {"="} else [sides]
        for order, names in itertools.product(orders, _namings(free, chain.free)):
            ours = tuple((mine, theirs, counted_from(mine, sides, self.vocabulary)) for mine, theirs in names)
            pairs = zip(order, chain.sides, strict=True)
            if all(self.compare.same(Side(text, ours), _registered(side, chain)) for text, side in pairs):
                return ours
        return None

    def rewritten(self, saying: Saying) -> tuple[Node, ...]:
        """Return the sides of a text that are not written as a side of the chain that they say."""
        chain, sides, free = saying
        forms = [self.compare.form(_registered(side, chain)) for side in chain.sides]
        return tuple(side for side in sides if self.compare.form(Side(side, free)) not in forms)

    def _free(self, sides: tuple[Node, ...]) -> list[str]:
        # By identity: one clause is held against many chains.
        if self._last is None or self._last[0] is not sides:
            names: frozenset[str] = frozenset().union(*(names_of(side) for side in sides))
            self._last = sides, sorted(names - set(self.vocabulary.variables))
        return self._last[1]

    def contains(self, formula: Any) -> bool:
        """Return whether a formula is a side, or a part of a side, of a relation or a hypothesis.

        A formula of several cases is where each of its cases is.
        """
        import sympy

        node = from_sympy(sympy.sympify(formula))
        if node[0] == "cases":
            return all(self._contains(value) for value, _ in node[1:])
        return self._contains(node)

    def _contains(self, node: Node) -> bool:
        free = sorted(names_of(node) - set(self.vocabulary.variables))
        if not free and any(candidate == node for candidate, _ in self._candidates):
            return True  # as it stands
        for candidate, theirs in self._candidates:
            for names in _namings(free, theirs):
                ours = tuple((mine, name, 0) for mine, name in names)
                named = tuple((name, name, 0) for name in theirs)
                if self.compare.same(Side(node, ours), Side(candidate, named)):
                    return True
        return False

    @cached_property
    def _candidates(self) -> list[tuple[Node, tuple[str, ...]]]:
        """Return the sides of all chains, their parts and the differences of neighbours, with their names."""
        known = set(self.vocabulary.variables)
        found: list[Node] = []
        for chain in self.chains:
            for place, side in enumerate(chain.sides):
                found += _parts(side)
                if chain.operators and place:
                    found.append(("add", side, minus(chain.sides[place - 1])))
        return [(item, tuple(sorted(names_of(item) - known))) for item in found]


def _registered(side: Node, chain: Chain) -> Side:
    return Side(side, tuple((name, name, 0) for name in chain.free))


def _mark(chain: Chain, free: Indices) -> str:
    letters = f" {','.join(ours for ours, _, _ in free)}" if free else ""
    return f"[{chain.label}{letters}]"


def _namings(ours: list[str], theirs: tuple[str, ...]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the ways to call our indices by theirs, equal names first."""
    if len(ours) != len(theirs):
        return
    if set(ours) == set(theirs):
        yield tuple((name, name) for name in ours)
    for order in itertools.permutations(theirs):
        if list(order) != ours:
            yield tuple(zip(ours, order, strict=True))


def _parts(node: Node) -> Iterator[Node]:
    """Yield a node and what it is made of, sums and products also in pieces."""
    yield node
    if node[0] in ("add", "mul") and 3 <= len(node) - 1 <= 6:
        for count in range(2, len(node) - 1):
            for chosen in itertools.combinations(node[1:], count):
                yield (node[0], *chosen)
    if node[0] == "fold":
        yield from _parts(node[2])
    elif node[0] in ("add", "mul", "pow", "max", "min", "call"):
        for item in node[1:]:
            if isinstance(item, tuple) and item[0] not in ("number", "constant", "infinity"):
                yield from _parts(item)
