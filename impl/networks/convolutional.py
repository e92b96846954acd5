"""Convolutional networks: two convolutions with pooling, then two fully connected layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from impl.errors import Problems
from impl.networks import fully_connected
from impl.networks.contract import Array, Network, is_size

_CONVOLUTIONS = 2


class Convolutional(Network):
    """Square images; two convolutions, each followed by 2 x 2 maxima and rectified; two layers of units.

    Weights of a convolution are (w^2 c, c'): window row by row, the channels of a pixel together. Where
    entries of a maximum are equal the first one takes the derivative.

    LeNet of LeCun, Bottou, Bengio, Haffner (Proceedings of the IEEE 86, 1998) in the sizes of Caffe's example
    for MNIST, with rectified convolutions, is `Convolutional((20, 50), 500, 10, side=28, window=5,
    padded=False)`: 431 080 parameters.

    Args:
        channels: Channels of both convolutions.
        hidden: Units of the fully connected layer.
        classes: Number of classes. The default has 6058 parameters.
        side: s, pixels of a side of an image.
        window: w, of a side of a window; odd where images are padded.
        padded: Whether zeros around an image keep its size; without them s becomes s - w + 1.

    Raises:
        ArgumentError: A size that is no positive whole number, or pixels that 2 x 2 maxima leave over.
    """

    def __init__(
        self,
        channels: tuple[int, int] = (8, 16),
        hidden: int = 64,
        classes: int = 10,
        *,
        side: int = 8,
        window: int = 3,
        padded: bool = True,
    ) -> None:
        problems = Problems("Convolutional")
        two = isinstance(channels, Sequence) and len(channels) == _CONVOLUTIONS
        problems.require(
            two and all(map(is_size, (*channels, hidden, classes))),
            f"channels={channels!r}, hidden={hidden!r} and classes={classes!r} must be two, one and one "
            "positive whole numbers",
        )
        sides = _sides(side, window, padded) if is_size(side) and is_size(window) else ()
        problems.require(
            len(sides) == _CONVOLUTIONS and (not padded or window % 2 == 1),
            f"side={side!r} and window={window!r} must be positive whole numbers such that both convolutions "
            "have an even number of pixels in each row, and the window an odd one where images are padded; "
            "side=28, window=5 and padded=False do",
        )
        problems.raise_if_any()
        self.channels, self.hidden = (int(channels[0]), int(channels[1])), int(hidden)
        self.side, self.window, self.padded = int(side), int(window), bool(padded)
        self.features, self.classes = self.side**2, int(classes)
        a, b = self.channels
        flat = b * (sides[-1] // 2) ** 2
        self.shapes = (
            (self.window**2, a),
            (a,),
            (self.window**2 * a, b),
            (b,),
            (flat, self.hidden),
            (self.hidden,),
            (self.hidden, self.classes),
            (self.classes,),
        )

    def __repr__(self) -> str:
        sizes = f"side={self.side}, window={self.window}, padded={self.padded}"
        return f"Convolutional({self.channels}, {self.hidden}, {self.classes}, {sizes})"

    @property
    def _margin(self) -> int:
        return self.window // 2 if self.padded else 0

    def _forward(self, parameters: Sequence[Array], rows: Array) -> tuple[Array, Any]:
        R, N, _ = rows.shape
        image, kept = rows.reshape(R, N, self.side, self.side, 1), []
        for layer, side in enumerate(_sides(self.side, self.window, self.padded)):
            windows = _windows(image, self.window, self._margin)
            raw = windows @ parameters[2 * layer] + parameters[2 * layer + 1][:, None, :]
            largest, chosen = _largest(raw.reshape(R, N, side, side, -1))
            image = np.maximum(largest, 0)
            kept.append((windows, image > 0, chosen))
        scores, inputs = fully_connected.forward(parameters[4:], image.reshape(R, N, -1))
        return scores, (kept, inputs)

    def _backward(self, parameters: Sequence[Array], kept: Any, slope: Array) -> list[Array]:
        R, P, B, _ = slope.shape
        convolutions, inputs = kept
        gradients, slope = fully_connected.backward(parameters[4:], inputs, slope)
        for layer in range(_CONVOLUTIONS - 1, -1, -1):
            windows, positive, chosen = convolutions[layer]
            spread = _spread(slope.reshape(positive.shape) * positive, chosen)
            side = spread.shape[2]
            by_worker = spread.reshape(R, P, B * side**2, -1)
            parts = windows.reshape(R, P, B * side**2, -1)
            gradients[:0] = [np.swapaxes(parts, -1, -2) @ by_worker, by_worker.sum(axis=-2)]
            if layer:
                flat = spread.reshape(R, P * B * side**2, -1) @ np.swapaxes(parameters[2 * layer], -1, -2)
                shape = (R, P * B, side, side, self.window, self.window, -1)
                slope = _folded(flat.reshape(shape), self._margin)
        return gradients


def _sides(side: int, window: int, padded: bool) -> tuple[int, ...]:
    """Return the sides of what both convolutions give, as far as they are positive and even."""
    found = []
    for _ in range(_CONVOLUTIONS):
        side = side if padded else side - window + 1
        if side < 1 or side % 2:
            break
        found.append(side)
        side //= 2
    return tuple(found)


def _windows(image: Array, window: int, margin: int) -> Array:
    """Return all windows of images (R, N, s, s, c), (R, N * s' * s', w^2 c), with a margin of zeros."""
    R, N, _, _, channels = image.shape
    around = (margin, margin)
    padded = np.pad(image, ((0, 0), (0, 0), around, around, (0, 0))) if margin else image
    views = np.lib.stride_tricks.sliding_window_view(padded, (window, window), axis=(2, 3))
    # (R, N, s', s', c, w, w): pixels of a row of a window, channels together, lie one after the other.
    side = views.shape[2]
    return np.moveaxis(views, 4, 6).reshape(R, N * side**2, window**2 * channels)


def _folded(windows: Array, margin: int) -> Array:
    """Return sums over the windows that a pixel is in, (R, N, s, s, c): the transpose of `_windows`."""
    R, N, side, _, window, _, channels = windows.shape
    whole = side + window - 1
    padded = np.zeros((R, N, whole, whole, channels), dtype=windows.dtype)
    for i in range(window):
        for j in range(window):
            padded[:, :, i : i + side, j : j + side] += windows[..., i, j, :]
    inside = slice(margin, whole - margin)
    return padded[:, :, inside, inside]


def _largest(image: Array) -> tuple[Array, Array]:
    """Return the largest of each 2 x 2 pixels, (R, N, s/2, s/2, c), and which of the four it is."""
    best = image[:, :, ::2, ::2]
    chosen = np.zeros(best.shape, dtype=np.uint8)
    for place, (i, j) in enumerate(((0, 1), (1, 0), (1, 1)), start=1):
        other = image[:, :, i::2, j::2]
        np.copyto(chosen, place, where=other > best)
        best = np.maximum(best, other)
    return best, chosen


def _spread(slope: Array, chosen: Array) -> Array:
    """Return derivatives by the pixels, (R, N, s, s, c), of those by the maxima."""
    R, N, half, _, channels = slope.shape
    out = np.empty((R, N, 2 * half, 2 * half, channels), dtype=slope.dtype)
    for place, (i, j) in enumerate((i, j) for i in (0, 1) for j in (0, 1)):
        np.multiply(slope, chosen == place, out=out[:, :, i::2, j::2])
    return out
