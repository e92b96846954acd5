"""Checks of `cq_marina/exp-quadratic`: exact expectations, and medians of runs of correlated quantization."""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import theory
from impl.problems import Quadratic, tridiagonal
from verify.binding import Check
from verify.comparison import EXACT, Comparison, Tolerance
from verify.cq_marina.experiments import (
    NAMES,
    Arrival,
    Method,
    exactly,
    first_below,
    method_of,
    with_noise,
)
from verify.cq_marina.second_moments import MomentTrace
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.exact import ExactCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cq_marina/exp-quadratic"
DIMENSION, CURVATURE, ACCURACY = 32, 1e-6, 1e-4
CLIENTS = (2, 10, 50, 100, 200, 400)
EXPECTED = ("rand_k", "perm_k", "independent")
REPLICATES = 36
"""The least with which an interval of a median exists at level 1e-9 shared by some twenty quantities."""
MANY = 100
MARGIN = 1.1
"""Part of the stated rounds up to which expectations are followed; mutants may need more of them."""

PRINTED = Tolerance(1.4e-3, "the table has two decimals, 0.005 of at least 3.75 kbits")
RECURSION = Tolerance(1e-11, "sums of some hundred float64 products per round over at most 1000 rounds")
SINGLE = Tolerance(1e-6, "norms and entries are sent in single precision, rounded once")

# Changes a method before its expectations are computed.
Sabotage = Callable[[Method], Method]
# Changes the bits that are counted for so many rounds.
Price = Callable[[Method, int], float]


@functools.cache
def quadratic(n: int, heterogeneity: float = 0.0, offset: float = 0.0) -> Quadratic:
    """Return the quadratic of the experiment."""
    return tridiagonal(n, DIMENSION, heterogeneity=heterogeneity, mu=CURVATURE, offset=offset)


@functools.cache
def quadratic_method(n: int, name: str, heterogeneity: float = 0.0, offset: float = 0.0) -> Method:
    """Return a method on it with its theoretical parameters."""
    return method_of(quadratic(n, heterogeneity, offset), name)


@functools.cache
def _expectations(method: Method, rounds: int) -> MomentTrace:
    """Return the exact expectations of a method; those at stated parameters are asked for several times."""
    return method.expectations(rounds)


def stated(n: int) -> Mapping[str, Any]:
    """Return the row of the table: kbits by method, rounds as `rounds_METHOD`."""
    rows: dict[int, Mapping[str, Any]] = {
        case.values["n"]: case.values for case in theory.claim(CLAIM).worst_cases
    }
    return rows[n]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_table(n) for n in CLIENTS),
        _steps(),
        _spread(),
        _order(),
        _low_accuracy(),
        _bound(),
        _reproduced(),
        _heterogeneous(),
    )


# ---------------------------------------------------------------- exact expectations


def _table(n: int) -> Check:
    def case(names: Sequence[str] = EXPECTED, **changes: Any) -> ExactCase:
        return ExactCase(lambda: compare_row(n, names, **changes))

    mutants: dict[str, ExactCase] = {}
    if n == 2:
        mutants["gain-at-two"] = ExactCase(_gain_at_two)
    if n == 10:
        mutants = {
            "quarter-constant": case(["independent"], sabotage=_with_quarter_constant),
            "no-norm-bits": case(["independent"], price=_without_norm),
            "first-gradient-free": case(["perm_k"], price=_without_first),
            "fixed-probability": case(["rand_k"], sabotage=_with_fixed_probability),
        }
    # At two clients correlated quantization is never used: full rounds only.
    base = case((*EXPECTED, "correlated") if n == 2 else EXPECTED)
    parameters = {"n": n, "d": DIMENSION, "mu": CURVATURE, "accuracy": ACCURACY}
    profile: Any = "quick" if n <= 10 else "full"
    return Check("exact", f"clients-{n}", base, parameters, mutants, seconds=0.5, profile=profile)


