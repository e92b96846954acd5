"""Run the ladder: plan units, judge them with one process or many, write each record at once."""

import functools
import gc
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import theory
from theory.roots import use, used
from verify.binding import Profile, Unit, checks_of, plan
from verify.context import MASTER_SEED
from verify.errors import DamagedRecordError, UsageError
from verify.outcome import ALPHA, ALPHA_TOTAL
from verify.records.folder import DEFAULT_FOLDER, Record, RecordFolder
from verify.reporting.summaries import write_summary
from verify.selection import select
from verify.verdicts import ClaimResult, judge_claim

Progress = Callable[[str, Record, int, int], None]
"""Called after each unit with `ran` or `cached`, its record, the number of finished units, and of all."""

Planned = Callable[[Mapping[tuple[str, str, str], float], int], None]
"""Called with the CPU seconds expected of each unit (0 where a record is kept), and how many are known."""


@dataclass(frozen=True)
class RunReport:
    """Result of `verify`.

    Args:
        claims: One result per claim.
        profile: `quick` or `full`.
        seed: Master seed.
        tests: Statistical tests that the run declared.
        folder: Where the records are.
        cached: Number of units taken from finished records.
        notes: What the user should know (damaged records that were made again).
        problems: Files of claims that cannot be used, one line each.
    """

    claims: tuple[ClaimResult, ...]
    profile: Profile
    seed: int
    tests: int
    folder: Path
    cached: int = 0
    notes: tuple[str, ...] = field(default=())
    problems: tuple[str, ...] = field(default=())

    @property
    def alpha_total(self) -> float:
        """Return the declared bound on the probability that the run raises any false alarm."""
        return ALPHA_TOTAL

    @property
    def alpha_used(self) -> float:
        """Return the part of the bound that the tests of this run can use up."""
        return self.tests * ALPHA

    @property
    def exit_code(self) -> int:
        """Return 0, 1 (a claim is violated or untested) or 3 (something is undecided or did not run)."""
        verdicts = {result.verdict for result in self.claims}
        if verdicts & {"violated", "untested"}:
            return 1
        undecided = verdicts - {"holds", "consistent"} or any(result.undecided for result in self.claims)
        return 3 if undecided or self.problems else 0

    def summary(self) -> dict[str, int]:
        """Return the number of claims by verdict."""
        names = ("holds", "consistent", "violated", "untested", "inconclusive", "not_run")
        return {name: sum(result.verdict == name for result in self.claims) for name in names}

    def document(self) -> dict[str, Any]:
        """Return the machine-readable form."""
        from verify.version import VERSION

        return {
            "schema": "boundcheck-run-1",
            "version": VERSION,
            "profile": self.profile,
            "seed": self.seed,
            "alpha_total": self.alpha_total,
            "alpha_used": self.alpha_used,
            "tests": self.tests,
            "records_folder": str(self.folder),
            "cached": self.cached,
            "notes": list(self.notes),
            "problems": list(self.problems),
            "summary": self.summary(),
            "claims": [
                {
                    "id": result.claim.id,
                    "kind": result.claim.kind,
                    "verdict": result.verdict,
                    "grade": result.grade,
                    "bound": result.bound,
                    "value": result.value,
                    "tightness": result.tightness,
                    "mutants_rejected": len(result.mutants_rejected),
                    "mutants_total": result.mutants_total,
                    "seconds": round(result.seconds, 3),
                    "reasons": list(result.reasons),
                    "parts": [
                        {
                            "label": part.label,
                            "verdict": part.verdict,
                            "grade": part.grade,
                            "words": part.words,
                            "evidence": list(part.evidence),
                            "cited": list(part.cited),
                            "instances": list(part.instances),
                            "reasons": list(part.reasons),
                        }
                        for part in result.parts
                    ],
                }
                for result in self.claims
            ],
            "records": [record for result in self.claims for record in result.records],
        }


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for cycles rarely: formulas are trees of many small objects that live long, 8% of the time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@_rare_collections()
def verify(
    patterns: Iterable[str] | str = ("*",),
    *,
    profile: Profile = "quick",
    out: str | Path = DEFAULT_FOLDER,
    resume: bool = False,
    seed: int = MASTER_SEED,
    jobs: int = 1,
    kind: str | None = None,
    progress: Progress | None = None,
    planned: Planned | None = None,
) -> RunReport:
    """Judge the claims that match the patterns and write their records.

    Args:
        patterns: Claim ids or shell patterns.
        profile: `quick` or `full` (more instances, slow mutants, larger search budgets).
        out: Folder for the records.
        resume: Keep finished records with the same sources, profile and seed.
        seed: Master seed of all random streams; the same seed gives the same records.
        jobs: Number of processes; -1 takes all cores. The records do not depend on it.
        kind: Only claims of this kind.
        progress: Called after each unit.
        planned: Called once before anything runs.

    Raises:
        UnknownClaimError: A pattern matches no claim.
        ClaimFileError: A claim that is named cannot be used, or none can.
        UsageError: A bad option, a plan beyond the error budget, or a folder that cannot be written.
    """
    _check_options(profile, seed, jobs)
    selected = select(patterns, kind)
    broken = broken_checks(selected.claims)
    units = plan(tuple(item for item in selected.claims if item.id not in broken), profile)
    folder = RecordFolder(out)
    folder.prepare()
    finished, notes = _finished(units, folder, profile, seed) if resume else ({}, [])
    pending = [unit for unit in units if unit.key not in finished]
    if planned:
        planned(*_expected(units, finished, folder))
    found: dict[tuple[str, str, str], Record] = {}
    for key, record in finished.items():
        found[key] = record
        if progress:
            progress("cached", record, len(found), len(units))
    for record in _judged(pending, profile, seed, jobs, folder):
        folder.write(record)
        found[(record["claim"], record["rung"], record["instance"])] = record
        if progress:
            progress("ran", record, len(found), len(units))
    results = tuple(
        _unjudged(judge_claim(item, [], profile), broken[item.id])
        if item.id in broken
        else judge_claim(item, [found[unit.key] for unit in units if unit.claim.id == item.id], profile)
        for item in selected.claims
    )
    for result in results:
        write_summary(folder, result, profile)
    tests = sum(unit.tests(profile) for unit in units)
    report = RunReport(results, profile, seed, tests, folder.folder, len(finished), tuple(notes))
    return replace(report, problems=selected.problems)


