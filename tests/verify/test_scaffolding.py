"""What `boundcheck new` writes works, and passes its own lint and tests."""

import os
import re
import subprocess
import sys

import pytest

from verify.errors import UsageError
from verify.scaffolding import write_scaffold

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "BOUNDCHECK_CLAIMS"}


def run(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )


def passes_lint(folder):
    options = ("--isolated", "--line-length", "110")
    found = run(folder, "ruff", "check", *options, "--select", "E,F,I,W,B,UP,SIM", ".")
    assert found.returncode == 0, found.stdout
    assert run(folder, "ruff", "format", *options, "--check", ".").returncode == 0


def passes_tests(folder, *arguments):
    found = run(folder, "pytest", "-q", "-p", "no:cacheprovider", *arguments)
    assert found.returncode == 0, found.stdout
    return found.stdout


@pytest.fixture
def writes_once(tmp_path, warm_boundcheck):
    def write(what, name):
        done = run(tmp_path, "boundcheck", "new", what, name)
        assert done.returncode == 0, done.stderr
        again = warm_boundcheck(tmp_path, "new", what, name, environment=ENVIRONMENT)
        assert again.returncode == 2
        assert re.search(r"(is|are) there already; choose another name or folder", again.stderr)

    return write


def test_a_paper_and_a_claim_beside_it(tmp_path, writes_once):
    writes_once("paper", "mine")
    writes_once("claim", "mine/some-words")
    passes_lint(tmp_path)
    told = passes_tests(tmp_path)
    assert "mine/quarter: holds" in told
    assert "mine/some-words: holds" in told


def test_a_compressor(tmp_path, writes_once):
    writes_once("compressor", "my_rounding")
    passes_lint(tmp_path)
    passes_tests(tmp_path, "test_my_rounding.py")


@pytest.mark.parametrize(
    ("what", "name", "words"),
    [
        ("paper", "squant", "is taken"),
        ("paper", "boundcheck", "is taken"),
        ("paper", "My Paper", "must be a name of a module"),
        ("compressor", "class", "must be a name of a module"),
        ("paper", "json", "can be imported already, from the standard library"),
        ("paper", "numpy", "can be imported already, from .*numpy"),
        ("compressor", "random", "can be imported already, from the standard library"),
        ("compressor", "click", "can be imported already, from .*click"),
        ("claim", "quarter", "must be PAPER/slug"),
        ("claim", "squant/Not_A_Slug", "must be PAPER/slug"),
        ("claim", "unheard/of", "no paper 'unheard'"),
        ("figure", "x", "what='figure' must be one of"),
    ],
)
def test_a_bad_name_writes_nothing(tmp_path, what, name, words):
    with pytest.raises(UsageError, match=words):
        write_scaffold(what, name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "my_rounding.py").write_text("mine\n")
    with pytest.raises(UsageError, match="is there already"):
        write_scaffold("compressor", "my_rounding", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["my_rounding.py"]
