"""Derivations of the old form: steps that are checked one by one but not connected to what is stated.

So they prove nothing: all of them together are an outline, and the verdict is `consistent`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from verify.context import Context
from verify.outcome import Evidence

HYPOTHESIS = "hypothesis: "
"""Begins the reason of a slack that is nonnegative by an assumption or by the definition of a symbol."""


@dataclass(frozen=True)
class SymbolicCase:
    """The derivation to be discharged."""

    steps: Sequence[Step]
    tests = 0


@dataclass(frozen=True)
class Discharge:
    """Status of one step (`proved`, `cited`, `numerical`, `failed`, `unknown`) with means or obstacle.

    `hypotheses` are what its slacks take for granted: assumptions of the claim, definitions of symbols.
    """

    status: str
    detail: str
    witness: Mapping[str, Any] | None = None
    hypotheses: tuple[str, ...] = ()


def judge(case: SymbolicCase, context: Context) -> Evidence:
    """Discharge all steps; where all of them go through, the outline is consistent."""
    if not any(not isinstance(step, StandardFact) for step in case.steps):
        return Evidence("not_run", reason="the derivation has no step that can be discharged")
    results = [(step, discharge(step, _before(step, case.steps))) for step in case.steps]
    steps = tuple(
        {"name": step.name, "kind": type(step).__name__, "status": result.status, "detail": result.detail}
        for step, result in results
    )
    for step, result in results:
        if result.status == "failed":
            return Evidence(
                "inconclusive",
                witness=result.witness,
                reason=f"the derivation fails at step {step.name!r}: {result.detail}",
                refuted=True,
                steps=steps,
            )
    unknown = [step.name for step, result in results if result.status == "unknown"]
    if unknown:
        return Evidence("inconclusive", reason=f"not decided: {', '.join(unknown)}", steps=steps)
    numerical = [step.name for step, result in results if result.status == "numerical"]
    facts = [step.name for step, result in results if result.status == "cited"]
    hypotheses = sorted({item for _, result in results for item in result.hypotheses})
    reason = f"outline modulo {{{', '.join(facts)}}}" if facts else "outline"
    if hypotheses:
        reason += f" under {{{'; '.join(hypotheses)}}}"
    if numerical:
        lemmas = ", ".join(numerical)
        return Evidence(
            "consistent",
            "outline",
            reason=f"{reason}; decided by one solver only (boundcheck[proof] brings a second): {lemmas}",
            steps=steps,
        )
    return Evidence("consistent", "outline", reason=reason, steps=steps)


def _before(step: Step, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return what a step may rest on: earlier steps and cited facts, so that nothing rests on itself."""
    position = next(index for index, item in enumerate(steps) if item is step)
    return (*steps[:position], *(item for item in steps[position:] if isinstance(item, StandardFact)))


def discharge(step: Step, derivation: Sequence[Step] = ()) -> Discharge:
    """Discharge one step of a derivation, whose other steps its slacks may name."""
    if isinstance(step, StandardFact):
        return Discharge("cited", step.reference)
    if isinstance(step, Identity):
        return _discharge_identity(step)
    if isinstance(step, Certificate):
        return _discharge_certificate(step.rhs - step.lhs, step.terms, derivation)
    return _discharge_lemma(step)


def _discharge_identity(step: Identity) -> Discharge:
    from verify.evidence.multiplier_certificate import certificate

    if certificate(step.lhs - step.rhs, []):
        return Discharge("proved", "identity")
    return Discharge("failed", "the two sides differ", {"difference": str((step.lhs - step.rhs).factor())})


def _discharge_certificate(
    difference: Any, terms: tuple[Term, ...], derivation: Sequence[Step] = ()
) -> Discharge:
    from verify.evidence.multiplier_certificate import certificate

    hypotheses = []
    for term in terms:
        if not term.multiplier.is_nonnegative:
            return Discharge("failed", f"multiplier {term.multiplier} is not known to be nonnegative")
        problem = _unfounded(term, derivation)
        if problem:
            return Discharge("failed", f"slack {term.slack}: {problem}")
        if not term.slack.is_nonnegative and term.because.startswith(HYPOTHESIS):
            hypotheses.append(term.because.removeprefix(HYPOTHESIS))
    if certificate(difference, [(term.multiplier, term.slack) for term in terms]):
        rests = [
            term.because for term in terms if not term.slack.is_nonnegative and term.because != HYPOTHESIS
        ]
        detail = f"certificate with {len(terms)} terms" + (
            f", resting on {'; '.join(rests)}" if rests else ""
        )
        return Discharge("proved", detail, hypotheses=tuple(hypotheses))
    remainder = difference - sum(term.multiplier * term.slack for term in terms)
    return Discharge("failed", "the certificate leaves a remainder", {"remainder": str(remainder.factor())})


