r"""What joins the formulas of a part: commas of a list, ‘or’ between assumptions, and arrows."""

import itertools
import re
from collections.abc import Iterable, Iterator

from theory.latex.clauses import IMPLICATIONS, clauses, split
from theory.latex.tokens import fragments, tokenize
from verify.statements.refusals.words import text_without_formulas

_PROVED = ("relation", "equation")
_ASSUMED = ("hypothesis", "assumed")
_THIN = re.compile(r"\s|~|\\[,;:! ]")
_OR = re.compile(r"\b(?:or|either)\b", re.IGNORECASE)
_FULL_STOP = re.compile(r"[.;:](?=[\s\0])")
_LISTED = (
    "a comma makes a list of which the relation may be said as a whole: write each relation in formulas "
    "of its own, with a word between them"
)
_RUN = "without a space behind the comma these are read as one: write each relation in formulas of its own"
_ALTERNATIVES = (
    "what is proved is proved under all of what is assumed, not under one ‘or’ the other: state each case as "
    "a relation of its own, or make the sentence a pin with its evidence"
)
_ARROW = "say in words what is assumed and what holds then, or make the sentence a pin"


def joined(text: str, read: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of what joins a proved relation to a list, or assumptions by ‘or’.

    Args:
        text: A part that names a proof.
        read: Of the clauses that are read: begin, end, and of what kind they are.
    """
    said = list(read)
    yield from _lists(text, {(start, end): kind for start, end, kind in said})
    formulas = [item for item in said if item[2] in (*_PROVED, *_ASSUMED, "range")]
    words = text_without_formulas(text)
    for (start, end, one), (after, last, other) in itertools.pairwise(formulas):
        between = words[end:after]
        if {one, other} & set(_ASSUMED) and _OR.search(between) and not _FULL_STOP.search(between):
            yield start, text[start:last], _ALTERNATIVES


def _lists(text: str, kinds: dict[tuple[int, int], str]) -> Iterator[tuple[int, str, str]]:
    for fragment in fragments(text):
        found = clauses(fragment)
        for one, other in itertools.pairwise(found):
            gap = text[one.end : other.start]
            pair = [kinds.get((item.start, item.end), "") for item in (one, other)]
            if _THIN.sub("", gap) not in (",", ";") or not set(pair) & set(_PROVED):
                continue
            related = [bool(split(item.tokens)[1]) for item in (one, other)]
            if any(kind in _PROVED and not is_one for kind, is_one in zip(pair, related[::-1], strict=True)):
                yield one.start, text[one.start : other.end], _LISTED
            elif all(related) and gap in (",", ";"):
                yield one.start, text[one.start : other.end], _RUN


def arrows(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the arrows of a part: which of two clauses is assumed, its formulas do not say."""
    for fragment in fragments(text):
        for token in tokenize(fragment.inside, fragment.start):
            if token.text in IMPLICATIONS:
                yield token.start, token.text, _ARROW
