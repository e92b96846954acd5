"""Checks of `cq_marina/cq-equal-inputs`: the law and the variance over all outcomes, suprema by search."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, StochasticQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.cq_marina.fixtures.est_exact_sabotage import CommonPermutation
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, estimates
from verify.cq_marina.fixtures.joint.sabotaged_thresholds import NoJitter, SabotagedQuantizer
from verify.expectation.rational_norm import rational_norm
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

Vector = tuple[F, ...]
Distribution = dict[tuple[Any, ...], Any]

# Inputs of rational norm, and the number of clients that hold them; small enough for all outcomes.
LAWS: dict[str, dict[str, Any]] = {
    "two-clients": {"n": 2, "x": (F(3), F(-4))},
    "two-clients-d3": {"n": 2, "x": (F(1), F(2), F(-2))},
    "three-clients": {"n": 3, "x": (F(3), F(4))},
}
# 2304 outcomes.
SLOW: dict[str, dict[str, Any]] = {"four-clients": {"n": 4, "x": (F(5), F(-12))}}
# For the closed form; the golden ones first.
EXACT: dict[str, dict[str, Any]] = {
    "odd-multiples": {"n": 4, "x": (F(3), *(F(1),) * 7)},
    "nine-ones": {"n": 2, "x": (F(1),) * 9},
    "basis-vector": {"n": 3, "x": (F(1), *(F(0),) * 4)},
    "seven-clients": {"n": 7, "x": (F(2), F(3), F(6), F(0))},
    "ternary-halves": {"n": 3, "x": (F(1),) * 4},
}
SEARCHED: dict[str, dict[str, Any]] = {
    "even-low-dimension": {"n": 4, "start": (3.0, *(1.0,) * 7)},
    "even-high-dimension": {"n": 2, "start": (1.0,) * 6, "most": "high_dimension"},
    "odd": {"n": 3, "start": (1.0, 0.0, 0.0)},
}
SAMPLED = tuple((-1.0) ** j * j for j in range(1, 17))
_ENUMERATED = tuple(f"exact/all-outcomes-{name}" for name in (*LAWS, *SLOW))

judge = checks_of("cq_marina/cq-equal-inputs", quantizer=CorrelatedQuantizer)


judge.sabotage(
    "quarter-constant at adversarial/even-low-dimension, adversarial/odd: d/(4n^2) for d/n^2 on the binary "
    "grid: broken by a factor 4, as at n = 4, x = (3, 1^7). | bound = ternary_bound",
    at=(*(f"exact/{name}" for name in EXACT),),
)
judge.sabotage(
    "independent-thresholds at exact/law-*, montecarlo/three-clients: Independent thresholds: the variance "
    "is (d - 1)/n r^2, whatever the input.",
    quantizer=IndependentQuantizer,
    at=_ENUMERATED,
)
judge.sabotage(
    "half-step at exact/law-*: Claim the step r/n of the ternary grid for the law on the binary grid. "
    "| step = step / 2",
    "no-jitter at exact/all-outcomes-two-clients: Thresholds without jitter: biased.",
    {"quantizer": lambda grid: SabotagedQuantizer(grid, NoJitter())},
)
judge.sabotage(
    "common-permutation, neutral: One permutation for all coordinates: the coordinates of the output depend "
    "on each other, the variance is the same.",
    quantizer=CommonPermutation,
    at=_ENUMERATED,
)


def stated(law: Law, name: str, n: int, x: Vector) -> Any:
    """Return a formula of the claim at an input of rational norm, exactly."""
    r, d = rational_norm(x), len(x)
    values: dict[str, Any] = {"r": r, "n": n, "d": d}
    if name == "exact":
        values["y"] = tuple(law.exactly("level", x=x, r=r, j=j) for j in range(d))
    elif name == "ternary":
        values["x"] = x
    return law.exactly(name, **values)


# ---------------------------------------------------------------- the law


def distribution(outcomes: Iterable[tuple[Any, Sequence[Any]]]) -> Distribution:
    """Return the probability of each point."""
    law: Distribution = {}
    for chance, point in outcomes:
        law[tuple(point)] = law.get(tuple(point), F(0)) + chance
    return {point: chance for point, chance in law.items() if chance}


def one_quantizer(x: Vector, step: F) -> Iterator[tuple[F, tuple[F, ...]]]:
    """Yield the outcomes of stochastic rounding to levels at this distance above -||x||, literally."""
    r = rational_norm(x)
    choices = []
    for item in x:
        level = (item + r) / step
        low = math.floor(level)
        choices.append([(low + 1 - level, low * step - r), (level - low, (low + 1) * step - r)])
    for chosen in itertools.product(*choices):
        yield math.prod((chance for chance, _ in chosen), start=F(1)), tuple(item for _, item in chosen)


def standard_quantizer(x: Vector, step: F) -> Iterator[tuple[Any, Any]]:
    """Yield the outcomes of the quantizer of `squant/var` with this step."""
    quantizer = StochasticQuantizer(step)
    for chance, draws in quantizer.outcomes(list(x)):
        yield chance, quantizer.reference(list(x), draws)


@judge.exact(instances={f"law-{name}": item for name, item in SLOW.items()}, profile="full")
@judge.exact(instances={f"law-{name}": item for name, item in LAWS.items()})
def law_of_the_mean(law: Law, n: int, x: Vector) -> Iterable[Comparison]:
    """The distribution of the estimate against that of one uniform quantizer, point by point."""
    found = distribution(estimates(law.quantizer("binary"), [x] * n))
    wanted = distribution(one_quantizer(x, law.exactly("step", r=rational_norm(x), n=n)))
    for point in sorted(set(found) | set(wanted)):
        yield eq("law of the mean", found.get(point, 0), wanted.get(point, 0))
    if n % 2 == 0:  # only then 0 is a level, as it is for the quantizer of QSGD
        standard = distribution(standard_quantizer(x, F(2, n)))
        same = all(found.get(point, 0) == standard.get(point, 0) for point in set(found) | set(standard))
        yield eq("the quantizer of QSGD", int(same), 1)


# ---------------------------------------------------------------- the variance


@judge.exact(instances={f"all-outcomes-{name}": item for name, item in SLOW.items()}, profile="full")
@judge.exact(instances={f"all-outcomes-{name}": item for name, item in LAWS.items()})
def all_outcomes(law: Law, n: int, x: Vector) -> Iterable[Comparison]:
    """Sum over all outcomes of the clients' bits."""
    moments = enumerate_joint(law.quantizer("binary"), [x] * n)
    for mean, item in zip(moments.mean, x, strict=True):
        yield eq("mean of a coordinate", mean, item)
    yield eq("binary variance", moments.error, stated(law, "exact", n, x))
    yield le("binary bound", moments.error, stated(law, "bound", n, x), headline=True)


