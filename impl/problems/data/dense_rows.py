"""The rows of all nodes as one dense array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class DenseRows:
    """Rows of n nodes, m each, in R^d; vectors of points and weights come as columns.

    Args:
        rows: finite, (n, m, d), contiguous.
    """

    def __init__(self, rows: Array) -> None:
        self.n, self.m, self.d = rows.shape
        self._rows = rows
        self._stacked = rows.reshape(self.n * self.m, self.d)

    @property
    def nonzeros(self) -> int:
        """Number of entries of all rows that are not zero."""
        return int(np.count_nonzero(self._rows))

    @property
    def array(self) -> Array:
        """All rows, (n, m, d), not copied."""
        return self._rows

    def node(self, i: int) -> Array:
        """Rows of node i, (m, d)."""
        return np.asarray(self._rows[i])

    def parts(self, nodes: int) -> Sequence[DenseRows]:
        """Cut into pieces of at most `nodes` nodes; the pieces share the memory."""
        if nodes >= self.n:
            return [self]
        return [DenseRows(self._rows[first : first + nodes]) for first in range(0, self.n, nodes)]

    def margins(self, points: Array) -> Array:
        """Products of every row with R points, (d, R) -> (n, m, R)."""
        return np.asarray(self._stacked @ points).reshape(self.n, self.m, -1)

    def node_sums(self, weights: Array) -> Array:
        """Weighted sums of the rows of each node, (n, m, R) -> (n, d, R)."""
        return np.asarray(np.swapaxes(self._rows, -1, -2) @ weights)

    def node_grams(self) -> Array:
        """Gram matrices A_i^T A_i of the nodes, (n, d, d)."""
        return np.asarray(np.swapaxes(self._rows, -1, -2) @ self._rows)

    def weighted_gram(self, weights: Array) -> Array:
        """Weighted sum of the outer products of all rows with themselves, (n * m,) -> (d, d)."""
        return np.asarray((self._stacked * weights[:, None]).T @ self._stacked)
