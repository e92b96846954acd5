"""Value slots: `{value:NAME}` is the exact value, `{value:NAME,4}` the value rounded to 4 decimals."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any

from theory.latex.tokens import Fragment, fragments

if TYPE_CHECKING:
    from theory.claim import Claim

SLOT = re.compile(r"\{value:([^{},]+)(?:,(\d+))?\}")


def slot_value(claim: Claim, text: str) -> tuple[Any, int | None]:
    """Return the exact value of a slot and the decimals to which text prints it.

    Raises:
        ValueError: The slot is not well formed, or the claim has no such value.
    """
    import sympy

    match = SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no slot: write {{value:NAME}} or {{value:NAME,DECIMALS}}")
    name, _, place = match.group(1).strip().partition("[")
    if name not in claim.values:
        raise ValueError(
            f"{text}: the claim has no value {name!r}; values: {', '.join(claim.values) or 'none'}"
        )
    value = claim.values[name]
    formula = claim.formulas.get(name)
    if getattr(formula, "is_number", False) and formula != value:
        raise ValueError(f"{text}: the value {value} is not the formula {name!r}, {formula}")
    if place:
        value = value[int(place.rstrip("]"))]
    value = sympy.sympify(value)
    if not value.is_number or value.has(sympy.Float):
        raise ValueError(
            f"{text}: {value} is no exact number; give an integer, a Rational or an exact expression"
        )
    decimals = int(match.group(2)) if match.group(2) else None
    if value != 0 and decimals is not None and not Decimal(printed(value, decimals, in_math=False)):
        size = sympy.N(value, 3)
        raise ValueError(f"{text}: {size} is printed as zero; give more decimals or another unit")
    return value, decimals


def printed(value: Any, decimals: int | None, in_math: bool) -> str:
    """Return a value as text prints it."""
    import sympy

    if decimals is not None:
        exact = Decimal(str(sympy.N(value, 40 + decimals)))
        return str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN))
    if value.is_Rational and (value.q == 1 or not in_math):
        return str(value)
    text = sympy.latex(value)
    return text if in_math else f"${text}$"


def filled(claim: Claim, text: str) -> str:
    """Return a text with its slots filled; one that `check` refuses stays as it is written."""
    inside = [(piece.start, piece.end) for piece in fragments(text)]

    def fill(match: re.Match[str]) -> str:
        try:
            value, decimals = slot_value(claim, match.group())
        except (ValueError, LookupError, TypeError):
            return match.group()
        return printed(value, decimals, any(start <= match.start() < end for start, end in inside))

    return SLOT.sub(fill, text)


def outside(text: str, pieces: list[Fragment]) -> list[tuple[int, str]]:
    """Return what of a text is no mathematics, with places."""
    found = []
    last = 0
    for piece in pieces:
        found.append((last, text[last : piece.start]))
        last = piece.end
    found.append((last, text[last:]))
    return found
