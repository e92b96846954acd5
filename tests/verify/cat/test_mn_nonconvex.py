"""Golden numbers of the specification for several unbiased nodes, smooth objectives."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

import theory
from verify.cat.mn_nonconvex import HONEST, SABOTAGED, SEEN, SETTINGS, compare, constants, drift, stated
from verify.cat.mn_strong import MN4
from verify.cat.outcome_tree import expected, square
from verify.evaluation import evaluate_exact


def change(setting):
    first, level = setting.tree()[:2]
    nodes = setting.nodes
    return expected(level, lambda leaf: nodes.objective(leaf.x)) - nodes.objective(first[0].x)


@pytest.mark.parametrize(("gamma", "increase"), [(F(1, 5), 0.01), (F(1, 10), 0.0025), (F(1, 20), 0.000625)])
def test_increase_in_the_middle_of_the_corners(gamma, increase):
    found = change(replace(MN4, step=gamma))
    assert float(found) == increase
    assert found == gamma**2 / 4
    values = {"gamma": gamma, "G": 0, "L": 1, "q": 1, "B_sq": 1, "G_sq": 2, "n": 4}
    assert evaluate_exact(theory.claim("cat/mn-nonconvex").formulas["one_step"], values) == found
    assert found == 4 * evaluate_exact(
        theory.claim("cat/mn-nonconvex").formulas["one_step"], {**values, "n": 16}
    )


def test_a_bound_without_b_claims_too_much():
    bounded = SETTINGS["corners-far"]
    G = square(bounded.setting.nodes.gradient(bounded.setting.start))
    found = change(bounded.setting)
    claimed = stated("one_step", {**constants(bounded, SABOTAGED["zero-b"]), "G": G})
    # Section 10, three digits.
    assert float(found) == pytest.approx(-1.40, rel=5e-3)
    assert float(claimed) == pytest.approx(-1.43, rel=5e-3)
    assert found > claimed
    assert found <= stated("one_step", {**constants(bounded), "G": G})


@pytest.mark.parametrize("name", SETTINGS)
def test_holds(name):
    assert not any(item.excess for item in compare(SETTINGS[name]))


@pytest.mark.parametrize(("name", "mutant"), [(name, key) for name, keys in SEEN.items() for key in keys])
def test_mutants_are_rejected(name, mutant):
    assert any(item.excess for item in compare(SETTINGS[name], SABOTAGED[mutant]))


def test_a_run_has_the_stated_step():
    assert not any(item.excess for item in drift(HONEST, np.random.default_rng(0)))


def test_a_run_with_a_step_without_the_noise_is_seen():
    found = list(drift(SABOTAGED["noiseless-step"], np.random.default_rng(0)))
    assert {item.label for item in found if item.excess} >= {"step of the run"}
