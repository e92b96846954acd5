"""check, data, doctor."""

import socket
import sys
from pathlib import Path

import pytest

from verify.cli.compressors.apart import apart
from verify.errors import NotMeasuredError, UsageError
from verify.foreign.guard import CompressorFault
from verify.records import source_form
from verify.redrawing.result import FigureResult
from verify.reporting.doctor import Finding

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"

USAGE_ERRORS = [UsageError, *UsageError.__subclasses__(), *NotMeasuredError.__subclasses__()]

COMPRESSORS = """
import numpy as np

def dithering(x, rng):
    s = np.abs(x).max(axis=-1, keepdims=True) / 4
    low = np.floor(x / s)
    return s * (low + (rng.random(x.shape) < x / s - low))

def deterministic(x):
    return x

class Halver:
    def sample(self, x, rng):
        return x / 2

class inner:
    halver = Halver()
"""


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """Work in a folder with somebody else's module, under a name of its own for each test."""
    name = f"foreign_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(COMPRESSORS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield name
    sys.modules.pop(name, None)


def test_check_accepts_a_true_constant(boundcheck, foreign):
    found = boundcheck("check", f"{foreign}:Halver", "-d", "4", "--omega", "0.25")
    assert found.code == 0
    assert "consistent" in found.out
    # The class was instantiated, a dotted name is followed.
    assert boundcheck("check", f"{foreign}:inner.halver", "-d", "4", "--omega", "0.25").code == 0


def test_check_refutes_a_false_one_with_a_counterexample(boundcheck, foreign):
    arguments = ("check", f"{foreign}:dithering", "-d", "16", "--omega", "0.05")
    plain = boundcheck(*arguments)
    assert plain.code == 1
    assert "counterexample" in plain.out
    machine = boundcheck(*arguments, "--json")
    assert machine.code == 1
    assert machine.document["verdict"] == "violated"
    assert machine.document["value"] > machine.document["bound"]


def test_check_that_decides_nothing_is_exit_code_3(boundcheck, foreign):
    found = boundcheck("check", f"{foreign}:dithering", "-d", "4", "--unbiased", "--samples", "64")
    assert found.code == 3
    assert "inconclusive" in found.out
    assert "--samples" in found.out


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(0)", "cannot be imported (SystemExit: 0)"),
        ("def thing(:", "cannot be imported (SyntaxError"),
        ("class thing:\n def __init__(self):\n  raise SystemExit(0)", "cannot be made (SystemExit: 0)"),
        ("class thing:\n def __init__(self):\n  self.a", "cannot be made (AttributeError"),
        ("class thing:\n def __init__(self, k):\n  pass", "is a class that needs arguments"),
        ("raise RuntimeError('not today')", "not today"),
        ("import os\nos._exit(0)", "ended the process (exit code 0; a call of os._exit does that)"),
        ("import os\ndef thing(x, rng):\n os._exit(1)", "ended the process (exit code 1;"),
        (  # pytest would print where it failed
            "import faulthandler, os\ndef thing(x, rng):\n faulthandler.disable()\n os.kill(os.getpid(), 11)",
            "(signal SIGSEGV; compiled code failed)",
        ),
        # A process that it leaves behind holds what the check would be told by.
        (
            "import os, time\nif os.fork() == 0:\n time.sleep(9)\nos._exit(3)",
            "ended the process (exit code 3;",
        ),
    ],
)
def test_what_goes_wrong_in_their_file_is_one_error(boundcheck, tmp_path, code, words):
    (tmp_path / "theirs.py").write_text(code)
    found = boundcheck("check", f"{tmp_path}/theirs.py:thing", "-d", "4", "--unbiased")
    assert found.code == 2
    assert words in found.err


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ValueError('boo')", "a call raised ValueError: boo"),
        ("import sys; sys.exit(0)", "a call left the program (SystemExit(0))"),
        ("raise Weird('gone')", "a call raised Weird: gone"),
    ],
)
def test_a_compressor_that_raises_is_not_violated(boundcheck, tmp_path, code, words):
    weird = "class Weird(Exception):\n def __reduce__(self):\n  import sys\n  return sys.exit, (0,)\n"
    (tmp_path / "theirs.py").write_text(f"{weird}def thing(x, rng):\n {code}\n")
    found = boundcheck("check", f"{tmp_path}/theirs.py:thing", "-d", "4", "--unbiased")
    assert (found.code, words in found.err) == (2, True), found.err


