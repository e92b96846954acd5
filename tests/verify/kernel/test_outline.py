"""The steps of a derivation that a reader follows."""

import pytest
from claims import claim, said, symbols
from sympy import log

import theory
from theory.formula import le, lt
from verify.kernel.derive import run
from verify.kernel.outline import MOST


@pytest.fixture(scope="module", params=["squant/var", "cat/sq-range", "cq_marina/logreg"])
def derived(request):
    """Return a claim with the report of its derivation."""
    claim = theory.claim(request.param)
    return claim, run(claim, outlined=True)


def test_it_begins_with_the_conclusions_and_is_short(derived):
    _, report = derived
    names = [step.name for step in report.outline]
    assert names[: len(report.conclusions)] == list(report.conclusions)
    assert len(names) == len(set(names)) <= len(report.conclusions) + MOST


def test_steps_rest_on_steps_and_hypotheses_that_exist(derived):
    claim, report = derived
    names = {step.name for step in report.outline}
    for step in report.outline:
        assert set(step.steps) <= names - {step.name}
        assert set(step.hypotheses) <= set(claim.hypotheses)
        assert step.formula
        assert step.folded >= 0


def test_steps_are_no_moves(derived):
    _, report = derived
    steps = report.outline[len(report.conclusions) :]
    assert steps
    assert not {step.rule for step in steps} & {"assume", "specialise", "every", "discharge", "sign"}


def test_no_step_rests_on_itself_through_others(derived):
    _, report = derived
    below = {step.name: set(step.steps) for step in report.outline}
    while below:
        ready = {name for name, rests in below.items() if not rests & below.keys()}
        assert ready, f"in a circle: {sorted(below)}"
        below = {name: rests for name, rests in below.items() if name not in ready}


def test_each_hypothesis_that_a_theorem_lists_is_met_on_the_way(derived):
    _, report = derived
    by_name = {step.name: step for step in report.outline}
    for name, conclusion in report.conclusions.items():
        met, pending = set(), [name]
        while pending:
            step = by_name[pending.pop()]
            met |= set(step.hypotheses)
            pending += step.steps
        assert set(conclusion.hypotheses) <= met


def test_cited_facts_are_named():
    (x,) = symbols("x")

    def derive(K):
        K.example({x: 2})
        K.conclude("main", K.cite(le(log(x), x - 1), "a book", under=(lt(0, x),)))

    report = run(claim(said(log(x), "<=", x - 1), positive=lt(0, x)), derive, outlined=True)
    assert report.conclusions["main"].cited
    assert any(step.cited for step in report.outline)


def test_no_outline_is_made_unless_it_is_asked_for():
    assert run(theory.claim("cq_marina/logreg")).outline == ()