@judge.exact(instances=EXACT)
def closed_form(law: Law, n: int, x: Vector) -> Iterable[Comparison]:
    """The oracle, which knows nothing of equal inputs, against the stated variances and bounds."""
    binary, ternary = (CorrelatedQuantizer(grid).variance([list(x)] * n) for grid in ("binary", "ternary"))
    yield eq("binary variance", binary, stated(law, "exact", n, x))
    yield eq("ternary variance", ternary, stated(law, "ternary", n, x))
    yield le("binary bound", binary, stated(law, "bound", n, x), headline=True)
    yield le("ternary bound", ternary, stated(law, "ternary_bound", n, x))
    r = rational_norm(x)
    for j, item in enumerate(x):
        yield eq("level", F(1 + item / r) / 2, law.exactly("level", x=x, r=r, j=j))
    if all(n * item / r % 1 == F(1, 2) for item in x):
        yield eq("ternary halves", ternary, stated(law, "ternary_bound", n, x))


@judge.exact(parameters={"n": [2, 3, 4, 5, 6, 8, 10]})
def suprema(law: Law) -> Iterable[Comparison]:
    """The inputs at which the stated values are taken."""

    def variance(n: int, x: Vector) -> Any:
        return CorrelatedQuantizer("binary").variance([list(x)] * n)

    for n in (2, 4, 6, 8, 10):
        for d in range(n**2 % 8 or 8, n**2 + 1, 8):
            x = tuple(F(item) for item in odd_numbers(n**2, d))
            yield eq("odd multiples", variance(n, x), stated(law, "bound", n, x))
    for n, root in itertools.product((2, 4), (4, 5)):
        largest = root**2 * law.exactly("high_dimension", n=n, d=root**2)
        yield eq("equal entries", variance(n, (F(1),) * root**2), largest)
    for n, d in itertools.product((3, 5), (1, 4, 7)):
        least = law.exactly("odd_at_basis", n=n, d=d)
        yield eq("basis vector", variance(n, (F(1), *(F(0),) * (d - 1))), least)


