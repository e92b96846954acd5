"""No comparison of `squant` is deleted, loosened or turned unnoticed: a sample of the edits of each claim.

`tools/mutate_comparisons.py` makes all of them.
"""

import random
from fractions import Fraction as F

import pytest

import theory
from verify.authoring import eq, le, lt
from verify.authoring.mutator import Mutator, _kinds
from verify.comparison import ROUND_OFF

SEED, FUNCTIONS, EDITS = 12, 1, 6
EQUIVALENT = {
    ("limit", "distance of the limit", "value shrunk"): "it is round-off of 0 below a bound on round-off",
    ("interpolation", "share of the distance that is left", "value shrunk"): "the same",
}


def sample(chance, items, size):
    return chance.sample(items, min(size, len(items)))


@pytest.mark.parametrize("id", [entry.id for entry in theory.entries() if entry.paper == "squant"])
def test_no_edit_of_a_comparison_survives(id, links_as_modelled):
    mutator, chance = Mutator(theory.claim(id)), random.Random(f"{SEED} {id}")
    links_as_modelled()
    functions = sample(chance, mutator.functions(), FUNCTIONS)
    edits = [edit for function in functions for edit in sample(chance, mutator.edits(function), EDITS)]
    unnoticed = [edit for edit in edits if not mutator.notices(edit)]
    assert [str(edit) for edit in unnoticed if (*edit.place[:2], edit.kind) not in EQUIVALENT] == []


@pytest.mark.parametrize(
    ("item", "kinds"),
    [
        (
            le("a", F(1, 2), F(3, 4)),
            "renamed, turned, bound loosened, value shrunk, bound is the value, value is the bound",
        ),
        (le("a", F(1, 2), F(1, 2)), "renamed, bound loosened, value shrunk"),  # the others change nothing
        (lt("a", 0, 1), "renamed, at most for below, turned, bound loosened, value shrunk"),
        (
            eq("a", 1.0, 1.0, ROUND_OFF),
            "renamed, at most for equal, at least for equal, bound is the value, value is the bound, "
            "tolerance times 100, largest tolerance",
        ),
    ],
    ids=["at most", "attained", "below", "equal"],
)
def test_a_comparison_has_the_edits_that_change_it(item, kinds):
    assert ", ".join(_kinds([item], "exact")) == kinds
