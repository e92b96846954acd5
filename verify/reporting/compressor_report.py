"""What a check of somebody else's compressor found."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verify.outcome import ALPHA, Evidence, json_ready


@dataclass(frozen=True)
class NamedEvidence:
    """Evidence of one check, with its name."""

    name: str
    evidence: Evidence


@dataclass(frozen=True)
class CompressorReport:
    """Result of `check_compressor`.

    Args:
        compressor: Its repr.
        verdict: `violated` with a counterexample, `consistent` (no violation found), or `inconclusive`.
        checks: What was checked.
    """

    compressor: str
    verdict: str
    checks: tuple[NamedEvidence, ...]

    @property
    def decisive(self) -> NamedEvidence | None:
        """Return the violation, or the search that came closest to its bound; no sample mean."""
        violated = [item for item in self.checks if item.evidence.verdict == "violated"]
        close = [item for item in self.checks if item.evidence.tightness and not item.evidence.tests]
        return next(
            iter(violated), min(close, key=lambda item: item.evidence.tightness or math.inf, default=None)
        )

    @property
    def bound(self) -> float | None:
        """Return the bound of the decisive check."""
        return self.decisive.evidence.bound if self.decisive else None

    @property
    def value(self) -> float | None:
        """Return the largest value found there."""
        return self.decisive.evidence.value if self.decisive else None

    @property
    def tightness(self) -> float | None:
        """Return bound / value of the decisive check."""
        return self.decisive.evidence.tightness if self.decisive else None

    @property
    def witness(self) -> Mapping[str, Any] | None:
        """Return the counterexample, None where there is none."""
        found = self.decisive
        return found.evidence.witness if found and found.evidence.verdict == "violated" else None

    @property
    def alpha(self) -> float:
        """Return the probability that a true claim is reported as violated, at most."""
        return sum(item.evidence.tests for item in self.checks) * ALPHA

    def __str__(self) -> str:
        lines = [f"{self.compressor}: {self.verdict}"]
        lines += [f"  {item.name}: {item.evidence.verdict}: {item.evidence.reason}" for item in self.checks]
        if self.witness is not None:
            lines.append(
                f"  counterexample: { {name: _cut(item) for name, item in json_ready(self.witness).items()} }"
            )
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return the machine-readable form."""
        return {
            "compressor": self.compressor,
            "verdict": self.verdict,
            "bound": self.bound,
            "value": self.value,
            "tightness": self.tightness,
            "alpha": self.alpha,
            "checks": [
                {
                    "name": item.name,
                    "verdict": item.evidence.verdict,
                    "grade": item.evidence.grade,
                    "bound": item.evidence.bound,
                    "value": item.evidence.value,
                    "samples": item.evidence.samples,
                    "witness": json_ready(item.evidence.witness),
                    "reason": item.evidence.reason,
                }
                for item in self.checks
            ],
        }


def _cut(item: Any) -> Any:
    """Return a long vector as text with its ends; the document has all of it."""
    if not isinstance(item, list) or len(item) <= 2 * _SHOWN:
        return item
    return f"{str(item[:_SHOWN])[:-1]}, ... {len(item)} entries in all, {str(item[-2:])[1:]}"


_SHOWN = 8
