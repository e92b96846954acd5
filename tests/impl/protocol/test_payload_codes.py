"""Entropy coded payloads: round trip, damage, lengths near the ideal, large alphabets."""

import struct

import numpy as np
import pytest

from impl.coding.adaptive_coder import ideal_bits
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.errors import ArgumentError, CorruptMessage, MessageError
from impl.protocol import Receiver, Sender, unpack


@pytest.fixture(params=["adaptive", "range"])
def code(request):
    if request.param == "range":
        pytest.importorskip("constriction")
    return request.param


def test_the_estimate_does_not_depend_on_the_code(code, seed, nested_case):
    g = np.random.default_rng(0).standard_normal(3000)
    for codec in (DitheredQuantizer(1), DitheredQuantizer(3, 100), DitheredQuantizer(127)):
        received = [
            Receiver(seed=seed, worker=0).receive(
                Sender(codec, seed=seed, worker=0, safe=True, code=name).send(g)
            )
            for name in ("raw", code)
        ]
        assert received[0].estimate.tobytes() == received[1].estimate.tobytes()
        assert received[1].payload_bits < received[0].payload_bits
    data, side, _ = nested_case(NestedDitheredQuantizer(3, 4), code=code)
    raw, _, _ = nested_case(NestedDitheredQuantizer(3, 4))
    one, other = (Receiver(seed=seed, worker=2).receive(item, side) for item in (data, raw))
    assert one.estimate.tobytes() == other.estimate.tobytes()


def test_the_length_is_near_the_ideal(code, seed):
    g = np.random.default_rng(0).standard_normal(20_000)
    received = Receiver(seed=seed, worker=0).receive(
        Sender(DitheredQuantizer(3), seed=seed, worker=0, code=code).send(g)
    )
    ideal = ideal_bits(np.bincount(received.symbols + 3, minlength=7))
    assert abs(received.payload_bits - ideal) <= 500 + 0.001 * ideal


def test_damage_of_the_payload_is_detected_even_with_a_checksum_that_fits(code, seed, forge):
    data = Sender(DitheredQuantizer(1), seed=seed, worker=0, safe=True, code=code).send(
        np.linspace(-1, 1, 60)
    )
    start = len(data) - 8 - len(unpack(data).payload)
    for bit in range(8 * start, 8 * (len(data) - 8)):
        wrong = bytearray(data)
        wrong[bit // 8] ^= 1 << bit % 8
        with pytest.raises(CorruptMessage):
            Receiver(seed=seed, worker=0).receive(forge(wrong))


def test_no_memory_is_taken_for_what_is_not_there(seed, forge):
    data = bytearray(Sender(DitheredQuantizer(1), seed=seed, worker=0, code="adaptive").send(np.ones(5)))
    for d in (2**30, 2**63):
        struct.pack_into("<QQ", data, 40, d, d)
        with pytest.raises(MessageError, match="are not sent by an entropy code"):
            Receiver(seed=seed, worker=0).receive(forge(data))


def test_an_alphabet_that_is_too_large_for_a_model(seed):
    for codec in (DitheredQuantizer(2**16), NestedDitheredQuantizer(3, 2**20)):
        sender = Sender(codec, seed=seed, worker=0, code="adaptive")
        with pytest.raises(ArgumentError, match="too large for a model; use code='raw'"):
            sender.send(np.ones(3))
