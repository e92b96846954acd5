"""The heterogeneous split of the experiments: rows sorted by label, consecutive parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]


def label_sorted_split(features: Any, labels: npt.ArrayLike, n: int) -> tuple[Array, Array]:
    r"""Sort rows stably by label (-1 first) and cut n consecutive parts of $m=\lfloor N/n\rfloor$; drop the
    rest.

    Args:
        features: (N, d), an array or a scipy sparse matrix.
        labels: -1 or +1, (N,).
        n: number of nodes, between 1 and N.

    Returns:
        Features (n, m, d), dense, and labels (n, m), as `Logistic` takes them.

    Raises:
        ArgumentError: shapes that do not fit, other labels, or n outside 1..N.

    Example:
        >>> parts, signs = label_sorted_split([[1.0], [2.0], [3.0], [4.0], [5.0]], [1, -1, 1, -1, 1], 2)
        >>> parts[..., 0].tolist(), signs.tolist()
        ([[2.0, 4.0], [1.0, 3.0]], [[-1.0, -1.0], [1.0, 1.0]])
    """
    sparse = hasattr(features, "tocsr")
    rows: Any = features.tocsr() if sparse else np.asarray(features, dtype=np.float64)
    signs = np.asarray(labels, dtype=np.float64)
    problems = Problems("label_sorted_split")
    problems.require(rows.ndim == 2, f"features of shape {rows.shape} must have shape (N, d)")
    total = rows.shape[0] if rows.ndim else 0
    problems.require(signs.shape == (total,), f"labels of shape {signs.shape} must have shape ({total},)")
    problems.require(np.all(np.abs(signs) == 1), "labels must be -1 or +1; map the larger label to +1")
    problems.require(
        not isinstance(n, bool) and isinstance(n, int | np.integer) and 1 <= n <= total,
        f"n={n!r} must be a whole number between 1 and the number of rows, {total}",
    )
    problems.raise_if_any()

    m = total // n
    order = np.argsort(signs, kind="stable")[: n * m]
    chosen = rows[order].toarray() if sparse else rows[order]
    return np.asarray(chosen, dtype=np.float64).reshape(n, m, -1), signs[order].reshape(n, m)
