"""What lists say about a claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verify.judging.verdicts import ClaimResult, PartResult

ALL_SIZES = "all sizes"
FORMULAS = "all sizes, words at instances"
PARTLY = "some parts for all sizes"
INSTANCES = "fixed instances"
UNKNOWN = "none yet"
GENERALITIES = (ALL_SIZES, FORMULAS, PARTLY, INSTANCES, UNKNOWN)
VERDICTS = ("holds", "consistent", "violated", "untested", "inconclusive", "not run", "stale", "unusable")
"""`stale` and `unusable` are no verdicts: what was found is about other sources, or nothing can be judged."""

_PROOFS = ("proof", "proof modulo")


@dataclass(frozen=True)
class RecordSummary:
    """What the page of the run needs of a record.

    Args:
        rung: Its rung.
        instance: Its instance.
        verdict: Its verdict.
        seconds: CPU seconds.
        alpha: Error probability that it uses up.
        seed: Master seed.
        profile: `quick` or `full`.
        libraries: Versions.
        machine: The machine on which it was judged, empty where it does not say.
        reason: Why the verdict is what it is.
        written: Time of its file, seconds since 1970.
    """

    rung: str
    instance: str
    verdict: str
    seconds: float
    alpha: float
    seed: int
    profile: str
    libraries: tuple[tuple[str, str], ...]
    machine: str
    reason: str
    written: float


@dataclass(frozen=True)
class ClaimSummary:
    """What lists, papers and the page of the run say about a claim.

    Args:
        id: Claim id.
        paper: Short name of its paper.
        kind: Its kind.
        provenance: Where it comes from.
        title: One line.
        verdict: One of `VERDICTS`.
        judged: The verdict of its records, also where these are stale; empty without records.
        grade: Its grade, empty where it has none.
        generality: One of `GENERALITIES`.
        notices: What is wrong with its records, for people.
        reasons: Why the verdict is not better.
        words: Its statement for the search.
        records: Its records.
        left_out: (check, why) of the checks that were not run.
        tightness: Bound over largest value, None where no inequality was met.
    """

    id: str
    paper: str
    kind: str
    provenance: str
    title: str
    verdict: str
    judged: str = ""
    grade: str = ""
    generality: str = UNKNOWN
    notices: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    words: str = field(default="", repr=False)
    records: tuple[RecordSummary, ...] = field(default=(), repr=False)
    left_out: tuple[tuple[str, str], ...] = ()
    tightness: float | None = None

    @property
    def page(self) -> str:
        """Return the file of its page."""
        return f"claims/{self.id}.html"

    @property
    def seconds(self) -> float:
        """Return the CPU seconds of its records."""
        return sum(record.seconds for record in self.records)


def generality(result: ClaimResult) -> str:
    """Return how general the evidence of a claim is: that of its parts together."""
    if not result.records or not result.parts:
        return UNKNOWN
    proved = [part.grade in _PROOFS for part in result.parts]
    if all(proved):
        return FORMULAS if any(part.words for part in result.parts) else ALL_SIZES
    return PARTLY if any(proved) else INSTANCES


def part_generality(part: PartResult) -> str:
    """Return for which sizes the evidence of a part speaks, in words."""
    if part.grade in _PROOFS:
        modulo = ", given the cited facts" if part.cited else ""
        words = f"; its words at {_count(part.word_instances)}" if part.words else ""
        return f"all sizes{modulo}{words}"
    if part.grade is None:
        return UNKNOWN
    if part.grade == "numerical" and not part.instances:
        return "all sizes, by one solver alone"
    return _count(part.instances)


def _count(instances: Any) -> str:
    return f"{len(instances)} instance{'' if len(instances) == 1 else 's'}"
