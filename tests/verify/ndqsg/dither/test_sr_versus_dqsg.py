"""Golden numbers on stochastic rounding against dithering, on quantile vectors and small ones."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import StochasticQuantizer
from impl.compressors.one_bit import OneBit
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.rounded_vectors import rounding_variance, vector

CLAIM = theory.claim("ndqsg/sr-versus-dqsg")
FOUR = (F(3), F(-1), F(1, 2), F(0))
SIX = (F(1, 3), F(-2, 3), F(1), F(1, 7), F(0), F(-5, 6))
SPARSE = theory.claim("ndqsg/finding-sparse-gradients")

# Relative variances, printed with 13 decimals: half a unit of the last one.
DIGITS = 5.5e-14
TABLE = {
    "gauss": (0.9034723642119, 1.6282979870824, 0.1003858182458, 0.2005220130163, 0.3628332768718),
    "laplace": (1.9998545122221, 2.4716956313059, 0.2222060569136, 0.4088310581870, 0.4977688592358),
    "sparse": (9.2519517590824, 0.8935192451693, 1.0279946398980, 0.0998728093114, 0.6687771988628),
}


def relative(name, x, M):
    values = {"kappa": float(np.abs(x).max()), "M": M, "d": len(x)}
    given = {**values, "g": x} if name == "exact" else values
    return evaluate(CLAIM.formulas[name], given) / float((x**2).sum())


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


@pytest.mark.parametrize("claim", [CLAIM, SPARSE], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    formula = claim.exact if claim.exact is not None else claim.bound
    for case in claim.worst_cases:
        assert evaluate_exact(formula, case.values) == case.value
