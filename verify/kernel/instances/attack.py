"""Attack on theorems: exact instances that satisfy the hypotheses must satisfy the conclusion."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from flint import fmpq

from verify.kernel.inequalities.definedness import obligations
from verify.kernel.instances.draws import PlainSource, WideSource
from verify.kernel.instances.sampling import repair, repaired, sample
from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import Instance, UndefinedError, value
from verify.kernel.node import Node
from verify.kernel.text import text
from verify.kernel.theorem import Theorem

_TRIES = 12
_PLAIN = 2
"""Further tries of zeros and ones, where no instance was met."""
_ROUNDS = 30
"""Rounds of repairs: of 3541 instances of seven derivations that 60 met, 97 of 100 were met in so many."""
_MOST_PLACES = 200
"""Places with entries beyond which an instance is given up: its repairs call for ever more of them."""


def attacked(theorem: Theorem, *, tries: int = _TRIES, seed: int = 0) -> tuple[int, str]:
    """Return how many instances satisfied the hypotheses, and the first failure or ''.

    "The hypotheses hold and the conclusion is undefined" is a failure, too.
    """
    return Attack(theorem.hypotheses, tries=tries, seed=seed)(theorem.conclusion)


def refuted(hypotheses: Sequence[Node], conclusion: Node) -> str:
    """Return why a formula that is to be cited is refused, '' where nothing speaks against it."""
    met = 0
    for tries, make in ((200, random.Random), (60, WideSource)):
        attack = Attack(hypotheses, tries=tries, seed=1, plain=0, rounds=2 * _ROUNDS, make=make)
        found, failure = attack(conclusion)
        met += found
        if failure:
            return failure
    return "" if met else "no instance satisfies its hypotheses"


class Attack:
    """Instances of hypotheses, drawn when they are looked at, for all conclusions from these.

    Args:
        hypotheses: What instances satisfy.
        tries: How often one is drawn.
        seed: Of the draws.
        plain: How often one of zeros and ones is drawn further, where none was met.
        rounds: Rounds of repairs of each.
        make: What draws.
    """

    def __init__(
        self,
        hypotheses: Sequence[Node],
        *,
        tries: int = _TRIES,
        seed: int = 0,
        plain: int = _PLAIN,
        rounds: int = _ROUNDS,
        make: type[random.Random] = random.Random,
    ) -> None:
        self._hypotheses, self._rounds, self._make = [_endless_first(h) for h in hypotheses], rounds, make
        self._key = f"{seed}/{' '.join(sorted(map(text, hypotheses)))}"
        self._drawn = self._draw(tries, plain)
        self._known: list[Instance] = []

    def __call__(self, conclusion: Node) -> tuple[int, str]:
        """Return how many instances were looked at, and the first at which the conclusion fails or ''."""
        met = 0
        for met, found in enumerate(self._instances(), 1):
            source = self._make(f"{self._key}/{met}/{text(conclusion)}")
            failure = _confirmed(self._hypotheses, conclusion, found.copy(source), source)
            if failure:
                return met, failure
        return met, ""

    def _instances(self) -> Iterator[Instance]:
        yield from self._known
        for found in self._drawn:
            self._known.append(found)
            yield found

    def _draw(self, tries: int, plain: int) -> Iterator[Instance]:
        misses, found = 0, False
        for number in range(tries + plain):
            if number < tries and misses > 8 and not found:
                continue
            if number >= tries and found:
                return
            make = self._make if number < tries else PlainSource
            at = sample(self._hypotheses, make(f"{self._key}/{number}"), rounds=self._rounds)
            if at is None:
                misses += 1
            else:
                found = True
                yield at


def _endless_first(formula: Node) -> Node:
    """Return what is said for every index with the endless one first, of which more places are tried."""
    if formula.op != "every" or formula.args[2] is None:
        return formula
    index, low, high, body = formula.args
    inner = _endless_first(body)
    if inner.op != "every" or inner.args[2] is not None:
        return formula
    if index in {found for _, found in inner.args[1].free}:
        return formula
    other, first, _, said = inner.args
    return Node("every", other, first, None, Node("every", index, low, high, said))


def _confirmed(hypotheses: Sequence[Node], conclusion: Node, at: Instance, source: random.Random) -> str:
    """Return how a conclusion fails where hypotheses hold at more places than they were tried at."""
    failure = _failure(conclusion, at)
    if failure and _stays(hypotheses, at, source):
        failure = _failure(conclusion, at)
        if failure and _holds_at_entries(hypotheses, at, source):
            return _failure(conclusion, at)
    return ""


def _holds_at_entries(hypotheses: Sequence[Node], at: Instance, source: random.Random) -> bool:
    """Return whether what is said of all integers holds, after repairs, at each place that has an entry.

    The conclusion may look at entries, such as w[2k], that are not among the places tried before.
    """
    endless = [item for item in hypotheses if item.op == "every" and item.args[2] is None]
    for _ in range(20):
        places = {k for values in at.entries.values() for key in values for k in key}
        if len(places) > _MOST_PLACES:
            return False
        ordered = sorted(places)
        wrong = [
            (item, fmpq(k))
            for item in endless
            for k in ordered
            if k >= value(item.args[1], at) and holds(item.args[3], at.within(item.args[0], fmpq(k))) is False
        ]
        if not wrong:
            # A repair may have changed a name of which another hypothesis speaks.
            return all(holds(item, at) is True for item in hypotheses if item not in endless)
        for item, k in wrong:
            repair(item.args[3], at.within(item.args[0], k), source)
    return False


def _has_family(formula: Node) -> bool:
    return formula.op == "family" or (formula.op == "every" and _has_family(formula.args[3]))


def _stays(hypotheses: Sequence[Node], at: Instance, source: random.Random) -> bool:
    """Return whether hypotheses hold that were tried for some families or indices only.

    They are tried for more; those on all large integers are repaired far out.
    """
    if not all(holds(item, at) is True for item in hypotheses if _has_family(item) for _ in range(60)):
        return False
    endless = [item for item in hypotheses if item.op == "every" and item.args[2] is None]
    if endless:
        at.far = True
        found = repaired(hypotheses, at, source)
        at.far = False
        return found is not None and _holds_far_out(endless, at, source)
    return True


def _holds_far_out(endless: Sequence[Node], at: Instance, source: random.Random) -> bool:
    """Return whether formulas hold at a large integer, by choice of the entries there and of nothing else."""
    names, entries = dict(at.names), {family: dict(values) for family, values in at.entries.items()}
    place = fmpq(10**9 if not any(_has_power(item) for item in endless) else 10**4)
    for _ in range(40):
        wrong = [item for item in endless if holds(item.args[3], at.within(item.args[0], place)) is not True]
        if not wrong:
            return True
        for item in wrong:
            repair(item.args[3], at.within(item.args[0], place), source)
            at.names.clear()
            at.names.update(names)
            for family, values in entries.items():
                at.entries[family].update(values)
    return False


def _has_power(node: Node) -> bool:
    """Return whether a node has a power whose exponent is no number."""
    if node.op == "pow" and node.args[1].op != "num":
        return True
    return any(_has_power(item) for item in node.args if isinstance(item, Node))


def _failure(conclusion: Node, at: Instance) -> str:
    try:
        undefined = [item for item in obligations(conclusion) if holds(item, at) is False]
        if undefined:
            return f"{text(undefined[0])} fails, so that {text(conclusion)} is undefined, at {at.shown()}"
        if holds(conclusion, at) is False:
            return f"{text(conclusion)} is false at {at.shown()}"
    except UndefinedError:
        return ""
    return ""
