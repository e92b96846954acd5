"""Train on MNIST with dithered, nested and other messages: bits, seconds and accuracy of every run.

    BOUNDCHECK_DATA=FOLDER python -m tools.measure_mnist [--out FILE] [--seeds N] [--workers P ...] [METHOD ...]

One line of JSON each run, to .boundcheck/mnist.jsonl unless told otherwise. Runs that the file has are not
done again, so that the driver may be stopped at any time. `--table` writes what the lines say: medians over
seeds, with the smallest and largest in brackets.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from verify.experiments.ndqsg.mnist_training import PROTOCOL, Course, Layer, Plan, train

OUT = Path(".boundcheck/mnist.jsonl")
TARGETS = (0.9, 0.95)
LESS = 0.01
"""The third target is the uncompressed final accuracy of the same seed and workers, less this."""


def runs_in(path: Path) -> list[dict[str, Any]]:
    """Return the runs of a file, one a line; a line that was cut off is left out."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def key_of(run: dict[str, Any]) -> tuple[Any, ...]:
    """Return what tells runs apart."""
    return run["method"], run["plan"]["workers"], run["seed"]


def course_of(run: dict[str, Any]) -> Course:
    """Return the course of a line."""
    fields = dict(run["course"])
    layers = {int(tensor): [Layer(*row) for row in rows] for tensor, rows in fields.pop("layers").items()}
    return Course(**fields, layers=layers)


def line_of(method: str, plan: Plan, seed: int) -> dict[str, Any]:
    """Return what becomes of a run."""
    began = time.process_time()
    course = train(plan, PROTOCOL[method], seed)
    told = asdict(course)
    told["layers"] = {
        tensor: [[layer[name] for name in layer] for layer in rows] for tensor, rows in told["layers"].items()
    }
    return {
        "method": method,
        "seed": seed,
        "plan": asdict(plan),
        "cpu": round(time.process_time() - began, 2),
        "course": told,
    }


def table(runs: list[dict[str, Any]]) -> list[str]:
    """Return rows: method, workers, runs, then accuracy at the end and what each target cost."""
    finals = {
        (run["plan"]["workers"], run["seed"]): course_of(run).accuracy[-1]
        for run in runs
        if run["method"] == "sgd"
    }
    grouped: defaultdict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        grouped[run["plan"]["workers"], run["method"]].append(run)
    rows = []
    for (workers, method), members in sorted(
        grouped.items(), key=lambda item: (item[0][0], list(PROTOCOL).index(item[0][1]))
    ):
        courses = [course_of(run) for run in members]
        rows.append(
            f"P = {workers}, {method}, {len(members)} runs: accuracy {_span([c.accuracy[-1] for c in courses], 4)}"
        )
        for target in (*TARGETS, None):
            costs = []
            for run, course in zip(members, courses, strict=True):
                final = finals.get((workers, run["seed"]), float("nan")) - LESS
                goal = final if target is None else target
                costs.append(
                    [course.at(q, goal) for q in (course.tested, course.raw, course.coded, course.seconds)]
                )
            iterations, raw, coded, seconds = zip(*costs, strict=True)
            rows.append(
                f"    {'SGD - 0.01' if target is None else target}: iterations {_span(iterations, 0)}, Mbit raw "
                f"{_span([b / 1e6 for b in raw], 1)}, coded {_span([b / 1e6 for b in coded], 1)}, seconds {_span(seconds, 2)}"
            )
    return rows


def _span(values: Any, digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def main() -> int:
    """Run what is missing, or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(PROTOCOL))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        print("\n".join(table(runs_in(given.out))))
        return 0
    unknown = set(given.methods) - set(PROTOCOL)
    if unknown:
        parser.error(f"no such method: {', '.join(sorted(unknown))}; there are {', '.join(PROTOCOL)}")
    given.out.parent.mkdir(parents=True, exist_ok=True)
    done = {key_of(run) for run in runs_in(given.out)}
    with given.out.open("a", encoding="utf-8") as file:
        for seed in range(given.seeds):
            for workers in given.workers:
                for method in given.methods:
                    if (method, workers, seed) in done:
                        continue
                    line = line_of(method, Plan(workers=workers), seed)
                    print(json.dumps(line), file=file, flush=True)
                    accuracy = line["course"]["accuracy"][-1]
                    print(
                        f"{method}, P = {workers}, seed {seed}: {accuracy:.4f}, {line['cpu']} CPU s",
                        file=sys.stderr,
                    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
