"""Halves of DIANA and DIANA+: differences to shifts that both ends move alike."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.matrix_roots import MatrixRoots
from impl.problems.contract import Problem
from impl.wires.halves.codecs import Codec
from impl.wires.halves.contract import Server, Worker

Array = npt.NDArray[Any]


class ShiftedWorker(Worker):
    r"""Send $\Delta_i=C_i(\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i))$, and learn from it.

    $h_i^+=h_i+\alpha\mathbf L_i^{1/2}\Delta_i$; kept is $\mathbf L_i^{+1/2}h_i$, zero at the start.

    Args:
        part: The own function.
        codec: C_i.
        learning_rate: alpha.
        roots: Of the own matrix, a stack of one; None for the identity.
    """

    def __init__(
        self, part: Problem, codec: Codec, *, learning_rate: float, roots: MatrixRoots | None = None
    ) -> None:
        super().__init__(part)
        self.codec, self.learning_rate, self.roots = codec, learning_rate, roots
        self.shift = np.zeros(part.d)

    def answer(self, k: int, x: Array) -> BitWriter:
        gradient = self.gradient(x)[None]
        if self.roots is not None:
            self.roots.check_range(gradient, x)
            gradient = self.roots.apply_pseudo_inverse_root(gradient)
        payload, decoded = self.codec.write(k, gradient[0] - self.shift)
        known = decoded if self.roots is None else self.roots.project(decoded[None])[0]
        self.shift = self.shift + self.learning_rate * known
        return payload


class ShiftedServer(Server):
    r"""Take $\frac1n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i)$ and move the mean of the $h_i$ likewise.

    Args:
        start: x^0, (d,).
        codecs: C_i, by worker.
        learning_rate: alpha.
        roots: Of the matrices of all workers; None for the identity.
        options: As of `Server`.
    """

    def __init__(
        self,
        start: Array,
        codecs: Sequence[Codec],
        *,
        learning_rate: float,
        roots: MatrixRoots | None = None,
        **options: Any,
    ) -> None:
        super().__init__(start, **options)
        self.codecs, self.learning_rate, self.roots = list(codecs), learning_rate, roots
        self.shift = np.zeros(len(self.x))

    def direction(self, k: int, payloads: Sequence[BitReader]) -> Array:
        decoded = np.stack([codec.read(k, item) for codec, item in zip(self.codecs, payloads, strict=True)])
        if self.roots is not None:
            decoded = self.roots.apply_root(decoded)
        mean = decoded.mean(axis=0)
        found = self.shift + mean
        self.shift = self.shift + self.learning_rate * mean
        return np.asarray(found)
