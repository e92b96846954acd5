"""Killers: a claim or a test file, run in a forked process that nothing else has touched.

The process that forks has the heavy libraries imported and, where nothing that is mutated comes with it,
`theory`.
"""

import contextlib
import hashlib
import importlib
import inspect
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tools.mutation.lines import Lines, touches

LIBRARIES = (
    *("numpy", "scipy.optimize", "scipy.stats", "scipy.sparse", "sympy", "z3", "sklearn", "joblib"),
    *("jsonschema", "rich", "click", "pytest", "_pytest.pytester", "hypothesis.strategies", "pdb"),
)
"""What is imported once, before any child is made; the variable MUTATION_LIBRARIES names others."""

MEMORY = 8 << 30
"""Bytes of address space of a child: a mutant may ask for any amount."""

MUTATED = ("impl", "verify", "theory/latex")
_FOLDERS = tuple(f"{top}/" for top in MUTATED)
GOOD = ("holds", "consistent")
_SKIPPED = frozenset({"__pycache__", "build", "dist", "node_modules"})


@dataclass(frozen=True)
class Killer:
    """A claim or a test file, and what it does on the honest tree.

    Args:
        kind: `claim` or `test`.
        name: Id of the claim, or of several with spaces between them, or path of the file.
        usable: Whether it is content with the honest tree.
        seconds: CPU time there.
        good: Keys of records that conclude there; for a test file, the tests that fail there all the same.
        exit: Exit code of `verify` there.
        lines: Lines that it executes, as `Lines.executed` gives them.
        loaded: Files of the tree that it loads, and what states the claim; an edit of one makes this stale.
        sources: Hash of these files.
    """

    kind: str
    name: str
    usable: bool
    seconds: float
    good: list[str]
    exit: int
    lines: dict[str, dict[str, str]]
    loaded: list[str]
    sources: str

    def touches(self, file: str, lines: range, kind: str) -> bool:
        """Return whether it executes one of these lines in a function ("run") or outside ("import")."""
        return touches(self.lines.get(file, {}).get(kind, "0"), lines)


@dataclass(frozen=True)
class Answer:
    """What a child process said: `outcome` is `passed`, `killed` or `timeout`."""

    outcome: str
    detail: str
    seconds: float
    data: dict[str, Any]


class Tree:
    """A copy of the sources in which one file at a time is mutated."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self.files = sorted(
            path.relative_to(folder).as_posix() for top in MUTATED for path in (folder / top).rglob("*.py")
        )

    def enter(self) -> None:
        """Make this tree the place where this process and its children find sources, and import libraries."""
        os.chdir(self.path)
        os.environ["PYTHONPATH"] = str(self.path)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        sys.path[:] = [str(self.path), *(item for item in sys.path if item not in ("", str(self.path)))]
        for name in os.environ.get("MUTATION_LIBRARIES", ",".join(LIBRARIES)).split(","):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        for name in [name for name in sys.modules if name.split(".")[0] in ("impl", "verify", "theory")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        if in_child(_import_theory, 300, 3600).data.get("clean"):
            _import_theory()

    def write(self, file: str, source: bytes) -> None:
        """Put a source into place; compiled forms go, since they are told apart by second and size only."""
        path = self.path / file
        path.write_bytes(source)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink()

    def digest(self, files: Iterable[str]) -> str:
        """Return one hash of these files, empty if one is missing."""
        found = hashlib.sha256()
        for name in files:
            path = self.path / name
            if not path.is_file():
                return ""
            found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
        return found.hexdigest()


def copy_sources(root: Path, folder: Path) -> None:
    """Copy the sources of a checkout into a folder."""
    for name in source_files(root):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target)


def source_files(root: Path) -> list[str]:
    """Return the files of a checkout that git does not ignore; without git, all but hidden and built ones."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and (root / ".git").exists():
        names = [name for name in listed.stdout.decode().split("\0") if name]
        return sorted({name for name in names if (root / name).is_file()})
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in found
        if not any(part.startswith(".") or part in _SKIPPED for part in path.parts)
    )


