"""What the records in a folder say about claims."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verify.binding import Profile, plan
from verify.errors import DamagedRecordError
from verify.judging.verdicts import ClaimResult, judge_claim
from verify.records.folder import DEFAULT_FOLDER, Record, RecordFolder, read_record
from verify.records.remedies import verify_command
from verify.running.runner import is_known
from verify.running.selection import select_claims


@dataclass(frozen=True)
class RecordedResult:
    """What the records in a folder say about a claim, and whether sources have changed since.

    Args:
        result: Its result.
        stale: Whether sources have changed since.
        damaged: What is wrong with each file that cannot be used, by its path.
        folder: Folder of the records.
        lost: Checks, as RUNG/INSTANCE, of which there is no file although there are files of others.
    """

    result: ClaimResult
    stale: bool
    damaged: Mapping[Path, str] = field(default_factory=dict)
    folder: Path = Path(DEFAULT_FOLDER)
    lost: tuple[str, ...] = ()

    @property
    def remedy(self) -> str:
        """Return the command that makes its records again, in backticks."""
        return f"`{verify_command(self.folder, self.result.claim.id)}`"


def recorded_results(
    patterns: Iterable[str] | str, out: str | Path, kind: str | None = None
) -> tuple[RecordedResult, ...]:
    """Return for each claim what the records in a folder say, held against the checks that it has now."""
    return tuple(recorded_result(item, RecordFolder(out)) for item in select_claims(patterns, kind))


def recorded_result(claim: Any, folder: RecordFolder, *, portable: bool = False) -> RecordedResult:
    """Collect the records of a claim; a good verdict needs a usable record of every check.

    Args:
        claim: The claim.
        folder: Where its records are.
        portable: Whether reasons are read elsewhere, where the folder has no meaning: it is not named then.
    """
    from verify.records.sources import source_sha256
    from verify.records.texts import text_problems

    found: list[Record] = []
    missing: list[str] = []
    lost: list[str] = []
    profile: Profile = "quick"
    usable, damaged = _read(claim.id, folder)
    if usable or damaged:
        units = plan((claim,), "full")
        planned = {unit.key for unit in units}
        for unit in units:
            record = usable.get(unit.key)
            if record is not None:
                found.append(record)
                profile = "full" if record["profile"] == "full" else profile
            elif unit.check.profile == "quick":
                missing.append("/".join(unit.key[1:]))
                lost += missing[-1:] if folder.path(*unit.key) not in damaged else []
        # Checks on data that are not at hand now count, too, where they have run.
        found += [record for key, record in usable.items() if key not in planned and is_known(*key)]
    problems = text_problems(claim, folder.folder) if found else ()
    rungs = {name.partition("/")[0] for name in missing}
    result = judge_claim(claim, found, profile, problems=problems, lacking=rungs)
    if found and missing:
        count = "1 check has" if len(missing) == 1 else f"{len(missing)} checks have"
        command = verify_command(DEFAULT_FOLDER if portable else folder.folder, claim.id)
        reason = f"{count} no usable record ({', '.join(missing)}); run `{command}`"
        verdict = result.verdict if result.verdict in ("violated", "untested") else "inconclusive"
        result = replace(result, verdict=verdict, grade=None, reasons=(reason, *result.reasons))
    stale = any(record["source_sha256"] != source_sha256(claim.id) for record in found)
    if stale and result.reasons:  # a remedy such as `pin` would be for records that nobody needs any more
        command = verify_command(DEFAULT_FOLDER if portable else folder.folder, claim.id)
        reason = f"what follows is read off records of other sources; run `{command}` first"
        result = replace(result, reasons=(reason, *result.reasons))
    return RecordedResult(result, stale, damaged, folder.folder, tuple(lost))


def _read(claim_id: str, folder: RecordFolder) -> tuple[dict[tuple[str, str, str], Record], dict[Path, str]]:
    """Return the usable records of a claim by their keys, and what is wrong with the others."""
    usable: dict[tuple[str, str, str], Record] = {}
    damaged: dict[Path, str] = {}
    for path in folder.paths(claim_id):
        try:
            record = read_record(path)
        except DamagedRecordError as error:
            damaged[path] = str(error)
            continue
        key = (record["claim"], record["rung"], record["instance"])
        if folder.path(*key) == path:
            usable[key] = record
        else:
            damaged[path] = f"record {str(path)!r} is that of another check; it has to be made again"
    return usable, damaged
