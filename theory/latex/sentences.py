"""The words of a hypothesis: mathematics, and the few words between that have a meaning of their own.

What is no such word makes the hypothesis unreadable, with one exception: a remark, which says nothing that
is assumed. It stands in brackets, after "since", or on one side of a colon. After "since" it is free, but has
neither a relation nor a word that could restrict what is said; all other remarks are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from theory.latex.clauses import ONLY_PINS, conjunction
from theory.latex.expectations import REMEDY
from theory.latex.extents import SIGNS
from theory.latex.nodes import Unreadable
from theory.latex.tokens import Fragment, fragments, tokenize

_MATH = "\x00"
NOUNS = {"coordinate": "d", "block": "B", "node": "n", "worker": "n", "client": "n"}
"""What stands for every index up to a size."""
_NOUN = rf"(?:{'|'.join(NOUNS)})"
_WORDS = (
    ("math", _MATH),
    ("range", rf"(?:is an integer|are integers) from (?:\d+|{_MATH}) to {_MATH}"),
    ("whole", r"(?:is an integer|are integers) from 0 on|(?:is a|are) nonnegative integers?"),
    ("positive", r"is a positive integer|are positive integers"),
    ("integer", r"is an integer|are integers"),
    ("next", r"(?:an integer|integers)(?= *\x00)"),
    ("vector", rf"for (?:each|every) vector {_MATH}"),
    ("real", rf"for (?:each|every|all) real {_MATH}"),
    ("for", rf"for (?:(?:each|every|all) )?{_MATH}"),
    ("all", rf"(?:for|in) (?:each|every) {_NOUN}|(?:for|in) all {_NOUN}s"),
    (
        "law",
        rf"over (?:(?:uncorrelated {_MATH}(?:, {_MATH})+,?|{_MATH}) with mean {_MATH} and variance {_MATH}"
        rf"|independent {_MATH}(?:, {_MATH})+|{_MATH})",
    ),
    ("where", r"(?:with|where|so that)\b"),
    ("join", r",|\.|and\b"),
)
_WORD = re.compile(r"\s*(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _WORDS) + r")\s*")
_LAW = re.compile(r"\b(?:over|mean|variance|independent|uncorrelated)\b")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_SINCE = re.compile(r",? since (.*)")
_REFERENCE = re.compile(r"(?:`[a-z][a-z0-9_]*/[a-z0-9-]+`|A[12]|A1 and A2)")
_REMARKS = frozenset(
    {
        r"$F$ is convex and $L$-smooth",
        "$x$ has unit norm",
        "`squant/dcgd`, at the coarse bounds",
        "a flat input",
        "a projection lengthens nothing",
        "all entries are sent once",
        "all indices occur",
        "all squares are equal",
        "as their definitions give",
        "five clients, three coordinates",
        "rounding is monotone and keeps both ends, which are float64 numbers",
        "the Polyak-Łojasiewicz inequality",
        "the blocks are the coordinates of $g$",
        "the coarse bound",
        "the code is uniquely decodable",
        "the decrease in units of that of whole gradients",
        "the first magnitude is the largest",
        r"the gaps $F(x_k)-F^\star$",
        "the largest eigenvalue of a matrix bounds its diagonal",
        "the nodes have the same gradient and send the same entries",
        "the trace of a matrix bounds its eigenvalues",
    }
)
"""Remarks outside of "since" that claims have; each says nothing but what the formulas beside it say."""
_RESTRICTS = re.compile(
    r"[<>=≤≥≠,:;]|\b(?:if|unless|when|whenever|where|or|nor|not|no|none|neither|but|except|only|else|others?|some|"
    r"until|while|than|most|least|expect\w*|mean|average|probability|almost|about|up|and|with|for|at|in|one|any|"
    r"either|first|last|there|never|fail\w*|false|impossible|contrary|odd|even|large\w*|small\w*|limit\w*|"
    r"eventually|asymptot\w*|order|rough\w*|initially|integers?|each|every|all|both|always|often|"
    r"whole|zero|positive|negative|nonnegative|provided|assum\w*|suppos\w*|without|(?:runs?|ranges?) over|"
    r"among|such|whose|which|outside|inside|within)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """One piece of a sentence: its kind, its words, and the mathematics in it."""

    kind: str
    words: str
    math: tuple[Fragment, ...]


def sentences(words: str) -> Iterator[list[Said]]:
    """Yield the sentences of a hypothesis without their remarks, each in pieces.

    Raises:
        Unreadable: Words are left over.
    """
    math = fragments(words)
    text, last = "", 0
    for piece in math:
        end = words.index("$", piece.end)
        text += words[last : piece.start].rstrip("$") + _MATH
        last = end + 2 if words.startswith("$$", end) else end + 1
    text += words[last:]
    place = 0
    for sentence in text.split(";"):
        count = sentence.count(_MATH)
        yield _pieces(sentence, math[place : place + count])
        place += count


def _pieces(sentence: str, math: list[Fragment]) -> list[Said]:
    text = sentence
    for match in reversed(list(_BRACKETS.finditer(text))):
        text, math = _without(text, math, match.start(), match.end())
    since = _SINCE.search(text)
    if since:
        text, math = _without(text, math, since.start(), since.end(), is_free=True)
    if text.count(":") == 1:
        cut = text.index(":")
        sides = [(cut, len(text)), (0, cut + 1)]
        remarks = [side for side in sides if _rest(text[side[0] : side[1]].replace(":", " "))]
        for start, end in remarks[:1]:
            text, math = _without(text, math, start, end)
    rest = _rest(text)
    if rest:
        advice = f": {REMEDY}" if _LAW.search(rest) else ""
        raise Unreadable(f"‘{_shown(rest, math[text[: len(text) - len(rest)].count(_MATH) :])}’{advice}")
    found, used = [], 0
    for word in _WORD.finditer(text.rstrip()):
        count = word.group().count(_MATH)
        found.append(Said(word.lastgroup or "", word.group().strip(), tuple(math[used : used + count])))
        used += count
    return found


def _rest(text: str) -> str:
    """Return from where on a text has other words than those that are read; empty if it has none."""
    at = 0
    while at < len(text.rstrip()):
        match = _WORD.match(text, at)
        if match is None:
            return text[at:]
        at = match.end()
    return ""


def _without(
    text: str, math: list[Fragment], start: int, end: int, is_free: bool = False
) -> tuple[str, list[Fragment]]:
    """Return a sentence without the remark at a place."""
    first = text[:start].count(_MATH)
    last = first + text[start:end].count(_MATH)
    inside = text[start:end].strip(" :()")
    said = _shown(inside, math[first:])
    if is_free:
        _check_free(inside.removeprefix(",").strip(), said, math[first:last])
    elif said not in _REMARKS and not _REFERENCE.fullmatch(said):
        raise Unreadable(f"‘{said}’ is no remark that claims may have")
    return text[:start] + " " + text[end:], math[:first] + math[last:]


def _check_free(text: str, said: str, math: list[Fragment]) -> None:
    restricts = _RESTRICTS.search(text)
    if restricts:
        raise Unreadable(f"‘{said}’ is no remark: it says ‘{restricts.group()}’")
    for fragment in math:
        conjunction(fragment)
        if any(token.text in {*SIGNS, r"\in", *ONLY_PINS} for token in tokenize(fragment.inside)):
            raise Unreadable(f"‘{said}’ is no remark: it has the relation ‘{fragment.inside}’")


def _shown(text: str, math: list[Fragment]) -> str:
    for piece in math:
        text = text.replace(_MATH, f"${piece.inside}$", 1)
    return text.replace(_MATH, "$...$").strip()
