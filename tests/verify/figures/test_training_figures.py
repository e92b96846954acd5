"""Figures on training with quantized gradients: their data agree with the stated bits and exact means."""

import csv
from pathlib import Path

import pytest

import theory
from verify.experiments.ndqsg.message_bits import HEADER_BITS
from verify.experiments.ndqsg.training_bits import FIXED
from verify.experiments.ndqsg.training_methods import METHODS
from verify.figures.ndqsg import mnist_accuracy, mnist_costs
from verify.figures.ndqsg_training_styles import COLORS, LABELS, LINES

ROOT = Path(__file__).resolve().parents[3]


def kept(figure: str) -> list[dict[str, str]]:
    """Return the rows of the committed data."""
    with (ROOT / "paper_figures" / "ndqsg" / f"{figure}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_method_has_a_look_of_its_own() -> None:
    assert list(COLORS) == list(LINES) == list(LABELS) == list(METHODS)
    assert len({(COLORS[name], LINES[name]) for name in METHODS}) == len(METHODS)
    assert len(set(LABELS.values())) == len(METHODS)


def test_raw_bits_are_the_stated_totals_and_headers() -> None:
    rows = {
        row["method"]: row
        for row in kept("accuracy_vs_bits")
        if float(row["P"]) == 8 and float(row["iteration"]) == 200
    }
    headers = 200 * 8 * 2 * HEADER_BITS
    for name, case in zip(FIXED, theory.claim("ndqsg/exp-digits").worst_cases, strict=True):
        assert float(rows[name]["raw"]) * 1e6 == pytest.approx(int(case.value) + headers, abs=0.5)
    assert float(rows["sgd"]["raw"]) * 1e6 == pytest.approx(200 * 8 * 32 * 650 + headers, abs=0.5)


def test_accuracies_agree_within_two_points_although_bits_differ() -> None:
    last = [row for row in kept("accuracy_vs_bits") if float(row["iteration"]) == 200]
    assert len(last) == 3 * len(METHODS)
    for workers in (4, 8, 16):
        rows = {row["method"]: row for row in last if float(row["P"]) == workers}
        for row in rows.values():
            # Those of 397 test rows: two points are 8 of them.
            assert float(row["accuracy"]) > float(rows["sgd"]["accuracy"]) - 0.02
            assert float(row["low"]) <= float(row["accuracy"]) <= float(row["high"])
            assert float(row["coded"]) <= float(row["raw"])
            if row is not rows["sgd"]:
                assert float(row["raw"]) < 0.2 * float(rows["sgd"]["raw"])


def test_bits_to_the_accuracy_have_intervals_and_contain_the_headers() -> None:
    rows = kept("bits_to_accuracy")
    assert len(rows) == 3 * len(METHODS)
    for row in rows:
        assert float(row["reached"]) == 16
        assert float(row["headers"]) < float(row["coded"]) <= float(row["raw"])
        for key in ("coded", "raw"):
            assert float(row[f"{key}_low"]) <= float(row[key]) <= float(row[f"{key}_high"])


def test_errors_of_nested_messages_are_those_of_their_innovations_and_never_the_same_variance() -> None:
    for row in kept("overload_vs_batch"):
        found, predicted = float(row["error"]), float(row["predicted"])
        # Medians of five runs; the biases are 10 of 650 coordinates.
        assert found == pytest.approx(predicted, rel=0.06 if row["tensor"] == "biases" else 0.03)
        if row["tensor"] == "all":
            assert float(row["error_low"]) > 1.3
            assert float(row["overload_low"]) > 0.005
        if row["tensor"] == "biases":
            assert float(row["overload"]) > 0.1


def test_costs_on_mnist_are_medians_of_the_kept_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    columns = mnist_costs.table()
    place = list(zip(columns["network"], columns["P"], columns["method"], strict=True)).index(
        ("lenet", 8.0, "dqsg-3")
    )
    assert columns["runs"][place] == 5
    # docs/mnist.md, made by `tools/measure_mnist.py --table` from the same runs.
    found = [round(columns[f"coded_mbit{end}"][place], 1) for end in ("", "_low", "_high")]
    assert found == [223.8, 146.2, 294.4]
    assert round(columns["raw_mbit"][place], 1) == 1115.4
    assert round(columns["cpu_seconds"][place], 1) == 13.9
    other = tmp_path / "mnist_runs.csv"
    other.write_text(mnist_costs.RUNS.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    monkeypatch.setattr(mnist_costs, "RUNS", other)
    with pytest.raises(ValueError, match="other runs than this figure is of"):
        mnist_costs.table()


def test_courses_on_mnist_are_medians_that_reach_what_the_runs_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = mnist_accuracy.table()
    assert set(columns["runs"]) == {5.0}
    assert set(columns["method"]) == set(mnist_accuracy.LINES)
    keys = list(zip(columns["network"], columns["method"], strict=True))
    costs = mnist_costs.table()
    for network, method in dict.fromkeys(keys):
        rows = [place for place, key in enumerate(keys) if key == (network, method)]
        assert len(rows) == (50 if network == "fully-connected" else 21)
        for name in ("iterations", *mnist_accuracy.COSTS):  # nothing is ever taken back
            values = [columns[name][place] for place in rows]
            assert values == sorted(values)
        seen = [[columns[name][place] for place in rows] for name in ("low", "accuracy", "high")]
        assert all(low <= middle <= high for low, middle, high in zip(*seen, strict=True))
        reached = next(place for place in rows if columns["accuracy"][place] >= mnist_accuracy.TARGET)
        kept = list(zip(costs["network"], costs["method"], costs["P"], strict=True)).index(
            (network, method, 8.0)
        )
        # The median run and the run of medians come there within half of the cost of each other.
        ratio = columns["coded_mbit"][reached] / costs["coded_mbit"][kept]
        assert 1 / 1.5 < ratio < 1.5
    monkeypatch.setattr(mnist_accuracy, "DIGEST", "")
    with pytest.raises(ValueError, match=r"mnist_courses.csv has other runs than this figure is of"):
        mnist_accuracy.table()
