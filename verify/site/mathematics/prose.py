"""Texts with mathematics between dollars and code between backticks, as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from verify.site.mathematics.mathml import render

_PIECE = re.compile(r"`([^`]*)`|\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)

WIDE = 24
"""Characters of a formula that may be wider than a phone."""
LONG = 90
"""Characters of a formula that may be wider than a window."""

_WIDE = '<span class="wide'

Link = Callable[[str], str | None]
"""Returns where a piece of code leads, such as the page of a claim whose id it is, or None."""


def prose(text: str, link: Link | None = None) -> str:
    """Return a text as HTML; all that is neither mathematics nor code is escaped.

    Args:
        text: Plain text with `$...$`, `$$...$$` and backticks.
        link: Finds the page that code names.
    """
    found = []
    last = 0
    for match in _PIECE.finditer(text):
        found.append(escape(text[last : match.start()]))
        shown = _piece(match, link)
        last = match.end()
        if shown.startswith(_WIDE) and text[last : last + 1] in (".", ",", ";", ":", ")"):
            shown = shown.removesuffix("</span>") + text[last] + "</span>"  # no line begins with it
            last += 1
        found.append(shown)
    found.append(escape(text[last:]))
    return "".join(found)


def plain(text: str) -> str:
    """Return a text for a search index: words and the letters of its mathematics, in lower case."""
    return " ".join(
        re.sub(r"\\(?:mathbb|mathbf|mathcal|mathrm|rm|frac|left|right|[Bb]ig+)|[\\${}`]", " ", text).split()
    ).lower()


def _piece(match: re.Match[str], link: Link | None) -> str:
    code, display, inline = match.groups()
    if code is not None:
        target = link(code) if link else None
        shown = f"<code>{escape(code)}</code>"
        return f'<a href="{escape(target)}">{shown}</a>' if target else shown
    if display is not None:
        return f'<span class="display" tabindex="0">{render(display, display=True).html}</span>'
    shown = render(inline).html
    length = len(re.sub(r"<[^>]*>", "", shown))
    if length > WIDE:  # it scrolls where the page is narrow, a long one everywhere
        return f'{_WIDE}{" long" * (length > LONG)}">{shown}</span>'
    return shown
