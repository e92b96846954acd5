"""One value held against one bound, exactly or with a stated tolerance."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal


@dataclass(frozen=True)
class Tolerance:
    """A relative tolerance with the reason for its size."""

    relative: float
    reason: str


EXACT = Tolerance(0.0, "both sides are rational")
ROUND_OFF = Tolerance(
    1e-12, "both sides are sums of at most some thousand float64 products, condition number below 100"
)
ROOT = Tolerance(1e-11, "one side is the root of a scalar equation, found to the last float64 digits")
DRIFT = Tolerance(1e-10, "matrix roots of condition number up to 1e4 lose that much of float64")


@dataclass(frozen=True)
class Comparison:
    """Hold `value` against `bound`.

    Args:
        label: What is compared, for the report.
        relation: `eq` or `le` (value at most bound).
        value: Computed by the implementation.
        bound: Stated by the theory.
        tolerance: Must be `EXACT` for two rational numbers, which are then compared exactly.
        witness: The input, JSON-ready after `outcome.json_ready`.
        headline: The comparison is the claim itself, not one of its parts: it is what the record shows.
    """

    label: str
    relation: Literal["eq", "le"]
    value: Any
    bound: Any
    tolerance: Tolerance = EXACT
    witness: Mapping[str, Any] | None = None
    headline: bool = False

    @property
    def is_rational(self) -> bool:
        """Return whether both sides are rational numbers."""
        return isinstance(rational(self.value), Fraction) and isinstance(rational(self.bound), Fraction)

    @property
    def excess(self) -> float:
        """Return by how much the comparison fails, relative to the bound; 0 within the tolerance."""
        if self.is_rational:
            value, bound = rational(self.value), rational(self.bound)
            fails = value != bound if self.relation == "eq" else value > bound
            return max(abs(float(value - bound)), 5e-324) / (abs(float(bound)) or 1.0) if fails else 0.0
        value, bound = float(self.value), float(self.bound)
        scale = max(abs(bound), abs(value)) or 1.0
        difference = abs(value - bound) if self.relation == "eq" else value - bound
        if not difference <= self.tolerance.relative * scale:
            return difference / scale if difference == difference else float("inf")
        return 0.0


def rational(number: Any) -> Any:
    """Return the number as a Fraction where it is an int, Fraction or sympy Rational, else unchanged."""
    if isinstance(number, int) and not isinstance(number, bool):
        return Fraction(number)
    if isinstance(number, Fraction):
        return number
    if getattr(number, "is_Rational", False):
        return Fraction(int(number.p), int(number.q))
    return number
