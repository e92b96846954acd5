"""What codes of levels refuse, with the same words on both tiers, and before memory is taken."""

import numpy as np
import pytest

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, DenseCode, SparseCode
from impl.errors import ArgumentError

CODES = [SparseCode(GAMMA), SparseCode(OMEGA), DenseCode(GAMMA), DenseCode(OMEGA)]
every_code = pytest.mark.parametrize("code", CODES, ids=repr)
pytestmark = pytest.mark.usefixtures("tier")

NO_ARRAYS = [[1, 0, -2], (1, 0), [[1, 2]], [], [1.5], ["a"], None, 3, np.int64(3)]
NO_WHOLE_NUMBERS = [[1.0, 0.0], [1.5], [np.nan], [True, False], ["a"], [2**70], [1j]]


def written(code, levels):
    writer = BitWriter()
    code.write(writer, levels)
    return writer.to_bytes(), writer.bits


@every_code
@pytest.mark.parametrize("levels", NO_ARRAYS + [np.array(item) for item in NO_WHOLE_NUMBERS], ids=repr)
def test_only_arrays_of_whole_numbers_are_levels(code, levels):
    name = type(code).__name__
    for method, call in (("write", written), ("bits", lambda code, given: code.bits(given))):
        with pytest.raises(
            ArgumentError, match=rf"^{name}\.{method}: levels=.* must be an array of whole numbers \(.*d"
        ):
            call(code, levels)


@every_code
def test_axes_that_no_code_has_are_named_with_the_remedy(code):
    name = type(code).__name__
    for shape, remedy in (((2, 4), "write one vector after another"), ((), "atleast_1d")):
        with pytest.raises(ArgumentError) as error:
            written(code, np.zeros(shape, np.int64))
        assert str(error.value).startswith(f"{name}.write: levels have shape {shape}, must be (d,); ")
        assert remedy in str(error.value)
    with pytest.raises(ArgumentError, match=rf"^{name}\.bits: levels have shape \(\), must be \(\.\.\., d\)"):
        code.bits(np.array(3))


@every_code
def test_a_level_beyond_the_code_is_named(code):
    name, most = type(code).__name__, 2**63 - 1 - isinstance(code, DenseCode)
    beyond = [np.array([0, 7, -(2**63), 1]), np.array([0, 0, 2**63 + 5], dtype=np.uint64)]
    beyond += [np.array([-(2**63)]), np.array([2**63 - 1])][: 1 + isinstance(code, DenseCode)]
    for levels in beyond:
        j = int(np.argmax(np.abs(levels.astype(float))))
        words = rf"levels\[{j}\] = {levels[j]} must be from -\d+ to \d+; take larger steps"
        for method, call in (("write", written), ("bits", lambda code, given: code.bits(given))):
            with pytest.raises(ArgumentError, match=rf"^{name}\.{method}: {words}"):
                call(code, levels)
    for levels in (np.array([most, 0, -most]), np.array([-most])):
        data = written(code, levels)
        assert int(code.bits(levels)) == data[1]
        assert code.read(BitReader(*data), len(levels)).tolist() == levels.tolist()


@every_code
@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", ">i8", "u1", "u2", "u8"])
def test_whole_numbers_of_every_type_have_the_code_of_int64(code, dtype):
    ends = np.iinfo(dtype)
    # The magnitude of the least number of a short type, and one more than the largest, are not of that type.
    levels = np.array([0, max(ends.min, -(2**62)), 3, min(ends.max, 2**62), 0], dtype=dtype)
    assert written(code, levels) == written(code, levels.astype(np.int64))
    assert int(code.bits(levels)) == written(code, levels)[1]
    assert code.read(BitReader(*written(code, levels)), 5).tolist() == levels.tolist()


@every_code
def test_no_coordinates_have_the_bits_that_are_written(code):
    for shape in ((0,), (2, 3, 0)):
        found = code.bits(np.zeros(shape, np.int64))
        assert found.shape == shape[:-1]
        assert (found == written(code, np.zeros(0, np.int64))[1]).all()


def readers(code):
    read = [lambda reader, d: code.read(reader, d)]
    return read + [lambda reader, d: code.read_entries(reader, d, 3)] * isinstance(code, SparseCode)


@every_code
@pytest.mark.parametrize("d", [-1, 1.5, True, None, "a", np.float64(2)], ids=repr)
def test_a_number_of_coordinates_is_whole(code, d):
    for read in readers(code):
        with pytest.raises(
            ArgumentError, match=r"d=.* must be a whole number of at least 0; give the number"
        ):
            read(BitReader(b"\xff" * 8, 64), d)


@every_code
@pytest.mark.parametrize("d", [10**6, 2**36, 2**45, 2**70])
def test_a_payload_of_few_bytes_takes_little_memory_whatever_its_header_says(code, d, peak):
    levels = np.array([0, 1, -2, 0, 3, -1, 0, 0])
    data = written(code, levels)
    code.read(BitReader(*data), 8)  # tables are made once
    for read in readers(code):

        def refused(read=read):
            with pytest.raises((IndexError, ValueError)):
                read(BitReader(*data), d)
            with pytest.raises(IndexError, match="the payload ends inside"):
                code.read(BitReader(b"", 0), d)

        refused()
        assert peak(refused) < 2**17


def test_a_long_vector_of_few_levels_comes_back(tier):
    levels = np.zeros(10**6, np.int64)
    levels[[3, 999_998]] = [-4, 5]
    for code in CODES[:2]:
        assert np.array_equal(code.read(BitReader(*written(code, levels)), len(levels)), levels)
