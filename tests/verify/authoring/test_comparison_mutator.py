"""No comparison of `squant` is deleted, loosened or turned unnoticed: a sample of the edits of each claim.

`tools/mutate_comparisons.py` makes all of them.
"""

import random

import pytest

import theory
from verify.authoring.mutator import Mutator

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
