"""What the coordinator of a run spends on a unit, and how much memory a very large run takes.

    python benchmarks/test_many_units.py 100000

prints the figures of docs/howto/clusters.md. This suite is synthetic: claims with many checks that cost
little, so that nearly all time is that of planning, handing out, writing and reading.
"""

import json
import resource
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

CHECKS = 100
"""Checks of one claim."""


def test_a_unit_costs_less_than_a_millisecond(tmp_path):
    done = subprocess.run(
        [sys.executable, __file__, "10000", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["units"] == 10_000
    # Of the coordinator alone; what workers do is not overhead.
    assert found["first run"]["ms a unit"] < 1
    assert found["resumed"]["ms a unit"] < 1
    assert found["peak MB"] < 1000


def synthetic(units):
    """Replace all papers by one whose claims have so many checks."""
    import theory
    from theory.claim import Claim, Part
    from theory.paper import Paper
    from theory.reading.index import Entry, Index
    from verify import binding
    from verify.binding import Check
    from verify.comparison import Comparison
    from verify.judging import verdicts
    from verify.rungs.exact import ExactCase
    from verify.running import runner

    paper = Paper("synthetic", "Many checks", ("Nobody",), 2026, "2601.00001", "")

    def claim(number):
        part = Part("a", "It is at most one half.", (), ("exact/half",))
        name = f"synthetic/c{number}"
        return Claim(name, "upper", "derived", f"Claim {number}", number + 1, paper, "", (part,))

    def compare():
        return [Comparison("half", "le", Fraction(1, 4), Fraction(1, 2))]

    claims = {item.id: item for item in map(claim, range(units // CHECKS))}
    entries = {
        item.id: Entry(
            item.id, "synthetic", "upper", "derived", item.title, item.position,
            "theory.squant.variance.var", Path("var.py"), "verify.squant.variance.var",
        )
        for item in claims.values()
    }  # fmt: skip

    def checks(item):
        return tuple(Check("exact", f"c{k}", ExactCase(compare), {"k": k}) for k in range(CHECKS))

    theory.read_index = lambda: Index(entries, {}, ())
    theory._loaded = lambda entry: claims[entry.id]
    for module in (binding, runner):
        module.checks_of = checks
    for module in (binding, verdicts):
        module.mutants_of = lambda item: ()


def measured(call):
    """Return the report of a call, and what it took of this process, children apart."""
    wall, cpu = time.perf_counter(), time.process_time()
    report = call()
    return report, time.perf_counter() - wall, time.process_time() - cpu


def main(units, folder):
    import sympy  # noqa: F401 - what is imported once is not spent on units

    from verify.running.runner import verify

    synthetic(units)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"units": units, "MB before": round(before)}
    for name, resume in (("first run", False), ("resumed", True)):
        report, wall, cpu = measured(lambda resume=resume: verify("*", out=folder, jobs=2, resume=resume))
        assert sum(len(result.records) for result in report.claims) == units
        assert report.cached == (units if resume else 0)
        figures[name] = {"wall s": round(wall, 1), "ms a unit": round(1e3 * cpu / units, 3)}
    figures["peak MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(figures))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else scratch)
