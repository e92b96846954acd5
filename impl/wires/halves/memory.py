"""Half of gradient descent with memory: what a message loses is sent later; the server is `MeanServer`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitWriter
from impl.problems.contract import Problem
from impl.wires.halves.codecs import Codec
from impl.wires.halves.contract import Worker

Array = npt.NDArray[Any]


class MemoryWorker(Worker):
    r"""Send $\Delta_i=C_i(h_i+\nabla f_i(x))$ and keep $h_i^+=h_i+\nabla f_i(x)-\Delta_i$, zero at the start.

    As `impl.optimizers.memory_gd` (claim `cat/memory-descent`).

    Args:
        part: The own function.
        codec: C_i.
    """

    def __init__(self, part: Problem, codec: Codec) -> None:
        super().__init__(part)
        self.codec = codec
        self.memory = np.zeros(part.d)

    def answer(self, k: int, x: Array) -> BitWriter:
        whole = self.memory + self.gradient(x)
        payload, decoded = self.codec.write(k, whole)
        self.memory = whole - decoded
        return payload
