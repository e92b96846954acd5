"""Medians of independent samples: intervals that hold for any distribution and any sample size."""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from verify.evidence.betting import Array


def replicates_needed(alpha: float) -> int:
    """Return the smallest sample whose range covers the median with probability at least 1 - alpha."""
    return math.ceil(math.log2(2 / alpha))


def median_interval(
    lower: npt.ArrayLike, upper: npt.ArrayLike | None = None, alpha: float = 1e-9
) -> tuple[float, float]:
    """Return an interval that misses the median with probability at most alpha, for any distribution.

    A sample is at most the median with probability at least 1/2, so the k-th smallest of R exceeds it with
    probability at most P(Bin(R, 1/2) < k), and likewise from above; the ends are the k-th
    smallest and the k-th largest for the largest k with 2 P(Bin(R, 1/2) < k) <= alpha.

    Args:
        lower: Samples, (R,); for a sample that was only seen to be large, what it is at least.
        upper: The same where the samples are known, infinity or an upper bound where not; `lower` by default.
        alpha: Probability that the interval misses the median.

    Raises:
        ArgumentError: NaN, too few samples for this alpha, or shapes that differ.
    """
    low = np.asarray(lower, dtype=float)
    high = low if upper is None else np.asarray(upper, dtype=float)
    problems = Problems("median_interval")
    problems.require(low.ndim == 1, f"lower has shape {low.shape}; give one number per replicate, (R,)")
    problems.require(
        low.shape == high.shape, f"upper has shape {high.shape}, lower {low.shape}; give both alike"
    )
    problems.require(0 < alpha < 1, f"alpha={alpha} must lie in (0, 1)")
    problems.require(not (np.isnan(low).any() or np.isnan(high).any()), "samples must not be NaN")
    problems.raise_if_any()
    rank = _rank(len(low), alpha)
    if rank == 0:
        raise ArgumentError(
            f"median_interval: lower has {len(low)} samples; at alpha={alpha:g} at least "
            f"{replicates_needed(alpha)} are needed for any interval"
        )
    return float(np.sort(low)[rank - 1]), float(np.sort(high)[-rank])


def _rank(R: int, alpha: float) -> int:
    """Return the largest k with 2 P(Bin(R, 1/2) < k) <= alpha, 0 if there is none."""
    rank, tail, allowed = 0, 0, Fraction(alpha) * 2**R  # exact: powers of two soon leave the range of floats
    while rank < R:
        tail += math.comb(R, rank)
        if 2 * tail > allowed:
            break
        rank += 1
    return rank


def simultaneous_intervals(
    samples: dict[str, tuple[Array, Array]], alpha: float
) -> dict[str, tuple[float, float]]:
    """Return intervals that cover the medians of all quantities at once with probability at least 1 - alpha.

    Args:
        samples: By name, lower and upper values of the samples, (R,) each.
        alpha: Probability that any of the intervals misses its median.
    """
    return {name: median_interval(low, high, alpha / len(samples)) for name, (low, high) in samples.items()}
