"""Hypotheses that are made by their kind."""

import pytest
from sympy import symbols

from theory.claim import HYPOTHESIS_KINDS, Hypothesis
from theory.formula import le, lt
from theory.hypotheses import definition, domain, model, parameter

d, k = symbols("d k", real=True)


@pytest.mark.parametrize("kind", [definition, model])
def test_one_formula_or_several(kind):
    assert kind.__name__ in HYPOTHESIS_KINDS
    assert kind("$d>0$", lt(0, d)) == Hypothesis(kind.__name__, lt(0, d), "$d>0$")
    several = kind("words", lt(0, d), le(k, d), reference="a book")
    assert several == Hypothesis(kind.__name__, (lt(0, d), le(k, d)), "words", "a book")


@pytest.mark.parametrize("kind", [domain, parameter])
def test_a_domain_and_a_parameter_are_their_words(kind):
    assert kind.__name__ in HYPOTHESIS_KINDS
    assert kind("$d>0$", reference="a book") == Hypothesis(kind.__name__, (), "$d>0$", "a book")
    with pytest.raises(TypeError, match="positional argument"):
        kind("$d>0$", "a book", lt(0, d))
