"""What DIANA and DIANA+ do in a round: compress differences to shifts that learn the gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64
from impl.errors import Problems, RangeError
from impl.matrix_roots import MatrixRoots
from impl.optimizers.runs.batched_run import (
    Cost,
    NodeCompressor,
    NodeRounds,
    require_problem,
    require_randomness,
    run_batched,
)
from impl.optimizers.runs.overflow import OVERFLOW, squared_length, surely_fit
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]

_IN_RANGE = 1e-6  # relative, as for gradients (squant, section 0.2)


class ShiftedCompression:
    r"""Estimator of R replicates with shifts $h_i$, one per node (arXiv 2106.03524, claim `squant/diana`).

    $\Delta_i=C_i(\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i))$, $g=\frac1n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i)$,
    $h_i^+=h_i+\alpha\mathbf L_i^{1/2}\Delta_i$. Kept are $t_i=\mathbf L_i^{+1/2}h_i$ and the mean of the
    $h_i$, so that a round applies each root once.

    Args:
        compressor: applied to (R, n, d), independently over nodes.
        rng: the random stream.
        learning_rate: alpha.
        shifts: $h_i^0$, (n, d).
        target: $\nabla f_i(x^\star)$, (n, d), what the shifts learn; None where it is not known.
        replicates: R.
        roots: roots of the matrices; None for the identity (DIANA).
        check_range: whether a gradient outside the range of its matrix is an error.
    """

    def __init__(
        self,
        compressor: NodeCompressor,
        rng: np.random.Generator,
        *,
        learning_rate: float,
        shifts: Array,
        target: Array | None,
        replicates: int,
        roots: MatrixRoots | None = None,
        check_range: bool = True,
    ) -> None:
        self._compress, self.roots = NodeRounds(compressor, rng), roots
        self.learning_rate, self._check_range = learning_rate, check_range and roots is not None
        self._target = None if target is None else self._transformed(target)
        first = np.broadcast_to(self._transformed(shifts), (replicates, *shifts.shape))
        # As gradients and messages lie; roots keep what they were given, for the order of their sums.
        self.transformed = np.array(first, order="C" if roots is None else "K")
        self.mean = np.array(np.broadcast_to(shifts.mean(axis=0), (replicates, shifts.shape[-1])))
        self._differences = np.empty(self.transformed.shape)  # of a round, then its steps
        self._step = np.zeros_like(self.mean)  # mean of what was decoded

    def __call__(self, x: Array, gradients: Array) -> tuple[Array, Array]:
        if self._check_range and self.roots is not None:
            self.roots.check_range(gradients, x)
        with np.errstate(over="ignore", invalid="ignore"):
            differences = np.subtract(self._transformed(gradients), self.transformed, out=self._differences)
        healthy = self._set_overflow_aside(differences)
        messages, bits = self._compress(differences)
        decoded = messages if self.roots is None else self.roots.apply_root(messages)
        self._step = decoded.mean(axis=-2)
        direction = self.mean + self._step
        self.learn(messages, decoded)
        if healthy is not None:
            direction[~healthy] = np.inf
        return direction, bits

    def _set_overflow_aside(self, differences: Array) -> Array | None:
        """Return which replicates go on, (R,), None for all: compressors must not see infinity."""
        if surely_fit(differences):
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            healthy = np.asarray(squared_length(differences).max(axis=-1) <= OVERFLOW)
        if healthy.all():
            return None
        differences[~healthy], self.transformed[~healthy], self.mean[~healthy] = 0.0, 0.0, 0.0
        return healthy

    def learn(self, messages: Array, decoded: Array) -> None:
        """Move the shifts along the decoded messages, (R, n, d)."""
        projected = messages if self.roots is None else self.roots.project(messages)
        self.transformed += np.multiply(projected, self.learning_rate, out=self._differences)
        self.mean += self.learning_rate * self._step

    def shift_distance_sq(self) -> Array:
        r"""Return $\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$, (R, n)."""
        if self._target is None:
            raise ValueError("the problem certifies no solution, so the limit of the shifts is not known")
        return squared_length(np.subtract(self.transformed, self._target, out=self._differences))

    def shifts(self) -> Array:
        """Return the shifts inside the ranges of their matrices, (R, n, d)."""
        return self.transformed if self.roots is None else self.roots.apply_root(self.transformed)

    def _transformed(self, vectors: Array) -> Array:
        return vectors if self.roots is None else self.roots.apply_pseudo_inverse_root(vectors)


def run_shifted(
    problems: Problems,
    problem: Problem,
    compressor: NodeCompressor,
    rng: np.random.Generator,
    *,
    step_size: float,
    learning_rate: float,
    rounds: int,
    replicates: int,
    start: npt.ArrayLike | None,
    shifts: npt.ArrayLike | None,
    omega: float | None,
    trace: bool,
    until: float | None,
    cost: Cost | None = None,
    roots: MatrixRoots | None = None,
    check_range: bool = True,
    learner: type[ShiftedCompression] = ShiftedCompression,
) -> RunResult:
    """Check the arguments of a method with shifts and run it; see `diana_plus` for their meaning.

    Args beyond those of `diana_plus`: `problems` has what is wrong so far, `roots` are None for the identity,
    `learner` is the estimator.
    """
    require_randomness(problems, compressor, rng)
    _require_learning_rate(problems, learning_rate, omega)
    require_problem(problems, problem)
    shape = (problem.n, problem.d)
    first = _initial_shifts(problems, shifts, shape, roots if check_range else None)

    def begin(size: int) -> ShiftedCompression:
        return learner(
            compressor,
            rng,
            learning_rate=learning_rate,
            shifts=first,
            target=problem.gradients(problem.solution) if problem.mu > 0 else None,
            replicates=size,
            roots=roots,
            check_range=check_range,
        )

    return run_batched(
        problems,
        problem,
        begin,
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        until=until,
        cost=cost,
        shifted=True,
    )


def _initial_shifts(
    problems: Problems, given: npt.ArrayLike | None, shape: tuple[int, int], roots: MatrixRoots | None
) -> Array:
    """Return the first shifts, (n, d), zero if left out; remember what is wrong with them as problems.

    Raises:
        RangeError: a shift outside the range of its matrix, which no message could ever correct.
    """
    if given is None:
        return np.zeros(shape)
    try:
        shifts = as_float64(given)
    except (TypeError, ValueError, OverflowError):
        problems.require(False, f"shifts={given!r} must be real numbers of shape {shape}, one row per node")
        return np.zeros(shape)
    fits = shifts.shape == shape
    problems.require(fits, f"shifts of shape {shifts.shape} must have shape (n, d) = {shape}")
    finite = bool(np.isfinite(shifts).all())
    problems.require(finite, "shifts must be finite; zero, or the gradients at the start, are usual")
    if not fits or not finite:
        return np.zeros(shape)
    if roots is not None:
        lost = np.linalg.norm(shifts - roots.project(shifts), axis=-1)
        outside = np.flatnonzero(lost > _IN_RANGE * np.linalg.norm(shifts, axis=-1))
        if outside.size:
            i = int(outside[0])
            raise RangeError(
                f"shifts of node {i} are outside the range of its smoothness matrix, ||h - P h|| = "
                f"{lost[i]:.6g}; that part would never be learnt and the method would converge to a wrong "
                "point (claim squant/diana). Project them on the range (MatrixRoots.project) or "
                "start at zero"
            )
        return roots.project(shifts)  # what rounding left outside would never be learnt either
    return shifts


def _require_learning_rate(problems: Problems, learning_rate: object, omega: object) -> None:
    """Remember a learning rate outside (0, 1], or above 1/(1 + omega) where omega is given."""
    number = isinstance(learning_rate, float | int | np.floating) and not isinstance(learning_rate, bool)
    inside = number and 0 < learning_rate <= 1  # type: ignore[operator]  # a number, as was just asked
    problems.require(
        inside,
        f"learning_rate={learning_rate!r} must be a number in (0, 1]; 1 / (1 + omega) is the usual size, "
        "with the variance constant omega of the compressor",
    )
    if omega is None:
        return
    known = isinstance(omega, float | int | np.floating) and not isinstance(omega, bool) and omega >= 0
    known = known and bool(np.isfinite(omega))  # type: ignore[call-overload]  # a number, likewise
    problems.require(known, f"omega={omega!r} must be a finite number of at least 0")
    if inside and known:
        largest = 1 / (1 + float(omega))  # type: ignore[arg-type]  # a number, likewise
        problems.require(
            learning_rate <= largest * (1 + 1e-12),  # type: ignore[operator]
            f"learning_rate={learning_rate!r} exceeds 1/(1 + omega) = {largest:.6g}, the largest for which "
            "the rate is proved; take that, or leave omega out to run all the same",
        )
