"""Atoms, and polynomials over them; their arithmetic is python-flint's."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import flint

from verify.kernel.node import KernelError, Node

Monomial = tuple[tuple["Atom", int], ...]
"""Atoms with their exponents, in the order of their texts; exponents below 0 occur inside sums only."""

Terms = Mapping[Monomial, Fraction]


class Atom:
    """What arithmetic does not look into: a name, an entry, a root, a power, a function, a sum, a mean.

    `key` is a tuple that begins with the kind; `text` orders atoms; `node` is the term.
    """

    def __init__(self, key: tuple[Any, ...], node: Node) -> None:
        self.key, self.node = key, node
        self.text = f"{key[0]}:{node!r}"

    def __repr__(self) -> str:
        return self.text

    @property
    def free(self) -> frozenset[tuple[str, str]]:
        """Return the free names of the term."""
        return self.node.free


_ATOMS: dict[tuple[Any, ...], Atom] = {}
_BY_TEXT: dict[str, Atom] = {}


def atom(key: tuple[Any, ...], node: Node) -> Atom:
    """Return the one atom with this key.

    Raises:
        KernelError: Another atom has its text, by which monomials are ordered.
    """
    found = _ATOMS.get(key)
    if found is None:
        made = Atom(key, node)
        if _BY_TEXT.setdefault(made.text, made).key != key:
            raise KernelError(f"two different terms are written {made.text}; the kernel cannot order them")
        found = _ATOMS[key] = made
    return found


def ordered(monomial: Iterable[tuple[Atom, int]]) -> Monomial:
    """Return a monomial with its atoms in the order of their texts."""
    return tuple(sorted(monomial, key=lambda item: item[0].text))


def times(*monomials: Monomial) -> Monomial:
    """Return the product of monomials."""
    exponents: dict[Atom, int] = {}
    for monomial in monomials:
        for a, e in monomial:
            exponents[a] = exponents.get(a, 0) + e
    return ordered((a, e) for a, e in exponents.items() if e)


@functools.lru_cache(maxsize=10_000)
def fraction(top: int, bottom: int) -> Fraction:
    """Return a quotient of integers; coefficients are few, and one object is compared at once."""
    return Fraction(top, bottom)


class Ring:
    """Quotients of polynomials over a fixed list of atoms."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.atoms = tuple(sorted(set(atoms), key=lambda item: item.text))
        self.place = {a: k for k, a in enumerate(self.atoms)}
        names = [f"x{k}" for k in range(max(1, len(self.atoms)))]
        self.context = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)

    def polynomial(self, terms: Iterable[tuple[Monomial, Fraction]]) -> Any:
        """Return a polynomial of flint."""
        width = max(1, len(self.atoms))
        data: dict[tuple[int, ...], Any] = {}
        for monomial, coefficient in terms:
            exponents = [0] * width
            for a, e in monomial:
                exponents[self.place[a]] = e
            key = tuple(exponents)
            if key in data:
                raise KernelError(f"a monomial is there twice, in two orders: {monomial}")
            data[key] = flint.fmpq(*coefficient.as_integer_ratio())
        return self.context.from_dict(data)

    def terms(self, polynomial: Any) -> dict[Monomial, Fraction]:
        """Return the monomials and coefficients of a polynomial of flint."""
        return {
            tuple((self.atoms[k], int(e)) for k, e in enumerate(exponents) if e): fraction(int(c.p), int(c.q))
            for exponents, c in polynomial.to_dict().items()
        }

    def lowest_terms(self, top: Any, bottom: Any) -> tuple[Terms, Terms]:
        """Return a quotient in lowest terms, with leading coefficient 1 below."""
        if top == 0:
            return {}, {(): fraction(1, 1)}
        common = top.gcd(bottom)
        if common != 1:
            top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        if lead != 1:
            top, bottom = top / lead, bottom / lead
        return self.terms(top), self.terms(bottom)
