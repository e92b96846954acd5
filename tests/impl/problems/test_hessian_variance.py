import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import (
    L1,
    Composite,
    Logistic,
    Quadratic,
    contiguous_split,
    load_libsvm,
    smoothness_constants,
)


def random_logistic(n=4, m=5, d=3, regulariser="nonconvex"):
    rng = np.random.default_rng(1)
    labels = np.where(rng.random((n, m)) < 0.5, -1.0, 1.0)
    return Logistic(rng.standard_normal((n, m, d)), labels, 0.1, regulariser=regulariser)


@pytest.mark.parametrize("regulariser", ["convex", "nonconvex"])
def test_logistic_bounds_are_certified(regulariser):
    problem = random_logistic(regulariser=regulariser)
    found = smoothness_constants(problem)
    assert found.L_minus == problem.L
    assert found.L_pm_lower <= found.L_pm
    rng = np.random.default_rng(2)
    for size in (1e-3, 1.0, 10.0):
        x = rng.standard_normal((200, problem.d)) * size
        y = x + rng.standard_normal((200, problem.d)) * size
        delta = problem.gradients(x) - problem.gradients(y)
        distance = np.sum((x - y) ** 2, axis=-1)
        of_mean = np.sum(delta.mean(axis=-2) ** 2, axis=-1) / distance
        mean_square = np.sum(delta**2, axis=(-1, -2)) / problem.n / distance
        assert np.all(of_mean <= found.L_minus**2)
        assert np.all(mean_square <= found.L_plus**2)
        assert np.all(mean_square - of_mean <= found.L_pm**2)
    # Lower bound: attained at 0 along an eigenvector, up to the step of the difference.
    S = problem.smoothness - problem.smoothness.mean(axis=0)
    h = np.linalg.eigh((S @ S).mean(axis=0))[1][:, -1] * 1e-5
    delta = problem.gradients(h) - problem.gradients(-h)
    variance = np.sum(delta**2) / problem.n - np.sum(delta.mean(axis=0) ** 2)
    assert np.sqrt(variance / np.sum((2 * h) ** 2)) == pytest.approx(found.L_pm_lower, rel=1e-6)


def test_one_client_has_no_variance():
    found = smoothness_constants(random_logistic(n=1))
    assert (found.L_pm, found.L_pm_lower) == (0.0, 0.0)
    assert found.L_plus == pytest.approx(found.L_minus, rel=1e-15)


def test_clients_far_below_the_mean_count():
    # Only one of four clients has rows: the others are off the mean by a quarter of its matrix.
    rows = np.zeros((4, 2, 2))
    rows[0] = [[1.0, 2.0], [0.0, 1.0]]
    found = smoothness_constants(Logistic(rows, np.ones((4, 2)), 0.1, regulariser="nonconvex"))
    assert found.L_pm == pytest.approx(found.L_pm_lower, rel=1e-12)


def test_hessians_of_clients_need_not_be_large_together():
    # Where the margin of the second client is large, only the first one has a Hessian.
    rows = np.array([[[1.0, 0.0]], [[0.7, 0.3]]])
    problem = Logistic(rows, np.ones((2, 1)), 0.1, regulariser="nonconvex")
    x, h = np.array([0.0, 2000.0]), np.array([1e-4, 0.0])
    delta = problem.gradients(x + h) - problem.gradients(x - h)
    variance = np.sum(delta**2) / problem.n - np.sum(delta.mean(axis=0) ** 2)
    reached = np.sqrt(variance / np.sum((2 * h) ** 2))
    assert reached == pytest.approx(0.125, rel=1e-6)
    assert smoothness_constants(problem).L_pm >= reached


# Ten decimals are given.
@pytest.mark.parametrize(
    ("name", "n", "stated"),
    [
        ("phishing", 10, (0.3625510767, 0.3655869973, 0.1493386844, 0.0222440127)),
        ("phishing", 50, (0.3625500710, 0.3666721066, 0.1636703108, 0.0260371997)),
        ("w8a", 10, (0.8612006468, 0.9370081578, 0.6812654234, 0.2396997092)),
        ("w8a", 50, (0.8611955982, 1.0904906837, 0.9129176157, 0.4433651136)),
    ],
)
def test_golden_logistic_constants(libsvm_folder, name, n, stated):
    parts, signs, counts = contiguous_split(*load_libsvm(name, libsvm_folder), n)
    found = smoothness_constants(Logistic(parts, signs, 0.1, regulariser="nonconvex", counts=counts))
    values = (found.L_minus, found.L_plus, found.L_pm, found.L_pm_lower)
    np.testing.assert_allclose(values, stated, atol=5.1e-11)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([0.5, 0.5, 0.0], ["shape (3,)", "(2,)", "positive"]),
        ([1.0, 1.0], ["sum 1", "2"]),
        ([1.5, -0.5], ["positive"]),
    ],
)
def test_wrong_weights_are_named(weights, words):
    with pytest.raises(ArgumentError) as error:
        smoothness_constants(Quadratic([[1.0], [2.0]]), weights)
    for word in words:
        assert word in str(error.value)


def test_problems_without_constants_are_named():
    with pytest.raises(ArgumentError, match="weights are for quadratics"):
        smoothness_constants(random_logistic(), [0.25] * 4)
    with pytest.raises(ArgumentError, match="Composite"):
        smoothness_constants(Composite(Quadratic([[1.0]]), L1(0.1)))
