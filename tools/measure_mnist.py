"""Train on MNIST with dithered, nested and other messages: bits, seconds, accuracy.

    BOUNDCHECK_DATA=FOLDER python -m tools.measure_mnist [--network NAME] [--workers P ...] [METHOD ...]

One line of JSON each run, to .boundcheck/mnist.jsonl unless told otherwise. Runs that the file has are not
done again, so that the driver may be stopped at any time. `--table` writes what the lines of a network say,
`--layers` what they say of its tensors: medians over seeds, with the smallest and largest in brackets.
`--csv` writes what each run of all networks took to the targets, `--keep` puts it, and the courses with 8
workers, where the figures `ndqsg/mnist_costs` and `ndqsg/mnist_accuracy` take them from, with their digests.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from verify.experiments.ndqsg.mnist_training import PLANS, PROTOCOL, Course, Layer, Plan, train

OUT = Path(".boundcheck/mnist.jsonl")
TARGETS = (0.9, 0.95)
PLAIN, NESTED = "dqsg-3", "nested-3-3"
EPOCH = 98
"""Iterations of an epoch on MNIST."""
KEPT, DRAWN = Path("verify/experiments/ndqsg"), Path("verify/figures/ndqsg")
FIGURES = {"mnist_costs": "mnist_runs", "mnist_accuracy": "mnist_courses"}
"""Figures and the files of runs that they are of."""
WORKERS = 8
"""Of the courses that are kept."""
LESS = 0.01
"""The third target is the uncompressed final accuracy of the same seed and workers, less this."""


def runs_in(path: Path) -> list[dict[str, Any]]:
    """Return the runs of a file, one a line, each once; a line that was cut off is left out."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            run = json.loads(line)
        except json.JSONDecodeError:
            continue
        found.setdefault(key_of(run), run)
    return list(found.values())


def key_of(run: dict[str, Any]) -> tuple[Any, ...]:
    """Return what tells runs apart: network, method, workers and seed."""
    return network_of(run), run["method"], run["plan"]["workers"], run["seed"]


def network_of(run: dict[str, Any]) -> str:
    """Return the name of the network; lines from before there were two have none."""
    return str(run["plan"].get("network", Plan.network))


