"""Both ends of a nested message in units of the fine step, honest and sabotaged.

The scale is fixed at 1 with one level, so that the step is 1 and no index is clipped. With dyadic inputs and
dithers every number is exact in double precision.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import NestedDitheredQuantizer
from impl.compressors.contract import Draws, Message

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Link:
    """An honest pair of sender and receiver.

    Args:
        ratio: k at both ends.
        alpha: Gain at both ends.
    """

    ratio: int = 3
    alpha: float = 1.0

    @property
    def codec(self) -> NestedDitheredQuantizer:
        """Return the quantizer with step 1."""
        return NestedDitheredQuantizer(1, self.ratio, self.alpha, scale=1.0)

    def sent(self, g: Array, u: Array) -> Message:
        """Return the message for a gradient (..., d) and dithers of the same shape."""
        return self.codec.message(g, Draws(shared=u))

    def received(self, message: Message, y: Array, u: Array) -> Array:
        """Return what the receiver makes of it, (..., d)."""
        return self.codec.reconstruct(message, u, y)

    def errors(self, g: Array, y: Array, u: Array) -> Array:
        """Return the errors of the decoded gradient in steps, (..., d)."""
        g, y, u = np.broadcast_arrays(np.asarray(g, dtype=float), y, u)
        return self.received(self.sent(g, u), np.asarray(y, dtype=float), u) - g


class WithoutDither(Link):
    """The receiver does not subtract the dither."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return super().received(message, y, np.zeros_like(u))


class DitherAdded(Link):
    """The receiver adds the dither."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return super().received(message, y, -u)


class NoSideInformation(Link):
    """The receiver takes 0 for its side information."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return super().received(message, np.zeros_like(y), u)


class OffByAStep(Link):
    """The side information of the receiver is one fine step too high."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return super().received(message, y + 1, u)


class ReceiverRatioFour(Link):
    """The receiver reduces by 4."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return Link(4, self.alpha).received(message, y, u)


class FloorQuantizer(Link):
    """The sender rounds down."""

    def sent(self, g: Array, u: Array) -> Message:
        return super().sent(g - 0.5 / self.alpha, u)


class RatioTwo(Link):
    """Both ends use the ratio 2."""

    @property
    def codec(self) -> NestedDitheredQuantizer:
        return NestedDitheredQuantizer(1, 2, self.alpha, scale=1.0)


class NoModulo(Link):
    """The receiver does not reduce."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return np.asarray(y + self.alpha * (message.symbols - u - self.alpha * y))


class GainAtSenderOnly(Link):
    """The sender multiplies by 9/10, the receiver by its own gain."""

    def sent(self, g: Array, u: Array) -> Message:
        return Link(self.ratio, 0.9).sent(g, u)


class UnitGainAtDecoder(Link):
    """The receiver adds the reduced innovation without the gain."""

    def received(self, message: Message, y: Array, u: Array) -> Array:
        return np.asarray(y + (super().received(message, y, u) - y) / self.alpha)


class OtherCosetElement(Link):
    """The sender sends other elements of the coset: an equivalent message."""

    def sent(self, g: Array, u: Array) -> Message:
        message = super().sent(g, u)
        return replace(message, symbols=message.symbols + self.ratio * (np.arange(message.shape[-1]) % 5 - 2))


SABOTAGED: Mapping[str, type[Link]] = {
    "dither-not-subtracted": WithoutDither,
    "dither-added": DitherAdded,
    "no-side-information": NoSideInformation,
    "receiver-ratio-four": ReceiverRatioFour,
    "side-information-off-by-a-step": OffByAStep,
    "floor-quantizer": FloorQuantizer,
    "ratio-two": RatioTwo,
    "no-modulo": NoModulo,
    "gain-at-sender-only": GainAtSenderOnly,
}


def grid(points: int) -> Array:
    """Return the dithers of a generator with this number of points, (points,)."""
    return (2 * np.arange(points) + 1 - points) / (2 * points)


def exact_mean(values: Array) -> Fraction:
    """Return the mean of numbers of double precision, exactly."""
    return sum(map(Fraction, values.tolist()), Fraction(0)) / len(values)
