"""Checks of `cat/alpha-shape`: shares of exact vectors with ties and zeros, and a search."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import TopK
from impl.compressors.contract import Draws
from theory.cat.alpha_shape import derivation
from theory.cat.symbols import T
from verify.binding import Check
from verify.cat.golden_vectors import GI
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/alpha-shape"
VECTORS = (GI, (1,) * 7, (3, 3, -3, 1, 0, 0), (0, 0, 2), (5,), (1, -2, 2, -2, 1, 1, 0, 4, 4))
_DIM = 6


def first_indices(values: list[F], size: int) -> list[F]:
    """Sabotage: keep the first entries instead of the largest."""
    return [item if place < size else F(0) for place, item in enumerate(values)]


def largest(values: list[F], size: int) -> list[F]:
    """Keep the largest entries."""
    return TopK(size).reference(values, Draws()) if size else [F(0)] * len(values)


@dataclass(frozen=True)
class Sabotage:
    """What is kept and stated: as it should be, or with one fault.

    Args:
        keep: Maps a vector and T to what is sent.
        more: Added to T in the stated bound.
        reverse: Whether the coordinates are numbered the other way round.
    """

    keep: Callable[[list[F], int], list[F]] = largest
    more: int = 0
    reverse: bool = False


FAULTS = {"first-indices": Sabotage(keep=first_indices), "one-more": Sabotage(more=1)}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    changed = {**claim.expressions, "bound": claim.expressions["bound"].subs(T, T + 1)}
    mutants = {**FAULTS, "reversed-coordinates": Sabotage(reverse=True)}
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"one-more": SymbolicCase(derivation(changed))},
            seconds=0.2,
        ),
        Check(
            "exact",
            "vectors",
            ExactCase(partial(compare, Sabotage())),
            {"g": VECTORS},
            {name: ExactCase(partial(compare, fault)) for name, fault in mutants.items()},
            seconds=0.3,
        ),
        Check(
            "adversarial",
            f"d{_DIM}",
            _search(Sabotage(), 1200),
            {"d": _DIM, "ratio": "T/d over the share"},
            {name: _search(fault, 300) for name, fault in FAULTS.items()},
            seconds=0.2,
        ),
    )


def compare(rule: Sabotage) -> Iterable[Comparison]:
    """Shares of what is sent: as stated, nondecreasing, concave, 1 in the end, at least T/d."""
    for g in VECTORS:
        d, nonzeros = len(g), sum(item != 0 for item in g)
        values = [F(item) for item in (g[::-1] if rule.reverse else g)]
        total = sum(item**2 for item in values)
        shares = [sum(item**2 for item in rule.keep(values, size)) / total for size in range(d + 1)]
        given = {"a": sorted((item**2 for item in values), reverse=True), "d": d}
        for size in range(1, d + 1):
            witness = {"g": values, "T": size}
            stated = _exactly("exact", {**given, "T": size})
            yield Comparison("share", "eq", shares[size], stated, witness=witness)
            bound = _exactly("bound", {"T": size + rule.more, "d": d})
            yield Comparison("T/d", "le", bound, shares[size], witness=witness, headline=True)
            yield Comparison("nondecreasing", "le", shares[size - 1], shares[size], witness=witness)
        for size in range(1, d):
            witness = {"g": values, "T": size}
            grown, before = shares[size + 1] - shares[size], shares[size] - shares[size - 1]
            yield Comparison("increment", "eq", grown, _exactly("increment", {**given, "T": size}))
            yield Comparison("concave", "le", grown, before, witness=witness)
            excess = _exactly("excess", given)
            yield Comparison("excess", "le", F(size, d) + excess, shares[size], witness=witness)
            # Equality at one T < d means equality at all: the excess is 0 iff all are equal.
            equal = shares[size] == F(size, d)
            yield Comparison("flat iff attained", "eq", int(equal), int(len(set(map(abs, g))) == 1))
        yield Comparison("none sent", "eq", shares[0], 0)
        yield Comparison("all nonzeros sent", "eq", shares[nonzeros], 1)


def _exactly(name: str, values: dict[str, Any]) -> F:
    return rational(evaluate_exact(theory.claim(ID).expressions[name], values))  # type: ignore[no-any-return]


def _search(rule: Sabotage, budget: int) -> AdversarialCase:
    def shares(inputs: Any) -> Any:
        squares = inputs**2
        if rule.keep is largest:
            squares = -np.sort(-squares, axis=1)
        return np.cumsum(squares, axis=1) / squares.sum(axis=1, keepdims=True)

    stated = (np.arange(1, _DIM + 1) + rule.more) / _DIM

    def place(found: Any) -> Any:
        return np.argmax(stated / np.maximum(found, 1e-300), axis=1)

    def bound(inputs: Any) -> Any:
        found = shares(inputs)
        return np.take_along_axis(found, place(found)[:, None], 1)[:, 0]

    return AdversarialCase(
        value=lambda inputs: stated[place(shares(inputs))],
        bound=bound,
        dim=_DIM,
        starts=(np.ones(_DIM), np.arange(1.0, _DIM + 1)),
        budget=budget,
    )
