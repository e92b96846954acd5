"""All refusals of what the words of a proved part say beside its formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from verify.statements.refusals.scopes import scoped
from verify.statements.refusals.wording.directions import directed
from verify.statements.refusals.wording.joined import joined
from verify.statements.refusals.wording.qualified import qualified
from verify.statements.refusals.wording.roles import swapped

if TYPE_CHECKING:
    from theory.claim import Claim
    from verify.statements.matching import Matcher


def refused(
    claim: Claim, text: str, read: Sequence[tuple[int, int, str]], labels: Sequence[str], matcher: Matcher
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of what is wrong beside the formulas of a part.

    Args:
        claim: Of the part.
        text: Of the part.
        read: Of the clauses that are read: begin, end, and of what kind they are.
        labels: What the part may say.
        matcher: Of the claim.
    """
    scalars = [item.tex for item in claim.variables if not item.shape]
    yield from joined(text, read)
    yield from swapped(text, read)
    yield from scoped(text, read, scalars)
    yield from qualified(text, read, scalars, claim.id)
    yield from directed(text, [label for label in labels if label.startswith("relation ")], matcher)
