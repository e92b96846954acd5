"""The mutation tool, on sources of a few lines and on a small package with claims and tests of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from tools.mutation.campaign import append, is_engine, latest, rows_of, sampled
from tools.mutation.killers import in_child
from tools.mutation.lines import Lines, touches
from tools.mutation.operators import mutants_of
from tools.mutation.report import markdown

ROOT = Path(__file__).resolve().parents[2]


def changes(source, operator=None):
    found = mutants_of("impl/a.py", source.encode())
    return {(item.before, item.after) for item in found if operator in (None, item.operator)}


@pytest.mark.parametrize(
    ("source", "operator", "expected"),
    [
        ("y = a + (b - c)", "arithmetic", {("a + (b - c)", "((a) - (b - c))"), ("b - c", "((b) + (c))")}),
        ("y = x ** k", "arithmetic", {("x ** k", "((x) * (k))")}),
        ("y = x < k", "comparison", {("x < k", "((x) <= (k))"), ("x < k", "((x) >= (k))")}),
        ("y = x is None", "comparison", {("x is None", "((x) is not (None))")}),
        ("y = a and b", "and/or", {("a and b", "((a) or (b))")}),
        ("y = not a", "remove not", {("not a", "(a)")}),
        ("y = -a", "remove minus", {("-a", "(a)")}),
        ("if a(b):\n    c = d", "negate condition", {("a(b)", "(not (a(b)))")}),
        ("if a < b:\n    c = d", "negate condition", set()),
        ("y = [i for i in s if ok(i)]", "negate condition", {("ok(i)", "(not (ok(i)))")}),
        ("y = (1, 0, 7)", "constant", {("1", "2"), ("1", "0"), ("0", "1"), ("7", "8")}),
        ("y = (True, 0.5, 'text')", "constant", {("True", "False"), ("0.5", "1.0")}),
        ("f(x)", "delete statement", {("f(x)", "pass")}),
        ("a += b", None, {("a += b", "a -= b"), ("a += b", "pass")}),
        ("y = np.minimum(min(a), b)", "min/max", {("np.minimum", "np.maximum"), ("min", "max")}),
        ("y = x[a:b]", "slice bound", {("a", ""), ("b", "")}),
    ],
)
def test_operators(source, operator, expected):
    assert changes(source, operator) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Text of 3 lines."""',
        "def f(a: int | None) -> Literal[1]:\n    'Text.'",
        "raise ValueError(f'{x + 1}', x < 1)",
        "if TYPE_CHECKING:\n    x = 1",
        "if __name__ == '__main__':\n    main()",
        "logger.warning('%s', x + 1)",
        "y = f'{x + 1}'",
        "y = 'a' + x",
        "@cache(maxsize=3)\ndef f(): return x",
        "def __repr__(self): return 3",
        "y = zip(a, b, strict=True)",
        "x: Tuple[3]",
    ],
)
def test_left_alone(source):
    assert changes(source) == set()


@pytest.mark.parametrize(
    ("idle", "kept", "edit"),
    [
        ("y = x.reshape(-1, d)", "y = x.repeat(-1, d)", ("1", "2")),
        ("y = np.reshape(x, (n, -1))", "y = np.transpose(x, (n, -1))", ("1", "2")),
        ("y = x.reshape(shape=[-1])", "y = x.reshape(order=[-1])", ("1", "2")),
        ("y = x.reshape(-1)", "y = x.reshape(n[-1])", ("1", "2")),
        ("y = x.reshape(-1)", "y = reshape(-1)", ("1", "2")),
        ("def f(x=1):\n    'Text.'", "def f(x=1):\n    'Text.'\n    return x", ("1", "2")),
        ("def f(x, *, y=2): ...", "def f(x, *, y=2): return x", ("2", "3")),
        ("def f(x=2): ...", "def f(x=T[2]): ...", ("2", "3")),
        ("y = np.reshape(x, -1)", "y = np.reshape(-1, 4)", ("1", "2")),
        ("async def f(x=True):\n    pass", "async def f(x=True):\n    global y", ("True", "False")),
        ("x = a  # noqa: E402", "x = a, 402", ("402", "403")),
        ("x: Literal[3] = a", "x = Literal[3]", ("3", "4")),
        ("problems.require(a, f'{x + 3}')", "problems.require(a + 3, 'text')", ("3", "4")),
    ],
)
def test_edits_that_change_nothing_are_not_made_and_their_neighbours_are(idle, kept, edit):
    assert edit not in changes(idle)
    assert edit in changes(kept)


