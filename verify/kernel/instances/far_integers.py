"""Integers, however large, at which what is said of all integers fails by the values of an instance.

A hypothesis such as 1 <= (k - 301)^2 for every k contradicts itself at one place, which no table of first
places has. Where its two sides differ by a polynomial it is looked at next to the roots of that and of its
derivative; with other functions next to the roots of factors, and of what the functions are taken of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
from flint import fmpq

from verify.kernel.inequalities.definedness import of_form
from verify.kernel.instances.values import Instance, UndefinedError, sign, value
from verify.kernel.node import RELATIONS, KernelError, Node, minus, name, num, substitute
from verify.kernel.normal.forms import Form, added, constant, form_of, multiplied
from verify.kernel.normal.polynomials import Atom, Ring

_STARTS = (0, 1, 7)
"""Distances from the first places, from where each index is moved in turn."""
_ROUNDS = 6
"""Rounds of such moves."""
_DEGREE = 24
"""Largest degree of which roots are looked for."""
_POWERED = 1000
"""Largest integer that is put for an index with powers of it as exponents."""


@dataclass(frozen=True)
class _Said:
    """A comparison of 0 with a form, for every integer of some ranges.

    Args:
        op: The comparison.
        slack: The form.
        spans: Indices with their ranges, outermost first.
    """

    op: str
    slack: Node
    spans: tuple[tuple[str, Node, Node | None], ...]

    def fails(self, places: Mapping[str, int]) -> bool:
        """Return whether it fails at a place that is one."""
        at = Instance({key: fmpq(place) for key, place in places.items()})
        try:
            for index, low, high in self.spans:
                inside = value(low, at) <= places[index]
                if not inside or (high is not None and places[index] > value(high, at)):
                    return False
            found = sign(value(self.slack, at))
        except (UndefinedError, TypeError):
            return False
        allowed = {"le": (0, 1), "lt": (1,), "eq": (0,), "ne": (-1, 1)}[self.op]
        return found is not None and found not in allowed


def fails_far_out(formula: Node, at: Instance) -> str:
    """Return where a formula for every integer of a range without an end fails, '' where none was found."""
    said = _said(formula, at)
    if said is None:
        return ""
    for distance in _STARTS:
        places = _first(said, distance)
        for _ in range(_ROUNDS if places else 0):
            before = dict(places)
            for index, *_ in said.spans:
                tried = [{**places, index: place} for place in _turns(said, places, index)]
                wrong = next((item for item in tried if said.fails(item)), None)
                if wrong is not None:
                    return ", ".join(f"{key.partition('~')[0]} = {place}" for key, place in wrong.items())
                places = min([places, *tried], key=lambda item: _height(said.slack, item))
            if places == before:
                break
    return ""


def _said(formula: Node, at: Instance) -> _Said | None:
    """Return what a formula says of indices alone, with values of an instance for other names, or None."""
    spans: list[tuple[str, Node, Node | None]] = []
    while formula.op in ("every", "family"):
        if formula.op == "every":
            index, low, high, formula = formula.args
            spans.append((f"{index}~{len(spans)}", low, high))
            formula = substitute(formula, {index: name(spans[-1][0])})
        else:
            formula = formula.args[1]
    if formula.op not in RELATIONS or all(high is not None for *_, high in spans) or of_form(formula):
        return None
    values = {
        key: num(Fraction(int(item.p), int(item.q)))
        for key, item in at.names.items()
        if isinstance(item, fmpq)
    }
    ends = [(i, substitute(a, values), b and substitute(b, values)) for i, a, b in spans]
    try:
        slack = form_of(substitute(minus(formula.args[1], formula.args[0]), values)).node
    except KernelError:
        return None
    own = {("name", index) for index, *_ in spans}
    if any(not item.free <= own for item in (slack, *(end for _, *two in ends for end in two if end))):
        return None
    return _Said(formula.op, slack, tuple(ends))


def _first(said: _Said, distance: int) -> dict[str, int]:
    """Return the first places of all ranges, or those at a distance; nothing where there are none."""
    places: dict[str, int] = {}
    for index, low, high in said.spans:
        at = Instance({key: fmpq(place) for key, place in places.items()})
        try:
            first, last = value(low, at), None if high is None else value(high, at)
        except UndefinedError:
            return {}
        if not isinstance(first, fmpq) or first.q != 1 or (last is not None and last < first):
            return {}
        places[index] = int(first) + (distance if high is None else 0)
    return places


def _height(slack: Node, places: Mapping[str, int]) -> float:
    try:
        found = value(slack, Instance({key: fmpq(place) for key, place in places.items()}))
        return float(found) if isinstance(found, fmpq) else float(found.mid())
    except (UndefinedError, OverflowError):
        return math.inf


def _turns(said: _Said, places: Mapping[str, int], index: str) -> Sequence[int]:
    """Return integers next to which a form may turn or change its sign, with the other indices at places."""
    try:
        form = form_of(substitute(said.slack, {key: num(k) for key, k in places.items() if key != index}))
    except KernelError:
        return ()
    found = {place + shift for place in _roots_within(form, index) for shift in (-1, 0, 1, 2)}
    powers = any(("name", index) in item.free for item in _exponents(form.node))
    return sorted(item for item in found if not powers or abs(item) <= _POWERED)


def _exponents(node: Node) -> Iterator[Node]:
    if node.op == "pow":
        yield node.args[1]
    for item in node.args:
        if isinstance(item, Node):
            yield from _exponents(item)


def _roots_within(form: Form, index: str) -> Iterator[int]:
    """Yield what is below roots of a form in an index, of its derivative, and of what functions are of."""
    for part in (form.num, form.den):
        ring = Ring(form.atoms)
        polynomial = ring.polynomial(part)
        for item in (polynomial, *(factor for factor, _ in polynomial.factor()[1])):
            yield from _roots(Form(ring.terms(item), {(): Fraction(1)}), index)
    for a in form.atoms:
        if ("name", index) in a.free and a.key[0] != "name":
            for inner in _inside(a):
                yield from _roots_within(inner, index)


def _inside(a: Atom) -> list[Form]:
    """Return the forms that a function is taken of, and their differences."""
    if a.key[0] == "fn":
        forms = list(a.key[2])
        return [*forms, *(added(f, multiplied(constant(-1), forms[0])) for f in forms[1:])]
    return [item for item in a.key[1:] if isinstance(item, Form)]


def _roots(form: Form, index: str) -> Iterator[int]:
    """Yield integers below roots of a polynomial in the index alone, and of its derivative."""
    if {a.key for a in form.atoms} != {("name", index)}:
        return
    degrees = {monomial[0][1] if monomial else 0: c for monomial, c in form.num}
    if max(degrees) > _DEGREE:
        return
    scale = math.lcm(*(c.denominator for c in degrees.values()))
    polynomial = flint.fmpz_poly([int(degrees.get(e, 0) * scale) for e in range(max(degrees) + 1)])
    for item in (polynomial, polynomial.derivative()):
        for root, _ in item.complex_roots() if item.degree() > 0 else ():
            below = flint.acb(root).real.mid().floor().unique_fmpz()
            if below is not None:
                yield int(below)
