r"""Exact second moments of runs on quadratics, in any number type: rational in, rational out.

One coordinate x of $x_t-x^*$ in an eigenbasis, curvature lam, P workers with $M$ levels.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, floor
from typing import Any


def affine_run(factor: Any, added: Any, start: Any, rounds: int) -> Iterator[Any]:
    """Yield y_0..y_rounds of y <- factor y + added."""
    value = start
    yield value
    for _ in range(rounds):
        value = factor * value + added
        yield value


def fixed_scale_variance(scale: Any, levels: int, workers: int, noise: Any = 0, shared: bool = False) -> Any:
    """Return the variance of the averaged messages at a fixed scale, per coordinate.

    Args:
        scale: kappa.
        levels: M.
        workers: P.
        noise: Variance of the gradient of a worker.
        shared: Whether all workers use the same dither, so that their errors coincide.
    """
    own = Fraction(1) if shared else Fraction(1, workers)
    return scale**2 * own / (12 * levels**2) + noise * Fraction(1, workers)


def fixed_scale_run(
    curvatures: Sequence[Any], starts: Sequence[Any], step_size: Any, variance: Any, rounds: int
) -> list[Any]:
    r"""Return $\mathbb E\|x_t-x^*\|^2$ for t = 0..rounds at a fixed scale."""
    runs = [
        affine_run((1 - step_size * lam) ** 2, step_size**2 * variance, start**2, rounds)
        for lam, start in zip(curvatures, starts, strict=True)
    ]
    return [sum(values) for values in zip(*runs, strict=True)]


def adaptive_factor(h: Any, levels: int, workers: int, dimension: int = 1, shared: bool = False) -> Any:
    r"""Return the factor of $\mathbb Ex^2$ in a step with the scale |g| of each gradient, h = eta lam.

    Args:
        h: eta times the curvature.
        levels: M.
        workers: P.
        dimension: d of a block with a single nonzero coordinate; its errors add up.
        shared: Whether all workers use the same dither.
    """
    own = Fraction(1) if shared else Fraction(1, workers)
    return (1 - h) ** 2 + h**2 * dimension * own / (12 * levels**2)


def adaptive_noise(step_size: Any, levels: int, workers: int, noise: Any) -> Any:
    """Return what a step adds to the second moment when gradients have this variance (d = 1)."""
    return step_size**2 * noise * Fraction(1, workers) * (1 + Fraction(1, 12 * levels**2))


def rounded_laws(
    lam: Fraction, start: Fraction, step_size: Fraction, step: Fraction, workers: int, rounds: int
) -> Iterator[dict[Fraction, float]]:
    r"""Yield the law of x_t for t = 0..rounds with stochastic rounding at the fixed step `step`.

    The iterates stay on the lattice start + (step_size * step / workers) Z, so that their law is a finite
    vector; its weights are float64, its points rational.
    """
    law: dict[Fraction, float] = {start: 1.0}
    width = step_size * step / workers
    yield law
    for _ in range(rounds):
        following: dict[Fraction, float] = defaultdict(float)
        for x, weight in law.items():
            level = lam * x / step
            low = floor(level)
            p = float(level - low)
            for ups in range(workers + 1):
                chance = comb(workers, ups) * p**ups * (1 - p) ** (workers - ups)
                if chance:
                    following[x - width * (workers * low + ups)] += weight * chance
        law = dict(sorted(following.items()))
        yield law


def moment(law: dict[Fraction, float], order: int) -> float:
    """Return a moment of a finite law."""
    return sum(weight * float(x) ** order for x, weight in law.items())