def measured(tree: Tree, kind: str, name: str) -> Killer:
    """Run a killer on the honest tree twice: as it is, and with its lines watched."""
    work = _work(kind, name)
    plain = in_child(lambda: work(None, ()), 3600, 7200)
    usable, good = plain.outcome == "passed", plain.data.get("good", [])
    lines: dict[str, dict[str, str]] = {}
    loaded: list[str] = []
    if usable:
        watched, before = Lines(tree.path, tree.files), frozenset(sys.modules)

        def watch() -> dict[str, Any]:
            with watched.watched():
                work(None, ())
            return {"lines": watched.executed(), "loaded": _loaded(tree.path, before)}

        found = in_child(watch, 7200, 14400)
        lines, loaded = found.data.get("lines", {}), found.data.get("loaded", [])
    if kind == "test":
        loaded = sorted({*loaded, name})
    else:
        stated = (tree.path / "theory" / name.split("/")[0]).rglob("*.py")
        loaded = sorted({*loaded, *(path.relative_to(tree.path).as_posix() for path in stated)})
    return Killer(
        kind, name, usable, plain.seconds, good, plain.data.get("exit", 0), lines, loaded, tree.digest(loaded)
    )


def tried(killer: Killer, factor: float = 5.0, extra: float = 10.0) -> Answer:
    """Run a killer on the tree as it is now, with a limit on CPU time from its time on the honest tree."""
    work, limit = _work(killer.kind, killer.name), factor * killer.seconds + extra
    return in_child(lambda: work(killer, killer.good), limit, 4 * limit)


def honest(killer: Killer, detail: str) -> bool:
    """Return whether what was seen is not seen on the honest tree, as it is now: else it is no witness."""
    test = detail.split(": ")[0]
    if killer.kind == "claim" or "::" not in test:
        return tried(killer).outcome == "passed"
    return in_child(lambda: _run_tests(killer, killer.good, test), 600, 1200).outcome == "passed"


# ---------------------------------------------------------------- in the child


class _Killed(BaseException):
    """The mutant is found out; nothing on the way may catch it."""


def _work(kind: str, name: str) -> Callable[[Killer | None, Iterable[str]], dict[str, Any]]:
    if kind == "claim":
        return lambda base, good: _run_claim(name, base, frozenset(good))
    blank = Killer("test", name, True, 0, [], 0, {}, [], "")
    return lambda base, good: _run_tests(base or blank, good, None, baseline=base is None)


def _run_claim(name: str, base: Killer | None, good: frozenset[str]) -> dict[str, Any]:
    """Judge claims; with a baseline, stop at the first record or verdict that is worse."""
    import verify

    concluded: list[str] = []
    ids = name.split()

    def saw(event: str, record: Any, *_: Any) -> None:
        key = f"{record['rung']}/{record['instance']}"
        key = f"{record['claim']}/{key}" if len(ids) > 1 else key
        if record["verdict"] in GOOD:
            concluded.append(key)
        elif key in good and record.get("grade") != "asymptotic":
            raise _Killed(f"{key}: {record['verdict']}: {record.get('reason', '')}")

    judge: Any = verify.verify
    options: dict[str, Any] = {"jobs": 1}
    if "progress" in inspect.signature(judge).parameters:
        options["progress"] = saw
    with tempfile.TemporaryDirectory() as folder:
        report = judge(ids, out=folder, **options)
    code = getattr(report, "exit_code", 0 if all(item.verdict in GOOD for item in report.claims) else 1)
    for result in report.claims:
        if result.verdict not in GOOD or (base is not None and code and not base.exit):
            raise _Killed(f"{result.verdict}: {'; '.join(getattr(result, 'reasons', ()))}")
    return {"good": concluded, "exit": code}


