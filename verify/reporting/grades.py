"""How grades are told: of a part, of a claim part by part, and the one word that is short for either.

The short form is the weakest grade, and each longer form begins with it: none says more than another.
"""

from collections.abc import Sequence
from itertools import groupby

from verify.judging.labels import in_short, neighbours
from verify.judging.verdicts import ClaimResult, PartResult
from verify.outcome import GRADES, Grade, worse

STARS = (
    "* its formulas are proved; the words around them rest on checks of this grade: `boundcheck show ID` "
    "tells which"
)

_DECIDED = ("holds", "consistent", "violated")


def part_grade(grade: Grade | None, words: Grade | None) -> str:
    """Return the grade of a part: `instance, formulas by proof` where its words have weaker evidence.

    Args:
        grade: That of its formulas where `words` is one, else that of all of it.
        words: That of its words where its formulas are proved and they are not.
    """
    if grade is None:
        return "none"
    return f"{words}, formulas by {grade}" if words else grade


def claim_grades(result: ClaimResult) -> str:
    """Return the grades of the parts, the weakest first: `numerical (g), instance (b*), proof (a, c-f)`.

    A part counts with the weakest of its evidence; a star marks one whose formulas are proved and whose words
    have that grade. Parts that nothing decided come first, with their verdict. Where all parts have the grade
    of the claim, and none a star, it stands alone; `-` where there is none.
    """
    parts = sorted(result.parts, key=_place)
    groups = {told: [*map(_starred, group)] for told, group in groupby(parts, key=_told)}
    is_whole = result.grade is None and all(map(_weakest, parts))  # the verdict is not that of the parts
    if is_whole or (len(groups) < 2 and not any(part.words for part in parts)):
        return result.grade or "-"
    return ", ".join(f"{told} ({_labels(labels)})" for told, labels in groups.items())


def letters(labels: Sequence[str]) -> str:
    """Return labels as people write them: (a)--(c), (e)."""
    return ", ".join(
        f"({run[0]})--({run[-1]})" if len(run) > 2 else ", ".join(f"({label})" for label in run)
        for run in neighbours(labels)
    )


def _weakest(part: PartResult) -> Grade | None:
    return worse(part.grade, part.words) if part.verdict in _DECIDED else None


def _place(part: PartResult) -> tuple[int, str]:
    weakest = _weakest(part)
    return -(len(GRADES) if weakest is None else GRADES.index(weakest)), _told(part)


def _told(part: PartResult) -> str:
    return _weakest(part) or part.verdict.replace("_", " ")


def _starred(part: PartResult) -> str:
    return f"{part.label}{'*' if part.words else ''}"


def _labels(labels: Sequence[str]) -> str:
    """Return labels with their stars: a-c, d*, e-g*."""
    return ", ".join(
        in_short([label.rstrip("*") for label in group]).replace(", ", f"{'*' * star}, ") + "*" * star
        for star, group in groupby(labels, key=lambda label: label.endswith("*"))
    )