def test_only_the_other_negative_number_of_an_inferred_axis_is_left_out():
    assert changes("y = x.reshape(-1, d)") == {("-1", "(1)"), ("1", "0")}
    assert np.arange(6).reshape(-2, 3).tolist() == np.arange(6).reshape(-1, 3).tolist()
    assert scipy.sparse.eye_array(4).reshape((8, -2)).shape == (8, 2)
    for file in ("impl/gpu/a.py", "impl/kernels/a.py", "verify/a.py"):
        found = {item.after for item in mutants_of(file, b"y = x.reshape(-1, d)")}
        assert found == {"(1)", "0", "2"}


@pytest.mark.parametrize("file", ["operators.py", "killers.py", "campaign.py"])
def test_every_mutant_compiles_and_differs(file):
    source = (ROOT / "tools" / "mutation" / file).read_bytes()
    found = mutants_of(file, source)
    assert len(found) > 50
    assert len({item.id for item in found}) == len(found)
    for item in found:
        assert source[item.start : item.end].decode() == item.before
        compile(item.applied(source), file, "exec")
        assert item.applied(source) != source


def test_bytes_are_counted_not_letters():
    (item,) = mutants_of("a.py", 'y = "Löwe", a * b'.encode())
    assert item.applied('y = "Löwe", a * b'.encode()) == 'y = "Löwe", ((a) / (b))'.encode()


def test_names_of_mutants_do_not_move_with_lines():
    first = mutants_of("a.py", b"def f(x):\n    return x + 1\n")
    second = mutants_of("a.py", b"import os\n\n\ndef g():\n    return 5\n\n\ndef f(x):\n    return x + 1\n")
    assert {item.id for item in first} < {item.id for item in second}
    assert [item.lines for item in first] == [range(2, 3)] * 3
    assert {item.id for item in sampled(second, 2, 1)} == {item.id for item in sampled(second[::-1], 2, 1)}
    assert sampled(second, 0, 1) != sampled(second, 0, 2)