def compare_row(
    n: int,
    names: Sequence[str],
    sabotage: Sabotage = lambda method: method,
    price: Price = lambda method, k: float(method.bits(k)),
) -> Iterable[Comparison]:
    """Rounds and bits of a row of the table, and the bound at every round."""
    row = stated(n)
    for name in names:
        method = sabotage(quadratic_method(n, name))
        trace = _expectations(method, math.ceil(MARGIN * row[f"rounds_{name}"]))
        # A mutant that has not arrived by then is known to differ.
        k = first_below([*trace.gradient_norm_sq, 0.0], ACCURACY)
        witness = {"method": name, "p": method.probability, "gamma": method.step_size, "rounds": k}
        yield Comparison(f"rounds of {NAMES[name]}", "eq", k, row[f"rounds_{name}"], EXACT, witness)
        kbits = price(method, k) / 1000
        yield Comparison(f"kbits of {NAMES[name]}", "eq", kbits, float(row[name]), PRINTED, witness)
        yield _bounded(method, trace)


def _bounded(method: Method, trace: Any) -> Comparison:
    rounds = np.arange(1, len(trace.gap) + 1)
    averages = np.cumsum(trace.gradient_norm_sq) / rounds
    bounds = method.bound(rounds, float(trace.gap[0]))
    worst = int(np.argmax(averages / bounds))
    return Comparison(
        f"average of {NAMES[method.name]} over T={worst + 1}",
        "le",
        float(averages[worst]),
        float(bounds[worst]),
        RECURSION,
        {"T": worst + 1, "gamma": method.step_size},
        headline=True,
    )


def _gain_at_two() -> Iterable[Comparison]:
    found = {}
    for name in ("independent", "correlated"):
        method = quadratic_method(2, name)
        k = first_below(_expectations(method, 90).gradient_norm_sq, ACCURACY)
        found[name] = float(method.bits(k))
    yield Comparison("half the bits", "le", found["correlated"], found["independent"] / 2, RECURSION)


def _with_quarter_constant(method: Method) -> Method:
    n, d = method.problem.n, method.problem.d
    return with_noise(method, d / (4 * n) * method.constants.L_plus**2)


def _without_norm(method: Method, k: int) -> float:
    return float(replace(method, message_bits=method.problem.d).bits(k))


def _without_first(method: Method, k: int) -> float:
    return float(method.bits(k) - method.bits(0))


def _with_fixed_probability(method: Method) -> Method:
    return with_noise(method, method.chi, probability=1 / method.problem.n)


def _steps() -> Check:
    """The constants behind the steps hold for the compressors that run, and the messages are as long."""

    def case(sabotage: Sabotage = lambda method: method) -> ExactCase:
        return ExactCase(lambda: compare_steps(sabotage))

    return Check(
        "exact",
        "equal-differences",
        case(),
        {"n": [2, 10, 50], "d": DIMENSION},
        {"independent-thresholds": case(_with_independent_thresholds)},
        seconds=0.1,
    )


def compare_steps(sabotage: Sabotage) -> Iterable[Comparison]:
    """Exact noise at equal differences against X, and expected bits of a message."""
    d = DIMENSION
    inputs = np.stack([np.eye(d)[0], np.ones(d), np.arange(1.0, d + 1), np.sin(np.arange(d))])
    for n in (2, 10, 50):
        for name in NAMES:
            method = sabotage(quadratic_method(n, name))
            differences = np.repeat(inputs[:, None], n, axis=1)
            noise = np.max(method.compressor.variance(differences) / (inputs**2).sum(axis=-1))
            # X is in units of L_+^2; the smallest number keeps PermK, whose noise is rounding, comparable.
            constant = method.chi / method.constants.L_plus**2 + SINGLE.relative**2
            witness = {"n": n, "method": name}
            yield Comparison(f"noise of {NAMES[name]}", "le", float(noise), constant, SINGLE, witness)
            sent = float(np.mean(method.compressor.expected_bits(differences)))
            yield Comparison(f"message of {NAMES[name]}", "eq", sent, method.message_bits, RECURSION, witness)


