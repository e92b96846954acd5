r"""`ndqsg/dqsg-variance`: exact variance of DQSG, and its relation to the gradient (arXiv 1904.01197).

Given $g$: $\mathbb E\hat g=g$ and $\mathbb E\|\hat g-g\|^2=\frac1{12M^2}\sum_b\kappa_b^2d_b$, an equality,
between $\frac1{12M^2}\|g\|^2$ and $\omega\|g\|^2$.

Derivation: the error of a coordinate is $\delta$ times a uniform variable, and $\|g_b\|^2\le d_b\kappa_b^2\le
d_b\|g_b\|^2$.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Rational, Sum, Symbol, symbols

from theory.instance import instance
from theory.ndqsg.dither_moments import HALF, error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import (
    DIMENSION,
    DITHER,
    LEVELS,
    OMEGA,
    ROUNDING,
    SCALE,
    M,
    d,
    g,
    j,
    kappa,
    omega,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE

B = Symbol("B", integer=True, positive=True)
scales = IndexedBase("kappa_b", nonnegative=True)
sizes = IndexedBase("d_b", integer=True, positive=True)

GRADIENT = Variable(g, r"\mathbb R^d", "gradient", "(d,)")
BLOCKS = (
    Variable(B, r"\mathbb N", "number of blocks"),
    Variable(scales, r"\mathbb R_{\ge0}^B", r"scales $\kappa_b=\|g_b\|_\infty$ of the blocks", "(B,)"),
    Variable(sizes, r"\mathbb N^B", r"lengths $d_b$ of the blocks, $\sum_bd_b=d$", "(B,)"),
)

_SQUARES = Sum(g[j] ** 2, (j, 0, d - 1))
_EXACT = Sum(scales[j] ** 2 * sizes[j], (j, 0, B - 1)) / (12 * M**2)
_BOUND = omega * _SQUARES
_FORMULAS = {
    "block_omega": sizes[j] / (12 * M**2),
    "lower": _SQUARES / (12 * M**2),
    "largest_error": kappa / (2 * M),
    "largest_value": kappa * (1 + 1 / (2 * M)),
}

_gs = symbols("g_1:4", real=True)
_k1, _k2 = symbols("kappa_1 kappa_2", nonnegative=True)
_s1, _s2 = symbols("d_1 d_2", integer=True, positive=True)
_SCALE = "hypothesis: kappa_b is the largest absolute value in its block"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    # Blocks of two coordinates and one.
    two = instance(stated["exact"], {B: 2, scales: (_k1, _k2), sizes: (2, 1)})
    peaked = (_k1, _gs[1], _k2)
    above = instance(stated["bound"], {d: 3, g: peaked})
    widest = instance(stated["block_omega"], {j: 0, sizes: (2, 1)})
    unit = 1 / (12 * M**2)
    return (
        Identity(
            "coordinate",
            r"One coordinate: $\hat g-g=\frac\kappa Me$ with the variance $\frac1{12}$ of $e$.",
            (_k1 / M) ** 2 * error_moment(2),
            instance(stated["exact"], {B: 1, scales: (_k1,), sizes: (1,)}),
        ),
        INDEPENDENCE,
        Identity(
            "blocks",
            r"The variances add up, over a block and over the blocks.",
            instance(stated["exact"], {B: 2, scales: (_k1, _k2), sizes: (_s1, _s2)}),
            (_s1 * (_k1 / M) ** 2 + _s2 * (_k2 / M) ** 2) * error_moment(2),
        ),
        Certificate(
            "upper",
            r"At most $\omega\|g\|^2$: $\kappa_b^2$ is one of the squares of its block (shown for blocks of "
            r"2 and 1 coordinates).",
            two,
            above,
            (
                Term(
                    sum(item**2 for item in peaked),
                    omega - widest,
                    "hypothesis: omega is the largest of the blocks' d_b / (12 M^2)",
                ),
                Term(2 * unit, _gs[1] ** 2, "square of a real number"),
                Term(unit, _k2**2, "square of a real number"),
            ),
        ),
        Identity(
            "attained",
            r"A single nonzero coordinate in a largest block attains it.",
            instance(stated["exact"], {B: 2, scales: (_k1, 0), sizes: (2, 1)}),
            instance(stated["bound"], {d: 3, g: (_k1, 0, 0)}).xreplace({omega: widest}),
        ),
        Certificate(
            "lower",
            r"At least $\frac1{12M^2}\|g\|^2$.",
            instance(stated["lower"], {d: 3, g: _gs}),
            two,
            (
                Term(unit, _k1**2 - _gs[0] ** 2, _SCALE),
                Term(unit, _k1**2 - _gs[1] ** 2, _SCALE),
                Term(unit, _k2**2 - _gs[2] ** 2, _SCALE),
            ),
        ),
        Certificate(
            "partition",
            r"One block of the whole vector, with the scale $\kappa\ge\kappa_b$, has at least that variance: "
            r"a partition never increases the total.",
            instance(stated["exact"], {B: 2, scales: (_k1, _k2), sizes: (_s1, _s2)}),
            instance(stated["exact"], {B: 1, scales: (kappa,), sizes: (_s1 + _s2,)}),
            (
                Term(_s1 * unit, kappa**2 - _k1**2, "hypothesis: kappa is the largest of all"),
                Term(_s2 * unit, kappa**2 - _k2**2, "hypothesis: kappa is the largest of all"),
            ),
        ),
        Identity(
            "largest-error",
            r"Surely $|\hat g-g|\le\frac\delta2$, the stated value: $|e|\le\frac12$.",
            kappa / M * HALF,
            stated["largest_error"],
        ),
        Identity(
            "largest-value",
            r"So $|\hat g|\le\kappa+\frac\delta2$, the stated value.",
            kappa + stated["largest_error"],
            stated["largest_value"],
        ),
        SUMMATION,
    )


_FIRST = (3, -1, HALF, 0)

CLAIM = Claim(
    id="ndqsg/dqsg-variance",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="Exact variance of DQSG and its relative bounds",
    statement=(
        r"Given $g$: $\mathbb E\hat g=g$, the errors of the coordinates are independent and uniform on "
        r"$\pm\frac{\kappa}{2M}$, and $$\mathbb E\|\hat g-g\|^2=\frac1{12M^2}\sum_b\kappa_b^2d_b,\qquad"
        r"\frac1{12M^2}\|g\|^2\le\mathbb E\|\hat g-g\|^2\le\omega\|g\|^2,\qquad"
        r"\omega=\max_b\frac{d_b}{12M^2};$$ surely $\|\hat g-g\|_\infty\le\frac\kappa{2M}$ and $|\hat "
        r"g_j|\le\kappa(1+\frac1{2M})$. The upper bound is attained by a single nonzero coordinate in a "
        r"largest block, the lower one by equal moduli in one block. A partition into blocks never "
        r"increases the total."
    ),
    variables=(DIMENSION, LEVELS, GRADIENT, *BLOCKS, OMEGA, SCALE),
    assumptions=(DITHER, ROUNDING, r"$\kappa_b$ is the transmitted scale, here exactly $\|g_b\|_\infty$."),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "one block",
            {"kappa_b": (3,), "d_b": (4,), "B": 1, "M": 2},
            Rational(3, 4),
        ),
        WorstCase(
            "two blocks of the same vector",
            {"kappa_b": (3, HALF), "d_b": (2, 2), "B": 2, "M": 2},
            Rational(37, 96),
        ),
        WorstCase(
            "a single nonzero coordinate of 64: the upper bound",
            {"kappa_b": (1,), "d_b": (64,), "B": 1, "M": 1},
            Rational(16, 3),
        ),
    ),
    mutants=(
        Mutant(
            "stochastic-rounding",
            r"Do not subtract the dither: the variance depends on the fractional parts.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "narrow-step",
            r"The step $\frac2{2M+1}$ without a wider range: the index overflows at $|x|=1$, clipped it is "
            r"biased.",
            ("exact",),
        ),
        Mutant(
            "clipped-value",
            r"Clip the decoded value to $[-\kappa,\kappa]$: biased by $-\frac\Delta8$ at $x=1$, with a "
            r"smaller mean square.",
            ("exact",),
        ),
        Mutant(
            "euclidean-scale",
            r"Scale by $\|g\|_2$: the variance grows by $\|g\|_2^2/\|g\|_\infty^2$.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "average-block",
            r"Take the average length of a block in $\omega$ instead of the largest.",
            ("adversarial",),
        ),
        Mutant(
            "reversed", "Reverse the order of the coordinates: nothing may change.", ("exact",), neutral=True
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
