"""Golden numbers of the specification, from the formulas of the claims alone: range, dcgd."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sympy import Rational

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, evaluate_exact, names

BOUNDS = theory.claim("squant/bounds")
DCGD = theory.claim("squant/dcgd")
FINDING_RANGE_CONDITION = theory.claim("squant/finding-range-condition")
RANGE = theory.claim("squant/range")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def given(formula, case):
    return {name: case.values[name] for name in names(formula)}


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


# ---------------------------------------------------------------- range


def test_range_goldens():
    equal, half = RANGE.worst_cases
    left, right = RANGE.formulas["gradient_norm"], RANGE.formulas["twice_bregman"]
    assert evaluate_exact(left, given(left, equal)) == evaluate_exact(right, given(right, equal)) == 6
    assert evaluate_exact(left, given(left, half)) == Rational(3, 2)
    assert evaluate_exact(right, given(right, half)) == 3
    assert evaluate(left, given(left, half)) == digits(1.5)


def test_range_condition_goldens():
    error = FINDING_RANGE_CONDITION.exact
    for case in FINDING_RANGE_CONDITION.worst_cases:
        assert evaluate_exact(error, given(error, case)) == case.value
        assert math.dist(case.values["solution"], case.values["limit"]) == int(case.value)
    assert FINDING_RANGE_CONDITION.worst_cases[0].value == 1


def test_range_worst_cases_are_consistent():
    for case in RANGE.worst_cases:
        hessian, displacement = np.array(case.values["H"], float), np.array(case.values["v"], float)
        # Entries are exact in binary or thirds: a few roundings of doubles.
        np.testing.assert_allclose(hessian @ displacement, np.array(case.values["g"], float), rtol=1e-15)
        inverse = np.linalg.inv(np.array(case.values["L"], float))
        np.testing.assert_allclose(inverse, np.array(case.values["Lplus"], float), rtol=1e-14)


# ---------------------------------------------------------------- dcgd


def root_of(matrix, sign):
    """Return the root of a positive semidefinite matrix or, with sign -1, of its pseudo-inverse."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > len(values) * 2.0**-52 * values[-1]
    return (vectors[:, kept] * values[kept] ** (sign / 2)) @ vectors[:, kept].T


def instance(case):
    """Return gamma, exact left side, right side, sigma_star^2, constants and solution of quadratics."""
    matrices = np.array(case.values["matrices"], float)
    centers = np.array(case.values["centers"], float)
    steps = np.array(case.values["h"], float)
    point = np.array(case.values["x"], float)
    n, d = centers.shape
    mean = matrices.mean(axis=0)
    solution = np.linalg.solve(mean, np.einsum("ijk,ik->j", matrices, centers) / n)
    eigenvalues = np.linalg.eigvalsh(mean)
    constants, variances, shifts = [], [], []
    for matrix, center, step in zip(matrices, centers, steps, strict=True):
        diagonal = np.diag(matrix)
        constants.append(evaluate(BOUNDS.bound, {"L": diagonal, "h": step, "d": d}))
        image = root_of(matrix, -1) @ matrix @ (point - center)
        norm = float(np.linalg.norm(image))
        variances.append(
            evaluate(VAR.exact, {"x": image, "h": step, "L": diagonal, "N": (norm,) * d, "d": d})
        )
        shifts.append(float(np.sum((root_of(matrix, -1) @ matrix @ (solution - center)) ** 2)))
    L, mu = eigenvalues[-1], eigenvalues[0]
    gamma = evaluate(DCGD.formulas["step_size"], {"L": L, "Lcal_max": max(constants), "n": n})
    sigma = evaluate(DCGD.formulas["sigma_star"], {"Lcal": constants, "s": shifts, "n": n})
    drift = float(np.sum((point - gamma * mean @ (point - solution) - solution) ** 2))
    left = evaluate(DCGD.formulas["one_step_exact"], {"drift": drift, "gamma": gamma, "n": n, "V": variances})
    distance = float(np.sum((point - solution) ** 2))
    right = evaluate(
        DCGD.formulas["one_step"], {"gamma": gamma, "mu": mu, "distance": distance, "sigma": sigma, "n": n}
    )
    return gamma, left, right, sigma, constants, solution


