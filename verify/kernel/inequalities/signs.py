"""Whether a formula follows: by the signs of its forms, as it is written, or from facts.

A fact is a theorem. What is decided rests on the facts that were used; they are returned.
"""

from __future__ import annotations

from verify.kernel.inequalities.form_signs import FormSigns, joined
from verify.kernel.inequalities.known_facts import NONE, Support
from verify.kernel.node import ZERO, Node, fresh, minus, name, substitute
from verify.kernel.normal.forms import constant, form_of, multiplied
from verify.kernel.normal.keys import formula_key


class Signs(FormSigns):
    """Decide formulas from a list of facts; see `KnownFacts` for the arguments."""

    def decide(self, formula: Node) -> Support | None:
        """Return the facts from which a formula follows, None where that is not seen."""
        op, args = formula.op, formula.args
        if op in ("le", "lt"):
            if args[0] == ZERO:
                found = self._by_structure(args[1], strict=op == "lt")
                if found is not None:
                    return found
            return self.positive(form_of(minus(args[1], args[0])), strict=op == "lt")
        if op == "eq":
            form = form_of(minus(args[1], args[0]))
            if form.is_zero:
                return NONE
            known = [
                self.positive(form, strict=False),
                self.positive(multiplied(constant(-1), form), strict=False),
            ]
            return joined(known)
        if op == "ne":
            found = self.nonzero(form_of(minus(args[0], args[1])))
            if found is None and args[1] == ZERO:
                return self._by_structure(args[0], strict=True)
            return found
        if op == "int":
            return self.integer(args[0])
        if op == "power":
            base = self.positive(form_of(args[0]), strict=True)
            if base is not None:
                return base
            return joined([self.integer(args[1]), self.positive(form_of(args[1]), strict=False)])
        if op == "every":
            return self._decide_every(formula)
        return self._known_family(formula)

    def _known_family(self, formula: Node) -> Support | None:
        key = formula_key(formula)
        for fact in self.facts:
            if fact.conclusion.op == "family" and formula_key(fact.conclusion) == key:
                return frozenset([fact])
        return None

    def _decide_every(self, formula: Node) -> Support | None:
        key = formula_key(formula)
        for fact in self.facts:
            if fact.conclusion.op == "every" and formula_key(fact.conclusion) == key:
                return frozenset([fact])
        index, low, high, body = formula.args
        new = self._fresh(index, formula)
        inner = Signs(self.facts, (*self.ranges, (new, low, high)), self)
        return inner.decide(substitute(body, {index: name(new)}))

    def _fresh(self, index: str, node: Node) -> str:
        """Return a name that neither a fact, nor a range, nor a term has."""
        taken = {key for fact in self.facts for _, key in fact.conclusion.free} | {
            key for _, key in node.free
        }
        for other, low, high in self.ranges:
            taken |= {other, *(key for end in (low, high) if end is not None for _, key in end.free)}
        return fresh(index, taken)

    # ---------------------------------------------------------------- terms as they are written

    def _by_structure(self, node: Node, *, strict: bool) -> Support | None:
        """Return why a term is at least 0, or above 0, as it is written: squares stay squares."""
        op, args = node.op, node.args
        if op == "add":
            parts = [self._by_structure(item, strict=False) for item in args]
            found = joined(parts)
            if found is None:
                return self.positive(form_of(node), strict=strict)
            if not strict:
                return found
            more = next(
                (s for item in args if (s := self._by_structure(item, strict=True)) is not None), None
            )
            return self.positive(form_of(node), strict=True) if more is None else found | more
        if op == "mul":
            return joined([self._by_structure(item, strict=strict) for item in args])
        if op == "sum":
            return self._sum_by_structure(node, strict=strict)
        if op == "pow" and args[1].op == "num":
            exponent = args[1].args[0]
            if exponent.denominator == 1 and exponent.numerator % 2 == 0:
                return self.nonzero(form_of(args[0])) if strict or exponent < 0 else NONE
            if exponent.denominator == 1:
                return self._by_structure(args[0], strict=strict or exponent < 0)
        if op == "mean":
            return None
        return self.positive(form_of(node), strict=strict)

    def _sum_by_structure(self, node: Node, *, strict: bool) -> Support | None:
        index, low, high, body = node.args
        new = self._fresh(index, node)
        inner = Signs(self.facts, (*self.ranges, (new, low, high)), self)
        found = inner._by_structure(substitute(body, {index: name(new)}), strict=strict)
        if found is None:
            return self.positive(form_of(node), strict=strict)
        nonempty = self.decide(Node("le", low, high)) if strict else NONE
        return None if nonempty is None else found | nonempty
