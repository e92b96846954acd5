"""Signs and integrality of forms, from facts and by one known inequality.

A fact is a theorem. What is decided rests on the facts that were used; they are returned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Self

import flint

from verify.kernel.inequalities.definedness import of_form
from verify.kernel.inequalities.known_facts import NONE, KnownFacts, Support, entries, matched
from verify.kernel.node import ZERO, Node, name, substitute
from verify.kernel.normal.forms import Form, added, constant, form_of, multiplied
from verify.kernel.normal.keys import scaled
from verify.kernel.normal.polynomials import Atom, Monomial, Ring, Terms
from verify.kernel.normal.sums import renamed
from verify.kernel.theorem import Theorem

_DEPTH = 3
"""Inequalities that are added up in one decision."""


class FormSigns(KnownFacts, ABC):
    """Decide signs of forms from a list of facts; see `KnownFacts` for the arguments."""

    def __init__(
        self,
        facts: Iterable[Theorem],
        ranges: tuple[tuple[str, Node, Node | None], ...] = (),
        known: KnownFacts | None = None,
    ) -> None:
        super().__init__(facts, ranges, known)
        self._memo: dict[tuple[Form, bool, int], Support | None] = {}
        self._tried: set[tuple[int, str]] = set()
        self._active: set[tuple[Form, bool]] = set()

    @abstractmethod
    def decide(self, formula: Node) -> Support | None:
        """Return the facts from which a formula follows, None where that is not seen.

        An `every` is used at an entry where its range is decided.
        """

    # ---------------------------------------------------------------- facts at the entries of a form

    def _specialise(self, form: Form) -> None:
        """Learn what an `every` says at the entries of a term."""
        for a in entries(form):
            for number, (fact, spans, body) in enumerate(self._every):
                if (number, a.text) in self._tried:
                    continue
                self._tried.add((number, a.text))
                places = matched(body, a, [index for index, _, _ in spans])
                if places is None:
                    continue
                support: Support | None = frozenset([fact])
                for index, low, high in spans:
                    low, high = substitute(low, places), None if high is None else substitute(high, places)
                    inside = self._inside(places[index], low, high)
                    support = None if support is None or inside is None else support | inside
                said = substitute(body, places)
                if support is not None:  # the form of what is said there may divide by what is 0 there
                    support = joined([support, *map(self.decide, of_form(said))])
                if support is not None:
                    before = len(self._slacks)
                    self._learn(said, support)
                    if len(self._slacks) != before or body.op in ("int", "ne"):
                        self._memo.clear()

    def _inside(self, place: Node, low: Node, high: Node | None) -> Support | None:
        """Return why a place is an integer in a range."""
        hidden = [item for end in (low, high) if end is not None for item in of_form(end)]
        for index, a, b in self.ranges:
            ends = high is None or (b is not None and form_of(b) == form_of(high))
            if ends and place == name(index) and form_of(a) == form_of(low):
                return joined(map(self.decide, hidden))
        parts = [self.integer(place), self.decide(Node("le", low, place))]
        if high is not None:
            parts.append(self.decide(Node("le", place, high)))
        return joined([*parts, *map(self.decide, hidden)])

    # ---------------------------------------------------------------- nonzero, integer

    def nonzero(self, form: Form) -> Support | None:
        """Return why a form is not 0."""
        value = form.number
        if value is not None:
            return NONE if value else None
        known = self._signed_or_known_nonzero(form)
        if known is not None:
            return known
        if len(form.num) == 1 and form.num[0][0]:
            parts = [self._nonzero_atom(a, e) for a, e in form.num[0][0]]
            return joined(parts)
        ring = Ring(form.atoms)
        factors = ring.polynomial(form.num).factor()[1]
        if sum(multiplicity for _, multiplicity in factors) < 2:
            return None
        return joined([self.nonzero(Form(ring.terms(factor), {(): Fraction(1)})) for factor, _ in factors])

    def _signed_or_known_nonzero(self, form: Form) -> Support | None:
        for candidate in (form, multiplied(constant(-1), form)):
            found = self.positive(candidate, strict=True)
            if found is not None:
                return found
        self._specialise(form)
        known = self._by_key.get(("ne", scaled(form)[1]))
        return None if known is None else known[1]

    def _nonzero_atom(self, a: Atom, exponent: int) -> Support | None:
        form = Form({((a, 1),): Fraction(1)}, {(): Fraction(1)})
        known = self._signed_or_known_nonzero(form)
        if known is not None:
            return known
        if a.key[0] == "root":
            return self.nonzero(a.key[1])
        return None

    def integer(self, term: Node) -> Support | None:
        """Return why a term is an integer."""
        form = form_of(term)
        self._specialise(form)
        known = self._integers.get(form.key)
        if known is not None:
            return known
        if not form.is_polynomial:
            return None
        parts: list[Support | None] = []
        for monomial, coefficient in form.num:
            parts.append(NONE if coefficient.denominator == 1 else None)
            parts += [self._integer_atom(a) for a, _ in monomial]
        return joined(parts)

    def _integer_atom(self, a: Atom) -> Support | None:
        form = Form({((a, 1),): Fraction(1)}, {(): Fraction(1)})
        known = self._integers.get(form.key)
        if known is not None:
            return known
        kind = a.key[0]
        if kind == "fn" and a.key[1] in ("floor", "delta"):
            return NONE
        if kind == "fn" and a.key[1] in ("max", "min"):
            return joined([self.integer(item.node) for item in a.key[2]])
        if kind == "sum":
            inner, _, monomial = self._inside_sum(a)
            return joined([inner._integer_atom(b) if e > 0 else None for b, e in monomial])
        if kind == "power":
            parts = [self.integer(a.key[1].node), self.integer(a.key[2].node)]
            return joined([*parts, self.positive(a.key[2], strict=False)])
        return None

    def _inside_sum(self, a: Atom) -> tuple[Self, int, Monomial]:
        binders, monomial, sign = a.key[1], a.key[2], 1
        taken = {index for index, _, _ in self.ranges}
        if any(index in taken for index, _ in binders):
            taken |= {
                key for _, low, high in self.ranges for end in (low, high) if end for _, key in end.free
            }
            binders, sign, monomial = renamed(a, taken)
        spans = tuple((index, ZERO, last) for index, last in binders)
        return type(self)(self.facts, (*self.ranges, *spans), self), sign, monomial

    # ---------------------------------------------------------------- at least 0, above 0

    def positive(self, form: Form, *, strict: bool, depth: int = _DEPTH) -> Support | None:
        """Return why a form is at least 0, or above 0."""
        value = form.number
        if value is not None:
            return NONE if (value > 0 or (value == 0 and not strict)) else None
        key = (form, strict, depth)
        if key in self._memo:
            return self._memo[key]
        if (form, strict) in self._active:
            return None
        self._active.add((form, strict))
        self._specialise(form)
        found = self._lookup(form, strict)
        if found is None:
            found = self._by_monomials(form, strict)
        if found is None and depth > 0:
            found = self._with_fact(form, strict, depth)
        self._active.discard((form, strict))
        self._memo[key] = found
        return found

    def _lookup(self, form: Form, strict: bool) -> Support | None:
        scale, key = scaled(form)
        known = self._by_key.get(("slack" if scale > 0 else "minus", key))
        if known is not None and (known[0] == ">" or not strict):
            return known[1]
        if known is not None:
            other = self._by_key.get(("ne", key))
            if other is not None:
                return known[1] | other[1]
        return None

    def _by_monomials(self, form: Form, strict: bool) -> Support | None:
        """Look at numerator and denominator, each monomial by itself, or as a square."""
        below = NONE if form.is_polynomial else self._polynomial(dict(form.den), strict=True)
        if below is None:
            return None
        above = self._polynomial(dict(form.num), strict=strict)
        return None if above is None else above | below

    def _polynomial(self, terms: Terms, *, strict: bool) -> Support | None:
        support: Support = NONE
        any_strict = False
        whole = Form(dict(terms), {(): Fraction(1)})
        found = self._lookup(whole, strict)
        if found is not None:
            return found
        for monomial, coefficient in terms.items():
            if coefficient < 0:
                return self._square(whole, strict)
            reason, positive = self._monomial(monomial, strict=strict and not any_strict)
            if reason is None:
                return self._square(whole, strict)
            support |= reason
            any_strict = any_strict or positive
        return support if any_strict or not strict else self._square(whole, strict)

    def _square(self, form: Form, strict: bool) -> Support | None:
        """Recognise a positive multiple of the square of a polynomial."""
        if len(form.num) < 3:
            return None
        ring = Ring(form.atoms)
        content, factors = ring.polynomial(form.num).factor()
        if not isinstance(content, flint.fmpq) or content <= 0:
            return None
        parts: list[Support | None] = []
        for factor, multiplicity in factors:
            inner = Form(ring.terms(factor), {(): Fraction(1)})
            if multiplicity % 2 == 0:
                parts.append(self.nonzero(inner) if strict else NONE)
            elif inner == form:
                return None
            else:
                parts.append(self.positive(inner, strict=strict, depth=1))
        return joined(parts)

    def _monomial(self, monomial: Monomial, *, strict: bool) -> tuple[Support | None, bool]:
        """Return why a product is at least 0, and whether it was seen to be above 0."""
        support: Support = NONE
        positive = True
        for a, e in monomial:
            if e % 2 == 0:
                reason = self._nonzero_atom(a, e) if strict else None
                positive = positive and reason is not None
                support |= reason or NONE
                continue
            reason = self._atom(a, strict=True) if strict else None
            if reason is None:
                positive = False
                reason = self._atom(a, strict=False)
            if reason is None:
                return None, False
            support |= reason
        return support, positive

    def _atom(self, a: Atom, *, strict: bool) -> Support | None:
        form = Form({((a, 1),): Fraction(1)}, {(): Fraction(1)})
        self._specialise(form)
        found = self._lookup(form, strict)
        if found is not None:
            return found
        kind = a.key[0]
        if kind in ("root", "power"):
            if kind == "root" and not strict:
                return NONE
            base = self.positive(a.key[1], strict=True)
            if base is None and kind == "root":
                return self._root_of_square(a)
            if base is None and not strict:
                return joined([self.positive(a.key[1], strict=False), self.integer(a.key[2].node)])
            return base
        if kind == "inverse":
            return self.positive(a.key[1], strict=True)
        if kind == "fn":
            return self._function(a, strict)
        if kind == "sum":
            return self._sum(a, strict)
        return self._by_bound(form, strict)

    def _root_of_square(self, a: Atom) -> Support | None:
        return self.nonzero(a.key[1])

    def _by_bound(self, form: Form, strict: bool) -> Support | None:
        """Use a fact such as 1 <= n for the sign of n."""
        for slack, kind, support in self._slacks:
            rest = added(form, multiplied(constant(-1), slack))
            value = rest.number
            if value is not None and (value > 0 or (value == 0 and (kind == ">" or not strict))):
                return support
        return None

    def _function(self, a: Atom, strict: bool) -> Support | None:
        function, arguments = a.key[1], a.key[2]
        if function == "exp":
            return NONE
        if function == "delta":
            return None if strict else NONE
        if function == "max":
            return next((s for f in arguments if (s := self.positive(f, strict=strict)) is not None), None)
        if function == "min":
            return joined([self.positive(f, strict=strict) for f in arguments])
        if function == "floor":
            shifted = added(arguments[0], constant(-1)) if strict else arguments[0]
            return self.positive(shifted, strict=False)
        if function == "log":
            return self.positive(added(arguments[0], constant(-1)), strict=strict)
        return None

    def _sum(self, a: Atom, strict: bool) -> Support | None:
        inner, sign, monomial = self._inside_sum(a)
        reason, positive = inner._monomial(monomial, strict=strict)
        if sign < 0 or reason is None or (strict and not positive):
            return None
        if strict:
            for _, last in a.key[1]:
                ends = self.positive(form_of(last), strict=False)
                if ends is None:
                    return None
                reason |= ends
        return reason

    def _with_fact(self, form: Form, strict: bool, depth: int) -> Support | None:
        """Take a positive multiple of one known inequality away, and look at the rest."""
        if not form.is_polynomial or len(form.num) > 12:
            return None
        wanted = {m: c for m, c in form.num if m and c < 0}
        if not wanted:
            wanted = {m: c for m, c in form.num if m and self._monomial(m, strict=False)[0] is None}
        if not wanted and strict:
            wanted = dict(form.num)
        for slack, kind, support in self._slacks:
            if not slack.is_polynomial or len(slack.num) > 6:
                continue
            for monomial, coefficient in slack.num:
                if monomial in wanted and (wanted[monomial] > 0) == (coefficient > 0):
                    factor = wanted[monomial] / coefficient
                    rest = added(form, multiplied(constant(-factor), slack))
                    found = self.positive(rest, strict=strict and kind != ">", depth=depth - 1)
                    if found is not None:
                        return found | support
                    break
        return None


def joined(parts: Iterable[Support | None]) -> Support | None:
    """Return the facts behind all parts together, None where a part is not seen."""
    support: Support = NONE
    for part in parts:
        if part is None:
            return None
        support |= part
    return support
