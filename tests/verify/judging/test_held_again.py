"""A check of other people that finds something else when it is judged once more has no verdict."""

from dataclasses import replace

import pytest

from verify.comparison import Comparison
from verify.judging.judgement import _held_again
from verify.outcome import Evidence, LabelEvidence

NAN = float("nan")
COMPARED = Comparison("square", "le", 4, 5)
BASE = Evidence(
    "holds",
    "instance",
    labels={"square": LabelEvidence("holds", "instance", "le", count=1, bound=5.0, value=NAN)},
    comparisons=(COMPARED,),
)


def test_a_check_that_repeats_itself_keeps_its_verdict():
    assert _held_again(BASE, replace(BASE)) is BASE


@pytest.mark.parametrize(
    ("again", "told"),
    [
        (replace(BASE, verdict="violated"), "it is violated"),
        (replace(BASE, labels={}), "its labels are"),
        (replace(BASE, comparisons=(COMPARED, COMPARED)), "2 comparisons instead of 1"),
        (replace(BASE, comparisons=(replace(COMPARED, value=3),)), "other numbers at 'square'"),
        (replace(BASE, comparisons=(replace(COMPARED, label="x"),)), "it compares 'x'"),
        (replace(BASE, value=3.0), "it finds other numbers"),
    ],
)
def test_a_check_that_does_not_has_none(again, told):
    found = _held_again(BASE, again)
    assert (found.verdict, found.grade, found.labels["square"].verdict) == (
        "inconclusive",
        None,
        "inconclusive",
    )
    assert "the check does not repeat itself" in found.reason
    assert told in found.reason
