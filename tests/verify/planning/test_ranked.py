"""Predictions: their claims exist, runs cost no more than is predicted, and bounds are used as stated."""

import math
import re

import numpy as np
import pytest

import theory
from impl.communication import PRESETS, Affine, dense_bits, levels_bits, sign_entries_bits, sparse_bits
from impl.problems import Quadratic
from verify.errors import UsageError
from verify.planning.links import link
from verify.planning.measured import cost_to_target
from verify.planning.problems import problem
from verify.planning.ranked import ranked
from verify.planning.setting import Prediction, Setting, cheapest, first_round

LINKS = [*PRESETS, "affine:2,100", "packet:648,1064", "wire:11680,624"]
EVERYWHERE = {"GD", "DCGD", "DIANA", "DCGD+", "DIANA+", "MARINA", "DQSG", "natural", "TernGrad"} | {
    "rand-k",
    "greedy",
}
ONE_NODE = {"top-1", "CAT-S", "CAT-SQ", "CAT-ST", "CAT-QSGD"}
SEVERAL_NODES = {"random", "CAT-ST", "NDQSG"}


def setting(name="quadratic:6", nodes=1, cost="affine", accuracy=1e-2, ridge=None):
    return Setting(problem(name, nodes, ridge), link(cost), accuracy)


def kinds(rows):
    first = (row.prediction.method.split(",")[0].split(" ")[0] for row in rows)
    return {re.sub(r"^rand-\d+$", "rand-k", word) for word in first}


@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("cost", LINKS)
def test_every_link_ranks_the_methods_and_names_claims_that_exist(cost, nodes):
    rows = ranked(setting(nodes=nodes, cost=cost))
    costs = [row.prediction.cost for row in rows]
    assert costs == sorted(costs)
    assert all(item > 0 for item in costs)
    without = [row.prediction.method for row in rows if row.prediction.cost == math.inf]
    assert without == [name for name in without if name.startswith("NDQSG")]  # no bound for every problem
    assert {claim for row in rows for claim in row.prediction.claims} <= {
        entry.id for entry in theory.entries()
    }
    # Biased rules can diverge on several nodes, and nesting needs another node.
    assert kinds(rows) == EVERYWHERE | (ONE_NODE if nodes == 1 else SEVERAL_NODES)
    assert all(row.status == "not measured" and row.cost is None for row in rows)


@pytest.mark.parametrize(
    ("name", "nodes", "cost", "ridge"),
    [
        ("quadratic:6", 1, "affine", None),
        ("quadratic:6", 1, "lora51", None),
        ("quadratic:6", 3, "payload", None),
        ("breast-cancer", 3, "affine", 0.3),
        ("quadratic:1", 1, "affine", None),
        ("quadratic:2", 5, "lora-airtime", None),
    ],
)
def test_a_run_that_arrives_costs_at_most_what_is_predicted(name, nodes, cost, ridge):
    rows = ranked(setting(name, nodes, cost, ridge=ridge), run=True, most_rounds=400)
    reached = [row for row in rows if row.status == "reached"]
    assert len(reached) >= 3
    for row in reached:
        assert row.cost <= row.prediction.cost * (1 + 1e-9), row
        if row.prediction.rounds is not None:
            assert row.rounds <= row.prediction.rounds, row
    for row in rows:
        assert row.status == "reached" or row.status.startswith("not reached in ")


def test_every_method_can_be_run_and_arrives_on_a_tiny_quadratic():
    rows = ranked(setting("quadratic:3", accuracy=0.1), run=True, most_rounds=3000)
    assert {row.status for row in rows} == {"reached"}


