"""Golden numbers of the specification for gains below one."""

from fractions import Fraction as F

import pytest
from sympy import Rational

from theory.ndqsg.finding_gain_below_one import CLAIM as FINDING
from theory.ndqsg.nested_alpha import CLAIM as MESSAGE
from theory.ndqsg.nested_alpha_aggregate import CLAIM as AVERAGE
from theory.ndqsg.nested_alpha_aggregate import INDEPENDENT_ERRORS
from verify.comparison import rational
from verify.evaluation import evaluate, evaluate_exact

D = F(1, 12)
GOLDEN = {"sigma_n_sq": F(1, 4), "D": D}


@pytest.mark.parametrize(
    ("variance", "gain", "golden"),
    [(F(1, 4), F(5, 6), Rational(11, 144)), (F(1, 10), F(7, 12), Rational(19, 288))],
)
def test_best_gain_of_a_message(variance, gain, golden):
    values = {"D": D, "sigma_z_sq": variance}
    assert rational(evaluate_exact(MESSAGE.formulas["best"], values)) == gain
    assert evaluate_exact(MESSAGE.formulas["least"], values) == golden
    assert evaluate_exact(MESSAGE.exact, {**values, "a": gain}) == golden


def test_gain_zero_for_an_innovation_far_below_the_step():
    values = {"a": 0, "D": D, "sigma_z_sq": F(1, 30)}
    assert evaluate_exact(MESSAGE.exact, values) == Rational(1, 30)
    # There D exceeds twice the variance, and the unconstrained minimiser is negative.
    assert evaluate_exact(MESSAGE.formulas["best"], {"D": D, "sigma_z_sq": F(1, 30)}) < 0


def test_unsquared_gain_is_too_small_by_6_6_percent():
    root = (5 / 6) ** 0.5
    mutant = 5 / 72 + (1 - root) ** 2 / 4
    assert mutant / (11 / 144) - 1 == pytest.approx(-0.066, abs=5e-4)


def test_unit_gain_at_the_decoder_costs_11_percent():
    root = (5 / 6) ** 0.5
    mutant = (1 - root) ** 2 / 4 + 1 / 12
    assert mutant / (11 / 144) - 1 == pytest.approx(0.11, abs=7e-3)


@pytest.mark.parametrize(
    ("m", "a", "golden"),
    [
        (2, 1, Rational(1, 12)),
        (2, F(81, 100), Rational(84427, 960000)),
        (4, F(81, 100), Rational(84427, 1920000)),
    ],
)
def test_variance_of_the_average(m, a, golden):
    assert evaluate_exact(AVERAGE.exact, {**GOLDEN, "m": m, "a": a}) == golden
    decimals = {2: 0.0879447916667, 4: 0.0439723958333}
    if a != 1:
        assert float(golden) == pytest.approx(decimals[m], abs=5e-14)


@pytest.mark.parametrize(
    ("noise", "fine", "gain"), [(0.25, 1 / 12, 0.0045), (1.0, 1.0, 0.021), (0.0, 1.0, 0.125)]
)
def test_gain_above_one_saves_little(noise, fine, gain):
    # The specification gives two digits.
    found = evaluate(AVERAGE.formulas["relative_gain"], {"sigma_n_sq": noise, "D": fine})
    assert found == pytest.approx(gain, rel=0.02)


@pytest.mark.parametrize(("m", "deficit"), [(2, -0.0536), (4, -0.0578), (8, -0.0600)])
def test_independent_errors_are_too_small(m, deficit):
    # The specification gives -5.4 % for m = 2; its -6.0 % for m = 4 is the value at m = 8.
    values = {**GOLDEN, "m": m, "a": F(81, 100)}
    ratio = evaluate_exact(INDEPENDENT_ERRORS, values) / evaluate_exact(AVERAGE.exact, values)
    assert float(ratio) - 1 == pytest.approx(deficit, abs=5e-5)


@pytest.mark.parametrize("claim", [MESSAGE, AVERAGE], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        assert evaluate_exact(claim.exact, case.values) == case.value, case.description


def test_worst_cases_of_the_finding():
    for case in FINDING.worst_cases:
        assert evaluate_exact(FINDING.exact, case.values) == case.value, case.description
        inputs = {key: case.values[key] for key in ("sigma_n_sq", "D", "m")}
        innovation = evaluate_exact(FINDING.formulas["innovation"], inputs)
        assert innovation == case.values["sigma_z_sq"]
    lost = evaluate_exact(FINDING.exact, {**GOLDEN, "m": 2, "sigma_z_sq": F(5, 12)})
    assert float(lost / Rational(1, 12)) == pytest.approx(0.021, abs=5e-4)
