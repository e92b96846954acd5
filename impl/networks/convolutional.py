"""A small convolutional network: two convolutions with pooling, then two fully connected layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from impl.errors import Problems
from impl.networks import fully_connected
from impl.networks.contract import Array, Network, is_size

_SIDE, _WINDOW = 8, 3
_CONVOLUTIONS = 2


class Convolutional(Network):
    """Images of 8 x 8 pixels; 3 x 3 convolutions that keep the size, rectified, then 2 x 2 maxima.

    Weights of a convolution are (9 c, c'): window row by row, the channels of a pixel together. Where entries
    of a maximum are equal the first one takes the derivative.

    Args:
        channels: Channels of both convolutions.
        hidden: Units of the fully connected layer.
        classes: Number of classes. The default has 6058 parameters.

    Raises:
        ArgumentError: A size that is no positive whole number.
    """

    def __init__(self, channels: tuple[int, int] = (8, 16), hidden: int = 64, classes: int = 10) -> None:
        problems = Problems("Convolutional")
        two = isinstance(channels, Sequence) and len(channels) == _CONVOLUTIONS
        problems.require(
            two and all(map(is_size, (*channels, hidden, classes))),
            f"channels={channels!r}, hidden={hidden!r} and classes={classes!r} must be two, one and one "
            "positive whole numbers",
        )
        problems.raise_if_any()
        self.channels, self.hidden = (int(channels[0]), int(channels[1])), int(hidden)
        self.features, self.classes = _SIDE**2, int(classes)
        a, b = self.channels
        flat = b * (_SIDE // 4) ** 2
        self.shapes = (
            (_WINDOW**2, a),
            (a,),
            (_WINDOW**2 * a, b),
            (b,),
            (flat, self.hidden),
            (self.hidden,),
            (self.hidden, self.classes),
            (self.classes,),
        )

    def __repr__(self) -> str:
        return f"Convolutional({self.channels}, {self.hidden}, {self.classes})"

    def _forward(self, parameters: Sequence[Array], rows: Array) -> tuple[Array, Any]:
        R, N, _ = rows.shape
        image, side, kept = rows.reshape(R, N, _SIDE, _SIDE, 1), _SIDE, []
        for layer in range(_CONVOLUTIONS):
            windows = _windows(image)
            raw = windows @ parameters[2 * layer] + parameters[2 * layer + 1][:, None, :]
            image, chosen = _largest(np.maximum(raw, 0).reshape(R, N, side, side, -1))
            kept.append((windows, raw, chosen, side))
            side //= 2
        scores, inputs = fully_connected.forward(parameters[4:], image.reshape(R, N, -1))
        return scores, (kept, inputs)

    def _backward(self, parameters: Sequence[Array], kept: Any, slope: Array) -> list[Array]:
        R, P, B, _ = slope.shape
        convolutions, inputs = kept
        gradients, slope = fully_connected.backward(parameters[4:], inputs, slope)
        for layer in range(_CONVOLUTIONS - 1, -1, -1):
            windows, raw, chosen, side = convolutions[layer]
            spread = _spread(slope.reshape(R, P * B, side // 2, side // 2, -1), chosen)
            spread = spread.reshape(R, P * B * side**2, -1) * (raw > 0)
            by_worker = spread.reshape(R, P, B * side**2, -1)
            parts = windows.reshape(R, P, B * side**2, -1)
            gradients[:0] = [np.swapaxes(parts, -1, -2) @ by_worker, by_worker.sum(axis=-2)]
            if layer:
                flat = spread @ np.swapaxes(parameters[2 * layer], -1, -2)
                slope = _folded(flat.reshape(R, P * B, side, side, _WINDOW, _WINDOW, -1))
        return gradients


def _windows(image: Array) -> Array:
    """Return the 3 x 3 windows around all pixels, zeros outside, (R, N * s * s, 9 c), of (R, N, s, s, c)."""
    R, N, side, _, channels = image.shape
    padded = np.zeros((R, N, side + 2, side + 2, channels))
    padded[:, :, 1:-1, 1:-1] = image
    out = np.empty((R, N, side, side, _WINDOW, _WINDOW, channels))
    for i in range(_WINDOW):
        for j in range(_WINDOW):
            out[..., i, j, :] = padded[:, :, i : i + side, j : j + side]
    return out.reshape(R, N * side**2, -1)


def _folded(windows: Array) -> Array:
    """Return sums over the windows that a pixel is in, (R, N, s, s, c): the transpose of `_windows`."""
    R, N, side, _, _, _, channels = windows.shape
    padded = np.zeros((R, N, side + 2, side + 2, channels))
    for i in range(_WINDOW):
        for j in range(_WINDOW):
            padded[:, :, i : i + side, j : j + side] += windows[..., i, j, :]
    return padded[:, :, 1:-1, 1:-1]


def _largest(image: Array) -> tuple[Array, Array]:
    """Return the largest of each 2 x 2 pixels, (R, N, s/2, s/2, c), and which of the four it is."""
    four = np.stack([image[:, :, i::2, j::2] for i in (0, 1) for j in (0, 1)])
    chosen = four.argmax(axis=0)
    return np.take_along_axis(four, chosen[None], axis=0)[0], chosen


def _spread(slope: Array, chosen: Array) -> Array:
    """Return derivatives by the pixels, (R, N, s, s, c), of those by the maxima."""
    R, N, half, _, channels = slope.shape
    out = np.empty((R, N, 2 * half, 2 * half, channels))
    for place, (i, j) in enumerate((i, j) for i in (0, 1) for j in (0, 1)):
        out[:, :, i::2, j::2] = np.where(chosen == place, slope, 0.0)
    return out
