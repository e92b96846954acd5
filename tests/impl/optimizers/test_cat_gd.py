"""Gradient descent with compressors chosen for each gradient: golden runs and what is refused."""

import dataclasses
from functools import partial

import numpy as np
import pytest

from impl.adaptive import Choice, cat_qsgd, cat_s, cat_sq, cat_st
from impl.communication import Affine, Packet, Payload
from impl.compressors import TopK
from impl.errors import ArgumentError
from impl.optimizers import cat_gd, gd
from impl.problems import Quadratic
from verify.cat.fixtures.golden_vectors import quad

# Golden numbers are printed with twelve digits.
TWELVE = 1e-11
ONES = np.ones(20)


def corners():
    return Quadratic.from_centers(np.ones((4, 2)), np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]))


def by_entries(rule, fixed):
    return partial(rule, cost=Affine(1, fixed), entry_bits=1)


def top(size):
    """Return the rule that sends the same number of entries always, at one unit each."""
    return lambda g: Choice(size, 1.0, 1 / size, 1.0, size, TopK(size))


def run(rule, problem=None, **changes):
    problem = problem or quad()
    arguments = {
        "step_size": 1 / problem.L,
        "rounds": 60,
        "rng": np.random.default_rng(0),
        "start": ONES[: problem.d],
        **changes,
    }
    return cat_gd(problem, rule, **arguments)


@pytest.mark.parametrize(
    ("rule", "last", "cost", "sizes"),
    [
        (by_entries(cat_s, 5), 0.0703527978745, 916, [2, 3, 4, 6, 5, 7, 7, 9]),
        (by_entries(cat_s, 60), 0.0231170568431, 4607, None),
        (by_entries(cat_s, 0), 0.618328320484, 60, [1] * 8),
        (by_entries(cat_sq, 5), 0.0685830432594, 933, [2, 2, 2, 5, 5, 5, 8, 5]),
        (by_entries(cat_sq, 60), 0.0285752848809, 4506, None),
        (top(4), 0.27130508551, 240, [4] * 8),
        (top(20), 0.0208955795473, 1200, [20] * 8),
    ],
    ids=["s-5", "s-60", "s-0", "sq-5", "sq-60", "top-4", "whole"],
)
def test_golden_runs(rule, last, cost, sizes):
    result = run(rule)
    assert result.rounds == 60
    assert result.objective[0, 0] == pytest.approx(1.92342569489, rel=TWELVE)
    assert result.objective[0, -1] == pytest.approx(last, rel=TWELVE)
    assert result.cost[0, -1] == cost
    if sizes:
        assert result.sizes[0, :8, 0].tolist() == sizes


def test_golden_shares_and_gradients():
    result = run(by_entries(cat_s, 5))
    assert result.sizes.sum() == 616
    assert result.shares.sum() == pytest.approx(43.2972477901, rel=TWELVE)
    assert result.gradient_norm_sq[0, :60].min() == pytest.approx(0.0121786338071, rel=TWELVE)
    assert run(by_entries(cat_s, 0)).shares.sum() == pytest.approx(8.0360234553, rel=TWELVE)


def test_all_entries_are_gradient_descent():
    problem = quad()
    whole = run(top(20), rounds=10)
    plain = gd(problem, step_size=1 / problem.L, rounds=10, start=ONES)
    assert whole.objective == pytest.approx(plain.objective, rel=1e-13)  # ten rounds of round-off
    assert whole.distance_sq == pytest.approx(plain.distance_sq, rel=1e-13)


def test_traces_have_their_shapes():
    starts = np.stack([ONES, 2 * ONES])
    result = run(by_entries(cat_st, 5), rounds=4, replicates=2, start=starts, trace=True)
    assert result.x.shape == (2, 20)
    assert result.objective.shape == result.cost.shape == result.distance_sq.shape == (2, 5)
    assert result.sizes.shape == result.shares.shape == result.efficiencies.shape == (2, 4, 1)
    assert result.iterates.shape == (2, 5, 20)
    assert result.iterates[:, 0].tolist() == starts.tolist()
    assert result.iterates[:, -1].tolist() == result.x.tolist()
    assert run(by_entries(cat_s, 5), rounds=1).iterates is None


