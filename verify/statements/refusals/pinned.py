"""Relations in pins that are shown by a proof: a proof shows those that are registered, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from theory.latex.clauses import ONLY_PINS, all_clauses, split
from verify.statements.matching import Matcher

if TYPE_CHECKING:
    from theory.claim import Part

_SIGNS = (
    r"\not \notin \mid \nmid \perp \parallel \nless \ngtr \nleq \ngeq \preceq \succeq \doteq \simeq \cong "
    r"\vdash \models \uparrow \downarrow \nearrow \searrow \rightarrow \longrightarrow \lll \ggg \supset "
    r"\supseteq \ni"
)
_UNREGISTERED = ONLY_PINS | frozenset(_SIGNS.split())
"""Signs that say something and are in no registered formula."""
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
        text = part.text[clause.start : clause.end]
        sign = matcher.sign_outside(list(clause.tokens), _UNREGISTERED) if len(clause.tokens) > 1 else ""
        if sign:
            yield part.label, f"no proof shows {sign}, which is in no formula: {_ADVICE}", text, clause.start
            continue
        _, signs = split(clause.tokens)
        if not signs:
            continue
        reading = matcher.reading(clause, labels)
        # A set after \in that is no domain has no sides, but says something of a name.
        if not reading.mark and not reading.sides and r"\in" not in signs:
            continue
        if not reading.mark or not set(reading.labels) <= set(labels):
            yield part.label, f"this relation in a pin is none of the part: {_ADVICE}", text, clause.start
