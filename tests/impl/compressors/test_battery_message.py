"""What every compressor owes: messages. Round trip, bits, damage and wrong receivers."""

from fractions import Fraction

import numpy as np
import pytest

from impl.coding import GAMMA, BitReader, BitWriter
from impl.compressors import DitheredQuantizer, Draws, Key, RandK, TopK, wire
from impl.errors import MessageError


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_round_trip(compressor, dtype, gaussian):
    key = Key(seed=(1, 2), worker=3, iteration=4)
    for batch in ((), (3,), (2, 2)):
        for seed in range(5):
            x = gaussian(compressor, *batch, seed=seed, dtype=dtype)
            draws = compressor.draw_keyed(key, x.shape, dtype)
            data = compressor.encode(x, draws, key)
            received = compressor.decode(data, key=key)
            assert received.dtype == dtype
            assert received.tobytes() == compressor.compress(x, draws).tobytes()


def test_bits_are_the_length_of_the_payload(compressor, gaussian):
    d = compressor.dimension or 6
    header = len(compressor.encode(np.zeros(d), compressor.draw(np.random.default_rng(0), (d,))))
    header -= -(-compressor.message(np.zeros(d), compressor.draw(np.random.default_rng(0), (d,))).bits // 8)
    for seed in range(10):
        x = gaussian(compressor, seed=seed)
        draws = compressor.draw(np.random.default_rng(seed), x.shape)
        bits = compressor.message(x, draws).bits
        assert isinstance(bits, int)
        assert len(compressor.encode(x, draws)) - header == -(-bits // 8)


def test_a_message_is_little_longer_than_its_payload(compressor):
    key, rng = Key((2**64 - 1, 6), 2**40, 2**40), np.random.default_rng(0)
    for d in [compressor.dimension] if compressor.dimension else (6, 127, 2**14, 2**16):
        x = np.random.default_rng(d).standard_normal(d)
        for given, draws, most in (
            (None, compressor.draw(rng, x.shape), 8),
            (key, compressor.draw_keyed(key, x.shape), 16),
        ):
            payload = -(-compressor.message(x, draws).bits // 8)
            assert 0 < len(compressor.encode(x, draws, given)) - payload <= most


@pytest.mark.parametrize("key", [None, Key((5, 6), 0, 1)], ids=["without a key", "with one"])
def test_every_flipped_bit_and_truncation_is_detected(compressor, gaussian, key):
    x = gaussian(compressor)
    draws = (
        compressor.draw(np.random.default_rng(3), x.shape)
        if key is None
        else compressor.draw_keyed(key, x.shape)
    )
    data, shared = compressor.encode(x, draws, key), draws.shared if key is None else None
    for length in range(len(data)):
        with pytest.raises(MessageError, match="truncated"):
            compressor.decode(data[:length], shared, key)
    for more in (b"\0", data):
        with pytest.raises(MessageError, match="the checksum differs"):
            compressor.decode(data + more, shared, key)
    for bit in range(8 * len(data)):
        wrong = bytearray(data)
        wrong[bit // 8] ^= 1 << bit % 8
        with pytest.raises(MessageError):
            compressor.decode(bytes(wrong), shared, key)
    whole = compressor.decode(data, shared, key)
    assert np.array_equal(compressor.decode(bytearray(data), shared, key), whole)
    with pytest.raises(MessageError, match="another key or round"):
        compressor.decode(data, shared, Key((5, 6), 0, 2))


def test_without_a_key_another_compressor_is_detected(compressor, gaussian, examples):
    x = gaussian(compressor)
    draws = compressor.draw(np.random.default_rng(3), x.shape)
    data = compressor.encode(x, draws)
    for other in examples:
        if other != compressor:
            # Draws of another kind are an argument that is wrong.
            with pytest.raises(ValueError, match=r"or made by another compressor|draws\.shared must"):
                other.decode(data, draws.shared)


def test_expected_bits_equal_enumeration(compressor, rationals):
    for x in rationals(compressor):
        mean = Fraction(0)
        for probability, draws in compressor.outcomes(x):
            private = None if draws.private is None else np.array([float(u) for u in draws.private])
            mean += (
                probability * compressor.message(np.array(x, dtype=float), Draws(draws.shared, private)).bits
            )
        exact = compressor.expected_bits(x)
        assert isinstance(exact, Fraction)
        assert exact == mean
        # The float path sums at most some hundred terms.
        assert compressor.expected_bits([float(item) for item in x]) == pytest.approx(float(mean), rel=1e-12)


def test_expected_bits_of_a_batch(compressor, gaussian):
    x = gaussian(compressor, 3, 2)
    x[1, 1] = 0
    batch = compressor.expected_bits(x)
    assert batch.shape == (3, 2)
    for index in np.ndindex(3, 2):
        assert batch[index] == pytest.approx(compressor.expected_bits(x[index]), rel=1e-14)


def test_another_key_round_or_compressor_is_detected(compressor, gaussian, examples):
    key = Key(seed=(5, 6), worker=0, iteration=1)
    x = gaussian(compressor)
    data = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    for other in (
        Key((5, 7), 0, 1),
        Key((5, 6), 1, 1),
        Key((5, 6), 0, 2),
        Key((5, 6), 0, 1, tensor=1),
        None,
    ):
        with pytest.raises(MessageError, match="another key or round"):
            compressor.decode(data, key=other)
    for other in examples:
        if other != compressor:
            with pytest.raises(MessageError, match=r"another compressor|other parameters|seal differs"):
                other.decode(data, key=key)


def test_a_shape_that_the_payload_does_not_have_takes_no_memory(compressor, gaussian, peak):
    x = gaussian(compressor)
    written = compressor.payload(compressor.message(x, compressor.draw(np.random.default_rng(3), x.shape)))
    data, bits, d = written.to_bytes(), written.bits, len(x)
    shapes = [(2**20, d), (2**40, d), (2**63, 2**63, d), (2**60, 0, d), (3, 0), (2**40, 0), (2**70,)]
    if not isinstance(compressor, RandK):  # of which only the draws tell d
        shapes += [(10**6,), (2**36,), (2**45,)]

    def refused():
        for shape in shapes:
            with pytest.raises(MessageError, match="the payload is no message of"):
                compressor.message_of(BitReader(data, bits), shape)
            with pytest.raises(MessageError, match="the payload is no message of"):
                compressor.message_of(BitReader(b"", 0), (2**40, d))

    compressor.message_of(BitReader(data, bits), x.shape)  # tables are made once
    refused()
    assert peak(refused) < 2**18


@pytest.mark.parametrize("quantizer", [DitheredQuantizer(3), DitheredQuantizer(1, blocks=7)], ids=repr)
def test_draws_are_not_made_for_a_shape_that_the_payload_does_not_have(quantizer, peak):
    key, x = Key((1, 2), 3, 4), np.arange(6.0)
    payload = quantizer.payload(quantizer.message(x, quantizer.draw_keyed(key, x.shape)))
    forged = wire.Envelope((2**36,), np.dtype(np.float64), True)
    data = wire.pack(forged, quantizer._agreed(key, None), payload)

    def refused():
        with pytest.raises(MessageError, match="the payload ends inside a field"):
            quantizer.decode(data, key=key)

    refused()
    assert peak(refused) < 2**15


@pytest.mark.parametrize("key", [None, Key((1, 2), 3, 4)], ids=["without a key", "with one"])
def test_an_array_that_memory_does_not_hold_is_an_error_of_the_message(key):
    d, alone = 2**50, TopK(1)
    zeros = BitWriter()
    zeros.append(*GAMMA.fields(np.array(d + 1)))  # the sentinel alone: a message of zeros
    one = RandK(1).payload(RandK(1).message([1.0], Draws(np.array([0]))))
    for compressor, payload, shared in ((alone, zeros, None), (RandK(1), one, np.array([5]))):
        forged = wire.Envelope((d,), np.dtype(np.float64), key is not None)
        data = wire.pack(forged, compressor._agreed(key, shared), payload)
        with pytest.raises(
            MessageError, match=r"of an array of shape \(1125899906842624,\): there is not en"
        ):
            compressor.decode(data, shared, key)
