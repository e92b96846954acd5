"""Checks of `squant/floor`: exact noise at the solution, its growth, and runs that start there."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

Method = Literal["dcgd", "dcgd_plus"]

SUM = Tolerance(1e-10, "a sum over curvatures down to 1e-6 loses that much of float64")
VANISHED = Tolerance(0.0, "the distance after 400 rounds is far below the stated fraction of the start")

EXPONENT_TOLERANCE = 0.05

STEP_SIZE = 0.05
"""Below 1 / (L + 2 omega L_max / n) of DCGD and of DCGD+ at the instance of the runs."""


@dataclass(frozen=True)
class Instance:
    """Dimension (even), smaller curvature and uniform step."""

    d: int
    delta: float
    step: float

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"d": self.d, "delta": self.delta, "step": self.step}

    @property
    def weights(self) -> Any:
        """Return the diagonal, (d,)."""
        return np.repeat([1.0, self.delta], self.d // 2)

    @property
    def gradient(self) -> Any:
        """Return the gradient of the first node at the solution, (d,); that of the second is its negative."""
        return np.full(self.d, self.d**-0.5)

    def formula(self, name: str) -> float:
        """Evaluate a formula of the claim here."""
        values = {"d": self.d, "step": self.step, "delta": self.delta}
        formula = theory.claim("squant/floor").expressions[name]
        needed = {item.name for item in formula.free_symbols}
        return evaluate(formula, {key: value for key, value in values.items() if key in needed})

    def problem(self, *, interpolation: bool = False) -> Any:
        """Return two quadratics with exchanged halves and the solution 0."""
        from impl.problems import Quadratic

        gradient = 0 * self.gradient if interpolation else self.gradient
        return Quadratic([self.weights, self.weights[::-1]], [gradient, -gradient])


INSTANCES = {
    "golden": Instance(16, 1e-4, 2.0),
    "mild": Instance(16, 0.25, 1.0),
    "wide": Instance(64, 1e-6, 0.5),
}

# Sizes are 1/delta: the last four of a long series.
GROWTH = tuple(Instance(16, 10.0**-k, 2.0) for k in (4, 6, 8, 10))


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/floor")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check(
            "exact",
            "growth",
            ExactCase(lambda: compare_growth(0.5)),
            {"d": 16, "step": 2, "1/delta": [1 / item.delta for item in GROWTH]},
            {"linear-growth": ExactCase(lambda: compare_growth(1.0))},
        ),
        _sampled(),
        _neighbourhood(),
        _interpolation(),
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(stated: str = "exact", *, transformed: bool = True, permuted: bool = False) -> ExactCase:
        return ExactCase(lambda: compare(instance, stated, transformed=transformed, permuted=permuted))

    mutants = {
        "no-larger-floor": case("unaware"),
        "plain-compression": case(transformed=False),
        "permuted-coordinates": case(permuted=True),
    }
    return Check("exact", name, case(), instance.parameters, mutants)


def aware_noise(
    instance: Instance, *, transformed: bool = True, permuted: bool = False
) -> tuple[float, float]:
    """Return the exact noise of DCGD+ at one node, and the same over the curvatures.

    Args:
        instance: Diagonal, gradient and step.
        transformed: Whether the node multiplies by the pseudo-inverse root.
        permuted: Whether large and small curvatures take turns.
    """
    order = np.argsort(np.arange(instance.d) % (instance.d // 2), kind="stable") if permuted else slice(None)
    weights = instance.weights[order]
    # Without the transform the node sends the gradient itself and the server decodes nothing.
    y = instance.gradient / weights**0.5 if transformed else instance.gradient
    decoding = weights if transformed else np.ones(instance.d)
    quantizer = StochasticQuantizer(instance.step)
    return (
        float(quantizer.variance(y, weight=decoding.tolist())),
        float(quantizer.variance(y, weight=(decoding / weights).tolist())),
    )


def compare(instance: Instance, stated: str, *, transformed: bool, permuted: bool) -> Iterable[Comparison]:
    """Exact noise of both methods at the solution, at one node and in one step.

    Args:
        instance: Diagonal, gradient and step.
        stated: Name of the formula that is claimed for the noise of DCGD+.
        transformed: Whether the nodes of DCGD+ multiply by the pseudo-inverse root.
        permuted: Whether large and small curvatures take turns.
    """
    witness = instance.parameters
    unaware = float(StochasticQuantizer(instance.step).variance(instance.gradient))
    aware, settled = aware_noise(instance, transformed=transformed, permuted=permuted)
    yield Comparison("noise of DCGD", "eq", unaware, instance.formula("unaware"), ROUND_OFF, witness)
    yield Comparison("noise of DCGD+", "eq", aware, instance.formula(stated), SUM, witness)
    yield Comparison("growth", "le", instance.formula("growth"), aware, ROUND_OFF, witness)
    yield Comparison(
        "noise of DCGD below that of DCGD+", "le", unaware, aware, witness=witness, headline=True
    )
    curvatures = instance.weights
    plain = float(
        StochasticQuantizer(instance.step).variance(instance.gradient, weight=(1 / curvatures).tolist())
    )
    stated_settled = instance.formula("settled"), instance.formula("unaware_settled")
    yield Comparison("noise of DCGD+ over curvatures", "eq", settled, stated_settled[0], SUM, witness)
    yield Comparison("noise of DCGD over curvatures", "eq", plain, stated_settled[1], SUM, witness)
    yield Comparison("DCGD+ settles no farther", "le", settled, plain, ROUND_OFF, witness)
    for method, noise in (("dcgd", unaware), ("dcgd_plus", aware)):
        value = float(one_step(instance, method, transformed=transformed)[0])
        bound = evaluate(
            theory.claim("squant/floor").formulas["one_step"], {"gamma": STEP_SIZE, "noise": noise, "n": 2}
        )
        yield Comparison(f"one step of {method} from the solution", "eq", value, bound, SUM, witness)


def one_step(
    instance: Instance, method: str, *, transformed: bool = True, interpolation: bool = False
) -> Any:
    """Return the exact E||x+ - x*||^2 after one step of a method from the solution, (1,)."""
    from impl.matrix_roots import MatrixRoots
    from verify.expectation.one_step import OneStep

    problem = instance.problem(interpolation=interpolation)
    aware = method == "dcgd_plus" and transformed
    # DCGD is DCGD+ with the identity for every matrix.
    matrices = problem.smoothness if aware else np.ones_like(problem.smoothness)
    model = OneStep(problem, StochasticQuantizer(instance.step), MatrixRoots.of_nodes(matrices), STEP_SIZE)
    return model.expected_distance(problem.solution[None])


def compare_growth(exponent: float) -> Iterable[Comparison]:
    """Decide the exponent in 1/delta of the exact noise of DCGD+, and that DCGD's does not change."""
    from verify.evidence.exponent import exponent_verdict

    sizes = [1 / instance.delta for instance in GROWTH]
    values = [aware_noise(instance)[0] for instance in GROWTH]
    plain = [float(StochasticQuantizer(item.step).variance(item.gradient)) for item in GROWTH]
    for label, series, claimed in (("DCGD+", values, exponent), ("DCGD", plain, 0.0)):
        verdict, slope = exponent_verdict(sizes, series, series, claimed, EXPONENT_TOLERANCE)
        away = max(abs(end - claimed) for end in slope)
        witness = {"claimed": claimed, "slope": slope[0], "values": series, "verdict": verdict}
        yield Comparison(
            f"distance of the exponent of {label} from the claimed one",
            "le",
            away,
            EXPONENT_TOLERANCE,
            witness=witness,
        )


