"""Rows as the kernels of logistic regression read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from impl.problems.data.dense_rows import DenseRows

if TYPE_CHECKING:
    from impl.problems.data.sparse_rows import SparseRows

Array = npt.NDArray[Any]


class KernelRows:
    """Rows of n nodes, times their labels: losses and gradients of all nodes, a point after the other.

    Args:
        rows: (n, m, d), dense or sparse.
        counts: Rows of each node, (n,); rows behind them are left out.
    """

    def __init__(self, rows: DenseRows | SparseRows, counts: Array) -> None:
        self._counts = np.asarray(counts, np.int64)
        self._dense: Array | None = None
        if isinstance(rows, DenseRows):
            self._dense = rows.array  # shared
        else:
            self._sparse = _by_row_and_column(rows, self._counts)

    def evaluate(self, points: Array, losses: Array, gradients: Array) -> None:
        """Write mean losses (R, n) and their gradients (R, n, d) at points (R, d), all float64."""
        from impl.kernels.logistic.dense_rows import evaluate_dense  # numba, where it is asked for
        from impl.kernels.logistic.sparse_rows import evaluate_sparse

        for x, loss, gradient in zip(points, losses, gradients, strict=True):
            if self._dense is not None:
                evaluate_dense(self._dense, self._counts, x, loss, gradient)
            else:
                evaluate_sparse(*self._sparse, self._counts, x, loss, gradient)


def _by_row_and_column(rows: SparseRows, counts: Array) -> tuple[Any, Any, Array]:
    """Return rows, columns and scales as `evaluate_sparse` takes them, the shortest rows of a node first."""
    from scipy import sparse  # slow to import

    nodes = []
    for i in range(rows.n):
        own = rows.node(i)[: counts[i]]
        nodes.append(own[np.argsort(np.diff(own.indptr), kind="stable")])
    by_row = sparse.vstack(nodes, format="csr")
    by_column = [own.tocsc() for own in nodes]
    lengths = np.diff(by_row.indptr)
    values = by_row.data
    scales = np.zeros(len(lengths))
    filled = lengths > 0
    scales[filled] = values[by_row.indptr[:-1][filled]]
    if np.array_equal(np.repeat(scales, lengths), values):  # as of features that are 0 or 1, times labels
        values, column_values = np.empty(0), np.empty(0)
    else:
        scales, column_values = np.empty(0), np.concatenate([own.data for own in by_column])
    column_lengths = np.concatenate([np.diff(own.indptr) for own in by_column])
    column_index = np.concatenate([own.indices for own in by_column]).astype(np.uint32)
    return (
        (_firsts(lengths), by_row.indices.astype(np.uint32), values),
        (_firsts(column_lengths), column_index, column_values),
        scales,
    )


def _firsts(lengths: Array) -> Array:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