def _with_independent_thresholds(method: Method) -> Method:
    if method.name != "correlated":
        return method
    return replace(method, compressor=quadratic_method(method.problem.n, "independent").compressor)


def _spread() -> Check:
    """The bound of the rate for clients that differ."""

    def case(*, reverse: bool = False) -> ExactCase:
        return ExactCase(lambda: _compare_spread(reverse))

    parameters = {"n": 10, "d": DIMENSION, "lambda": [0.3, 0.8], "lambda_b": 0.5}
    mutants = {"permuted-clients": case(reverse=True)}
    return Check("exact", "different-clients", case(), parameters, mutants, seconds=0.5)


def _compare_spread(reverse: bool) -> Iterable[Comparison]:
    for heterogeneity in (0.3, 0.8):
        given = quadratic(10, heterogeneity, 0.5)
        order = slice(None, None, -1) if reverse else slice(None)
        problem = Quadratic(given.matrices[order], given.linear[order], convex=False)
        for name in ("rand_k", "independent"):
            method = method_of(problem, name)
            yield _bounded(method, method.expectations(150))


# ---------------------------------------------------------------- runs


def _order() -> Check:
    sizes = (10, 50)
    claims = [item for n in sizes for item in _orders(n)]
    case = CostCase(functools.partial(samples_of, sizes, REPLICATES), claims)
    parameters = {"n": sizes, "d": DIMENSION, "accuracy": ACCURACY, "replicates": REPLICATES}
    return Check("run", "order", case, parameters, seconds=1.0)


def _orders(n: int) -> tuple[Ordering, ...]:
    correlated = f"correlated at {n}"
    return (
        Ordering(correlated, f"independent at {n}", 0.5),
        Ordering(correlated, f"rand_k at {n}", 0.65),
        Ordering(f"perm_k at {n}", correlated, 0.6),
    )


def samples_of(sizes: Sequence[int], replicates: int, stream: Callable[[int], Any]) -> dict[str, Samples]:
    """Return bits to the accuracy: runs of CQ, and expectations of the other methods as exact samples."""
    found: dict[str, Samples] = {}
    for index, n in enumerate(sizes):
        row = stated(n)
        cap = math.ceil(1.25 * row["rounds_correlated"])
        found[f"correlated at {n}"] = _correlated_bits(n, stream(index), cap, replicates)
        found[f"stated at {n}"] = exactly(1000 * float(row["correlated"]), replicates)
        for name in EXPECTED:
            rounds = math.ceil(MARGIN * row[f"rounds_{name}"])
            found[f"{name} at {n}"] = exactly(_expected_bits(n, name, rounds), replicates)
    return found


def _expected_bits(
    n: int, name: str, rounds: int, spread: Sequence[float] = (), accuracy: float = ACCURACY
) -> float:
    method = quadratic_method(n, name, *spread)
    return float(method.bits(first_below(_expectations(method, rounds).gradient_norm_sq, accuracy)))


def _correlated_bits(n: int, rng: Any, cap: int, replicates: int, accuracy: float = ACCURACY) -> Samples:
    method = quadratic_method(n, "correlated")
    result = method.run(rng, rounds=cap, replicates=replicates)
    return Arrival(result.gradient_norm_sq, accuracy, method).bits


def _low_accuracy() -> Check:
    """Few rounds: where the mutants on orders are judged."""
    n, accuracy = 16, 1e-3

    def samples(stream: Callable[[int], Any]) -> dict[str, Samples]:
        exact = {
            name: exactly(_expected_bits(n, name, 120, accuracy=accuracy), REPLICATES)
            for name in ("perm_k", "independent")
        }
        return {**exact, "correlated": _correlated_bits(n, stream(0), 70, REPLICATES, accuracy)}

    claims = (Ordering("correlated", "independent", 0.5), Ordering("perm_k", "correlated", 0.7))
    mutants = {"beats-perm-k": CostCase(samples, (Ordering("correlated", "perm_k", 1.0),))}
    parameters = {"n": n, "d": DIMENSION, "accuracy": accuracy, "replicates": REPLICATES}
    return Check("run", "accuracy-1e-3", CostCase(samples, claims), parameters, mutants, seconds=0.4)


