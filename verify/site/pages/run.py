"""The page of the run: seed, machine, versions, error budget, time per claim, what was not run and why."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from theory.claim import RUNGS
from verify.outcome import ALPHA, ALPHA_TOTAL
from verify.running.machine import machine
from verify.site.summary import ClaimSummary
from verify.version import VERSION


def run_values(claims: Sequence[ClaimSummary]) -> Mapping[str, Any]:
    """Return what the template of the run shows."""
    records = [record for claim in claims for record in claim.records]
    rows = [(claim, [_seconds(claim, rung) for rung in RUNGS]) for claim in claims if claim.records]
    rows.sort(key=lambda row: -row[0].seconds)
    totals = [sum(times[place] or 0 for _, times in rows) for place in range(len(RUNGS))]
    undecided = [
        (claim, f"{record.rung}/{record.instance}", f"{record.verdict.replace('_', ' ')}: {record.reason}")
        for claim in claims
        for record in claim.records
        if record.verdict in ("inconclusive", "not_run")
    ]
    left_out = [(claim, name, why) for claim in claims for name, why in claim.left_out]
    without = [
        (claim, "all", "no usable record") for claim in claims if not claim.records and not claim.left_out
    ]
    spent = sum(record.alpha for record in records)
    seeds = sorted({record.seed for record in records})
    problems = []
    if len(seeds) > 1:
        problems.append(
            "The records have several seeds: they are those of several runs, and so is the error budget."
        )
    return {
        "facts": _facts(claims, records, seeds),
        "budget": _budget(spent),
        "rungs": RUNGS,
        "rows": rows,
        "totals": [*totals, sum(totals)],
        "left_out": [*undecided, *left_out, *without],
        "problems": problems,
    }


def _facts(
    claims: Sequence[ClaimSummary], records: Sequence[Any], seeds: Sequence[int]
) -> list[tuple[str, str]]:
    libraries: dict[str, set[str]] = {}
    for record in records:
        for name, version in record.libraries:
            libraries.setdefault(name, set()).add(version)
    listed = [f"{name} {' and '.join(sorted(versions))}" for name, versions in sorted(libraries.items())]
    profiles = sorted({record.profile for record in records})
    with_records = sum(bool(claim.records) for claim in claims)
    facts = [
        (
            "Records",
            f"{len(records)} of {with_records} claims; {len(claims) - with_records} claims have none",
        ),
        ("Seed", ", ".join(map(str, seeds)) or "–"),
        ("Profile", ", ".join(profiles) or "–"),
        ("Libraries of the records", ", ".join(listed) or "–"),
        ("Machine", _machines(records)),
        ("Pages made by", f"boundcheck {VERSION} on {machine()}"),
    ]
    times = [record.written for record in records if record.written]
    if times:
        facts.append(("Written", f"{_moment(min(times))} to {_moment(max(times))} UTC"))
    return facts


def _machines(records: Sequence[Any]) -> str:
    """Return the machines of the records, with the number of records where there are several."""
    counts = Counter(record.machine or "not named by the record" for record in records)
    if len(counts) < 2:
        return next(iter(counts), "–")
    return "; ".join(f"{name} ({count} of the records)" for name, count in counts.most_common())


def _budget(spent: float) -> str:
    return (
        f"{round(spent / ALPHA)} statistical tests at level {_power(ALPHA)} each: the probability that these "
        f"records raise any false alarm is at most {_power(spent)}, of a declared {_power(ALPHA_TOTAL)}."
    )


def _power(value: float) -> str:
    """Return a small number as mathematics, with two digits."""
    digits, _, exponent = f"{value:.1e}".partition("e")
    shown = digits.removesuffix(".0")
    if value == 0:
        return "0"
    return f"$10^{{{int(exponent)}}}$" if shown == "1" else rf"${shown}\cdot10^{{{int(exponent)}}}$"


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def _seconds(claim: ClaimSummary, rung: str) -> float | None:
    times = [record.seconds for record in claim.records if record.rung == rung]
    return sum(times) if times else None
