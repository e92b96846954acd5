"""Symbolic rung: discharge the steps of a derivation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from theory.derivation import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from verify.context import Context
from verify.outcome import Evidence


@dataclass(frozen=True)
class SymbolicCase:
    """The derivation to be discharged."""

    steps: tuple[Step, ...]
    tests = 0


@dataclass(frozen=True)
class Discharge:
    """Status of one step (`proved`, `cited`, `numerical`, `failed`, `unknown`) with means or obstacle."""

    status: str
    detail: str
    witness: Mapping[str, Any] | None = None


def judge(case: SymbolicCase, context: Context) -> Evidence:
    """Discharge all steps; all of them must go through for `holds`."""
    if not any(not isinstance(step, StandardFact) for step in case.steps):
        return Evidence("not_run", reason="the derivation has no step that can be discharged")
    results = [(step, discharge(step)) for step in case.steps]
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
    reason = f"proof modulo {{{', '.join(facts)}}}" if facts else "proof"
    if numerical:
        lemmas = ", ".join(numerical)
        return Evidence(
            "holds",
            "numerical",
            reason=f"{reason}; decided by one solver only (boundcheck[proof] brings a second): {lemmas}",
            steps=steps,
        )
    return Evidence("holds", "proof", reason=reason, steps=steps)


def discharge(step: Step) -> Discharge:
    """Discharge one step."""
    if isinstance(step, StandardFact):
        return Discharge("cited", step.reference)
    if isinstance(step, Identity):
        return _discharge_identity(step)
    if isinstance(step, Certificate):
        return _discharge_certificate(step.rhs - step.lhs, step.terms)
    return _discharge_lemma(step)


def _discharge_identity(step: Identity) -> Discharge:
    from verify.evidence.certificate import certificate

    if certificate(step.lhs - step.rhs, []):
        return Discharge("proved", "identity")
    return Discharge("failed", "the two sides differ", {"difference": str((step.lhs - step.rhs).factor())})


def _discharge_certificate(difference: Any, terms: tuple[Term, ...]) -> Discharge:
    from verify.evidence.certificate import certificate

    for term in terms:
        if not term.multiplier.is_nonnegative:
            return Discharge("failed", f"multiplier {term.multiplier} is not known to be nonnegative")
        if not term.slack.is_nonnegative and not term.because:
            return Discharge("failed", f"slack {term.slack} has no reason to be nonnegative")
    if certificate(difference, [(term.multiplier, term.slack) for term in terms]):
        return Discharge("proved", f"certificate with {len(terms)} terms")
    remainder = difference - sum(term.multiplier * term.slack for term in terms)
    return Discharge("failed", "the certificate leaves a remainder", {"remainder": str(remainder.factor())})


def _discharge_lemma(step: ScalarLemma) -> Discharge:
    from sympy import S
    from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

    from verify.evidence.prove import prove, second_opinion

    hypotheses = list(step.hypotheses)
    answer = prove(hypotheses, step.goal)
    if answer == "refuted":
        return Discharge(
            "failed", "the solver found a counter-model", {"lemma": f"{step.hypotheses} => {step.goal}"}
        )
    if answer != "proved":
        return Discharge("unknown", f"the solver answers {answer!r}")
    if step.certificate:
        goal = step.goal
        if isinstance(goal, LessThan | StrictLessThan):
            difference = goal.rhs - goal.lhs
        elif isinstance(goal, GreaterThan | StrictGreaterThan):
            difference = goal.lhs - goal.rhs
        else:
            return Discharge("failed", f"goal {goal} is no inequality, so it has no certificate")
        allowed = {_as_slack(hypothesis) for hypothesis in step.hypotheses}
        for term in step.certificate:
            if not (term.slack.is_nonnegative or term.slack in allowed or term.slack == S.One):
                return Discharge(
                    "failed", f"slack {term.slack} is neither a hypothesis nor nonnegative by its form"
                )
        result = _discharge_certificate(difference, step.certificate)
        if result.status == "proved":
            return Discharge("proved", f"SMT solver and {result.detail}")
        return result
    opinion = second_opinion(hypotheses, step.goal)
    if opinion == "proved":
        return Discharge("proved", "two SMT solvers")
    if opinion == "refuted":
        return Discharge("unknown", "two SMT solvers disagree")
    return Discharge("numerical", f"one SMT solver; second opinion: {opinion}")


def _as_slack(hypothesis: Any) -> Any:
    from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

    if isinstance(hypothesis, LessThan | StrictLessThan):
        return hypothesis.rhs - hypothesis.lhs
    if isinstance(hypothesis, GreaterThan | StrictGreaterThan):
        return hypothesis.lhs - hypothesis.rhs
    return None
