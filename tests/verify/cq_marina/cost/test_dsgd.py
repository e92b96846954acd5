"""Golden numbers of the specification for compressed gradients against MARINA."""

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import CorrelatedQuantizer
from impl.optimizers import dcgd
from verify.cq_marina.cost.dsgd import second_moments, shifted_problem
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/dsgd")

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13
SETTING = {"L": 1, "gamma": 0.05, "omega": 7 / 4, "S_sq": 1}


def digits(number):
    return pytest.approx(number, rel=DIGITS, abs=0)


def value(name, **values):
    return evaluate(CLAIM.formulas[name], values)


def test_value_after_twenty_rounds():
    assert value("relative_variance", n=4, d=8) == 1.75
    assert value("value", **SETTING, v=8, k=20) == digits(1.172830242736)
    assert second_moments(0.05, 20)[20] == digits(1.172830242736)


def test_floor():
    assert value("floor", **SETTING) == digits(0.04697986577181)
    exact = {"L": 1, "gamma": Rational(1, 20), "omega": Rational(7, 4), "S_sq": 1}
    assert evaluate_exact(CLAIM.formulas["floor"], exact) == CLAIM.worst_cases[0].value == Rational(7, 149)
    largest = CLAIM.worst_cases[1]
    assert evaluate_exact(CLAIM.formulas["floor"], dict(largest.values)) == largest.value


def test_forgotten_mean():
    # Goldens of the mutant: three digits after the point, so half a unit of them.
    wrong = {**SETTING, "omega": 7}
    floor, after = value("floor", **wrong), value("value", **wrong, v=8, k=20)
    assert floor == pytest.approx(0.21875, rel=1e-14)
    assert floor / value("floor", **SETTING) == pytest.approx(4.656, abs=5e-4)
    assert after / value("value", **SETTING, v=8, k=20) == pytest.approx(1.438, abs=5e-4)


def test_rounds_to_an_accuracy():
    coarse = {"L": 2.0, "A": 1.75, "epsilon": 0.1, "sigma_sq": 1e-9}
    assert value("rounds", **coarse, Delta_0=3) == pytest.approx(4 * 3 * 2 * 2.75 / 0.01, rel=1e-14)
    fine = {**coarse, "sigma_sq": 1.0}
    assert value("rounds", **fine, Delta_0=3) == pytest.approx(8 * 3 * 2 / 1e-4, rel=1e-14)
    for values in (coarse, fine):
        step, rounds = value("accuracy_step", **values), value("rounds", **values, Delta_0=3)
        numbers = {"gamma": step, "L": 2.0, "sigma_sq": values["sigma_sq"], "Delta_0": 3}
        assert evaluate(CLAIM.bound, {**numbers, "T": round(rounds)}) <= 0.01 * (1 + 1e-12)
    # Ten times the accuracy: a hundred times the rounds of MARINA, ten thousand times those of DCGD.
    marina = {"L": 1.0, "p": 0.1, "omega": 1.75, "Delta_0": 3}
    ratio = value("marina_rounds", **marina, epsilon=0.01) / value("marina_rounds", **marina, epsilon=0.1)
    assert ratio == pytest.approx(100, rel=1e-12)
    worse = {**fine, "epsilon": 0.01, "Delta_0": 3}
    assert value("rounds", **worse) / value("rounds", **fine, Delta_0=3) == pytest.approx(1e4, rel=1e-12)


def test_floor_of_the_correlated_quantizer_is_proportional_to_the_step():
    # Statement: the floor is gamma L V / (2 - gamma L) with V -> V_CQ(s_1, ..., s_n) as gamma -> 0.
    problem, quantizer = shifted_problem(), CorrelatedQuantizer("binary")
    at_solution = float(quantizer.variance(problem.gradients(np.zeros(8))))
    for gamma in (0.02, 0.04):
        rng = np.random.default_rng(3)
        run = dcgd(problem, quantizer, step_size=gamma, rounds=300, rng=rng, replicates=200)
        # Averages over the last rounds of each replicate, which are independent of each other.
        settled = run.gradient_norm_sq[:, 150:].mean(axis=1)
        error = 4 * settled.std() / 200**0.5
        stated = value("floor_any", gamma=gamma, L=1, V_mean=at_solution)
        assert settled.mean() == pytest.approx(stated, abs=error + 0.1 * stated)
