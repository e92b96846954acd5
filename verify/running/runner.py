"""Run the ladder: plan units, judge them with one process or many, write each record at once."""

import functools
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import theory
from verify.backends.chunks import TEXTS, Key, chunks, chunks_of_texts, expected_seconds, recorded_seconds
from verify.binding import Profile, Unit, checks_of, plan, unusable
from verify.context import MASTER_SEED
from verify.errors import DamagedRecordError, UsageError
from verify.judging.verdicts import ClaimResult, judge_claim
from verify.outcome import ALPHA, ALPHA_TOTAL
from verify.records import conditions, pinned
from verify.records.difference import SCHEMA
from verify.records.folder import DEFAULT_FOLDER, Record, RecordFolder, key_of
from verify.records.packed import PackedRecords, packed, unpacked
from verify.records.sources import Moment
from verify.records.texts import basis_of, text_problems
from verify.reporting.summaries import write_summary
from verify.running.selection import select
from verify.statements import pins
from verify.statements.said import Problem

Progress = Callable[[str, Record, int, int], None]
"""Called after each unit with `ran` or `cached`, its record, the number of finished units, and of all."""

Planned = Callable[[Mapping[Key, float], int], None]
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
        tier: Who drew samples, `numpy` or `fused`.
        cached: Number of units taken from finished records.
        notes: What the user should know (damaged records that were made again).
        problems: Files of claims that cannot be used, one line each.
    """

    claims: tuple[ClaimResult, ...]
    profile: Profile
    seed: int
    tests: int
    folder: Path
    tier: str = "numpy"
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
        """Return 0, 1 (a claim is violated or untested) or 3 (something is undecided or did not run).

        What a busy machine does not measure says so, and changes the exit code of the full profile only.
        """
        claims = [item for item in self.claims if self.profile == "full" or not item.is_only_busy]
        verdicts = {result.verdict for result in claims}
        if verdicts & {"violated", "untested"}:
            return 1
        undecided = verdicts - {"holds", "consistent"} or any(result.undecided for result in claims)
        return 3 if undecided or self.problems else 0

    def summary(self) -> dict[str, int]:
        """Return the number of claims by verdict."""
        names = ("holds", "consistent", "violated", "untested", "inconclusive", "not_run")
        return {name: sum(result.verdict == name for result in self.claims) for name in names}

    def document(self) -> dict[str, Any]:
        """Return the machine-readable form."""
        from verify.version import VERSION

        return {
            "schema": SCHEMA,
            "version": VERSION,
            "profile": self.profile,
            "seed": self.seed,
            "tier": self.tier,
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
def rare_collections() -> Iterator[None]:
    """Look for cycles rarely: formulas are trees of many small objects that live long, 8% of the time."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@rare_collections()
def verify(
    patterns: Iterable[str] | str = ("*",),
    *,
    profile: Profile = "quick",
    out: str | Path = DEFAULT_FOLDER,
    resume: bool = False,
    seed: int = MASTER_SEED,
    jobs: int = 1,
    kind: str | None = None,
    tier: str = "numpy",
    backend: str | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    planned: Planned | None = None,
) -> RunReport:
    """Judge the claims that match the patterns and write their records.

    Args:
        patterns: Claim ids or shell patterns.
        profile: `quick` or `full` (more instances, slow mutants, larger search budgets).
        out: Folder for the records.
        resume: Keep finished records with the same sources, profile, seed and tier.
        seed: Master seed of all random streams; the same seed gives the same records.
        jobs: Number of processes; -1 takes all cores. The records do not depend on it.
        kind: Only claims of this kind.
        tier: Who draws where checks sample: `numpy`, or `fused` for compiled kernels (extra `fast`), with
            streams of their own.
        backend: `loky`, `dask`, `ray` or `mpi`; None takes processes of this machine in the quickest way.
            The records do not depend on it.
        address: Scheduler of a running Dask or Ray cluster.
        progress: Called after each unit.
        planned: Called once before anything runs.

    Raises:
        UnknownClaimError: A pattern matches no claim.
        ClaimFileError: A claim that is named cannot be used, or none can.
        UsageError: A bad option, a plan beyond the error budget, or a folder that cannot be written.
        BackendError: There are no workers, or they would judge with other versions.
    """
    tier = _check_options(profile, seed, jobs, backend, address, tier)
    selected = select(patterns, kind)
    for item in selected.claims:  # a damaged file of pins is told before anything is judged
        pinned.kept(item)
        conditions.kept(item)
    for item in {item.paper.name: item for item in selected.claims}.values():
        pins.kept(item)
    moment = Moment()
    bases = {item.id: basis_of(item, moment) for item in selected.claims}  # before anything can be edited
    broken = broken_checks(selected.claims)
    units = plan(tuple(item for item in selected.claims if item.id not in broken), profile)
    folder = RecordFolder(out)
    folder.prepare()
    notes: list[str] = []
    found = (
        {key_of(item): packed(item) for item in _finished(units, folder, profile, seed, tier, notes)}
        if resume
        else {}
    )
    finished = len(found)
    pending = [unit for unit in units if unit.key not in found]
    recorded = recorded_seconds(pending, folder)
    if planned:
        kept = dict.fromkeys((unit.key for unit in units), 0.0)
        planned(kept | expected_seconds(pending, recorded), len(recorded))
    if progress:
        for number, item in enumerate(found.values(), 1):
            progress("cached", unpacked(item), number, len(units))
    read: dict[str, list[Problem]] = {}
    texts = () if resume else tuple(dict.fromkeys(unit.claim.id for unit in units))
    for record in _judged(pending, profile, seed, tier, recorded, (backend, jobs, address), texts):
        if TEXTS in record:
            read[record["claim"]] = record[TEXTS]
            continue
        folder.write(record)
        found[key_of(record)] = packed(record)
        if progress:
            progress("ran", record, len(found), len(units))
    made: dict[str, list[bytes]] = {}
    for unit in units:
        made.setdefault(unit.claim.id, []).append(found[unit.key])
    moment = Moment()
    results = tuple(
        _unjudged(judge_claim(item, [], profile), broken[item.id])
        if item.id in broken
        else _result(
            item,
            PackedRecords(made.get(item.id, ())),
            profile,
            functools.partial(
                text_problems,
                item,
                folder.folder,
                anew=not resume,
                found=read.get(item.id),
                before=bases[item.id],
                moment=moment,
            ),
        )
        for item in selected.claims
    )
    for result in results:
        write_summary(folder, result, profile)
    tests = sum(unit.tests(profile) for unit in units)
    report = RunReport(results, profile, seed, tests, folder.folder, tier, finished, tuple(notes))
    return replace(report, problems=selected.problems)


