r"""Worst cases as one text, for `worst_cases=cases(...)` of a claim:

    one level at $x=\mathbf 1$ | u = 100 * (1/10,), d = 100, beta = 10 | 10
    rational: the gain at $\beta=4$, where both
      terms agree | a = 4, n = 4, x = (1, 2, 2) | 4 * a * sqrt(n)

Description, values, and the value there, in which the names may stand. Later lines of an entry are indented.
"""

from textwrap import dedent
from typing import Any

from sympy import Integer

from theory.claim import WorstCase
from theory.exact_text import exact, exact_arguments


def cases(text: str) -> tuple[WorstCase, ...]:
    """Return the worst cases of a text; numbers are exact, whole numbers among the values are `int`.

    Raises:
        ValueError: An entry has not three fields, or a field is no exact arithmetic.
    """
    entries: list[str] = []
    for line in dedent(text).strip().splitlines():
        if line.startswith(" "):
            entries[-1] += " " + line.strip()
        else:
            entries.append(line.strip())
    return tuple(_case(entry) for entry in entries)


def _case(entry: str) -> WorstCase:
    fields = entry.rsplit(" | ", 2)
    if len(fields) != 3:
        raise ValueError(f"worst case {entry!r} must read: DESCRIPTION | NAME = VALUE, ... | VALUE THERE")
    values = exact_arguments(fields[1])
    return WorstCase(
        fields[0], {name: _plain(item) for name, item in values.items()}, exact(fields[2], values)
    )


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return int(value) if isinstance(value, Integer) else value
