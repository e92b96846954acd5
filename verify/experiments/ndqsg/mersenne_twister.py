r"""Words of the Mersenne twister far ahead, from its first ones: no word between them is made.

Over GF(2) words are linear in the state, and the state in the one before (Matsumoto and Nishimura, 1998):
where the characteristic polynomial divides $t^J-\sum_it^{p_i}$, word J is the exclusive or of the words p_i,
and so are those behind both. Polynomials are whole numbers here, bit i is the coefficient of t^i.
"""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_N, _M, _W, _R, _A = 624, 397, 32, 31, 0x9908B0DF
"""Words of a state, the middle one, bits of a word, bits that the first word lacks, bits of the matrix."""
DEGREE = _N * _W - _R


class WordsAhead:
    """Words from place `skipped` on of the twister with a legacy seed, as `RandomState` draws them.

    Args:
        seed: From 0 to 2**32 - 1.
        skipped: How many words come before.
    """

    def __init__(self, seed: int, skipped: int) -> None:
        self._twister = np.random.MT19937()
        self._twister._legacy_seeding(seed)
        self._places = _places(skipped)
        self._first: Array = self._twister.random_raw(DEGREE)

    def __next__(self) -> int:
        word = int(np.bitwise_xor.reduce(self._first[self._places]))
        self._first = np.append(self._first[1:], self._twister.random_raw(1))
        return word


@functools.lru_cache(maxsize=8)
def _places(skipped: int) -> Array:
    """Return the places p_i of t^J modulo the characteristic polynomial."""
    divisor, rest = _characteristic(), 1
    for bit in f"{skipped:b}":
        rest = int(f"{rest:b}", 4) << int(bit)  # base 4 puts a zero behind each bit: the square
        while (above := rest.bit_length() - divisor.bit_length()) >= 0:
            rest ^= divisor << above
    return np.flatnonzero([bit == "1" for bit in reversed(f"{rest:b}")])


@functools.cache
def _characteristic() -> int:
    """Return the characteristic polynomial of the state of 19937 bits, section 3.2 of the article."""
    powers = [1]
    for _ in range(_W - _R):
        powers.append(powers[-1] << _N ^ powers[-1] << _M)
    for _ in range(_R):
        powers.append(powers[-1] << (_N - 1) ^ powers[-1] << (_M - 1))
    total = powers.pop()
    for i, power in enumerate(reversed(powers)):
        if _A >> i & 1:
            total ^= power
    return total
