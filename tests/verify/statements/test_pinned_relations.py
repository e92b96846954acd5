"""Relations in pins with evidence `proof` are registered ones."""

from dataclasses import replace

import pytest

from verify.statements import check, hashes


def problems(claim, words, evidence="proof"):
    first, *others = claim.parts
    said = replace(first, text=f"{first.text} {words}", pins={**first.pins, words: evidence})
    claim = replace(claim, parts=(said, *others))
    return [str(problem) for problem in check(claim, hashes(claim))]


@pytest.mark.parametrize(
    "words", [r"Even $L_j\le7$", r"so $7\le d$", r"where $d\in\{3,4\}$", r"at $\beta=1$"]
)
def test_a_proof_shows_no_relation_that_is_not_registered(samples, words):
    (found,) = problems(samples["steps"], words)
    assert "this relation in a pin is none of the part: a proof shows registered relations only" in found
    assert problems(samples["steps"], words, "exact/budget") == []


def test_relations_of_the_part_hypotheses_and_words_may_be_in_pins(samples):
    own = r"as $\sum_j(h_j^\star)^{-2}=\beta^2$"
    for words in (r"for every $d\ge3$", own, r"where $\mathbf L=\mathbf L$"):
        assert problems(samples["steps"], words) == []


def test_a_hypothesis_of_another_relation_is_none_of_the_part(samples):
    assert problems(samples["steps"], r"for $h\sqrt d\ge2$")


def test_a_relation_of_another_part_is_none_of_the_part(samples):
    assert problems(samples["dcgd"], r"so $\max\{1-\gamma\mu,1-\gamma/2\}\in[0,1]$")
