"""Problems, compressors and parameters at which `squant/diana` is checked, honest and sabotaged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from impl.matrix_roots import MatrixRoots
from impl.optimizers.shifted_compression import ShiftedCompression
from verify.evaluation import evaluate
from verify.one_step import ShiftedStep
from verify.squant.dcgd_settings import GOLDEN, bound_constants, exact_constants
from verify.squant.methods import Method, method_of

# From (L, largest variance constant, n) to the step size, from omega to the learning rate.
StepRule = Callable[[float, float, int], float]
RateRule = Callable[[float], float]


class ShiftWithoutRoot(ShiftedCompression):
    """Nodes that move their shifts by the message itself, not by what the server makes of it."""

    def learn(self, messages: Any, decoded: Any) -> None:
        roots = self.roots
        moved = messages if roots is None else roots.apply_pseudo_inverse_root(messages)
        self.transformed += self.learning_rate * moved
        self.mean += self.learning_rate * messages.mean(axis=-2)


@dataclass(frozen=True)
class Setting:
    """A problem with compressor and the parameters that the claim gives it.

    Args:
        problem: The problem; its own matrices decide what is true.
        compressor: The compressor of all nodes.
        compression: Roots that nodes and server use; those of the problem unless sabotaged.
        variance_constants: Constants of the nodes, weighted with their matrices, (n,).
        omega: The largest constant without weight.
        step_size: gamma.
        learning_rate: alpha.
        learner: How shifts are learnt.
    """

    problem: Any
    compressor: Any
    compression: MatrixRoots
    variance_constants: tuple[float, ...]
    omega: float
    step_size: float
    learning_rate: float
    learner: type[ShiftedCompression] = field(default=ShiftedCompression)

    @property
    def step(self) -> ShiftedStep:
        """Return the exact one-step expectations."""
        return ShiftedStep(
            self.problem, self.compressor, self.compression, self.step_size, self.learning_rate
        )

    def run(
        self, start: Any, rng: Any, *, rounds: int, replicates: int, shifts: Any = None, trace: bool = False
    ) -> Any:
        """Run DIANA+ in this setting; another learner goes through what the public method runs."""
        from impl.errors import Problems
        from impl.optimizers import diana_plus
        from impl.optimizers.shifted_compression import run_shifted

        arguments: dict[str, Any] = {
            "step_size": self.step_size,
            "learning_rate": self.learning_rate,
            "rounds": rounds,
            "replicates": replicates,
            "start": start,
            "shifts": shifts,
            "trace": trace,
        }
        if self.learner is ShiftedCompression:
            return diana_plus(
                self.problem, self.compressor, rng=rng, smoothness=self.compression, **arguments
            )
        return run_shifted(
            Problems("diana_plus"),
            self.problem,
            self.compressor,
            rng,
            omega=None,
            until=None,
            roots=self.compression,
            learner=self.learner,
            **arguments,
        )

    def shift_error(self, shift_distance_sq: Any) -> Any:
        """Return sigma^2 from the squared distances of the shifts (..., n), by the claim's formula."""
        flat = shift_distance_sq.reshape(-1, self.problem.n)
        values = [
            formula("shift_error", Lcal=self.variance_constants, s=row, n=self.problem.n) for row in flat
        ]
        return np.array(values).reshape(shift_distance_sq.shape[:-1])

    def lyapunov(self, distance_sq: Any, sigma: Any) -> Any:
        """Return Psi from squared distances and sigma^2 of any shape, by the claim's weight."""
        weight = formula("lyapunov_weight", n=self.problem.n, alpha=self.learning_rate)
        return distance_sq + weight * self.step_size**2 * sigma

    def rate(self, psi: float, rounds: int) -> Any:
        """Return the bounds of the claim for rounds 1..K from Psi_0."""
        values = {"gamma": self.step_size, "mu": self.problem.mu, "alpha": self.learning_rate, "Psi_0": psi}
        return np.array([formula("rate", k=k, **values) for k in range(1, rounds + 1)])


def formula(name: str, **values: Any) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/diana").formulas[name], values)


def stated_step_size(L: float, constant: float, n: int) -> float:
    """Return the step size of the claim."""
    return formula("step_size", L=L, Lcal_max=constant, n=n)


