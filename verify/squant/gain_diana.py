"""Checks of `squant/gain-diana`: rounds of DIANA and DIANA+ in family V, well and badly conditioned."""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.branches import smaller_branch
from verify.squant.fixtures.exponents import compare_exponent

NODES = (4, 16, 64, 256)
FACTOR = 8
"""Dimension over n^2."""

# From n to mu.
Convexity = Callable[[int], float]


@dataclass(frozen=True)
class Variant:
    """How the rounds are computed; the mutants change it.

    Args:
        one: Weight of the identity in the mixture.
        omega: Whether K contains 2(1 + omega).
        scale: Common factor of all functions.
    """

    one: float = 1.0
    omega: bool = True
    scale: float = 1.0


STATED = Variant()
MUTANTS = {
    "omitted-omega": Variant(omega=False),
    "steps-without-one": Variant(one=0.0),
    "scaled-functions": Variant(scale=7.0),
}


@dataclass(frozen=True)
class Constants:
    """Constants omega and Lcal of one method, the largest over the nodes, and its K."""

    omega: float
    Lcal: float
    K: float


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/gain-diana")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_instance("ill", n, badly_conditioned) for n in NODES),
        *(_instance("well", n, well_conditioned) for n in NODES),
        Check(
            "exact",
            "growth",
            ExactCase(lambda: compare_growth(badly_conditioned, grows=True)),
            {"family": "V", "n": NODES, "mu": "n^-3"},
        ),
        Check(
            "exact",
            "no-growth",
            ExactCase(lambda: compare_growth(well_conditioned, grows=False)),
            {"family": "V", "n": NODES, "mu": "1/n"},
            {
                "omitted-omega": ExactCase(
                    lambda: compare_growth(well_conditioned, MUTANTS["omitted-omega"], grows=False)
                ),
                "gain-whatever-condition": ExactCase(lambda: compare_growth(well_conditioned, grows=True)),
            },
        ),
    )


def badly_conditioned(n: int) -> float:
    """Return mu of the table."""
    return float(n) ** -3


def well_conditioned(n: int) -> float:
    """Return mu of the negative control."""
    return 1 / n


def stated(name: str, **values: Any) -> float:
    """Evaluate an expression of the claim."""
    return evaluate(theory.claim("squant/gain-diana").expressions[name], values)


def smoothness(n: int) -> float:
    """Return the largest eigenvalue of the mean in family V."""
    return (2 * n - 1) / n**2


@functools.cache
def measured(n: int, mu: float, variant: Variant = STATED) -> Mapping[str, Constants]:
    """Return the constants of all methods from the full diagonals of both kinds of nodes."""
    d, length = FACTOR * n * n, FACTOR * n
    beta, mu = d / n, variant.scale * mu
    heavy = variant.scale * np.concatenate([np.ones(length), np.full(d - length, 1 / n)])
    nodes = (heavy, np.full(d, variant.scale / n))
    largest, mean = variant.scale, variant.scale * smoothness(n)
    found: dict[str, list[tuple[float, float]]] = {"std": [], "block": [], "vary": []}
    uniform = _largest(np.ones((1, d)), np.full((1, d), d**0.5 / beta))
    for diagonal in nodes:
        found["std"].append((uniform, uniform * largest))
        weights = variant.one + diagonal / (n * mu)
        steps = np.sqrt(weights.sum() / weights) / beta
        row, h = diagonal[None], steps[None]
        found["vary"].append((_largest(np.ones((1, d)), h), _largest(row, h)))
        blocks = diagonal.reshape(n, length)
        norms = np.sqrt((blocks**2).sum(axis=1))
        mixed = variant.one * length**0.5 + norms / (n * mu)
        h = np.repeat((length**0.5 * mixed.sum() / (beta * mixed))[:, None], length, axis=1)
        found["block"].append((_largest(np.ones((n, length)), h), _largest(blocks, h)))
    result = {}
    for method, rows in found.items():
        omega, constant = (max(column) for column in zip(*rows, strict=True))
        gradient = (mean + 6 * constant / n) / mu
        rounds = max(gradient, 2 * (1 + omega)) if variant.omega else gradient
        result[method] = Constants(omega, constant / variant.scale, rounds)
    return result


def _largest(weights: Any, steps: Any) -> float:
    """Return the largest value over the blocks (rows) of the smaller branch of each."""
    return float(smaller_branch(weights, steps).max())