def _sampled() -> Check:
    """Sample one round of DCGD+ from the solution; in units of gamma^2."""
    instance = INSTANCES["mild"]

    def case(method: Method) -> MonteCarloCase:
        stated = evaluate(
            theory.claim("squant/floor").formulas["one_step"],
            {"gamma": 1, "noise": instance.formula("exact"), "n": 2},
        )
        # The error of a coordinate is below its spacing h N sqrt(L_j) at each node; nodes are averaged.
        weights = instance.weights
        reach = instance.step * float(np.linalg.norm(instance.gradient / weights**0.5))
        spacing = reach * (weights**0.5 + weights[::-1] ** 0.5) / 2
        return MonteCarloCase(
            "eq",
            lambda rng, size: _rows(instance, method, rng, size, 1)[:, 0] / STEP_SIZE**2,
            stated,
            upper=float((spacing**2).sum()),
            resolution=0.03,
        )

    base = Lazy(lambda: case("dcgd_plus"), tests=1)
    mutants = {"plain-compression": Lazy(lambda: case("dcgd"), tests=1)}
    parameters = {**instance.parameters, "step_size": STEP_SIZE, "rounds": 1}
    return Check("montecarlo", "one-round", base, parameters, mutants, seconds=0.5)


def _rows(instance: Instance, method: Method, rng: Any, replicates: int, rounds: int) -> Any:
    """Return the squared distances of runs from the solution, (replicates, rounds)."""
    import impl.optimizers

    result = getattr(impl.optimizers, method)(
        instance.problem(),
        StochasticQuantizer(instance.step),
        step_size=STEP_SIZE,
        rounds=rounds,
        rng=rng,
        replicates=replicates,
        start=np.zeros(instance.d),
    )
    return result.distance_sq[:, 1:]


