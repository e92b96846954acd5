"""What dithered and nested messages of a training run did: errors, overloads, clips, and bits after coding.

Errors are in fine steps of their own message; D is 1/12 of its square. Messages of scale 0 count as no
coordinates: nothing is lost there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.optimizers import Exchange
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_error, conditional_overload

Array = npt.NDArray[Any]

ROUND_OFF = 1e-9
"""Steps by which float64 may move an error: differences of numbers below 1e6 steps have 1e-10 of them."""


@dataclass(frozen=True)
class Messages:
    """Messages of some workers with equal codecs, one tensor, one iteration.

    Attributes:
        codec: The codec.
        errors: (decoded - g) / delta, (R, m, d); NaN where the scale is 0.
        innovations: z = (g - y) / delta, of that shape; None without side information.
        symbols: What was sent, (R, m, d).
        phases: M g / kappa, the input in fine steps, of that shape.
    """

    codec: Any
    errors: Array
    innovations: Array | None
    symbols: Array
    phases: Array

    @property
    def fine_errors(self) -> Array:
        """Return the errors without what overloads add, (R, m, d): multiples of k are taken off."""
        return np.asarray(self.errors - self.jumps)

    @property
    def jumps(self) -> Array:
        """Return by how many steps the decoded index is off, (R, m, d); multiples of k, 0 without nesting."""
        if self.innovations is None:
            return np.zeros_like(self.errors)
        k = self.codec.ratio
        return np.asarray(k * np.round(self.errors / k))


def messages_of(exchange: Exchange) -> Iterator[Messages]:
    """Yield what dithered quantizers sent; messages of other codecs are left out."""
    for workers, message in exchange.messages:
        codec = exchange.compressors[workers.start]
        if not isinstance(codec, DitheredQuantizer):
            continue
        rows = slice(workers.start, workers.stop)
        given, decoded = exchange.gradients[:, rows], exchange.decoded[:, rows]
        lengths = codec.block_lengths(given.shape[-1])
        kappa = np.repeat(message.scales, lengths, axis=-1)
        step = np.where(kappa > 0, kappa, np.nan) / codec.levels
        nested = isinstance(codec, NestedDitheredQuantizer)
        z = (given - exchange.side[:, rows]) / step if nested else None
        yield Messages(codec, (decoded - given) / step, z, message.symbols, given / step)


@dataclass
class Tally:
    """Sums over coordinates, (R,)."""

    coordinates: Any = 0.0
    squares: Any = 0.0
    predicted: Any = 0.0
    innovations: Any = 0.0
    overloads: Any = 0.0
    predicted_overloads: Any = 0.0

    def add(self, found: Messages) -> None:
        """Add messages."""
        self.coordinates = self.coordinates + _total(np.isfinite(found.errors))
        self.squares = self.squares + _total(found.errors**2)
        if found.innovations is None:
            self.predicted = self.predicted + _total(np.isfinite(found.errors)) / 12
            return
        k, z = found.codec.ratio, found.innovations
        self.innovations = self.innovations + _total(z**2)
        self.overloads = self.overloads + _total(found.jumps != 0)
        self.predicted = self.predicted + _total(conditional_error(z, k))
        self.predicted_overloads = self.predicted_overloads + _total(conditional_overload(z, k))

    @property
    def ratio(self) -> Array:
        """Return the mean square error over D, (R,)."""
        return np.asarray(12 * self.squares / self.coordinates)

    @property
    def predicted_ratio(self) -> Array:
        """Return its exact expectation given the innovations, (R,)."""
        return np.asarray(12 * self.predicted / self.coordinates)

    @property
    def overload_rate(self) -> Array:
        """Return the share of coordinates that were decoded to another index, (R,)."""
        return np.asarray(self.overloads / self.coordinates)

    @property
    def deviation(self) -> Array:
        """Return the root mean square of the innovation in fine steps, (R,)."""
        return np.asarray(np.sqrt(self.innovations / self.coordinates))


@dataclass
class Record:
    """Tallies of a run, to be given to `Setting.run` as `observe`.

    Attributes:
        first: Messages without nesting.
        second: Nested messages.
        tensors: Nested messages by tensor.
        clips: Indices beyond M, over all messages; 0 by theory.
        nested_messages: How many messages were nested.
        dithered_messages: How many were not.
    """

    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    tensors: dict[int, Tally] = field(default_factory=dict)
    clips: int = 0
    nested_messages: int = 0
    dithered_messages: int = 0

    def __call__(self, iteration: int, tensor: int, exchange: Exchange) -> None:
        """Add one exchange."""
        for found in messages_of(exchange):
            count = int(np.prod(found.errors.shape[:-1]))
            if found.innovations is None:
                self.first.add(found)
                self.dithered_messages += count
            else:
                self.second.add(found)
                self.tensors.setdefault(tensor, Tally()).add(found)
                self.nested_messages += count
            # An index of M that was clipped leaves an error of more than half a step.
            self.clips += int((np.abs(found.fine_errors) > 0.5 + ROUND_OFF).sum())


def _total(values: Array) -> Array:
    """Return sums over all but the first axis; NaN counts as 0."""
    return np.asarray(np.nansum(np.asarray(values, dtype=float), axis=(1, 2)))
