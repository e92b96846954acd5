"""The split with dominant nodes: rows sorted by norm, each part half as large as the one before."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.problems.data.labelled_rows import Storage
from impl.problems.splits.sorted_parts import split_sorted_rows

Array = npt.NDArray[Any]


def scaled_split(
    features: Any, labels: npt.ArrayLike, n: int, *, storage: Storage = "auto"
) -> tuple[Any, Array]:
    r"""Sort rows stably by Euclidean norm, cut n consecutive parts of $m=\lfloor N/n\rfloor$, drop the rest,
    and multiply the features of part $i=0,\dots,n-1$ by $2^{-i}$ (claims `squant/*`, the experiments).

    The smoothness constants of the nodes then differ by factors of about 4, which the label-sorted split of
    usual data does not give.

    Arguments, result and errors are those of `label_sorted_split`; the rows and their order do not depend on
    `storage`.

    Example:
        >>> parts, signs = scaled_split([[4.0], [-3.0], [1.0], [2.0]], [1, -1, 1, -1], 2)
        >>> parts[..., 0].tolist(), signs.tolist()
        ([[1.0, 2.0], [-1.5, 2.0]], [[1.0, -1.0], [-1.0, 1.0]])
    """
    return split_sorted_rows(
        "scaled_split", features, labels, n, storage, sort_key=_squared_norms, factors=_powers_of_half
    )


def _squared_norms(rows: Any, _signs: Array) -> Array:
    """Squared norms of the rows up to one common factor, correctly rounded sums of the squares.

    Rounding must not order rows of equal norm: all rows of phishing have 30 equal entries, and a plain sum
    depends on where they are.
    """
    from scipy import sparse

    entries = sparse.csr_array(rows, copy=True)
    entries.sum_duplicates()
    largest = np.abs(entries.data).max(initial=0.0)
    squares = np.ldexp(entries.data, -np.frexp(largest)[1]) ** 2  # a power of 2: no rounding, no overflow
    bounds = zip(entries.indptr[:-1], entries.indptr[1:], strict=True)
    return np.array([math.fsum(squares[first:last]) for first, last in bounds])


def _powers_of_half(n: int) -> Array:
    return np.asarray(2.0 ** -np.arange(n))
