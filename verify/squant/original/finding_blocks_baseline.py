"""Checks of `squant/finding-blocks-baseline`: bits in the protocol of the original experiments."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, le
from verify.comparison import ROUND_OFF
from verify.experiments.squant import original
from verify.experiments.squant.run_costs import RunCosts, costs_of
from verify.rungs.costs import CostCase, Ordering, Samples

REPLICATES = 36
"""Enough for intervals of the medians at level 1e-9 together."""
LONGEST = 20_000
FEW = 10
"""Of the features of breast cancer, the means; the others are their errors and largest values."""
NORM_BITS = 32

METHODS: dict[str, Callable[[Any], original.Original]] = {
    "baseline": functools.partial(original.standard, levels=1),
    "proved": functools.partial(original.standard_proved, levels=1),
    "block": original.aware_block,
    "varying": original.aware_varying,
}
LOSE = (
    ("baseline", "block", "of_blocks"),
    ("block", "proved", "of_proved"),
    ("varying", "baseline", "of_varying"),
)
LOSE_TO_BOTH = (LOSE[0], ("proved", "block", "of_few"), LOSE[2])
WIN = (("block", "baseline", "of_baseline"), *LOSE[1:])
# Data, accuracy, what is claimed of the bits, and where blocks stand.
CASES = {
    "first-features": (0.5, LOSE_TO_BOTH, "lose"),
    "breast-cancer": (0.5, WIN, "win"),
    "german.numer": (1e-4, LOSE, "lose"),
    "svmguide3": (1e-4, LOSE, "lose"),
}


def _as_run(_method: str, costs: RunCosts) -> Any:
    return costs.bits


def _with_one_norm(method: str, costs: RunCosts) -> Any:
    return costs.bits - (NORM_BITS * (original.NODES - 1) * costs.rounds if method == "block" else 0)


judge = checks_of(
    "squant/finding-blocks-baseline",
    methods=METHODS,
    bits=_as_run,
    # The method that a sabotage is about; the others would only be run again.
    about="",
)
judge.sabotage(
    "one-norm at run/first-features, run/norms: Charge one norm for the norms of a message with blocks.",
    {"bits": _with_one_norm, "about": "baseline <= block"},
    "a-third at run/first-features: Claim a third of the bits of blocks. "
    "| of_blocks = of_blocks / 2, about = 'baseline <= block'",
    "fewer at run/first-features: Claim half of the bits of the proved step. "
    "| of_few = of_few / 2, about = 'proved <= block'",
    "varying-steps at run/first-features: Claim a third of the bits with varying steps. "
    "| of_varying = of_varying * 5/9, about = 'varying <= baseline'",
    "half at run/breast-cancer: Claim half of the bits with blocks. "
    "| of_baseline = of_baseline / 2, about = 'block <= baseline'",
    "a-quarter at run/breast-cancer: Claim a quarter of those of the proved step. "
    "| of_proved = of_proved * 5/18, about = 'block <= proved'",
    "two-norms at run/norms: Claim two norms for each block. | norms = 2 * norms",
)


@functools.cache
def _problem(data: str) -> Any:
    from impl.problems import load_breast_cancer

    if data in original.DATA:
        return original.problem_of(data)
    features, labels = load_breast_cancer()[:2]
    return original.arranged(features[:, :FEW] if data == "first-features" else features, labels)


def _samples(law: Law, data: str, accuracy: float, wanted: set[str], stream: Any) -> Mapping[str, Samples]:
    found = {}
    for index, name in enumerate(METHODS):
        if name in wanted:
            run = law.methods[name](_problem(data)).run(
                stream(index), rounds=LONGEST, replicates=REPLICATES, until=accuracy
            )
            costs = costs_of(run, accuracy)
            bits = law.bits(name, costs)
            found[name] = bits, np.where(costs.arrived, bits, np.inf)
    return found


def _medians(law: Law, data: str, accuracy: float, claims: Any, **_: Any) -> CostCase:
    orderings = tuple(
        Ordering(smaller, larger, law(factor))
        for smaller, larger, factor in claims
        if law.about in f"{smaller} <= {larger}"
    )
    wanted = {side for item in orderings for side in (item.smaller, item.larger)}
    return CostCase(functools.partial(_samples, law, data, accuracy, wanted), orderings)


for _data, (_accuracy, _claims, _place) in CASES.items():
    _needs = _data if _data in original.DATA else ""
    judge.costs(
        instance=_data,
        label=f"medians where blocks {_place}",
        profile="full" if _needs else "quick",
        needs=_needs,
        parameters={"data": _data, "accuracy": _accuracy, "replicates": REPLICATES, "n": original.NODES},
        data=_data,
        accuracy=_accuracy,
        claims=_claims,
    )(_medians)


@judge.drift(rounds=30)
def norms(law: Law, rng: Any, rounds: int) -> Comparisons:
    """Real messages with blocks, all that a node sends within some rounds."""
    run = law.methods["block"](_problem("first-features")).run(rng, rounds=rounds, replicates=1)
    costs = RunCosts(np.array([True]), np.array([rounds]), run.bits[:, -1], run.bits_slowest[:, -1])
    bound = law("norms", n=original.NODES, T_B=rounds)
    yield le("norms", bound, float(law.bits("block", costs)[0]), ROUND_OFF)
