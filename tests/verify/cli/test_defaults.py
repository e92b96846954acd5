"""`[tool.boundcheck]` of pyproject.toml: what it sets, what counts before it, what is refused."""

import os

import pytest

from verify.cli.defaults import defaults
from verify.errors import UsageError


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write the table into the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)

    def put(text):
        (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'mine'\n[tool.boundcheck]\n{text}\n")
        return tmp_path

    yield put
    os.environ.pop("BOUNDCHECK_DATA", None)


def test_the_table_sets_options_and_data(write):
    home = write("profile = 'full'\nseed = 7\nfolder = 'recs'\njobs = 1\ndata = 'sets'")
    found = defaults()
    assert found["verify"] == {"profile": "full", "seed": 7, "jobs": 1, "out": str(home / "recs")}
    assert found["show"] == {"out": str(home / "recs")}
    assert found["report"] == {"records": str(home / "recs")}
    assert os.environ["BOUNDCHECK_DATA"] == str(home / "sets")


def test_a_folder_below_finds_it_and_the_environment_counts_first(write, monkeypatch):
    home = write("folder = 'recs'\ndata = 'sets'")
    (home / "below").mkdir()
    monkeypatch.setenv("BOUNDCHECK_DATA", "elsewhere")
    assert defaults(home / "below")["cite"]["out"] == str(home / "recs")
    assert os.environ["BOUNDCHECK_DATA"] == "elsewhere"


def test_the_command_line_counts_before_the_table(boundcheck, registry, make_claim, make_check, write):
    home = write("folder = 'recs'\njobs = 1\nseed = 7")
    registry((make_claim(), [make_check()]))
    assert "seed 7, profile quick; 1 records in" in boundcheck("verify").out
    assert (home / "recs" / "records").is_dir()
    assert boundcheck("list", "--json").document["claims"][0]["verdict"] == "holds"
    found = boundcheck("verify", "--seed", "8", "--out", "others")
    assert "seed 8" in found.out
    assert (home / "others" / "records").is_dir()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("profle = 'full'", "unknown key 'profle'; did you mean profile?"),
        ("colour = 'red'", "keys are profile, seed, folder, jobs, data"),
        ("profile = 'slow'", "profile='slow' must be 'quick' or 'full'"),
        ("seed = -1\njobs = 0", "seed=-1 must be an integer from 0 to 2**63 - 1; jobs=0 must be a positive"),
        ("seed = true", "seed=True must be"),
        ("folder = 3", "folder=3 must be the path"),
        ("seed = ", "not valid TOML"),
    ],
)
def test_a_wrong_table_is_one_error(boundcheck, write, text, words):
    write(text)
    with pytest.raises(UsageError):
        defaults()
    found = boundcheck("list")
    assert found.code == 2
    assert words in found.err
    assert found.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"[tool", b"# \xff\n[project]\n", b"[tool]\nboundcheck = 3\n"])
def test_a_broken_file_is_one_error(boundcheck, tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_bytes(content)
    for arguments in (("list",), ("verify", "squant/range")):
        found = boundcheck(*arguments)
        assert found.code == 2
        assert str(tmp_path / "pyproject.toml") in found.err
        assert found.err.count("\n") == 1


def test_no_file_or_no_table_sets_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nprofile = 3\n")
    assert defaults() == {}
