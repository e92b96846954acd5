"""Trials: a method in one process until the accuracy, priced by the model of seconds of its link."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from impl.wires import Link, Outcome
    from verify.planning.setting import Prediction, Setting

MOST_ROUNDS, MOST_CPU = 1500, 5.0
"""Of one trial; what takes longer is told by its bound alone."""


@dataclass(frozen=True)
class Trial:
    """What became of a trial.

    Attributes:
        seconds: Of the model, infinite where the accuracy was not reached.
        at_least: Seconds of the model of the rounds that were made.
        course: These rounds.
    """

    seconds: float
    at_least: float
    course: Outcome


def trial(setting: Setting, prediction: Prediction, link: Link, compute: float, most: float) -> Trial:
    """Run a method that has halves for processes, but for no more than so many seconds of the model.

    Args:
        setting: Problem and accuracy.
        prediction: The method; its seed is 0.
        link: The link.
        compute: Seconds of computing in a round.
        most: Seconds of the model after which it is given up.
    """
    from impl.wires import Session
    from impl.wires.transports.inprocess import run_in_process
    from verify.wires.methods import halves

    assert prediction.wire is not None
    made, objective = halves(setting, prediction.wire, (0, 0)), setting.problem.objective
    least, end = objective(setting.problem.solution), time.process_time() + MOST_CPU
    spent, reached = 0.0, False

    def is_over(x: Any) -> bool:
        nonlocal reached
        reached = bool(objective(x) - least <= setting.target)
        return reached or spent > most or time.process_time() > end

    def observe(item: Any) -> None:
        nonlocal spent
        spent += compute + link.round_trip(item.down // setting.n, item.longest)

    course = run_in_process(
        made.server, made.workers, Session({}), rounds=MOST_ROUNDS, until=is_over, observe=observe
    )
    reached = reached or bool(objective(course.points[-1]) - least <= setting.target)
    arrived = reached and course.status == "done" and spent <= most
    return Trial(spent if arrived else math.inf, spent, course)
