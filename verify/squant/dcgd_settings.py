"""Problems, compressors and step sizes at which `squant/dcgd` is checked, honest and sabotaged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from impl.compressors.contract import Draws
from impl.matrix_roots import MatrixRoots
from verify.evaluation import evaluate
from verify.squant.steps import optimal_steps
from verify.squant.supremum import supremum_of

# From (L, largest variance constant, n) to the step size; mutants replace it.
StepRule = Callable[[float, float, int], float]


class SharedSeed(StochasticQuantizer):
    """The same uniforms on all nodes."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = float) -> Draws:
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

    def run(self, start: Any, rng: Any, *, rounds: int, replicates: int, trace: bool = False) -> Any:
        """Run DCGD+ in this setting."""
        from impl.optimizers import dcgd_plus

        return dcgd_plus(
            self.problem,
            self.compressor,
            step_size=self.step_size,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            start=start,
            smoothness=self.compression,
            trace=trace,
        )

    def sigma_star(self) -> float:
        """Return the noise at the solution, by the claim's formula."""
        roots = MatrixRoots.of_nodes(self.problem.smoothness)
        gradients = roots.apply_pseudo_inverse_root(self.problem.gradients(self.problem.solution))
        values = {"Lcal": self.variance_constants, "s": (gradients**2).sum(axis=-1), "n": self.problem.n}
        return formula("sigma_star", **values)

    def rate(self, start_distance: float, rounds: int) -> Any:
        """Return the bounds of the claim for rounds 1..K."""
        values = {
            "mu": self.problem.mu,
            "n": self.problem.n,
            "gamma": self.step_size,
            "sigma": self.sigma_star(),
        }
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
    used = problem.smoothness if matrices is None else matrices
    mean = used.mean(axis=0)
    L = float(mean.max() if mean.ndim == 1 else np.linalg.eigvalsh(mean)[-1])
    gamma = step_rule(L, max(constants), problem.n)
    return Setting(problem, compressor(steps), MatrixRoots.of_nodes(used), tuple(constants), gamma)


def bound_constants(matrices: Any, steps: Any) -> tuple[float, ...]:
    """Return the bounds of `squant/bounds` for each node."""
    claim = theory.claim("squant/bounds")
    diagonals = matrices if np.ndim(matrices) == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)
    return tuple(
        evaluate(claim.bound, {"L": L, "h": h, "d": len(L)})
        for L, h in zip(diagonals, np.broadcast_to(steps, diagonals.shape), strict=True)
    )


def exact_constants(matrices: Any, steps: Any) -> tuple[float, ...]:
    """Return the suprema of `squant/sup` for each node."""
    diagonals = matrices if np.ndim(matrices) == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)
    steps = np.broadcast_to(steps, diagonals.shape)
    return tuple(supremum_of(list(L), list(h)).upper for L, h in zip(diagonals, steps, strict=True))


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


def golden_setting(
    name: str, *, permuted: bool = False, step_rule: StepRule = stated_step_size
) -> tuple[Setting, Any]:
    """Return a golden problem with bounds as constants, and its state."""
    from impl.problems import Quadratic

    order = slice(None, None, -1) if permuted else slice(None)
    matrices, centers, steps, state = (np.asarray(item, dtype=float) for item in GOLDEN[name])
    problem = Quadratic.from_centers(matrices[order], centers[order])
    constants = bound_constants(matrices[order], steps[order])
    return setting(problem, steps[order], constants, step_rule=step_rule), state[None]


def sharp_setting(step_rule: StepRule = stated_step_size) -> Setting:
    """Return the sharp problem f = |x|^2/2, n=1, d=100, h=1, where the variance constant is 9."""
    from impl.problems import Quadratic

    return setting(
        Quadratic(np.ones((1, 100))), 1.0, (supremum_of([1.0] * 100, [1.0] * 100).upper,), step_rule=step_rule
    )


def identical_nodes_setting(compressor: type[StochasticQuantizer] = StochasticQuantizer) -> Setting:
    """Return eight nodes f_i = |x|^2/8, d=100, h=1: only the average over nodes keeps the noise small."""
    from impl.problems import Quadratic

    problem = Quadratic(np.full((8, 100), 0.25))
    return setting(problem, 1.0, exact_constants(problem.smoothness, 1.0), compressor=compressor)


def with_rolled_nodes(chosen: Setting) -> Setting:
    """Return the setting with a server that decodes each message with the matrix of the node before."""
    roots = chosen.compression
    return replace(chosen, compression=replace(roots, root=np.roll(roots.root, 1, axis=0)))


def with_wrong_decompression(chosen: Setting) -> Setting:
    """Return the setting with a server that multiplies by the pseudo-inverse roots."""
    roots = chosen.compression
    wrong = WrongDecompression(**{item.name: getattr(roots, item.name) for item in fields(roots)})
    return replace(chosen, compression=wrong)


def data_setting(problem: Any) -> Setting:
    """Return DCGD+ with varying steps of each node, optimal for its matrix, at budget sqrt(d)."""
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
