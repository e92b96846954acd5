"""Golden numbers of the specification for the headline: all rows of the table, and what is told with it."""

import math

import pytest

import theory
from verify.cat.finding_headline_data import TABLE as DATA_TABLE
from verify.cat.headline import BEATEN, GD_ROUNDS, SIZES, TABLE, grid
from verify.cat.headline_runs import MODELS, RULES, fixed_rounds, frozen_rule, run_until, task, tuned_run
from verify.evaluation import evaluate

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


@pytest.mark.parametrize("name", GD_ROUNDS)
def test_iterations_of_gradient_descent(name):
    assert grid(name)[task(name).d] == GD_ROUNDS[name]


@pytest.mark.parametrize(("name", "model"), TABLE)
def test_row(name, model):
    row, found = TABLE[name, model], task(name)
    rounds, first, smallest, largest, rounds_sq = TUNED[name, model]
    fixed = found.fixed_costs(model, grid(name))
    assert found.gd_cost(model, GD_ROUNDS[name]) == row.gd
    assert fixed[8] == pytest.approx(row.top_8, rel=TWO_PERCENT)
    assert fixed[32] == pytest.approx(row.top_32, rel=TWO_PERCENT)
    tuned, signs = (tuned_run(found, rule, model) for rule in RULES)
    assert tuned.cost[0, -1] == pytest.approx(row.cat_s, rel=TWO_PERCENT)
    assert signs.cost[0, -1] == pytest.approx(row.cat_sq, rel=TWO_PERCENT)
    assert tuned.rounds == pytest.approx(rounds, rel=TWO_PERCENT)
    assert signs.rounds == pytest.approx(rounds_sq, rel=TWO_PERCENT)
    assert (tuned.sizes[0, 0, 0], tuned.sizes.min()) == (first, smallest)
    assert tuned.sizes.max() == pytest.approx(largest, rel=TWO_PERCENT)


def test_every_case_is_in_the_table():
    assert set(TABLE) == {(name, model) for name in GD_ROUNDS for model in MODELS}


@pytest.mark.parametrize(
    ("model", "gain"), [("payload", 109), ("affine", 18.4), ("6lowpan", 26.0), ("lora51", 41.0), ("eth", 2.0)]
)
def test_gains_on_steep_gradients(model, gain):
    found = task("LS")
    gd = found.gd_cost(model, GD_ROUNDS["LS"])
    values = {"rounds": 15, "C_dense": gd / 15, "spent": tuned_run(found, "cat_s", model).cost[0, -1]}
    assert evaluate(theory.claim("cat/headline").formulas["gain"], values) == pytest.approx(gain, rel=5e-3)


def test_worst_loss_against_a_fixed_size():
    losses = {
        (name, model): tuned_run(task(name), "cat_s", model).cost[0, -1]
        / min(task(name).fixed_costs(model, grid(name)).values())
        for name, model in TABLE
    }
    assert max(losses.values()) == losses["LS", "affine"] == pytest.approx(1.102, rel=1e-3)


def test_frozen_size():
    cost = run_until(task("LF"), frozen_rule("affine")).cost[0, -1]
    assert cost == pytest.approx(469680, rel=TWO_PERCENT)
    assert cost / TABLE["LF", "affine"].cat_s == pytest.approx(3.17, rel=TWO_PERCENT)


def test_one_entry_in_each_frame():
    # What a choice by C = T pays under Ethernet: about 35 Mbit, two digits.
    assert grid("LF")[1] * 12304 == pytest.approx(35e6, rel=0.02)


def test_signs_of_a_fixed_size():
    found = task("LF")
    cost = found.fixed_costs("payload", fixed_rounds(found, (16,), signs=True), signs=True)[16]
    assert cost == pytest.approx(17600, rel=TWO_PERCENT)
    assert TABLE["LF", "payload"].cat_sq / 17600 == pytest.approx(1.61, rel=1e-3)
    assert TABLE["LF", "eth"].cat_sq / TABLE["LF", "eth"].gd == pytest.approx(2.16, rel=1e-3)


@pytest.mark.parametrize(("d", "factor"), [(256, 1.25), (512, 1.28)])
def test_indices_of_gradient_descent(d, factor):
    values = {"index_bits": (d - 1).bit_length(), "float_bits": 32}
    overcharge = evaluate(theory.claim("cat/headline").formulas["overcharge"], values)
    assert overcharge == pytest.approx(factor, rel=2e-3)  # three digits are printed


@pytest.mark.parametrize(
    ("model", "against_gd", "against_fixed"), [("payload", 1.09, 1.53), ("affine", 1.04, 1.27)]
)
def test_phishing_loses_by_the_table(model, against_gd, against_fixed):
    row = DATA_TABLE["phishing", model]
    assert row.cat_s / row.gd == pytest.approx(against_gd, rel=5e-3)
    assert row.cat_s / min(row.fixed.values()) == pytest.approx(against_fixed, rel=5e-3)


def test_where_a_fixed_size_is_cheaper():
    losses = {
        (name, model): tuned_run(task(name), "cat_s", model).cost[0, -1]
        / min(task(name).fixed_costs(model, grid(name)).values())
        for name, model in TABLE
    }
    assert {case for case, loss in losses.items() if loss > 1} == BEATEN
    # 0.7 to 10 percent, as they are printed; in the other cases CAT-S is the cheapest, or as cheap.
    beaten = sorted(losses[case] for case in BEATEN)
    assert beaten[0] == pytest.approx(1.007, abs=5e-4)
    assert beaten[-1] == pytest.approx(1.10, abs=5e-3)


def test_signs_lose_at_most_what_is_told():
    losses = {
        (name, model): tuned_run(task(name), "cat_sq", model).cost[0, -1]
        / min(task(name).fixed_costs(model, grid(name, signs=True), signs=True).values())
        for name, model in TABLE
    }
    assert max(losses.values()) == losses["LF", "payload"] == pytest.approx(1.61, abs=5e-3)


def test_sizes_are_those_of_the_specification():
    assert len(SIZES) == 17
    assert SIZES[-1] == 192
