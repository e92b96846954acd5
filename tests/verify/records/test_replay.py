import json
from fractions import Fraction

import pytest

import theory
from verify.errors import DamagedRecordError, UnknownRecordError, UsageError
from verify.records import sources
from verify.records.folder import RecordFolder, content_sha256, record_id, sealed
from verify.records.recorded import recorded_result
from verify.records.replay import replay
from verify.running.runner import verify


@pytest.fixture
def folder(registry, make_claim, make_check, tmp_path):
    """Return the folder of a run with two units."""
    registry((make_claim(), [make_check("a"), make_check("b")]))
    verify(out=tmp_path)
    return RecordFolder(tmp_path)


def tamper(folder, **changes):
    """Change a record together with its digest, which alone would tell."""
    path = folder.path("fake/one", "exact", "a")
    path.write_text(json.dumps(sealed(json.loads(path.read_text()) | changes)))
    return path


def test_replay_by_path_and_by_identifier_gives_the_same_content(folder):
    path = folder.path("fake/one", "exact", "a")
    record = folder.read("fake/one", "exact", "a")
    for reference in (str(path), record_id(record)):
        (found,) = replay(reference, out=folder.folder)
        assert found.recorded == record
        assert found.same
        assert found.differences == ()
        assert not found.stale


def test_the_identifier_of_a_claim_replays_all_its_records(folder):
    digest = content_sha256(list(folder.records("fake/one")))[:12]
    found = replay(f"fake/one@{digest}", out=folder.folder)
    assert [item.recorded["instance"] for item in found] == ["a", "b"]
    assert all(item.same for item in found)


@pytest.mark.parametrize(
    "change",
    [{"value": 0.125}, {"verdict": "violated"}, {"witness": None}, {"mutants": []}, {"reason": "trust me"}],
)
def test_a_tampered_record_differs(folder, change):
    path = tamper(folder, **change)
    (found,) = replay(str(path), out=folder.folder)
    assert not found.same
    assert found.differences == tuple(change)


def test_times_libraries_and_sources_are_no_difference(folder):
    path = tamper(folder, seconds=1e3, libraries={"numpy": "0"})
    (found,) = replay(str(path), out=folder.folder)
    assert found.same


def test_a_changed_result_differs_from_its_record(folder, registry, make_claim, make_check):
    registry((make_claim(), [make_check("a", value=Fraction(3, 8)), make_check("b")]))
    (found,) = replay(str(folder.path("fake/one", "exact", "a")), out=folder.folder)
    assert "value" in found.differences
    assert found.repeated["value"] == 0.375


def test_changed_sources_are_told(folder, monkeypatch):
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "f" * 64)
    (found,) = replay(str(folder.path("fake/one", "exact", "a")), out=folder.folder)
    assert found.stale
    assert found.same


def test_remedies_for_stale_records_begin_with_verify(folder, monkeypatch):
    folder.path("fake/one", "exact", "b").unlink()  # one reason, which may have a remedy of its own
    kept = recorded_result(theory.claim("fake/one"), folder).result.reasons
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "f" * 64)
    first, *others = recorded_result(theory.claim("fake/one"), folder).result.reasons
    assert "run `boundcheck verify fake/one" in first
    assert "other sources" in first
    assert others == list(kept)


def test_replay_writes_nothing(folder):
    path = tamper(folder, value=0.125)
    before = path.read_bytes()
    replay(str(path), out=folder.folder)
    assert path.read_bytes() == before


def test_what_cannot_be_replayed(folder, registry, make_claim, make_check):
    with pytest.raises(UnknownRecordError):
        replay("fake/one@ffffffffffff", out=folder.folder)
    path = folder.path("fake/one", "exact", "a")
    registry((make_claim(), [make_check("b")]))
    with pytest.raises(UsageError, match="has no check exact/a"):
        replay(str(path), out=folder.folder)
    path.write_text("{")
    with pytest.raises(DamagedRecordError):
        replay(str(path), out=folder.folder)
