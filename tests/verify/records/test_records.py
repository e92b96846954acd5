import copy
import json
import os

import pytest

from verify.errors import DamagedRecordError, OutputFolderError, UnknownRecordError
from verify.records.folder import RecordFolder, content_sha256, read_record, record_id, validate


def test_a_written_record_is_read_back(tmp_path, make_record):
    folder = RecordFolder(tmp_path)
    folder.prepare()
    path = folder.write(make_record(witness={"x": [1, 2]}, reason="größer"))
    assert path == tmp_path / "records" / "fake" / "one" / "exact.half.json"
    assert folder.read("fake/one", "exact", "half") == make_record(witness={"x": [1, 2]}, reason="größer")
    assert folder.read("fake/one", "exact", "other") is None


def test_a_written_record_is_as_readable_as_any_new_file(tmp_path, make_record):
    plain = tmp_path / "plain"
    plain.write_text("x")
    path = RecordFolder(tmp_path).write(make_record())
    assert path.stat().st_mode & 0o777 == plain.stat().st_mode & 0o777


def test_a_record_that_cannot_be_written_is_one_error_with_its_file(tmp_path, make_record):
    folder = RecordFolder(tmp_path)
    path = folder.write(make_record())
    path.unlink()
    path.mkdir()
    with pytest.raises(OutputFolderError, match="finished records are kept") as told:
        folder.write(make_record())
    assert str(path) in str(told.value)
    assert [item.name for item in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("moment", ["chmod", "replace"])
def test_a_crash_while_writing_leaves_the_old_record(tmp_path, make_record, monkeypatch, moment):
    folder = RecordFolder(tmp_path)
    path = folder.write(make_record(reason="old"))

    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, moment, crash)
    with pytest.raises(KeyboardInterrupt):
        folder.write(make_record(reason="new"))
    monkeypatch.undo()
    assert read_record(path)["reason"] == "old"
    assert [item.name for item in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "change",
    [
        {"value": float("nan")},
        {"bound": float("inf")},
        {"verdict": "maybe"},
        {"grade": "excellent"},
        {"rung": "dreams"},
        {"alpha": 2e-6},
        {"seed": -1},
        {"seed": 1.5},
        {"mutants": [{"name": "wrong"}]},
        {"source_sha256": "abc"},
        {"claim": "no slash"},
        {"instance": "../../elsewhere"},
        {"unknown": 1},
        {"witness": {"x": [float("nan")]}},
    ],
    ids=lambda change: next(iter(change)) + "=" + str(next(iter(change.values())))[:12],
)
def test_a_record_outside_the_schema_is_not_written(tmp_path, make_record, change):
    with pytest.raises((DamagedRecordError, ValueError)):
        RecordFolder(tmp_path).write(make_record(**change))
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("field", ["value", "tightness", "seconds"])
def test_a_file_with_nan_is_damaged(tmp_path, make_record, number, field):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(make_record() | {field: float(number.replace("Infinity", "inf"))}))
    assert number in path.read_text()
    with pytest.raises(DamagedRecordError):
        read_record(path)


def test_every_field_is_required(make_record):
    validate(make_record())
    for name in make_record():
        record = make_record()
        del record[name]
        with pytest.raises(DamagedRecordError, match=name):
            validate(record)


def test_an_unknown_field_is_named(make_record):
    with pytest.raises(DamagedRecordError, match="colour"):
        validate(make_record(colour="green"))


def test_a_damaged_field_is_named(make_record):
    with pytest.raises(DamagedRecordError, match="mutants/0"):
        validate(make_record(mutants=[{"name": "wrong"}]))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\udcff"])
def test_a_malformed_file_is_damaged(tmp_path, text):
    path = tmp_path / "record.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DamagedRecordError):
        read_record(path)


def test_a_file_cut_in_half_is_damaged(tmp_path, make_record):
    path = RecordFolder(tmp_path).write(make_record())
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedRecordError, match="cut or malformed"):
        read_record(path)


def test_the_identifier_does_not_depend_on_time_and_machine(make_record):
    identifier = record_id(make_record())
    claim, _, digest = identifier.partition("@")
    assert claim == "fake/one"
    assert len(digest) == 12
    assert set(digest) <= set("0123456789abcdef")
    assert record_id(make_record(seconds=99.0, machine="another one")) == identifier
    assert record_id(dict(reversed(make_record().items()))) == identifier
    assert record_id(make_record(value=0.2500001)) != identifier
    assert record_id(make_record(witness={"x": [1]})) != identifier


def test_the_content_does_not_depend_on_the_order_of_records(make_record):
    first, second = make_record(instance="a"), make_record(instance="b")
    assert content_sha256([first, second]) == content_sha256([second, first])
    assert content_sha256([first, second]) != content_sha256([first])


def test_the_identifier_leaves_the_record_alone(make_record):
    record = make_record()
    before = copy.deepcopy(record)
    record_id(record)
    assert record == before


def test_find_by_path_by_identifier_and_by_claim(tmp_path, make_record):
    folder = RecordFolder(tmp_path)
    first, second = make_record(instance="a"), make_record(instance="b")
    path = folder.write(first)
    folder.write(second)
    assert folder.find(str(path)) == [first]
    assert folder.find(record_id(second)) == [second]
    assert folder.find(f"fake/one@{content_sha256([first, second])[:12]}") == [first, second]


@pytest.mark.parametrize(
    "reference", ["fake/one@000000000000", "fake/one@", "fake/two@", "no-such-file", "", "@"]
)
def test_an_unknown_reference_is_refused(tmp_path, make_record, reference):
    folder = RecordFolder(tmp_path)
    folder.write(make_record())
    with pytest.raises(UnknownRecordError, match="neither a record file nor an identifier"):
        folder.find(reference)


def test_an_unwritable_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for bad in ("file", "file/below"):
        with pytest.raises(OutputFolderError, match="must be a folder that can be written"):
            RecordFolder(tmp_path / bad).prepare()


def test_a_folder_that_cannot_hold_records_is_refused(tmp_path):
    (tmp_path / "records").write_text("")
    with pytest.raises(OutputFolderError):
        RecordFolder(tmp_path).prepare()


def test_preparing_leaves_nothing_behind(tmp_path):
    RecordFolder(tmp_path / "new").prepare()
    assert [path.name for path in (tmp_path / "new").rglob("*")] == ["records"]


def test_an_edited_record_is_damaged(tmp_path, make_record):
    folder = RecordFolder(tmp_path)
    path = folder.write(make_record(verdict="violated"))
    assert read_record(path)["verdict"] == "violated"
    path.write_text(path.read_text().replace('"violated"', '"holds"'))
    with pytest.raises(DamagedRecordError, match=r"was edited.*made again"):
        read_record(path)


def test_the_digest_does_not_depend_on_time_and_machine(make_record):
    assert make_record(seconds=1.0)["digest"] == make_record(seconds=2.0)["digest"]
    assert make_record(machine="one")["digest"] == make_record()["digest"]
    record = make_record(value=1.0)
    for name in record.keys() - {"seconds", "machine", "digest"}:
        assert content_sha256([{**record, name: "another"}]) != record["digest"], name
