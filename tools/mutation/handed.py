"""`python -m tools.mutation.handed`: survivors of `units`, or mutants of the engine, are handed to the tests.

Or to claims: `--claims "ID ID"` has quick `verify` judge these in a process that imports the judge anew; a
mutant is killed where a record or a verdict gets worse, or what is pinned differs.

No coverage of the tests is measured. Asked are the files that name the mutated module, its function or class,
or something public of the module, and those of its folder. The most promising come first, each up to its
first failure, until a number of CPU seconds is spent on the mutant; so what survives here may still be
killed by a file that was left out. A test that fails on the honest tree, too, is no witness.
"""

import ast
import json
import re
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tools.mutation.campaign import REPEATED, append, is_engine, latest, sampled
from tools.mutation.killers import Killer, Tree, copy_sources, honest, tried
from tools.mutation.operators import Mutant, mutants_of

_COMMON = frozenset({"", "run", "of", "at", "d", "n", "main", "name", "bits"})
"""Names that say nothing where a test has them."""


def promise(text: str, mutant: Mutant, public: Iterable[str]) -> int:
    """Return how much of a mutant the text of a test file names, 0 for nothing.

    Args:
        text: Text of the test file, its path in front.
        mutant: The mutant.
        public: Names without an underscore at the top of the mutated module.
    """
    module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    own = [name for name in mutant.function.split(".") if name not in _COMMON and not name.startswith("__")]
    words = frozenset(re.findall(r"\w+", text))
    folder = "/".join(mutant.file.split("/")[:2])
    return (
        4 * (module in text)
        + text.startswith(f"tests/{folder}/")
        + 3 * sum(name in words for name in own)
        + 2 * (module.rsplit(".", 1)[-1] in text)
        + min(3, sum(name in words for name in set(public) - _COMMON))
    )


def public_names(source: bytes) -> list[str]:
    """Return the public names of functions and classes at the top of a module."""
    tops = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node.name for node in ast.parse(source).body if isinstance(node, tops)]
    return [name for name in names if not name.startswith("_")]


class Asked:
    """Test files of a tree that this process has entered.

    Args:
        tree: The tree.
        cap: CPU seconds for one mutant.
        least: Files that promise less are not asked.
    """

    def __init__(self, tree: Tree, cap: float, least: int = 1) -> None:
        self.tree, self.cap, self.least = tree, cap, least
        files = sorted((tree.path / "tests").rglob("test_*.py"))
        names = [path.relative_to(tree.path).as_posix() for path in files]
        self.texts = {name: f"{name}\n{(tree.path / name).read_text()}" for name in names}
        for name in REPEATED:
            self.texts.pop(name, None)
        self.failing: dict[str, list[str]] = {}

    def ranked(self, mutant: Mutant, source: bytes) -> list[str]:
        """Return the files that name something of a mutant, the most promising first, then short ones."""
        public = public_names(source)
        found = [(promise(text, mutant, public), name) for name, text in self.texts.items()]
        ordered = sorted(
            (-score, len(self.texts[name]), name) for score, name in found if score >= self.least
        )
        return [name for *_, name in ordered]

    def judged(self, mutant: Mutant) -> dict[str, Any]:
        """Return the outcome of a mutant: which test sees it, else how many files were not run."""
        source, start = (self.tree.path / mutant.file).read_bytes(), time.monotonic()
        files, spent = self.ranked(mutant, source), 0.0
        row: dict[str, Any] = {"outcome": "survivor", "by": "", "detail": "", "tests": 0, "not_run": 0}
        waiting = list(files)
        try:
            while waiting and spent < self.cap:
                name = waiting[0]
                killer = Killer("test", name, True, 0.0, self.failing.get(name, []), 0, {}, [], "")
                self.tree.write(mutant.file, mutant.applied(source))
                # A quick test may take the rest of the cap; one that is longer says nothing.
                answer = tried(killer, extra=max(10.0, self.cap - spent))
                self.tree.write(mutant.file, source)
                spent += answer.seconds
                if answer.outcome == "killed" and "no test passes" not in answer.detail:
                    if honest(killer, answer.detail):
                        row |= {"outcome": "tests", "by": name, "detail": answer.detail[:300]}
                        break
                    test = answer.detail.split(": ")[0]
                    if "::" in test and test not in killer.good:
                        self.failing.setdefault(name, []).append(test)
                        continue  # the file again, without this test
                row["tests"] += answer.outcome == "passed"
                waiting.pop(0)
        finally:
            self.tree.write(mutant.file, source)
        row["not_run"] = 0 if row["outcome"] == "tests" else len(files) - row["tests"]
        return row | {"test_cpu": round(spent, 2), "seconds": round(time.monotonic() - start, 2)}


