"""Runs of several nodes: a fixed size is priced as a run over the link is, and the step is the stated one."""

from functools import partial

import numpy as np
import pytest

from impl.adaptive import cat_st, keep_probabilities
from impl.communication import PRESETS, dense_bits, index_bits
from impl.optimizers import cat_gd
from impl.problems import breast_cancer_logistic
from verify.evidence.streams import stream
from verify.experiments.cat.node_costs import CLAIM, NodeComparison, random_entries

ROUNDS, REPLICATES = 6, 3


@pytest.fixture(scope="module")
def comparison():
    return NodeComparison(breast_cancer_logistic(4, 0.1), 0, "test", ROUNDS, 3, REPLICATES)


@pytest.mark.parametrize("link", ["payload", "affine", "6lowpan", "eth"])
def test_counted_messages_cost_what_a_run_over_the_link_costs(comparison, link):
    problem, cost = comparison.problem, PRESETS[link]
    entry = index_bits(problem.d) + 32

    def price(sent: int) -> float:
        return float(cost(sent * entry) if sent else cost.empty)

    run = cat_gd(
        problem,
        random_entries(8, price),
        step_size=1 / problem.L_nodes.max(),
        rounds=ROUNDS,
        rng=stream(0, CLAIM, "figure/test/8", 0),
        replicates=REPLICATES,
    )
    found = comparison.run("random-8", link)
    assert found.costs == pytest.approx(run.cost, rel=1e-14)
    least = problem.objective(problem.solution)
    first = problem.objective(np.zeros(problem.d)) - least
    assert found.gaps == pytest.approx((run.objective - least) / first, rel=1e-12)


def test_random_entries_have_the_share_of_their_chances():
    g = np.array([3.0, -1.0, 0.0, 0.5])
    choice = random_entries(2, float)(g)
    p = keep_probabilities(g, 2)
    assert choice.share == pytest.approx(float(g @ g) / sum(g[p > 0] ** 2 / p[p > 0]))
    assert choice.compressor is not None
    assert choice.compressor.unbiased
    assert random_entries(9, float)(g).size == 3  # no more than the nonzeros
    assert random_entries(9, float)(g).share == pytest.approx(1)
    assert random_entries(1, float)(np.zeros(4)).compressor is None


def test_gradient_descent_is_that_of_the_mean(comparison):
    problem, run = comparison.problem, comparison.run("gd", "affine")
    x = np.zeros(problem.d)
    for _ in range(ROUNDS):
        x -= problem.gradient(x) / problem.L
    least = problem.objective(problem.solution)
    first = problem.objective(np.zeros(problem.d)) - least
    assert run.gaps[0, -1] == pytest.approx((problem.objective(x) - least) / first)
    assert run.costs[0].tolist() == [k * PRESETS["affine"](dense_bits(problem.d)) for k in range(ROUNDS + 1)]


def test_the_rule_runs_fewer_rounds_over_packets(comparison):
    assert comparison.run("cat_st", "affine").costs.shape == (REPLICATES, ROUNDS + 1)
    assert comparison.run("cat_st", "eth").costs.shape == (REPLICATES, 4)


def test_the_step_of_a_round_is_that_of_the_claim():
    """One round from 0 over two nodes: the move is gamma times the mean of the messages."""
    problem = breast_cancer_logistic(2, 0.1)
    rule = partial(cat_st, cost=PRESETS["affine"])
    L = problem.L_nodes.max()
    run = cat_gd(problem, rule, step_size=1 / L, rounds=1, rng=np.random.default_rng(0))
    gradients = problem.gradients(np.zeros(problem.d))
    choices = [rule(g) for g in gradients]
    q = max(1 / choice.share - 1 for choice in choices)
    rng = np.random.default_rng(0)
    sent = [
        choice.compressor.compress(g, choice.compressor.draw(rng, g.shape))
        for g, choice in zip(gradients, choices, strict=True)
    ]
    assert run.x[0] == pytest.approx(-np.mean(sent, axis=0) / (L * (1 + 2 * q / 2)), rel=1e-13)
