"""Checks of `squant/dcgd`: exact one-step drift at visited states, and trajectories over replicates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import theory
from impl.compressors import StochasticQuantizer
from impl.compressors.contract import Draws
from impl.matrix_roots import MatrixRoots
from theory.derivation import Certificate
from verify.binding import Check
from verify.comparison import DRIFT, Comparison
from verify.evaluation import evaluate
from verify.one_step import OneStep
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.steps import optimal_steps
from verify.squant.supremum import supremum_of

# From (L, largest variance constant, n) to the step size; mutants replace it.
StepRule = Callable[[float, float, int], float]


class SharedSeed(StochasticQuantizer):
    """The same uniforms on all nodes."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = float) -> Draws:
        import numpy as np

        one = super().draw(rng, (*shape[:-2], 1, shape[-1]), dtype)
        return Draws(private=np.broadcast_to(one.private, shape).copy())


class WrongDecompression(MatrixRoots):
    """A server that multiplies by the pseudo-inverse root again."""

    def apply_root(self, x: Any) -> Any:
        return self.apply_pseudo_inverse_root(x)


@dataclass(frozen=True)
class Setting:
    """A problem with compressor, the matrices used for compression, and the step size of the claim.

    Args:
        problem: The problem; its own matrices decide what is true.
        compressor: The compressor of all nodes.
        compression: Roots that nodes and server use; those of the problem unless sabotaged.
        variance_constants: Upper bounds on the constants of the nodes, (n,).
        step_size: gamma.
    """

    problem: Any
    compressor: Any
    compression: MatrixRoots
    variance_constants: tuple[float, ...]
    step_size: float

    def sigma_star(self) -> float:
        """Return the noise at the solution, by the claim's formula."""
        roots = MatrixRoots.of_nodes(self.problem.smoothness)
        gradients = roots.apply_pseudo_inverse_root(self.problem.gradients(self.problem.solution))
        values = {"Lcal": self.variance_constants, "s": (gradients**2).sum(axis=-1), "n": self.problem.n}
        return formula("sigma_star", **values)

    def rate(self, start_distance: float, rounds: int) -> Any:
        """Return the bounds of the claim for rounds 1..K."""
        import numpy as np

        values = {"mu": self.problem.mu, "n": self.problem.n, "gamma": self.step_size, "sigma": self.sigma_star()}
        bounds = [formula("rate", distance=start_distance, k=k, **values) for k in range(1, rounds + 1)]
        return np.array(bounds)


def formula(name: str, **values: Any) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/dcgd").formulas[name], values)


def stated_step_size(L: float, constant: float, n: int) -> float:
    """Return the step size of the claim."""
    return formula("step_size", L=L, Lcal_max=constant, n=n)


def setting(
    problem: Any,
    steps: Any,
    constants: Sequence[float],
    *,
    step_rule: StepRule = stated_step_size,
    compressor: type[StochasticQuantizer] = StochasticQuantizer,
    matrices: Any = None,
) -> Setting:
    """Assemble a setting; `matrices` replace those of the problem in compression and step size."""
    import numpy as np

    used = problem.smoothness if matrices is None else matrices
    mean = used.mean(axis=0)
    L = float(mean.max() if mean.ndim == 1 else np.linalg.eigvalsh(mean)[-1])
    gamma = step_rule(L, max(constants), problem.n)
    return Setting(problem, compressor(steps), MatrixRoots.of_nodes(used), tuple(constants), gamma)


def bound_constants(matrices: Any, steps: Any) -> tuple[float, ...]:
    """Return the bounds of `squant/bounds` for each node."""
    import numpy as np

    claim = theory.claim("squant/bounds")
    diagonals = matrices if np.ndim(matrices) == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)
    return tuple(
        evaluate(claim.bound, {"L": L, "h": h, "d": len(L)})  # type: ignore[arg-type]  # this claim has a bound
        for L, h in zip(diagonals, np.broadcast_to(steps, diagonals.shape), strict=True)
    )


def exact_constants(matrices: Any, steps: Any) -> tuple[float, ...]:
    """Return the suprema of `squant/sup` for each node."""
    import numpy as np

    diagonals = matrices if np.ndim(matrices) == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)
    steps = np.broadcast_to(steps, diagonals.shape)
    return tuple(supremum_of(list(L), list(h)).upper for L, h in zip(diagonals, steps, strict=True))


# ---------------------------------------------------------------- golden problems


GOLDEN: dict[str, tuple[Any, Any, Any, Any]] = {
    # matrices, centers, steps, state
    "S1": (((4, 1), (1, 1)), ((1, 0), (-1, 0)), ((0.5, 0.5), (0.5, 0.5)), (3, 3)),
    "S2": ((((2, 1), (1, 2)), ((3, -1), (-1, 1))), ((1, 0), (0, 2)), ((2, 3), (3, 2)), (5, -4)),
    "S3": (
        (((1, 1, 0), (1, 1, 0), (0, 0, 0)), ((1, 0, 0), (0, 2, 0), (0, 0, 3))),
        ((1, 1, 0), (0, -1, 1)),
        ((2, 2, 2), (1, 2, 3)),
        (2, 1, -1),
    ),
}


