"""Cumulative bits of training runs for all methods on equal terms: adaptive coding, scales and headers.

The length of an adaptively coded payload is the ideal one, which the coder exceeds by two bits or so (claim
`ndqsg/coded-size`); it needs the counts of the symbols alone. Where the own code of a codec is
shorter it is taken: a header names the code.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import DitheredQuantizer, OneBit, StochasticQuantizer, TernGrad
from impl.optimizers import Exchange, Training
from verify.experiments.ndqsg.message_bits import HEADER_BITS, ideal_lengths, symbol_counts
from verify.experiments.ndqsg.training_methods import NETWORKS, Method, Setting

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Costs:
    """Bits of all workers together up to each test of the network, (R, E), headers and scales included.

    Attributes:
        training: The run.
        raw: Payloads as the codecs send them.
        coded: Payloads by an adaptive code where that is shorter.
    """

    training: Training
    raw: Array
    coded: Array


def symbols_of(codec: Any) -> tuple[int, int]:
    """Return the size of the alphabet of a codec and what is added to a symbol to give its digit."""
    if isinstance(codec, DitheredQuantizer):
        if codec.alphabet is None:
            raise ValueError(f"{codec!r} has unbounded indices")
        return codec.alphabet, codec.offset
    if isinstance(codec, OneBit):
        return 2, 0
    if isinstance(codec, TernGrad):
        return 3, 1
    if isinstance(codec, StochasticQuantizer):
        levels = round(1 / float(codec.steps))
        return 2 * levels + 1, levels
    raise ValueError(f"{codec!r} has no alphabet that is known here")


def measured(setting: Setting, method: Method, rng: np.random.Generator, replicates: int) -> Costs:
    """Train and return what it cost."""
    tensors = len(NETWORKS[setting.network]().shapes)
    headers = HEADER_BITS * setting.workers * tensors
    coded = np.zeros((replicates, setting.iterations))
    seen: defaultdict[tuple[int, int], int] = defaultdict(int)

    def count(t: int, tensor: int, exchange: Exchange) -> None:
        # With a rule for k the replicates come one by one, else together.
        first, many = seen[t, tensor], len(exchange.gradients)
        seen[t, tensor] += many
        for workers, message in exchange.messages:
            codec = exchange.compressors[workers.start]
            alphabet, offset = symbols_of(codec)
            *leading, d = message.shape
            lengths = ideal_lengths(symbol_counts(message.symbols.reshape(-1, d) + offset, alphabet))
            scales = codec.norm_bits * message.scales.shape[-1]
            shorter = np.minimum(lengths.reshape(leading) + scales, message.bits)
            coded[first : first + many, t] += shorter.sum(axis=-1)

    found = setting.run(method, rng, replicates, observe=count)
    raw = found.bits.sum(axis=-1)
    if method.codecs is None:
        coded = raw
    return Costs(found, *(_up_to_tests(bits + headers, found.evaluated) for bits in (raw, coded)))


def _up_to_tests(bits: Array, evaluated: Array) -> Array:
    total = np.concatenate([np.zeros((len(bits), 1)), np.cumsum(bits, axis=-1)], axis=-1)
    return np.asarray(total[:, evaluated])


def bits_at(accuracy: Array, bits: Array, target: float) -> Array:
    """Return the bits at which runs first reach an accuracy, (R,), linear between tests; NaN where never.

    Args:
        accuracy: Of each test, (R, E).
        bits: Up to each test, (R, E).
        target: The accuracy.
    """
    found = np.full(len(accuracy), np.nan)
    for r, (row, cost) in enumerate(zip(accuracy, bits, strict=True)):
        at = np.flatnonzero(row >= target)
        if len(at) == 0:
            continue
        place = int(at[0])
        if place == 0:
            found[r] = cost[0]
            continue
        part = (target - row[place - 1]) / (row[place] - row[place - 1])
        found[r] = cost[place - 1] + part * (cost[place] - cost[place - 1])
    return found
