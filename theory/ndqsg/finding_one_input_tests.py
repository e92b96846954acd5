r"""`ndqsg/finding-one-input-tests`: one variance test cannot see a narrow dither (arXiv 1904.01197).

A dither of width $w$ has the mean square error $\frac{w^2}{12}+x^2$ for $|x|\le\frac{1-w}2$: nominal at
one input.

Derivation: within the margin all dithers lead to the same cell; beyond it two cells are integrated.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt

from theory.ndqsg.dither_moments import HALF, INPUT, definite, x
from theory.ndqsg.dq_uniform_error import CLAIM as UNIFORM
from theory.ndqsg.dq_uniform_error import w
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import ROUNDING
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_EDGE = (HALF - x) / w
_EXACT = w**2 / 12 + x**2
_FORMULAS = {
    "inner_bias": -x,
    "outer_bias": HALF - _EDGE - x,
    "outer_mse": w**2 / 12 + x**2 + (1 - 2 * x) * (HALF - _EDGE) - w * (Rational(1, 4) - _EDGE**2),
    "blind_input": sqrt((1 - w**2) / 12),
}

_u = Symbol("u", real=True)
_y = Symbol("x", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def inner(order: int) -> Expr:
        return definite((-w * _u - x) ** order, _u, -HALF, HALF)

    def outer(order: int) -> Expr:
        return definite((-w * _u - x) ** order, _u, -HALF, _EDGE) + definite(
            (1 - w * _u - x) ** order, _u, _EDGE, HALF
        )

    return (
        Identity(
            "inner-bias",
            r"For $|x|\le\frac{1-w}2$ all $x+wu$ are rounded to 0: $e=-wu-x$ has the stated mean.",
            inner(1),
            stated["inner_bias"],
        ),
        Identity("inner-mse", r"Its mean square is the stated one.", inner(2), stated["exact"]),
        Identity(
            "outer-bias",
            r"For $\frac{1-w}2\le x\le\frac12$ they are rounded to 1 from $u=(\frac12-x)/w$ on.",
            outer(1),
            stated["outer_bias"],
        ),
        Identity("outer-mse", r"The mean square there is as stated.", outer(2), stated["outer_mse"]),
        Identity(
            "continuous",
            r"At $x=\frac{1-w}2$ the two agree.",
            stated["outer_mse"].subs(x, (1 - w) / 2),
            stated["exact"].subs(x, (1 - w) / 2),
        ),
        Identity(
            "blind",
            r"At the stated input the mean square is exactly nominal.",
            stated["exact"].subs(x, stated["blind_input"]),
            UNIFORM.expressions["exact"],
        ),
        Certificate(
            "blind-inside",
            r"For $w\le\frac12$ that input lies within the margin.",
            stated["blind_input"] ** 2,
            ((1 - w) / 2) ** 2,
            (Term(Rational(1, 3), (1 - w) * (HALF - w), "hypothesis: w is at most one half"),),
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-one-input-tests",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A variance test at a single input does not see a dither of half width",
    statement=(
        r"That the error has the variance $\frac1{12}$ is often tested at one input. A dither of width "
        r"$w\le1$ has the mean square $$\frac{w^2}{12}+x^2\quad\text{and the bias }-x\qquad\Big(|x|\le"
        r"\frac{1-w}2\Big),$$ which is nominal at $x=\sqrt{(1-w^2)/12}$: for half width at $x=\frac14$, "
        r"while it is a quarter of the nominal value at $x=0$ and $\frac74$ of it at $x=\frac12$. What "
        r"holds instead: a test of the law of the error (`UniformityTest`) at several inputs, 0, $\frac14$ "
        r"and $\frac12$ among them, rejects it, and so does a test of the bias at $x=\frac14$."
    ),
    variables=(INPUT, *(item for item in UNIFORM.variables if item.symbol == w)),
    assumptions=(
        r"The dither is uniform of width $w\le1$; sender and receiver use the same.",
        ROUNDING,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "half width at a quarter: the mean square is nominal",
            {"w": HALF, "x": Rational(1, 4)},
            Rational(1, 12),
        ),
        WorstCase("half width on the grid", {"w": HALF, "x": Integer(0)}, Rational(1, 48)),
        WorstCase("width 9/10 on the grid", {"w": Rational(9, 10), "x": Integer(0)}, Rational(27, 400)),
    ),
    mutants=(
        Mutant(
            "honest-dither",
            "Use the dither of full width: its mean square does not depend on the input.",
            ("exact",),
        ),
        Mutant(
            "one-input",
            r"Test the mean square at $x=\frac14$ only and take it for a proof: with the half-width dither "
            r"the other inputs disagree.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "uniform-half-width",
            "Claim that the law of the error is uniform for half width, too.",
            ("montecarlo",),
        ),
        Mutant(
            "shifted-input", "Shift the input by whole steps: nothing may change.", ("exact",), neutral=True
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
