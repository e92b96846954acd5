"""Judge one unit: the base case and, by the same code path, its mutants, declared and generated."""

import functools
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from theory.reading.index import read_index
from verify.authoring.sides import repeated, shows, untight
from verify.authoring.unit import AuthoredUnit, LawMutant
from verify.authoring.watching import Watch, watch
from verify.binding import Profile, Unit, mutants_of
from verify.comparison import Comparison
from verify.context import Context
from verify.errors import NotMeasuredError
from verify.judging.unproved import evaluated_where_said
from verify.outcome import ALPHA, CHECK_FAILED, SAMPLING, Evidence, LabelEvidence, json_ready
from verify.records.folder import sealed
from verify.records.pinned import expected
from verify.rungs.dispatch import judge
from verify.running.machine import machine

SCHEMA = "boundcheck-record-2"


def judge_unit(
    unit: Unit, profile: Profile, seed: int, *, thorough: bool = False, lost: str = "", tier: str = "numpy"
) -> dict[str, Any]:
    """Judge a unit and return its record, JSON-ready, with the hash of its sources and its own digest.

    BLAS is limited to one thread, so that a record is the same with one process or many.

    Args:
        unit: The unit.
        profile: `quick` or `full`.
        seed: Master seed.
        thorough: Make all comparisons of a mutant, also after it failed wherever it is pinned as failing; the
            full profile always does.
        lost: Why the unit could not be judged; nothing is run then.
        tier: Who draws where the unit samples, `numpy` or `fused`; the record names who did.
    """
    from impl import tiers
    from verify.records.sources import source_sha256

    start = time.process_time()
    claim_id, rung, instance = unit.key
    sources = source_sha256(claim_id)  # before the judgement: what is edited meanwhile must look stale
    authored = unit.check.authored
    with _threads().limit(limits=1), tiers.tier(tier_of(unit, tier), "verify") as drawn:
        missing = lost or _missing(unit)
        context = Context(claim_id, rung, instance, seed=seed, profile=profile)
        if missing:
            base, mutants, tests, watched = Evidence("not_run", reason=missing), [], 0, Watch(())
        else:
            base = _judge_safely(rung, unit.check.base, context)
            labels = _labels(unit, base)
            failing = frozenset(name for name, item in labels.items() if item.verdict == "violated")
            watched = Watch(tuple(labels), failing)
            # What could not be measured could not be with a sabotage either.
            selected = () if base.verdict == "not_run" else unit.selected_mutants(profile).items()
            watched.declared = frozenset(name for name, _ in selected)
            if profile == "quick" and not thorough:
                watched.expected = expected(unit.claim, f"{rung}/{instance}")
            mutants = [_judge_mutant(unit, name, case, profile, seed, watched) for name, case in selected]
            tests = unit.tests(profile)
            if authored is not None:
                base = _without_sample(base, rung)
                if base.verdict in ("holds", "consistent") or base.comparisons:
                    watch(authored, base, watched, context, profile)
                if base.verdict in ("holds", "consistent") and _is_of_others(claim_id):
                    trace = authored.trace
                    base = _held_again(base, _judge_safely(rung, unit.check.base, context))
                    authored.trace = trace
                for label in (*untight(base.comparisons), *repeated(authored, base.comparisons)):
                    watched.rejected_by.pop(label, None)
    shown = "claim" if authored is None else shows(authored, base)
    evaluated = evaluated_where_said(unit.claim, authored.trace) if authored is not None else []
    if authored is not None:
        authored.forget()
    labels = _labels(unit, base)
    base = _doubted(base, mutants)
    return sealed(
        {
            "schema": SCHEMA,
            "claim": claim_id,
            "paper": unit.claim.paper.name,
            "rung": rung,
            "instance": instance,
            "profile": profile,
            "parameters": json_ready(unit.check.parameters),
            "verdict": base.verdict,
            "grade": base.grade,
            "bound": _finite(base.bound),
            "value": _finite(base.value),
            "tightness": _finite(base.tightness),
            "shows": shown,
            "exact": json_ready(base.exact),
            "alpha": tests * ALPHA,
            "samples": base.samples,
            "seed": seed,
            "tier": drawn,
            "mutants": mutants,
            "witness": json_ready(base.witness),
            "steps": json_ready(base.steps),
            "labels": {
                label: _label(item, watched, label) | (_means(base.comparisons, label) if authored else {})
                for label, item in labels.items()
            },
            "evaluated": evaluated,
            "unwatched": watched.unwatched if authored is not None else [],
            "unnoticed": sorted(watched.unnoticed),
            "noticed": sorted(watched.noticed_changes),
            "settings": json_ready(base.settings),
            "reason": base.reason,
            "refuted": base.refuted,
            "libraries": _libraries(drawn),
            "machine": machine(),
            "seconds": round(time.process_time() - start, 3),
            "source_sha256": sources,
        }
    )


