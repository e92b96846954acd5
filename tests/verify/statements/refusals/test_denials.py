"""Words that deny or multiply a formula are found; pins may say them, and words about other things."""

from dataclasses import replace

import pytest

from theory.latex.clauses import all_clauses
from verify.statements import check, hashes
from verify.statements.refusals.wording.denials import denied


def found(text, kind="relation"):
    """Return the words that deny the formulas of a text, of which those with a relation are of one kind."""
    read = [
        (clause.start, clause.end, kind if "\\le" in text[clause.start : clause.end] else "name")
        for clause in all_clauses(text)
    ]
    return [words for _, words, _ in denied(text, read)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"For every $x$ the bound $x\le y$ fails.", "fails"),
        (r"Then $x\le y$ does not hold.", "does not"),
        (r"We have $$x\le y,$$ which is false.", "which is false"),
        (r"We have $x\le y$. This is wrong.", "This is wrong"),
        (r"That $x\le y$ is, however, a conjecture.", "is, however, a conjecture"),
        (r"That $x\le y$ cannot be so.", "cannot"),
        (r"It is false that $x\le y$.", "false that"),
        (r"It isn't the case that $x\le y$.", "isn't the case that"),
        (r"Nobody can say whether $x\le y$.", "Nobody can say whether"),
        (r"There $x\le y$ for no $x$.", "for no"),
        (r"For no $x$ is $x\le y$.", "For no $x$ is"),
        (r"No $\{z: q\}$ has $x\le y$.", r"No $\{z: q\}$ has"),
        (r"Then $x\le y$ for each $x$ is not true.", "for each $x$ is not"),
        (r"Then $x\le y$ (which is false).", "which is false"),
        (r"Then $x\le y$ doesn’t hold.", "doesn’t"),
        (r"For every $x$ $$x\le y\quad\text{is false}.$$", "false"),
        (r"For every $x$ $$x\le y\tag{wrong}.$$", "wrong"),
        (r"For every $x$ $$x\le y\text{ or }y\le x.$$", "or"),
        (r"It is a mistake that $x\le y$.", "mistake that"),
        (r"There $x\le y$ minus one.", "minus"),
        (r"There $x\le y$ up to a constant.", "up to a constant"),
        (r"There $x\le2$ million.", "million"),
        (r"There $x\le2$ per cent.", "per cent"),
        (r"There $x\le2\text{ million}$.", "million"),
        (r"There $x\le y$ times two.", "times"),
        (r"There $\text{twice }x\le2$.", "twice"),
        (r"There minus $x\le y$.", "minus"),
        (r"The square of $x\le y$.", "square of"),
        (r"The sum of all $x\le y$.", "sum of all"),
    ],
)
def test_words_that_deny_or_multiply_a_relation_are_found(text, words):
    assert found(text) == [words]


@pytest.mark.parametrize(
    "text",
    [
        r"For every $x$ $$x\le y\quad\text{ for large ones}.$$",
        r"No size gains more: $x\le y$.",
        r"What is realised need not be the largest. There $x\le y$.",
        r"As $x$ is not zero, $x\le y$, and the others never are.",
        r"The rate fails where $y$ is small: $x\le y$ at $y=0$.",
        r"It never fails that $x\le y$, not only here, whether or not $y$ is small.",
        r"There $x\le y$, not only for small ones, and for every $x$ that is not 0.",
        r"Entries that are not zero have $x\le y$ each.",
        r"It falls where the numerator of $$x\le y$$ does.",
        r"The square of the first, $x\le y$.",
    ],
)
def test_what_is_said_of_other_things_stays(text):
    assert found(text) == []


def test_an_assumption_may_not_be_denied():
    assert found(r"Where $x\le y$ fails, it holds.", "hypothesis") == ["fails"]
    assert found(r"It holds unless $x\le y$.", "hypothesis") == ["unless"]
    assert found(r"With $x\le y$, it is not so.", "hypothesis") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"Whether or not $x\le y$, it holds.", "Whether or not"),
        (r"Regardless of $x\le y$, it holds.", "Regardless of"),
        (r"We do not assume $x\le y$, and yet it holds.", "not assume"),
        (r"The condition $x\le y$ is superfluous, since it holds.", "is superfluous"),
        (r"If $x$ violates $x\le y$, it holds.", "violates"),
        (r"Instead of $x\le y$ it holds.", "Instead of"),
    ],
)
def test_an_assumption_may_not_be_dropped(text, words):
    assert found(text, "hypothesis") == [words]


def test_a_part_may_say_it_as_a_pin(samples):
    claim = samples["var"]
    first, *others = claim.parts

    def problems(text, **pins):
        said = replace(claim, parts=(replace(first, text=text, pins={**first.pins, **pins}), *others))
        return [problem.text for problem in check(said, hashes(said))]

    assert problems(first.text) == []
    wrong = f"{first.text.rstrip()} That is wrong."
    assert problems(wrong) == ["That is wrong", "That is wrong."]
    assert problems(wrong, **{"That is wrong": "exact/wrong"}) == []
