"""Golden numbers of the specification for convex functions."""

from fractions import Fraction as F

import pytest

import theory
from verify.ndqsg.convergence.conv_convex import judge

CLAIM, LAW = theory.claim("ndqsg/conv-convex"), judge._law()
# Printed with 10 to 16 digits after the point.
DIGITS = 5e-14


@pytest.mark.parametrize(
    ("T", "golden"), [(100, 0.0579166666667), (1000, 0.0339166666667), (10**12, 0.03125)]
)
def test_bound(T, golden):
    V = LAW.exactly("variance", sigma_sq=F(1, 2), K_sq=1, d=12, M=2, P=4)
    assert F(3, 16) == V
    # The last golden is the limit, which T = 10^12 misses by 3e-12.
    found = LAW("bound", L=1, R=1, V=V, eta=F(1, 4), T=T)
    assert found == pytest.approx(golden, abs=max(DIGITS, 4 / T * (T > 1000)))


@pytest.mark.parametrize(
    ("case", "value", "bound", "tightness"),
    [
        (0, 0.000519390581738, 0.001157407407407, 0.45),
        (1, 0.003425925925926, 0.010416666666667, 0.33),
        (2, 0.002181440443213, 0.004629629629630, 0.47),
    ],
)
def test_from_the_minimum(case, value, bound, tightness):
    values = dict(CLAIM.worst_cases[case].values)
    found = LAW("at_the_minimum", **values)
    assert found == pytest.approx(value, abs=5e-16)
    stated = LAW("bound", **values, L=1, R=0)
    assert stated == pytest.approx(bound, abs=5e-16)
    assert found / stated == pytest.approx(tightness, abs=5e-3)


@pytest.mark.parametrize(("case", "P", "excess"), [(0, 4, 1.80), (1, 4, 1.32)])
def test_squared_workers(case, P, excess):
    values = dict(CLAIM.worst_cases[case].values)
    mutated = LAW("bound", **{**values, "V": values["V"] / P}, L=1, R=0)
    assert LAW("at_the_minimum", **values) / mutated == pytest.approx(excess, abs=5e-3)


def test_the_supremum_of_the_tightness_is_one_half():
    values = {"eta": 1e-4, "V": 1.0, "T": 10**9}
    assert 0.499 < LAW("at_the_minimum", **values) / LAW("bound", **values, L=1, R=0) < 0.5