def by_formula(n: int, mu: float) -> dict[str, float]:
    """Return K of all methods from the steps of the claim: family V has two values per node."""
    d, length = FACTOR * n * n, FACTOR * n
    beta = d / n
    # Per node: value on a kind of blocks, and number of such blocks.
    nodes = (((1.0, 1), (1 / n, n - 1)), ((1 / n, n),))
    found: dict[str, list[tuple[float, float]]] = {"block": [], "vary": []}
    for node in nodes:
        trace = sum(length * value * count for value, count in node)
        steps = [stated("vary_step", L_j=value, trace=trace, d=d, n=n, mu=mu, beta=beta) for value, _ in node]
        squares = [step * step * length * count for step, (_, count) in zip(steps, node, strict=True)]
        weighted = [value * item for (value, _), item in zip(node, squares, strict=True)]
        twice = [value * item for (value, _), item in zip(node, weighted, strict=True)]
        found["vary"].append(
            (min(sum(squares) ** 0.5, sum(squares) / 4), min(sum(twice) ** 0.5, sum(weighted) / 4))
        )
        shared = {"c_block": trace, "d": d, "n": n, "mu": mu, "beta": beta, "d_l": length}
        reach = [
            (value, stated("block_step", F_l=length**0.5 * value, **shared) * length**0.5)
            for value, _ in node
        ]
        smaller = [(value, min(item, item * item / 4)) for value, item in reach]
        found["block"].append(
            (max(item for _, item in smaller), max(value * item for value, item in smaller))
        )
    shared = {"L": smoothness(n), "mu": mu, "n": n}
    result = {"std": stated("condition", Lcal_max=n, omega_max=n, **shared)}
    for method, rows in found.items():
        omega, constant = (max(column) for column in zip(*rows, strict=True))
        result[method] = stated("condition", Lcal_max=constant, omega_max=omega, **shared)
    return result


def compare(n: int, mu: float, variant: Variant) -> Iterable[Comparison]:
    """Condition numbers by vectors and by formulas, the bounds on both constants, and the gain."""
    found, formulas = measured(n, mu, variant), by_formula(n, mu)
    witness = {"n": n, "mu": mu}
    for method, K in formulas.items():
        yield Comparison(f"K of {method}", "eq", found[method].K, K, ROUND_OFF, witness)
    d = FACTOR * n * n
    # Heavy node: trace and block constant agree, since every block has one value only.
    trace = FACTOR * n * (1 + (n - 1) / n)
    shared = {"d": d, "n": n, "mu": mu, "beta": d / n}
    bounds = {
        "vary": stated("vary_bound", trace=trace, **shared),
        "block": stated("block_bound", c_block=trace, **shared),
    }
    chi, rho = smoothness(n) / mu, 1 / (n * smoothness(n))
    nu = trace / (d / n)
    gradient, shifts = stated("std_gradient", chi=chi, rho=rho, n=n), stated("std_shifts", n=n)
    yield Comparison("K of std in chi", "eq", found["std"].K, max(gradient, shifts), ROUND_OFF, witness)
    lower, upper = stated("lower", chi=chi, rho=rho, nu=nu, n=n), stated("upper", chi=chi)
    for method, bound in bounds.items():
        parts = found[method]
        yield Comparison(f"omega of {method}", "le", parts.omega, bound, ROUND_OFF, witness)
        yield Comparison(f"Lcal/(n mu) of {method}", "le", parts.Lcal / (n * mu), bound, ROUND_OFF, witness)
        ratio = found["std"].K / parts.K
        yield Comparison(f"gain of {method}, from below", "le", lower, ratio, ROUND_OFF, witness)
        yield Comparison(
            f"gain of {method}, from above", "le", ratio, upper, ROUND_OFF, witness, headline=True
        )


def _instance(kind: str, n: int, convexity: Convexity) -> Check:
    def case(variant: Variant) -> ExactCase:
        return ExactCase(lambda: compare(n, convexity(n), variant))

    mutants = {name: case(variant) for name, variant in MUTANTS.items()}
    if kind == "ill" or n == 4:
        del mutants["omitted-omega"]  # there the other term of K is the larger one
    if n == NODES[-1]:
        mutants.clear()  # half a million coordinates; the smaller instances tell the mutants apart
    return Check(
        "exact",
        f"{kind}-conditioned-{n}",
        case(STATED),
        {"family": "V", "n": n, "d": FACTOR * n * n, "mu": convexity(n)},
        mutants,
    )


def compare_growth(convexity: Convexity, variant: Variant = STATED, *, grows: bool) -> Iterable[Comparison]:
    """The gains of both kinds of steps over DIANA: of order n, or bounded."""
    rows = [measured(n, convexity(n), variant) for n in NODES]
    for method in ("block", "vary"):
        gains = [row["std"].K / row[method].K for row in rows]
        if grows:
            yield from compare_exponent(f"of {method}", NODES, gains, at_least=0.85)
        else:
            yield from compare_exponent(f"of {method}", NODES, gains, at_most=0.1)
        for n, gain in zip(NODES, gains, strict=True):
            upper = stated("upper", chi=smoothness(n) / convexity(n))
            yield Comparison(f"gain of {method}", "le", gain, upper, ROUND_OFF, {"n": n}, headline=True)
