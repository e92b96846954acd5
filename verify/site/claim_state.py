"""A claim with all that its records say, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import theory
from theory.reading.index import Entry
from verify.binding import Check, checks_of, unusable
from verify.records.folder import Record, RecordFolder
from verify.records.recorded import RecordedResult, recorded_result
from verify.records.remedies import verify_command
from verify.site.mathematics.prose import plain
from verify.site.summary import ClaimSummary, RecordSummary, generality

CITABLE = ("holds", "consistent")


@dataclass(frozen=True)
class ClaimState:
    """What is known about a claim when the site is made.

    Args:
        entry: Its head.
        claim: The claim, None where its file cannot be used.
        recorded: What its records say, None where that cannot be told.
        checks: Its checks, by (rung, instance).
        notices: What is wrong, for people.
        written: Times of the record files, by (rung, instance).
    """

    entry: Entry
    claim: Any
    recorded: RecordedResult | None
    checks: Mapping[tuple[str, str], Check] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    written: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Return what the site says: the verdict, or why there is none."""
        if self.recorded is None:
            return "unusable"
        if not self.recorded.result.records:
            return "not run"
        return "stale" if self.recorded.stale else self.judged

    @property
    def judged(self) -> str:
        """Return the verdict of the records, also of stale ones; empty where there is none."""
        if self.recorded is None or not self.recorded.result.records:
            return ""
        return self.recorded.result.verdict.replace("_", " ")

    @property
    def records(self) -> Sequence[Record]:
        """Return the usable records."""
        return self.recorded.result.records if self.recorded else ()


def read_state(claim_id: str, out: Path) -> ClaimState:
    """Return the state of a claim; whatever its files do becomes a notice."""
    entry = theory.entry(claim_id)
    try:
        claim = theory.claim(claim_id)
    except theory.ClaimFileError as error:
        return ClaimState(entry, None, None, notices=(f"The file of this claim cannot be used: {error}",))
    folder = RecordFolder(out)
    try:
        checks = {(check.rung, check.instance): check for check in checks_of(claim)}
        recorded = recorded_result(claim, folder, portable=True)
    except (Exception, SystemExit) as error:  # whatever a file of checks does
        notice = f"The {unusable(entry.verify_module, error)}"
        return ClaimState(entry, claim, None, notices=(notice,))
    notices = _damaged(folder, recorded)
    if not recorded.result.records:
        notices.insert(
            0, f"There is no usable record of this claim. Run `{verify_command(claim_id=claim_id)}`."
        )
    elif recorded.stale:
        notices.insert(
            0,
            "The sources of this claim have changed since its records were made, so what they say is no "
            f"verdict on what stands here. Run `{verify_command(claim_id=claim_id)}`.",
        )
    written = _written(folder, recorded.result.records)
    return ClaimState(entry, claim, recorded, checks, tuple(notices), written)


def _damaged(folder: RecordFolder, recorded: RecordedResult) -> list[str]:
    """Return a notice for each damaged file, which is named from the folder on."""
    notices = []
    for path, error in recorded.damaged.items():
        name = f"`{path.relative_to(folder.folder).as_posix()}`"
        notices.append(
            f"A damaged file was left out: {error.replace(repr(str(path)), name).replace(str(path), name)}."
        )
    return notices


def _written(folder: RecordFolder, records: Iterable[Record]) -> dict[tuple[str, str], float]:
    """Return the times of record files."""
    keys = [(record["claim"], record["rung"], record["instance"]) for record in records]
    return {key[1:]: folder.path(*key).stat().st_mtime for key in keys}


def summarise(state: ClaimState) -> ClaimSummary:
    """Return what lists say."""
    entry = state.entry
    head = (entry.id, entry.paper, entry.kind, entry.provenance, entry.title, state.verdict)
    if state.claim is None:
        return ClaimSummary(*head, notices=state.notices)
    words = plain(
        " ".join([state.claim.statement, *(item.words for item in state.claim.hypotheses.values())])
    )
    if state.recorded is None:
        return ClaimSummary(*head, notices=state.notices, words=words)
    result = state.recorded.result
    return ClaimSummary(
        *head,
        judged=state.judged,
        grade=result.grade or "",
        generality=generality(result),
        notices=state.notices,
        reasons=result.reasons if result.records else (),
        words=words,
        records=tuple(_record_summary(record, state) for record in result.records),
        left_out=tuple(_left_out(state)),
        tightness=result.tightness,
    )


def _record_summary(record: Record, state: ClaimState) -> RecordSummary:
    return RecordSummary(
        record["rung"],
        record["instance"],
        record["verdict"],
        record["seconds"],
        record["alpha"],
        record["seed"],
        record["profile"],
        tuple(sorted(record["libraries"].items())),
        record.get("machine", ""),
        record["reason"],
        state.written.get((record["rung"], record["instance"]), 0.0),
    )


def _left_out(state: ClaimState) -> list[tuple[str, str]]:
    """Return the checks without a usable record, and why."""
    have = {(record["rung"], record["instance"]) for record in state.records}
    found = []
    for key, check in state.checks.items():
        if key in have:
            continue
        if check.needs:
            why = f"needs the data set {check.needs}, in the folder that BOUNDCHECK_DATA names"
        elif check.profile == "full":
            why = "only in the full profile"
        else:
            why = "no usable record"
        found.append(("/".join(key), why))
    return found
