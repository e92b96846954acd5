from pathlib import Path

from verify.records.remedies import some_of, verify_command


def test_a_default_folder_is_not_named_and_others_are_quoted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert verify_command(".boundcheck", "squant/var") == "boundcheck verify squant/var"
    assert verify_command(tmp_path / ".boundcheck") == "boundcheck verify"
    assert verify_command("other", "squant/var") == "boundcheck verify squant/var --out other"
    assert verify_command(Path("my records")) == "boundcheck verify --out 'my records'"


def test_many_files_are_counted():
    assert some_of([]) == []
    assert some_of(["a", "b", "c"]) == ["a", "b", "c"]
    assert some_of(["a", "b"], most=1) == ["a", "1 more record file cannot be used"]
    assert some_of(["a", "b", "c"], most=1) == ["a", "2 more record files cannot be used"]
