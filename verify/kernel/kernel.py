"""The kernel of one claim: its hypotheses by name, and the conclusion of its relations."""

from __future__ import annotations

import operator
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from theory.claim import Claim
from theory.formula import Every, EveryFamily
from verify.kernel.bridge import formula, key_of, term
from verify.kernel.inequalities.definedness import factors_not_zero, obligations, of_form
from verify.kernel.inequalities.grounds import grounded
from verify.kernel.inequalities.implication import implies
from verify.kernel.inequalities.signs import Signs
from verify.kernel.instances.far_integers import fails_far_out, squeezed
from verify.kernel.instances.sampling import complete, sample
from verify.kernel.instances.specialised import Places, specialised
from verify.kernel.instances.truth import endless_in_entries, fails_beyond, holds
from verify.kernel.instances.values import Instance, UndefinedError, value
from verify.kernel.node import KernelError, Node
from verify.kernel.normal.keys import truth
from verify.kernel.text import text
from verify.kernel.theorem import Theorem
from verify.kernel.writing import Writing

Range = tuple[str, Node, Node]
"""Index, first and last place."""

_TRIES = 40


@dataclass(frozen=True)
class Concluded:
    """A relation of the claim that was proved.

    Args:
        theorems: One for each link of its chain.
        rests: Names of the hypotheses of the claim on which it rests.
        instance: An exact instance that satisfies them.
    """

    theorems: tuple[Theorem, ...]
    rests: tuple[str, ...]
    instance: Mapping[str, str]


