"""Payload of a message: symbols as raw words or entropy coded, one model per message."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding import symbol_words
from impl.coding.adaptive_coder import LARGEST_TOTAL, AdaptiveCoder
from impl.coding.range_coder import LARGEST_MODEL, RangeCoder
from impl.errors import ArgumentError, CorruptMessage
from impl.protocol.header import ADAPTIVE, RANGE, RAW, Header

Array = npt.NDArray[Any]

CODES = {"raw": RAW, "adaptive": ADAPTIVE, "range": RANGE}


def code_number(name: str) -> int:
    """Return the number of a code by its name.

    Raises:
        ArgumentError: An unknown name.
    """
    if not isinstance(name, str) or name not in CODES:
        raise ArgumentError(f"code={name!r} is unknown; choose one of {', '.join(CODES)}")
    return CODES[name]


def write_payload(symbols: Array, header: Header) -> bytes:
    """Return the payload of one vector of symbols, (d,).

    Raises:
        ArgumentError: The alphabet is too large for an entropy code, or the range coder is not installed.
    """
    if header.code == RAW:
        words = symbol_words.to_words(symbols, header.alphabet, header.offset)
        return words.astype("<u8", copy=False).tobytes()
    if not _can_be_modelled(header):
        raise ArgumentError(
            f"an alphabet of {header.alphabet} symbols is too large for a model; use code='raw'"
        )
    return _coder(header).encode(symbols + header.offset)


def _can_be_modelled(header: Header) -> bool:
    return header.alphabet <= LARGEST_MODEL and header.alphabet + header.d <= LARGEST_TOTAL


def _coder(header: Header) -> AdaptiveCoder | RangeCoder:
    return AdaptiveCoder(header.alphabet) if header.code == ADAPTIVE else RangeCoder(header.alphabet)


def read_payload(payload: bytes, header: Header) -> Array:
    """Return the symbols, int64 (d,).

    Raises:
        CorruptMessage: The payload is not that of d symbols of the alphabet.
        ArgumentError: The range coder is not installed.
    """
    if header.code != RAW and not _can_be_modelled(header):
        raise CorruptMessage(f"{header.d} symbols of {header.alphabet} are not sent by an entropy code")
    coder = None if header.code == RAW else _coder(header)
    try:
        if coder is None:
            return _read_raw(payload, header)
        return np.asarray(coder.decode(payload, header.d) - header.offset)
    except ValueError as error:
        raise CorruptMessage(f"the payload is none that a sender writes: {error}") from error


def _read_raw(payload: bytes, header: Header) -> Array:
    if len(payload) != 8 * symbol_words.word_count(header.d, header.alphabet):
        raise ValueError(f"{len(payload)} bytes do not hold {header.d} symbols of {header.alphabet}")
    words = np.frombuffer(payload, dtype="<u8")
    return symbol_words.from_words(words, header.d, header.alphabet, header.offset)
