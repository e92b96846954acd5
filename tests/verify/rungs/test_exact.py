from fractions import Fraction as F

import pytest

from verify.comparison import ROUND_OFF, Comparison
from verify.context import Context
from verify.errors import CheckError
from verify.rungs.exact import ExactCase, judge

HERE = Context("fake/one", "exact", "here")


def judged(*comparisons):
    return judge(ExactCase(lambda: comparisons), HERE)


def test_equal_rationals_are_exact_at_their_instance():
    found = judged(Comparison("a", "eq", F(1, 3), F(1, 3)), Comparison("b", "le", F(1, 4), F(1, 3)))
    assert (found.verdict, found.grade, found.samples) == ("holds", "instance", 2)
    assert found.exact == {"bound": "1/3", "value": "1/4"}
    assert "exactly" in found.reason


def test_one_float_makes_it_numerical_and_names_the_tolerance():
    found = judged(Comparison("a", "eq", F(1), F(1)), Comparison("b", "le", 1.0, 1.0 - 1e-14, ROUND_OFF))
    assert (found.verdict, found.grade) == ("holds", "numerical")
    assert "1e-12" in found.reason
    assert ROUND_OFF.reason in found.reason


def test_any_failing_comparison_violates_and_the_worst_is_the_witness():
    found = judged(
        Comparison("fine", "le", F(1), F(2)),
        Comparison("bad", "le", F(5, 2), F(2), witness={"x": (F(1, 2), 3)}),
        Comparison("worse", "le", F(9), F(2), witness={"x": (F(7, 2), 3)}),
    )
    assert (found.verdict, found.grade) == ("violated", "instance")
    assert (found.bound, found.value) == (2.0, 9.0)
    assert found.witness == {"label": "worse", "x": ["7/2", 3]}
    assert found.reason == "worse: value 9 exceeds 2, at x = (7/2, 3)"
    assert found.rejects


def test_a_long_input_is_cut_in_the_reason_and_whole_in_the_witness():
    found = judged(Comparison("bad", "le", F(3), F(2), witness={"x": tuple(range(100))}))
    assert found.reason.endswith("...")
    assert len(found.reason) < 200
    assert found.witness["x"] == list(range(100))


def test_an_equation_is_violated_from_both_sides():
    for value in (F(1, 2) + F(1, 10**30), F(1, 2) - F(1, 10**30)):
        found = judged(Comparison("a", "eq", value, F(1, 2)))
        assert found.verdict == "violated"
        assert "differs from 1/2" in found.reason


def test_the_headline_is_shown_and_of_several_the_tightest():
    parts = [Comparison("part", "le", F(1), F(1)), Comparison("total", "eq", F(1), F(1))]
    loose = Comparison("loose", "le", F(1), F(4), headline=True)
    tight = Comparison("tight", "le", F(2), F(3), headline=True)
    found = judged(*parts, loose, tight)
    assert found.witness["label"] == "tight"
    assert found.tightness == pytest.approx(1.5)
    assert judged(*parts, loose).witness["label"] == "loose"


def test_without_a_headline_the_tightest_inequality_is_shown():
    equation = Comparison("equation", "eq", F(1), F(1))
    found = judged(equation, Comparison("loose", "le", F(1), F(4)), Comparison("tight", "le", F(2), F(3)))
    assert found.witness["label"] == "tight"


def test_nan_is_a_violation():
    found = judged(Comparison("a", "le", float("nan"), 1.0, ROUND_OFF))
    assert found.verdict == "violated"
    assert found.tightness is None


def test_no_comparison_is_not_a_pass():
    with pytest.raises(CheckError, match="at least one"):
        judged()


def test_nothing_is_computed_before_it_is_judged():
    calls = []
    case = ExactCase(lambda: calls.append("computed") or [Comparison("a", "eq", 1, 1)])
    assert calls == []
    judge(case, HERE)
    assert calls == ["computed"]
    assert case.tests == 0
