"""Runs of the headline for `cat/greedy-invariant`: all sizes at every iterate."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from impl.adaptive import Choice, cat_s, cat_sq, cat_st
from impl.communication import PRESETS
from verify.binding import Check
from verify.cat.all_sizes import all_sizes, compare_iterates
from verify.cat.greedy_rules import RULES, STATED, Rule
from verify.cat.headline.finding_headline_data import TABLE as DATA
from verify.cat.headline_runs import MODELS, MOST_ROUNDS, run_until, task, tuned_run
from verify.comparison import Comparison
from verify.rungs.run import DriftCase

MUTANT_ROUNDS = 20


@dataclass(frozen=True)
class Whole:
    """Runs of the headline, from 0 to their end or for some iterations, over some links.

    Args:
        instance: Name of the check.
        data: LF, LS or a data set.
        models: Links.
        kinds: Rules.
        seen: The mutants that are tried.
        seconds: Of the check.
        profile: Of the check.
        most: Iterations at most.
    """

    instance: str
    data: str
    models: tuple[str, ...]
    kinds: tuple[str, ...]
    seen: tuple[str, ...]
    seconds: float
    profile: Any = "quick"
    most: int = MOST_ROUNDS


def _whole(name: str, model: str, seconds: float, profile: Any = "quick", *, neutral: bool = False) -> Whole:
    seen = (*SEEN.get(model, ("other-link",)), *(("scaled-gradient",) if neutral else ()))
    return Whole(f"{name}-{model}", name, (model,), TUNED, seen, seconds, profile)


STATED_RULES: dict[str, Callable[..., Choice]] = {"cat_s": cat_s, "cat_sq": cat_sq, "cat_st": cat_st}
TUNED = ("cat_s", "cat_sq")
SEEN = {
    "payload": ("unsorted-sums",),
    "affine": ("squared-cost", "unsorted-sums", "other-link"),
}
"""The mutants that differ under a link; where packets are paid, only the last one does."""

HEADLINE = (
    *(_whole("LS", model, 0.2, neutral=model == "affine") for model in MODELS),
    *(_whole("LF", model, 0.2) for model in MODELS[1:]),
    _whole("LF", "payload", 1.2, "full"),
    Whole("random-LS", "LS", ("affine",), ("cat_st",), ("other-link", "scaled-gradient"), 0.1),
    Whole("random-LS-payload", "LS", ("payload",), ("cat_st",), (), 0.2, "full"),
    Whole("random-LF", "LF", ("payload", "affine"), ("cat_st",), ("other-link",), 3.0, "full"),
    Whole("random-packets", "LF", MODELS[2:], ("cat_st",), ("other-link",), 5.0, "full", 4),
    *(_whole(name, model, 50.0 if model == "payload" else 10.0, "full") for name, model in DATA),
)


def headline_checks() -> tuple[Check, ...]:
    """Return the checks along the runs of `cat/headline` and `cat/finding-headline-data`."""
    return tuple(_check(item) for item in HEADLINE)


def _check(item: Whole) -> Check:
    def case(rule: Rule) -> DriftCase:
        return DriftCase(functools.partial(compare_headline, item, rule))

    bundled = item.data in ("LF", "LS", "breast-cancer")
    return Check(
        "run",
        f"headline-{item.instance}",
        case(STATED),
        {"data": item.data, "links": item.models, "rules": item.kinds, "accuracy": "1/1000"},
        {key: case(RULES[key]) for key in item.seen},
        seconds=item.seconds,
        profile=item.profile,
        needs="" if bundled else item.data,
    )


def compare_headline(item: Whole, rule: Rule, rng: Any) -> Iterable[Comparison]:
    """All sizes at every iterate of runs of the headline; of a mutant's run the first iterates."""
    found = task(item.data)
    for model in item.models:
        for kind in item.kinds:
            cost, stated_rule = PRESETS[model], STATED_RULES[kind]

            def choose(g: Any, cost: Any = cost, stated_rule: Any = stated_rule) -> Choice:
                return rule.applied(g, cost, None, stated_rule)

            if rule == STATED and kind in TUNED:
                run = tuned_run(found, kind, model)
            else:
                most = item.most if rule == STATED else MUTANT_ROUNDS
                run = run_until(found, choose, most, trace=True, rng=rng)
            sizes = all_sizes(found.problem, run, kind, cost)
            yield from compare_iterates(f"{kind}, {item.data}, {model}", run, sizes, headline=True)
