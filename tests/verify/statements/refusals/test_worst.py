"""Worst cases state the value of a formula."""

from dataclasses import replace

from sympy import Symbol, sqrt

from theory.worst_cases import cases
from verify.statements import check, hashes
from verify.statements.refusals.worst import wrong_worst_cases

x, y = Symbol("x", real=True), Symbol("y", real=True)


def test_a_stated_value_is_that_of_a_formula(samples):
    formulas = {"exact": x**2, "root": sqrt(x)}
    right = cases("two | x = 2 | 4\nits root | x = 2 | sqrt(2)\nin steps | y = 3 | 7")
    claim = replace(samples["steps"], formulas=formulas, worst_cases=right)
    assert list(wrong_worst_cases(claim)) == []
    claim = replace(claim, worst_cases=cases("two | x = 2 | 5"))
    ((case, message),) = wrong_worst_cases(claim)
    assert case == "two"
    assert "is 5, but there exact = 4, root = sqrt(2): correct it" in message
    assert [problem for problem in check(claim, hashes(claim)) if message in str(problem)]
