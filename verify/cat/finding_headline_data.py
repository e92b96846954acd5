"""Checks of `cat/finding-headline-data`: costs on data sets, the bundled one quickly, LIBSVM where it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import theory
from impl.optimizers import AdaptiveRun
from verify.binding import Check
from verify.cat.headline import MEASURED
from verify.cat.headline_runs import fixed_rounds, run_until, scanning_rule, task, tuned_run
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.run import DriftCase
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
        loss: CAT-S over the best of them at least, 0 where it is not held.
    """

    gd: int
    cat_s: int
    cat_sq: int
    fixed: Mapping[int, int]
    loss: float = 0.0


GD_ROUNDS = {"breast-cancer": 774, "phishing": 967, "splice": 4220, "mushrooms": 6154}
TABLE: dict[tuple[str, str], Row] = {
    # The breast cancer data is not in the specification: its rows were computed here.
    ("breast-cancer", "affine"): Row(1226016, 1205447, 877294, {}),
    ("breast-cancer", "eth"): Row(9523296, 9523296, 15552256, {30: 9523296}),
    ("breast-cancer", "payload"): Row(743040, 675139, 142108, {}),
    ("phishing", "payload"): Row(2104192, 2294136, 468040, {8: 1896024, 32: 1495104}, 1.5),
    ("phishing", "affine"): Row(2707600, 2819544, 1917256, {8: 5688072, 32: 2242656, 34: 2223000}, 1.25),
    ("phishing", "eth"): Row(11897968, 11897968, 27425616, {8: 74771408, 32: 14740192, 68: 11897968}),
    ("splice", "payload"): Row(8102400, 4200938, 968767, {8: 4100048, 16: 4094272, 32: 5299328}),
    ("splice", "affine"): Row(10735680, 7390684, 5471595, {8: 12515936, 30: 7800408, 32: 8018720}),
    ("splice", "eth"): Row(51922880, 51922880, 88514976, {8: 165944048, 32: 53620832, 60: 51922880}),
    ("mushrooms", "affine"): Row(25896032, 21651084, 10631560, {32: 17664192}),
    # Computed here, not in the specification.
    ("mushrooms", "eth"): Row(75718816, 75718816, 135922288, {112: 75718816}),
}
QUICK = (("breast-cancer", "affine"), ("breast-cancer", "eth"))


@dataclass(frozen=True)
class Method:
    """What is claimed and run: as stated, or with one fault.

    Args:
        tenfold: Whether a gain of at least 10 is claimed.
        steep: Whether the public set LS is taken in place of the data.
        all_sizes: Whether all sizes are looked at, also where an early stop is sound.
    """

    tenfold: bool = False
    steep: bool = False
    all_sizes: bool = False


STATED = Method()
RULES = {
    "claims-tenfold": Method(tenfold=True),
    "steep-gradients": Method(steep=True),
    "no-early-stop": Method(all_sizes=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_check(name, model) for name, model in TABLE),
    )


def _check(name: str, model: str) -> Check:
    def case(method: Method) -> DriftCase:
        return DriftCase(partial(compare, name, model, method))

    mutants = {}
    if (name, model) == QUICK[0]:
        mutants = {key: case(method) for key, method in RULES.items()}
    elif (name, model) == QUICK[1]:
        mutants = {"claims-tenfold": case(RULES["claims-tenfold"])}
    return Check(
        "run",
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
        return run_until(task(name), scanning_rule(model))
    return tuned_run(task(name), "cat_s", model)


def compare(name: str, model: str, method: Method, rng: Any) -> Iterable[Comparison]:
    """Hold the costs of a set under a model against the table, and gain and loss against the finding."""
    del rng
    row, found = TABLE[name, model], task("LS" if method.steep else name)
    rounds = fixed_rounds(found, sorted({found.d, *row.fixed}))
    fixed = found.fixed_costs(model, rounds)
    run = _run("LS" if method.steep else name, model, method)
    gd, spent = found.gd_cost(model, rounds[found.d]), float(run.cost[0, -1])
    signs = float(tuned_run(found, "cat_sq", model).cost[0, -1])
    witness = {"data": name, "model": model, "k": run.rounds, "gain": gd / spent}
    if not method.steep:
        yield Comparison("iterations of gradient descent", "eq", rounds[found.d], GD_ROUNDS[name], EXACT)
        pairs = {"gradient descent": (gd, row.gd), "CAT-S": (spent, row.cat_s), "CAT-SQ": (signs, row.cat_sq)}
        pairs |= {f"{T} entries": (fixed[T], stated) for T, stated in row.fixed.items()}
        for label, (value, stated) in pairs.items():
            yield Comparison(label, "eq", value, float(stated), MEASURED, witness)
    total = float(run.shares.sum())
    values = {"rounds": rounds[found.d], "Sigma": total, "efficiency": total / spent}
    gain = evaluate(theory.claim(ID).exact, {**values, "C_dense": gd / rounds[found.d]})
    yield Comparison("gain by efficiency and shares", "eq", gd / spent, gain, ROUND_OFF, witness)
    if method.tenfold:
        yield Comparison("claimed gain", "le", 10.0, gain, ROUND_OFF, witness)
        return
    yield Comparison("gain", "le", gain, LARGEST_GAIN, ROUND_OFF, witness, headline=True)
    if row.loss:
        yield Comparison("a fixed size is cheaper", "le", row.loss * min(fixed.values()), spent, ROUND_OFF)
        yield Comparison("gradient descent is cheaper", "le", gd, spent, ROUND_OFF)
    if model == "eth":
        yield Comparison("CAT-S is gradient descent", "eq", gd, spent, ROUND_OFF)
        yield Comparison("CAT-SQ loses", "le", 1.5 * gd, signs, ROUND_OFF)
    else:
        yield Comparison("CAT-SQ is the cheapest", "le", signs, min(gd, spent), ROUND_OFF)
