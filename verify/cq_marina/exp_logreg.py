"""Checks of `cq_marina/exp-logreg`: promised costs from the constants, noise along runs, medians of runs."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import Comparison, Tolerance
from verify.cq_marina.experiments import Arrival, Method, exactly, method_of, rounded_down
from verify.cq_marina.logreg_data import Parts, load_parts, problem_of
from verify.cq_marina.psi import psi
from verify.evaluation import evaluate
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cq_marina/exp-logreg"
RIDGE, ACCURACY = 0.1, 1e-5
EMBEDDED = "unit breast-cancer"
"""Rows of unit length: the regulariser then outweighs the data, as on phishing."""

MINIMISED = Tolerance(1e-9, "at the minimiser of psi, found to the last digits, the cost is flat")
SINGLE = Tolerance(1e-6, "norms are sent in single precision")

# Promised costs in increasing order; those of one group are all 1.
ORDERS: Mapping[tuple[str, int], tuple[str, ...]] = {
    (EMBEDDED, 3): ("perm_k",),
    (EMBEDDED, 10): ("perm_k", "correlated", "rand_k", "independent"),
    (EMBEDDED, 20): ("perm_k", "correlated", "rand_k", "independent"),
    ("phishing", 10): ("perm_k", "correlated", "rand_k", "independent"),
    ("phishing", 50): ("perm_k", "correlated", "rand_k", "independent"),
    ("w8a", 10): ("perm_k", "rand_k"),
    ("w8a", 50): ("perm_k", "rand_k"),
}
DESCENT = {
    (EMBEDDED, 3): ("independent", "correlated"),
    ("phishing", 10): ("independent",),
    ("w8a", 10): ("independent", "correlated"),
    ("w8a", 50): ("independent", "correlated"),
}

# Rounds of the runs: about nine of ten replicates arrive; the others count as longer.
LONGEST: Mapping[tuple[str, int], Mapping[str, int]] = {
    (EMBEDDED, 10): {"perm_k": 25, "correlated": 65, "independent": 110},
    ("phishing", 50): {"perm_k": 30, "correlated": 80, "independent": 120},
    ("w8a", 10): {"perm_k": 80},
    ("w8a", 50): {"perm_k": 260},
}
MUTANT_REPLICATES = 60


@functools.cache
def parts_of(data: str, n: int) -> Parts:
    """Return a data set for n clients, in file order."""
    if data != EMBEDDED:
        return load_parts(data, n)
    given = load_parts("breast-cancer", n)
    return replace(given, rows=given.rows / np.linalg.norm(given.rows, axis=1, keepdims=True))


@functools.cache
def logistic(data: str, n: int, order: int = 1) -> Any:
    """Return the problem of a data set; order -1 numbers the clients in reverse (embedded data only)."""
    return problem_of(parts_of(data, n), RIDGE, order)


@functools.cache
def logistic_method(data: str, n: int, name: str, order: int = 1) -> Method:
    """Return a method on it with its theoretical parameters."""
    return method_of(logistic(data, n, order), name, rounded_down)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        *(_promised(data, n) for data, n in ORDERS),
        _noise(),
        _on_embedded(),
        _bound(EMBEDDED, 20),
        _on_phishing(),
        _bound("phishing", 50),
        _on_w8a(),
    )


def _needs(data: str) -> dict[str, Any]:
    return {} if data == EMBEDDED else {"needs": data, "profile": "full"}


# ---------------------------------------------------------------- promised costs


def _promised(data: str, n: int) -> Check:
    def case(**changes: Any) -> ExactCase:
        return ExactCase(lambda: compare_costs(data, n, **changes))

    mutants: dict[str, ExactCase] = {}
    if (data, n) == (EMBEDDED, 3):
        mutants["wins-everywhere"] = ExactCase(lambda: _strictly_below(data, n))
    if (data, n) == (EMBEDDED, 10):
        mutants = {"heavy-message": case(extra_bits=1), "permuted-clients": case(order=-1)}
    parameters = {"data": data, "n": n, "lambda": RIDGE}
    return Check(
        "exact", f"{data.replace(' ', '-')}-{n}", case(), parameters, mutants, seconds=0.1, **_needs(data)
    )


def compare_costs(data: str, n: int, *, extra_bits: int = 0, order: int = 1) -> Iterable[Comparison]:
    """The promised costs by the formula, in their order, and 1 where p = 1."""
    found = {
        name: promised_cost(logistic_method(data, n, name, order), extra_bits)
        for name in ("rand_k", "perm_k", "independent", "correlated")
    }
    chain = ORDERS[data, n]
    for smaller, larger in zip(chain, (*chain[1:], None), strict=True):
        bound = 1.0 if larger is None else found[larger]
        yield Comparison(
            f"cost of {smaller} below {larger or 'gradient descent'}",
            "le",
            found[smaller],
            bound,
            MINIMISED,
            found,
            headline=True,
        )
    for name in DESCENT.get((data, n), ()):
        yield Comparison(f"cost of {name}", "eq", found[name], 1.0, MINIMISED, found)


def promised_cost(method: Method, extra_bits: int = 0) -> float:
    """Return the bits that the bound promises over those of gradient descent, by the formula of the claim.

    Args:
        method: The method.
        extra_bits: Charged for each coordinate of a quantized message, beyond the one that is sent.
    """
    d, L, p = method.problem.d, method.constants.L_minus, method.probability
    message = method.message_bits
    if extra_bits and method.name in ("independent", "correlated"):
        message += extra_bits * d
        p = psi(method.chi / L**2, message / (32 * d)).probability
    values = {"d": d, "p": p, "message": message, "X": method.chi, "L_minus": L}
    return evaluate(theory.claim(CLAIM).formulas["cost"], values)


def _strictly_below(data: str, n: int) -> Iterable[Comparison]:
    costs = [promised_cost(logistic_method(data, n, name)) for name in ("correlated", "independent")]
    yield Comparison("a gain of 1 %", "le", costs[0], 0.99 * costs[1], MINIMISED)


# ---------------------------------------------------------------- runs


def _noise() -> Check:
    """At states that runs visit the exact noise is within the constant behind the step."""

    def case(compressor: str) -> DriftCase:
        return DriftCase(functools.partial(_compare_noise, compressor))

    return Check(
        "run",
        "noise",
        case("correlated"),
        {"data": EMBEDDED, "n": 10},
        {"independent-thresholds": case("independent")},
        seconds=0.1,
    )


def _compare_noise(compressor: str, rng: Any) -> Iterable[Comparison]:
    from impl.optimizers import marina

    method = logistic_method(EMBEDDED, 10, "correlated")
    quantizer = logistic_method(EMBEDDED, 10, compressor).compressor
    x = marina(
        method.problem,
        quantizer,
        step_size=method.step_size,
        probability=method.probability,
        rounds=40,
        rng=rng,
        replicates=4,
        trace=True,
    ).iterates
    assert x is not None
    points = x.reshape(-1, method.problem.d)
    gradients = method.problem.gradients(points).reshape(*x.shape[:2], method.problem.n, -1)
    noise = quantizer.variance(np.diff(gradients, axis=1))
    lengths = (np.diff(x, axis=1) ** 2).sum(axis=-1)
    for k in range(lengths.shape[1]):
        r = int(np.argmax(noise[:, k] / lengths[:, k]))
        bound = method.chi * float(lengths[r, k])
        yield Comparison(
            f"noise of round {k + 1}", "le", float(noise[r, k]), bound, SINGLE, {"k": k}, headline=True
        )


def samples_of(
    data: str, n: int, names: Sequence[str], replicates: int, stream: Callable[[int], Any]
) -> dict[str, Samples]:
    """Return the bits to the accuracy of runs, `METHOD at N`."""
    found = {}
    for name in names:
        method = logistic_method(data, n, name)
        # A method that is gradient descent has one run.
        alone = method.probability == 1.0
        rounds = 20 if alone else LONGEST[data, n][name]
        number = tuple(ORDERS[EMBEDDED, 10]).index(name)
        result = method.run(stream(number), rounds=rounds, replicates=1 if alone else replicates)
        bits = Arrival(result.gradient_norm_sq, ACCURACY, method).bits
        found[f"{name} at {n}"] = exactly(float(bits[1][0]), replicates) if alone else bits
    return found


def _run(
    instance: str,
    data: str,
    sizes: Mapping[int, int],
    claims: Sequence[Ordering],
    mutants: Mapping[str, Sequence[Ordering]],
    seconds: float,
) -> Check:
    """Orders of medians; `sizes` maps numbers of clients to replicates, mutants take fewer."""

    def case(asserted: Sequence[Ordering], most: int) -> CostCase:
        def samples(stream: Callable[[int], Any]) -> dict[str, Samples]:
            found: dict[str, Samples] = {}
            for place, (n, replicates) in enumerate(sizes.items()):
                wanted = [item for claim in asserted for item in (claim.smaller, claim.larger)]
                names = [item.split(" at ")[0] for item in wanted if item.endswith(f" at {n}")]
                own = functools.partial(_shifted, stream, 10 * place)
                found |= samples_of(data, n, list(dict.fromkeys(names)), min(replicates, most), own)
            return found

        return CostCase(samples, asserted)

    parameters = {"data": data, "n": list(sizes), "accuracy": ACCURACY, "replicates": list(sizes.values())}
    return Check(
        "run",
        instance,
        case(claims, max(sizes.values())),
        parameters,
        {name: case(asserted, MUTANT_REPLICATES) for name, asserted in mutants.items()},
        seconds=seconds,
        **_needs(data),
    )


def _shifted(stream: Callable[[int], Any], first: int, number: int) -> Any:
    return stream(first + number)


def _on_embedded() -> Check:
    claims = (
        Ordering("correlated at 10", "independent at 10", 1.0),
        Ordering("perm_k at 10", "correlated at 10", 1.0),
    )
    mutants = {"beats-perm-k": (Ordering("correlated at 10", "perm_k at 10", 1.0),)}
    return _run("embedded-order", EMBEDDED, {10: 150}, claims, mutants, 1.0)


def _on_phishing() -> Check:
    claims = (
        Ordering("correlated at 50", "independent at 50", 0.75),
        Ordering("perm_k at 50", "correlated at 50", 0.8),
    )
    return _run("phishing-order", "phishing", {50: 400}, claims, {}, 40.0)


def _on_w8a() -> Check:
    claims = tuple(
        Ordering(f"perm_k at {n}", f"{name} at {n}", 1.0)
        for n in (10, 50)
        for name in ("correlated", "independent")
    )
    return _run("w8a-order", "w8a", {10: 400, 50: 100}, claims, {}, 70.0)


def _bound(data: str, n: int) -> Check:
    """The bound of the rate for runs of CQ, at every round."""
    rounds = 50

    def bounds() -> Any:
        claim, method = theory.claim(CLAIM), logistic_method(data, n, "correlated")
        assert claim.bound is not None
        values = {
            "L_minus": method.constants.L_minus,
            "X": method.chi,
            "p": method.probability,
            "T": 1,
        }
        return evaluate(claim.bound, values) / np.arange(1, rounds + 2)

    def rows(rng: Any, replicates: int) -> Any:
        method = logistic_method(data, n, "correlated")
        squares = method.run(rng, rounds=rounds, replicates=replicates).gradient_norm_sq
        return np.cumsum(squares, axis=1) / np.arange(1, rounds + 2)

    parameters = {"data": data, "n": n, "rounds": rounds}
    case = TrajectoryCase(bounds, rows)
    return Check("run", f"bound-{n}", case, parameters, seconds=0.3, **_needs(data))