def golden_setting(name: str, *, permuted: bool = False) -> tuple[Setting, Any]:
    """Return a golden problem with bounds as constants, and its state."""
    import numpy as np

    from impl.problems import Quadratic

    order = slice(None, None, -1) if permuted else slice(None)
    matrices, centers, steps, state = (np.asarray(item, dtype=float) for item in GOLDEN[name])
    problem = Quadratic.from_centers(matrices[order], centers[order])
    return setting(problem, steps[order], bound_constants(matrices[order], steps[order])), state[None]


def sharp_setting(step_rule: StepRule = stated_step_size) -> Setting:
    """Return the sharp problem f = |x|^2/2, n=1, d=100, h=1, where the variance constant is 9."""
    import numpy as np

    from impl.problems import Quadratic

    return setting(Quadratic(np.ones((1, 100))), 1.0, (supremum_of([1.0] * 100, [1.0] * 100).upper,), step_rule=step_rule)


def one_step_comparisons(chosen: Setting, states: Any, label: str) -> Iterable[Comparison]:
    """Hold the exact one-step expectation against the bound of the claim at each state (R, d)."""
    step = OneStep(chosen.problem, chosen.compressor, chosen.compression, chosen.step_size)
    distances = ((states - chosen.problem.solution) ** 2).sum(axis=-1)
    sigma, values = chosen.sigma_star(), step.expected_distance(states)
    for state, distance, value in zip(states, distances, values, strict=True):
        bound = formula(
            "one_step",
            distance=float(distance),
            sigma=sigma,
            gamma=chosen.step_size,
            mu=chosen.problem.mu,
            n=chosen.problem.n,
        )
        yield Comparison(f"one step, {label}", "le", float(value), bound, DRIFT, {"x": state, "gamma": chosen.step_size})


def visited_states(chosen: Setting, rng: Any, *, rounds: int, replicates: int = 4, every: int = 1) -> Any:
    """Return states (R, d) that runs of the method visit, from a start at distance about 1 from the solution."""
    import numpy as np

    from impl.optimizers import dcgd_plus

    start = chosen.problem.solution + rng.standard_normal(chosen.problem.d) / np.sqrt(chosen.problem.d)
    result = dcgd_plus(
        chosen.problem,
        chosen.compressor,
        step_size=chosen.step_size,
        rounds=rounds,
        rng=rng,
        replicates=replicates,
        start=start,
        smoothness=chosen.compression,
        trace=True,
    )
    iterates = result.iterates
    if iterates is None or not np.isfinite(iterates).all():
        iterates = np.broadcast_to(start, (1, 1, chosen.problem.d))  # a diverging mutant: its start must do
    return iterates[:, ::every].reshape(-1, chosen.problem.d)


# ---------------------------------------------------------------- checks


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/dcgd")
    mutated = tuple(_with_half_the_noise(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"certificate-constant": SymbolicCase(mutated)},
            seconds=1.5,
        ),
        *(_golden(name) for name in GOLDEN),
        _sharp(),
        _rank_one(),
        _identical_nodes(),
        *_data_checks("breast-cancer", breast_cancer_setting, {"data": "breast cancer", "n": 8, "ridge": 0.01}),
        *_data_checks("phishing", phishing_setting, {"data": "phishing", "n": 6, "ridge": 5e-3}, needs="phishing"),
    )


def _with_half_the_noise(step: Any) -> Any:
    """Claim half of the noise term in the certificate of one step."""
    if not isinstance(step, Certificate) or step.name != "cert.dcgdplus":
        return step
    (noise,) = [symbol for symbol in step.rhs.free_symbols if symbol.name == "sigma"]
    return replace(step, rhs=step.rhs.subs(noise, noise / 2))


def _golden(name: str) -> Check:
    """The golden state and states that a run visits; numbering the nodes differently changes nothing."""

    def states(permuted: bool) -> Callable[[Any], Sequence[Comparison]]:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen, state = golden_setting(name, permuted=permuted)
            visited = visited_states(chosen, rng, rounds=40)
            return [*one_step_comparisons(chosen, state, name), *one_step_comparisons(chosen, visited, "visited")]

        return compare

    matrices, centers, steps, state = GOLDEN[name]
    parameters = {"matrices": matrices, "centers": centers, "steps": steps, "x": state}
    mutants = {"permuted-nodes": DriftCase(states(permuted=True))}
    return Check("run", name, DriftCase(states(permuted=False)), parameters, mutants, seconds=0.5)


def _sharp() -> Check:
    """At the ones vector the drift is within 3 % of its bound, so that wrong step sizes show."""

    def case(rule: StepRule) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            import numpy as np

            chosen = sharp_setting(rule)
            states = np.concatenate([np.ones((1, 100)), visited_states(chosen, rng, rounds=5)])
            return list(one_step_comparisons(chosen, states, "sharp"))

        return DriftCase(compare)

    mutants = {
        "four-times-step": case(lambda L, constant, n: 4 * stated_step_size(L, constant, n)),
        "omitted-variance-term": case(lambda L, constant, n: stated_step_size(L, 0.0, n)),
        "quarter-variance-term": case(lambda L, constant, n: stated_step_size(L, constant / 4, n)),
    }
    return Check("run", "sharp", case(stated_step_size), {"d": 100, "n": 1, "h": 1, "omega": 9}, mutants, seconds=0.3)


