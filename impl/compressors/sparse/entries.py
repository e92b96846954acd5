"""Entries as they are sent by sparsifiers: float64, or rounded to float32."""

import struct
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.sparse_code import SparseCode
from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]


def require_value_bits(problems: Problems, value_bits: Any) -> None:
    """Note a problem unless value_bits is 32 or 64."""
    problems.require(value_bits in (32, 64), f"value_bits={value_bits!r} must be 64 or 32")


def require_positive_size(problems: Problems, name: str, size: Any) -> None:
    """Note a problem unless an expected number of entries, or of atoms, is positive and finite."""
    real = isinstance(size, int | float | Fraction | np.integer) and not isinstance(size, bool)
    fits = real and 0 < size <= sys.float_info.max and float(size) > 0  # NaN fails
    problems.require(fits, f"{name}={size!r} must be a positive finite number")


def require_count(problems: Problems, k: Any) -> None:
    """Note a problem unless k is a positive integer."""
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    problems.require(
        whole and k >= 1, f"k={k!r} must be an integer of at least 1, the number of kept coordinates"
    )


def require_at_most(k: int, d: int, where: str) -> None:
    """Raise unless k coordinates can be kept of d."""
    if k > d:
        raise ArgumentError(f"{where}: k={k} exceeds d={d}; keep at most all coordinates")


def as_sent(x: Array, value_bits: int, where: str) -> Array:
    """Return x rounded to value_bits, in its own dtype; a value outside the range of float32 raises."""
    if value_bits == 64 or x.dtype == np.float32:
        return x
    with np.errstate(over="ignore"):
        rounded = x.astype(np.float32).astype(x.dtype)
    if not np.isfinite(rounded).all():
        raise ArgumentError(f"{where}: an entry exceeds the range of float32; use value_bits=64")
    return rounded


def as_sent_literally(x: Any, value_bits: int) -> Any:
    """Return one number rounded to value_bits; Fractions stay as they are."""
    if value_bits == 64 or not isinstance(x, float):
        return x
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        raise ArgumentError(f"the entry {x} exceeds the range of float32; use value_bits=64") from None


def to_words(values: Array, value_bits: int) -> Array:
    """Return the bit patterns of values as unsigned integers."""
    if value_bits == 64:
        return values.astype(np.float64).view(np.uint64)
    return values.astype(np.float32).view(np.uint32).astype(np.uint64)


def from_words(words: list[int] | Array, value_bits: int, dtype: Any) -> Array:
    """Return entries or scales from their bit patterns.

    Raises:
        ValueError: NaN or infinity, which no sender writes.
    """
    kinds: Any = (np.uint64, np.float64) if value_bits == 64 else (np.uint32, np.float32)
    with np.errstate(over="ignore"):
        values = np.array(words, dtype=kinds[0]).view(kinds[1]).astype(dtype)
    finite = np.isfinite(values)
    if not finite.all():
        raise ValueError(f"number {int(np.flatnonzero(~finite)[0])} is not finite")
    return np.asarray(values)


def norms_from_words(words: list[int] | Array, value_bits: int, dtype: Any) -> Array:
    """Return norms, or other scales that are not negative, from their bit patterns.

    Raises:
        ValueError: NaN, infinity or a negative number, which no sender writes.
    """
    norms = from_words(words, value_bits, dtype)
    if (norms < 0).any():
        raise ValueError(f"scale {norms.min()} is negative")
    return norms


def write_present(writer: BitWriter, code: SparseCode, symbols: Array, value_bits: int) -> None:
    """Append one vector of entries, (d,): gaps to those that are not zero, the entries, the sentinel."""
    present = symbols != 0
    code.write_entries(writer, present, to_words(symbols[present], value_bits), value_bits)


def read_present(reader: BitReader, code: SparseCode, d: int, value_bits: int, dtype: Any) -> Array:
    """Read one vector of entries back, (d,)."""
    positions, words = code.read_entries(reader, d, value_bits)
    entries = np.zeros(d, dtype=dtype)
    entries[positions] = from_words(words, value_bits, dtype)
    return entries
