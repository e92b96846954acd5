"""Side information: means of what was decoded, never of anything else."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, MissingSideInfo, ScaleOverflow

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Received:
    """One decoded message.

    Args:
        estimate: Decoded gradient, float64 (d,).
        worker: Sender.
        tensor: Which tensor.
        iteration: Its counter.
        levels: M.
        ratio: k, 0 for a plain message.
        alpha: Gain of both ends.
        scales: kappa of the blocks, float64 (B,).
        symbols: What was sent, int64 (d,).
        unreliable: Coordinates where the side information was of no use (see `CosetDecoder`).
        bits: Length of the message, header and checksums included.
        payload_bits: Length of the coded symbols alone.
    """

    estimate: Array
    worker: int
    tensor: int
    iteration: int
    levels: int
    ratio: int
    alpha: float
    scales: Array = field(repr=False)
    symbols: Array = field(repr=False)
    unreliable: int
    bits: int
    payload_bits: int


@dataclass(frozen=True)
class SideInformation:
    """Mean of decoded messages of one tensor and iteration; `SideInformation.of` makes it."""

    tensor: int
    iteration: int
    workers: tuple[int, ...]
    _total: Array = field(repr=False)

    @classmethod
    def of(cls, received: Iterable[Received]) -> Self:
        """Return the plain mean of decoded messages, added in ascending order of their workers.

        Raises:
            MissingSideInfo: There is none.
            ArgumentError: Not decoded messages, or of different tensors, iterations or dimensions, or two of
                one worker.
        """
        items = list(received) if isinstance(received, Iterable) else [received]
        if not all(isinstance(item, Received) for item in items):
            raise ArgumentError(
                "SideInformation: it is made of decoded messages only; give results of receive"
            )
        if not items:
            raise MissingSideInfo("SideInformation: nothing is decoded yet")
        items.sort(key=lambda item: item.worker)
        head, workers = items[0], tuple(item.worker for item in items)
        places = {(item.tensor, item.iteration, len(item.estimate)) for item in items}
        if len(places) > 1 or len(set(workers)) < len(workers):
            raise ArgumentError(
                f"SideInformation: messages of workers {list(workers)} and (tensor, iteration, d) "
                f"{sorted(places)}; give one tensor and iteration, each worker once"
            )
        total = np.zeros(len(head.estimate))
        with np.errstate(over="ignore"):  # `mean` tells
            for item in items:
                total += item.estimate
        return cls(head.tensor, head.iteration, workers, total)

    def plus(self, received: Received) -> "SideInformation":
        """Return the mean with one message more, of a worker after all others."""
        if received.worker <= self.workers[-1]:
            raise ArgumentError(
                f"SideInformation: worker {received.worker} comes after {self.workers[-1]}; add them in order"
            )
        with np.errstate(over="ignore"):  # `mean` tells
            total = self._total + received.estimate
        return SideInformation(self.tensor, self.iteration, (*self.workers, received.worker), total)

    @property
    def mean(self) -> Array:
        """Return y, float64 (d,).

        Raises:
            ScaleOverflow: The sum exceeds the range of float64.
        """
        lost = np.isinf(self._total)
        if lost.any():
            raise ScaleOverflow(
                f"SideInformation: the sum of {len(self.workers)} messages exceeds the range of float64 at "
                f"coordinate {int(np.flatnonzero(lost)[0])}; scale the gradients down"
            )
        return np.asarray(self._total / len(self.workers))