def broken_checks(claims: Sequence[Any]) -> dict[str, str]:
    """Return why the checks of a claim cannot be built, by its id; those of the others still run."""
    broken = {}
    for item in claims:
        try:
            checks_of(item)
        except (Exception, SystemExit) as error:  # whatever a file of checks does
            broken[item.id] = unusable(theory.entry(item.id).verify_module, error)
    return broken


def _result(
    claim: Any, records: PackedRecords, profile: Profile, told: Callable[[], list[Any]]
) -> ClaimResult:
    """Return what the records say; they stay packed, since there may be very many of all claims.

    `told` returns what is wrong with the texts.
    """
    problems = told() if records else []
    return replace(judge_claim(claim, list(records), profile, problems=problems), records=records)


def _unjudged(result: ClaimResult, reason: str) -> ClaimResult:
    return replace(result, verdict="not_run", grade=None, reasons=(reason,))


def _check_options(
    profile: str, seed: int, jobs: int, backend: str | None, address: str | None, tier: str
) -> str:
    """Raise where an option is none; return the tier that there is."""
    from impl.errors import ArgumentError
    from impl.tiers import chosen
    from verify.backends import check_backend

    problems = check_backend(backend, address)
    if profile not in ("quick", "full"):
        problems.append(f"profile={profile!r} must be 'quick' or 'full'")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        problems.append(f"seed={seed!r} must be an integer from 0 to 2**63 - 1")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0 or jobs < -1:
        problems.append(f"jobs={jobs!r} must be a positive number of processes, or -1 for all cores")
    try:
        tier = chosen(tier, "verify")
    except ArgumentError as error:
        problems.append(str(error).removeprefix("verify: "))
    if problems:
        raise UsageError("; ".join(problems))
    return tier


def _finished(
    units: Sequence[Unit], folder: RecordFolder, profile: Profile, seed: int, tier: str, notes: list[str]
) -> Iterator[Record]:
    """Yield the records that need no new run, and add to `notes` which are damaged."""
    from verify.judging.judgement import tier_of
    from verify.records.sources import source_sha256

    for unit in units:
        try:
            record = folder.read(*unit.key)
        except DamagedRecordError as error:
            notes.append(str(error).replace("it has to be made again", "it was made again"))
            continue
        if record is not None and (
            record["seed"] == seed
            and record["profile"] == profile
            and record.get("tier", "numpy") == tier_of(unit, tier)
            and record["verdict"] != "not_run"
            and record["source_sha256"] == source_sha256(unit.claim.id)
        ):
            yield record


def _judged(
    units: Sequence[Unit],
    profile: Profile,
    seed: int,
    tier: str,
    seconds: Mapping[Key, float],
    workers: tuple[str | None, int, str | None],
    texts: Sequence[str] = (),
) -> Iterator[Record]:
    """Yield the records of units as they are judged, by this process or by workers.

    Workers also read the texts of these claims; what they find comes as `{"claim": ID, TEXTS: PROBLEMS}`.
    """
    from verify.judging.judgement import judge_unit

    backend, jobs, address = workers
    if not units or (backend is None and (jobs == 1 or len(units) == 1)):
        for unit in units:
            yield judge_unit(unit, profile, seed, tier=tier)
        return
    from verify.backends import open_pool
    from verify.backends.lost_workers import LostUnit, outcomes
    from verify.backends.task import tasks_of

    parts = [*chunks(units, seconds, profile), *chunks_of_texts(texts)]
    with open_pool(backend, jobs, address, len(parts)) as pool:
        for found in outcomes(pool, tasks_of(parts, profile, seed, tier, pool)):
            if not isinstance(found, LostUnit):
                yield found
            elif found.key[1] != TEXTS:  # texts that no worker has read are read here
                yield judge_unit(unit_of(*found.key), profile, seed, lost=found.reason, tier=tier)


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
