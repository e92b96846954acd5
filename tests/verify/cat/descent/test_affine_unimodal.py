"""Golden numbers of the specification for efficiencies with affine costs and packets."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from impl.adaptive import cat_s
from impl.communication import PRESETS, Packet
from verify.cat.descent.efficiencies import energies, smallest_maximiser
from verify.cat.descent.packet_candidates import AIRTIME, TWELVE, full_packets, judge
from verify.cat.fixtures.golden_vectors import GI, gc, gh, rational
from verify.evaluation import evaluate, evaluate_exact

AFFINE = theory.claim("cat/affine-unimodal")
LAW = judge._law()
CANDIDATES = theory.claim("cat/packet-candidates")
# Efficiencies are printed with 12 digits.
DIGITS = 5e-12


def efficiency(size, fixed):
    values = {"a": energies(GI), "T": size, "d": 8, "c_0": fixed, "c_1": 1}
    return evaluate_exact(AFFINE.exact, values)


@pytest.mark.parametrize(
    ("fixed", "size", "golden"),
    [
        (0, 1, Rational(81, 173)),
        (1, 1, Rational(81, 346)),
        (5, 3, Rational(71, 692)),
        (40, 6, Rational(171, 7958)),
    ],
)
def test_best_sizes_of_gi(fixed, size, golden):
    assert efficiency(size, fixed) == golden
    assert max(efficiency(T, fixed) for T in range(1, 9)) == golden


@pytest.mark.parametrize(
    ("vector", "size", "golden"), [(gh, 3, 0.00113188257934), (gc, 204, 4.29135860007e-5)]
)
def test_best_sizes_with_the_ethernet_overhead(vector, size, golden):
    g = vector()
    d, bits = len(g), 6 + 32 if len(g) == 64 else 10 + 32
    squares = sorted((g**2).tolist(), reverse=True)
    values = {"a": squares, "T": size, "d": d, "c_0": 624, "c_1": bits}
    assert evaluate(AFFINE.exact, values) == pytest.approx(golden, rel=DIGITS)
    assert cat_s(g, PRESETS["affine"]).size == size


# ---------------------------------------------------------------- packets


@pytest.mark.parametrize(("frame", "size", "golden"), [(3, 1, F(81, 173)), (5, 2, F(117, 173))])
def test_packets_of_gi(frame, size, golden):
    values = {"a": energies(GI), "d": 8, "b": 2, "P_max": frame, "c_0": 0, "c_1": 1}
    found = [evaluate_exact(CANDIDATES.exact, {**values, "T": T}) for T in range(1, 9)]
    assert found[size - 1] == max(found) == Rational(golden.numerator, golden.denominator)
    assert cat_s(rational(GI), Packet(frame), entry_bits=2).size == size


@pytest.mark.parametrize(
    ("vector", "preset", "size", "golden"),
    [
        (gh, "6lowpan", 17, 0.000915841189528),
        (gc, "6lowpan", 77, 2.88193032051e-5),
        (gh, "lora51", 10, 0.001857636823),
        (gc, "lora51", 68, 3.78162784183e-5),
        (gh, "eth", 64, 8.12743823147e-5),
        (gc, "eth", 278, 4.24414783824e-5),
    ],
)
def test_presets(vector, preset, size, golden):
    g, packet = vector(), PRESETS[preset]
    bits = 38 if len(g) == 64 else 42
    values = {"a": sorted((g**2).tolist(), reverse=True), "d": len(g), "T": size, "b": bits}
    prices = {"P_max": packet.payload_bits, "c_0": 0, "c_1": packet.per_packet}
    assert evaluate(CANDIDATES.exact, {**values, **prices}) == pytest.approx(golden, rel=DIGITS)
    # The size fills its packets, or it is all of them.
    counts = [
        evaluate(CANDIDATES.formulas["packets"], {"T": T, "b": bits, "P_max": packet.payload_bits})
        for T in (size, size + 1)
    ]
    assert counts[0] < counts[1] or size == len(g)


def test_more_than_one_peak():
    assert full_packets(LAW, TWELVE) == [1, 3, 4, 6, 7, 9, 10, 12]


@pytest.mark.parametrize(
    ("place", "size", "packed", "factor"), [(0, 5, 8, 1.227), (1, 2, 11, 1.766), (2, 2, 10, 1.520)]
)
def test_airtime(place, size, packed, factor):
    instance = AIRTIME[place]
    found, sizes = instance.found(), full_packets(LAW, instance)
    assert smallest_maximiser(found) == instance.chosen() == size
    chosen = max(sizes, key=lambda T: (found[T - 1], -T))
    assert chosen == packed
    assert float(found[size - 1] / found[chosen - 1]) == pytest.approx(factor, abs=5e-4)
