r"""What joins the formulas of a part: commas of a list, ‘or’ between assumptions, and arrows."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from theory.latex.clauses import IMPLICATIONS, all_clauses, clauses, split
from theory.latex.tokens import Token, fragments, tokenize
from verify.statements.refusals.wording.words import text_without_formulas

_PROVED = ("relation", "equation")
_ASSUMED = ("hypothesis", "assumed")
_THIN = re.compile(r"\s|~|\\[,;:! ]")
_OR = re.compile(r"\b(?:or|either)\b", re.IGNORECASE)
_FULL_STOP = re.compile(r"[.;:](?=[\s\0])")
_LISTED = (
    "a comma makes a list of which the relation may be said as a whole: write each relation in formulas "
    "of its own, with a word between them"
)
_RUN = (
    "with a comma alone between them these are read as one, as in 0 < a, b < 1: write each relation in "
    r"formulas of its own, with a word between them, or \quad"
)
_BOTH = (
    "what stands alone here could be read as one side of the relation behind it, as x in ‘x and y < 1’: "
    "leave it out, write it as a relation, or begin a new sentence"
)
_WORDLESS = re.compile(r"\\(?:text\w*|mbox)\s*\{|\\q?quad\b|\\[,;:! ]|[~${}\s]")
_AND = re.compile(r"and|or|as well as|")
_BEHIND = re.compile(r"[,(]|and|or|as well as|")
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
    kinds = {(start, end): kind for start, end, kind in said}
    yield from _lists(text, kinds)
    yield from _names(text, kinds)
    formulas = [item for item in said if item[2] in (*_PROVED, *_ASSUMED, "range")]
    words = text_without_formulas(text)
    for (start, end, one), (after, last, other) in itertools.pairwise(formulas):
        between = words[end:after]
        if {one, other} & set(_ASSUMED) and _OR.search(between) and not _FULL_STOP.search(between):
            yield start, text[start:last], _ALTERNATIVES


def _lists(text: str, kinds: Mapping[tuple[int, int], str]) -> Iterator[tuple[int, str, str]]:
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
            elif all(related):
                yield one.start, text[one.start : other.end], _RUN


def _names(text: str, kinds: Mapping[tuple[int, int], str]) -> Iterator[tuple[int, str, str]]:
    """Yield names that ‘and’ joins to a proved relation, and relations that look like one of a list."""
    for one, other in itertools.pairwise(all_clauses(text)):
        between = text[one.end : other.start]
        gap = " ".join(_WORDLESS.sub(" ", between).split())
        pair = [kinds.get((item.start, item.end), "") in _PROVED for item in (one, other)]
        (before, signs), (after, others) = split(one.tokens), split(other.tokens)
        if gap == ("" if "$" in between else ","):  # a display of its own, or see _lists
            continue
        if any(pair) and not (signs and others) and (_BEHIND if signs else _AND).fullmatch(gap):
            yield one.start, text[one.start : other.end], _BOTH
        is_list = all(pair) and gap == "," and signs[-1] == others[0] != "="
        if is_list and _is_one_name(before[-1]) and _is_one_name(after[0]):
            yield one.start, text[one.start : other.end], _RUN


def _is_one_name(tokens: Sequence[Token]) -> bool:
    """Return whether a side could be one name of a list: no number, and no sum or product of more."""
    texts = [token.text for token in tokens]
    return bool(texts) and not texts[0].isdigit() and not {*texts} & {"+", "-", "/", r"\frac", r"\cdot", "("}


def arrows(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the arrows of a part: which of two clauses is assumed, its formulas do not say."""
    for fragment in fragments(text):
        for token in tokenize(fragment.inside, fragment.start):
            if token.text in IMPLICATIONS:
                yield token.start, token.text, _ARROW
