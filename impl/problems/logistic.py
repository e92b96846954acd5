"""Regularised logistic regression, the rows split over nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from impl import tiers
from impl.arguments import is_real
from impl.errors import ArgumentError, Problems
from impl.problems.contract import Problem
from impl.problems.data.dense_rows import DenseRows
from impl.problems.data.kernel_rows import KernelRows
from impl.problems.data.node_rows import checked_counts, checked_node_rows

if TYPE_CHECKING:
    from impl.problems.data.sparse_rows import SparseRows

Array = npt.NDArray[Any]

_GRADIENT_NORM = 1e-13  # squant, section 6: the solution by Newton to this gradient norm
_NEWTON_STEPS = 200
_REGULARISERS = ("convex", "nonconvex")
_CACHED = 2**16  # margins per piece: buffers of 0.5 MB, half of a level-two cache
_FEW = 128  # logarithms that take as long as a call
_FEW_POINTS = 3  # with more, products of matrices are as fast as kernels
_SMALL_LOSS = 2.0**-10  # 1 + e^-|z| rounds off what is smaller than 2**-53: below this that would show
_SIGN = np.int64(-(2**63))


class Logistic(Problem):
    r"""Node functions $f_i(x)=\frac1m\sum_{k\le m}\log(1+e^{-y_{ik}a_{ik}^\top x})+r(x)$ (arXiv 2106.03524).

    The regulariser is $r(x)=\frac\lambda2\|x\|^2$ ("convex") or $r(x)=\lambda\sum_jx_j^2/(1+x_j^2)$
    ("nonconvex", curvature between $-\lambda/2$ and $2\lambda$). Smoothness matrices:
    $\frac1{4m}A_i^\top A_i+\lambda I$, with $2\lambda I$ in the nonconvex case. `mu` is a certified lower
    bound and no more: lambda, or 0 if nonconvex. Under `impl.tier("fused")` a kernel takes gradients at up to
    three points: sums in another order, and exponentials that may differ in the last place, 0 below e^-708.

    Nodes of different sizes $m_i$ are padded with zero rows to a common m, and `counts` tells their own rows:
    each mean is over these, and f stays the plain mean of the f_i.

    Args:
        features: rows a_ik, an array (n, m, d), or a scipy sparse matrix (n * m, d) with the rows of one node
            after those of the other. Both forms give the same numbers up to rounding.
        labels: -1 or +1, (n, m).
        ridge: lambda, nonnegative.
        regulariser: "convex" or "nonconvex".
        counts: number of rows of each node, (n,), as `contiguous_split` returns them; the rows of a node
            behind its count must be zero. All m rows if left out.

    Raises:
        ArgumentError: shapes that do not fit, features that are not finite, labels other than -1 and +1, a
            negative ridge, an unknown regulariser, counts outside 1..m or a row behind them that is not zero.
    """

    def __init__(
        self,
        features: Any,
        labels: npt.ArrayLike,
        ridge: float,
        *,
        regulariser: Literal["convex", "nonconvex"] = "convex",
        counts: npt.ArrayLike | None = None,
    ) -> None:
        problems = Problems("Logistic")
        rows, signs = checked_node_rows(problems, features, labels)
        problems.require(np.all(np.abs(signs) == 1), "labels must be -1 or +1; map the larger label to +1")
        problems.require(
            is_real(ridge) and 0 <= ridge < np.inf,
            f"ridge={ridge!r} must be a finite number of at least 0; 1e-3 is usual",
        )
        problems.require(
            regulariser in _REGULARISERS, f"regulariser={regulariser!r} must be one of {list(_REGULARISERS)}"
        )
        problems.raise_if_any()

        self.ridge = float(ridge)
        self.regulariser = regulariser
        # Only the products y_ik a_ik occur; they are kept once.
        self._rows: DenseRows | SparseRows
        if hasattr(rows, "tocsr"):
            from impl.problems.data.sparse_rows import SparseRows  # scipy.sparse is slow to import

            rows.data *= np.repeat(signs.ravel(), np.diff(rows.indptr))
            self._rows = SparseRows(rows, signs.shape[0])
        else:
            self._rows = DenseRows(np.ascontiguousarray(rows * signs[..., None]))
        self.n, self.m, self.d = self._rows.n, self._rows.m, self._rows.d
        self.counts = (
            np.full(self.n, self.m) if counts is None else checked_counts("Logistic", counts, self._rows)
        )
        # 1 for a row of the node and 0 for padding, (n, m); None where nothing is padded.
        self._real = None if np.all(self.counts == self.m) else _first(self.counts, self.m)
        self.mu = self.ridge if regulariser == "convex" else 0.0

    @property
    def mean_nonzeros(self) -> float:
        """Mean number of nonzeros of a row."""
        return float(self._rows.nonzeros / self.counts.sum())

    @property
    def penalty_curvature(self) -> float:
        """Largest curvature of the regulariser, attained at 0."""
        return self.ridge if self.regulariser == "convex" else 2 * self.ridge

    @cached_property
    def smoothness(self) -> Array:  # type: ignore[override]  # computed on demand
        """Matrices L_i, (n, d, d)."""
        data = self._rows.node_grams() / (4 * self.counts[:, None, None])
        return np.asarray(data + self.penalty_curvature * np.eye(self.d))

    @cached_property
    def solution(self) -> Array:
        """The minimiser x*, (d,), by Newton's method from 0 to gradient norm 1e-13.

        Raises:
            ArgumentError: ridge 0 or the nonconvex regulariser (no certified unique minimiser), or features
                scaled so badly that rounding keeps the gradient above 1e-13.
        """
        if self.mu == 0.0:
            raise ArgumentError(
                f"Logistic.solution: ridge={self.ridge} with the {self.regulariser} regulariser certifies no "
                "unique "
                'minimiser; use a positive ridge with regulariser="convex" where a solution is needed'
            )
        x = np.zeros(self.d)
        gradient = self.gradient(x)
        norm = float(np.linalg.norm(gradient))
        for _ in range(_NEWTON_STEPS):
            if norm <= _GRADIENT_NORM:
                return x
            step = np.linalg.solve(self.hessian(x), gradient)
            length = 1.0
            # The Newton step is a descent direction of the gradient norm, which unlike f resolves the last
            # digits.
            while length > 1e-8:
                candidate = x - length * step
                candidate_gradient = self.gradient(candidate)
                candidate_norm = float(np.linalg.norm(candidate_gradient))
                if candidate_norm <= (1 - 1e-4 * length) * norm:
                    break
                length /= 2
            else:
                break
            x, gradient, norm = candidate, candidate_gradient, candidate_norm
        if norm <= _GRADIENT_NORM:
            return x
        raise ArgumentError(
            f"Logistic.solution: Newton's method stopped at gradient norm {norm:.3g}, above "
            f"{_GRADIENT_NORM}; scale the features to about unit size or raise the ridge"
        )

    def hessian(self, x: npt.ArrayLike) -> Array:
        """Hessian of f at one point x (d,), (d, d)."""
        point = self._points(x)
        small = np.exp(-np.abs(self._rows.margins(point[:, None]).ravel()))
        weights = small / (1 + small) ** 2 / np.repeat(self.n * self.counts, self.m)
        data = self._rows.weighted_gram(weights)
        if self.regulariser == "convex":
            return np.asarray(data + self.ridge * np.eye(self.d))
        return np.asarray(data + np.diag(2 * self.ridge * (1 - 3 * point**2) / (1 + point**2) ** 3))

    def objectives(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        losses = np.empty((*points.shape[:-1], self.n))
        self._evaluate_data(points, losses=losses)
        return np.asarray(losses + self._penalty(points)[..., None])

    def gradients(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        gradients = np.empty((*points.shape[:-1], self.n, self.d))
        self._evaluate_data(points, gradients=gradients)
        gradients += self._penalty_gradient(points)[..., None, :]
        return gradients

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        points = self._points(x)
        losses = np.empty((*points.shape[:-1], self.n))
        gradients = np.empty((*losses.shape, self.d))
        self._evaluate_data(points, losses=losses, gradients=gradients)
        gradients += self._penalty_gradient(points)[..., None, :]
        mean = losses[..., 0] if self.n == 1 else losses.mean(axis=-1)
        return np.asarray(mean + self._penalty(points))[()], gradients

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        x, y = np.broadcast_arrays(self._points(x), self._points(y))
        difference = x - y
        data = np.empty((*x.shape[:-1], self.n))
        columns_y, columns_difference = _as_columns(y), _as_columns(difference)
        for nodes, part in self._pieces(columns_y.shape[1]):
            data.reshape(-1, self.n)[:, nodes] = self._row_means(
                _softplus_bregman(part.margins(columns_y), part.margins(columns_difference)), nodes
            )
        if self.regulariser == "convex":
            penalty = self.ridge / 2 * np.sum(difference**2, axis=-1)
        else:
            shape = (1 - y * (y + 2 * x)) / ((1 + x**2) * (1 + y**2) ** 2)
            penalty = self.ridge * np.sum(difference**2 * shape, axis=-1)
        return np.asarray(data + penalty[..., None])

    def part(self, i: int) -> Logistic:
        rows = self._rows.node(i)[: self.counts[i]]  # with their labels: these are +1 now
        features = rows if hasattr(rows, "tocsr") else rows[None]
        return Logistic(features, np.ones((1, rows.shape[0])), self.ridge, regulariser=self.regulariser)

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        from scipy.special import expit

        rows = self._rows.node(i)[: self.counts[i]]
        margins = rows @ x
        value = np.logaddexp(0.0, -margins).mean()
        gradient = -(rows.T @ expit(-margins)) / self.counts[i]
        if self.regulariser == "convex":
            return float(value + self.ridge / 2 * (x @ x)), gradient + self.ridge * x
        square = x * x
        return (
            float(value + self.ridge * np.sum(square / (1 + square))),
            gradient + 2 * self.ridge * x / (1 + square) ** 2,
        )

    def _evaluate_data(
        self, points: Array, *, losses: Array | None = None, gradients: Array | None = None
    ) -> None:
        """Fill the mean losses (..., n) and their gradients (..., n, d), without the regulariser."""
        # Without gradients numpy is as fast.
        if (
            gradients is not None
            and tiers.current() == "fused"
            and self._by_kernel(points, losses, gradients)
        ):
            return
        columns = _as_columns(points)
        for nodes, part in self._pieces(columns.shape[1]):
            margins = part.margins(columns)
            weights = None if gradients is None else np.empty_like(margins)
            small = _weigh(margins, weights)
            if gradients is not None and weights is not None:
                sums = part.node_sums(weights)
                sums /= -self.counts[nodes, None, None]  # padding has added nothing
                gradients.reshape(-1, self.n, self.d)[:, nodes] = sums.transpose(2, 0, 1)
            if losses is not None:
                found = _log_sums(small, None if self._real is None else self._real[nodes])
                # log(1 + e^-z) = log(1 + e^-|z|) + max(-z, 0)
                found -= _row_sums(np.minimum(margins, 0.0, out=small))
                found /= self.counts[nodes, None]
                if (found < _SMALL_LOSS).any():
                    found = self._small_losses(margins, nodes)
                losses.reshape(-1, self.n)[:, nodes] = found.T

    @cached_property
    def _kernel_rows(self) -> KernelRows:
        return KernelRows(self._rows, self.counts)

    def _by_kernel(self, points: Array, losses: Array | None, gradients: Array) -> bool:
        """Fill in what is wanted; False where it is left to numpy."""
        rows = np.ascontiguousarray(points.reshape(-1, self.d))
        if not 0 < len(rows) <= _FEW_POINTS:
            return False
        found = np.empty((len(rows), self.n)) if losses is None else losses.reshape(-1, self.n)
        self._kernel_rows.evaluate(rows, found, gradients.reshape(-1, self.n, self.d))
        return losses is None or not (found < _SMALL_LOSS).any()

    def _small_losses(self, margins: Array, nodes: slice) -> Array:
        """Return mean losses to full relative accuracy however small they are, (k, R)."""
        losses = np.log1p(np.exp(-np.abs(margins)))
        losses -= np.minimum(margins, 0.0)
        return self._row_means(losses, nodes).T

    def _pieces(self, points: int) -> Iterator[tuple[slice, DenseRows | SparseRows]]:
        """Give the rows in pieces small enough that the buffers of a piece for all points stay cached."""
        first = 0
        for part in self._rows.parts(max(1, _CACHED // max(1, self.m * points))):
            yield slice(first, first + part.n), part
            first += part.n

    def _row_means(self, values: Array, nodes: slice) -> Array:
        """Means over the rows of each of the k nodes, (k, m, R) -> (R, k)."""
        if self._real is None:
            return np.asarray(_row_sums(values).T / self.m)
        sums = (self._real[nodes, None, :] @ values)[:, 0, :]
        return np.asarray(sums.T / self.counts[nodes])

    def _penalty(self, points: Array) -> Array:
        square = points**2
        if self.regulariser == "convex":
            return np.asarray(self.ridge / 2 * square.sum(axis=-1))
        return np.asarray(self.ridge * (square / (1 + square)).sum(axis=-1))

    def _penalty_gradient(self, points: Array) -> Array:
        if self.regulariser == "convex":
            return np.asarray(self.ridge * points)
        return np.asarray(2 * self.ridge * points / (1 + points**2) ** 2)


def _first(counts: Array, m: int) -> Array:
    """Return 1 in the first counts[i] of m columns of row i, 0 behind."""
    return np.asarray((np.arange(m) < counts[:, None]).astype(np.float64))


def _as_columns(points: Array) -> Array:
    """Points (..., d) as the columns of one contiguous matrix (d, R)."""
    return np.ascontiguousarray(points.reshape(-1, points.shape[-1]).T)


def _weigh(margins: Array, weights: Array | None) -> Array:
    """Return 1 + e^-|z| in a new array; fill in the weights sigma(-z) of the gradient."""
    small = np.empty_like(margins)
    np.bitwise_or(margins.view(np.int64), _SIGN, out=small.view(np.int64))  # -|z|
    np.exp(small, out=small)
    if weights is None:
        small += 1
        return small
    # sigma(-z) is e/(1+e) for z >= 0 and 1/(1+e) below, e = exp(-|z|): no overflow on either side.
    np.less(margins, 0.0, out=weights)
    np.maximum(weights, small, out=weights)  # twice as fast as np.where
    small += 1
    weights /= small
    return small


def _log_sums(factors: Array, real: Array | None) -> Array:
    """Return the sums over rows of the logarithms of factors in [1, 2], (k, m, R) -> (k, R); overwrite them.

    A logarithm takes as long as some twenty products, so it is taken of products of up to 512 factors.
    """
    if real is not None:
        np.copyto(factors, 1.0, where=real[..., None] == 0)
    nodes, rows, columns = factors.shape
    for _ in range(9):
        half = rows // 2
        if half * nodes * columns < _FEW:
            break
        factors[:, :half] *= factors[:, rows - half : rows]
        rows -= half
    return _row_sums(np.log(factors[:, :rows]))


def _row_sums(values: Array) -> Array:
    """Return sums over the rows, (k, m, R) -> (k, R): a product with a vector is several times faster."""
    return np.asarray(np.ones(values.shape[1]) @ values)


def _softplus_bregman(v: Array, t: Array) -> Array:
    r"""Return $\phi(v+t)-\phi(v)-\phi'(v)t$ for $\phi(z)=\log(1+e^{-z})$ to about 1e-12 relative."""
    # phi(-z) = phi(z) + z, so the sign can be chosen such that v >= 0 and s = -phi'(v) <= 1/2.
    t = np.where(v >= 0, t, -t)
    v = np.abs(v)
    s = np.exp(-v) / (1 + np.exp(-v))
    # Far: the two values differ enough. Middle: one logarithm of their ratio. Near: cumulants of a
    # Bernoulli(s).
    far = np.logaddexp(0.0, -(v + t)) - np.log1p(np.exp(-v)) + s * t
    middle = np.log1p(s * np.expm1(-np.clip(t, -1.0, 1.0))) + s * t
    k2 = s * (1 - s)
    r = np.clip(t, -0.01, 0.01)
    k3, k4, k5 = 1 - 2 * s, 1 - 6 * k2, (1 - 2 * s) * (1 - 12 * k2)
    k6 = 1 - 30 * k2 + 120 * k2**2
    near = k2 * r**2 * (1 / 2 - k3 * r / 6 + k4 * r**2 / 24 - k5 * r**3 / 120 + k6 * r**4 / 720)
    return np.asarray(np.where(np.abs(t) > 1.0, far, np.where(np.abs(t) > 0.01, middle, near)))
