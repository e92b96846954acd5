"""Elias codes: lengths, words, fields, and the streams they travel in."""

import numpy as np
import pytest

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, EliasCode
from impl.errors import ArgumentError

CODES = [GAMMA, OMEGA]
LARGEST = [2**62 - 1, 2**62 + 1, 2**63 - 1]


def test_known_words():
    assert [GAMMA.word(k) for k in (1, 2, 3, 4, 17)] == ["1", "010", "011", "00100", "000010001"]
    # Elias 1975, table of the omega code.
    assert [OMEGA.word(k) for k in (1, 2, 3, 4, 8, 16)] == [
        "0",
        "100",
        "110",
        "101000",
        "1110000",
        "10100100000",
    ]


@pytest.mark.parametrize("code", CODES)
def test_the_largest_numbers_are_read_back(code):
    writer = BitWriter()
    writer.append(*code.fields(np.array(LARGEST)))
    assert code.lengths(np.array([LARGEST])).tolist() == [[len(code.word(k)) for k in LARGEST]]
    assert writer.bits == sum(map(code.length, LARGEST))
    data = writer.to_bytes()
    text = "".join(code.word(k) for k in LARGEST)
    assert "".join(f"{byte:08b}" for byte in data)[: len(text)] == text
    reader = BitReader(data, writer.bits)
    assert [code.read(reader) for _ in LARGEST] == LARGEST
    reader.finish()


@pytest.mark.parametrize("code", CODES)
def test_reading_past_the_end(code):
    for text in ("", "0" * 5, "11", "1" * 300):
        reader = BitReader(
            bytes(int(text[i : i + 8].ljust(8, "0"), 2) for i in range(0, len(text), 8)), len(text)
        )
        with pytest.raises((IndexError, ValueError)):
            read_all(code, reader, len(text) + 1)


def read_all(code, reader, count):
    return [code.read(reader) for _ in range(count)]


def test_an_endless_omega_word():
    bits = "".join(["11", "111", "1111111", "1" * 128, "1"])
    data = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    with pytest.raises(ValueError, match="64 bits"):
        OMEGA.read(BitReader(data, len(bits)))


def test_what_is_left_over_is_noticed():
    with pytest.raises(ValueError, match="8 bits are left over"):
        BitReader(b"\0", 8).finish()
    reader = BitReader(b"\x81", 7)
    assert reader.read(7) == 64
    with pytest.raises(ValueError, match="left over"):
        reader.finish()
    assert BitWriter().to_bytes() == b""


@pytest.mark.parametrize("name", ["foo", None, ["gamma"], np.array(["gamma", "omega"])])
def test_a_name_of_no_code_is_refused(name):
    with pytest.raises(ArgumentError, match=r"EliasCode: name=.* is unknown; choose one of gamma, omega"):
        EliasCode(name)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("k", [0, -3, 1.5, "a", None, True, 2.0])
def test_one_number_that_has_no_word_is_named(code, k):
    for called in (code.length, code.word):
        with pytest.raises(ArgumentError, match=rf"EliasCode\.\w+: k={k!r} must be a whole number of at"):
            called(k)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    ("k", "named"),
    [
        ([0, 1], r"k\[0\] = 0 must be from 1"),
        ([[1, 2], [3, -5]], r"k\[1, 1\] = -5 must be from 1"),
        (0, "k = 0 must be from 1"),
        (np.array([1, 2**63], np.uint64), r"k\[1\] = 9223372036854775808 must be"),
        ([1.5], r"k=\[1.5\] must be whole numbers"),
        ([True], "whole numbers"),
        (["a"], "whole numbers"),
        ([[1], [2, 3]], "whole numbers"),
        ([2**70], "whole numbers"),
        (None, "k=None must be whole numbers"),
    ],
)
def test_many_numbers_that_have_no_word_are_named(code, k, named):
    for called in (code.lengths, code.fields):
        with pytest.raises(ArgumentError, match=named):
            called(k)


@pytest.mark.parametrize("code", CODES)
def test_numbers_of_numpy_and_no_numbers(code):
    assert code.length(np.int64(17)) == code.length(17)
    assert code.word(np.uint8(17)) == code.word(17)
    assert code.lengths(np.array([1, 200], np.uint8)).tolist() == [code.length(1), code.length(200)]
    assert code.lengths([]).shape == (0,)
