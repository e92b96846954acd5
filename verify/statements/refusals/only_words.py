"""What a proved part says in words alone: nothing proves a sentence without a formula, or that it is sharp.

A sentence says a relation, a definition or what is assumed, or has a pin; else it begins with `Let $`, or
sends the reader to another claim: ‘See `squant/var`.’ That something is attained, unique or the like has the
relation that shows it behind it in the same sentence.
"""

import re
from collections.abc import Collection, Iterator

from theory.latex.tokens import fragments
from verify.statements.slots import SLOT

_END = re.compile(r"[.!?](?=\s+[A-Z`\0$(])|\.?\s*\Z")
_INSIDE = re.compile(r"\.\s*\$\$?(?=\s+[A-Z`(])")
_LET = re.compile(r"\s*(?:[A-Z][\w ]+: )?[Ll]et (?:now |all )?\$")
_SEE = re.compile(r"\s*(?:What holds instead: |For \$[^$]*\$ )?see `[^`]+`(?: \([a-z]\))?\s*", re.IGNORECASE)
_BLANK = "\0"
_STRONG = re.compile(
    r"\b(?:sharp\w*|tight\w*|attain\w*|optimal\w*|unique\w*|only (?:if|when|where)|iff|equality|strict\w*|"
    r"(?:un)?improv\w*|converg\w*|necessary|sufficient|exactly (?:if|when|where)|best possible)\b",
    re.IGNORECASE,
)
_UNSHOWN = (
    "no relation behind this word, in the same sentence, shows it: say the relation there, or make the words "
    "a pin with their evidence"
)
_MESSAGE = (
    "a sentence of a part that names a proof says a relation or what is assumed; make these words a pin with "
    "their evidence, or one sentence with the formula that shows them"
)


def only_in_words(
    text: str, said: Collection[tuple[int, int]], pinned: Collection[tuple[int, int]]
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of the sentences of a part that no formula and no pin says.

    Args:
        text: The part.
        said: Where the clauses begin and end that say a relation, a definition or what is assumed.
        pinned: Where pins begin and end.
    """
    begin, words = 0, _words(text)
    for end in _ends(text, words):
        sentence = text[begin:end]
        is_pinned = any(low < end and begin < high for low, high in pinned)
        formulas = [low for low, _ in said if begin <= low < end]
        shown = sentence.strip()
        refers = _LET.match(sentence) or _SEE.fullmatch(sentence.rstrip(". \n"))
        if shown.strip(".") and not (is_pinned or formulas or refers):
            yield text.index(shown, begin), shown, _MESSAGE
        else:
            for match in _STRONG.finditer(words, begin, end):
                place = match.start()
                if not any(place < low for low in formulas) and not any(a <= place < b for a, b in pinned):
                    yield place, match.group(), _UNSHOWN
        begin = end


def _words(text: str) -> str:
    """Return a text of the same length without its formulas, names in backticks and slots."""

    def blank(match: re.Match[str]) -> str:
        return _BLANK * len(match.group())

    for piece in fragments(text):
        text = text[: piece.start] + _BLANK * (piece.end - piece.start) + text[piece.end :]
    return SLOT.sub(blank, re.sub(r"`[^`]+`", blank, text))


def _ends(text: str, words: str) -> list[int]:
    """Return where sentences end, in words or with the formula that ends one."""
    found = {match.end() for match in _END.finditer(words)} | {
        match.end() for match in _INSIDE.finditer(text)
    }
    return sorted(found | {len(text)})
