"""Rules for functions, rewriting, citations and solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.kernel.axioms import axiom
from verify.kernel.bridge import formula, term
from verify.kernel.inequalities.definedness import obligations
from verify.kernel.node import TERMS, ZERO, KernelError, Node
from verify.kernel.normal.forms import form_of
from verify.kernel.relations import relation_of
from verify.kernel.rules import Rules
from verify.kernel.text import text
from verify.kernel.theorem import Cited, Theorem


class Analysis(Rules):
    """Rules of logic and algebra, and of functions."""

    def axiom(self, name: str, *arguments: Any) -> Theorem:
        """Return a defining property of a function."""
        hypotheses, conclusion = axiom(name, tuple(map(term, arguments)))
        return self._made(f"axiom {name}", hypotheses, conclusion)

    def power(self, theorem: Theorem, exponent: Any) -> Theorem:
        """From `0 <= a <= b` conclude `a**r <= b**r` for positive r, from `0 < a <= b` `b**r <= a**r`
        for negative.
        """
        left, right, op = self._sides(theorem)
        value = term(exponent)
        if value.op != "num" or value.args[0] == 0:
            raise KernelError(f"exponent={exponent!r} must be a rational number that is not 0")
        rises = value.args[0] > 0
        needed = [Node("le" if rises else "lt", ZERO, left)]
        a, b = Node("pow", left, value), Node("pow", right, value)
        return self._made("power", needed, Node(op, *((a, b) if rises else (b, a))), theorem)

    def log(self, theorem: Theorem) -> Theorem:
        """Take logarithms on both sides of `0 < a <= b`."""
        left, right, op = self._sides(theorem)
        a, b = Node("fn", "log", left), Node("fn", "log", right)
        return self._made("log", [Node("lt", ZERO, left)], Node(op, a, b), theorem)

    def exp(self, theorem: Theorem) -> Theorem:
        """Apply the exponential function to both sides of `a <= b`."""
        left, right, op = self._sides(theorem)
        return self._made("exp", (), Node(op, Node("fn", "exp", left), Node("fn", "exp", right)), theorem)

    def floor(self, theorem: Theorem) -> Theorem:
        """Round both sides of `a <= b` down."""
        left, right, _ = self._sides(theorem)
        return self._made(
            "floor", (), Node("le", Node("fn", "floor", left), Node("fn", "floor", right)), theorem
        )

    def _sides(self, theorem: Theorem) -> tuple[Node, Node, str]:
        self._register.check(theorem)
        op = theorem.conclusion.op
        if op not in ("le", "lt"):
            raise KernelError(f"{text(theorem.conclusion)} is no inequality")
        return theorem.conclusion.args[0], theorem.conclusion.args[1], op

    def rewrite(self, theorem: Theorem, equation: Theorem, side: str = "both") -> Theorem:
        """Replace the left side of an equation by its right side in the conclusion, or on one side of it."""
        self._register.check(theorem, equation)
        if equation.conclusion.op != "eq":
            raise KernelError(f"{text(equation.conclusion)} is no equation")
        old, new = equation.conclusion.args
        conclusion = theorem.conclusion
        if side == "both":
            result = _replaced(conclusion, old, new)
        elif side in ("left", "right") and conclusion.op in ("le", "lt", "eq", "ne"):
            sides = list(conclusion.args)
            place = ("left", "right").index(side)
            sides[place] = _replaced(sides[place], old, new)
            result = Node(conclusion.op, *sides)
        else:
            raise KernelError(f"side={side!r} must be 'both', 'left' or 'right' of a comparison")
        if result == conclusion:
            raise KernelError(f"{text(old)} does not stand in {text(conclusion)} where it could be replaced")
        return self._made("rewrite", (), result, theorem, equation)

    # ---------------------------------------------------------------- citations, solvers

    def cite(self, item: Any, reference: str, under: Sequence[Any] = ()) -> Theorem:
        """Return a formula from the literature, valid wherever the formulas `under` hold."""
        from verify.kernel.instances.attack import refuted

        if not isinstance(reference, str) or not reference.strip():
            raise KernelError("a citation needs a reference")
        conclusion = formula(item)
        hypotheses = tuple(map(formula, under))
        needed = tuple(
            dict.fromkeys((*hypotheses, *(o for h in (*hypotheses, conclusion) for o in obligations(h))))
        )
        problem = refuted(needed, conclusion)
        if problem:
            raise KernelError(f"the cited formula {text(conclusion)} is refused: {problem}")
        cited = Cited(conclusion, hypotheses, reference)
        left, used = self._settled(needed)
        own = [h for fact in used for h in fact.hypotheses]
        return self._register.make("cite", (*own, *left), conclusion, tuple(used), (cited,))

    def smt(self, hypotheses: Sequence[Any], goal: Any) -> Theorem:
        """Return a small inequality in real numbers that SMT solvers decide."""
        from verify.evidence.smt_solver import prove, second_opinion

        aim, given = formula(goal), tuple(map(formula, hypotheses))
        relations, wanted = [relation_of(item) for item in given], relation_of(aim)
        answer = prove(relations, wanted)
        if answer != "proved":
            raise KernelError(f"the solver answers {answer!r} to {text(aim)}")
        opinion = second_opinion(relations, wanted)
        if opinion == "refuted":
            raise KernelError(f"two solvers disagree on {text(aim)}")
        return self._made("smt", given, aim, numerical=opinion != "proved")


def _replaced(node: Node, old: Node, new: Node) -> Node:
    """Replace a term wherever none of the names in it is bound."""
    names = old.free | new.free
    wanted = form_of(old)

    def walk(item: Node) -> Node:
        if item == old or (
            item.op in TERMS and item.op != "num" and item.op == old.op and form_of(item) == wanted
        ):
            return new
        return Node(item.op, *(inner(arg, item) for arg in item.args))

    def inner(arg: Any, parent: Node) -> Any:
        if not isinstance(arg, Node):
            return arg
        if parent.op in ("sum", "every") and arg is parent.args[-1] and ("name", parent.args[0]) in names:
            return arg
        if parent.op in ("mean", "family"):
            return arg
        return walk(arg)

    return walk(node)
