"""Scaling exponents from values at growing sizes (docs/evidence.md, E9)."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from impl.errors import ArgumentError, Problems
from verify.evidence.betting import Array

Side = Literal["both", "at_most", "at_least"]


def exponent_verdict(
    sizes: Sequence[float] | Array,
    lo: Sequence[float] | Array,
    hi: Sequence[float] | Array,
    claimed: float,
    tolerance: float = 0.05,
    *,
    side: Side = "both",
) -> tuple[str, tuple[float, float]]:
    """Decide whether values scale like size ** claimed.

    The least-squares slope of ln value against ln size is linear in ln value, so its range over all values
    inside the intervals is exact. The claim is about the sizes given: pass the last four of a long series,
    since small sizes bias the slope.

    Args:
        sizes: Increasing positive sizes, shape (q,), q >= 2.
        lo: Lower ends of the intervals of the values, positive, shape (q,).
        hi: Upper ends, shape (q,); equal to `lo` for exact values.
        claimed: The exponent p.
        tolerance: Half width tau of what counts as p.
        side: `both` for "equals p", `at_most` for "at most p", `at_least` for "at least p".

    Returns:
        The verdict and the interval of the slope: `holds` if the interval lies within [p - tau, p + tau],
        `violated` if it is disjoint from it, else `inconclusive`; one-sided claims use one end.

    Raises:
        ArgumentError: Sizes are too few or do not increase, or an interval is empty or not positive.
    """
    n, low, high = (_vector(name, v) for name, v in (("sizes", sizes), ("lo", lo), ("hi", hi)))
    problems = Problems("exponent_verdict")
    _require_sizes(problems, n)
    problems.require(low.shape == n.shape, f"lo has {len(low)} entries but sizes has {len(n)}")
    problems.require(high.shape == n.shape, f"hi has {len(high)} entries but sizes has {len(n)}")
    problems.require(
        bool(np.all(low > 0) and np.all(np.isfinite(low))),
        f"lo={low.tolist()} must be finite and positive; an interval that reaches 0 has no logarithm",
    )
    problems.require(bool(np.all(np.isfinite(high))), f"hi={high.tolist()} must be finite")
    problems.require(
        low.shape != high.shape or bool(np.all(low <= high)), "lo must not exceed hi at any size"
    )
    problems.require(np.isfinite(claimed), f"claimed={claimed} must be finite")
    problems.require(0 <= tolerance < np.inf, f"tolerance={tolerance} must be finite and at least 0")
    problems.require(
        side in ("both", "at_most", "at_least"), f"side={side!r} must be 'both', 'at_most' or 'at_least'"
    )
    problems.raise_if_any()

    centred = np.log(n) - np.log(n).mean()
    weights = centred / (centred**2).sum()
    plus, minus = np.maximum(weights, 0), np.maximum(-weights, 0)
    first = float(plus @ np.log(low) - minus @ np.log(high))
    last = float(plus @ np.log(high) - minus @ np.log(low))
    below, above = claimed - tolerance, claimed + tolerance
    if side == "at_most":
        below = -np.inf
    if side == "at_least":
        above = np.inf
    if last < below or first > above:
        return "violated", (first, last)
    return ("holds" if below <= first and last <= above else "inconclusive"), (first, last)


def _vector(name: str, values: Any) -> Array:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has shape {array.shape}; give one number for each size, shape (q,)")
    return array


def _require_sizes(problems: Problems, n: Array) -> None:
    problems.require(len(n) >= 2, f"sizes has {len(n)} entries, needs at least 2 for a slope")
    problems.require(
        bool(np.all(np.isfinite(n)) and np.all(n > 0) and np.all(np.diff(n) > 0)),
        f"sizes={n.tolist()} must be finite, positive and increasing",
    )
