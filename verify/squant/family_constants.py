"""Constants of the quantizers on a family of matrices: optimal steps, suprema, condition numbers.

Everything is computed here in closed form by groups of equal coordinates, apart from the formulas of the
claims, which the checks hold against it.

Methods: `std` (unaware, uniform step), `plus` (aware, uniform step), `block` (optimal step for each block),
`block-uniform` (blocks that all have the uniform step), `vary` (optimal step for each coordinate).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

import theory
from impl.errors import ArgumentError
from verify.evaluation import evaluate, names
from verify.squant.branches import smaller_branch
from verify.squant.families import Family

Array = npt.NDArray[Any]

METHODS = ("std", "plus", "block", "block-uniform", "vary")


def grouped_supremum(L: Any, h: Any, multiplicity: Any) -> tuple[Array, Array]:
    """Return the ends of the interval for the supremum of the variance over unit inputs (`squant/sup`).

    Coarse regime (steps of square sum above 4): both ends agree. Fine regime: the interval of the claim.

    Args:
        L: Diagonal weights by group, (..., groups).
        h: Steps by group, (..., groups).
        multiplicity: Number of coordinates of each group, (groups,).
    """
    L, h, m = np.broadcast_arrays(*(np.asarray(item, dtype=float) for item in (L, h, multiplicity)))
    L, h, m = L.copy(), h.copy(), m.copy()
    weighted = L * h**2
    positive = np.where(L > 0, m, 0.0)
    quarter = (m * weighted).sum(axis=-1) / 4
    smallest = np.where(m > 0, weighted, np.inf).min(axis=-1)
    lower, upper = quarter - smallest / 4, quarter.copy()
    coarse = (positive * h**2).sum(axis=-1) > 4
    if np.any(coarse):
        value = _coarse_supremum(L[coarse], h[coarse], m[coarse])
        lower[coarse] = upper[coarse] = value
    single = m.sum(axis=-1) == 1
    if np.any(single):
        level = 1 / h
        fraction = level - np.floor(level)
        value = (m * weighted * fraction * (1 - fraction)).sum(axis=-1)
        lower, upper = np.where(single, value, lower), np.where(single, value, upper)
    return lower, upper


def _coarse_supremum(L: Array, h: Array, m: Array) -> Array:
    """Return sum L h^2 u (1 - u) at u = L / (2 (L + nu)) with sum h^2 u^2 = 1, by rows (k, groups)."""
    scale = L.max(axis=-1, keepdims=True)
    L = L / scale
    nu = np.zeros((len(L), 1))
    # Newton's method for the reciprocal norm, concave and increasing in nu: from 0 it rises to the root.
    for _ in range(100):
        # At nu = 0 the entries of a coordinate of weight zero are 0/0; such a coordinate takes no part.
        u = np.divide(L, 2 * (L + nu), out=np.zeros_like(L), where=L > 0)
        square = (m * h**2 * u**2).sum(axis=-1, keepdims=True)
        slope = np.divide(m * h**2 * u**2, L + nu, out=np.zeros_like(L), where=L > 0).sum(
            axis=-1, keepdims=True
        )
        change = square * (np.sqrt(square) - 1) / slope
        nu = nu + change
        if np.all(np.abs(change) <= 1e-15 * (1 + nu)):
            break
    u = np.divide(L, 2 * (L + nu), out=np.zeros_like(L), where=L > 0)
    return np.asarray(scale[:, 0] * (m * L * h**2 * u * (1 - u)).sum(axis=-1))


def steps(family: Family, method: str, beta: float) -> Array:
    """Return the steps of each node by group, (n, groups), of budget beta in each node.

    Raises:
        ArgumentError: The method is unknown.
    """
    D = family.diagonal
    uniform = np.full_like(D, np.sqrt(family.d) / beta)
    if method in ("std", "plus", "block-uniform"):
        return uniform
    if method == "vary":
        return np.asarray(np.sqrt((D @ family.multiplicity)[:, None] / D) / beta)
    if method == "block":
        F = family.block_norms
        S = (np.sqrt(family.block_lengths) * F).sum(axis=1, keepdims=True)
        return np.asarray((S / (beta * F))[:, family.block])
    raise ArgumentError(f"steps: method={method!r} is unknown; choose one of {', '.join(METHODS)}")


def variance_constants(family: Family, method: str, beta: float, *, exact: bool = False) -> Array:
    """Return a constant of the quantizer's variance for each node, (n,).

    Args:
        family: The matrices.
        method: One of `METHODS`.
        beta: Budget.
        exact: Whether it is the supremum of the variance (in the fine regime its upper end) instead of the
            smaller of the coarse and the quarter bound.
    """
    h = steps(family, method, beta)
    # The unaware method knows the largest eigenvalue of a node only.
    D = np.broadcast_to(family.L_nodes[:, None], h.shape) if method == "std" else family.diagonal
    if method not in ("block", "block-uniform"):
        return _one_block(D, h, family.multiplicity, exact)
    starts = np.flatnonzero(np.diff(family.block, prepend=-1))
    ends = [*starts[1:], len(family.block)]
    if len(starts) == len(family.block):
        # One group to a block: all blocks at once.
        parts = _one_block(D[..., None], h[..., None], family.multiplicity[:, None], exact)
        return np.asarray(parts.max(axis=1))
    blocks = [slice(a, b) for a, b in zip(starts, ends, strict=True)]
    parts = np.array([_one_block(D[:, p], h[:, p], family.multiplicity[p], exact) for p in blocks])
    return np.asarray(parts.max(axis=0))


def _one_block(D: Array, h: Array, multiplicity: Array, exact: bool) -> Array:
    if exact:
        return grouped_supremum(D, h, multiplicity)[1]
    return np.asarray(smaller_branch(D, h, multiplicity))


def condition_number(family: Family, method: str, beta: float, *, exact: bool = False) -> float:
    """Return K = (L + 2 max_i L_i / n) / mu of DCGD+ with the constants L_i above (`squant/dcgd`)."""
    constant = float(variance_constants(family, method, beta, exact=exact).max())
    return (family.L + 2 * constant / family.n) / family.mu


def formula_at(claim_id: str, name: str, family: Family, **more: float) -> float:
    """Return a formula of a claim, or its `bound`, at the constants of a family.

    Args:
        claim_id: Id of the claim.
        name: Name of the formula.
        family: The matrices.
        more: Values that the matrices do not have, by name.
    """
    formula = theory.claim(claim_id).expressions[name]
    values = {
        "n": family.n,
        "d": family.d,
        "rho": family.rho,
        "nu_B": family.nu_B,
        "nu_tr": family.nu_tr,
        "L_max": family.L_max,
        "L": family.L,
        "mu": family.mu,
        **more,
    }
    return evaluate(formula, {key: values[key] for key in names(formula)})
