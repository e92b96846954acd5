"""Messages of few fields: one long integer against arrays, the same code with the limit between them at 0."""

import numpy as np
import pytest

from impl.coding import BitReader, BitWriter, bit_stream, symbol_words


def _with_arrays(monkeypatch, module, call):
    def run():
        with monkeypatch.context() as patch:
            patch.setattr(module, "_FEW", 0)
            return call()

    return run


def _calls(count):
    """Return module and call by name, for fields of 32 bits behind three others, and ternary symbols."""
    rng = np.random.default_rng(0)
    writer = BitWriter()
    writer.append(3, 3)
    writer.append(rng.integers(0, 2**32, count, dtype=np.uint64), 32)
    data, symbols = writer.to_bytes(), rng.integers(0, 3, count)
    words = symbol_words.to_words(symbols, 3, 0)

    def read():
        reader = BitReader(data, writer.bits)
        reader.read(3)
        return reader.read_many(count, 32).tobytes()

    return {
        "to_bytes": (bit_stream, writer.to_bytes),
        "read_many": (bit_stream, read),
        "to_words": (symbol_words, lambda: symbol_words.to_words(symbols, 3, 0).tobytes()),
        "from_words": (symbol_words, lambda: symbol_words.from_words(words, count, 3, 0).tobytes()),
    }


@pytest.mark.parametrize(
    ("name", "count", "target"),
    [
        ("to_bytes", 6, 12.0),
        ("to_bytes", 100, 2.5),
        ("read_many", 6, 2.0),
        ("to_words", 6, 8.0),
        ("to_words", 100, 3.0),
        ("from_words", 6, 6.0),
        ("from_words", 100, 4.0),
    ],
)
def test_few_fields_are_faster_as_one_integer(cpu_ratio, require, monkeypatch, name, count, target):
    module, call = _calls(count)[name]
    arrays = _with_arrays(monkeypatch, module, call)
    assert arrays() == call()  # the same bytes, so that no side is fast because it does less
    measured = cpu_ratio(arrays, call)
    print(f"{name} of {count}: arrays {1e3 * measured.a_ms:.0f} us, one integer {1e3 * measured.b_ms:.1f} us")
    require(measured.ratio, target)
