"""Golden numbers of the specification, from the formulas of the claim alone: the noise floor of DCGD+."""

import itertools
import math

import numpy as np
import pytest

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, names

CLAIM = theory.claim("squant/floor")
GOLDEN = {"d": 16, "step": 2, "delta": 1e-4}

# Goldens are printed with 15 digits.
DIGITS = 2e-14


def formula(name, **values):
    expression = CLAIM.expressions[name]
    return evaluate(expression, {key: values[key] for key in names(expression)})


def test_golden_noise():
    assert formula("unaware", **GOLDEN) == 7
    aware = formula("exact", **GOLDEN)
    assert aware == pytest.approx(284.685422799274, rel=DIGITS)
    # Printed with three digits.
    assert aware / 7 == pytest.approx(40.7, abs=0.05)
    assert float(CLAIM.worst_cases[0].value) == pytest.approx(aware, rel=DIGITS)


@pytest.mark.parametrize("transformed", [False, True])
def test_noise_is_the_exact_variance_of_the_quantizer(transformed):
    weights = np.repeat([1.0, GOLDEN["delta"]], 8)
    gradient = np.full(16, 0.25)
    y = gradient / np.sqrt(weights) if transformed else gradient
    length = float(np.linalg.norm(y))
    variance = evaluate(
        VAR.exact,
        {
            "x": y.tolist(),
            "h": (2,) * 16,
            "N": (length,) * 16,
            "L": weights.tolist() if transformed else (1,) * 16,
            "d": 16,
        },
    )
    # Sums of 16 products of doubles.
    assert variance == pytest.approx(formula("exact" if transformed else "unaware", **GOLDEN), rel=1e-12)


def test_noise_formula_of_any_gradient_agrees():
    weights = [1.0] * 8 + [GOLDEN["delta"]] * 8
    length = math.sqrt((1 + 1 / GOLDEN["delta"]) / 2)
    noise = formula("noise", step=2, norm=length, L=weights, g=[0.25] * 16, d=16)
    assert noise == pytest.approx(formula("exact", **GOLDEN), rel=1e-13)


def test_noise_grows_like_the_inverse_root():
    values = [formula("exact", **{**GOLDEN, "delta": 10.0**-k}) for k in (6, 8, 10, 12)]
    for smaller, larger in itertools.pairwise(values):
        # The exponent is reached up to sqrt(delta).
        assert larger / smaller == pytest.approx(10, rel=5e-3)
    for value, k in zip(values, (6, 8, 10, 12), strict=True):
        assert formula("growth", **{**GOLDEN, "delta": 10.0**-k}) <= value


def test_equal_matrices_settle_no_farther():
    for delta in (0.5, 1e-2, 1e-4):
        values = {**GOLDEN, "delta": delta}
        assert formula("settled", **values) <= formula("unaware_settled", **values)
