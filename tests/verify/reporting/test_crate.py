"""The RO-Crate, as the library reads it; without the network, where contexts would be fetched."""

import hashlib
import json
import sys

import pytest

from verify.errors import OutputFolderError, UsageError
from verify.records import sources
from verify.reporting.crate import PROFILE, write_crate
from verify.running.runner import verify

ROCrate = pytest.importorskip("rocrate.rocrate", reason="extra crate").ROCrate


@pytest.fixture
def judged(registry, make_claim, make_check, tmp_path):
    """Return a folder with records of one claim and figures of it and of another, and none of the other."""
    registry(
        (make_claim("one"), [make_check(), make_check("more")]), (make_claim("two"), [make_check(value=1)])
    )
    verify("fake/one", out=tmp_path / "rec")
    drawn = tmp_path / "figures" / "fake"
    drawn.mkdir(parents=True)
    for name, claim in (("gains", "fake/one"), ("losses", "fake/two")):
        (drawn / f"{name}.txt").write_text(f"What {name}\nare. More.\n\nClaims: {claim}, fake/other\n")
        (drawn / f"{name}.csv").write_text("x,y\n1,2\n")
        (drawn / f"{name}.tmp").write_text("not of the figure")
    return tmp_path


@pytest.mark.parametrize("name", ["crate", "crate.zip"])
def test_it_holds_records_figures_versions_and_citation(judged, name):
    report = write_crate(judged / name, "fake/one", records=judged / "rec", figures=judged / "figures")
    assert (report.claims, report.records, report.figures, report.notes) == (("fake/one",), 2, 2, ())
    crate = ROCrate(judged / name)
    files = {item.id: item for item in crate.data_entities}
    assert set(files) == {
        "citation.bib",
        "records/fake/one/exact.half.json",
        "records/fake/one/exact.more.json",
        "figures/fake/gains.csv",
        "figures/fake/gains.txt",
    }
    for place, item in files.items():
        content = item.source.read_bytes()
        if place != "citation.bib":
            assert item["sha256"] == hashlib.sha256(content).hexdigest()
            assert item["contentSize"] == str(len(content))
    record = files["records/fake/one/exact.half.json"]
    assert json.loads(record.source.read_text())["verdict"] == "holds"
    assert record["about"].type == "Claim"
    assert record["about"]["identifier"].startswith("fake/one@")
    assert record["about"]["description"] == "holds"
    assert files["figures/fake/gains.csv"]["description"] == "What gains are"
    assert "@inproceedings{lovelace2021fake" in files["citation.bib"].source.read_text()
    root = crate.root_dataset
    assert root["conformsTo"].id == PROFILE
    assert [item.id for item in root["citation"]] == ["https://arxiv.org/abs/2101.00001"]
    action = root["mentions"]
    assert action.type == "CreateAction"
    assert {item.id for item in action["result"]} == {place for place in files if place.startswith("records")}
    software = action["instrument"]
    assert software["name"] == "boundcheck"
    libraries = {item["name"]: item["softwareVersion"] for item in software["softwareRequirements"]}
    assert libraries == json.loads(record.source.read_text())["libraries"]


def test_what_is_left_out_or_stale_is_said(judged, monkeypatch):
    (edited,) = (judged / "rec").rglob("exact.more.json")
    edited.write_text(edited.read_text().replace('"value": 0.25', '"value": 0.26'))
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "0" * 64)
    report = write_crate(judged / "crate", records=judged / "rec", figures=judged / "none")
    assert (report.records, report.figures) == (1, 0)
    damaged, stale, missing = report.notes
    assert "was edited" in damaged
    assert stale.startswith("fake/one: stale")
    assert missing.startswith("fake/two: no usable record")
    crate = ROCrate(judged / "crate")
    assert crate.dereference("#fake/one")["description"].endswith("(stale: the sources have changed since)")
    assert crate.dereference("#fake/two") is None


def test_a_lost_record_is_said_with_the_command_that_makes_it_again(judged):
    (lost,) = (judged / "rec").rglob("exact.more.json")
    lost.unlink()
    report = write_crate(judged / "crate", "fake/one", records=judged / "rec", figures=judged / "none")
    command = f"boundcheck verify fake/one --out {judged / 'rec'}"
    assert report.notes == (f"fake/one: no record of exact/more; run `{command}`",)


def test_damaged_records_alone_are_named(judged):
    for path in (judged / "rec").rglob("*.json"):
        path.write_text("")
    with pytest.raises(UsageError, match="1 more record file cannot be used") as raised:
        write_crate(judged / "crate", "fake/one", records=judged / "rec")
    assert "exact.half.json' is cut or malformed" in str(raised.value)
    assert str(raised.value).endswith(f"run `boundcheck verify fake/one --out {judged / 'rec'}`")


def test_nothing_is_overwritten_and_nothing_is_empty(judged):
    (judged / "full").mkdir()
    (judged / "full" / "mine.txt").write_text("mine")
    for place in ("full", "rec/records/fake/one/exact.half.json"):
        with pytest.raises(OutputFolderError, match="is there already; remove it, or choose"):
            write_crate(judged / place, records=judged / "rec")
    with pytest.raises(
        UsageError, match=r"no usable record of these claims; run `boundcheck verify fake/two --"
    ):
        write_crate(judged / "crate", "fake/two", records=judged / "rec")
    assert not (judged / "crate").exists()
    with pytest.raises(OutputFolderError, match="cannot be written"):
        write_crate(judged / "full" / "mine.txt" / "crate", records=judged / "rec")


def test_without_the_library_its_extra_is_named(judged, monkeypatch):
    monkeypatch.setitem(sys.modules, "rocrate.rocrate", None)
    with pytest.raises(UsageError, match=r"pip install 'boundcheck\[crate\]'"):
        write_crate(judged / "crate", records=judged / "rec")


def test_the_verb(judged, boundcheck):
    options = ("--records", str(judged / "rec"), "--figures", str(judged / "figures"))
    done = boundcheck("export", "--crate", str(judged / "a"), "fake/one", *options)
    assert (done.code, done.out) == (0, f"1 claims, 2 records, 2 files of figures: {judged / 'a'}\n")
    part = boundcheck("export", "--crate", str(judged / "b.zip"), *options, "--json")
    assert part.code == 3
    assert part.document["claims"] == ["fake/one"]
    command = f"boundcheck verify fake/two --out {judged / 'rec'}"
    assert part.document["notes"] == [f"fake/two: no usable record; run `{command}`"]
    assert boundcheck("export", "fake/one").code == 2
