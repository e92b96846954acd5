r"""What the domain of a variable says as it is written: `\mathbb R_{>0}`, `(0,1]^d`, `\{1,\dots,d\}`.

One grammar for all who read domains: one set of numbers with an optional sign, one interval, or one list.
A domain of another form, such as a union, is for readers only: it says nothing of the numbers here.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.claim import Variable

_SPACE = re.compile(r"\\[,;!]|\s+(?![A-Za-z])|(?<![A-Za-z])\s+")
_BOUND = r"(>|<|\\geq?|\\leq?)(?![A-Za-z]) ?((?:[^{}]|\{[^{}]*\})+)"
_SET = re.compile(r"\\mathbb(?: ([NZQR])|\{([NZQR])\})(?:_\{?([0+])\}?|_\{" + _BOUND + r"\})?")
_EXPONENT = re.compile(r"(?!.*(?:/|\.|frac))[^-+0].*")
"""Numbers of entries; of other exponents, as of -1, a domain has powers of its numbers."""
_LAST = re.compile(r"[^-]+(?:-\d+)?")
"""Last members of a row that grows from its first one: `d`, `d-1`, but not `-d`."""
_WHOLE = re.compile(r"-?\d+(?:\.\d+|/0*[1-9]\d*)?")
_QUOTIENT = re.compile(r"(-?)\\[dt]?frac(?:\{(\d+)\}|(\d))(?:\{(0*[1-9]\d*)\}|([1-9]))")
_DOTS = (r"\dots", r"\ldots")


@dataclass(frozen=True)
class End:
    """An end of a domain as it is written, and whether it is left out; `number` is None of other ends."""

    text: str
    left_out: bool = False

    @property
    def number(self) -> Fraction | None:
        """The number that the end is, None where it has names."""
        return number_in(self.text)


@dataclass(frozen=True)
class Declared:
    """What a domain says of its numbers: the ends, and whether all are integers.

    An end is None where there is none; `members` are those of a list that are not all numbers.
    """

    low: End | None = None
    high: End | None = None
    members: tuple[str, ...] = ()
    integer: bool = False

    def says(self, operator: str, number: Fraction, *, above: bool) -> bool:
        """Return whether it says that a value is above, or below, a number, by `<` or `<=`."""
        end = self.low if above else self.high
        if end is None or end.number is None:
            return False
        further = end.number > number if above else end.number < number
        return further or (end.number == number and (operator == "<=" or end.left_out))


def declared_of(variable: Variable) -> Declared:
    """Return what the domain of a variable says; entries are what only an array has."""
    if not variable.shape and base_and_exponent(variable.domain)[1]:
        return Declared()
    return declared(variable.domain)


def declared(domain: str) -> Declared:
    """Return what a domain says; natural numbers begin with 1."""
    base, exponent = base_and_exponent(_SPACE.sub("", domain))
    if exponent and not _EXPONENT.fullmatch(exponent):
        return Declared()
    if found := _SET.fullmatch(base):
        one, other, sign, operator, end = found.groups()
        return _of_set(one or other, sign or "", operator or "", end or "")
    if base.startswith(r"\{") and base.endswith(r"\}"):
        return _of_list(_split(base[2:-2]))
    if base[:1] in ("[", "(") and base[-1:] in ("]", ")"):
        return _of_interval(base[0] == "(", _split(base[1:-1]), base[-1] == ")")
    return Declared()


def _of_set(letter: str, sign: str, operator: str, end: str) -> Declared:
    if sign == "0" and letter != "N":
        return Declared()
    integer = letter in "NZ"
    first = End("1") if letter == "N" else None
    if sign:
        return Declared(End("0") if sign == "0" else first or End("0"), integer=integer)
    if operator.startswith(("<", r"\le")):
        return Declared(first, End(end, operator == "<"), integer=integer)
    return Declared(End(end, operator == ">") if operator else first, integer=integer)


def _of_interval(low_out: bool, ends: list[str], high_out: bool) -> Declared:
    if len(ends) != 2:
        return Declared()
    low = None if ends[0] == r"-\infty" else End(ends[0], low_out)
    high = None if ends[1] in (r"\infty", r"+\infty") else End(ends[1], high_out)
    if low and high and low.number is not None and high.number is not None and low.number > high.number:
        return Declared()
    return Declared(low, high)


def _of_list(items: list[str]) -> Declared:
    dots = [place for place, item in enumerate(items) if item in _DOTS]
    first = items[: dots[0]] if dots else items
    numbers = [found for item in first if (found := number_in(item)) is not None]
    whole = all(item.denominator == 1 for item in numbers)
    if not first or len(numbers) < len(first):
        return Declared() if dots or not all(items) else Declared(members=tuple(items))
    if not dots:
        return Declared(End(str(min(numbers))), End(str(max(numbers))), integer=whole)
    last = items[dots[0] + 1 :]
    grows = all(one < other for one, other in itertools.pairwise(numbers))
    if not grows or len(last) > 1 or not all(map(_LAST.fullmatch, last)):
        return Declared()
    end = End(last[0]) if last else None
    if end and end.number is not None:
        if end.number < numbers[-1]:
            return Declared()
        whole &= end.number.denominator == 1
    return Declared(End(first[0]), end, integer=whole)


def _split(text: str) -> list[str]:
    """Return what commas part outside of brackets; nothing where brackets close that were not opened."""
    depth, found = 0, [""]
    for sign in text:
        depth += (sign in "([{") - (sign in "}])")
        if depth < 0:
            return []
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return found


def number_in(text: str) -> Fraction | None:
    """Return the number that a text is, such as `-2`, `1/3`, `0.5` or a fraction; None of another text."""
    if _WHOLE.fullmatch(text):
        return Fraction(text)
    found = _QUOTIENT.fullmatch(text)
    if not found:
        return None
    return Fraction(int(found[2] or found[3]), int(found[4] or found[5])) * (-1 if found[1] else 1)


def base_and_exponent(domain: str) -> tuple[str, str]:
    """Return the set of the entries of a domain and its exponent: of `[0,1]^{n}` `[0,1]` and `n`."""
    depth = 0
    for place, sign in enumerate(domain):
        depth += (sign in "{[(") - (sign in "}])")
        if sign == "^" and depth == 0:
            rest = domain[place + 1 :].lstrip()
            end = _group(rest) if rest[:1] == "{" else len(re.match(r"\\[a-zA-Z]+|.|", rest)[0])  # type: ignore[index]
            return domain[:place] + rest[end:], rest[:end].removeprefix("{").removesuffix("}")
    return domain, ""


def _group(text: str) -> int:
    """Return the place after the group that a text begins with."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return place + 1
    return len(text)
