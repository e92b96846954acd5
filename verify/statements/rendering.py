"""The statement as people read it: setting and parts with the slots filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.slots import filled

if TYPE_CHECKING:
    from theory.claim import Claim


def render(claim: Claim) -> str:
    """Return the statement in LaTeX, every value slot filled."""
    texts = [claim.setting, *(f"({part.label}) {part.text}" for part in claim.parts)]
    return " ".join(filled(claim, text) for text in texts).strip()


def render_part(claim: Claim, label: str) -> str:
    """Return one part in LaTeX, every value slot filled.

    Raises:
        KeyError: There is no such part.
    """
    for part in claim.parts:
        if part.label == label:
            return filled(claim, part.text)
    raise KeyError(f"claim {claim.id!r} has no part {label!r}")
