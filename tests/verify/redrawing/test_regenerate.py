"""Figures made again: what is kept, what is not and why; differences of data are found and named."""

import csv
import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from verify.errors import UsageError
from verify.figures import names, write_csv
from verify.figures.data_sets import missing_data
from verify.figures.drawing import SUFFIXES
from verify.records.folder import sealed
from verify.redrawing.compare import compare
from verify.redrawing.ledger import Ledger, basis_of
from verify.redrawing.notebooks import claims_told
from verify.redrawing.regenerate import check, regenerate, select
from verify.redrawing.result import FigureResult
from verify.running import runner

ROOT = Path(__file__).resolve().parents[3]
FIGURE = "squant/variance_vs_bound"
QUICK = "squant/floor"


PRINTS = "import time\nprint('one', flush=True)\ntime.sleep(0.3)\nprint('two')\n1 + 1"
"""A cell that prints twice, which is one output however fast it is, and has a value."""


def notebook(folder: Path, *figures: str, more: str = "") -> Path:
    """Write a notebook that shows figures, and return its folder."""
    sources = ["from verify.notebook import show", *(f'show("{name}")' for name in figures)]
    sources += [more] if more else []
    blank = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**blank, "id": f"c{number}", "source": source} for number, source in enumerate(sources)]
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    folder.mkdir(exist_ok=True)
    (folder / "squant.ipynb").write_text(json.dumps(document), encoding="utf-8")
    return folder


def makes_again(files: dict[Path, bytes], out: Path) -> Callable[..., None]:
    """Return an execution of notebooks that makes the figures that are asked for as they are in `files`."""

    def execute(
        path: Path, *, figures: Path, kept: Path, only: Iterable[str], copy: Path | None, **more: Any
    ) -> None:
        for file, content in files.items():
            name = file.relative_to(out)
            if name.with_suffix("").as_posix() in only:
                (figures / name).parent.mkdir(exist_ok=True)
                (figures / name).write_bytes(content)
        if copy is not None:
            copy.write_bytes(files[out / path.name])

    return execute