class Kernel(Writing):
    """What `derive` receives; see `theory.proof`.

    Args:
        claim: The claim whose hypotheses may be used.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__()
        self._claim = claim
        self._stated = {name: tuple(map(formula, item.formulas)) for name, item in claim.hypotheses.items()}
        special = {name for relation in claim.relations.values() for name in relation.under}
        self._given: dict[tuple[str, int], Theorem] = {}
        self._concluded: dict[str, Concluded] = {}
        self._instances: list[Instance] = []
        self._found: list[Instance] = []
        self._grounds: dict[tuple[str, ...], tuple[Signs, Mapping[Node, Node]]] = {}
        self._cleared: set[tuple[int, int]] = set()  # theorems that are not false at an instance of these
        # Hypotheses of a few terms decide signs; long ones would only be searched in vain.
        for name, items in self._stated.items():
            for place, item in enumerate(items):
                self._given[name, place] = self._assumed(item)
                if name not in special:
                    self._know(self._given[name, place])

    @property
    def concluded(self) -> Mapping[str, Concluded]:
        """Return what was concluded, by relation."""
        return dict(self._concluded)

    def given(self, name: str, place: int = 0) -> Theorem:
        """Return a hypothesis of the claim as a theorem."""
        if (name, place) not in self._given:
            listed = ", ".join(self._stated)
            raise KernelError(f"hypothesis {name!r} (formula {place}) is unknown; the claim has: {listed}")
        # Assumed anew: what is known by now settles what the hypothesis takes to be defined.
        return self._assumed(self._stated[name][place])

    def example(self, values: Mapping[Any, Any]) -> None:
        """Offer an exact instance for hypotheses that random search does not satisfy.

        Names that an equation defines may be left out.

        Values by symbol: numbers; for families sequences, nested for several indices, or mappings of places.
        """
        at = Instance(far=True)
        for key, item in values.items():
            if isinstance(key, sympy.IndexedBase):
                at.entries[key_of(key)] = dict(_entries(item))
            else:
                at.names[key_of(key)] = _exact(item)
        self._instances.append(at)

    def links(self, relation: str) -> tuple[Any, ...]:
        """Return the formulas that a relation of the claim is, one for each link of its chain."""
        if type(relation) is not str or relation not in self._claim.relations:
            listed = ", ".join(self._claim.relations)
            raise KernelError(f"relation {relation!r} is unknown; the claim has {listed}")
        return self._claim.relations[relation].formulas

    def conclude(self, relation: str, *theorems: Theorem) -> None:
        """State that the theorems are the relation of the claim, link by link of its chain."""
        self._register.check(*theorems)
        links = list(map(formula, self.links(relation)))
        stated = self._claim.relations[relation]
        if len(theorems) != len(links):
            raise KernelError(
                f"relation {relation!r} has {len(links)} links, {len(theorems)} theorems were given"
            )
        for theorem, link in zip(theorems, links, strict=True):
            if not implies(theorem.conclusion, link):
                raise KernelError(f"{text(theorem.conclusion)} is not the stated {text(link)}")
        for index, low, high in stated.every:
            if (sympy.sympify(high) - sympy.sympify(low)).is_negative:
                raise KernelError(f"relation {relation!r} is said of no {index}: {low} to {high} is empty")
        allowed = self.allowed(relation)
        # The link says the same as the theorem where it is defined; that it is defined must follow, too.
        rests = self._rests(theorems, links, allowed)
        said_of = [
            (str(index), term(low), term(high)) for index, low, high in stated.every if high != sympy.oo
        ]
        places = specialised(theorems, {item for name in rests for item in self._stated[name]})
        found = self._satisfied(rests, _suspects(theorems), places, links, said_of)
        self._concluded[relation] = Concluded(tuple(theorems), tuple(rests), found)

    def allowed(self, relation: str) -> tuple[str, ...]:
        """Return the names of the hypotheses under which a relation is stated."""
        special = {name for item in self._claim.relations.values() for name in item.under}
        own = self._claim.relations[relation].under
        return tuple(name for name in self._stated if name not in special or name in own)

    def follows(self, item: Any, said: Sequence[Any]) -> bool:
        """Return whether a formula is decided by the signs of hypotheses, of which only those said are known.

        Args:
            item: A formula, without the ranges of its indices.
            said: Formulas of hypotheses, without theirs.
        """
        known = [
            (self._stated[name][place], self._given[name, place])
            for name, hypothesis in self._claim.hypotheses.items()
            for place, stated in enumerate(hypothesis.formulas)
            if _opened(stated) in said
        ]
        return grounded(known)[0].decide(formula(item)) is not None

    def undefined(self, relation: str, terms: Iterable[Node]) -> Node | None:
        """Return what terms ask for to be defined that does not follow where a relation is stated, or None.

        Args:
            relation: Its name; what its own formulas ask for is known, `conclude` asks for it.
            terms: What is written instead of its sides; its indices are free and run over its ranges.
        """
        links = list(map(formula, self.links(relation)))
        known = [item for link in links for item in obligations(link)]
        ranges = [
            (str(index), term(low), None if high == sympy.oo else term(high))
            for index, low, high in self._claim.relations[relation].every
        ]
        asked = (_over(ranges, item) for node in terms for item in obligations(node))
        pending = [part for item in asked for part in factors_not_zero(item)]
        return self._supported(pending, self.allowed(relation), known)[1]

    def _rests(self, theorems: tuple[Theorem, ...], links: list[Node], allowed: tuple[str, ...]) -> list[str]:
        """Return the stated hypotheses on which theorems rest.

        Raises:
            KernelError: One rests on what is not stated.
        """
        rests: dict[str, None] = {}
        for theorem, link in zip(theorems, links, strict=True):
            found, missing = self._supported([*theorem.hypotheses, *obligations(link)], allowed)
            if missing is not None:
                raise KernelError(
                    f"{text(theorem.conclusion)} rests on what is not stated: {text(missing)}"
                    f"{self._remedy(missing, allowed)}"
                )
            rests.update(dict.fromkeys(found))
        return list(rests)

    def _remedy(self, missing: Node, allowed: tuple[str, ...]) -> str:
        """Return words on how a formula that is missing may be had."""
        others = [name for name in self._stated if name not in allowed]
        for name in others:
            if self._supported([missing], (*allowed, name))[1] is None:
                return f"; it follows from hypothesis {name!r}, which the relation does not have in `under`"
        declared = {str(item.symbol) for item in self._claim.variables}
        indices = sorted(key for kind, key in missing.free if kind == "name" and key not in declared)
        if declared and indices:
            return (
                f"; {indices[0]} is an index: conclude what is said of it for its whole range (`every`, "
                "`sum_over`), or call `K.index` after this step"
            )
        return ""

    def _supported(
        self, pending: list[Node], allowed: tuple[str, ...], known: Sequence[Node] = ()
    ) -> tuple[list[str], Node | None]:
        """Return the stated hypotheses from which formulas follow, and the first that does not follow."""
        rests: dict[str, None] = {}
        signs, hidden = self._grounded(allowed)
        stated = [(name, item) for name in allowed for item in self._stated[name]]
        seen: set[Node] = set()
        while pending:
            needed = pending.pop(0)
            if needed in seen:
                continue
            seen.add(needed)
            pending += of_form(needed)
            found = next(((name, item) for name, item in stated if implies(item, needed)), None)
            if found is not None and found[1] in hidden:
                return list(rests), hidden[found[1]]
            if found is not None:
                rests[found[0]] = None
                pending += of_form(found[1])
                continue
            if truth(needed) or any(implies(item, needed) for item in known):
                continue
            support = signs.decide(needed)
            if support is None:
                return list(rests), needed
            pending += [h for fact in self._register.ordered(support) for h in fact.hypotheses]
        return list(rests), None

    def _grounded(self, allowed: tuple[str, ...]) -> tuple[Signs, Mapping[Node, Node]]:
        """Return what hypotheses of these names decide, and what is missing by those that hide it."""
        if allowed not in self._grounds:
            places = [(name, k) for name in allowed for k in range(len(self._stated[name]))]
            self._grounds[allowed] = grounded([(self._stated[n][k], self._given[n, k]) for n, k in places])
        return self._grounds[allowed]

    def _satisfied(
        self,
        rests: list[str],
        suspects: list[Theorem],
        places: Places,
        links: Sequence[Node],
        ranges: Sequence[Range],
    ) -> Mapping[str, str]:
        """Return an instance of the hypotheses, at which the relation is not false, nor said of nothing.

        What is said of all integers or families is tried at some only, and at those that the derivation uses:
        a theorem that is false at an instance which satisfies its hypotheses shows that they contradict
        each other elsewhere.
        """
        against = ""
        formulas = [item for name in rests for item in self._stated[name]]
        for at in self._instances:
            complete(formulas, at)
        for at in (*self._instances, *self._found):  # what was found for another relation may do for this one
            if all(holds(item, at) is True and not fails_beyond(item, at) for item in formulas):
                _refute(suspects, at, self._cleared)
                against = _against(links, ranges, places, formulas, at)
                if not against:
                    return at.shown()
        for number in range(_TRIES):
            found = sample(formulas, random.Random(number), far=True)
            if found is not None and not any(fails_beyond(item, found) for item in formulas):
                _refute(suspects, found, self._cleared)
                against = _against(links, ranges, places, formulas, found)
                if not against:
                    self._found.append(found)
                    return found.shown()
        if against:
            raise KernelError(
                f"the relation is {against}. If the hypotheses do not contradict each other (places and "
                "families that were not tried count, too), give an instance by K.example({symbol: value})"
            )
        wrong = [text(item) for at in self._instances for item in formulas if holds(item, at) is not True]
        hint = f"; the example fails {wrong[0]}" if wrong else "; give one by K.example({symbol: value})"
        raise KernelError(f"no instance was found that satisfies the hypotheses {', '.join(rests)}{hint}")


def _opened(stated: Any) -> Any:
    while isinstance(stated, Every | EveryFamily):
        stated = stated.formula
    return stated


def _over(ranges: Iterable[tuple[str, Node, Node | None]], item: Node) -> Node:
    """Return a formula for every index of ranges that it mentions, the first range innermost."""
    for index, low, high in ranges:
        if ("name", index) in item.free:
            item = Node("every", index, low, high, item)
    return item


def _against(
    links: Sequence[Node], ranges: Sequence[Range], places: Places, formulas: Sequence[Node], at: Instance
) -> str:
    """Return what speaks against a relation at an instance, '' where nothing does."""
    found = _false_at(links, at) or _empty_at(ranges, at) or _fails_at(places, at)
    return found or _fails_far_out(formulas, at)


def _fails_far_out(formulas: Sequence[Node], at: Instance) -> str:
    """Return a hypothesis that fails at a large integer, with that; '' where none is known to."""
    for item in (*formulas, *squeezed(formulas)):
        where = fails_far_out(item, at)
        if where:
            return f"drawn from a hypothesis that fails at {where}: {text(item)} at {at.shown()}"
    return ""


def _fails_at(places: Places, at: Instance) -> str:
    """Return what fails of a hypothesis at a place that the derivation uses; '' where nothing is known to."""
    found = places.false_at(at)
    if found is None:
        return ""
    told = text(found.conclusion)
    return f"drawn from a hypothesis at a place where that fails: {told} at {at.shown()}"


def _false_at(links: Iterable[Node], at: Instance) -> str:
    """Return a link that is false at an instance, with it; '' where there is none."""
    found = next((link for link in links if holds(link, at) is False), None)
    return "" if found is None else f"false where its hypotheses seem to hold: {text(found)} at {at.shown()}"


def _empty_at(ranges: Iterable[Range], at: Instance) -> str:
    """Return a range without a place at an instance, with it; '' where there is none or that is not known."""
    for index, low, high in ranges:
        try:
            if value(high, at) < value(low, at):
                return f"said of no {index} at the instance {at.shown()}: {text(low)} to {text(high)}"
        except (UndefinedError, TypeError):  # an end that names another index, or no rational number
            continue
    return ""


def _suspects(theorems: Iterable[Theorem]) -> list[Theorem]:
    """Return the theorems and what they rest on, as far as their conclusions speak of names alone."""
    found: dict[int, Theorem] = {}
    pending = list(theorems)
    while pending:
        theorem = pending.pop()
        if id(theorem) not in found:
            found[id(theorem)] = theorem
            pending += theorem.parents
    return [item for item in found.values() if all(kind == "name" for kind, _ in item.conclusion.free)]


def _refute(suspects: Iterable[Theorem], at: Instance, cleared: set[tuple[int, int]]) -> None:
    """Refuse an instance at which a theorem is false though its hypotheses hold.

    Raises:
        KernelError: There is such a theorem.
    """
    for theorem in suspects:
        known = all(key in at.names for _, key in theorem.conclusion.free)
        if not known or (id(theorem), id(at)) in cleared:
            continue
        if holds(theorem.conclusion, at) is not False:
            cleared.add((id(theorem), id(at)))
            continue
        # Entries beyond those that an instance has were not chosen to satisfy anything.
        loose = truth(theorem.conclusion) is not False and any(map(endless_in_entries, theorem.hypotheses))
        if not loose and all(holds(item, at) is True for item in theorem.hypotheses):
            raise KernelError(
                f"the hypotheses contradict each other: {text(theorem.conclusion)} follows from them and "
                "is false where they seem to hold"
            )


def _exact(item: Any) -> fmpq:
    if isinstance(item, float):
        raise KernelError(f"{item!r} is a float; give an integer or a Rational")
    number = sympy.sympify(item)
    if not number.is_Rational:
        raise KernelError(f"{item!r} must be rational")
    return fmpq(int(number.p), int(number.q))


def _entries(item: Any, places: tuple[int, ...] = ()) -> Any:
    if hasattr(item, "__len__"):
        for k, inner in item.items() if isinstance(item, Mapping) else enumerate(item):
            yield from _entries(inner, (*places, int(operator.index(k))))
    else:
        yield places, _exact(item)


__all__ = ["Concluded", "Kernel", "Node"]
