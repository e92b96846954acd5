"""Relations in pins that are shown by a proof: a proof shows those that are registered, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from theory.latex.clauses import all_clauses, split
from verify.statements.matching import Matcher

if TYPE_CHECKING:
    from theory.claim import Part

_ADVICE = "a proof shows registered relations only: name it in `says`, or name the check that shows it"


def unproved(matcher: Matcher, part: Part) -> Iterator[tuple[str, str, str, int]]:
    """Yield label, message, text and place of relations in pins with evidence `proof` that nothing proves.

    A relation between words of the notation has no value and stays words.
    """
    spans = [
        match.span()
        for text, evidence in part.pins.items()
        if evidence == "proof" and text
        for match in re.finditer(re.escape(text), part.text)
    ]
    labels = matcher.labels(part)
    for clause in all_clauses(part.text):
        if not any(start <= clause.start and clause.end <= end for start, end in spans):
            continue
        _, signs = split(clause.tokens)
        if not signs:
            continue
        reading = matcher.reading(clause, labels)
        # A set after \in that is no domain has no sides, but says something of a name.
        if not reading.mark and not reading.sides and r"\in" not in signs:
            continue
        if not reading.mark or not set(reading.labels) <= set(labels):
            text = part.text[clause.start : clause.end]
            yield part.label, f"this relation in a pin is none of the part: {_ADVICE}", text, clause.start
