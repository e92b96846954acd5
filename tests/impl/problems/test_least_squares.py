"""Least squares: solution, constants, counts, and what is refused."""

import numpy as np
import pytest
from scipy import sparse

from impl.errors import ArgumentError
from impl.problems import LeastSquares, contiguous_split

RNG = np.random.default_rng(3)
ROWS = RNG.standard_normal((7, 4))
LABELS = np.array([1.0, -1, -1, 1, 1, -1, 1])


def test_the_solution_is_that_of_numpy_and_constants_are_eigenvalues():
    problem = LeastSquares(ROWS[None], LABELS[None], 0.0)
    expected = np.linalg.lstsq(ROWS, LABELS, rcond=None)[0]
    np.testing.assert_allclose(problem.solution, expected, rtol=1e-10)
    values = np.linalg.eigvalsh(ROWS.T @ ROWS / 7)
    assert (problem.mu, problem.L) == (pytest.approx(values[0]), pytest.approx(values[-1]))
    residual = ROWS @ expected - LABELS
    assert problem.objective(expected) == pytest.approx(residual @ residual / 14, rel=1e-12)


def test_labels_behind_a_count_do_not_matter():
    parts, labels, counts = contiguous_split(ROWS, LABELS, 2)
    other = labels.copy()
    other[0, counts[0] :] = 99.0
    x = np.ones(4)
    first, second = (LeastSquares(parts, y, 0.1, counts=counts) for y in (labels, other))
    np.testing.assert_array_equal(first.objectives(x), second.objectives(x))
    np.testing.assert_array_equal(first.gradients(x), second.gradients(x))


def test_centers_are_for_quadratics():
    with pytest.raises(ArgumentError, match=r"use Quadratic\.from_centers"):
        LeastSquares.from_centers(np.ones((1, 2)), np.ones((1, 2)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": ROWS}, "must have shape \\(n, m, d\\)"),
        ({"features": sparse.csr_array(ROWS), "labels": LABELS}, "must have shape \\(n, m\\)"),
        ({"features": np.full((1, 7, 4), np.nan)}, "features must be finite"),
        ({"labels": np.full((1, 7), np.inf)}, "labels must be finite"),
        ({"ridge": -1.0}, "ridge=-1.0 must be"),
        ({"counts": [8]}, "counts must be between 1 and 7"),
        ({"counts": [6]}, "behind its count that is not zero"),
        ({"counts": [0.5]}, "LeastSquares: counts of shape"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    arguments = {"features": ROWS[None], "labels": LABELS[None], "ridge": 0.1} | change
    with pytest.raises(ArgumentError, match=message):
        LeastSquares(arguments.pop("features"), arguments.pop("labels"), arguments.pop("ridge"), **arguments)
