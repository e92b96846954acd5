"""One table of our speed beside plain expressions, other libraries and limits: `python benchmarks/table.py`.

`--json FILE` writes all times of all rounds, `--only WORD` takes the rows whose mechanism has the word. The
exit code is 1 where something that is asked for is missed, and not for a reason that is known.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy: CPU time of several threads would add up

from alternating import Row, as_table, measure  # noqa: E402
from coder_members import coder_cases  # noqa: E402
from members import Case, cases  # noqa: E402

KNOWN: Mapping[tuple[str, str, str], str] = {
    ("QSGD, s = 16", "1e3 f4", "naive"): "calls",
    ("QSGD, s = 16", "1e5 f4", "naive"): "allocator",
    ("QSGD, s = 16", "1e6 f4", "copy"): "random words, pages",
    ("TernGrad", "1e5 f4", "naive"): "random words",
    ("dithered, M = 3", "1e5 f4", "naive"): "random words, quotients",
    ("dithered, M = 3", "1e6 f4", "naive"): "random words, quotients",
    ("correlated, n = 16", "1e6 f8", "copy"): "random words, pages",
    ("Rand-k, k = d / 100", "1e3 f4", "naive"): "calls",
    ("Rand-k, k = d / 100", "1e5 f4", "naive"): "calls",
    ("Rand-k, k = d / 100", "1e6 f4", "naive"): "pages",
    ("squared errors, StochasticQuantizer", "1000 x 1000", "ms"): "random words",
    ("write adaptive coder, s = 16, max norm", "1e6, 3.816 bits", "ms"): "digits in turn",
    ("read adaptive coder, s = 16, max norm", "1e6, 3.816 bits", "ms"): "digits in turn",
    ("read range coder, adaptive, s = 16, max norm", "1e6, 3.817 bits", "ms"): "digits in turn",
    ("write adaptive coder, s = 127, max norm", "1e6, 6.796 bits", "ms"): "digits in turn",
    ("read adaptive coder, s = 127, max norm", "1e6, 6.796 bits", "ms"): "digits in turn",
    ("read range coder, adaptive, s = 127, max norm", "1e6, 6.796 bits", "ms"): "digits in turn",
    ("read adaptive coder, s = 16, L2 norm", "1e6, 0.1133 bits", "ms"): "digits in turn",
    ("read range coder, adaptive, s = 16, L2 norm", "1e6, 0.1134 bits", "ms"): "digits in turn",
}
"""What is missed, by mechanism, size and what is asked for, and what limits it: see benchmarks/README.md."""


def missed(case: Case, row: Row) -> list[str]:
    """Return what is asked for and not reached."""
    if "fused" not in row.times:
        return []
    found = []
    peer = next((name for name in row.times if name.startswith("peer ")), "")
    for what, wanted in case.wanted.items():
        if what == "ms":
            reached = (row.median("fused") or 0) <= wanted
        elif what == "copy":
            ratio = row.ratio("fused", "copy")
            reached = ratio is None or ratio[0] <= wanted
        else:
            ratio = row.ratio(peer if what == "peer" else what, "fused")
            reached = ratio is None or ratio[0] >= wanted
        if not reached:
            found.append(what)
    return found


def machine() -> str:
    """Return what the table was measured with."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), name)
    versions = []
    for library in ("numpy", "numba", "llvmlite", "torch"):
        try:
            versions.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            continue
    load = ", ".join(f"{item:.1f}" for item in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    python = ", ".join((f"Python {platform.python_version()}", *versions))
    return f"{name}, {os.cpu_count()} cores, load {load}; {python}"


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--only", metavar="WORD", default="")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    rows, unknown = [], []
    for case in (*cases(), *coder_cases()):
        if given.only not in case.mechanism:
            continue
        case.check()
        row = Row(case.mechanism, case.size, measure(case.members, rounds=given.rounds))
        not_reached = missed(case, row)
        reasons = [KNOWN.get((case.mechanism, case.size, what), "") for what in not_reached]
        unknown += [
            f"{case.mechanism}, {case.size}: {what} {case.wanted[what]:g}"
            for what, reason in zip(not_reached, reasons, strict=True)
            if not reason
        ]
        asked = ", ".join(f"{what} {value:g}" for what, value in case.wanted.items())
        told = "; ".join(dict.fromkeys(reason or "?" for reason in reasons))
        rows.append(Row(row.mechanism, row.d, row.times, asked, told))
        print(f"{case.mechanism}, {case.size}", file=sys.stderr)
    print(as_table(rows))
    print(f"\n{machine()}")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine(), "rows": [asdict(row) for row in rows]}, file, indent=1)
    for line in unknown:
        print(f"missed: {line}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
