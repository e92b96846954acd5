"""Figures on adaptive tuning: their data agree with the specification, exact values and bounds."""

import csv
from pathlib import Path

import pytest

from verify.cat.headline.finding_headline_data import TABLE as OF_DATA
from verify.cat.headline.headline import TABLE
from verify.figures import names, write_csv
from verify.figures.cat import efficiency_curves, gain_vs_d, greedy_gaps
from verify.figures.data_sets import missing_data
from verify.redrawing.compare import compare
from verify.redrawing.regenerate import check
from verify.redrawing.result import FigureResult

ROOT = Path(__file__).resolve().parents[3]
CHEAP = {"efficiency_curves": efficiency_curves, "gain_vs_d": gain_vs_d, "greedy_gaps": greedy_gaps}

# T^0 of CAT-S, and the range of its sizes.
SIZES = {
    ("lf", "payload"): (1, 1, 1),
    ("lf", "affine"): (5, 5, 179),
    ("lf", "6lowpan"): (16, 16, 16),
    ("lf", "lora51"): (10, 10, 51),
    ("lf", "eth"): (256, 256, 256),
    ("ls", "payload"): (1, 1, 1),
    ("ls", "affine"): (1, 1, 6),
    ("ls", "6lowpan"): (15, 15, 15),
    ("ls", "lora51"): (9, 9, 9),
    ("ls", "eth"): (284, 284, 284),
}


def kept(figure: str) -> list[dict[str, str]]:
    """Return the rows of the committed data."""
    with (ROOT / "paper_figures" / "cat" / f"{figure}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(row: dict[str, str], key: str) -> float:
    """Return a cell."""
    return float(row[key])


@pytest.mark.parametrize("figure", CHEAP)
def test_committed_data_are_made_again(figure: str, tmp_path: Path) -> None:
    write_csv(CHEAP[figure].table(), tmp_path / "made.csv")
    result = compare(figure, tmp_path / "made.csv", ROOT / "paper_figures" / "cat" / f"{figure}.csv")
    assert result == FigureResult(figure, "same", result.detail)


def test_without_the_libsvm_sets_their_figures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    needing = tuple(name for name in names() if name.startswith("cat/libsvm_"))
    assert len(needing) == 4
    for name in needing:
        assert missing_data(name) == ("phishing", "a9a", "w8a")
    results = check(needing, out=ROOT / "paper_figures", notebooks=ROOT / "notebooks")
    assert [result.status for result in results] == ["needs data"] * 4


def test_costs_to_the_accuracy_are_those_of_the_specification() -> None:
    ends = {(row["set"], row["link"], row["method"]): number(row, "end") for row in kept("loss_vs_cost")}
    for (name, link), costs in TABLE.items():
        for method in ("gd", "top-8", "top-32", "cat_s", "cat_sq"):
            # 2 % for near-ties, as the specification says; gradient descent is exact.
            relative = 1e-9 if method == "gd" else 0.02
            cost = getattr(costs, method.replace("-", "_"))
            key = name.lower(), link, method
            assert ends[key] * 1000 == pytest.approx(cost, rel=relative), key


def test_sizes_are_those_of_the_specification() -> None:
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in kept("chosen_size"):
        if row["method"] == "cat_s":
            found.setdefault((row["set"], row["link"]), []).append((number(row, "k"), number(row, "size")))
    for key, (first, least, largest) in SIZES.items():
        sizes = [size for _, size in sorted(found[key])]
        assert (sizes[0], min(sizes)) == (first, least), key
        assert max(sizes) == pytest.approx(largest, rel=0.02), key


def test_marked_sizes_are_the_largest_of_their_curves() -> None:
    curves: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in kept("efficiency_curves"):
        curves.setdefault((row["vector"], row["link"], row["method"]), []).append(row)
    assert len(curves) == 27
    for key, rows in curves.items():
        best = max(number(row, "relative") for row in rows)
        (marked,) = (row for row in rows if row["T"] == row["chosen"])
        assert number(marked, "relative") >= best * (1 - 1e-9), key


def test_distances_over_several_nodes_stay_below_their_bounds() -> None:
    rows = kept("multi_node")
    assert {row["panel"] for row in rows} == {"distance", "radius"}
    for row in rows:
        assert number(row, "low") <= number(row, "bound") * (1 + 1e-9)
        assert number(row, "mean") <= number(row, "bound") * (1 + 1e-9)
    assert all(number(row, "n") > 1 for row in rows if row["panel"] == "radius")


def test_gaps_of_greedy_are_those_of_the_finding() -> None:
    rows = kept("greedy_gaps")
    runs = {
        (number(row, "curve"), number(row, "x")): number(row, "value")
        for row in rows
        if row["panel"] == "run"
    }
    for (m, r), ratio in runs.items():
        assert ratio == pytest.approx(m * (r + 1) / (m + r), rel=1e-12)
        assert ratio < m
    assert runs[8, 10] == pytest.approx(88 / 18)
    costs = {
        number(row, "x"): number(row, "value")
        for row in rows
        if (row["panel"], row["curve"]) == ("fixed", "5.0")
    }
    (tuned,) = (number(row, "value") for row in rows if (row["panel"], row["curve"]) == ("cat", "5.0"))
    assert (tuned, costs[1], costs[4], costs[20]) == (740, 3090, 1089, 675)


def test_gains_are_the_stated_ones_and_grow_linearly_for_steep_gradients_only() -> None:
    rows = {(row["vector"], number(row, "r"), number(row, "d")): row for row in kept("gain_vs_d")}
    for (vector, _, _), row in rows.items():
        assert number(row, "gain") == pytest.approx(number(row, "stated"), rel=1e-9)
        if vector == "flat":
            assert number(row, "gain") == pytest.approx(1, rel=1e-12)
    for r in (1.0, 10.0, 100.0):
        ratio = number(rows["geo", r, 4096.0], "gain") / number(rows["geo", r, 2048.0], "gain")
        assert ratio == pytest.approx((r + 4096) / (r + 2048), rel=1e-9)


def test_on_libsvm_sets_methods_that_arrive_cost_what_the_specification_says() -> None:
    last: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in kept("libsvm_costs"):
        last[row["set"], row["link"], row["method"]] = row
    rows = {link: OF_DATA["phishing", link] for link in ("affine", "eth")}
    stated = {(link, rule): getattr(rows[link], rule) for link in rows for rule in ("gd", "cat_s", "cat_sq")}
    stated["affine", "top-32"] = rows["affine"].fixed[32]
    for (link, method), cost in stated.items():
        row = last["phishing", link, method]
        assert number(row, "gap") <= 1e-3
        assert number(row, "kbits") * 1000 == pytest.approx(cost, rel=0.02), (link, method)
