"""Run the unit of a record again and compare."""

from dataclasses import dataclass
from pathlib import Path

from verify.records.folder import DEFAULT_FOLDER, Record, RecordFolder, content_sha256
from verify.running.runner import unit_of

# What may differ between two machines without the result differing.
_CIRCUMSTANCES = ("seconds", "machine", "libraries", "source_sha256", "digest")


@dataclass(frozen=True)
class Replay:
    """A record and what its unit gives now.

    Args:
        recorded: The record as it was.
        repeated: The record of the new run, not written anywhere.
        differences: Names of the fields that differ, circumstances of the run apart.
        stale: Whether the sources have changed since.
    """

    recorded: Record
    repeated: Record
    differences: tuple[str, ...]
    stale: bool

    @property
    def same(self) -> bool:
        """Return whether the new run gave the same content."""
        return not self.differences


def replay(reference: str, *, out: str | Path = DEFAULT_FOLDER) -> tuple[Replay, ...]:
    """Run the units again that a record file or an identifier names.

    Raises:
        UnknownRecordError: No such record.
        DamagedRecordError: The file cannot be used.
        UsageError: The claim has no such check any more.
    """
    return tuple(_replay_one(record) for record in RecordFolder(out).find(reference))


def _replay_one(record: Record) -> Replay:
    from verify.judging.judgement import judge_unit

    unit = unit_of(record["claim"], record["rung"], record["instance"])
    repeated = judge_unit(unit, record["profile"], record["seed"], tier=record.get("tier", "numpy"))
    differences = tuple(
        name
        for name in sorted(record)
        if name not in _CIRCUMSTANCES and content_of(record, name) != content_of(repeated, name)
    )
    return Replay(record, repeated, differences, record["source_sha256"] != repeated["source_sha256"])


def content_of(record: Record, name: str) -> str:
    """Return one field in canonical form."""
    return content_sha256([{"claim": "", "rung": "", "instance": "", "field": record[name]}])
