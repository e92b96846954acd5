"""Run rung: exact drift at visited states, trajectories over replicates, errors along runs, and costs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verify.comparison import Comparison
from verify.context import Context
from verify.errors import CheckError
from verify.outcome import ALPHA, Evidence, json_ready
from verify.rungs.costs import CostCase, judge_costs
from verify.rungs.exact import ExactCase
from verify.rungs.exact import judge as judge_exactly
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.montecarlo import judge as judge_samples
from verify.rungs.real import require_real
from verify.rungs.uniformity_case import UniformityCase

REPLICATES = 64

MUTANTS = 2
"""How many times the replicates of the base a mutant has: it needs twice the evidence; with more of them it
would be rejected for what the base does not refute."""

DOUBT = 1e-5
"""Level at which a mean that exceeds its bound is undecided, where `ALPHA` does not refute it: no success."""


@dataclass(frozen=True)
class DriftCase:
    """Exact one-step comparisons at states that runs visit; `states` receives a keyed generator.

    `vetted` as for `ExactCase`.
    """

    states: Callable[[Any], Iterable[Comparison]]
    vetted: bool = False
    tests = 0


@dataclass(frozen=True)
class TrajectoryCase:
    """Bounds on E V_k for all k at once.

    Args:
        bounds: Bounds B_k, shape (K,).
        rows: Maps (generator, r) to the values V_k of r independent replicates, shape (r, K).
        replicates: Replicates of the base; a mutant has up to `MUTANTS` times as many.
    """

    bounds: Callable[[], Any]
    rows: Callable[[Any, int], Any]
    replicates: int = REPLICATES
    tests = 1

    def settings(self) -> Mapping[str, Any]:
        """Return the number of replicates and of rounds, and the bounds: their sum and where it lies."""
        import numpy as np

        bounds = np.asarray(self.bounds(), dtype=float)
        finite = np.where(np.isfinite(bounds), bounds, 0.0)
        weighted = float(finite @ np.arange(1.0, len(finite) + 1))
        return {
            "replicates": self.replicates,
            "rounds": len(bounds),
            "bounds": float(finite.sum()),
            "bounds_weighted": weighted,
        }


def judge(
    case: DriftCase | TrajectoryCase | CostCase | MonteCarloCase | UniformityCase, context: Context
) -> Evidence:
    """Judge runs; drift and trajectories can refute a claim but not prove it, so success is `consistent`."""
    if isinstance(case, CostCase):
        return judge_costs(case, context)
    if isinstance(case, MonteCarloCase | UniformityCase):
        # Errors that are independent of the past are samples, along one run as well as over many.
        return judge_samples(case, context)
    if isinstance(case, DriftCase):
        return _judge_drift(case, context)
    return _judge_trajectory(case, context)


def _judge_drift(case: DriftCase, context: Context) -> Evidence:
    exact = ExactCase(lambda: case.states(context.stream(0)), case.vetted)
    evidence = judge_exactly(exact, context)
    if evidence.verdict == "holds":
        return Evidence(
            "consistent",
            "search",
            bound=evidence.bound,
            value=evidence.value,
            samples=evidence.samples,
            witness=evidence.witness,
            reason=f"within the bound in {evidence.samples} comparisons along runs",
            labels={
                name: replace(item, verdict="consistent", grade="search")
                for name, item in evidence.labels.items()
            },
            comparisons=evidence.comparisons,
            shown=evidence.shown,
        )
    return evidence


def _judge_trajectory(case: TrajectoryCase, context: Context) -> Evidence:
    import math

    import numpy as np

    from verify.evidence.trajectory import TrajectoryTest

    bounds = case.bounds()
    require_real("bounds", bounds)
    bounds = np.asarray(bounds, dtype=float)
    if not np.isfinite(bounds).all() and not context.is_mutant:
        raise CheckError(f"bounds must be finite; that of k={int(np.argmin(np.isfinite(bounds)))} is not")
    if case.replicates < 1:
        raise CheckError(f"replicates={case.replicates} must be at least 1")
    test = TrajectoryTest(bounds, alpha=ALPHA)
    needed = math.log(1 / ALPHA) * (2 if context.is_mutant else 1)
    limit = case.replicates * (MUTANTS if context.is_mutant else 1)
    done, sums, crossed = 0, np.zeros_like(bounds), False
    # An honest run diverges never, a mutant may: what overflows counts as 1e300.
    while done < limit and not crossed:
        rows = case.rows(context.replicate_stream(done), case.replicates)
        require_real("rows", rows)
        if not np.shape(rows) or not len(rows):
            raise CheckError(f"rows(rng, {case.replicates}) has no rows; return one for each replicate")
        if not done:
            _require_replicates(case, rows, context)
        rows = np.nan_to_num(rows, nan=1e300, posinf=1e300)
        for row in np.minimum(rows, 1e300):
            test.update(row)
            done += 1
            sums += row / rows.shape[0]
            if test.log_evidence() >= needed:
                crossed = True
                break
    with np.errstate(over="ignore"):
        worst = int(np.argmax(np.divide(sums, bounds, out=np.zeros_like(sums), where=bounds > 0)))
    mean = min(float(sums[worst] * case.replicates / done), 1e300)
    if not crossed and not context.is_mutant and test.log_evidence() >= math.log(1 / DOUBT):
        return Evidence(
            "inconclusive",
            bound=float(bounds[worst]),
            value=mean,
            samples=done,
            tests=1,
            reason=f"{done} replicates do not decide: their mean exceeds the bound at level {DOUBT:g}, not "
            f"at {ALPHA:g}; worst k={worst}; more replicates are needed to refute it",
        )
    return Evidence(
        "violated" if crossed else "consistent",
        "guaranteed" if crossed else "search",
        bound=float(bounds[worst]),
        value=mean,
        samples=done,
        tests=1,
        witness=json_ready({"k": worst, "replicates": done, "seed": context.seed}),
        reason=(
            f"the mean trajectory exceeds its bound (level {ALPHA:g}, {done} replicates); worst k={worst}"
            if crossed
            else f"{done} replicates of {len(bounds)} rounds stay with the bound (all of them at "
            f"{_shown(test, done):.3g} times the bound at one k would refute it); closest at k={worst}"
        ),
    )


def _require_replicates(case: TrajectoryCase, rows: Any, context: Context) -> None:
    """Refuse rows that are all one run, which another stream would have made another one.

    Raises:
        CheckError: They are equal, and those of another stream are equal to each other and not to these.
    """
    import numpy as np

    def is_one(found: Any) -> bool:
        return len(found) > 1 and bool((np.asarray(found) == found[0]).all())

    if context.is_mutant or not is_one(rows):
        return
    others = case.rows(context.stream(1), case.replicates)
    if is_one(others) and not np.array_equal(others, rows):  # runs without noise are alike on all streams
        raise CheckError(
            f"all {len(rows)} replicates are equal, and others on another stream: one run is no {len(rows)}; "
            "draw for each of them"
        )


def _shown(test: Any, replicates: int) -> float:
    """Return by what factor so many replicates must exceed one of the bounds, all alike, to refute it."""
    import math

    from verify.evidence.betting import BETS

    evidence = math.log(len(test.bounds) * len(BETS) / ALPHA) / replicates
    return 1 + math.expm1(min(evidence, 600.0)) / float(BETS[0])
