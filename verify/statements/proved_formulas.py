"""What the proofs of a claim prove: formulas that are read in its parts, without the words around them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from theory.latex.clauses import Clause, all_clauses
from verify.statements.edited import spans
from verify.statements.matching import Matcher, Reading
from verify.statements.refusals.told_ranges import ToldRanges
from verify.statements.slots import filled

if TYPE_CHECKING:
    from theory.claim import Claim, Part


_SIZE = re.compile(r"\\(?:left|[bB]igg?l?)\s*\Z")
"""The size of a bracket, which is no part of the clause that the bracket begins."""


def proved_formulas(claim: Claim) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the formulas of each part that names a proof, as its text writes them, by their relations.

    In LaTeX between dollar signs, slots filled, in the order of the text and each once, with the ranges of
    indices that stand beside them. The derivation
    concludes these relations, each under hypotheses of its own; a clause inside of a pin is not one of them.
    """
    matcher = Matcher(claim)
    return {part.label: _of_part(claim, part, matcher) for part in claim.parts if "proof" in part.evidence}


def _of_part(claim: Claim, part: Part, matcher: Matcher) -> Mapping[str, tuple[str, ...]]:
    pinned = spans(part.text, part.pins)
    labels = matcher.labels(part)
    read = [
        (clause, matcher.reading(clause, labels))
        for clause in all_clauses(part.text)
        if not any(start <= clause.start and clause.end <= end for start, end in pinned)
    ]
    told, _ = ToldRanges(claim, matcher).judged(part.text, read)
    found: dict[str, dict[str, None]] = {}
    for place, (clause, reading) in enumerate(read):
        for label in reading.labels:
            kind, _, name = label.partition(" ")
            if kind == "relation":
                after = _run(read[place + 1 :], told)
                ranges = after or _run(read[:place][::-1], told)[::-1]
                shown = [f"${_with_brackets(part.text, item)}$" for item in (clause, *ranges)]
                text = " for ".join(filter(None, [shown[0], ", ".join(shown[1:])]))
                found.setdefault(name, {})[filled(claim, text)] = None
    return {name: tuple(texts) for name, texts in found.items()}


def _run(read: Sequence[tuple[Clause, Reading]], told: frozenset[int]) -> list[Clause]:
    """Return the ranges that these clauses begin with."""
    return [clause for clause, _ in itertools.takewhile(lambda item: item[0].start in told, read)]


def _with_brackets(text: str, clause: Clause) -> str:
    """Return a clause with what its outer tokens leave out: the size of a bracket, the end of a group."""
    size = _SIZE.search(text, 0, clause.start)
    start, end = size.start() if size else clause.start, clause.end
    while text[start:end].count("{") > text[start:end].count("}") and text[end : end + 1] == "}":
        end += 1
    return text[start:end]
