"""The page of a paper: findings, the abstract sentence by sentence, claims, figures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theory.reading.index import read_index
from verify.site.summary import ClaimSummary

FILE = "abstract.toml"
_GOOD = ("holds", "consistent")


@dataclass(frozen=True)
class Sentence:
    """One sentence of an abstract.

    Args:
        words: What it says, in our words.
        reading: What it is read as; why it is not judged where no claim judges it.
        claims: The claims that judge it, then those that limit it.
        verdict: What they say together.
        state: `good`, `limited`, `bad` or `open`, for its colour.
    """

    words: str
    reading: str
    claims: Sequence[ClaimSummary]
    verdict: str
    state: str


def sentences(paper: str, claims: Mapping[str, ClaimSummary]) -> tuple[list[Sentence], list[str]]:
    """Return the sentences of an abstract with their verdicts, and what is wrong with the file."""
    root = read_index().roots.get(paper)
    file = None if root is None else _folder(root) / FILE
    if file is None or not file.is_file():
        return [], []
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        entries = document["sentence"]
    except (OSError, ValueError, KeyError) as error:
        return [], [f"The file {FILE} of {paper} cannot be read: {error}."]
    found, problems = [], []
    for entry in entries:
        named = [*entry.get("judged_by", ()), *entry.get("limited_by", ())]
        problems += [
            f"A sentence names the claim `{id}`, which does not exist." for id in named if id not in claims
        ]
        found.append(_sentence(entry, claims))
    return found, problems


def _folder(root: Any) -> Path:
    """Return the folder of `paper.py`: that of the claims, or above it in a package of other people."""
    folder: Path = root.folder
    return folder if (folder / "paper.py").is_file() else folder.parent


def _sentence(entry: Mapping[str, Any], claims: Mapping[str, ClaimSummary]) -> Sentence:
    judges = [claims[id] for id in entry.get("judged_by", ()) if id in claims]
    limits = [claims[id] for id in entry.get("limited_by", ()) if id in claims]
    verdict, state = _verdict(judges, limits)
    return Sentence(entry["words"], entry.get("reading", ""), (*judges, *limits), verdict, state)


def _verdict(judges: Sequence[ClaimSummary], limits: Sequence[ClaimSummary]) -> tuple[str, str]:
    """Return the verdict of a sentence in words, from those of its claims."""
    if not judges and not limits:
        return "Not judged.", "open"
    wrong = [claim for claim in judges if claim.verdict in ("violated", "untested")]
    if wrong:
        return f"Does not stand as it is read: {_listed(wrong)}.", "bad"
    undecided = [claim for claim in (*judges, *limits) if claim.verdict not in _GOOD]
    if undecided:
        return f"Not decided by these records: {_listed(undecided)}.", "bad"
    if not judges:
        return (
            "Does not hold as a first reading suggests; "
            f"{_number(limits, 'finding says', 'findings say')} what holds instead.",
            "limited",
        )
    all_hold = all(claim.verdict == "holds" for claim in judges)
    begin = "Holds as it is read" if all_hold else "Consistent with every check as it is read, not proved"
    proved = sum(claim.generality in ("all sizes", "all sizes, words at instances") for claim in judges)
    how = f"{proved} of {_number(judges, 'claim', 'claims')} with all formulas proved for all sizes"
    if limits:
        return (
            f"{begin} ({how}), within limits that {_number(limits, 'claim tells', 'claims tell')}.",
            "limited",
        )
    return f"{begin} ({how}).", "good"


def _listed(claims: Sequence[ClaimSummary]) -> str:
    return ", ".join(f"{claim.id} is {claim.verdict}" for claim in claims)


def _number(claims: Sequence[ClaimSummary], one: str, many: str) -> str:
    return f"{len(claims)} {one if len(claims) == 1 else many}"
