"""The planner, judged by runs on processes: what it chose first, and what was fastest."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

NEAR = 1.25
"""Seconds of a right choice over those of the best, at most."""


@dataclass(frozen=True)
class Decision:
    """A problem and a link.

    Attributes:
        problem: Its name.
        link: In words.
        cases: Number of methods that were measured.
        best: The fastest of them.
        seconds: Of the fastest.
        bounded: First choice by the bounds.
        bounded_ratio: Its seconds over those of the fastest; infinite where it was not measured.
        tried: First choice after the trials.
        tried_ratio: Likewise.
        worst_model: The measured over the modelled seconds that are farthest from 1.
    """

    problem: str
    link: str
    cases: int
    best: str
    seconds: float
    bounded: str
    bounded_ratio: float
    tried: str
    tried_ratio: float
    worst_model: float


def decisions(lines: Iterable[str]) -> list[Decision]:
    """Return the decisions in lines of `tools/measure_wires.py`."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in lines:
        item = json.loads(line)
        if "problem" in item:
            groups.setdefault((item["problem"], item["link"]), []).append(item)
    return [_decision(*key, items) for key, items in groups.items()]


def _decision(problem: str, link: str, items: list[dict[str, Any]]) -> Decision:
    ran = [item for item in items if item["seconds"] is not None]
    best = min(ran, key=lambda item: item["seconds"])
    bounded = min(items, key=lambda item: math.inf if item["bound"] is None else item["bound"])
    tried = min(ran, key=lambda item: item["modelled"])
    ratios = [item["seconds"] / item["modelled"] for item in ran]
    return Decision(
        problem,
        link,
        len(ran),
        best["method"],
        best["seconds"],
        bounded["method"],
        (bounded["seconds"] or math.inf) / best["seconds"],
        tried["method"],
        tried["seconds"] / best["seconds"],
        max(ratios, key=lambda ratio: abs(math.log(ratio))),
    )


def page(lines: Iterable[str]) -> Iterator[str]:
    """Yield the page of documentation about them."""
    found = decisions(lines)
    cases = sum(item.cases for item in found)
    bounded = sum(item.bounded_ratio <= NEAR for item in found)
    tried = sum(item.tried_ratio <= NEAR for item in found)
    worst = max((item.worst_model for item in found), key=lambda ratio: abs(math.log(ratio)))
    yield (
        f"{len(found)} decisions, {cases} measured cases. Within {NEAR:g} times the seconds of the fastest: "
        f"the first choice of `plan` in {tried} of {len(found)}, the first by the bounds alone in {bounded} "
        f"(misses in bold). Measured over modelled seconds are {worst:.2f} where they are farthest from 1."
    )
    yield ""
    yield "| problem | link | fastest | seconds | first by `plan` | its time | first by bounds | its time |"
    yield "|---|---|---|---|---|---|---|---|"
    for item in found:
        cells = (
            item.problem,
            item.link,
            item.best,
            f"{item.seconds:.3g}",
            item.tried,
            _marked(item.tried_ratio),
            item.bounded,
            _marked(item.bounded_ratio),
        )
        yield "| " + " | ".join(cells) + " |"


def _marked(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio <= NEAR else f"**{ratio:.2f}**"
