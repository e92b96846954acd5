"""Sizes and costs of messages: the tables of the specification, exactness, errors."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from impl.communication import (
    PRESETS,
    Affine,
    CostModel,
    LoRaAirtime,
    Packet,
    Payload,
    Wire,
    dense_bits,
    dense_sign_bits,
    index_bits,
    levels_bits,
    sign_entries_bits,
    sparse_bits,
)
from impl.errors import ArgumentError

MODELS = [
    Affine(F(3, 2), 7),
    Packet(11, 5, F(1, 3)),
    Wire(11, 6, 2),
    LoRaAirtime(7, 125_000, 1776, 13, 5),
    *PRESETS.values(),
]


@pytest.mark.parametrize(
    ("d", "bits"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1000, 10), (1024, 10), (1025, 11)]
)
def test_index_bits_are_counted_in_integers(d, bits):
    assert index_bits(d) == bits


def test_payloads():
    assert sparse_bits(3, 1000) == 3 * (10 + 32)
    assert sparse_bits(3, 1000, 64) == 3 * (10 + 64)
    assert sparse_bits(1, 1) == 32
    assert sign_entries_bits(3, 1000) == 32 + 3 * 11
    assert sign_entries_bits(1, 1) == 33
    assert dense_bits(64) == 2048
    assert dense_bits(64, 64) == 4096
    assert dense_sign_bits(64) == 96
    # A level of 0, ..., s takes ceil(log2(s + 1)) bits.
    assert [levels_bits(s, 10) - 42 for s in (1, 2, 3, 4, 255)] == [10, 20, 20, 30, 80]
    np.testing.assert_array_equal(sparse_bits(np.arange(3), 8), [0, 35, 70])


def test_sizes_of_the_presets():
    assert PRESETS["payload"] == Payload()
    assert PRESETS["affine"] == Affine(1, 624)
    assert PRESETS["eth"] == Packet(11680, 12304)
    assert PRESETS["eth-wire"] == Wire(11680, 624)
    assert PRESETS["6lowpan"] == Packet(648, 1064)
    assert PRESETS["lora51"] == Packet(408, 512)
    assert PRESETS["lora-airtime"] == LoRaAirtime(12, 125_000, 408, 13)


def test_costs():
    assert Payload()(F(7, 2)) == F(7, 2)
    assert Affine(2, 5)(10) == 25
    assert [Packet(3, 4, 1)(bits) for bits in (0, 1, 3, 4, 6, 7)] == [1, 5, 5, 9, 9, 13]
    assert [Wire(3, 4, 1)(bits) for bits in (0, 1, 3, 4)] == [1, 6, 8, 13]
    assert PRESETS["eth"](11681) == 2 * 12304
    assert PRESETS["eth-wire"](11681) == 11681 + 2 * 624


# Printed with three digits after the point; the values are exact there.
def test_what_is_left_out_is_one_bit_or_packet_and_nothing_fixed():
    assert Affine() == Affine(1, 0)
    assert Packet(3) == Packet(3, 1, 0)
    assert Wire(3, 1) == Wire(3, 1, 0)


@pytest.mark.parametrize(("size", "milliseconds"), [(9, F(1482752, 1000)), (51, F(2793472, 1000))])
def test_time_on_air_of_one_frame(size, milliseconds):
    model = LoRaAirtime(spreading_factor=12, bandwidth=125_000)
    assert model.frame_time(size) == milliseconds
    assert model(8 * size) == milliseconds
    assert model.frame_time(np.array([size]))[0] == pytest.approx(float(milliseconds), rel=1e-14)


def test_long_messages_fill_frames_and_a_last_one_in_whole_bytes():
    model = LoRaAirtime(fixed=3)
    full = model.frame_time(51)
    assert model(408) == full + 3
    assert model(2 * 408) == 2 * full + 3
    assert model(2 * 408 + 1) == 2 * full + model.frame_time(1) + 3
    assert model(F(817, 2)) == full + model.frame_time(1) + 3
    assert model(408 + 9) == full + model.frame_time(2) + 3
    assert model(0) == model.empty == 3


def test_low_data_rate_is_optimised_above_sixteen_milliseconds():
    # T_s = 16.384 ms at SF 11 and 8.192 ms at SF 10, both at 125 kHz.
    assert LoRaAirtime(11).symbol == F(16384, 1000)
    payload = 20
    for factor, slow in ((7, 0), (10, 0), (11, 2), (12, 2)):
        model = LoRaAirtime(factor)
        needed = -(-(8 * (payload + 13) - 4 * factor + 44) // (4 * (factor - slow)))
        assert model.frame_time(payload) == (F(49, 4) + 8 + 5 * needed) * F(2**factor, 125)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_arrays_and_numbers_agree(model):
    bits = np.arange(0, 2000, 37)
    expected = [float(model(int(item))) for item in bits]
    # Time on air is a sum of products of float64 numbers.
    for given in (bits, bits.astype(float)):
        # Prices that are Fractions give arrays of Fractions.
        np.testing.assert_allclose(np.asarray(model(given), dtype=float), expected, rtol=1e-14)
    assert np.ndim(model(bits[3])) == 0


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_costs_never_fall_and_are_exact(model):
    costs = [model(bits) for bits in range(900)]
    assert all(first <= second for first, second in pairwise(costs))
    assert all(isinstance(cost, int | F) for cost in costs)
    assert isinstance(model(F(5, 2)), int | F)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_message_without_an_entry_costs_the_fixed_price(model):
    assert model.empty == getattr(model, "fixed", 0)


def test_models_are_values():
    assert Packet(3, 4) == Packet(3, 4, 0)
    assert hash(Packet(3, 4)) == hash(Packet(3, 4, 0))
    assert Packet(3, 4) != Packet(3, 5)
    assert Affine(3, 4) != Packet(3, 4)
    assert repr(Packet(3, per_packet=4)) == "Packet(3, per_packet=4)"
    assert repr(LoRaAirtime()) == "LoRaAirtime(12, 125000, 408, 13)"


def test_early_stops_and_packets_are_declared():
    affine = [model for model in MODELS if model.is_affine]
    assert {type(model) for model in affine} == {Payload, Affine}
    assert [model.frame for model in (Packet(7), Wire(7, 1), LoRaAirtime(), Payload())] == [
        7,
        None,
        None,
        None,
    ]
    assert issubclass(Packet, CostModel)


@pytest.mark.parametrize("model", [Payload(), Affine(), Packet(3), Wire(3, 1), LoRaAirtime()], ids=repr)
@pytest.mark.parametrize("bits", [-1, F(-1, 2), np.array([1, -2]), float("nan"), "8", True, None])
def test_payloads_that_are_none(model, bits):
    with pytest.raises(ArgumentError, match="bits="):
        model(bits)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Affine(0), ["per_bit=0"]),
        (lambda: Affine(-1, -2), ["per_bit=-1", "fixed=-2"]),
        (lambda: Affine(float("inf")), ["per_bit=inf"]),
        (lambda: Affine(float("nan")), ["per_bit=nan"]),
        (lambda: Affine(True), ["per_bit=True"]),
        (lambda: Packet(0), ["payload_bits=0"]),
        (lambda: Packet(2.5, 0, -1), ["payload_bits=2.5", "per_packet=0", "fixed=-1"]),
        (lambda: Packet(True), ["payload_bits=True"]),
        (lambda: Wire(-3, -1), ["payload_bits=-3", "overhead=-1"]),
        (lambda: Wire(3, 1, -1), ["fixed=-1"]),
        (lambda: LoRaAirtime(13), ["spreading_factor=13"]),
        (
            lambda: LoRaAirtime(6, 0, 0, -1, "x"),
            ["spreading_factor=6", "bandwidth=0", "payload_bits=0", "fixed='x'"],
        ),
    ],
)
def test_wrong_prices_are_all_named(make, named):
    with pytest.raises(ArgumentError) as caught:
        make()
    for part in named:
        assert part in str(caught.value)
