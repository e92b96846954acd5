"""The rows of all nodes as one sparse matrix: two sparse products evaluate every node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Array = npt.NDArray[Any]


class SparseRows:
    """Rows of n nodes, m each, in R^d, with the methods of `DenseRows`; only the nonzeros are touched.

    Weighted row sums of all nodes are one product with the (n d, n m) matrix that has A_i^T as its i-th
    diagonal block.

    Args:
        rows: CSR, finite, without duplicates, (n * m, d), the nodes one after the other.
        n: number of nodes.
    """

    def __init__(self, rows: Any, n: int) -> None:
        self.n, self.m, self.d = n, rows.shape[0] // n, rows.shape[1]
        self._rows = rows
        self._row_lengths = np.diff(rows.indptr)
        if n == 1:
            self._segments = rows.T  # shares the memory of the rows, and is as fast for many columns
        else:
            shift = np.repeat(np.arange(n, dtype=np.int64) * self.d, self.m)
            columns = rows.indices + np.repeat(shift, self._row_lengths)
            shifted = (rows.data, columns, rows.indptr)
            self._segments = sparse.csr_array(shifted, shape=(n * self.m, n * self.d)).T.tocsr()
        self._parts: dict[int, Sequence[SparseRows]] = {n: [self]}

    @property
    def nonzeros(self) -> int:
        """Number of entries of all rows that are not zero."""
        return int(self._rows.nnz)

    def node(self, i: int) -> Any:
        """Rows of node i, CSR (m, d)."""
        return self._rows[i * self.m : (i + 1) * self.m]

    def parts(self, nodes: int) -> Sequence[SparseRows]:
        """Cut into pieces of at most `nodes` nodes; a cut is kept, as it costs as much as an evaluation."""
        nodes = min(nodes, self.n)
        if nodes not in self._parts:
            cuts = [(first, min(first + nodes, self.n)) for first in range(0, self.n, nodes)]
            self._parts[nodes] = [
                SparseRows(self._rows[first * self.m : last * self.m], last - first) for first, last in cuts
            ]
        return self._parts[nodes]

    def margins(self, points: Array) -> Array:
        """Products of every row with R points, (d, R) -> (n, m, R)."""
        return np.asarray(self._rows @ points).reshape(self.n, self.m, -1)

    def node_sums(self, weights: Array) -> Array:
        """Weighted sums of the rows of each node, (n, m, R) -> (n, d, R)."""
        sums = self._segments @ weights.reshape(self.n * self.m, -1)
        return np.asarray(sums).reshape(self.n, self.d, -1)

    def node_grams(self) -> Array:
        """Gram matrices A_i^T A_i of the nodes, dense, (n, d, d)."""
        return np.stack([(rows.T @ rows).toarray() for rows in map(self.node, range(self.n))])

    def weighted_gram(self, weights: Array) -> Array:
        """Weighted sum of the outer products of all rows with themselves, (n * m,) -> dense (d, d)."""
        scaled = (
            self._rows.data * np.repeat(weights, self._row_lengths),
            self._rows.indices,
            self._rows.indptr,
        )
        return np.asarray((self._rows.T @ sparse.csr_array(scaled, shape=self._rows.shape)).toarray())
