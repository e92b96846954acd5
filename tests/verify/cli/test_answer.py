"""What a verb answers to machines stands alone on standard output, whatever authors' code prints."""

import functools
import json
import os
import shlex
import subprocess
import sys

import pytest

LOUD = 'import os\n\nprint("printed")\nos.write(1, b"written\\n")\n'


@pytest.fixture(scope="module")
def project(tmp_path_factory, warm_boundcheck):
    """Return a folder with a paper whose files print, a compressor that does, and a suite that names it."""
    folder = tmp_path_factory.mktemp("loud")
    assert warm_boundcheck(folder, "new", "paper", "loud", environment=dict(os.environ)).returncode == 0
    for file in ("paper.py", "theory/quarter.py", "verify/quarter.py"):
        path = folder / "loud" / file
        path.write_text(path.read_text() + '\nprint("printed")\n')
    (folder / "copies.py").write_text(f"{LOUD}\n\ndef same(x, rng=None):\n    return x.copy()\n")
    (folder / "mine.toml").write_text(
        '[project]\nname = "mine"\n\n[[compressor]]\nname = "same"\nobject = "copies:same"\n'
        'claims = {lossless = true}\nsource = "here"\n'
    )
    return folder


@pytest.fixture
def called(project, warm_boundcheck):
    path = os.pathsep.join((str(project), os.environ.get("PYTHONPATH", "")))
    return functools.partial(warm_boundcheck, project, environment={**os.environ, "PYTHONPATH": path})


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "loud/quarter", "--claims", "loud", "--proof"],
        ["prove", "loud/quarter", "--claims", "loud"],
        ["verify", "loud/*", "--claims", "loud", "--jobs", "1"],
        ["verify", "loud/*", "--claims", "loud", "--jobs", "2"],
        ["verify", "loud/*", "--claims", "loud", "--jobs", "2", "--backend", "loky"],
        ["pin", "loud/*", "--claims", "loud"],
        ["check", "copies:same", "-d", "3", "--lossless"],
        ["audit", "mine.toml"],
    ],
    ids=" ".join,
)
def test_what_authors_print_goes_to_standard_error(called, arguments):
    found = called(*arguments, "--json")
    assert found.returncode == 0, found.stderr
    assert isinstance(json.loads(found.stdout), dict)
    assert "printed" in found.stderr
    if arguments[0] in ("check", "audit"):
        assert "written" in found.stderr


def test_tables_for_machines_stand_alone_too(called):
    found = called("verify", "loud/*", "--claims", "loud", "--jobs", "1", "--format", "csv")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("id,kind,")
    assert "printed" not in found.stdout


def test_an_error_is_one_document_too(called):
    found = called("check", "copies:none", "-d", "3", "--lossless", "--json")
    assert found.returncode == 2
    assert "'none' is not in 'copies'" in json.loads(found.stdout)["error"]


def test_output_is_as_before_afterwards(boundcheck, capsys):
    assert boundcheck("data", "list", "--json").code == 0
    assert capsys.readouterr().out == ""
    sys.stdout.write("again")
    assert capsys.readouterr().out == "again"


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors of Unix")
def test_a_document_that_nobody_reads_is_no_verdict():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        found = subprocess.run(
            [sys.executable, "-m", "verify", "list", "--json"],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (found.returncode, found.stderr) == (141, "")


def test_answers_are_alone_where_standard_error_is_closed():
    code = (
        "import os\nfrom verify.cli.answer import only_answers, print_answer\n"
        "with only_answers():\n os.write(1, b'noise')\n print('noise')\n print_answer('answer')\n"
        "print('after')"
    )
    command = f"exec {shlex.quote(sys.executable)} -c {shlex.quote(code)} 2>&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "answer\nafter\n"
