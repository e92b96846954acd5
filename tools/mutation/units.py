"""A cheap campaign, `python -m tools.mutation.units cover|run`: mutants of `impl` judged by single checks.

A process imports everything, puts a mutant into the function that it changes, and asks the honest cases of
the checks that run its statement, each in a forked child, the quick ones first. The mutant is killed where a
verdict gets worse, or comparisons are not what the honest tree has (as far as pins are held). Derivations,
sabotages and statements are not asked, and long measurements on processes only about `impl/wires`; so what
survives here may still be killed by `tools.mutation run`. What runs while modules are imported, and defaults
of arguments, are judged in a child that imports the mutated file anew.

With `--profile full` the same for checks of the full profile: `cover` marks those that take `--longest` CPU
seconds at most, `run` asks them about the mutants that survived the quick ones.
"""

import contextlib
import fnmatch
import gc
import importlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tools.mutation.campaign import append, latest, rows_of, sampled
from tools.mutation.killers import GOOD, copy_sources, in_child
from tools.mutation.live import is_in_head, put
from tools.mutation.marks import Marks, marked
from tools.mutation.operators import Mutant, mutants_of

Key = tuple[str, str, str]
SKIPPED = ("impl/kernels/", "impl/gpu/")
"""Kernels run in `verify --tier fused` only, the others on a device."""
_SEVERAL, _SMALL = 12, 1e-9


def enter(folder: Path, data: Path | None = None) -> None:
    """Make a tree the place from which this process, and what it starts, import.

    Args:
        folder: The tree.
        data: Folder of LIBSVM sets; else only embedded data are there.
    """
    os.chdir(folder)
    os.environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.environ.pop("BOUNDCHECK_DATA", None)
    if data:
        os.environ["BOUNDCHECK_DATA"] = str(data)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))


def units(ids: Iterable[str] = (), also: str = "", profile: str = "quick") -> dict[Key, Any]:
    """Import what checks need; return those of these claims, or of all, by their keys.

    Args:
        ids: Ids of claims, none for all.
        also: Pattern of checks (RUNG/INSTANCE) of the full profile that are asked beside the quick ones.
        profile: `full` for those of the full profile alone, all or with this pattern; such as need data sets
            where there is a folder.
    """
    import theory
    from verify.binding import Unit, checks_of, plan
    from verify.records import pinned

    wanted = set(ids)
    claims = [theory.claim(entry.id) for entry in theory.entries()]
    for claim in claims:
        pinned.kept(claim)
    for rung in ("adversarial", "exact", "montecarlo", "run"):
        importlib.import_module(f"verify.rungs.{rung}")
    with contextlib.suppress(ImportError):
        importlib.import_module("numba")  # contracts with kernels ask for it in every child
    asked = tuple(claim for claim in claims if not wanted or claim.id in wanted)
    planned = [*plan(asked, "quick")] if profile == "quick" else []
    pattern, data = also if profile == "quick" else also or "*", bool(os.environ.get("BOUNDCHECK_DATA"))
    for claim in asked if pattern else ():
        full = (check for check in checks_of(claim) if check.profile == "full")
        named = ((f"{check.rung}/{check.instance}", check) for check in full)
        planned += [Unit(claim, check) for name, check in named if fnmatch.fnmatch(name, pattern)]
    return {
        unit.key: unit for unit in planned if unit.check.rung != "symbolic" and (data or not unit.check.needs)
    }


def base(unit: Any) -> dict[str, Any]:
    """Judge the honest case of a check; return its verdict, and what is pinned of its labels."""
    from impl import tiers
    from verify.context import Context
    from verify.judging import judgement

    with judgement._threads().limit(limits=1), tiers.tier("numpy", "verify"):
        found = judgement._judge_safely(unit.key[1], unit.check.base, Context(*unit.key))
    labels = {}
    for name, item in judgement._labels(unit, found).items():
        means = judgement._means(found.comparisons, name) if unit.check.authored else {}
        sides = [
            0.0 if side is None else float(side) for side in means.get("means", (item.value, item.bound))
        ]
        fixed = [item.relation, item.tolerance, item.count if means else None]
        labels[name] = {"verdict": item.verdict, "fixed": fixed, "means": sides}
    return {
        "verdict": found.verdict,
        "grade": found.grade,
        "reason": str(found.reason)[:200],
        "labels": labels,
    }


