"""Decoding of prefix codes by table: as many short words at a time as a window of 16 bits holds."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader

Array = npt.NDArray[Any]

WINDOW = 16
_BYTES = 2**15  # of a payload whose windows are at hand at a time
_FIRST = 2**8  # of the first stretch: most messages are short
_AT_ONCE = 2**14  # windows whose symbols are gathered at a time
_LONG = 2**WINDOW  # stands for a word that no window holds

Symbol = tuple[int, ...]


class CodeTable:
    """What every window of 16 bits begins with: whole words, their symbols and their length.

    Args:
        words: Texts of 0 and 1 of a prefix code, at most 16 bits, and their symbols: tuples of one length.
        weight: Which entry of a symbol counts towards the limit of `read`; None counts every symbol once.
    """

    def __init__(self, words: Iterable[tuple[str, Symbol]], weight: int | None = None) -> None:
        first_length = np.zeros(2**WINDOW, dtype=np.int64)
        first_word = np.zeros(2**WINDOW, dtype=np.int64)
        known = [(word, symbol) for word, symbol in words if len(word) <= WINDOW]
        for number, (word, _) in enumerate(known):
            low = int(word, 2) << (WINDOW - len(word))
            first_length[low : low + (1 << (WINDOW - len(word)))] = len(word)
            first_word[low : low + (1 << (WINDOW - len(word)))] = number
        symbols = np.array([symbol for _, symbol in known], dtype=np.int32)
        window, at = np.arange(2**WINDOW), np.zeros(2**WINDOW, dtype=np.int64)
        counts, steps = np.zeros(2**WINDOW + 1, dtype=np.int64), []
        while True:
            here = (window << at) & (2**WINDOW - 1)
            whole = (first_length[here] > 0) & (at + first_length[here] <= WINDOW)
            if not whole.any():
                break
            steps.append(np.where(whole[:, None], symbols[first_word[here]], 0))
            at += np.where(whole, first_length[here], 0)
            counts[:-1] += whole
        counts[_LONG] = 1
        entries = np.stack(steps, axis=1)
        self._symbols = np.concatenate([entries, np.zeros((1, *entries.shape[1:]), np.int32)])
        self._steps = np.arange(entries.shape[1])
        self._counts, self._lengths = counts, at.tolist()
        self._weights = (counts[:-1] if weight is None else entries[..., weight].sum(axis=1)).tolist()
        self._weight = weight

    def read(self, reader: BitReader, limit: int, read_one: Callable[[int], Symbol | None]) -> Array:
        """Return symbols, int64 (count, entries of a symbol).

        Args:
            reader: Moves behind the last word.
            limit: Symbols are read until their weights sum to it; with a `weight`, until an end mark.
            read_one: Reads one word of any length, given the weight so far, and returns its symbol, None for
                an end mark. It raises whatever is wrong, and is called wherever a window does not decide.
        """
        taken: list[int] = []
        long: list[Symbol] = []
        total, base = 0, reader.at >> 3
        words = self._words(reader, base, _FIRST)
        lengths, weights, last, at = self._lengths, self._weights, reader.bits - WINDOW, reader.at
        while total < limit or self._weight is not None:
            if at <= last:
                place = (at >> 3) - base
                if place >= len(words):
                    base = at >> 3
                    words, place = self._words(reader, base, _BYTES), 0
                window = (words[place] >> (8 - (at & 7))) & 0xFFFF
                length = lengths[window]
                if length and total + weights[window] <= limit:
                    taken.append(window)
                    at += length
                    total += weights[window]
                    continue
            reader.at = at
            symbol = read_one(total)
            at = reader.at
            if symbol is None:
                break
            taken.append(_LONG)
            long.append(symbol)
            total += 1 if self._weight is None else symbol[self._weight]
        reader.at = at
        return self._expanded(taken, long)

    def _words(self, reader: BitReader, base: int, most: int) -> list[int]:
        """Return the three bytes from each of at most this many places on, as numbers."""
        stretch = reader.data[base : base + most + 2] + bytes(2)
        held = np.frombuffer(stretch, dtype=np.uint8).astype(np.int32)
        found: list[int] = ((held[:-2] << 16) | (held[1:-1] << 8) | held[2:])[:most].tolist()
        return found

    def _expanded(self, taken: list[int], long: list[Symbol]) -> Array:
        windows = np.array(taken, dtype=np.int64)
        counts = self._counts[windows]
        if len(windows) <= _AT_ONCE and not long:
            return self._symbols[windows][self._steps < counts[:, None]].astype(np.int64)
        out = np.empty((int(counts.sum()), self._symbols.shape[-1]), dtype=np.int64)
        at = 0
        for start in range(0, len(windows), _AT_ONCE):
            part = windows[start : start + _AT_ONCE]
            found = self._symbols[part][self._steps < self._counts[part, None]]
            out[at : at + len(found)] = found
            at += len(found)
        if long:
            out[(np.cumsum(counts) - 1)[windows == _LONG]] = np.array(long, dtype=np.int64)
        return out
