from pathlib import Path

from theory.reading import index
from verify.records.remedies import some_of, verify_command, with_package


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


def test_commands_on_a_paper_of_ones_own_name_its_package(tmp_path, monkeypatch):
    """A remedy that is copied without the package ends in "unknown claim"."""
    package = tmp_path / "signs7"
    (package / "theory").mkdir(parents=True)
    (package / "verify").mkdir()
    (package / "paper.py").write_text('PAPER = Paper(\n    "signs7",\n)\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BOUNDCHECK_CLAIMS", "signs7")
    index.refresh()
    try:
        assert verify_command(claim_id="signs7/energy") == "boundcheck verify signs7/energy --claims signs7"
        assert verify_command(claim_id="squant/var") == "boundcheck verify squant/var"
        told = "run `boundcheck pin signs7/energy` or `boundcheck pin --comparisons quick signs7/energy`"
        longer = with_package(told, "signs7/energy")
        assert longer == told.replace("energy`", "energy --claims signs7`")
        assert with_package(longer, "signs7/energy") == longer
        assert with_package("`boundcheck pin signs7/energy-2`", "signs7/energy").endswith("energy-2`")
        assert with_package("`boundcheck pin squant/var`", "squant/var") == "`boundcheck pin squant/var`"
    finally:
        monkeypatch.undo()
        index.refresh()
