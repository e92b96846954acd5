"""What the papers claim: statements, formulas, derivations and mutants as data.

Papers are found by their file: every module here that has `PAPER` and `CLAIMS` is one.
"""

import difflib
import fnmatch
import functools
import importlib
import pkgutil

from theory.old_form import Claim
from theory.paper import Paper

__all__ = ["UnknownClaimError", "claim", "claims", "papers"]


class UnknownClaimError(KeyError):
    """No claim has this id or matches this pattern; the message lists the near ones."""

    def __str__(self) -> str:
        return str(self.args[0])


@functools.cache
def _load() -> tuple[tuple[Paper, ...], dict[str, Claim]]:
    papers_found: list[Paper] = []
    claims_found: dict[str, Claim] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda item: item.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if not hasattr(module, "PAPER"):
            continue
        papers_found.append(module.PAPER)
        for found in module.CLAIMS:
            if found.id in claims_found:
                raise ValueError(f"claim id {found.id!r} is used twice; rename one of them")
            claims_found[found.id] = found
    return tuple(papers_found), claims_found


def papers() -> tuple[Paper, ...]:
    """Return all papers, in the order of their short names."""
    return _load()[0]


def claims(pattern: str = "*") -> tuple[Claim, ...]:
    """Return the claims whose id matches a shell pattern (`squant/*`), in the order of the paper.

    Raises:
        UnknownClaimError: Nothing matches; the message lists the near ids.
    """
    found = tuple(item for key, item in _load()[1].items() if fnmatch.fnmatchcase(key, pattern))
    if not found:
        raise UnknownClaimError(_unknown(pattern))
    return found


def claim(id: str) -> Claim:
    """Return the claim with this id.

    Raises:
        UnknownClaimError: There is none; the message lists the near ids.
    """
    try:
        return _load()[1][id]
    except KeyError:
        raise UnknownClaimError(_unknown(id)) from None


def _unknown(pattern: str) -> str:
    known = list(_load()[1])
    near = difflib.get_close_matches(pattern, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else f"known claims: {', '.join(known)}"
    return f"unknown claim {pattern!r}; {hint}"
