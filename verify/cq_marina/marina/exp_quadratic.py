"""Checks of `cq_marina/exp-quadratic`: exact expectations, and medians of runs of correlated quantization."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np

from impl.problems import Quadratic
from verify.authoring import Law, checks_of, eq, le
from verify.comparison import EXACT, ROUNDS, SINGLE_PRECISION, Comparison, printed
from verify.experiments.cq_marina.methods import NAMES, Method, exactly, first_below, method_of, with_noise
from verify.experiments.cq_marina.quadratics import (
    ACCURACY,
    CURVATURE,
    DIMENSION,
    EXPECTED,
    expectations,
    expected_bits,
    quadratic,
    quadratic_method,
    sampled_bits,
)
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.run import TrajectoryCase

CLIENTS = (2, 10, 50, 100, 200, 400)
REPLICATES = 36
"""The least with which an interval of a median exists at level 1e-9 shared by some twenty quantities."""
SEVERAL, OF_TEN = 64, 52
"""As many decide at every master seed; of 36 one slow run of fifty clients or quick one of ten did not."""
MANY = 100
MARGIN = 1.1
"""Part of the stated rounds up to which expectations are followed; mutants may need more of them."""
MEDIANS = "medians of the bits"


def _unchanged(method: Method) -> Method:
    return method


judge = checks_of(
    "cq_marina/exp-quadratic",
    sabotage=_unchanged,
    message=lambda method: method.message_bits,
    free=0,
    order=1,
    sizes=(10, 50),
    best="perm_k",
)


def _with_quarter_constant(method: Method) -> Method:
    if method.name != "independent":
        return method
    n, d = method.problem.n, method.problem.d
    return with_noise(method, d / (4 * n) * method.constants.L_plus**2)


def _with_fixed_probability(method: Method) -> Method:
    if method.name == "perm_k":
        return method
    return with_noise(method, method.chi, probability=1 / method.problem.n)


def _with_independent_thresholds(method: Method) -> Method:
    if method.name != "correlated":
        return method
    return replace(method, compressor=quadratic_method(method.problem.n, "independent").compressor)


judge.sabotage(
    "quarter-constant at exact/clients-10: A = d/(4n) for IQ, the constant of the ternary grid: other "
    "rounds.",
    {"sabotage": _with_quarter_constant},
    "no-norm-bits at exact/clients-10: Messages of d bits, without the 32 of the norm.",
    {"message": lambda method: method.message_bits - 32 * (method.name == "independent")},
    "first-gradient-free at exact/clients-*: Leave out the bits of the first gradient. | free = 1",
    "fixed-probability at exact/clients-10: p = 1/n for RandK and IQ in place of the best one.",
    {"sabotage": _with_fixed_probability},
    "gain-at-two at run/order: Claim half the bits of IQ at two clients, too. | sizes = (2,)",
    "beats-perm-k at run/accuracy-1e-3: Claim fewer bits than PermK. | best = 'correlated'",
    "independent-thresholds at exact/equal-differences: Independent thresholds with the step size of CQ, "
    "whose constant they exceed n (d - 1)/d times.",
    {"sabotage": _with_independent_thresholds},
    "too-long-steps at exact/clients-2, exact/clients-10, exact/different-clients, run/bound: Twelve times "
    "the step: the runs diverge.",
    {"sabotage": lambda method: replace(method, step_size=12 * method.step_size)},
    "longer-message at exact/equal-differences: A longer message than is charged.",
    {"message": lambda method: method.message_bits - 1},
    "smaller-constants at exact/equal-differences: A quarter of the constants of all methods.",
    {"sabotage": lambda method: replace(method, chi=method.chi / 4 - 1e-9)},
    "half-where-they-differ at run/heterogeneity-of-10: Claim half the bits of IQ at $\\lambda=0.8$, too. "
    "| strong = strong * 2/3",
    "half-of-correlated, slow at run/heterogeneity-of-10: Claim that PermK needs less than half of the bits "
    "of CQ. | of_correlated_spread = of_correlated_spread / 2",
    "permuted-clients, neutral at exact/different-clients: Number the clients differently: nothing may "
    "change. | order = -1",
)
judge.sabotage_data(
    "advantage-grows at run/heterogeneity-of-10: Claim that the advantage over IQ grows with $\\lambda$.",
    lambda **given: given | {"lambdas": given["lambdas"][::-1]},
)


# ---------------------------------------------------------------- exact expectations


def _table(law: Law, n: int, **_: Any) -> Iterable[Comparison]:
    """Rounds and bits of a row of the table, and the bound at every round."""
    # At two clients correlated quantization is never used: full rounds only.
    for name in (*EXPECTED, "correlated") if n == 2 else EXPECTED:
        method, stated = law.sabotage(quadratic_method(n, name)), law.exactly(f"rounds_{name}", n=n)
        with np.errstate(over="ignore", invalid="ignore"):  # a mutant may diverge
            trace = expectations(method, math.ceil(MARGIN * stated))
        # A mutant that has not arrived by then is known to differ.
        k = first_below([*trace.gradient_norm_sq, 0.0], ACCURACY)
        witness = {"p": method.probability, "gamma": method.step_size, "rounds": k}
        yield eq(f"rounds of {NAMES[name]}", k, stated, EXACT, witness=witness)
        values = {"d": DIMENSION, "p": method.probability, "message": law.message(method)}
        bits = law("exact", **values, k=k) - law.free * law("exact", **values, k=0)
        kbits = law(f"kbits_{name}", n=n)
        tolerance = printed(4 if kbits >= 10 else 3)
        yield eq(f"kbits of {NAMES[name]}", bits / 1000, kbits, tolerance, witness=witness)
        yield _bounded(law, method, trace)


for _n in CLIENTS:
    judge.exact(
        instance=f"clients-{_n}",
        profile="quick" if _n <= 10 else "full",
        n=_n,
        d=DIMENSION,
        mu=CURVATURE,
        accuracy=ACCURACY,
    )(_table)


def _bounded(law: Law, method: Method, trace: Any) -> Comparison:
    rounds = np.arange(1, len(trace.gap) + 1)
    averages = np.cumsum(trace.gradient_norm_sq) / rounds
    bounds = _bound(law, method, float(trace.gap[0])) / rounds
    worst = int(np.argmax(averages / bounds))
    witness = {"T": worst + 1, "gamma": method.step_size}
    value, bound = float(averages[worst]), float(bounds[worst])
    return le(f"average of {NAMES[method.name]}", value, bound, ROUNDS, witness=witness, headline=True)


def _bound(law: Law, method: Method, gap: float) -> float:
    """Return the stated bound over one round."""
    L_minus = method.constants.L_minus
    return law("bound", Delta_0=gap, L_minus=L_minus, X=method.chi, p=method.probability, T=1)


@judge.exact
def two_clients(law: Law) -> Iterable[Comparison]:
    """The noise at two clients exceeds the threshold from which on full rounds are the best."""
    n, d, K = 2, DIMENSION, DIMENSION // 2
    one_bit = law.exactly("message_one_bit", d=d)
    for noise, sent in (
        (law.exactly("A_rand_k", n=n, d=d, K=K), law.exactly("message_rand_k", K=K)),
        (law.exactly("A_independent", n=n, d=d), one_bit),
        (law.exactly("A_correlated", n=n, d=d), one_bit),
    ):
        threshold = law.exactly("threshold", c=F(sent, 32 * d))
        yield le("noise at two clients", threshold, noise, EXACT, witness={"message": sent})


@judge.exact(n=[2, 10, 50], d=DIMENSION)
def equal_differences(law: Law, n: int, d: int) -> Iterable[Comparison]:
    """The constants behind the steps hold for the compressors that run, and the messages are as long."""
    inputs = np.stack([np.eye(d)[0], np.ones(d), np.arange(1.0, d + 1), np.sin(np.arange(d))])
    differences = np.repeat(inputs[:, None], n, axis=1)
    for name in NAMES:
        method = law.sabotage(quadratic_method(n, name))
        noise = np.max(method.compressor.variance(differences) / (inputs**2).sum(axis=-1))
        # X is in units of L_+^2; the smallest number keeps PermK, whose noise is rounding, comparable.
        constant = method.chi / method.constants.L_plus**2 + SINGLE_PRECISION.relative**2
        yield le(f"noise of {NAMES[name]}", float(noise), constant, SINGLE_PRECISION, witness={"n": n})
        sent = float(np.mean(method.compressor.expected_bits(differences)))
        yield eq(f"message of {NAMES[name]}", sent, float(law.message(method)), ROUNDS, witness={"n": n})


@judge.exact(n=10, d=DIMENSION, heterogeneity=[0.3, 0.8], offset=0.5)
def different_clients(law: Law, n: int, d: int, heterogeneity: float, offset: float) -> Iterable[Comparison]:
    """The bound of the rate for clients that differ."""
    given = quadratic(n, heterogeneity, offset)
    problem = Quadratic(given.matrices[:: law.order], given.linear[:: law.order], convex=False)
    for name in ("rand_k", "independent"):
        method = law.sabotage(method_of(problem, name))
        yield _bounded(law, method, method.expectations(150))


# ---------------------------------------------------------------- runs


def _orders(law: Law, n: int) -> tuple[Ordering, ...]:
    correlated = f"correlated at {n}"
    return (
        Ordering(correlated, f"independent at {n}", law("of_independent")),
        Ordering(correlated, f"rand_k at {n}", law("of_rand_k")),
        Ordering(f"perm_k at {n}", correlated, law("of_correlated")),
    )


def _within(n: int, part: float) -> tuple[Ordering, ...]:
    """The median is the stated number up to this part of it."""
    return (
        Ordering(f"correlated at {n}", f"stated at {n}", 1 + part),
        Ordering(f"stated at {n}", f"correlated at {n}", 1 / (1 - part)),
    )


def samples_of(
    law: Law, sizes: Sequence[int], replicates: int, stream: Callable[[int], Any]
) -> Mapping[str, Samples]:
    """Return bits to the accuracy: runs of CQ, and expectations of the other methods as exact samples."""
    found: dict[str, Samples] = {}
    for index, n in enumerate(sizes):
        cap = math.ceil(1.25 * law("rounds_correlated", n=n))
        method = quadratic_method(n, "correlated")
        found[f"correlated at {n}"] = sampled_bits(method, stream(index), cap, replicates)
        found[f"stated at {n}"] = exactly(1000 * law("kbits_correlated", n=n), replicates)
        for name in EXPECTED:
            rounds = math.ceil(MARGIN * law(f"rounds_{name}", n=n))
            found[f"{name} at {n}"] = exactly(expected_bits(n, name, rounds), replicates)
    return found


@judge.costs(
    label=MEDIANS,
    parameters={"n": (10, 50), "d": DIMENSION, "accuracy": ACCURACY, "replicates": SEVERAL},
)
def order(law: Law) -> CostCase:
    """Orders at ten and fifty clients."""
    sizes = law.sizes
    claims = [item for n in sizes for item in (*_orders(law, n), *_within(n, law("roughly")))]
    return CostCase(lambda stream: samples_of(law, sizes, SEVERAL, stream), claims)


@judge.costs(
    label=MEDIANS,
    profile="full",
    parameters={"n": CLIENTS[1:], "d": DIMENSION, "accuracy": ACCURACY, "replicates": MANY},
)
def table(law: Law) -> CostCase:
    """The table, and the orders at all its clients."""
    sizes = CLIENTS[1:]
    claims = [item for n in sizes for item in (*_orders(law, n), *_within(n, law("within")))]
    return CostCase(lambda stream: samples_of(law, sizes, MANY, stream), claims)


@judge.costs(
    instance="accuracy-1e-3",
    label=MEDIANS,
    parameters={"n": 16, "d": DIMENSION, "accuracy": 1e-3, "replicates": REPLICATES},
)
def low_accuracy(law: Law) -> CostCase:
    """Few rounds: where the mutants on orders are judged."""
    n, accuracy = 16, 1e-3

    def samples(stream: Callable[[int], Any]) -> Mapping[str, Samples]:
        exact = {
            name: exactly(expected_bits(n, name, 120, accuracy=accuracy), REPLICATES)
            for name in ("perm_k", "independent")
        }
        method = quadratic_method(n, "correlated")
        return {**exact, "correlated": sampled_bits(method, stream(0), 70, REPLICATES, accuracy)}

    better = {
        "perm_k": Ordering("perm_k", "correlated", 0.7),
        "correlated": Ordering("correlated", "perm_k", 1.0),
    }
    claims = (Ordering("correlated", "independent", law("of_independent")), better[law.best])
    return CostCase(samples, claims)


@judge.trajectory(
    label="averages of the squared gradient", parameters={"n": 16, "d": DIMENSION, "rounds": 60}
)
def bound(law: Law) -> TrajectoryCase:
    """The bound of the rate for runs of CQ, at every round."""
    rounds, method = 60, law.sabotage(quadratic_method(16, "correlated"))

    def bounds() -> Any:
        problem = method.problem
        gap = float(problem.objective(np.zeros(DIMENSION)) - problem.objective(problem.solution))
        return _bound(law, method, gap) / np.arange(1, rounds + 2)

    def rows(rng: Any, replicates: int) -> Any:
        squares = method.run(rng, rounds=rounds, replicates=replicates).gradient_norm_sq
        return np.cumsum(squares, axis=1) / np.arange(1, rounds + 2)

    return TrajectoryCase(bounds, rows)


# ---------------------------------------------------------------- clients that differ

SPREADS: dict[float, tuple[float, ...]] = {0.0: (), 0.3: (0.3, 0.5), 0.8: (0.8, 0.5)}
# Rounds of the runs, by number of clients: all of them arrive well before.
CAPS = {10: {0.0: 380, 0.3: 480, 0.8: 720}, 50: {0.0: 200, 0.3: 300, 0.8: 480}}
LONGEST = 800


@judge.costs(
    instances={
        "heterogeneity": {"sizes": (10, 50), "lambdas": (0.0, 0.3, 0.8), "replicates": MANY},
    },
    label=MEDIANS,
    profile="full",
    d=DIMENSION,
    lambda_b=0.5,
)
@judge.costs(
    instances={"heterogeneity-of-10": {"sizes": (10,), "lambdas": (0.0, 0.8), "replicates": OF_TEN}},
    label=MEDIANS,
    d=DIMENSION,
    lambda_b=0.5,
)
def heterogeneity(
    law: Law, sizes: Sequence[int], lambdas: Sequence[float], replicates: int, **_: Any
) -> CostCase:
    """CQ against the expectations of IQ, and PermK against CQ."""
    shares = {0.0: law("of_independent"), 0.3: law("mild"), 0.8: law("strong")}
    claims = []
    for n in sizes:
        for spread in lambdas:
            where = f"at {n} with {spread:g}"
            claims.append(Ordering(f"share {where}", "one", shares[spread]))
            claims.append(Ordering(f"perm_k {where}", f"correlated {where}", law("of_correlated_spread")))
        for weak, strong in pairwise(lambdas):
            claims.append(Ordering(f"share at {n} with {weak:g}", f"share at {n} with {strong:g}", 1.0))
    return CostCase(lambda stream: _spread_samples(sizes, lambdas, replicates, stream), claims)


def _spread_samples(
    sizes: Sequence[int], lambdas: Sequence[float], replicates: int, stream: Callable[[int], Any]
) -> Mapping[str, Samples]:
    """Return bits of CQ and PermK, and the bits of CQ over the expected ones of IQ."""
    found = {"one": exactly(1.0, replicates)}
    for index, (n, spread) in enumerate((n, item) for n in sizes for item in lambdas):
        where = f"at {n} with {spread:g}"
        for place, name in enumerate(("correlated", "perm_k")):
            method = quadratic_method(n, name, *SPREADS[spread])
            rng = stream(2 * index + place)
            found[f"{name} {where}"] = sampled_bits(method, rng, CAPS[n][spread], replicates)
        low, high = found[f"correlated {where}"]
        independent = expected_bits(n, "independent", LONGEST, SPREADS[spread])
        found[f"share {where}"] = low / independent, high / independent
    return found
