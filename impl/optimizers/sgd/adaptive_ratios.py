"""Nested messages whose ratio follows from what the iteration before has shown (arXiv 1904.01197)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from impl.arguments import is_count
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import ArgumentError, Problems
from impl.optimizers.runs.batched_run import require_stream
from impl.optimizers.sgd.quantized_estimator import (
    Exchange,
    QuantizedEstimator,
    Side,
    is_nested,
    require_side,
)

Array = npt.NDArray[Any]
Choose = Callable[[float, int], int | None]


class AdaptiveRatios:
    """One tensor of P workers; a worker with a nested codec gets a ratio for each message.

    From the m decoded messages of the workers without nesting the server has their sample variance s^2, of
    which D, the mean of their error variances, is no noise of a gradient. The innovation has the variance
    max(0, s^2 - D) + s^2 / m (claim `ndqsg/side-information`); the estimate of one iteration serves in the
    next one. A worker sends a dithered message at the first iteration, after one in which its gradient was
    zero, and where the ratio saves no symbol, that is, from 2M + 1 on.

    Args:
        compressors: One codec with one block per worker; the ratio of a nested one is not used.
        rng: The random stream: draws in order of replicates, then of workers.
        choose: Maps the estimated deviation of the innovation, in fine steps of the worker's last message,
            and M to a ratio, or None for a dithered message.
        side: As of `quantized_sgd`.
        observe: Called with the exchange of each replicate, one by one.

    Raises:
        ArgumentError: Fewer than two workers without nesting, several blocks, a fixed scale, a gain below
            one; later, a ratio that is none.
        MissingSideInfo: A nested codec has no message to be decoded beside.
    """

    def __init__(
        self,
        compressors: Sequence[Any],
        rng: np.random.Generator,
        *,
        choose: Choose,
        side: Side = "parallel",
        observe: Callable[[Exchange], None] | None = None,
    ) -> None:
        self.compressors, self.rng, self.choose = tuple(compressors), rng, choose
        self.side, self.observe = side, observe
        self.first = [p for p, codec in enumerate(self.compressors) if not is_nested(codec)]
        problems = Problems("AdaptiveRatios")
        require_adaptive(problems, self.compressors, choose)
        problems.require(side in get_args(Side), f"side={side!r} must be 'parallel' or 'sequential'")
        require_stream(problems, rng)
        problems.raise_if_any()
        require_side(self.compressors, side, "AdaptiveRatios")
        self._steps: Array | None = None  # of the iteration before, (R, P)
        self._deviation: Array | None = None  # (R,)

    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        """Return decoded vectors (R, P, d) and bits (R, P), of gradients (R, P, d), finite."""
        decoded, bits = np.empty(gradients.shape), np.empty(gradients.shape[:-1])
        steps = np.empty(gradients.shape[:-1])
        for r, given in enumerate(gradients):
            seen: list[Exchange] = []
            estimator = QuantizedEstimator(self.codecs(r), self.rng, side=self.side, observe=seen.append)
            found, sent = estimator.exchange(given[None])
            decoded[r], bits[r] = found[0], sent[0]
            for workers, message in seen[0].messages:
                steps[r, workers.start : workers.stop] = message.scales[0, :, 0]
            if self.observe:
                self.observe(seen[0])
        self._steps = steps / np.array([codec.levels for codec in self.compressors])
        self._deviation = _estimated(decoded[:, self.first], self._steps[:, self.first])
        return decoded, bits

    def codecs(self, r: int) -> list[Any]:
        """Return the codecs of the next iteration of replicate r."""
        return [
            self._chosen(r, p, codec) if isinstance(codec, NestedDitheredQuantizer) else codec
            for p, codec in enumerate(self.compressors)
        ]

    def _chosen(self, r: int, p: int, codec: NestedDitheredQuantizer) -> Any:
        M, ratio = codec.levels, None
        if self._steps is not None and self._deviation is not None and self._steps[r, p] > 0:
            deviation = float(self._deviation[r]) / float(self._steps[r, p])  # infinite where it overflows
            ratio = self.choose(deviation, M)
            if ratio is not None and not (is_count(ratio) and ratio >= 2):
                raise ArgumentError(
                    f"AdaptiveRatios: choose({deviation}, {M}) gave {ratio!r}; it must give a whole "
                    "number of at least 2, or None"
                )
        if ratio is None or ratio >= 2 * M + 1:
            return DitheredQuantizer(M, norm_bits=codec.norm_bits, points=codec.points)
        return NestedDitheredQuantizer(
            M, ratio, norm_bits=codec.norm_bits, range_aware=codec.range_aware, points=codec.points
        )


def require_adaptive(problems: Problems, codecs: Sequence[Any], choose: object) -> None:
    """Remember codecs whose ratios cannot be chosen, and a rule that is none."""
    plain = sum(not is_nested(codec) for codec in codecs)
    problems.require(
        plain >= 2, f"compressors holds {plain} codecs without nesting; their sample variance needs two"
    )
    for p, codec in enumerate(codecs):
        problems.require(
            isinstance(codec, DitheredQuantizer) and codec.blocks is None and codec.scale is None,
            f"compressors[{p}]={codec!r} must be a dithered quantizer with one block and no fixed scale",
        )
        problems.require(getattr(codec, "alpha", 1) == 1, f"compressors[{p}]={codec!r} must have alpha=1")
    problems.require(callable(choose), f"choose={choose!r} must map a deviation and M to a ratio or None")


def _estimated(decoded: Array, steps: Array) -> Array:
    """Return the deviation of an innovation, (R,), from messages (R, m, d) and steps (R, m)."""
    fine = (steps**2).mean(axis=-1) / 12
    sample = decoded.var(axis=1, ddof=1).mean(axis=-1)
    return np.asarray(np.sqrt(np.maximum(0.0, sample - fine) + sample / decoded.shape[1]))
