"""Kernels of the wire protocol: the prescribed dither, indices, words and estimates of numpy, bit by bit."""

import numpy as np
import pytest

import impl
from impl.coding import symbol_words
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Key
from impl.compressors.dithered.dither_stream import KeyedDither, keyed_dither
from impl.protocol import Aggregator, Receiver, Sender

SEED = (2**64 - 1, 7)


def test_the_words_of_a_key_are_those_of_numpy():
    from impl.kernels.dithered.keyed_dither import fill_keyed_words

    key = Key(SEED, 2**63 - 1, 2**64 - 1, 3)
    expected = key.generator().bit_generator.random_raw(100)
    state = key.generator().bit_generator.state["state"]
    for first in range(20):
        for count in range(40):
            words = np.zeros(count, np.uint64)
            fill_keyed_words(words, np.uint64(first), state["counter"], state["key"])
            assert np.array_equal(words, expected[first : first + count])


@pytest.mark.parametrize("parts", [(1, 2, 3, 5, 8, 13, 70_001), (32_768, 32_768, 5)])
def test_dither_in_parts_is_the_prescribed_one(parts):
    key = Key(SEED, 1, 2)
    expected, lazy = keyed_dither(key, sum(parts)), KeyedDither(key, (sum(parts),))
    for tier in impl.tiers.TIERS:
        with impl.tier(tier):
            following = lazy.parts()
            assert np.concatenate([following(count) for count in parts]).tobytes() == expected.tobytes()


def gradients(d, dtype):
    rng = np.random.default_rng(d)
    yield rng.standard_normal(d).astype(dtype)
    yield np.zeros(d, dtype)
    yield (rng.standard_normal(d) * 10.0 ** rng.integers(-30, 30, d)).astype(dtype)
    last = np.zeros(d, dtype)
    last[-1] = -1
    yield last


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 21, 22, 23, 1000, 33_000])
@pytest.mark.parametrize(
    "codec",
    [
        DitheredQuantizer(1),
        DitheredQuantizer(3, blocks=7),
        DitheredQuantizer(100, norm_bits=32),
        DitheredQuantizer(2**24),
        NestedDitheredQuantizer(3, 3),
        NestedDitheredQuantizer(5, 4, 0.7, blocks=50),
        NestedDitheredQuantizer(2, 3, scale=0.01),
    ],
    ids=repr,
)
def test_messages_and_estimates_are_the_same_on_both_tiers(codec, d, dtype):
    for g in gradients(d, dtype):
        if codec.scale is not None and np.abs(g).max() > 1e6:
            continue
        found = []
        for tier in impl.tiers.TIERS:
            with impl.tier(tier):
                senders = [Sender(DitheredQuantizer(9), seed=SEED, worker=0)]
                senders.append(Sender(codec, seed=SEED, worker=1, safe=True))
                aggregator = Aggregator(2, seed=SEED)
                data = [sender.send(g) for sender in senders]
                try:
                    received = [item for part in data for item in aggregator.receive(part)]
                    kept = [item.estimate.tobytes() + item.symbols.tobytes() for item in received]
                    found.append((data, kept, aggregator.mean().tobytes()))
                except impl.errors.OverloadError as error:
                    found.append((data, str(error), None))
        assert found[0] == found[1]


@pytest.mark.parametrize("alphabet", [2, 3, 7, 255, 256, 257, 2**16, 2**21, 2**24, 2**32 - 1, 2**32])
def test_words_are_read_and_refused_in_the_same_way(alphabet):
    rng, n = np.random.default_rng(alphabet), symbol_words.symbols_per_word(alphabet)
    offset = alphabet // 2
    for d in (1, n - 1, n, n + 1, 3 * n, 5 * n + 1):
        symbols = rng.integers(0, alphabet, d) - offset
        symbols[-1] = alphabet - 1 - offset
        words = symbol_words.to_words(symbols, alphabet, offset)
        with impl.tier("fused"):
            assert np.array_equal(symbol_words.to_words(symbols, alphabet, offset), words)
            assert np.array_equal(symbol_words.from_words(words, d, alphabet, offset), symbols)
        for j in (0, d // 2, d - 1):
            for wrong in (-offset - 1, alphabet - offset, -(2**63), 2**63 - 1):
                changed = symbols.copy()
                changed[j] = wrong
                assert told(symbol_words.to_words, changed, alphabet, offset)
        for j in range(len(words)):
            changed = words.copy()
            changed[j] = rng.integers(0, 2**64, dtype=np.uint64) | np.uint64(1 << 63)
            told(symbol_words.from_words, changed, d, alphabet, offset)
            changed[j] = np.uint64(2**64 - 1)
            told(symbol_words.from_words, changed, d, alphabet, offset)
    assert symbol_words.to_words(np.array([], dtype=np.int64), alphabet, offset).size == 0


def told(call, *given):
    """Return what a call raises, the same on both tiers, or None for the same result."""
    found = []
    for tier in impl.tiers.TIERS:
        with impl.tier(tier):
            try:
                found.append(call(*given).tolist())
            except ValueError as error:
                found.append(str(error))
    assert found[0] == found[1]
    return found[0] if isinstance(found[0], str) else None


def test_a_damaged_message_is_refused_in_the_same_way(forge):
    data = Sender(DitheredQuantizer(1), seed=SEED, worker=0).send(np.linspace(-1, 1, 300))
    for at in range(len(data) - 4 - 8 * 8, len(data) - 4):
        wrong = bytearray(data)
        wrong[at] ^= 0xFF
        told(lambda given: Receiver(seed=SEED, worker=0).receive(given).symbols, forge(wrong))


@pytest.fixture
def forge():
    """Return a function: the message with a checksum that fits again."""
    import struct
    import zlib

    return lambda data: bytes(data[:-4]) + struct.pack("<I", zlib.crc32(data[:-4]))