def stated_learning_rate(omega: float) -> float:
    """Return the learning rate of the claim."""
    return formula("learning_rate", omega_max=omega)


def setting(
    problem: Any,
    steps: Any,
    constants: Sequence[float],
    omega: float,
    *,
    step_rule: StepRule = stated_step_size,
    rate_rule: RateRule = stated_learning_rate,
) -> Setting:
    """Assemble a setting with the problem's own matrices."""
    return Setting(
        problem,
        StochasticQuantizer(steps),
        MatrixRoots.of_nodes(problem.smoothness),
        tuple(constants),
        omega,
        step_rule(problem.L, max(constants), problem.n),
        rate_rule(omega),
    )


def golden_setting(name: str, *, permuted: bool = False, **rules: Any) -> tuple[Setting, Any]:
    """Return a golden problem with bounds as constants, and its state."""
    from impl.problems import Quadratic

    order = slice(None, None, -1) if permuted else slice(None)
    matrices, centers, steps, state = (np.asarray(item, dtype=float) for item in GOLDEN[name])
    problem = Quadratic.from_centers(matrices[order], centers[order])
    constants = bound_constants(matrices[order], steps[order])
    omega = max(bound_constants(np.ones_like(steps), steps))
    return setting(problem, steps[order], constants, omega, **rules), state[None]


def tight_setting(rate_rule: RateRule = stated_learning_rate) -> Setting:
    """Return f = |x|^2/2, n=1, d=100, h=1, omega=9, where the shifts reach their bound at the ones vector."""
    from impl.problems import Quadratic

    problem = Quadratic(np.ones((1, 100)))
    (omega,) = exact_constants(np.ones((1, 100)), 1.0)
    return setting(problem, 1.0, (omega,), omega, rate_rule=rate_rule)


def identical_nodes_setting() -> Setting:
    """Return 32 nodes f_i = |x|^2/8, d=100, h=1: only the average over nodes keeps the noise small."""
    from impl.problems import Quadratic

    problem = Quadratic(np.full((32, 100), 0.25))
    constants = exact_constants(problem.smoothness, 1.0)
    (omega,) = exact_constants(np.ones((1, 100)), 1.0)
    return setting(problem, 1.0, constants, omega)


def unaware_setting(name: str) -> tuple[Setting, Any]:
    """Return a golden problem for DIANA, the case L_i I with the constants omega L_i, and its state."""
    chosen, state = golden_setting(name)
    problem = chosen.problem
    constants = tuple(chosen.omega * float(L) for L in problem.L_nodes)
    roots = MatrixRoots.from_diagonals(np.repeat(problem.L_nodes[:, None], problem.d, axis=1))
    step_size = stated_step_size(problem.L, max(constants), problem.n)
    return replace(chosen, compression=roots, variance_constants=constants, step_size=step_size), state


def of_method(method: Method) -> Setting:
    """Return the setting of a DIANA+ method of the experiments."""
    if method.roots is None or method.learning_rate is None:
        raise ValueError(f"{method.label} has no matrices or no learning rate; take a method diana_plus")
    made = method.compression
    return Setting(
        method.problem,
        made.compressor,
        method.roots,
        made.variance_constants,
        max(made.omegas),
        method.step_size,
        method.learning_rate,
    )


def data_setting(problem: Any, compression: str = "varying", budget: float | None = None) -> Setting:
    """Return DIANA+ with a compression of the experiments, at budget sqrt(d) unless told otherwise."""
    return of_method(
        method_of(problem, "diana_plus", compression, problem.d**0.5 if budget is None else budget)
    )


def with_identity_transform(chosen: Setting) -> Setting:
    """Return the setting with messages that know no matrix, at the step size of those that do."""
    return replace(
        chosen, compression=MatrixRoots.from_diagonals(np.ones((chosen.problem.n, chosen.problem.d)))
    )


def with_factors(chosen: Setting, *, step: float = 1.0, rate: float = 1.0) -> Setting:
    """Return the setting with a multiple of its step size or learning rate."""
    return replace(chosen, step_size=step * chosen.step_size, learning_rate=rate * chosen.learning_rate)
