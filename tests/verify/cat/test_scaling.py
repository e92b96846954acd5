"""Golden numbers of the specification for the gain as the dimension grows."""

from fractions import Fraction as F

import pytest

import theory
from verify.cat.scaling import (
    RHO,
    RULES,
    compare_all_sizes,
    compare_flat,
    compare_long,
    efficiency,
    maximiser,
    stated_size,
)
from verify.evaluation import evaluate

CLAIM = theory.claim("cat/scaling")
# Twelve digits, fewer where fewer are printed.
TWELVE, SEVEN = 1e-11, 1e-7
ROWS = [
    (1, 4.04754181459, 4, 0.06878, 68.84878, SEVEN),
    (10, 11.111613485, 11, 0.0326756859005, 33.0024427595, TWELVE),
    (100, 25.17480574, 25, 0.00742568160985, 8.16824977083, TWELVE),
]


@pytest.mark.parametrize(("r", "continuous", "size", "best", "gain", "digits"), ROWS)
def test_a_thousand_entries(r, continuous, size, best, gain, digits):
    assert maximiser(RHO, r) == pytest.approx(continuous, rel=1e-9)  # ten digits at least
    assert stated_size(RHO, r, 1000) == size
    values = {"rho": 0.9, "T": size, "d": 1000, "r": r}
    assert evaluate(CLAIM.formulas["efficiency"], values) == pytest.approx(best, rel=digits)
    assert evaluate(CLAIM.formulas["gain"], values) == pytest.approx(gain, rel=digits)


@pytest.mark.parametrize(
    ("d", "gain"), [(250, 8.49567833415), (500, 16.6645998092), (2000, 65.6781286600), (4000, 131.029500461)]
)
def test_gain_as_the_dimension_grows(d, gain):
    values = {"rho": 0.9, "T": 11, "d": d, "r": 10}
    assert evaluate(CLAIM.formulas["gain"], values) == pytest.approx(gain, rel=TWELVE)


@pytest.mark.parametrize(("r", "size", "factor"), [(1, 5, 1.008), (10, 21, 1.137), (100, 125, 1.671)])
def test_without_minus_r(r, size, factor):
    rule = RULES["omit-r"]
    assert stated_size(RHO, r, 1000, rule) == size
    loss = efficiency(RHO, r, stated_size(RHO, r, 1000)) / efficiency(RHO, r, size)
    assert float(loss) == pytest.approx(factor, rel=1e-3)  # four digits are printed


@pytest.mark.parametrize(
    ("r", "continuous", "factor"), [(1, -4.7, 1.376), (10, -18.1, 3.594), (100, -109.5, 7.500)]
)
def test_other_branch(r, continuous, factor):
    rule = RULES["branch-zero"]
    assert maximiser(RHO, r, rule) == pytest.approx(continuous, abs=0.05)  # one digit behind the point
    assert stated_size(RHO, r, 1000, rule) == 1
    loss = efficiency(RHO, r, stated_size(RHO, r, 1000)) / efficiency(RHO, r, 1)
    assert float(loss) == pytest.approx(factor, rel=1e-3)


def test_flat_gradients_gain_nothing():
    values = {"d": 100, "c_0": F(1, 10), "c_1": 1}
    found = [evaluate(CLAIM.formulas["flat"], {**values, "T": T}) for T in (1, 50, 99, 100)]
    assert found == sorted(found)


def test_mutants_are_rejected():
    for name in ("branch-zero", "omit-r"):
        assert any(item.excess for item in compare_all_sizes(RULES[name]))
        assert any(item.excess for item in compare_long(RULES[name]))
    assert any(item.excess for item in compare_flat(RULES["gain-when-flat"]))
