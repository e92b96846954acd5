"""Streams of bits: what is no field, and what is no stream."""

import numpy as np
import pytest

from impl.coding import BitReader, BitWriter
from impl.errors import ArgumentError


@pytest.mark.parametrize(
    ("values", "widths", "named"),
    [
        (5, 2, "values = 5 must be from 0 to 3, the largest of 2 bits; give a larger width"),
        (-1, 3, "values = -1 must be from 0 to 7"),
        (-1, 64, "values = -1 must be from 0 to 18446744073709551615"),
        (-1, 0, "values = -1 must be from 0"),
        ([0, 1, 8], [1, 1, 3], r"values\[2\] = 8 must be from 0 to 7"),
        ([[0, 1], [2, -8]], [3, 64], r"values\[1, 1\] = -8 must be"),
        (np.arange(100), 1, r"values\[2\] = 2 must be from 0 to 1"),
        (np.full(100, -1), 1, r"values\[0\] = -1 must be from 0 to 1"),
        (np.array([300], np.uint16), 8, r"values\[0\] = 300 must be from 0 to 255"),
        (1.0, 2, "values=1.0 must be whole numbers"),
        ("a", 2, "values='a' must be whole numbers"),
        ([[1], [2, 3]], 2, "must be whole numbers"),
        ([2**64], 64, "must be whole numbers of at least 0 and at most 64 bits"),
        (1, -1, "widths=-1 must be a whole number from 0 to 64"),
        (1, 65, "widths=65 must be"),
        (1, 2.5, "widths=2.5 must be"),
        (1, "a", "widths='a' must be"),
        ([1, 1], [2, 65], "widths hold 65, must be from 0 to 64"),
        ([1, 1], [2, -1], "widths hold -1, must be"),
        ([1, 1], [2.0, 3.0], r"widths=\[2.0, 3.0\] must be whole numbers"),
        ([1, 1], [1, 2, 3], r"widths has shape \(3,\), values has shape \(2,\)"),
    ],
)
def test_what_is_no_field_is_named_and_leaves_the_stream_alone(values, widths, named):
    writer = BitWriter()
    writer.append(1, 1)
    with pytest.raises(ArgumentError, match=f"BitWriter.append: {named}" if named[0] == "v" else named):
        writer.append(values, widths)
    assert (writer.bits, writer.to_bytes()) == (1, b"\x80")


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.int64])
def test_the_largest_fields_of_all_types(dtype):
    largest = int(np.iinfo(dtype).max)
    width = largest.bit_length()
    for widths in (width, np.array(width), np.array([width, width])):
        writer = BitWriter()
        writer.append(np.array([largest, 0], dtype), widths)
        reader = BitReader(writer.to_bytes(), writer.bits)
        assert [reader.read(width), reader.read(np.int64(width))] == [largest, 0]


def test_a_field_of_width_zero_leaves_no_trace():
    writer = BitWriter()
    writer.append([1, 7, 2], [1, 0, 2])
    writer.append(7, 0)
    assert (writer.bits, writer.to_bytes()) == (3, b"\xc0")


@pytest.mark.parametrize(
    ("data", "bits", "named"),
    [
        (b"a", 16, "bits=16 must be a whole number from 0 to 8; give the bits of the BitWriter"),
        (b"a", -1, "bits=-1 must be"),
        (b"a", 1.5, "bits=1.5 must be"),
        (b"a", None, "bits=None must be"),
        ("abc", 3, "data='abc' must be bytes"),
        (3, 3, "data=3 must be bytes"),
    ],
)
def test_what_is_no_stream_is_named(data, bits, named):
    with pytest.raises(ArgumentError, match=f"BitReader: {named}"):
        BitReader(data, bits)


@pytest.mark.parametrize("width", [-1, 1.5, "a", True])
def test_a_width_that_is_none_is_named(width):
    reader = BitReader(memoryview(b"abc"), 24)
    with pytest.raises(
        ArgumentError, match=rf"BitReader\.read: width={width!r} must be a whole number of at"
    ):
        reader.read(width)
    with pytest.raises(
        ArgumentError, match=rf"read_many: width={width!r} must be a whole number from 0 to 64"
    ):
        reader.read_many(1, width)
    with pytest.raises(
        ArgumentError, match=rf"read_many: count={width!r} must be a whole number of at least 0"
    ):
        reader.read_many(width, -1)
    with pytest.raises(ArgumentError, match="width=65 must be"):
        reader.read_many(0, 65)
    assert (reader.at, reader.read(8)) == (0, ord("a"))


def test_short_and_long_parts_are_packed_as_one_stream():
    writer, text = BitWriter(), ""
    for count in (1, 3, 2000, 1, 0, 5, 70, 1025, 2):
        numbers, widths = np.arange(count) % 32, np.arange(count) % 7 + 5
        writer.append(numbers, widths)
        writer.append(numbers, 9)
        text += "".join(f"{k:0{w}b}" for k, w in zip(numbers.tolist(), widths.tolist(), strict=True))
        text += "".join(f"{k:09b}" for k in numbers.tolist())
    data = writer.to_bytes()
    assert writer.bits == len(text)
    assert data == int(text + "0" * (-len(text) % 8), 2).to_bytes(len(data), "big")
