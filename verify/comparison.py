"""One value held against one bound, exactly or with a named tolerance."""

import functools
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Complex, Integral, Real
from typing import Any, Literal

from theory.fixed import is_known
from verify.errors import CheckError

RELATIONS = ("eq", "le", "lt")


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
ROUNDS = Tolerance(1e-11, "sums of some hundred float64 products per round over at most 1000 rounds")
DRIFT = Tolerance(1e-10, "matrix roots of condition number up to 1e4 lose that much of float64")
LONG_RUN = Tolerance(1e-9, "up to 2000 rounds of float64 products of condition number below 1e3")
ORACLE = Tolerance(1e-9, "the specification's slack of a floating-point oracle")
SINGLE_PRECISION = Tolerance(1e-6, "norms or entries are sent in single precision, rounded once")
DIFFERENCES = Tolerance(1e-6, "one side is a central difference, off by the square of its step")
NEAR_TIES = Tolerance(0.02, "the end of a run moves by an iteration or two with near ties")


def printed(digits: int) -> Tolerance:
    """Return the tolerance of a number that is printed with so many significant digits, 3 to 13.

    Raises:
        CheckError: Fewer digits compare next to nothing.
    """
    if digits not in range(3, 14):
        raise CheckError(f"digits={digits!r} must be from 3 to 13; compare a longer value")
    return Tolerance(0.5 * 10.0 ** (1 - digits), f"the value is printed with {digits} significant digits")


COMPUTED = (EXACT, ROUND_OFF, ROOT, ROUNDS, DRIFT, LONG_RUN, ORACLE)
"""Tolerances for what float64 loses."""

NAMED = (*COMPUTED, SINGLE_PRECISION, DIFFERENCES, *map(printed, range(3, 14)))
"""Tolerances that checks may use on any rung; `NEAR_TIES` on runs only."""

LARGEST = {"exact": 5e-3, "adversarial": 1e-9, "montecarlo": 1e-9, "run": 0.02}
"""The largest relative tolerance of a rung; that of `exact` and `run` is for printed numbers."""


@dataclass(frozen=True)
class Comparison:
    """Hold `value` against `bound`.

    Args:
        label: What is compared, for the report.
        relation: `eq`, `le` (value at most bound) or `lt` (value below bound by more than the tolerance).
        value: Computed by the implementation.
        bound: Stated by the theory.
        tolerance: Must be `EXACT` for two rational numbers, which are then compared exactly.
        witness: The input, JSON-ready after `outcome.json_ready`.
        headline: The comparison is the claim itself, not one of its parts: it is what the record shows.
    """

    label: str
    relation: Literal["eq", "le", "lt"]
    value: Any
    bound: Any
    tolerance: Tolerance = EXACT
    witness: Mapping[str, Any] | None = None
    headline: bool = False

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise CheckError(
                f"comparison {self.label!r}: relation={self.relation!r} must be one of "
                f"{', '.join(RELATIONS)}; turn the sides for others"
            )
        # A check may go on with an array that it has handed over: what is judged is the number of now.
        for name in ("value", "bound"):
            object.__setattr__(self, name, _settled(getattr(self, name)))

    @functools.cached_property
    def is_rational(self) -> bool:
        """Return whether both sides are rational numbers."""
        return isinstance(rational(self.value), Fraction) and isinstance(rational(self.bound), Fraction)

    @property
    def is_undefined(self) -> bool:
        """Return whether a side is NaN, which fails any comparison, whatever it compares."""
        return any(isinstance(side, Real) and side != side for side in (self.value, self.bound))

    @functools.cached_property
    def excess(self) -> float:
        """Return by how much the comparison fails, relative to the bound; 0 within the tolerance."""
        if self.is_rational:
            value, bound = rational(self.value), rational(self.bound)
            if self.relation == "eq":
                fails = value != bound
            else:
                fails = value > bound or (self.relation == "lt" and value == bound)
            if not fails:
                return 0.0
            ratio = abs(_as_float(value - bound)) / (abs(_as_float(bound)) or 1.0)
            return max(ratio, 5e-324)
        value, bound = float(self.value), float(self.bound)
        scale = max(abs(bound), abs(value)) or 1.0
        difference = abs(value - bound) if self.relation == "eq" else value - bound
        if self.relation == "lt":
            fails = not difference < -self.tolerance.relative * scale
        else:
            fails = not difference <= self.tolerance.relative * scale
        if not fails:
            return 0.0
        return max(difference / scale, 5e-324) if difference == difference else float("inf")

    def tightened(self) -> "Comparison":
        """Return the comparison with its bound moved just past the value, which must fail."""
        largest = 10 * max(item.relative for item in COMPUTED)
        step = max(10 * self.tolerance.relative, largest)
        if self.is_rational:
            value = rational(self.value)
            moved: Any = value - Fraction(step) * (abs(value) or 1)
        else:
            value = float(self.value)
            moved = value - step * (abs(value) or 1.0)
        return Comparison(self.label, self.relation, self.value, moved, self.tolerance)


