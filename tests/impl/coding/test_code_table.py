"""Reading many words at once gives what reading one by one gives, errors included."""

import numpy as np
import pytest

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, DenseCode, SparseCode
from impl.coding.fixed_width import FixedWidth

SIZES = [1, 3, 200, 10**5, 2**40]  # from several words in a window to words longer than any


def levels_of(size, d, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-size, size + 1, size=d) * (rng.random(d) < 0.4)


def literal_dense(elias, levels):
    signs = {True: "1", False: "0"}
    return "".join(elias.word(abs(k) + 1) + (signs[k < 0] if k else "") for k in levels)


def literal_sparse(elias, levels):
    text, last = "", 0
    for j, k in enumerate([*levels, None], start=1):
        if k != 0:
            text += elias.word(j - last) + ("" if k is None else ("1" if k < 0 else "0") + elias.word(abs(k)))
            last = j
    return text


def reader_of(text):
    return BitReader(int(text + "0" * (-len(text) % 8), 2).to_bytes(-(-len(text) // 8), "big"), len(text))


@pytest.mark.parametrize("elias", [GAMMA, OMEGA])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("code", "literal"), [(DenseCode, literal_dense), (SparseCode, literal_sparse)])
def test_vectors_that_follow_each_other(elias, size, code, literal):
    vectors = [levels_of(size, d, seed) for seed, d in enumerate((1, 40, 700, 3))]
    writer = BitWriter()
    writer.append([5], 3)  # off the bytes
    for levels in vectors:
        code(elias).write(writer, levels)
    text = "101" + "".join(literal(elias, levels.tolist()) for levels in vectors)
    assert writer.bits == len(text)
    assert writer.to_bytes() == reader_of(text).data
    reader = reader_of(text)
    assert reader.read(3) == 5
    for levels in vectors:
        assert code(elias).read(reader, len(levels)).tolist() == levels.tolist()
    reader.finish()


@pytest.mark.parametrize("elias", [GAMMA, OMEGA])
def test_more_than_a_stretch_of_windows_and_of_fields(elias):
    levels = levels_of(40, 2 * 10**5, 0)
    for code in (DenseCode(elias), SparseCode(elias)):
        writer = BitWriter()
        code.write(writer, levels)
        assert writer.bits == code.bits(levels)
        assert np.array_equal(code.read(BitReader(writer.to_bytes(), writer.bits), len(levels)), levels)


def one_by_one(elias, reader, count):
    return [elias.read(reader) for _ in range(count)]


@pytest.mark.parametrize("elias", [GAMMA, OMEGA])
def test_any_bits_are_read_as_one_by_one(elias):
    rng = np.random.default_rng(1)
    for _ in range(300):
        text = "".join(map(str, (rng.random(rng.integers(1, 90)) < rng.choice([0.1, 0.5, 0.9])).astype(int)))
        count = int(rng.integers(1, 30))
        first, second = reader_of(text), reader_of(text)
        try:
            expected = one_by_one(elias, first, count)
        except (IndexError, ValueError) as error:
            with pytest.raises(type(error), match=str(error)):
                elias.read_many(second, count)
            continue
        assert elias.read_many(second, count).tolist() == expected
        assert second.at == first.at


def test_a_symbol_beyond_the_last_is_named():
    writer = BitWriter()
    writer.append([1, 6, 7], 3)
    with pytest.raises(ValueError, match="symbol 7 is none of 0 to 6"):
        FixedWidth(7).read_many(BitReader(writer.to_bytes(), writer.bits), 3)
