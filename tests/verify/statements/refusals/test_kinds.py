"""The kind of a claim is one that its proved relations show; a sentence is not for a side of one alone."""

from dataclasses import replace

import pytest

from verify.statements import check, hashes
from verify.statements.refusals.kinds import unshown_kind


@pytest.mark.parametrize("kind", ["identity", "tight"])
def test_an_identity_and_what_is_tight_have_an_equation(samples, kind):
    claim = replace(samples["var"], kind=kind)
    assert unshown_kind(claim) == []
    first, *others = claim.parts
    bounds = (replace(first, evidence=("exact/variance",)), *others)
    (found,) = unshown_kind(replace(claim, parts=bounds))
    assert f"its kind is {kind!r}, but no relation of its parts is an equation" in found
    assert unshown_kind(replace(claim, kind="upper", parts=bounds)) == []


def test_a_sentence_says_more_than_a_side(samples):
    claim = samples["var"]
    first, second = claim.parts

    def problems(text):
        said = replace(claim, parts=(first, replace(second, text=second.text + text)))
        return [problem.text for problem in check(said, hashes(said))]

    alone = r"It is exactly $\frac14\sum_jL_jh_j^2$."
    assert problems("") == []
    assert problems(f" {alone}") == [alone]
