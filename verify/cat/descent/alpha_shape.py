"""Checks of `cat/alpha-shape`: shares of exact vectors with ties and zeros, and a search."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import TopK
from impl.compressors.contract import Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI
from verify.comparison import Comparison
from verify.rungs.adversarial import AdversarialCase

_DIM = 6


def largest(values: list[F], size: int) -> list[F]:
    """Keep the largest entries."""
    return TopK(size).reference(values, Draws()) if size else [F(0)] * len(values)


def first_indices(values: list[F], size: int) -> list[F]:
    """Sabotage: keep the first entries instead of the largest."""
    return [item if place < size else F(0) for place, item in enumerate(values)]


judge = checks_of("cat/alpha-shape", keep=largest, order=1)


judge.sabotage(
    "first-indices: Keep the first T entries instead of the largest: 10/173 of |g|^2 for `gi` and T = 2, "
    "below 1/4, and not concave.",
    {"keep": first_indices},
    "next-size at exact/*: Keep one entry more, and none instead of all.",
    {"keep": lambda values, size: largest(values, (size + 1) % (len(values) + 1))},
    "one-more: State (T + 1)/d: (T + 1)/T times too much for flat gradients. | bound = bound + bound / T",
    "reversed-coordinates, neutral at exact/*: Number the coordinates the other way round: nothing may "
    "change. | order = -1",
)


@judge.exact(g=(GI, (1,) * 7, (3, 3, -3, 1, 0, 0), (0, 0, 2), (5,), (1, -2, 2, -2, 1, 1, 0, 4, 4)))
def vectors(law: Law, g: Any) -> Iterable[Comparison]:
    """Shares of what is sent: as stated, nondecreasing, concave, 1 in the end, at least T/d."""
    for vector in g:
        d, nonzeros = len(vector), sum(item != 0 for item in vector)
        values = [F(item) for item in vector[:: law.order]]
        total = sum(item**2 for item in values)
        shares = [sum(item**2 for item in law.keep(values, size)) / total for size in range(d + 1)]
        given: dict[str, Any] = {"a": sorted((item**2 for item in values), reverse=True), "d": d}
        equal = len(set(map(abs, values))) == 1
        for size in range(1, d + 1):
            witness = {"g": values, "T": size}
            stated, bound = law.exactly("exact", **given, T=size), law.exactly("bound", T=size, d=d)
            yield eq("share", shares[size], stated, witness=witness)
            yield le("T/d", bound, shares[size], witness=witness, headline=True)
            yield le("nondecreasing", shares[size - 1], shares[size], witness=witness)
            if equal:
                yield eq("attained if flat", shares[size], bound, witness=witness)
        for size in range(1, d):
            witness = {"g": values, "T": size}
            grown, before = shares[size + 1] - shares[size], shares[size] - shares[size - 1]
            yield eq("increment", grown, law.exactly("increment", **given, T=size), witness=witness)
            yield le("concave", grown, before, witness=witness)
            bound = law.exactly("bound", T=size, d=d)
            yield le("excess", bound + law.exactly("excess", **given), shares[size], witness=witness)
            if shares[size] == bound:
                yield eq("flat if attained", len(set(map(abs, values))), 1, witness=witness)
        yield eq("none sent", shares[0], 0)
        yield eq("all nonzeros sent", shares[nonzeros], 1)


@judge.adversarial(d=_DIM, ratio="T/d over the share")
def d6(law: Law, d: int, **_: Any) -> AdversarialCase:
    """The share is at least T/d, whatever the gradient."""
    stated = np.array([law("bound", T=size, d=d) for size in range(1, d + 1)])

    def worst(inputs: Any) -> tuple[Any, Any]:
        squares = inputs**2 if law.keep is first_indices else -np.sort(-(inputs**2), axis=1)
        shares = np.cumsum(squares, axis=1) / squares.sum(axis=1, keepdims=True)
        place = np.argmax(stated / np.maximum(shares, 1e-300), axis=1)
        return stated[place], np.take_along_axis(shares, place[:, None], 1)[:, 0]

    return AdversarialCase(
        value=lambda inputs: worst(inputs)[0],
        bound=lambda inputs: worst(inputs)[1],
        dim=d,
        starts=(np.ones(d), np.arange(1.0, d + 1)),
        budget=1200,
    )
