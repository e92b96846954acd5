"""What the proofs of a claim prove: formulas that are read in its parts, without the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from theory.latex.clauses import Clause, all_clauses
from verify.statements.matching import Matcher
from verify.statements.slots import filled

if TYPE_CHECKING:
    from theory.claim import Claim, Part


_SIZE = re.compile(r"\\(?:left|[bB]igg?l?)\s*\Z")
"""The size of a bracket, which is no part of the clause that the bracket begins."""


def proved_formulas(claim: Claim) -> Mapping[str, tuple[str, ...]]:
    """Return the relations of each part that names a proof, as its text writes them.

    In LaTeX between dollar signs, slots filled, in the order of the text and each once. These are what the
    derivation concludes; a clause inside of a pin is not one of them.
    """
    matcher = Matcher(claim)
    proved = [part for part in claim.parts if "proof" in part.evidence]
    return {part.label: tuple(dict.fromkeys(_relations(claim, part, matcher))) for part in proved}


def _relations(claim: Claim, part: Part, matcher: Matcher) -> Iterator[str]:
    pinned = [match.span() for pin in part.pins if pin for match in re.finditer(re.escape(pin), part.text)]
    labels = matcher.labels(part)
    for clause in all_clauses(part.text):
        if any(start <= clause.start and clause.end <= end for start, end in pinned):
            continue
        reading = matcher.reading(clause, labels)
        if any(label.startswith("relation ") for label in reading.labels):
            yield filled(claim, f"${_with_brackets(part.text, clause)}$")


def _with_brackets(text: str, clause: Clause) -> str:
    """Return a clause with what its outer tokens leave out: the size of a bracket, the end of a group."""
    size = _SIZE.search(text, 0, clause.start)
    start, end = size.start() if size else clause.start, clause.end
    while text[start:end].count("{") > text[start:end].count("}") and text[end : end + 1] == "}":
        end += 1
    return text[start:end]
