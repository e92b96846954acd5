"""Families of smoothness matrices that grow with the number of nodes (arXiv 2106.03524; `squant/gain-block`).

All matrices are diagonal. Coordinates with equal entries in every node and in one block form a group, so a
family of half a million coordinates is a few thousand numbers.

With d = q n^2 coordinates in n equal blocks (q = 8):

* `V`: node 1 has 1 on block 1 and 1/n elsewhere, all other nodes I/n.
* `H`: node i has 1 on block i and n^-2 elsewhere.
* `hom`: all nodes I (negative control).
* `H-rot`: U L_i U^T with the matrices of `H` and the normalised Hadamard matrix U; its diagonal is flat.
* `lowdim`: `H` with d = 8 n (second control).
* `W`: node 1 has 1 at the first coordinate, everything else is delta = 1/(n d).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]

NAMES = ("V", "H", "hom", "H-rot", "lowdim", "W")
LOWDIM_FACTOR = 8


@dataclass(frozen=True, eq=False)
class Family:
    """The matrices of n nodes, diagonal in one common orthogonal basis.

    Args:
        name: One of `NAMES`.
        eigenvalues: Eigenvalue of each node on each group of basis vectors, (n, groups).
        multiplicity: Number of coordinates of each group, (groups,).
        block: Block of each group, from 0 in ascending order, (groups,).
        rotated: Whether the common basis is the normalised Hadamard matrix instead of the coordinates.
    """

    name: str
    eigenvalues: Array
    multiplicity: Array
    block: Array
    rotated: bool = False

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.eigenvalues)

    @property
    def d(self) -> int:
        """Number of coordinates."""
        return int(self.multiplicity.sum())

    @property
    def block_lengths(self) -> Array:
        """Number of coordinates of each block, (B,)."""
        return np.bincount(self.block, weights=self.multiplicity).astype(np.int64)

    @property
    def diagonal(self) -> Array:
        """Diagonal entries of the matrices by group, (n, groups): flat where the basis is rotated."""
        if not self.rotated:
            return self.eigenvalues
        # Every entry of the normalised Hadamard matrix has the square 1/d.
        means = self.eigenvalues @ self.multiplicity / self.d
        return np.repeat(means[:, None], len(self.multiplicity), axis=1)

    @property
    def L_nodes(self) -> Array:
        """Largest eigenvalue of each node, (n,)."""
        return np.asarray(self.eigenvalues.max(axis=1))

    @property
    def L_max(self) -> float:
        """Largest eigenvalue of any node."""
        return float(self.eigenvalues.max())

    @property
    def L(self) -> float:
        """Largest eigenvalue of the mean of the matrices."""
        return float(self.eigenvalues.mean(axis=0).max())

    @property
    def mu(self) -> float:
        """Smallest eigenvalue of the mean of the matrices."""
        return float(self.eigenvalues.mean(axis=0).min())

    @property
    def rho(self) -> float:
        """L_max / (n L)."""
        return self.L_max / (self.n * self.L)

    @property
    def nu(self) -> float:
        """Sum of the largest eigenvalues over their maximum."""
        return float(self.L_nodes.sum() / self.L_max)

    @property
    def nu_tr(self) -> float:
        """Largest trace over L_max."""
        return float((self.eigenvalues @ self.multiplicity).max() / self.L_max)

    def block_sums(self, terms: Array) -> Array:
        """Sum terms (..., groups) of one coordinate each over the blocks: (..., B)."""
        starts = np.flatnonzero(np.diff(self.block, prepend=-1))
        return np.add.reduceat(terms * self.multiplicity, starts, axis=-1)

    @property
    def block_norms(self) -> Array:
        """Frobenius norms of the diagonal blocks, (n, B)."""
        return np.asarray(np.sqrt(self.block_sums(self.diagonal**2)))

    @property
    def nu_B(self) -> float:
        """Largest c_block over its value d/B L_max at one full block; the blocks are equal."""
        B = len(self.block_lengths)
        c_block = (np.sqrt(self.block_lengths) * self.block_norms).sum(axis=1)
        return float(c_block.max() * B / self.d / self.L_max)

    def in_node_order(self, order: Sequence[int]) -> "Family":
        """Return the family with its nodes in another order."""
        return replace(self, eigenvalues=self.eigenvalues[list(order)])


def family(name: str, n: int, q: int = 8, d: int | None = None) -> Family:
    """Return a family of n nodes.

    Args:
        name: One of `NAMES`.
        n: Number of nodes, at least 2.
        q: Factor of the dimension q n^2.
        d: The dimension where it is another one; `W` with n not a divisor of d has a single block.

    Raises:
        ArgumentError: Unknown name; n or d do not fit.
    """
    problems = Problems("family")
    problems.require(name in NAMES, f"name={name!r} is unknown; choose one of {', '.join(NAMES)}")
    problems.require(n >= 2, f"n={n} must be at least 2")
    if d is None:
        d = LOWDIM_FACTOR * n if name == "lowdim" else q * n * n
    problems.require(d >= 1, f"d={d} must be at least 1; it is q n^2 with q={q} by default")
    if name != "W":
        problems.require(
            n < 1 or d % n == 0, f"d={d} must be a multiple of n={n}, which blocks of equal length need"
        )
    if name == "H-rot":
        problems.require(d & (d - 1) == 0, f"d={d} must be a power of 2, as Hadamard matrices are here")
    problems.raise_if_any()
    if name == "W":
        return _one_heavy_coordinate(n, d)
    return Family(name, _by_block(name, n), np.full(n, d // n), np.arange(n), name == "H-rot")


def _by_block(name: str, n: int) -> Array:
    """Return the entry of each node on each block, (n, n)."""
    if name == "hom":
        return np.ones((n, n))
    if name == "V":
        values = np.full((n, n), 1.0 / n)
        values[0, 0] = 1.0
        return values
    values = np.full((n, n), 1.0 / n**2)
    np.fill_diagonal(values, 1.0)
    return values


def _one_heavy_coordinate(n: int, d: int) -> Family:
    B = n if d % n == 0 else 1
    length = d // B
    multiplicity = np.array([1, length - 1, *[length] * (B - 1)])
    block = np.array([0, 0, *range(1, B)])
    values = np.full((n, len(block)), 1.0 / (n * d))
    values[0, 0] = 1.0
    kept = multiplicity > 0
    return Family("W", values[:, kept], multiplicity[kept], block[kept])


def diagonals(name: str, n: int, q: int = 8, d: int | None = None) -> tuple[Array, list[int]]:
    """Return the diagonals of the matrices (n, d), and the block lengths.

    For `H-rot` they are the flat diagonals of U L_i U^T; the eigenvalues are the diagonals of `H`.

    Raises:
        ArgumentError: As for `family`.
    """
    found = family(name, n, q, d)
    lengths = [int(length) for length in found.block_lengths]
    return np.repeat(found.diagonal, found.multiplicity, axis=1), lengths