def order_of(run: dict[str, Any]) -> tuple[Any, ...]:
    """Return the place of a run in tables: network, workers, method, seed."""
    return network_of(run), run["plan"]["workers"], list(PROTOCOL).index(run["method"]), run["seed"]


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
    """Return the lines of a Markdown table: what the targets cost, and the accuracy at the end."""
    finals = {
        (run["plan"]["workers"], run["seed"]): run["course"]["accuracy"][-1]
        for run in runs
        if run["method"] == "sgd"
    }
    grouped: defaultdict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        grouped[run["plan"]["workers"], run["method"]].append(run)
    rows = [
        "| P | method | runs | to | iterations | raw Mbit | coded Mbit | CPU s | accuracy at the end |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for workers, method in sorted(grouped, key=lambda key: (key[0], list(PROTOCOL).index(key[1]))):
        members = grouped[workers, method]
        courses = [course_of(run) for run in members]
        end = _span([course.accuracy[-1] for course in courses], 4)
        for target in (*TARGETS, None):
            told = "SGD - 0.01" if target is None else f"{target:g}"
            cells = [workers, method, len(members), told, *_costs(members, courses, finals, target), end]
            rows.append("| " + " | ".join(map(str, cells)) + " |")
    return rows


def targets_table(runs: list[dict[str, Any]]) -> list[str]:
    """Return the lines of a CSV file: what each run took to each target, and its accuracy at the end."""
    rows = ["network,P,method,seed,target,iterations,raw_mbit,coded_mbit,cpu_seconds,accuracy"]
    for run in sorted(runs, key=order_of):
        course = course_of(run)
        for target in TARGETS:
            found = [course.at(q, target) for q in (course.tested, course.raw, course.coded, course.seconds)]
            numbers = [found[0], found[1] / 1e6, found[2] / 1e6, found[3], course.accuracy[-1]]
            cells = [network_of(run), run["plan"]["workers"], run["method"], run["seed"], target]
            rows.append(",".join([*map(str, cells), *(f"{number:.6g}" for number in numbers)]))
    return rows


def courses_table(runs: list[dict[str, Any]]) -> list[str]:
    """Return the lines of a CSV file: medians over seeds at every test, with 8 workers."""
    rows = ["network,P,method,runs,iterations,accuracy,low,high,raw_mbit,coded_mbit,cpu_seconds"]
    grouped: defaultdict[tuple[Any, ...], list[Course]] = defaultdict(list)
    for run in sorted(runs, key=order_of):
        if run["plan"]["workers"] == WORKERS:
            grouped[network_of(run), WORKERS, run["method"]].append(course_of(run))
    for key, courses in grouped.items():
        for place, iterations in enumerate(courses[0].tested):
            seen = [course.accuracy[place] for course in courses]
            spent = [
                statistics.median(getattr(course, name)[place] / unit for course in courses)
                for name, unit in (("raw", 1e6), ("coded", 1e6), ("seconds", 1))
            ]
            numbers = [statistics.median(seen), min(seen), max(seen), *spent]
            cells = [*key, len(courses), iterations, *(f"{number:.6g}" for number in numbers)]
            rows.append(",".join(map(str, cells)))
    return rows


def keep(runs: list[dict[str, Any]]) -> None:
    """Write the files of runs that figures are of, and their digests into the figures."""
    tables = {"mnist_runs": targets_table(runs), "mnist_courses": courses_table(runs)}
    for figure, name in FIGURES.items():
        text = "\n".join(tables[name]) + "\n"
        (KEPT / f"{name}.csv").write_text(text, encoding="utf-8")
        source, digest = DRAWN / f"{figure}.py", hashlib.sha256(text.encode()).hexdigest()
        lines, count = re.subn(
            r'^DIGEST = ".*"$', f'DIGEST = "{digest}"', source.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        assert count == 1, source
        source.write_text(lines, encoding="utf-8")


def layer_table(runs: list[dict[str, Any]]) -> list[str]:
    """Return the lines of a Markdown table, for each tensor: correlation of gradients, and what nesting did.

    Correlations are those of dithered runs, the rest is of half nested ones; other methods are left out.
    """
    grouped: defaultdict[int, dict[str, list[Course]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run["method"] in (PLAIN, NESTED):
            grouped[run["plan"]["workers"]][run["method"]].append(course_of(run))
    rows = [
        "| P | tensor | correlation at first | later in epoch 1 | after it "
        "| share outside, mean over the run | least | mse over $D$, mean over the run |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for workers, methods in sorted(grouped.items()):
        if len(methods) < 2:
            continue
        for tensor, name in enumerate(tensors_of(PLANS[network_of(runs[0])])):
            plain, nested = ([course.layers[tensor] for course in methods[key]] for key in (PLAIN, NESTED))
            first = [seen[0].correlation for seen in plain]
            epoch = [[one.correlation for one in seen[1:] if one.iteration < EPOCH] for seen in plain]
            later = [[one.correlation for one in seen if one.iteration >= EPOCH] for seen in plain]
            shares = [[one.outside for one in seen] for seen in nested]
            errors = [_mean([one.error for one in seen]) for seen in nested]
            cells = [
                _span(first, 2),
                *(_span(list(map(_mean, parts)), 2) for parts in (epoch, later)),
                _span(list(map(_mean, shares)), 3),
                f"{min(map(min, shares)):.4f}",
                _span(errors, 1),
            ]
            rows.append("| " + " | ".join([str(workers), name, *cells]) + " |")
    return rows


def tensors_of(plan: Plan) -> list[str]:
    """Return names of the tensors: shapes of the weights, and biases."""
    names = []
    for shape in plan.built().shapes:
        names.append("its biases" if len(shape) == 1 else " x ".join(map(str, shape)))
    return names


def _costs(members: Any, courses: list[Course], finals: Any, target: float | None) -> list[str]:
    """Return iterations, raw and coded Mbit and seconds to a target, over runs."""
    found = []
    for run, course in zip(members, courses, strict=True):
        final = finals.get((run["plan"]["workers"], run["seed"]), math.nan) - LESS
        goal = final if target is None else target
        found.append([course.at(q, goal) for q in (course.tested, course.raw, course.coded, course.seconds)])
    iterations, raw, coded, seconds = zip(*found, strict=True)
    megabits = [_span([bits / 1e6 for bits in column], 1) for column in (raw, coded)]
    return [_span(iterations, 0), *megabits, _span(seconds, 1)]


def _mean(values: Sequence[float]) -> float:
    """Return the mean, NaN of nothing: a run may be shorter than an epoch."""
    return statistics.mean(values) if values else math.nan


def _span(values: Any, digits: int) -> str:
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:.{digits}f} [{least:.{digits}f}, {most:.{digits}f}]"


def main() -> int:
    """Run what is missing, or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("methods", nargs="*", default=list(PROTOCOL))
    parser.add_argument("--network", choices=list(PLANS), default=Plan.network)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--layers", action="store_true")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    if given.keep:
        runs = runs_in(given.out)
        keep(runs)
        counts = Counter(key[:3] for key in map(key_of, runs))
        print(f"{len(runs)} runs; of a method {sorted(set(counts.values()))} seeds", file=sys.stderr)
        return 0
    if given.csv:
        print("\n".join(targets_table(runs_in(given.out))))
        return 0
    if given.table or given.layers:
        runs = [run for run in runs_in(given.out) if network_of(run) == given.network]
        print("\n".join((table if given.table else layer_table)(runs)))
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
                    if (given.network, method, workers, seed) in done:
                        continue
                    line = line_of(method, replace(PLANS[given.network], workers=workers), seed)
                    print(json.dumps(line), file=file, flush=True)
                    accuracy = line["course"]["accuracy"][-1]
                    told = f"{given.network}, {method}, P = {workers}, seed {seed}"
                    print(f"{told}: {accuracy:.4f}, {line['cpu']} CPU s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