@pytest.mark.parametrize("make", [corners, lambda: Quadratic.from_centers([[1.0, 2.0]], [[3.0, -1.0]])])
def test_traces_are_of_the_mean_gradient_and_of_the_distance_to_the_solution(make):
    problem = make()
    found = cat_gd(
        problem,
        by_entries(cat_st, 0),
        step_size=0.1,
        rounds=3,
        rng=np.random.default_rng(0),
        start=np.array([2.0, 0.5]),
        trace=True,
    )
    x = found.iterates[0]
    gradients = problem.gradients(x).mean(axis=1)
    np.testing.assert_allclose(found.gradient_norm_sq[0], (gradients**2).sum(axis=-1), rtol=1e-14)
    np.testing.assert_allclose(found.distance_sq[0], ((x - problem.solution) ** 2).sum(axis=-1), rtol=1e-14)
    np.testing.assert_allclose(found.objective[0], problem.objective(x), rtol=1e-14)


def test_no_distance_without_a_certified_solution():
    assert run(top(1), Quadratic([[1.0, 0.0]]), rounds=2).distance_sq is None


@pytest.mark.parametrize("rule", [cat_s, cat_sq, cat_st])
def test_a_zero_gradient_sends_nothing_and_stays(rule):
    result = run(by_entries(rule, 5), start=np.zeros(20), rounds=3)
    assert not result.cost.any()
    assert not result.sizes.any()
    assert not result.x.any()


def test_a_zero_gradient_of_one_node_counts_as_noiseless():
    problem = Quadratic.from_centers(np.ones((2, 2)), np.array([[0.0, 0], [2, 2]]))
    result = run(by_entries(cat_st, 0), problem, rounds=1, start=np.zeros(2), step_size=1.0)
    assert result.sizes[0, 0].tolist() == [0, 1]
    assert np.isfinite(result.x).all()


