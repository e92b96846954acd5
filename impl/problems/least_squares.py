"""Regularised least squares, the rows split over nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.arguments import is_real
from impl.errors import ArgumentError, Problems
from impl.problems.data.dense_rows import DenseRows
from impl.problems.data.node_rows import checked_counts, checked_node_rows
from impl.problems.quadratic import Quadratic

Array = npt.NDArray[Any]


class LeastSquares(Quadratic):
    r"""Node functions $f_i(x)=\frac1{2m}\sum_{k\le m}(a_{ik}^\top x-y_{ik})^2+\frac\lambda2\|x\|^2$.

    A quadratic with $A_i=\frac1m\sum_ka_{ik}a_{ik}^\top+\lambda I$; the rows are not kept, and a gradient
    costs $nd^2$ operations, however many there are. `mu` is the smallest eigenvalue of the mean of the A_i.

    Nodes of different sizes $m_i$ are padded with zero rows to a common m, and `counts` tells their own rows:
    each mean is over these, and f stays the plain mean of the f_i.

    Args:
        features: rows a_ik, an array (n, m, d), or a scipy sparse matrix (n * m, d) with the rows of one node
            after those of the other.
        labels: y_ik, real numbers, (n, m); those behind the count of a node do not matter.
        ridge: lambda, nonnegative.
        counts: number of rows of each node, (n,), as `contiguous_split` returns them; the rows of a node
            behind its count must be zero. All m rows if left out.

    Raises:
        ArgumentError: shapes that do not fit, features or labels that are not finite, a negative ridge,
            counts outside 1..m or a row behind them that is not zero.

    Example:
        >>> problem = LeastSquares([[[1.0], [2.0]]], [[1.0, 4.0]], ridge=0.5)
        >>> float(problem.objective([1.0])), problem.solution.tolist()
        (1.25, [1.5])
    """

    def __init__(
        self, features: Any, labels: npt.ArrayLike, ridge: float, *, counts: npt.ArrayLike | None = None
    ) -> None:
        problems = Problems("LeastSquares")
        given, values = checked_node_rows(problems, features, labels)
        problems.require(np.all(np.isfinite(values)), "labels must be finite")
        problems.require(
            is_real(ridge) and 0 <= ridge < np.inf,
            f"ridge={ridge!r} must be a finite number of at least 0; 1e-3 is usual",
        )
        problems.raise_if_any()
        rows: Any
        if hasattr(given, "tocsr"):
            from impl.problems.data.sparse_rows import SparseRows  # scipy.sparse is slow to import

            rows = SparseRows(given, values.shape[0])
        else:
            rows = DenseRows(given)
        self.ridge, self.m = float(ridge), int(rows.m)
        self.counts = (
            np.full(rows.n, rows.m) if counts is None else checked_counts("LeastSquares", counts, rows)
        )
        own = np.where(np.arange(rows.m) < self.counts[:, None], values, 0.0)
        sizes = self.counts[:, None].astype(np.float64)
        matrices = rows.node_grams() / sizes[..., None] + self.ridge * np.eye(rows.d)
        linear = rows.node_sums(own[..., None])[..., 0] / sizes
        super().__init__(matrices, linear)
        self._squares = (own**2).sum(axis=-1) / (2 * self.counts)

    @classmethod
    def from_centers(cls, *args: Any, **kwargs: Any) -> Quadratic:
        """Refuse: least squares have rows. `Quadratic.from_centers` takes centers."""
        raise ArgumentError("LeastSquares.from_centers: least squares have rows; use Quadratic.from_centers")

    def objectives(self, x: npt.ArrayLike) -> Array:
        return np.asarray(super().objectives(x) + self._squares)

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        objective, gradients = super().evaluate(x)
        return np.asarray(objective + self._squares.mean())[()], gradients

    def part(self, i: int) -> LeastSquares:
        found = LeastSquares.__new__(LeastSquares)
        found.__dict__.update(super().part(i).__dict__)
        found.ridge, found.m = self.ridge, int(self.counts[i])
        found.counts, found._squares = self.counts[i : i + 1], self._squares[i : i + 1]
        return found

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        value, gradient = super().evaluate_node(i, x)
        return float(value + self._squares[i]), gradient
