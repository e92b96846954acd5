"""What a rung finds, and the words for it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from verify.comparison import Comparison

Verdict = Literal["holds", "violated", "consistent", "inconclusive", "not_run"]
ClaimVerdict = Literal["holds", "violated", "consistent", "inconclusive", "untested", "not_run"]
Grade = Literal[
    "proof",
    "proof modulo",
    "certified",
    "instance",
    "numerical",
    "guaranteed",
    "asymptotic",
    "search",
]

GRADES: tuple[Grade, ...] = get_args(Grade)
"""From best to worst.

`proof`: the kernel concludes the stated relation for all sizes; `proof modulo`: the same with cited formulas.
`certified`: interval arithmetic. `instance`: rational, hence exact, but at fixed sizes. `numerical`: exact
formulas in floating point at an instance, or a derivation that rests on one solver alone. `guaranteed`: a
statistical test with a finite-sample error bound, given the range or variance that its check declares.
`asymptotic` never decides. `search`: no counterexample.
"""

CHECK_FAILED = "the check itself failed"
"""How the reason of a record begins whose check raised an error: it looked at nothing."""

SAMPLING = ("montecarlo", "run")
"""Rungs whose verdicts rest on draws: a run may have them drawn by another tier."""

ALPHA = 1e-9
"""Level of every statistical test."""

MAX_TESTS = 1000
"""Tests that one run may contain, so that its false-alarm probability is at most `ALPHA_TOTAL`.

That of any run has three digits and is printed with them, never rounded down.
"""

ALPHA_TOTAL = ALPHA * MAX_TESTS


@dataclass(frozen=True)
class LabelEvidence:
    """What one rung found at one instance under one label.

    Args:
        verdict: Verdict of the comparisons of this label.
        grade: How strong the evidence is.
        relation: `eq`, `le`, `lt`, `proof`, or the kind of the case.
        count: Number of comparisons.
        bound: The stated bound where it was closest to the value.
        value: The value there.
        tolerance: Largest relative tolerance used.
        rejected_by: Mutants that fail here.
        cited: Cited formulas on which a proof rests.
        hypotheses: Hypotheses of a proof.
        reason: Why it is not concluded, for a proof.
    """

    verdict: Verdict
    grade: Grade | None
    relation: str
    count: int = 0
    bound: float | None = None
    value: float | None = None
    tolerance: float = 0.0
    rejected_by: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    reason: str = ""

    @property
    def tightness(self) -> float | None:
        """Return bound / value, None for an equation or where there is none."""
        return None if self.relation in ("eq", "proof") else ratio(self.bound, self.value)


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
        labels: What was found under each label, empty for cases that have one only.
        comparisons: The comparisons made; not recorded.
        settings: How strictly a case is judged that is not made of comparisons.
        shown: The comparison whose bound and value these are, in a case of comparisons; not recorded.
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
    labels: Mapping[str, LabelEvidence] = field(default_factory=dict)
    comparisons: tuple["Comparison", ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    shown: "Comparison | None" = None

    @property
    def rejects(self) -> bool:
        """Return whether a mutant with this evidence counts as rejected."""
        return self.verdict == "violated" or self.refuted

    @property
    def tightness(self) -> float | None:
        """Return bound / value, None when the value is 0, unknown or the ratio is not finite."""
        return ratio(self.bound, self.value)


def ratio(bound: float | None, value: float | None) -> float | None:
    """Return bound / value, None when the value is 0, unknown or the ratio is not finite."""
    if bound is None or value is None or value == 0:
        return None
    found = bound / value
    return found if math.isfinite(found) else None


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
