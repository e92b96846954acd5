"""Golden numbers of the specification for entries that are kept at random and for several nodes."""

from fractions import Fraction as F

import pytest

import theory
from impl.adaptive import SortedGradient, cat_st, expected_cost, keep_probabilities, omegas
from impl.communication import Affine, Packet, index_bits
from verify.cat.fixtures.golden_vectors import GI, gc, gh, rational
from verify.cat.fixtures.probabilities import stated
from verify.evaluation import evaluate

TWELVE = 1e-11
SHARES = [F(173, 961), F(346, 961), F(519, 961), F(519, 727), F(519, 607), F(346, 365), F(173, 175), F(1)]


def test_shares_of_the_integers():
    assert [stated("exact", rational(GI), T) for T in range(1, 9)] == SHARES
    assert list(omegas(SortedGradient(rational(GI), "test"))) == SHARES


@pytest.mark.parametrize(("T", "share"), [(F(5, 2), 0.450052029136), (F(3, 4), 0.135015608741)])
def test_shares_between(T, share):
    assert float(stated("exact", rational(GI), T)) == pytest.approx(share, rel=TWELVE)


@pytest.mark.parametrize(
    ("g", "T", "share"),
    [
        (gh(), 1, 0.0724046495497),
        (gh(), 5, 0.361759650571),
        (gh(), 20, 0.872640506634),
        (gc(), 50, 0.0616665873895),
    ],
)
def test_shares_of_long_vectors(g, T, share):
    assert float(omegas(SortedGradient(g, "test"))[T - 1]) == pytest.approx(share, rel=TWELVE)


def test_rules():
    tied, paid = (cat_st(rational(GI), Affine(1, fixed), entry_bits=1) for fixed in (0, 5))
    assert (tied.size, tied.efficiency) == (1, F(173, 961))
    assert (paid.size, paid.efficiency) == (6, F(346, 4015))
    for g, size, efficiency in ((gh(), 14, 0.000661373805727), (gc(), 663, 2.87120064703e-5)):
        found = cat_st(g, Affine(1, 624), entry_bits=index_bits(len(g)) + 32)
        assert (found.size, float(found.efficiency)) == (size, pytest.approx(efficiency, rel=TWELVE))


def test_expected_packets():
    p = keep_probabilities(rational(GI), 2)
    assert float(expected_cost(p, Packet(64), 35)) == pytest.approx(1.67005528028, rel=TWELVE)
    binomial = expected_cost([sum(p) / 8] * 8, Packet(64), 35)
    assert float(binomial) == pytest.approx(1.65086, rel=1e-5)  # six digits are printed


def test_sizes_of_sixteen_nodes():
    claim, link = theory.claim("cat/mn-joint-rule"), {"n": 16, "d": 1024, "c_0": 10, "c_1": 1}
    assert evaluate(claim.formulas["optimum"], link) == pytest.approx(26.1278905897, rel=TWELVE)
    assert evaluate(claim.formulas["gain"], {**link, "T": 26}) == pytest.approx(8.45010215307, rel=TWELVE)
