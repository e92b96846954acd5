"""Checks of `squant/sparse`: enumeration, the constant at its worst input, the optimal probabilities."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import BernoulliSparsifier
from impl.compressors.contract import Draws
from verify.binding import Check, Lazy
from verify.comparison import ROOT, ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact, root
from verify.expectation.enumeration import diagonal_of, enumerate_moments
from verify.expectation.weighted_error import weighted_error_sampler
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.step_arguments import require_step_arguments


class Undivided(BernoulliSparsifier):
    """Send b_j x_j without dividing by p_j."""

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        received = super().reference(x, draws, side)
        return [item * p for item, p in zip(received, self.probabilities, strict=True)]

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Iterator[Any]:
        p = np.array([float(item) for item in self.probabilities])
        for chunk in super().sample_chunks(x, rng, size):
            yield chunk * p


@dataclass(frozen=True)
class Instance:
    """Input, probabilities and weight, diagonal or full."""

    x: tuple[Any, ...]
    p: tuple[Any, ...]
    weight: tuple[Any, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "p": self.p, "weight": self.weight}

    def permuted(self) -> "Instance":
        """Return the instance with all coordinates in reverse order."""
        weight = tuple(self.weight[::-1])
        if hasattr(weight[0], "__len__"):
            weight = tuple(tuple(row[::-1]) for row in weight)
        return Instance(self.x[::-1], self.p[::-1], weight)


ENUMERATED = {
    "two-coordinates": Instance((3, -2), (F(2, 3), F(1, 3)), (4, 1)),
    "full-matrix": Instance(
        (1, -2, 3, 5, 0, 7),
        (F(1, 2), F(1, 3), F(4, 5), F(1, 7), F(2, 9), F(1)),
        tuple(tuple(3 * (j == k) + (j + 1) * (k + 1) for k in range(6)) for j in range(6)),
    ),
}

# Weights and budget tau; the optimal constant c is the root of the claim.
OPTIMA: dict[str, tuple[tuple[float, ...], float]] = {
    "two-weights": ((4.0, 1.0), 1.0),
    "four-weights": ((9.0, 4.0, 1.0, 1.0), 2.0),
    "identity-d10": ((1.0,) * 10, 4.0),
    "wide-spectrum": (tuple(10.0**-k for k in range(6)), 2.5),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/sparse")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.0),
        *(_enumerated(name, instance) for name, instance in ENUMERATED.items()),
        *(_optimum(name, L, tau) for name, (L, tau) in OPTIMA.items()),
        *(_searched(name, *OPTIMA[name]) for name in ("two-weights", "wide-spectrum")),
        _sampled(),
    )


def _enumerated(name: str, instance: Instance) -> Check:
    mutants = {
        "no-division": ExactCase(lambda: compare(instance, Undivided)),
        "permuted-coordinates": ExactCase(lambda: compare(instance.permuted(), BernoulliSparsifier)),
    }
    base = ExactCase(lambda: compare(instance, BernoulliSparsifier))
    return Check("exact", name, base, instance.parameters, mutants)


def compare(instance: Instance, kind: type[BernoulliSparsifier]) -> Iterable[Comparison]:
    """Compare the enumeration of all subsets with the coordinate constants of the claim: all rational."""
    formula = theory.claim("squant/sparse").formulas["coordinate"]
    x = [F(item) for item in instance.x]
    sparsifier = kind(list(instance.p))
    moments = enumerate_moments(sparsifier, x, instance.weight)
    diagonal = diagonal_of(instance.weight)
    constants = [
        evaluate_exact(formula, {"L_j": L, "p_j": p}) for L, p in zip(diagonal, instance.p, strict=True)
    ]
    stated = sum(F(int(c.p), int(c.q)) * item * item for c, item in zip(constants, x, strict=True))
    witness = instance.parameters
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, (mean, item) in enumerate(zip(moments.mean, x, strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, item, witness=witness)
    yield Comparison("enumerated variance", "eq", moments.second_moment, stated, witness=witness)
    yield Comparison(
        "closed form", "eq", sparsifier.variance(x, weight=instance.weight), stated, witness=witness
    )
    bound = max(constants) * sum(item * item for item in x)
    yield Comparison("variance", "le", moments.second_moment, bound, witness=witness, headline=True)


def optimal_probabilities(L: Sequence[float], tau: float) -> tuple[float, tuple[float, ...]]:
    """Return the optimal constant c and the probabilities of the claim; a zero in L is a `UsageError`."""
    require_step_arguments("optimal_probabilities", L, tau, positive=True, at_most_d=True)
    claim = theory.claim("squant/sparse")
    values = {"L": list(L), "tau": tau, "d": len(L)}
    c = root(claim.exact, values)  # an implicit value in this claim
    p = tuple(evaluate(claim.formulas["probability"], {"L": list(L), "c": c, "j": j}) for j in range(len(L)))
    return c, p


def _optimum(name: str, L: tuple[float, ...], tau: float) -> Check:
    d = len(L)
    mutants = {
        "permuted-coordinates": ExactCase(
            lambda: compare_optimum(L[::-1], tau, optimal_probabilities(L[::-1], tau)[1])
        )
    }
    if min(L) != max(L):
        mutants["uniform-probabilities"] = ExactCase(lambda: compare_optimum(L, tau, (tau / d,) * d))
    base = ExactCase(lambda: compare_optimum(L, tau, optimal_probabilities(L, tau)[1]))
    return Check("exact", f"optimum-{name}", base, {"L": L, "tau": tau}, mutants, seconds=0.2)


def compare_optimum(L: tuple[float, ...], tau: float, p: tuple[float, ...]) -> Iterable[Comparison]:
    """Every coordinate vector has the variance c, which is below tr L / tau; other probabilities do worse."""
    c, _ = optimal_probabilities(L, tau)
    d = len(L)
    sparsifier = BernoulliSparsifier(list(p))
    yield Comparison("budget", "eq", sum(p), tau, ROOT)
    for j, unit in enumerate(np.eye(d)):
        value = float(sparsifier.variance(unit, weight=L))
        yield Comparison(f"constant of coordinate {j}", "eq", value, c, ROOT, {"x": unit}, headline=True)
    trace = evaluate(
        theory.claim("squant/sparse").formulas["trace_bound"], {"L": list(L), "tau": tau, "d": d}
    )
    yield Comparison("optimal constant below tr L / tau", "le", c, trace, ROUND_OFF)
    for shift in (0.9, 0.99, 1.01):
        moved = np.array(p)
        moved[0] *= shift
        moved[1:] *= (tau - moved[0]) / moved[1:].sum()
        if moved.max() <= 1:
            worst = max(
                float(BernoulliSparsifier(moved.tolist()).variance(unit, weight=L)) for unit in np.eye(d)
            )
            yield Comparison(
                f"other probabilities (p_0 times {shift})", "le", c, worst, ROUND_OFF, {"p": moved}
            )


def _searched(name: str, L: tuple[float, ...], tau: float) -> Check:
    def case(uniform: bool = False) -> AdversarialCase:
        c, p = optimal_probabilities(L, tau)
        sparsifier = BernoulliSparsifier([tau / len(L)] * len(L) if uniform else list(p))
        return AdversarialCase(
            lambda inputs: sparsifier.variance(inputs, weight=L),
            lambda inputs: c * (inputs**2).sum(axis=-1),
            len(L),
            budget=3000,
        )

    mutants = {"uniform-probabilities": Lazy(lambda: case(uniform=True))}
    return Check("adversarial", name, Lazy(case), {"L": L, "tau": tau}, mutants, seconds=0.5)


def _sampled() -> Check:
    """Sample the sparsifier with unequal probabilities and a full weight, at an input of low variability."""
    d = 60

    def case(kind: type[BernoulliSparsifier]) -> MonteCarloCase:
        x, p, weight = np.ones(d), np.linspace(0.3, 0.9, d), np.eye(d) + 0.02
        formula = theory.claim("squant/sparse").formulas["coordinate"]
        stated = sum(evaluate(formula, {"L_j": weight[j, j], "p_j": p[j]}) for j in range(d))
        # A coordinate is lost, error 1, or sent too large, error 1/p - 1.
        reach = np.maximum(1.0, 1 / p - 1)
        return MonteCarloCase(
            "eq",
            weighted_error_sampler(kind(p.tolist()), x, weight),
            stated,
            upper=float(reach @ weight @ reach),
        )

    base = Lazy(lambda: case(BernoulliSparsifier), tests=1)
    mutants = {"no-division": Lazy(lambda: case(Undivided), tests=1)}
    parameters = {"d": d, "x": "ones", "p": "0.3 to 0.9", "weight": "I + 11^T/50"}
    return Check("montecarlo", "full-matrix-d60", base, parameters, mutants, seconds=1.0)
