"""Range coder of the library constriction (the extra `coding`), with a fixed or an adaptive model.

The model of the adaptive form is that of `AdaptiveCoder`, counts that start at one, but updated after whole
chunks only: fast, and some hundred bits longer. Both forms refuse what they would not write themselves.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]

LARGEST_ALPHABET = 2**16
_FIRST_CHUNK, _LARGEST_CHUNK = 64, 4096


class RangeCoder:
    """Code digits 0 to A - 1.

    Args:
        alphabet: A, from 2 to 2**16.
        probabilities: Fixed chances of the digits, positive, known to both ends; None for the adaptive model.

    Raises:
        ArgumentError: constriction is not installed.
        ValueError: An alphabet out of range, or chances that do not fit.
    """

    def __init__(self, alphabet: int, probabilities: Any = None) -> None:
        try:
            import constriction
        except ImportError:
            raise ArgumentError(
                "RangeCoder: the library constriction is not installed; pip install 'boundcheck[coding]'"
            ) from None
        if not 2 <= alphabet <= LARGEST_ALPHABET:
            raise ValueError(f"alphabet={alphabet} must be from 2 to 2**16")
        self._stream = constriction.stream
        self.alphabet = int(alphabet)
        self._fixed: Array | None = None
        if probabilities is not None:
            fixed = np.array(probabilities, dtype=np.float64)
            if fixed.shape != (alphabet,) or not (np.isfinite(fixed).all() and (fixed > 0).all()):
                raise ValueError(f"probabilities must be {alphabet} positive numbers; add-one counts are")
            self._fixed = fixed / fixed.sum()

    def _chunks(self, count: int) -> Iterator[slice]:
        """Yield chunks that double in length; a single one with a fixed model."""
        start, length = 0, _FIRST_CHUNK if self._fixed is None else max(count, 1)
        while start < count:
            yield slice(start, min(start + length, count))
            start, length = start + length, min(2 * length, _LARGEST_CHUNK)

    def _model(self, counts: Array) -> Any:
        chances = counts / counts.sum() if self._fixed is None else self._fixed
        return self._stream.model.Categorical(chances, perfect=False)

    def encode(self, digits: Sequence[int] | Array) -> bytes:
        """Return the code, whole little-endian words of 32 bits.

        Raises:
            ValueError: A digit outside of the alphabet.
        """
        given = np.asarray(digits, dtype=np.int64)
        if given.size and not (given.min() >= 0 and given.max() < self.alphabet):
            raise ValueError(
                f"digits from {given.min()} to {given.max()} leave the alphabet 0..{self.alphabet - 1}"
            )
        encoder, counts = self._stream.queue.RangeEncoder(), np.ones(self.alphabet)
        for chunk in self._chunks(len(given)):
            encoder.encode(given[chunk].astype(np.int32), self._model(counts))
            counts += np.bincount(given[chunk], minlength=self.alphabet)
        return np.asarray(encoder.get_compressed(), dtype="<u4").tobytes()

    def decode(self, data: bytes, count: int) -> Array:
        """Return `count` digits, int64.

        Raises:
            ValueError: data are not what `encode` makes of these digits.
        """
        if len(data) % 4:
            raise ValueError(f"a code of {len(data)} bytes; it has whole words of 32 bits")
        words = np.frombuffer(data, dtype="<u4").astype(np.uint32)
        decoder, counts = self._stream.queue.RangeDecoder(words), np.ones(self.alphabet)
        digits = np.empty(count, dtype=np.int64)
        for chunk in self._chunks(count):
            try:
                digits[chunk] = decoder.decode(self._model(counts), chunk.stop - chunk.start)
            except (AssertionError, ValueError) as error:  # the library's word for an impossible code
                raise ValueError(f"the code is none that the encoder writes: {error}") from error
            counts += np.bincount(digits[chunk], minlength=self.alphabet)
        if self.encode(digits) != data:
            raise ValueError("the code is none that the encoder writes")
        return digits
