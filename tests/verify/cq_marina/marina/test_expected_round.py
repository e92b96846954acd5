"""Expected rounds of MARINA and of DCGD against enumeration, and against each other."""

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, RandK, Scaled
from impl.optimizers import marina
from impl.problems import Quadratic
from verify.cq_marina.cost.finding_identical_clients import dcgd_gradients, rounds_to
from verify.cq_marina.marina.expected_round import expected_round, visited
from verify.formulas.evaluation import evaluate

# Sums of a few hundred float64 products.
CLOSE = 1e-12

PROBLEM = Quadratic([[1.0, 2.0], [3.0, 0.5]], [[1.0, -1.0], [0.0, 2.0]])
STATES = np.array([[1.0, -2.0], [0.3, 0.7]]), np.array([[0.5, 1.0], [-1.0, 0.25]])


@pytest.mark.parametrize(
    ("compressor", "scale"),
    [(CorrelatedQuantizer("binary"), 1.0), (Scaled(RandK(1), 0.5), 0.5), (Scaled(RandK(1), 1), 1.0)],
)
def test_expected_round_is_the_mean_over_all_outcomes(compressor, scale):
    gamma, p = 0.3, 0.25
    x, g = STATES
    found = expected_round(PROBLEM, compressor, x, g, step_size=gamma, probability=p, scale=scale)
    least = PROBLEM.objective(PROBLEM.solution)
    for row in range(2):
        x_next = x[row] - gamma * g[row]
        difference = PROBLEM.gradients(x_next) - PROBLEM.gradients(x[row])
        error = 0.0
        for probability, draws in compressor.outcomes(difference.tolist()):
            after = g[row] + compressor.compress(difference, draws).mean(axis=0) - PROBLEM.gradient(x_next)
            error += float(probability) * float(after @ after)
        assert found.error_next[row] == pytest.approx((1 - p) * error, rel=CLOSE)
        assert found.gap[row] == pytest.approx(PROBLEM.objective(x[row]) - least, rel=CLOSE)
        assert found.gap_next[row] == pytest.approx(PROBLEM.objective(x_next) - least, rel=CLOSE)
        assert found.length[row] == pytest.approx(gamma**2 * float(g[row] @ g[row]), rel=CLOSE)
    before, after = found.potentials(2.0)
    np.testing.assert_allclose(before, found.gap + 2 * found.error, rtol=CLOSE)
    np.testing.assert_allclose(after, found.gap_next + 2 * found.error_next, rtol=CLOSE)


def test_visited_states_are_those_of_the_run():
    rng = np.random.default_rng(0)
    # p = 1: every estimate is the gradient.
    run = marina(
        PROBLEM, RandK(1), step_size=0.1, probability=1.0, rounds=5, rng=rng, start=[1.0, 1.0], trace=True
    )
    x, g = visited(run.iterates, 0.1)
    assert x.shape == g.shape == (5, 2)
    np.testing.assert_allclose(g, PROBLEM.gradient(x), rtol=1e-9)


def test_dcgd_on_shifted_identities_obeys_the_recursion_of_the_claim():
    import theory

    n, d, gamma = 4, 8, 0.05
    shifts = np.zeros((n, d))
    shifts[0, 0], shifts[1, 0], shifts[2, 3], shifts[3, 3] = 1, -1, 2, -2
    center = np.arange(d) / 4
    problem = Quadratic(np.ones((n, d, 1)) * np.eye(d), center - shifts)
    found = dcgd_gradients(problem, gamma, 30)
    values = {"L": 1, "gamma": gamma, "omega": 7 / 4, "S_sq": 10 / 4, "v": float(center @ center)}
    stated = theory.claim("cq_marina/dsgd").formulas["value"]
    for k in (0, 1, 10, 30):
        assert found[k] == pytest.approx(evaluate(stated, {**values, "k": k}), rel=CLOSE)


def test_rounds_to_an_accuracy_that_is_never_reached():
    assert rounds_to(np.array([3.0, 2.0, 1.0]), 2.0) == 1
    assert rounds_to(np.array([3.0, 2.0, 1.0]), 0.5) == 30
