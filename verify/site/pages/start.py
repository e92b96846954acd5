"""The start page: verdicts at a glance, filters, search, all claims."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from verify.outcome import GRADES
from verify.site.summary import GENERALITIES, VERDICTS, ClaimSummary

WORDS = (
    (
        "holds",
        "Proved, or decided by exact numbers or by a test whose error probability is part of the budget.",
    ),
    ("consistent", "A search or a run that cannot prove found no violation, and rejected its mutants."),
    ("violated", "A counterexample was found to the statement as it stands."),
    ("untested", "A check lets a sabotaged version pass, or evidence that a part names is missing."),
    ("inconclusive", "Nothing was decided; the page of the claim says why."),
    ("not run", "There is no usable record."),
    (
        "stale",
        "The sources have changed since the records were made: what they say is no verdict on what is here.",
    ),
    ("finding", "A claim about what fails; holds means that its counterexample was confirmed again."),
    (
        "all sizes",
        "Every part was concluded by the proof kernel for all sizes; the other words say what is not.",
    ),
    (
        "grade",
        "`proof` and `proof modulo` (with cited facts) come from the kernel; `certified`, `instance` (exact, "
        "in rationals), `numerical`, `guaranteed` (a statistical test), `search` speak of instances. A claim "
        "has that of the weakest of its parts and of the words in them; its page has it part by part.",
    ),
    (
        "mutant",
        "A sabotage of compressor, step size, bound or data that a check must reject, by its comparisons.",
    ),
)


def glance(papers: Sequence[Any], claims: Sequence[ClaimSummary]) -> list[Mapping[str, Any]]:
    """Return for each paper the number of its claims by verdict."""
    rows: list[Mapping[str, Any]] = []
    for paper in papers:
        mine = [claim for claim in claims if claim.paper == paper.name]
        counts = Counter(claim.verdict for claim in mine)
        shown = [(verdict, counts[verdict]) for verdict in verdicts_of(claims)]
        rows.append({"paper": paper, "counts": shown, "total": len(mine)})
    return rows


def verdicts_of(claims: Sequence[ClaimSummary]) -> list[str]:
    """Return the verdicts that occur, and always the good and the bad ones."""
    found = {claim.verdict for claim in claims} | {"holds", "consistent", "violated", "untested"}
    return [verdict for verdict in VERDICTS if verdict in found]


def facets(claims: Sequence[ClaimSummary]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the filters: name, and values with the number of claims."""
    known: Mapping[str, Sequence[str]] = {
        "verdict": VERDICTS,
        "generality": GENERALITIES,
        "grade": (*GRADES, "none"),
    }
    found = []
    for name in ("paper", "verdict", "generality", "grade", "kind", "provenance"):
        counts = Counter(str(getattr(claim, name) or "none") for claim in claims)
        order = known.get(name) or sorted(counts)
        found.append((name, [(value, counts[value]) for value in order if counts[value]]))
    return found


def search_script(claims: Sequence[ClaimSummary]) -> str:
    """Return the script with the words of each claim; pages from files cannot fetch data."""
    words = json.dumps({claim.id: claim.words for claim in claims}, ensure_ascii=False)
    return f"window.boundcheckClaims = {words};\n"
