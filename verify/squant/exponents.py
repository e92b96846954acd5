"""Comparisons of a scaling exponent with the range that a claim allows."""

from collections.abc import Iterable, Sequence

from verify.comparison import ROUND_OFF, Comparison
from verify.evidence.exponent import exponent_verdict


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the least-squares slope of ln value against ln size."""
    _, (slope, _) = exponent_verdict(sizes, values, values, claimed=0.0)
    return slope


def compare_exponent(
    label: str,
    sizes: Sequence[float],
    values: Sequence[float],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Iterable[Comparison]:
    """Hold the exponent of exact values against the stated ends of its range."""
    slope = exponent(sizes, values)
    witness = {"sizes": tuple(sizes), "values": tuple(values)}
    if at_least is not None:
        yield Comparison(f"exponent {label}, from below", "le", at_least, slope, ROUND_OFF, witness)
    if at_most is not None:
        yield Comparison(f"exponent {label}, from above", "le", slope, at_most, ROUND_OFF, witness)
