"""Golden numbers on stochastic rounding against dithering, on quantile vectors and small ones."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import StochasticQuantizer
from impl.compressors.one_bit import OneBit
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.sr_versus_dqsg import FOUR, SIX, relative, rounding_variance, vector

CLAIM = theory.claim("ndqsg/sr-versus-dqsg")
SPARSE = theory.claim("ndqsg/finding-sparse-gradients")

# Relative variances, printed with 13 decimals: half a unit of the last one.
DIGITS = 5.5e-14
TABLE = {
    "gauss": (0.9034723642119, 1.6282979870824, 0.1003858182458, 0.2005220130163, 0.3628332768718),
    "laplace": (1.9998545122221, 2.4716956313059, 0.2222060569136, 0.4088310581870, 0.4977688592358),
    "sparse": (9.2519517590824, 0.8935192451693, 1.0279946398980, 0.0998728093114, 0.6687771988628),
}


@pytest.mark.parametrize(("name", "row"), TABLE.items())
def test_quantile_vectors(name, row):
    x = vector(name)
    norm = float((x**2).sum())
    found = (
        relative("dqsg", x, 1),
        relative("exact", x, 1),
        relative("dqsg", x, 3),
        relative("exact", x, 3),
        float(OneBit().variance(x)) / norm,
    )
    assert found == pytest.approx(row, abs=DIGITS, rel=1e-13)  # round-off of a thousand terms
    assert float(rounding_variance(x, 3)) / norm == pytest.approx(row[3], abs=DIGITS, rel=1e-13)


@pytest.mark.parametrize(
    ("g", "M", "golden"),
    [
        (FOUR, 1, Rational(13, 4)),
        (FOUR, 2, Rational(1)),
        (FOUR, 3, Rational(1, 4)),
        (SIX, 1, Rational(415, 588)),
        (SIX, 2, Rational(32, 147)),
        (SIX, 3, Rational(97, 1764)),
    ],
)
def test_small_vectors(g, M, golden):
    values = {"g": g, "kappa": max(map(abs, g)), "d": len(g)}
    assert evaluate_exact(CLAIM.exact, {**values, "M": M}) == golden
    if M == 1:
        assert evaluate_exact(CLAIM.formulas["one_level"], values) == golden


@pytest.mark.parametrize(("g", "golden"), [(FOUR, 1.433201123261228), (SIX, 0.46387027858366261)])
def test_euclidean_scale_with_two_levels(g, golden):
    x = np.array(g, dtype=float)
    norm = float(np.linalg.norm(x))
    values = {"g": x, "norm": norm, "s": 2, "d": len(g)}
    # Printed with 16 digits; a product of a few float64 numbers is good to some units of the last.
    assert evaluate(CLAIM.formulas["euclidean"], values) == pytest.approx(golden, rel=2e-15)
    assert StochasticQuantizer([0.5] * len(g)).variance(x) == pytest.approx(golden, rel=2e-15)


@pytest.mark.parametrize(("g", "golden"), [(FOUR, F(31, 6)), (SIX, F(2119, 3528))])
def test_one_bit(g, golden):
    assert OneBit().variance(list(g)) == golden


def test_half_steps_are_nearly_three_times_as_bad():
    d = 1000
    x = np.r_[1.0, np.full(d - 1, 0.5)]
    values = {"kappa": 1.0, "M": 1, "d": d}
    ratio = evaluate(CLAIM.exact, {"g": x, **values}) / evaluate(CLAIM.formulas["dqsg"], values)
    assert ratio == pytest.approx(2.997, rel=1e-12)


def test_two_fold_bound_is_exceeded_by_one_half():
    values = {"kappa": 1, "M": 1, "d": 4}
    two_fold = 2 * evaluate_exact(CLAIM.formulas["dqsg"], values)
    assert evaluate_exact(CLAIM.bound, values) / two_fold == Rational(3, 2)


def test_dithering_loses_by_ten_on_the_sparse_vector_and_wins_on_the_spread_one():
    sparse, gauss = TABLE["sparse"], TABLE["gauss"]
    assert sparse[0] / sparse[1] > 10
    assert sparse[2] / sparse[3] > 10
    # 45 % less, as the finding says.
    assert 1 - gauss[0] / gauss[1] == pytest.approx(0.45, abs=5e-3)


@pytest.mark.parametrize("claim", [CLAIM, SPARSE], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    formula = claim.exact if claim.exact is not None else claim.bound
    for case in claim.worst_cases:
        assert evaluate_exact(formula, case.values) == case.value
