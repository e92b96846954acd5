"""Side information: means of what was decoded, never of anything else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, MissingSideInfo, ScaleOverflow

Array = npt.NDArray[Any]

_TILE = 2**14


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
        items = _one_round(received)
        total = np.empty(len(items[0].estimate))
        for tile in _tiles(len(total)):
            _add(items, tile, total[tile])
        return cls(items[0].tensor, items[0].iteration, tuple(item.worker for item in items), total)

    @classmethod
    def mean_of(cls, received: Iterable[Received]) -> Array:
        """Return `of(received).mean` without the memory of the sum; it raises the same."""
        items = _one_round(received)
        mean = np.empty(len(items[0].estimate))
        for tile in _tiles(len(mean)):
            _add(items, tile, mean[tile])
            _divide(mean[tile], len(items), tile.start, mean[tile])
        return mean

    def plus(self, received: Received) -> "SideInformation":
        """Return the mean with one message more, of a worker after all others.

        Raises:
            ArgumentError: It is of a worker before, or of another tensor, iteration or dimension.
        """
        place, here = _place(received), (self.tensor, self.iteration, len(self._total))
        if place != here:
            raise ArgumentError(
                f"SideInformation: a message of (tensor, iteration, d) {place} is none of {here}; give one "
                "tensor and iteration"
            )
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
        mean = np.empty(len(self._total))
        for tile in _tiles(len(mean)):
            _divide(self._total[tile], len(self.workers), tile.start, mean[tile])
        return mean


def _one_round(received: Any) -> list[Received]:
    """Return decoded messages by their workers; raise unless they are of one tensor and iteration."""
    items = list(received) if isinstance(received, Iterable) else [received]
    if not all(isinstance(item, Received) for item in items):
        raise ArgumentError("SideInformation: it is made of decoded messages only; give results of receive")
    if not items:
        raise MissingSideInfo("SideInformation: nothing is decoded yet")
    items.sort(key=lambda item: item.worker)
    workers = [item.worker for item in items]
    places = set(map(_place, items))
    if len(places) > 1 or len(set(workers)) < len(workers):
        raise ArgumentError(
            f"SideInformation: messages of workers {workers} and (tensor, iteration, d) "
            f"{sorted(places)}; give one tensor and iteration, each worker once"
        )
    return items


def _place(received: Received) -> tuple[int, int, int]:
    return received.tensor, received.iteration, len(received.estimate)


def _add(items: list[Received], tile: slice, total: Array) -> None:
    """Write the sum of estimates, in the order of the workers."""
    np.add(items[0].estimate[tile], 0.0, out=total)  # no negative zeros
    with np.errstate(over="ignore"):  # `_divide` tells
        for item in items[1:]:
            total += item.estimate[tile]


def _divide(total: Array, workers: int, first: int, mean: Array) -> None:
    """Write a mean; the first coordinate is `first`."""
    lost = np.isinf(total)
    if lost.any():
        raise ScaleOverflow(
            f"SideInformation: the sum of {workers} messages exceeds the range of float64 at "
            f"coordinate {first + int(np.flatnonzero(lost)[0])}; scale the gradients down"
        )
    np.divide(total, workers, out=mean)


def _tiles(d: int) -> Iterator[slice]:
    """Yield parts of d coordinates that stay in the cache until they are done with."""
    for start in range(0, d, _TILE):
        yield slice(start, min(start + _TILE, d))