def broken_checks(claims: Sequence[Any]) -> dict[str, str]:
    """Return why the checks of a claim cannot be built, by its id; those of the others still run."""
    broken = {}
    for item in claims:
        try:
            checks_of(item)
        except Exception as error:  # whatever a file of checks does
            where = theory.entry(item.id).verify_module
            text = " ".join(str(error).split())
            broken[item.id] = f"checks in {where} cannot be used: {type(error).__name__}: {text}"
    return broken


def _unjudged(result: ClaimResult, reason: str) -> ClaimResult:
    return replace(result, verdict="not_run", grade=None, reasons=(reason,))


def _check_options(profile: str, seed: int, jobs: int) -> None:
    problems = []
    if profile not in ("quick", "full"):
        problems.append(f"profile={profile!r} must be 'quick' or 'full'")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        problems.append(f"seed={seed!r} must be an integer from 0 to 2**63 - 1")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0 or jobs < -1:
        problems.append(f"jobs={jobs!r} must be a positive number of processes, or -1 for all cores")
    if problems:
        raise UsageError("; ".join(problems))


def _finished(
    units: Sequence[Unit], folder: RecordFolder, profile: Profile, seed: int
) -> tuple[dict[tuple[str, str, str], Record], list[str]]:
    """Return the records that need no new run, and notes about damaged ones."""
    from verify.records.sources import source_sha256

    finished, notes = {}, []
    for unit in units:
        try:
            record = folder.read(*unit.key)
        except DamagedRecordError as error:
            notes.append(str(error).replace("it has to be made again", "it was made again"))
            continue
        current = record is not None and (
            record["seed"] == seed
            and record["profile"] == profile
            and record["verdict"] != "not_run"
            and record["source_sha256"] == source_sha256(unit.claim.id)
        )
        if record is not None and current:
            finished[unit.key] = record
    return finished, notes


