"""The figure on MARINA and a network: its data are runs of the claim, in the order that it states."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import theory
from verify.experiments.cq_marina.networks import followed, stated_runs
from verify.figures.cq_marina.network_bits import CLAIM, MARKS, NAMES, ROUNDS, STYLES

ROOT = Path(__file__).resolve().parents[3]


def kept(panel: str) -> dict[str, list[dict[str, float]]]:
    """Return the committed rows of each method in a panel."""
    found: dict[str, list[dict[str, float]]] = {}
    with (ROOT / "paper_figures" / "cq_marina" / "network_bits.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["panel"] == panel:
                numbers = {key: float(item) for key, item in row.items() if key not in ("panel", "method")}
                found.setdefault(row["method"], []).append(numbers)
    return found


def test_every_method_has_a_curve_and_a_look() -> None:
    curves = kept("curve")
    assert list(curves) == list(ROUNDS)
    assert set(STYLES) == set(NAMES) == set(MARKS) == set(ROUNDS)
    for name, rows in curves.items():
        assert [row["round"] for row in rows] == list(range(ROUNDS[name] + 1))
        assert all(row["low"] <= row["median"] <= row["high"] for row in rows)


@pytest.mark.parametrize("name", ROUNDS)
def test_curves_begin_as_runs_of_the_claim_do(name: str) -> None:
    constants, _, seeds = stated_runs("digits", "accuracy")
    bits, squares = followed("digits", name, constants, seeds, 4)
    rows = kept("curve")[name][:5]
    assert [row["kbits"] for row in rows] == pytest.approx(list(bits / 1000))
    assert [row["median"] for row in rows] == pytest.approx(list(np.median(squares, axis=0)))


def test_in_each_run_the_order_is_the_stated_one() -> None:
    formulas, arrivals = theory.claim(CLAIM).formulas, kept("arrival")
    assert list(arrivals) == ["perm_k", "correlated", "rand_k", "independent", "whole"]
    _, accuracy, seeds = stated_runs("digits", "accuracy")
    for first, second in pairwise(arrivals):
        pairs = list(zip(arrivals[first], arrivals[second], strict=True))
        assert len(pairs) == seeds
        for less, more in pairs:
            assert less["seed"] == more["seed"]
            assert less["median"] <= accuracy
            assert less["kbits"] <= float(formulas.get(first, 1)) * more["kbits"]
    early = [row["kbits"] < 1000 for row in arrivals["whole"]]
    assert sum(early) == 3
