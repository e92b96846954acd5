"""How checks of a claim are written: see `docs/authoring.md`."""

from verify.authoring.comparisons import Comparisons, eq, le, lt
from verify.authoring.judge import Judge, checks_of
from verify.authoring.law import Law, with_factor

__all__ = ["Comparisons", "Judge", "Law", "checks_of", "eq", "le", "lt", "with_factor"]
