"""Edit a statement in every small way; each edit must be noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from theory.latex.tokens import Fragment, Token, fragments, group_end
from verify.statements.edited import Edited
from verify.statements.pins import Pins
from verify.statements.refusals.restrictions import Restrictions
from verify.statements.ties import Checker

if TYPE_CHECKING:
    from theory.claim import Claim, Part

_SIGNS = {
    r"\le": (r"\ge ", "<", "="),
    r"\leq": (r"\geq ", "<", "="),
    r"\ge": (r"\le ", ">", "="),
    r"\geq": (r"\leq ", ">", "="),
    "<": (r"\le ", ">"),
    ">": (r"\ge ", "<"),
    "=": (r"\le ", r"\ge "),
    ":=": (r"\le ",),
    r"\ne": ("=",),
    r"\in": (r"\notin ",),
    "+": ("-",),
    "-": ("+",),
    r"\sum": (r"\prod", r"\max"),
    r"\prod": (r"\sum",),
    r"\max": (r"\min", r"\sum"),
    r"\min": (r"\max",),
    r"\lfloor": (r"\lceil ",),
    r"\sqrt": ("",),
    r"\succeq": (r"\preceq ",),
    r"\succ": (r"\prec ",),
    r"\iff": (r"\implies ",),
    r"\propto": ("=",),
    r"\subset": (r"\supset ",),
}
_BOTH_WAYS = (
    "every/some smallest/largest minimum/maximum least/most upper/lower larger/smaller less/more and/or "
    "shorter/longer always/never convex/concave best/worst increasing/decreasing positive/negative"
)
_ONE_WAY = (
    "all/some any/no each/some no/a not/ one/two two/three if/only+if iff/if only/ unless/if fewer/more "
    "exactly/about unique/a independent/dependent symmetric/arbitrary nonnegative/positive unbiased/biased "
    "attained/approached equality/inequality optimal/possible sharp/valid half/third integer/number strictly/"
)
_PAIRS = [pair.split("/") for pair in f"{_BOTH_WAYS} {_ONE_WAY}".split()]
_WORDS = {old: new.replace("+", " ") for old, new in _PAIRS}
_WORDS |= {new: old for old, new in _PAIRS if f"{old}/{new}" in _BOTH_WAYS}
_WORD = re.compile(r"[A-Za-z]+")
_SKIPPED = re.compile(r"`[^`]*`|\{value:[^{}]*\}|\\(?:tag|label)\s*\{[^{}]*\}")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|:=|\d|.", re.DOTALL)


@dataclass(frozen=True)
class Edit:
    """A change of a text: what stands at `start` up to `end` becomes `new`."""

    part: str
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"({self.part}) at {self.start}: ‘{self.old}’ to ‘{self.new}’"

    def apply(self, text: str) -> str:
        """Return the edited text."""
        return text[: self.start] + self.new + text[self.end :]


def edits(part: str, text: str) -> list[Edit]:
    """Return the edits of a text; names of claims, slots, tags and punctuation are left alone."""
    skipped = [match.span() for match in _SKIPPED.finditer(text)]
    found: list[Edit] = []
    pieces = fragments(text)
    for piece in pieces:
        found += _in_math(part, text, piece)
    inside = [(piece.start, piece.end) for piece in pieces]
    texts = [match.span() for match in re.finditer(r"\\text\s*\{[^{}]*\}", text)]
    for match in _WORD.finditer(text):
        in_math = any(start <= match.start() < end for start, end in inside)
        in_text = any(start + 5 <= match.start() < end for start, end in texts)
        word = match.group()
        if word.lower() in _WORDS and (not in_math or in_text):
            new = _WORDS[word.lower()]
            found.append(Edit(part, *match.span(), word, new.capitalize() if word[0].isupper() else new))
    for match in re.finditer(r"\d", text):
        if not any(start <= match.start() < end for start, end in inside):
            found.append(Edit(part, *match.span(), match.group(), str((int(match.group()) + 1) % 10)))
    return [
        edit
        for edit in found
        if not any(start <= edit.start < end for start, end in skipped) and edit.apply(text) != text
    ]


def _in_math(part: str, text: str, piece: Fragment) -> Iterator[Edit]:
    tokens = [
        Token(match.group(), piece.start + match.start(), piece.start + match.end())
        for match in _TOKEN.finditer(piece.inside)
        if not match.group().isspace()
    ]
    texts = [
        (piece.start + match.start(), piece.start + match.end())
        for match in re.finditer(r"\\text\s*\{[^{}]*\}", piece.inside)
    ]
    for place, token in enumerate(tokens):
        if any(start <= token.start < end for start, end in texts):
            continue
        if token.text.isdigit():
            yield Edit(part, token.start, token.end, token.text, str((int(token.text) + 1) % 10))
        for new in _SIGNS.get(token.text, ()):
            yield Edit(part, token.start, token.end, token.text, new)
        if token.text == r"\frac":
            yield from _swapped(part, text, tokens, place)
        if token.text in "_^" and place + 1 < len(tokens):
            yield from _other_letters(part, tokens, place + 1)


def _swapped(part: str, text: str, tokens: list[Token], place: int) -> Iterator[Edit]:
    first_end = _argument_end(tokens, place + 1)
    second_end = _argument_end(tokens, first_end)
    if second_end > len(tokens):
        return
    above = text[tokens[place + 1].start : tokens[first_end - 1].end]
    below = text[tokens[first_end].start : tokens[second_end - 1].end]
    start, end = tokens[place].start, tokens[second_end - 1].end
    if above != below:
        yield Edit(part, start, end, text[start:end], rf"\frac {below} {above}")


def _argument_end(tokens: list[Token], place: int) -> int:
    if place >= len(tokens):
        return len(tokens) + 1
    return group_end(tokens, place) if tokens[place].text == "{" else place + 1


def _other_letters(part: str, tokens: list[Token], place: int) -> Iterator[Edit]:
    for token in tokens[place : _argument_end(tokens, place)]:
        if len(token.text) == 1 and token.text in "ijklm":
            new = {"i": "j", "j": "i", "k": "j", "l": "k", "m": "l"}[token.text]
            yield Edit(part, token.start, token.end, token.text, new)


def survivors(claim: Claim, pins: Pins | None = None) -> list[Edit]:
    """Return the edits of the setting, the parts and the words of hypotheses that no check notices.

    Args:
        claim: The claim.
        pins: Its hashes; by default those of the claim as it is, so that outdated ones hide no edit.

    Raises:
        ValueError: The claim as it is has a problem, behind which edits would hide.
    """
    checker = Checker(claim, explain=False)
    known = checker.hashes() if pins is None else pins
    problems = checker.problems(known)
    if problems:
        raise ValueError(f"the statement is not tied to begin with: {problems[0]}")
    texts = {"setting": claim.setting}
    texts |= {f"hypothesis {name}": item.words for name, item in claim.hypotheses.items()}
    found = []
    for place, text in texts.items():
        base = Edited(checker.matcher, text, checker.loose_labels(place))
        for edit in edits(place, text):
            edited = edit.apply(text)
            words = base.other_words(edited)
            if words and checker.hash_of_text(place, edited, words) != known.get(place, ""):
                continue
            _, _, name = place.partition("hypothesis ")
            problems = (
                checker.hypothesis_problems(name, edited, known)
                if name
                else checker.text_problems(place, edited, known)
            )
            if not problems:
                found.append(edit)
    for part in claim.parts:
        base = Edited(checker.matcher, part.text, checker.matcher.labels(part), part.pins)
        for edit in edits(part.label, part.text):
            changed = replace(part, text=edit.apply(part.text))
            words = base.other_words(changed.text)
            if words and checker.hash_of_part(changed, words) != known.get(part.label):
                continue
            if not checker.part_problems(changed, known) and not _unsaid(checker, changed):
                found.append(edit)
    return found


def _unsaid(checker: Checker, part: Part) -> bool:
    """Return whether a claim with this part says less than its relations assume."""
    parts = tuple(part if item.label == part.label else item for item in checker.claim.parts)
    edited = replace(checker.claim, parts=parts)
    return any(True for _ in Restrictions(edited, checker.matcher).unsaid())
