"""Golden numbers of the two findings on blocks, from the formulas of the claims alone."""

import math

import pytest
from sympy import Rational, sqrt

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.squant.fixtures.exponents import exponent

AWARE = theory.claim("squant/finding-aware-sqrt-gain")
NOTHING = theory.claim("squant/finding-blocks-add-nothing")
BOUNDS = theory.claim("squant/bounds").formulas
STEPS = theory.claim("squant/steps").formulas
GAIN = theory.claim("squant/gain-block").formulas

DIGITS = 2e-14
SIZES = (4, 16, 64, 256)


def awareness(name, n):
    """Return K_std / K_plus at the smaller branch, which is the quarter one for n = 4."""
    if n >= 8:
        return evaluate(AWARE.formulas[f"{name}_std_plus"], {"n": n})
    d = 8 * n**2
    rest = {"V": Rational(1, n), "H": Rational(1, n**2)}[name]
    diagonal = [1] * (d // n) + [rest] * (d - d // n)
    step = evaluate(STEPS["uniform_step"], {"beta": d // n, "d": d})
    branches = [
        evaluate(BOUNDS[branch], {"L": diagonal, "h": [step] * d, "d": d}) for branch in ("coarse", "quarter")
    ]
    assert branches[1] < branches[0]
    L = (1 + (n - 1) * rest) / n
    mu = {"V": Rational(1, n), "H": L}[name]
    return evaluate(GAIN[f"{name}_K_std"], {"n": n}) * float(mu) / (float(L) + 2 * branches[1] / n)


@pytest.mark.parametrize(("name", "slope"), [("V", 0.508636941995), ("H", 0.441477336556)])
def test_awareness_alone_gains_a_root(name, slope):
    found = [awareness(name, n) for n in SIZES]
    # Printed with 12 digits.
    assert exponent(SIZES, found) == pytest.approx(slope, rel=2e-12)
    assert 0.4 <= exponent(SIZES, found) <= 0.6


@pytest.mark.parametrize("name", ["V", "H"])
def test_blocks_gain_a_root_beyond_it(name):
    for n in SIZES[1:]:
        gain = evaluate(AWARE.formulas[f"{name}_plus_block"], {"n": n})
        assert evaluate(AWARE.formulas[f"{name}_least"], {"n": n}) <= gain
        assert gain <= evaluate(AWARE.bound, {"n": n})
        plus = evaluate(AWARE.formulas[f"{name}_K_plus"], {"n": n})
        block = evaluate(GAIN[f"{name}_K_block"], {"n": n} if name == "V" else {})
        assert plus / block == pytest.approx(gain, rel=DIGITS)


def test_closed_form_of_one_heavy_node():
    for n in SIZES:
        expected = (2 * n - 1) / n + 2 * math.sqrt(n + 1 - 1 / n)
        assert evaluate(AWARE.formulas["V_K_plus"], {"n": n}) == pytest.approx(expected, rel=DIGITS)


def test_few_heavy_coordinates_leave_nothing_to_the_blocks():
    for n in SIZES:
        values = {"n": n, "d": 8 * n**2}
        nu_tr = evaluate_exact(NOTHING.formulas["W_nu_tr"], values)
        rho = evaluate_exact(NOTHING.formulas["W_rho"], values)
        limit = evaluate_exact(NOTHING.formulas["W_limit"], {})
        assert evaluate_exact(NOTHING.bound, {"nu_tr": nu_tr, "rho": rho}) <= limit
        assert limit == 1 + 2 * sqrt(2)
        norm = evaluate(NOTHING.formulas["c_plus_bound"], {"d": values["d"], "nu_tr": nu_tr, "L_max": 1})
        assert norm == pytest.approx(math.sqrt(values["d"] * nu_tr), rel=DIGITS)
        common = {**values, "nu_tr": nu_tr, "rho": rho, "L": 1, "mu": 1}
        most = evaluate(NOTHING.formulas["K_plus_bound"], common)
        assert most <= evaluate(NOTHING.bound, {"nu_tr": nu_tr, "rho": rho})
        assert evaluate(NOTHING.formulas["K_least"], {"L": 1, "mu": 1}) == 1
