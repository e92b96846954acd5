"""The family of claim cq_marina/tridiag against its eigenvalues, and the numbers of the specification."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import smoothness_constants, tridiagonal

# The digits given in the specification: 13 significant ones.
DIGITS = 1e-12


@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 5), (4, 1), (5, 6)])
def test_eigenvalues_are_the_stated_ones(n, d):
    problem = tridiagonal(n, d, heterogeneity=0.8, mu=0.01, offset=0.5)
    tau = np.sin(np.arange(1, d + 1) * np.pi / (2 * (d + 1))) ** 2
    for i in range(n):
        nu = 1 + 0.8 * ((2 * i + 1) / n - 1)
        stated = nu * tau + 0.01 - tau[0]
        np.testing.assert_allclose(np.linalg.eigvalsh(problem.matrices[i]), stated, atol=1e-14)
        opposite = (2 * (n - i) - 1) / n - 1  # z of client n + 1 - (i + 1), counted from 1
        expected = np.zeros(d)
        expected[0] = nu / 4 * (-1 + 0.5 * opposite)
        np.testing.assert_allclose(problem.linear[i], expected, atol=1e-15)
    assert problem.mu == pytest.approx(0.01, rel=1e-12)


def test_start_of_the_experiment():
    # exp-quadratic: identical clients, x_0 = 0.
    problem = tridiagonal(10, 32, heterogeneity=0.0, mu=1e-6)
    assert np.sum(problem.gradient(np.zeros(32)) ** 2) == pytest.approx(1 / 16, rel=DIGITS)
    gap = problem.objective(np.zeros(32)) - problem.objective(problem.solution)
    # The mean has the condition number 1e6, which costs six digits of rounding.
    assert gap == pytest.approx(17.23175126433, rel=1e-10)
    assert pytest.approx(0.9954729225731, rel=DIGITS) == problem.L


@pytest.mark.parametrize(
    ("n", "d", "heterogeneity", "mu", "L_minus", "L_plus", "L_pm", "weighted_plus", "weighted_pm"),
    [
        (
            *(10, 32, 0.5, 1e-6),
            *(0.9954729225731, 1.035902117033, 0.2865778367157),
            *(0.9954729225731, 0.0007056289356882),
        ),
        (
            *(5, 6, 0.8, 1e-2),
            *(0.9109688679024, 1.007414924094, 0.4301401527419),
            *(0.9109688679024, 0.02284826632291),
        ),
    ],
)
def test_golden_constants(n, d, heterogeneity, mu, L_minus, L_plus, L_pm, weighted_plus, weighted_pm):
    problem = tridiagonal(n, d, heterogeneity=heterogeneity, mu=mu)
    found = smoothness_constants(problem)
    assert found.L_minus == pytest.approx(L_minus, rel=DIGITS)
    assert found.L_plus == pytest.approx(L_plus, rel=DIGITS)
    assert found.L_pm == pytest.approx(L_pm, rel=DIGITS)
    found = smoothness_constants(problem, problem.L_nodes / problem.L_nodes.sum())
    assert found.L_plus == pytest.approx(weighted_plus, rel=DIGITS)
    # Near 0 the square of the specification lost digits to cancellation: 1e-8, as it says itself.
    assert found.L_pm == pytest.approx(weighted_pm, rel=1e-8)


def test_golden_weights():
    problem = tridiagonal(5, 6, heterogeneity=0.8, mu=1e-2)
    weights = problem.L_nodes / problem.L_nodes.sum()
    stated = [0.066447678, 0.133223839, 0.2, 0.266776161, 0.333552322]
    np.testing.assert_allclose(weights, stated, atol=5e-10)  # nine decimals are given


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        tridiagonal(0, 2.5, heterogeneity=1.0, mu=-1.0, offset=np.inf)
    for word in ("n=0", "d=2.5", "heterogeneity=1.0", "mu=-1.0", "offset=inf"):
        assert word in str(error.value)


@pytest.mark.parametrize("name", ["heterogeneity", "mu", "offset"])
@pytest.mark.parametrize("value", ["a", None, True])
def test_what_is_no_number_is_named(name, value):
    numbers = {"heterogeneity": 0.1, "mu": 0.1, "offset": 0.0, name: value}
    with pytest.raises(ArgumentError, match=f"tridiagonal: {name}={value!r} must be a"):
        tridiagonal(2, 8, **numbers)
