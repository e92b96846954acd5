"""Predictions: their claims exist, runs cost no more than is predicted, and bounds are used as stated."""

import math

import numpy as np
import pytest

import theory
from impl.communication import PRESETS, Affine, dense_bits, sign_entries_bits, sparse_bits
from impl.problems import Quadratic
from verify.errors import UsageError
from verify.planning.links import link
from verify.planning.measured import cost_to_target
from verify.planning.problems import problem
from verify.planning.ranked import ranked
from verify.planning.setting import Setting, first_round

LINKS = [*PRESETS, "affine:2,100", "packet:648,1064", "wire:11680,624"]
SEVERAL = {"GD", "DCGD", "DIANA", "MARINA", "DQSG"}


def setting(name="quadratic:6", nodes=1, cost="affine", accuracy=1e-2, ridge=None):
    return Setting(problem(name, nodes, ridge), link(cost), accuracy)


def kinds(rows):
    return {row.prediction.method.split(",")[0].split(" ")[0] for row in rows}


@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("cost", LINKS)
def test_every_link_ranks_the_methods_and_names_claims_that_exist(cost, nodes):
    rows = ranked(setting(nodes=nodes, cost=cost))
    costs = [row.prediction.cost for row in rows]
    assert costs == sorted(costs)
    assert all(0 < item < math.inf for item in costs)
    assert {claim for row in rows for claim in row.prediction.claims} <= {
        claim.id for claim in theory.claims()
    }
    assert kinds(rows) >= SEVERAL
    assert ("CAT-S" in kinds(rows)) == (nodes == 1)  # biased rules can diverge on several nodes
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


def test_gradient_descent_is_charged_its_dense_message_and_the_rate_of_the_claim():
    one = setting(accuracy=1e-3)
    row = next(row for row in ranked(one) if row.prediction.method == "GD")
    price = dense_bits(6) + 624
    needed = one.L / one.mu * math.log(1000) + 1  # the accuracy is relative to the start
    assert row.prediction.cost == pytest.approx(needed * price, rel=1e-12)
    assert row.prediction.rounds == int(needed)


def test_rules_are_charged_for_the_worst_gradients():
    one = setting(accuracy=1e-3)
    found = {row.prediction.method: row.prediction.cost for row in ranked(one)}
    needed = one.L / one.mu * math.log(1000) + 1
    assert found["CAT-S"] == pytest.approx(needed * (sparse_bits(6, 6) + 624), rel=1e-12)
    rho = sum((math.sqrt(j) - math.sqrt(j - 1)) ** 2 for j in range(1, 7))
    fixed = min((sign_entries_bits(T, 6) + 624) / min(1 / T, T / 6) for T in range(1, 7))
    signs = min(rho * (sign_entries_bits(6, 6) + 624), fixed)
    assert found["CAT-SQ"] == pytest.approx(needed * signs, rel=1e-12)
    # Until ||g||^2 <= 2 mu epsilon, which has the accuracy: 2 L Delta / (2 mu epsilon e).
    by_gradient = one.L / one.mu * 1000 * (sparse_bits(6, 6) + 624)
    assert found["CAT-ST"] == pytest.approx(by_gradient, rel=1e-9)


def test_random_entries_over_packets_are_charged_for_all_entries():
    # A random number of entries can need one more packet than its mean: only T = d is a sure message.
    cost = "packet:35,1"
    one = setting("quadratic:8", cost=cost)
    row = next(row for row in ranked(one) if row.prediction.method == "CAT-ST")
    assert row.prediction.cost == pytest.approx(one.L / one.mu * 100 * 8, rel=1e-9)


def test_costs_of_mean_bits_say_so_where_packets_make_them_no_bound():
    def note(cost):
        rows = ranked(setting(cost=cost))
        return next(row.prediction.note for row in rows if row.prediction.method.startswith("DCGD"))

    assert note("affine") == "mean bits"
    assert "no bound" in note("lora51")


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


def test_without_strong_convexity_no_bound_holds():
    with pytest.raises(UsageError, match="strongly convex"):
        Setting(Quadratic(np.array([[1.0, 0.0]])), Affine(1, 0), 0.1)
