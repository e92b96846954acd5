r"""`ndqsg/finding-sparse-gradients`: dithering loses on sparse gradients (arXiv 1904.01197).

With $m$ nonzero coordinates among $d$ the variance of DQSG is at least $\frac d{3m}$ times that of stochastic
rounding with the same step.

Derivation: stochastic rounding makes no error at exact zeros and at most $\frac{\delta^2}4$ elsewhere.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.instance import instance
from theory.ndqsg.dither_moments import HALF
from theory.ndqsg.paper import PAPER
from theory.ndqsg.sr_versus_dqsg import CLAIM as ORDERING
from theory.ndqsg.symbols import DIMENSION, DITHER, ROUNDING, M, d, g, kappa
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

m = Symbol("m", integer=True, positive=True)

_BOUND = d / (3 * m)
_FORMULAS = {"sparsest_win": d / 3}

_k = Symbol("kappa", positive=True)
_ps = symbols("p_1:3", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    size = 5
    # Two nonzero coordinates among five.
    values = {d: size, kappa: _k, g: [_k / M * q for q in _ps] + [0] * (size - 2)}
    rounding = instance(ORDERING.expressions["exact"], values, _ps)
    dithered = instance(ORDERING.expressions["dqsg"], values)
    factor = stated["bound"].xreplace({d: Integer(size), m: Integer(2)})
    return (
        Certificate(
            "ratio",
            r"The variance of stochastic rounding times the stated factor is at most that of DQSG: zeros "
            rf"add nothing, the others at most $\frac{{\delta^2}}4$ (shown for 2 of {size} coordinates, with "
            r"phases $p_j$).",
            factor * rounding,
            dithered,
            tuple(Term(factor * (_k / M) ** 2, (q - HALF) ** 2, "square of a real number") for q in _ps),
        ),
        Identity(
            "any-support",
            r"The same balance for any number of nonzeros: $\frac d{3m}\cdot m\frac{\delta^2}4$ is the "
            r"variance of DQSG.",
            stated["bound"] * m * (kappa / M) ** 2 / 4,
            ORDERING.expressions["dqsg"],
        ),
        Identity(
            "break-even",
            r"The factor is 1 at the stated number of nonzeros: below a third of the coordinates stochastic "
            r"rounding always wins.",
            stated["bound"].subs(m, stated["sparsest_win"]),
            Integer(1),
        ),
        SUMMATION,
    )


CLAIM = Claim(
    id="ndqsg/finding-sparse-gradients",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Subtractive dithering loses on sparse gradients",
    statement=(
        r"DQSG is presented as the better quantizer of a given step. For a gradient with $m$ nonzero "
        r"coordinates among $d$ its variance is at least $$\frac d{3m}$$ times that of stochastic rounding "
        r"with the same step and the same index stream: rounding makes no error at exact zeros, dithering "
        r"adds $\frac{\delta^2}{12}$ there as everywhere. With 50 Gaussian quantiles among 950 zeros it is "
        r"10 times as large, at $M=1$ and at $M=3$. What holds instead: DQSG wins on spread gradients (45 % "
        r"less at the Gaussian quantiles with $M=1$), and below a third of nonzeros, $m\le\frac d3$, "
        r"rounding is never worse."
    ),
    variables=(DIMENSION, Variable(m, r"\{1,\dots,d\}", "number of nonzero coordinates")),
    assumptions=(DITHER, ROUNDING, r"$\kappa=\|g\|_\infty$, one block; the same $M$ for both."),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("a twentieth of the coordinates", {"d": 1000, "m": 50}, Rational(20, 3)),
        WorstCase("all coordinates: DQSG may win by a factor 3", {"d": 1000, "m": 1000}, Rational(1, 3)),
    ),
    mutants=(
        Mutant(
            "forget-zeros",
            r"Count the nonzero coordinates only in the variance of DQSG.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "spread-gradient",
            "Take the spread Gaussian quantiles for the sparse vector: there DQSG wins.",
            ("exact", "montecarlo"),
        ),
        Mutant("moved-zeros", "Put the zeros elsewhere: nothing may change.", ("exact",), neutral=True),
    ),
    bound=_BOUND,
    formulas=_FORMULAS,
)
