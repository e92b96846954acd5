"""What travels to a worker and back; closures do not travel, so the worker builds the checks itself."""

import os
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verify.backends import Pool
from verify.backends.chunks import TEXTS, Key
from verify.backends.versions import differences, versions
from verify.binding import Profile
from verify.records.folder import Record

_ONE_AT_A_TIME = threading.Lock()
"""Limits of BLAS and the caches of the kernel belong to a process, so its threads take turns."""


@dataclass(frozen=True)
class Task:
    """Units for one worker.

    Args:
        keys: Claim, rung and instance of each; claim, `TEXTS` and nothing for the texts of a claim.
        profile: `quick` or `full`.
        seed: Master seed.
        packages: Papers of other people that are used.
        versions: What the run is judged with; empty where a worker cannot differ.
        tier: Who draws, as of `judge_unit`.
    """

    keys: tuple[Key, ...]
    profile: Profile
    seed: int
    packages: tuple[str, ...]
    versions: Mapping[str, str]
    tier: str = "numpy"


@dataclass(frozen=True)
class Refusal:
    """Why a worker judges nothing."""

    reason: str


def tasks_of(
    chunks: Sequence[tuple[Key, ...]], profile: Profile, seed: int, tier: str, pool: Pool
) -> Iterator[Task]:
    """Yield the task of each chunk."""
    from theory.reading.roots import used

    packages = used()
    wanted = versions(packages) if pool.foreign else {}
    for keys in chunks:
        yield Task(keys, profile, seed, packages, wanted, tier)


def judge_task(task: Task) -> Sequence[Record] | Refusal:
    """Judge the units of a task in a worker process, or read its texts, unless it has other versions."""
    from theory.reading.roots import use

    use(task.packages)
    other = differences(versions(task.packages), task.versions) if task.versions else ""
    if other:
        return Refusal(f"worker {socket.gethostname()} (process {os.getpid()}) has {other}")
    from verify.running.runner import rare_collections

    with _ONE_AT_A_TIME, rare_collections():
        return [_answer(key, task) for key in task.keys]


def _answer(key: Key, task: Task) -> Record:
    if key[1] == TEXTS:
        import theory
        from verify.judging.parts import tie_problems

        return {"claim": key[0], TEXTS: tie_problems(theory.claim(key[0]))}
    from verify.judging.judgement import judge_unit
    from verify.running.runner import unit_of

    return judge_unit(unit_of(*key), task.profile, task.seed, tier=task.tier)
