"""Shares and costs of all sizes against the literal forms, and runs that say what is not so."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from impl.communication import PRESETS, Packet
from verify.cat.fixtures import literal_shares as literal
from verify.cat.fixtures.all_sizes import (
    SHARES,
    all_sizes,
    compare_iterates,
    keep_chances,
    size_costs,
    survivors,
)
from verify.cat.fixtures.golden_vectors import GI, rational
from verify.experiments.cat.headline_runs import run_until, scanning_rule, task

FOUND = task("LS")
SORTED = np.array([sorted((abs(item) for item in GI), reverse=True), [5, 5, 5, 2, 1, 1, 1, 1]], dtype=float)


@pytest.fixture(scope="module")
def run():
    return run_until(FOUND, scanning_rule("affine"), trace=True)


@pytest.mark.parametrize(
    ("kind", "shares"), [("cat_s", literal.alphas), ("cat_sq", literal.betas), ("cat_st", literal.omegas)]
)
def test_shares_are_the_literal_ones(kind, shares):
    for row, found in zip(SORTED, SHARES[kind](SORTED), strict=True):
        assert found == pytest.approx([float(item) for item in shares(rational(row.tolist()))], rel=1e-14)


def test_all_of_a_gradient_is_sent_from_the_nonzeros_on():
    assert SHARES["cat_st"](np.array([[3.0, 1.0, 0.0, 0.0]]))[0].tolist() == [10 / 16, 1, 1, 1]


def test_expected_costs_are_those_of_all_outcomes():
    g = rational(SORTED[0].tolist())
    packet = Packet(2, 1)
    prices = [0, *(float(packet(T)) for T in range(1, 9))]
    found = survivors(keep_chances(SORTED[0])) @ np.array(prices)
    for T in range(1, 9):
        stated = literal.expected_cost(g, T, lambda N: F(packet(N)) if N else F(0))
        assert found[T - 1] == pytest.approx(float(stated), rel=1e-13)


def test_the_law_of_survivors_has_their_mean():
    law = survivors(keep_chances(SORTED[1]))
    assert law.sum(axis=1) == pytest.approx(np.ones(8))
    assert law @ np.arange(9) == pytest.approx(np.arange(1, 9))


def test_sizes_are_paid_by_their_payload():
    # 9 bits of an index, 32 of a number, 624 for each message.
    assert size_costs("cat_s", PRESETS["affine"], 512)[:2].tolist() == [41 + 624, 82 + 624]
    assert size_costs("cat_sq", PRESETS["payload"], 512)[:2].tolist() == [32 + 10, 32 + 20]


def failed(run):
    found = all_sizes(FOUND.problem, run, "cat_s", PRESETS["affine"])
    return {item.label.split(": ")[1] for item in compare_iterates("S", run, found) if item.excess > 0}


def test_every_iterate_of_a_run_is_held(run):
    assert failed(run) == set()
    for k in (0, 7, run.rounds - 1):
        sizes = run.sizes.copy()
        sizes[0, k, 0] += 3
        assert failed(replace(run, sizes=sizes)) == {"best of all sizes", "share", "efficiency"}
        shares = run.shares.copy()
        shares[0, k, 0] *= 1 + 1e-9
        assert failed(replace(run, shares=shares)) == {"share"}
        efficiencies = run.efficiencies.copy()
        efficiencies[0, k, 0] *= 1 - 1e-9
        assert failed(replace(run, efficiencies=efficiencies)) == {"efficiency"}


def test_gradients_are_those_at_the_iterates(run):
    iterates = run.iterates.copy()
    iterates[0, 5] *= 1.01
    assert failed(replace(run, iterates=iterates)) >= {"share", "efficiency"}