TYPICAL_SECONDS = {"symbolic": 1.0, "exact": 0.1, "adversarial": 0.3, "montecarlo": 0.5, "run": 0.5}
"""CPU seconds of a unit that has never run, by rung."""


def expected_seconds(unit: Unit, folder: RecordFolder) -> float:
    """Return the CPU seconds that a unit took when it last ran, else what is typical."""
    known = _known_seconds(unit, folder)
    return TYPICAL_SECONDS.get(unit.check.rung, 0.1) if known is None else known


def _known_seconds(unit: Unit, folder: RecordFolder) -> float | None:
    try:
        text = folder.path(*unit.key).read_text(encoding="utf-8")
        return float(json.loads(text)["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _expected(
    units: Sequence[Unit], finished: Mapping[tuple[str, str, str], Record], folder: RecordFolder
) -> tuple[dict[tuple[str, str, str], float], int]:
    """Return what units are expected to take, and for how many of them an earlier record tells it."""
    pending = [unit for unit in units if unit.key not in finished]
    seconds = dict.fromkeys((unit.key for unit in units), 0.0)
    seconds |= {unit.key: expected_seconds(unit, folder) for unit in pending}
    return seconds, sum(_known_seconds(unit, folder) is not None for unit in pending)


def _judged(
    units: Sequence[Unit], profile: Profile, seed: int, jobs: int, folder: RecordFolder
) -> Iterator[Record]:
    if jobs == 1 or len(units) < 2:
        from verify.judgement import judge_unit

        for unit in units:
            yield judge_unit(unit, profile, seed)
        return
    from verify.processes import in_processes

    # What never ran may take minutes in the full profile: it is handed over by itself.
    seconds = {
        unit.key: expected_seconds(unit, folder)
        if profile == "quick" or _known_seconds(unit, folder) is not None
        else CHUNK
        for unit in units
    }
    judge_chunk = functools.partial(_judge_keys, profile=profile, seed=seed, packages=used())
    yield from itertools.chain.from_iterable(in_processes(judge_chunk, _chunks(units, seconds), jobs))


Key = tuple[str, str, str]

CHUNK = 3.0
"""CPU seconds that a worker spends before it hands over records; so much is lost when a run is killed."""


def _chunks(units: Sequence[Unit], seconds: Mapping[Key, float]) -> list[list[Key]]:
    """Return the keys of units in chunks of one claim, so that hardly a claim is loaded by several workers.

    The longest chunks come first, so that the last ones to finish are short.
    """
    chunks: list[list[Key]] = []
    for unit in units:
        last = chunks[-1] if chunks else []
        if last and last[0][0] == unit.claim.id and sum(map(seconds.__getitem__, last)) < CHUNK:
            last.append(unit.key)
        else:
            chunks.append([unit.key])
    return sorted(chunks, key=lambda chunk: -sum(map(seconds.__getitem__, chunk)))


@_rare_collections()
def _judge_keys(keys: Sequence[Key], profile: Profile, seed: int, packages: tuple[str, ...]) -> list[Record]:
    """Judge units in a worker process, which builds the checks itself since closures do not travel."""
    from verify.judgement import judge_unit

    use(packages)
    return [judge_unit(unit_of(*key), profile, seed) for key in keys]


@functools.cache
def _units_of(claim_id: str) -> dict[tuple[str, str], Unit]:
    """Return all units of a claim, those on data that are not at hand included."""
    claim = theory.claim(claim_id)
    return {(check.rung, check.instance): Unit(claim, check) for check in checks_of(claim)}


def is_known(claim_id: str, rung: str, instance: str) -> bool:
    """Return whether a claim has this check, on whatever data."""
    return (rung, instance) in _units_of(claim_id)


def unit_of(claim_id: str, rung: str, instance: str) -> Unit:
    """Return the unit with this key.

    Raises:
        UsageError: The claim has no such check (any more).
    """
    units = _units_of(claim_id)
    if (rung, instance) not in units:
        known = ", ".join(f"{r}/{i}" for r, i in units)
        raise UsageError(f"{claim_id} has no check {rung}/{instance}; it has {known}")
    return units[(rung, instance)]
