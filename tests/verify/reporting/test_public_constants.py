"""The table of constants of public code is made from the formulas of claims."""

from dataclasses import replace

import pytest

import theory
from theory.public_constant import PublicConstant, Words
from verify.reporting.public_constants import number, rows

STEP = PublicConstant(
    "somebody/code at 0", "step", "public_step", "step_size", "both", "h", "L = 1, n = 4, omega = 5"
)
CLAIM = "cq_marina/finding-public-diana"


def test_every_constant_has_a_row_with_code_part_and_both_numbers():
    found = list(rows())
    assert len(found) == sum(len(claim.public) for claim in theory.claims()) > 10
    assert {"`cq_marina/finding-public-diana` (h)", "`squant/finding-diana-step` (h)"} <= {
        row[-1] for row in found
    }
    assert all(" at " in row[0] for row in found)
    by_claim = {row[-1]: row for row in found}
    assert by_claim["`cq_marina/finding-quarter-constant` (a)"][2:6] == (
        r"$\frac{d}{4 n}$",
        r"$\frac{d - 1}{n}$",
        "ours",
        "n = 1, d = 2: 0.5 against 1",
    )
    assert by_claim["`squant/finding-reference-point` (f)"][2:4] == (
        "2.67",
        "zero up to rounding, by Newton's method",
    )


def test_where_both_are_compared_they_differ():
    for row in rows():
        numbers = row[5].partition(": ")[2].split(" against ")
        assert len(set(numbers)) == len(numbers), row


def test_who_is_right_agrees_with_the_numbers():
    judged = set()
    for claim in theory.claims():
        for item in claim.public:
            if item.right == "neither" or not item.at or isinstance(item.theirs, Words):
                continue
            theirs, ours = (number(claim.formulas[name], item) for name in (item.theirs, item.ours))
            bold = theirs < ours if item.bolder == "smaller" else ours < theirs
            # What claims more than is proved is wrong; what claims less holds, and is not sharp.
            assert bold == (item.right == "ours"), (claim.id, item)
            judged.add((item.right, item.bolder))
    assert judged == {("ours", "smaller"), ("ours", "larger"), ("both", "smaller"), ("both", "larger")}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"theirs": "step"}, "no formula 'step'"),
        ({"right": "we"}, "right='we' must be one of ours, both, neither"),
        ({"part": "z"}, "the claim has no part 'z'"),
        ({"bolder": "bold"}, "bolder='bold' must be smaller or larger"),
    ],
)
def test_what_does_not_fit_the_claim_is_refused(change, message):
    claim = theory.claim(CLAIM)
    replace(claim, public=(STEP,))
    with pytest.raises(ValueError, match=message):
        replace(claim, public=(replace(STEP, **change),))


def test_words_stand_in_the_place_of_a_formula():
    assert replace(theory.claim(CLAIM), public=(replace(STEP, theirs=Words("none")),)).public
