"""Halves of MARINA: differences of gradients through a joint compressor, now and then whole gradients."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.joint.joint_message import RoundKey
from impl.problems.contract import Problem
from impl.wires.halves.contract import Server, Worker
from impl.wires.numbers import read_numbers, write_numbers

Array = npt.NDArray[Any]

_COINS = 1  # the tensor of the key of coins; that of messages is 0


class Coins:
    """When whole gradients are sent: in round 0, then with a probability, the same at all ends.

    Args:
        seed: Two words that all ends hold.
        probability: Of a whole gradient.
    """

    def __init__(self, seed: tuple[int, int], probability: float) -> None:
        self.seed, self.probability = seed, probability

    def __call__(self, k: int) -> bool:
        """Tell whether round k has whole gradients."""
        generator = RoundKey(self.seed, k, _COINS).shared().generator()
        return k == 0 or bool(generator.random() < self.probability)


class MarinaWorker(Worker):
    """Send the difference of the gradients of two rounds, or the gradient.

    Args:
        part: The own function.
        compressor: A joint one.
        coins: When whole gradients are sent.
        worker: Number of the worker.
        n: How many there are.
        bits: Of a number of a gradient.
    """

    def __init__(
        self, part: Problem, compressor: Any, coins: Coins, *, worker: int, n: int, bits: int
    ) -> None:
        super().__init__(part)
        self.compressor, self.coins, self.worker, self.n, self.bits = compressor, coins, worker, n, bits
        self.previous = np.zeros(part.d)

    def answer(self, k: int, x: Array) -> BitWriter:
        gradient = self.gradient(x)
        difference, self.previous = gradient - self.previous, gradient
        if self.coins(k):
            return write_numbers(gradient, self.bits)
        key = RoundKey(self.coins.seed, k)
        draws = self.compressor.client_draws(key, self.worker, (self.n, len(x)))
        message = self.compressor.message(difference, self.worker, draws, n=self.n, key=key)
        writer: BitWriter = self.compressor.payload(message, draws.shared)
        return writer


class MarinaServer(Server):
    """Keep an estimate of the gradient.

    Args:
        start: x^0, (d,).
        compressor: That of the workers.
        coins: As theirs.
        bits: Of a number of a gradient.
        options: As of `Server`.
    """

    def __init__(self, start: Array, compressor: Any, coins: Coins, *, bits: int, **options: Any) -> None:
        super().__init__(start, **options)
        self.compressor, self.coins, self.bits = compressor, coins, bits
        self.estimate = np.zeros(len(self.x))

    def direction(self, k: int, payloads: Sequence[BitReader]) -> Array:
        n, d = len(payloads), len(self.x)
        if self.coins(k):
            self.estimate = np.mean([read_numbers(item, d, self.bits) for item in payloads], axis=0)
            return self.estimate
        key = RoundKey(self.coins.seed, k)
        shared = self.compressor.client_draws(key, 0, (n, d)).shared
        messages = [self.compressor.message_of(item, i, n, d, shared, key) for i, item in enumerate(payloads)]
        self.estimate = self.estimate + self.compressor.aggregate(messages, shared, key=key)
        return self.estimate
