"""The verdict of a claim from its records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from theory.old_form import Claim
from verify.binding import Profile
from verify.outcome import ClaimVerdict, Grade, better, worse
from verify.records import Record


@dataclass(frozen=True)
class ClaimResult:
    """What is known about one claim.

    Args:
        claim: The claim.
        verdict: Verdict from all records.
        grade: Best grade among the records that carry the verdict.
        bound: Stated bound of the closest approach found.
        value: Largest value found there.
        tightness: bound / value there, None where no inequality was met.
        mutants_rejected: Names of rejected mutants, neutral ones apart.
        mutants_total: Number of mutants that had to be rejected.
        seconds: CPU seconds of all records.
        reasons: Why the verdict is not better; empty for `holds`.
        records: The records.
    """

    claim: Claim
    verdict: ClaimVerdict
    grade: Grade | None
    bound: float | None
    value: float | None
    tightness: float | None
    mutants_rejected: tuple[str, ...]
    mutants_total: int
    seconds: float
    reasons: tuple[str, ...]
    records: tuple[Record, ...]

    @property
    def undecided(self) -> tuple[Record, ...]:
        """Return the records of rungs that did not run or did not decide."""
        return tuple(record for record in self.records if record["verdict"] in ("inconclusive", "not_run"))


def judge_claim(claim: Claim, records: Sequence[Record], profile: Profile = "quick") -> ClaimResult:
    """Combine the records of a claim into its verdict.

    `violated` if a record is (grade asymptotic never decides); else `untested` if a mutant survives,
    a neutral one is rejected or none was run; else `inconclusive` if the derivation is refuted;
    else `holds`, `consistent` or `inconclusive`.
    """
    violated = [item for item in records if item["verdict"] == "violated" and item["grade"] != "asymptotic"]
    required = [
        mutant for mutant in claim.mutants if not mutant.neutral and (profile == "full" or not mutant.slow)
    ]
    rejected = {m["name"] for item in records for m in item["mutants"] if m["rejected"] and not m["neutral"]}
    survivors = [mutant.name for mutant in required if mutant.name not in rejected]
    wronged = sorted(
        {m["name"] for item in records for m in item["mutants"] if m["rejected"] and m["neutral"]}
    )
    verdict: ClaimVerdict
    reasons: list[str] = []
    if not records:
        verdict = "untested"
        reasons.append("no check has run")
    elif violated:
        verdict = "violated"
        reasons += [f"{item['rung']}/{item['instance']}: {item['reason']}" for item in violated]
    elif survivors or wronged or not required:
        verdict = "untested"
        reasons += [f"mutant {name!r} survives: {_escape(name, records)}" for name in survivors]
        reasons += [f"neutral mutant {name!r} is rejected: the check is wrong" for name in wronged]
        if not required:
            reasons.append("the claim has no mutant, so its checks were never seen to fail")
    elif any(item["refuted"] for item in records):
        verdict = "inconclusive"
    elif any(item["verdict"] == "holds" and item["grade"] != "asymptotic" for item in records):
        verdict = "holds"
    elif any(item["verdict"] == "consistent" for item in records):
        verdict = "consistent"
    elif all(item["verdict"] == "not_run" for item in records):
        verdict = "not_run"
    else:
        verdict = "inconclusive"
    reasons += [
        f"{item['rung']}/{item['instance']} {item['verdict'].replace('_', ' ')}: {item['reason']}"
        for item in records
        if item["verdict"] in ("inconclusive", "not_run")
    ]
    grade: Grade | None = None
    for item in records:
        if item["verdict"] == verdict:
            # A measurement is not proved by the lemmas around it.
            grade = (worse if claim.measured else better)(grade, item["grade"])
    closest = _closest(violated or records)
    return ClaimResult(
        claim,
        verdict,
        grade,
        closest["bound"] if closest else None,
        closest["value"] if closest else None,
        closest["tightness"] if closest else None,
        tuple(mutant.name for mutant in required if mutant.name in rejected),
        len(required),
        sum(item["seconds"] for item in records),
        tuple(reasons),
        tuple(records),
    )


def _closest(records: Sequence[Record]) -> Any:
    """Return the record with the smallest bound / value; a sample mean is no largest value found."""
    candidates = [
        item
        for item in records
        if item["tightness"] is not None
        and item["tightness"] > 0
        and (item["verdict"] == "violated" or (item["rung"] != "montecarlo" and item["alpha"] == 0))
    ]
    return min(candidates, key=lambda item: item["tightness"], default=None)


def _escape(name: str, records: Sequence[Record]) -> str:
    tried = [(item, m) for item in records for m in item["mutants"] if m["name"] == name]
    if not tried:
        return "no check runs it"
    return "; ".join(f"{item['rung']}/{item['instance']} says {m['reason']!r}" for item, m in tried)
