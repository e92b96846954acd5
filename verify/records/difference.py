"""What changed between two runs: verdicts, grades, tightness, times.

A run is a folder of records or the document of `verify --json`. The verdicts are those that the run itself
found, so that two versions of the suite can be compared by either of them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from verify.errors import DamagedRecordError, UsageError
from verify.judging.verdicts import WEAKEST_FIRST, closest
from verify.outcome import GRADES, SAMPLING
from verify.records.folder import Record, RecordFolder, read_record

SAME = 1e-9
"""Relative difference below which two tightnesses are the same: last bits differ from CPU to CPU."""

SCHEMA = "boundcheck-run-1"
"""Of the document of `verify --json`."""

ONLY_FIRST, ONLY_SECOND = "only in A", "only in B"
"""Directions of a claim or part that one run alone has: nothing got worse or better."""

_FAILED = ("violated", "untested")

LEAST_SECONDS = 1.0
"""CPU seconds by which the time of a claim has to change before it is worth a line."""


@dataclass(frozen=True)
class State:
    """What a run says about one claim; `parts` has the verdict of each part, where the run tells it."""

    verdict: str
    grade: str | None
    tightness: float | None
    seconds: float
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """One run: the states of its claims, and what a reader of the comparison should know about it."""

    name: str
    states: Mapping[str, State]
    seeds: frozenset[int]
    profiles: frozenset[str]
    tiers: frozenset[str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """One line of the comparison.

    Args:
        claim: Claim id.
        what: `verdict`, `verdict of (b)`, `grade`, `tightness` or `seconds`.
        before: In the first run, None where it has no such claim.
        after: In the second run, likewise.
        direction: `worse`, `better`, `changed` where neither can be said, or `ONLY_FIRST` or `ONLY_SECOND`.
    """

    claim: str
    what: str
    before: str | float | None
    after: str | float | None
    direction: str


@dataclass(frozen=True)
class Difference:
    """All changes, and what makes the runs hard to compare; `compared` counts the claims of both."""

    changes: tuple[Change, ...]
    compared: int
    notes: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Return whether a verdict got worse, or a claim or part of the second run alone fails."""
        return any(
            item.direction == "worse" or (item.direction == ONLY_SECOND and item.after in _FAILED)
            for item in self.verdicts
        )

    @property
    def is_incomplete(self) -> bool:
        """Return whether the second run says nothing of a claim or part that the first one judged."""
        return any(item.direction == ONLY_FIRST for item in self.verdicts)

    @property
    def verdicts(self) -> tuple[Change, ...]:
        """Return the changes of verdicts."""
        return tuple(item for item in self.changes if item.what.startswith("verdict"))

    def only_in(self, direction: str) -> int:
        """Return how many claims one run alone has: `ONLY_FIRST` or `ONLY_SECOND`."""
        return sum(item.direction == direction and item.what == "verdict" for item in self.changes)


def compare(
    first: str | Path, second: str | Path, patterns: Sequence[str] = (), factor: float = 2.0
) -> Difference:
    """Compare two runs.

    Args:
        first: Folder of records, or file with the document of `verify --json`.
        second: Likewise.
        patterns: Shell patterns of claim ids; all claims where there is none.
        factor: Times are told where they changed by at least this factor, and by a second.

    Raises:
        UsageError: A run cannot be read, no claim matches, or the factor is not above 1.
    """
    if not factor > 1:
        raise UsageError(f"factor={factor!r} must be above 1")
    before, after = read_run(first), read_run(second)
    ids = [*before.states, *(id for id in after.states if id not in before.states)]
    if patterns:
        ids = [id for id in ids if any(fnmatchcase(id, pattern) for pattern in patterns)]
        if not ids:
            raise UsageError(f"patterns={list(patterns)} match no claim of {before.name!r} or {after.name!r}")
    changes = [
        change for id in ids for change in _changes(id, before.states.get(id), after.states.get(id), factor)
    ]
    notes = [*before.notes, *after.notes]
    for what, one, other in (
        ("seeds", before.seeds, after.seeds),
        ("profiles", before.profiles, after.profiles),
        ("tiers", before.tiers, after.tiers),
    ):
        if one != other:
            told = " and ".join(", ".join(map(str, sorted(item))) or "none" for item in (one, other))
            notes.append(f"the runs have different {what}: {told}")
    both = sum(id in before.states and id in after.states for id in ids)
    return Difference(tuple(changes), both, tuple(notes))


def _changes(id: str, before: State | None, after: State | None, factor: float) -> list[Change]:
    if before is None or after is None:
        was, is_now = (None if state is None else state.verdict for state in (before, after))
        return [Change(id, "verdict", was, is_now, _trend(was, is_now))]
    found = []
    if before.verdict != after.verdict:
        found.append(
            Change(id, "verdict", before.verdict, after.verdict, _trend(before.verdict, after.verdict))
        )
    for label in [*before.parts, *(label for label in after.parts if label not in before.parts)]:
        old, new = before.parts.get(label), after.parts.get(label)
        if old != new and before.parts and after.parts:
            found.append(Change(id, f"verdict of ({label})", old, new, _trend(old, new)))
    if before.grade != after.grade:
        found.append(Change(id, "grade", before.grade, after.grade, _grade_trend(before.grade, after.grade)))
    if not _same(before.tightness, after.tightness):
        found.append(Change(id, "tightness", before.tightness, after.tightness, "changed"))
    low, high = sorted((before.seconds, after.seconds))
    if high - low >= LEAST_SECONDS and high >= factor * low:
        trend = "worse" if after.seconds > before.seconds else "better"
        found.append(Change(id, "seconds", round(before.seconds, 2), round(after.seconds, 2), trend))
    return found


