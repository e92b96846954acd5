"""Turn numbers and formulas into verdicts: statistical tests, solvers, certificates, search, random streams.

Importing this package is cheap: each name loads its own module when it is first asked for.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.evidence.certificate import certificate
    from verify.evidence.exponent import exponent_verdict
    from verify.evidence.mean_test import MeanTest
    from verify.evidence.prove import prove, second_opinion
    from verify.evidence.streams import stream
    from verify.evidence.supremum import search_supremum, supremum
    from verify.evidence.trajectory import TrajectoryTest
    from verify.evidence.uniformity import UniformityTest

__all__ = [
    "MeanTest",
    "TrajectoryTest",
    "UniformityTest",
    "certificate",
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
    "certificate": "certificate",
    "exponent_verdict": "exponent",
    "prove": "prove",
    "search_supremum": "supremum",
    "second_opinion": "prove",
    "stream": "streams",
    "supremum": "supremum",
}


class _Package(ModuleType):
    """Let `verify.evidence.prove` be the function even after the module of that name was imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and _HOMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'verify.evidence' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
