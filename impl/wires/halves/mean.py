"""Halves of gradient descent, DCGD, DCGD+ and quantized SGD: the server takes the mean of what it decodes."""

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


class MeanWorker(Worker):
    r"""Send $C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$.

    Args:
        part: The own function.
        codec: C_i.
        roots: Of the own matrix, a stack of one; None for the identity.
    """

    def __init__(self, part: Problem, codec: Codec, roots: MatrixRoots | None = None) -> None:
        super().__init__(part)
        self.codec, self.roots = codec, roots

    def answer(self, k: int, x: Array) -> BitWriter:
        gradient = self.gradient(x)[None]
        if self.roots is not None:
            self.roots.check_range(gradient, x)
            gradient = self.roots.apply_pseudo_inverse_root(gradient)
        return self.codec.write(k, gradient[0])[0]


class MeanServer(Server):
    r"""Take $\frac1n\sum_i\mathbf L_i^{1/2}\Delta_i$.

    Args:
        start: x^0, (d,).
        codecs: C_i, by worker.
        roots: Of the matrices of all workers; None for the identity.
        nested: Workers whose messages are decoded beside the mean of those of the others.
        options: As of `Server`.
    """

    def __init__(
        self,
        start: Array,
        codecs: Sequence[Codec],
        roots: MatrixRoots | None = None,
        nested: Sequence[int] = (),
        **options: Any,
    ) -> None:
        super().__init__(start, **options)
        self.codecs, self.roots, self.nested = list(codecs), roots, frozenset(nested)

    def direction(self, k: int, payloads: Sequence[BitReader]) -> Array:
        decoded = np.zeros((len(payloads), len(self.x)))
        first = [i for i in range(len(payloads)) if i not in self.nested]
        for i in first:
            decoded[i] = self.codecs[i].read(k, payloads[i])
        side = decoded[first].mean(axis=0) if self.nested else None
        for i in sorted(self.nested):
            decoded[i] = self.codecs[i].read(k, payloads[i], side)
        if self.roots is not None:
            decoded = self.roots.apply_root(decoded)
        return np.asarray(decoded.mean(axis=0))