def test_numbers_that_are_not_finite_are_an_error_in_json_and_the_help_says_so(boundcheck, tmp_path):
    (tmp_path / "theirs.py").write_text("def thing(x, rng):\n    return x * float('nan')\n")
    found = boundcheck("check", f"{tmp_path}/theirs.py:thing", "-d", "4", "--unbiased", "--json")
    assert found.code == 2
    assert "= nan is not finite" in found.document["error"]
    told = " ".join(boundcheck("check", "--help").out.split())
    assert (
        "Exit codes: 0 consistent, 1 violated, 3 inconclusive, 2 a usage error, or a compressor that" in told
    )
    assert "numbers that are not finite" in told


@pytest.mark.parametrize("kind", USAGE_ERRORS, ids=lambda kind: kind.__name__)
def test_errors_of_users_come_back_from_a_copy_of_the_process(kind):
    error = CompressorFault("raises", "words") if kind is CompressorFault else kind("words")

    def fails():
        raise error

    with pytest.raises(kind, match="words") as raised:
        apart(fails, "this")
    assert (type(raised.value), str(raised.value)) == (kind, str(error))


def test_an_error_of_ours_is_no_violation(boundcheck, monkeypatch):
    def broken(*arguments, **named):
        raise RuntimeError("not foreseen")

    monkeypatch.setattr("verify.running.selection.select_entries", broken)
    assert boundcheck("list").code == 70


def test_interrupted_is_not_the_exit_code_of_a_violation(boundcheck, tmp_path):
    (tmp_path / "theirs.py").write_text("def stops(x, rng):\n raise KeyboardInterrupt\n")
    assert boundcheck("check", f"{tmp_path}/theirs.py:stops", "-d", "4", "--unbiased").code == 130


def test_what_draws_nothing_is_tried_at_many_inputs(boundcheck, tmp_path):
    (tmp_path / "theirs.py").write_text(
        "def rare(x, rng):\n y = x.copy()\n if 1.7 < y[0] < 1.9:\n  y[0] = 2.0\n return y\n"
        "def kept(x, rng):\n return x.copy()\n"
    )
    arguments = ("-d", "16", "--unbiased")
    assert boundcheck("check", f"{tmp_path}/theirs.py:rare", *arguments).code == 1
    found = boundcheck("check", f"{tmp_path}/theirs.py:kept", *arguments)
    assert found.code == 0
    assert int(found.out.partition("C(x) = x at all ")[2].split()[0]) > 1000


def test_check_takes_a_framework(boundcheck, foreign):
    target = ("check", f"{foreign}:Halver", "-d", "4", "--omega", "0.25")
    assert boundcheck(*target, "--framework", "numpy").code == 0
    assert "--framework 'nothing' cannot be imported" in boundcheck(*target, "--framework", "nothing").err
    assert "--device 'cuda' needs a framework" in boundcheck(*target, "--device", "cuda").err


def test_check_takes_a_file_by_its_path(boundcheck, foreign):
    assert boundcheck("check", f"{foreign}.py:Halver", "-d", "4", "--contraction", "0.75").code == 0
    assert boundcheck("check", f"{foreign}.py:Halver", "-d", "4", "--contraction", "0.76").code == 1
    missing = boundcheck("check", "nowhere.py:Halver", "-d", "4", "--omega", "1")
    assert missing.code == 2
    assert "there is no file nowhere.py" in missing.err


@pytest.mark.parametrize(
    ("target", "options", "words"),
    [
        ("deterministic", ["--omega", "1"], "must take (x, rng)"),
        ("dithering", [], "nothing to check; give at least one of --unbiased, --omega, --ab"),
        ("dithering", ["--omega", "1", "--framework", ""], "--framework '' must be numpy, torch, jax"),
        ("dithering", ["--most-bits", "-1"], "'--most-bits': -1.0 is not in the range x>=0"),
        ("nothing", ["--omega", "1"], "it has"),
    ],
)
def test_check_refuses_what_it_cannot_check(boundcheck, foreign, target, options, words):
    found = boundcheck("check", f"{foreign}:{target}", "-d", "4", *options)
    assert found.code == 2
    assert words in found.err


def test_check_does_not_let_the_working_folder_shadow_anything(boundcheck, foreign, tmp_path):
    (tmp_path / "numpy.py").write_text("raise RuntimeError('shadowed')")
    path = list(sys.path)
    assert boundcheck("check", f"{foreign}:Halver", "-d", "2", "--omega", "0.25").code == 0
    assert sys.path == path


