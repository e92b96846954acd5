"""Hypotheses whose words can be read, and that assume other formulas than the words say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from theory.claim import READ_KINDS
from theory.formula import Formula, text_of
from theory.latex.nodes import Unreadable
from theory.latex.reading import Reader

if TYPE_CHECKING:
    from theory.claim import Claim


def assumed_otherwise(claim: Claim) -> Iterator[tuple[str, str]]:
    """Yield hypothesis and message of each whose formulas are not those that its words say.

    A domain or a parameter is mathematics: it must be read. Words of the other kinds may be prose.
    """
    for name, said in _read(claim):
        item = claim.hypotheses[name]
        if isinstance(said, Unreadable):
            if item.kind in READ_KINDS:
                yield name, f"a {item.kind} is read from its words: write it in mathematics ({said})"
            continue
        extra = [formula for formula in item.formulas if formula not in said]
        missing = [formula for formula in said if formula not in item.formulas]
        if extra or missing:
            told = "; ".join(map(text_of, said))
            other = f"also {'; '.join(map(text_of, extra))}" if extra else "less"
            yield name, f"its words say {told}, its formulas {other}: leave the formulas out"


def in_prose(claim: Claim) -> frozenset[str]:
    """Return the hypotheses whose formulas nobody can read from their words."""
    return frozenset(name for name, said in _read(claim) if isinstance(said, Unreadable))


def _read(claim: Claim) -> Iterator[tuple[str, tuple[Formula, ...] | Unreadable]]:
    reader = Reader(claim)
    for name, item in claim.hypotheses.items():
        try:
            yield name, reader.formulas(item.words)
        except Unreadable as error:
            yield name, error
