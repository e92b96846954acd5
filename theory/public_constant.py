"""A constant that public code takes, beside the one that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.claim import Claim

RIGHT = {
    "ours": "ours",
    "both": "both hold, theirs is not sharp",
    "neither": "neither: theirs is no number there",
}
"""Who is right, in words."""


class Words(str):
    """What stands in the place of a formula."""


@dataclass(frozen=True)
class PublicConstant:
    """A row of the table of constants, tied to the formulas of its claim.

    Args:
        code: Repository and commit, or the paper.
        of: What it is a constant of, in words.
        theirs: Name of a formula of the claim, or `Words`.
        ours: The same for what is proved.
        right: One of `RIGHT`.
        part: Part of the claim that shows it.
        at: Values at which both are compared, `n = 5, omega = 68`; empty where there are none.
        bolder: Which of two claims more: the "smaller" noise, the "larger" step.
    """

    code: str
    of: str
    theirs: str
    ours: str
    right: str
    part: str
    at: str = ""
    bolder: str = "smaller"

    def problems(self, claim: Claim) -> Iterator[str]:
        """Yield what does not fit the claim."""
        for name in (self.theirs, self.ours):
            if not isinstance(name, Words) and name not in claim.formulas:
                yield f"public constant {self.of!r}: no formula {name!r}; take one of them or Words"
        if self.right not in RIGHT:
            yield f"public constant {self.of!r}: right={self.right!r} must be one of {', '.join(RIGHT)}"
        if self.bolder not in ("smaller", "larger"):
            yield f"public constant {self.of!r}: bolder={self.bolder!r} must be smaller or larger"
        if self.part not in {part.label for part in claim.parts}:
            yield f"public constant {self.of!r}: the claim has no part {self.part!r}"

    @property
    def values(self) -> Mapping[str, Any]:
        """Return the values by name, exact."""
        from theory.exact_text import exact_arguments

        return exact_arguments(self.at) if self.at else {}
