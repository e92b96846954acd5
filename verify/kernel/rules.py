"""The rules of logic and algebra. A method of `Rules` makes a theorem or raises `KernelError`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy

from verify.kernel.bridge import entry_function, formula, key_of, spans_of, term
from verify.kernel.inequalities.definedness import obligations, of_folds, of_form
from verify.kernel.inequalities.implication import implies
from verify.kernel.inequalities.signs import Signs
from verify.kernel.node import ONE, ZERO, KernelError, Node, add, minus, name, num, substitute
from verify.kernel.normal import means, sums  # noqa: F401 - they register their normal forms
from verify.kernel.normal.forms import Form, added, constant, form_of, multiplied
from verify.kernel.normal.keys import formula_key, truth
from verify.kernel.text import text
from verify.kernel.theorem import Over, Put, Register, Theorem


class Rules:
    """Rules of logic and algebra over one register of theorems.

    Args:
        facts: Formulas that may become hypotheses by themselves where a rule needs them.
    """

    def __init__(self, facts: Iterable[Node] = ()) -> None:
        self._register = Register()
        self._scope: list[Theorem] = []
        self._signs: Signs | None = None
        self._last: Signs | None = None
        for item in facts:
            self._know(self._assumed(item))

    # ---------------------------------------------------------------- what all rules share

    def _know(self, *theorems: Theorem) -> None:
        self._register.check(*theorems)
        self._scope += [item for item in theorems if item not in self._scope]
        self._signs = None

    def know(self, *theorems: Theorem) -> None:
        """Let `sign` and the obligations of all later rules use these theorems."""
        self._know(*theorems)

    @property
    def _decider(self) -> Signs:
        if self._signs is None:
            self._signs = self._last = Signs(self._scope, known=self._last)
        return self._signs

    def _settled(self, needed: Iterable[Node]) -> tuple[list[Node], list[Theorem]]:
        """Return the hypotheses that are left of needed formulas, and the theorems that settle the others.

        What a needed formula takes to be defined is needed, too.
        """
        left: dict[Node, None] = {}
        used: dict[int, Theorem] = {}
        seen: set[Node] = set()
        pending = list(needed)
        while pending:
            item = pending.pop(0)
            if item in seen:
                continue
            seen.add(item)
            pending += [extra for extra in obligations(item) if extra not in seen]
            value = truth(item)
            if value is False:
                raise KernelError(f"{text(item)} would be needed, and is false")
            support = frozenset() if value else self._decider.decide(item)
            if support is None:
                left[item] = None
            else:
                used.update((id(fact), fact) for fact in self._register.ordered(support))
        return list(left), list(used.values())

    def _made(
        self, rule: str, needed: Iterable[Node], conclusion: Node, *parents: Theorem, **noted: Any
    ) -> Theorem:
        """Make a theorem: `needed` and what its conclusion takes to be defined become hypotheses or are
        settled.
        """
        own = [item for parent in parents for item in parent.hypotheses]
        left, used = self._settled([*needed, *obligations(conclusion)])
        own += [item for fact in used for item in fact.hypotheses]
        return self._register.make(rule, (*own, *left), conclusion, (*parents, *used), **noted)

    def _replaced(
        self,
        rule: str,
        parents: Sequence[Theorem],
        hypotheses: Iterable[Node],
        conclusion: Node,
        binder: Put | Over | None = None,
    ) -> Theorem:
        """Make a theorem from parents whose hypotheses were changed; the changed ones are settled where
        possible.
        """
        left, used = self._settled([*hypotheses, *obligations(conclusion)])
        own = [item for fact in used for item in fact.hypotheses]
        return self._register.make(rule, (*own, *left), conclusion, (*parents, *used), binder=binder)

    def _assumed(self, item: Node) -> Theorem:
        extra = [o for o in obligations(item) if o != item]
        if truth(item) is False:
            raise KernelError(f"{text(item)} is false; nothing holds under it")
        left, used = self._settled(extra) if extra else ([], [])
        own = [h for fact in used for h in fact.hypotheses]
        return self._register.make("assume", (*own, *left, item), item, tuple(used))

    # ---------------------------------------------------------------- hypotheses

    def assume(self, item: Any) -> Theorem:
        """Return `item` under the hypothesis `item`."""
        return self._assumed(formula(item))

    def index(self, *ranges: tuple[Any, Any, Any]) -> None:
        """Let indices stand for integers of a range; theorems on them have that as hypotheses until they are
        concluded for every index or added up.
        """
        for index, low, high in spans_of(ranges):
            key, first, last = self._span(index, low, high)
            ends = [Node("int", name(key)), Node("le", first, name(key))]
            if last is not None:
                ends.append(Node("le", name(key), last))
            self._know(*(self._assumed(item) for item in ends))

    # ---------------------------------------------------------------- algebra

    def identity(self, left: Any, right: Any) -> Theorem:
        """Return `left = right`, whose difference has the normal form zero."""
        a, b = term(left), term(right)
        difference = form_of(minus(a, b))
        if not difference.is_zero:
            raise KernelError(f"the sides differ by {_short(difference.node)}")
        return self._made("identity", (), Node("eq", a, b))

    def cert(self, goal: Any, *terms: tuple[Any, Any], using: Sequence[Theorem] = ()) -> Theorem:
        """Return the goal as the sum of multiplier times slack; see `theory.proof`."""
        aim = formula(goal)
        if aim.op not in ("le", "lt", "eq"):
            raise KernelError(f"{text(aim)} is no goal of a certificate; use <=, < or =")
        slack = form_of(minus(aim.args[1], aim.args[0]))
        needed: list[Node] = []
        signs: list[Node] = []
        parents: list[Theorem] = []
        strict = False
        for multiplier, source in terms:
            factor = self._term(multiplier)
            part, kind = self._slack_of(source, needed, parents)
            slack = added(slack, multiplied(constant(-1), form_of(factor), form_of(part)))
            needed += obligations(factor)
            if kind == "eq":
                continue
            if aim.op == "eq":
                raise KernelError(f"an equation cannot rest on the inequality {source!r}")
            positive = Node("lt", ZERO, factor)
            if kind == "lt" and aim.op == "lt" and not strict and self._decider.decide(positive) is not None:
                signs.append(positive)
                strict = True
            else:
                signs.append(Node("le", ZERO, factor))
        for equation in using:
            solved = self._solved(slack, equation)
            needed += of_folds(slack.node)
            needed += of_form(solved)
            slack = form_of(solved)
            parents.append(equation)
        value = slack.number
        if value is None or value < 0 or (aim.op == "eq" and value != 0):
            raise KernelError(f"the certificate leaves {_short(slack.node)}")
        if aim.op == "lt" and not strict and value == 0:
            raise KernelError(f"{text(aim)} is strict, and no strict term has a positive multiplier")
        for item in signs:
            if self._decider.decide(item) is None:
                raise KernelError(
                    f"the multiplier of a certificate: {text(item)} is not known; state or prove it"
                )
        return self._made("certificate", [*signs, *needed], aim, *parents)

    def _term(self, item: Any) -> Node:
        """Return an expression, or a normal form that was computed, as a term."""
        return item.node if isinstance(item, Form) else term(item)

    def _solved(self, slack: Form, equation: Theorem) -> Node:
        """Put the right side of an equation for the name on its left side."""
        self._register.check(equation)
        if equation.conclusion.op != "eq" or equation.conclusion.args[0].op != "name":
            raise KernelError(
                f"{text(equation.conclusion)} is no equation for a name; give others among the terms"
            )
        left, right = equation.conclusion.args
        if ("name", left.args[0]) in right.free:
            raise KernelError(f"{text(equation.conclusion)} has the name on both sides")
        return substitute(slack.node, {left.args[0]: right})

    def _slack_of(self, source: Any, needed: list[Node], parents: list[Theorem]) -> tuple[Node, str]:
        """Return the slack of a theorem, or an expression that is at least 0 by its form."""
        if isinstance(source, Theorem):
            self._register.check(source)
            conclusion = source.conclusion
            if conclusion.op not in ("le", "lt", "eq"):
                raise KernelError(f"{text(conclusion)} has no slack; use `at` for what holds for every index")
            parents.append(source)
            return minus(conclusion.args[1], conclusion.args[0]), conclusion.op
        if not isinstance(source, sympy.Expr | int | Form):
            raise KernelError(
                f"{source!r} is neither a theorem nor an expression; names of steps prove nothing"
            )
        slack = self._term(source)
        item = Node("le", ZERO, slack)
        if self._decider.decide(item) is None:
            raise KernelError(f"{text(slack)} is not known to be at least 0")
        needed += [item, *obligations(slack)]
        return slack, "le"

    def sign(self, goal: Any) -> Theorem:
        """Return a comparison (or integrality, or definedness) that follows by form from what is known."""
        aim = formula(goal)
        support = self._decider.decide(aim)
        if support is None:
            raise KernelError(f"{text(aim)} does not follow by sign")
        return self._made("sign", [aim], aim)

    # ---------------------------------------------------------------- logic

    def instantiate(self, theorem: Theorem, values: Mapping[Any, Any]) -> Theorem:
        """Put expressions for symbols, and functions of the indices for families, at once."""
        self._register.check(theorem)
        names: dict[str, Node] = {}
        families: dict[str, Any] = {}
        for key, value in values.items():
            if isinstance(key, sympy.IndexedBase):
                families[key_of(key)] = entry_function(value)
            else:
                names[key_of(key)] = term(value)
        conclusion = substitute(theorem.conclusion, names, families)
        hypotheses = [substitute(item, names, families) for item in theorem.hypotheses]
        return self._replaced("instantiate", [theorem], hypotheses, conclusion, Put(names, families))

    def discharge(self, theorem: Theorem, *proofs: Theorem) -> Theorem:
        """Remove hypotheses that the proofs conclude."""
        self._register.check(theorem, *proofs)
        left = list(theorem.hypotheses)
        gained: list[Node] = []
        for proof in proofs:
            if proof is theorem:
                raise KernelError("a theorem cannot discharge its own hypothesis")
            found = [item for item in left if implies(proof.conclusion, item)]
            if not found:
                listed = "; ".join(map(text, left)) or "none"
                raise KernelError(f"{text(proof.conclusion)} is no hypothesis here; hypotheses: {listed}")
            left = [item for item in left if item not in found]
            gained += [extra for item in found for extra in obligations(item)]
            gained += list(proof.hypotheses)
        if len(proofs) == 1 and any(implies(proofs[0].conclusion, item) for item in proofs[0].hypotheses):
            raise KernelError("the proof has the hypothesis that it is to discharge")
        return self._replaced("discharge", [theorem, *proofs], [*left, *gained], theorem.conclusion)

    def every(self, theorem: Theorem, *ranges: tuple[Any, Any, Any]) -> Theorem:
        """Conclude it for every index of the ranges, the first one innermost."""
        for index, low, high in spans_of(ranges):
            theorem = self._every(theorem, index, low, high)
        return theorem

    def _every(self, theorem: Theorem, index: Any, low: Any, high: Any) -> Theorem:
        self._register.check(theorem)
        span = self._span(index, low, high)
        conclusion = Node("every", *span, theorem.conclusion)
        closed = self._closed(theorem.hypotheses, span)
        return self._replaced("every", [theorem], closed, conclusion, Over(*span))

    def _span(self, index: Any, low: Any, high: Any) -> tuple[str, Node, Node | None]:
        key = term(index)
        if key.op != "name":
            raise KernelError(f"{index!r} is no index")
        span = (key.args[0], term(low), None if high is sympy.oo else term(high))
        if any(("name", key.args[0]) in end.free for end in span[1:] if end is not None):
            raise KernelError(f"the index {key.args[0]} stands in its own range")
        return span

    def _closed(self, items: Iterable[Node], span: tuple[str, Node, Node | None]) -> list[Node]:
        """Return hypotheses for every index of a range, without those that the range itself gives."""
        index = span[0]
        local = Signs((), (span,))
        found: dict[Node, None] = {}
        pending = list(items)
        while pending:
            item = pending.pop(0)
            if ("name", index) not in item.free:
                found[item] = None
            elif local.decide(item) is not None:
                pending += obligations(item)
            else:
                found[Node("every", *span, item)] = None
        return list(found)

    def at(self, theorem: Theorem, *places: Any) -> Theorem:
        """Take an `every` (or `every family`) at these places, the outermost first."""
        for place in places:
            theorem = self._at(theorem, place)
        return theorem

    def _at(self, theorem: Theorem, place: Any) -> Theorem:
        self._register.check(theorem)
        conclusion = theorem.conclusion
        if conclusion.op == "family":
            family, body = conclusion.args
            result = substitute(body, {}, {family: entry_function(place)})
            return self._made("specialise", (), result, theorem)
        if conclusion.op != "every":
            raise KernelError(f"{text(conclusion)} holds for no range of indices")
        index, low, high, body = conclusion.args
        spot = term(place)
        needed = [Node("int", spot), Node("le", low, spot)]
        if high is not None:
            needed.append(Node("le", spot, high))
        return self._made(
            *("specialise", [*needed, *obligations(spot)], substitute(body, {index: spot}), theorem),
            binder=Put({index: spot}, {}),
        )

    def cases(self, split: Any, at_most_zero: Theorem, positive: Theorem) -> Theorem:
        """Join theorems with one conclusion under `split <= 0` and `0 < split`."""
        self._register.check(at_most_zero, positive)
        spot = term(split)
        if formula_key(at_most_zero.conclusion) != formula_key(positive.conclusion):
            raise KernelError("the cases have different conclusions")
        below, above = Node("le", spot, ZERO), Node("lt", ZERO, spot)
        hypotheses = [h for h in at_most_zero.hypotheses if not implies(below, h)]
        hypotheses += [h for h in positive.hypotheses if not implies(above, h)]
        gained = [*obligations(spot), *(o for h in (below, above) for o in obligations(h))]
        return self._replaced("cases", [at_most_zero, positive], [*hypotheses, *gained], positive.conclusion)

    def induction(self, index: Any, base: Theorem, step: Theorem, low: Any = 0) -> Theorem:
        """Return the formula for every integer `index` >= low."""
        self._register.check(base, step)
        span = self._span(index, low, sympy.oo)
        key = span[0]
        start = span[1]
        formula_at = substitute(step.conclusion, {key: add(name(key), num(-1))})
        if any(("name", key) in item.free for item in (*base.hypotheses, base.conclusion)):
            raise KernelError(f"the base of the induction mentions {key}")
        first = substitute(formula_at, {key: start})
        if formula_key(first) != formula_key(base.conclusion):
            raise KernelError(f"the base is {text(base.conclusion)}, the step needs {text(first)}")
        wanted = formula_key(formula_at)
        hypotheses: list[Node] = [*base.hypotheses, *of_form(first)]
        for item in step.hypotheses:
            if formula_key(item) == wanted:
                continue
            hypotheses += self._closed([item], span)
        conclusion = Node("every", *span, formula_at)
        return self._replaced("induction", [base, step], hypotheses, conclusion, Over(*span))

    # ---------------------------------------------------------------- sums

    def sum_over(self, theorem: Theorem, *ranges: tuple[Any, Any, Any]) -> Theorem:
        """Add an equation or inequality over the indices, the first range innermost."""
        for index, low, high in spans_of(ranges):
            theorem = self._sum_over(theorem, index, low, high)
        return theorem

    def _sum_over(self, theorem: Theorem, index: Any, low: Any, high: Any) -> Theorem:
        self._register.check(theorem)
        op = theorem.conclusion.op
        if op not in ("le", "lt", "eq"):
            raise KernelError(f"{text(theorem.conclusion)} cannot be added up")
        span = self._span(index, low, high)
        if span[2] is None:
            raise KernelError("sums are finite here")
        sides = [Node("sum", *span, side) for side in theorem.conclusion.args]
        hypotheses = self._closed(theorem.hypotheses, span)
        if op == "lt":
            hypotheses.append(Node("le", span[1], span[2]))
        return self._replaced("sum", [theorem], hypotheses, Node(op, *sides), Over(*span))

    def split_off(self, total: Any, place: Any = None) -> Theorem:
        """Return a sum as one term, by default the last, and the rest."""
        node = term(total)
        if node.op != "sum":
            raise KernelError(f"{total} is no sum")
        index, low, high, body = node.args
        if place is None:
            rest = Node("sum", index, low, add(high, num(-1)), body)
            result = add(substitute(body, {index: high}), rest)
            return self._made("split", [Node("le", low, high)], Node("eq", node, result))
        spot = term(place)
        before = Node("sum", index, low, add(spot, num(-1)), body)
        after = Node("sum", index, add(spot, ONE), high, body)
        needed = [Node("int", spot), Node("le", low, spot), Node("le", spot, high)]
        return self._made(
            "split", needed, Node("eq", node, add(before, substitute(body, {index: spot}), after))
        )


def _short(node: Node) -> str:
    written = text(node)
    return written if len(written) < 600 else f"{written[:600]} ..."
