"""Checks of `cq_marina/ab-cq`: exact errors at the tight inputs in rationals, a search over all inputs."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Rational, Symbol

from impl.compressors import CorrelatedQuantizer
from impl.compressors.joint.correlated.stratified_variance import stratified_variance_literal
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ORACLE, ROUND_OFF, Comparison
from verify.cq_marina.ab import joint_events
from verify.cq_marina.fixtures.grid_inputs import Rows
from verify.expectation.rational_norm import rational_norm
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

QUANTIZER = CorrelatedQuantizer("binary")

# Steps of the grid of the unit interval, by number of clients.
LATTICES = {2: 24, 3: 12, 4: 6}
NUMBERS_OF_CLIENTS = (2, 3, 4, 5, 8)
DIMENSIONS = (1, 2, 3, 5, 9)


def rows(*vectors: Sequence[Any]) -> Rows:
    """Return a joint input in Fractions."""
    return tuple(tuple(F(item) for item in vector) for vector in vectors)


def one_client(n: int, d: int) -> Rows:
    """Return the joint input with the first unit vector at the first client and zeros elsewhere."""
    return rows((1, *(0,) * (d - 1)), *((0,) * d,) * (n - 1))


def _input(a: Rows, attained: bool) -> dict[str, Any]:
    return {"a": a, "attained": attained}


INSTANCES = {
    "equal-inputs": _input(rows(*((3, *(1,) * 7),) * 4), True),
    **{f"one-client-{n}-{d}": _input(one_client(n, d), True) for n, d in ((2, 5), (3, 4), (4, 4), (2, 4))},
    "unequal-norms": _input(rows((2, 3, 6), (2, -1, 2), (0, 0, 0), (-6, 2, 3)), False),
    "opposite": _input(rows((1, 2, 2), (-1, -2, -2)), False),
    "odd-clients": _input(rows((4, 4, 7), (F(1, 2), F(1, 2), F(1, 4)), (0, 3, 4)), False),
}
# Where one client attains the bound, where equal inputs do, and where nothing does.
SEARCHED = ((2, 5), (4, 8), (3, 2))
SEARCHED_IN_FULL = ((2, 2), (2, 3), (3, 4), (4, 6), (4, 2), (5, 3), (6, 2), (8, 9))


def norm_spread(norms: Sequence[F]) -> F:
    """Return Q, half the mean of the squared differences of norms."""
    return sum(((one - two) ** 2 for one in norms for two in norms), F(0)) / (2 * len(norms) ** 2)


judge = checks_of(
    "cq_marina/ab-cq",
    quantizer=QUANTIZER,
    draw=joint_events.honest,
    spread=norm_spread,
    decode=lambda message: message,
)


def with_b(law: Law, value: Callable[[Any], Any]) -> Law:
    """Return the law with another B, a function of n, and the stated A - B."""
    n, d = (Symbol(name, real=True) for name in ("n", "d"))
    B = value(n)
    return law.replace(A=d / n**2 + B, B=B)


judge.sabotage(
    "reciprocal-b at exact/one-client-2-5, exact/one-client-3-4, exact/one-client-4-4, adversarial/n2-d5: "
    "$B=\\frac1{n-1}$ with $A=B+\\frac d{n^2}$: exceeded by one nonzero client, ratio 1.14 at $(n,d)=(2,5)$ "
    "and 1.29 at $(3,4)$.",
    lambda law: with_b(law, lambda n: 1 / (n - 1)),
    "quarter-b at exact/one-client-*, adversarial/n2-d5: $B=\\frac14$: ratio 1.33 at $(2,4)$, 1.45 at "
    "$(2,5)$, 1.64 at $(3,4)$.",
    lambda law: with_b(law, lambda n: Rational(1, 4)),
    "no-rounding-term at exact/equal-inputs, adversarial/n4-d8, adversarial/n3-d2: Drop $\\frac d{n^2}$, so "
    "that $A=B$: nothing is left at equal inputs. | A = B",
    "quarter-rounding-term at exact/equal-inputs, adversarial/n4-d8: $\\frac d{4n^2}$ for $\\frac d{n^2}$: "
    "exceeded four times at $n=4$, $d=8$, all inputs $(3,1,\\dots,1)$. | A = A - 3 * d / (4 * n**2)",
    "half-for-all-norms at exact/one-client-*, adversarial/n2-d5, adversarial/n4-d8: $B=\\frac12$ without "
    "equal norms: exceeded by one nonzero client where $d>\\frac{n(n+1)}{2(n-1)}$, ratio 1.2 at $(4,4)$.",
    lambda law: with_b(law, lambda n: Rational(1, 2)),
    "common-draws at montecarlo/two-coordinates, montecarlo/two-clients: All coordinates share one "
    "permutation, or all clients one jitter.",
    {"draw": joint_events.sabotaged},
    "whole-spread at exact/one-client-*: Q without the factor 1/2.",
    {"spread": lambda norms: 2 * norm_spread(norms)},
    "half-mean at exact/enumerated: Half of each decoded mean: biased.",
    {"decode": lambda message: message / 2},
    "half-independent at exact/one-client-*, exact/random-40: Half of the variance of independent "
    "thresholds. | A_independent = A_independent / 2",
)
judge.sabotage_data(
    "permuted-clients, neutral: Number clients and coordinates in the reverse order and change all signs: "
    "nothing may change.",
    lambda a, attained: {
        "a": tuple(tuple(-item for item in row[::-1]) for row in a[::-1]),
        "attained": attained,
    },
    at=tuple(f"exact/{name}" for name in INSTANCES),
)
judge.sabotage_data(
    "permuted-search, neutral: The same in the search.",
    lambda n, d, order: {"n": n, "d": d, "order": -order},
    at=tuple(f"adversarial/n{n}-d{d}" for n, d in SEARCHED),
)


@judge.exact(instances=INSTANCES)
def joint(law: Law, a: Rows, attained: bool) -> Iterable[Comparison]:
    """The exact error against the bound, its parts and the sum of covariances, all in rationals."""
    n, d = len(a), len(a[0])
    error = law.quantizer.variance([list(row) for row in a])
    M, m = squares(a)
    A, B = (law.exactly(name, n=n, d=d) for name in ("A", "B"))
    bound, witness = law.exactly("bound", A=A, B=B, M=M, m=m), {"a": a, "A": A, "B": B}
    yield le("error", error, bound, witness=witness, headline=True)
    if attained:
        yield eq("attained", error, bound, witness=witness)
    c = [rational_norm(row) for row in a]
    Q = law.spread(c)
    refined = law.exactly("refined", n=n, d=d, M=M, m=m, norm_spread=Q)
    yield le("refined", error, refined, witness=witness)
    yield le("independent thresholds", error, law.exactly("A_independent", n=n, d=d) * M)
    yield le("norms and distances", Q, M - m, witness=witness)
    # The direction of a zero vector is any unit vector.
    u = tuple(
        tuple(item / norm for item in row) if norm else (1, *(0,) * (d - 1))
        for row, norm in zip(a, c, strict=True)
    )
    yield eq("sum of covariances", law.exactly("exact", n=n, d=d, c=c, u=u), error, witness=witness)
    scale = max(c)
    common = sum((common_scale_error(column, scale) for column in zip(*a, strict=True)), F(0))
    stated = law.exactly("common", n=n, d=d, M=M, m=m, w=2 * scale)
    yield le("common scale", common, stated, witness=witness)


def squares(a: Rows) -> tuple[F, F]:
    """Return the mean squared norm M and the squared norm m of the mean."""
    n = len(a)
    M = sum((item**2 for row in a for item in row), F(0)) / n
    m = sum((sum(column, F(0)) ** 2 for column in zip(*a, strict=True)), F(0)) / n**2
    return M, m


def common_scale_error(column: Sequence[F], scale: F) -> F:
    """Return the exact error of one coordinate where all clients quantize with the same scale."""
    variance = stratified_variance_literal([(1 + item / scale) / 2 for item in column])
    return F(4 * scale**2 * variance) / len(column) ** 2


@judge.exact(parameters={"n": (2, 3), "d": (1, 2)})
def enumerated(law: Law) -> Iterable[Comparison]:
    """The oracle against all outcomes of the bits, at small inputs of rational norm."""
    for a in (rows((3, 4), (0, 5)), rows((3, -4), (0, 0)), rows((1,), (-2,), (3,))):
        found = F(0)
        mean = [sum(column, F(0)) / len(a) for column in zip(*a, strict=True)]
        for chance, draws in law.quantizer.outcomes([list(row) for row in a]):
            decoded = law.quantizer.reference([list(row) for row in a], draws)
            estimate = [sum(column, F(0)) / len(a) for column in zip(*decoded, strict=True)]
            estimate = [law.decode(item) for item in estimate]
            found += chance * sum(((g - t) ** 2 for g, t in zip(estimate, mean, strict=True)), F(0))
        (n, d), (M, m) = (len(a), len(a[0])), squares(a)
        A, B = (law.exactly(name, n=n, d=d) for name in ("A", "B"))
        error = law.quantizer.variance([list(row) for row in a])
        yield eq("enumerated error", found, error, witness={"a": a})
        bound = law.exactly("bound", A=A, B=B, M=M, m=m)
        yield le("enumerated bound", found, bound, witness={"a": a}, headline=True)


@judge.exact(parameters={"steps": LATTICES})
def one_dimension(law: Law) -> Iterable[Comparison]:
    """Every input on a grid of the unit interval: the variance of the mean of the bits."""
    for n, steps in LATTICES.items():
        # The stated bound is linear in the spread; through the formula all inputs would take seconds.
        least, most = (law.exactly("one_dimension", n=n, w=1, spread=spread) for spread in (0, 1))
        for places in itertools.combinations_with_replacement(range(steps + 1), n):
            y = [F(place, steps) for place in places]
            variance = F(stratified_variance_literal(y)) / n**2
            mean = sum(y, F(0)) / n
            spread = sum(((item - mean) ** 2 for item in y), F(0)) / n
            bound = least + (most - least) * spread
            yield le("bits on an interval", variance, bound, witness={"y": y}, headline=True)
            if n == 2:
                yield le("two clients", variance, law.exactly("two_clients", w=1), witness={"y": y})


def _random(law: Law, count: int) -> Iterable[Comparison]:
    """All 25 pairs (n, d): unequal norms, zeros, nearly equal inputs, inputs on the grid."""
    for n, d in itertools.product(NUMBERS_OF_CLIENTS, DIMENSIONS):
        inputs = random_inputs(n, d, count)
        error, bound = law.quantizer.variance(inputs), batch_bound(law, inputs)
        zero = bound == 0
        ratio = np.divide(error, bound, out=np.full_like(error, -1.0), where=~zero)
        # A bound of 0 has no ratio: there the largest error counts.
        for rows in (ratio, *([np.where(zero, error, -1.0)] if zero.any() else [])):
            # Within the bound the first that is largest but for round-off, which differs between machines.
            near = ROUND_OFF.relative if rows.max() <= 1 + ROUND_OFF.relative else 0.0
            worst = int(np.argmax(rows >= rows.max() - near))
            witness = {"n": n, "d": d, "a": inputs[worst]}
            yield le("largest ratio", error[worst], bound[worst], ROUND_OFF, witness=witness, headline=True)
        # With the mean square on both sides: at d = 1 the stated error is 0, the oracle has round-off.
        share = float((error / (inputs**2).sum(axis=(1, 2))).max() * n)
        least = law("A_independent", n=n, d=d)
        yield le("independent thresholds of many inputs", 1 + share, 1 + least, ORACLE, witness=witness)


def _parameters(count: int) -> dict[str, Any]:
    return {"n": NUMBERS_OF_CLIENTS, "d": DIMENSIONS, "inputs": 5 * count}


judge.exact(instance="random-40", parameters=_parameters(40), count=40)(_random)
judge.exact(instance="random-4000", parameters=_parameters(4000), count=4000, profile="full")(_random)


def random_inputs(n: int, d: int, count: int) -> Any:
    """Return joint inputs (5 count, n, d) of five kinds, none of them all zero."""
    rng = np.random.Generator(np.random.Philox(20240601))
    shape = (count, n, d)
    scales = np.exp(2 * rng.normal(size=(count, n, 1)))
    normal = rng.normal(size=shape)
    gaps = normal * (rng.random((count, n, 1)) < 0.6) + 1e-3 * (np.arange(n) == 0)[:, None]
    near = rng.normal(size=(count, 1, d)) + 0.05 * normal
    integers = rng.integers(-3, 4, size=shape) + (np.arange(d) == 0)
    integers[:, 0, 0] = 4
    return np.concatenate([normal, normal * scales, gaps, near, integers])


def batch_bound(law: Law, inputs: Any) -> Any:
    """Return A M - B m for inputs (..., n, d)."""
    n, d = inputs.shape[-2:]
    A, B = law("A", n=n, d=d), law("B", n=n, d=d)
    return A * (inputs**2).sum(axis=(-2, -1)) / n - B * (inputs.mean(axis=-2) ** 2).sum(axis=-1)


def _search(law: Law, n: int, d: int, order: int) -> AdversarialCase:
    """Inputs above the bound; those that attain it or nearly so are among the first."""

    def shaped(inputs: Any) -> Any:
        return order * inputs.reshape(-1, n, d)[:, ::order, ::order]

    equal = np.ones((n, d))
    equal[:, 0] = 3
    starts = (np.array(one_client(n, d)), equal, np.ones((n, d)))
    return AdversarialCase(
        lambda inputs: law.quantizer.variance(shaped(inputs)),
        lambda inputs: batch_bound(law, shaped(inputs)),
        n * d,
        starts=tuple(np.ravel(start).astype(float) for start in starts),
        budget=1000,
    )


for _sizes, _profile in ((SEARCHED, "quick"), (SEARCHED_IN_FULL, "full")):
    judge.adversarial(
        instances={f"n{n}-d{d}": {"n": n, "d": d, "order": 1} for n, d in _sizes},
        label="searched ratio",
        profile=_profile,
    )(_search)


def _event(law: Law, name: str) -> MonteCarloCase:
    """An event on the strata of two coordinates or the jitter of two clients has its probability."""
    return joint_events.joint_event(law.draw, name)


for _name, _label in (
    ("two-coordinates", "strata of two coordinates"),
    ("two-clients", "jitter of two clients"),
):
    judge.montecarlo(instance=_name, label=_label, parameters=joint_events.parameters(_name), name=_name)(
        _event
    )
