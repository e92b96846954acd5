"""Hand out tasks, collect what comes back, and run again what died with its worker."""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from queue import Empty, SimpleQueue
from time import monotonic

from verify.backends import Pool
from verify.backends.chunks import Key
from verify.backends.task import Refusal, Task, judge_task
from verify.errors import BackendError
from verify.records.folder import Record

AHEAD = 2
"""Tasks per worker that are handed over at a time: none waits for the coordinator, and memory stays flat."""

ABSENCE = 60.0
"""Seconds that a cluster may be without any worker before the run ends."""


@dataclass(frozen=True)
class LostUnit:
    """A unit whose worker died each time; `reason` says how often, and of what."""

    key: Key
    reason: str


def outcomes(pool: Pool, tasks: Iterable[Task]) -> Iterator[Record | LostUnit]:
    """Yield the records of all tasks as they come; a dead worker costs others nothing.

    What was with a worker that died comes last: each unit as a task of its own, and what dies then once more
    with nothing beside it, since some libraries end all workers when one dies.

    Raises:
        BackendError: A worker has other versions, or the whole backend has ended.
    """
    deaths: Counter[Key] = Counter()
    for at_a_time in (AHEAD * pool.workers, pool.workers, 1):
        lost: list[Task] = []
        yield from _round(pool, tasks, at_a_time, lost, deaths)
        tasks = [replace(task, keys=(key,)) for task in lost for key in task.keys]
    for task in tasks:
        (key,) = task.keys
        died = f"its worker died each of {deaths[key]} times (killed, or out of memory)"
        yield LostUnit(key, f"{died}; run it by itself with --jobs 1")


def _round(
    pool: Pool, tasks: Iterable[Task], at_a_time: int, lost: list[Task], deaths: "Counter[Key]"
) -> Iterator[Record]:
    """Yield the records of tasks; those whose worker has died are added to `lost`."""
    waiting = iter(tasks)
    running: dict[Future[object], Task] = {}
    done: SimpleQueue[Future[object]] = SimpleQueue()

    def submit(number: int) -> None:
        for task in islice(waiting, number):
            future = pool.submit(judge_task, task)
            running[future] = task
            future.add_done_callback(done.put)

    submit(at_a_time)
    while running:
        future = _next(pool, done)
        task = running.pop(future)
        try:
            records = _records(pool, future)
        except pool.lost as error:
            lost.append(task)
            deaths.update(dict.fromkeys(task.keys, pool.deaths(error)))
        else:
            yield from records
        submit(1)


def _next(pool: Pool, done: "SimpleQueue[Future[object]]") -> "Future[object]":
    """Wait for a future, as long as there is a worker that could complete it."""
    seen = monotonic()
    while True:
        try:
            return done.get(timeout=ABSENCE / 4)
        except Empty:
            if pool.present():
                seen = monotonic()
            elif monotonic() - seen > ABSENCE:
                raise _ended(f"no worker for {ABSENCE:g} s") from None


def _records(pool: Pool, future: "Future[object]") -> list[Record]:
    """Return the records of a task; what its future raises when its worker has died goes through."""
    try:
        found = future.result()
    except pool.gone as error:
        raise _ended(f"{type(error).__name__}: {error}") from error
    except (ModuleNotFoundError, AttributeError) as error:
        if not pool.foreign:
            raise
        raise BackendError(
            f"a worker cannot do what it is asked ({type(error).__name__}: {error}): install the same "
            "boundcheck for all workers"
        ) from error
    if isinstance(found, Refusal):
        raise BackendError(f"{found.reason}; records would differ: install the same versions for all workers")
    assert isinstance(found, list)
    return found


def _ended(reason: str) -> BackendError:
    return BackendError(
        f"the scheduler or all workers are gone ({reason}); finished records are kept, go on with --resume"
    )
