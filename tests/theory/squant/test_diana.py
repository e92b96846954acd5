"""Golden numbers of the specification for DIANA+, from the formulas of the claim alone."""

from fractions import Fraction

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact, names

DIANA = theory.claim("squant/diana")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14

# L and mu of the mean matrix, squared distance, largest constants; all at zero shifts, n = 2.
PROBLEMS = {
    "S1": (2.5, 1.0, 14.76, 5 / 16, 1 / 8, 0.26),
    "S2": (2.5, 1.5, 50.0, 31 / 4, 13 / 4, 10.375),
    "S3": ((5 + 5**0.5) / 4, (5 - 5**0.5) / 4, 6.6, 9.0, 7 / 2, 11.16),
}
GOLDENS = {
    "S1": (14.8095074380165, 10.5012870924117),
    "S2": (50.1330002827788, 47.2126313342674),
    "S3": (6.72101795909158, 6.55981463892485),
}


def exact(name, **values):
    return evaluate_exact(DIANA.formulas[name], values)


def value(name, **values):
    return evaluate(DIANA.formulas[name], values)


def digits(number):
    return pytest.approx(number, rel=DIGITS, abs=0)


@pytest.mark.parametrize("problem", GOLDENS)
def test_lyapunov_function_and_its_bound(problem):
    L, mu, distance, constant, omega, sigma = PROBLEMS[problem]
    psi, bound = GOLDENS[problem]
    steps = {
        "gamma": value("step_size", L=L, Lcal_max=constant, n=2),
        "alpha": value("learning_rate", omega_max=omega),
    }
    assert value("lyapunov", distance=distance, sigma=sigma, n=2, **steps) == digits(psi)
    after = value("one_step", distance=distance, sigma=sigma, mu=mu, n=2, **steps)
    assert after == digits(bound)
    assert value("contraction", mu=mu, **steps) * psi == digits(bound)
    assert value("rate", Psi_0=psi, k=1, mu=mu, **steps) == digits(bound)
    condition = value("condition", L=L, Lcal_max=constant, mu=mu, n=2, omega_max=omega)
    assert 1 - 1 / condition == digits(value("contraction", mu=mu, **steps))


def test_first_problem_is_rational():
    case = DIANA.worst_cases[0]
    values = case.values
    gamma = exact("step_size", L=values["L"], Lcal_max=values["Lcal"][0], n=2)
    alpha = exact("learning_rate", omega_max=values["omega"][0])
    assert (gamma, alpha) == (values["gamma"], values["alpha"]) == (Rational(16, 55), Rational(8, 9))
    assert exact("lyapunov_weight", alpha=alpha, n=2) == Rational(9, 4)
    # Gradients at the solution are (-8/5, 0) and (8/5, 0); the shifts are zero.
    errors = (Rational(64, 25) / 4, Rational(64, 25))
    sigma = exact("shift_error", Lcal=values["Lcal"], s=errors, n=2)
    assert sigma == values["sigma"]
    bound = exact("one_step", gamma=gamma, alpha=alpha, mu=1, n=2, sigma=sigma, distance=Rational(369, 25))
    assert bound == case.value
    assert float(bound) == digits(GOLDENS["S1"][1])


def test_tight_step_of_the_shifts():
    # n = 1, L = 1: h = grad f(x*), E||Delta - y||^2 = 9 ||y||^2, ||y||^2 = ||x - x*||^2 = 2 D_f = 100.
    case = DIANA.worst_cases[3]
    for factor, ratio in ((1, 1), (2, 2), (10, 10)):
        alpha = factor * case.values["alpha"]
        after = exact("shift_exact", Lcal=(9,), m=(alpha**2 * 100,), w=(900,), alpha=alpha, n=1)
        bound = exact("shift_bound", sigma=0, alpha=alpha, Lcal_max=9, bregman=50)
        assert after / bound == exact("shift_tight_ratio", alpha=alpha, omega=9) == ratio
    assert case.value == 1


def test_rate_is_the_iterated_step():
    values = {"gamma": Fraction(1, 5), "mu": Fraction(1, 2), "alpha": Fraction(1, 10)}
    contraction = exact("contraction", **values)
    assert contraction == Rational(19, 20)
    for k in range(4):
        assert exact("rate", Psi_0=7, k=k, **values) == 7 * contraction**k


def test_formulas_take_these_values():
    assert names(DIANA.formulas["one_step"]) == ("alpha", "distance", "gamma", "mu", "n", "sigma")
    assert names(DIANA.formulas["rate"]) == ("Psi_0", "alpha", "gamma", "k", "mu")
