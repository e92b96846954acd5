"""Costs of messages: sizes of the presets, exactness, what is declared, errors."""

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
)
from impl.errors import ArgumentError

MODELS = [
    Affine(F(3, 2), 7),
    Packet(11, 5, F(1, 3)),
    Wire(11, 6, 2),
    LoRaAirtime(7, 125_000, 1776, 13, 5),
    *PRESETS.values(),
]


def test_sizes_of_the_presets():
    assert PRESETS["payload"] == Payload()
    assert PRESETS["affine"] == Affine(1, 624)
    assert PRESETS["eth"] == Packet(11680, 12304)
    assert PRESETS["eth-wire"] == Wire(11680, 624)
    assert PRESETS["6lowpan"] == Packet(648, 1064)
    assert PRESETS["lora51"] == Packet(408, 512)
    assert PRESETS["lora-airtime"] == LoRaAirtime(12, 125_000, 408, 13)


def test_what_is_left_out_is_one_bit_or_packet_and_nothing_fixed():
    assert Affine() == Affine(1, 0)
    assert Packet(3) == Packet(3, 1, 0)
    assert Wire(3, 1) == Wire(3, 1, 0)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_costs_never_fall_and_are_exact(model):
    costs = [model(bits) for bits in range(900)]
    assert all(first <= second for first, second in pairwise(costs))
    assert all(isinstance(cost, int | F) for cost in costs)
    assert isinstance(model(F(5, 2)), int | F)


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


@pytest.mark.parametrize("model", [item for item in MODELS if item.unit == "ms"], ids=repr)
def test_expected_bits_of_a_fraction_take_a_whole_byte(model):
    full = model.payload_bits
    for bits in (F(1, 2), full + F(1, 4), full + 8 + F(1, 3), 2 * full - F(1, 2)):
        assert model(np.array([float(bits)])).tolist() == [pytest.approx(float(model(bits)), rel=1e-12)]


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
