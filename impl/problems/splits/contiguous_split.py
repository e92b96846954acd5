"""The split in file order: consecutive parts whose sizes differ by at most one row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.problems.data.labelled_rows import Storage, checked_rows, is_dense

Array = npt.NDArray[Any]


def contiguous_split(
    features: Any, labels: npt.ArrayLike, n: int, *, storage: Storage = "auto"
) -> tuple[Any, Array, Array]:
    r"""Give client $i=0,\dots,n-1$ the rows $\lfloor iN/n\rfloor,\dots,\lfloor(i+1)N/n\rfloor-1$; drop none.

    All clients get $m=\lceil N/n\rceil$ rows: behind its own $N_i$ rows a client has zero rows with label 1,
    which `Logistic` leaves out when it is told the counts (claim `cq_marina/logreg`).

    Args:
        features: (N, d), an array or a scipy sparse matrix.
        labels: -1 or +1, (N,).
        n: number of clients, between 1 and N.
        storage: "dense", "sparse", or "auto", as in `label_sorted_split`.

    Returns:
        Features, (n, m, d) if dense and CSR (n * m, d) if sparse, labels (n, m) and counts N_i (n,):
        `Logistic(parts, signs, ridge, counts=counts)`.

    Raises:
        ArgumentError: shapes that do not fit, other labels, n outside 1..N, or another storage.

    Example:
        >>> parts, signs, counts = contiguous_split([[1.0], [2.0], [3.0]], [1, -1, -1], 2)
        >>> parts[..., 0].tolist(), signs.tolist(), counts.tolist()
        ([[1.0, 0.0], [2.0, 3.0]], [[1.0, 1.0], [-1.0, -1.0]], [1, 2])
    """
    rows, signs = checked_rows("contiguous_split", features, labels, n, storage)
    ends = np.arange(n + 1) * rows.shape[0] // n
    counts = np.diff(ends)
    m = int(counts.max())
    # Where each row goes among the n * m places.
    places = np.arange(rows.shape[0]) + np.repeat(np.arange(n) * m - ends[:-1], counts)
    padded_signs = np.ones(n * m)
    padded_signs[places] = signs
    shape = (n * m, rows.shape[1])
    if is_dense(rows, storage):
        dense = np.zeros(shape)
        dense[places] = rows.toarray() if hasattr(rows, "tocsr") else rows
        return dense.reshape(n, m, -1), padded_signs.reshape(n, m), counts
    from scipy import sparse

    kept = sparse.csr_array(rows, copy=True)
    lengths = np.zeros(n * m, dtype=kept.indptr.dtype)
    lengths[places] = np.diff(kept.indptr)
    bounds = np.concatenate([kept.indptr[:1], np.cumsum(lengths, dtype=kept.indptr.dtype)])
    padded = sparse.csr_array((kept.data, kept.indices, bounds), shape=shape)
    return padded, padded_signs.reshape(n, m), counts
