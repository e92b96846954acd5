"""The Cauchy-Schwarz inequality: coordinate by coordinate, and as a fact."""

from sympy import Expr, Symbol

from theory.old_steps import Certificate, Identity, StandardFact, Term

CAUCHY_SCHWARZ = StandardFact(
    "cauchy-schwarz",
    r"$\big(\sum_ja_jb_j\big)^2\le\sum_ja_j^2\,\sum_jb_j^2$ in any dimension, with equality iff $a$ and $b$ "
    r"are parallel.",
    "J. M. Steele, The Cauchy-Schwarz Master Class, chapter 1",
)


def any_dimension(name: str, a: Expr, b: Expr) -> tuple[Certificate, Identity]:
    r"""Return Cauchy-Schwarz in any dimension, coordinate by coordinate.

    With $A=\|a\|>0$ and $B=\|b\|>0$ each product is at most $\frac B{2A}a_j^2+\frac A{2B}b_j^2$; the sum
    over all coordinates of the right side is $AB$.

    Args:
        name: Prefix of the names of both steps.
        a: A coordinate of the first vector.
        b: The same coordinate of the second vector.
    """
    A, B = Symbol("A", positive=True), Symbol("B", positive=True)
    young = Certificate(
        f"{name}-coordinate",
        r"$a_jb_j\le\frac B{2A}a_j^2+\frac A{2B}b_j^2$ for $A,B>0$.",
        a * b,
        B / (2 * A) * a**2 + A / (2 * B) * b**2,
        (Term(1 / (2 * A * B), (B * a - A * b) ** 2, "square of a real number"),),
    )
    total = Identity(
        f"{name}-sum",
        r"With $\sum_ja_j^2=A^2$ and $\sum_jb_j^2=B^2$ the right sides add up to $AB$.",
        B / (2 * A) * A**2 + A / (2 * B) * B**2,
        A * B,
    )
    return young, total
