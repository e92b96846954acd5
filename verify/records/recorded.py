"""What the records in a folder say about claims."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verify.binding import Profile, plan
from verify.errors import DamagedRecordError
from verify.records.folder import Record, RecordFolder
from verify.runner import is_known
from verify.selection import select_claims
from verify.verdicts import ClaimResult, judge_claim


@dataclass(frozen=True)
class RecordedResult:
    """What the records in a folder say about a claim, and whether sources have changed since."""

    result: ClaimResult
    stale: bool


def recorded_results(
    patterns: Iterable[str] | str, out: str | Path, kind: str | None = None
) -> tuple[RecordedResult, ...]:
    """Return for each claim what the records in a folder say, held against the checks that it has now."""
    return tuple(recorded_result(item, RecordFolder(out)) for item in select_claims(patterns, kind))


def recorded_result(claim: Any, folder: RecordFolder) -> RecordedResult:
    """Collect the records of a claim; a good verdict needs a usable record of every check."""
    from verify.records.sources import source_sha256

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
