"""Exact overload and mean square error of a nested message, two ways: stated sums, and quadrature.

All lengths are in fine steps. `moments` evaluates the formulas of the claim `ndqsg/nested-overload`;
`conditional_error` is the law for given innovations, written down again with numpy, and `integrated` its mean
over any symmetric density by Gauss-Legendre quadrature between the kinks.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.authoring.law import Law, formulas_of

Array = npt.NDArray[Any]

CLAIM = "ndqsg/nested-overload"

_FAR = 40.0
"""Boundaries at more standard deviations than this have a tail that underflows."""

_NODES = 24
"""Gauss-Legendre nodes for each piece of at most one standard deviation: exact to the last digits."""


@dataclass(frozen=True)
class OverloadMoments:
    """Overload probability, E j^2, E[ej], E[alpha z j] and the mean square error in squared steps."""

    overload: float
    squares: float
    cross: float
    pull: float
    mse: float


def moments_of(
    law: Law, sigma: float, ratio: int, alpha: float = 1.0, cells: int | None = None
) -> OverloadMoments:
    """Return the moments for a Gaussian innovation by the formulas of a law of `ndqsg/nested-overload`.

    Args:
        law: The law, honest or sabotaged.
        sigma: Standard deviation of the innovation, positive.
        ratio: k.
        alpha: Gain, in (0, 1].
        cells: Boundaries that are summed; all that matter by default.
    """
    spread = alpha * sigma
    count = cells or max(1, math.ceil((_FAR * spread + 0.5) / ratio + 0.5))
    tails, errors, innovations = (
        [law(name, k=ratio, spread=spread, l=place) for place in range(1, count + 1)]
        for name in ("tail", "error_part", "innovation_part")
    )
    found = {
        "squares": law("squares", tails=tails, cells=count),
        "cross": law("cross", error_parts=errors, cells=count),
        "pull": law("pull", innovation_parts=innovations, cells=count),
    }
    mse = law("exact", alpha=alpha, sigma=sigma, k=ratio, **found)
    return OverloadMoments(law("overload", tails=tails), mse=mse, **found)


@functools.cache
def moments(sigma: float, ratio: int, alpha: float = 1.0, cells: int | None = None) -> OverloadMoments:
    """Return the moments for a Gaussian innovation by the stated formulas; arguments as above."""
    return moments_of(Law(CLAIM, formulas_of(CLAIM), {}), sigma, ratio, alpha, cells)


def conditional_cell(z: Any, ratio: float, alpha: float = 1.0) -> tuple[Array, Array, Array]:
    """Return the coarse cell of each innovation, the side to which errors leave it, and their part."""
    v = alpha * np.asarray(z, dtype=float)
    cell = np.floor(v / ratio + 0.5)
    offset = v - ratio * cell
    return cell, np.sign(offset), np.maximum(0.0, np.abs(offset) - (ratio - 1) / 2)


def conditional_error(z: Any, ratio: float, alpha: float = 1.0) -> Array:
    """Return the mean square error over the dither for given innovations, of the shape of z."""
    cell, side, part = conditional_cell(z, ratio, alpha)
    bias = (1 - alpha**2) * np.asarray(z, dtype=float)
    stays, moves = bias + alpha * ratio * cell, bias + alpha * ratio * (cell + side)
    within = alpha**2 * (1 / 12 - ratio * part * (1 - part))
    return np.asarray(within + (1 - part) * stays**2 + part * moves**2)


def conditional_overload(z: Any, ratio: float, alpha: float = 1.0) -> Array:
    """Return the probability over the dither of another cell than 0, of the shape of z."""
    cell, side, part = conditional_cell(z, ratio, alpha)
    return np.asarray(np.where(cell == 0, part, np.where(cell + side == 0, 1 - part, 1.0)))


def gaussian(sigma: float) -> Callable[[Array], Array]:
    """Return the density of a Gaussian innovation."""
    return lambda z: np.exp(-((z / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))


def laplace(sigma: float) -> Callable[[Array], Array]:
    """Return the density of a Laplace innovation of standard deviation sigma."""
    width = sigma / math.sqrt(2)
    return lambda z: np.exp(-np.abs(z) / width) / (2 * width)


def uniform(width: float) -> Callable[[Array], Array]:
    """Return the density of an innovation that is uniform up to plus and minus `width`."""
    return lambda z: np.where(np.abs(z) <= width, 1 / (2 * width), 0.0)


def integrated(
    function: Callable[[Array], Array],
    density: Callable[[Array], Array],
    sigma: float,
    ratio: int,
    alpha: float = 1.0,
    end: float | None = None,
) -> float:
    """Return the mean of a symmetric function of the innovation, smooth between the kinks of the decoder.

    Args:
        function: `conditional_error` or `conditional_overload` at these ratio and gain.
        density: Symmetric density of the innovation.
        sigma: Scale of the density: it is negligible beyond 60 of them.
        ratio: k.
        alpha: Gain.
        end: Largest innovation, for a density that ends there.
    """
    end = 60 * sigma if end is None else end
    boundaries = (np.arange(1, math.ceil(alpha * end / ratio) + 2) - 0.5) * ratio
    kinks = np.concatenate([boundaries - 0.5, boundaries, boundaries + 0.5]) / alpha
    edges = np.unique(np.concatenate([np.linspace(0, end, 121), kinks[kinks < end]]))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = np.diff(edges)[:, None] / 2
    points = edges[:-1, None] + half * (nodes + 1)
    return 2 * float(math.fsum((function(points) * density(points) * weights * half).ravel()))
