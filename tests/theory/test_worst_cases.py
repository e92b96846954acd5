"""Worst cases, which `boundcheck show` prints: a formula of the claim has the stated value there."""

import pytest

import theory
from verify.formulas.evaluation import EvaluationError, evaluate, evaluate_exact, names

# Several formulas in a row, which the checks of the claim evaluate at just these inputs.
IN_STEPS = {
    "cq_marina/cq-1d-exact",
    "cq_marina/cq-klevel",
    "cq_marina/cq-hadamard",
    "cq_marina/ab-independent",
    "cq_marina/ab-cq",
    "cq_marina/marina-biased",
    "squant/steps-diana",
    "squant/nu",
}
IDS = [entry.id for entry in theory.entries() if entry.id not in IN_STEPS]


def has_the_value(claim, case):
    """Return whether the bound, the exact value or else another formula has the stated value there."""
    for name in sorted(claim.formulas, key=lambda name: name not in ("exact", "bound")):
        formula = claim.formulas[name]
        needed = names(formula)
        if not set(needed) <= set(case.values):
            continue
        values = {key: case.values[key] for key in needed}
        try:
            if not hasattr(formula, "equation") and evaluate_exact(formula, values) == case.value:
                return True
            # A root, or an exact number in another form: the last digits of a double.
            if evaluate(formula, values) == pytest.approx(float(case.value), rel=1e-13, abs=0):
                return True
        except EvaluationError:
            continue
    return False


@pytest.mark.parametrize("id", IDS)
def test_stated_values(id):
    claim = theory.claim(id)
    cases = [case for case in claim.worst_cases if case.value is not None]
    assert [case.description for case in cases if not has_the_value(claim, case)] == []