def statuses(results: tuple[FigureResult, ...]) -> dict[str, str]:
    return {result.name: result.status for result in results}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a notebook of one figure, and what was made of it: nobody writes into it."""
    folder = tmp_path_factory.mktemp("made")
    told: list[FigureResult] = []
    results = regenerate(
        (QUICK,),
        out=folder / "figures",
        notebooks=notebook(folder / "notebooks", QUICK),
        tell=told.append,
    )
    assert statuses(results) == {QUICK: "written", "squant.ipynb": "executed"}
    assert tuple(told) == results
    return folder


def test_a_figure_is_made_once_then_kept_and_only_what_was_harmed_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: Path
) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    notebooks, out = tmp_path / "notebooks", tmp_path / "figures"

    def run(**options: bool) -> dict[str, FigureResult]:
        results = regenerate((QUICK,), out=out, notebooks=notebooks, **options)
        return {result.name: result for result in results}

    starts = {".pdf": b"%PDF", ".png": b"\x89PNG", ".csv": b"panel,method,", ".txt": b"The noise floor"}
    for suffix, start in starts.items():
        assert (out / f"{QUICK}{suffix}").read_bytes().startswith(start)
    files = {path: path.read_bytes() for path in out.rglob("*.*")}
    monkeypatch.setattr("verify.redrawing.regenerate.execute", makes_again(files, out))
    assert statuses(tuple(run().values())) == {QUICK: "kept", "squant.ipynb": "kept"}
    assert {path: path.read_bytes() for path in out.rglob("*.*")} == files

    (out / f"{QUICK}.png").write_bytes(b"edited")
    found = run()
    assert (found[QUICK].status, found["squant.ipynb"].status) == ("drawn", "kept")
    assert "floor.png was edited" in found[QUICK].detail
    assert {path: path.read_bytes() for path in out.rglob("*.*")} == files

    # Round-off of another machine is no reason to write other data, an edit is one.
    table = out / f"{QUICK}.csv"
    kept = table.read_text(encoding="utf-8")
    table.write_text(kept[:-3] + "\n", encoding="utf-8")  # its last number has two digits less
    found = run()
    assert found[QUICK] == FigureResult(QUICK, "written", "floor.csv was edited")
    assert table.read_text(encoding="utf-8") == kept
    ledger = Ledger.read(out)
    table.write_text(kept[:-3] + "\n", encoding="utf-8")
    ledger.enter(QUICK, {**basis_of(QUICK), "sources": "0" * 64})
    ledger.write()
    found = run()
    assert found[QUICK] == FigureResult(QUICK, "written", "sources changed; its data are the same")
    assert table.read_text(encoding="utf-8") == kept[:-3] + "\n"

    (out / f"{QUICK}.csv").unlink()
    found = run()
    assert found[QUICK] == FigureResult(QUICK, "written", "floor.csv is not there")
    assert run(force=True)[QUICK] == FigureResult(QUICK, "written", "--force; its data are the same")


def test_another_cell_executes_the_notebook_and_makes_no_figure(tmp_path: Path, made: Path) -> None:
    out = shutil.copytree(made / "figures", tmp_path / "figures")
    again = regenerate((QUICK,), out=out, notebooks=notebook(tmp_path / "notebooks", QUICK, more=PRINTS))
    assert again[-1] == FigureResult("squant.ipynb", "executed", "cells changed")
    assert statuses(again)[QUICK] == "kept"
    executed = json.loads((out / "squant.ipynb").read_text(encoding="utf-8"))
    printed, result = executed["cells"][-1]["outputs"]
    assert printed["text"] == ["one\n", "two\n"]
    assert result["data"]["text/plain"] == ["2"]


def test_a_notebook_has_the_verdicts_of_fresh_records_and_keeps_them(tmp_path: Path) -> None:
    claim, records = "squant/range", tmp_path / ".boundcheck"
    notebooks = notebook(
        tmp_path / "notebooks", more=f'from verify.notebook import verdict\nverdict("{claim}")'
    )

    def run() -> tuple[FigureResult, str]:
        (result,) = regenerate(
            ("squant",), out=tmp_path / "figures", notebooks=notebooks, only_notebooks=True
        )
        executed = json.loads((tmp_path / "figures" / "squant.ipynb").read_text(encoding="utf-8"))
        return result, "".join(executed["cells"][-1]["outputs"][0]["data"]["text/markdown"])

    assert claims_told(f'verdict("{claim}", \'squant/var\')\nshow("squant/floor")') == (claim, "squant/var")
    result, text = run()
    assert (result.status, "There are no records" in text) == ("executed", True)
    runner.verify(claim, out=records)
    result, text = run()
    assert result == FigureResult("squant.ipynb", "executed", "verdicts changed")
    assert f"| `{claim}` |" in text
    assert "holds" in text
    assert run()[0].status == "kept"
    for path in records.rglob("*.json"):  # stale
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(sealed({**record, "source_sha256": "0" * 64})), encoding="utf-8")
    assert run() == (FigureResult("squant.ipynb", "kept"), text)
    shutil.rmtree(records)
    assert run() == (FigureResult("squant.ipynb", "kept"), text)
    document = json.loads((notebooks / "squant.ipynb").read_text(encoding="utf-8"))
    document["cells"][0]["source"] += "\nimport math"
    (notebooks / "squant.ipynb").write_text(json.dumps(document), encoding="utf-8")
    assert run() == (FigureResult("squant.ipynb", "executed", "cells changed"), text)
    assert not list(tmp_path.rglob("*.png"))


def test_of_our_notebook_the_chosen_figure_alone_is_made_and_kept_where_a_cell_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    notebooks, out = shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks"), tmp_path / "figures"
    ours = (notebooks / "squant.ipynb").read_bytes()
    fails = json.loads(ours)
    fails["cells"].append({**fails["cells"][-1], "cell_type": "code", "source": "1 / 0"})
    fails["cells"][-1] |= {"id": "fails", "outputs": [], "execution_count": None}
    (notebooks / "squant.ipynb").write_text(json.dumps(fails), encoding="utf-8")
    with pytest.raises(UsageError, match="ZeroDivisionError"):
        regenerate((QUICK,), out=out, notebooks=notebooks)
    assert list(Ledger.read(out).figures) == [QUICK]
    assert not (out / "squant.ipynb").exists()
    (notebooks / "squant.ipynb").write_bytes(ours)
    results = regenerate((QUICK,), out=out, notebooks=notebooks)
    assert statuses(results) == {QUICK: "kept", "squant.ipynb": "executed"}
    assert sorted(path.name for path in (out / "squant").iterdir()) == [f"floor{s}" for s in sorted(SUFFIXES)]
    # The other cells show what is kept in the same folder, here nothing.
    assert "has not been made yet" in (out / "squant.ipynb").read_text(encoding="utf-8")
    assert (notebooks / "squant.ipynb").read_bytes() == ours

    # What is committed is what was just made, within the tolerance.
    files = {path: path.read_bytes() for path in out.rglob("*.*")}
    monkeypatch.setattr("verify.redrawing.regenerate.execute", makes_again(files, out))
    (result,) = check((QUICK,), out=ROOT / "paper_figures", notebooks=notebooks)
    assert result == FigureResult(QUICK, "same", result.detail)
    assert "252 rows" in result.detail


def test_without_its_data_a_stale_figure_stays_as_it_is_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    name = "squant/convergence_label"
    assert missing_data(name) == ("phishing", "mushrooms", "a9a", "w8a", "splice")
    (result,) = check((name,), out=ROOT / "paper_figures", notebooks=ROOT / "notebooks")
    assert result.status == "needs data"
    assert "BOUNDCHECK_DATA" in result.detail
    notebooks = notebook(tmp_path / "notebooks", name)
    result, executed = regenerate((name,), out=tmp_path / "figures", notebooks=notebooks)
    assert result.status == "needs data"
    assert "nothing tells how it was made" in result.detail
    assert executed.status == "executed"
    assert not (tmp_path / "figures" / "squant").exists()


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


def test_of_an_unknown_figure_the_near_ones_are_named() -> None:
    with pytest.raises(UsageError, match="did you mean squant/floor"):
        select(("squant/flor",))


def test_outside_a_checkout_the_missing_notebook_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        regenerate((FIGURE,), out=tmp_path / "figures", notebooks=tmp_path)
    assert not list(tmp_path.iterdir())


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
