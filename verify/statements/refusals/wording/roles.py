"""Roles that words give to formulas: a proved relation is concluded, a hypothesis is assumed."""

import re
from collections.abc import Iterable, Iterator

from verify.statements.refusals.wording.words import text_without_formulas

_PROVED = ("relation", "equation")
_FORMULAS = (*_PROVED, "hypothesis", "assumed", "range")
# Of these words the clause behind them is what is assumed.
_ASSUMING = re.compile(
    r"\b(?:if|when(?:ever)?|from|suppos\w+|assum\w+|given|let|provided|in case|as long as|on condition|once)"
    r"(?:\W+(?:that|also|now|even))*(?:\W|\\q?quad\b)*\Z",
    re.IGNORECASE,
)
# Between two formulas, these words alone say that the second one follows.
_SO = (
    r"hence|so|then|thus|therefore|consequently|whence|thereby|i\.e\.|that (?:is|means)|in particular|"
    r"in other words|we (?:get|have|see|obtain|conclude)|it follows|gives?|yields?|shows?|means|proves?"
)
_CONCLUDING = re.compile(
    rf"\W*(?:(?:and|also|this|which|it)\W+)*(?:{_SO})\W+(?:(?:{_SO}|that|also)\W+)*", re.IGNORECASE
)
_BECAUSE = re.compile(r"\b(?:as|since|because)\W*\Z", re.IGNORECASE)
_AND = re.compile(r"\W*and\W+(?:also\W+)?", re.IGNORECASE)
_REST = re.compile(r"\W*")
# Behind a formula: nothing more is said in the sentence, such as ‘give’ with what it gives.
_LAST = re.compile(
    r"(?:[^\w.;]|\b(?:for|all|any|each|every|real|integers?|numbers?|too|also|always|here|there|as|well)\b)*"
    r"(?:[.;]|\Z|[A-Z]|\band\b)"
)
_SWAPPED = (
    "a proved relation stands behind this word as if it were assumed: say what is assumed behind it, and the "
    "relation behind ‘then’ or in a formula of its own"
)
_CONCLUDED = (
    "a hypothesis stands here as if it were concluded: say it before the relation, behind ‘if’ or ‘for’"
)


def swapped(text: str, read: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of relations that a text assumes and hypotheses that it concludes.

    Args:
        text: A part that names a proof.
        read: Of the clauses that are read: begin, end, and of what kind they are.
    """
    words = text_without_formulas(text)
    before: tuple[int, int, str] | None = None
    for start, end, kind in read:
        if kind not in _FORMULAS:
            continue
        if kind in _PROVED and (match := _ASSUMING.search(text, max(0, start - 40), start)):
            yield match.start(), text[match.start() : end], _SWAPPED
        if before and kind == "hypothesis":
            follows = _CONCLUDING.fullmatch(words, before[1], start)
            is_last = _LAST.match(words, end)
            if before[2] in _PROVED:
                is_reason = _BECAUSE.search(text, max(0, before[0] - 20), before[0])
                is_next = (_REST if is_reason else _AND).fullmatch(words, before[1], start)
                concludes = follows or (is_last and is_next)
            else:
                concludes = follows and is_last
            if concludes:
                yield start, text[start:end], _CONCLUDED
        before = start, end, kind
