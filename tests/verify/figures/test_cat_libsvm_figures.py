"""Figures of adaptive tuning on LIBSVM sets: the committed data have what the notebook says of them."""

import csv
from pathlib import Path

import pytest

from verify.cat.headline.finding_headline_data import CONSTANTS
from verify.experiments.cat.libsvm_tasks import METHODS, SETS, TASKS, problem
from verify.figures.cat.parts.gap_costs import cost_to, costs_to_common_gap
from verify.figures.cat.parts.styles import LINK_LABELS, NODE_LABELS
from verify.figures.data_sets import missing_data

ROOT = Path(__file__).resolve().parents[3]
Curves = dict[tuple[str, ...], dict[str, list[tuple[float, float]]]]


def kept(figure: str) -> list[dict[str, str]]:
    """Return the rows of the committed data."""
    with (ROOT / "paper_figures" / "cat" / f"{figure}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def curves(figure: str, *keys: str) -> Curves:
    """Return (kbits, gap) of each method for each panel."""
    found: Curves = {}
    for row in kept(figure):
        panel = found.setdefault(tuple(row[key] for key in keys), {})
        panel.setdefault(row["method"], []).append((float(row["kbits"]), float(row["gap"])))
    return found


def costs_to_the_gap_of_all(panel: dict[str, list[tuple[float, float]]]) -> dict[str, float]:
    """Return what each method pays for the least gap that all of a panel have."""
    return costs_to_common_gap({method: tuple(zip(*curve, strict=True)) for method, curve in panel.items()})[
        1
    ]


def test_every_panel_has_every_method() -> None:
    single, nodes = curves("libsvm_costs", "set", "link"), curves("libsvm_nodes", "set", "n", "link")
    assert set(single) == {(task, link) for task in TASKS for link in LINK_LABELS}
    assert all(set(panel) == set(METHODS) for panel in single.values())
    assert set(nodes) == {(name, n, link) for name in SETS for n in ("4.0", "16.0") for link in LINK_LABELS}
    assert all(set(panel) == set(NODE_LABELS) for panel in nodes.values())


@pytest.mark.parametrize("figure", ["libsvm_costs", "libsvm_nodes"])
def test_intervals_hold_their_means_and_are_points_where_nothing_is_random(figure: str) -> None:
    for row in kept(figure):
        gap, low, high = (float(row[key]) for key in ("gap", "low", "high"))
        assert low <= gap <= high
        if row["method"] != "cat_st" and not row["method"].startswith("random"):
            assert low == gap == high


def test_signs_are_cheapest_on_one_node_but_over_ethernet_where_gradient_descent_is() -> None:
    for (task, link), panel in curves("libsvm_costs", "set", "link").items():
        costs = costs_to_the_gap_of_all(panel)
        best = min(costs, key=lambda name: costs[name])
        if link == "eth":
            assert costs["gd"] <= 1.001 * costs[best]
            assert costs["cat_sq"] > 1.3 * costs["gd"]
        elif (task, link) == ("phishing", "6lowpan"):
            assert best == "cat_s"  # at that gap; at 1e-3 signs are cheaper
        else:
            assert best == "cat_sq"


def test_several_nodes_pay_least_with_the_rule_by_payload_and_with_gradient_descent_over_ethernet() -> None:
    for (name, n, link), panel in curves("libsvm_nodes", "set", "n", "link").items():
        costs = costs_to_the_gap_of_all(panel)
        best = min(costs, key=lambda method: costs[method])
        if link == "payload":
            assert best == "cat_st", (name, n)
        elif link == "eth":
            assert best == "gd", (name, n)
        else:
            assert costs["cat_st"] < costs["gd"]
        if n == "16.0" and link in ("6lowpan", "lora51"):
            assert best == "random-8"  # the local rule does not know how many nodes there are


def test_over_ethernet_entries_that_fit_into_a_packet_are_all_sent() -> None:
    sizes = {"phishing": 68, "a9a": 123, "w8a": 284}
    for row in kept("libsvm_chosen_size"):
        if row["link"] == "eth" and row["method"] == "cat_s":
            assert float(row["size"]) == sizes[TASKS[row["set"]].data]
        if row["link"] == "payload" and row["method"] != "cat_sq":
            assert float(row["size"]) == 1
    panels = curves("libsvm_costs", "set", "link")
    for name in ("phishing", "a9a", "phishing-squares", "a9a-squares"):
        for tuned, dense in zip(panels[name, "eth"]["cat_s"], panels[name, "eth"]["gd"], strict=True):
            assert tuned == pytest.approx(dense, rel=1e-9)


def test_what_is_left_stays_below_its_bound() -> None:
    rows = kept("libsvm_neighbourhood")
    assert {(row["set"], row["panel"]) for row in rows} == {
        (name, panel) for name in SETS for panel in ("distance", "radius", "gap")
    }
    for row in rows:
        if row["panel"] != "gap":
            assert float(row["high"]) <= float(row["bound"]) * (1 + 1e-9) or float(row["x"]) == 0
            assert float(row["mean"]) <= float(row["bound"]) * (1 + 1e-9)
    assert all(float(row["n"]) > 1 for row in rows if row["panel"] == "radius")


def test_a_gap_stays_and_is_larger_where_messages_are_shorter() -> None:
    last = {
        (row["set"], row["n"], row["link"]): float(row["mean"])
        for row in kept("libsvm_neighbourhood")
        if row["panel"] == "gap"
    }
    assert len(last) == 12
    for (name, n, link), gap in last.items():
        assert gap > 3e-4
        if link == "payload":
            assert gap > 5 * last[name, n, "affine"]


@pytest.mark.skipif(bool(missing_data("cat/libsvm_costs")), reason="needs BOUNDCHECK_DATA")
def test_the_constants_of_phishing_are_those_of_the_specification() -> None:
    found = problem("phishing")
    assert (found.L, found.objective(found.solution)) == pytest.approx(CONSTANTS["phishing"], rel=1e-9)
    squares = problem("phishing-squares")
    # Four times the curvature of the logistic loss, and the same ridge.
    assert pytest.approx(4 * (found.L - found.ridge) + found.ridge, rel=1e-12) == squares.L


def test_a_cost_lies_on_the_line_between_two_points_and_none_is_made_up() -> None:
    curve = ([1.0, 10.0, 100.0], [1.0, 0.1, 0.1])
    assert cost_to(1.0, curve) == 1.0
    assert cost_to(10**-0.5, curve) == pytest.approx(10**0.5)
    assert cost_to(0.1, curve) == pytest.approx(10.0)
    with pytest.raises(ValueError, match=r"gap=0\.05"):
        cost_to(0.05, curve)
