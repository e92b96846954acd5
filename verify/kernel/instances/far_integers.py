"""Integers and numbers, however large, at which what is said of all of them fails by values of an instance.

A hypothesis such as 1 <= (k - 301)^2 for every k contradicts itself at one place, which no table of first
places has, and 1 <= (b[0] - 57)^2 for every family b at few numbers. Where its two sides differ by a
polynomial it is looked at next to the roots of that and of its derivative; with other functions next to the
roots of factors, of what they are multiplied by and of what they are taken of, and at the first integers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
from flint import fmpq

from verify.kernel.inequalities.definedness import of_form
from verify.kernel.instances.values import Instance, UndefinedError, sign, value
from verify.kernel.node import RELATIONS, ZERO, KernelError, Node, minus, name, num, substitute
from verify.kernel.normal.forms import Form, added, constant, form_of, multiplied
from verify.kernel.normal.polynomials import Atom, Monomial, Ring
from verify.kernel.text import text

_STARTS = (0, 1, 7, 1000)
"""Distances from the first places, from where each index is moved in turn."""
_ROUNDS = 6
"""Rounds of such moves."""
_DEGREE = 24
"""Largest degree of which roots are looked for."""
_POWERED = 1000
"""Largest integer that is put for an index with powers of it as exponents."""
_SCANNED = 256
"""First integers of a range that are tried where a function of them is compared."""


_COMMON = "k~"
"""The index of what two formulas say together."""

_Span = tuple[str, Node | None, Node | None]
"""A name with the first and the last integer of its range; one without a first stands for every number."""


@dataclass(frozen=True)
class _Said:
    """A comparison of 0 with a form, for every integer of some ranges, and every number for other names.

    Args:
        op: The comparison.
        slack: The form.
        spans: Names with their ranges, outermost first.
    """

    op: str
    slack: Node
    spans: tuple[_Span, ...]

    def has(self, places: Mapping[str, fmpq]) -> bool:
        """Return whether a place is one."""
        at = Instance(dict(places))
        try:
            return all(
                low is None
                or (value(low, at) <= places[index] and (high is None or places[index] <= value(high, at)))
                for index, low, high in self.spans
            )
        except (UndefinedError, TypeError):
            return False

    def fails(self, places: Mapping[str, fmpq]) -> bool:
        """Return whether it fails at a place."""
        try:
            found = sign(value(self.slack, Instance(dict(places))))
        except UndefinedError:
            return False
        allowed = {"le": (0, 1), "lt": (1,), "eq": (0,), "ne": (-1, 1)}[self.op]
        return found is not None and found not in allowed

    def height(self, places: Mapping[str, fmpq]) -> float:
        """Return the form at a place."""
        try:
            found = value(self.slack, Instance(dict(places)))
            return float(Fraction(int(found.p), int(found.q)) if isinstance(found, fmpq) else found.mid())
        except (UndefinedError, OverflowError):
            return math.inf


def fails_far_out(formula: Node, at: Instance) -> str:
    """Return where a formula for every integer of a range without an end, or for every family, fails.

    '' where no such place was found.
    """
    said = _said(formula, at)
    if said is None:
        return ""
    for distance in _STARTS:
        places = _first(said, distance)
        for _ in range(_ROUNDS if places else 0):
            before = dict(places)
            for index, low, _ in said.spans:
                moved = [{**places, index: k} for k in _turns(said, places, index, whole=low is not None)]
                tried = [item for item in moved if said.has(item)]
                wrong = next((item for item in tried if said.fails(item)), None)
                if wrong is not None:
                    return ", ".join(f"{key.partition('~')[0]} = {place}" for key, place in wrong.items())
                places = min([places, *tried], key=said.height)
            if places == before:
                break
    return ""


def squeezed(formulas: Iterable[Node]) -> Iterator[Node]:
    """Yield what bounds of one entry from both sides say of each other, for every integer of a range.

    As k <= c for every k, where k <= a[k] and a[k] <= c.
    """
    bounds = [item for formula in formulas for item in _bounds(formula)]
    for (strict, low, one), (also, first, two) in itertools.combinations(bounds, 2):
        for a in set(one.atoms) & set(two.atoms):
            up, down = _multiple(one, a), _multiple(two, a)
            if a.key[0] == "entry" and up * down < 0:
                slack = added(multiplied(constant(abs(down)), one), multiplied(constant(abs(up)), two))
                said = Node("lt" if strict or also else "le", ZERO, slack.node)
                yield Node("every", _COMMON, Node("fn", "max", low, first), None, said)


def _bounds(formula: Node) -> Iterator[tuple[bool, Node, Form]]:
    """Yield slacks of a comparison for every integer from a first one on, with that and whether strict."""
    if formula.op != "every" or formula.args[2] is not None or of_form(formula):
        return
    index, low, _, body = formula.args
    if body.op not in ("le", "lt", "eq"):
        return
    left, right = (substitute(side, {index: name(_COMMON)}) for side in body.args)
    for slack in (minus(right, left), minus(left, right))[: 1 + (body.op == "eq")]:
        form = form_of(slack)
        if form.is_polynomial:
            yield body.op == "lt", low, form


def _multiple(form: Form, a: Atom) -> Fraction:
    """Return by which number an atom is multiplied in a form that is affine in it, 0 for any other form."""
    found = [(monomial, c) for monomial, c in form.num if any(b is a for b, _ in monomial)]
    return found[0][1] if [monomial for monomial, _ in found] == [((a, 1),)] else Fraction(0)


def _said(formula: Node, at: Instance) -> _Said | None:
    """Return what a formula says of names that it binds, with values of an instance for others, or None."""
    spans: list[_Span] = []
    families: set[str] = set()
    while formula.op in ("every", "family"):
        if formula.op == "every":
            index, low, high, formula = formula.args
            spans.append((f"{index}~{len(spans)}", low, high))
            formula = substitute(formula, {index: name(spans[-1][0])})
        else:
            families.add(formula.args[0])
            formula = formula.args[1]
    endless = families or any(high is None for *_, high in spans)
    if formula.op not in RELATIONS or not endless or of_form(formula):
        return None
    values = {
        key: num(Fraction(int(item.p), int(item.q)))
        for key, item in at.names.items()
        if isinstance(item, fmpq)
    }
    ends: list[_Span] = [
        (index, low and substitute(low, values), high and substitute(high, values))
        for index, low, high in spans
    ]
    try:
        slack = form_of(substitute(minus(formula.args[1], formula.args[0]), values)).node
    except KernelError:
        return None
    numbers = {item: f"{text(item)}~" for item in _entries(slack) if item.args[0] in families}
    slack = _with_names(slack, numbers)
    ends += [(key, None, None) for key in numbers.values()]
    own = {("name", index) for index, *_ in ends}
    if _adds(slack):  # a sum up to the index takes long to evaluate far out
        return None
    if any(not item.free <= own for item in (slack, *(end for span in ends for end in span[1:] if end))):
        return None
    return _Said(formula.op, slack, tuple(ends))


def _adds(node: Node) -> bool:
    return node.op in ("sum", "mean") or any(_adds(item) for item in node.args if isinstance(item, Node))


def _entries(node: Node) -> list[Node]:
    """Return the entries at places that are numbers."""
    if node.op == "entry" and all(item.op == "num" for item in node.args[1:]):
        return [node]
    found = [item for part in node.args if isinstance(part, Node) for item in _entries(part)]
    return list(dict.fromkeys(found))


def _with_names(node: Node, names: Mapping[Node, str]) -> Node:
    """Return a term with names for entries."""
    if node in names:
        return name(names[node])
    return Node(
        node.op, *(_with_names(item, names) if isinstance(item, Node) else item for item in node.args)
    )


def _first(said: _Said, distance: int) -> dict[str, fmpq]:
    """Return the first places of all ranges, or those at a distance; nothing where there are none."""
    places: dict[str, fmpq] = {}
    for index, low, high in said.spans:
        at = Instance(dict(places))
        try:
            first = fmpq(0) if low is None else value(low, at)
            last = None if high is None else value(high, at)
        except UndefinedError:
            return {}
        if not isinstance(first, fmpq) or first.q != 1 or (last is not None and last < first):
            return {}
        places[index] = first + (distance if high is None else 0)
    return places


def _turns(said: _Said, places: Mapping[str, fmpq], index: str, *, whole: bool) -> Sequence[fmpq]:
    """Return numbers next to which a form may turn or change its sign, with the others at their places."""
    others = {key: num(Fraction(int(k.p), int(k.q))) for key, k in places.items() if key != index}
    try:
        form = form_of(substitute(said.slack, others))
    except KernelError:
        return ()
    roots = set(_roots_within(form, index))
    found = {fmpq(math.floor(root) + shift) for root in roots for shift in (-1, 0, 1, 2)}
    if not whole:
        near = (root.limit_denominator(_SCANNED) for root in roots)
        return sorted({*found, *(fmpq(root.numerator, root.denominator) for root in near)})
    if any(("name", index) in a.free and a.key[0] != "name" for a in form.atoms):
        found |= {places[index] + k for k in range(_SCANNED)}
    powers = any(("name", index) in item.free for item in _exponents(form.node))
    return sorted(item for item in found if not powers or abs(item) <= _POWERED)


def _exponents(node: Node) -> Iterator[Node]:
    if node.op == "pow":
        yield node.args[1]
    for item in node.args:
        if isinstance(item, Node):
            yield from _exponents(item)


def _roots_within(form: Form, index: str) -> Iterator[Fraction]:
    """Yield roots of a form in a name, of its derivative, and of what functions are multiplied by or of."""
    for part in (form.num, form.den):
        for item in _factors(part):
            yield from _roots(item, index)
    for a in form.atoms:
        if ("name", index) in a.free and a.key[0] != "name":
            for inner in _inside(a):
                yield from _roots_within(inner, index)


def _factors(terms: Sequence[tuple[Monomial, Fraction]]) -> Iterator[dict[Monomial, Fraction]]:
    """Yield a polynomial, its factors, and what each product of functions in it is multiplied by."""
    ring = Ring(a for monomial, _ in terms for a, _ in monomial)
    yield dict(terms)
    for factor, _ in ring.polynomial(terms).factor()[1]:
        yield ring.terms(factor)
    groups: dict[Monomial, dict[Monomial, Fraction]] = {}
    for monomial, c in terms:
        names = tuple(item for item in monomial if item[0].key[0] == "name")
        groups.setdefault(tuple(item for item in monomial if item not in names), {})[names] = c
    yield from groups.values()


def _inside(a: Atom) -> list[Form]:
    """Return the forms that a function is taken of, and their differences."""
    if a.key[0] == "fn":
        forms = list(a.key[2])
        return [*forms, *(added(f, multiplied(constant(-1), forms[0])) for f in forms[1:])]
    return [item for item in a.key[1:] if isinstance(item, Form)]


def _roots(terms: Mapping[Monomial, Fraction], index: str) -> Iterator[Fraction]:
    """Yield the real parts of roots of a polynomial in one name alone, and of its derivative."""
    if {a.key for monomial in terms for a, _ in monomial} != {("name", index)}:
        return
    degrees = {monomial[0][1] if monomial else 0: c for monomial, c in terms.items()}
    if max(degrees) > _DEGREE:
        return
    scale = math.lcm(*(c.denominator for c in degrees.values()))
    polynomial = flint.fmpz_poly([int(degrees.get(e, 0) * scale) for e in range(max(degrees) + 1)])
    for item in (polynomial, polynomial.derivative()):
        roots: Any = item.complex_roots() if item.degree() > 0 else ()  # the stubs say one root, not a list
        for root, _ in roots:
            middle = flint.acb(root).real.mid().fmpq()
            yield Fraction(int(middle.p), int(middle.q))
