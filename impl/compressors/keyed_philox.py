"""Philox of a key alone: numpy asks the system for entropy, in vain, where the key is given otherwise."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence


class _Words(ISeedSequence):
    """Hands out the two words of a key.

    Args:
        key: Both words, uint64.
    """

    def __init__(self, key: Any) -> None:
        self._key = key

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Return the words; Philox asks for two of 64 bits."""
        return self._key.copy()


def keyed_philox(key: Sequence[int], counter: Sequence[int]) -> np.random.Philox:
    """Return Philox with this key of two words, and this counter of four, the lowest first.

    It spawns no others: they would have keys that nobody can name again.
    """
    words: Any = _Words(np.array(key, dtype=np.uint64))
    return np.random.Philox(words, counter=np.array(counter, dtype=np.uint64))
