"""The judge: binds the claims in `theory` to the implementations in `impl`.

Importing this package is cheap; the public verbs load what they need.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.compressor_check import check_compressor, find_counterexample
    from verify.reporting.citation import cite
    from verify.running.runner import verify

__all__ = ["check_compressor", "cite", "find_counterexample", "verify"]

_HOMES = {
    "verify": "verify.running.runner",
    "check_compressor": "verify.compressor_check",
    "find_counterexample": "verify.compressor_check",
    "cite": "verify.reporting.citation",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'verify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
