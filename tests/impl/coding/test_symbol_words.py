"""Words of symbols: few and many of them, and which are refused."""

import numpy as np
import pytest

from impl.coding.symbol_words import from_words, symbols_per_word, to_words, word_count

ALPHABETS = (2, 3, 9, 256, 257, 2**20, 2**32)


def literal(symbols, alphabet, offset):
    """Return the words as integers: the digits of each, the lowest first."""
    n = symbols_per_word(alphabet)
    digits = [symbol + offset for symbol in symbols]
    return [
        sum(digit * alphabet**place for place, digit in enumerate(digits[first : first + n]))
        for first in range(0, len(digits), n)
    ]


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("words", [1, 8, 9])
def test_few_words_and_many_are_those_of_the_digits(alphabet, words):
    n, offset = symbols_per_word(alphabet), alphabet // 2
    for d in {n * words, n * words - n // 2, n * (words - 1) + 1}:
        symbols = np.random.default_rng(d).integers(0, alphabet, d) - offset
        symbols[0], symbols[-1] = -offset, alphabet - 1 - offset
        packed = to_words(symbols, alphabet, offset)
        assert packed.dtype == np.uint64
        assert packed.tolist() == literal(symbols.tolist(), alphabet, offset)
        read = from_words(packed, d, alphabet, offset)
        assert (read.dtype, read.tolist()) == (np.int64, symbols.tolist())


@pytest.mark.parametrize("words", [2, 12])
def test_words_of_no_symbols_are_named(words):
    n = symbols_per_word(3)
    d = n * words - 1
    packed = to_words(np.zeros(d, np.int64), 3, 1)
    assert word_count(d, 3) == words
    beyond = packed.copy()
    beyond[1] = 3**n
    with pytest.raises(ValueError, match="word 1 holds a symbol outside of the alphabet"):
        from_words(beyond, d, 3, 1)
    packed[-1] += 3 ** (n - 1)
    with pytest.raises(ValueError, match="symbols behind the last coordinate"):
        from_words(packed, d, 3, 1)
    with pytest.raises(ValueError, match=f"{words} words for 1 symbols, which take 1"):
        from_words(packed, 1, 3, 1)
    symbols = np.zeros(d, np.int64)
    symbols[-1] = 2
    with pytest.raises(
        ValueError, match=rf"symbol 2 of coordinate {d - 1} is outside of the alphabet -1\.\.1"
    ):
        to_words(symbols, 3, 1)
