"""Golden numbers of the specification for several unbiased nodes, strongly convex objectives."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

import theory
from verify.cat.golden_vectors import mn2, mn4
from verify.cat.mn_strong import (
    HONEST,
    MN2,
    MN4,
    SABOTAGED,
    SEEN,
    SETTINGS,
    compare,
    constants,
    drift,
    stated,
)
from verify.cat.outcome_tree import expected, mean_vector, square
from verify.evaluation import evaluate_exact

# All numbers below are printed with twelve digits.
TWELVE = 1e-11
DISTANCES = [5.21415823914, 3.71769482451, 2.66296109738, 1.91657332217]
BOUNDS = [5.21415823914, 4.54494895764, 3.96578121631, 3.46454000246]
SMOOTHNESS, CONVEXITY = 2.78077640640, 1.34549150281


def distances(setting):
    return [
        float(
            expected(level, lambda leaf: square(a - b for a, b in zip(leaf.x, setting.solution, strict=True)))
        )
        for level in setting.tree()
    ]


def test_constants_of_the_two_nodes():
    problem, values = mn2(), constants(MN2)
    assert max(problem.L_nodes) == pytest.approx(SMOOTHNESS, rel=TWELVE)
    assert problem.mu == pytest.approx(CONVEXITY, rel=TWELVE)
    assert float(values["sigma_sq"]) == pytest.approx(3.23512790006, rel=TWELVE)
    assert values["q"] == 1
    assert [float(item) for item in MN2.solution] == pytest.approx(list(problem.solution), rel=1e-12)


def test_exact_distances():
    assert distances(MN2) == pytest.approx(DISTANCES, rel=TWELVE)


def test_bounds():
    values = {key: float(item) for key, item in constants(MN2).items()}
    values |= {"n": 2, "mu": CONVEXITY}
    found = [stated("bound", {**values, "K": K}) for K in range(4)]
    assert found == pytest.approx(BOUNDS, rel=TWELVE)


def test_one_step_from_the_solution():
    (_, after) = distances(replace(MN2, start=MN2.solution, rounds=1))
    assert after == pytest.approx(0.00262343842951, rel=TWELVE)


def test_second_moment():
    law = MN2.law(MN2.nodes.gradients(MN2.start))
    assert sum(chance * square(vector) for chance, vector in law) == F(39, 2)


def test_the_noise_is_loose_by_two_in_the_middle_of_the_corners():
    gamma = MN4.step
    assert distances(MN4)[1] == float(gamma**2 / 2)
    values = {"gamma": gamma, "q": 1, "sigma_sq": 2, "n": 4}
    assert evaluate_exact(theory.claim("cat/mn-strong").formulas["noise"], values) == gamma**2


def test_one_mask_for_all_nodes_multiplies_the_variance_by_n():
    setting = SETTINGS["equal-nodes"]
    gradients = setting.nodes.gradients(setting.start)
    mean = square(mean_vector(gradients))
    variances = [
        sum(chance * square(vector) for chance, vector in setting.law(gradients, common=common)) - mean
        for common in (False, True)
    ]
    assert variances[1] == setting.n * variances[0] > 0


@pytest.mark.parametrize(("n", "factor"), [(2, 1.26), (4, 1.45)])
def test_one_mask_moves_the_second_moment_less(n, factor):
    # Section 10, three digits; it names no instance, these nodes with the gradient (12, 5) have both factors.
    gradients = [(F(12), F(5))] * n
    second = [
        sum(chance * square(vector) for chance, vector in MN2.law(gradients, common=common))
        for common in (False, True)
    ]
    assert float(second[1] / second[0]) == pytest.approx(factor, rel=5e-3)


@pytest.mark.parametrize("name", SETTINGS)
def test_holds(name):
    assert not any(item.excess for item in compare(SETTINGS[name]))


@pytest.mark.parametrize(("name", "mutant"), [(name, key) for name, keys in SEEN.items() for key in keys])
def test_mutants_are_rejected(name, mutant):
    assert any(item.excess for item in compare(SETTINGS[name], SABOTAGED[mutant]))


def test_a_run_has_the_stated_step():
    assert not any(item.excess for item in drift(mn4, 20, HONEST, np.random.default_rng(0)))


def test_a_run_with_a_step_without_the_noise_is_seen():
    found = list(drift(mn4, 20, SABOTAGED["noiseless-step"], np.random.default_rng(0)))
    assert {item.label for item in found if item.excess} >= {"step of the run"}
