"""What the splits into equal parts share: sort the rows, cut, choose the storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.problems.data.labelled_rows import Storage, checked_rows, is_dense

Array = npt.NDArray[Any]


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
    rows, signs = checked_rows(where, features, labels, n, storage)
    m = rows.shape[0] // n
    order = np.argsort(sort_key(rows, signs), kind="stable")[: n * m]
    chosen = rows[order]
    scales = np.ones(n * m) if factors is None else np.repeat(factors(n), m)
    if is_dense(chosen, storage):
        dense = chosen.toarray() if hasattr(chosen, "tocsr") else chosen
        return (dense * scales[:, None]).reshape(n, m, -1), signs[order].reshape(n, m)
    from scipy import sparse

    kept = sparse.csr_array(chosen)
    kept.data *= np.repeat(scales, np.diff(kept.indptr))
    return kept, signs[order].reshape(n, m)
