"""Which claims a user means, and which of them cannot be loaded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import theory
from theory.reading.index import Entry
from verify.errors import UsageError


@dataclass(frozen=True)
class Selection:
    """Claims that were asked for.

    Args:
        claims: Those that could be loaded, in the order of the papers.
        problems: One line for each file that cannot be used.
    """

    claims: tuple[Any, ...]
    problems: tuple[str, ...]


def select_entries(patterns: Iterable[str] | str = ("*",), kind: str | None = None) -> tuple[Entry, ...]:
    """Return the heads of the claims that match any pattern, without repetition, in the order of the papers.

    Raises:
        UnknownClaimError: A pattern matches nothing.
        ClaimFileError: The one claim that a pattern names cannot be used.
        UsageError: No selected claim is of that kind.
    """
    chosen = {item.id for pattern in _wanted(patterns) for item in theory.entries(pattern)}
    selected = tuple(item for item in theory.entries() if item.id in chosen and kind in (None, item.kind))
    if not selected:
        kinds = ", ".join(sorted({item.kind for item in theory.entries()}))
        raise UsageError(f"kind={kind!r} matches none of the selected claims; kinds in use: {kinds}")
    return selected


def with_title(entries: Sequence[Entry], text: str) -> tuple[Entry, ...]:
    """Return the entries whose title has a text, in upper or lower case.

    Raises:
        UsageError: None has it.
    """
    found = tuple(item for item in entries if text.casefold() in item.title.casefold())
    if not found:
        raise UsageError(
            f"title={text!r} is in no title of the selected claims; `boundcheck list` shows them"
        )
    return found


def select(patterns: Iterable[str] | str = ("*",), kind: str | None = None) -> Selection:
    """Load the claims that match any pattern, as far as their files can be used.

    Raises:
        UnknownClaimError: A pattern matches nothing.
        ClaimFileError: The one claim that a pattern names cannot be used, or none can.
        UsageError: No selected claim is of that kind.
    """
    wanted = _wanted(patterns)
    claims, problems = [], problem_lines(wanted)
    for entry in select_entries(wanted, kind):
        try:
            claims.append(theory.claim(entry.id))
        except theory.ClaimFileError as error:
            if entry.id in wanted:
                raise
            problems.append(str(error))
    if not claims:
        raise theory.ClaimFileError("; ".join(problems))
    return Selection(tuple(claims), tuple(problems))


def select_claims(patterns: Iterable[str] | str = ("*",), kind: str | None = None) -> tuple[Any, ...]:
    """Load the claims that match any pattern, without those that cannot be used; see `select`."""
    return select(patterns, kind).claims


def problem_lines(patterns: Iterable[str] | str = ("*",)) -> list[str]:
    """Return one line for each file that cannot be used and that the patterns ask for."""
    found = [problem.line for pattern in _wanted(patterns) for problem in theory.problems(pattern)]
    return list(dict.fromkeys(found))


def _wanted(patterns: Iterable[str] | str) -> list[str]:
    if isinstance(patterns, str):
        return [patterns]
    wanted = list(patterns) if isinstance(patterns, Iterable) else []
    if not wanted or not all(isinstance(item, str) for item in wanted):
        raise UsageError(
            f"patterns={patterns!r} must be claim ids or shell patterns, at least one; '*' means all claims"
        )
    return wanted