def _neighbourhood() -> Check:
    """DCGD from the solution stays in the neighbourhood of `squant/dcgd`; DCGD+ does not."""
    instance, rounds = INSTANCES["golden"], 60

    def bounds() -> Any:
        problem = instance.problem()
        # sigma_*^2 of DCGD: omega L_i times the squared gradient over L_i.
        sigma = instance.formula("unaware") * float(np.sum(instance.gradient**2))
        values = {"gamma": STEP_SIZE, "sigma": sigma, "mu": problem.mu, "n": problem.n}
        return np.full(rounds, evaluate(theory.claim("squant/dcgd").formulas["neighbourhood"], values))

    def case(method: Method) -> TrajectoryCase:
        return TrajectoryCase(bounds, lambda rng, size: _rows(instance, method, rng, size, rounds))

    parameters = {**instance.parameters, "step_size": STEP_SIZE, "rounds": rounds}
    mutants = {"same-neighbourhood": case("dcgd_plus")}
    return Check("run", "from-the-solution", case("dcgd"), parameters, mutants, seconds=0.6)


def _interpolation() -> Check:
    """Without gradients at the solution DCGD+ and DCGD reach it, and one step from it stays there."""
    instance = INSTANCES["mild"]

    def case(*, interpolation: bool = True) -> DriftCase:
        return DriftCase(lambda rng: compare_interpolation(instance, rng, interpolation=interpolation))

    mutants = {"no-floor-at-all": case(interpolation=False)}
    parameters = {**instance.parameters, "step_size": STEP_SIZE, "rounds": 400}
    return Check("run", "interpolation", Lazy(case), parameters, mutants, seconds=0.4)


def compare_interpolation(instance: Instance, rng: Any, *, interpolation: bool) -> Iterable[Comparison]:
    """Run both methods from far away to the solution.

    Args:
        instance: Diagonal, gradient and step.
        rng: Generator of the runs.
        interpolation: Whether the gradients of the nodes vanish at the solution.
    """
    import impl.optimizers

    problem = instance.problem(interpolation=interpolation)
    for method in ("dcgd", "dcgd_plus"):
        step = float(one_step(instance, method, interpolation=interpolation)[0])
        yield Comparison(f"one step of {method} from the solution", "eq", step, 0)
        result = getattr(impl.optimizers, method)(
            problem,
            StochasticQuantizer(instance.step),
            step_size=STEP_SIZE,
            rounds=400,
            rng=rng,
            replicates=8,
            start=np.ones(instance.d),
        )
        left = float((result.distance_sq[:, -1] / result.distance_sq[:, 0]).max())
        yield Comparison(f"share of the distance of {method} that is left", "le", left, 1e-6, VANISHED)
