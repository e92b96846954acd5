"""Whether an edit changes the words of a text for certain, told without reading the text as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from theory.latex.clauses import Clause, all_clauses
from verify.statements.matching import Matcher


def spans(text: str, pins: Iterable[str]) -> list[tuple[int, int]]:
    """Return where the pins of a text stand in it."""
    return [match.span() for pin in pins if pin for match in re.finditer(re.escape(pin), text)]


class Edited:
    """Edits of one text.

    Of an edited clause only the chains that it said before are looked at. What stands for it in the words is
    the same as before only if it says one of these: the first chain that a clause says is the first among
    fewer ones, too.

    Args:
        matcher: The matcher of the claim.
        text: The text as it is.
        labels: Labels of the chains that are looked at first.
        pins: Its pins.
    """

    def __init__(
        self, matcher: Matcher, text: str, labels: tuple[str, ...], pins: Iterable[str] = ()
    ) -> None:
        self._matcher, self._labels, self._pins = matcher, labels, tuple(pins)
        self._clauses = list(all_clauses(text))
        self._said = [
            frozenset(chain.label for chain, _, _ in matcher.reading(clause, labels).said)
            for clause in self._clauses
        ]
        self._pieces = list(self._read(text, self._clauses))

    def other_words(self, text: str) -> str:
        """Return the words of an edited text where they differ for certain, '' where all has to be read."""
        found = list(all_clauses(text))
        if len(found) != len(self._clauses):
            return ""
        pieces = list(self._read(text, found))
        changed = [
            (old, new) for old, new in zip(self._pieces, pieces, strict=True) if old.split() != new.split()
        ]
        # Two edits could make up for each other; where one piece alone differs, the whole differs.
        if len(changed) != 1 or "".join(changed[0][0].split()) == "".join(changed[0][1].split()):
            return ""
        return " ".join("".join(pieces).split())

    def _read(self, text: str, clauses: list[Clause]) -> Iterator[str]:
        """Yield in turn the words between clauses and what stands for a clause."""
        last, pinned = 0, spans(text, self._pins)
        for clause, before, said in zip(clauses, self._clauses, self._said, strict=True):
            yield text[last : clause.start]
            last = clause.end
            if any(start <= clause.start and clause.end <= end for start, end in pinned):
                yield clause.key
            else:
                among = None if clause.key == before.key else said
                yield self._matcher.reading(clause, self._labels, among).mark or clause.key
        yield text[last:]
