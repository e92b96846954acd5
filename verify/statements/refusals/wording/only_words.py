"""What a proved part says in words alone: nothing proves a sentence without a formula, or that it is sharp.

A sentence says a relation, a definition or what is assumed, or has a pin; else it begins with `Let $`, or
sends the reader to another claim: ‘See `squant/var`.’ That something is attained has the equation that shows
it behind it in the same sentence; that it is unique, converges almost surely or the like is a pin.
"""

import re
from collections.abc import Collection, Iterator

from theory.latex.clauses import all_clauses, split
from verify.statements.refusals.wording.words import text_without_formulas

_SHORT = "".join(
    rf"(?<!\b{word})" for word in (r"i\.e", r"e\.g", "cf", "vs", r"w\.r\.t", r"a\.s", "al", "Prof")
)
_END = re.compile(rf"{_SHORT}[.!?](?=\s+[A-Z`\0$(])")
_INSIDE = re.compile(r"\.\s*\$\$?(?=\s+[A-Z`(])")
_LET = re.compile(r"\s*(?:[A-Z][\w ]+: )?[Ll]et (?:now |all )?\$")
_REFERENCE = r"`[^`]+`(?: \([a-z]\))?"
_SEE = re.compile(
    rf"\s*(?:What holds instead: |For \$[^$]*\$ )?see (?:also )?{_REFERENCE}(?:(?:,| and) {_REFERENCE})*\s*",
    re.IGNORECASE,
)
_ATTAINED = re.compile(r"\b(?:sharp\w*|tight\w*|attain\w*|equality)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:strict\w*|faster)\b", re.IGNORECASE)
_STRICT = frozenset({"<", ">", r"\ne"})
_PROVED = ("relation", "equation")
_STRONG = re.compile(
    r"\b(?:(?:sub)?optimal\w*|unique\w*(?! decodable)|(?<!not )only (?:if|when|where|for)|if,? and only|iff|"
    r"(?:un)?improv\w*|"
    r"converg\w*|necessary|sufficient|exactly (?:if|when|where)|precisely (?:if|when|where)|best possible|"
    r"equivalent\w*|impl(?:y|ies|ied)|sublinear\w*|accelerat\w*|beats|asymptotic\w*|"
    r"non-?convex\w*|biased|heterogeneous|(?:any|every|all) norms?|unconditional\w*|loss of generality|"
    r"(?:all|any|every) (?:complex|matri(?:x|ces))|(?:largest|smallest) such|reached only|only at|"
    r"almost surely|surely|with high probability|with probability one)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"\.\.\.|…")
_UNSHOWN = (
    "no equation (or inequality, for what is strict) behind this word, with no relation before it in the "
    "sentence, shows it: say it there, or make the words a pin with their evidence"
)
_UNSAID = "no relation says this: make the words a pin with their evidence"
_MESSAGE = (
    "a sentence of a part that names a proof says a relation or what is assumed; make these words a pin with "
    "their evidence, or one sentence with the formula that shows them"
)


def only_in_words(
    text: str,
    said: Collection[tuple[int, int, str]],
    pins: Collection[tuple[int, int, Collection[str]]],
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of what no formula and no pin of a proved part says.

    Args:
        text: The part.
        said: Of the clauses that say a relation, a definition or what is assumed: begin, end, and of what
            kind they are, `equation` where a relation is one.
        pins: Of pins begin, end and evidence; the words of one that names a proof alone are no other words.
    """
    begin, words = 0, text_without_formulas(text)
    strict = _strict(text) if _COMPARED.search(words) else ()
    pinned = [(low, high) for low, high, evidence in pins if set(evidence) != {"proof"}]

    def is_free(place: int) -> bool:
        return not any(low <= place < high for low, high in pinned)

    for match in _MORE.finditer(words):
        if not any(low <= match.start() < high for low, high, _ in pins):
            yield match.start(), match.group(), "a sentence ends with a full stop"
    for end in _ends(text, words):
        sentence = text[begin:end]
        is_pinned = any(low < end and begin < high for low, high, _ in pins)
        formulas = [(low, kind) for low, _, kind in said if begin <= low < end]
        shown = sentence.strip()
        refers = _LET.match(sentence) or _SEE.fullmatch(sentence.rstrip(". \n"))
        if shown.strip(".") and not (is_pinned or formulas or refers):
            yield text.index(shown, begin), shown, _MESSAGE
            begin = end
            continue
        for match in _STRONG.finditer(words, begin, end):
            if is_free(match.start()):
                yield match.start(), match.group(), _UNSAID
        for pattern in (_ATTAINED, _COMPARED):
            for match in pattern.finditer(words, begin, end):
                place = match.start()
                before = any(low < place and kind in _PROVED for low, kind in formulas)
                behind = any(
                    place < low
                    and (
                        kind == "equation" or (kind == "relation" and pattern is _COMPARED and low in strict)
                    )
                    for low, kind in formulas
                )
                in_pin = any(low <= place < high for low, high, _ in pins)
                if is_free(place) and not (behind and (in_pin or not before)):
                    yield place, match.group(), _UNSHOWN
        begin = end


def _strict(text: str) -> frozenset[int]:
    """Return where clauses begin that compare strictly: ‘strictly’ before another sign says more than it."""
    return frozenset(item.start for item in all_clauses(text) if _STRICT & set(split(item.tokens)[1]))


def _ends(text: str, words: str) -> list[int]:
    """Return where sentences end, in words or with the formula that ends one."""
    found = {match.end() for match in _END.finditer(words)} | {
        match.end() for match in _INSIDE.finditer(text)
    }
    return sorted(found | {len(text)})
