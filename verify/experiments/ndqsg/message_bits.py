"""Bits of recorded messages: raw on the wire, by Elias words, at the ideal adaptive length, and really coded.

Counts alone give all but the last, over many messages at once. The real range coder takes about a microsecond
for each coordinate, so it can be run on every so many messages only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA
from impl.coding.range_coder import RangeCoder
from impl.coding.symbol_words import word_count
from impl.errors import ArgumentError
from impl.protocol.header import FIXED

Array = npt.NDArray[Any]

HEADER_BITS = 8 * (FIXED.size + 8 + 4)
"""Header, length of the payload and checksum."""

_AT_ONCE = 2**22  # coordinates whose counts are taken in one array


@dataclass(frozen=True, eq=False)
class MessageBits:
    """Bits of messages (...), each with scales of its own.

    Attributes:
        raw: Payload in words of 64 bits, the same for all.
        scales: Bits of the scales, the same for all.
        elias: Payload in Elias gamma words with signs, (...).
        ideal: Ideal adaptive length of the payload, (...).
        coded: Payload of the adaptive range coder, (...); NaN where it was not run.
    """

    raw: int
    scales: int
    elias: Array
    ideal: Array
    coded: Array

    def whole(self, payload: Any) -> Any:
        """Return the bits of messages with this payload, with scales, header and checksum."""
        return payload + self.scales + HEADER_BITS


def message_bits(codec: Any, symbols: Any, *, every: int = 0) -> MessageBits:
    """Return the bits of messages of a dithered quantizer, nested or not.

    Args:
        codec: `DitheredQuantizer` or `NestedDitheredQuantizer` with a finite alphabet.
        symbols: What was sent, (..., d).
        every: The range coder codes the first message and every so many after it, in C order; 0 for none.

    Raises:
        ArgumentError: The codec has unbounded indices, or the range coder is to be run and is not installed.
        ValueError: A symbol outside of the alphabet.
    """
    if codec.alphabet is None:
        raise ArgumentError(f"message_bits: codec={codec!r} has unbounded indices; give no fixed scale")
    symbols = np.asarray(symbols)
    *leading, d = symbols.shape
    rows, A = symbols.reshape(-1, d), int(codec.alphabet)
    counts = symbol_counts(rows + codec.offset, A)
    levels = np.arange(A) - codec.offset
    words = DenseCode(GAMMA).bits(levels[:, None])
    coded = np.full(len(rows), np.nan)
    if every:
        coder = RangeCoder(A)
        for index in range(0, len(rows), every):
            coded[index] = coder.bits(rows[index] + codec.offset)
    return MessageBits(
        raw=64 * word_count(d, A),
        scales=codec.norm_bits * len(codec.block_lengths(d)),
        elias=(counts @ words).reshape(leading),
        ideal=ideal_lengths(counts).reshape(leading),
        coded=coded.reshape(leading),
    )


def symbol_counts(digits: Any, alphabet: int) -> Array:
    """Return how often each digit occurs in each message, (m, d) to (m, A).

    Raises:
        ValueError: A digit outside of 0 to A - 1.
    """
    m, d = digits.shape
    if digits.size and not (digits.min() >= 0 and digits.max() < alphabet):
        raise ValueError(f"digits from {digits.min()} to {digits.max()} leave the alphabet 0..{alphabet - 1}")
    counts = np.empty((m, alphabet), dtype=np.int64)
    rows = max(1, _AT_ONCE // max(d, alphabet))
    for start in range(0, m, rows):
        part = digits[start : start + rows]
        places = part + alphabet * np.arange(len(part))[:, None]
        found = np.bincount(places.ravel(), minlength=alphabet * len(part))
        counts[start : start + rows] = found.reshape(len(part), alphabet)
    return counts


def ideal_lengths(counts: Any) -> Array:
    """Return the ideal adaptive lengths of messages with these counts, (..., A) to (...)."""
    counts = np.asarray(counts)
    n, A = counts.sum(axis=-1), counts.shape[-1]
    nats = gammaln(n + A) - gammaln(A) - gammaln(counts + 1).sum(axis=-1)
    return np.asarray(nats / np.log(2))
