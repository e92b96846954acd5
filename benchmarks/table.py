"""One table of our speed beside plain expressions, other libraries and limits: `python benchmarks/table.py`.

`--json FILE` writes all times of all rounds in the format of pytest-benchmark; `--rounds N` sets how often;
`--only WORD`, once or more, takes the rows whose mechanism has a word. The exit code is 1 where something is
missed that is asked for, and not as is known, or where the fused tier is not there: then nothing is judged.
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import replace
from importlib import metadata

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy: CPU time of several threads would add up

from alternating import Row, as_table, measure  # noqa: E402
from as_pytest_benchmark import document  # noqa: E402
from cases import Case  # noqa: E402
from coder_members import coder_cases  # noqa: E402
from known_misses import KNOWN  # noqa: E402
from law_members import law_cases  # noqa: E402
from members import quantizer_cases  # noqa: E402
from method_members import method_cases  # noqa: E402
from sparse_members import sparse_cases  # noqa: E402
from targets import Measured, Verdict, has_wide_vectors, judge_all  # noqa: E402

from impl import tiers  # noqa: E402


def verdicts(case: Case, row: Row, *, wide: bool) -> dict[str, Verdict]:
    """Say of each thing that is asked for what became of it; what is no member was not measured."""
    measured = {}
    for what in case.wanted:
        if what.endswith("ms"):
            member = what.removesuffix("ms").strip() or "fused"
            copies = row.ratio(member, "copy")
            measured[what] = Measured(row.median(member), None if copies is None else copies[0])
        else:
            ratio = row.ratio("fused", "copy") if what == "copy" else row.ratio(what, "fused")
            measured[what] = Measured(None if ratio is None else ratio[0])
    return judge_all(case.wanted, measured, KNOWN.get((case.mechanism, case.size), {}), wide=wide)


def machine() -> str:
    """Return what the table was measured with."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), name)
    versions = []
    for library in ("numpy", "numba", "llvmlite", "torch", "constriction", "fht-cpu"):
        try:
            versions.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            continue
    load = ", ".join(f"{item:.1f}" for item in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    python = ", ".join((f"Python {platform.python_version()}", *versions))
    vectors = "with AVX-512" if has_wide_vectors() else "without AVX-512"
    return f"{name}, {os.cpu_count()} cores, {vectors}, load {load}; {python}"


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--only", metavar="WORD", action="append")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    rows: list[Row] = []
    told: dict[str, list[str]] = {"not measured": [], "missed": []}
    groups = (quantizer_cases, sparse_cases, law_cases, method_cases, coder_cases)
    for case in (case for group in groups for case in group()):
        if given.only and not any(word in case.mechanism for word in given.only):
            continue
        case.check()
        times = measure(case.members, rounds=given.rounds)
        each = {name: [time / case.per for time in found] for name, found in times.items()}
        row = Row(case.mechanism, case.size, each)
        found = verdicts(case, row, wide=has_wide_vectors())
        rows.append(replace(row, wanted="; ".join(verdict.text for verdict in found.values())))
        for verdict in found.values():
            told.get(verdict.state, []).append(f"{case.mechanism}, {case.size}: {verdict.text}")
        print(f"{case.mechanism}, {case.size}", file=sys.stderr)
    if not rows:
        parser.error(f"no mechanism has {' or '.join(given.only or [])}")
    print(as_table(rows))
    print(f"\n{machine()}")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(document(rows, machine()), file, indent=1)
    for state, lines in told.items():
        print("\n".join(["", f"{state}: {len(lines)}", *lines]) if lines else f"\n{state}: none")
    if not tiers.is_installed():
        print("\nnumba is not installed: the fused tier was not measured")
    return 1 if told["missed"] or not tiers.is_installed() else 0


if __name__ == "__main__":
    sys.exit(main())
