"""Judge the entries of suites, each in a process of its own."""

import concurrent.futures as futures
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verify.audit.calling import MissingCodeError, compressor_of
from verify.audit.suite import Entry, Project, Suite
from verify.errors import UsageError
from verify.foreign.guard import CompressorFault
from verify.running.processes import end_with

PEERS = "BOUNDCHECK_PEERS"
"""Environment variable that names the folder with the code of others."""

NEEDS = "needs "
"""A note begins with it where an entry cannot run everywhere."""


@dataclass(frozen=True)
class Finding:
    """What is said of an entry.

    Args:
        suite: Name of the project.
        entry: The entry.
        verdict: One of `verify.audit.suite.VERDICTS`.
        reason: What decided it, or why it did not run.
        witness: The counterexample.
        claims: The claims, with what the object states itself.
        seconds: CPU time.
    """

    suite: str
    entry: Entry
    verdict: str
    reason: str
    witness: dict[str, Any] | None
    claims: dict[str, Any]
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Return whether it is what the suite says was found, and for the reason that it says.

        What the suite says is not there everywhere (its note begins with `needs `) may also not run.
        """
        if self.verdict == "not_run" and self.entry.note.startswith(NEEDS):
            return True
        return self.verdict == self.entry.expect and self.entry.expect_reason in self.reason

    @property
    def differs(self) -> bool:
        """Return whether it ran, and is not as expected."""
        return self.verdict != "not_run" and not self.as_expected

    def document(self) -> dict[str, Any]:
        """Return the machine-readable form."""
        found = asdict(self) | {"as_expected": self.as_expected}
        return found | {"entry": asdict(self.entry)}


def judge_suites(
    suites: Sequence[Suite],
    *,
    peers: str | Path | None = None,
    jobs: int = 1,
    settings: dict[str, Any] | None = None,
    progress: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:
    """Judge all entries; a process that dies takes only its own entry with it.

    Args:
        suites: The suites.
        peers: Folder with the code of others, `BOUNDCHECK_PEERS` by default.
        jobs: Entries at once.
        settings: Further arguments of `check_compressor`.
        progress: Called with each finding as it comes.

    Raises:
        UsageError: The folder of the peers is not there.
    """
    folder = peers if peers is not None else os.environ.get(PEERS)
    if folder and not Path(folder).is_dir():
        raise UsageError(
            f"peers={str(folder)!r} is no folder; give the one with the code of others (--peers)"
        )
    tasks = [(suite.project, entry) for suite in suites for entry in suite.entries]
    found: dict[int, Finding] = {}
    context = multiprocessing.get_context("spawn")

    def run(place: int) -> None:
        project, entry = tasks[place]
        with futures.ProcessPoolExecutor(1, context, end_with, (os.getpid(),)) as pool:
            try:
                found[place] = pool.submit(judge_entry, project, entry, folder, settings or {}).result()
            except futures.process.BrokenProcessPool:
                reason = (
                    "its process died: killed, for memory perhaps, or it left the program; judge it again"
                )
                found[place] = Finding(project.name, entry, "inconclusive", reason, None, {}, 0.0)
            except Exception as error:  # what is said of others must not end with one of them
                reason = f"{type(error).__name__}: {error}"
                found[place] = Finding(project.name, entry, "mistake", reason, None, {}, 0.0)
        progress(found[place])

    with futures.ThreadPoolExecutor(max(1, jobs)) as threads:
        list(threads.map(run, range(len(tasks))))
    return [found[place] for place in range(len(tasks))]


def judge_entry(
    project: Project, entry: Entry, peers: str | Path | None, settings: dict[str, Any]
) -> Finding:
    """Judge an entry in this process, which has the code of its project on its path from then on."""
    from threadpoolctl import threadpool_limits

    from verify.compressor_check import check_compressor
    from verify.foreign.state.memory import limited_memory

    start = time.process_time()

    def say(verdict: str, reason: str, **further: Any) -> Finding:
        further = {"witness": None, "claims": {}} | further
        return Finding(project.name, entry, verdict, reason, seconds=time.process_time() - start, **further)

    missing = _missing(project, peers)
    if missing:
        return say("not_run", missing)
    claims: dict[str, Any] = {}
    try:
        with threadpool_limits(1), limited_memory():
            compressor, claims = compressor_of(entry)
            report = check_compressor(
                compressor,
                d=entry.d,
                n=entry.n,
                dtype=entry.dtype,
                framework=entry.framework or "numpy",
                **({"resolution": entry.resolution} | settings | claims),
            )
    except MissingCodeError as error:
        return say("not_run", str(error))
    except CompressorFault as error:
        return say("refused", str(error), claims=claims)
    except UsageError as error:
        return say("mistake", str(error), claims=claims)
    decisive = report.decisive if report.verdict == "violated" else None
    reasons = [item for item in report.checks if item.evidence.verdict == report.verdict]
    first = decisive or (reasons or list(report.checks))[0]
    witness = report.witness
    return say(
        report.verdict,
        f"{first.name}: {first.evidence.reason}",
        witness=dict(witness) if witness else None,
        claims=claims,
    )


def _missing(project: Project, peers: str | Path | None) -> str:
    """Return what is missing, empty where all is there; put the folder of the project on the path."""
    if project.folder:
        if peers is None:
            return f"{PEERS} names no folder with the code of {project.name} ({project.url})"
        folder = Path(peers) / project.folder
        if not folder.is_dir():
            return f"{project.folder} is not below {PEERS}; it holds {project.url} at {project.commit[:10]}"
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    missing = [name for name in project.requires if find_spec(name) is None]
    return f"{', '.join(missing)} is not installed" if missing else ""