def _rank_one() -> Check:
    """Matrices 11^T + I/2, far from their diagonals."""

    def case(diagonal: bool) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            import numpy as np

            from impl.problems import Quadratic

            d, n, h = 8, 3, 0.05
            matrices = np.broadcast_to(np.ones((d, d)) + 0.5 * np.eye(d), (n, d, d))
            problem = Quadratic.from_centers(matrices, np.arange(n * d).reshape(n, d) / 10)
            used = np.diagonal(matrices, axis1=-2, axis2=-1).copy() if diagonal else None
            chosen = setting(problem, h, exact_constants(matrices, h), matrices=used)
            states = np.concatenate([problem.solution + np.ones((1, d)), visited_states(chosen, rng, rounds=20)])
            return list(one_step_comparisons(chosen, states, "rank one"))

        return DriftCase(compare)

    parameters = {"d": 8, "n": 3, "h": 0.05, "L_i": "11^T + I/2"}
    return Check("run", "rank-one", case(False), parameters, {"diagonal-smoothness": case(True)}, seconds=0.3)


def identical_nodes_setting(compressor: type[StochasticQuantizer], *, wrong_decompression: bool = False) -> Setting:
    """Return eight nodes f_i = |x|^2/8, d=100, h=1: only the average over nodes keeps the noise small."""
    from dataclasses import fields

    import numpy as np

    from impl.problems import Quadratic

    problem = Quadratic(np.full((8, 100), 0.25))
    constants = exact_constants(problem.smoothness, 1.0)
    chosen = setting(problem, 1.0, constants, compressor=compressor)
    if wrong_decompression:
        roots = chosen.compression
        wrong = WrongDecompression(**{item.name: getattr(roots, item.name) for item in fields(roots)})
        chosen = replace(chosen, compression=wrong)
    return chosen


def _identical_nodes() -> Check:
    import functools

    honest = functools.partial(identical_nodes_setting, StochasticQuantizer)
    mutants = {
        "shared-seed": _trajectory(lambda: identical_nodes_setting(SharedSeed), rounds=20),
        "wrong-decompression": _trajectory(
            lambda: identical_nodes_setting(StochasticQuantizer, wrong_decompression=True), rounds=20
        ),
    }
    base = _trajectory(honest, rounds=20)
    return Check("run", "identical-nodes", base, {"n": 8, "d": 100, "h": 1, "rounds": 20}, mutants, seconds=3.0)


def _trajectory(make: Callable[[], Setting], *, rounds: int) -> TrajectoryCase:
    """Distances to the solution over replicates, from the ones vector beside the solution."""
    import functools

    import numpy as np

    settled = functools.cache(make)

    def rows(rng: Any, replicates: int) -> Any:
        from impl.optimizers import dcgd_plus

        chosen = settled()
        result = dcgd_plus(
            chosen.problem,
            chosen.compressor,
            step_size=chosen.step_size,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            start=chosen.problem.solution + np.ones(chosen.problem.d),
            smoothness=chosen.compression,
        )
        return result.distance_sq[:, 1:] if result.distance_sq is not None else None

    return TrajectoryCase(lambda: settled().rate(float(settled().problem.d), rounds), rows)


def _data_checks(name: str, make: Callable[[], Setting], parameters: dict[str, Any], needs: str = "") -> Iterable[Check]:
    """Drift at visited states and trajectories on logistic regression with real data."""

    def states(rng: Any) -> Sequence[Comparison]:
        chosen = make()
        visited = visited_states(chosen, rng, rounds=200, every=20)
        return list(one_step_comparisons(chosen, visited, "visited"))

    yield Check("run", f"{name}-drift", DriftCase(states), {**parameters, "rounds": 200}, seconds=1.0, needs=needs)
    yield Check(
        "run", f"{name}-trajectory", _trajectory(make, rounds=60), {**parameters, "rounds": 60}, seconds=3.0, needs=needs
    )


def data_setting(problem: Any) -> Setting:
    """Return DCGD+ with varying steps of each node, optimal for its matrix, at budget sqrt(d)."""
    import numpy as np

    diagonals = np.diagonal(problem.smoothness, axis1=-2, axis2=-1)
    steps = np.array([optimal_steps(list(L), problem.d**0.5) for L in diagonals])
    return setting(problem, steps, exact_constants(problem.smoothness, steps))


def breast_cancer_setting() -> Setting:
    """Return the embedded data set: 8 nodes, label-sorted split, lambda = 0.01."""
    from impl.problems import breast_cancer_logistic

    return data_setting(breast_cancer_logistic())


def phishing_setting() -> Setting:
    """Return phishing: 6 nodes, label-sorted split, lambda = 5e-3."""
    from impl.problems import Logistic, label_sorted_split, load_libsvm

    return data_setting(Logistic(*label_sorted_split(*load_libsvm("phishing"), 6), 5e-3))


