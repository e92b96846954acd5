r"""The proof kernel as derivations see it: `derive(K)` receives an object with these methods.

A theorem reads: *for all values of its names, wherever its hypotheses hold, its conclusion is defined and
holds*. Theorems are made by these rules only (`verify/kernel`), and only theorems can be used. Every sign,
domain or integer fact that a rule needs becomes a hypothesis of what it makes, unless it follows by form.

Expressions are sympy expressions, formulas those of `theory.formula`, expectations those of
`theory.expectation`. Symbols carry no assumption but `real=True`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from theory.formula import Compare, Formula

Range = tuple[Any, Any, Any]
"""An index with its first and last value: (j, 0, d - 1)."""


class Theorem(Protocol):
    """What the kernel has proved."""

    @property
    def hypotheses(self) -> Sequence[Any]:
        """Return the formulas under which it holds."""

    @property
    def conclusion(self) -> Any:
        """Return the formula that holds."""

    @property
    def cited(self) -> Sequence[Any]:
        """Return the cited formulas on which it rests."""


class Kernel(Protocol):
    """The rules."""

    # ---------------------------------------------------------------- hypotheses

    def given(self, name: str, place: int = 0) -> Theorem:
        """Return a hypothesis of the claim as a theorem; `place` where it has several formulas.

        In `cert`, `show`, `at`, `sum_over`, `put_in`, `know` and `using` its name alone will do. In
        `cert`, `show`, `sum_over` and `put_in` an `every` is taken at its own indices: there "steps"
        is `K.at("steps", j)`.
        """

    def assume(self, formula: Formula) -> Theorem:
        """Return `formula` under the hypothesis `formula`."""

    def index(self, *ranges: Range) -> None:
        """Let indices stand for integers of a range, from here on: `K.index((i, 0, n - 1))`; `oo` has no end.

        Theorems on them have that as hypotheses until they are concluded for every index (`every`, `show`) or
        added up (`sum_over`).
        """

    def example(self, values: Mapping[Any, Any]) -> None:
        """Offer an exact instance of the hypotheses, where random search finds none or none that says much.

        By symbol: numbers; for families sequences, nested for several indices, or `{place: value}`. Names
        that an equation of the hypotheses defines may be left out. It is no hypothesis: what is concluded
        holds without it; but a relation that is concluded may not be false, or said of an empty range, at an
        instance that is found. May be said several times.
        """

    def cite(self, formula: Formula, reference: str, under: Sequence[Formula] = ()) -> Theorem:
        """Return a formula from the literature, valid wherever the formulas `under` hold."""

    # ---------------------------------------------------------------- algebra

    def identity(self, left: Any, right: Any) -> Theorem:
        """Return `left = right`, whose difference has the normal form zero."""

    def put_in(self, expression: Any, *equations: Any) -> Theorem:
        """Return that an expression is what it becomes by rewriting with these equations in turn."""

    def cert(self, goal: Compare, *terms: Any, using: Sequence[Any] = (), squared: bool = False) -> Theorem:
        """Return the goal as the sum of multiplier times slack.

        Args:
            goal: `a <= b`, `a < b` or `a = b`; b - a must equal the sum identically.
            terms: (multiplier, theorem) or (multiplier, expression that is at least 0 by its form). The
                slack of a theorem is its right minus its left side. Multipliers are at least 0 by sign; those
                of equations may have any sign. A strict goal needs a strict theorem with a positive
                multiplier, or a positive number left over. A theorem alone: its multiplier is found by
                linear algebra, and what is left over may be an expression that is at least 0 by its form.
            using: Equations for names, which are put in first.
            squared: The terms show the goal for the squares of its sides, whose sum is positive.
        """

    def sign(self, goal: Compare) -> Theorem:
        """Return `0 <= t`, `0 < t` or `t != 0` (or a comparison of two sides) by the form of the difference.

        The signs of names come from the hypotheses of the claim and from theorems made known by `know`.
        """

    def know(self, *theorems: Theorem) -> None:
        """Let `sign` and the obligations of all later rules use these theorems."""

    # ---------------------------------------------------------------- logic

    def instantiate(self, theorem: Theorem, values: Mapping[Any, Any]) -> Theorem:
        """Put expressions for symbols, and functions of the indices for families, at once.

        `{a: 2 * t, x: lambda j: y[j] / N}`.
        """

    def discharge(self, theorem: Theorem, *proofs: Theorem) -> Theorem:
        """Remove hypotheses that the proofs conclude."""

    def every(self, theorem: Theorem, *ranges: Range) -> Theorem:
        """Conclude it for every index of the range; hypotheses that mention the index become `every`, too."""

    def at(self, theorem: Theorem, *places: Any) -> Theorem:
        """Take an `every` (or `every family`) at these places, the outermost first."""

    def cases(self, term: Any, at_most_zero: Theorem, positive: Theorem) -> Theorem:
        """Join theorems with one conclusion under `term <= 0` and `0 < term`."""

    def induction(self, index: Any, base: Theorem, step: Theorem, low: Any = 0) -> Theorem:
        """Return the formula for every integer `index` >= low.

        `step` concludes it at index + 1 and may have it at `index` among its hypotheses; `base` concludes it
        at `low`.
        """

    # ---------------------------------------------------------------- sums and expectations

    def sum_over(self, theorem: Theorem, *ranges: Range) -> Theorem:
        """Add an equation or inequality over the indices, the first range innermost."""

    def split_off(self, total: Any, place: Any = None) -> Theorem:
        """Return `Sum(f, (i, a, b)) = f(b) + Sum(f, (i, a, b - 1))`, or the same with the term at `place`."""

    # ---------------------------------------------------------------- functions

    def rewrite(self, theorem: Theorem, equation: Theorem) -> Theorem:
        """Replace the left side of an equation by its right side wherever it stands in the conclusion."""

    def power(self, theorem: Theorem, exponent: Any) -> Theorem:
        """From `0 <= a <= b` (or `<`) conclude `a**r <= b**r` for a positive rational r."""

    def floor(self, theorem: Theorem) -> Theorem:
        """Round both sides of `a <= b` down."""

    def log(self, theorem: Theorem) -> Theorem:
        """Take logarithms on both sides of `0 < a <= b`."""

    def exp(self, theorem: Theorem) -> Theorem:
        """Apply the exponential function to both sides of `a <= b`."""

    def axiom(self, name: str, *arguments: Any) -> Theorem:
        """Return a defining property of a function; `verify.kernel.axioms` lists them by name."""

    # ---------------------------------------------------------------- solvers, conclusion

    def smt(self, hypotheses: Sequence[Formula], goal: Compare) -> Theorem:
        """Return a small inequality that SMT solvers decide; one solver alone makes it `numerical`."""

    def links(self, relation: str) -> tuple[Any, ...]:
        """Return the formulas that a relation of the claim is, one for each link of its chain."""

    def show(self, relation: str, *terms: Any, using: Sequence[Any] = (), squared: bool = False) -> Any:
        """Certify a relation of the claim by these terms, for every index of it, and conclude it.

        For a chain, what is given is for each link a list of terms, or a theorem that concludes it. Returns
        what was certified, without the `every` of the relation.
        """

    def conclude(self, relation: str, *theorems: Theorem) -> None:
        """State that the theorems are the relation of the claim, link by link of its chain.

        Each conclusion must be the relation, and each hypothesis one of the claim's or true by form.
        """
