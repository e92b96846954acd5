"""What is handed to a worker at a time: units of one claim, the longest chunks first."""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence

from verify.binding import Profile, Unit
from verify.records.folder import RecordFolder

Key = tuple[str, str, str]
"""Claim, rung and instance of a unit."""

_Chunk = tuple[float, tuple[Key, ...]]

TEXTS = "texts"
"""At the place of the rung: what is wrong with the texts of a claim is asked for, not a unit."""

CHUNK = 3.0
"""CPU seconds of units that a worker judges before it hands over records; a longer unit is alone."""

TYPICAL_SECONDS = {"symbolic": 1.0, "exact": 0.1, "adversarial": 0.3, "montecarlo": 0.5, "run": 0.5}
"""CPU seconds of a unit that has never run, by rung."""


def recorded_seconds(units: Iterable[Unit], folder: RecordFolder) -> dict[Key, float]:
    """Return the CPU seconds that units took when they last ran, of those that have a record."""
    found = {}
    for unit in units:
        try:
            text = folder.path(*unit.key).read_text(encoding="utf-8")
            found[unit.key] = float(json.loads(text)["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def expected_seconds(units: Iterable[Unit], recorded: Mapping[Key, float]) -> dict[Key, float]:
    """Return what units took when they last ran, else what is typical."""
    return {unit.key: recorded.get(unit.key, TYPICAL_SECONDS[unit.check.rung]) for unit in units}


def chunks(units: Iterable[Unit], recorded: Mapping[Key, float], profile: Profile) -> list[tuple[Key, ...]]:
    """Return the keys of units in chunks of one claim, so that hardly a claim is loaded by several workers.

    The longest chunks come first, so that the last ones to finish are short; those that measure seconds
    wait for each other, and lie apart.

    Args:
        units: Units of a claim follow each other.
        recorded: Their seconds, as far as known.
        profile: In the full profile what never ran may take minutes: it is handed over by itself.
    """
    made: list[_Chunk] = []
    timed: list[_Chunk] = []
    for claim, group in itertools.groupby(units, key=lambda unit: unit.claim):
        kind = timed if claim.timed else made
        spent, chunk = 0.0, list[Key]()
        for key, seconds in expected_seconds(group, recorded).items():
            cost = CHUNK if profile == "full" and key not in recorded else seconds
            if chunk and spent + cost > CHUNK:
                kind.append((spent, tuple(chunk)))
                spent, chunk = 0.0, []
            chunk.append(key)
            spent += cost
        kind.append((spent, tuple(chunk)))
    for ordered in (made, timed):
        ordered.sort(key=lambda item: -item[0])
    return [chunk for _, chunk in _apart(timed, made)]


def chunks_of_texts(ids: Sequence[str], at_a_time: int = 8) -> list[tuple[Key, ...]]:
    """Return the keys by which a worker is asked for the texts of claims."""
    return [
        tuple((claim_id, TEXTS, "") for claim_id in ids[place : place + at_a_time])
        for place in range(0, len(ids), at_a_time)
    ]


def _apart(some: Sequence[_Chunk], others: Sequence[_Chunk]) -> list[_Chunk]:
    """Return all chunks, with those of the first kind at equal distances of the seconds of the others."""
    distance = sum(seconds for seconds, _ in others) / max(1, len(some))
    found, left, spent = list[_Chunk](), list(some), 0.0
    for chunk in others:
        if left and spent >= distance * (len(some) - len(left)):
            found.append(left.pop(0))
        found.append(chunk)
        spent += chunk[0]
    return found + left
