"""The table in the format of pytest-benchmark, so that its tools read it: `pytest-benchmark compare FILE`."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from alternating import Row


def document(rows: Sequence[Row], machine: str) -> dict[str, Any]:
    """Return what `--benchmark-json` writes: each member of a row is a benchmark, a row is a group."""
    from pytest_benchmark import __version__
    from pytest_benchmark.utils import get_commit_info

    return {
        "machine_info": {"machine": machine},
        "commit_info": get_commit_info(),
        "benchmarks": list(_benchmarks(rows)),
        "datetime": datetime.now(UTC).isoformat(),
        "version": __version__,
    }


def _benchmarks(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    from pytest_benchmark.stats import Stats

    for row in rows:
        for member, times in row.times.items():
            stats = Stats()
            for time in times:
                stats.update(time / 1e3)  # seconds
            name = f"{row.mechanism}, {row.d}: {member}"
            yield {
                "group": f"{row.mechanism}, {row.d}",
                "name": name,
                "fullname": f"benchmarks/table.py::{name}",
                "params": None,
                "param": None,
                "extra_info": {"wanted": row.wanted},
                "options": {"timer": "process_time"},
                "stats": {**stats.as_dict(), "data": stats.data, "iterations": 1},
            }
