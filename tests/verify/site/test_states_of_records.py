"""Missing, damaged and stale records, and files that cannot be used: said in red, never a verdict."""

import json
import re
import shutil

import pytest

from verify.records.folder import sealed
from verify.records.recorded import recorded_results
from verify.reporting.grades import claim_grades
from verify.running.machine import machine
from verify.site.build import build_site

RED = '<div class="notice" role="note">'


@pytest.fixture
def copied(records, tmp_path):
    """Return a copy of the records that a test may spoil."""
    return shutil.copytree(records, tmp_path / "records-folder")


@pytest.fixture
def page(tmp_path):
    """Return a function that builds the site of one claim and returns the text of its page."""

    def build(folder, claim="squant/var"):
        report = build_site(claim, out=tmp_path / "site", records=folder, figures=tmp_path)
        return report, (tmp_path / "site" / "claims" / f"{claim}.html").read_text(encoding="utf-8")

    return build


def badge(text):
    """Return the verdict at the head of a page."""
    return re.search(r'class="facts"><span class="badge [^"]*">([^<]*)</span>', text)[1]


def record_of(folder, claim="squant/var", rung="exact"):
    return next((folder / "records" / claim).glob(f"{rung}.*.json"))


def change(path, **fields):
    record = json.loads(path.read_text())
    path.write_text(json.dumps(sealed({**record, **fields})))


def test_good_records_give_their_verdict(page, records):
    report, text = page(records)
    assert badge(text) == "holds"
    assert RED not in text
    assert report.problems == ()
    assert report.claims["holds"] == 1


def test_without_records_there_is_no_verdict(page, tmp_path):
    report, text = page(tmp_path / "nothing")
    assert badge(text) == "not run"
    assert RED in text
    assert "boundcheck verify squant/var" in text
    assert "v-holds" not in text
    assert report.claims["holds"] == 0


def test_stale_records_are_no_verdict(page, copied):
    for path in (copied / "records" / "squant" / "var").glob("*.json"):
        change(path, source_sha256="0" * 64)
    report, text = page(copied)
    assert badge(text) == "stale"
    assert RED in text
    assert "The records say “holds” of the sources from which they were made." in text
    assert report.claims["stale"] == 1


def test_a_damaged_record_is_named_and_the_verdict_is_open(page, copied):
    path = record_of(copied)
    path.write_text(path.read_text()[:200])
    report, text = page(copied)
    assert badge(text) == "inconclusive"
    assert RED in text
    assert path.name in text
    assert str(copied) not in text
    assert len(report.problems) == 1


def test_an_edited_record_does_not_count(page, copied):
    path = record_of(copied)
    path.write_text(path.read_text().replace('"quick"', '"full"', 1))
    _, text = page(copied)
    assert badge(text) == "inconclusive"
    assert "was edited" in text


def test_a_record_of_another_check_does_not_count(page, copied):
    path = record_of(copied)
    shutil.copy(record_of(copied, rung="montecarlo"), path)
    _, text = page(copied)
    assert badge(text) == "inconclusive"
    assert RED in text


def test_a_violated_record_is_said(page, copied):
    path = record_of(copied)
    record = json.loads(path.read_text())
    labels = {name: {**item, "verdict": "violated"} for name, item in record["labels"].items()}
    change(path, verdict="violated", labels=labels)
    report, text = page(copied)
    assert badge(text) == "violated"
    assert report.claims["violated"] == 1
    assert "This is nothing to cite as a verified result" in text


def test_a_record_without_steps_has_its_relations_as_graph(page, copied):
    path = record_of(copied, rung="symbolic")
    record = json.loads(path.read_text())
    old = [
        {key: step[key] for key in ("name", "kind", "status", "detail")}
        for step in record["steps"]
        if step["kind"] == "Theorem"
    ]
    change(path, steps=old)
    _, text = page(copied)
    assert 'href="#node-theorem-variance"' in text
    assert "node-step-" not in text


def test_two_builds_give_the_same_pages(records, tmp_path):
    for name, jobs in (("one", 1), ("two", 2)):
        build_site("ndqsg/s*", out=tmp_path / name, records=records, figures=tmp_path, jobs=jobs)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) > 20
    assert not [
        file
        for file in files
        if (tmp_path / "one" / file).read_bytes() != (tmp_path / "two" / file).read_bytes()
    ]


def test_the_page_of_the_run_names_the_machine_of_the_records(page, copied, tmp_path):
    def shown():
        page(copied)
        text = (tmp_path / "site" / "run.html").read_text(encoding="utf-8")
        assert "Libraries of the records" in text
        return re.search(r"<dt>Machine</dt><dd>(.*?)</dd>", text)[1]

    assert shown() == machine()
    change(record_of(copied), machine="Another <Processor>, 64 cores")
    first, second = shown().split("; ")
    assert re.fullmatch(rf"{re.escape(machine())} \(\d+ of the records\)", first)
    assert second == "Another &lt;Processor&gt;, 64 cores (1 of the records)"


def test_records_that_name_no_machine_are_read(page, copied, tmp_path):
    for path in copied.rglob("records/squant/var/*.json"):
        record = json.loads(path.read_text())
        del record["machine"]
        path.write_text(json.dumps(record))
    report, text = page(copied)
    assert badge(text) == "holds"
    assert report.problems == ()
    assert "not named by the record" in (tmp_path / "site" / "run.html").read_text(encoding="utf-8")


def test_a_part_has_the_grade_of_its_words_as_elsewhere(page, records):
    _, text = page(records, "cq_marina/finding-message-size")
    (recorded,) = recorded_results("cq_marina/finding-message-size", records)
    weakest, rest = claim_grades(recorded.result).split(" (", maxsplit=1)
    assert rest.startswith("d*), proof (a-c)")
    assert f"grade: <strong>{weakest}</strong>" in text
    assert f"</span> {weakest}, formulas by proof</dd>" in text
