"""One round of MARINA in expectation, from exact moments of the compressor: no sampling."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import JointCompressor
from impl.problems import Problem

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ExpectedRound:
    """Moments of a round from states (x, g), (K, d) each; all entries are (K,).

    Args:
        gap: f(x) - f*.
        gap_next: f(x+) - f*, x+ = x - gamma g.
        gradient_norm_sq: ||grad f(x)||^2.
        error: ||g - grad f(x)||^2.
        error_next: E||g+ - grad f(x+)||^2 over the coin and the compressor.
        length: ||x+ - x||^2.
    """

    gap: Array
    gap_next: Array
    gradient_norm_sq: Array
    error: Array
    error_next: Array
    length: Array

    def potentials(self, weight: float) -> tuple[Array, Array]:
        """Return the potential gap + weight * error before and after the round."""
        return self.gap + weight * self.error, self.gap_next + weight * self.error_next


def expected_round(
    problem: Problem,
    compressor: JointCompressor,
    x: Array,
    g: Array,
    *,
    step_size: float,
    probability: float,
    scale: float = 1.0,
) -> ExpectedRound:
    """Return the moments of one round from states x, g (K, d).

    Args:
        problem: Problem with a known solution.
        compressor: Joint compressor with an exact `variance`, whose estimate has the mean scale * mean(a).
        x: Iterates.
        g: Estimates of the gradient.
        step_size: gamma.
        probability: p.
        scale: 1 for unbiased compressors.
    """
    x_next = x - step_size * g
    old, new = problem.gradients(x), problem.gradients(x_next)
    difference = new - old
    bias = (scale - 1) * difference.mean(axis=-2)
    spread = compressor.variance(difference) - _square(bias)
    error = g - old.mean(axis=-2)
    least = problem.objective(problem.solution)
    return ExpectedRound(
        gap=problem.objective(x) - least,
        gap_next=problem.objective(x_next) - least,
        gradient_norm_sq=_square(old.mean(axis=-2)),
        error=_square(error),
        error_next=(1 - probability) * (_square(error + bias) + spread),
        length=_square(x_next - x),
    )


def visited(iterates: Array, step_size: float) -> tuple[Array, Array]:
    """Return the states (x, g) that runs with iterates (R, K + 1, d) went through, (R K, d) each."""
    g = (iterates[:, :-1] - iterates[:, 1:]) / step_size
    d = iterates.shape[-1]
    return iterates[:, :-1].reshape(-1, d), g.reshape(-1, d)


def _square(vectors: Array) -> Array:
    return np.asarray(np.einsum("...d,...d->...", vectors, vectors))
