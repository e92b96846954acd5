"""The verdict of a claim from its records: of each part, and of the claim as the weakest of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verify.binding import Profile, mutants_of
from verify.errors import BUSY
from verify.outcome import ClaimVerdict, Grade, worse
from verify.records.folder import Record

if TYPE_CHECKING:
    from theory.claim import Claim
    from verify.records.conditions import Conditions
    from verify.records.pinned import Rows


@dataclass(frozen=True)
class PartResult:
    """What is known about one part of a claim.

    Args:
        label: `a`, `b`, ...
        verdict: Its verdict.
        grade: Best grade of the evidence that carries the verdict, but no better than that of its pins where
            nothing is proved; the weakest in a claim on measurements.
        evidence: What it names as evidence.
        cited: Cited formulas on which its proof rests.
        hypotheses: Hypotheses of its proof.
        instances: Names of the checks that carry the verdict, where no proof does.
        reasons: Why the verdict is not better.
        words: Weakest grade of the evidence of pinned words, where the part is proved and they are not.
        word_instances: Names of the checks that carry the words then.
    """

    label: str
    verdict: ClaimVerdict
    grade: Grade | None
    evidence: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    words: Grade | None = None
    word_instances: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClaimResult:
    """What is known about one claim.

    Args:
        claim: The claim.
        verdict: Verdict from all records: that of the weakest part.
        grade: Weakest grade of the parts and of their words.
        bound: Stated bound of the closest approach found.
        value: Largest value found there.
        tightness: bound / value there, None where no inequality was met.
        mutants_rejected: Names of rejected mutants, neutral ones apart.
        mutants_total: Number of mutants that had to be rejected.
        seconds: CPU seconds of all records.
        reasons: Why the verdict is not better, and what no check noticed.
        records: The records.
        parts: Results of the parts.
    """

    claim: "Claim"
    verdict: ClaimVerdict
    grade: Grade | None
    bound: float | None
    value: float | None
    tightness: float | None
    mutants_rejected: tuple[str, ...]
    mutants_total: int
    seconds: float
    reasons: tuple[str, ...]
    records: Sequence[Record]
    parts: tuple[PartResult, ...] = ()

    @property
    def mutants(self) -> str:
        """Return "rejected/all" over the declared mutants, `none` where the claim declares none."""
        if not self.mutants_total and not any(not item.neutral for item in mutants_of(self.claim)):
            return "none"  # others may all be slow, and left to the full profile
        return f"{len(self.mutants_rejected)}/{self.mutants_total}"

    @property
    def undecided(self) -> tuple[Record, ...]:
        """Return the records of rungs that did not run or did not decide."""
        return tuple(record for record in self.records if record["verdict"] in ("inconclusive", "not_run"))

    @property
    def is_only_busy(self) -> bool:
        """Return whether nothing is undecided but measurements that a busy machine did not make."""
        return (
            self.claim.measured
            and self.verdict == "not_run"
            and {part.verdict for part in self.parts} <= {"holds", "consistent", "not_run"}
            and bool(self.undecided)
            and all(item["reason"].startswith(BUSY) for item in self.undecided)
        )


def judge_claim(
    claim: "Claim",
    records: Sequence[Record],
    profile: Profile = "quick",
    *,
    problems: Sequence[str] | None = None,
    pins: "Rows | None" = None,
    conditions: "Conditions | None" = None,
    lacking: Collection[str] = (),
) -> ClaimResult:
    """Combine the records of a claim into its verdict.

    Args:
        claim: The claim.
        records: Its records.
        profile: The profile of the run.
        problems: What is wrong with the text of the claim; looked for where it is None.
        pins: The pinned comparisons; read where it is None.
        conditions: The pinned conditions of checks; read where it is None.
        lacking: Rungs of checks that have no usable record: what is missing there may be in these.
    """
    violated = [item for item in records if item["verdict"] == "violated" and item["grade"] != "asymptotic"]
    rejected = {m["name"] for item in records for m in item["mutants"] if m["rejected"] and not m["neutral"]}
    required = [
        mutant.name
        for mutant in (mutants_of(claim) if records else ())
        if not mutant.neutral and (profile == "full" or not mutant.slow)
    ]
    from verify.judging.parts import judge_parts

    # A sabotage of checks that this profile or machine leaves out is not required.
    run = {m["name"] for item in records for m in item["mutants"]}
    required = [name for name in required if name in run]
    parts, reasons = judge_parts(claim, records, profile, problems, pins, conditions, lacking)
    verdict = min((part.verdict for part in parts), key=WEAKEST_FIRST.index)
    if violated:
        verdict = "violated"
    grade: Grade | None = None
    if verdict in ("holds", "consistent", "violated"):
        for part in parts:
            grade = worse(grade, worse(part.grade, part.words))
    nearest = closest(violated or records)
    return ClaimResult(
        claim,
        verdict,
        grade,
        nearest["bound"] if nearest else None,
        nearest["value"] if nearest else None,
        nearest["tightness"] if nearest else None,
        tuple(name for name in required if name in rejected),
        len(required),
        sum(item["seconds"] for item in records),
        tuple(reasons),
        tuple(records),
        tuple(parts),
    )


WEAKEST_FIRST: tuple[ClaimVerdict, ...] = (
    "violated",
    "untested",
    "not_run",
    "inconclusive",
    "consistent",
    "holds",
)


def undecided_reasons(records: Sequence[Record]) -> list[str]:
    """Return why records did not decide or did not run."""
    return [
        f"{item['rung']}/{item['instance']} {item['verdict'].replace('_', ' ')}: {item['reason']}"
        for item in records
        if item["verdict"] in ("inconclusive", "not_run")
    ]


def closest(records: Sequence[Record]) -> Record | None:
    """Return the record with the smallest bound / value; a sample mean is no largest value found.

    Where records show a comparison that is marked as the claim, or a search, these count alone; else those
    that show a formula of the claim. What shows neither, as whether arguments are refused, never counts
    unless it is violated.
    """
    candidates = [
        item
        for item in records
        if item["tightness"] is not None
        and item["tightness"] > 0
        and (item["verdict"] == "violated" or (item["rung"] != "montecarlo" and item["alpha"] == 0))
    ]
    for kind in ("claim", "formula"):
        shown = [
            item
            for item in candidates
            if item["verdict"] == "violated" or item.get("shows", "claim") == kind  # older ones do not say
        ]
        if shown:
            return min(shown, key=lambda item: item["tightness"])
    return None