class Judged:
    """Claims that a tree, which this process has entered, has judged by quick `verify`.

    Args:
        tree: The tree.
        ids: Of the claims, which must hold on the honest tree.
    """

    def __init__(self, tree: Tree, ids: Sequence[str]) -> None:
        blank = Killer("claim", " ".join(ids), True, 0.0, [], 0, {}, [], "")
        plain = tried(blank, extra=600.0)
        if plain.outcome != "passed":
            raise SystemExit(f"the claims do not hold without a mutant: {plain.detail}")
        self.tree = tree
        self.killer = replace(blank, seconds=plain.seconds, good=plain.data["good"], exit=plain.data["exit"])

    def judged(self, mutant: Mutant) -> dict[str, Any]:
        """Return the outcome of a mutant: what the claims say of it."""
        source, start = (self.tree.path / mutant.file).read_bytes(), time.monotonic()
        row: dict[str, Any] = {"outcome": "survivor", "by": "", "detail": ""}
        try:
            self.tree.write(mutant.file, mutant.applied(source))
            answer = tried(self.killer)
            self.tree.write(mutant.file, source)
            if answer.outcome != "passed":
                row |= {"outcome": "verify", "by": answer.outcome, "detail": answer.detail[:300]}
        finally:
            self.tree.write(mutant.file, source)
        return row | {"claim_cpu": round(answer.seconds, 2), "seconds": round(time.monotonic() - start, 2)}


def pending(
    folder: Path, known: Mapping[str, Mapping[str, Any]], engine: int, seed: int, told: str = "test_cpu"
) -> list[Mutant]:
    """Return the mutants to be handed over: survivors that are known, or a sample of the engine.

    Args:
        folder: The tree.
        known: The rows of mutants.
        engine: Size of the sample, 0 for survivors.
        seed: Of the sample.
        told: What rows of those have that were handed over already.
    """
    files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.py"))
    if engine:
        mine = [file for file in files if is_engine(file)]
    else:
        mine = [file for file in files if file.startswith("impl/")]
    every = [item for file in mine for item in mutants_of(file, (folder / file).read_bytes())]
    if engine:
        drawn = ((item, known.get(item.id, {})) for item in sampled(every, engine, seed))
        return [item for item, row in drawn if told not in row and row.get("outcome") != "verify"]
    return [
        item
        for item in every
        if known.get(item.id, {}).get("outcome") == "survivor" and told not in known[item.id]
    ]


@click.command(help=__doc__)
@click.option("--state", type=Path, default=Path(".boundcheck/mutation-units.jsonl"), show_default=True)
@click.option("--folder", type=Path, default=Path(".boundcheck/mutation-tests"), show_default=True)
@click.option("--engine", default=0, help="Size of a sample of the engine that is handed over instead.")
@click.option("--seed", default=1, show_default=True, help="Seed of this sample.")
@click.option("--cap", default=90.0, show_default=True, help="CPU seconds of tests for one mutant.")
@click.option("--least", default=1, show_default=True, help="Least promise of a file that is asked.")
@click.option("--claims", default="", help="Ids of claims, with spaces between them, that judge instead.")
def main(state: Path, folder: Path, engine: int, seed: int, cap: float, least: int, claims: str) -> None:
    """Command line."""
    state, folder = state.resolve(), folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    copy_sources(Path(), folder)
    tree = Tree(folder)
    tree.enter()
    asked = Judged(tree, claims.split()) if claims else Asked(tree, cap, least)
    told = "claim_cpu" if claims else "test_cpu"
    for item in pending(folder, latest(state), engine, seed, told):
        names = ("id", "file", "line", "function", "operator", "before", "after")
        row = {name: getattr(item, name) for name in names} | asked.judged(item)
        append(state, json.dumps(row))
        outcome = f"{row['outcome']} {row['by']}".strip()
        click.echo(f"{item.file}:{item.line} {item.operator}: {outcome} ({row[told]} CPU-s)")


if __name__ == "__main__":
    main()