def test_the_same_seed_measures_the_same():
    first, again, other = (
        [row.cost for row in ranked(setting(), run=True, most_rounds=100, seed=seed)] for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other


def found_of(setting):
    return {row.prediction.method: row.prediction for row in ranked(setting)}


def test_gradient_descent_is_charged_its_dense_message_and_the_rate_of_the_claim():
    one = setting(accuracy=1e-3)
    found = found_of(one)
    for method, share, bits in (("GD", 1, dense_bits(6)), ("top-1", 1 / 6, sparse_bits(1, 6))):
        rounds = math.ceil(math.log(1e-3) / math.log(1 - share * one.mu / one.L))  # the accuracy is relative
        assert found[method].rounds == rounds
        assert found[method].cost == pytest.approx(rounds * (bits + 624), rel=1e-12)


def test_rules_are_charged_for_the_worst_gradients():
    one = setting(accuracy=1e-3)
    found = found_of(one)
    kappa, length = one.L / one.mu, math.log(1000)
    whole = sparse_bits(6, 6) + 624
    assert found["CAT-S"].cost == pytest.approx((kappa * length + 1) * whole, rel=1e-12)
    rho = sum((math.sqrt(j) - math.sqrt(j - 1)) ** 2 for j in range(1, 7))
    fixed = min((sign_entries_bits(T, 6) + 624) / min(1 / T, T / 6) for T in range(1, 7))
    signs = min(rho * (sign_entries_bits(6, 6) + 624), fixed)
    assert found["CAT-SQ"].cost == pytest.approx((kappa * length + 1) * signs, rel=1e-12)
    assert found["CAT-ST"].cost == pytest.approx(kappa * (length + 1) * whole, rel=1e-12)
    levels = min(
        (1 + min(6 / (4 * s * s), math.sqrt(6) / s)) * (levels_bits(s, 6) + 624) for s in range(1, 256)
    )
    assert found["CAT-QSGD"].cost == pytest.approx(kappa * (length + 1) * levels, rel=1e-12)


def test_random_entries_over_packets_are_charged_by_the_hull():
    one = setting(accuracy=1e-3, cost="packet:70,1")
    above = [0, 1, 1.5, 2, 2.5, 3, 3]  # the least concave numbers above 0, 1, 1, 2, 2, 3, 3 packets
    best = max((T / 6) / above[T] for T in range(1, 7))
    expected = one.L / one.mu * (math.log(1000) + 1) / best
    assert found_of(one)["CAT-ST"].cost == pytest.approx(expected, rel=1e-12)


def test_gradient_descent_runs_at_the_price_of_its_message():
    one = setting(cost="lora51")
    gaps, costs = found_of(one)["GD"].run(3, np.random.default_rng(0))
    assert costs.tolist() == [[0, 512, 1024, 1536]]
    assert gaps[0, 0] == pytest.approx(one.gap)


def test_an_interrupt_keeps_what_was_measured(monkeypatch):
    from verify.planning import ranked as module

    measured, told = module._measured, []

    def interrupted(setting, prediction, *arguments):
        if len(told) == 2:
            raise KeyboardInterrupt
        return measured(setting, prediction, *arguments)

    monkeypatch.setattr(module, "_measured", interrupted)
    rows = ranked(setting(accuracy=0.5), run=True, progress=told.append)
    assert [row.status for row in rows] == ["reached"] * 2 + ["interrupted"] * (len(rows) - 2)
    assert told[0].startswith(f"1 of {len(rows)}: {rows[0].prediction.method}, reached")


@pytest.mark.parametrize("cost", ["lora51", "eth-wire", "lora-airtime"])
def test_random_lengths_over_packets_are_charged_more_than_their_mean(cost):
    one = setting(nodes=3, cost=cost)
    for name, found in found_of(one).items():
        if "QSGD s=" in name or " steps, " in name or name.startswith("greedy"):
            assert found.note == "mean"
            assert found.cost > found.rounds * one.price(math.floor(found.bits))


def test_aware_methods_are_left_out_where_their_matrices_are_too_large(monkeypatch):
    monkeypatch.setattr("verify.planning.methods.smoothness_aware.MOST_NUMBERS", 6 * 6 - 1)
    assert kinds(ranked(setting())) == (EVERYWHERE | ONE_NODE) - {"DCGD+", "DIANA+"}


def test_the_cheapest_is_taken_up_to_the_second_dearer_one_in_a_row():
    def costs(*values):
        for value in values:
            seen.append(value)
            yield Prediction("m", None, None, value, ())

    for values, best, looked_at in (
        ((5, 6, 4, 7, 8, 1), 4, 5),
        ((math.inf, math.inf, math.inf, 3), 3, 4),
        ((2,), 2, 1),
        ((2, 2, 2, 1), 2, 3),
    ):
        seen = []
        assert cheapest(costs(*values)).cost == best
        assert len(seen) == looked_at
    with pytest.raises(ValueError, match="no prediction"):
        cheapest([])


def test_a_close_distance_has_the_accuracy():
    one = setting()
    rng = np.random.default_rng(0)
    direction = rng.standard_normal((100, 6))
    direction *= (one.squared_target / (direction**2).sum(axis=1, keepdims=True)) ** 0.5
    points = one.problem.solution + direction
    gaps = one.problem.objective(points) - one.problem.objective(one.problem.solution)
    assert gaps.max() <= one.target * (1 + 1e-9)
    steepest = (
        one.problem.solution + one.squared_target**0.5 * np.eye(6)[0]
    )  # the largest curvature: equality
    gap = one.problem.objective(steepest) - one.problem.objective(one.problem.solution)
    assert gap == pytest.approx(one.target, rel=1e-9)


def test_first_round_is_the_first():
    claim = theory.claim("cat/st-rates")
    values = {"omega": 0.5, "mu": 1, "L": 1, "Delta_0": 1}
    assert first_round(claim.bound, "K", values, 1 / 8) == 3
    assert first_round(claim.bound, "K", values, 1 / 9) == 4
    noisy = {"gamma": 0.1, "mu": 1, "D_0": 1, "q": 1, "n": 1, "sigma_sq": 1}  # it ends at 0.2
    assert first_round(theory.claim("cat/mn-strong").bound, "K", noisy, 0.1) is None


def test_a_bound_that_gives_no_number_comes_last():
    found = [planned.prediction for planned in ranked(setting(nodes=3, accuracy=1e-20))]
    without = [
        prediction for prediction in found if prediction.rounds is None and prediction.cost == math.inf
    ]
    assert without
    assert found[-len(without) :] == without
    assert math.isfinite(found[0].cost)


def test_a_run_that_has_not_arrived_everywhere_has_no_cost():
    one = setting()
    gaps = one.target * np.array([[3.0, 0.5], [3.0, 2.0]])
    assert cost_to_target(one, gaps, np.array([[0.0, 7.0], [0.0, 7.0]])) is None
    assert cost_to_target(one, gaps[:1], np.array([[0.0, 7.0]])) == (1.0, 7.0)


@pytest.mark.parametrize("accuracy", [0.0, 1.0, -1e-3, float("nan")])
def test_accuracy_out_of_range_is_named(accuracy):
    with pytest.raises(UsageError, match="accuracy="):
        setting(accuracy=accuracy)


def test_a_start_at_the_solution_is_refused():
    with pytest.raises(UsageError, match="x = 0 is the solution"):
        Setting(Quadratic(np.array([[1.0, 2.0]])), Affine(1, 0), 0.1)


def test_without_strong_convexity_no_bound_holds():
    with pytest.raises(UsageError, match="strongly convex"):
        Setting(Quadratic(np.array([[1.0, 0.0]])), Affine(1, 0), 0.1)
