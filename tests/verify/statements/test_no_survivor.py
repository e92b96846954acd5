"""No small edit of a statement goes unnoticed: every claim in the new form, and four samples."""

from dataclasses import replace

import pytest

import theory
from theory.claim import Claim
from verify.statements import Checker, check, hashes
from verify.statements.mutator import edits, survivors
from verify.statements.pins import kept


@pytest.mark.parametrize("id", [entry.id for entry in theory.entries()])
def test_no_edit_of_a_claim_survives(id):
    claim = theory.claim(id)
    if isinstance(claim, Claim):
        assert [str(edit) for edit in survivors(claim, kept(claim))] == []


def test_no_edit_of_a_sample_survives(sample):
    found = sum(len(edits(part.label, part.text)) for part in sample.parts)
    assert found > 40
    assert survivors(sample) == []


def test_mathematics_is_noticed_without_hashes(sample):
    """What a hash of words cannot excuse: an author pins whatever stands there."""
    missed = []
    for place, part in enumerate(sample.parts):
        for edit in edits(part.label, part.text):
            parts = list(sample.parts)
            parts[place] = replace(part, text=edit.apply(part.text))
            checker = Checker(replace(sample, parts=tuple(parts)), explain=False)
            if not checker.problems(checker.hashes()):
                missed.append(edit.old)
    assert all(word.isalpha() for word in missed), missed


def test_survivors_are_those_of_reading_every_edit_whole(sample, monkeypatch):
    """Where values that are near each other agree, the same edits survive with and without the quick look."""
    monkeypatch.setattr(
        "verify.statements.comparing.equality.agree",
        lambda left, right: left is right or abs(left - right) <= max(abs(left), abs(right)) / 2,
    )
    checker = Checker(sample, explain=False)
    known = checker.hashes()
    whole = [
        edit
        for part in sample.parts
        for edit in edits(part.label, part.text)
        if not checker.part_problems(replace(part, text=edit.apply(part.text)), known)
    ]
    assert whole
    labels = [part.label for part in sample.parts]
    assert [edit for edit in survivors(sample) if edit.part in labels] == whole


def test_a_planted_wrong_statement_is_found(samples):
    """A text that went wrong before the mutator ran is no base for it: nothing hides behind that problem."""
    claim = samples["var"]
    wrong = replace(claim.parts[0], text=claim.parts[0].text.replace("(1-p_j)", "(1+p_j)"))
    planted = replace(claim, parts=(wrong, claim.parts[1]))
    assert [problem.part for problem in check(planted, hashes(planted))] == ["a", "a"]
    with pytest.raises(ValueError, match="tied"):
        survivors(planted)


def test_an_unwatched_statement_has_survivors(samples, monkeypatch):
    """The mutator tells what is not watched."""
    monkeypatch.setattr("verify.statements.ties.part_hash", lambda *_: "the same for every text")
    words = [edit.old for edit in survivors(samples["var"])]
    assert "every" in words
    assert "most" not in words  # words that call a bound one on the other side are refused without it
    assert "1" not in words


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (r"$a\le2$", r"$a\ge 2$"),
        (r"$a\le2$", r"$a\le3$"),
        (r"$a+1$", r"$a-1$"),
        (r"$\frac{a}{b}$", r"$\frac {b} {a}$"),
        (r"$\frac12$", r"$\frac 2 1$"),
        (r"$\sum_ja_j$", r"$\prod_ja_j$"),
        (r"$\max_ja_j$", r"$\min_ja_j$"),
        (r"$a_j$", "$a_i$"),
        ("For every law.", "For some law."),
        ("At least 2.", "At most 2."),
        ("At most 2.", "At least 2."),
        ("With 3 nodes.", "With 4 nodes."),
        (r"$x^3$", r"$x^4$"),
        ("Attained if and only if it holds", "Attained only if and only if it holds"),
        (r"$x\text{ for all }y$", r"$x\text{ for some }y$"),
    ],
)
def test_edits(text, new):
    assert new in [edit.apply(text) for edit in edits("a", text)]


@pytest.mark.parametrize("text", [r"$$a\tag{1}$$", "`squant/var-1`.", "It is {value:ratio,4}.", "Well; so."])
def test_left_alone(text):
    assert edits("a", text) == []
