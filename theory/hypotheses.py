"""Hypotheses by kind: words, and the formulas that they mean.

Without formulas the claim reads them from the words (`theory/latex/reading.py`), or says why it cannot. Those
of domains and parameters are always read; definitions and models may be prose, with their formulas.
"""

from theory.claim import Hypothesis
from theory.formula import Formula, one_or_several


def domain(words: str, reference: str = "") -> Hypothesis:
    """Return signs, integrality and ranges of names, which are read from the words."""
    return Hypothesis("domain", (), words, reference)


def definition(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return what names stand for."""
    return Hypothesis("definition", one_or_several(formulas), words, reference)


def parameter(words: str, reference: str = "") -> Hypothesis:
    """Return what the user chooses, such as a step size; it is read from the words."""
    return Hypothesis("parameter", (), words, reference)


def model(words: str, *formulas: Formula, reference: str = "") -> Hypothesis:
    """Return what is assumed of functions and compressors, and where it is justified."""
    return Hypothesis("model", one_or_several(formulas), words, reference)
