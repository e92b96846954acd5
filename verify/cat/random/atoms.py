"""Checks of `cat/atoms`: all outcomes of random atoms in rationals, entries and singular values."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any

from impl.adaptive import keep_probabilities
from impl.compressors import BernoulliSparsifier, GreedySparsification
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.expectation.outcome_tree import Law as Outcomes
from verify.expectation.outcome_tree import square

Atoms = tuple[tuple[F, ...], ...]


def probabilities(s: Sequence[F], T: F) -> list[F]:
    """Return the probabilities of the sparsifier of entries."""
    return list(keep_probabilities(list(s), T))


def coefficients(s: Sequence[F], p: Sequence[F]) -> Outcomes:
    """Return the coefficients that are received, with all outcomes."""
    made = BernoulliSparsifier(list(p))
    return [(q, tuple(made.reference(list(s), draws))) for q, draws in made.outcomes(list(s))]


def greedy(s: Sequence[F], T: F, rounds: int) -> Outcomes:
    """Return what greedy sparsification makes of the coefficients, with all outcomes."""
    made = GreedySparsification(T / len(s), rounds=rounds)
    return [(q, tuple(made.reference(list(s), draws))) for q, draws in made.outcomes(list(s))]


def _rank_one(*pairs: tuple[Sequence[F], Sequence[F]]) -> Atoms:
    return tuple(tuple(a * b for a in u for b in v) for u, v in pairs)


_LONG, _ACROSS = (F(3, 5), F(4, 5)), (F(-4, 5), F(3, 5))
_SPACE = ((F(2, 3), F(2, 3), F(1, 3)), (F(2, 3), F(-1, 3), F(-2, 3)), (F(1, 3), F(-2, 3), F(2, 3)))
ATOMS: dict[str, Atoms] = {
    "entries": tuple(tuple(F(int(i == j)) for i in range(4)) for j in range(4)),
    "turned": _SPACE,
    "singular-values": _rank_one((_LONG, _SPACE[0]), (_ACROSS, _SPACE[2])),
}
COEFFICIENTS = {"entries": (5, 2, 1, 1), "turned": (3, 2, 2), "singular-values": (4, 1)}
SIZES = {"entries": (F(3, 2), F(2), F(3)), "turned": (F(1), F(5, 2)), "singular-values": (F(1, 2), F(3, 2))}

judge = checks_of(
    "cat/atoms", probabilities=probabilities, send=coefficients, vectors=ATOMS.__getitem__, greedy=greedy
)

judge.sabotage(
    "undivided at exact/*: Send the coefficients as they are.",
    {"send": lambda s, p: [(q, tuple(a * b for a, b in zip(c, p, strict=True)))
                           for q, c in coefficients(s, p)]},
    "equal at exact/*: Keep all atoms with one probability.",
    {"probabilities": lambda s, T: [T / len(s)] * len(s)},
    "lost-outcome at exact/*: Lose an outcome.",
    {"send": lambda s, p: coefficients(s, p)[1:]},
    "longer at exact/*: Take atoms of length two.",
    {"vectors": lambda name: tuple(tuple(2 * item for item in row) for row in ATOMS[name])},
    "half at exact/*: Claim half of the variance. | bound = bound / 2",
    "denser at exact/*: Aim at half as many atoms more, greedily.",
    {"greedy": lambda s, T, rounds: greedy(s, min(3 * T / 2, F(len(s))), rounds)},
    "sparser at exact/*: Aim at half of the atoms, greedily.",
    {"greedy": lambda s, T, rounds: greedy(s, T / 2, rounds)},
    "less-spread at exact/*: Claim less of greedy levels. | most = 9 * most / 10",
)  # fmt: skip
judge.sabotage_data(
    "scaled, neutral at exact/*: Multiply the coefficients by 7/3: nothing may change.",
    lambda name, scale: {"name": name, "scale": F(7, 3) * scale},
)


@judge.exact(instances={name: {"name": name, "scale": F(1)} for name in ATOMS})
def atoms(law: Law, name: str, scale: F) -> Iterable[Comparison]:
    """Mean and variance over all outcomes, and the variance of other probabilities of the same size."""
    s, vectors = [scale * item for item in COEFFICIENTS[name]], law.vectors(name)
    for vector in vectors:
        yield eq("rank one", square(vector), F(1), witness={"atom": vector})
    x = _combined(s, vectors)
    for T in SIZES[name]:
        p, at = law.probabilities(s, T), {"T": T}
        stated = law.exactly("bound", s=s, p=p, d=len(s))
        outcomes = [(q, _combined(c, vectors)) for q, c in law.send(s, p)]
        for t, entry in enumerate(x):
            yield eq("mean", sum((q * v[t] for q, v in outcomes), F(0)), entry, witness=at)
        variance = sum((q * square([a - b for a, b in zip(v, x, strict=True)]) for q, v in outcomes), F(0))
        yield eq("variance", variance, stated, witness=at, headline=True)
        yield from _filled(law, s, p, at)
        yield from _others(law, s, T, variance, at)
        if T >= 1:
            yield from _greedy(law, s, T)
    equal = [scale] * len(s)
    most = law.exactly("most", d=len(s), T=1) * square(equal)
    for rounds in (0, 2):
        spent = _variance(law.greedy(equal, F(1), rounds), equal)
        yield eq("one of equals", spent, most, witness={"rounds": rounds})


def _combined(c: Sequence[F], vectors: Atoms) -> tuple[F, ...]:
    """Return the sum of the atoms with these coefficients."""
    return tuple(
        sum((a * b for a, b in zip(c, column, strict=True)), F(0)) for column in zip(*vectors, strict=True)
    )


def _filled(law: Law, s: Sequence[F], p: Sequence[F], at: Any) -> Iterable[Comparison]:
    """All open atoms have one probability over coefficient, which would make the sure ones sure."""
    level = next(kept / item for item, kept in zip(s, p, strict=True) if kept < 1)
    for item, kept in zip(s, p, strict=True):
        yield eq("water filling", kept, law.exactly("probability", s=[item], lamda=level), witness=at)


def _others(law: Law, s: Sequence[F], T: F, variance: F, at: Any) -> Iterable[Comparison]:
    """In proportion to the coefficients, equal, and all of a grid."""
    total, d = sum(s, F(0)), len(s)
    for q in ([min(F(1), T * item / total) for item in s], [T / d] * d):
        yield le("best", variance, law.exactly("bound", s=s, p=q, d=d), witness={**at, "q": q})
    grid = [F(i, 6) for i in range(1, 7)] if d < 4 else [F(i, 4) for i in range(1, 5)]
    least = min(
        sum((item * item * (1 / kept - 1) for item, kept in zip(s, q, strict=True)), F(0))
        for q in product(grid, repeat=d)
        if sum(q) <= T
    )
    yield le("best of a grid", variance, least, witness=at)


def _greedy(law: Law, s: Sequence[F], T: F) -> Iterable[Comparison]:
    """Greedy levels after none, one and two rounds: their variance, their chances and how many they keep."""
    d, total = len(s), sum(s, F(0))
    for rounds in (0, 1, 2):
        at, outcomes = {"T": T, "rounds": rounds}, law.greedy(s, T, rounds)
        chances = [sum((q for q, v in outcomes if v[j]), F(0)) for j in range(d)]
        most = law.exactly("most", d=d, T=T) * square(s)
        yield le("greedy levels", _variance(outcomes, s), most, witness=at)
        yield le("greedy size", sum(chances, F(0)), T, witness=at)
        for item, kept in zip(s, chances, strict=True):
            first = law.exactly("probability", s=[item], lamda=T / total)
            yield le("level of a round", first, kept, witness=at)


def _variance(outcomes: Outcomes, s: Sequence[F]) -> F:
    return sum((q * square([a - b for a, b in zip(v, s, strict=True)]) for q, v in outcomes), F(0))
