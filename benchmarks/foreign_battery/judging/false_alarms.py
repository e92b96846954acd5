"""Many checks of right compressors, each with a seed of its own: none may be refuted."""

import datetime
import json
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.foreign_battery import right
from verify import check_compressor
from verify.errors import UsageError

D, RESOLUTION, SAMPLES = 16, 0.5, 2**7
"""Small and coarse, so that there can be many: the level of each test is the same at every budget."""

WANTED = 10_000
"""Runs that the page speaks of."""

_CHUNK = 50


def look(runs: int, results: Path, digest: str) -> int:
    """Go on until so many runs are done with these sources; return 1 where one was an alarm."""
    done = [item for item in _read(results) if item["digest"] == digest]
    count, alarms = sum(item["runs"] for item in done), [name for item in done for name in item["alarms"]]
    while count < runs and not alarms:
        start, found = time.process_time(), []
        size = min(_CHUNK, runs - count)
        for run in range(count, count + size):
            case = right.CASES[run % len(right.CASES)]
            verdict = _verdict(case, run)
            if verdict not in ("consistent", "inconclusive"):
                found.append(f"{case.name} in run {run}: {verdict}")
        count, alarms = count + size, alarms + found
        seconds = time.process_time() - start
        with results.open("a") as lines:
            lines.write(
                json.dumps({"digest": digest, "runs": size, "alarms": found, "seconds": seconds}) + "\n"
            )
    print(f"{count} checks of {len(right.CASES)} right compressors at d={D}: {len(alarms)} false alarms")
    print("\n".join(alarms))
    return 1 if alarms else 0


def summary(results: Path, digest: str) -> str:
    """Return what these sources have to show, in words."""
    last = [item for item in _read(results) if item["digest"] == digest]
    if not last:
        return "No run of these sources is recorded."
    runs, alarms = sum(item["runs"] for item in last), sum(len(item["alarms"]) for item in last)
    hours = sum(item["seconds"] for item in last) / 3600
    when = datetime.date.fromtimestamp(results.stat().st_mtime).isoformat()
    return (
        f"`python -m benchmarks.foreign_battery --false-alarms {WANTED}`, {when}: {runs} of {WANTED} runs "
        f"were made, {alarms} false alarms, in {hours:.1f} CPU hours. A run is one `check_compressor` of a "
        f"right compressor, of all {len(right.CASES)} in turn, at d = {D}, with a seed of its own, all "
        f"inputs and claims, no time limit, `resolution={RESOLUTION}` and at most {SAMPLES} samples "
        "at one input. Every test may be looked at after every sample: the level does not depend on how many "
        "there are."
    )


def _verdict(case, run):
    with threadpool_limits(1):
        try:
            return check_compressor(
                case.make(D),
                d=D,
                n=case.n,
                rng=np.random.Generator(np.random.Philox((31, run))),
                resolution=RESOLUTION,
                samples=SAMPLES,
                **case.claims(D),
            ).verdict
        except UsageError as error:
            return f"refused: {error}"


def _read(results: Path):
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
