"""What the kind of a claim says: an identity, and a bound that is tight, have an equation that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.claim import Claim

_EQUAL = ("identity", "tight")


def unshown_kind(claim: Claim) -> list[str]:
    """Return what is wrong with the kind of a claim: no equation is among its relations that are proved.

    Where no part names a proof, checks show the equation.
    """
    if claim.kind not in _EQUAL:
        return []
    proved = [part for part in claim.parts if "proof" in part.evidence] or claim.parts
    said = [claim.relations[name] for part in proved for name in part.says if name in claim.relations]
    if any("=" in relation.operators for relation in said):
        return []
    return [f"its kind is {claim.kind!r}, but no relation of its parts is an equation: name another kind"]
