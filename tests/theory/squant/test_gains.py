"""Golden numbers of the specification for the gains over the unaware method, from the formulas alone."""

import numpy as np
import pytest

import theory
from verify.evaluation import evaluate, evaluate_exact, names

FINDING = theory.claim("squant/finding-matched-budget")
OPTIMAL = theory.claim("squant/gain-optimal")
VARY = theory.claim("squant/gain-vary")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


# ---------------------------------------------------------------- gain-vary

FAMILY_W = (
    (4, 7.71894604767880),
    (16, 21.3630331753555),
    (64, 42.3536907910555),
    (256, 42.6743988855914),
    (1024, 42.7553360942975),
)


@pytest.mark.parametrize(("position", "golden"), list(enumerate(FAMILY_W)))
def test_ratio_of_rounds_in_family_w(position, golden):
    n, ratio = golden
    case = VARY.worst_cases[position].values
    assert case["n"] == n
    values = {name: case[name] for name in ("n", "d", "rho", "nu_tr")}
    assert float(evaluate_exact(VARY.exact, values)) == digits(ratio)
    shared = {"n": n, "d": 64, "L": case["L"], "mu": 1}
    std = evaluate_exact(VARY.formulas["condition_std"], {**shared, "L_max": 1})
    vary = evaluate_exact(VARY.formulas["condition_vary"], {**shared, "trace": case["nu_tr"]})
    assert float(std / vary) == digits(ratio)


def test_ratio_grows_and_saturates():
    sizes, ratios = (np.log(np.array(column)) for column in zip(*FAMILY_W, strict=True))
    assert np.polyfit(sizes[:3], ratios[:3], 1)[0] > 0.5
    assert 0 <= np.polyfit(sizes[2:], ratios[2:], 1)[0] <= 0.02


def test_bounds_on_the_ratio():
    values = {"n": 16, "d": 64}
    assert evaluate(VARY.formulas["budget"], values) == 4
    assert evaluate(VARY.formulas["budget"], {"n": 64, "d": 16}) == 1
    assert evaluate(VARY.formulas["upper"], values) == 48
    assert evaluate(VARY.formulas["lower"], {**values, "rho": 0.5, "nu_tr": 2}) == digits(16 / 3)


# ---------------------------------------------------------------- gain-optimal


@pytest.mark.parametrize(
    ("position", "cost", "budget"), [(0, 354.509667991878, 22.6274169979695), (1, 186.509667991878, None)]
)
def test_cost_at_the_best_budget(position, cost, budget):
    case = OPTIMAL.worst_cases[position]
    found = evaluate(OPTIMAL.formulas["best_cost"], case.values)
    assert found == digits(cost)
    assert found == digits(float(case.value))
    values = {name: value for name, value in case.values.items() if name != "mu"}
    best = evaluate(OPTIMAL.formulas["best_budget"], values)
    assert evaluate(OPTIMAL.formulas["cost"], {**case.values, "beta": best}) == digits(cost)
    if budget is not None:
        assert best == digits(budget)


def test_rational_optimum():
    case = OPTIMAL.worst_cases[2]
    assert evaluate_exact(OPTIMAL.formulas["best_cost"], case.values) == case.value == 16
    assert evaluate_exact(OPTIMAL.formulas["cost"], {**case.values, "beta": 4}) == 16


# ---------------------------------------------------------------- finding-matched-budget


def test_gains_at_best_budgets():
    vary, block, similar = FINDING.worst_cases
    assert evaluate(FINDING.formulas["gain_vary"], vary.values) == digits(11.0784271247462)
    assert evaluate(FINDING.formulas["gain_block"], block.values) == digits(1.85078691002758)
    bound = {name: similar.values[name] for name in ("kappa", "d", "n")}
    assert evaluate_exact(FINDING.formulas["similar_upper"], bound) == similar.value == 3
    found = {name: similar.values[name] for name in ("kappa", "d", "rho", "nu_tr")}
    assert 2 < evaluate(FINDING.formulas["gain_vary"], found) < 3


def test_gain_of_varying_steps_does_not_depend_on_the_number_of_nodes():
    assert "n" not in names(FINDING.formulas["gain_vary"])
    values = [
        evaluate(FINDING.formulas["gain_vary"], {"kappa": 8, "d": 4**power, "rho": 1, "nu_tr": 2})
        for power in (8, 9, 10)
    ]
    # The exponent of d is 1 up to 32 bits for the norm against 4 sqrt(d).
    np.testing.assert_allclose(np.diff(np.log(values)) / np.log(4), 1, atol=0.02)
