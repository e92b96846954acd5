"""Sparse and dense codes of levels: gaps of every length, messages in a row, what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, DenseCode, SparseCode
from impl.errors import ArgumentError

CODES = [SparseCode(GAMMA), SparseCode(OMEGA), DenseCode(GAMMA)]
every_code = pytest.mark.parametrize("code", CODES, ids=repr)


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


@pytest.mark.parametrize("gap", [4, 9])
def test_a_gap_beyond_the_end_is_an_error_even_by_one(gap):
    writer = BitWriter()
    writer.append(*GAMMA.fields(np.array([2])))
    writer.append([0, 1, gap], [1, 1, 2 * gap.bit_length() - 1])  # the level 1, the gap behind place 2
    for read in (SparseCode(GAMMA).read, lambda *given: SparseCode(GAMMA).read_entries(*given, 2)):
        with pytest.raises(ValueError, match="beyond the last of 4"):
            read(BitReader(writer.to_bytes(), writer.bits), 4)


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
