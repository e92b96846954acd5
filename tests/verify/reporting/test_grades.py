"""Grades are told alike everywhere, and no form says more than the short one."""

from itertools import product
from types import SimpleNamespace

import pytest

from verify.judging.verdicts import PartResult
from verify.outcome import GRADES, worse
from verify.reporting.grades import claim_grades, part_grade


def claim_of(*parts, grade=None):
    found = [PartResult(label, *part) for label, part in zip("abcdef", parts, strict=False)]
    for part in found if grade is None else ():
        grade = worse(grade, worse(part.grade, part.words))
    return SimpleNamespace(parts=found, grade=grade or None)


def with_words(words):
    return ("holds", "proof", (), (), (), (), (), words)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([("holds", "proof")], "proof"),
        ([("holds", "proof"), ("holds", "proof")], "proof"),
        ([with_words("instance")], "instance (a*)"),
        ([("holds", "proof"), with_words("search"), ("holds", "proof")], "search (b*), proof (a, c)"),
        (
            [with_words("search"), ("consistent", "search"), ("holds", "numerical")],
            "search (a*, b), numerical (c)",
        ),
        ([with_words("instance")] * 3 + [("holds", "proof modulo")], "instance (a-c*), proof modulo (d)"),
        ([("violated", "instance"), ("holds", "proof")], "instance (a), proof (b)"),
    ],
)
def test_grades_of_parts_begin_with_the_weakest(parts, told):
    assert claim_grades(claim_of(*parts)) == told


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (
            [("holds", "proof"), ("untested", None), ("inconclusive", None)],
            "inconclusive (c), untested (b), proof (a)",
        ),
        ([("untested", "instance"), ("holds", "proof")], "untested (a), proof (b)"),
        ([("not_run", None)], "-"),
        ([("holds", "proof"), ("holds", "instance")], "-"),  # what the claim lacks is of no part
    ],
)
def test_a_claim_without_a_grade_names_the_parts_that_have_none(parts, told):
    assert claim_grades(claim_of(*parts, grade="")) == told


def test_the_short_form_is_how_each_longer_one_begins():
    weaker = GRADES[2:]
    choices = [("holds", grade) for grade in GRADES] + [with_words(words) for words in weaker]
    for parts in product(choices, repeat=2):
        claim = claim_of(*parts)
        assert claim_grades(claim).split(" (")[0] == claim.grade
    for grade, words in product(("proof", "proof modulo"), weaker):
        assert part_grade(grade, words) == f"{words}, formulas by {grade}"
    assert [part_grade(grade, None) for grade in (*GRADES, None)] == [*GRADES, "none"]
