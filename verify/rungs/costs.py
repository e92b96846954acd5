"""Claims on the medians of what runs cost: orderings and exponents, whatever the distribution."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from verify.context import Context
from verify.errors import CheckError
from verify.outcome import ALPHA, Evidence, json_ready
from verify.rungs.real import require_real

NONE = "0"
"""Samples that are all 0: with this as its larger side an ordering says that there is none of the smaller."""

WIDEST = 0.25
"""Largest tolerance of an exponent: a wider one does not tell a root from a line."""

# Lower and upper values of the samples of one quantity, (R,) each; they differ where a run was cut off.
Samples = tuple[Any, Any]


@dataclass(frozen=True)
class Ordering:
    """The median of `smaller` is at most `factor` times that of `larger`."""

    smaller: str
    larger: str
    factor: float


@dataclass(frozen=True)
class Exponent:
    """The ratio of two medians scales like size ** claimed, within the tolerance, over the sizes.

    Args:
        label: What scales.
        sizes: Increasing sizes.
        numerator: Name of the quantity at each size.
        denominator: Name of what it is divided by at each size, empty for 1.
        claimed: The exponent.
        tolerance: Half width of what counts as the exponent.
        side: `both`, `at_most` or `at_least`.
    """

    label: str
    sizes: Sequence[float]
    numerator: Sequence[str]
    denominator: Sequence[str]
    claimed: float
    tolerance: float
    side: Any = "both"


@dataclass(frozen=True)
class CostCase:
    """Samples of costs over independent replicates, and what is claimed of their medians.

    Args:
        samples: Maps a function from a number to its random stream to the samples by name.
        claims: All of them must hold; one that is refuted refutes the case.
    """

    samples: Callable[[Callable[[int], Any]], Mapping[str, Samples]]
    claims: Sequence[Ordering | Exponent]
    tests = 1

    def settings(self) -> Mapping[str, Any]:
        """Return what is claimed of the medians."""
        return {"claims": [json_ready(asdict(claim)) for claim in self.claims]}


@dataclass(frozen=True)
class _Finding:
    verdict: str
    text: str
    value: float | None = None
    bound: float | None = None


def judge_costs(case: CostCase, context: Context) -> Evidence:
    """Judge all claims by intervals that hold simultaneously at the level of one test."""
    from verify.evidence.median import simultaneous_intervals

    _require_claims(case.claims)
    samples = dict(case.samples(context.stream))
    used = {name for claim in case.claims for name in _names(claim)}
    if not context.is_mutant:
        _require_ends({name: samples[name] for name in used})
    intervals = simultaneous_intervals({name: samples[name] for name in sorted(used)}, ALPHA)
    found = [_judge(claim, intervals) for claim in case.claims]
    order = ("violated", "inconclusive", "holds")
    verdict = min((item.verdict for item in found), key=order.index)
    # The claim that decides: the first of the worst verdict; among those that hold, the closest one.
    decisive = min((item for item in found if item.verdict == verdict), key=_closeness)
    replicates = len(next(iter(samples.values()))[0])
    return Evidence(
        verdict,  # type: ignore[arg-type]  # one of the three words above
        "guaranteed" if verdict != "inconclusive" else None,
        bound=decisive.bound,
        value=decisive.value,
        samples=replicates,
        tests=1,
        witness=json_ready({"medians": intervals, "claims": [item.text for item in found]}),
        reason=(
            f"{decisive.text}; {len(found)} claims on medians over {replicates} replicates, "
            f"intervals simultaneous at level {ALPHA:g}"
        ),
    )


def _require_claims(claims: Sequence[Ordering | Exponent]) -> None:
    """Refuse claims that nothing could refute.

    Raises:
        CheckError: There is none, a quantity is compared with itself, or a factor or tolerance is too wide.
    """
    if not claims:
        raise CheckError("the case claims nothing of its costs; give it an Ordering or an Exponent")
    for claim in claims:
        if isinstance(claim, Ordering):
            if claim.smaller == claim.larger:
                raise CheckError(f"{claim.smaller!r} is compared with itself")
            if not 0 < claim.factor < math.inf:
                raise CheckError(f"factor={claim.factor!r} must be finite and positive")
        elif not 0 <= claim.tolerance <= WIDEST:
            raise CheckError(
                f"exponent of {claim.label}: tolerance={claim.tolerance!r} must be at most {WIDEST}"
            )


def _require_ends(samples: Mapping[str, Samples]) -> None:
    """Refuse costs whose ends are turned.

    Raises:
        CheckError: The lower end of a sample lies above its upper end.
    """
    import numpy as np

    for name, (low, high) in samples.items():
        require_real(f"samples of {name!r}", low, high)
        if np.any(np.asarray(low) > np.asarray(high)):
            raise CheckError(f"samples of {name!r}: a lower end lies above its upper end")


def _closeness(item: _Finding) -> float:
    """Return bound / value of an ordering; an exponent has two ends and no bound to come close to."""
    return item.bound / item.value if item.bound is not None and item.value else float("inf")


def _names(claim: Ordering | Exponent) -> tuple[str, ...]:
    if isinstance(claim, Ordering):
        return claim.smaller, claim.larger
    return (*claim.numerator, *(name for name in claim.denominator if name))


def _judge(claim: Ordering | Exponent, intervals: Mapping[str, tuple[float, float]]) -> _Finding:
    return _order(claim, intervals) if isinstance(claim, Ordering) else _scaling(claim, intervals)


def _order(claim: Ordering, intervals: Mapping[str, tuple[float, float]]) -> _Finding:
    (first_low, first_high), (second_low, second_high) = intervals[claim.smaller], intervals[claim.larger]
    # Costs that nobody reached, or that are nothing on both sides, are in no order, unless none is claimed.
    both_none = first_high == second_high == 0 and claim.larger != NONE
    if both_none or first_low == second_low == math.inf:
        verdict = "inconclusive"
    elif first_high <= claim.factor * second_low:
        verdict = "holds"
    elif first_low > claim.factor * second_high:
        verdict = "violated"
    else:
        verdict = "inconclusive"
    text = (
        f"{claim.smaller} [{first_low:.6g}, {first_high:.6g}] <= {claim.factor:g} times {claim.larger} "
        f"[{second_low:.6g}, {second_high:.6g}]: {verdict}"
    )
    return _Finding(verdict, text, min(first_high, 1e300), min(claim.factor * second_low, 1e300))


def _scaling(claim: Exponent, intervals: Mapping[str, tuple[float, float]]) -> _Finding:
    from verify.evidence.exponent import exponent_verdict

    low, high = [], []
    for above, below in zip(claim.numerator, claim.denominator, strict=True):
        bottom = intervals[below] if below else (1.0, 1.0)
        low.append(intervals[above][0] / bottom[1])
        high.append(intervals[above][1] / bottom[0])
    verdict, (first, last) = exponent_verdict(
        claim.sizes, low, high, claim.claimed, claim.tolerance, side=claim.side
    )
    sign = {"both": "=", "at_most": "<=", "at_least": ">="}[claim.side]
    text = (
        f"exponent of {claim.label} in [{first:.4f}, {last:.4f}], claimed {sign} {claim.claimed:g} within "
        f"{claim.tolerance:g}: {verdict}"
    )
    return _Finding(verdict, text)
