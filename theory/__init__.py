"""What the papers claim: statements, formulas, derivations as data.

Papers and claims are found by their files (`theory.reading.index`); a claim is loaded when it is asked for.
"""

import functools
import importlib
import os
from pathlib import Path
from typing import Any

# Read when sympy is first imported: derivations go over more formulas than the 1000 that it keeps by default.
os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")

# Before the functions of this name: an import of the module later on would replace `theory.claim` by it.
import theory.claim  # noqa: F401
from theory.errors import ClaimFileError, UnknownClaimError
from theory.paper import Paper
from theory.reading.index import Entry, Problem, read_index, refresh
from theory.reading.roots import use

__all__ = [
    "ClaimFileError",
    "Entry",
    "Problem",
    "UnknownClaimError",
    "claim",
    "claims",
    "entries",
    "entry",
    "load",
    "papers",
    "problems",
    "refresh",
    "use",
]


def entries(pattern: str = "*") -> tuple[Entry, ...]:
    """Return what is known, without loading them, about the claims whose id matches a shell pattern.

    Raises:
        UnknownClaimError: Nothing matches; the message lists the near ids.
    """
    return read_index().select(pattern)


def entry(id: str) -> Entry:
    """Return what is known about a claim without loading it.

    Raises:
        UnknownClaimError: There is none; the message lists the near ids.
        ClaimFileError: Its file cannot be used.
    """
    return read_index().entry(id)


def problems(pattern: str = "*") -> tuple[Problem, ...]:
    """Return the files that cannot be used and whose claims would match a pattern, one line for each."""
    return read_index().problems_of(pattern)


def papers() -> tuple[Paper, ...]:
    """Return all papers, ours first, in the order of their short names."""
    return tuple(importlib.import_module(root.paper_module).PAPER for root in read_index().roots.values())


def claims(pattern: str = "*") -> tuple[Any, ...]:
    """Load the claims whose id matches a shell pattern (`squant/*`), in the order of the papers.

    Raises:
        UnknownClaimError: Nothing matches; the message lists the near ids.
        ClaimFileError: The file of one that matches cannot be used; `load` leaves those out.
    """
    found, wrong = load(pattern)
    if wrong:
        raise ClaimFileError("; ".join(problem.line for problem in wrong))
    return found


def load(pattern: str = "*") -> tuple[tuple[Any, ...], tuple[Problem, ...]]:
    """Load the claims that match a pattern as far as their files can be used, and tell of the others.

    Raises:
        UnknownClaimError: Nothing matches; the message lists the near ids.
        ClaimFileError: The one claim that is asked for cannot be used.
    """
    found: list[Any] = []
    wrong = list(problems(pattern))
    for item in entries(pattern):
        try:
            found.append(claim(item.id))
        except ClaimFileError as error:
            if item.id == pattern:
                raise
            wrong.append(Problem(item.id, str(error)))
    return tuple(found), tuple(wrong)


def claim(id: str) -> Any:
    """Load the claim with this id, and no other.

    Raises:
        UnknownClaimError: There is none; the message lists the near ids.
        ClaimFileError: Its file cannot be used.
    """
    return _loaded(read_index().entry(id))


@functools.cache
def _loaded(item: Entry) -> Any:
    try:
        found = importlib.import_module(item.module).CLAIM
    except (Exception, SystemExit) as error:  # whatever the file does when it is imported
        raise ClaimFileError(f"{item.where}: {_told(error, item.path)}") from error
    if type(found) is not importlib.import_module("theory.claim").Claim:
        raise ClaimFileError(
            f"{item.where}: CLAIM is a {type(found).__name__} of its own; take Claim of boundcheck"
        )
    if found.id != item.id:
        raise ClaimFileError(f"{item.where}: id={found.id!r} is not the literal at the head, {item.id!r}")
    return found


def _told(error: BaseException, path: Path) -> str:
    """Return an error of the import of a file in one line; it may lie in a file that this one imports."""
    if isinstance(error, SyntaxError):
        other = f"{error.filename}, " if error.filename and Path(error.filename) != path else ""
        return f"{other}line {error.lineno}: {error.msg}"
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
