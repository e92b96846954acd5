"""Measure methods on real processes and links: what `plan` is judged by (docs/planner.md).

    python -m tools.measure_wires --out FILE [PROBLEM ...]

For each problem and link the methods that have halves for processes are run at the parameters that `plan`
chooses: in one process to the accuracy, which tells their rounds and bytes, then over TCP for as many rounds,
but at most 60, before other processes where that is permitted. Seconds are those of all rounds, each by the
median of the rounds that ran with messages of its kind, compressed or whole. Methods that the model finds
more than three times as slow as the best are not run. One line of JSON each.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from pathlib import Path
from typing import Any

from impl.communication import RoundSeconds
from impl.wires import Link, Outcome, Session
from impl.wires.priority import before_others
from impl.wires.transports.tcp import run_over_tcp
from verify.planning.computing import Computing
from verify.planning.problems import problem
from verify.planning.ranked import Planned, ranked
from verify.planning.setting import FLOAT_BITS, Setting
from verify.planning.trials import trial
from verify.wires.links import real_link
from verify.wires.methods import halves
from verify.wires.running import machine

WORKERS = 6
PROBLEMS: dict[str, tuple[str, float | None, str, float]] = {
    "breast-cancer": ("breast-cancer", 0.02, "contiguous", 1e-2),
    "breast-cancer by label": ("breast-cancer", 0.05, "label", 2e-2),
    "phishing by label": ("phishing", 0.005, "label", 1e-2),
    "mushrooms": ("mushrooms", 0.05, "contiguous", 1e-2),
    "splice": ("splice", 5.0, "contiguous", 1e-2),
    "quadratic:60": ("quadratic:60", 0.05, "contiguous", 1e-2),
}
"""Name to problem, ridge, split and accuracy."""
LINKS = ("10Mbit,5ms", "1Mbit,10ms", "0.1Mbit,1ms", "0.1Mbit,1ms,uplink", "20kbit,1ms,uplink")
LIMIT = 60.0
SLOWER, FEW_ROUNDS = 3.0, 60


def measured(name: str, link_text: str) -> list[dict[str, Any]]:
    """Return what became of all methods on a problem and a link."""
    text, ridge, split, accuracy = PROBLEMS[name]
    link, made = real_link(link_text), problem(text, WORKERS, ridge, split=split)
    setting = Setting(made, RoundSeconds(link, FLOAT_BITS * made.d), accuracy)
    computing, found, best = Computing(setting), [], math.inf
    for row in ranked(setting, trials=False):
        prediction = row.prediction
        if prediction.wire is None:
            continue
        c = computing.of(prediction)
        tried = trial(setting, prediction, link, c, SLOWER * best)
        course = tried.course if tried.seconds < math.inf else None
        best = min(best, tried.seconds)
        found.append(
            {
                "problem": name,
                "link": link_text,
                "method": prediction.method,
                "bound": prediction.cost if prediction.rounds is not None else None,
                "rounds": len(course.rounds) if course is not None else None,
                "computing": round(c, 6),
                "modelled": tried.seconds if course is not None else None,
                "seconds": None if course is None else _seconds(setting, row, link, course),
            }
        )
    return found


def _seconds(setting: Setting, row: Planned, link: Link, course: Outcome) -> float:
    """Return the seconds of a course, from its first rounds on processes."""
    assert row.prediction.wire is not None
    made, count = halves(setting, row.prediction.wire, (0, 0)), min(FEW_ROUNDS, len(course.rounds))
    with before_others():
        found = run_over_tcp(made.server, made.workers, Session({}), link=link, rounds=count, limit=LIMIT)
    start = Outcome(rounds=course.rounds[:count], points=course.points[: count + 1])
    difference = found.reason or found.same_course(start)
    if difference:
        raise SystemExit(f"{row.prediction.method}: {difference}")
    whole = max(item.longest for item in course.rounds)
    kinds: dict[bool, list[float]] = {}
    before = 0.0
    for item in found.rounds:
        kinds.setdefault(2 * item.longest > whole, []).append(item.seconds - before)
        before = item.seconds
    usual = {kind: statistics.median(seconds) for kind, seconds in kinds.items()}
    return sum(usual.get(2 * item.longest > whole, max(usual.values())) for item in course.rounds)


def main() -> int:
    """Measure and write lines as they come."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    with before_others() as is_so:
        told = {"machine": machine(), "workers": WORKERS, "before_others": is_so}
    with given.out.open("a", encoding="utf-8") as file:
        print(json.dumps(told), file=file, flush=True)
        for name in given.problems:
            for link in LINKS:
                for item in measured(name, link):
                    print(json.dumps(item), file=file, flush=True)
                print(name, link, machine()["load"], file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
