"""A campaign: which mutants, which killers for each, and the state that is resumed."""

import fnmatch
import hashlib
import json
import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutation.killers import Killer, Tree, as_row, copy_sources, honest, in_child, measured, tried
from tools.mutation.operators import Mutant, mutants_of

ENGINE_FOLDERS = (
    "theory/latex/",
    *(f"verify/{name}/" for name in ("kernel", "evidence", "judging", "rungs", "authoring", "statements")),
)
ENGINE_FILES = tuple(f"verify/{name}.py" for name in ("comparison", "binding"))
REPEATED = ("tests/test_claims.py",)
"""Test files that only run all claims again."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """What a campaign is about.

    Args:
        root: Checkout.
        state: File of results.
        coverage: File of killers.
        scope: As in `scoped`.
        sample: Number of mutants, 0 for all.
        seed: Seed of the sample.
        by: `file` or `function`: how far what a paper executes reaches.
        claims: Patterns of the claims that kill; none: those of the scope.
        tests: Patterns of test files that kill.
        without: Patterns of test files that do not.
        budget: Seconds of tests on the honest tree after which a mutant counts as a survivor, 0 for no limit.
    """

    root: Path
    state: Path
    coverage: Path
    scope: str = "squant"
    sample: int = 250
    seed: int = 1
    by: str = "file"
    claims: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("tests/**",)
    without: tuple[str, ...] = REPEATED
    budget: float = 0.0
    limit: int = 0
    seconds: float = 0.0
    jobs: int = 1
    again: bool = field(default=False)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Return the patterns of claims that kill."""
        papers = [part.removesuffix("-impl") for part in self.scope.split(",")]
        papers = [part for part in papers if part != "engine" and "/" not in part]
        return self.claims or tuple(f"{paper}/*" for paper in papers) or ("*",)


def is_engine(file: str) -> bool:
    """Return whether a file belongs to the engine that judges."""
    return file in ENGINE_FILES or file.startswith(ENGINE_FOLDERS)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines; a last line that was cut off does not count."""
    rows = []
    for line in path.read_text().splitlines() if path.is_file() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def append(path: Path, line: str) -> None:
    """Add a line in one write, so that several processes may."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, f"{line}\n".encode())
    finally:
        os.close(handle)


# ---------------------------------------------------------------- killers


def known_killers(settings: Settings, tree: Tree) -> dict[tuple[str, str], Killer]:
    """Return the measured killers whose sources are as they were."""
    rows = (Killer(**row) for row in rows_of(settings.coverage))
    last = {(killer.kind, killer.name): killer for killer in rows}
    return {
        key: item for key, item in last.items() if item.sources and item.sources == tree.digest(item.loaded)
    }


def wanted_killers(settings: Settings, tree: Tree) -> list[tuple[str, str]]:
    """Return kind and name of the killers of a campaign; a child asks `theory` for the claims."""

    def ask() -> dict[str, Any]:
        import theory

        return {"ids": [item.id for pattern in settings.patterns for item in theory.claims(pattern)]}

    answer = in_child(ask, 300, 1200)
    if answer.outcome != "passed":
        raise SystemExit(f"no claims to kill with: {answer.detail}")
    files = sorted(path.relative_to(tree.path).as_posix() for path in tree.path.rglob("test_*.py"))
    tests = [
        file
        for file in files
        if any(fnmatch.fnmatch(file, pattern) for pattern in settings.tests)
        and not any(fnmatch.fnmatch(file, pattern) for pattern in settings.without)
    ]
    ids = dict.fromkeys(answer.data["ids"])
    return [("claim", name) for name in ids] + [("test", name) for name in tests]


def collect(settings: Settings, tree: Tree, say: Say, end: float = float("inf")) -> list[Killer] | None:
    """Measure the killers that no valid row describes; None where time ran out before the last."""
    known = known_killers(settings, tree)
    wanted = wanted_killers(settings, tree)
    pending = [key for key in wanted if key not in known]
    for done, (kind, name) in enumerate(pending, 1):
        if time.monotonic() > end:
            say(f"{len(pending) - done + 1} of {len(wanted)} killers are still to be measured")
            return None
        killer = measured(tree, kind, name)
        append(settings.coverage, as_row(killer))
        known[kind, name] = killer
        word = f"{killer.seconds:.1f} s" if killer.usable else "not content with the honest tree, left out"
        say(f"measured {done}/{len(pending)} {name}: {word}")
    return [known[key] for key in wanted if known[key].usable]


# ---------------------------------------------------------------- mutants


def scoped(settings: Settings, tree: Tree, killers: Sequence[Killer]) -> list[Mutant]:
    """Return all mutants of a scope.

    A scope is a list, separated by commas, of: `PAPER` (the part of `impl` that the claims of the paper
    execute, and the engine), `PAPER-impl` (without the engine), `engine`, or a path (all of it).
    """
    parts = settings.scope.split(",")
    found: list[Mutant] = []
    for file in tree.files:
        owners = [
            killer
            for killer in killers
            if killer.kind == "claim"
            and any(killer.name.startswith(f"{part.removesuffix('-impl')}/") for part in parts)
            and int(killer.lines.get(file, {}).get("run", "0"), 16)
        ]
        engine = is_engine(file) and any(not p.endswith("-impl") and "/" not in p for p in parts)
        named = any("/" in part and file.startswith(part) for part in parts)
        if not (engine or named or (owners and file.startswith("impl/"))):
            continue
        mutants = mutants_of(file, (tree.path / file).read_bytes())
        if settings.by == "function" and not engine and not named:
            used = {
                item.function for item in mutants if any(k.touches(file, item.lines, "run") for k in owners)
            }
            mutants = [item for item in mutants if item.function in used]
        found += mutants
    return found


