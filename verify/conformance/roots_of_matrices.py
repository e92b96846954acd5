"""Whether roots of matrices are those of low rank, and keep what is above the threshold of `MatrixRoots`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from impl.matrix_roots import MatrixRoots
from verify.authoring import Comparisons, eq
from verify.comparison import ROUND_OFF

Roots = Callable[[Any], MatrixRoots]
_EPS = 2.0**-52


def other_threshold(matrices: Any, factor: float, absolute: bool = False) -> MatrixRoots:
    """Return roots that keep eigenvalues above another multiple of the threshold, or one without scale."""
    honest = MatrixRoots.of_nodes(matrices)
    given = np.asarray(matrices, dtype=float)
    values, vectors = (given, None) if given.ndim == 2 else np.linalg.eigh(given)
    largest = np.ones(len(given)) if absolute else values.max(axis=-1)
    kept = values > factor * honest.d * _EPS * largest[:, None]
    root = np.sqrt(np.where(kept, values, 0.0))
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=kept)
    parts: list[Any] = [root, inverse, kept.astype(float)]
    if vectors is not None:
        parts = [(vectors * part[:, None, :]) @ np.swapaxes(vectors, -1, -2) for part in parts]
    return replace(
        honest,
        root=parts[0],
        pseudo_inverse_root=parts[1],
        projector=parts[2],
        rank=np.asarray(kept.sum(axis=-1)),
    )


OTHER_THRESHOLDS: tuple[Any, ...] = (
    "no-threshold at exact/low-rank, exact/threshold: Keep all eigenvalues above 0, round-off too.",
    {"roots": partial(other_threshold, factor=0.0)},
    "tenfold-threshold at exact/threshold: Drop eigenvalues up to ten times the threshold.",
    {"roots": partial(other_threshold, factor=10.0)},
    "tenth-of-threshold at exact/threshold: Keep eigenvalues from a tenth of the threshold.",
    {"roots": partial(other_threshold, factor=0.1)},
    "threshold-without-scale at exact/low-rank, exact/threshold: The threshold of norm 1 for all matrices.",
    {"roots": partial(other_threshold, factor=1.0, absolute=True)},
)
"""Mutants of checks `low-rank` and `threshold` whose law has `roots`."""


def low_rank(judged: Roots, sizes: tuple[int, ...]) -> Comparisons:
    """Compare dense matrices A A^T of one and two columns with what the columns say, without eigenvalues.

    Args:
        judged: `MatrixRoots.of_nodes` or a mutant.
        sizes: Numbers of coordinates, from 8 on: below, the threshold is hardly above round-off.
    """
    for d in sizes:
        j = np.arange(1.0, d + 1)
        both = np.stack([np.sqrt(j) * np.cos(j), np.sqrt(d + 1 - j) * np.sin(2 * j)], axis=1)
        # Nodes of norms that differ by 1e12: each has a threshold of its own.
        columns = [both[:, :k] * scale for k in (1, 2) for scale in np.sqrt((2e-6, 3, 5e6))]
        roots = judged(np.stack([sum(np.outer(v, v) for v in A.T) for A in columns]))
        units = np.broadcast_to(np.eye(d)[:, None], (d, len(columns), d))
        found = {
            "projector": roots.project(units),
            "root": roots.apply_root(units),
            "pseudo-inverse root": roots.apply_pseudo_inverse_root(units),
        }
        for node, A in enumerate(columns):
            at = {"d": d, "node": node}
            yield eq("rank of a matrix of low rank", int(roots.rank[node]), A.shape[1], witness=at)
            for name, matrix in _by_columns(A):
                size = float(np.linalg.norm(matrix))
                off = size + float(np.linalg.norm(found[name][:, node] - matrix))
                yield eq(f"{name} of a matrix of low rank", off, size, ROUND_OFF, witness=at)


def _by_columns(A: Any) -> Iterator[tuple[str, Any]]:
    r"""Yield $P$, $(AA^\top)^{1/2}$ and $(AA^\top)^{+1/2}$ by $G=A^\top A$: $AG^{-1}A^\top$ and so on."""
    G = A.T @ A
    if len(G) == 1:
        S = np.sqrt(G)
    else:  # the root of a matrix (2, 2), by Cayley and Hamilton
        s = np.sqrt(np.linalg.det(G))
        S = (G + s * np.eye(2)) / np.sqrt(np.trace(G) + 2 * s)
    for name, middle in (("projector", G), ("root", S), ("pseudo-inverse root", S @ G)):
        yield name, A @ np.linalg.inv(middle) @ A.T


def threshold(judged: Roots, sizes: tuple[int, ...]) -> Comparisons:
    """Compare which eigenvalues are kept around d eps lambda_max, of diagonal and dense matrices.

    Args:
        judged: As for `low_rank`.
        sizes: Numbers of coordinates, powers of two from 32 on: round-off is a few eps.
    """
    for d in sizes:
        largest = np.array([1.0, 2.0**-20, 2.0**20])
        tau = d * _EPS * largest
        diagonals = np.zeros((3, d))
        diagonals[:, d // 2] = largest
        beside = np.array([1 + 2**-20, 1.0, 1 - 2**-20])
        diagonals[:, [0, 3, d - 1]] = tau[:, None] * beside
        roots = judged(diagonals)
        inverse = roots.apply_pseudo_inverse_root(np.ones((3, d)))
        for node in range(3):
            at = {"d": d, "node": node}
            yield eq("eigenvalues that are kept", int(roots.rank[node]), 2, witness=at)
            size = float((diagonals[node, [0, d // 2]] ** -0.5).sum())
            yield eq("roots of what is kept", float(inverse[node].sum()), size, ROUND_OFF, witness=at)
        signs = np.ones((1, 1))
        while len(signs) < d:
            signs = np.block([[signs, signs], [signs, -signs]])
        # Entries (1 +- c d eps) / d have no rounding.
        for factor, rank in ((3.0, 2), (0.25, 1)):
            small = np.outer(signs[5], signs[5]) * (factor * tau / d)[:, None, None]
            dense = judged(np.outer(signs[3], signs[3]) * (largest / d)[:, None, None] + small)
            for node in range(3):
                witness = {"d": d, "node": node, "dense": factor}
                yield eq("eigenvalues that are kept", int(dense.rank[node]), rank, witness=witness)
