"""Roots of smoothness matrices, node by node: what the literal forms of the aware methods share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import RangeError
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class LiteralRoot:
    """Root, pseudo-inverse root and projector of one matrix, (d, d) each, and its largest eigenvalue."""

    root: Array
    inverse_root: Array
    projector: Array
    lambda_max: float

    def check_range(self, gradient: Array, x: Array, node: int, method: str) -> None:
        """Raise a `RangeError` if the gradient leaves the range of the matrix (A3)."""
        lost = np.linalg.norm(gradient - self.projector @ gradient)
        rounding = len(x) * 2.0**-52 * self.lambda_max * np.linalg.norm(x)
        if lost > 1e-6 * np.linalg.norm(gradient) + rounding:
            raise RangeError(f"{method}: gradient of node {node} leaves the range of its matrix (A3)")


def literal_roots(problem: Problem, smoothness: npt.ArrayLike | None) -> list[LiteralRoot]:
    """Return the roots of the nodes' matrices, those of the problem where none are given."""
    L = np.asarray(problem.smoothness if smoothness is None else smoothness, dtype=np.float64)
    roots = []
    for i in range(problem.n):
        L_i = np.diag(L[i]) if L.ndim == 2 else (L[i] + L[i].T) / 2
        w, V = np.linalg.eigh(L_i)
        keep = w > problem.d * 2.0**-52 * w[-1]
        w_k, V_k = w[keep], V[:, keep]
        roots.append(
            LiteralRoot(
                V_k @ np.diag(w_k**0.5) @ V_k.T,
                V_k @ np.diag(w_k**-0.5) @ V_k.T,
                V_k @ V_k.T,
                float(w[-1]),
            )
        )
    return roots
