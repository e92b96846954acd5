"""Golden numbers of the specification on exact trees, printed with twelve digits."""

import numpy as np
import pytest

from verify.cat.fixtures.golden_vectors import MN2_MATRICES
from verify.cat.fixtures.node_trees import MN2
from verify.cat.random.one_node_trees import Setting
from verify.comparison import ROUND_OFF
from verify.expectation.outcome_tree import expected, square

TWELVE = 1e-11
GAPS = [2, 0.949514745997, 0.755202537705, 0.552451130957, 0.40215580396]
NORMALISED = [2, 1.2807764064, 1.17261507879, 1.01301455947, 0.869238475184]
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
