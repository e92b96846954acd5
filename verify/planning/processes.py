"""Runs of planned methods on real processes and a real link: seconds by the clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verify.errors import UsageError

if TYPE_CHECKING:
    from verify.planning.ranked import Planned
    from verify.planning.setting import Setting

FOLDER = Path(".boundcheck/runs")
LIMIT = 60.0
"""Seconds for which any message is awaited."""


def require_engine(engine: str, *, run: bool, real: bool) -> None:
    """Refuse an engine of processes where nothing runs, or over no real link.

    Raises:
        UsageError: So it is.
    """
    if engine == "inprocess":
        return
    if not run:
        raise UsageError(f"engine={engine!r} runs processes; give --run too, or leave it out")
    if not real:
        raise UsageError(f"engine={engine!r} needs a real link; give --link RATE[,DELAY], such as 1Mbit,10ms")


def on_processes(
    setting: Setting, row: Planned, engine: str, most_rounds: int, seed: int, problem: str
) -> Planned:
    """Return a row with the seconds and rounds of a run on processes.

    Methods without halves for processes, and those that did not arrive before a faster one in their trial,
    are not run: such a run may take hours.
    """
    from verify.wires.running import Task, run

    wire = row.prediction.wire
    if wire is None:
        return replace(row, status="has no processes")
    if row.trial is None:
        return replace(row, status="later than a faster one")
    result = run(
        Task(
            setting=setting,
            problem=problem,
            chosen=wire,
            engine=engine,
            link=setting.cost.link,  # type: ignore[attr-defined]  # on a real link
            rounds=most_rounds,
            seed=seed,
            limit=LIMIT,
            port=0,
            folder=FOLDER,
        )
    )
    if result.trace_problem:
        notes = (row.prediction.note, f"its trace is cut: {result.trace_problem}")
        row = replace(row, prediction=replace(row.prediction, note="; ".join(filter(None, notes))))
    rounds = len(result.outcome.rounds)
    if result.status == "reached":
        return replace(row, rounds=float(rounds), cost=result.outcome.seconds, status="reached")
    reason = f"not reached in {rounds} rounds" if result.status == "not reached" else result.status
    return replace(row, status=reason)
