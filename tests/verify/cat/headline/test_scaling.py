"""Golden numbers of the specification for the gain as the dimension grows."""

import pytest

import theory
from verify.cat.headline.scaling import RHO, judge, maximiser, stated_size
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
    law = judge.units[0].law
    assert maximiser(law, RHO, r) == pytest.approx(continuous, rel=1e-9)  # ten digits at least
    assert stated_size(law, RHO, r, 1000) == size
    values = {"rho": 0.9, "T": size, "d": 1000, "r": r}
    assert evaluate(CLAIM.formulas["efficiency"], values) == pytest.approx(best, rel=digits)
    assert evaluate(CLAIM.formulas["gain"], values) == pytest.approx(gain, rel=digits)


@pytest.mark.parametrize(
    ("d", "gain"), [(250, 8.49567833415), (500, 16.6645998092), (2000, 65.6781286600), (4000, 131.029500461)]
)
def test_gain_as_the_dimension_grows(d, gain):
    values = {"rho": 0.9, "T": 11, "d": d, "r": 10}
    assert evaluate(CLAIM.formulas["gain"], values) == pytest.approx(gain, rel=TWELVE)
