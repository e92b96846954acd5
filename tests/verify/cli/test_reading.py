"""Verbs that read records: list, show, cite, replay."""

import csv
import dataclasses
import io
import json
import re
from fractions import Fraction
from types import SimpleNamespace

import pytest
from rich.console import Console
from sympy import Symbol

from theory.claim import Variable
from verify.errors import BusyError
from verify.records.folder import RecordFolder, record_id, sealed
from verify.reporting import summaries
from verify.reporting.report import claims_table
from verify.rungs.exact import ExactCase


@pytest.fixture
def ran(boundcheck, registry, make_claim, make_check, tmp_path):
    """Run one of two claims; return the folder."""
    registry((make_claim(), [make_check("a")]), (make_claim("two", kind="rate"), [make_check("b")]))
    boundcheck("verify", "fake/one", "--jobs", "1", "--out", str(tmp_path))
    return str(tmp_path)


def test_list_tells_the_last_verdict(boundcheck, ran):
    document = boundcheck("list", "--out", ran, "--json").document
    assert [(row["id"], row["verdict"]) for row in document["claims"]] == [
        ("fake/one", "holds"),
        ("fake/two", "not_run"),
    ]
    assert {"id", "paper", "kind", "provenance", "title", "verdict"} <= set(document["claims"][0])
    plain = boundcheck("list", "--out", ran)
    assert plain.code == 0
    assert "not run yet" in plain.out
    assert "derived" in plain.out


def test_list_marks_checks_that_did_not_decide(boundcheck, registry, make_claim, make_check, tmp_path):
    def measures(*_):
        raise BusyError("it is")

    busy = dataclasses.replace(make_check("b", wrong=None), base=ExactCase(measures))
    registry((make_claim(), [make_check("a"), busy]))
    boundcheck("verify", "fake/one", "--jobs", "1", "--out", str(tmp_path))
    (row,) = boundcheck("list", "fake/one", "--out", str(tmp_path), "--json").document["claims"]
    assert (row["verdict"], row["undecided"]) == ("holds", 1)
    assert "holds (1 undecided)" in boundcheck("list", "fake/one", "--out", str(tmp_path)).out


def test_list_asks_the_records_again_after_the_judge_changed(boundcheck, ran, monkeypatch):
    monkeypatch.setattr(summaries, "judge_sha256", lambda paper: "another")
    made = []
    again = summaries._made_again
    monkeypatch.setattr(summaries, "_made_again", lambda *given: made.append(given) or again(*given))
    for _ in range(2):
        boundcheck("list", "fake/one", "--out", ran)
    assert len(made) == 1


@pytest.mark.parametrize(
    "name",
    [
        "judging/parts.py",
        "judging/verdicts.py",
        "records/conditions.py",
        "records/packed.py",
        "statements/ties.py",
    ],
)
def test_what_makes_a_verdict_of_records_is_hashed(tree, monkeypatch, name):
    monkeypatch.setattr(summaries, "__file__", str(tree / "verify" / "reporting" / "summaries.py"))
    path = tree / "verify" / name
    found = []
    for more in (b"", b"\n"):
        path.write_bytes(path.read_bytes() + more)
        summaries._judge.cache_clear()
        found.append(summaries.judge_sha256("squant/var"))
    summaries._judge.cache_clear()
    assert found[0] != found[1]


def test_list_selects_by_pattern_and_kind(boundcheck, ran):
    document = boundcheck("list", "--kind", "rate", "--json").document
    assert [row["id"] for row in document["claims"]] == ["fake/two"]
    document = boundcheck("list", "*/one", "--json").document
    assert [row["id"] for row in document["claims"]] == ["fake/one"]


