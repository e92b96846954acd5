"""What a rung finds, and the words for it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["holds", "violated", "consistent", "inconclusive", "not_run"]
ClaimVerdict = Literal["holds", "violated", "consistent", "inconclusive", "untested", "not_run"]
Grade = Literal["proof", "certified", "numerical", "guaranteed", "asymptotic", "search"]

# From best to worst; `asymptotic` never decides.
GRADES: tuple[Grade, ...] = ("proof", "certified", "numerical", "guaranteed", "asymptotic", "search")

ALPHA = 1e-9
"""Level of every statistical test."""

MAX_TESTS = 1000
"""Tests that one run may contain, so that its false-alarm probability is at most `ALPHA_TOTAL`."""

ALPHA_TOTAL = ALPHA * MAX_TESTS


@dataclass(frozen=True)
class Evidence:
    """What one rung found at one instance.

    Args:
        verdict: The verdict of the record.
        grade: How strong the evidence is; None when nothing was decided.
        bound: The stated bound where it was closest to the value.
        value: The largest value found there.
        exact: Bound and value as exact strings, where they are rational.
        samples: Number of samples, evaluations or replicates used.
        tests: Number of statistical tests carried out.
        witness: The input at which `value` was found, JSON-ready.
        reason: Why the verdict is what it is; a remedy where it is not `holds`.
        refuted: A derivation step failed for good: the proof as stated is wrong, perhaps not the claim.
        steps: Derivation steps with their status (symbolic rung).
    """

    verdict: Verdict
    grade: Grade | None = None
    bound: float | None = None
    value: float | None = None
    exact: Mapping[str, str] = field(default_factory=dict)
    samples: int = 0
    tests: int = 0
    witness: Mapping[str, Any] | None = None
    reason: str = ""
    refuted: bool = False
    steps: tuple[Mapping[str, str], ...] = ()

    @property
    def rejects(self) -> bool:
        """Return whether a mutant with this evidence counts as rejected."""
        return self.verdict == "violated" or self.refuted

    @property
    def tightness(self) -> float | None:
        """Return bound / value, None when the value is 0, unknown or the ratio is not finite."""
        if self.bound is None or self.value is None or self.value == 0:
            return None
        ratio = self.bound / self.value
        return ratio if math.isfinite(ratio) else None


def better(first: Grade | None, second: Grade | None) -> Grade | None:
    """Return the stronger of two grades, None counting as none at all."""
    present = [grade for grade in (first, second) if grade is not None]
    return min(present, key=GRADES.index) if present else None


def worse(first: Grade | None, second: Grade | None) -> Grade | None:
    """Return the weaker of two grades, None counting as none at all."""
    present = [grade for grade in (first, second) if grade is not None]
    return max(present, key=GRADES.index) if present else None


def json_ready(value: Any) -> Any:
    """Turn numpy arrays, fractions and sympy numbers into JSON values; exact numbers become strings.

    Raises:
        TypeError: The value has no JSON form.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else repr(float(value))
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        # The order of a set of strings differs from process to process.
        return sorted((json_ready(item) for item in value), key=repr)
    if isinstance(value, list | tuple | range):
        return [json_ready(item) for item in value]
    if hasattr(value, "tolist"):
        return json_ready(value.tolist())
    if hasattr(value, "numerator") or hasattr(value, "free_symbols"):
        return str(value)
    raise TypeError(f"value={value!r} of type {type(value).__name__} has no JSON form; convert it first")
