"""Quadratics, one per node, with known solution where their mean is strongly convex."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from impl.matrix_roots import MatrixRoots
from impl.problems.contract import Problem
from impl.problems.indefinite import absolute_values, check_symmetric

Array = npt.NDArray[Any]

_ROUNDING = 1e-10  # relative to the largest eigenvalue: far above what forming a matrix costs


class Quadratic(Problem):
    r"""Node functions $f_i(x)=\frac12x^\top A_ix-b_i^\top x$ (`from_centers`: $\frac12\|x-c_i\|_{A_i}^2$).

    Args:
        matrices: Hessians A_i, symmetric positive semidefinite, possibly singular: dense (n, d, d), or (n, d)
            when all are diagonal. Two axes always mean diagonals; one dense matrix is passed as (1, d, d).
        linear: vectors b_i, (n, d); zero if left out. **Note the minus sign.** A b_i outside the range of A_i
            is allowed here; the smoothness-aware methods refuse it (A3, claim `squant/range`).
        smoothness: matrices L_i to use instead of A_i, in either form; each L_i - A_i must be positive
            semidefinite, and L_i + A_i where A_i is indefinite.
        convex: if False, the A_i may be indefinite. The smoothness matrix of such an A_i is |A_i| (its
            eigenvalues in absolute value), so that `L` only bounds the smoothness of f;
            `smoothness_constants` gives it exactly. `mu` is the smallest eigenvalue of the mean of the A_i
            where it is positive, else 0.

    Raises:
        ArgumentError: shapes that do not fit, entries that are not finite, a matrix that is not symmetric or
            (unless convex=False) not semidefinite, a smoothness matrix below the Hessian.

    Example:
        >>> problem = Quadratic([[1.0, 0.0], [1.0, 1.0]], [[0.0, -1.0], [0.0, 0.0]])
        >>> problem.solution.round(12)
        array([ 0., -1.])
    """

    def __init__(
        self,
        matrices: npt.ArrayLike,
        linear: npt.ArrayLike | None = None,
        *,
        smoothness: npt.ArrayLike | None = None,
        convex: bool = True,
    ) -> None:
        self._set_up("Quadratic", matrices, linear, None, smoothness, convex)

    @classmethod
    def from_centers(
        cls,
        matrices: npt.ArrayLike,
        centers: npt.ArrayLike,
        *,
        smoothness: npt.ArrayLike | None = None,
        convex: bool = True,
    ) -> Quadratic:
        r"""Build $f_i(x)=\frac12(x-c_i)^\top A_i(x-c_i)$ from matrices A_i and centers c_i, (n, d)."""
        problem = cls.__new__(cls)
        problem._set_up("Quadratic.from_centers", matrices, None, centers, smoothness, convex)
        return problem

    def _set_up(
        self,
        where: str,
        matrices: npt.ArrayLike,
        linear: npt.ArrayLike | None,
        centers: npt.ArrayLike | None,
        smoothness: npt.ArrayLike | None,
        convex: bool,
    ) -> None:
        if convex:
            MatrixRoots.of_nodes(matrices)  # refuses what is no stack of semidefinite matrices
        else:
            check_symmetric(where, matrices)
        given = np.array(matrices, dtype=np.float64)
        self.matrices = given if given.ndim == 2 else (given + np.swapaxes(given, -1, -2)) / 2
        self.n, self.d = given.shape[0], given.shape[-1]
        problems = Problems(where)
        # f_i = (x - c_i)^T A_i (x - c_i) / 2 - b_i^T x covers both forms; one of b, c is zero.
        self._linear = self._vectors(problems, "linear", linear)
        self._centers = self._vectors(problems, "centers", centers)
        problems.require(self.n >= 1, "there must be at least one node")
        problems.raise_if_any()
        self.linear = self._linear + self._multiply(self._centers)
        if smoothness is not None:
            self.smoothness = self._dominating(where, smoothness)
        else:
            self.smoothness = self.matrices if convex else absolute_values(self.matrices)
        self._set_mu()

    @property
    def hessians(self) -> Array:
        """The Hessians A_i, in the form they were given."""
        return self.matrices

    @cached_property
    def solution(self) -> Array:
        """The minimiser x*, (d,).

        Raises:
            ArgumentError: the mean Hessian is not positive definite (mu = 0), so that there is no unique
                minimiser.
        """
        if self.mu == 0.0:
            raise ArgumentError(
                "Quadratic.solution: the mean Hessian is singular or indefinite (mu = 0), so there is no "
                "unique minimiser; add a ridge to one of the matrices where a solution or mu > 0 is needed"
            )
        mean, linear = self.matrices.mean(axis=0), self.linear.mean(axis=0)
        return np.asarray(linear / mean if mean.ndim == 1 else np.linalg.solve(mean, linear))

    def objectives(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        offsets = points[..., None, :] - self._centers
        return self._values(points, offsets, self._multiply(offsets))

    def gradients(self, x: npt.ArrayLike) -> Array:
        if self._is_plain:
            return self._plain_gradients(self._points(x))
        return self._multiply(self._points(x)[..., None, :] - self._centers) - self._linear

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        points = self._points(x)
        if self._is_plain:
            products = self._plain_gradients(points)
            matrix, linear = self._mean
            means = points * matrix if matrix.ndim == 1 else points @ matrix
            return np.asarray(np.einsum("...d,...d->...", points, means / 2 - linear))[()], products
        offsets = points[..., None, :] - self._centers
        products = self._multiply(offsets)
        values = self._values(points, offsets, products).mean(axis=-1)
        products -= self._linear
        return np.asarray(values)[()], products

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        difference = (self._points(x) - self._points(y))[..., None, :] + np.zeros((self.n, 1))
        return np.asarray(np.einsum("...nd,...nd->...n", difference, self._multiply(difference)) / 2)

    def hessian(self, x: npt.ArrayLike) -> Array:
        self._points(x)
        return np.asarray(_dense(self.matrices).mean(axis=0))

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        A = np.diag(self.matrices[i]) if self.matrices.ndim == 2 else self.matrices[i]
        offset = x - self._centers[i]
        return float(offset @ A @ offset / 2 - self._linear[i] @ x), A @ offset - self._linear[i]

    def part(self, i: int) -> Quadratic:
        found = Quadratic.__new__(Quadratic)
        found.n, found.d, found.mu = 1, self.d, 0.0
        found.matrices, found.smoothness = self.matrices[i : i + 1], self.smoothness[i : i + 1]
        found._linear, found._centers = self._linear[i : i + 1], self._centers[i : i + 1]
        found.linear = self.linear[i : i + 1]
        found._set_mu()
        return found

    @cached_property
    def _is_plain(self) -> bool:
        """Tell whether the centers are zero: all nodes are one product then."""
        return not self._centers.any()

    @cached_property
    def _is_linear(self) -> bool:
        """Tell whether there are vectors b_i."""
        return bool(self._linear.any())

    @cached_property
    def _mean(self) -> tuple[Array, Array]:
        """Mean over the nodes of the matrices and of the vectors b_i."""
        return np.asarray(self.matrices.mean(axis=0)), np.asarray(self._linear.mean(axis=0))

    def _plain_gradients(self, points: Array) -> Array:
        """Gradients A_i x - b_i at points (..., d), (..., n, d)."""
        if self.matrices.ndim == 2:
            found = points[..., None, :] * self.matrices
        else:
            products = points @ self.matrices.reshape(-1, self.d).T
            found = products.reshape(*points.shape[:-1], self.n, self.d)
        if self._is_linear:
            found -= self._linear
        return np.asarray(found)

    def _values(self, points: Array, offsets: Array, products: Array) -> Array:
        values = np.einsum("...nd,...nd->...n", offsets, products) / 2
        return np.asarray(values - points @ self._linear.T)

    def _multiply(self, vectors: Array) -> Array:
        """Products A_i v_i of node vectors (..., n, d)."""
        if self.matrices.ndim == 2:
            return np.asarray(vectors * self.matrices)
        if vectors.ndim == 2:
            return np.asarray((vectors[:, None, :] @ self.matrices)[:, 0, :])
        rows = vectors.reshape(-1, self.n, self.d).transpose(1, 0, 2)
        if self.d == 1:  # a mean over the nodes would add in another order if these lay side by side
            return np.asarray((rows @ self.matrices).transpose(1, 0, 2)).reshape(vectors.shape)
        products = np.empty(vectors.shape)
        np.matmul(rows, self.matrices, out=products.reshape(-1, self.n, self.d).transpose(1, 0, 2))
        return products

    def _vectors(self, problems: Problems, name: str, given: npt.ArrayLike | None) -> Array:
        if given is None:
            return np.zeros((self.n, self.d))
        vectors = np.array(given, dtype=np.float64)
        expected = (self.n, self.d)
        problems.require(
            vectors.shape == expected, f"{name} of shape {vectors.shape} must have shape {expected}"
        )
        problems.require(np.all(np.isfinite(vectors)), f"{name} must be finite")
        return vectors

    def _dominating(self, where: str, smoothness: npt.ArrayLike) -> Array:
        roots = MatrixRoots.of_nodes(smoothness)
        given = np.array(smoothness, dtype=np.float64)
        if roots.diagonal.shape != (self.n, self.d):
            raise ArgumentError(
                f"{where}: smoothness of shape {given.shape} must have shape {(self.n, self.d, self.d)}, "
                f"or {(self.n, self.d)} when diagonal"
            )
        for sign, difference in ((1, "L_i - A_i"), (-1, "L_i + A_i")):
            if given.ndim == 2 and self.matrices.ndim == 2:
                slack = (given - sign * self.matrices).min(axis=-1)
            else:
                slack = np.linalg.eigvalsh(_dense(given) - sign * _dense(self.matrices))[..., 0]
            below = np.flatnonzero(slack < -_ROUNDING * roots.lambda_max)
            if below.size:
                i = int(below[0])
                raise ArgumentError(
                    f"{where}: smoothness of node {i} is below its Hessian (smallest eigenvalue of "
                    f"{difference} is {slack[i]:.6g}); every {difference} must be positive semidefinite. To "
                    "run a method with other matrices on purpose, pass them to the method"
                )
        return given

    def _set_mu(self) -> None:
        mean = self.matrices.mean(axis=0)
        values = np.sort(mean) if mean.ndim == 1 else np.linalg.eigvalsh(mean)
        # An eigenvalue within rounding of zero is no certificate of strong convexity.
        tau = self.d * np.finfo(np.float64).eps * max(values[-1], 0.0)
        self.mu = float(values[0]) if values[0] > tau else 0.0


def _dense(matrices: Array) -> Array:
    if matrices.ndim == 3:
        return matrices
    return np.asarray(matrices[..., :, None] * np.eye(matrices.shape[-1]))
