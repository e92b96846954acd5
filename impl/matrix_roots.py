"""Square roots, pseudo-inverse roots and range projectors of stacks of smoothness matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems, RangeError

Array = npt.NDArray[Any]

# A matrix formed as A^T A / m is symmetric and semidefinite up to about m * 2**-52; a user's mistake is far
# above.
_ROUNDING = 1e-10
_GRADIENT_ROUNDING = 1e-6  # squant, section 0.2: the relative part of the range check


@dataclass(frozen=True, eq=False)
class MatrixRoots:
    r"""Roots of a stack of positive semidefinite matrices $\mathbf L_i$ (arXiv 2106.03524, `squant/range`).

    With the eigenpairs above $\tau=d\,\varepsilon\,\lambda_{\max}$, $\varepsilon=2^{-52}$, kept as $V_k,w_k$:
    root $V_kw_k^{1/2}V_k^\top$, pseudo-inverse root $V_kw_k^{-1/2}V_k^\top$, projector $V_kV_k^\top$ on the
    range. Dense matrices are kept as arrays (..., d, d), diagonal ones as vectors (..., d) and never
    expanded.

    Example:
        >>> roots = MatrixRoots.from_diagonals([[4.0, 0.0]])
        >>> roots.apply_pseudo_inverse_root(np.array([[6.0, 1.0]]))
        array([[3., 0.]])
    """

    root: Array
    pseudo_inverse_root: Array
    projector: Array
    diagonal: Array  # the diagonals L_jj of the matrices, (..., d)
    lambda_max: Array  # the largest eigenvalues, (...,)
    rank: Array  # how many eigenvalues were kept, (...,)
    is_diagonal: bool

    @property
    def d(self) -> int:
        """Dimension of each matrix."""
        return int(self.diagonal.shape[-1])

    @property
    def full_rank(self) -> bool:
        """Whether no eigenvalue was dropped, so that every vector is in every range."""
        return bool(np.all(self.rank == self.d))

    @classmethod
    def from_dense(cls, matrices: npt.ArrayLike) -> MatrixRoots:
        """Decompose symmetric positive semidefinite matrices (..., d, d).

        Raises:
            ArgumentError: not square, not finite, not symmetric or not semidefinite (beyond rounding).
        """
        given = _as_floats("matrices", matrices)
        problems = Problems("MatrixRoots.from_dense")
        if given.ndim < 2 or given.shape[-1] != given.shape[-2] or given.shape[-1] == 0:
            problems.require(
                False, f"matrices of shape {given.shape} must have shape (..., d, d) with d >= 1"
            )
            problems.raise_if_any()
        _require_finite(problems, given)
        flipped = np.swapaxes(given, -1, -2)
        asymmetry = np.max(np.abs(given - flipped), axis=(-1, -2))
        too_asymmetric = asymmetry > _ROUNDING * np.max(np.abs(given), axis=(-1, -2))
        problems.require(
            not np.any(too_asymmetric),
            f"matrix {_first(too_asymmetric)} is not symmetric (largest difference "
            f"{np.max(asymmetry, initial=0):.3g}); pass (M + M^T) / 2 if that is what you mean",
        )
        problems.raise_if_any()

        values, vectors = np.linalg.eigh((given + flipped) / 2)
        lambda_max = np.maximum(values[..., -1], 0.0)
        scale = np.maximum(np.abs(values[..., 0]), lambda_max)
        _require_semidefinite(problems, values[..., 0], scale)
        kept, root_values, inverse_values = _split_spectrum(values, lambda_max)

        def assemble(weights: Array) -> Array:
            return np.asarray((vectors * weights[..., None, :]) @ np.swapaxes(vectors, -1, -2))

        return cls(
            root=assemble(root_values),
            pseudo_inverse_root=assemble(inverse_values),
            projector=assemble(kept.astype(np.float64)),
            diagonal=np.diagonal(given, axis1=-2, axis2=-1).copy(),
            lambda_max=np.asarray(lambda_max),
            rank=np.asarray(kept.sum(axis=-1)),
            is_diagonal=False,
        )

    @classmethod
    def from_diagonals(cls, diagonals: npt.ArrayLike) -> MatrixRoots:
        """Decompose diagonal matrices given by their nonnegative diagonals (..., d).

        Raises:
            ArgumentError: no coordinate, not finite or negative.
        """
        given = _as_floats("diagonals", diagonals)
        problems = Problems("MatrixRoots.from_diagonals")
        if given.ndim < 1 or given.shape[-1] == 0:
            problems.require(False, f"diagonals of shape {given.shape} must have shape (..., d) with d >= 1")
            problems.raise_if_any()
        _require_finite(problems, given)
        lambda_max = np.maximum(given.max(axis=-1), 0.0)
        _require_semidefinite(problems, given.min(axis=-1), np.abs(given).max(axis=-1))
        kept, root, inverse = _split_spectrum(given, lambda_max)
        return cls(
            root=root,
            pseudo_inverse_root=inverse,
            projector=kept.astype(np.float64),
            diagonal=given.copy(),
            lambda_max=np.asarray(lambda_max),
            rank=np.asarray(kept.sum(axis=-1)),
            is_diagonal=True,
        )

    @classmethod
    def of_nodes(cls, matrices: npt.ArrayLike) -> MatrixRoots:
        """Decompose the matrices of n nodes: dense (n, d, d) or diagonal (n, d).

        Raises:
            ArgumentError: another number of axes, or what `from_dense` and `from_diagonals` refuse.
        """
        given = _as_floats("matrices", matrices)
        if given.ndim == 3:
            return cls.from_dense(given)
        if given.ndim == 2:
            return cls.from_diagonals(given)
        raise ArgumentError(
            f"MatrixRoots.of_nodes: matrices of shape {given.shape} must have shape (n, d, d), or (n, d) if "
            "diagonal"
        )

    def node(self, i: int) -> MatrixRoots:
        """Return the roots of matrix i of a stack, as a stack of one."""
        own = slice(i, i + 1)
        return MatrixRoots(
            root=self.root[own],
            pseudo_inverse_root=self.pseudo_inverse_root[own],
            projector=self.projector[own],
            diagonal=self.diagonal[own],
            lambda_max=self.lambda_max[own],
            rank=self.rank[own],
            is_diagonal=self.is_diagonal,
        )

    def apply_root(self, x: Array) -> Array:
        """Multiply node vectors (..., n, d) by the roots; leading axes are replicates."""
        return self._apply(self.root, x)

    def apply_pseudo_inverse_root(self, x: Array) -> Array:
        """Multiply node vectors (..., n, d) by the pseudo-inverse roots; leading axes are replicates."""
        return self._apply(self.pseudo_inverse_root, x)

    def project(self, x: Array) -> Array:
        """Project node vectors (..., n, d) on the ranges; leading axes are replicates."""
        return np.asarray(x) if self.full_rank else self._apply(self.projector, x)

    def check_range(self, gradient: Array, iterate: Array) -> None:
        r"""Raise if a gradient leaves the range of its matrix (A3; claim `squant/range`).

        The bound on $\|x-P_ix\|$ is $10^{-6}\|x\|+d\,\varepsilon\,\lambda_{\max}(\mathbf L_i)\|z\|$: its
        second part keeps a correct run alive once the gradient is near rounding level. Free of cost when all
        matrices have full rank.

        Args:
            gradient: node gradients x, (..., n, d).
            iterate: the points z where they were taken, (..., d).

        Raises:
            RangeError: names the first node outside, both numbers and the remedy.
        """
        if self.full_rank:
            return
        lost = np.linalg.norm(gradient - self.project(gradient), axis=-1)
        allowed = _GRADIENT_ROUNDING * np.linalg.norm(gradient, axis=-1)
        absolute = self.d * np.finfo(np.float64).eps * self.lambda_max
        points = np.linalg.norm(iterate, axis=-1)
        allowed = allowed + absolute * points.reshape(points.shape + (1,) * self.lambda_max.ndim)
        outside = lost > allowed
        if np.any(outside):
            place = tuple(int(axis) for axis in np.argwhere(outside)[0])
            node = f"node {place[-1]}" if place else "the gradient"
            raise RangeError(
                f"assumption A3 (claim squant/range) is violated: {node} has a gradient outside the range of "
                f"its smoothness matrix, ||x - P x|| = {lost[place]:.6g} above the rounding allowance "
                f"{allowed[place]:.6g}; that part would be lost and the method would converge to a wrong "
                "point. Use smoothness matrices that are positive definite on this direction (add a ridge), "
                "or a method without them (dcgd)"
            )

    def _apply(self, operator: Array, x: Array) -> Array:
        x = np.asarray(x)
        if x.shape[x.ndim - self.diagonal.ndim :] != self.diagonal.shape:
            raise ArgumentError(
                f"MatrixRoots: x of shape {x.shape} must end with {self.diagonal.shape}, one vector per "
                "matrix"
            )
        if self.is_diagonal:
            return np.asarray(x * operator)
        if x.ndim == self.diagonal.ndim or not x.size:
            return np.asarray((x[..., None, :] @ operator)[..., 0, :])
        # Replicates become the rows of one product per node: matrix-matrix instead of matrix-vector.
        rows = np.moveaxis(x.reshape(-1, *self.diagonal.shape), 0, -2)
        return np.asarray(np.moveaxis(rows @ operator, -2, 0)).reshape(x.shape)


def _split_spectrum(values: Array, lambda_max: Array) -> tuple[Array, Array, Array]:
    """Return which eigenvalues are kept, their roots and the inverses of these (0 where dropped)."""
    tau = values.shape[-1] * np.finfo(np.float64).eps * lambda_max
    kept = values > tau[..., None]
    root = np.sqrt(np.where(kept, values, 0.0))
    return kept, root, np.divide(1.0, root, out=np.zeros_like(root), where=kept)


def _as_floats(name: str, given: npt.ArrayLike) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"MatrixRoots: {name} must be an array of real numbers, all of one shape: {error}"
        ) from None


def _require_finite(problems: Problems, given: Array) -> None:
    bad = ~np.isfinite(given)
    if np.any(bad):
        problems.require(
            False, f"entry {_first(bad)} is {given[tuple(np.argwhere(bad)[0])]}; all must be finite"
        )
        problems.raise_if_any()


def _require_semidefinite(problems: Problems, smallest: Array, scale: Array) -> None:
    negative = smallest < -_ROUNDING * scale
    problems.require(
        not np.any(negative),
        f"matrix {_first(negative)} is indefinite (smallest eigenvalue {np.min(smallest, initial=0):.6g}); "
        "a smoothness matrix is positive semidefinite",
    )
    problems.raise_if_any()


def _first(condition: Array) -> str:
    """Index of the first true element, for a message (an empty string if there is one matrix only)."""
    found = np.argwhere(condition)
    if found.size == 0:
        return ""
    return str(int(found[0][0])) if found.shape[1] == 1 else str(tuple(int(axis) for axis in found[0]))
