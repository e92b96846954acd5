"""Checks of `cat/contractions`: what compressors lose, in rationals and in a search."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import NaturalCompression, OneBit, RandK, Scaled, TernGrad, TopK, TopKSigns
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI
from verify.comparison import Comparison
from verify.expectation.outcome_tree import square
from verify.rungs.adversarial import AdversarialCase

_DIM = 6


def largest_loss(x: Any, k: int) -> Any:
    """Return what the k largest entries lose."""
    return TopK(k).variance(x)


def sign_loss(x: Any) -> Any:
    """Return what the mean magnitude with all signs loses."""
    return TopKSigns(np.shape(x)[-1], scale="mean").variance(x)


def one_bit_loss(x: Any) -> Any:
    """Return what the means of both classes lose."""
    return OneBit().variance(x)


def fewer_signs(x: Any) -> Any:
    """Sabotage: leave the smallest entry out."""
    return TopKSigns(np.shape(x)[-1] - 1, scale="mean").variance(x)


def random_loss(x: Sequence[F], k: int, factor: F) -> F:
    """Return what k random entries lose in expectation, over all sets; rand-k times the factor."""
    entries = Scaled(RandK(k), factor)
    lost = (
        (q, entries.reference([list(x)], draws)[0]) for q, draws in entries.outcomes([list(x)])
    )  # of one client
    return sum((q * square([a - b for a, b in zip(v, x, strict=True)]) for q, v in lost), F(0))


judge = checks_of(
    "cat/contractions",
    largest=largest_loss,
    signs=sign_loss,
    one_bit=one_bit_loss,
    share=F,
    rounds=NaturalCompression,
    shrink=lambda omega: 1 + omega,
)

VECTORS: dict[str, dict[str, Any]] = {
    "gi": {"x": GI},
    "ties-and-zero": {"x": (2, -2, 0, 1, 1)},
    "one-entry": {"x": (0, -3, 0, 0, 0)},
    "equal": {"x": (1, -1, 1, 1)},
    "one-class": {"x": (3, 1, 2)},
}

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "one-more at exact/*, adversarial/three-largest: Claim that of one entry more. | bound = bound - 1 / d",
    "smallest at exact/gi, exact/ties-and-zero, exact/one-class, adversarial/three-largest: Keep the "
    "smallest entries.",
    {"largest": lambda x, k: np.sum(np.square(x), axis=-1) - TopK(np.shape(x)[-1] + 1 - k).variance(x)},
    "unscaled at exact/gi, exact/equal: Send random entries as unbiased ones: d/k times as large.",
    {"share": lambda k, d: F(1)},
    "fewer-signs at exact/gi, exact/equal, exact/one-class: Leave the smallest entry out of the signs.",
    {"signs": fewer_signs},
    "one-mean at exact/gi, exact/ties-and-zero: Send one mean for both classes.",
    {"one_bit": sign_loss},
    "coarse at exact/gi, exact/ties-and-zero, exact/one-entry, exact/one-class: Round what is below four to "
    "0 or four.",
    {"rounds": lambda: NaturalCompression(2)},
    "a-ninth at exact/gi, exact/one-class: Claim a ninth. | powers = 8 * powers / 9",
    "not-shrunk at exact/gi, exact/equal: Do not shrink unbiased messages.",
    {"shrink": lambda omega: F(1)},
    "two-norm at exact/gi, exact/ties-and-zero, exact/one-class, adversarial/signs, adversarial/class-means: "
    "Claim half of the loss of signs. | sign = sign / 2",
)
judge.sabotage_data(
    "scaled, neutral at exact/*: Multiply the vector by -7/3: nothing may change but which class is which.",
    lambda x: {"x": tuple(F(-7, 3) * item for item in x)},
)


# ---------------------------------------------------------------- checks


@judge.exact(instances=VECTORS)
def vectors(law: Law, x: Sequence[Any]) -> Iterable[Comparison]:
    """What entries, signs and class means lose, written out and against the claim."""
    x, d = [F(item) for item in x], len(x)
    s, X, X_1 = sorted(map(abs, x), reverse=True), square(x), sum(map(abs, x), F(0))
    for k in range(1, d + 1):
        at = {"x": x, "k": k}
        bound, lost = law.exactly("bound", k=k, d=d) * X, law.largest(x, k)
        yield eq("largest entries", lost, square(s[k:]), witness=at)
        yield le("largest entries, at most", lost, bound, witness=at, headline=True)
        if len(set(s)) == 1:
            yield eq("equal magnitudes", lost, bound, witness=at)
        if k < 3 or k == d:  # few enough sets
            yield eq("random entries", random_loss(x, k, law.share(k, d)), bound, witness=at)
    at = {"x": x}
    stated = law.exactly("sign", X=X, X_1=X_1, d=d)
    lost, mean = law.signs(x), X_1 / d
    yield eq("signs", lost, sum((item - mean * (item > 0)) ** 2 for item in s), witness=at)
    yield le("signs, at most", lost, stated * X, witness=at)
    if all(s):
        yield eq("signs of all", lost, stated * X, witness=at)
    yield le("least", stated, law.exactly("least", d=d), witness=at)
    yield from _classes(law, x, stated * X)
    yield from _shrunk(law, x)
    yield from _powers(law, x)
    one, even = {"X": F(9), "X_1": F(3)}, {"X": F(9 * d), "X_1": F(3 * d)}
    yield eq("one entry", law.exactly("sign", **one, d=d), law.exactly("least", d=d), witness=at)
    yield eq("one entry", law.exactly("sign", **even, d=d), F(0), witness=at)


def _classes(law: Law, x: list[F], bound: F) -> Iterable[Comparison]:
    """Both classes, each decoded to its mean."""
    lost, total = law.one_bit(x), F(0)
    for members in ([item for item in x if item >= 0], [item for item in x if item < 0]):
        if members:
            mean = sum(members, F(0)) / len(members)
            total += square([item - mean for item in members])
    yield eq("class means", lost, total, witness={"x": x})
    yield le("class means, at most", lost, bound, witness={"x": x})


def _shrunk(law: Law, x: list[F]) -> Iterable[Comparison]:
    """Unbiased messages over 1 + omega, their law enumerated."""
    X, d = square(x), len(x)
    makes: tuple[tuple[str, Any, Callable[[Any], F]], ...] = (
        ("rand-2", RandK(2), lambda _: F(d, 2) - 1),
        ("TernGrad", TernGrad(), lambda made: made.variance(x) / X),
        ("powers of two", NaturalCompression(), lambda _: F(1, 8)),
    )
    for name, made, constant in makes:
        omega, at = constant(made), {"x": x, "compressor": name}
        lost = F(0)
        for q, draws in made.outcomes(x):
            message = [item / law.shrink(omega) for item in made.reference(x, draws)]
            lost += q * square([a - b for a, b in zip(message, x, strict=True)])
        yield le("shrunk", lost, law.exactly("shrunk", omega=omega) * X, witness=at)


def _powers(law: Law, x: list[F]) -> Iterable[Comparison]:
    """Natural compression, the power of two below each magnitude found by doubling."""
    made, below = law.rounds(), [_below(abs(item)) for item in x]
    spent = sum(((abs(item) - low) * (2 * low - abs(item)) for item, low in zip(x, below, strict=True)), F(0))
    yield eq("powers of two", made.variance(x), spent, witness={"x": x})
    yield le("powers of two, at most", made.variance(x), law.exactly("powers", X=square(x)), witness={"x": x})
    thirds = [F(4, 3) * low for low in below]
    yield eq(
        "four thirds", made.variance(thirds), law.exactly("powers", X=square(thirds)), witness={"x": thirds}
    )


def _below(s: F) -> F:
    if not s:
        return s
    power = F(1)
    while power > s:
        power /= 2
    while 2 * power <= s:
        power *= 2
    return power


_STARTS = (np.ones(_DIM), np.arange(1.0, _DIM + 1), np.array([9.0, -6, 5, -4, 3, 2]))


@judge.adversarial(instance="three-largest", k=3)
def three_largest(law: Law, k: int, **_: Any) -> AdversarialCase:
    """Search where the largest entries lose most."""
    share = law("bound", k=k, d=_DIM)
    return AdversarialCase(
        value=lambda x: law.largest(x, k),
        bound=lambda x: share * (x**2).sum(axis=1),
        dim=_DIM,
        starts=_STARTS,
        budget=600,
    )


def _kept(law: Law, loss: Callable[[Any], Any]) -> AdversarialCase:
    """What is not lost against what the claim leaves at least: losses may be differences of large numbers."""

    def claimed(x: Any) -> Any:
        rows = zip((x**2).sum(axis=1).tolist(), np.abs(x).sum(axis=1).tolist(), strict=True)
        return np.array([(1 - law("sign", X=X, X_1=X_1, d=_DIM)) * X for X, X_1 in rows])

    return AdversarialCase(
        value=claimed, bound=lambda x: (x**2).sum(axis=1) - loss(x), dim=_DIM, starts=_STARTS, budget=600
    )


@judge.adversarial(instance="signs", ratio="what is kept at least over what is")
def signs(law: Law, **_: Any) -> AdversarialCase:
    """Search where signs lose most."""
    return _kept(law, law.signs)


@judge.adversarial(instance="class-means", ratio="what is kept at least over what is")
def class_means(law: Law, **_: Any) -> AdversarialCase:
    """Search where class means lose most."""
    return _kept(law, law.one_bit)
