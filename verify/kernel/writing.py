"""Short ways to write derivations. Each method only calls rules: nothing here is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from theory.formula import Compare, Every
from verify.kernel.analysis import Analysis
from verify.kernel.bridge import formula, term
from verify.kernel.node import ZERO, KernelError, Node, minus
from verify.kernel.normal.forms import Form, added, constant, form_of, multiplied
from verify.kernel.normal.multipliers import multipliers
from verify.kernel.normal.polynomials import Ring
from verify.kernel.text import text
from verify.kernel.theorem import Theorem


class Writing(Analysis):
    """The rules, with what they need found where it can be.

    Where a theorem stands, a text is the name of a hypothesis of the claim.
    """

    def given(self, name: str, place: int = 0) -> Theorem:
        """Return a hypothesis of the claim as a theorem."""
        raise KernelError(f"there is no claim with a hypothesis {name!r}")

    def _named(self, item: Any) -> Any:
        return self.given(item) if isinstance(item, str) else item

    def _inside(self, item: Any) -> Any:
        """Return a theorem at the indices of its own `every`."""
        item = self._named(item)
        while isinstance(item, Theorem) and item.conclusion.op == "every":
            item = super().at(item, sympy.Symbol(item.conclusion.args[0], real=True))
        return item

    def know(self, *theorems: Any) -> None:
        """Let `sign` and the obligations of all later rules use these theorems."""
        super().know(*map(self._named, theorems))

    def at(self, theorem: Any, *places: Any) -> Theorem:
        """Take an `every` (or `every family`) at these places, the outermost first."""
        return super().at(self._named(theorem), *places)

    def sum_over(self, theorem: Any, *ranges: Any) -> Theorem:
        """Add an equation or inequality over the indices, the first range innermost."""
        return super().sum_over(self._inside(theorem), *ranges)

    def put_in(self, expression: Any, *equations: Any) -> Theorem:
        """Return that an expression is what it becomes by rewriting with these equations in turn."""
        theorem = self.identity(expression, expression)
        for equation in equations:
            theorem = self.rewrite(theorem, self._inside(equation), side="right")
        return theorem

    # ---------------------------------------------------------------- conclusions

    def links(self, relation: str) -> tuple[Any, ...]:
        """Return the formulas that a relation of the claim is, one for each link of its chain."""
        raise KernelError(f"there is no claim with a relation {relation!r}")

    def conclude(self, relation: str, *theorems: Any) -> None:
        """State that the theorems are the relation of the claim, link by link of its chain."""
        raise KernelError(f"there is no claim with a relation {relation!r}")

    def show(self, relation: str, *terms: Any, using: Sequence[Any] = (), squared: bool = False) -> Any:
        """Certify a relation of the claim by these terms and conclude it.

        For a chain, what is given is for each link a list of terms, or a theorem that concludes it.

        Returns:
            What was certified, without the `every` of the relation; of a chain the list.
        """
        links = self.links(relation)
        lists = [list(terms)] if len(links) == 1 else list(terms)
        if len(lists) != len(links):
            raise KernelError(f"relation {relation!r} has {len(links)} links, {len(lists)} were given")
        found, closed = [], []
        for formula_, item in zip(links, lists, strict=True):
            goal, ranges = _opened(formula_)
            by_terms = isinstance(item, list)
            made = self.cert(goal, *item, using=using, squared=squared) if by_terms else self._named(item)
            found.append(made)
            closed.append(self.every(made, *ranges) if made.conclusion.op != "every" else made)
        self.conclude(relation, *closed)
        return found[0] if len(links) == 1 else found

    # ---------------------------------------------------------------- certificates

    def cert(self, goal: Any, *terms: Any, using: Sequence[Any] = (), squared: bool = False) -> Theorem:
        """Return the goal as the sum of multiplier times slack; see `theory.proof`."""
        if squared:
            left, right, sides = goal.left, goal.right, goal.left + goal.right
            square = self.cert(Compare(left**2, goal.operator, right**2), *terms, using=using)
            return super().cert(goal, (1 / sides, square))
        equations = [self._named(item) for item in using]
        whole: list[Any] = [
            self._pair(*item) if isinstance(item, tuple | list) else self._inside(item) for item in terms
        ]
        bare = [item for item in whole if not isinstance(item, tuple | list)]
        self._register.check(*bare, *equations)
        if not bare:
            return super().cert(goal, *whole, using=equations)
        aim = formula(goal)
        given = [
            multiplied(constant(-1), form_of(term(item[0])), self._slack_form(item[1], equations))
            for item in whole
            if isinstance(item, tuple | list)
        ]
        remains: list[Form] = []

        def accepted(rest: Form, found: Sequence[Form]) -> bool:
            signs = [m for m, item in zip(found, bare, strict=True) if item.conclusion.op != "eq"]
            remains[:] = [] if rest.number is not None else [rest]
            if any(_divides(form, slack) for form in found for slack in zeros):
                return False  # it would divide by what an equation says to be 0
            if (aim.op == "eq" and not rest.is_zero) or (rest.number is not None and rest.number < 0):
                return False
            return all(
                self._decider.decide(Node("le", ZERO, form.node)) is not None for form in (*signs, *remains)
            )

        slacks = [self._slack_form(item, equations) for item in bare]
        zeros = [slack for item, slack in zip(bare, slacks, strict=True) if item.conclusion.op == "eq"]
        found = multipliers(added(constant(0), self._slack_form(aim, equations), *given), slacks, accepted)
        if found is None:
            raise KernelError(
                f"no multipliers were found for {text(aim)}; write them as (multiplier, source)"
            )
        values = iter(found)
        pairs: list[Any] = [
            item if isinstance(item, tuple | list) else (next(values), item) for item in whole
        ]
        return super().cert(goal, *pairs, *((1, form) for form in remains), using=equations)

    def _pair(self, multiplier: Any, source: Any) -> tuple[Any, Any]:
        """Return a multiplier with its source, which may be the name of a hypothesis."""
        return multiplier, self._inside(source) if isinstance(source, str) else source

    def _slack_form(self, source: Any, equations: Sequence[Theorem]) -> Form:
        if isinstance(source, sympy.Expr | int):
            slack = form_of(term(source))
        else:
            item = source.conclusion if isinstance(source, Theorem) else source
            if not isinstance(item, Node) or item.op not in ("le", "lt", "eq"):
                raise KernelError(f"{item} has no slack; use `at` for what holds for every index")
            slack = form_of(minus(item.args[1], item.args[0]))
        for equation in equations:
            slack = form_of(self._solved(slack, equation))
        return slack


def _divides(form: Form, zero: Form) -> bool:
    """Return whether a form has this one in its denominator."""
    if form.is_polynomial or zero.number is not None:
        return False
    ring = Ring((*form.atoms, *zero.atoms))
    return bool(ring.polynomial(form.den) % ring.polynomial(zero.num) == 0)


def _opened(item: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a formula without its `every`, and the ranges of these, the innermost first."""
    ranges: list[Any] = []
    while isinstance(item, Every):
        ranges.insert(0, (item.index, item.low, item.high))
        item = item.formula
    return item, tuple(ranges)
