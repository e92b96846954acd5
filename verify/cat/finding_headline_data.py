"""Checks of `cat/finding-headline-data`: costs on data sets, the bundled one quickly, LIBSVM where it is."""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.communication import PRESETS, dense_bits, sparse_bits
from impl.optimizers import AdaptiveRun
from verify.binding import Check
from verify.cat.all_sizes import NEAR, all_sizes, compare_iterates
from verify.cat.headline import MEASURED
from verify.cat.headline_runs import Task, fixed_rounds, run_until, scanning_rule, task, tuned_run
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-headline-data"
LARGEST_GAIN = 2.0
"""Of CAT-S over gradient descent on the data sets."""


@dataclass(frozen=True)
class Row:
    """What a set costs under a model.

    Args:
        gd: Gradient descent.
        cat_s: CAT-S.
        cat_sq: CAT-SQ.
        fixed: Costs of some fixed sizes.
        sizes: First, smallest and largest size of CAT-S, () where it is not held.
        rounds: Iterations of CAT-S and of CAT-SQ, () where they are not held.
        loss: CAT-S over the best of the fixed sizes at least, 0 where it is not held.
    """

    gd: int
    cat_s: int
    cat_sq: int
    fixed: Mapping[int, int]
    sizes: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    loss: float = 0.0


GD_ROUNDS = {"breast-cancer": 774, "phishing": 967, "splice": 4220, "mushrooms": 6154}
CONSTANTS = {"phishing": (0.1626415332, 0.1868285505), "splice": (95.71368594, 0.3383017712)}
"""L and the least objective."""

TABLE: dict[tuple[str, str], Row] = {
    # The breast cancer data is not in the specification: its rows were computed here.
    ("breast-cancer", "affine"): Row(1226016, 1205447, 877294, {}, (14, 9, 23), (935, 1217)),
    ("breast-cancer", "eth"): Row(9523296, 9523296, 15552256, {30: 9523296}, (30, 30, 30), (774, 1264)),
    ("breast-cancer", "payload"): Row(743040, 675139, 142108, {}, (1, 1, 1), (18247, 1304)),
    ("phishing", "payload"): Row(
        2104192, 2294136, 468040, {8: 1896024, 32: 1495104}, (1, 1, 1), (58824, 2358), 1.5
    ),
    ("phishing", "affine"): Row(
        2707600, 2819544, 1917256, {8: 5688072, 32: 2242656, 34: 2223000}, (9, 7, 48), (1508, 2305), 1.25
    ),
    ("phishing", "eth"): Row(
        11897968, 11897968, 27425616, {8: 74771408, 32: 14740192, 68: 11897968}, (68, 68, 68), (967, 2229)
    ),
    ("splice", "payload"): Row(
        8102400, 4200938, 968767, {8: 4100048, 16: 4094272, 32: 5299328}, (1, 1, 1), (110551, 7487)
    ),
    ("splice", "affine"): Row(
        10735680, 7390684, 5471595, {8: 12515936, 30: 7800408, 32: 8018720}, (6, 6, 34), (4944, 7163)
    ),
    ("splice", "eth"): Row(
        51922880, 51922880, 88514976, {8: 165944048, 32: 53620832, 60: 51922880}, (60, 60, 60), (4220, 7194)
    ),
    ("mushrooms", "affine"): Row(25896032, 21651084, 10631560, {32: 17664192}),
    # Computed here, not in the specification.
    ("mushrooms", "eth"): Row(75718816, 75718816, 135922288, {112: 75718816}),
}
PRINTED = Tolerance(1e-9, "ten digits are printed")
QUICK = (("breast-cancer", "affine"), ("breast-cancer", "eth"))


@dataclass(frozen=True)
class Method:
    """What is claimed and run: as stated, or with one fault.

    Args:
        tenfold: Whether a gain of at least 10 is claimed.
        steep: Whether the public set LS is taken in place of the data.
        all_sizes: Whether all sizes are looked at, also where an early stop is sound.
        record: Changes what the run says of itself.
    """

    tenfold: bool = False
    steep: bool = False
    all_sizes: bool = False
    record: Callable[[AdaptiveRun, str], AdaptiveRun] | None = None


def _undercharged(run: AdaptiveRun, model: str) -> AdaptiveRun:
    entries = np.cumsum(np.maximum(run.sizes[0, :, 0] - 1, 1))
    bits = np.concatenate([[0], entries]) * sparse_bits(1, run.x.shape[1])
    messages = np.arange(run.rounds + 1)
    empty = float(PRESETS[model].empty)
    return replace(run, cost=(bits + messages * empty)[None])


def _per_dense_cost(run: AdaptiveRun, model: str) -> AdaptiveRun:
    return replace(run, efficiencies=run.shares / float(PRESETS[model](dense_bits(run.x.shape[1]))))


STATED = Method()
RULES = {
    "claims-tenfold": Method(tenfold=True),
    "steep-gradients": Method(steep=True),
    "no-early-stop": Method(all_sizes=True),
    "wrong-cost": Method(record=_undercharged),
    "wrong-share": Method(record=lambda run, model: replace(run, shares=run.shares**2)),
    "wrong-efficiency": Method(record=_per_dense_cost),
    "wrong-record": Method(
        record=lambda run, model: replace(run, shares=1.1 * run.shares, efficiencies=1.1 * run.efficiencies)
    ),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_check(name, model) for name, model in TABLE),
    )


