"""Every step can be discharged: identities by normal form, inequalities by certificates with signs."""

import random

import pytest
from sympy import Rational, StrictGreaterThan, StrictLessThan, expand, fraction, together

import theory
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact

OLD = [theory.claim(entry.id) for entry in theory.entries("*") if entry.form == "old"]


def of_type(kind):
    return [
        pytest.param(step, id=f"{claim.id}:{step.name}")
        for claim in OLD
        for step in claim.derivation
        if isinstance(step, kind)
    ]


def vanishes(expression):
    return expand(fraction(together(expression))[0]) == 0


def is_square(expression):
    return expression.is_Pow and expression.exp == 2 and expression.base.is_real


def slack_of(relation):
    return relation.gts - relation.lts


def slack_of_hypotheses(step):
    return [slack_of(hypothesis) for hypothesis in step.hypotheses]


def is_strict(relation):
    return isinstance(relation, StrictLessThan | StrictGreaterThan)


@pytest.mark.parametrize("step", of_type(Identity))
def test_identity(step):
    assert vanishes(step.lhs - step.rhs)


@pytest.mark.parametrize("step", of_type(Certificate))
def test_certificate(step):
    assert step.terms
    for term in step.terms:
        assert term.multiplier.is_nonnegative, term.multiplier
        assert term.because
    assert vanishes(step.rhs - step.lhs - sum(term.multiplier * term.slack for term in step.terms))


@pytest.mark.parametrize("claim", OLD, ids=lambda claim: claim.id)
def test_reasons_are_earlier_steps_facts_or_hypotheses(claim):
    known = {step.name for step in claim.derivation if isinstance(step, StandardFact)}
    for step in claim.derivation:
        for term in getattr(step, "terms", ()):
            if term.slack.is_nonnegative:
                continue
            if term.because.startswith("hypothesis: "):
                assert len(term.because.removeprefix("hypothesis: ").split()) > 2
                continue
            # Only earlier steps, so no step is a reason for itself.
            assert {name.strip() for name in term.because.split(",")} <= known, (step.name, term.because)
        known.add(step.name)


@pytest.mark.parametrize("claim", OLD, ids=lambda claim: claim.id)
def test_a_step_shown_in_small_dimension_says_so(claim):
    if any(
        "in every dimension" in step.statement or "for every" in step.statement for step in claim.derivation
    ):
        facts = {step.name for step in claim.derivation if isinstance(step, StandardFact)}
        assert facts & {"summation", "linearity"}


@pytest.mark.parametrize("step", of_type(Certificate))
def test_certificate_does_not_survive_a_changed_term(step):
    changed = sum(term.multiplier * term.slack for term in step.terms[1:]) + Rational(6, 5) * (
        step.terms[0].multiplier * step.terms[0].slack
    )
    assert not vanishes(step.rhs - step.lhs - changed)


@pytest.mark.parametrize("step", of_type(ScalarLemma))
def test_scalar_lemma_by_its_rational_certificate(step):
    assert all(hypothesis.is_Relational for hypothesis in step.hypotheses)
    assert step.certificate
    hypotheses = slack_of_hypotheses(step)
    for term in step.certificate:
        assert term.multiplier.is_nonnegative
        assert is_square(term.slack) or term.slack.is_nonnegative or term.slack in hypotheses
    terms = sum(term.multiplier * term.slack for term in step.certificate)
    assert vanishes(slack_of(step.goal) - terms)
    if is_strict(step.goal):
        # A sum of nonnegative terms alone would show only the weak inequality.
        strict = [slack_of(hypothesis) for hypothesis in step.hypotheses if is_strict(hypothesis)]
        assert any(
            term.multiplier.is_positive and (term.slack.is_positive or term.slack in strict)
            for term in step.certificate
        )


@pytest.mark.parametrize("step", of_type(ScalarLemma))
def test_scalar_lemma_is_not_vacuous(step):
    rng = random.Random(0)
    symbols = sorted(step.goal.free_symbols.union(*(h.free_symbols for h in step.hypotheses)), key=str)
    points = [
        {symbol: Rational(rng.randint(1 if symbol.is_positive else 0, 12), 8) for symbol in symbols}
        for _ in range(400)  # each hypothesis set of the claims has a volume of at least 5 % in the box
    ]
    allowed = [p for p in points if all(hypothesis.subs(p) == True for hypothesis in step.hypotheses)]  # noqa: E712
    assert allowed
    assert all(step.goal.subs(p) == True for p in allowed)  # noqa: E712
