"""Fully connected networks; with two widths, multinomial logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from impl.errors import Problems
from impl.networks.contract import Array, Network, is_size


class FullyConnected(Network):
    """Layers with rectified units between them.

    Args:
        widths: Entries of the input, units of the hidden layers, classes: (64, 10) is multinomial logistic
            regression, (64, 64, 32, 10) has 6570 parameters.

    Raises:
        ArgumentError: Fewer than two widths, or one that is no positive whole number.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        problems = Problems("FullyConnected")
        problems.require(
            isinstance(widths, Sequence) and len(widths) >= 2 and all(map(is_size, widths)),
            f"widths={widths!r} must be two or more positive whole numbers, such as (64, 10)",
        )
        problems.raise_if_any()
        self.widths = tuple(int(w) for w in widths)
        self.features, self.classes = self.widths[0], self.widths[-1]
        self.shapes = tuple(shape for a, b in pairwise(self.widths) for shape in ((a, b), (b,)))

    def __repr__(self) -> str:
        return f"FullyConnected({self.widths})"

    def _forward(self, parameters: Sequence[Array], rows: Array) -> tuple[Array, Any]:
        return forward(parameters, rows)

    def _backward(self, parameters: Sequence[Array], kept: Any, slope: Array) -> list[Array]:
        return backward(parameters, kept, slope, to_input=False)[0]


def forward(parameters: Sequence[Array], rows: Array) -> tuple[Array, list[Array]]:
    """Return the output (R, N, q) of the layers for rows (R, N, p), and the input of each layer."""
    inputs = []
    for layer in range(0, len(parameters), 2):
        if layer:
            rows = np.maximum(rows, 0)
        inputs.append(rows)
        rows = rows @ parameters[layer] + parameters[layer + 1][:, None, :]
    return rows, inputs


def backward(
    parameters: Sequence[Array], inputs: list[Array], slope: Array, *, to_input: bool = True
) -> tuple[list[Array], Array]:
    """Return gradients per worker and the derivative by the input of the first layer.

    Args:
        parameters: One array (R, *shape) per tensor.
        inputs: As `forward` gave them.
        slope: Derivative by the output, (R, P, B, q).
        to_input: Whether the derivative by the input is wanted: it costs as much as a gradient.

    Returns:
        Gradients (R, P, *shape), and the derivative by the input, (R, P, B, p), or else by the output of the
        first layer before its nonlinearity.
    """
    R, P, B, _ = slope.shape
    gradients: list[Array] = []
    for layer in range(len(inputs) - 1, -1, -1):
        rows = inputs[layer].reshape(R, P, B, -1)
        gradients[:0] = [np.swapaxes(rows, -1, -2) @ slope, slope.sum(axis=-2)]
        if not (layer or to_input):
            break
        flat = slope.reshape(R, P * B, -1)
        flat = flat @ np.swapaxes(parameters[2 * layer], -1, -2)
        if layer:
            flat *= inputs[layer] > 0
        slope = flat.reshape(R, P, B, -1)
    return gradients, slope