def _bound() -> Check:
    """The bound of the rate for runs of CQ, at every round."""
    method, rounds = functools.partial(quadratic_method, 16, "correlated"), 60

    def bounds() -> Any:
        problem = method().problem
        gap = float(problem.objective(np.zeros(DIMENSION)) - problem.objective(problem.solution))
        return method().bound(np.arange(1, rounds + 2), gap)

    def rows(rng: Any, replicates: int) -> Any:
        squares = method().run(rng, rounds=rounds, replicates=replicates).gradient_norm_sq
        return np.cumsum(squares, axis=1) / np.arange(1, rounds + 2)

    case = TrajectoryCase(bounds, rows)
    return Check("run", "bound", case, {"n": 16, "d": DIMENSION, "rounds": rounds}, seconds=0.2)


def _reproduced() -> Check:
    sizes = CLIENTS[1:]
    claims = [item for n in sizes for item in (*_orders(n), *_within(n, 0.03))]
    case = CostCase(functools.partial(samples_of, sizes, MANY), claims)
    parameters = {"n": sizes, "d": DIMENSION, "accuracy": ACCURACY, "replicates": MANY}
    return Check("run", "table", case, parameters, seconds=25.0, profile="full")


def _within(n: int, part: float) -> tuple[Ordering, ...]:
    """The median is the stated number up to this part of it."""
    return (
        Ordering(f"correlated at {n}", f"stated at {n}", 1 + part),
        Ordering(f"stated at {n}", f"correlated at {n}", 1 / (1 - part)),
    )


# ---------------------------------------------------------------- clients that differ

SPREADS: dict[float, tuple[float, ...]] = {0.0: (), 0.3: (0.3, 0.5), 0.8: (0.8, 0.5)}
# Rounds of the runs, by number of clients: all of them arrive well before.
CAPS = {10: {0.0: 380, 0.3: 480, 0.8: 720}, 50: {0.0: 200, 0.3: 300, 0.8: 480}}
LONGEST = 800
# Largest share of the bits of IQ, by heterogeneity.
SHARES = {0.0: 0.5, 0.3: 0.5, 0.8: 0.75}


def _heterogeneous() -> Check:
    sizes = (10, 50)
    claims = []
    for n in sizes:
        for heterogeneity, largest in SHARES.items():
            where = f"at {n} with {heterogeneity:g}"
            claims.append(Ordering(f"share {where}", "one", largest))
            claims.append(Ordering(f"perm_k {where}", f"correlated {where}", 0.9))
        claims += [
            Ordering(f"share at {n} with {a:g}", f"share at {n} with {b:g}", 1.0)
            for a, b in ((0, 0.3), (0.3, 0.8))
        ]
    case = CostCase(functools.partial(_heterogeneous_samples, sizes), claims)
    parameters = {"n": sizes, "d": DIMENSION, "lambda": list(SHARES), "lambda_b": 0.5, "replicates": MANY}
    return Check("run", "heterogeneity", case, parameters, seconds=15.0, profile="full")


def _heterogeneous_samples(sizes: Sequence[int], stream: Callable[[int], Any]) -> dict[str, Samples]:
    """Return bits of CQ and PermK, and the bits of CQ over the expected ones of IQ."""
    found = {"one": exactly(1.0, MANY)}
    for index, (n, heterogeneity) in enumerate((n, h) for n in sizes for h in SPREADS):
        where, spread = f"at {n} with {heterogeneity:g}", SPREADS[heterogeneity]
        for place, name in enumerate(("correlated", "perm_k")):
            method = quadratic_method(n, name, *spread)
            result = method.run(stream(2 * index + place), rounds=CAPS[n][heterogeneity], replicates=MANY)
            found[f"{name} {where}"] = Arrival(result.gradient_norm_sq, ACCURACY, method).bits
        low, high = found[f"correlated {where}"]
        independent = _expected_bits(n, "independent", LONGEST, spread)
        found[f"share {where}"] = low / independent, high / independent
    return found