@pytest.mark.parametrize(
    ("position", "left", "right"),
    [
        (0, 4.10913580246914, 9.54486913580247),
        (1, 35.4128843594040, 42.7816775728733),
        (2, 5.12042265727212, 6.27360431359856),
    ],
)
def test_dcgd_goldens(position, left, right):
    case = DCGD.worst_cases[position]
    _, found_left, found_right, _, constants, solution = instance(case)
    # Eigendecompositions of well-conditioned matrices cost about ten roundings.
    assert found_left == pytest.approx(left, rel=1e-13)
    assert found_right == pytest.approx(right, rel=1e-13)
    np.testing.assert_allclose(solution, np.array(case.values["solution"], float), atol=1e-14)
    if "Lcal" in case.values:
        np.testing.assert_allclose(constants, np.array(case.values["Lcal"], float), rtol=1e-14)


def test_dcgd_first_instance_is_rational():
    case = DCGD.worst_cases[0]
    values = case.values
    gamma = evaluate_exact(
        DCGD.formulas["step_size"], {"L": values["L"], "Lcal_max": values["Lcal"][0], "n": 2}
    )
    assert gamma == values["gamma"] == Rational(16, 45)
    # Gradients at the solution are (-8/5, 0) and (8/5, 0).
    shifts = (Rational(64, 25) / 4, Rational(64, 25))
    sigma = evaluate_exact(DCGD.formulas["sigma_star"], {"Lcal": values["Lcal"], "s": shifts, "n": 2})
    assert sigma == values["sigma"] == Rational(13, 50)
    right = evaluate_exact(
        DCGD.formulas["one_step"],
        {"gamma": gamma, "mu": 1, "distance": Rational(369, 25), "sigma": sigma, "n": 2},
    )
    assert right == case.value
    assert float(right) == digits(9.54486913580247)


def test_dcgd_sharp_family():
    assert evaluate_exact(DCGD.formulas["sharp_ratio"], {"omega": 9}) == Rational(37, 38)
    # f = ||x||^2 / 2 at x = 1, d = 100: drift (1 - gamma)^2 * 100, variance omega * 100.
    gamma = evaluate_exact(DCGD.formulas["step_size"], {"L": 1, "Lcal_max": 9, "n": 1})
    left = evaluate_exact(
        DCGD.formulas["one_step_exact"],
        {"drift": (1 - gamma) ** 2 * 100, "gamma": gamma, "n": 1, "V": (900,)},
    )
    right = evaluate_exact(
        DCGD.formulas["one_step"], {"gamma": gamma, "mu": 1, "distance": 100, "sigma": 0, "n": 1}
    )
    assert left / right == DCGD.worst_cases[3].value == Rational(37, 38)
    # Mutants: four times the step; and gamma = 1/L, where only the noise is left.
    large = 4 * gamma
    four = {"drift": (1 - large) ** 2 * 100, "gamma": large, "n": 1, "V": (900,)}
    bound = {"gamma": large, "mu": 1, "distance": 100, "sigma": 0, "n": 1}
    ratio = evaluate_exact(DCGD.formulas["one_step_exact"], four) / evaluate_exact(
        DCGD.formulas["one_step"], bound
    )
    assert ratio == Rational(369, 285)
    omitted = {"drift": 0, "gamma": 1, "n": 1, "V": (900,)}
    assert evaluate_exact(DCGD.formulas["one_step_exact"], omitted) == 900
    assert evaluate_exact(DCGD.formulas["one_step"], {**bound, "gamma": 1}) == 0


def test_dcgd_rate_is_the_limit_of_one_steps():
    values = {"gamma": Fraction(1, 5), "mu": Fraction(1, 2), "sigma": 3, "n": 4}
    distance = Rational(7)
    for k in range(1, 6):
        distance = evaluate_exact(DCGD.formulas["one_step"], {**values, "distance": distance})
        rate = evaluate_exact(DCGD.formulas["rate"], {**values, "distance": 7, "k": k})
        assert distance <= rate
        # What the closed form adds is the rest of the geometric series.
        rest = evaluate_exact(DCGD.formulas["neighbourhood"], values) * Rational(9, 10) ** k
        assert rate - distance == rest
