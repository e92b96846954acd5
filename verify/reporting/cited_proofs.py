"""What a citation says of proofs: each formula under the hypotheses of its own theorem."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.judging.verdicts import ClaimResult, PartResult

PROVED = ("proof", "proof modulo")
"""Grades of parts that a derivation shows."""

PROSE = " (*)"
"""Mark on a hypothesis in words that stand for formulas."""


@dataclass(frozen=True)
class Proved:
    """Formulas that were concluded under the same hypotheses, modulo the same cited formulas.

    Args:
        formulas: In LaTeX between dollar signs.
        hypotheses: In the words of the claim, without domains of variables and definitions.
        cited: Formulas.
    """

    formulas: tuple[str, ...]
    hypotheses: tuple[str, ...]
    cited: tuple[str, ...]


def proofs_of(result: ClaimResult) -> Mapping[str, Sequence[Proved]]:
    """Return what is proved of each part that reads proof, by its label.

    A part is left out if one of its relations has no theorem in the record, or no formula in the text.
    """
    from verify.statements.proved_formulas import proved_formulas

    mine = [part for part in result.parts if part.verdict == "holds" and part.grade in PROVED]
    theorems: Mapping[str, Any] = next(
        (record["labels"] for record in result.records if record["rung"] == "symbolic"), {}
    )
    formulas = proved_formulas(result.claim) if mine and theorems else {}
    found = {part.label: tuple(_of_part(result, part, formulas, theorems)) for part in mine}
    said = {part.label: part.says for part in result.claim.parts}
    return {
        label: proofs
        for label, proofs in found.items()
        if proofs and set(said[label]) <= formulas[label].keys() & theorems.keys()
    }


def _of_part(
    result: ClaimResult,
    part: PartResult,
    formulas: Mapping[str, Mapping[str, Sequence[str]]],
    theorems: Mapping[str, Any],
) -> Iterator[Proved]:
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, None]] = {}
    for name, texts in formulas.get(part.label, {}).items():
        if name in theorems:
            under = told_hypotheses(result.claim, theorems[name]["hypotheses"])
            key = (under, tuple(dict.fromkeys(theorems[name]["cited"])))
            alike.setdefault(key, {}).update(dict.fromkeys(texts))
    for (under, cited), told in alike.items():
        yield Proved(tuple(told), under, cited)


def told_hypotheses(claim: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return hypotheses in the words of the claim, without domains of variables and definitions.

    A mark is on words for formulas that nobody can read from them.
    """
    from verify.statements.refusals.assumed import in_prose
    from verify.statements.refusals.declared import restricts

    declared = getattr(claim, "hypotheses", {})
    prose = in_prose(claim) if declared else frozenset()
    told = [
        declared[name].words + (PROSE if name in prose else "") if name in declared else name
        for name in names
        if name not in declared or restricts(claim, name)
    ]
    return tuple(dict.fromkeys(told))


def untold_definitions(result: ClaimResult) -> int:
    """Return on how many definitions in prose, which are not told, proofs rest."""
    from verify.statements.refusals.assumed import in_prose
    from verify.statements.refusals.declared import restricts

    claim = result.claim
    used = {name for part in result.parts if part.grade in PROVED for name in part.hypotheses}
    used &= getattr(claim, "hypotheses", {}).keys()
    return sum(not restricts(claim, name) for name in used & in_prose(claim)) if used else 0


def common_hypotheses(proofs: Mapping[str, Sequence[Proved]]) -> tuple[str, ...]:
    """Return hypotheses that all of several proofs have, in the order of the first; none of one alone."""
    every = [item for items in proofs.values() for item in items]
    if len(every) < 2:
        return ()
    return tuple(text for text in every[0].hypotheses if all(text in item.hypotheses for item in every))
