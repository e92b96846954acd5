"""Measure methods on real processes and links, beside the model of their seconds and what `plan` predicts.

    python -m tools.measure_wires --out FILE [--repeats 3] [PROBLEM ...]

For each problem and link the methods that have halves for processes run over TCP, seeds interleaved, at the
parameters that `plan` chooses; those that the model finds more than three times as slow as the best do not.
One line of JSON each: what was run, rounds, bytes, measured seconds of each seed, the model's, the plan's.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from impl.communication import RoundSeconds
from impl.wires import Outcome, Session
from impl.wires.inprocess import run_in_process
from impl.wires.model import Computing, empty_round, modelled_seconds
from impl.wires.tcp import run_over_tcp
from verify.planning.problems import problem
from verify.planning.ranked import ranked
from verify.planning.setting import FLOAT_BITS, Prediction, Setting
from verify.wires.links import real_link
from verify.wires.methods import halves
from verify.wires.running import machine

WORKERS = 6
PROBLEMS: dict[str, tuple[str, float | None, str, float]] = {
    "phishing": ("phishing", 0.005, "label", 1e-3),
    "german": ("german.numer", 0.01, "contiguous", 1e-3),
    "splice": ("splice", 0.05, "contiguous", 1e-3),
    "breast-cancer": ("breast-cancer", 0.02, "contiguous", 1e-2),
    "quadratic": ("quadratic:200", 0.05, "contiguous", 1e-3),
}
"""Name to problem, ridge, split and accuracy."""
LINKS = ("100Mbit,1ms", "1Mbit,10ms", "1Mbit,1ms", "1Mbit,1ms,uplink", "0.1Mbit,1ms,uplink")
LIMIT = 60.0
_SLOWER, _MOST_ROUNDS = 3.0, 4000


def measured(name: str, link_text: str, repeats: int) -> list[dict[str, Any]]:
    """Return what became of all methods on a problem and a link."""
    text, ridge, split, accuracy = PROBLEMS[name]
    link, made = real_link(link_text), problem(text, WORKERS, ridge, split=split)
    setting = Setting(made, RoundSeconds(link, FLOAT_BITS * made.d), accuracy)
    rows = ranked(setting)
    empty = empty_round(setting.n, setting.d)
    found: list[dict[str, Any]] = []
    courses: dict[int, list[Outcome]] = {}
    for place, row in enumerate(rows):
        prediction = row.prediction
        if prediction.wire is None:
            continue
        courses[place] = [_course(setting, prediction, seed) for seed in range(repeats)]
        first = courses[place][0]
        c = Computing.of(first).seconds(setting.n, empty)
        found.append(
            {
                "problem": name,
                "link": link_text,
                "method": prediction.wire.words,
                "levels": prediction.wire.levels,
                "probability": prediction.wire.probability,
                "planned": prediction.cost if prediction.rounds is not None else None,
                "reached": all(len(course.rounds) < _MOST_ROUNDS for course in courses[place]),
                "rounds": [len(course.rounds) for course in courses[place]],
                "computing": c,
                "modelled": [modelled_seconds(course, link, c) for course in courses[place]],
                "measured": [],
                "place": place,
            }
        )
    best = min(item["modelled"][0] for item in found if item["reached"])
    for seed in range(repeats):
        for item in found:
            if item["reached"] and item["modelled"][0] <= _SLOWER * best:
                course = courses[item["place"]][seed]
                item["measured"].append(_seconds(setting, rows[item["place"]].prediction, seed, course, link))
    for item in found:
        del item["place"]
    return found


def _course(setting: Setting, prediction: Prediction, seed: int) -> Outcome:
    assert prediction.wire is not None
    made = halves(setting, prediction.wire, (seed, 0))
    least = setting.problem.objective(setting.problem.solution)
    return run_in_process(
        made.server,
        made.workers,
        Session({}),
        rounds=_MOST_ROUNDS,
        until=lambda x: bool(setting.problem.objective(x) - least <= setting.target),
    )


def _seconds(setting: Setting, prediction: Prediction, seed: int, course: Outcome, link: Any) -> float:
    assert prediction.wire is not None
    made = halves(setting, prediction.wire, (seed, 0))
    found = run_over_tcp(
        made.server, made.workers, Session({}), link=link, rounds=len(course.rounds), limit=LIMIT
    )
    difference = found.reason or found.same_course(course)
    if difference:
        raise SystemExit(f"{prediction.method}: {difference}")
    return found.seconds


def main() -> int:
    """Measure and write lines as they come."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with given.out.open("a", encoding="utf-8") as file:
        print(json.dumps({"machine": machine(), "workers": WORKERS}), file=file, flush=True)
        for name in given.problems:
            for link in LINKS:
                for item in measured(name, link, given.repeats):
                    print(json.dumps(item), file=file, flush=True)
                print(name, link, machine()["load"], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
