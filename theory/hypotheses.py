"""Hypotheses by kind: words, and the formulas that they mean."""

from theory.claim import Hypothesis
from theory.formula import Formula


def domain(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return signs, integrality and ranges of names."""
    return Hypothesis("domain", _one(formulas), words, reference)


def definition(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return what names stand for."""
    return Hypothesis("definition", _one(formulas), words, reference)


def parameter(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return what the user chooses, such as a step size."""
    return Hypothesis("parameter", _one(formulas), words, reference)


def model(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return what is assumed of functions and compressors, and where it is justified."""
    return Hypothesis("model", _one(formulas), words, reference)


def _one(formulas: tuple[Formula, ...]) -> Formula | tuple[Formula, ...]:
    return formulas[0] if len(formulas) == 1 else formulas
