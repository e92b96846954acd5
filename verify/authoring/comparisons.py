"""Comparisons as checks yield them."""

from collections.abc import Iterable, Mapping
from typing import Any

from verify.comparison import EXACT, Comparison, Tolerance

Comparisons = Iterable[Comparison]
"""What checks yield."""


def eq(
    label: str,
    value: Any,
    bound: Any,
    tolerance: Tolerance = EXACT,
    *,
    witness: Mapping[str, Any] | None = None,
    headline: bool = False,
) -> Comparison:
    """Hold that `value` equals `bound`, exactly or within a named tolerance.

    Args:
        label: What is compared; parts of the claim name it as evidence, `RUNG/LABEL`.
        value: Computed by the implementation.
        bound: Stated by the claim.
        tolerance: One of those in `verify.comparison`.
        witness: The input; where it is left out, what a grid varies, if the comparison fails.
        headline: The comparison is the claim itself: it is what the record and the table show.
    """
    return Comparison(label, "eq", value, bound, tolerance, witness, headline)


def le(
    label: str,
    value: Any,
    bound: Any,
    tolerance: Tolerance = EXACT,
    *,
    witness: Mapping[str, Any] | None = None,
    headline: bool = False,
) -> Comparison:
    """Hold that `value` is at most `bound`; arguments as for `eq`."""
    return Comparison(label, "le", value, bound, tolerance, witness, headline)


def lt(
    label: str,
    value: Any,
    bound: Any,
    tolerance: Tolerance = EXACT,
    *,
    witness: Mapping[str, Any] | None = None,
    headline: bool = False,
) -> Comparison:
    """Hold that `value` is below `bound` by more than the tolerance; arguments as for `eq`."""
    return Comparison(label, "lt", value, bound, tolerance, witness, headline)
