"""Pins: their file, which an error names where it is damaged, and what a proof shows of their words."""

import json
from dataclasses import replace

import pytest

from verify.errors import UsageError
from verify.statements import check, hashes
from verify.statements.matching import Matcher
from verify.statements.pins import write
from verify.statements.refusals.pinned import unproved


def test_pins_are_kept_in_a_file(samples, tmp_path):
    claim, file = samples["var"], tmp_path / "pins.json"
    assert {problem.part for problem in check(claim, file=file)} >= {"setting", "a", "b"}
    assert write(file, {claim.id: hashes(claim)}) == [claim.id]
    assert write(file, {claim.id: hashes(claim)}) == []
    assert write(file, {"sample/other": {"a": "1"}}) == ["sample/other"]
    assert check(claim, file=file) == []
    assert list(json.loads(file.read_text())) == ["sample/other", "sample/var"]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"sample/var": 3}', b'{"\xff": {}}'])
def test_a_damaged_file_of_pins_is_named(samples, tmp_path, content):
    claim, file = samples["var"], tmp_path / "pins.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"pins\.json is damaged \(.*\); take it from version control"):
        check(claim, file=file)
    with pytest.raises(UsageError, match=r"pins\.json is damaged"):
        write(file, {claim.id: hashes(claim)})
    assert file.read_bytes() == content


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


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        (r"where $d\gg L_j$", r"\gg"),
        (r"so $\beta L_j\to0$", r"\to"),
        (r"as $\beta^2\approx d$", r"\approx"),
        (r"so $d\not\le\beta$", r"\not"),
        (r"as $2\mid d$", r"\mid"),
    ],
)
def test_a_proof_shows_no_sign_that_is_in_no_formula(samples, words, sign):
    (found,) = problems(samples["steps"], words)
    assert f"no proof shows {sign}, which is in no formula" in found
    assert problems(samples["steps"], words, "exact/budget") == []
    named = replace(samples["steps"], notation={**samples["steps"].notation, r"L_\pm": "both ends"})
    assert problems(named, r"for $L_\pm$ in $1,\dots,d$") == []


def test_relations_of_the_part_hypotheses_and_words_may_be_in_pins(samples):
    own = r"as $\sum_j(h_j^\star)^{-2}=\beta^2$"
    for words in (r"for every $d\ge3$", own, r"where $\mathbf L=\mathbf L$"):
        assert problems(samples["steps"], words) == []


def test_a_pin_may_say_all_that_its_part_says(samples, monkeypatch):
    claim = samples["steps"]
    own = r"as $\sum_j(h_j^\star)^{-2}=\beta^2$"
    part = replace(claim.parts[0], text=f"{claim.parts[0].text} {own}", pins={own: "proof"})
    matcher = Matcher(claim)
    for labels, refused in ((("relation budget",), 0), (("relation value",), 1)):
        monkeypatch.setattr(matcher, "labels", lambda part, labels=labels: labels)
        assert len(list(unproved(matcher, part))) == refused


def test_a_hypothesis_of_another_relation_is_none_of_the_part(samples):
    assert problems(samples["steps"], r"for $h\sqrt d\ge2$")


def test_a_relation_of_another_part_is_none_of_the_part(samples):
    assert problems(samples["dcgd"], r"so $\max\{1-\gamma\mu,1-\gamma/2\}\in[0,1]$")