def worse(rung: str, now: Mapping[str, Any], honest: Mapping[str, Any]) -> str:
    """Return why a case is worse than the honest one, empty where it is not."""
    from verify.records.pinned import CLOSE

    if now["verdict"] not in GOOD:
        return "" if now["grade"] == "asymptotic" else f"{now['verdict']}: {now['reason']}"
    if now["labels"].keys() != honest["labels"].keys():
        return "other labels"
    for label, then in honest["labels"].items():
        found = now["labels"][label]
        if found["verdict"] not in GOOD and then["verdict"] in GOOD:
            return f"{label}: {found['verdict']}"
        if found["fixed"] != then["fixed"]:
            return f"{label}: {found['fixed']} instead of {then['fixed']}"
        size = max(map(abs, then["means"]), default=0.0)
        size = size if size > _SMALL else 0.0
        for a, b, close in zip(found["means"], then["means"], CLOSE.get(rung, (1e-2, 1e-2)), strict=True):
            if rung != "adversarial" and not abs(a - b) <= close * size + 10 * _SMALL * (not size):
                return f"{label}: means {found['means']} instead of {then['means']}"
    return ""


# ---------------------------------------------------------------- one mutant


class Campaign:
    """Judges mutants of a tree that this process has entered.

    Args:
        folder: The tree.
        covered: Rows of `cover`.
        cap: CPU seconds of checks after which a mutant survives.
        claims: Those that are asked, none for all.
        also: As of `units`.
        profile: As of `units`.
        longest: CPU seconds of the longest check that is asked.
    """

    def __init__(
        self,
        folder: Path,
        covered: Sequence[Mapping[str, Any]],
        cap: float,
        claims: Iterable[str] = (),
        also: str = "",
        profile: str = "quick",
        longest: float = 6.0,
    ) -> None:
        self.folder, self.cap, self.longest = folder, cap, longest
        self.asked = (also, profile)
        self.units = units(claims, *self.asked)
        self.rows = {tuple(row["key"]): row for row in covered if "honest" in row}
        self.imported = {tuple(place) for row in covered for place in row.get("imported", ())}
        self.told: dict[Key, bool] = {}
        gc.collect()
        gc.freeze()  # children share what is there

    def judged(self, mutant: Mutant) -> dict[str, Any]:
        """Return the row of a mutant."""
        path, start = self.folder / mutant.file, time.monotonic()
        source = path.read_bytes()
        early = not mutant.function or is_in_head(mutant, source)
        keys = self._asked(mutant, early)
        early = early or any((mutant.file, line) in self.imported for line in mutant.lines)
        anew = early or not in_child(lambda: {"put": put(mutant, source)}, 60, 120).data.get("put")
        size = _SEVERAL if anew else 1
        row = {
            name: getattr(mutant, name)
            for name in ("id", "file", "line", "function", "operator", "before", "after")
        }
        row |= {"outcome": "survivor", "by": "", "detail": "", "claims": len(keys), "tests": 0, "not_run": 0}
        cpu = 0.0
        try:
            for place in range(0, len(keys), size):
                group = keys[place : place + size]
                if cpu > self.cap:
                    row["not_run"] = len(keys) - place
                    break
                path.write_bytes(mutant.applied(source))
                limit = 10 + 5 * sum(self.rows[key]["cpu"] for key in group)
                answer = in_child(self._work(mutant, source, group, anew), limit, 30 + 6 * limit)
                path.write_bytes(source)
                cpu += answer.seconds
                by, why = answer.data.get("worse") or (list(group[0]), answer.detail)
                if (answer.outcome != "passed" or answer.data["worse"]) and self._is_honest(tuple(by)):
                    row |= {"outcome": "verify", "by": "/".join(by), "detail": why}
                    break
        finally:
            path.write_bytes(source)
        return row | {"cpu": round(cpu, 2), "seconds": round(time.monotonic() - start, 2)}

    def _asked(self, mutant: Mutant, early: bool) -> list[Key]:
        def runs(row: Mapping[str, Any]) -> bool:
            lines = set(row["lines"].get(mutant.file, ()))
            return bool(lines) if early else bool(lines & set(mutant.lines))

        found = [
            key
            for key, row in self.rows.items()
            if key in self.units and row["honest"]["verdict"] in GOOD and runs(row)
            if mutant.file.startswith("impl/wires/") or row["cpu"] < self.longest
        ]
        return sorted(found, key=lambda key: self.rows[key]["cpu"])

    def _work(
        self, mutant: Mutant, source: bytes, group: Sequence[Key], anew: bool
    ) -> Callable[[], dict[str, Any]]:
        def work() -> dict[str, Any]:
            mine = self.units
            if anew:
                for name in [name for name in sys.modules if name.split(".")[0] in ("impl", "verify")]:
                    del sys.modules[name]
                importlib.invalidate_caches()
                mine = units({key[0] for key in group}, *self.asked)
            elif not put(mutant, source):
                raise RuntimeError("the mutant cannot be put into place")
            for key in group:
                if why := worse(key[1], base(mine[key]), self.rows[key]["honest"]):
                    return {"worse": [list(key), why[:300]]}
            return {"worse": None}

        return work

    def _is_honest(self, key: Key) -> bool:
        """Return whether a check is content with the honest tree, as it is now: else it is no witness."""
        if key not in self.told:
            unit, honest = self.units[key], self.rows[key]["honest"]
            answer = in_child(lambda: {"worse": worse(key[1], base(unit), honest)}, 600, 1200)
            self.told[key] = answer.outcome == "passed" and not answer.data["worse"]
        return self.told[key]