def _trend(before: str | None, after: str | None) -> str:
    order: Sequence[str] = WEAKEST_FIRST
    if before is None or after is None:
        return ONLY_FIRST if after is None else ONLY_SECOND
    if before not in order or after not in order:
        return "changed"
    return "worse" if order.index(after) < order.index(before) else "better"


def _grade_trend(before: str | None, after: str | None) -> str:
    order: Sequence[str] = GRADES
    places = [len(order) if grade is None else order.index(grade) for grade in (before, after)]
    return "worse" if places[1] > places[0] else "better"


def _same(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=SAME)


def read_run(path: str | Path) -> Run:
    """Return a run from a folder of records, or from the document of `verify --json`.

    Raises:
        UsageError: It is neither.
    """
    path = Path(path)
    if path.is_dir():
        return _from_folder(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return _from_document(str(path), document)
    except (OSError, ValueError, KeyError, TypeError) as error:
        known = f"{error.strerror}" if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        raise UsageError(
            f"run={str(path)!r} is neither a folder of records nor a document of `boundcheck verify --json` "
            f"({known})"
        ) from error


def _from_document(name: str, document: Any) -> Run:
    if document["schema"] != SCHEMA:
        raise ValueError(f"schema {document['schema']!r}, this version reads {SCHEMA!r}")
    unknown = {item["verdict"] for item in document["claims"]} - set(WEAKEST_FIRST)
    unknown |= {part["verdict"] for item in document["claims"] for part in item.get("parts", ())} - set(
        WEAKEST_FIRST
    )
    if unknown:
        raise ValueError(f"unknown verdicts {', '.join(sorted(map(repr, unknown)))}")
    states = {
        item["id"]: State(
            str(item["verdict"]),
            item["grade"],
            item["tightness"],
            float(item.get("seconds", 0.0)),
            {part["label"]: part["verdict"] for part in item.get("parts", ())},
        )
        for item in document["claims"]
    }
    seeds, profiles = frozenset({document["seed"]}), frozenset({document.get("profile", "quick")})
    return Run(name, states, seeds, profiles, frozenset({document.get("tier", "numpy")}))


def _from_folder(path: Path) -> Run:
    by_claim: dict[str, list[Record]] = {}
    notes: list[str] = []
    for file in RecordFolder(path).paths():
        try:
            record = read_record(file)
        except DamagedRecordError as error:
            notes.append(str(error))
            by_claim.setdefault(file.parent.relative_to(path / "records").as_posix(), [])
            continue
        by_claim.setdefault(record["claim"], []).append(record)
    if not by_claim:
        raise UsageError(
            f"run={str(path)!r} is a folder without records; `boundcheck verify --out DIR` writes them"
        )
    states = {}
    for claim in sorted(by_claim):
        state = _state(claim, by_claim[claim], path, notes)
        if state is not None:
            states[claim] = state
    records = [record for found in by_claim.values() for record in found]
    seeds = frozenset(record["seed"] for record in records)
    profiles = frozenset(record["profile"] for record in records)
    sampled = [record for record in records if record["rung"] in SAMPLING]
    tiers = frozenset(record.get("tier", "numpy") for record in sampled) or {"numpy"}
    return Run(str(path), states, seeds, profiles, frozenset(tiers), tuple(notes))


def _state(claim: str, records: list[Record], path: Path, notes: list[str]) -> State | None:
    """Return what the run said about a claim: its own summary, else what its records give here."""
    from verify.reporting.summaries import carried

    violated = [item for item in records if item["verdict"] == "violated" and item["grade"] != "asymptotic"]
    nearest = closest(violated or records)
    tightness = nearest["tightness"] if nearest else None
    seconds = sum(item["seconds"] for item in records)
    summary = carried(claim, path)
    whole = summary is not None and len(summary["files"]) == len(records)
    if summary is not None and whole:
        return State(summary["verdict"], summary["grade"], tightness, seconds, summary["parts"])
    import theory
    from verify.records.recorded import recorded_result

    try:
        judged = recorded_result(theory.claim(claim), RecordFolder(path)).result
    except (theory.UnknownClaimError, theory.ClaimFileError):
        notes.append(
            f"{claim} in {str(path)!r}: no verdict, as its summary is missing and this version lacks it"
        )
        return None
    notes.append(f"{claim} in {str(path)!r} was judged again from its records by this version")
    parts = {part.label: part.verdict for part in judged.parts}
    return State(judged.verdict, judged.grade, tightness, seconds, parts)
