"""Golden numbers of the specification for QSGD with a chosen number of levels."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.adaptive import cat_qsgd
from impl.communication import Payload
from impl.compressors import StochasticQuantizer
from verify.cat.finding_qsgd_not_monotone import best_full_code, measured
from verify.cat.golden_vectors import GI, gc, gh, rational
from verify.cat.qsgd_adaptive import VECTORS, Claimed, compare, eighth
from verify.evaluation import evaluate

CLAIM = theory.claim("cat/qsgd-adaptive")


@pytest.mark.parametrize(
    ("s", "share"),
    list(enumerate((0.424288594773, 0.733836961814, 0.873817449674, 0.914333063924), 1)),
)
def test_shares_of_gi(s, share):
    g = np.array(GI, dtype=float)
    values = {"g": g, "N": float(np.linalg.norm(g)), "d": len(g), "levels": s}
    assert evaluate(CLAIM.exact, values) == pytest.approx(share, rel=1e-11)  # twelve digits are printed
    found = 173 / (173 + float(StochasticQuantizer(F(1, s)).variance(g)))
    assert found == pytest.approx(share, rel=1e-11)


@pytest.mark.parametrize(
    ("g", "size", "efficiency"),
    [(GI, 3, 0.0156038830299), (gh(), 7, 0.00291278393082), (gc(), 31, 0.000140853389659)],
    ids=["gi", "gh", "gc"],
)
def test_rule(g, size, efficiency):
    choice = cat_qsgd(np.asarray(g, dtype=float), Payload())
    assert choice.size == size
    assert choice.efficiency == pytest.approx(efficiency, rel=1e-11)


def test_four_equal_entries():
    g = rational((1, 1, 1, 1))
    assert [measured(g, s) for s in (1, 2, 3, 4)] == [F(1, 2), 1, F(9, 10), 1]
    assert evaluate(CLAIM.bound, {"d": 4, "levels": 1}) == 0.5
    # An eighth claims a variance of 1/2 instead of 1.
    assert (1 / eighth(4, 1) - 1) * 2 == 1 / 0.5 - 1
    assert best_full_code(g, Payload()) == (3, F(9, 440))


@pytest.mark.parametrize("name", VECTORS)
def test_holds(name):
    assert not any(item.excess for item in compare(rational(VECTORS[name]), Claimed()))


def test_mutants_are_rejected():
    g = rational(VECTORS["equal"])
    assert any(item.excess for item in compare(g, Claimed(eighth)))
    assert any(item.excess for item in compare(g, Claimed(monotone=True)))
