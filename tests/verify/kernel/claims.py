"""Small claims, and a register of derivations that the kernel must refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import IndexedBase, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation
from theory.paper import Paper
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError

PAPER = Paper("fake", "A Title", ("Ada Lovelace",), 2021, "2101.00001", "Venue")


def symbols(names: str) -> list[Any]:
    return [Symbol(name, real=True) for name in names.split()]


def families(names: str) -> list[Any]:
    return [IndexedBase(name, real=True) for name in names.split()]


def claim(relation: Relation | dict[str, Relation], **hypotheses: Any) -> Claim:
    """Return a claim with one relation `main` (or several by name) under formulas by name."""
    relations = relation if isinstance(relation, dict) else {"main": relation}
    return Claim(
        id="fake/one",
        kind="upper",
        provenance="derived",
        title="One",
        position=1,
        paper=PAPER,
        setting="",
        parts=(Part("a", "", says=tuple(relations), evidence=("proof",)),),
        hypotheses={name: Hypothesis("domain", item, name) for name, item in hypotheses.items()},
        relations=relations,
    )


def said(left: Any, operator: str, right: Any, *every: Any, under: tuple[str, ...] = ()) -> Relation:
    return Relation((left, operator, right)[::2], (operator,), every, under)


def proved(relation: Any, derive: Callable[[Kernel], None], **hypotheses: Any) -> Kernel:
    """Run a derivation of a claim; raise what it raises, and KernelError where nothing is concluded."""
    kernel = Kernel(claim(relation, **hypotheses))
    derive(kernel)
    missing = [name for name in kernel._claim.relations if name not in kernel.concluded]
    if missing:
        raise KernelError(f"no theorem concludes {missing[0]}")
    return kernel


REFUSED: dict[str, tuple[str, Callable[[], Any]]] = {}
"""Message and derivation, by name."""


def refused(message: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a false derivation with a part of the message with which it must be refused."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        if function.__name__ in REFUSED:
            raise ValueError(f"two false derivations are named {function.__name__}")
        REFUSED[function.__name__] = (message, function)
        return function

    return register


def outcome(name: str) -> str:
    """Return the message with which a false derivation is refused, '' where it is accepted."""
    try:
        REFUSED[name][1]()
    except KernelError as error:
        return str(error) or "refused"
    return ""


def concludes(formula: Any, derive: Callable[[Kernel], Any], **hypotheses: Any) -> Kernel:
    """Conclude a comparison as the relation of a claim from the theorem that `derive` returns."""
    relation = said(formula.left, formula.operator, formula.right)
    return proved(relation, lambda kernel: kernel.conclude("main", derive(kernel)), **hypotheses)
