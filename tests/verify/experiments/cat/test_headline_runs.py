"""The loop over fixed sizes agrees with the method itself."""

import numpy as np
import pytest

from impl.communication import PRESETS
from verify.cat.fixtures.fixed_size import fixed_size
from verify.errors import UsageError
from verify.experiments.cat.headline_runs import (
    Task,
    blind_rule,
    fixed_rounds,
    literal_rule,
    run_until,
    scanning_rule,
    task,
    tuned_run,
)


@pytest.mark.parametrize("size", [1, 4, 32, 512])
def test_fixed_sizes_side_by_side_are_single_runs(size):
    found = task("LS")
    together = fixed_rounds(found, (1, 4, 32, 512))
    alone = run_until(found, fixed_size(size, PRESETS["payload"], entry_bits=41))
    assert together[size] == alone.rounds
    assert found.fixed_costs("payload", together)[size] == alone.cost[0, -1]


def test_signs_are_those_of_the_compressor():
    from impl.adaptive import Choice
    from impl.compressors import TopKSigns

    found, size = task("LS"), 6

    def rule(g):
        largest = np.sort(np.abs(g))[::-1][:size]
        factor = largest.sum() / (size * np.linalg.norm(g))
        return Choice(size, 1.0, 1.0, factor, 1.0, TopKSigns(size))

    assert fixed_rounds(found, (size,), signs=True)[size] == run_until(found, rule).rounds


def test_a_size_that_does_not_end_is_named(monkeypatch):
    monkeypatch.setattr("verify.experiments.cat.headline_runs.MOST_ROUNDS", 3)
    with pytest.raises(UsageError, match=r"sizes \[8, 1\] do not end within 3 rounds"):
        fixed_rounds(task("LS"), (8, 1))


@pytest.mark.parametrize("make", [literal_rule, scanning_rule])
def test_equivalent_rules_cost_the_same(make):
    found = task("LS")
    assert run_until(found, make("lora51")).cost[0, -1] == tuned_run(found, "cat_s", "lora51").cost[0, -1]


def test_the_blind_rule_pays_what_a_frame_costs():
    run = run_until(task("LS"), blind_rule("eth"), most=2)
    assert run.sizes[0, :, 0].tolist() == [1, 1]
    assert run.cost[0, -1] == 2 * 12304


def test_indices_of_gradient_descent():
    found = task("LS")
    assert isinstance(found, Task)
    assert found.gd_cost("payload", 1) == 512 * 32
    assert found.gd_cost("payload", 1, indices=True) == 512 * 41
