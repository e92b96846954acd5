"""Where cells of a table go at a width: in columns, in folded ones, or below their row as `name: value`."""

import unicodedata
from collections.abc import Sequence

LEAST = 12
"""Columns that a cell of several words keeps at least, where it is folded."""
LEAST_LAST = 24
"""Columns that the last cell keeps at least: it is prose in most tables."""
_INDENT = "    "


def laid_out(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table, none longer than `width` but for a single word that is.

    Cells are folded between words. Where even that does not fit, the first columns stand unfolded, as many as
    do, and below each row the others as `name: value`, those that are empty apart.
    """
    widths = column_widths(heads, rows, width)
    if widths is not None:
        return [line for row in (heads, *rows) for line in _folded(row, widths)]
    widest = _widest(heads, rows)
    count = max(1, sum(sum(widest[: i + 1]) + i <= width for i in range(len(widest))))
    lines = _folded(heads[:count], widest[:count]) if count > 1 else []
    for row in rows:
        lines += _folded(row[:count], widest[:count]) if count > 1 else _wrapped(row[0], width, later=_INDENT)
        lines += _named(heads[count:], row[count:], width)
    return lines


def column_widths(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Return the widths of the columns, None where they do not fit."""
    columns = list(zip(heads, *rows, strict=True))
    widest = _widest(heads, rows)
    least = [
        max(_longest_word(column), min(natural, LEAST_LAST if place == len(columns) - 1 else LEAST))
        for place, (column, natural) in enumerate(zip(columns, widest, strict=True))
    ]
    room = width - (len(columns) - 1) - sum(least)
    if room < 0:
        return None
    wanted = sorted(range(len(columns)), key=lambda place: widest[place] - least[place])
    for done, place in enumerate(wanted):  # what needs little has it all, the others share what is left
        given = min(widest[place] - least[place], room // (len(wanted) - done))
        least[place] += given
        room -= given
    return least


def cells(text: str) -> int:
    """Return the columns that a text takes: marks stand over the letter before them."""
    return len(text) - sum(map(_is_mark, text))


def _widest(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cells, column)) for column in zip(heads, *rows, strict=True)]


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) != 0


def _longest_word(column: Sequence[str]) -> int:
    return max((cells(word) for text in column for word in text.split()), default=0)


def _folded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    columns = [_wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    lines = []
    for place in range(max(map(len, columns))):
        line = [column[place] if place < len(column) else "" for column in columns]
        padded = [text + " " * (width - cells(text)) for text, width in zip(line, widths, strict=True)]
        lines.append(" ".join(padded).rstrip())
    return lines


def _wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Return a text in lines of whole words."""
    lines = [first]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if cells(joined) > width and lines[-1].strip():
            lines.append(later + word)
        else:
            lines[-1] = joined
    return lines


def _named(heads: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """Return named values, as many in a line as fit."""
    lines: list[str] = []
    line = ""
    for name, text in zip(heads, row, strict=True):
        if not text.strip():
            continue
        said = f"{name}: {' '.join(text.split())}"
        joined = f"{line}  {said}" if line else f"{_INDENT}{said}"
        if cells(joined) <= width:
            line = joined
            continue
        lines += [line] if line else []
        *above, line = _wrapped(said, width, _INDENT, _INDENT * 2)
        lines += above
    return [*lines, *([line] if line else [])]