def tier_of(unit: Unit, tier: str) -> str:
    """Return the tier of a unit in a run that asks for this one: what does not sample is judged by numpy."""
    return tier if unit.check.rung in SAMPLING else "numpy"


def _labels(unit: Unit, base: Evidence) -> Mapping[str, LabelEvidence]:
    """Return the labels of a record; a case that is not made of comparisons has one."""
    if base.labels or unit.check.rung == "symbolic" or base.verdict == "not_run":
        return base.labels
    name = unit.check.label or unit.check.instance
    if unit.check.authored is not None and unit.check.authored.yields:
        return base.labels
    return {
        name: LabelEvidence(
            base.verdict,
            base.grade,
            type(unit.check.base).__name__ if not unit.check.authored else unit.check.authored.kind,
            count=base.samples,
            bound=base.bound,
            value=base.value,
        )
    }


def _label(item: LabelEvidence, watched: Watch, label: str) -> dict[str, Any]:
    found = {
        "verdict": item.verdict,
        "grade": item.grade,
        "relation": item.relation,
        "count": item.count,
        "bound": _finite(item.bound),
        "value": _finite(item.value),
        "tightness": _finite(item.tightness),
        "tolerance": item.tolerance,
        "rejected_by": [*item.rejected_by, *watched.rejected_by.get(label, ())],
    }
    if item.relation == "proof":
        found |= {"cited": list(item.cited), "hypotheses": list(item.hypotheses), "reason": item.reason}
    return found


def _means(comparisons: Sequence[Comparison], label: str) -> dict[str, list[float]]:
    """Return the means of value and bound under a label, where it has comparisons."""
    mine = [item for item in comparisons if item.label == label]
    try:
        value, bound = math.fsum(float(item.value) for item in mine), math.fsum(float(i.bound) for i in mine)
    except OverflowError:  # rational numbers beyond floats
        return {}
    return {"means": [value / len(mine), bound / len(mine)]} if mine else {}


def _without_sample(base: Evidence, rung: str) -> Evidence:
    """Withdraw a statistical verdict for which nothing was sampled."""
    if rung != "montecarlo" or base.verdict != "holds" or base.samples:
        return base
    reason = f"no sample was drawn: {base.reason}; state it as an exact check"
    return replace(base, verdict="inconclusive", grade=None, reason=reason)


def _is_of_others(claim_id: str) -> bool:
    entry = read_index().entries.get(claim_id)
    return entry is not None and entry.module.partition(".")[0] != "theory"


def _held_again(base: Evidence, again: Evidence) -> Evidence:
    """Withdraw a good verdict if the same check, judged once more after its mutants, finds something else."""
    told = _difference(base, again)
    if not told:
        return base
    reason = (
        f"the check does not repeat itself: judged once more after its mutants, {told}; let what it compares "
        f"depend on its arguments and its seed alone; else: {base.verdict}, {base.reason}"
    )
    labels = {name: replace(item, verdict="inconclusive", grade=None) for name, item in base.labels.items()}
    return replace(base, verdict="inconclusive", grade=None, reason=reason, labels=labels)


