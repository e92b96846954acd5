"""Hypotheses whose words can be read, and that assume other formulas than the words say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from theory.claim import READ_KINDS
from theory.formula import text_of
from theory.latex.nodes import Unreadable
from theory.latex.reading import Reader

if TYPE_CHECKING:
    from theory.claim import Claim, Hypothesis


def assumed_otherwise(reader: Reader, item: Hypothesis, words: str) -> str:
    """Return why a hypothesis assumes other formulas than words say; empty where it does not.

    A domain or a parameter is mathematics: it must be read. Words of the other kinds may be prose.

    Args:
        reader: Of the claim.
        item: The hypothesis.
        words: Its words, or edited ones.
    """
    try:
        said = reader.formulas(words)
    except Unreadable as error:
        if item.kind not in READ_KINDS:
            return ""
        return f"a {item.kind} is read from its words: write it in mathematics ({error})"
    extra = [formula for formula in item.formulas if formula not in said]
    if not extra and all(formula in item.formulas for formula in said):
        return ""
    other = f"also {'; '.join(map(text_of, extra))}" if extra else "less"
    return f"its words say {'; '.join(map(text_of, said))}, its formulas {other}: leave the formulas out"


def in_prose(claim: Claim) -> frozenset[str]:
    """Return the hypotheses whose formulas nobody can read from their words."""
    reader = Reader(claim)
    return frozenset(name for name, item in claim.hypotheses.items() if not is_read(reader, item.words))


def is_read(reader: Reader, words: str) -> bool:
    """Return whether all that words say is formulas."""
    try:
        return bool(reader.formulas(words))
    except Unreadable:
        return False
