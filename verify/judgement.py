"""Judge one unit: the base case and, by the same code path, its mutants."""

import time
from dataclasses import replace
from typing import Any

from verify.binding import Profile, Unit
from verify.context import Context
from verify.outcome import ALPHA, Evidence, json_ready
from verify.rungs import judge

SCHEMA = "boundcheck-record-1"


def judge_unit(unit: Unit, profile: Profile, seed: int) -> dict[str, Any]:
    """Judge a unit and return its record, JSON-ready, with the hash of its sources.

    BLAS is limited to one thread, so that a record is the same with one process or many.
    """
    from threadpoolctl import threadpool_limits

    from verify.sources import source_sha256

    start = time.process_time()
    claim_id, rung, instance = unit.key
    sources = source_sha256(claim_id)  # before the judgement: what is edited meanwhile must look stale
    with threadpool_limits(limits=1):
        missing = _missing(unit)
        if missing:
            base, mutants, tests = Evidence("not_run", reason=missing), [], 0
        else:
            base = _judge_safely(
                rung, unit.check.base, Context(claim_id, rung, instance, seed=seed, profile=profile)
            )
            selected = unit.selected_mutants(profile).items()
            mutants = [_judge_mutant(unit, name, case, profile, seed) for name, case in selected]
            tests = unit.tests(profile)
    base = _doubted(base, mutants)
    return {
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
        "exact": json_ready(base.exact),
        "alpha": tests * ALPHA,
        "samples": base.samples,
        "seed": seed,
        "mutants": mutants,
        "witness": json_ready(base.witness),
        "steps": json_ready(base.steps),
        "reason": base.reason,
        "refuted": base.refuted,
        "libraries": _libraries(),
        "seconds": round(time.process_time() - start, 3),
        "source_sha256": sources,
    }


def _judge_safely(rung: str, case: Any, context: Context) -> Evidence:
    """Judge a case; an exception in it is no verdict, and no reason to lose the other units."""
    try:
        return judge(rung, case, context)
    except Exception as error:
        return Evidence("inconclusive", reason=f"the check itself failed: {type(error).__name__}: {error}")


def _doubted(base: Evidence, mutants: list[dict[str, Any]]) -> Evidence:
    """Withdraw a good verdict if the check let a mutant through or rejected a neutral one."""
    wrong = [item["name"] for item in mutants if item["rejected"] == item["neutral"]]
    if not wrong or base.verdict not in ("holds", "consistent"):
        return base
    reason = (
        f"the check does not tell mutants apart ({', '.join(wrong)}); else: {base.verdict}, {base.reason}"
    )
    return replace(base, verdict="inconclusive", reason=reason)


def _judge_mutant(unit: Unit, name: str, case: Any, profile: Profile, seed: int) -> dict[str, Any]:
    """Judge a mutant; a sampling rung must reject it at each of several fixed seeds."""
    claim_id, rung, instance = unit.key
    neutral = next(mutant.neutral for mutant in unit.claim.mutants if mutant.name == name)
    found = [
        _judge_safely(rung, case, Context(claim_id, rung, instance, f"mutant:{name}", seed + shift, profile))
        for shift in range(unit.repetitions(case, mutant=True))
    ]
    # A neutral mutant must be accepted each time: an exception or no decision is no acceptance.
    # Any other one survives by a single escape.
    good = ("holds", "consistent")
    rejections = [item.verdict not in good if neutral else item.rejects for item in found]
    rejected = any(rejections) if neutral else all(rejections)
    telling = next((item for item, one in zip(found, rejections, strict=True) if one == neutral), found[0])
    return {
        "name": name,
        "neutral": neutral,
        "rejected": rejected,
        "bound": _finite(telling.bound),
        "value": _finite(telling.value),
        "reason": telling.reason,
    }


def _missing(unit: Unit) -> str:
    """Return why the unit cannot run here, empty where it can."""
    if not unit.check.needs:
        return ""
    from impl.problems.libsvm import VARIABLE, available

    found = {entry.dataset.name: entry.path for entry in available()}
    if found[unit.check.needs] is not None:
        return ""
    return (
        f"data set {unit.check.needs!r} is not in the folder that {VARIABLE} names; set it to one that has it"
    )


def _finite(number: float | None) -> float | None:
    return None if number is None or number != number or abs(number) == float("inf") else float(number)


def _libraries() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("numpy", "scipy", "sympy", "z3-solver")}
