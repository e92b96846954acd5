"""Places at which a derivation uses what its hypotheses say of all integers or families."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import Instance
from verify.kernel.node import Node

if TYPE_CHECKING:
    from verify.kernel.theorem import Theorem


def specialised(theorems: Iterable[Theorem], stated: Collection[Node]) -> list[Theorem]:
    """Return the theorems behind others that say a stated hypothesis at one place, or of one family."""
    found: dict[int, Theorem] = {}
    seen: dict[int, Theorem] = {}
    pending = list(theorems)
    while pending:
        theorem = pending.pop()
        if id(theorem) not in seen:
            seen[id(theorem)] = theorem
            pending += theorem.parents
            if theorem.rule == "specialise" and _is_stated(theorem, stated):
                found[id(theorem)] = theorem
    return list(found.values())


def _is_stated(theorem: Theorem, stated: Collection[Node]) -> bool:
    while theorem.rule == "specialise":
        theorem = theorem.parents[0]  # the others settle that the place is one
    return theorem.rule == "assume" and theorem.conclusion in stated


def false_there(theorem: Theorem, at: Instance) -> bool:
    """Return whether a hypothesis fails at its place, by values that the instance has."""
    needed = [item for item in theorem.hypotheses if item not in theorem.parents[0].hypotheses]
    closed = Instance(at.names, at.entries, _NoDraws(), at.bound, at.drawn, far=at.far)
    try:
        return (
            all(holds(item, closed) is True for item in needed) and holds(theorem.conclusion, closed) is False
        )
    except _MissingError:
        return False


class _MissingError(Exception):
    """A value that the instance does not have."""


class _NoDraws(random.Random):
    def random(self) -> float:
        raise _MissingError
