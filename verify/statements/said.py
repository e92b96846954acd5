"""What a text says, and where it differs from the formulas."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """A place where text and formulas differ.

    Args:
        claim: Its id.
        part: The label, `setting`, `hypothesis NAME`, or empty for the claim as a whole.
        place: Where in the text it begins; -1 for the part as a whole.
        text: The LaTeX in question.
        message: What is wrong and how to mend it.
    """

    claim: str
    part: str
    place: int
    text: str
    message: str

    def __str__(self) -> str:
        where = f"{self.claim} ({self.part})" if self.part else self.claim
        return f"{where}: {f'‘{self.text}’: ' if self.text else ''}{self.message}"


_PIN = re.compile(r"then run (`boundcheck pin [^`]+`)\Z")
FEW = 2
"""So many problems of pins of one claim are told one by one."""


def told(problems: Sequence[Problem]) -> list[str]:
    """Return problems of one claim as lines; those that a pin would mend are one line, behind all others."""
    unpinned = [item for item in problems if _PIN.search(item.message)]
    if len(unpinned) <= FEW:
        return [str(item) for item in problems]
    others = [str(item) for item in problems if item not in unpinned]
    places = ", ".join(dict.fromkeys(item.part or "title, symbols and texts" for item in unpinned))
    first = "mend what stands above, " if others else ""
    claim, command = unpinned[0].claim, _PIN.findall(unpinned[0].message)[0]
    line = (
        f"{claim}: not pinned, or not as it is now ({places}): {first}read the text against the evidence, "
        f"then run {command}"
    )
    return [*others, line]


@dataclass
class Said:
    """What a text says: its words with marks for what was read, labels of chains, problems, and clauses.

    Of a clause that is read: begin, end, and whether it says a `relation`, what is `assumed` (a definition, a
    model or a cited fact), another `hypothesis`, something else, or is `unread`.
    """

    words: str
    labels: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    read: list[tuple[int, int, str]] = field(default_factory=list)
