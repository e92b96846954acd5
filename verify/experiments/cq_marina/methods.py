"""Methods of the experiments at their theoretical parameters, and what they need to an accuracy."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import (
    CorrelatedQuantizer,
    Independent,
    IndependentQuantizer,
    JointCompressor,
    PermK,
    RandK,
)
from impl.optimizers import marina
from impl.problems import Problem
from impl.problems.hessian_variance import SmoothnessConstants, smoothness_constants
from verify.authoring.law import formulas_of
from verify.cq_marina.fixtures.joint.psi import cost, psi
from verify.cq_marina.fixtures.second_moments import (
    Array,
    MomentTrace,
    Noise,
    QuadraticRun,
    one_bit_noise,
    perm_k_noise,
    rand_k_noise,
)
from verify.errors import UsageError
from verify.formulas.evaluation import evaluate

NAMES = {
    "rand_k": "RandK",
    "perm_k": "PermK",
    "independent": "independent quantization",
    "correlated": "correlated quantization",
}
FLOAT_BITS = 32
# How many entries RandK keeps of d coordinates at n clients.
Keep = Callable[[int, int], int]


def nearest(n: int, d: int) -> int:
    """Return d / n to the nearest whole number, at least 1: the rule on quadratics."""
    return max(1, round(d / n))


def rounded_down(n: int, d: int) -> int:
    """Return d / n rounded down, at least 1: the rule on logistic regression."""
    return int(evaluate(formulas_of("cq_marina/exp-logreg")["kept"], {"n": n, "d": d}))


@dataclass(frozen=True)
class Method:
    """MARINA with a compressor on a problem, with probability and step size from the theory.

    Args:
        name: One of `NAMES`.
        problem: The problem.
        constants: Its smoothness constants.
        compressor: What the clients send.
        chi: Calligraphic X.
        message_bits: Expected bits of a compressed message.
        probability: p.
        step_size: gamma.
    """

    name: str
    problem: Any
    constants: SmoothnessConstants
    compressor: JointCompressor
    chi: float
    message_bits: float
    probability: float
    step_size: float

    @property
    def share(self) -> float:
        """The length c of a compressed message relative to an uncompressed one."""
        return self.message_bits / float(FLOAT_BITS * self.problem.d)

    @property
    def theoretical_cost(self) -> float:
        """Bits that the bound promises, relative to gradient descent."""
        return cost(self.chi / self.constants.L_minus**2, self.share, self.probability)

    def bits(self, rounds: Any) -> Any:
        """Return the expected bits of a client for the first gradient and so many rounds."""
        stated = formulas_of("cq_marina/exp-quadratic")["exact"]
        values = {"d": self.problem.d, "p": self.probability, "message": self.message_bits}
        # Affine in the rounds: two evaluations serve all replicates.
        first, second = (evaluate(stated, {**values, "k": k}) for k in (0, 1))
        return first + np.asarray(rounds) * (second - first)

    def bound(self, rounds: npt.ArrayLike, gap: float) -> Array:
        """Return the stated bound on the average of E||grad f||^2 over so many rounds."""
        stated = formulas_of("cq_marina/exp-quadratic")["bound"]
        values = {
            "Delta_0": gap,
            "L_minus": self.constants.L_minus,
            "X": self.chi,
            "p": self.probability,
            "T": 1,
        }
        return np.asarray(evaluate(stated, values) / np.asarray(rounds))

    def run(
        self, rng: Any, *, rounds: int, replicates: int, start: Any = None, accuracy: float | None = None
    ) -> Any:
        """Run the method from zero; with an accuracy no further than that all replicates need for it."""
        return marina(
            self.problem,
            self.compressor,
            step_size=self.step_size,
            probability=self.probability,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            start=start,
            float_bits=FLOAT_BITS,
            gradient_until=accuracy,
        )

    def expectations(self, rounds: int) -> MomentTrace:
        """Return the exact expectations along the run on a quadratic.

        Raises:
            UsageError: The noise of the method is not linear in the second moments.
        """
        return QuadraticRun(
            self.problem.matrices,
            self.problem.linear,
            np.zeros(self.problem.d),
            self.step_size,
            self.probability,
            self._noise(),
        ).trace(rounds)

    def _noise(self) -> Noise:
        if self.name == "independent" or self.probability == 1.0:
            return one_bit_noise  # any noise will do where no message is compressed
        if self.name == "rand_k":
            compressor: Any = self.compressor
            return rand_k_noise(compressor.compressor.k)
        n, d = self.problem.n, self.problem.d
        if self.name == "perm_k" and self.constants.L_pm <= 1e-12 * self.constants.L_minus:
            return _no_noise  # equal clients: whoever sends a coordinate, it is the same
        if self.name == "perm_k" and not (d % n and n % d):
            return perm_k_noise
        raise UsageError(f"method={self.name!r} at n={n}, d={d} has no exact expectations; run it instead")


def _no_noise(Y: Array, Z: Array, n: int) -> Array:
    return np.zeros_like(Y)


def method_of(problem: Problem, name: str, keep: Keep = nearest) -> Method:
    """Return a method at p = argmin psi (PermK: 1/n) and the step size of `cq_marina/marina-rate`.

    Args:
        problem: A quadratic or logistic regression.
        name: One of `NAMES`.
        keep: How many entries RandK keeps.
    """
    n, d, found = problem.n, problem.d, smoothness_constants(problem)
    kept = keep(n, d)
    compressors: dict[str, JointCompressor] = {
        "rand_k": Independent(RandK(kept, value_bits=FLOAT_BITS)),
        "perm_k": PermK(value_bits=FLOAT_BITS),
        "independent": IndependentQuantizer("binary", norm_bits=FLOAT_BITS),
        "correlated": CorrelatedQuantizer("binary", norm_bits=FLOAT_BITS),
    }
    if name not in compressors:
        raise UsageError(f"method={name!r} must be one of {', '.join(compressors)}")
    formulas = formulas_of("cq_marina/exp-quadratic")
    sizes = {"rand_k": {"K": kept}, "perm_k": {"d": d, "n": n}}
    key = f"message_{name}" if name in sizes else "message_one_bit"
    message_bits = evaluate(formulas[key], sizes.get(name, {"d": d}))
    return with_noise(
        Method(name, problem, found, compressors[name], math.nan, message_bits, math.nan, math.nan),
        noise_constant(name, n, d, kept, found),
        probability=1 / n if name == "perm_k" else None,
    )


def noise_constant(name: str, n: int, d: int, kept: int, found: SmoothnessConstants) -> float:
    """Return calligraphic X of a method."""
    dimensions = {"n": n, "d": d}
    if name == "rand_k":
        A = evaluate(formulas_of("cq_marina/exp-quadratic")["A_rand_k"], {**dimensions, "K": kept})
        return A * found.L_plus**2
    if name == "perm_k":
        theta = evaluate(formulas_of("cq_marina/ab-permk")["theta"], dimensions)
        return theta * found.L_pm**2
    formulas = formulas_of("cq_marina/marina-cq-rate")
    if name == "independent":
        return evaluate(formulas["X_independent"], {**dimensions, "L_plus": found.L_plus})
    return evaluate(formulas["X"], {**dimensions, "L_plus": found.L_plus, "L_pm": found.L_pm})


def with_noise(method: Method, chi: float, *, probability: float | None = None) -> Method:
    """Return the method with another calligraphic X, and probability and step size to fit."""
    L = method.constants.L_minus
    p = psi(chi / L**2, method.share).probability if probability is None else probability
    step = evaluate(formulas_of("cq_marina/marina-rate")["step_size"], {"L_minus": L, "X": chi, "p": p})
    return replace(method, chi=chi, probability=p, step_size=step)


# ---------------------------------------------------------------- costs to an accuracy


def first_below(values: npt.ArrayLike, accuracy: float) -> int:
    """Return the first round at which a sequence is at most the accuracy.

    Raises:
        UsageError: There is none.
    """
    close = np.asarray(values) <= accuracy
    if not close.any():
        raise UsageError(f"the accuracy {accuracy:g} is not reached in {len(close) - 1} rounds; allow more")
    return int(close.argmax())


@dataclass(frozen=True)
class Arrival:
    """When replicates reach an accuracy.

    Args:
        gradient_norm_sq: ||grad f(x^k)||^2, (R, K + 1).
        accuracy: What is reached.
        method: The method that ran.
    """

    gradient_norm_sq: Any
    accuracy: float
    method: Method

    @cached_property
    def arrived(self) -> Any:
        """Which replicates have reached it, (R,)."""
        return (self.gradient_norm_sq <= self.accuracy).any(axis=1)

    @cached_property
    def rounds(self) -> Any:
        """Rounds until then, or all of them, (R,)."""
        last = self.gradient_norm_sq.shape[1] - 1
        first = (self.gradient_norm_sq <= self.accuracy).argmax(axis=1)
        return np.where(self.arrived, first, last).astype(float)

    @property
    def settled(self) -> Any:
        """Rounds until then, (R,), for a figure, which cannot say "at least".

        Raises:
            UsageError: A replicate has not arrived.
        """
        if not self.arrived.all():
            late, last = int((~self.arrived).sum()), self.gradient_norm_sq.shape[1] - 1
            raise UsageError(f"{late} runs have not arrived in {last} rounds; allow more rounds")
        return self.rounds

    def samples(self, values: Any) -> tuple[Any, Any]:
        """Return lower and upper ends of a cost that grows with the rounds, for `CostCase`."""
        return values, np.where(self.arrived, values, np.inf)

    @property
    def bits(self) -> tuple[Any, Any]:
        """Expected bits of the rounds that each replicate needs."""
        return self.samples(self.method.bits(self.rounds))


def exactly(value: float, replicates: int) -> tuple[Any, Any]:
    """Return a number that is known, as samples."""
    values = np.full(replicates, float(value))
    return values, values
