"""The heterogeneous split of the experiments: rows sorted by label, consecutive parts."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from impl.problems.data.labelled_rows import Storage
from impl.problems.splits.sorted_parts import split_sorted_rows

Array = npt.NDArray[Any]


def label_sorted_split(
    features: Any, labels: npt.ArrayLike, n: int, *, storage: Storage = "auto"
) -> tuple[Any, Array]:
    r"""Sort rows stably by label (-1 first) and cut n consecutive parts of $m=\lfloor N/n\rfloor$; drop the
    rest.

    Args:
        features: (N, d), an array or a scipy sparse matrix.
        labels: -1 or +1, (N,).
        n: number of nodes, between 1 and N.
        storage: "dense", "sparse", or "auto": dense up to 12 MB or with more than 30 % of nonzeros, which is
            where it is faster.

    Returns:
        Features, (n, m, d) if dense and CSR (n * m, d) if sparse, and labels (n, m), as `Logistic` takes
        them.

    Raises:
        ArgumentError: shapes that do not fit, other labels, n outside 1..N, or another storage.

    Example:
        >>> parts, signs = label_sorted_split([[1.0], [2.0], [3.0], [4.0], [5.0]], [1, -1, 1, -1, 1], 2)
        >>> parts[..., 0].tolist(), signs.tolist()
        ([[2.0, 4.0], [1.0, 3.0]], [[-1.0, -1.0], [1.0, 1.0]])
    """
    return split_sorted_rows("label_sorted_split", features, labels, n, storage, sort_key=_labels)


def _labels(_rows: Any, signs: Array) -> Array:
    return signs
