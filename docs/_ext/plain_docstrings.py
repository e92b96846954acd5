"""Docstrings are plain text with `code` in single backticks: quote what reStructuredText would read."""

import re
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"(``.+?``|`[^`\n]+`)")


def quoted(line: str) -> str:
    """Return a line of a docstring as reStructuredText that shows the same characters."""
    bullet = re.match(r"\s*\* |", line)
    assert bullet is not None
    pieces = _CODE.split(line[bullet.end() :])
    return bullet[0] + "".join(_code(piece) if k % 2 else _text(piece) for k, piece in enumerate(pieces))


def _code(piece: str) -> str:
    return f"``{piece.strip('`')}``"


def _text(piece: str) -> str:
    piece = re.sub(r"([\\|*])", r"\\\1", piece)
    return re.sub(r"_(?=\W|$)", r"\\_", piece)


def quoted_lines(lines: list[str]) -> list[str]:
    """Return a docstring as reStructuredText; examples and blocks after `::` stay as they are."""
    result, margin = [], None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if margin is not None and line.strip() and indent <= margin:
            margin = None
        literal = margin is not None or line.lstrip().startswith(">>>")
        result.append(line if literal else quoted(line))
        if margin is None and line.endswith("::"):
            margin = indent
    return result


def quote_docstring(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Quote a docstring in place."""
    lines[:] = quoted_lines(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Quote before napoleon reads the sections."""
    app.connect("autodoc-process-docstring", quote_docstring, priority=100)
    return {"parallel_read_safe": True}