def test_lines_of_functions_are_apart(tmp_path, monkeypatch):
    (tmp_path / "counted_module.py").write_text(
        "def f(x):\n    if x:\n        return 1\n    return 2\n\n\nY = f(0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    lines = Lines(tmp_path, ["counted_module.py"])
    with lines.watched():
        import counted_module

        counted_module.f(1)
    masks = lines.executed()["counted_module.py"]
    seen = {kind: [n for n in range(9) if touches(mask, range(n, n + 1))] for kind, mask in masks.items()}
    assert seen == {"run": [2, 3, 4], "import": [1, 7]}


def test_report_counts_and_explains(tmp_path):
    state = tmp_path / "state.jsonl"
    row = {
        "file": "impl/a.py",
        "line": 3,
        "function": "f",
        "operator": "constant",
        "before": "1",
        "after": "2",
    }
    row |= {"claims": 1, "tests": 2, "not_run": 0, "seconds": 2.0}
    for number, outcome in enumerate(("verify", "verify", "verify", "tests", "survivor", "survivor")):
        file = "verify/kernel/a.py" if number == 3 else "impl/a.py"
        append(state, json.dumps(row | {"id": str(number), "outcome": outcome, "file": file}))
    append(state, json.dumps({"id": "5", "reason": "The same number."}))
    with state.open("a") as stream:
        stream.write('{"id": "cut o')
    assert len(rows_of(state)) == 7
    text = markdown(latest(state).values(), "it")
    assert "| **impl** | 5 | 3 | 0 | 1 | 1 | 75 % | 75 % |" in text
    assert "| **engine** | 1 | 0 | 1 | 0 | 0 | 0 % | 100 % |" in text
    assert "| **all** | 6 | 3 | 1 | 1 | 1 | 60 % | 80 % |" in text
    assert (
        "* 4 `impl/a.py:3` in `f` (constant): `1` becomes `2`; executed by 1 claims and 2 test files." in text
    )
    assert "The same number." in text
    assert is_engine("verify/judging/judgement.py")
    assert not is_engine("verify/reporting/report.py")


@pytest.mark.parametrize(
    ("work", "outcome"),
    [
        (lambda: {"x": 1}, "passed"),
        (lambda: 1 / 0, "killed"),
        (lambda: os._exit(4), "killed"),
        (lambda: os.kill(os.getpid(), 9), "killed"),
        (lambda: time.sleep(60), "timeout"),
    ],
    ids=["passes", "raises", "ends", "crashes", "hangs"],
)
def test_child(work, outcome):
    answer = in_child(work, 10, 0.3)
    assert answer.outcome == outcome
    assert answer.data == ({"x": 1} if outcome == "passed" else {})


FILES = {
    "impl/__init__.py": "",
    "impl/sums.py": "def double(x):\n    return x + x\n\n\ndef shift(x):\n    return x - 3\n",
    "impl/other.py": "def unused(x):\n    return x * 2\n",
    "theory/__init__.py": "class C:\n    id = 'toy/double'\n\n\ndef claims(pattern):\n    return (C,)\n",
    "verify/__init__.py": """
class Result: pass

def verify(patterns, *, jobs, out):
    from impl.sums import double
    from types import SimpleNamespace
    verdict = "holds" if double(3) == 6 else "violated"
    return SimpleNamespace(claims=(SimpleNamespace(verdict=verdict, reasons=("double(3)",)),))
""",
    "tests/test_sums.py": "from impl.sums import shift\n\n\ndef test_shift():\n    assert shift(5) < 3\n\n\n"
    "def test_that_always_fails():\n    assert shift(5) == 0\n",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
}


@pytest.fixture
def toy(tmp_path):
    root = tmp_path / "toy"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def command(root, *words):
    options = [f"--root={root}", f"--state={root}/.s.jsonl", f"--coverage={root}/.c.jsonl", "--scope=toy"]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "MUTATION_LIBRARIES": "pytest",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "tools.mutation", *words, *options],
        capture_output=True,
        text=True,
        env=environment,
        cwd=root,
        check=False,
    )


def test_a_campaign_is_resumed(toy):
    first = command(toy, "run", "--sample=0", "--limit=2")
    assert first.returncode == 3, first.stdout + first.stderr
    assert len(latest(toy / ".s.jsonl")) == 2
    second = command(toy, "run", "--sample=0", "--jobs=2")
    assert second.returncode == 0, second.stdout + second.stderr
    assert "measured" not in second.stdout
    found = {(row["before"], row["after"]): row for row in latest(toy / ".s.jsonl").values()}
    assert {row["file"] for row in found.values()} == {"impl/sums.py"}
    assert found["x + x", "((x) - (x))"]["outcome"] == "verify"
    assert found["x + x", "((x) - (x))"]["by"] == "toy/double"
    assert found["x - 3", "((x) + (3))"]["outcome"] == "tests"
    assert found["x - 3", "((x) + (3))"]["detail"].startswith("tests/test_sums.py::test_shift: ")
    assert found["3", "4"]["outcome"] == "survivor", "the test that always fails is no witness"
    assert (toy / "impl/sums.py").read_text() == FILES["impl/sums.py"]
    (toy / "impl/sums.py").write_text(FILES["impl/sums.py"].replace("x - 3", "x - 2"))
    third = command(toy, "run", "--sample=0")
    assert "measured 1/2 toy/double" in third.stdout
    assert ", 2 without a result" in third.stdout