def _run_tests(
    killer: Killer, known: Iterable[str], only: str | None, *, baseline: bool = False
) -> dict[str, Any]:
    """Run a test file up to its first failure; for a baseline all of it, and failures are only noted."""
    import pytest

    failed: list[tuple[str, str]] = []
    passed: list[str] = []

    class Watcher:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
                failed.append((report.nodeid, str(crash)))
            elif report.when == "call":
                passed.append(report.nodeid)

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                failed.append((report.nodeid, "cannot be collected"))

    # Plugins that are imported already cannot be rewritten; that is no matter, they pass.
    early = "-Wignore::pytest.PytestAssertRewriteWarning"
    options = ["-q", early, "-p", "no:cacheprovider", *(f"--deselect={test}" for test in known)]
    if not baseline:
        options.append("-x")
    code = pytest.main([only or killer.name, *options], plugins=[Watcher()])
    if baseline:
        if not passed:
            raise _Killed(f"no test passes (exit code {int(code)})")
        return {"good": [test for test, _ in failed]}
    if failed:
        raise _Killed(": ".join(failed[0]))
    if code not in (0, 5):
        raise _Killed(f"exit code {int(code)}")
    return {}


def _import_theory() -> dict[str, Any]:
    """Import all claims; say whether nothing that is mutated came with them."""
    with contextlib.suppress(Exception):
        import theory

        theory.claims("*")
    return {"clean": not any(f"{name.replace('.', '/')}/".startswith(_FOLDERS) for name in sys.modules)}


def _loaded(root: Path, before: frozenset[str]) -> list[str]:
    """Return the files below the root of the modules that this process did not have before."""
    modules = [module for name, module in list(sys.modules.items()) if name not in before]
    files = [str(getattr(module, "__file__", None) or "") for module in modules]
    return sorted({os.path.relpath(file, root) for file in files if file.startswith(f"{root}{os.sep}")})


def in_child(work: Callable[[], dict[str, Any]], cpu: float, wall: float) -> Answer:
    """Run work in a forked process group of its own, under a limit on CPU and on wall-clock seconds."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        told = Path(folder) / "answer"
        sys.stdout.flush()
        start = time.monotonic()
        child = os.fork()
        if not child:
            _be_child(work, told, Path(folder), cpu)
        status, used = _wait(child, start + wall)
        spent = used.ru_utime + used.ru_stime
        if not told.is_file():
            late = spent >= cpu or time.monotonic() - start >= wall
            return Answer("timeout" if late else "killed", f"ended with status {status}", spent, {})
        return Answer(**{"seconds": spent, **json.loads(told.read_text())})


def _be_child(work: Callable[[], dict[str, Any]], told: Path, folder: Path, cpu: float) -> None:
    """Do the work, write the answer, and end without the parent's clean-up."""
    try:
        os.setsid()
        whole = max(1, int(cpu + 0.999))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        outcome, detail, data = "passed", "", {}
        try:
            data = work()
        except _Killed as reason:
            outcome, detail = "killed", str(reason)
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            outcome, detail = "killed", f"{type(error).__name__}: {error} ({place})"
        answer = {"outcome": outcome, "detail": detail[:400], "data": data}
        part = folder / "part"
        part.write_text(json.dumps(answer))
        part.rename(told)
    finally:
        os._exit(0)


def _wait(child: int, end: float) -> tuple[int, resource.struct_rusage]:
    """Wait for a child until the end, then kill its group."""
    pause = 0.002
    while True:
        found, status, used = os.wait4(child, os.WNOHANG)
        if not found and time.monotonic() > end:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
            found, status, used = os.wait4(child, 0)
        if found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)  # what it has started and left behind
            return status, used
        time.sleep(pause)
        pause = min(0.05, 1.5 * pause)


def as_row(killer: Killer) -> str:
    """Return a killer as one line of JSON."""
    return json.dumps(asdict(killer), separators=(",", ":"))
