"""Codes of levels by kernels: the bytes, lengths, levels and errors of the codes themselves."""

import numpy as np
import pytest

import impl
from impl.coding import GAMMA, OMEGA, BitReader, BitWriter, DenseCode, SparseCode
from impl.compressors import StochasticQuantizer
from impl.errors import MessageError

CODES = [SparseCode(GAMMA), SparseCode(OMEGA), DenseCode(GAMMA), DenseCode(OMEGA)]
every_code = pytest.mark.parametrize("code", CODES, ids=repr)


def written(code, rows):
    writer = BitWriter()
    for row in rows:
        code.write(writer, np.array(row, dtype=np.int64))
    return writer.to_bytes(), writer.bits


def vectors():
    """Yield levels: sparse and dense ones, long gaps, large numbers, every length near a word of 64."""
    rng = np.random.default_rng(0)
    for length in (1, 2, 63, 64, 65, 127, 128, 129, 1000):
        yield [0] * length
        yield [5] * length
        yield [0] * (length - 1) + [-1]
        yield rng.integers(-2, 3, length).tolist()
        yield np.where(rng.random(length) < 0.05, rng.integers(-30, 31, length), 0).tolist()
    yield rng.integers(-300, 301, 5000).tolist()
    yield [2**15 - 2, -(2**15) + 2, 2**15 - 1, 2**15, 0, -1]  # the last numbers of the tables, and beyond
    yield [2**62, -(2**62), 1, 2**31, 2**32 - 1, -(2**32)]
    yield [1, *[0] * (2**15 - 2), 1, *[0] * (2**15 - 1), -1, *[0] * 40_000]


@every_code
def test_kernels_write_and_read_what_the_codes_do(code):
    for levels in vectors():
        rows = [levels, levels[::-1]]
        plain = written(code, rows)
        with impl.tier("fused"):
            assert written(code, rows) == plain
            reader = BitReader(*plain)
            assert [code.read(reader, len(levels)).tolist() for _ in rows] == rows
            reader.finish()
            counted = code.bits(np.array([rows, rows[::-1]]))
        assert counted.dtype == np.int64
        assert np.array_equal(counted, code.bits(np.array([rows, rows[::-1]])))
        assert int(counted[0].sum()) == plain[1]


@every_code
def test_what_no_code_writes_is_refused_with_the_same_words(code):
    rng = np.random.default_rng(1)
    data, bits = written(code, [rng.integers(-4, 5, 40)])
    refused = set()
    for trial in range(600):
        wrong = bytearray(data if trial % 3 else rng.bytes(len(data)))
        wrong[trial % len(data)] ^= int(rng.integers(1, 256))
        end, d = bits - trial % 5, (40, 1, 300)[trial % 3]
        found = []
        for tier in impl.tiers.TIERS:
            with impl.tier(tier):
                reader = BitReader(bytes(wrong), end)
                try:
                    found.append((code.read(reader, d).tolist(), reader.at))
                except (IndexError, ValueError, OverflowError) as error:
                    found.append((type(error), str(error)))
                    refused.add(type(error))
        assert found[0] == found[1]
    assert IndexError in refused
    assert ValueError in refused or code == DenseCode(GAMMA)  # of which every long enough stream is one


@pytest.mark.parametrize("name", ["sparse-gamma", "sparse-omega", "dense-gamma"])
def test_messages_of_a_quantizer_are_the_same_on_both_tiers(name):
    quantizer = StochasticQuantizer(1 / 3, code=name)
    x = np.random.default_rng(2).standard_normal((3, 500))
    draws = quantizer.draw(np.random.default_rng(3), x.shape)
    data, decoded = quantizer.encode(x, draws), quantizer.compress(x, draws)
    bits = quantizer.message(x, draws).bits
    with impl.tier("fused"):
        assert quantizer.encode(x, draws) == data
        assert quantizer.decode(data).tobytes() == decoded.tobytes()
        assert np.array_equal(quantizer.message(x, draws).bits, bits)
        with pytest.raises(MessageError):
            quantizer.decode(data[:-1])


def test_levels_of_other_integers_are_left_to_the_codes():
    levels = np.array([1, 0, -2], dtype=np.int8)
    with impl.tier("fused"):
        writer = BitWriter()
        CODES[0].write(writer, levels)
    assert writer.to_bytes() == written(CODES[0], [levels])[0]
