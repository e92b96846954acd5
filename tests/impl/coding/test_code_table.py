"""Reading many words at once gives what reading one by one gives, errors included."""

import numpy as np
import pytest

from impl.coding import GAMMA, OMEGA, BitReader, BitWriter
from impl.coding.fixed_width import FixedWidth


def reader_of(text):
    return BitReader(int(text + "0" * (-len(text) % 8), 2).to_bytes(-(-len(text) // 8), "big"), len(text))


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