def test_list_selects_by_words_of_the_title(boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = boundcheck("list", "squant/*", "--title", "VARIANCE", "--json").document
    assert document["claims"]
    assert all("variance" in row["title"].lower() for row in document["claims"])
    result = boundcheck("list", "--title", "no such words")
    assert result.code == 2
    assert "title='no such words' is in no title of the selected claims" in result.err
    assert "`boundcheck list --title gradients` shows" in boundcheck("list", "gradients").err


def test_list_and_show_before_any_run(boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = boundcheck("list", "--json").document
    assert len(document["claims"]) >= 8
    assert {row["verdict"] for row in document["claims"]} == {"not_run"}
    assert boundcheck("list").code == 0
    document = boundcheck("show", "squant/sup", "--json").document
    assert document["verdict"] == "not_run"
    assert document["records"] == []
    assert {part["verdict"] for part in document["parts"]} == {"not_run"}
    plain = boundcheck("show", "squant/sup")
    assert plain.code == 0
    assert "not run yet; run `boundcheck verify squant/sup`" in plain.out
    full = boundcheck("show", "squant/sup", "--full").out
    assert "none yet; run `boundcheck verify squant/sup`" in full
    for out in (plain.out, full):
        assert "{t} is the fractional part t − ⌊t⌋." in out.splitlines()
    assert "ℝ_(≥0)ᵈ" in full  # domains of symbols are formulas, and read like those of texts
    assert "mathbb" not in full
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("claim", ["var", "sparse", "dcgd"])
def test_show_prints_every_section(boundcheck, tmp_path, claim):
    found = boundcheck("show", f"squant/{claim}", "--full", "--out", str(tmp_path))
    assert found.code == 0
    for heading in (
        "statement",
        "symbols",
        "assumptions",
        "formulas",
        "derivation",
        "worst-case inputs",
        "mutants",
        "evidence",
    ):
        assert heading in found.out


def test_show_as_a_document(boundcheck, tmp_path):
    document = boundcheck("show", "squant/sup", "--out", str(tmp_path), "--json").document
    assert document["id"] == "squant/sup"
    assert document["paper"]["arxiv"] == "2106.03524"
    for part in (
        "statement",
        "parts",
        "assumptions",
        "relations",
        "symbols",
        "formulas",
        "worst_cases",
        "mutants",
    ):
        assert document[part], part


def test_show_prints_what_hypotheses_say_as_formulas(boundcheck, tmp_path):
    document = boundcheck("show", "squant/dcgd", "--out", str(tmp_path), "--json").document
    assert document["hypotheses"]["order"] == {"words": r"$\mu\le L$ (A1 and A2)", "formulas": ["mu <= L"]}
    assert "order: mu <= L" in boundcheck("show", "squant/dcgd", "--full", "--out", str(tmp_path)).out


def test_show_tells_status_and_evidence_after_a_run(boundcheck, variance_run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    document = boundcheck("show", "squant/var", "--out", str(variance_run), "--json").document
    assert document["verdict"] == "holds"
    assert {step["status"] for step in document["derivation"]} <= {"proved", "cited"}
    for record in document["records"]:
        assert record["id"] == record_id({name: item for name, item in record.items() if name != "id"})
    full = boundcheck("show", "squant/var", "--full", "--out", str(variance_run)).out
    assert "verdict: holds" in full
    assert "[proved]" in full
    lines = boundcheck("show", "squant/var", "--out", str(variance_run)).out.splitlines()
    assert lines[1].startswith("holds: proof; mutants rejected: 8 of 8")
    assert any(line.startswith("(a) 𝔼Q(x)ⱼ = xⱼ") and line.endswith("[holds: proof]") for line in lines)
    assert any(line.startswith("evidence    1 symbolic, ") for line in lines)


@pytest.mark.parametrize("width", [80, 120])
def test_show_obeys_columns_and_fits_a_screen(boundcheck, tmp_path, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    found = boundcheck("show", "squant/dcgd", "--out", str(tmp_path)).out
    assert max(map(len, found.splitlines())) <= width
    assert len(found.splitlines()) <= 40
    assert "\033" not in found
    assert "\\" not in found  # no command of LaTeX
    assert r"\gamma" in boundcheck("show", "squant/dcgd", "--tex", "--out", str(tmp_path)).out


def test_the_line_of_the_verdict_is_folded(boundcheck, ran, monkeypatch):
    wide = boundcheck("show", "fake/one", "--out", ran).out.splitlines()[1]
    monkeypatch.setenv("COLUMNS", "30")
    narrow = boundcheck("show", "fake/one", "--out", ran).out.splitlines()[1:]
    assert len(wide) > 30
    assert max(map(len, narrow)) <= 30
    assert " ".join(narrow[0].split()) == wide[: len(narrow[0])]


@pytest.mark.parametrize("width", [80, 120])
def test_list_obeys_columns(boundcheck, tmp_path, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    found = boundcheck("list", "cq_marina/*", "--out", str(tmp_path)).out
    assert max(map(len, found.splitlines())) <= width
    assert "\033" not in found


def test_a_narrow_table_of_a_run_names_the_columns_that_it_leaves_out(boundcheck, ran, monkeypatch):
    for width, told in (
        ("60", "kind, bound and largest value have no room in 60 columns; `--format csv` shows all"),
        ("25", "mutants rejected, seconds have no room in 25 columns; `--format csv` shows all"),
        ("150", ""),
    ):
        monkeypatch.setenv("COLUMNS", width)
        found = boundcheck("verify", "fake/one", "--resume", "--jobs", "1", "--out", ran).out
        assert told in " ".join(found.split())
        assert ("no room" in " ".join(found.split())) == bool(told)


@pytest.mark.parametrize(
    ("width", "shown"), [(45, "grade"), (60, "largest"), (70, "rejected"), (80, "seconds"), (150, "seconds")]
)
def test_the_table_of_a_run_leaves_out_columns_and_cuts_none(width, shown):
    part = {"verdict": "holds", "grade": "proof", "words": None}
    parts = [SimpleNamespace(label=label, **part) for label in "abc"]
    parts[1].words = "instance"
    result = SimpleNamespace(
        claim=SimpleNamespace(id="cq_marina/ab-independent", kind="tight"),
        **{"verdict": "holds", "grade": "instance", "bound": 6.0, "value": 6.0, "tightness": 1.0},
        **{"mutants": "10/10", "seconds": 12.3, "records": (1,), "parts": parts},
    )
    console = Console(width=width, file=io.StringIO(), no_color=True)
    console.print(claims_table([result], width))
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    assert lines[1 if shown != "grade" else 0].endswith(shown)
    assert "c)" in lines[-1] or "c)" in lines[-2]  # the grade is folded, not cut


def test_list_in_other_formats(boundcheck, ran):
    rows = list(csv.DictReader(io.StringIO(boundcheck("list", "--format", "csv", "--out", ran).out)))
    assert [(row["claim"], row["last verdict"]) for row in rows] == [
        ("fake/one", "holds"),
        ("fake/two", "not run yet"),
    ]
    assert boundcheck("list", "--format", "markdown", "--out", ran).out.startswith("| claim | kind |")
    assert r"\toprule" in boundcheck("list", "--format", "latex", "--out", ran).out
    assert json.loads(boundcheck("list", "--format", "json", "--out", ran).out)["claims"]


def test_brackets_of_formulas_are_no_markup(boundcheck, registry, make_claim, make_check, tmp_path):
    claim = make_claim()
    domain = r"$[l,r]^n$ with $\mathbb E[e_j]=0$ and [bold]words[/bold]"
    variable = Variable(Symbol("x"), "x", domain, "a vector \033[31m")
    registry((dataclasses.replace(claim, variables=(variable,)), [make_check()]))
    full = boundcheck("show", "fake/one", "--full", "--tex", "--out", str(tmp_path)).out
    for text in ("[l,r]^n", r"\mathbb E[e_j]", "[bold]words[/bold]"):
        assert text in full
    assert "\033" not in full


def test_cite_before_a_run_is_an_error(boundcheck, ran):
    found = boundcheck("cite", "fake/two", "--out", ran)
    assert found.code == 2
    assert f"run `boundcheck verify fake/two --out {ran}` first" in found.err


def test_cite_refuses_what_is_violated_with_an_exit_code_of_its_own(
    boundcheck, registry, make_claim, make_check, tmp_path
):
    registry((make_claim(), [make_check("a", value=Fraction(3, 4))]))
    boundcheck("verify", "fake/one", "--jobs", "1", "--out", str(tmp_path))
    found = boundcheck("cite", "fake/one", "--out", str(tmp_path))
    assert found.code == 3
    assert "there is nothing to cite" in found.err
    assert "--anyway" in boundcheck("cite", "fake/one", "--out", str(tmp_path), "--json").document["error"]
    assert boundcheck("cite", "fake/one", "--out", str(tmp_path), "--anyway").code == 0


def test_cite_prints_sentence_bibtex_macro_and_identifier(boundcheck, ran):
    found = boundcheck("cite", "fake/one", "--out", ran)
    assert found.code == 0
    document = boundcheck("cite", "fake/one", "--out", ran, "--json").document
    assert re.fullmatch(r"fake/one@[0-9a-f]{12}", document["identifier"])
    for part in ("sentence", "paper_bibtex", "boundcheck_bibtex", "latex", "identifier"):
        assert document[part] in found.out
    assert "warning" not in found.err


def test_the_identifier_of_cite_can_be_replayed(boundcheck, ran):
    identifier = boundcheck("cite", "fake/one", "--out", ran, "--json").document["identifier"]
    document = boundcheck("replay", identifier, "--out", ran, "--json").document
    assert [item["same"] for item in document["replays"]] == [True]


def test_replay_shows_the_witness(boundcheck, ran):
    path = RecordFolder(ran).path("fake/one", "exact", "a")
    found = boundcheck("replay", str(path), "--out", ran)
    assert found.code == 0
    assert '"x": [1, 2]' in found.out
    assert "same content" in found.out
    assert "mutant wrong: rejected" in found.out


def test_replay_of_a_tampered_record_is_exit_code_1(boundcheck, ran):
    path = RecordFolder(ran).path("fake/one", "exact", "a")
    path.write_text(json.dumps(sealed(json.loads(path.read_text()) | {"value": 0.125})))
    found = boundcheck("replay", str(path), "--out", ran)
    assert found.code == 1
    assert "DIFFERS in value" in found.out
    machine = boundcheck("replay", str(path), "--out", ran, "--json")
    assert machine.code == 1
    (item,) = machine.document["replays"]
    assert (item["same"], item["differences"]) == (False, ["value"])
    assert (item["recorded"]["value"], item["repeated"]["value"]) == (0.125, 0.25)


def test_replay_of_a_real_record(boundcheck, variance_run):
    path = RecordFolder(variance_run).path("squant/var", "exact", "norm-7")
    for reference in (str(path), record_id(json.loads(path.read_text()))):
        found = boundcheck("replay", reference, "--out", str(variance_run), "--json")
        assert found.code == 0
        assert found.document["replays"][0]["same"] is True


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_replay_of_a_damaged_file_is_an_error(boundcheck, tmp_path, text):
    path = tmp_path / "record.json"
    path.write_text(text)
    found = boundcheck("replay", str(path))
    assert found.code == 2
    assert "Traceback" not in found.err
