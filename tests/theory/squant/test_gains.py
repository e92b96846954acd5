"""Golden numbers of the specification for the gains over the unaware method, from the formulas alone."""

import numpy as np
import pytest

import theory
from verify.evaluation import evaluate, evaluate_exact, names
from verify.squant.gain_diana import by_formula

DIANA = theory.claim("squant/gain-diana")
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


# ---------------------------------------------------------------- gain-diana


def rounds_in_family_v(n, mu):
    """Return K of DIANA, of blocks and of varying steps at d = 8 n^2, from the formulas of the claim."""
    found = by_formula(n, mu)
    return [found[method] for method in ("std", "block", "vary")]


@pytest.mark.parametrize(
    ("n", "std", "block", "vary"),
    [
        (4, 412, 181.6, 188.376470588235),
        (16, 25072, 3387.29411764706, 3473.19587015301),
        (64, 1580992, 56523.8153846154, 56897.4194938492),
        (256, 100794112, 914187.953307393, 915713.479587900),
    ],
)
def test_rounds_on_an_ill_conditioned_problem(n, std, block, vary):
    assert rounds_in_family_v(n, n**-3) == [digits(std), digits(block), digits(vary)]


@pytest.mark.parametrize(("n", "gain"), [(4, 1.82), (16, 1.76), (64, 1.93), (256, 1.98)])
def test_blocks_gain_nothing_more_on_a_well_conditioned_problem(n, gain):
    std, block, _ = rounds_in_family_v(n, 1 / n)
    assert std / block == pytest.approx(gain, abs=0.005)  # printed with three digits
    upper = evaluate(DIANA.bound, {"chi": (2 * n - 1) / n})
    assert std / block < upper < 6


@pytest.mark.parametrize(("n", "gain"), [(4, 2.27), (16, 7.40), (64, 27.97), (256, 110.26)])
def test_gain_of_blocks_grows_on_an_ill_conditioned_problem(n, gain):
    std, block, _ = rounds_in_family_v(n, n**-3)
    assert std / block == pytest.approx(gain, abs=0.005)  # printed with three to five digits
