"""All methods of the suite for a setting, cheapest first, and what they really cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verify.planning.setting import Prediction, Setting

if TYPE_CHECKING:
    from verify.planning.computing import Computing

FAMILIES = (
    "fixed_entries",
    "adaptive",
    "random_entries",
    "unbiased",
    "shifted",
    "with_memory",
    "smoothness_aware",
    "correlated",
    "dithered",
)
"""Modules of this package that know the methods of a paper."""


@dataclass(frozen=True)
class Planned:
    """A prediction with what was measured.

    Attributes:
        prediction: What the bound says.
        rounds: Mean rounds to the accuracy, None where nothing was measured or it was not reached.
        cost: Mean cost to the accuracy, likewise.
        status: `not measured`, `reached`, `not reached in K rounds`, or `interrupted`.
        trial: Seconds of the model in a trial on a real link, None where there was none that got so far.
        trial_rounds: Its rounds.
    """

    prediction: Prediction
    rounds: float | None = None
    cost: float | None = None
    status: str = "not measured"
    trial: float | None = None
    trial_rounds: int | None = None


def ranked(
    setting: Setting,
    *,
    run: bool = False,
    engine: str = "inprocess",
    problem: str = "",
    trials: bool = True,
    most_rounds: int = 20_000,
    seed: int = 0,
    progress: Callable[[str], None] = lambda message: None,
) -> list[Planned]:
    """Return the methods by predicted cost; with `run`, each runs until the accuracy or `most_rounds`.

    On a real link costs are seconds, with what this machine computes in a round of the method, and methods
    with halves for processes are tried: those that arrive come first, by what the model says of their rounds.

    Args:
        setting: What is planned.
        run: Whether the methods run.
        engine: Of these runs; `tcp` and `tun` are processes over the real link.
        problem: Name of the problem in their traces.
        trials: Whether methods are tried on a real link.
        most_rounds: Longest run.
        seed: Of the runs.
        progress: Told what has been measured. An interrupt ends the runs and keeps what there is.
    """
    import importlib

    found: list[Prediction] = []
    for family in FAMILIES:
        found += importlib.import_module(f"verify.planning.methods.{family}").predictions(setting)
    computing: Computing | None = None
    if setting.on_a_real_link:
        from verify.planning.computing import Computing

        computing = Computing(setting)
        found = [computing.added(prediction) for prediction in found]
    found.sort(key=lambda prediction: prediction.cost)
    rows = [Planned(prediction) for prediction in found]
    if computing is not None and trials:
        rows = _tried(setting, rows, computing)
    if not run:
        return rows
    for place, tried in enumerate(rows):
        prediction = tried.prediction
        try:
            if engine != "inprocess":
                from verify.planning.processes import on_processes

                rows[place] = on_processes(setting, tried, engine, most_rounds, seed, problem)
                progress(f"{place + 1} of {len(found)}: {prediction.method}, {rows[place].status}")
                continue
            measured = _measured(setting, prediction, most_rounds, seed)
            rows[place] = replace(measured, trial=tried.trial, trial_rounds=tried.trial_rounds)
        except KeyboardInterrupt:
            return rows[:place] + [replace(row, status="interrupted") for row in rows[place:]]
        row = rows[place]
        if computing is not None and row.cost is not None and row.rounds is not None:
            rows[place] = replace(row, cost=row.cost + row.rounds * computing.of(prediction))
        progress(f"{place + 1} of {len(found)}: {prediction.method}, {rows[place].status}")
    return rows


def _tried(setting: Setting, rows: list[Planned], computing: Computing) -> list[Planned]:
    """Return the rows by their trials; a trial ends where it is later than the best one before it."""
    from verify.planning.trials import trial

    link, best, found = setting.cost.link, math.inf, []  # type: ignore[attr-defined]  # on a real link
    for row in rows:
        if row.prediction.wire is not None:
            made = trial(setting, row.prediction, link, computing.of(row.prediction), best)
            best = min(best, made.seconds)
            if made.seconds < math.inf:
                row = replace(row, trial=made.seconds, trial_rounds=len(made.course.rounds))
        found.append(row)
    return sorted(found, key=lambda row: row.prediction.cost if row.trial is None else row.trial)


def _measured(setting: Setting, prediction: Prediction, most_rounds: int, seed: int) -> Planned:
    from verify.evidence.streams import stream
    from verify.planning.measured import cost_to_target

    if prediction.run is None:
        return Planned(prediction)
    rounds = min(prediction.rounds or most_rounds, most_rounds)
    # Short runs first: most methods arrive long before their bound says so.
    length = min(64, rounds)
    while True:
        rng: Any = stream(seed, "plan", prediction.method, 0)
        reached = cost_to_target(setting, *prediction.run(length, rng))
        if reached is not None:
            return Planned(prediction, *reached, status="reached")
        if length >= rounds:
            return Planned(prediction, status=f"not reached in {rounds} rounds")
        length = 4 * length if 8 * length <= rounds else rounds  # the last run is no little longer one
