"""Commas that make lists, ‘or’ between assumptions, and relations and hypotheses that change their roles."""

import re

import pytest

from verify.statements.refusals.wording.joined import joined
from verify.statements.refusals.wording.roles import swapped

_KINDS = (("hypothesis", r"[pq]\\ge1"), ("relation", r"\w*\\le ?\d?[a-z]"), ("name", "[xyz]"))


def read(text):
    """Return clauses of a text: `p\\ge1` is assumed, what has a `\\le` is proved, the letters are names."""
    pattern = "|".join(f"(?P<{kind}>{form})" for kind, form in _KINDS)
    return [
        (*clause.span(), clause.lastgroup)
        for piece in re.finditer(r"\$[^$]*\$", text)
        for clause in re.compile(pattern).finditer(text, piece.start() + 1, piece.end())
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"Always $x,y\le z$.", r"x,y\le z"),
        (r"Always $x,\ y\le z$.", r"x,\ y\le z"),
        (r"Always $x\le y,z$.", r"x\le y,z"),
        (r"Always $x\le y,z\le y$.", r"x\le y,z\le y"),
        (r"Always $x\le y, z\le y$.", r"x\le y, z\le y"),
        (r"Always $x\le y,\ z\le y$.", r"x\le y,\ z\le y"),
        (r"Always $0\le y$, $z\le 1x$.", r"0\le y$, $z\le 1x"),
        (r"Always $z$ and $x\le y$.", r"z$ and $x\le y"),
        (r"Always $z\text{ and }x\le y$.", r"z\text{ and }x\le y"),
        (r"Always $z\quad x\le y$.", r"z\quad x\le y"),
        (r"Always $x\le y$ and $z$.", r"x\le y$ and $z"),
        (r"Always $x\le y$, $z$.", r"x\le y$, $z"),
        (r"Always $x\le y$ ($z$).", r"x\le y$ ($z"),
        (r"If $p\ge1$ or $q\ge1$, then $x\le y$.", r"p\ge1$ or $q\ge1"),
        (r"If $p\ge1\text{ or }q\ge1$, then $x\le y$.", r"p\ge1\text{ or }q\ge1"),
        (r"There $x\le y$, or else $p\ge1$.", r"x\le y$, or else $p\ge1"),
    ],
)
def test_lists_and_alternatives_are_found(text, found):
    assert [words for _, words, _ in joined(text, read(text))] == [found]


@pytest.mark.parametrize(
    "text",
    [
        r"For every $x$, $y\le z$.",
        r"With $x,p\ge1$ there is $y\le z$, and $x\le y$.",
        r"Then $x\le y,\quad z\le y$.",
        r"Then $x\le y$, and $z\le y$.",
        r"For every $x$, and for $z$ too, $y\le z$.",
        r"For every $z$ $$x\le y.$$",
        r"Over all $x$, and $y\le z$.",
        r"Then $x\le y$, and $z$ is large.",
        r"If $p\ge1$, more or less. There $x\le y$.",
        r"For $p\ge1$ one has $x\le y$ or less.",
    ],
)
def test_other_commas_and_words_stay(text):
    assert list(joined(text, read(text))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"If $x\le y$ then $p\ge1$.", [r"If $x\le y", r"p\ge1"]),
        (r"Suppose that $x\le y$.", [r"Suppose that $x\le y"]),
        (r"From $x\le y$ it follows that $p\ge1$.", [r"From $x\le y", r"p\ge1"]),
        (r"We have $\text{whenever }x\le y$.", [r"whenever }x\le y"]),
        (r"For all $z$ we have $x\le y$ and $p\ge1$.", [r"p\ge1"]),
        (r"There $x\le y$, and hence $p\ge1$ for $z$.", [r"p\ge1"]),
        (r"The relation $x\le y$ gives $p\ge1$.", [r"p\ge1"]),
        (r"Since $x\le y$, $p\ge1$.", [r"p\ge1"]),
        (r"Here $x\le y$, that is, $p\ge1$.", [r"p\ge1"]),
        (r"As $p\ge1$, so $q\ge1$, and $x\le y$.", [r"q\ge1"]),
    ],
)
def test_what_changes_its_role_is_found(text, found):
    assert [words for _, words, _ in swapped(text, read(text))] == found


@pytest.mark.parametrize(
    "text",
    [
        r"If $p\ge1$ and $q\ge1$, then $x\le y$.",
        r"If $p\ge1$, $x\le y$.",
        r"There $x\le y$ if $p\ge1$, and $q\ge1$ gives $y\le z$.",
        r"There $x\le y$, for $p\ge1$.",
        r"There $x\le y,\qquad p\ge1$.",
    ],
)
def test_each_role_has_its_place(text):
    assert list(swapped(text, read(text))) == []
