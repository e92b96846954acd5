import json
from fractions import Fraction

import numpy as np
import pytest
import sympy

from verify.outcome import ALPHA, ALPHA_TOTAL, GRADES, MAX_TESTS, Evidence, better, json_ready


def test_error_budget_is_one_in_a_million():
    assert ALPHA == 1e-9
    assert MAX_TESTS == 1000
    assert ALPHA_TOTAL <= 1e-6 * (1 + 1e-15)


@pytest.mark.parametrize(
    ("verdict", "refuted", "rejects"),
    [
        ("violated", False, True),
        ("inconclusive", True, True),
        ("inconclusive", False, False),
        ("not_run", False, False),
        ("consistent", False, False),
        ("holds", False, False),
    ],
)
def test_a_mutant_is_rejected_only_by_a_violation_or_a_refuted_proof(verdict, refuted, rejects):
    assert Evidence(verdict, refuted=refuted).rejects is rejects


@pytest.mark.parametrize(
    ("bound", "value", "tightness"),
    [
        (3.0, 2.0, 1.5),
        (3.0, 0.0, None),
        (None, 2.0, None),
        (3.0, None, None),
        (1e300, 1e-300, None),
        (0.0, 2.0, 0.0),
    ],
)
def test_tightness_is_bound_over_value_and_never_infinite(bound, value, tightness):
    assert Evidence("holds", bound=bound, value=value).tightness == tightness


def test_better_takes_the_stronger_grade():
    assert better("search", "proof") == "proof"
    assert better("guaranteed", "numerical") == "numerical"
    assert better(None, "search") == "search"
    assert better(None, None) is None
    assert GRADES[0] == "proof"


def test_json_ready_keeps_exact_numbers_exact():
    value = {
        "x": (Fraction(1, 3), 2, 0.5),
        "root": sympy.sqrt(2),
        "rational": sympy.Rational(2, 7),
        "n": None,
    }
    assert json_ready(value) == {"x": ["1/3", 2, 0.5], "root": "sqrt(2)", "rational": "2/7", "n": None}


def test_json_ready_turns_arrays_into_lists():
    value = {"a": np.arange(3), "b": np.float32(1.5), "c": np.bool_(True), "d": np.eye(2), "e": np.int64(4)}
    assert json_ready(value) == {"a": [0, 1, 2], "b": 1.5, "c": True, "d": [[1.0, 0.0], [0.0, 1.0]], "e": 4}


@pytest.mark.parametrize(
    "number", [float("nan"), np.float64("nan"), np.array(np.nan)], ids=["python", "numpy", "array"]
)
def test_json_ready_leaves_no_nan(number):
    assert json_ready(number) == "nan"


def test_json_ready_leaves_no_infinity():
    assert json_ready([float("inf"), -np.float64("inf")]) == ["inf", "-inf"]


def test_json_ready_gives_strict_json():
    json.dumps(json_ready({"x": np.array([1.0, np.inf]), "y": float("nan")}), allow_nan=False)


def test_json_ready_puts_sets_in_a_fixed_order():
    # The order of a set of strings changes from process to process, and a record must not.
    names = {f"name{k}" for k in range(20)}
    assert json_ready(names) == sorted(names)


def test_json_ready_refuses_what_has_no_json_form():
    with pytest.raises(TypeError, match="of type object has no JSON form"):
        json_ready({"x": object()})
