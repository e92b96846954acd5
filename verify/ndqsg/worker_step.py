"""One step of SGD with quantized gradients in one dimension: exact, over all dithers, and sabotaged runs."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from impl.optimizers import QuantizedEstimator


def expected_square(
    codec: DitheredQuantizer, gradients: Sequence[Fraction], x: Fraction, step_size: Fraction, shared: bool
) -> Fraction:
    r"""Return $\mathbb E\big(x-\frac\eta P\sum_p\hat g_p\big)^2$ over all dithers of the grid, exactly.

    Args:
        codec: A codec with few points.
        gradients: One number for each of the P workers.
        x: Where the step starts.
        step_size: eta.
        shared: Whether all workers use one dither.
    """
    P = len(gradients)
    outcomes = [
        [(chance, Fraction(codec.reference([g], draws)[0])) for chance, draws in codec.outcomes([g])]
        for g in gradients
    ]
    if shared:
        total = Fraction(0)
        for together in zip(*outcomes, strict=True):
            mean = sum((decoded for _, decoded in together), Fraction(0)) / P
            total += together[0][0] * (x - step_size * mean) ** 2
        return total
    means = [sum((chance * decoded for chance, decoded in one), Fraction(0)) for one in outcomes]
    variances = [
        sum((chance * (decoded - mean) ** 2 for chance, decoded in one), Fraction(0))
        for one, mean in zip(outcomes, means, strict=True)
    ]
    centre = x - step_size * sum(means, Fraction(0)) / P
    return centre**2 + step_size**2 * sum(variances, Fraction(0)) / P**2


def on_a_fine_grid(square: Fraction, drift: Fraction, points: int) -> Fraction:
    """Return what an expected square would be with uniform dither: the error variance lacks 1 - N^-2.

    Args:
        square: Expected square with N points, where the errors have mean 0.
        drift: Its part without the errors.
        points: N.
    """
    return drift + (square - drift) / (1 - Fraction(1, points**2))


class SharedDither(QuantizedEstimator):
    """All workers use the dither of the first one."""

    def draws(self, group: range, shape: tuple[int, ...]) -> Any:
        drawn = super().draws(group, shape)
        one = np.broadcast_to(drawn.shared[:, :1], shape)
        return type(drawn)(shared=np.ascontiguousarray(one), private=drawn.private)


class Uncoded(QuantizedEstimator):
    """Vectors are decoded by `compress` of the codec, which sabotaged codecs replace; nothing is counted."""

    def transmit(self, group: range, x: Any, draws: Any, side: Any) -> tuple[Any, Any]:
        codec = self.compressors[group[0]]
        return codec.compress(x, draws) if side is None else codec.compress(x, draws, side), _NO_MESSAGE


class _NoMessage:
    bits = 0


_NO_MESSAGE = _NoMessage()


class FrozenScale(QuantizedEstimator):
    """The scale of each worker stays at its first value (one dimension); indices are then unbounded."""

    first: Any = None

    def transmit(self, group: range, x: Any, draws: Any, side: Any) -> tuple[Any, Any]:
        codec = self.compressors[group[0]]
        if self.first is None:
            self.first = np.abs(x)
        step = self.first / codec.levels
        index = np.floor(x / step + draws.shared + 0.5)
        return step * (index - draws.shared), _NO_MESSAGE
