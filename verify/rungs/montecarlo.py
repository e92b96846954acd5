"""Monte Carlo rung: tests of means and of uniformity with a valid error bound, at every look."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.context import Context
from verify.errors import CheckError
from verify.outcome import ALPHA, Evidence
from verify.rungs.copies import require_fresh
from verify.rungs.real import require_real
from verify.rungs.uniformity_case import UniformityCase, judge_uniformity

BATCH = 4096
MAX_BATCHES = 100

WIDEST_OF_BOUND, WIDEST_OF_DEVIATION, WIDEST_OF_RANGE = 0.1, 0.1, 0.02
"""Largest tolerance, relative to the claimed mean, to a declared standard deviation or to a declared range: a
wider one would let another mean pass as the claimed one."""

WIDEST_OF_SEEN = 0.5
"""The same, relative to the deviation of the samples, where it is above a tenth of the claimed mean: a range
that is declared too wide would allow more."""


@dataclass(frozen=True)
class MonteCarloCase:
    """A mean to be tested.

    Args:
        kind: `le` or `eq`, as in `MeanTest`.
        sample: Maps (generator, m) to m independent values Z, shape (m,).
        bound: The claimed bound or value of E Z.
        lower: Sure lower bound of Z, taken as given.
        upper: Sure upper bound of Z, None where there is none; taken as given until a sample exceeds it.
        variance: Upper bound of Var Z from an exact oracle, None where unknown; taken as given until samples
            refute it.
        resolution: `holds` means that the mean is below bound * (1 + resolution).
        tolerance: Half width of `eq`; None takes resolution * bound.
    """

    kind: str
    sample: Callable[[Any, int], Any]
    bound: float
    lower: float = 0.0
    upper: float | None = None
    variance: float | None = None
    resolution: float = 0.01
    tolerance: float | None = None
    tests = 1

    def settings(self) -> Mapping[str, Any]:
        """Return what the test of the mean is told, samples apart."""
        names = ("bound", "lower", "upper", "variance", "resolution", "tolerance")
        numbers = {name: getattr(self, name) for name in names}
        return {"relation": self.kind} | {
            name: None if value is None else float(value) for name, value in numbers.items()
        }


def judge(case: MonteCarloCase | UniformityCase, context: Context) -> Evidence:
    """Sample in keyed batches and stop at the first crossing.

    A mutant is rejected only with twice the evidence, so that another seed would reject it as well.
    """
    if isinstance(case, UniformityCase):
        return judge_uniformity(case, context)
    import numpy as np

    from verify.evidence.mean_test import MeanTest
    from verify.evidence.spread import SpreadTest

    tolerance = case.tolerance
    if case.kind == "eq" and tolerance is None:
        tolerance = case.resolution * abs(case.bound)
    _require_narrow(case)
    test = MeanTest(
        case.kind,
        case.bound,
        lower=case.lower,
        upper=case.upper,
        variance=case.variance,
        alpha=ALPHA,
        resolution=case.resolution,
        tolerance=tolerance,
    )
    needed = math.log(1 / ALPHA) * (2 if context.is_mutant else 1)
    spread = None if case.variance is None else SpreadTest(case.variance)
    total, samples, verdict = 0.0, 0, "inconclusive"
    first: Any = None
    for batch in range(MAX_BATCHES):
        values = case.sample(context.stream(batch), BATCH)
        require_real("samples", values)
        if not len(values) or (not context.is_mutant and math.isnan(math.fsum(values))):
            raise CheckError(f"batch {batch} has no samples or samples that are no numbers")
        outside = _outside(values, case)
        if outside is not None:
            return _beyond(case, outside, batch, samples + len(values), context)
        if test.trivial:
            return Evidence(
                "holds",
                "numerical",
                bound=case.bound,
                value=case.upper,
                reason=f"holds by its range: no value exceeds {case.upper:.9g}, {_given(case)}",
            )
        if batch == 1:
            require_fresh(first, values, context)
        first = np.array(values) if first is None else first  # a sampler may fill one array again
        test.update(values)
        total += math.fsum(values)
        samples += len(values)
        evidence = test.log_evidence()["violated"]
        if spread is not None:
            # Half of each: one test of both, of the same level.
            spread.update(values)
            evidence = float(np.logaddexp(evidence, spread.log_evidence()) - math.log(2))
        if evidence >= needed:
            verdict = "violated"
            break
        if not context.is_mutant and test.verdict() == "holds":
            verdict = "holds"
            break
    if verdict == "inconclusive" and test.verdict() == "holds":
        verdict = "holds"  # a mutant is sampled to the end; a neutral one holds there
    if verdict == "holds" and batch == 0:
        require_fresh(first, case.sample(context.stream(1), BATCH), context)
    if verdict == "holds" and not context.is_mutant:
        _require_seen(case, first)
    mean = total / samples
    return Evidence(
        verdict,  # type: ignore[arg-type]  # a string of this function's own
        "guaranteed",
        bound=case.bound,
        value=mean,
        samples=samples,
        tests=1,
        witness={"batches": batch + 1, "seed": context.seed},
        reason=(
            _too_wide(spread.bound, spread.seen, samples)
            if verdict == "violated" and spread is not None and spread.log_evidence() >= needed
            else _reason(case, verdict, mean, samples)
        ),
    )


def _beyond(case: MonteCarloCase, outside: float, batch: int, samples: int, context: Context) -> Evidence:
    """Refute a declared range by a sample outside of it."""
    return Evidence(
        "violated",
        "numerical",
        bound=case.upper if case.upper is not None else case.bound,
        value=outside,
        samples=samples,
        tests=1,
        witness={"batch": batch, "seed": context.seed, "value": outside},
        reason=f"a sample {outside:.15g} lies outside the sure range [{case.lower:g}, {case.upper}]",
    )


def _too_wide(bound: float, seen: float, samples: int) -> str:
    """Return what was found where the declared variance is refuted."""
    return (
        f"refuted at level {ALPHA:g} after {samples} samples: the variance is at most {bound:.6g}, as "
        f"declared; that of the samples is {seen:.6g}"
    )


def _require_narrow(case: MonteCarloCase) -> None:
    """Refuse a tolerance within which another mean would pass as the claimed one.

    Raises:
        CheckError: It is wider than a tenth of bound and deviation, and than a fiftieth of the range.
    """
    width = _width(case)
    reach = 0.0 if case.upper is None else case.upper - case.lower
    deviation = 0.0 if case.variance is None else math.sqrt(case.variance)
    widest = max(WIDEST_OF_BOUND * abs(case.bound), WIDEST_OF_DEVIATION * deviation, WIDEST_OF_RANGE * reach)
    if width > widest * (1 + 1e-9):
        raise CheckError(
            f"the mean may lie {width:.6g} off the claimed {case.bound:.6g}; resolution or tolerance must "
            f"allow at most {widest:.6g}, a tenth of bound or deviation, or a fiftieth of the range"
        )


def _require_seen(case: MonteCarloCase, values: Any) -> None:
    """Refuse a tolerance that a declared range or variance allows, and that is wide for the samples.

    Raises:
        CheckError: It is wider than a tenth of the bound, and than half the deviation of the samples.
    """
    import numpy as np

    width, seen = _width(case), float(np.std(values))
    if width > WIDEST_OF_BOUND * abs(case.bound) * (1 + 1e-9) and width > WIDEST_OF_SEEN * seen > 0:
        raise CheckError(
            f"the mean may lie {width:.6g} off the claimed {case.bound:.6g}, and samples deviate by "
            f"{seen:.6g} only: what is declared of range or variance is too wide to measure by; declare what "
            "values have, or a smaller tolerance"
        )


def _width(case: MonteCarloCase) -> float:
    """Return how far the mean may lie from the bound."""
    return case.resolution * abs(case.bound) if case.tolerance is None else case.tolerance


def _given(case: MonteCarloCase) -> str:
    """Return what the check declares of Z, which samples can refute and not show: rare values stay unseen."""
    reach = f"at least {case.lower:g}" if case.upper is None else f"in [{case.lower:g}, {case.upper:g}]"
    spread = "" if case.variance is None else f" with a variance of at most {case.variance:.6g}"
    return f"given that values are {reach}{spread}"


def _outside(values: Any, case: MonteCarloCase) -> float | None:
    """Return the worst value outside the sure range, allowing for round-off as `MeanTest` does."""
    import numpy as np

    scale = max(abs(case.lower), abs(case.upper) if case.upper is not None else abs(case.bound))
    if case.upper is not None and values.max() > case.upper + 1e-12 * scale:
        return float(values.max())
    if not values.min() >= case.lower - 1e-12 * scale:
        return float(np.min(values))
    return None


def _reason(case: MonteCarloCase, verdict: str, mean: float, samples: int) -> str:
    relation = "equals" if case.kind == "eq" else "is at most"
    claim = f"the mean {relation} {case.bound:.9g}"
    if verdict == "holds":
        within = f"{case.tolerance:.3g}" if case.tolerance is not None else f"{100 * case.resolution:.3g}%"
        return f"{claim} within {within}: {samples} samples at level {ALPHA:g}, {_given(case)}"
    if verdict == "violated":
        return f"refuted at level {ALPHA:g} after {samples} samples: {claim}, the sample mean is {mean:.9g}"
    return f"not decided after {samples} samples; use the exact rung or another input"
