"""Recorded runs: messages, step and direction are recovered, and each wrong one is named."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from impl.adaptive import cat_st, keep_probabilities
from impl.communication import Affine
from impl.optimizers import cat_gd
from verify.cat.fixtures.golden_vectors import mn4, quad
from verify.cat.fixtures.recorded_run import RecordedRound, recorded_run

RULE = partial(cat_st, cost=Affine(1, 0), entry_bits=1)


def corners(seed=0, **changes):
    arguments = {"step_size": 1.0, "rounds": 12, "rng": np.random.default_rng(seed), "start": np.zeros(2)}
    return recorded_run(mn4(), RULE, **{**arguments, **changes})


def held(made, step):
    gradients = mn4().gradients(made.x)
    return {item.label for item in made.hold(step, gradients, chances(gradients)) if item.excess}


def chances(gradients):
    return [keep_probabilities(g, 1) for g in gradients]


def moving():
    """Return a round whose messages do not cancel, with its step."""
    (made, *_) = (item for item in corners() if item.step is not None)
    return made, 1 / (1 + 2 * 1 / 4)  # in the middle, one of two equal entries: q = 1


def test_recording_changes_nothing():
    plain = cat_gd(
        mn4(), RULE, step_size=1.0, rounds=12, rng=np.random.default_rng(0), start=np.zeros(2), trace=True
    )
    run = corners()
    assert [made.x.tolist() for made in run] == plain.iterates[0, :-1].tolist()
    assert [made.sizes.tolist() for made in run] == plain.sizes[0].tolist()


def test_the_first_round_of_the_corners():
    made = corners()[0]
    assert set(np.abs(made.messages).ravel().tolist()) <= {0.0, 2.0}  # entries 1 over chances 1/2
    assert made.mean.tolist() == (made.messages.sum(axis=0) / 4).tolist()


def test_honest_rounds_are_accepted():
    made, step = moving()
    assert made.step == pytest.approx(step, rel=1e-14)
    assert not held(made, step)


def test_each_wrong_part_is_named():
    made, step = moving()
    assert held(made, 1.5 * step) == {"step of the run"}
    assert held(replace(made, move=1.5 * made.move), step) == {"step of the run"}
    turned = made.move + 1e-6 * made.mean[::-1] * [1, -1]
    assert "direction of the run" in held(replace(made, move=turned), step)
    node = int(np.argmax(made.messages.any(axis=1)))
    messages = made.messages.copy()
    messages[node] *= 1.001
    assert "message of a node" in held(replace(made, messages=messages), step)


def test_without_a_message_nothing_may_move():
    x, nothing = np.array([0.5, -0.25]), np.zeros((4, 2))
    made = RecordedRound(0, x, np.zeros(2), nothing, np.ones(4))
    assert made.step is None
    assert not held(made, 0.5)
    assert held(replace(made, move=np.array([0.0, 1e-9])), 0.5) == {"step of the run"}


def test_nodes_that_send_nothing_are_recorded_as_zero():
    run = corners(start=np.array([1.0, 1.0]), rounds=1)
    assert run[0].sizes[0] == 0
    assert not run[0].messages[0].any()


def test_one_replicate_only():
    with pytest.raises(ValueError, match="give one replicate"):
        recorded_run(
            quad(),
            RULE,
            step_size=0.1,
            rounds=2,
            rng=np.random.default_rng(0),
            replicates=2,
            start=np.ones(20),
        )
