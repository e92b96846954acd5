"""A badge: how many claims have which verdict, as a small picture for a README."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from verify.reporting.summaries import Summary

# What a badge says of claims, the worst first, in one word for one of them and for several, and its colour.
_WORDS = {
    "violated": ("violated", "violated", "#b3261e"),
    "untested": ("untested", "untested", "#b3261e"),
    "stale": ("stale", "stale", "#8a5a00"),
    "inconclusive": ("inconclusive", "inconclusive", "#8a5a00"),
    "not_run": ("not run", "not run", "#5f6368"),
    "consistent": ("consistent", "consistent", "#1b6e3c"),
    "holds": ("holds", "hold", "#1b6e3c"),
}

_LABEL_COLOUR = "#3c4043"
_HEIGHT = 20
_SIZE = 11
_PAD = 6
_WIDE = 0.6
"""Width of a character in sizes of the font; the text is fitted to it, whatever font is there."""


def counts(patterns: Iterable[str] | str = ("*",), *, records: str | Path) -> Counter[str]:
    """Return how many of the claims that match the patterns have which verdict.

    A claim whose sources have changed since is `stale`: its verdict is none any more.

    Args:
        patterns: Claim ids or shell patterns.
        records: Folder of the records.

    Raises:
        UnknownClaimError: A pattern matches no claim.
    """
    from verify.reporting.summaries import summarised
    from verify.running.selection import select_entries

    return Counter(_word(summarised(entry.id, records)) for entry in select_entries(patterns))


def _word(summary: "Summary") -> str:
    return "stale" if summary.stale else summary.verdict


def message(found: Counter[str]) -> str:
    """Return what the badge says, the worst first."""
    return ", ".join(
        f"{found[name]} {one if found[name] == 1 else several}"
        for name, (one, several, _) in _WORDS.items()
        if found[name]
    )


def colour(found: Counter[str]) -> str:
    """Return the colour of the worst."""
    return next(shade for name, (_, _, shade) in _WORDS.items() if found[name])


def badge(found: Counter[str], label: str = "bounds") -> str:
    """Return the SVG picture of counts.

    Args:
        found: Number of claims by verdict.
        label: What stands at the left.
    """
    text = message(found)
    left, right = (round(len(words) * _SIZE * _WIDE) + 2 * _PAD for words in (label, text))
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{left + right}",
            "height": f"{_HEIGHT}",
            "role": "img",
            "aria-label": f"{label}: {text}",
        },
    )
    ElementTree.SubElement(root, "title").text = f"{label}: {text}"
    for start, width, fill in ((0, left, _LABEL_COLOUR), (left, right, colour(found))):
        place = {"x": f"{start}", "width": f"{width}", "height": f"{_HEIGHT}", "fill": fill}
        ElementTree.SubElement(root, "rect", place)
    for start, width, words in ((0, left, label), (left, right, text)):
        place = {
            "x": f"{start + _PAD}",
            "y": "14",
            "textLength": f"{width - 2 * _PAD}",
            "lengthAdjust": "spacingAndGlyphs",
            "fill": "#ffffff",
            "font-family": "Verdana,DejaVu Sans,sans-serif",
            "font-size": f"{_SIZE}",
        }
        ElementTree.SubElement(root, "text", place).text = words
    return ElementTree.tostring(root, encoding="unicode") + "\n"
