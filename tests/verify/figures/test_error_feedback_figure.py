"""The figure on memory: steps and bound are those of the claim, and its caption says what the data hold."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

import theory
from impl.communication import PRESETS
from impl.problems import breast_cancer_logistic
from verify.figures.cat.error_feedback import (
    BOUNDED,
    CLAIM,
    LABELS,
    LEAST,
    RIDGE,
    ROUNDS,
    STYLES,
    step_of,
)
from verify.formulas.evaluation import evaluate
from verify.planning.methods.with_memory import lost_by_entries, lost_by_signs, step_size
from verify.planning.setting import Setting

ROOT = Path(__file__).resolve().parents[3]
Curve = list[dict[str, float]]
SIZES = (1, 4, 16)


def kept() -> dict[tuple[str, int], dict[str, Curve]]:
    """Return the committed rows of each method for each set and number of nodes."""
    found: dict[tuple[str, int], dict[str, Curve]] = {}
    with (ROOT / "paper_figures" / "cat" / "error_feedback.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            numbers = {key: float(row[key]) for key in ("step_times_L", "round", "kbits", "gap", "bound")}
            panel = found.setdefault((row["set"], int(float(row["n"]))), {})
            panel.setdefault(row["method"], []).append(numbers)
    return found


def with_memory(panel: dict[str, Curve]) -> dict[str, Curve]:
    """Return the curves of the methods that have one."""
    return {name: curve for name, curve in panel.items() if name != "gd" and not name.startswith("bare")}


def test_every_panel_has_every_method_and_each_has_a_look() -> None:
    panels = kept()
    assert list(panels) == list(ROUNDS)
    assert all(list(panel) == list(LABELS) for panel in panels.values())
    assert set(STYLES) == set(LABELS)


def test_steps_on_one_node_are_those_of_plan() -> None:
    problem = breast_cancer_logistic(1, RIDGE)
    setting, panel = Setting(problem, PRESETS["payload"], 1e-3), kept()["breast cancer", 1]
    lost = {f"top-{k}": lost_by_entries(k, problem.d) for k in SIZES} | {"one-bit": lost_by_signs(problem.d)}
    assert set(lost) == set(with_memory(panel))
    for name, share in lost.items():
        assert step_of(problem, share) == pytest.approx(step_size(setting, share), rel=1e-12)
        assert panel[name][0]["step_times_L"] == pytest.approx(problem.L * step_size(setting, share))


def test_the_bound_is_drawn_for_one_method_on_one_node_and_holds() -> None:
    for (data, n), panel in kept().items():
        for name, curve in panel.items():
            if (data, n, name) != ("breast cancer", 1, BOUNDED):
                assert all(math.isnan(row["bound"]) for row in curve)
                continue
            assert curve[-1]["bound"] <= LEAST < curve[-2]["bound"]
            assert all(row["gap"] <= row["bound"] for row in curve if not math.isnan(row["gap"]))
            (arrived,) = (row["round"] for row in curve if row["gap"] <= LEAST)
            assert 2.5 < curve[-1]["round"] / arrived < 3.5


def test_on_several_nodes_entries_stall_without_memory_and_not_with_it() -> None:
    for (_, n), panel in kept().items():
        least = {name: min(row["gap"] for row in curve) for name, curve in panel.items()}
        if n == 1:
            assert all(gap <= LEAST for gap in least.values())
            assert panel["bare-4"][-1]["round"] < panel["top-4"][-1]["round"]
        else:
            assert least["bare-4"] > 2 / 3
            assert all(gap < 0.05 for gap in map(least.__getitem__, with_memory(panel)))
            assert LEAST < least["top-16"] < 1e-3


def test_gradient_descent_needs_fewer_rounds_and_bits_than_all_with_memory() -> None:
    for panel in kept().values():
        for curve in with_memory(panel).values():
            for row in curve:
                for key in ("round", "kbits"):
                    dense = [other["gap"] for other in panel["gd"] if other[key] <= row[key]]
                    if row[key] > panel["gd"][1][key] and not math.isnan(row["gap"]):
                        assert min(dense) <= row["gap"] * (1 + 1e-9)


def test_on_several_nodes_the_bound_leaves_more_than_the_first_gap() -> None:
    problem = breast_cancer_logistic(8, RIDGE)
    gap = float(problem.objective(np.zeros(problem.d)) - problem.objective(problem.solution))
    noise = 2 * float((problem.gradients(problem.solution) ** 2).sum(axis=-1).mean())
    for k in SIZES:
        lost = lost_by_entries(k, problem.d)
        values = {
            "L": problem.L,
            "mu": problem.mu,
            "r": lost**0.5,
            "Z": noise,
            "gamma": step_of(problem, lost),
        }
        left = evaluate(theory.claim(CLAIM).bound, {**values, "Delta_0": gap, "T": 10**8})
        assert 7 < left / gap < 18
