r"""Statements that are written as one text."""

import pytest

from theory.claim import Part
from theory.statement import statement

TEXT = r"""
    Let $x\in\mathbb R^d$ as in
    (c) and (d).
    (a: budget, bound) The steps have the budget $\sum_j\frac1{h_j^2}=\beta^2$, and
      <<there is no
      better bound -> exact/worst case>> than $\omega\le2\
      d$. [proof; exact/gain, from below; exact/exponent in [nd]]
    (b) Nothing [else] is said. [run/medians (all)]
"""


def test_setting_and_parts():
    found = statement(TEXT)
    assert found["setting"] == r"Let $x\in\mathbb R^d$ as in (c) and (d)."
    assert found["parts"] == (
        Part(
            "a",
            r"The steps have the budget $\sum_j\frac1{h_j^2}=\beta^2$, and there is no better bound than "
            r"$\omega\le2d$.",
            ("budget", "bound"),
            ("proof", "exact/gain, from below", "exact/exponent in [nd]"),
            {"there is no better bound": "exact/worst case"},
        ),
        Part("b", "Nothing [else] is said.", (), ("run/medians (all)",), {}),
    )


@pytest.mark.parametrize(
    "text", ["(a) No evidence.", "(a: one)no space [proof]", "(a) Words. [nothing]", "(a) [proof]"]
)
def test_parts_that_are_not_whole(text):
    with pytest.raises(ValueError, match="must read"):
        statement(text)


def test_no_setting():
    assert statement("(a) Words. [proof]")["setting"] == ""
