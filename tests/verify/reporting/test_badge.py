from collections import Counter
from xml.etree import ElementTree

import pytest

from theory import UnknownClaimError
from verify.cli import main
from verify.records import sources
from verify.reporting.badge import badge, colour, counts, message
from verify.running.runner import verify

SVG = "{http://www.w3.org/2000/svg}"


def said(picture):
    """Return what the picture shows and what it says to those who do not see it."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == root.get("aria-label")
    return [item.text for item in root.findall(f"{SVG}text")], root.get("aria-label")


@pytest.fixture
def two_claims(registry, make_claim, make_check):
    registry((make_claim("one"), [make_check()]), (make_claim("two"), [make_check(value=1)]))


def test_it_counts_verdicts_the_worst_first(two_claims, tmp_path):
    verify("fake/one", out=tmp_path)
    assert said(badge(counts(records=tmp_path))) == (
        ["bounds", "1 not run, 1 holds"],
        "bounds: 1 not run, 1 holds",
    )
    verify("fake/*", out=tmp_path)
    picture = badge(counts(records=tmp_path), "<theory & more>")
    assert said(picture)[0] == ["<theory & more>", "1 violated, 1 holds"]
    assert said(badge(counts("fake/one", records=tmp_path)))[0][1] == "1 holds"
    with pytest.raises(UnknownClaimError):
        counts("fake/three", records=tmp_path)


def test_what_is_stale_holds_no_longer(two_claims, tmp_path, monkeypatch):
    verify("fake/*", out=tmp_path)
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "0" * 64)
    assert said(badge(counts(records=tmp_path)))[0][1] == "2 stale"


def test_an_edited_record_does_not_count(two_claims, tmp_path):
    verify("fake/two", out=tmp_path)
    (path,) = (tmp_path / "records").rglob("*.json")
    path.write_text(path.read_text().replace('"verdict": "violated"', '"verdict": "holds"'))
    assert said(badge(counts("fake/two", records=tmp_path)))[0][1] == "1 not run"


def test_words_and_colours():
    assert message(Counter(holds=2, consistent=3, not_run=1)) == "1 not run, 3 consistent, 2 hold"
    good, bad, open_ = (
        colour(Counter(holds=2)),
        colour(Counter(holds=2, untested=1)),
        colour(Counter(stale=1)),
    )
    assert len({good, bad, open_}) == 3
    assert colour(Counter(consistent=1)) == good
    assert colour(Counter(violated=1, stale=1)) == bad


def test_the_verb_writes_a_file(two_claims, boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main.get_command(None, "badge")
    done = boundcheck("badge", "fake/one", "--out", "my.svg")
    assert (done.code, done.out.strip()) == (0, "my.svg")
    assert said((tmp_path / "my.svg").read_text())[0] == ["bounds", "1 not run"]
    machine = boundcheck("badge", "--json")
    assert machine.document == {"file": "badge.svg", "claims": {"not_run": 2}}
    refused = boundcheck("badge", "--out", str(tmp_path / "no" / "such" / "b.svg"))
    assert refused.code == 2
    assert "choose another file with --out FILE" in refused.err


def test_a_folder_that_was_named_must_be_there(two_claims, boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for verb in (("badge",), ("report", "--jobs", "1"), ("export", "--crate", "c.zip")):
        found = boundcheck(*verb, "--records", "nope")
        assert found.code == 2
        assert "records='nope' is not there; name a folder with --records DIR" in found.err
    for verb in (("report", "--jobs", "1"), ("export", "--crate", "c.zip")):
        found = boundcheck(*verb, "--figures", "nope")
        assert found.code == 2
        assert "figures='nope' is not there; name a folder with --figures DIR" in found.err
    assert not list(tmp_path.iterdir())
