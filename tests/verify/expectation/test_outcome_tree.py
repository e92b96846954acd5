"""The tree of outcomes: laws, merging, several nodes, what paths gather."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import keep_probabilities
from verify.cat.fixtures.golden_vectors import GI, MN2_LINEAR, MN2_MATRICES, MN2_START, mn2, rational
from verify.expectation.outcome_tree import (
    QuadraticNodes,
    Round,
    expected,
    independent_mean,
    inner,
    kept_entries,
    mean_vector,
    outcome_tree,
    square,
    systematic_entries,
)

THIRD = F(1, 3)


def mean_of(law):
    return tuple(sum(chance * vector[j] for chance, vector in law) for j in range(len(law[0][1])))


def test_kept_entries_are_unbiased_with_the_stated_second_moment():
    g, p = (F(3), F(-4), F(0)), (THIRD, F(1), F(1, 2))
    law = kept_entries(g, p)
    assert sum(chance for chance, _ in law) == 1
    assert len(law) == 2  # a sure entry and a zero do not branch
    assert mean_of(law) == g
    assert sum(chance * square(vector) for chance, vector in law) == 9 / THIRD + 16


def test_without_scaling_the_mean_is_too_small():
    assert mean_of(kept_entries((F(3), F(2)), (THIRD, F(1, 2)), scaled=False)) == (1, 1)


@pytest.mark.parametrize("T", [F(1), F(5, 2), F(3), F(7)])
def test_systematic_sampling_has_the_same_marginals_and_two_sizes(T):
    g = tuple(rational(GI))
    p = tuple(keep_probabilities(list(g), T))
    law = systematic_entries(g, p)
    assert sum(chance for chance, _ in law) == 1
    assert mean_of(law) == g
    assert sum(chance * square(vector) for chance, vector in law) == sum(
        item * item / chance for item, chance in zip(g, p, strict=True)
    )
    sizes = {sum(1 for item in vector if item) for _, vector in law}
    assert sizes <= {int(T), -int(-T // 1)}


def test_independent_nodes_divide_the_variance_by_their_number():
    g, p = (F(1), F(2)), (THIRD, F(2, 3))
    law = kept_entries(g, p)
    alone = sum(chance * square(vector) for chance, vector in law) - square(g)
    for n in (1, 2, 3):
        mean = independent_mean([law] * n)
        assert sum(chance for chance, _ in mean) == 1
        assert mean_of(mean) == g
        assert sum(chance * square(vector) for chance, vector in mean) - square(g) == alone / n


def test_quadratic_nodes_agree_with_the_problem():
    nodes = QuadraticNodes(
        [[[F(item) for item in row] for row in H] for H in MN2_MATRICES],
        [[F(item) for item in b] for b in MN2_LINEAR],
    )
    x, problem = tuple(F(item) for item in MN2_START), mn2()
    objective, gradients = problem.evaluate(np.array([[float(item) for item in x]]))
    assert float(nodes.objective(x)) == pytest.approx(float(objective[0]), rel=1e-14)
    np.testing.assert_allclose(np.array(nodes.gradients(x), dtype=float), gradients[0], rtol=1e-14)
    assert nodes.gradient(x) == mean_vector(nodes.gradients(x))
    assert QuadraticNodes(nodes.matrices).objective(x) == nodes.objective(x) + inner((F(3, 4), F(1, 2)), x)


def test_levels_merge_and_paths_gather():
    # Two fair coins on the two entries of x: after K rounds each entry has halved a binomial number of times.
    nodes = QuadraticNodes([[[F(1), F(0)], [F(0), F(1)]]])

    def method(x, gradients, rounds):
        law = kept_entries(gradients[0], (F(1, 2),) * 2, scaled=False)
        return Round(law, F(1, 2), rounds + 1)

    levels = outcome_tree(nodes.gradients, (F(1), F(1)), method, 3, memory=0)
    assert [len(level) for level in levels] == [1, 4, 9, 16]
    for k, level in enumerate(levels):
        assert expected(level, lambda leaf: 1) == 1
        assert {leaf.memory for leaf in level} == {k}
        assert expected(level, lambda leaf: leaf.x[0]) == F(3, 4) ** k
        assert expected(level, lambda leaf: square(leaf.x)) == 2 * F(5, 8) ** k
