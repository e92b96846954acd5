"""Logistic losses of sparse rows; stands for `impl.problems.logistic.Logistic` at one point."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.logistic.loss_weights import PIECE, losses_and_weights

Array = npt.NDArray[Any]


@kernel_with_memory
def evaluate_sparse(
    rows: Any, columns: Any, scales: Array, counts: Array, x: Array, losses: Array, gradients: Array
) -> None:
    """Write mean losses of the nodes and their gradients.

    Gradients are sums over columns: to add row by row waits for what was added before, and takes twice as
    long. Rows of equal length should follow each other, so that the processor guesses the ends of loops.

    Args:
        rows: (first, index, values): row k has the columns index[first[k] : first[k + 1]], uint32, and
            values, or as often its scale where there are none; the rows of one node after those of another.
        columns: The same by node, then by column: n d + 1 firsts, and index counts the rows of the node.
        scales: One for each row where there are no values.
        counts: Rows of each node, (n,).
        x: The point, (d,).
        losses: Output, (n,).
        gradients: Output, (n, d).
    """
    most = counts.max()
    memory = np.empty(most), np.empty(most), np.empty(PIECE)
    _evaluate(rows, columns, scales, counts, x, losses, gradients, memory)


@kernel_part
def _evaluate(
    rows: Any,
    columns: Any,
    scales: Array,
    counts: Array,
    x: Array,
    losses: Array,
    gradients: Array,
    memory: Any,
) -> None:
    (n, d), (z, weights, work), row = gradients.shape, memory, 0
    for i in range(n):
        m = counts[i]
        _sums(rows, row, x, z[:m])
        equal = scales[row : row + m]
        for k in range(len(equal)):
            z[k] *= equal[k]
        losses[i] = losses_and_weights(z[:m], weights[:m], work) / m
        for k in range(len(equal)):
            weights[k] *= equal[k]
        gradient = gradients[i]
        _sums(columns, i * d, weights, gradient)
        for j in range(d):
            gradient[j] /= -m
        row += m


@kernel_part
def _sums(rows: Any, start: int, x: Array, sums: Array) -> None:
    """Write the products of rows with x, or the sums of its entries in them where there are no values."""
    first, index, values = rows
    for k in range(len(sums)):
        begin, end = first[start + k], first[start + k + 1]
        a, b, c, d, places = 0.0, 0.0, 0.0, 0.0, index[begin:end]
        # Four sums, since each addition waits for the one before.
        whole = len(places) // 4 * 4
        if len(values):
            v = values[begin:end]
            for j in range(0, whole, 4):
                a += v[j] * x[places[j]]
                b += v[j + 1] * x[places[j + 1]]
                c += v[j + 2] * x[places[j + 2]]
                d += v[j + 3] * x[places[j + 3]]
            for j in range(whole, len(places)):
                a += v[j] * x[places[j]]
        else:
            for j in range(0, whole, 4):
                a += x[places[j]]
                b += x[places[j + 1]]
                c += x[places[j + 2]]
                d += x[places[j + 3]]
            for j in range(whole, len(places)):
                a += x[places[j]]
        sums[k] = (a + b) + (c + d)