def sampled(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return a random sample that an edit changes only where it edits: the smallest hashes of names."""
    ranked = sorted(mutants, key=lambda item: hashlib.sha256(f"{seed}:{item.id}".encode()).digest())
    return ranked[:size] if size else ranked


def chosen(mutant: Mutant, killers: Iterable[Killer], kind: str) -> list[Killer]:
    """Return the killers of a kind that execute a mutant's statement, the most promising first.

    A statement of a module or class body runs by every import: those that also run a function of the file go
    first.
    """
    ranked = []
    for killer in killers:
        if killer.kind != kind:
            continue
        inside = killer.touches(mutant.file, mutant.lines, "run")
        if inside or killer.touches(mutant.file, mutant.lines, "import"):
            uses = inside or int(killer.lines[mutant.file]["run"], 16) > 0
            ranked.append((not uses, killer.seconds, killer.name, killer))
    return [item[-1] for item in sorted(ranked, key=lambda item: item[:3])]


# ---------------------------------------------------------------- one mutant


def judged(
    mutant: Mutant, tree: Tree, killers: Sequence[Killer], trusted: set[str], budget: float = 0.0
) -> dict[str, Any]:
    """Return the row of a mutant: claims first, then tests, up to the first that sees it.

    A claim that objects to the honest tree as well is no witness; those that were seen not to are `trusted`.
    A test is asked each time.
    """
    start = time.monotonic()
    row: dict[str, Any] = {
        "id": mutant.id,
        "file": mutant.file,
        "line": mutant.line,
        "function": mutant.function,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
    }
    source = (tree.path / mutant.file).read_bytes()
    outcome, by, detail, cpu, left = "survivor", "", "", 0.0, 0
    claims, tests = chosen(mutant, killers, "claim"), chosen(mutant, killers, "test")
    spent = 0.0
    try:
        for killer in (*claims, *tests):
            if killer.kind == "test":
                spent += killer.seconds
                if budget and spent > budget:
                    left += 1
                    continue
            tree.write(mutant.file, mutant.applied(source))
            answer = tried(killer)
            cpu += answer.seconds
            if answer.outcome != "passed":
                tree.write(mutant.file, source)
                if killer.name not in trusted and not honest(killer, answer.detail):
                    continue
                if killer.kind == "claim":
                    trusted.add(killer.name)
                outcome = "verify" if killer.kind == "claim" else "tests"
                by, detail = killer.name, answer.detail if answer.outcome == "killed" else "time limit"
                break
    finally:
        tree.write(mutant.file, source)
    row |= {"outcome": outcome, "by": by, "detail": detail, "claims": len(claims), "tests": len(tests)}
    return row | {"not_run": left, "cpu": round(cpu, 2), "seconds": round(time.monotonic() - start, 2)}


# ---------------------------------------------------------------- all


def latest(state: Path) -> dict[str, dict[str, Any]]:
    """Return the last result of each mutant, with the reason that somebody gave for it."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows_of(state):
        found[row["id"]] = found.get(row["id"], {}) | row
    return {name: row for name, row in found.items() if "outcome" in row}


def prepared(settings: Settings, folder: Path, say: Say) -> list[Killer] | None:
    """Return the measured killers; the tree is left as the current folder of this process."""
    end = time.monotonic() + settings.seconds if settings.seconds else float("inf")
    copy_sources(settings.root, folder)
    tree = Tree(folder)
    tree.enter()
    return collect(settings, tree, say, end)


def run(settings: Settings, say: Say) -> bool:
    """Judge the mutants of the sample that have no result; return whether all have one now."""
    end = time.monotonic() + settings.seconds if settings.seconds else float("inf")
    with tempfile.TemporaryDirectory(prefix="mutation-", ignore_cleanup_errors=True) as folder:
        source = Path(folder) / "honest"
        killers = prepared(settings, source, say)
        if killers is None:
            return False
        everything = scoped(settings, Tree(source), killers)
        sample = sampled(everything, settings.sample, settings.seed)
        known = latest(settings.state)
        done = {
            name
            for name, row in known.items()
            if not (settings.again and row["outcome"] == "survivor" and not row.get("reason"))
        }
        pending = [item for item in sample if item.id not in done]
        chunk = pending[: settings.limit] if settings.limit else pending
        say(f"{len(everything)} mutants in scope, {len(sample)} drawn, {len(pending)} without a result")
        context = multiprocessing.get_context("fork")
        counter = context.Value("i", 0)
        workers = [
            context.Process(target=_worker, args=(settings, source, killers, chunk, counter, end, say))
            for _ in range(min(settings.jobs, len(chunk)))
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        known = latest(settings.state)
        return all(item.id in known for item in sample) and not settings.again


def _worker(
    settings: Settings,
    source: Path,
    killers: Sequence[Killer],
    chunk: Sequence[Mutant],
    counter: Any,
    end: float,
    say: Say,
) -> None:
    tree = Tree(Path(shutil.copytree(source, f"{source}-{os.getpid()}")))
    tree.enter()
    trusted: set[str] = set()
    while True:
        with counter.get_lock():
            index = counter.value
            counter.value += 1
        if index >= len(chunk) or time.monotonic() > end:
            return
        row = judged(chunk[index], tree, killers, trusted, settings.budget)
        append(settings.state, json.dumps(row))
        word = f"{row['outcome']} {row['by']}".strip()
        what = f"{row['file']}:{row['line']} {row['operator']}"
        say(f"{index + 1}/{len(chunk)} {what}: {word} ({row['seconds']} s)")