def test_a_zero_gradient_of_one_node_leaves_the_step_whole():
    # The other node sends its only entry surely: no noise at all, so one step goes to the mean of both.
    problem = Quadratic.from_centers(np.ones((2, 2)), np.array([[0.0, 0], [2, 0]]))
    result = run(by_entries(cat_st, 0), problem, rounds=1, start=np.zeros(2), step_size=1.0)
    assert result.sizes[0, 0].tolist() == [0, 1]
    assert result.x[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("rule", [cat_s, cat_sq])
@pytest.mark.parametrize("n", [2, 3])
def test_equal_nodes_with_biased_rules_are_one_node(rule, n):
    one = quad()
    many = Quadratic(np.repeat(one.matrices, n, axis=0))
    alone = run(by_entries(rule, 5), one, rounds=10)
    result = run(by_entries(rule, 5), many, rounds=10, allow_divergence=True, step_size=1 / one.L)
    assert (result.sizes == alone.sizes).all()
    assert result.cost.tolist() == alone.cost.tolist()
    assert result.bits.tolist() == alone.bits.tolist()
    assert result.x == pytest.approx(alone.x, rel=1e-12)  # ten rounds of round-off


@pytest.mark.parametrize("rule", [cat_s, cat_sq, cat_st, cat_qsgd])
def test_bits_are_the_cost_of_the_payload(rule):
    result = run(partial(rule, cost=Payload()), rounds=6)
    assert result.bits[0, -1] > 0
    assert result.bits.tolist() == result.cost.tolist()


def test_bits_of_random_messages_are_those_that_were_sent():
    problem = Quadratic(np.ones((1, 20)))
    rule = partial(cat_st, cost=Payload(), entry_bits=7)
    result = run(rule, problem, rounds=1, replicates=50, step_size=1.0, trace=True)
    moved = (result.iterates[:, 1] != result.iterates[:, 0]).sum(axis=1)
    assert result.bits[:, 1].tolist() == result.cost[:, 1].tolist() == (7 * moved).tolist()
    assert len(set(moved.tolist())) > 1


def test_without_bits_the_message_tells():
    problem = quad()
    result = run(top(4), problem, rounds=3, trace=True)
    sent = [TopK(4).message(problem.gradients(x)[0], None).bits for x in result.iterates[0, :3]]
    assert result.bits[0].tolist() == [0, *np.cumsum(sent).tolist()]


def test_random_messages_cost_what_they_are():
    # One of 20 equal entries in the mean, at 3 and 1 for each entry that is really sent; none costs 3, too.
    def rule(g):
        choice = cat_st(g, Packet(1, 1), entry_bits=1)
        return dataclasses.replace(choice, price=lambda sent: 3 + sent)

    problem = Quadratic(np.ones((1, 20)))
    result = run(rule, problem, rounds=1, replicates=200, step_size=1.0, trace=True)
    moved = (result.iterates[:, 1] != result.iterates[:, 0]).sum(axis=1)
    assert result.cost[:, 1].tolist() == (3 + moved).tolist()
    assert {0, 1, 2} <= set(moved.tolist())


def test_bits_and_cost_are_the_mean_over_the_nodes():
    result = run(by_entries(cat_st, 7), corners(), rounds=1, start=[5.0, 5.0], step_size=1.0)
    assert result.sizes[0, 0].tolist() == [2, 2, 2, 2]  # a fixed cost of 7 makes both entries pay
    assert (result.bits[0, 1], result.cost[0, 1]) == (2, 9)


def test_step_and_messages_of_several_nodes():
    problem, seed = corners(), 7
    rule = by_entries(cat_st, 0)
    start = np.array([0.5, -0.25])
    result = run(rule, problem, rounds=1, start=start, rng=np.random.default_rng(seed), step_size=1.0)
    rng, total, noise = np.random.default_rng(seed), np.zeros(2), 0.0
    for g in problem.gradients(start):
        choice = rule(g)
        total += choice.compressor.compress(g, choice.compressor.draw(rng, g.shape))
        noise = max(noise, 1 / choice.share - 1)
    assert result.x[0] == pytest.approx(start - total / 4 / (1 + 2 * noise / 4), rel=1e-14)


def test_until_ends_at_the_first_objective_that_is_low_enough():
    plain = run(by_entries(cat_s, 5))
    target = float(plain.objective[0, 7])
    result = run(by_entries(cat_s, 5), until=target)
    assert result.rounds == 7
    assert result.objective[0].tolist() == plain.objective[0, :8].tolist()
    assert result.cost[0].tolist() == plain.cost[0, :8].tolist()


def test_until_is_for_each_replicate():
    starts = np.stack([ONES, 1e-3 * ONES])
    result = run(by_entries(cat_s, 5), replicates=2, start=starts, until=0.5)
    assert result.objective[0, -1] <= 0.5 < result.objective[0, -2]
    assert result.sizes[1].sum() == 0
    assert result.cost[1].tolist() == [0] * (result.rounds + 1)
    assert len(set(result.objective[1].tolist())) == 1


def test_a_replicate_that_has_ended_keeps_its_cost_and_bits():
    starts = np.stack([ONES, 0.6 * ONES])
    # Bits of their own, so that neither trace stands for the other.
    rule = partial(cat_s, cost=Affine(2, 5), entry_bits=3)
    result = run(rule, replicates=2, start=starts, until=0.2)
    alone = run(rule, start=starts[1], until=0.2)
    assert 0 < alone.rounds < result.rounds
    for name in ("cost", "bits", "objective", "gradient_norm_sq", "distance_sq"):
        trace, short = getattr(result, name)[1], getattr(alone, name)[0]
        # Two replicates at once are off by some ulps a round.
        assert trace[: alone.rounds + 1] == pytest.approx(short, rel=1e-12)
        assert len(set(trace[alone.rounds :].tolist())) == 1
    assert result.bits[1, -1] > 0
    assert result.cost[1, -1] == 2 * result.bits[1, -1] + 5 * alone.rounds
    assert not result.sizes[1, alone.rounds :].any()
    assert result.x[1] == pytest.approx(alone.x[0], rel=1e-12)


def test_a_start_that_is_low_enough_needs_no_round():
    result = run(by_entries(cat_s, 5), until=10.0)
    assert result.rounds == 0
    assert result.sizes.shape == (1, 0, 1)


@pytest.mark.parametrize("rule", [cat_s, cat_sq])
@pytest.mark.parametrize("n", [2, 4])
def test_biased_rules_are_refused_on_several_nodes(rule, n):
    problem = Quadratic.from_centers(np.ones((n, 2)), np.arange(2.0 * n).reshape(n, 2))
    with pytest.raises(ArgumentError, match=r"node 0 chose TopK.*is biased.*Use cat_st, or set allow_div"):
        run(by_entries(rule, 5), problem, start=[1.0, 2.0])


def test_divergence_has_to_be_allowed():
    vectors = np.array([[-3.0, 2, 2], [2, -3, 2], [2, 2, -3]])
    problem = Quadratic(2 * vectors[:, :, None] * vectors[:, None, :] + np.eye(3) / 2)
    result = run(by_entries(cat_s, 0), problem, rounds=10, allow_divergence=True, step_size=6 / 103)
    assert result.x[0] == pytest.approx(np.full(3, 2.75852082102), rel=TWELVE)


def test_overflow_ends_a_replicate_quietly():
    result = run(top(1), Quadratic([[1.0]]), step_size=1e20, rounds=20, start=[1.0])
    assert result.rounds < 20
    assert result.objective[0, -1] == 1e300


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 0}, "rounds=0 must be a whole number"),
        ({"replicates": 1.5}, "replicates=1.5 must be a whole number"),
        ({"step_size": -1.0}, "step_size=-1.0 must be a positive finite number"),
        ({"step_size": float("nan")}, "step_size=nan must be a positive finite number"),
        ({"rng": 3}, "rng"),
        ({"until": float("nan")}, "until=nan must be a number"),
        ({"until": "now"}, "until='now' must be a number"),
        ({"start": [1.0, 2.0]}, r"start of shape \(2,\)"),
        ({"start": [np.nan] * 20}, "must be finite"),
        ({"start": "a"}, "start must be real numbers"),
    ],
)
def test_bad_arguments_are_named(changes, message):
    with pytest.raises(ArgumentError, match=message):
        run(by_entries(cat_s, 5), **changes)


