"""The rows of all nodes with their labels, as the problems on data take them."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]


def checked_node_rows(problems: Problems, features: Any, labels: Any) -> tuple[Any, Array]:
    """Return features and labels as floats; remember what is wrong with them.

    Args:
        problems: Where it is remembered.
        features: An array, or a scipy sparse matrix with the rows of one node after those of the other.
        labels: (n, m).

    Returns:
        Features, an array (n, m, d) or CSR (n * m, d), a copy, and labels, (n, m).

    Raises:
        ArgumentError: Features or labels that are no numbers: nothing that rests on them can be checked then.
    """
    numbers = _as_floats(problems, "labels", labels, "(n, m)")
    if hasattr(features, "tocsr"):
        problems.raise_if_any()
        return _checked_sparse(problems, features, numbers), numbers
    rows = _as_floats(problems, "features", features, "(n, m, d)")
    problems.raise_if_any()
    _require_dense(problems, rows, numbers)
    return rows, numbers


def checked_counts(where: str, counts: npt.ArrayLike, rows: Any) -> Array:
    """Return the numbers of rows of the nodes, (n,).

    Args:
        where: The public class, for messages.
        counts: What was given.
        rows: The rows, with `n`, `m` and `node(i)`.

    Raises:
        ArgumentError: No n whole numbers, one outside 1..m, or a row behind a count that is not zero.
    """
    given = np.asarray(counts)
    if given.shape != (rows.n,) or given.dtype.kind not in "iu":
        raise ArgumentError(
            f"{where}: counts of shape {given.shape} and type {given.dtype} must be {rows.n} whole "
            "numbers, one for each node; contiguous_split returns them"
        )
    problems = Problems(where)
    problems.require(
        np.all((given >= 1) & (given <= rows.m)),
        f"counts must be between 1 and {rows.m}, the rows stored for a node",
    )
    padded = [i for i in range(rows.n) if abs(rows.node(i)[max(given[i], 0) :]).sum() > 0]
    problems.require(
        not padded,
        f"node {padded[0] if padded else 0} has a row behind its count that is not zero; pad with zero "
        "rows, as contiguous_split does",
    )
    problems.raise_if_any()
    return given.astype(np.int64)


def _as_floats(problems: Problems, name: str, given: Any, shape: str) -> Array:
    """Return numbers as float64; remember what is none."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        problems.require(False, f"{name}={reprlib.repr(given)} must be real numbers of shape {shape}")
        return np.zeros(0)


def _require_dense(problems: Problems, rows: Array, labels: Array) -> None:
    """Remember what is wrong with features (n, m, d) or their labels."""
    problems.require(
        rows.ndim == 3 and rows.size > 0,
        f"features of shape {rows.shape} must have shape (n, m, d); label_sorted_split makes this from "
        "(N, d)",
    )
    problems.require(
        labels.shape == rows.shape[:2], f"labels of shape {labels.shape} must have shape {rows.shape[:2]}"
    )
    problems.require(np.all(np.isfinite(rows)), "features must be finite")


def _checked_sparse(problems: Problems, features: Any, labels: Array) -> Any:
    """Return the features (n * m, d) as a CSR matrix of floats, a copy; remember what is wrong, as above."""
    from scipy import sparse

    rows: Any = sparse.csr_array(features, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    fits = labels.ndim == 2 and labels.size > 0
    problems.require(
        fits, f"labels of shape {labels.shape} must have shape (n, m), one for each row of the features"
    )
    problems.require(
        rows.ndim == 2 and rows.shape[-1] > 0 and (not fits or rows.shape[0] == labels.size),
        f"sparse features of shape {rows.shape} must have shape (n * m, d), one row for each of the "
        f"{labels.size} labels; label_sorted_split makes this from (N, d)",
    )
    problems.require(np.all(np.isfinite(rows.data)), "features must be finite")
    return rows
