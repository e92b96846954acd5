"""The entropy coders by kernels where the tier asks for them; the coders themselves do the rest."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.tiers import current

Array = npt.NDArray[Any]

LARGEST_TOTAL = 2**28  # of digits and alphabet together: sums of 32 bits, and exact quotients
_ENCODER, _DECODER = 1, 3  # up to so many times sixteen sums a flat form is faster


def is_for_kernels(count: int, alphabet: int) -> bool:
    """Tell whether kernels code so many digits."""
    return current() == "fused" and count > 0 and count + alphabet <= LARGEST_TOTAL


def encoded_adaptively(digits: Array, alphabet: int) -> tuple[bytes, int]:
    """Return the code of `AdaptiveCoder` and its bits."""
    from impl.kernels.coders.adaptive_coder import encode_adaptively  # numba, where it is asked for
    from impl.kernels.coders.adaptive_counts import first_counts

    words = np.empty(len(digits) + 4, np.uint32)
    bits = int(encode_adaptively(digits, *first_counts(alphabet, _ENCODER), alphabet, words))
    return words[1 : bits // 32 + 3].astype(">u4").tobytes()[: (bits + 7) // 8], bits


def decoded_adaptively(data: bytes, alphabet: int, count: int) -> Array:
    """Return the digits of a code of `AdaptiveCoder`, with its errors."""
    from impl.kernels.coders.adaptive_coder import decode_adaptively
    from impl.kernels.coders.adaptive_counts import first_counts

    digits = np.empty(count, np.int64)
    code = bytes(data)
    words = np.frombuffer(code + bytes(24 - len(code) % 8), dtype=">u8").astype(np.uint64)
    wrong = decode_adaptively(words, 8 * len(code), *first_counts(alphabet, _DECODER), alphabet, digits)
    if wrong:
        inside = "the code ends inside of a symbol"
        raise ValueError(inside if wrong == 1 else "the code does not end as the encoder's does")
    return digits


class RangeTables:
    """Parts of the digits of a fixed model, and where to look for a quantile.

    Args:
        chances: Of the digits, float64 (A,); they sum to one.
    """

    def __init__(self, chances: Array) -> None:
        from impl.kernels.coders.range_coder import BUCKET, UNITS

        A = len(chances)
        below = np.concatenate([[0.0], np.cumsum(chances)])  # from the left, as the library's
        self.ends = (below * ((UNITS - A) / below[-1])).astype(np.int64) + np.arange(A + 1)
        self.ends[A] = UNITS
        first = np.searchsorted(self.ends, np.arange(0, UNITS, 2**BUCKET), side="right") - 1
        self.buckets = np.append(first, A - 1)


def range_words(digits: Array, alphabet: int, tables: RangeTables | None) -> Array:
    """Return the words of `RangeCoder`, uint32; the model is adaptive without tables."""
    from impl.kernels.coders.adaptive_counts import first_counts
    from impl.kernels.coders.range_coder import encode_by_counts, encode_by_ends

    words = np.empty(len(digits) + 4, np.uint32)
    if tables is None:
        count = encode_by_counts(digits, *first_counts(alphabet, _ENCODER), alphabet, words)
    else:
        count = encode_by_ends(digits, tables.ends, words)
    return words[1 : count + 1]


def range_digits(words: Array, alphabet: int, count: int, tables: RangeTables | None) -> tuple[Array, int]:
    """Return the digits, and 0, 1 where the words are not their code, 2 where they are none of any digits."""
    from impl.kernels.coders.adaptive_counts import first_counts
    from impl.kernels.coders.range_coder import decode_by_counts, decode_by_ends

    digits = np.empty(count, np.int64)
    if tables is None:
        return digits, decode_by_counts(words, *first_counts(alphabet, _DECODER), alphabet, digits)
    return digits, decode_by_ends(words, tables.ends, tables.buckets, digits)
