"""Rules for thresholds: closed moments against enumeration and draws; quantizers with them."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.cq_marina.fixtures.joint_enumeration import enumerate_joint
from verify.cq_marina.fixtures.sabotaged_thresholds import (
    Antithetic,
    Common,
    NoJitter,
    SabotagedQuantizer,
    ShiftedCell,
    SignMagnitude,
    Stratified,
    Unshared,
    bits,
    enumerated_bits,
    enumerated_error,
)

RULES = [Stratified(), NoJitter(), ShiftedCell(), Common(), Unshared()]
INPUTS = [
    (F(1, 9), F(2, 9), F(4, 9), F(8, 9)),
    (F(1, 3), F(1, 2), F(3, 5)),
    (F(1, 2), F(1, 2)),
    (F(0), F(1, 4), F(1), F(7, 8)),
    (F(2, 7),),
]
ROWS = [[F(3), F(-4)], [F(-8), F(6)]]


def column(y):
    return np.array([float(item) for item in y])[:, None]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("y", INPUTS, ids=lambda y: "-".join(map(str, y)))
def test_moments_are_those_of_the_outcomes(rule, y):
    outcomes = list(enumerated_bits(rule, y))
    assert sum(p for p, _ in outcomes) == 1
    means = [sum(p * found[i] for p, found in outcomes) for i in range(len(y))]
    np.testing.assert_allclose(rule.means(column(y))[:, 0], np.array(means, dtype=float), atol=1e-15)
    expected = [
        [sum(p * (b[i] - means[i]) * (b[l] - means[l]) for p, b in outcomes) for l in range(len(y))]
        for i in range(len(y))
    ]
    found = rule.covariances(column(y))[..., 0]
    np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=1e-15)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_draws_have_those_moments(rule):
    # 20 000 draws: six standard errors of a mean of numbers in [-1, 1] are below 0.05.
    y = column(INPUTS[1])
    rng = np.random.default_rng(5)
    shape = (20_000, 3, 1)
    found = bits(rule.strata(rng, shape), rule.jitter(rng, shape), y)[..., 0].astype(float)
    np.testing.assert_allclose(found.mean(axis=0), rule.means(y)[:, 0], atol=0.05)
    np.testing.assert_allclose(np.cov(found.T, bias=True), rule.covariances(y)[..., 0], atol=0.05)


def test_mean_squared_errors_are_batched():
    rng = np.random.default_rng(2)
    y, c = rng.random((4, 3, 2)), rng.normal(size=(4, 3, 2))
    rule = ShiftedCell()
    found = rule.mean_squared_errors(y, c)
    assert found.shape == (4, 2)
    expected = enumerated_error(rule, y[1, :, 0].tolist(), c[1, :, 0].tolist())
    assert found[1, 0] == pytest.approx(float(expected), rel=1e-12)


# The quantizer itself refuses strata 1..n, so that a shifted cell is judged by its bits only.
QUANTIZED = [rule for rule in RULES if not isinstance(rule, ShiftedCell)]


@pytest.mark.parametrize("grid", ["binary", "ternary"])
@pytest.mark.parametrize("rule", QUANTIZED, ids=lambda rule: type(rule).__name__)
def test_quantizer_has_the_error_of_its_outcomes(grid, rule):
    quantizer = SabotagedQuantizer(grid, rule)
    expected = enumerate_joint(quantizer, ROWS).error
    assert quantizer.variance(ROWS) == expected
    floats = np.array(ROWS, dtype=float)
    assert quantizer.variance(floats) == pytest.approx(float(expected), rel=1e-13)


def test_honest_rules_give_the_honest_quantizers():
    x = np.random.default_rng(3).normal(size=(5, 4, 6))
    for grid in ("binary", "ternary"):
        for rule, honest in (
            (Stratified(), CorrelatedQuantizer(grid)),
            (Unshared(), IndependentQuantizer(grid)),
        ):
            np.testing.assert_allclose(
                SabotagedQuantizer(grid, rule).variance(x), honest.variance(x), rtol=1e-12
            )


def test_antithetic_pair_has_one_threshold():
    rng = np.random.default_rng(4)
    rule, shape = Antithetic(), (50, 2, 3)
    strata, jitter = rule.strata(rng, shape), rule.jitter(rng, shape)
    assert (strata[:, 0] == strata[:, 1]).all()
    assert (jitter[:, 0] == jitter[:, 1]).all()


def test_sign_magnitude_has_the_error_of_its_outcomes():
    quantizer = SignMagnitude()
    moments = enumerate_joint(quantizer, ROWS)
    assert moments.mean == (F(-5, 2), F(1))
    assert quantizer.variance(ROWS) == moments.error
    assert quantizer.variance(np.array(ROWS, dtype=float)) == pytest.approx(float(moments.error), rel=1e-13)


def test_sign_magnitude_compresses_as_its_literal_form():
    quantizer, rng = SignMagnitude(), np.random.default_rng(6)
    x = rng.normal(size=(3, 5))
    draws = quantizer.draw(rng, x.shape)
    np.testing.assert_allclose(
        quantizer.compress(x, draws), quantizer.reference(x.tolist(), draws), rtol=1e-14
    )
