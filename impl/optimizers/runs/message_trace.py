"""What the messages of a training lost, for each worker and iteration (arXiv 1904.01197)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Draws
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import ArgumentError
from impl.optimizers.sgd.quantized_estimator import Exchange

Array = npt.NDArray[Any]

# What is summed over the tensors of an iteration.
_ERROR, _GRADIENT, _STEPS, _COORDINATES, _NESTED, _OVERLOADS, _CLIPS = range(7)


class MessageTrace:
    r"""Record what became of every message; give one, fresh, as `observe` of `train_network`.

    With $\hat g$ decoded of the gradient g, M levels, the scale $\kappa$ of a block and
    $\delta=\kappa/M$, $D=\delta^2/12$ is the predicted squared error of each of its coordinates (claim
    `ndqsg/dqsg-variance`). The tensors of an iteration are added up, with their coordinates as weights;
    blocks of scale 0 lose nothing and do not count. Every array is float64 (R, T, P) with T the iterations
    seen, fewer than asked for where all replicates overflowed.

    Example:
        >>> trace = MessageTrace()
        >>> trace.iterations
        0
    """

    def __init__(self) -> None:
        self._parts: list[list[list[Array]]] = []  # by iteration and tensor: sums (7, R, P)

    def __call__(self, iteration: int, tensor: int, exchange: Exchange) -> None:
        """Add one exchange, of all replicates or of the next ones.

        Raises:
            ArgumentError: An iteration or tensor that was passed already: the trace is of another run.
        """
        at = (len(self._parts) - 1, len(self._parts[-1]) - 1) if self._parts else (-1, -1)
        if (iteration, tensor) not in (at, (at[0], at[1] + 1), (at[0] + 1, 0)) or min(iteration, tensor) < 0:
            raise ArgumentError(
                f"MessageTrace: iteration={iteration}, tensor={tensor} cannot follow {at}; give each run a "
                "fresh MessageTrace()"
            )
        if iteration == len(self._parts):
            self._parts.append([])
        if tensor == len(self._parts[-1]):
            self._parts[-1].append([])
        self._parts[-1][-1].append(_sums(exchange))

    @property
    def iterations(self) -> int:
        """Return T."""
        return len(self._parts)

    @property
    def relative_error(self) -> Array:
        r"""Return $\|\hat g-g\|^2/\|g\|^2$ over all tensors; NaN where the gradient is zero.

        `OneBit` sends what its earlier messages lost too; g is without that.
        """
        sums = self._sums()
        return _ratio(sums[_ERROR], sums[_GRADIENT])

    @property
    def error_over_predicted(self) -> Array:
        """Return the mean of (squared error) / D over coordinates; NaN where no message had a step.

        About 1 for dithered messages and for nested ones with alpha 1 and without overload. NaN for workers
        whose codec is no dithered quantizer.
        """
        sums = self._sums()
        return _ratio(12 * sums[_STEPS], sums[_COORDINATES])

    @property
    def overload_rate(self) -> Array:
        """Return the share of coordinates decoded to another index; NaN where no message was nested."""
        sums = self._sums()
        return _ratio(sums[_OVERLOADS], sums[_NESTED])

    @property
    def clips(self) -> Array:
        """Return how many indices had to be clipped to -M..M: 0 by theory, and for other codecs."""
        return np.asarray(self._sums()[_CLIPS])

    def _sums(self) -> Array:
        """Return sums over the tensors, (7, R, T, P)."""
        if not self._parts:
            return np.zeros((7, 0, 0, 0))
        rows = [sum(np.concatenate(parts, axis=1) for parts in tensors) for tensors in self._parts]
        return np.stack(rows, axis=2)


def _sums(exchange: Exchange) -> Array:
    """Return what one exchange adds, (7, R, P)."""
    gradients, decoded = exchange.gradients, exchange.decoded
    R, P, d = gradients.shape
    sums = np.zeros((7, R, P))
    sums[_ERROR] = _squared_length(decoded - gradients)
    sums[_GRADIENT] = _squared_length(gradients)
    for workers, message in exchange.messages:
        codec = exchange.compressors[workers.start]
        if not isinstance(codec, DitheredQuantizer):
            continue
        rows = slice(workers.start, workers.stop)
        steps = np.repeat(message.scales, codec.block_lengths(d), axis=-1) / codec.levels
        used = steps > 0
        with np.errstate(over="ignore"):  # an overload far away, in tiny steps
            error = np.divide(
                decoded[:, rows] - gradients[:, rows], steps, where=used, out=np.zeros(used.shape)
            )
            sums[_STEPS, :, rows] = _squared_length(error)
        count = used.sum(axis=-1)
        sums[_COORDINATES, :, rows] = count
        draws = Draws(shared=exchange.shared[:, rows])
        if codec.clips(gradients[:, rows], draws):
            for r, p in np.ndindex(used.shape[:-1]):  # they are counted for whole arrays
                own = Draws(shared=draws.shared[r, p])
                sums[_CLIPS, r, workers[p]] = codec.clips(gradients[r, workers[p]], own)
        if isinstance(codec, NestedDitheredQuantizer):
            wrong = codec.overloads(gradients[:, rows], draws, exchange.side[:, rows])
            sums[_NESTED, :, rows] = count
            sums[_OVERLOADS, :, rows] = (wrong & used).sum(axis=-1)
    return sums


def _squared_length(vectors: Array) -> Array:
    return np.asarray(np.einsum("...d,...d->...", vectors, vectors))


def _ratio(part: Array, whole: Array) -> Array:
    """Return quotients, NaN where the whole is 0."""
    return np.asarray(np.divide(part, whole, where=whole > 0, out=np.full(whole.shape, np.nan)))
