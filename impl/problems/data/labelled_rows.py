"""What the splits of data over nodes share: checked rows with labels, and the choice of the storage."""

from __future__ import annotations

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


def checked_rows(
    where: str, features: Any, labels: npt.ArrayLike, n: int, storage: Storage
) -> tuple[Any, Array]:
    """Return rows (N, d), an array or CSR, and labels (N,), as the splits take them.

    Args:
        where: the public function, for messages.
        features: (N, d), an array or a scipy sparse matrix.
        labels: -1 or +1, (N,).
        n: number of nodes, between 1 and N.
        storage: form of the features that the split returns.

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
    return rows, signs


def is_dense(rows: Any, storage: Storage) -> bool:
    """Choose the storage of rows (N, d): dense where it is small or has few zeros."""
    if storage != "auto":
        return storage == "dense"
    entries = rows.shape[0] * rows.shape[1]
    if entries * 8 <= _DENSE_BYTES:
        return True
    nonzeros = rows.count_nonzero() if hasattr(rows, "tocsr") else np.count_nonzero(rows)
    return bool(nonzeros > _DENSE_FRACTION * entries)


def _as_rows(features: Any) -> Any:
    """Return an array, or a CSR matrix if the features are sparse."""
    if not hasattr(features, "tocsr"):
        return np.asarray(features, dtype=np.float64)
    from scipy import sparse

    return sparse.csr_array(features, dtype=np.float64)
