"""Range coder of the library constriction (the extra `coding`), with a fixed or an adaptive model.

The library has words of 32 bits, a state of 64 bits and chances in units of 2**-24, at least one unit for
each digit. The adaptive model is that of `AdaptiveCoder`: counts that start at one and are updated behind
every digit; its time grows with the alphabet. Both forms refuse what they would not write themselves. Kernels
(`impl.tier`) write the same words and refuse the same ones.
"""

import functools
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.checked_digits import as_digits, require_code, require_whole
from impl.coding.fewest_bits import fewest_range_bits
from impl.coding.fused_coders import RangeTables, is_for_kernels, range_digits, range_words
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

LARGEST_MODEL = 2**16  # symbols; counts of a larger alphabet would outweigh any message
_TABLE = 2**16  # counts in memory at once: half a megabyte
_OTHER = "the code is none that the encoder writes"
# The library's words for a number that the interval does not have.
_IMPOSSIBLE = "Tried to decode from compressed data that is invalid for the employed entropy model."


class RangeCoder:
    """Code digits 0 to A - 1.

    Args:
        alphabet: A, from 2 to 2**16.
        probabilities: Fixed chances of the digits, positive, known to both ends; None for the adaptive model.

    Raises:
        ArgumentError: constriction is not installed; an alphabet out of range, or chances that do not fit.
    """

    def __init__(self, alphabet: int, probabilities: Any = None) -> None:
        try:
            import constriction
        except ImportError:
            raise ArgumentError(
                "RangeCoder: the library constriction is not installed; pip install 'boundcheck[coding]'"
            ) from None
        require_whole(alphabet, "alphabet", 2, LARGEST_MODEL, "RangeCoder", "give the number of digits")
        self._stream = constriction.stream
        self.alphabet = int(alphabet)
        self._fixed = None if probabilities is None else _as_chances(probabilities, self.alphabet)

    def bits(self, digits: Sequence[int] | Array) -> int:
        """Return the exact length of the code in bits, a multiple of 32."""
        given = as_digits(digits, self.alphabet, "RangeCoder")
        if is_for_kernels(len(given), self.alphabet):
            return 32 * len(range_words(given, self.alphabet, self._tables))
        return int(self._encoder(given).num_bits())

    def encode(self, digits: Sequence[int] | Array) -> bytes:
        """Return the code, whole little-endian words of 32 bits.

        Raises:
            ArgumentError: Not whole numbers, or a digit outside of the alphabet; the first is named.
        """
        given = as_digits(digits, self.alphabet, "RangeCoder")
        if is_for_kernels(len(given), self.alphabet):
            return range_words(given, self.alphabet, self._tables).astype("<u4", copy=False).tobytes()
        return np.asarray(self._encoder(given).get_compressed(), dtype="<u4").tobytes()

    @functools.cached_property
    def _tables(self) -> RangeTables | None:
        return None if self._fixed is None else RangeTables(self._fixed)

    def _encoder(self, given: Array) -> Any:
        """Return the library's encoder behind the last digit."""
        encoder, small = self._stream.queue.RangeEncoder(), given.astype(np.int32)
        if self._fixed is not None:
            encoder.encode(small, self._stream.model.Categorical(self._fixed, perfect=False))
            return encoder
        family = self._stream.model.Categorical(perfect=False)
        # Whole numbers below 2**53: the counts, and the library's sums of them, are exact.
        counts = np.ones(self.alphabet)
        table = np.empty((max(1, min(len(small), _TABLE // self.alphabet)), self.alphabet))
        for start in range(0, len(small), len(table)):
            part = small[start : start + len(table)]
            for row, digit in zip(table, part.tolist(), strict=False):
                row[:] = counts
                counts[digit] += 1
            encoder.encode(part, family, table[: len(part)])
        return encoder

    def decode(self, data: bytes, count: int) -> Array:
        """Return `count` digits, int64.

        Raises:
            ArgumentError: data are no bytes, or count is no whole number of at least 0.
            ValueError: data are not what `encode` makes of these digits.
        """
        require_code(data, "RangeCoder")
        require_whole(count, "count", 0, None, "RangeCoder", "give the number of digits")
        if len(data) % 4:
            raise ValueError(f"a code of {len(data)} bytes; it has whole words of 32 bits")
        largest = None if self._fixed is None else float(self._fixed.max())
        if 8 * len(data) < fewest_range_bits(count, self.alphabet, largest):
            raise ValueError(_OTHER)
        words = np.frombuffer(data, dtype="<u4").astype(np.uint32)
        if is_for_kernels(count, self.alphabet):
            digits, wrong = range_digits(words, self.alphabet, count, self._tables)
            if wrong:
                told = f": {_IMPOSSIBLE}" if wrong == 2 else ""
                raise ValueError(f"{_OTHER}{told}")
            return digits
        try:
            digits = self._decoded(self._stream.queue.RangeDecoder(words), count)
        except (AssertionError, ValueError) as error:  # the library's word for an impossible code
            raise ValueError(f"{_OTHER}: {error}") from error
        if self.encode(digits) != data:
            raise ValueError(_OTHER)
        return digits

    def _decoded(self, decoder: Any, count: int) -> Array:
        model = self._stream.model.Categorical
        if self._fixed is not None:
            return np.asarray(decoder.decode(model(self._fixed, perfect=False), count), dtype=np.int64)
        digits, counts = np.empty(count, dtype=np.int64), np.ones(self.alphabet)
        for j in range(count):
            digit = decoder.decode(model(counts, lazy=True, perfect=False))
            digits[j] = digit
            counts[digit] += 1
        return digits


def _as_chances(given: Any, alphabet: int) -> Array:
    """Return chances that sum to one, (A,)."""
    try:
        array = np.asarray(given)
        fixed = array.astype(np.float64) if array.dtype.kind in "fiuO" else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        fixed = np.empty(0)
    if fixed.shape != (alphabet,) or not (np.isfinite(fixed).all() and (fixed > 0).all()):
        raise ArgumentError(
            f"RangeCoder: probabilities={reprlib.repr(given)} must be {alphabet} positive finite numbers, "
            "one per digit; counts plus one are some"
        )
    return np.asarray(fixed / fixed.sum())
