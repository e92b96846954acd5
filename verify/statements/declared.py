r"""What the domain of a variable says of it as it is written: `\mathbb R_{>0}`, `(0,1]`, `\mathbb N`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_SIGN = re.compile(r"_\{?(>|\\geq?)\s*(-?\d+)\}?")
_INTERVAL = re.compile(r"([\[(])(.+),(.+?)([\])])(?:\^.*)?\Z")
_FRACTION = re.compile(r"(-?)\\[dt]?frac\{?(\d)\}?\{?(\d)\}?\Z|(-?\d+)(?:/(\d+))?\Z")
_INTEGERS = re.compile(r"\\mathbb\{?[NZ]\}?|\\dots|\\\{-?\d+(,-?\d+)*\\\}")


@dataclass(frozen=True)
class Declared:
    """Ends of a domain, each with whether it is left out; None where there is none.

    An end that is no number, as in `[L,nL]`, counts as any: the domain says it in words of its own.
    """

    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    any_low: bool = False
    any_high: bool = False
    integer: bool = False

    def says(self, operator: str, number: Fraction, *, above: bool) -> bool:
        """Return whether it says that a value is above, or below, a number, by `<` or `<=`."""
        end, unknown = (self.low, self.any_low) if above else (self.high, self.any_high)
        if end is None:
            return unknown
        further = end[0] > number if above else end[0] < number
        return further or (end[0] == number and (operator == "<=" or end[1]))


def declared(domain: str) -> Declared:
    """Return what a domain says; natural numbers begin with 1."""
    text = re.sub(r"\s|\\[,;!]", "", domain)
    integer = bool(_INTEGERS.search(text))
    sign = _SIGN.search(text)
    if sign:
        return Declared((Fraction(sign[2]), sign[1] == ">"), integer=integer)
    interval = _INTERVAL.match(text)
    if interval:
        low, high = _number(interval[2]), _number(interval[3])
        return Declared(
            None if low is None else (low, interval[1] == "("),
            None if high is None else (high, interval[4] == ")"),
            low is None and "infty" not in interval[2],
            high is None and "infty" not in interval[3],
            integer,
        )
    if text.startswith(r"\{"):
        ends = text[2:].split(r"\}")[0].split(",")
        first, last = _number(ends[0]), _number(ends[-1])
        return Declared(
            None if first is None else (first, False),
            None if last is None else (last, False),
            first is None,
            last is None,
            integer,
        )
    if r"\mathbbN" in text.replace("{", "").replace("}", ""):
        return Declared((Fraction(1), False), integer=True)
    return Declared(integer=integer)


def _number(text: str) -> Fraction | None:
    found = _FRACTION.match(text)
    if not found:
        return None
    if found[2]:
        return Fraction(int(found[2]), int(found[3])) * (-1 if found[1] else 1)
    return Fraction(int(found[4]), int(found[5] or 1))