@judge.exact(n=[2, 4, 6, 8, 10])
def odd_squares(law: Law, n: int) -> Iterable[Comparison]:
    """How many odd squares add up to n^2, by adding them: those numbers d that part (l) allows, no other."""
    squares = [item**2 for item in range(1, n + 1, 2)]
    sums = {0}
    for d in range(1, n**2 + 9):
        sums = {total + item for total in sums for item in squares if total + item <= n**2}
        half = law.exactly("quarter_of_rest", n=n, d=d) / 2
        allowed = half >= 0 and half.denominator == 1
        yield eq("odd squares", int(n**2 in sums), int(allowed), witness={"d": d})


def odd_numbers(total: int, count: int) -> tuple[int, ...]:
    """Return this many odd numbers, falling, with this sum of squares.

    Raises:
        ValueError: There are none.
    """
    found = _odd_numbers(total, count, math.isqrt(total))
    if found is None:
        raise ValueError(f"total={total} is no sum of {count} odd squares; it must be {count} modulo 8")
    return found


def _odd_numbers(total: int, count: int, largest: int) -> tuple[int, ...] | None:
    if count == 0:
        return () if total == 0 else None
    for item in range(largest - 1 + largest % 2, 0, -2):
        # The others are between 1 and item.
        if count - 1 <= total - item**2 <= (count - 1) * item**2:
            rest = _odd_numbers(total - item**2, count - 1, item)
            if rest is not None:
                return (item, *rest)
    return None


@judge.adversarial(instances=SEARCHED, label="largest variance")
def searched(law: Law, n: int, start: tuple[float, ...], most: str = "bound") -> AdversarialCase:
    """Search for the input of largest variance; the starts are the claimed ones."""
    d, quantizer = len(start), CorrelatedQuantizer("binary")
    values = {"n": n, "d": d} if most == "high_dimension" else {"n": n, "d": d, "r": 1.0}
    constant = law(most, **values)

    def value(inputs: Any) -> Any:
        return quantizer.variance(np.broadcast_to(inputs[..., None, :], (*inputs.shape[:-1], n, d)))

    return AdversarialCase(
        value, lambda inputs: constant * (inputs**2).sum(axis=-1), d, starts=(start,), budget=1000
    )


@judge.montecarlo(instance="three-clients", label="sampled variance", parameters={"n": 3, "x": SAMPLED})
def sampled(law: Law) -> MonteCarloCase:
    """The sampler has the stated variance."""
    n, x, quantizer = 3, np.array(SAMPLED), law.quantizer("binary")
    r, d = float(np.linalg.norm(x)), len(x)
    y = [law("level", x=SAMPLED, r=r, j=j) for j in range(d)]

    def sample(rng: Any, size: int) -> Any:
        return ((quantizer.sample(np.array([x] * n), rng, size=size) - x) ** 2).sum(axis=-1)

    # No coordinate is off by a whole step.
    upper = d * law("step", r=r, n=n) ** 2
    return MonteCarloCase("eq", sample, law("exact", y=y, r=r, n=n, d=d), upper=upper)
