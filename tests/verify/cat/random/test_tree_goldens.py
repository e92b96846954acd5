"""Golden numbers of the specification on exact trees, printed with twelve digits."""

from dataclasses import replace

import numpy as np
import pytest

from verify.authoring import checks_of
from verify.cat.fixtures.golden_vectors import MN2_MATRICES, mn2
from verify.cat.fixtures.node_trees import MN2
from verify.cat.random.one_node_trees import Setting
from verify.comparison import ROUND_OFF
from verify.expectation.outcome_tree import expected, square

TWELVE = 1e-11
GAPS = [2, 0.949514745997, 0.755202537705, 0.552451130957, 0.40215580396]
NORMALISED = [2, 1.2807764064, 1.17261507879, 1.01301455947, 0.869238475184]
BOUNDS = [5.21415823914, 4.54494895764, 3.96578121631, 3.46454000246]
DISTANCES = [5.21415823914, 3.71769482451, 2.66296109738, 1.91657332217]


def test_one_node():
    matrix = tuple(tuple(map(float, row)) for row in MN2_MATRICES[0])
    low, high = (float(item) for item in np.linalg.eigvalsh(np.array(matrix)))
    setting = Setting(matrix, (1.0, -2.0), high, low, 4, tolerance=ROUND_OFF)
    levels, value = setting.tree(lambda omega, mu, L: 1 - omega * mu / L), setting.nodes.objective
    assert [expected(level, lambda leaf: value(leaf.x)) for level in levels] == pytest.approx(
        GAPS, rel=TWELVE
    )
    over = [expected(level, lambda leaf: value(leaf.x) / leaf.memory.product) for level in levels]
    assert over == pytest.approx(NORMALISED, rel=TWELVE)


def test_two_nodes():
    found = [float(expected(level, lambda leaf: MN2.distance(leaf.x))) for level in MN2.tree()]
    assert found == pytest.approx(DISTANCES, rel=TWELVE)
    second = sum(p * square(vector) for p, vector in MN2.law(MN2.nodes.gradients(MN2.start)))
    assert float(second) == 19.5


def test_constants_and_bounds_of_two_nodes():
    problem, law = mn2(), checks_of("cat/mn-strong")._law()
    sigma_sq = float(sum(square(g) for g in MN2.nodes.gradients(MN2.solution))) / MN2.n
    known = {"n": 2, "q": float(MN2.q), "sigma_sq": sigma_sq, "gamma": 0.1}
    constants = [float(problem.L_nodes.max()), float(problem.mu), sigma_sq, known["q"]]
    assert constants == pytest.approx([2.78077640640, 1.34549150281, 3.23512790006, 1], rel=TWELVE)
    start = float(MN2.distance(MN2.start))
    bounds = [law("bound", **known, mu=problem.mu, D_0=start, K=K) for K in range(4)]
    assert bounds == pytest.approx(BOUNDS, rel=TWELVE)
    levels = replace(MN2, start=MN2.solution, rounds=1).tree()
    from_there = float(expected(levels[1], lambda leaf: MN2.distance(leaf.x)))
    assert from_there == pytest.approx(0.00262343842951, rel=TWELVE)
    assert from_there <= law("bound", **known, mu=problem.mu, D_0=0, K=1)