def _unfounded(term: Term, derivation: Sequence[Step]) -> str:
    """Return why a slack has no reason to be nonnegative, empty where it has one.

    It may be nonnegative by its form, by a hypothesis that is then declared, or by other steps.
    """
    if term.slack.is_nonnegative or term.because.startswith(HYPOTHESIS):
        return ""
    if not term.because:
        return "it has no reason to be nonnegative"
    steps = {step.name: step for step in derivation}
    named = [name.strip() for name in term.because.split(",")]
    unknown = [name for name in named if name not in steps]
    if unknown:
        return (
            f"{', '.join(map(repr, unknown))} is no earlier step of the derivation, nor marked {HYPOTHESIS!r}"
        )
    if all(isinstance(steps[name], Identity) for name in named):
        return f"an equation ({', '.join(named)}) makes nothing nonnegative"
    only = steps[named[0]] if len(named) == 1 else None
    if isinstance(only, ScalarLemma) and not _same_by_name(term.slack, _goal_difference(only.goal)):
        return f"it is not what lemma {named[0]!r} says"
    return ""


def _same_by_name(first: Any, second: Any) -> bool:
    """Return whether two expressions are the same once symbols of the same name are."""
    from sympy import Symbol

    plain = [item.xreplace({s: Symbol(s.name) for s in item.free_symbols}) for item in (first, second)]
    return bool((plain[0] - plain[1]).expand() == 0)


def _discharge_lemma(step: ScalarLemma) -> Discharge:
    from verify.evidence.smt_solver import prove, second_opinion

    hypotheses = list(step.hypotheses)
    answer = prove(hypotheses, step.goal)
    if answer == "refuted":
        lemma = f"{step.hypotheses} => {step.goal}"
        return Discharge("failed", "the solver found a counter-model", {"lemma": lemma})
    if answer != "proved":
        return Discharge("unknown", f"the solver answers {answer!r}")
    if step.certificate:
        result = _discharge_lemma_certificate(step)
        return (
            replace(result, detail=f"SMT solver and {result.detail}") if result.status == "proved" else result
        )
    opinion = second_opinion(hypotheses, step.goal)
    if opinion == "proved":
        return Discharge("proved", "two SMT solvers")
    if opinion == "refuted":
        return Discharge("unknown", "two SMT solvers disagree")
    return Discharge("numerical", f"one SMT solver; second opinion: {opinion}")


def _discharge_lemma_certificate(step: ScalarLemma) -> Discharge:
    """Check the certificate of a lemma: its slacks are its hypotheses, or nonnegative by their form."""
    difference = _goal_difference(step.goal)
    if difference is None:
        return Discharge("failed", f"goal {step.goal} is no inequality, so it has no certificate")
    allowed = [_goal_difference(hypothesis) for hypothesis in step.hypotheses]
    for term in step.certificate:
        if not (term.slack.is_nonnegative or term.slack in allowed):
            reason = "is neither a hypothesis nor nonnegative by its form"
            return Discharge("failed", f"slack {term.slack} {reason}")
    if _is_strict(step.goal):
        strict = [_goal_difference(hypothesis) for hypothesis in step.hypotheses if _is_strict(hypothesis)]
        terms = (term for term in step.certificate if term.multiplier.is_positive)
        if not any(term.slack.is_positive or term.slack in strict for term in terms):
            return Discharge("failed", f"no term of the certificate is positive, and {step.goal} is strict")
    founded = tuple(replace(term, because=HYPOTHESIS) for term in step.certificate)
    return replace(_discharge_certificate(difference, founded), hypotheses=())


def _is_strict(inequality: Any) -> bool:
    from sympy.core.relational import StrictGreaterThan, StrictLessThan

    return isinstance(inequality, StrictGreaterThan | StrictLessThan)


def _goal_difference(inequality: Any) -> Any:
    """Return the larger minus the smaller side of an inequality, None for anything else."""
    from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

    if isinstance(inequality, LessThan | StrictLessThan):
        return inequality.rhs - inequality.lhs
    if isinstance(inequality, GreaterThan | StrictGreaterThan):
        return inequality.lhs - inequality.rhs
    return None
