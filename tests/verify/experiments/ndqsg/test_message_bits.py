"""Bits of recorded messages against the messages themselves, one by one."""

import numpy as np
import pytest

from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.errors import ArgumentError
from impl.protocol import Sender, unpack
from impl.protocol.payload import read_payload
from verify.experiments.ndqsg import message_bits as module
from verify.experiments.ndqsg.message_bits import message_bits, symbol_counts

CODECS = [
    DitheredQuantizer(1),
    DitheredQuantizer(3, blocks=100, norm_bits=32),
    DitheredQuantizer(127),
    NestedDitheredQuantizer(1, 2),
    NestedDitheredQuantizer(3, 4, blocks=256),
]


def symbols_of(codec, shape=(4, 3, 700), seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return codec.message(x, codec.draw(rng, shape))


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_each_message_by_itself(codec):
    message = symbols_of(codec)
    found = message_bits(codec, message.symbols)
    assert np.array_equal(np.full((4, 3), found.raw + found.scales), message.bits)
    assert np.isnan(found.coded).all()
    for place in np.ndindex(4, 3):
        symbols = message.symbols[place]
        counts = np.bincount(symbols + codec.offset, minlength=codec.alphabet)
        assert found.ideal[place] == pytest.approx(ideal_bits(counts), abs=1e-9)
        assert found.elias[place] == DenseCode(GAMMA).bits(symbols)
        own = AdaptiveCoder(codec.alphabet).bits(symbols + codec.offset)
        assert abs(own - found.ideal[place]) <= 2.1


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_whole_messages_are_those_on_the_wire(codec):
    x = np.random.default_rng(1).standard_normal(700)
    for code in ("raw", "adaptive"):
        sender = Sender(codec, seed=(1, 2), worker=3, code=code)
        data = sender.send(x)
        frame = unpack(data)
        found = message_bits(codec, read_payload(frame.payload, frame.header))
        payload = found.raw if code == "raw" else 8 * len(frame.payload)
        assert found.whole(payload) == 8 * len(data)


def test_the_range_coder_runs_on_every_so_many_messages():
    pytest.importorskip("constriction")
    codec = DitheredQuantizer(3)
    found = message_bits(codec, symbols_of(codec).symbols, every=5)
    coded = found.coded.ravel()
    assert np.flatnonzero(np.isfinite(coded)).tolist() == [0, 5, 10]
    overhead = (coded - found.ideal.ravel())[::5]
    assert (overhead >= -1).all()
    assert (overhead <= 33 + 700 * np.log2(256 / 255) + 0.01).all()


def test_one_message_has_no_leading_axes():
    codec = DitheredQuantizer(1)
    found = message_bits(codec, symbols_of(codec, (50,)).symbols)
    assert found.ideal.shape == found.elias.shape == found.coded.shape == ()


def test_counts_do_not_depend_on_how_many_are_taken_at_once(monkeypatch):
    digits = np.random.default_rng(0).integers(0, 5, (17, 30))
    whole = symbol_counts(digits, 5)
    assert np.array_equal(whole[3], np.bincount(digits[3], minlength=5))
    monkeypatch.setattr(module, "_AT_ONCE", 64)
    assert np.array_equal(symbol_counts(digits, 5), whole)


def test_what_is_refused():
    with pytest.raises(ArgumentError, match="has unbounded indices; give no fixed scale"):
        message_bits(DitheredQuantizer(1, scale=2.0), np.zeros(3, dtype=int))
    with pytest.raises(ValueError, match=r"leave the alphabet 0\.\.2"):
        message_bits(DitheredQuantizer(1), np.array([0, 2]))


def test_without_the_library_only_the_range_coder_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "constriction", None)
    codec = DitheredQuantizer(1)
    assert np.isfinite(message_bits(codec, np.zeros((2, 5), dtype=int)).ideal).all()
    with pytest.raises(ArgumentError, match=r"pip install 'boundcheck\[coding\]'"):
        message_bits(codec, np.zeros((2, 5), dtype=int), every=1)
