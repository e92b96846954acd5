"""Gradient descent with compressors chosen for each gradient: runs without a message, what is refused."""

from functools import partial

import numpy as np
import pytest

from impl.adaptive import Choice, cat_s, cat_sq, cat_st
from impl.communication import Affine
from impl.compressors import TopK
from impl.errors import ArgumentError
from impl.optimizers import cat_gd
from impl.problems import Quadratic
from verify.cat.fixtures.golden_vectors import quad

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


def test_no_distance_without_a_certified_solution():
    assert run(top(1), Quadratic([[1.0, 0.0]]), rounds=2).distance_sq is None


@pytest.mark.parametrize("rule", [cat_s, cat_sq, cat_st])
def test_a_zero_gradient_sends_nothing_and_stays(rule):
    result = run(by_entries(rule, 5), start=np.zeros(20), rounds=3)
    assert not result.cost.any()
    assert not result.sizes.any()
    assert not result.x.any()


def test_without_bits_the_message_tells():
    problem = quad()
    result = run(top(4), problem, rounds=3, trace=True)
    sent = [TopK(4).message(problem.gradients(x)[0], None).bits for x in result.iterates[0, :3]]
    assert result.bits[0].tolist() == [0, *np.cumsum(sent).tolist()]


def test_until_ends_at_the_first_objective_that_is_low_enough():
    plain = run(by_entries(cat_s, 5))
    target = float(plain.objective[0, 7])
    result = run(by_entries(cat_s, 5), until=target)
    assert result.rounds == 7
    assert result.objective[0].tolist() == plain.objective[0, :8].tolist()
    assert result.cost[0].tolist() == plain.cost[0, :8].tolist()


@pytest.mark.parametrize("rule", [cat_s, cat_sq])
@pytest.mark.parametrize("n", [2, 4])
def test_biased_rules_are_refused_on_several_nodes(rule, n):
    problem = Quadratic.from_centers(np.ones((n, 2)), np.arange(2.0 * n).reshape(n, 2))
    with pytest.raises(ArgumentError, match=r"node 0 chose TopK.*is biased.*Use cat_st, or set allow_div"):
        run(by_entries(rule, 5), problem, start=[1.0, 2.0])


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
