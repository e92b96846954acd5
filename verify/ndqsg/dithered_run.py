"""A run of quantized gradient descent over workers, with keyed dither, every message recorded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from impl.compressors import Compressor, Draws, Key

Rule = Callable[[tuple[int, int], int, int], Key]


@dataclass(frozen=True)
class Trace:
    """Gradients and what the receiver made of them, (T, P, d), and the scales, (T, P, 1)."""

    gradients: Any
    decoded: Any
    scales: Any

    def errors(self, levels: int) -> Any:
        """Return the errors in steps, (T, P, d)."""
        return (self.decoded - self.gradients) * levels / self.scales


def usual_key(seed: tuple[int, int], worker: int, iteration: int) -> Key:
    """Return the key of a message."""
    return Key(seed=seed, worker=worker, iteration=iteration)


def dithered_run(
    codec: Compressor,
    rng: np.random.Generator,
    *,
    iterations: int = 200,
    workers: int = 4,
    d: int = 16,
    step: float = 0.5,
    rule: Rule = usual_key,
    start: float = 1.0,
) -> Trace:
    """Run x <- x - step * mean of the decoded gradients of f_p(x) = (x - b_p)^T A (x - b_p) / 2.

    The minimisers b_p differ, so that no gradient vanishes; both ends derive the dither from the key.

    Args:
        codec: Compressor with one block.
        rng: Generator of the problem, of the start and of the seed of the keys.
        iterations: T.
        workers: P.
        d: Dimension.
        step: Step size; A is diagonal with entries from 1/10 to 1.
        rule: Maps (seed, worker, iteration) to the key of a message.
        start: Standard deviation of the starting point.
    """
    seed = (int(rng.integers(2**63)), int(rng.integers(2**63)))
    curvature = np.linspace(0.1, 1.0, d)
    minimisers = rng.standard_normal((workers, d))
    x = start * rng.standard_normal(d)
    shape = (iterations, workers, d)
    gradients, decoded = np.empty(shape), np.empty(shape)
    for t in range(iterations):
        gradients[t] = curvature * (x - minimisers)
        dither = [codec.draw_keyed(rule(seed, p, t), (d,)).shared for p in range(workers)]
        decoded[t] = codec.compress(gradients[t], Draws(shared=np.stack(dither)))
        x = x - step * decoded[t].mean(axis=0)
    return Trace(gradients, decoded, np.abs(gradients).max(axis=-1, keepdims=True))


def unit(values: Any) -> Any:
    """Map real numbers to (0, 1) by a fixed function, for use as a covariate."""
    # The factor keeps round-off from reaching 0 or 1; a covariate need not be exact.
    return 0.5 + np.arctan(values) / np.pi * (1 - 1e-12)


def arms_of(errors: Any, covariates: Any) -> list[tuple[Any, Any]]:
    """Return arms for a test: the errors alone, with the previous error, and with a covariate.

    Args:
        errors: In units in which they should be uniform on (-1/2, 1/2], (T, P, d).
        covariates: Of the same shape, any real numbers, such as gradients.
    """
    return [
        (errors, None),
        (errors[1:], unit(errors[:-1])),
        (errors, unit(covariates)),
    ]
