"""Golden numbers of the specification for the headline: constants, rounds and sizes of the runs."""

import math

import pytest

from verify.experiments.cat.headline_runs import RULES, task, tuned_run

# Rounds, first, smallest and largest size of CAT-S, rounds of CAT-SQ.
TUNED = {
    ("LF", "payload"): (2849, 1, 1, 1, 68),
    ("LF", "affine"): (46, 5, 5, 179, 56),
    ("LF", "6lowpan"): (178, 16, 16, 16, 63),
    ("LF", "lora51"): (224, 10, 10, 51, 80),
    ("LF", "eth"): (25, 256, 256, 256, 54),
    ("LS", "payload"): (55, 1, 1, 1, 26),
    ("LS", "affine"): (18, 1, 1, 6, 22),
    ("LS", "6lowpan"): (15, 15, 15, 15, 22),
    ("LS", "lora51"): (15, 9, 9, 9, 22),
    ("LS", "eth"): (15, 284, 284, 284, 22),
}
TWO_PERCENT = 0.02  # F* and near ties, as the specification says


@pytest.mark.parametrize(
    ("name", "L", "least"), [("LF", 0.140351534374, 0.413785959806), ("LS", 0.134537594805, 0.242957885533)]
)
def test_constants(name, L, least):
    found = task(name)
    assert pytest.approx(L, rel=1e-11) == found.problem.L
    assert found.target == pytest.approx(least + 1e-3 * (math.log(2) - least), rel=1e-11)


@pytest.mark.parametrize(("name", "model"), TUNED)
def test_rounds_and_sizes(name, model):
    rounds, first, smallest, largest, rounds_sq = TUNED[name, model]
    tuned, signs = (tuned_run(task(name), rule, model) for rule in RULES)
    assert tuned.rounds == pytest.approx(rounds, rel=TWO_PERCENT)
    assert signs.rounds == pytest.approx(rounds_sq, rel=TWO_PERCENT)
    assert (tuned.sizes[0, 0, 0], tuned.sizes.min()) == (first, smallest)
    assert tuned.sizes.max() == pytest.approx(largest, rel=TWO_PERCENT)
