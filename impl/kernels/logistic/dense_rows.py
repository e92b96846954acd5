"""Logistic losses of dense rows; stands for `impl.problems.logistic.Logistic` at one point."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_of_sums, kernel_part, kernel_with_memory
from impl.kernels.logistic.loss_weights import PIECE, losses_and_weights

Array = npt.NDArray[Any]


@kernel_with_memory
def evaluate_dense(rows: Array, counts: Array, x: Array, losses: Array, gradients: Array) -> None:
    """Write mean losses of the nodes and their gradients; rows are read from memory once.

    Args:
        rows: Times their labels, float64 (n, m, d), C-ordered.
        counts: Rows of each node, (n,).
        x: The point, (d,).
        losses: Output, (n,).
        gradients: Output, (n, d).
    """
    memory = np.empty(PIECE), np.empty(PIECE), np.empty(PIECE)
    _evaluate(rows, counts, x, losses, gradients, memory)


@kernel_part
def _evaluate(rows: Array, counts: Array, x: Array, losses: Array, gradients: Array, memory: Any) -> None:
    z, weights, work = memory
    for i in range(len(rows)):
        gradient, total = gradients[i], 0.0
        for j in range(len(x)):
            gradient[j] = 0.0
        for start in range(0, counts[i], PIECE):
            part = rows[i, start : min(counts[i], start + PIECE)]
            m = len(part)
            for k in range(m):
                z[k] = _product(part[k], x)
            total += losses_and_weights(z[:m], weights[:m], work)
            for k in range(m):
                _subtract(part[k], weights[k], gradient)
        losses[i] = total / counts[i]
        for j in range(len(x)):
            gradient[j] /= counts[i]


@kernel_of_sums
def _product(row: Array, x: Array) -> float:
    total = 0.0
    for j in range(len(x)):
        total += row[j] * x[j]
    return total


@kernel_part
def _subtract(row: Array, weight: float, gradient: Array) -> None:
    for j in range(len(gradient)):
        gradient[j] -= weight * row[j]
