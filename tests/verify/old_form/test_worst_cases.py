"""The value of a worst case is one of the claim's expressions there, or a number of a test of its own."""

import pytest

import theory
from verify.evaluation import EvaluationError, evaluate, names

# Values of an oracle, a search or a root: no stated expression takes them. Golden numbers elsewhere.
ELSEWHERE = {
}

OLD = [theory.claim(entry.id) for entry in theory.entries("*") if entry.form == "old"]

# Some hundred float64 operations; values are given exactly.
RELATIVE = 1e-9


def is_stated(claim, case):
    for expression in claim.expressions.values():
        needed = names(expression)
        if set(needed) <= set(case.values):
            try:
                found = evaluate(expression, {name: case.values[name] for name in needed})
            except EvaluationError:  # another quantity has this name in the worst case
                continue
            if found == pytest.approx(float(case.value), rel=RELATIVE):
                return True
    return False


@pytest.mark.parametrize("claim", OLD, ids=lambda claim: claim.id)
def test_value_is_that_of_an_expression(claim):
    unstated = [
        case.description
        for case in claim.worst_cases
        if case.value is not None and not is_stated(claim, case)
    ]
    assert len(unstated) == ELSEWHERE.get(claim.id, 0), unstated
