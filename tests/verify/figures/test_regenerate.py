"""Figures: the committed data are what the notebook gives; differences are found and named."""

import csv
import shutil
from pathlib import Path

import pytest

from verify.errors import UsageError
from verify.figures import missing_data, names, write_csv
from verify.figures.drawing import SUFFIXES
from verify.figures.regenerate import FigureResult, check, compare, regenerate, select

ROOT = Path(__file__).resolve().parents[3]
FIGURE = "squant/variance_vs_bound"


def test_committed_data_are_regenerated_within_the_tolerance() -> None:
    (result,) = check((FIGURE,), out=ROOT / "paper_figures", notebooks=ROOT / "notebooks")
    assert result == FigureResult(FIGURE, "same", result.detail)
    assert "122 rows" in result.detail


def test_regenerate_writes_pdf_png_and_csv(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    (result,) = regenerate((FIGURE,), out=tmp_path / "figures", notebooks=tmp_path / "notebooks")
    assert result.status == "written"
    for suffix, start in ((".pdf", b"%PDF"), (".png", b"\x89PNG"), (".csv", b"panel,step,")):
        assert (tmp_path / "figures" / f"{FIGURE}{suffix}").read_bytes().startswith(start)


def test_only_the_chosen_figure_is_made(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    regenerate(("squant/floor",), out=tmp_path / "figures", notebooks=tmp_path / "notebooks")
    made = sorted(path.name for path in (tmp_path / "figures" / "squant").iterdir())
    assert made == ["floor.csv", "floor.pdf", "floor.png", "floor.txt"]
    # The other cells show what is kept in the same folder, here nothing.
    assert "has not been made yet" in (tmp_path / "figures" / "squant.ipynb").read_text(encoding="utf-8")
    before = (ROOT / "notebooks" / "squant.ipynb").read_bytes()
    assert (tmp_path / "notebooks" / "squant.ipynb").read_bytes() == before


def test_without_its_data_a_figure_is_kept_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    name = "squant/convergence_label"
    assert missing_data(name) == ("phishing", "mushrooms", "a9a", "w8a", "splice")
    (result,) = check((name,), out=ROOT / "paper_figures", notebooks=ROOT / "notebooks")
    assert result.status == "kept"
    assert "BOUNDCHECK_DATA" in result.detail
    (result,) = regenerate((name,), out=tmp_path, notebooks=ROOT / "notebooks")
    assert result.status == "missing"  # nothing was kept there
    assert list(tmp_path.iterdir()) == []


def test_every_figure_has_committed_files() -> None:
    assert FIGURE in names()
    for name in names():
        for suffix in SUFFIXES:
            assert (ROOT / "paper_figures" / f"{name}{suffix}").is_file()


def test_a_changed_number_is_named(tmp_path: Path) -> None:
    kept = ROOT / "paper_figures" / f"{FIGURE}.csv"
    rows = list(csv.reader(kept.read_text(encoding="utf-8").splitlines()))
    rows[5][2] = repr(float(rows[5][2]) * 1.001)
    changed = tmp_path / "changed.csv"
    with changed.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    result = compare(FIGURE, changed, kept)
    assert result.status == "differs"
    assert "line 6" in result.detail
    assert "coarse" in result.detail


def test_a_missing_file_and_other_columns_are_differences(tmp_path: Path) -> None:
    write_csv({"a": [1.0]}, tmp_path / "one.csv")
    write_csv({"b": [1.0]}, tmp_path / "two.csv")
    assert compare("p/f", tmp_path / "one.csv", tmp_path / "none.csv").status == "missing"
    assert compare("p/f", tmp_path / "one.csv", tmp_path / "two.csv").status == "differs"
    assert compare("p/f", tmp_path / "one.csv", tmp_path / "one.csv").status == "same"


def test_unknown_figure_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="squant/variance_vs_bound"):
        select(("squant/nothing",))


def test_outside_a_checkout_the_missing_notebook_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        regenerate((FIGURE,), out=tmp_path / "figures", notebooks=tmp_path)


def test_exact_supremum_never_exceeds_the_bound_and_search_never_exceeds_the_supremum() -> None:
    with (ROOT / "paper_figures" / f"{FIGURE}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    searched = [row for row in rows if row["searched"] != "nan"]
    assert len(searched) == 26
    for row in rows:
        bound = min(float(row["coarse"]), float(row["quarter"]))
        assert float(row["supremum_lower"]) <= float(row["supremum_upper"]) <= bound * (1 + 1e-12)
    for row in searched:
        # The search reaches the supremum to 1e-6 in the coarse regime and lies in the band in the fine one.
        assert float(row["supremum_lower"]) * (1 - 1e-6) <= float(row["searched"])
        assert float(row["searched"]) <= float(row["supremum_upper"]) * (1 + 1e-9)
