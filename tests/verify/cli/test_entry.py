"""The command as a whole: help, errors, exit codes."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from verify.cli import VERBS, main

HEAVY = ("sympy", "scipy", "numba", "sklearn", "numpy", "z3", "joblib", "jsonschema", "rich", "matplotlib")


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_help_imports_nothing_heavy():
    code = f"""
import sys
from verify.cli import main
for words in ("--help", "--version", "verify --help", "show --help", "list --help"):
    sys.argv = ["boundcheck", *words.split()]
    try:
        main()
    except SystemExit as leave:
        assert not leave.code, (words, leave.code)
    found = [name for name in {HEAVY!r} if name in sys.modules]
    assert not found, (words, found)
print("LIGHT")
"""
    done = python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LIGHT"


def test_help_lists_every_verb_with_its_help_line(boundcheck):
    found = boundcheck("--help")
    assert found.code == 0
    for verb, (_, text) in VERBS.items():
        assert verb in found.out
        assert text in found.out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(boundcheck, verb):
    assert boundcheck(verb, "--help").code == 0
    leaves = [(verb, leaf) for leaf in ("list", "fetch", "check")] if verb == "data" else [(verb,)]
    for leaf in leaves:
        assert "--json" in boundcheck(*leaf, "--help").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nope"], "nope"),
        (["verify", "--jobs", "many"], "--jobs"),
        (["verify", "--profile", "slow"], "--profile"),
        (["verify", "--seed", "-1"], "--seed"),
        (["verify", "--tier", "gpu"], "--tier"),
        (["verify", "--jobs", "0"], "jobs=0"),
        (["verify", "squant/varr"], "did you mean squant/var"),
        (["verify", "--kind", "nice"], "kind='nice' matches none"),
        (["show", "squant/varr"], "did you mean squant/var"),
        (["show", "SQUANT/VAR"], "did you mean squant/var"),
        (["show", "dcgd"], "did you mean squant/dcgd"),
        (["show", "squant/*"], "claims, such as squant/var"),
        (["verify", "zzz"], "`boundcheck list` shows the claims"),
        (["verify", "squant"], "did you mean 'squant/*', all claims of this paper?"),
        (["shwo"], "no verb 'shwo'; did you mean show?"),
        (["SQUANT/VAR"], "no verb 'SQUANT/VAR'; did you mean `boundcheck show squant/var`?"),
        (["figures", "squant/flor"], "unknown figure 'squant/flor'; did you mean squant/floor"),
        (["figures", "zzz"], "unknown figure 'zzz'; a paper (cat, cq_marina, ndqsg, squant) or PAPER/FIGURE"),
        (["list", "nothing/*"], "unknown claim"),
        (["cite", "squant/nothing-of-the-kind"], "unknown claim"),
        (
            ["list", 300 * "a"],
            "too many for a file (255 in a name, 4095 with its folders); give a shorter one",
        ),
        (["replay", "squant/var@000000000000"], "`boundcheck show --full CLAIM` lists them"),
        (["check", "no_such_module:thing", "-d", "4", "--omega", "1"], "cannot be imported"),
        (["check", "math", "-d", "4", "--omega", "1"], "must be MODULE:OBJECT"),
        (["check", "math:nothing", "-d", "4", "--omega", "1"], "'nothing' is not in 'math'"),
        (["check", "math:floor", "-d", "0"], "-d"),
        (["check", "math:floor", "-d", "4.5"], "'4.5' is no integer."),
        (["check", "math:floor", "-d", "4", "--omega", "x"], "'x' is no number."),
        (["check", "math:floor", "-d", "4", "--omega-sharp"], "Error: --omega-sharp needs --omega above 0"),
        (
            ["check", "math:floor", "-d", "4", "--omega", "1", "--time-limit", "0"],
            "Error: --time-limit 0.0 must be a positive number of seconds",
        ),
        (
            ["check", "math:floor", "-d", "4", "--unbiased", "--device", "cuda"],
            "--device 'cuda' needs a framework with devices, not numpy; give --framework 'torch' or 'jax'",
        ),
        (["cite"], "Missing argument 'CLAIM'; usage: "),
        (["cite", "squant/var", "x"], "unexpected extra argument (x); usage: "),
        (["new"], "Missing argument '{paper|claim|compressor}'; usage: "),
        (["new", "claim", "other/half"], "no paper 'other' in '.'; give --into DIR, the folder that has its"),
        (["verify", "--address", "here:1"], "not for this machine alone; give one of them, or leave"),
    ],
    ids=lambda item: " ".join(item) if isinstance(item, list) else "",
)
def test_users_errors_are_one_line_and_exit_code_2(boundcheck, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    plain = boundcheck(*arguments)
    assert plain.code == 2
    assert words in plain.err
    assert "Traceback" not in plain.err
    assert len(re.findall(r"[a-z_]+/[a-z0-9_-]+", plain.err)) <= 6  # what was asked for, and five that exist
    if words != "--jobs" and words != "-d":
        assert plain.err.count("\n") == 1
    machine = boundcheck(*arguments, "--json")
    assert machine.code == 2
    assert words.removeprefix("Error: ") in machine.document["error"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("check", "a:b", "-d", "4", "--alpha", "1"),
            "No such option '--alpha'. Did you mean '--contraction'?",
        ),
        (
            ("check", "a:b", "-d", "4", "--variance", "1"),
            "No such option '--variance'. Did you mean '--omega'?",
        ),
        (
            ("cite", "squant/sup", "--alpha"),
            "No such option '--alpha'. `boundcheck cite --help` lists the options.",
        ),
    ],
)
def test_an_option_by_the_name_of_papers_is_told_as_ours(boundcheck, arguments, told):
    done = boundcheck(*arguments)
    assert done.code == 2
    assert told in done.err


def test_an_interrupted_run_names_what_goes_on_with_it(boundcheck, monkeypatch):
    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.running.runner.verify", stop)
    found = boundcheck("verify", "squant/steps")
    assert found.code == 130
    assert "Interrupted; what is finished is kept by `--resume`" in found.err


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes of this kind")
@pytest.mark.parametrize("arguments", [["list"], ["show", "squant/sup", "--full"], ["data", "list"]])
def test_output_that_nobody_reads_is_no_verdict(arguments):
    command = [sys.executable, "-m", "verify", *arguments]
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        found = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, text=True, check=False)
    assert (found.returncode, found.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_output_that_cannot_be_written_is_one_line():
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [sys.executable, "-m", "verify", "data", "list"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert found.returncode == 2
    assert found.stderr.decode().startswith("Error: standard output cannot be written (No space left")
    assert found.stderr.count(b"\n") == 1


def test_errors_of_other_files_are_not_those_of_the_output():
    from verify.cli import _is_of_output

    assert not _is_of_output(OSError(errno.ENOSPC, "No space left on device"))
    assert not _is_of_output(OSError(errno.ENOSPC, "No space left on device", "a file"))


def test_a_closed_output_is_no_error(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main(["data", "list"])
    assert not left.value.code


def test_a_full_disk_is_one_line(boundcheck, monkeypatch):
    def fill(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "paper_figures/some.png")

    monkeypatch.setattr("verify.redrawing.regenerate.regenerate", fill)
    found = boundcheck("figures", "squant")
    assert found.code == 2
    assert found.err == (
        "Error: 'paper_figures/some.png' cannot be written (No space left on device); make room, or give "
        "another folder\n"
    )
