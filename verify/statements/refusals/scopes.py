"""What words make of an assumption: of some j, one of two, whenever another one holds, of each j with it."""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

_ASSUMED = ("hypothesis", "assumed")
_ONE_OF = re.compile(
    r"\b(?:if|where|when|with|let) (?:at (?:least|most) )?"
    r"(?:one|any|some|most|none|several|half|many|few|each|either) of\W*\Z",
    re.IGNORECASE,
)
_SOME = re.compile(
    r"\W*(?:for|at|of) (?:some|one|an?|at least|at most|most|several|almost)\W*", re.IGNORECASE
)
_LIST = re.compile(r"[\s$]*(?:,|(?:and|or|holds?|is true)\b)")
_CONDITION = re.compile(
    r"\b(?:when|whenever|wherever|as soon as|as long as|so long as|provided)\b", re.IGNORECASE
)
_EACH = re.compile(r"\b(?:each|every|any|all|given|an?)\W*\Z", re.IGNORECASE)
_WITH = re.compile(r"\W*(?:with|where|such that|for which|whose|that has)\W*", re.IGNORECASE)
_FOR_ALL = re.compile(r"\bfor(?: (?:all|any|each|every))?(?: (?:\w+ )?\w+)?\W*\Z", re.IGNORECASE)
_CHOSEN = re.compile(
    r"\b(?:an?|some|one|first|last|largest|smallest|there|pick|choose|chosen|let|fix|fixed|take|consider|only|"
    r"most|few|random|drawn|exists?|find|finds|with)\b(?: [\w-]+){0,3}\W*\Z",
    re.IGNORECASE,
)
"""What stands before an index of which something is said once."""
_FULL_STOP = re.compile(r"[.;:](?=[\s$]|\Z)")
_PIN = "say what is assumed, or make the sentence a pin with its evidence"


def scoped(
    text: str, read: Iterable[tuple[int, int, str]], scalars: Collection[str]
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of assumptions that words make weaker than the hypothesis.

    Args:
        text: A part that names a proof.
        read: Of the clauses that are read: begin, end, and of what kind they are.
        scalars: Letters that are no indices.
    """
    said = list(read)
    for place, (start, end, kind) in enumerate(said):
        if kind not in _ASSUMED:
            continue
        last = said[place - 1][1] if place else 0
        before, (after, until, _) = (
            text[last:start],
            said[place + 1] if place + 1 < len(said) else (end, end, ""),
        )
        if _ONE_OF.search(_FULL_STOP.split(before)[-1].rstrip("$ ")) and _LIST.match(text[end:]):
            yield start, text[start:end], f"all of it is assumed, not one of several: {_PIN}"
        if _is_index(text[after:until], scalars) and _SOME.fullmatch(text[end:after]):
            yield start, text[start:end], f"it is assumed for all indices, not for some: {_PIN}"
        if (
            place
            and _is_index(text[said[place - 1][0] : last], scalars)
            and _WITH.fullmatch(before.strip("$ "))
        ):
            head = text[: said[place - 1][0]].rstrip("$ ")
            if _EACH.search(head):
                message = (
                    "it is assumed for all indices, not of the one that is spoken of: write another letter"
                )
                yield start, text[start:end], message
    for start, end, kind in said:
        if kind in _ASSUMED:
            yield from _chosen(text, start, end, said, scalars)
    for (start, end, one), (after, last, other) in itertools.pairwise(said):
        words = text[end:after]
        if {one, other} <= set(_ASSUMED) and _CONDITION.search(words) and not _FULL_STOP.search(words):
            yield start, text[start:last], f"both are assumed, not one under the other: {_PIN}"


def _chosen(
    text: str, start: int, end: int, said: Sequence[tuple[int, int, str]], scalars: Collection[str]
) -> Iterator[tuple[int, str, str]]:
    r"""Yield an assumption of whose index the text says more: for an index $j$, $a_j\ge0$; with $j$ odd."""
    for begin, until, _ in said:
        letter = text[begin:until].strip("$ ")
        if not _is_index(letter, scalars):
            continue
        if not re.search(rf"_(?:{letter}(?![a-zA-Z])|\{{[^{{}}\\]*{letter})", text[start:end]):
            continue
        head = text[:begin].rstrip("$ ")
        before, behind = until <= start, text[end:begin]
        in_sentence = begin >= end and not _FULL_STOP.search(behind)
        if (before and _CHOSEN.search(head)) or (in_sentence and not _FOR_ALL.search(head)):
            message = f"it is assumed for all {letter}, not of one that is spoken of: write another letter"
            yield start, text[start:end], message


def _is_index(text: str, scalars: Collection[str]) -> bool:
    letter = text.strip("$ ")
    return len(letter) == 1 and letter.islower() and letter not in scalars
