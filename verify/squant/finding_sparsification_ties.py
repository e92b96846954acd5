"""Checks of `squant/finding-sparsification-ties`: equal constants, no better steps, cheaper nonzeros."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import BernoulliSparsifier, StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROOT, ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.step_rules import optimal_probabilities, optimal_steps
from verify.squant.fixtures.supremum import supremum_of

FLOAT_BITS = 32


@dataclass(frozen=True)
class Stated:
    """What is claimed for the identity at (d, beta): constant of quantization and saving in bits."""

    constant: Any
    saving: Any


# Dimension, a square, and budget for L = I; h = sqrt(d)/beta is rational.
TIES = {"d16": (16, 4), "d16-one-nonzero": (16, 1), "d36": (36, 5), "d64": (64, 8)}

# Weights and budget below half the dimension, so that every choice of steps is in the coarse regime.
GENERAL: dict[str, tuple[tuple[float, ...], float]] = {
    "two-weights": ((4.0, 1.0), 0.9),
    "four-weights": ((9.0, 4.0, 1.0, 1.0), 1.9),
    "one-heavy": ((4.0, 1.0, 1.0, 1.0), 1.0),
    "wide-spectrum": (tuple(10.0**-k for k in range(6)), 2.5),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/finding-sparsification-ties")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_tied(name, d, beta) for name, (d, beta) in TIES.items()),
        *(_between(name, L, beta) for name, (L, beta) in GENERAL.items()),
        _searched("four-weights"),
    )


def _formula(name: str, **values: Any) -> Any:
    return evaluate_exact(theory.claim("squant/finding-sparsification-ties").formulas[name], values)


def _tied(name: str, d: int, beta: int) -> Check:
    def case(constant: Any = 0, saving: Any = 0) -> ExactCase:
        return ExactCase(
            lambda: compare_tie(
                d,
                beta,
                Stated(
                    _formula("quantizer_constant", d=d, beta=beta) + constant,
                    _formula("saving", v=FLOAT_BITS, beta=beta) + saving,
                ),
            )
        )

    mutants = {
        "better-constant": case(constant=-1),
        # With a float for each level nothing is saved on the nonzeros.
        "level-costs-a-float": case(saving=-(FLOAT_BITS - 2) * beta),
        "free-norm": case(saving=FLOAT_BITS),
    }
    return Check("exact", name, case(), {"L": "identity", "d": d, "beta": beta}, mutants, seconds=0.1)


def compare_tie(d: int, beta: int, stated: Stated) -> Iterable[Comparison]:
    """Sparsifier and quantizer for L = I at x = 1: variance, nonzeros and message length, all rational."""
    h = _formula("step", d=d, beta=beta)
    step = F(int(h.p), int(h.q))
    ones = [F(1)] * d
    unit = [F(1)] + [F(0)] * (d - 1)
    quantizer = StochasticQuantizer(step, norm_bits=FLOAT_BITS)
    sparsifier = BernoulliSparsifier([F(beta, d)] * d, value_bits=FLOAT_BITS)
    witness = {"d": d, "beta": beta, "h": step}
    constant = quantizer.variance(ones) / d
    yield Comparison("variance of the quantizer at x = 1", "eq", constant, stated.constant, witness=witness)
    sparse = _formula("sparse_constant", d=d, tau=beta)
    for label, value in (("x = 1", sparsifier.variance(ones) / d), ("x = e_1", sparsifier.variance(unit))):
        yield Comparison(f"variance of the sparsifier at {label}", "eq", value, sparse, witness=witness)
    yield Comparison("both constants agree", "eq", constant, sparse, witness=witness, headline=True)
    supremum = supremum_of([1.0] * d, [float(step)] * d).upper
    yield Comparison("constant of the quantizer", "eq", supremum, stated.constant, ROOT, witness)
    nonzeros = theory.claim("squant/nnz").exact
    count = evaluate_exact(nonzeros, {"x": ones, "h": [step] * d, "N": [math.isqrt(d)] * d, "d": d})
    yield Comparison("expected nonzeros of the quantizer", "eq", count, beta, witness=witness)
    yield Comparison("expected nonzeros of the sparsifier", "eq", F(beta, d) * d, beta, witness=witness)
    saving = sparsifier.expected_bits(ones) - quantizer.expected_bits(ones)
    yield Comparison("expected bits saved by quantization", "eq", saving, stated.saving, witness=witness)


def _between(name: str, L: tuple[float, ...], beta: float) -> Check:
    def case(weights: tuple[float, ...] = L, factor: float = 1.0) -> ExactCase:
        return ExactCase(lambda: compare_general(weights, beta, factor))

    mutants = {
        "permuted-coordinates": case(L[::-1]),
        "steps-beat-sparsification": case(factor=0.99),
    }
    return Check("exact", name, case(), {"L": L, "beta": beta}, mutants, seconds=0.2)


def candidate_steps(L: Sequence[float], beta: float) -> dict[str, list[float]]:
    """Return ways to choose the steps at budget beta, by name: stated ones and a few at random."""
    claim = theory.claim("squant/steps")
    d = len(L)
    _, p = optimal_probabilities(L, beta)
    found = {
        "optimal for the bound": list(optimal_steps(L, beta)),
        "like the sparsifier": [
            evaluate(claim.formulas["sparse_step"], {"beta": beta, "p_j": item}) for item in p
        ],
        "uniform": [evaluate(claim.formulas["uniform_step"], {"d": d, "beta": beta})] * d,
    }
    rng = np.random.Generator(np.random.Philox(20240601))
    for draw in range(20):
        shape = np.exp(rng.normal(scale=1.5, size=d))
        found[f"random {draw}"] = (shape * np.linalg.norm(1 / shape) / beta).tolist()
    return found


def compare_general(L: Sequence[float], beta: float, factor: float) -> Iterable[Comparison]:
    """No steps of the budget have a constant below c; the best known ones are below tr L / beta.

    Args:
        L: Weights, (d,), positive.
        beta: Budget, also the number of entries that the sparsifier sends.
        factor: Multiple of c that the best known steps are claimed to reach at most, 1 for no such claim.
    """
    claim, d = theory.claim("squant/finding-sparsification-ties"), len(L)
    c, p = optimal_probabilities(L, beta)
    # The constant of a sparsifier is taken at a coordinate vector (squant/sparse).
    sparse = float(np.max(BernoulliSparsifier(list(p)).variance(np.eye(d), weight=list(L))))
    yield Comparison("constant of the sparsifier", "eq", sparse, c, ROOT, {"p": p})
    x = np.array(
        [
            evaluate(claim.formulas["input"], {"p_j": chance, "L_j": weight})
            for chance, weight in zip(p, L, strict=True)
        ]
    )
    x /= np.linalg.norm(x)
    suprema = {}
    for name, h in candidate_steps(L, beta).items():
        variance = float(StochasticQuantizer(h).variance(x, weight=list(L)))
        witness = {"steps": name, "h": h, "x": x}
        yield Comparison(f"c below the variance, steps {name}", "le", c, variance, ROOT, witness)
        suprema[name] = supremum_of(L, h).upper
    best = min(suprema, key=suprema.__getitem__)
    witness = {"steps": best}
    stated = evaluate(claim.bound, {"L": list(L), "beta": beta, "d": d})
    yield Comparison("best known steps", "le", suprema[best], stated, ROUND_OFF, witness, headline=True)
    if factor < 1:
        yield Comparison("best known steps below c", "le", suprema[best], factor * c, ROUND_OFF, witness)


def _searched(name: str) -> Check:
    """Search for steps of the budget whose exact supremum is below c."""
    L, beta = GENERAL[name]

    def case(*, trace: bool = False) -> AdversarialCase:
        claim = theory.claim("squant/finding-sparsification-ties")
        c, p = optimal_probabilities(L, beta)
        stated = evaluate(claim.bound, {"L": list(L), "beta": beta, "d": len(L)}) if trace else c

        def suprema(inputs: Any) -> Any:
            shapes = np.maximum(np.abs(inputs), 1e-6)
            steps = shapes * np.linalg.norm(1 / shapes, axis=-1, keepdims=True) / beta
            return np.array([supremum_of(L, row).lower for row in steps.tolist()])

        return AdversarialCase(
            lambda inputs: np.full(len(inputs), stated),
            suprema,
            len(L),
            starts=([item**-0.5 for item in p],),
            budget=150,
        )

    mutants = {"trace-is-needed": Lazy(lambda: case(trace=True))}
    return Check("adversarial", name, Lazy(case), {"L": L, "beta": beta}, mutants, seconds=0.8)