def _difference(base: Evidence, again: Evidence) -> str:
    """Return how two judgements of the same case differ, empty where they do not."""
    if again.verdict != base.verdict:
        return f"it is {again.verdict} ({again.reason})"
    if set(again.labels) != set(base.labels):
        return f"its labels are {', '.join(map(repr, again.labels))}"
    if len(again.comparisons) != len(base.comparisons):
        return f"it makes {len(again.comparisons)} comparisons instead of {len(base.comparisons)}"
    for one, other in zip(base.comparisons, again.comparisons, strict=True):
        if (one.label, one.relation, one.tolerance) != (other.label, other.relation, other.tolerance):
            return f"it compares {other.label!r} where it compared {one.label!r}"
        if not (_is_same(one.value, other.value) and _is_same(one.bound, other.bound)):
            return f"it compares other numbers at {one.label!r}"
    for label, item in base.labels.items():
        found = again.labels[label]
        numbers = ((item.value, found.value), (item.bound, found.bound), (item.count, found.count))
        if item.verdict != found.verdict or not all(_is_same(*pair) for pair in numbers):
            return f"it finds other numbers at {label!r}"
    numbers = ((base.value, again.value), (base.bound, again.bound), (base.samples, again.samples))
    return "" if all(_is_same(*pair) for pair in numbers) else "it finds other numbers"


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two numbers are equal, or both are no number."""
    return bool(one == other) or (one != one and other != other)


def _judge_safely(rung: str, case: Any, context: Context) -> Evidence:
    """Judge a case; an exception in it is no verdict, and no reason to lose the other units."""
    try:
        return judge(rung, case, context)
    except NotMeasuredError as error:
        return Evidence("not_run", reason=str(error))
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())
        where = f"{context.claim} {rung}/{context.instance}"
        return Evidence("inconclusive", reason=f"{CHECK_FAILED}: {type(error).__name__}: {text} ({where})")


def _doubted(base: Evidence, mutants: list[dict[str, Any]]) -> Evidence:
    """Withdraw a good verdict if the check let a mutant through or rejected a neutral one."""
    wrong = [item["name"] for item in mutants if item["rejected"] == item["neutral"]]
    if not wrong or base.verdict not in ("holds", "consistent"):
        return base
    reason = (
        f"the check does not tell mutants apart ({', '.join(wrong)}); else: {base.verdict}, {base.reason}"
    )
    return replace(base, verdict="inconclusive", reason=reason)


def _judge_mutant(
    unit: Unit, name: str, case: Any, profile: Profile, seed: int, watched: Watch
) -> dict[str, Any]:
    """Judge a mutant; a sampling rung must reject it at each of several fixed seeds.

    The quick profile ends at the first rejection, which shows that the check can fail.
    """
    claim_id, rung, instance = unit.key
    neutral = next(mutant.neutral for mutant in mutants_of(unit.claim) if mutant.name == name)
    context = Context(claim_id, rung, instance, f"mutant:{name}", profile=profile, until=watched.until(name))
    found: list[Evidence] = []
    for shift in range(unit.repetitions(case, mutant=True)):
        found.append(_judge_safely(rung, case, replace(context, seed=seed + shift)))
        if profile == "quick" and not neutral and found[-1].rejects:
            break
    # A neutral mutant must be accepted each time: an exception or no decision is no acceptance.
    # Any other one survives by a single escape.
    good = ("holds", "consistent")
    rejections = [item.verdict not in good if neutral else item.rejects for item in found]
    rejected = any(rejections) if neutral else all(rejections)
    telling = next((item for item, one in zip(found, rejections, strict=True) if one == neutral), found[0])
    failing = _failing(unit, telling) if rejected else []
    reason = telling.reason
    if rejected and not neutral:
        known = watched.add(name, failing, _changed(unit.check.authored, name))
        if not known and unit.check.authored is not None and watched.labels:
            rejected = False
            reason = (
                f"it fails only at {', '.join(map(repr, failing))}, labels that the honest check does not "
                "have: the same comparisons must be made"
            )
    return {
        "name": name,
        "neutral": neutral,
        "rejected": rejected,
        "labels": failing,
        "bound": _finite(telling.bound),
        "value": _finite(telling.value),
        "reason": reason,
    }


def _failing(unit: Unit, evidence: Evidence) -> list[str]:
    """Return the labels at which a mutant fails."""
    if evidence.labels:
        return [label for label, item in evidence.labels.items() if item.verdict == "violated"]
    return [unit.check.label or unit.check.instance]


def _changed(authored: AuthoredUnit | None, name: str) -> frozenset[str]:
    """Return the names of formulas that a declared mutant of a unit changes."""
    if authored is None or not isinstance(authored.declared.get(name), LawMutant):
        return frozenset()
    declared: Any = authored.declared[name]
    return authored.changed(declared).changed


def _missing(unit: Unit) -> str:
    """Return why the unit cannot run here, empty where it can."""
    if not unit.check.needs:
        return ""
    from impl.problems.data import mnist
    from impl.problems.data.libsvm import VARIABLE, available

    found = {mnist.NAME: mnist.find(), **{entry.dataset.name: entry.path for entry in available()}}
    if found[unit.check.needs] is not None:
        return ""
    return (
        f"data set {unit.check.needs!r} is not in the folder that {VARIABLE} names; set it to one that has it"
    )


def _finite(number: float | None) -> float | None:
    return None if number is None or number != number or abs(number) == float("inf") else float(number)


def _threads() -> Any:
    """Return what limits the threads of BLAS and the like, of those libraries that are loaded by now."""
    return _threads_of(_packages(len(sys.modules)), "scipy.linalg" in sys.modules)


@functools.lru_cache(maxsize=1)
def _packages(modules: int) -> int:
    return sum("." not in name for name in sys.modules)


@functools.lru_cache(maxsize=1)
def _threads_of(packages: int, scipy: bool) -> Any:
    # To find the libraries takes longer than to judge a small unit.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@functools.cache
def _libraries(tier: str) -> Mapping[str, str]:
    from importlib.metadata import version

    kernels = ("numba",) if tier == "fused" else ()
    return {name: version(name) for name in ("numpy", "scipy", "sympy", "z3-solver", *kernels)}
