"""`python -m benchmarks.foreign_battery` judges the battery, or looks for false alarms, and resumes."""

import argparse
import datetime
import fnmatch
import hashlib
import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.foreign_battery.judging import judged, table
from benchmarks.foreign_battery.judging.false_alarms import RESOLUTION, SAMPLES, D, look, summary

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foreign_battery")
    parser.add_argument("pattern", nargs="?", default="*", help="family/name, such as 'norms/*'")
    parser.add_argument("--results", type=Path, default=ROOT / ".boundcheck" / "battery.jsonl")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table, such as docs/battery.md")
    parser.add_argument(
        "--false-alarms", type=int, metavar="RUNS", help="so many checks of right compressors"
    )
    parser.add_argument(
        "--known", action="store_true", help="judge nothing: take the results that are there already"
    )
    parser.add_argument(
        "--commit", help="commit of the sources, for the page  [default: that of the checkout]"
    )
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    if options.false_alarms is not None:
        return look(
            options.false_alarms, options.results.with_name("battery-false-alarms.jsonl"), _digest("")
        )
    left: list[str] = []
    found = list(_judged(options.pattern, options.results, left if options.known else None))
    missed = [item for item in found if item.missed]
    print(table.summary(found, left))
    if options.write is not None:
        alarms = summary(options.results.with_name("battery-false-alarms.jsonl"), _digest(""))
        options.write.write_text(table.page(found, left, alarms, _basis(options.results, options.commit)))
    return 1 if missed else 0


def _judged(pattern: str, results: Path, left: list[str] | None) -> Iterator[judged.Judged]:
    """Yield the results, those that are there already and of the same sources from the file.

    Args:
        pattern: Of the cases.
        results: The file.
        left: What takes the names of cases without a result; None to judge them.
    """
    known = {}
    if results.exists():
        for line in results.read_text().splitlines():
            entry: dict[str, Any] = json.loads(line)
            digest = entry.pop("digest")
            known[digest, entry["family"], entry["name"], entry["d"]] = judged.Judged(**entry)
    for family, case in judged.cases():
        for d in case.dimensions:
            if not fnmatch.fnmatch(f"{family}/{case.name}", pattern):
                continue
            key = (_digest(family), family, case.name, d)
            if key not in known and left is not None:
                left.append(f"{family}: {case.name} at d = {d}")
                continue
            if key not in known:
                known[key] = judged.judge(family, case, d)
                with results.open("a") as lines:
                    lines.write(json.dumps(known[key].document() | {"digest": key[0]}) + "\n")
            item = known[key]
            sign = "MISSED " if item.missed else ""
            print(
                f"{sign}{family}/{case.name} d={d}: size {item.size:.3%}, {item.verdict} in "
                f"{item.seconds:.1f} s {item.why[:90]}",
                file=sys.stderr,
            )
            yield item


def _basis(results: Path, commit: str | None) -> str:
    """Return when and of which sources the results are."""
    if commit is None:
        asked = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    when = datetime.date.fromtimestamp(results.stat().st_mtime).isoformat()
    return f"{when} at commit {commit}, with Python {platform.python_version()} and numpy {np.__version__}"


def _digest(family: str) -> str:
    """Return a digest of what decides the verdict of a family: the check, the evidence, the family.

    Without a family that of the many runs of right compressors, with their settings.
    """
    here = Path(__file__).parent
    files = sorted(
        [*(ROOT / "verify" / "foreign").rglob("*.py"), *(ROOT / "verify" / "evidence").glob("*.py")]
    )
    files += [ROOT / "verify" / "compressor_check.py", here / "mechanisms.py", here / "case.py"]
    files += [here / f"{family or 'right'}.py"]
    digest = hashlib.sha256(b"" if family else repr((D, RESOLUTION, SAMPLES)).encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
