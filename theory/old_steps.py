"""Steps of a derivation, as objects that `verify` can discharge.

Nothing is proved here: a step states what has to be checked and how.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy import Expr
    from sympy.logic.boolalg import Boolean


@dataclass(frozen=True)
class Term:
    """One product of a certificate: a nonnegative multiplier times a nonnegative slack.

    Args:
        multiplier: Expression whose sign follows from the assumptions of its symbols.
        slack: Expression that is nonnegative by a hypothesis or by its form.
        because: Why the slack is nonnegative where that does not follow from its form: the names of other
            steps of the derivation, separated by commas, or `hypothesis: ` and an assumption of the claim
            or the definition of a symbol. A single named `ScalarLemma` must have this slack, by the names
            of the symbols.
    """

    multiplier: Expr
    slack: Expr
    because: str


@dataclass(frozen=True)
class Identity:
    """An equation: lhs - rhs has the polynomial normal form zero."""

    name: str
    statement: str
    lhs: Expr
    rhs: Expr


@dataclass(frozen=True)
class Certificate:
    """A proof of lhs <= rhs: rhs - lhs equals the sum of multiplier * slack identically."""

    name: str
    statement: str
    lhs: Expr
    rhs: Expr
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class ScalarLemma:
    """An inequality in a few real variables, for an SMT solver.

    The solver alone gives the grade `numerical`; a second solver or the rational
    certificate (goal's larger minus smaller side equals the sum of the terms) gives `proof`.
    """

    name: str
    statement: str
    hypotheses: tuple[Boolean, ...]
    goal: Boolean
    certificate: tuple[Term, ...] = ()


@dataclass(frozen=True)
class StandardFact:
    """A textbook fact that is cited, not checked; the proof is then modulo this fact."""

    name: str
    statement: str
    reference: str


Step = Identity | Certificate | ScalarLemma | StandardFact
