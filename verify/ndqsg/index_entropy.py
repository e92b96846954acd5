r"""Entropies of the indices of a dithered quantizer for a given law of x, by quadrature to some 1e-14.

$x$ is in units of the step, $F$ its distribution function, $f(t)=F(t+\frac12)-F(t-\frac12)$ the density of
$x+e$: given the dither u the index i has the probability $f(i-u)$.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any

_SPACING = 1 / 16
_OTHER_SPACING = 1 / 19


@dataclass(frozen=True)
class Law:
    """A symmetric law, smooth but for multiples of 1/2, of `reach` to either side up to 1e-18 of its mass."""

    distribution: Callable[[Array], Array]
    reach: float

    def density(self, t: Array) -> Array:
        """Return f, as probabilities of cells of width one around t; from the left tail, where F is exact."""
        left = -np.abs(t)
        return self.distribution(left + 0.5) - self.distribution(left - 0.5)


def normal(deviation: float) -> Law:
    """Return the centred normal law."""
    from scipy.special import ndtr

    return Law(lambda t: ndtr(t / deviation), 9.0 * deviation)


def laplace(scale: float) -> Law:
    """Return the centred Laplace law."""

    def distribution(t: Array) -> Array:
        tail = np.exp(-np.abs(t) / scale) / 2
        return np.where(t < 0, tail, 1 - tail)

    return Law(distribution, 42.0 * scale)


def sparse(zeros: float) -> Law:
    """Return the law that is 0 with this probability, else N(0, 1)."""
    inner = normal(1.0)
    return Law(lambda t: zeros * (t >= 0) + (1 - zeros) * inner.distribution(t), inner.reach)


def uniform(bound: float) -> Law:
    """Return the uniform law on [-bound, bound], bound a multiple of 1/2."""
    return Law(lambda t: np.clip((t + bound) / (2 * bound), 0.0, 1.0), bound)


LAWS: dict[str, Callable[[], Law]] = {
    "gauss-1": lambda: normal(1.0),
    "gauss-1/2": lambda: normal(0.5),
    "laplace-1/2": lambda: laplace(0.5),
    "sparse": lambda: sparse(0.9),
    "uniform-1": lambda: uniform(1.0),
    "uniform-3": lambda: uniform(3.0),
}
"""Laws of the table of `ndqsg/entropy-index`."""


def conditional_entropy(law: Law) -> float:
    r"""Return $H(q\mid u)=-\int f\log_2f$, in bits."""
    values, weights = _cells(law)
    return float(np.sum(weights * _information(values)))


def conditional_by_dither(law: Law) -> float:
    r"""Return $\int\sum_i-p_i(u)\log_2p_i(u)\,du$ with $p_i(u)=F(i+\frac12-u)-F(i-\frac12-u)$, in bits."""
    nodes, weights = _double_exponential(_OTHER_SPACING)
    last = math.ceil(law.reach + 1)
    total = 0.0
    for low in (-0.5, 0.0):
        u = low + 0.25 * (1 + nodes)
        i = np.arange(-last, last + 1)[:, None]
        cells = law.density(i - u)
        total += 0.25 * float(np.sum(weights * _information(cells)))
    return total


def index_probabilities(law: Law) -> Array:
    """Return P(q = i), i from minus to plus the largest index."""
    values, weights = _cells(law)
    halves = (weights * values).sum(axis=-1)
    return halves[0::2] + halves[1::2]


def index_entropy(law: Law) -> float:
    """Return H(q), in bits."""
    return entropy(index_probabilities(law))


def rounded_entropy(law: Law) -> float:
    """Return the entropy of x rounded without dither, in bits."""
    last = math.ceil(law.reach + 1)
    return entropy(law.density(np.arange(-last, last + 1)))


def coset_entropy(law: Law, ratio: int) -> float:
    """Return the entropy of the index modulo `ratio`, in bits."""
    probabilities = index_probabilities(law)
    last = len(probabilities) // 2
    classes = np.arange(-last, last + 1) % ratio
    return entropy(np.bincount(classes, weights=probabilities))


def entropy(probabilities: Array) -> float:
    """Return the entropy of a discrete law, in bits."""
    return float(np.sum(_information(np.asarray(probabilities))))


def information_variance(law: Law, *, given_dither: bool) -> float:
    """Return the variance of -log2 p(q | u), or of -log2 P(q)."""
    if given_dither:
        values, weights = _cells(law)
    else:
        values, weights = index_probabilities(law), 1.0
    logs = np.log2(np.where(values > 0, values, 1.0))
    mean = float(np.sum(weights * values * logs))
    return float(np.sum(weights * values * logs**2)) - mean**2


def _information(p: Array) -> Array:
    """Return -p log2 p, 0 at 0."""
    return -p * np.log2(np.where(p > 0, p, 1.0))


def _cells(law: Law) -> tuple[Array, Array]:
    """Return f and weights of quadrature on [i - 1/2, i], [i, i + 1/2] for all indices i, (panels, nodes)."""
    nodes, weights = _double_exponential(_SPACING)
    last = math.ceil(law.reach + 1)
    low = np.arange(-2 * last - 1, 2 * last + 1)[:, None] / 2
    # Nodes crowd at the ends of a panel, where f may have a kink or vanish like t log t.
    return law.density(low + 0.25 * (1 + nodes)), 0.25 * weights


@functools.cache
def _double_exponential(spacing: float) -> tuple[Array, Array]:
    """Return nodes in (-1, 1) and weights of the tanh-sinh rule."""
    t = spacing * np.arange(-math.floor(3.1 / spacing), math.floor(3.1 / spacing) + 1)
    inner = np.pi / 2 * np.sinh(t)
    return np.tanh(inner), spacing * np.pi / 2 * np.cosh(t) / np.cosh(inner) ** 2
