"""Golden numbers of the specification for the choices of the rules: size and efficiency at public vectors."""

from fractions import Fraction as F

import pytest

from impl.adaptive import SortedGradient, cat_s, cat_sq, cat_st, expected_cost, keep_probabilities, omegas
from impl.communication import PRESETS, Affine, LoRaAirtime, Packet
from verify.cat.fixtures.golden_vectors import GI, gc, gh, rational
from verify.cat.fixtures.literal_shares import betas

EXACT = [
    (cat_s, Affine(1, 0), 1, 1, F(81, 173)),
    (cat_s, Affine(1, 1), 1, 1, F(81, 346)),
    (cat_s, Affine(1, 5), 1, 3, F(71, 692)),
    (cat_s, Affine(1, 40), 1, 6, F(171, 7958)),
    (cat_s, Packet(3), 2, 1, F(81, 173)),
    (cat_s, Packet(5), 2, 2, F(117, 173)),
    (cat_sq, Affine(1, 0), 1, 1, F(81, 173)),
    (cat_sq, Affine(1, 5), 1, 3, F(50, 519)),
    (cat_sq, Affine(1, 40), 1, 4, F(36, 1903)),
    (cat_st, Affine(1, 0), 1, 1, F(173, 961)),
    (cat_st, Affine(1, 5), 1, 6, F(346, 4015)),
]
SHARES = {
    "entries": "81/173 117/173 142/173 158/173 167/173 171/173 172/173 1",
    "signs": "81/173 225/346 400/519 144/173 729/865 841/1038 900/1211 961/1384",
    "random": "173/961 346/961 519/961 519/727 519/607 346/365 173/175 1",
}
# Printed with twelve digits.
LINKS = [
    (cat_s, gh, "affine", 3, 0.00113188257934),
    (cat_s, gc, "affine", 204, 4.29135860007e-5),
    (cat_s, gh, "6lowpan", 17, 0.000915841189528),
    (cat_s, gc, "6lowpan", 77, 2.88193032051e-5),
    (cat_s, gh, "lora51", 10, 0.001857636823),
    (cat_s, gc, "lora51", 68, 3.78162784183e-5),
    (cat_s, gh, "eth", 64, 8.12743823147e-5),
    (cat_s, gc, "eth", 278, 4.24414783824e-5),
    (cat_sq, gh, "affine", 2, 0.00103048548322),
    (cat_sq, gc, "affine", 312, 0.000140832422868),
    (cat_sq, gh, "6lowpan", 2, 0.00064889593398),
    (cat_sq, gc, "6lowpan", 114, 0.000106043019553),
    (cat_sq, gc, "eth", 740, 7.49816770432e-5),
    (cat_st, gh, "affine", 14, 0.000661373805727),
    (cat_st, gc, "affine", 663, 2.87120064703e-5),
]


@pytest.mark.parametrize(("rule", "cost", "bits", "size", "efficiency"), EXACT)
def test_choices_at_gi(rule, cost, bits, size, efficiency):
    choice = rule(rational(GI), cost, entry_bits=bits)
    assert (choice.size, choice.efficiency) == (size, efficiency)


def test_shares_at_gi():
    found = SortedGradient(rational(GI), "test")
    energies = [item / found.energies[-1] for item in found.energies]
    shares = {"entries": energies, "signs": betas(rational(GI)), "random": omegas(found)}
    assert {name: " ".join(map(str, item)) for name, item in shares.items()} == SHARES


@pytest.mark.parametrize(
    ("vector", "kind", "shares"),
    [
        (gh, "entries", {1: 0.613711354449, 5: 0.898234757386}),
        (gc, "entries", {1: 0.00200077058302, 50: 0.0998224714672}),
        (gh, "random", {1: 0.0724046495497, 5: 0.361759650571, 20: 0.872640506634}),
        (gc, "random", {50: 0.0616665873895}),
    ],
)
def test_shares_of_long_vectors(vector, kind, shares):
    found = SortedGradient(vector(), "test")
    values = omegas(found) if kind == "random" else found.energies / found.energies[-1]
    assert [float(values[T - 1]) for T in shares] == pytest.approx(list(shares.values()), rel=1e-11)


def test_expected_cost_of_two_entries():
    p = keep_probabilities(rational(GI), 2)
    found = [expected_cost(chances, Packet(64), 35) for chances in (p, [sum(p) / 8] * 8)]
    # The second one is of equal probabilities, which are not those of the rule.
    assert list(map(float, found)) == [
        pytest.approx(1.67005528028, rel=1e-11),
        pytest.approx(1.65086, rel=3e-6),
    ]


@pytest.mark.parametrize(("rule", "vector", "link", "size", "efficiency"), LINKS)
def test_choices_by_link(rule, vector, link, size, efficiency):
    choice = rule(vector(), PRESETS[link])
    assert (choice.size, float(choice.efficiency)) == (size, pytest.approx(efficiency, rel=1e-11))


def test_choice_inside_of_a_packet():
    choice = cat_s([F(1, 2**j) for j in range(16)], PRESETS["eth-wire"])
    assert (choice.size, float(choice.efficiency)) == (2, pytest.approx(0.00134698275893, rel=5e-12))


def test_time_on_air():
    # Spreading factor 12 at 125 kHz: milliseconds of 9 and of 51 bytes.
    assert [LoRaAirtime(12)(8 * size) for size in (9, 51)] == pytest.approx([1482.752, 2793.472], rel=1e-15)
