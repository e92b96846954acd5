"""Payloads of messages by their content, in bits (arXiv 2003.06377, specification section 1).

Each refuses, by an ArgumentError, what is no whole number, negative, or more entries than there are.
"""

import reprlib
from typing import Any

import numpy as np

from impl.coding.checked_digits import require_whole, whole_array
from impl.errors import ArgumentError


def index_bits(d: int) -> int:
    """Return the bits of an index among d, 0 for d = 1."""
    _require("index_bits", d)
    return int(d - 1).bit_length()


def sparse_bits(size: Any, d: int, float_bits: int = 32) -> Any:
    """Return the payload of `size` entries, each with its index; a number or an array for one."""
    _require("sparse_bits", d, float_bits)
    size = _entries(size, d, "sparse_bits")
    return size * (int(d - 1).bit_length() + float_bits)


def sign_entries_bits(size: Any, d: int, float_bits: int = 32) -> Any:
    """Return the payload of `size` signs with their indices and one number."""
    _require("sign_entries_bits", d, float_bits)
    size = _entries(size, d, "sign_entries_bits")
    return float_bits + size * (int(d - 1).bit_length() + 1)


def dense_bits(d: int, float_bits: int = 32) -> int:
    """Return the payload of all entries, without indices."""
    _require("dense_bits", d, float_bits)
    return d * float_bits


def dense_sign_bits(d: int, float_bits: int = 32) -> int:
    """Return the payload of all signs and one number."""
    _require("dense_sign_bits", d, float_bits)
    return float_bits + d


def levels_bits(levels: int, d: int, float_bits: int = 32) -> int:
    """Return the payload of QSGD with a code of fixed length: a norm, d signs and levels."""
    _require("levels_bits", d, float_bits)
    if not (type(levels) is int and levels >= 1):
        require_whole(levels, "levels", 1, None, "levels_bits", "1 are signs alone")
    return float_bits + d * (1 + int(levels).bit_length())


def _require(where: str, d: Any, float_bits: Any = 32) -> None:
    """Raise unless d and the bits of a number are positive whole numbers; what is usual is seen at once."""
    if type(d) is int and d >= 1 and type(float_bits) is int and float_bits >= 1:
        return
    require_whole(d, "d", 1, None, where, "give the dimension of the gradient")
    require_whole(float_bits, "float_bits", 1, None, where, "32 or 64 are usual")


def _entries(size: Any, d: Any, where: str) -> Any:
    """Return a number of entries, or an array of such, as it is; a list as an array."""
    if type(size) is int and 0 <= size <= d:
        return size
    remedy = f"a gradient has d = {d} entries"
    if not isinstance(size, np.ndarray | list | tuple):
        require_whole(size, "size", 0, d, where, remedy)
        return size
    sizes = whole_array(size)
    if sizes is None:
        raise ArgumentError(
            f"{where}: size={reprlib.repr(size)} must be whole numbers from 0 to {d}; {remedy}"
        )
    if sizes.size and not (sizes.min() >= 0 and sizes.max() <= d):
        bad = sizes[(sizes < 0) | (sizes > d)][0]
        raise ArgumentError(f"{where}: size holds {bad}, must be from 0 to {d}; {remedy}")
    return sizes
