"""Payloads of sparse messages: of the specification, or a given number of bits for each entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from impl.communication import sign_entries_bits, sparse_bits
from impl.errors import Problems


def sparse_payload(d: int, entry_bits: int | None, float_bits: int, where: str) -> Callable[[Any], Any]:
    """Return the function from a number of entries, each with index and value, to payload bits."""
    _require(entry_bits, float_bits, where)
    return lambda size: sparse_bits(size, d, float_bits) if entry_bits is None else size * entry_bits


def signs_payload(d: int, entry_bits: int | None, float_bits: int, where: str) -> Callable[[Any], Any]:
    """Return the function from a number of entries, each with index and sign, to payload bits."""
    _require(entry_bits, float_bits, where)
    return lambda size: sign_entries_bits(size, d, float_bits) if entry_bits is None else size * entry_bits


def _require(entry_bits: int | None, float_bits: int, where: str) -> None:
    problems = Problems(where)
    whole = isinstance(entry_bits, int | np.integer) and not isinstance(entry_bits, bool) and entry_bits > 0
    problems.require(
        entry_bits is None or whole,
        f"entry_bits={entry_bits!r} must be a positive whole number, or None for an index and a number",
    )
    problems.require(float_bits in (32, 64), f"float_bits={float_bits!r} must be 32 or 64")
    problems.raise_if_any()
