"""Turn numbers and formulas into verdicts: statistical tests, solvers, search, random streams.

Importing this package is cheap: each name loads its own module when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.evidence.exponent import exponent_verdict
    from verify.evidence.mean_test import MeanTest
    from verify.evidence.smt_solver import prove, second_opinion
    from verify.evidence.streams import stream
    from verify.evidence.supremum_search import search_supremum, supremum
    from verify.evidence.trajectory import TrajectoryTest
    from verify.evidence.uniformity import UniformityTest

__all__ = [
    "MeanTest",
    "TrajectoryTest",
    "UniformityTest",
    "exponent_verdict",
    "prove",
    "search_supremum",
    "second_opinion",
    "stream",
    "supremum",
]

_HOMES = {
    "MeanTest": "mean_test",
    "TrajectoryTest": "trajectory",
    "UniformityTest": "uniformity",
    "exponent_verdict": "exponent",
    "prove": "smt_solver",
    "search_supremum": "supremum_search",
    "second_opinion": "smt_solver",
    "stream": "streams",
    "supremum": "supremum_search",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'verify.evidence' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
