"""One method on one engine: first in this process, which fixes its course, then on real processes."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError
from verify.wires.methods import Choice, halves

if TYPE_CHECKING:
    from impl.wires import Link, Outcome, Round, Session
    from verify.planning.setting import Setting

NO_RUN = "there is no run"
"""What ranks are told first where rank 0 finds an error of the user."""

_CODES = {"the run diverged": 1, NO_RUN: 2}


@dataclass(frozen=True)
class Task:
    """What runs, and how.

    Args:
        setting: Problem and accuracy.
        problem: Its name.
        chosen: The method.
        engine: `inprocess`, `tcp`, `tun` or `mpi`.
        link: Of each worker.
        rounds: At most so many.
        seed: Of all draws.
        limit: Seconds for which any message is awaited.
        port: Of the server over TCP, 0 for any.
        folder: Where the trace is written.
    """

    setting: Setting
    problem: str
    chosen: Choice
    engine: str
    link: Link
    rounds: int
    seed: int
    limit: float
    port: int
    folder: Path

    @property
    def seeds(self) -> tuple[int, int]:
        """Two words that all ends hold."""
        return self.seed, 0

    def session(self) -> Session:
        """Return what all ends agree on."""
        from impl.wires import Session

        return Session(
            {
                "method": self.chosen.words,
                "levels": self.chosen.levels,
                "probability": self.chosen.probability,
                "float_bits": self.chosen.float_bits,
                "seed": self.seed,
                "n": self.setting.n,
                "d": self.setting.d,
            }
        )


@dataclass(frozen=True)
class Result:
    """What became of a task.

    Attributes:
        task: The task.
        status: `reached`, `not reached`, `diverged`, `failed` or `interrupted`.
        reason: Why, where the accuracy was not reached.
        outcome: Of the engine.
        step_size: gamma.
        gap: f - f* at the last point, over that at the start.
        trace: The file that keeps every round.
        note: Why the engine is another one than asked for.
        trace_problem: Why the trace is cut, empty where it is whole.
    """

    task: Task
    status: str
    reason: str
    outcome: Outcome
    step_size: float
    gap: float
    trace: Path
    note: str = ""
    trace_problem: str = ""

    def document(self) -> dict[str, Any]:
        """Return everything as numbers and text."""
        rounds, task, setting = self.outcome.rounds, self.task, self.task.setting
        return {
            "method": task.chosen.words,
            "problem": {
                "name": task.problem,
                "n": setting.n,
                "d": setting.d,
                "L": setting.L,
                "mu": setting.mu,
            },
            "engine": task.engine,
            "link": {
                "rate": task.link.rate if task.link.rate < math.inf else None,
                "delay": task.link.delay,
                "downlink": task.link.downlink,
            },
            "accuracy": setting.accuracy,
            "seed": task.seed,
            "status": self.status,
            "reason": self.reason,
            "note": self.note,
            "rounds": len(rounds),
            "seconds": self.outcome.seconds,
            "bytes_up": sum(item.up for item in rounds),
            "bytes_down": sum(item.down for item in rounds),
            "relative_gap": self.gap if math.isfinite(self.gap) else None,
            "step_size": self.step_size,
            "server": self.outcome.server,
            "workers": self.outcome.reports,
            "machine": machine(),
            "trace": str(self.trace),
            "trace_problem": self.trace_problem,
        }


def machine() -> dict[str, Any]:
    """Return what a time depends on."""
    import numpy as np

    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def run(task: Task, communicator: Any = None) -> Result:
    """Run a task.

    In this process it runs until the accuracy, or `rounds`; the engine then runs as many rounds, and must
    repeat every byte and every point: a difference is a failure.

    Args:
        task: What runs.
        communicator: Of the ranks, for the engine `mpi`, of which this is rank 0.

    Raises:
        ArgumentError, UsageError: What the user can mend.
    """
    from impl.wires.transports.inprocess import run_in_process

    task, note = with_engine(task)
    setting, session = task.setting, task.session()
    made = halves(setting, task.chosen, task.seeds)
    least = setting.problem.objective(setting.problem.solution)
    trace = Trace(task)

    def close(x: Any) -> bool:
        return float(setting.problem.objective(x) - least) <= setting.target

    own = task.engine == "inprocess"
    with trace:
        course = run_in_process(
            made.server,
            made.workers,
            session,
            rounds=task.rounds,
            until=close,
            observe=trace.add if own else None,
        )
        if own or course.status != "done":
            outcome = course
        else:
            outcome = _on_engine(task, len(course.rounds), session, trace.add, communicator)
            if outcome.status == "done":
                difference = outcome.same_course(course)
                if difference:
                    outcome.status = "failed"
                    outcome.reason = f"engine {task.engine} left the course of engine inprocess: {difference}"
        last = outcome.points[-1]
        gap = float(setting.problem.objective(last) - least) / setting.gap
        status, reason = str(outcome.status), outcome.reason
        if status == "done":
            reached = close(last)
            status = "reached" if reached else "not reached"
            reason = "" if reached else f"{task.rounds} rounds were not enough; give more by --rounds"
        result = Result(task, status, reason, outcome, made.step_size, gap, trace.path, note)
        trace.end(result.document())
    return replace(result, trace_problem=trace.problem)


def with_engine(task: Task) -> tuple[Task, str]:
    """Return a task with an engine that can be had here, and why where it is another one."""
    if task.engine != "tun":
        return task, ""
    try:
        from impl.wires.transports.tun import NotPermittedError, require_tunnels
    except ImportError:  # fcntl is of Unix
        return replace(task, engine="tcp"), "engine tun is of Linux only: messages are held back by the clock"
    try:
        require_tunnels()
    except NotPermittedError as error:
        return replace(task, engine="tcp"), f"engine tun: {error}; messages are held back by the clock"
    return task, ""


def _on_engine(
    task: Task, rounds: int, session: Session, observe: Callable[[Round], None], communicator: Any
) -> Outcome:
    made = halves(task.setting, task.chosen, task.seeds)
    common: dict[str, Any] = {"link": task.link, "rounds": rounds, "limit": task.limit, "observe": observe}
    if task.engine == "tcp":
        from impl.wires.transports.tcp import run_over_tcp

        return run_over_tcp(made.server, made.workers, session, port=task.port, **common)
    if task.engine == "tun":
        from impl.wires.transports.tun import run_over_tun

        return run_over_tun(made.server, made.workers, session, **common)
    from impl.wires.transports.mpi import serve_ranks

    return serve_ranks(communicator, made.server, made.workers, session, **common)


class Trace:
    """A file with a line of JSON for the task, for each round as it ends, and for the result.

    A disk that fills up ends the trace behind its last whole line, not the run, which may take hours.

    Args:
        task: The task.

    Attributes:
        path: The file.
        problem: Why it is cut, empty where it is whole.

    Raises:
        UsageError: The folder cannot be written.
    """

    def __init__(self, task: Task) -> None:
        name = "-".join((task.chosen.words, Path(task.problem).name, task.engine, str(task.seed)))
        self.path = task.folder / (name.replace(":", "_") + ".jsonl")
        self.problem = ""
        self._task = task

    def __enter__(self) -> Trace:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._new()
        except OSError as error:
            raise UsageError(self._refused(error)) from None
        words = self._task.session().words
        self._write(
            {"task": words, "problem": self._task.problem, "engine": self._task.engine, "at": time.time()}
        )
        if self.problem:  # nothing has run yet
            self._file.close()
            self.path.unlink()
            raise UsageError(self.problem)
        return self

    def _refused(self, error: OSError) -> str:
        told = f"out={str(self._task.folder)!r} cannot be written ({error.strerror or error})"
        return f"{told}; make room, or choose another folder with --out DIR"

    def _new(self) -> FileIO:
        """Open a file that is not there yet: the trace of an earlier run stays."""
        stem = self.path.stem
        for number in itertools.count(2):
            try:
                return self.path.open("xb", buffering=0)
            except FileExistsError:
                self.path = self.path.with_name(f"{stem}-run{number}.jsonl")
        raise AssertionError("numbers do not end")

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, item: Round) -> None:
        """Write a round at once: what is written stays when the process dies."""
        self._write({"seconds": item.seconds, "up": item.up, "down": item.down})

    def end(self, document: dict[str, Any]) -> None:
        """Write the result."""
        kept = {key: value for key, value in document.items() if not key.startswith("trace")}
        self._write({"result": kept})

    def _write(self, document: dict[str, Any]) -> None:
        if self.problem:
            return
        start, line = self._file.tell(), (json.dumps(document) + "\n").encode()
        try:
            while line:  # the last that fits is written in part
                line = line[self._file.write(line) :]
        except OSError as error:
            with contextlib.suppress(OSError):  # a line cut off is the lesser evil
                self._file.truncate(start)
            self.problem = self._refused(error)


def work_as_rank(communicator: Any, limit: float) -> int:
    """Be a worker of rank 0; return the exit code, with a line on standard error where it is not 0."""
    from impl.errors import ArgumentError, MessageError
    from impl.wires.channel import WireError
    from impl.wires.transports.mpi import MpiChannel
    from impl.wires.transports.worker_process import answer

    place = communicator.Get_rank() - 1
    channel = MpiChannel("the server", communicator, 0)
    try:
        reason = answer(channel, limit)
    except (WireError, MessageError, ArgumentError) as error:
        reason = str(error)
    if reason:
        print(f"worker {place} stops: {reason}", file=sys.stderr)  # noqa: T201  # as the workers over TCP do
    channel.finish(limit)
    if not reason:
        return 0
    return next((code for words, code in _CODES.items() if reason.startswith(words)), 3)
