"""Normal form: a term as a quotient of polynomials over interned atoms, in lowest terms.

Two terms with one form are equal wherever both are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from verify.kernel.memory import kept
from verify.kernel.node import ZERO, KernelError, Node, add, mul, num
from verify.kernel.normal.polynomials import Atom, Monomial, Ring, Terms, atom, fraction, ordered


class Form:
    """Numerator and denominator as sorted tuples of (monomial, coefficient)."""

    __slots__ = ("__dict__", "den", "num")

    def __init__(self, numerator: Terms, denominator: Terms) -> None:
        self.num = _sorted(numerator)
        self.den = _sorted(denominator)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """Return what equal forms share."""
        return (self.num, self.den)

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Form):
            return False
        return self is other or (self._hash == other._hash and self.key == other.key)

    @property
    def is_zero(self) -> bool:
        """Return whether the form is 0."""
        return not self.num

    @property
    def number(self) -> Fraction | None:
        """Return the number that the form is, None where it is none."""
        if not self.num:
            return Fraction(0)
        if self.den == _UNIT and len(self.num) == 1 and not self.num[0][0]:
            return self.num[0][1]
        return None

    @property
    def is_polynomial(self) -> bool:
        """Return whether the denominator is 1."""
        return self.den == _UNIT

    def times(self, factor: Fraction) -> Form:
        """Return a polynomial times a number; the order of the monomials stays."""
        if not factor:
            return Form({}, dict(_UNIT))
        if factor == 1:
            return self
        made = Form.__new__(Form)
        scaled = ((m, -c if factor == -1 else c * factor) for m, c in self.num)  # -c is cheaper than c * -1
        made.num, made.den = tuple(scaled), self.den
        return made

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """Return the atoms in it, in order."""
        found = {a for part in (self.num, self.den) for monomial, _ in part for a, _ in monomial}
        return tuple(sorted(found, key=lambda item: item.text))

    @cached_property
    def node(self) -> Node:
        """Return the form as a term."""
        top = polynomial_node(self.num)
        return top if self.is_polynomial else mul(top, Node("pow", polynomial_node(self.den), num(-1)))


_UNIT: tuple[tuple[Monomial, Fraction], ...] = (((), fraction(1, 1)),)


def _sorted(terms: Terms) -> tuple[tuple[Monomial, Fraction], ...]:
    if len(terms) < 2:
        return tuple(terms.items())
    return tuple(sorted(terms.items(), key=lambda item: [(a.text, e) for a, e in item[0]]))


def polynomial_node(terms: Iterable[tuple[Monomial, Fraction]]) -> Node:
    """Return a sum of monomials as a term."""
    parts = [mul(*_factors(monomial, coefficient)) for monomial, coefficient in terms]
    return add(*parts) if parts else ZERO


def _factors(monomial: Monomial, coefficient: Fraction) -> list[Node]:
    factors = [a.node if e == 1 else Node("pow", a.node, num(e)) for a, e in monomial]
    return factors if coefficient == 1 and factors else [num(coefficient), *factors]


def quotient(top: Terms, bottom: Terms) -> Form:
    """Return the reduced form of a quotient of polynomials, roots and absolute values reduced."""
    for _ in range(64):
        ring = Ring(a for part in (top, bottom) for monomial in part for a, _ in monomial)
        form = Form(*ring.lowest_terms(ring.polynomial(top.items()), ring.polynomial(bottom.items())))
        high = next((a for a in form.atoms if _reducible(a, form)), None)
        if high is None:
            return form
        top, bottom = _reduce_root(high, form)
    raise KernelError("a term with nested roots does not settle")


def _reducible(a: Atom, form: Form) -> bool:
    if a.key[0] != "root":
        return False
    degree = a.key[2]
    return any(e >= degree for part in (form.num, form.den) for m, _ in part for b, e in m if b is a)


def _reduce_root(a: Atom, form: Form) -> tuple[Terms, Terms]:
    """Replace r**q by its radicand, in numerator and denominator."""
    radicand, degree = a.key[1], a.key[2]
    top, bottom = _with_root(form.num, a, degree, radicand), _with_root(form.den, a, degree, radicand)
    result = divided(top, bottom)
    return dict(result.num), dict(result.den)


def _with_root(terms: tuple[tuple[Monomial, Fraction], ...], a: Atom, degree: int, radicand: Form) -> Form:
    parts = []
    for monomial, coefficient in terms:
        exponent = dict(monomial).get(a, 0)
        whole, left = divmod(exponent, degree)
        rest = tuple((b, e) for b, e in monomial if b is not a)
        rest = ordered((*rest, (a, left))) if left else rest
        part = Form({rest: coefficient}, dict(_UNIT))
        parts.append(multiplied(part, *([radicand] * whole)))
    return added(*parts)


def _ring_of(forms: Iterable[Form]) -> Ring:
    return Ring(a for form in forms for a in form.atoms)


@kept(maxsize=100_000)
def added(*forms: Form) -> Form:
    """Return the sum of forms."""
    forms = tuple(form for form in forms if not form.is_zero)
    if len(forms) == 1:
        return forms[0]
    if all(form.is_polynomial for form in forms):  # a sum of polynomials has no common factor to take out
        total: dict[Monomial, Fraction] = {}
        for form in forms:
            for monomial, coefficient in form.num:
                known = total.get(monomial)
                total[monomial] = coefficient if known is None else known + coefficient
        return Form({monomial: c for monomial, c in total.items() if c}, dict(_UNIT))
    ring = _ring_of(forms)
    groups: dict[Any, Any] = {}
    for form in forms:
        groups.setdefault(form.den, []).append(form)
    top, bottom = ring.context.constant(0), ring.context.constant(1)
    for den, members in groups.items():
        below = ring.polynomial(den)
        above = ring.context.constant(0)
        for form in members:
            above = above + ring.polynomial(form.num)
        top, bottom = (
            (top * below + above * bottom, bottom * below) if bottom != below else (top + above, bottom)
        )
    reduced = Form(*ring.lowest_terms(top, bottom))
    return quotient(dict(reduced.num), dict(reduced.den)) if _has_root(reduced) else reduced


@kept(maxsize=100_000)
def multiplied(*forms: Form) -> Form:
    """Return the product of forms."""
    if len(forms) == 1:
        return forms[0]
    if len(forms) == 2:
        for factor, form in (forms, forms[::-1]):
            if factor.number is not None and form.is_polynomial:
                return form.times(factor.number)
    ring = _ring_of(forms)
    top, bottom = ring.context.constant(1), ring.context.constant(1)
    for form in forms:
        top, bottom = top * ring.polynomial(form.num), bottom * ring.polynomial(form.den)
    reduced = Form(*ring.lowest_terms(top, bottom))
    return quotient(dict(reduced.num), dict(reduced.den)) if _has_root(reduced) else reduced


def _has_root(form: Form) -> bool:
    return any(_reducible(a, form) for a in form.atoms)


def divided(top: Form, bottom: Form) -> Form:
    """Return the quotient of two forms.

    Raises:
        KernelError: The divisor is 0.
    """
    if bottom.is_zero:
        raise KernelError("a term divides by zero")
    return multiplied(top, Form(dict(bottom.den), dict(bottom.num)))


def raised(base: Form, exponent: int) -> Form:
    """Return a power with integer exponent."""
    if exponent < 0:
        return divided(constant(1), raised(base, -exponent))
    result = constant(1)
    for _ in range(exponent):
        result = multiplied(result, base)
    return result


@kept(maxsize=10_000)
def constant(value: Fraction | int) -> Form:
    """Return a number as a form."""
    value = Fraction(value)
    return Form({(): value} if value else {}, dict(_UNIT))


def of_atom(a: Atom) -> Form:
    """Return an atom as a form."""
    return Form({((a, 1),): Fraction(1)}, dict(_UNIT))


# ---------------------------------------------------------------- terms


@kept(maxsize=200_000)
def form_of(node: Node) -> Form:
    """Return the normal form of a term.

    Raises:
        KernelError: It divides by zero identically, or is no term.
    """
    op, args = node.op, node.args
    if op == "num":
        return constant(args[0])
    if op == "add":
        return added(constant(0), *(form_of(item) for item in args))
    if op == "mul":
        return multiplied(*map(form_of, args)) if args else constant(1)
    if op not in _HANDLERS:
        raise KernelError(f"{node!r} is a formula, no term")
    return _HANDLERS[op](node)


def _form_of_name(node: Node) -> Form:
    return of_atom(atom(("name", node.args[0]), node))


def _form_of_entry(node: Node) -> Form:
    indices = tuple(form_of(item) for item in node.args[1:])
    clean = Node("entry", node.args[0], *(item.node for item in indices))
    return of_atom(atom(("entry", node.args[0], indices), clean))


def _form_of_power(node: Node) -> Form:
    base, exponent = form_of(node.args[0]), form_of(node.args[1])
    number = exponent.number
    if number is None:
        return _symbolic_power(base, exponent)
    if number.denominator == 1:
        return raised(base, int(number))
    return raised(_root(base, number.denominator), number.numerator)


def _root(base: Form, degree: int) -> Form:
    """Return the root, of degree 2 or more, of a form that is at least 0."""
    value = base.number
    if value is not None and value >= 0:
        roots = [_integer_root(part, degree) for part in (value.numerator, value.denominator)]
        if None not in roots:
            return constant(Fraction(roots[0], roots[1]))  # type: ignore[arg-type]
    return of_atom(atom(("root", base, degree), Node("pow", base.node, num(Fraction(1, degree)))))


def _integer_root(value: int, degree: int) -> int | None:
    root = flint.fmpz(value).root(degree) if value else flint.fmpz(0)
    return int(root) if int(root) ** degree == value else None


def exponent_parts(exponent: Form) -> tuple[int, Form]:
    """Split an exponent into a natural number and the rest, for q**(c + e) = q**c q**e.

    Right for a positive base, and for every base where the rest is natural: what definedness asks for.
    """
    shift = dict(exponent.num).get((), Fraction(0)) if exponent.is_polynomial else Fraction(0)
    whole = max(0, shift.numerator // shift.denominator)
    return whole, added(exponent, constant(-whole))


def _symbolic_power(base: Form, exponent: Form) -> Form:
    whole, rest = exponent_parts(exponent)
    if base == constant(1):
        return constant(1)
    power = of_atom(atom(("power", base, rest), Node("pow", base.node, rest.node)))
    return multiplied(raised(base, whole), power)


def _form_of_function(node: Node) -> Form:
    function, *arguments = node.args
    forms = [form_of(item) for item in arguments]
    if function == "abs":
        value = forms[0].number
        if value is not None:
            return constant(abs(value))
        return _root(multiplied(forms[0], forms[0]), 2)
    if function in ("max", "min"):
        forms = sorted(set(forms), key=lambda item: repr(item.node))
        if len(forms) == 1:
            return forms[0]
        numbers = [form.number for form in forms]
        if None not in numbers:
            return constant((max if function == "max" else min)(numbers))  # type: ignore[type-var,arg-type]
    if function == "floor" and forms[0].number is not None:
        return constant(forms[0].number.numerator // forms[0].number.denominator)
    if function == "delta":
        forms.sort(key=lambda item: repr(item.node))
        difference = added(forms[0], multiplied(constant(-1), forms[1])).number
        if difference is not None:
            return constant(int(difference == 0))
    if (function == "log" and forms[0] == constant(1)) or (function == "exp" and forms[0].is_zero):
        return constant(int(function == "exp"))
    clean = Node("fn", function, *(form.node for form in forms))
    return of_atom(atom(("fn", function, tuple(forms)), clean))


_HANDLERS: dict[str, Callable[[Node], Form]] = {
    "name": _form_of_name,
    "entry": _form_of_entry,
    "pow": _form_of_power,
    "fn": _form_of_function,
}


def register(op: str, handler: Callable[[Node], Form]) -> None:
    """Let another module of the kernel normalise terms with this operator."""
    _HANDLERS[op] = handler


def equal(left: Node, right: Node) -> bool:
    """Return whether two terms have one form, hence are equal wherever both are defined."""
    return form_of(add(left, mul(num(-1), right))).is_zero


__all__ = [
    "Form",
    "added",
    "constant",
    "divided",
    "equal",
    "form_of",
    "multiplied",
]