# ---------------------------------------------------------------- all


def cover(
    folder: Path,
    state: Path,
    claims: Iterable[str] = (),
    also: str = "",
    profile: str = "quick",
    longest: float = 600.0,
    data: Path | None = None,
) -> None:
    """Judge each check once in a tree that leaves marks, and write which statements it runs.

    One that needs more CPU seconds than `longest` is written as left out. In the full profile, what is there
    is not measured again.
    """
    marked(folder, Path(f"{folder}-marked"))
    enter(Path(f"{folder}-marked"), data)
    found, known = units(claims, also, profile), {tuple(row.get("key", ())) for row in rows_of(state)}
    marks = Marks(Path(f"{folder}-marked"))
    imported = [[file, line] for file, lines in marks.lines().items() for line in lines]
    if not known:
        append(state, json.dumps({"imported": imported}))
    gc.collect()
    gc.freeze()
    for unit in found.values():
        if unit.key in known:
            continue
        marks.clear()
        answer = in_child(lambda unit=unit: base(unit), longest, 2 * longest)  # type: ignore[misc]
        row = {"key": unit.key, "cpu": round(answer.seconds, 3)}
        passed = answer.outcome == "passed"
        told = {"honest": answer.data, "lines": marks.lines()} if passed else {"left_out": answer.detail}
        append(state, json.dumps(row | told))


def shown(campaign: Campaign, item: Mutant, profile: str) -> dict[str, Any]:
    """Judge a mutant; of the full profile, return only what that adds to the row of the quick one."""
    row = campaign.judged(item)
    if profile == "quick":
        return row
    added = {"id": row["id"], "full": row["claims"], "full_not_run": row["not_run"], "full_cpu": row["cpu"]}
    killed = {name: row[name] for name in ("outcome", "by", "detail") if row["outcome"] == "verify"}
    return added | killed


@click.command(help=__doc__)
@click.argument("verb", type=click.Choice(["cover", "run"]))
@click.option("--state", type=Path, default=Path(".boundcheck/mutation-units.jsonl"), show_default=True)
@click.option("--coverage", type=Path, help="Marks [default: .boundcheck/mutation-marks.jsonl, -full].")
@click.option("--folder", type=Path, default=Path(".boundcheck/mutation-tree"), show_default=True)
@click.option("--sample", default=100, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--claims", multiple=True, help="Ids of the claims that are asked [default: all].")
@click.option("--also", default="", help="Pattern (RUNG/INSTANCE) of full checks that are asked.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="Folder of LIBSVM sets.")
@click.option("--longest", type=float, help="CPU seconds of the longest check [default: run 6, full 20].")
@click.option("--cap", default=25.0, show_default=True, help="CPU seconds of checks for one mutant.")
def main(
    verb: str,
    state: Path,
    coverage: Path | None,
    folder: Path,
    sample: int,
    seed: int,
    cap: float,
    claims: tuple[str, ...],
    also: str,
    profile: str,
    data: Path | None,
    longest: float | None,
) -> None:
    """Command line."""
    ending = "-full" if profile == "full" else ""
    coverage = (coverage or Path(f".boundcheck/mutation-marks{ending}.jsonl")).resolve()
    state, folder, data = state.resolve(), folder.resolve(), data and data.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    copy_sources(Path(), folder)
    usual = {("quick", "cover"): 600.0, ("quick", "run"): 6.0}.get((profile, verb), 20.0)
    if verb == "cover":
        if profile == "quick":
            coverage.unlink(missing_ok=True)
        cover(folder, coverage, claims, also, profile, longest or usual, data)
        return
    files = sorted((folder / "impl").rglob("*.py"))
    every: list[Mutant] = []
    for path in files:
        every += mutants_of(path.relative_to(folder).as_posix(), path.read_bytes())
    known, rows = latest(state), rows_of(coverage)
    enter(folder, data)
    campaign = Campaign(folder, rows, cap, claims, also, profile, longest or usual)
    spent = "cpu" if profile == "quick" else "full_cpu"
    for item in sampled(every, sample, seed):
        then = known.get(item.id, {})
        left = not then if profile == "quick" else then.get("outcome") == "survivor" and "full" not in then
        if left and not item.file.startswith(SKIPPED):
            row = shown(campaign, item, profile)
            append(state, json.dumps(row))
            told = f"{row.get('outcome', 'survivor')} {row.get('by', '')}".strip()
            click.echo(f"{item.file}:{item.line} {item.operator}: {told} ({row[spent]} CPU-s)")


if __name__ == "__main__":
    main()
