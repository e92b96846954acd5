"""Payloads of messages by their content, in bits (arXiv 2003.06377, specification section 1)."""

from typing import Any


def index_bits(d: int) -> int:
    """Return the bits of an index among d, 0 for d = 1."""
    return (d - 1).bit_length()


def sparse_bits(size: Any, d: int, float_bits: int = 32) -> Any:
    """Return the payload of `size` entries, each with its index; a number or an array for one."""
    return size * (index_bits(d) + float_bits)


def sign_entries_bits(size: Any, d: int, float_bits: int = 32) -> Any:
    """Return the payload of `size` signs with their indices and one number."""
    return float_bits + size * (index_bits(d) + 1)


def dense_bits(d: int, float_bits: int = 32) -> int:
    """Return the payload of all entries, without indices."""
    return d * float_bits


def dense_sign_bits(d: int, float_bits: int = 32) -> int:
    """Return the payload of all signs and one number."""
    return float_bits + d


def levels_bits(levels: int, d: int, float_bits: int = 32) -> int:
    """Return the payload of QSGD with a code of fixed length: a norm, d signs and levels."""
    return float_bits + d * (1 + levels.bit_length())