def test_all_bad_arguments_are_named_at_once():
    with pytest.raises(ArgumentError) as caught:
        run(by_entries(cat_s, 5), rounds=-1, step_size=0)
    assert "rounds=-1" in str(caught.value)
    assert "step_size=0" in str(caught.value)


@pytest.mark.parametrize(
    "rule",
    [None, 3, "cat_s", cat_s, partial(cat_s, entry_bits=1), lambda: None, lambda g, cost: None],
    ids=["none", "number", "name", "unbound", "partly-bound", "no-argument", "two-arguments"],
)
def test_a_rule_must_take_a_gradient_alone(rule):
    with pytest.raises(ArgumentError) as caught:
        run(rule, rounds=0)
    message = str(caught.value)
    assert f"rule={rule!r} must map a gradient (d,) alone to a Choice" in message
    assert "take one like functools.partial(cat_s, cost=...)" in message
    assert "rounds=0" in message  # everything at once


@pytest.mark.parametrize("returned", [None, 3, TopK(1), np.ones(2), (1, 2)], ids=repr)
def test_a_rule_must_return_a_choice(returned):
    def rule(g):
        return by_entries(cat_st, 0)(g) if g[0] < 0 else returned

    # The gradients of the first two corners begin with a negative number.
    with pytest.raises(
        ArgumentError, match=r"rule=<function .* for node 2; it must map a .* to a Choice; tak"
    ):
        run(rule, corners(), start=np.zeros(2), step_size=1.0)


def test_a_rule_without_a_signature_is_taken():
    class Rule:
        __signature__ = None  # as some callables that are written in C

        def __call__(self, g):
            return by_entries(cat_s, 5)(g)

    assert run(Rule(), rounds=1).rounds == 1
