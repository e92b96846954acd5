"""Run the ladder: plan units, judge them with one process or many, write each record at once."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import theory
from theory.old_form import Claim
from verify.binding import Profile, Unit, checks_of, plan
from verify.context import MASTER_SEED
from verify.errors import DamagedRecordError, UsageError
from verify.outcome import ALPHA, ALPHA_TOTAL
from verify.records import DEFAULT_FOLDER, Record, RecordFolder
from verify.verdicts import ClaimResult, judge_claim

Progress = Callable[[str, Record, int, int], None]
"""Called after each unit with `ran` or `cached`, its record, the number of finished units, and of all."""


@dataclass(frozen=True)
class RecordedResult:
    """What the records in a folder say about a claim, and whether sources have changed since."""

    result: ClaimResult
    stale: bool


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
    """

    claims: tuple[ClaimResult, ...]
    profile: Profile
    seed: int
    tests: int
    folder: Path
    cached: int = 0
    notes: tuple[str, ...] = field(default=())

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
        if verdicts - {"holds", "consistent"} or any(result.undecided for result in self.claims):
            return 3
        return 0

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
                }
                for result in self.claims
            ],
            "records": [record for result in self.claims for record in result.records],
        }


def select_claims(patterns: Iterable[str] | str = ("*",), kind: str | None = None) -> tuple[Claim, ...]:
    """Return the claims that match any pattern, without repetition, in the order of the papers.

    Raises:
        UnknownClaimError: A pattern matches nothing.
        UsageError: No selected claim is of that kind.
    """
    wanted = [patterns] if isinstance(patterns, str) else list(patterns)
    chosen = {item.id for pattern in wanted or ["*"] for item in theory.claims(pattern)}
    selected = tuple(item for item in theory.claims() if item.id in chosen and kind in (None, item.kind))
    if not selected:
        kinds = ", ".join(sorted({item.kind for item in theory.claims()}))
        raise UsageError(f"kind={kind!r} matches none of the selected claims; kinds in use: {kinds}")
    return selected


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

    Raises:
        UnknownClaimError: A pattern matches no claim.
        UsageError: A bad option, a plan beyond the error budget, or a folder that cannot be written.
    """
    _check_options(profile, seed, jobs)
    claims = select_claims(patterns, kind)
    units = plan(claims, profile)
    folder = RecordFolder(out)
    folder.prepare()
    finished, notes = _finished(units, folder, profile, seed) if resume else ({}, [])
    pending = [unit for unit in units if unit.key not in finished]
    found: dict[tuple[str, str, str], Record] = {}
    for key, record in finished.items():
        found[key] = record
        if progress:
            progress("cached", record, len(found), len(units))
    for record in _judged(pending, profile, seed, jobs):
        folder.write(record)
        found[(record["claim"], record["rung"], record["instance"])] = record
        if progress:
            progress("ran", record, len(found), len(units))
    results = tuple(
        judge_claim(item, [found[unit.key] for unit in units if unit.claim.id == item.id], profile)
        for item in claims
    )
    tests = sum(unit.tests(profile) for unit in units)
    return RunReport(results, profile, seed, tests, folder.folder, len(finished), tuple(notes))


def recorded_results(
    patterns: Iterable[str] | str, out: str | Path, kind: str | None = None
) -> tuple[RecordedResult, ...]:
    """Return for each claim what the records in a folder say, held against the checks that it has now."""
    return tuple(_recorded(item, RecordFolder(out)) for item in select_claims(patterns, kind))


def _recorded(claim: Claim, folder: RecordFolder) -> RecordedResult:
    """Collect the records of a claim; a good verdict needs a usable record of every check."""
    from verify.sources import source_sha256

    found: list[Record] = []
    missing: list[str] = []
    profile: Profile = "quick"
    if any(folder.paths(claim.id)):
        planned = {unit.key for unit in plan((claim,), "full")}
        for unit in plan((claim,), "full"):
            try:
                record = folder.read(*unit.key)
            except DamagedRecordError:
                record = None
            if record is not None:
                found.append(record)
                profile = "full" if record["profile"] == "full" else profile
            elif unit.check.profile == "quick":
                missing.append("/".join(unit.key[1:]))
        # Checks on data that are not at hand now count, too, where they have run.
        found += [
            record
            for record in folder.records(claim.id)
            if (record["claim"], record["rung"], record["instance"]) not in planned
            and is_known(record["claim"], record["rung"], record["instance"])
        ]
    result = judge_claim(claim, found, profile)
    if found and missing:
        listed = ", ".join(missing)
        reason = f"{len(missing)} checks have no usable record ({listed}); run `boundcheck verify {claim.id}`"
        verdict = result.verdict if result.verdict in ("violated", "untested") else "inconclusive"
        result = replace(result, verdict=verdict, grade=None, reasons=(reason, *result.reasons))
    stale = any(record["source_sha256"] != source_sha256(claim.id) for record in found)
    return RecordedResult(result, stale)


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
    from verify.sources import source_sha256

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


def _judged(units: Sequence[Unit], profile: Profile, seed: int, jobs: int) -> Iterator[Record]:
    if jobs == 1 or len(units) < 2:
        from verify.judgement import judge_unit

        for unit in units:
            yield judge_unit(unit, profile, seed)
        return
    from joblib import Parallel, delayed

    # The longest units first, so that the last ones to finish are short.
    order = sorted(units, key=lambda unit: -unit.check.seconds)
    with Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1) as parallel:
        yield from parallel(delayed(_judge_key)(*unit.key, profile, seed) for unit in order)


def _judge_key(claim_id: str, rung: str, instance: str, profile: Profile, seed: int) -> Record:
    """Judge a unit in a worker process, which builds the checks itself since closures do not travel."""
    from verify.judgement import judge_unit

    return judge_unit(unit_of(claim_id, rung, instance), profile, seed)


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
