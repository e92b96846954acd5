"""Sparse and dense codes of levels: round trip, exact lengths, expected lengths."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, DenseCode, SparseCode
from impl.errors import ArgumentError

CODES = [SparseCode(GAMMA), SparseCode(OMEGA), DenseCode(GAMMA)]
every_code = pytest.mark.parametrize("code", CODES, ids=repr)


def literal_word(code, levels):
    """Return the bits as text, written from the specification."""
    word, elias = "", code.elias
    if isinstance(code, DenseCode):
        for level in levels:
            word += elias.word(abs(level) + 1) + ("" if level == 0 else str(int(level < 0)))
        return word
    last = 0
    for position, level in enumerate(levels, start=1):
        if level:
            word += elias.word(position - last) + str(int(level < 0)) + elias.word(abs(level))
            last = position
    return word + elias.word(len(levels) + 1 - last)


@every_code
@settings(max_examples=200, deadline=None)
@given(
    levels=st.lists(
        st.one_of(st.just(0), st.integers(-(2**62), 2**62), st.integers(-3, 3)), min_size=1, max_size=30
    )
)
def test_round_trip(code, levels):
    writer = BitWriter()
    code.write(writer, np.array(levels, dtype=np.int64))
    word = literal_word(code, levels)
    assert "".join(f"{byte:08b}" for byte in writer.to_bytes())[: len(word)] == word
    assert writer.bits == len(word) == code.bits(np.array(levels, dtype=np.int64))
    reader = BitReader(writer.to_bytes(), writer.bits)
    assert code.read(reader, len(levels)).tolist() == levels
    reader.finish()


@every_code
def test_bits_of_a_batch(code):
    levels = np.random.default_rng(0).integers(-1, 2, size=(4, 3, 9))
    levels[1, 1] = 0
    bits = code.bits(levels)
    assert bits.shape == (4, 3)
    for index in np.ndindex(4, 3):
        assert bits[index] == len(literal_word(code, levels[index].tolist()))
    assert code.bits(np.zeros((0, 5), dtype=np.int64)).shape == (0,)


@every_code
@pytest.mark.parametrize("seed", range(5))
def test_expected_bits_equal_enumeration(code, seed):
    rng = np.random.default_rng(seed)
    d = 6
    floor = (rng.integers(0, 4, size=d) * rng.integers(0, 2, size=d)).tolist()
    p = [Fraction(int(rng.integers(0, 7)), 7) for _ in range(d)]
    mean = Fraction(0)
    for pattern in itertools.product((0, 1), repeat=d):
        weight = Fraction(1)
        for up, pj in zip(pattern, p, strict=True):
            weight *= pj if up else 1 - pj
        levels = [k + up for k, up in zip(floor, pattern, strict=True)]
        mean += weight * len(literal_word(code, levels))
    assert code.exact_bits(floor, p) == mean
    fast = code.expected_bits(np.array(floor), np.array([float(pj) for pj in p]))
    # At most a hundred positive terms.
    assert fast == pytest.approx(float(mean), rel=1e-14)


@pytest.mark.parametrize("elias", [GAMMA, OMEGA])
@pytest.mark.parametrize("d", [1, 2, 3, 7, 8, 9, 33])
def test_expected_gaps_of_every_length(elias, d):
    rng = np.random.default_rng(d)
    q = [Fraction(int(rng.integers(0, 4)), 5) for _ in range(d)]
    code = SparseCode(elias)
    exact = code.exact_gap_bits(q)
    assert code.expected_gap_bits(np.array([float(item) for item in q])) == pytest.approx(
        float(exact), rel=1e-13
    )
    assert code.exact_gap_bits([Fraction(0)] * d) == elias.length(d + 1)
    assert code.expected_gap_bits(np.zeros(d)) == elias.length(d + 1)
    assert code.expected_gap_bits(np.ones(d)) == d + 1


def test_a_gap_beyond_the_end_is_an_error():
    writer = BitWriter()
    writer.append(*GAMMA.fields(np.array([9])))
    with pytest.raises(ValueError, match="beyond the last of 4"):
        SparseCode(GAMMA).read(BitReader(writer.to_bytes(), writer.bits), 4)


@pytest.mark.parametrize("kind", [SparseCode, DenseCode])
@pytest.mark.parametrize("elias", ["gamma", None, SparseCode(GAMMA)])
def test_a_text_is_no_code_of_numbers(kind, elias):
    with pytest.raises(ArgumentError, match=f"{kind.__name__}: elias=.* must be an EliasCode"):
        kind(elias)


@every_code
def test_messages_follow_each_other(code):
    levels = np.random.default_rng(0).integers(-2, 3, size=(20, 7))
    writer = BitWriter()
    for row in levels:
        code.write(writer, row)
    reader = BitReader(writer.to_bytes(), writer.bits)
    assert [code.read(reader, 7).tolist() for _ in levels] == levels.tolist()
    reader.finish()
