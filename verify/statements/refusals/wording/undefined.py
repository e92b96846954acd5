r"""Words of a proved relation that are defined in fewer cases than its formula: $x/x=1$, $e^{\log x}=x$.

sympy cancels when a formula is written, and the kernel is asked about what is left. So sides that are
written otherwise than the registered ones are taken as they stand in the text: that they are defined must
follow, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.latex.clauses import all_clauses
from theory.latex.nodes import Node
from verify.statements.matching import Matcher, Saying

if TYPE_CHECKING:
    from theory.claim import Claim, Part

Found = tuple[str, str, str, int]
"""Part, message, the words, and where they begin."""


def undefined(claim: Claim, matcher: Matcher) -> Iterator[Found]:
    """Yield the proved words of a claim that are defined in fewer cases than their relation."""
    said = [(part, *found) for part in claim.parts for found in _said(part, matcher)]
    own = [(part, words, start, saying, matcher.rewritten(saying)) for part, words, start, saying in said]
    if not any(sides for *_, sides in own):
        return
    try:
        kernel = importlib.import_module("verify.kernel.kernel").Kernel(claim)
    except (ImportError, ValueError):  # without it, or of hypotheses that it does not take, nothing is proved
        return
    for part, words, start, saying, sides in own:
        message = _message(kernel, sides, saying) if sides else ""
        if message:
            yield part.label, message, words, start


def _said(part: Part, matcher: Matcher) -> Iterator[tuple[str, int, Saying]]:
    """Yield what a part says of the relations that are proved for it, with the words and their place."""
    if "proof" not in part.evidence:
        return
    labels = matcher.labels(part)
    for clause in all_clauses(part.text):
        for saying in matcher.reading(clause, labels).said:
            if saying[0].label in labels:
                yield part.text[clause.start : clause.end], clause.start, saying


def _message(kernel: Any, sides: tuple[Node, ...], saying: Saying) -> str:
    """Return what is wrong with the sides that say a relation in their own way; '' if nothing is."""
    wording = importlib.import_module("verify.kernel.wording")
    shown = importlib.import_module("verify.kernel.text").text
    relation = saying[0].label.removeprefix("relation ")
    indices = {ours: (theirs, by) for ours, theirs, by in saying[2]}
    try:
        kernel.undefined(relation, ())
    except ValueError:  # the relation itself is nothing that the kernel can prove
        return ""
    try:
        missing = kernel.undefined(relation, [wording.worded(side, indices) for side in sides])
    except ValueError as error:
        return f"whether these words of the proved relation {relation!r} are defined cannot be told: {error}"
    if missing is None:
        return ""
    return (
        f"these words of the proved relation {relation!r} are defined only where {shown(missing)}, "
        "which does not follow: write them as its formula is, or state it"
    )
