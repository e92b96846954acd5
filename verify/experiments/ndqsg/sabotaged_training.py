"""One sabotage each of training: codecs of a method, rebuilt on another base class, a network, an oracle."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws, NestedDitheredQuantizer
from impl.compressors.contract import Array, Message
from impl.networks import FullyConnected
from verify.experiments.ndqsg.training_methods import Method
from verify.ndqsg.fixtures.nested_overload_oracle import conditional_cell


def rebuilt(method: Method, kind: type[DitheredQuantizer] | None = None, blocks: int | None = None) -> Method:
    """Return a method with other codecs.

    Args:
        method: Dithered or nested, one block per tensor.
        kind: One of the classes below, put before the class of each codec; None for the honest ones.
        blocks: Block size.
    """
    given = method.codecs
    if given is None:
        raise ValueError(f"{method.label}: there are no codecs to be rebuilt")
    return replace(
        method,
        codecs=lambda size, workers: _rebuilt(given(size, workers), kind, blocks),
    )


def _rebuilt(codecs: Any, kind: type[DitheredQuantizer] | None, blocks: int | None) -> list[Any]:
    made: dict[Any, Any] = {}  # equal codecs stay one, so that they keep one state
    for codec in codecs:
        made.setdefault(codec, _one(codec, kind, blocks))
    return [made[codec] for codec in codecs]


def _one(codec: Any, kind: type[DitheredQuantizer] | None, blocks: int | None) -> Any:
    own: Any = type(codec)
    if isinstance(codec, NestedDitheredQuantizer):
        return _mixed(kind, own)(codec.levels, codec.ratio, blocks=blocks)
    return _mixed(kind, own)(codec.levels, blocks)


def _mixed(kind: Any, own: Any) -> Any:
    return own if kind is None else _class_of(kind, own)


@functools.cache
def _class_of(kind: Any, own: Any) -> Any:
    return type(kind.__name__, (kind, own), {})


class HalfWidth(DitheredQuantizer):
    """Half of the dither at both ends."""

    def message(self, x: Any, draws: Draws) -> Message:
        return super().message(x, replace(draws, shared=draws.shared / 2))

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return super().reconstruct(message, shared / 2, side)


class OneForAll(DitheredQuantizer):
    """One dither for all workers with this codec."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        one = super().draw(rng, (*shape[:-2], 1, shape[-1])[-len(shape) :], dtype).shared
        return Draws(shared=np.ascontiguousarray(np.broadcast_to(one, shape)))


class Frozen(DitheredQuantizer):
    """The dither of the first iteration, always."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        first: dict[tuple[int, ...], Draws] = self.__dict__.setdefault("first", {})
        if shape not in first:
            first[shape] = super().draw(rng, shape, dtype)
        return first[shape]


class NotSubtracted(DitheredQuantizer):
    """The receiver takes 0 for the dither."""

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return super().reconstruct(message, np.zeros_like(shared), side)


class SideOff(DitheredQuantizer):
    """The side information of the receiver is one fine step too high."""

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if side is not None:
            lengths = self.block_lengths(message.shape[-1])
            side = side + np.repeat(np.asarray(message.scales), lengths, axis=-1) / self.levels
        return super().reconstruct(message, shared, side)


class SmallerRatio(DitheredQuantizer):
    """The receiver of a nested message reduces by k - 1."""

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if not isinstance(self, NestedDitheredQuantizer):
            return super().reconstruct(message, shared, side)
        other = NestedDitheredQuantizer(self.levels, self.ratio - 1, blocks=self.blocks)
        return other.reconstruct(message, shared, side)


class NarrowScale(DitheredQuantizer):
    """The scale is 4/5 of the largest magnitude."""

    def _with_scales(self, x: Any) -> tuple[Array, Array]:
        x, scales = super()._with_scales(x)
        return x, 0.8 * scales


class OtherCosetElement(DitheredQuantizer):
    """The sender of a nested message sends other elements of the cosets: an equivalent message."""

    def message(self, x: Any, draws: Draws) -> Message:
        message = super().message(x, draws)
        if not isinstance(self, NestedDitheredQuantizer):
            return message
        shift = self.ratio * (np.arange(message.shape[-1]) % 5 - 2)
        return replace(message, symbols=message.symbols + shift)


class Unmasked(FullyConnected):
    """The slope passes rectified units whatever their sign."""

    def _backward(self, parameters: Sequence[Array], kept: Any, slope: Array) -> list[Array]:
        gradients: list[Array] = []
        for layer in range(len(kept) - 1, -1, -1):
            rows = kept[layer].reshape(*slope.shape[:3], -1)
            gradients[:0] = [np.swapaxes(rows, -1, -2) @ slope, slope.sum(axis=-2)]
            slope = slope @ np.swapaxes(parameters[2 * layer], -1, -2)[:, None]
        return gradients


def without_half_step(z: Any, ratio: int) -> Any:
    """The mean square error for given innovations, as if none next to the margin were decoded wrongly."""
    cell, side, _ = conditional_cell(z, ratio)
    part = np.maximum(0.0, np.abs(z - ratio * cell) - ratio / 2)
    jumps = (1 - part) * cell**2 + part * (cell + side) ** 2
    return 1 / 12 - ratio * part * (1 - part) + ratio**2 * jumps