# ---------------------------------------------------------------- data


def test_data_list_without_a_folder(boundcheck, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    document = boundcheck("data", "list", "--json").document
    rows = {row["name"]: row for row in document["data"]}
    assert {"phishing", "w8a"} <= set(rows)
    assert not any(row["available"] for row in rows.values())
    assert (rows["phishing"]["rows"], rows["phishing"]["features"]) == (11055, 68)
    plain = boundcheck("data", "list")
    assert plain.code == 0
    assert "set BOUNDCHECK_DATA" in plain.out


def test_data_list_names_a_folder_that_is_not_there(boundcheck, monkeypatch, tmp_path):
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path / "nowhere"))
    told = boundcheck("data", "list").out
    assert f"BOUNDCHECK_DATA={tmp_path / 'nowhere'} is not a folder; create it or set" in told.replace(
        "\n", " "
    )


def test_data_check_without_a_folder_is_a_users_error(boundcheck, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    found = boundcheck("data", "check")
    assert found.code == 2
    assert (
        "BOUNDCHECK_DATA is not set; set it to the folder with the files, or give folder= in P" in found.err
    )


def test_data_check_of_an_empty_or_damaged_folder(boundcheck, monkeypatch, tmp_path):
    (tmp_path / "splice").write_text("+1 1:0.5\n")
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    found = boundcheck("data", "check", "--json")
    assert found.code == 3
    problems = {row["name"]: row["problem"] for row in found.document["data"]}
    assert all(problems.values())
    assert problems["a9a"] == "no file"
    assert problems["splice"] != "no file"


@pytest.mark.skipif(not DATA.is_dir(), reason="no folder with LIBSVM files beside the checkout")
def test_data_of_the_shared_folder(boundcheck, monkeypatch):
    monkeypatch.setenv("BOUNDCHECK_DATA", str(DATA))
    document = boundcheck("data", "list", "--json").document
    assert all(row["available"] for row in document["data"])
    found = boundcheck("data", "check", "--json")
    assert found.code == 0
    assert all(row["ok"] for row in found.document["data"])


@pytest.fixture
def two_small_sets(monkeypatch, tmp_path):
    """A manifest of two sets, the folder with the file of the first, and no server to get the second from."""
    from scipy.sparse import csr_matrix

    from impl.problems.data import libsvm, libsvm_download

    digest = libsvm.content_sha256(csr_matrix([[1.0], [2.0]]), [-1, 1])
    manifest = {
        name: libsvm.LibsvmSet(name, 2, 1, 2, ((-1.0, 1), (1.0, 1)), digest) for name in ("here", "away")
    }
    monkeypatch.setattr(libsvm_download, "MANIFEST", manifest)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    (tmp_path / "here").write_text("-1 1:1\n+1 1:2\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return f"http://127.0.0.1:{port}"


def test_data_fetch_goes_on_after_a_failure(boundcheck, two_small_sets, tmp_path):
    plain = boundcheck("data", "fetch", "--from", two_small_sets)
    assert plain.code == 3
    kept, failed = plain.out.splitlines()
    assert kept == f"here: kept, {tmp_path / 'here'}"
    assert failed.startswith(f"away: {two_small_sets}/away cannot be downloaded (")
    assert "download it by hand" in failed
    machine = boundcheck("data", "fetch", "--from", two_small_sets, "--json")
    assert machine.code == 3
    here, away = machine.document["data"]
    assert here == {"name": "here", "status": "kept", "path": str(tmp_path / "here"), "problem": ""}
    assert (away["status"], away["path"]) == ("failed", None)
    assert "by hand" in away["problem"]


def test_data_fetch_of_what_is_there(boundcheck, two_small_sets, monkeypatch, tmp_path):
    monkeypatch.delenv("BOUNDCHECK_DATA")
    found = boundcheck("data", "fetch", "here", "--folder", str(tmp_path))
    assert found.code == 0
    assert "here: kept" in found.out


def test_data_fetch_refuses_unknown_sets_and_no_folder(boundcheck, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    found = boundcheck("data", "fetch", "covtype")
    assert found.code == 2
    assert "unknown data sets covtype; known are a9a" in found.err
    assert "BOUNDCHECK_DATA is not set" in found.err


def test_data_without_a_verb_lists_them(boundcheck):
    found = boundcheck("data")
    assert "check" in found.out + found.err
    assert "Error" not in found.err


# ---------------------------------------------------------------- doctor


def test_doctor(boundcheck, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    found = boundcheck("doctor", "--json")
    assert found.code == 0
    findings = {item["name"]: item for item in found.document["findings"]}
    assert findings["numpy"]["status"] == "ok"
    assert findings["BOUNDCHECK_DATA"]["status"] == "missing"


@pytest.mark.parametrize(("status", "code"), [("missing", 0), ("problem", 3)])
def test_doctor_prints_the_extra_to_install(boundcheck, monkeypatch, status, code):
    remedy = "pip install 'boundcheck[proof]'"
    found = (Finding("numpy", "ok", "2"), Finding("cvc5", status, f"optional; {remedy}"))
    monkeypatch.setattr("verify.reporting.doctor.examine", lambda: found)
    told = boundcheck("doctor")
    assert told.code == code
    assert "numpy" in told.out
    assert remedy in told.out


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (
            "../mine/c:good",
            "'../mine/c' is no name of a module; a file is named with its ending: ../mine/c.py:good",
        ),
        (
            "../mine/d:good",
            "'../mine/d' is no name of a module; name MODULE:OBJECT, or FILE.py:OBJECT with the path",
        ),
        (".c:good", "'.c' is no name of a module; name MODULE:OBJECT"),
        ("../mine/d.py:good", "there is no file ../mine/d.py"),
    ],
)
def test_a_path_in_place_of_a_module_is_told(boundcheck, tmp_path, monkeypatch, target, words):
    for folder in ("mine", "here"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mine" / "c.py").write_text("def good(x, rng):\n    return x\n")
    monkeypatch.chdir(tmp_path / "here")
    found = boundcheck("check", target, "-d", "3", "--lossless")
    assert found.code == 2
    assert words in found.err
    assert "relative import" not in found.err


def test_a_file_elsewhere_is_checked(boundcheck, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "mine" / "c.py").write_text("def good(x, rng):\n    return x\n")
    monkeypatch.chdir(tmp_path / "here")
    assert boundcheck("check", "../mine/c.py:good", "-d", "3", "--lossless").code == 0


@pytest.mark.parametrize(("option", "work"), [("--notebooks", "regenerate"), ("--check", "check")])
def test_figures_tell_their_progress_on_standard_error(boundcheck, monkeypatch, option, work):
    results = (FigureResult("cat/one", "kept"), FigureResult("cat.ipynb", "needs data", "a9a"))

    def made(_names, *, tell, **_options):
        for result in results:
            tell(result)
        return results

    monkeypatch.setattr(f"verify.redrawing.regenerate.{work}", made)
    found = boundcheck("figures", "cat", option)
    assert (found.code, found.out) == (3, "1 kept, 1 needs data\n")
    told = "cat/one: kept\ncat.ipynb: needs data a9a\n"
    assert found.err == told + "`boundcheck data fetch` gets the data\n"
    machine = boundcheck("figures", "cat", option, "--json")
    assert [item["status"] for item in machine.document["figures"]] == ["kept", "needs data"]
    assert machine.err == told


def test_an_instance_is_printed_in_few_words_and_is_whole_in_json(boundcheck):
    found = boundcheck("prove", "ndqsg/conv-convex")
    assert found.code == 0
    assert "distance[0..151]=1, far[0]=1, gap[0..151]=1/2" in found.out
    assert "moment[0]=0, moment[1]=1/4, moment[2]=5/16, moment[3]=21/64, moment[4..151]=..." in found.out
    document = boundcheck("prove", "ndqsg/conv-convex", "--json").document
    falling = next(item["instance"] for item in document["conclusions"] if item["relation"] == "start")
    assert (falling["far[4]"], "far[151]" in falling) == ("1/256", True)


def test_a_file_that_the_judge_refuses_proves_nothing(boundcheck, monkeypatch):
    assert boundcheck("prove", "squant/sup").code == 0
    monkeypatch.setitem(source_form._NAMES, "theory", frozenset(("K",)))
    found = boundcheck("prove", "squant/sup")
    assert found.code == 3
    assert found.out.startswith("derive: NOT PROVED: theory/squant/variance/sup.py, line ")
    assert boundcheck("prove", "squant/sup", "--json").document["conclusions"] == []