def _check(name: str, model: str) -> Check:
    def case(method: Method) -> ExactCase:
        return ExactCase(partial(compare, name, model, method))

    mutants = {}
    if (name, model) == QUICK[0]:
        mutants = {key: case(method) for key, method in RULES.items()}
    elif (name, model) == QUICK[1]:
        mutants = {"claims-tenfold": case(RULES["claims-tenfold"])}
    return Check(
        "exact",
        f"{name}-{model}",
        case(STATED),
        {"data": name, "model": model, "ridge": "1/m", "accuracy": "1/1000"},
        mutants,
        seconds=1.0 if name == "breast-cancer" else 40.0,
        profile="quick" if (name, model) in QUICK else "full",
        needs="" if name == "breast-cancer" else name,
    )


def _run(name: str, model: str, method: Method) -> AdaptiveRun:
    if method.all_sizes:
        return run_until(task(name), scanning_rule(model), trace=True)
    run = tuned_run(task(name), "cat_s", model)
    return run if method.record is None else method.record(run, model)


def compare(name: str, model: str, method: Method) -> Iterable[Comparison]:
    """Hold the costs of a set under a model against the table, and gain and loss against the finding."""
    data = "LS" if method.steep else name
    row, found = TABLE[name, model], task(data)
    rounds = fixed_rounds(found, sorted({found.d, *row.fixed}))
    run, signs = _run(data, model, method), tuned_run(found, "cat_sq", model)
    fixed, gd = found.fixed_costs(model, rounds), found.gd_cost(model, rounds[found.d])
    spent, spent_sq = float(run.cost[0, -1]), float(signs.cost[0, -1])
    witness = {"data": name, "model": model, "k": run.rounds, "gain": gd / spent}
    if not method.steep:
        yield Comparison("iterations of gradient descent", "eq", rounds[found.d], GD_ROUNDS[name], EXACT)
        yield from _constants(name, found)
        costs = {
            "gradient descent": (gd, row.gd),
            "CAT-S": (spent, row.cat_s),
            "CAT-SQ": (spent_sq, row.cat_sq),
        }
        costs |= {f"{T} entries": (fixed[T], stated) for T, stated in row.fixed.items()}
        for label, (value, stated) in costs.items():
            yield Comparison(label, "eq", value, float(stated), MEASURED, witness)
        yield from _lengths(row, run, signs)
    yield from _record(model, found, run)
    gain = yield from _gain(rounds[found.d], gd, run, witness)
    if method.tenfold:
        yield Comparison("claimed gain", "le", 10.0, gain, ROUND_OFF, witness)
        return
    yield Comparison("gain", "le", gain, LARGEST_GAIN, ROUND_OFF, witness, headline=True)
    if row.loss:
        yield Comparison("a fixed size is cheaper", "le", row.loss * min(fixed.values()), spent, ROUND_OFF)
        yield Comparison("gradient descent is cheaper", "le", gd, spent, ROUND_OFF)
    if model == "eth":
        yield Comparison("CAT-S is gradient descent", "eq", gd, spent, ROUND_OFF)
        yield Comparison("CAT-SQ loses", "le", 1.5 * gd, spent_sq, ROUND_OFF)
    else:
        yield Comparison("CAT-SQ is the cheapest", "le", spent_sq, min(gd, spent), ROUND_OFF)


def _constants(name: str, found: Task) -> Iterable[Comparison]:
    if name in CONSTANTS:
        L, least = CONSTANTS[name]
        yield Comparison("smoothness constant", "eq", found.problem.L, L, PRINTED)
        yield Comparison("least objective", "eq", found.least, least, PRINTED)


def _lengths(row: Row, run: AdaptiveRun, signs: AdaptiveRun) -> Iterable[Comparison]:
    """Iterations of both rules and sizes of CAT-S; within 2 percent a size below 50 is exact."""
    for label, found, stated in zip(("CAT-S", "CAT-SQ"), (run, signs), row.rounds, strict=False):
        yield Comparison(f"iterations of {label}", "eq", float(found.rounds), float(stated), MEASURED)
    if row.sizes:
        first, *ends = row.sizes
        yield Comparison("first size", "eq", int(run.sizes[0, 0, 0]), first, EXACT)
        for label, value, size in zip(
            ("smallest", "largest"), (run.sizes.min(), run.sizes.max()), ends, strict=True
        ):
            yield Comparison(f"{label} size", "eq", float(value), float(size), MEASURED)


def _record(model: str, found: Task, run: AdaptiveRun) -> Iterable[Comparison]:
    """What the run says of shares, efficiencies and costs, against gradients and sizes."""
    sizes = all_sizes(found.problem, run, "cat_s", PRESETS[model])
    yield from compare_iterates("CAT-S", run, sizes)
    paid, prices = np.diff(run.cost[0]), sizes.own_cost
    k = int(np.argmax(np.abs(paid - prices)))
    yield Comparison("cost of a message", "eq", float(paid[k]), float(prices[k]), NEAR, {"k": k})


def _gain(
    rounds: int, gd: float, run: AdaptiveRun, witness: Mapping[str, Any]
) -> Generator[Comparison, None, float]:
    """Hold the stated gain, from shares and efficiencies of the run, against the quotient of costs."""
    claim, spent = theory.claim(ID), float(run.cost[0, -1])
    shares = {"k": run.rounds, "alpha": run.shares[0, :, 0].tolist()}
    messages = {**shares, "E": run.efficiencies[0, :, 0].tolist()}
    dense = {"rounds": rounds, "C_dense": gd / rounds}
    gain = evaluate(claim.exact, {**messages, **dense})
    mean = evaluate(claim.formulas["mean_efficiency"], messages)
    break_even = evaluate(claim.formulas["break_even"], {**shares, **dense})
    yield Comparison("gain by shares and efficiencies", "eq", gd / spent, gain, NEAR, witness)
    total = float(run.shares.sum())
    yield Comparison("mean efficiency", "eq", total / spent, mean, NEAR, witness)
    yield Comparison("gain over breaking even", "eq", gd / spent, mean / break_even, NEAR, witness)
    return gain
