"""Losses and gradients row by row, by formulas of their own."""

import math

import numpy as np
import pytest
from scipy import signal


class LiteralNetwork:
    """One replicate, one row after the other; parameters without a replicate axis.

    Sizes are the side of an image and of a window, and whether images are padded; None without convolutions.
    """

    def __init__(self, sizes):
        self.convolutions = sizes is not None
        if sizes is not None:
            self.side, self.window, self.padded = sizes

    def loss_and_gradients(self, parameters, rows, labels):
        """Return the mean loss of rows (B, p) and its gradients."""
        total, gradients = 0.0, [np.zeros(tensor.shape) for tensor in parameters]
        for row, label in zip(rows, labels, strict=True):
            loss, own = self._row(parameters, row, int(label))
            total += loss
            for gradient, part in zip(gradients, own, strict=True):
                gradient += part
        return total / len(rows), [gradient / len(rows) for gradient in gradients]

    def _row(self, parameters, row, label):
        layers, value = [], row
        if self.convolutions:
            value = row.reshape(self.side, self.side, 1)
            for n in range(2):
                value, kept = self._pooled(value, *parameters[2 * n : 2 * n + 2])
                layers.append(kept)
            image, value = value, value.reshape(-1)
        first = 4 if self.convolutions else 0
        units = [value]
        for n in range(first, len(parameters), 2):
            weights, biases = parameters[n : n + 2]
            out = [
                math.fsum(units[-1][i] * weights[i, j] for i in range(len(weights))) + biases[j]
                for j in range(len(biases))
            ]
            last = n + 2 == len(parameters)
            units.append(np.array(out if last else [max(item, 0.0) for item in out]))
        scores = units.pop()
        powers = np.exp(scores - scores.max())
        loss = math.log(powers.sum()) + scores.max() - scores[label]
        slope = powers / powers.sum() - (np.arange(len(scores)) == label)
        gradients = []
        for n in range(len(parameters) - 2, first - 2, -2):
            below = units.pop()
            gradients = [np.outer(below, slope), slope, *gradients]
            slope = parameters[n] @ slope
            if n > first:
                slope = slope * (below > 0)
        if self.convolutions:
            slope = slope.reshape(image.shape)
            for n in (1, 0):
                slope, own = self._pooled_back(slope, parameters[2 * n], layers[n])
                gradients = [*own, *gradients]
        return loss, gradients

    def _kernels(self, weights, channels):
        """Return (w, w, c, c')."""
        return weights.reshape(self.window, self.window, channels, -1)

    def _pooled(self, image, weights, biases):
        channels, mode = image.shape[-1], "same" if self.padded else "valid"
        kernels = self._kernels(weights, channels)
        raw = np.stack(
            [
                sum(signal.correlate2d(image[..., c], kernels[..., c, o], mode=mode) for c in range(channels))
                + biases[o]
                for o in range(len(biases))
            ],
            axis=-1,
        )
        side = len(raw) // 2
        pooled, where = np.zeros((side, side, len(biases))), {}
        for y, x, o in np.ndindex(*pooled.shape):
            best = None
            for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
                value = max(raw[2 * y + i, 2 * x + j, o], 0.0)
                if best is None or value > best:  # the first of equal ones
                    best, where[y, x, o] = value, (2 * y + i, 2 * x + j)
            pooled[y, x, o] = best
        return pooled, (image, raw, where)

    def _pooled_back(self, slope, weights, kept):
        image, raw, where = kept
        channels = image.shape[-1]
        delta = np.zeros(raw.shape)
        for place, (y, x) in where.items():
            if raw[y, x, place[2]] > 0:
                delta[y, x, place[2]] = slope[place]
        kernels = self._kernels(weights, channels)
        margin = (self.window // 2,) * 2 if self.padded else (0, 0)
        padded, mode = np.pad(image, (margin, margin, (0, 0))), "same" if self.padded else "full"
        by_weights = np.zeros(kernels.shape)
        back = np.zeros(image.shape)
        for c, o in np.ndindex(*kernels.shape[2:]):
            by_weights[..., c, o] = signal.correlate2d(padded[..., c], delta[..., o], mode="valid")
            back[..., c] += signal.convolve2d(delta[..., o], kernels[..., c, o], mode=mode)
        return back, [by_weights.reshape(weights.shape), delta.sum(axis=(0, 1))]


@pytest.fixture
def literal():
    """Return a function: the literal form of a network."""
    return lambda network: LiteralNetwork(
        (network.side, network.window, network.padded) if hasattr(network, "channels") else None
    )
