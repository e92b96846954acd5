"""Normal form of sums: constants pulled out, nested sums flattened, indices named canonically.

A sum atom is a connected multiple sum of one monomial. Orders of summation are exchanged for constant
bounds only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from verify.kernel.node import ONE, ZERO, KernelError, Node, add, fresh, minus, mul, name, num, substitute
from verify.kernel.normal.forms import (
    Form,
    added,
    constant,
    divided,
    form_of,
    multiplied,
    of_atom,
    polynomial_node,
    register,
)
from verify.kernel.normal.polynomials import Atom, Monomial, Ring, atom, times

_LARGEST = 64
"""Terms of a sum with numerical bounds that are written out."""

_PERMUTED = 5
"""Indices of a multiple sum whose orders are all tried."""

Binder = tuple[str, Node]
"""An index that runs from 0 to a last value."""


def _form_of_sum(node: Node) -> Form:
    index, low, high, body = node.args
    last = minus(high, low)  # free names of both bounds
    terms = written_out(node)
    if terms is not None:
        return form_of(add(ZERO, *terms))
    if ("name", index) in last.free or index.startswith("#"):
        # A new name, so that bounds and body cannot be mistaken for each other.
        new = fresh("i", {key for _, key in low.free | high.free | body.free})
        index, body = new, substitute(body, {index: name(new)})
    if low != ZERO:
        body = substitute(body, {index: add(name(index), low)})
    return _total(index, form_of(last).node, form_of(body))


def written_out(node: Node) -> list[Node] | None:
    """Return the terms of a sum of which the form is their sum, None where it is another one."""
    index, low, high, body = node.args
    count = form_of(add(minus(high, low), ONE)).number
    if count is None or count > _LARGEST or count.denominator != 1:
        return None
    if count < 0:
        raise KernelError(f"{node!r} has a negative number of terms")
    return [substitute(body, {index: form_of(add(low, num(k))).node}) for k in range(int(count))]


def pulled_out(index: str, body: Node) -> list[Node]:
    """Return what the form of a sum has outside of the sum and needs there, where an empty sum would hide
    that it fails: divisors that are not 0, powers that are defined.

    Roots with the index count, too: of two that are one on a diagonal the divisor comes out.
    """
    form = form_of(body)
    divisor = _split_denominator(form, index)[0]
    found = [] if divisor.number is not None else [_not_zero(divisor)]
    return [*found, *(item for item in _inside(form.atoms) if ("name", index) not in item.free)]


def _not_zero(form: Form) -> Node:
    return Node("ne", form.node, ZERO)


def _inside(atoms: Iterable[Atom]) -> Iterator[Node]:
    """Yield what atoms need that may become divisors: a root by its square, a power by its exponent."""
    for a in atoms:
        if a.key[0] in ("root", "power"):
            base = a.key[1]
            if not base.is_polynomial:
                yield _not_zero(Form(dict(base.den), {(): Fraction(1)}))
            if a.key[0] == "power":
                yield Node("power", base.node, a.key[2].node)
            yield from _inside(base.atoms)


def _total(index: str, last: Node, body: Form) -> Form:
    """Return the sum of a form over an index from 0 to `last`."""
    outer, inner = _split_denominator(body, index)
    found = []
    for monomial, coefficient in body.num:
        free = tuple((a, e) for a, e in monomial if not _has(a, index))
        bound = times(tuple((a, e) for a, e in monomial if _has(a, index)), inner)
        factor = Form({free: coefficient}, {(): Fraction(1)})
        found.append(multiplied(factor, _monomial_total(index, last, bound)))
    return divided(added(constant(0), *found), outer)


def _has(a: Atom, index: str) -> bool:
    return ("name", index) in a.free


def _split_denominator(body: Form, index: str) -> tuple[Form, Monomial]:
    """Return the part of the denominator without the index, and the rest as a monomial of inverses."""
    if body.is_polynomial:
        return constant(1), ()
    ring = Ring(body.atoms)
    content, factors = ring.polynomial(body.den).factor()
    outer = constant(Fraction(int(content.p), int(content.q)))
    inner: Monomial = ()
    for factor, multiplicity in factors:
        terms = ring.terms(factor)
        form = Form(terms, {(): Fraction(1)})
        if not any(_has(a, index) for a in form.atoms):
            for _ in range(multiplicity):
                outer = multiplied(outer, form)
        elif len(terms) == 1:
            ((monomial, coefficient),) = terms.items()
            outer = multiplied(outer, constant(coefficient**multiplicity))
            inner = times(inner, tuple((a, -e * multiplicity) for a, e in monomial))
        else:
            scale = _content(form)
            primitive = divided(form, constant(scale))
            outer = multiplied(outer, constant(scale**multiplicity))
            inverse = atom(("inverse", primitive), Node("pow", polynomial_node(primitive.num), num(-1)))
            inner = times(inner, ((inverse, multiplicity),))
    return outer, inner


def _content(form: Form) -> Fraction:
    """Return the factor that makes a polynomial primitive, whatever the order of its atoms."""
    coefficients = [c for _, c in form.num]
    top, bottom = (
        math.gcd(*(c.numerator for c in coefficients)),
        math.lcm(*(c.denominator for c in coefficients)),
    )
    total = sum(coefficients) or coefficients[0]
    return Fraction(top, bottom) * (1 if total > 0 else -1)


def _monomial_total(index: str, last: Node, bound: Monomial) -> Form:
    if not bound:
        return form_of(add(last, ONE))
    binders, sign, factors = _opened([(index, last)], bound)
    eliminated = _without_delta(binders, factors)
    total = _canonical(binders, factors) if eliminated is None else form_of(eliminated)
    return multiplied(constant(sign), total)


def _opened(binders: list[Binder], bound: Monomial) -> tuple[list[Binder], int, list[tuple[Atom, int]]]:
    """Open the sums among the factors whose bounds are constant, each copy with indices of its own."""
    sign, factors = 1, list[tuple[Atom, int]]()
    pending = list(bound)
    # No new name may be one that stands free anywhere in the sum: it would be bound there.
    taken = {key for a, _ in bound for _, key in a.free} | {
        key for _, last in binders for _, key in last.free
    }
    while pending:
        a, e = pending.pop()
        indices = {("name", i) for i, _ in binders}
        if a.key[0] == "sum" and e > 0 and not any(last.free & indices for _, last in a.key[1]):
            for _ in range(e):
                inner, turned, monomial = renamed(a, taken | {i for i, _ in binders})
                binders, sign = [*binders, *inner], sign * turned
                pending.extend(monomial)
        else:
            factors.append((a, e))
    return binders, sign, factors


def renamed(a: Atom, avoid: set[str]) -> tuple[list[Binder], int, Monomial]:
    """Return the binders of a sum atom with names that are not taken, the sign of its terms, and factors."""
    _, binders, factors = a.key
    taken = (
        avoid
        | {key for b, _ in factors for _, key in b.free}
        | {key for _, last in binders for _, key in last.free}
    )
    names: dict[str, Node] = {}
    for index, _ in binders:
        new = fresh("i", taken)
        taken.add(new)
        names[index] = name(new)
    return (
        [(names[index].args[0], last) for index, last in binders],
        *_substituted(factors, names),
    )


def _substituted(factors: Monomial, names: dict[str, Node]) -> tuple[int, Monomial]:
    """Rename indices inside the factors of a monomial; return the sign that it gets, and its factors."""
    sign, found = 1, list[Monomial]()
    for a, e in factors:
        turned, new = _atom_like(a, substitute(a.node, names))
        sign *= turned ** abs(e)
        found.append(((new, e),))
    return sign, times(*found)


def _atom_like(a: Atom, node: Node) -> tuple[int, Atom]:
    """Return a term that differs from an atom by names only as a sign and an atom.

    Where two terms of a divisor inside of it change places by their new names, the form takes a minus out.
    """
    if a.key[0] == "inverse":
        base = form_of(node.args[0])
        return 1, atom(("inverse", base), Node("pow", base.node, num(-1)))
    form = form_of(node)
    for new, sign in itertools.product(form.atoms, (1, -1)):
        if form == multiplied(constant(sign), of_atom(new)):
            return sign, new
    raise KernelError(f"{node!r} is no atom after renaming")


def _without_delta(binders: list[Binder], factors: list[tuple[Atom, int]]) -> Node | None:
    """Return the sum without a delta between two indices of one range, None where there is none."""
    ranges = dict(binders)
    for a, _ in factors:
        if a.key[0] == "fn" and a.key[1] == "delta":
            first, second = (_index_name(form) for form in a.key[2])
            if first in ranges and second in ranges and ranges[first] == ranges[second]:
                rest = [item for item in factors if item[0] is not a]
                body = mul(ONE, *(Node("pow", b.node, num(e)) for b, e in rest))
                joined = substitute(body, {second: name(first)})
                if _needed_without(joined, first) <= _needed_without(body, first, second):
                    return _nested([(i, last) for i, last in binders if i != second], joined)
    return None


def _needed_without(body: Node, *indices: str) -> set[Node]:
    """Return what divisors and powers need in which none of the indices stands.

    A divisor such as a[i] - a[j] + n is n where both indices are one: an empty sum would hide that it is 0.
    """
    form = form_of(body)
    ring = Ring(form.atoms)
    factors = [Form(ring.terms(item), {(): Fraction(1)}) for item, _ in ring.polynomial(form.den).factor()[1]]
    needed = [*(_not_zero(divided(item, constant(_content(item)))) for item in factors), *_inside(form.atoms)]
    return {item for item in needed if not any(("name", index) in item.free for index in indices)}


def _index_name(form: Form) -> str:
    if form.is_polynomial and len(form.num) == 1:
        monomial, coefficient = form.num[0]
        if (
            coefficient == 1
            and len(monomial) == 1
            and monomial[0][1] == 1
            and monomial[0][0].key[0] == "name"
        ):
            return str(monomial[0][0].key[1])
    return ""


def _nested(binders: list[Binder], body: Node) -> Node:
    for index, last in reversed(binders):
        body = Node("sum", index, ZERO, last, body)
    return body


def _canonical(binders: list[Binder], factors: list[tuple[Atom, int]]) -> Form:
    """Return a multiple sum, an atom or its opposite; of all orders of its indices the smallest text."""
    depth = 1 + max((_depth(a) for a, _ in factors), default=0)
    orders = itertools.permutations(binders) if len(binders) <= _PERMUTED else iter([tuple(binders)])
    best: tuple[str, tuple[Binder, ...], int, Monomial] | None = None
    for order in orders:
        names = {index: name(f"#{depth}.{k}") for k, (index, _) in enumerate(order)}
        sign, monomial = _substituted(tuple(factors), names)
        spans = tuple((names[index].args[0], last) for index, last in order)
        written = f"{[repr(last) for _, last in spans]}{monomial!r}"
        if best is None or written < best[0]:
            best = (written, spans, sign, monomial)
    if best is None:
        raise KernelError("a sum without index")
    _, spans, sign, monomial = best
    body = mul(ONE, *(a.node if e == 1 else Node("pow", a.node, num(e)) for a, e in monomial))
    total = of_atom(atom(("sum", spans, monomial), _nested(list(spans), body)))
    return multiplied(constant(sign), total)


def _depth(a: Atom) -> int:
    """Return the depth of canonical names in an atom."""
    return max((int(part) for part in _hashes(a.node)), default=0)


def _hashes(node: Node) -> set[str]:
    found: set[str] = set()
    for item in node.args:
        if isinstance(item, Node):
            found |= _hashes(item)
        elif isinstance(item, str) and item.startswith("#"):
            found.add(item[1:].split(".")[0])
    return found


register("sum", _form_of_sum)
