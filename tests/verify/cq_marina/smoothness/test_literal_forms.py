"""The literal forms behind the checks of the smoothness constants."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cq_marina.fixtures.marina.logreg_data import Parts, constants_of, problem_of, synthetic_parts
from verify.cq_marina.smoothness import tridiag


def test_largest_eigenvalue_is_recognised_exactly():
    assert tridiag.is_largest_eigenvalue([[F(2)]], F(2))
    assert not tridiag.is_largest_eigenvalue([[F(2)]], F(3))
    matrix = [[F(1), F(2)], [F(2), F(1)]]  # eigenvalues 3 and -1
    assert tridiag.is_largest_eigenvalue(matrix, F(3))
    assert not tridiag.is_largest_eigenvalue(matrix, F(-1))
    assert not tridiag.is_largest_eigenvalue(matrix, F(2))


@pytest.mark.parametrize("name", tridiag.RATIONAL)
def test_literal_matrices_are_those_of_the_problem(name):
    from impl.problems import tridiagonal

    given = tridiag.RATIONAL[name]
    problem = tridiagonal(given["n"], given["d"], heterogeneity=float(given["lam"]), mu=float(given["mu"]))
    literal = np.array(tridiag.literal_matrices(**given), dtype=float)
    np.testing.assert_allclose(problem.matrices, literal, atol=1e-15)


def test_parts_in_file_order():
    parts = Parts(np.arange(8.0)[:, None], np.ones(8), 3)
    assert [parts.of_client(i)[:, 0].tolist() for i in range(3)] == [[0, 1], [2, 3, 4], [5, 6, 7]]
    constants = constants_of(parts)
    means = [1 / 8, 29 / 12, 110 / 12]
    assert constants.own == pytest.approx(means, rel=1e-15)
    assert constants.mean == pytest.approx(sum(means) / 3, rel=1e-15)
    assert constants.others == pytest.approx([sum(means) / 3 - item / 3 for item in means], rel=1e-14)
    assert constants.variance == pytest.approx(np.var(means), rel=1e-14)


def test_reversed_clients_have_the_same_mean():
    parts, x = synthetic_parts(), np.array([0.3, -0.7])
    honest, turned = problem_of(parts, 0.1), problem_of(parts, 0.1, -1)
    np.testing.assert_array_equal(honest.gradients(x)[::-1], turned.gradients(x))
    assert turned.counts.tolist() == honest.counts[::-1].tolist() == [3, 3, 2]
