"""Vectors that travel as they are, numbers of 32 or 64 bits."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.errors import MessageError

Array = npt.NDArray[Any]


def rounded(x: Array, bits: int) -> Array:
    """Return float64 numbers as they arrive."""
    return x.astype(np.float32).astype(np.float64) if bits == 32 else x


def write_numbers(x: Array, bits: int) -> BitWriter:
    """Return the payload of a vector."""
    writer = BitWriter()
    writer.append(x.astype(f"<f{bits // 8}").view(f"<u{bits // 8}"), bits)
    return writer


def read_numbers(reader: BitReader, d: int, bits: int) -> Array:
    """Return a vector, float64 (d,).

    Raises:
        MessageError: The payload is not that of d numbers.
    """
    try:
        words = reader.read_many(d, bits)
        reader.finish()
    except (IndexError, ValueError) as error:
        raise MessageError(f"the payload is not that of {d} numbers of {bits} bits: {error}") from error
    return words.astype(f"<u{bits // 8}").view(f"<f{bits // 8}").astype(np.float64)
