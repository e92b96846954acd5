"""What the splits of data over nodes share: sort the rows, cut equal parts, choose the storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]
Storage: TypeAlias = Literal["auto", "dense", "sparse"]

_STORAGES = ("auto", "dense", "sparse")
# A dense evaluation streams all rows twice. Up to a third of a last-level cache of 36 MB they stay there;
# beyond it memory is the limit, and CSR wins by what it leaves out.
_DENSE_BYTES = 12e6
_DENSE_FRACTION = (
    0.3  # of nonzeros: CSR stores 12 instead of 8 bytes for each and gathers instead of streaming
)


def split_sorted_rows(
    where: str,
    features: Any,
    labels: npt.ArrayLike,
    n: int,
    storage: Storage,
    *,
    sort_key: Callable[[Any, Array], Array],
    factors: Callable[[int], Array] | None = None,
) -> tuple[Any, Array]:
    r"""Sort rows stably by a key, cut n consecutive parts of $m=\lfloor N/n\rfloor$ rows, drop the rest.

    Args:
        where: the public function, for messages.
        features: (N, d), an array or a scipy sparse matrix.
        labels: -1 or +1, (N,).
        n: number of nodes, between 1 and N.
        storage: form of the features that are returned.
        sort_key: from features (an array or CSR) and labels to the keys of the rows, (N,).
        factors: from n to one factor for the features of each part, (n,).

    Returns:
        Features, (n, m, d) if dense and CSR (n * m, d) if sparse, and labels (n, m).

    Raises:
        ArgumentError: shapes that do not fit, other labels, n outside 1..N, another storage.
    """
    rows = _as_rows(features)
    signs = np.asarray(labels, dtype=np.float64)
    problems = Problems(where)
    problems.require(rows.ndim == 2, f"features of shape {rows.shape} must have shape (N, d)")
    total = rows.shape[0] if rows.ndim else 0
    problems.require(signs.shape == (total,), f"labels of shape {signs.shape} must have shape ({total},)")
    problems.require(np.all(np.abs(signs) == 1), "labels must be -1 or +1; map the larger label to +1")
    problems.require(
        not isinstance(n, bool) and isinstance(n, int | np.integer) and 1 <= n <= total,
        f"n={n!r} must be a whole number between 1 and the number of rows, {total}",
    )
    problems.require(storage in _STORAGES, f"storage={storage!r} must be one of {list(_STORAGES)}")
    problems.raise_if_any()

    m = total // n
    order = np.argsort(sort_key(rows, signs), kind="stable")[: n * m]
    chosen = rows[order]
    scales = np.ones(n * m) if factors is None else np.repeat(factors(n), m)
    if _is_dense(chosen, storage):
        dense = chosen.toarray() if hasattr(chosen, "tocsr") else chosen
        return (dense * scales[:, None]).reshape(n, m, -1), signs[order].reshape(n, m)
    from scipy import sparse

    kept = sparse.csr_array(chosen)
    kept.data *= np.repeat(scales, np.diff(kept.indptr))
    return kept, signs[order].reshape(n, m)


def _as_rows(features: Any) -> Any:
    """Return an array, or a CSR matrix if the features are sparse."""
    if not hasattr(features, "tocsr"):
        return np.asarray(features, dtype=np.float64)
    from scipy import sparse

    return sparse.csr_array(features, dtype=np.float64)


def _is_dense(rows: Any, storage: Storage) -> bool:
    """Choose the storage of rows (N, d): dense where it is small or has few zeros."""
    if storage != "auto":
        return storage == "dense"
    entries = rows.shape[0] * rows.shape[1]
    if entries * 8 <= _DENSE_BYTES:
        return True
    nonzeros = rows.count_nonzero() if hasattr(rows, "tocsr") else np.count_nonzero(rows)
    return bool(nonzeros > _DENSE_FRACTION * entries)
