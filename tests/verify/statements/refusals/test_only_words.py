"""Sentences of proved parts without formula or pin, and strong words that no relation shows, are found."""

import re
from dataclasses import replace

import pytest

from verify.statements import check, hashes
from verify.statements.refusals.wording.only_words import only_in_words


def found(text, *pins, evidence=("exact/it",)):
    """Return what is found in a text whose formulas with `\\le` and `=` in letters are proved."""
    said = [
        (*match.span(1), "equation" if "=" in match.group() else "relation")
        for match in re.finditer(r"\$(x(?:\\le|=|<) ?[a-z]\.?)\$", text)
    ]
    pinned = [(*match.span(), evidence) for pin in pins for match in re.finditer(re.escape(pin), text)]
    return [words for _, words, _ in only_in_words(text, said, pinned)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"For all $x$, $x\le y$. This is the best that one can do.", "This is the best that one can do."),
        (r"It holds for every compressor. So $x\le y$.", "It holds for every compressor."),
        (r"Then $$x\le y.$$ All methods converge", "All methods converge"),
        (r"With $n=3$ clients nothing is lost. So $x\le y$.", "With $n=3$ clients nothing is lost."),
        (r"There $x\le y$, which is sharp.", "sharp"),
        (r"There $x\le y$, and only if all are equal.", "only if"),
        (r"There $x\le y$ (attained at equal inputs).", "attained"),
        (r"It is attained: $x\le y$.", "attained"),
        (r"As $x\le y$, it is attained, $x=z$.", "attained"),
        (r"There $x\le y$, and strictly so.", "strictly"),
        (r"It is always strictly so that $x\le y$.", "strictly"),
        (r"For all complex $z$ there $x\le y$.", "all complex"),
        (r"This is the unique root: $x=y$.", "unique"),
        (r"It holds almost surely: $x\le y$.", "almost surely"),
        (r"For nonconvex functions $x\le y$.", "nonconvex"),
        (r"One needs it only for large ones, where $x\le y$.", "only for"),
        (r"So $x\le y$... and none is less.", "..."),
        (r"So $x\le y\text{, which is sharp}$, as $x\le y$.", "sharp"),
        (r"Let it be known that it is optimal. So $x\le y$.", "Let it be known that it is optimal."),
    ],
)
def test_what_no_formula_shows_is_found(text, words):
    assert found(text) == [words]


@pytest.mark.parametrize(
    "text",
    [
        r"It is attained: $x=y$.",
        r"It is strictly below: $x<y$.",
        r"It is bounded, i.e. $x\le y$, cf. `squant/var` w.r.t. $z$, not only for large ones.",
        r"Then $x\le y$. See also `squant/var` (a) and `squant/sup`.",
        r"Let $C$ be nondecreasing. Then $x\le y$.",
        r"Then $x\le y$. What holds instead: see `squant/var`. For $L$ see `squant/sup` (b).",
        r"As in `squant/sharp.tight`, e.g. on $w.8$, $x\le y$ with {value:sharp,2}.",
        r"So $$x\le y.$$",
    ],
)
def test_what_a_formula_shows_stays(text):
    assert found(text) == []


def test_a_pin_that_names_a_proof_alone_shows_no_strong_word():
    assert found(r"So $x\le y$, which is unique.", "which is unique", evidence=("proof",)) == ["unique"]
    assert found(r"So $x\le y$, which is unique.", "which is unique") == []


def test_a_pin_that_names_a_proof_ties_a_word_to_the_equation_behind_it():
    text = r"As $x\le y$, it is attained, $x=z$."
    assert found(text, "it is attained", evidence=("proof",)) == []
    assert found(text, "As", evidence=("proof",)) == ["attained"]


def test_a_pin_says_it_with_its_evidence(samples):
    assert found(r"So $x\le y$. This is sharp.", "This is sharp") == []
    assert found(r"So $x\le y$, which is sharp.", "sharp") == []
    claim = samples["var"]
    first, *others = claim.parts
    text = f"{first.text.rstrip()} No smaller constant will do."

    def problems(part):
        said = replace(claim, parts=(part, *others))
        return [problem.text for problem in check(said, hashes(said))]

    assert problems(first) == []
    part = replace(first, text=text, evidence=("proof", *first.evidence))
    assert problems(part) == ["No smaller constant will do."]
    assert problems(replace(part, pins={"No smaller constant": "exact/smaller"})) == []
