"""Faults of runs, planted one at a time, that the contract of batched runs notices."""

from dataclasses import replace

import numpy as np
import pytest

from verify.conformance.batched_runs import batched_runs, default_replicates, gradient_stops, ran
from verify.cq_marina.fixtures.marina.default_runs import default_runs
from verify.cq_marina.fixtures.marina.marina_runs import RUNS, full_gradients


def _noticed(change, name="gradient descent"):
    """Return the labels at which a changed method is noticed."""
    method, *rest = RUNS[name]

    def changed(rng, start, replicates, options):
        return change(method(rng, start, replicates, options), options)

    cases = batched_runs(ran, {name: (changed, *rest)}, seed=1)
    return {
        item.label
        for item in cases
        if abs(item.value - item.bound) > item.tolerance.relative * abs(item.bound)
    }


def _of_second_chunk(run, options):
    return replace(run, x=np.concatenate([run.x[:100], 2 * run.x[100:]]))


def _longer(run, options):
    return replace(run, bits=np.where(run.bits > 0, run.bits + 1, 0))


def _finite(run, options):
    return replace(run, x=np.where(np.isfinite(run.x), run.x, 0.0))


def _late(run, options):
    return (
        replace(run, objective=np.concatenate([run.objective, run.objective[:, -1:]], 1))
        if "until" in options
        else run
    )


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (_of_second_chunk, "numbers other than those of the chunks"),
        (_longer, "traces of the literal run"),
        (_finite, "replicates beyond the range"),
        (_late, "round at which it stops"),
    ],
)
def test_faults_are_noticed(change, label):
    assert label in _noticed(change)


def _waits_for_all(run, options):
    return run if "until" not in options or not run.overflowed.any() else _late(run, options)


def test_a_run_that_waits_for_a_replicate_beyond_the_range_is_noticed():
    assert _noticed(_waits_for_all) == {"round at which it stops"}


@pytest.mark.parametrize(("window", "noticed"), [(8, False), (7, True), (4, True)])
def test_gradients_that_nobody_looked_at_are_noticed(window, noticed):
    def run(matrices, start, options):
        honest = full_gradients(matrices, start, {**options, "gradient_until": None})
        small = options.get("gradient_until", 0.0)
        seen = (
            k
            for k in range(0, 25, 8)
            if (honest.gradient_norm_sq[0, max(0, k + 1 - window) : k + 1] <= small).any()
        )
        return honest if small == 0 else honest.until(next(seen, honest.rounds))

    found = gradient_stops(ran, run, 24)
    assert {item.label for item in found if item.excess > 0} == (
        {"numbers of runs that stop soon after it"} if noticed else set()
    )


def test_a_default_of_two_replicates_is_noticed():
    runs = default_runs()
    assert len(runs) == 12
    assert not any(item.value for item in default_replicates(ran, runs, 1))
    changed = {
        name: lambda rng, run=run, **more: run(rng, **{"replicates": 2} | more) for name, run in runs.items()
    }
    assert all(item.value > 0 for item in default_replicates(ran, changed, 1))
