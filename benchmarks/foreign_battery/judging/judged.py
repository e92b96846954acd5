"""Judge one case at default settings, and say what it means."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.foreign_battery import (
    constants,
    dtypes,
    layout,
    memories,
    nodes,
    norms,
    right,
    rounding,
    scaling,
    sparsifiers,
)
from benchmarks.foreign_battery.case import Case
from verify import check_compressor
from verify.errors import UsageError

LEAST, SECONDS = 0.02, 20.0
"""A fault of this size must be refuted within so many seconds of CPU time."""

FAMILIES = (scaling, rounding, sparsifiers, norms, layout, dtypes, constants, nodes, memories, right)


@dataclass(frozen=True)
class Judged:
    """What `check` made of a case at one dimension.

    Args:
        family: Module of the case.
        name: Its name.
        fault: What is wrong, empty for a right one.
        d: Dimension.
        size: Size of the fault relative to what the claim allows.
        verdict: Of the check; "refused" where a call was an error.
        seconds: CPU time.
        why: The check that refuted it, or its words.
    """

    family: str
    name: str
    fault: str
    d: int
    size: float
    verdict: str
    seconds: float
    why: str

    @property
    def missed(self) -> bool:
        """Return whether a fault that must be refuted passes, or takes too long, or a right one does not."""
        if not self.fault:
            return self.verdict in ("violated", "refused")
        return self.size >= LEAST and (self.verdict not in ("violated", "refused") or self.seconds > SECONDS)

    def document(self) -> dict[str, Any]:
        return asdict(self)


def cases() -> Iterator[tuple[str, Case]]:
    """Yield the family and each case."""
    for module in FAMILIES:
        for case in module.CASES:
            yield module.__name__.rpartition(".")[2], case


def judge(family: str, case: Case, d: int, **settings: Any) -> Judged:
    """Judge a case, at default settings where none are given."""
    size = 0.0 if case.right else case.size(d)
    start = time.process_time()
    with threadpool_limits(1):
        try:
            report = check_compressor(case.make(d), d=d, n=case.n, **case.claims(d), **settings)
        except UsageError as error:
            verdict, why = "refused", str(error)
        else:
            verdict, decisive = report.verdict, report.decisive
            why = decisive.name if decisive and verdict == "violated" else ""
            if verdict == "inconclusive":
                why = "; ".join(item.name for item in report.checks if item.evidence.verdict == verdict)
    return Judged(family, case.name, case.fault, d, size, verdict, time.process_time() - start, why)
