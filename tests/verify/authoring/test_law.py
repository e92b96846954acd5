from fractions import Fraction as F

import pytest
from sympy import Symbol, sqrt

from verify.authoring.law import Law
from verify.authoring.perturbation import perturbations
from verify.errors import CheckError
from verify.formulas.evaluation import EvaluationError

x, y = Symbol("x", real=True), Symbol("y", real=True)


@pytest.fixture
def law():
    return Law("fake/new", {"bound": x**2 + y / 4, "root": sqrt(x)}, {"square": "honest"})


def test_a_formula_is_evaluated_in_floats_and_exactly(law):
    assert law("bound", x=3, y=2) == 9.5
    assert law.exactly("bound", x=3, y=2) == F(19, 2)
    assert isinstance(law.exactly("bound", x=3, y=2), F)
    assert law.exactly("root", x=2) == sqrt(2)
    assert law.used == ("bound", "root")


def test_implementations_are_attributes(law):
    assert law.square == "honest"
    with pytest.raises(AttributeError, match="has no 'cube'; it has square"):
        _ = law.cube


@pytest.mark.parametrize("value", [0.1, F(0.1), (1, 0.5)])
def test_floats_are_refused_in_exact_evaluation(law, value):
    with pytest.raises(CheckError, match="float"):
        law.exactly("bound", x=value, y=1)


def test_a_sabotaged_formula_may_need_fewer_values(law):
    changed = law.replace(bound=lambda formula: formula - y / 4)
    assert changed("bound", x=3, y=2) == 9
    assert changed.changed == {"bound"}
    with pytest.raises(EvaluationError, match="unknown value z"):
        changed("bound", x=3, y=2, z=1)


def test_what_is_replaced_must_be_there(law):
    assert law.replace(square="sabotaged", root=x).square == "sabotaged"
    with pytest.raises(CheckError, match="no 'cube' to replace; it has bound, root, square"):
        law.replace(cube=1)
    with pytest.raises(CheckError, match="no formula 'cube'; it has bound, root"):
        law("cube", x=1)


def test_a_scaled_law_multiplies_results(law):
    scaled = law.scaled(F(1, 2), "bound")
    assert scaled("bound", x=3, y=2) == 4.75
    assert scaled.exactly("bound", x=3, y=2) == F(19, 4)
    assert law.exactly("bound", x=3, y=2) == F(19, 2)


def test_each_constant_exponent_and_sign_is_perturbed():
    from sympy import Max

    found = {item.description: item.formulas for item in perturbations("bound", Max(x**2 - y / 4, 0))}
    assert (Max((x**3) - y / 4, 0),) in found.values()
    assert (Max(x**2 + y / 4, 0),) in found.values()
    assert (Max(-(x**2) - y / 4, 0),) in found.values()
    assert any(text.startswith("Min for") for text in found)
    constants = [formulas for text, formulas in found.items() if text.startswith("constant -1/4")]
    assert constants == [(Max(x**2 - 17 * y / 64, 0), Max(x**2 - 4 * y / 17, 0))]
