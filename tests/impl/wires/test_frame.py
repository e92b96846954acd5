"""Frames: small, and only the expected one is taken."""

import numpy as np
import pytest

from impl.coding.bit_stream import BitWriter
from impl.errors import MessageError
from impl.wires import Place
from impl.wires.numbers import read_numbers, write_numbers

PLACE = Place("up", 2, 300)


def payload(bits, seed=0):
    writer = BitWriter()
    writer.append(np.random.default_rng(seed).integers(0, 2, bits), 1)
    return writer


@pytest.mark.parametrize("bits", [0, 1, 7, 8, 96, 127, 8 * 300, 8 * 2**15 - 3, 8 * 2**21])
def test_a_frame_has_at_most_eight_bytes_beside_its_payload(bits, session):
    data = session.pack(payload(bits), PLACE)
    assert len(data) - -(-bits // 8) <= 8
    reader = session.unpack(data, PLACE)
    assert (reader.bits, reader.data) == (bits, payload(bits).to_bytes())


def test_every_flipped_bit_cut_and_byte_too_many_is_refused(session):
    data = session.pack(payload(93), PLACE)
    wrong = [data[:length] for length in range(len(data))] + [data + b"\0", data + data]
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        wrong.append(bytes(flipped))
    for item in wrong:
        with pytest.raises(MessageError, match="the message from worker 2 in round 300"):
            session.unpack(item, PLACE)
    with pytest.raises(MessageError, match="has 15 bytes and announces 17: it was cut"):
        session.unpack(data[:-2], PLACE)


@pytest.mark.parametrize("bits", [32, 64])
def test_numbers_arrive(bits, session):
    x = np.random.default_rng(0).standard_normal(7)
    reader = session.unpack(session.pack(write_numbers(x, bits), PLACE), PLACE)
    assert read_numbers(reader, 7, bits).tolist() == x.astype(f"f{bits // 8}").astype(float).tolist()
    for d in (6, 8):
        reader = session.unpack(session.pack(write_numbers(x, bits), PLACE), PLACE)
        with pytest.raises(MessageError, match=f"not that of {d} numbers of {bits} bits"):
            read_numbers(reader, d, bits)