def vetted(item: Any, rung: str) -> Comparison:
    """Return a comparison of an honest check after looking at its form.

    Raises:
        CheckError: Its numbers are not finite, not exact where they must be, or its tolerance has no name.
    """
    if type(item) is not Comparison or type(item.tolerance) is not Tolerance:  # others may judge themselves
        raise CheckError(f"{item!r} is no comparison; yield eq(...), le(...) or lt(...)")
    where = f"comparison {item.label!r}"
    if not isinstance(item.label, str) or not item.label.strip():
        raise CheckError("a comparison has no label; say what is compared")
    for name, number in (("value", item.value), ("bound", item.bound)):
        if not is_finite(number):
            raise CheckError(f"{where}: {name}={number!r} must be a finite real number")
    if item.tolerance == EXACT and not item.is_rational:
        name, number = next(
            (name, number)
            for name, number in (("value", item.value), ("bound", item.bound))
            if not isinstance(rational(number), Fraction)
        )
        raise CheckError(
            f"{where}: {name}={number!r} is not rational, so that it cannot be compared exactly; "
            "compute it in rationals (formulas by `law.exactly`) or name a tolerance of verify.comparison"
        )
    if item.tolerance not in NAMED and not (rung == "run" and item.tolerance == NEAR_TIES):
        raise CheckError(
            f"{where}: tolerance={item.tolerance.relative:g} has no name; take one of verify.comparison"
        )
    if item.tolerance.relative > LARGEST.get(rung, 0.0):
        raise CheckError(
            f"{where}: tolerance={item.tolerance.relative:g} must be at most {LARGEST.get(rung, 0.0):g} "
            f"on rung {rung}"
        )
    return item


def is_finite(number: Any) -> bool:
    """Return whether something is a finite real number."""
    if isinstance(rational(number), Fraction):
        return True
    if _is_no_number(number):
        return False
    try:
        return math.isfinite(float(number))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_no_number(number: Any) -> bool:
    """Return whether something is no real number though `float` takes it: text, masked, complex, a ball."""
    if isinstance(number, str | bytes | bytearray) or hasattr(number, "mask"):
        return True
    if isinstance(number, Complex) and not isinstance(number, Real):  # numpy drops the imaginary part
        return True
    return callable(getattr(number, "mid", None)) and callable(getattr(number, "rad", None))


def _settled(number: Any) -> Any:
    """Return a number that nothing changes any more, what is none as it is.

    Numbers of Python, numpy and sympy stay as they are; of all others, also of subclasses, it is what
    they are now.
    """
    kind = type(number)
    if kind in (int, float, bool, Fraction) or _is_of_numpy(kind) or _is_of_sympy(number):
        return number
    if getattr(number, "shape", ()) != () or _is_no_number(number):
        return number
    try:
        found = rational(number)
        return found if isinstance(found, Fraction) else float(number)
    except (TypeError, ValueError, OverflowError):
        return number


def _is_of_numpy(kind: type) -> bool:
    module = sys.modules.get("numpy") if kind.__module__ == "numpy" else None
    return issubclass(kind, getattr(module, "generic", ())) and getattr(module, kind.__name__, None) is kind


def _is_of_sympy(number: Any) -> bool:
    basic = getattr(sys.modules.get("sympy"), "Basic", ())
    return isinstance(number, basic) and is_known(number)


def _as_float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(1.7e308, number)


def rational(number: Any) -> Any:
    """Return the number as a Fraction where it is an int, Fraction or sympy Rational, else unchanged."""
    if type(number) in (Fraction, float) or isinstance(number, bool):
        return number
    if isinstance(number, Integral):  # of numpy, too
        return Fraction(int(number))
    if isinstance(number, Fraction):  # of a subclass, whose own arithmetic is not asked
        return Fraction(number.numerator, number.denominator)
    if getattr(number, "is_Rational", False):
        return Fraction(int(number.p), int(number.q))
    return float(number) if isinstance(number, float) else number
