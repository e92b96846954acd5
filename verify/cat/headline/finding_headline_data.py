"""Checks of `cat/finding-headline-data`: costs on data sets, the bundled one quickly, LIBSVM where it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from impl.communication import PRESETS, dense_bits, sparse_bits
from impl.optimizers import AdaptiveRun
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.all_sizes import NEAR, all_sizes, compare_iterates
from verify.comparison import ORACLE, ROUND_OFF, Comparison, printed
from verify.experiments.cat.headline_runs import Task, fixed_rounds, run_until, scanning_rule, task, tuned_run

MEASURED = printed(3)


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
    """

    gd: int
    cat_s: int
    cat_sq: int
    fixed: Mapping[int, int]
    sizes: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()


GD_ROUNDS = {"breast-cancer": 774, "phishing": 967, "splice": 4220, "mushrooms": 6154}
CONSTANTS = {
    "breast-cancer": (1.066505095394, 0.2607743557390),
    "phishing": (0.1626415332, 0.1868285505),
    "splice": (95.71368594, 0.3383017712),
}
"""L and the least objective; those of the breast cancer data were computed here."""

TABLE: dict[tuple[str, str], Row] = {
    # The breast cancer data is not in the specification: its rows were computed here.
    ("breast-cancer", "affine"): Row(1226016, 1205447, 877294, {}, (14, 9, 23), (935, 1217)),
    ("breast-cancer", "eth"): Row(9523296, 9523296, 15552256, {30: 9523296}, (30, 30, 30), (774, 1264)),
    ("breast-cancer", "payload"): Row(743040, 675139, 142108, {}, (1, 1, 1), (18247, 1304)),
    ("phishing", "payload"): Row(
        2104192, 2294136, 468040, {8: 1896024, 32: 1495104}, (1, 1, 1), (58824, 2358)
    ),
    ("phishing", "affine"): Row(
        2707600, 2819544, 1917256, {8: 5688072, 32: 2242656, 34: 2223000}, (9, 7, 48), (1508, 2305)
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
QUICK = (("breast-cancer", "affine"), ("breast-cancer", "eth"))
_FIRST = "exact/breast-cancer-affine"


def _tuned(name: str, model: str, rule: str = "cat_s") -> AdaptiveRun:
    return tuned_run(task(name), rule, model)


judge = checks_of(
    "cat/finding-headline-data", run=_tuned, record=lambda run, model: run, rounds=fixed_rounds, task=task
)


@judge.mutant("Charge one entry too few for each message of the run.", at=(_FIRST,))
def wrong_cost(law: Law) -> Law:
    def undercharged(run: AdaptiveRun, model: str) -> AdaptiveRun:
        entries = np.cumsum(np.maximum(run.sizes[0, :, 0] - 1, 1))
        bits = np.concatenate([[0], entries]) * sparse_bits(1, run.x.shape[1])
        return replace(run, cost=(bits + np.arange(run.rounds + 1) * float(PRESETS[model].empty))[None])

    return law.replace(record=undercharged)


judge.sabotage(
    "wrong-share at exact/breast-cancer-affine: Record the square of each share.",
    record=lambda run, model: replace(run, shares=run.shares**2),
)


@judge.mutant("Record the share per cost of a dense message.", at=(_FIRST,))
def wrong_efficiency(law: Law) -> Law:
    def dense(run: AdaptiveRun, model: str) -> AdaptiveRun:
        return replace(run, efficiencies=run.shares / float(PRESETS[model](dense_bits(run.x.shape[1]))))

    return law.replace(record=dense)


@judge.mutant("Record shares and efficiencies that are both too large by a tenth.", at=(_FIRST,))
def wrong_record(law: Law) -> Law:
    def larger(run: AdaptiveRun, model: str) -> AdaptiveRun:
        return replace(run, shares=1.1 * run.shares, efficiencies=1.1 * run.efficiencies)

    return law.replace(record=larger)


judge.sabotage(
    "all-entries at exact/breast-cancer-affine: Send all entries, whatever is most efficient.",
    {"run": lambda name, model, rule="cat_s": _tuned(name, "eth", rule)},
    "steep-gradients at exact/breast-*: Take the public set LS with its steep gradients: there tuning pays.",
    {"task": lambda name: task("LS"), "run": lambda name, *rest: _tuned("LS", *rest)},
)


@judge.mutant("Take CAT-S and CAT-SQ for each other.", at=("exact/breast-cancer-*",))
def swapped_rules(law: Law) -> Law:
    other = {"cat_s": "cat_sq", "cat_sq": "cat_s"}
    return law.replace(run=lambda name, model, rule="cat_s": _tuned(name, model, other[rule]))


@judge.mutant("Look at all sizes, without an early stop: nothing may change.", at=(_FIRST,), neutral=True)
def no_early_stop(law: Law) -> Law:
    def run(name: str, model: str, rule: str = "cat_s") -> AdaptiveRun:
        if rule != "cat_s":
            return _tuned(name, model, rule)
        return run_until(task(name), scanning_rule(model), trace=True)

    return law.replace(run=run)


def _row(law: Law, data: str, model: str, **_: Any) -> Iterable[Comparison]:
    """The costs of a set under a model against the table, and gain and loss against the finding."""
    row, found = TABLE[data, model], law.task(data)
    rounds = law.rounds(found, sorted({found.d, *row.fixed}))
    run, signs = (law.record(law.run(data, model, rule), model) for rule in ("cat_s", "cat_sq"))
    fixed, gd = found.fixed_costs(model, rounds), found.gd_cost(model, rounds[found.d])
    spent, spent_sq = float(run.cost[0, -1]), float(signs.cost[0, -1])
    witness = {"data": data, "model": model, "k": run.rounds, "gain": gd / spent}
    # In floats, as all of the table: a count of iterations of floats is no exact result.
    counted = float(rounds[found.d])
    yield eq("iterations of gradient descent", counted, float(GD_ROUNDS[data]), ROUND_OFF)
    for value, stated in zip((found.problem.L, found.least), CONSTANTS.get(data, ()), strict=False):
        yield eq("constants", value, stated, ORACLE)
    costs = {
        "gradient descent": (gd, row.gd),
        "CAT-S": (spent, row.cat_s),
        "CAT-SQ": (spent_sq, row.cat_sq),
    }
    for label, (value, stated) in costs.items():
        yield eq(label, value, float(stated), MEASURED, witness=witness)
    for T, stated in row.fixed.items():
        yield eq("fixed sizes", fixed[T], float(stated), MEASURED, witness=witness)
    yield from _lengths(row, run, signs)
    yield from _record("", model, found, run, "cat_s")
    yield from _record("signs", model, found, signs, "cat_sq")
    yield from _gain(law, rounds[found.d], gd, run, witness)
    name = f"{data}_{model}"
    yield eq("cost over gradient descent", spent / gd, law(name), MEASURED, witness=witness)
    if f"{name}_fixed" in law.formulas:
        ratio = spent / min(fixed.values())
        yield eq("cost over the best fixed size", ratio, law(f"{name}_fixed"), MEASURED, witness=witness)
    if f"{name}_size" in law.formulas:
        best = float(min(fixed, key=fixed.__getitem__))
        yield eq("best of the fixed sizes", best, law(f"{name}_size"), ROUND_OFF, witness=witness)
    if law(name) >= 1:
        yield le("gradient descent is cheaper", gd, spent, ROUND_OFF)
    if model == "eth":
        yield eq("CAT-S is gradient descent", gd, spent, ROUND_OFF)
        yield le("CAT-SQ loses", law("least_signs") * gd, spent_sq, ROUND_OFF)
    else:
        yield le("CAT-SQ is the cheapest", spent_sq, min(gd, spent), ROUND_OFF)


def _lengths(row: Row, run: AdaptiveRun, signs: AdaptiveRun) -> Iterable[Comparison]:
    """Iterations of both rules and sizes of CAT-S."""
    for found, stated in zip((run, signs), row.rounds, strict=False):
        yield eq("iterations", float(found.rounds), float(stated), MEASURED)
    if row.sizes:
        sizes = (run.sizes[0, 0, 0], run.sizes.min(), run.sizes.max())
        for value, size in zip(sizes, row.sizes, strict=True):
            yield eq("sizes", float(value), float(size), ROUND_OFF)


def _record(label: str, model: str, found: Task, run: AdaptiveRun, rule: str) -> Iterable[Comparison]:
    """What a run says of shares, efficiencies and costs, against gradients and all sizes."""
    sizes = all_sizes(found.problem, run, rule, PRESETS[model])
    yield from compare_iterates(label, run, sizes)
    paid, prices = np.diff(run.cost[0]), sizes.own_cost
    k = int(np.argmax(np.abs(paid - prices)))
    prefix = f"{label}: " if label else ""
    yield eq(f"{prefix}cost of a message", float(paid[k]), float(prices[k]), NEAR, witness={"k": k})


def _gain(law: Law, rounds: int, gd: float, run: AdaptiveRun, witness: Any) -> Iterable[Comparison]:
    """The stated gain, from shares and efficiencies of the run, against the quotient of costs."""
    spent = float(run.cost[0, -1])
    shares = {"k": run.rounds, "alpha": run.shares[0, :, 0].tolist()}
    messages = {**shares, "E": run.efficiencies[0, :, 0].tolist()}
    dense = {"rounds": rounds, "C_dense": gd / rounds}
    gain, mean = law("exact", **messages, **dense), law("mean_efficiency", **messages)
    yield eq("gain by shares and efficiencies", gd / spent, gain, NEAR, witness=witness)
    yield eq("mean efficiency", float(run.shares.sum()) / spent, mean, NEAR, witness=witness)
    quotient = mean / law("break_even", **shares, **dense)
    yield eq("gain over breaking even", gd / spent, quotient, NEAR, witness=witness)
    yield le("gain", gain, law("largest_gain"), ROUND_OFF, witness=witness, headline=True)


for _data, _model in TABLE:
    judge.exact(
        instance=f"{_data}-{_model}",
        profile="quick" if (_data, _model) in QUICK else "full",
        needs="" if _data == "breast-cancer" else _data,
        data=_data,
        model=_model,
        ridge="1/m",
        accuracy="1/1000",
    )(_row)
