"""The protocol of the public code of MARINA: RandK on a nonconvex loss, against DIANA at their step and ours.

Read from burlachenkok/marina at 458436f: five workers, the mean of sigma(-y a^T x)^2, ridge 1e-6 L, one,
five or ten random entries, whose places are not charged. Rows in their order, in five equal parts, with a
constant feature. Their start is not known: ours is zero.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import Independent, RandK
from impl.optimizers import diana, marina
from impl.problems import Problem, load_libsvm
from verify.authoring.law import formulas_of
from verify.errors import UsageError
from verify.experiments.cq_marina.methods import FLOAT_BITS
from verify.formulas.evaluation import evaluate

Array = npt.NDArray[Any]

WORKERS, KEPT, RIDGE = 5, (1, 5, 10), 1e-6
CURVATURE = 0.15405
"""What the code takes for the largest second derivative of sigma(-t)^2, which is 0.1540586."""
METHODS = ("MARINA", "DIANA, their step", "DIANA, proved step")


class SquaredSigmoid(Problem):
    r"""$f_i$ is the mean of $\sigma(-y\,a^\top x)^2$ over the rows of worker i, and a ridge; not convex.

    Args:
        features: Rows, (N, d), N a multiple of n.
        labels: -1 or 1, (N,).
        n: Number of workers, each with N/n rows in a row.
    """

    mu = 0.0

    def __init__(self, features: npt.ArrayLike, labels: npt.ArrayLike, n: int = WORKERS) -> None:
        rows = np.asarray(features, dtype=float) * np.asarray(labels, dtype=float)[:, None]
        self.n, self.d = n, rows.shape[1]
        self.bound = CURVATURE * float((rows**2).sum(axis=1).max())
        self.ridge = RIDGE * self.bound
        self._rows = rows.reshape(n, -1, self.d)

    @property
    def solution(self) -> Array:
        raise UsageError("SquaredSigmoid: not convex, no certified solution; look at gradient_norm_sq")

    def objectives(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        ridge = self.ridge / 2 * (points**2).sum(axis=-1)[..., None]
        return np.asarray((self._sigmoids(points) ** 2).mean(axis=-1) + ridge)

    def gradients(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        sigma = self._sigmoids(points)
        slopes = -2 * sigma**2 * (1 - sigma) / sigma.shape[-1]
        return np.asarray(np.einsum("...nm,nmd->...nd", slopes, self._rows, optimize=True)) + (
            self.ridge * points[..., None, :]
        )

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        first, second = self._points(x), self._points(y)
        moved = (self.gradients(second) * (first - second)[..., None, :]).sum(axis=-1)
        return np.asarray(self.objectives(first) - self.objectives(second) - moved)

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        sigma = _sigmoid(self._rows[i] @ x)
        slopes = -2 * sigma**2 * (1 - sigma) / len(sigma)
        value = float((sigma**2).mean() + self.ridge / 2 * (x @ x))
        return value, slopes @ self._rows[i] + self.ridge * x

    def hessian(self, x: npt.ArrayLike) -> Array:
        raise UsageError("SquaredSigmoid: Hessians are not computed; take differences of gradients")

    def _sigmoids(self, points: Array) -> Array:
        """Return sigma(-y a^T x), (..., n, rows)."""
        margins = np.einsum("...d,nmd->...nm", points, self._rows, optimize=True)
        return _sigmoid(margins)


def _sigmoid(margins: Array) -> Array:
    """Return 1 / (1 + exp(margin)) without overflow."""
    return np.asarray(1 / (1 + np.exp(np.clip(margins, -700, 700))))


@dataclass(frozen=True)
class Cost:
    """What a run took to the accuracy: rounds, and kbits of a worker without places of entries."""

    rounds: int
    kbits: float


@cache
def problem(name: str) -> SquaredSigmoid:
    """Return a LIBSVM set as the protocol has it: a constant feature, rows left over at the end cut off."""
    features, labels = load_libsvm(name)
    dense = features.toarray() if hasattr(features, "toarray") else np.asarray(features)
    rows = np.column_stack([dense, np.ones(len(dense))])
    count = len(rows) // WORKERS * WORKERS
    return SquaredSigmoid(rows[:count], np.where(labels > 0, 1.0, -1.0)[:count])


def steps(d: int, k: int, L: float, n: int = WORKERS) -> dict[str, float]:
    """Return the step of each method with k of d entries, and largest constant L."""
    given = {"n": n, "L": L, "omega": d / k - 1}
    formulas = formulas_of("cq_marina/finding-public-diana")
    return {
        name: float(evaluate(formulas[formula], given))
        for name, formula in zip(METHODS, ("marina_step", "public_step", "step_size"), strict=True)
    }


def spent(of: SquaredSigmoid, name: str, k: int, accuracy: float, seed: int, rounds: int) -> Cost | None:
    """Return what a run takes until the squared gradient norm is so much of that at the start.

    Args:
        of: The problem.
        name: One of `METHODS`.
        k: Random entries of a message.
        accuracy: Part of the squared gradient norm at zero.
        seed: Of the run.
        rounds: At most so many; None is returned where they are too few.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    omega, step = of.d / k - 1, steps(of.d, k, of.bound)[name]
    common: dict[str, Any] = {"step_size": step, "rounds": rounds, "rng": rng}
    chance = 1 / (1 + omega)
    if name == "MARINA":
        run = marina(of, Independent(RandK(k)), probability=chance, float_bits=FLOAT_BITS, **common)
        whole = np.isclose(np.diff(run.bits[0]), FLOAT_BITS * of.d)
    else:
        run = diana(of, RandK(k), learning_rate=chance, **common)
        whole = np.zeros(rounds, dtype=bool)
    arrived = np.flatnonzero(run.gradient_norm_sq[0] <= accuracy * run.gradient_norm_sq[0, 0])
    if not len(arrived):
        return None
    entries = np.where(whole[: arrived[0]], of.d, k).sum()
    return Cost(int(arrived[0]), FLOAT_BITS * float(entries) / 1000)
