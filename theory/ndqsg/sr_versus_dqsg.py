r"""`ndqsg/sr-versus-dqsg`: stochastic rounding against subtractive dithering (arXiv 1904.01197).

Without the subtraction the variance of a coordinate is $\delta^2p(1-p)$, $p=\{M|g_j|/\kappa\}$, between 0 and
three times $\delta^2/12$; the indices have the same law.

Derivation: $Q(x+u)$ is a two-point rounding, $p(1-p)\le\frac14$; for the Euclidean scale $p(1-p)\le p\le u_j$
and Cauchy-Schwarz.
"""

from collections.abc import Mapping
from itertools import combinations

from sympy import Abs, Expr, Integer, Rational, Sum, Symbol, floor, sqrt, symbols

from theory.instance import instance
from theory.ndqsg.dither_moments import HALF, definite, error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.protocol_desync import PERIODIC
from theory.ndqsg.symbols import DIMENSION, DITHER, LEVELS, ROUNDING, SCALE, M, d, g, j, kappa
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

s = Symbol("s", integer=True, positive=True)
norm = Symbol("norm", positive=True)


def _total(term: Expr) -> Sum:
    return Sum(term, (j, 0, d - 1))


def _rounding(level: Expr) -> Expr:
    fraction = level - floor(level)
    return fraction * (1 - fraction)


_EXACT = (kappa / M) ** 2 * _total(_rounding(M * Abs(g[j]) / kappa))
_BOUND = d * kappa**2 / (4 * M**2)
_FORMULAS = {
    "dqsg": d * kappa**2 / (12 * M**2),
    "one_level": kappa * _total(Abs(g[j])) - _total(g[j] ** 2),
    "euclidean": (norm / s) ** 2 * _total(_rounding(s * Abs(g[j]) / norm)),
    "euclidean_fine": d / s**2 * norm**2,
    "euclidean_coarse": sqrt(d) / s * norm**2,
}

_SIZE = 3
_ms = symbols("m_1:4", integer=True, nonnegative=True)
_ps = symbols("p_1:4", nonnegative=True)
_k = Symbol("kappa", positive=True)
_ABOVE = "hypothesis: M |g_j| / kappa has the fractional part p_j < 1"
_EUCLIDEAN = "hypothesis: norm is the Euclidean norm of g"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    levels = [m + q for m, q in zip(_ms, _ps, strict=True)]
    shape = {d: _SIZE, kappa: _k, g: [_k / M * level for level in levels]}
    variance = instance(stated["exact"], shape, _ps)
    # p < 1 written as 1/(1+t), so that the sign of p (1 - p) is visible, or p = 0.
    below_one = {d: _SIZE, kappa: _k, g: [_k * q for q in _ps], M: Integer(1)}
    euclidean = instance(stated["euclidean"], {d: _SIZE, g: [norm / s * level for level in levels]}, _ps)
    fine = instance(stated["euclidean_fine"], {d: _SIZE})
    coarse = instance(stated["euclidean_coarse"], {d: _SIZE})
    unit = (norm / s) ** 2
    top, root = sum(levels), sqrt(_SIZE) * s
    return (
        PERIODIC,
        INDEPENDENCE,
        Identity(
            "coordinate",
            r"Two-point rounding of $m+p$ has the variance $p(1-p)$ steps squared (shown for three "
            r"coordinates).",
            sum(expectation(lambda up, q=q: (up - q) ** 2, q) for q in _ps) * (_k / M) ** 2,
            variance,
        ),
        Identity(
            "dqsg",
            r"With the subtraction every coordinate has $\frac{\delta^2}{12}$.",
            d * (kappa / M) ** 2 * error_moment(2),
            stated["dqsg"],
        ),
        Certificate(
            "worst",
            r"$p(1-p)\le\frac14$: at most the stated bound, three times the variance of DQSG.",
            variance,
            instance(stated["bound"], shape),
            tuple(Term((_k / M) ** 2, (q - HALF) ** 2, "square of a real number") for q in _ps),
        ),
        Identity("three", r"The bound is three times that variance.", stated["bound"], 3 * stated["dqsg"]),
        Identity(
            "average",
            r"Averaged over the phase the variance is $\frac16$, two times that of DQSG.",
            definite(_ps[0] * (1 - _ps[0]), _ps[0], Integer(0), Integer(1)),
            2 * error_moment(2),
        ),
        Identity(
            "one-level",
            r"At $M=1$ it is $\kappa\|g\|_1-\|g\|_2^2$ (at $|g_j|<\kappa$; a coordinate at $\pm\kappa$ adds "
            r"0 to both).",
            instance(stated["exact"], below_one, _ps),
            instance(stated["one_level"], below_one),
        ),
        Identity(
            "euclidean",
            r"With the Euclidean scale and $s$ levels the variance is as stated.",
            euclidean,
            unit * sum(expectation(lambda up, q=q: (up - q) ** 2, q) for q in _ps),
        ),
        Certificate(
            "euclidean-fine",
            r"It is at most $\frac d{s^2}\|g\|^2$.",
            euclidean,
            fine,
            tuple(
                term
                for q in _ps
                for term in (
                    Term(unit, (q - HALF) ** 2, "square of a real number"),
                    Term(unit, Rational(3, 4), "a positive number"),
                )
            ),
        ),
        Certificate(
            "euclidean-coarse",
            r"It is at most $\frac{\sqrt d}s\|g\|^2$: $p(1-p)\le p\le u_j=s|g_j|/\|g\|$ and "
            r"$(\sum_ju_j)^2\le ds^2$ by Cauchy-Schwarz.",
            euclidean,
            coarse,
            (
                *(Term(unit, q**2, "square of a real number") for q in _ps),
                *(Term(unit, m, "an integer part") for m in _ms),
                *(
                    Term(unit / (root + top), (a - b) ** 2, "square of a real number")
                    for a, b in combinations(levels, 2)
                ),
                Term(
                    _SIZE * unit / (root + top),
                    s**2 - sum(level**2 for level in levels),
                    _EUCLIDEAN,
                ),
            ),
        ),
        SUMMATION,
    )


_FIRST = (3, -1, HALF, 0)

CLAIM = Claim(
    id="ndqsg/sr-versus-dqsg",
    paper=PAPER,
    kind="ordering",
    provenance="rederived",
    title="Stochastic rounding against DQSG: between 0 and three times the variance",
    statement=(
        r"Stochastic rounding with the same step and no subtraction, $\hat g=\delta\,Q(Mg/\kappa+u)$, has "
        r"$$\mathbb E\|\hat g-g\|^2=\delta^2\sum_jp_j(1-p_j)\le\frac{d\kappa^2}{4M^2},\qquad "
        r"p_j=\Big\{\frac{M|g_j|}\kappa\Big\},$$ between 0 and three times the variance "
        r"$\frac{d\kappa^2}{12M^2}$ of DQSG, on average over the phase two times. The indices of the two "
        r"have the same law, so DQSG wins at equal plain coding iff $\frac1d\sum_jp_j(1-p_j)>\frac1{12}$: "
        r"on spread gradients, not on sparse ones. At $M=1$ stochastic rounding has "
        r"$\kappa\|g\|_1-\|g\|_2^2$. With the Euclidean scale and $s$ levels (QSGD) it has "
        r"$\frac{\|g\|^2}{s^2}\sum_jp_j(1-p_j)\le\min\big(\frac d{s^2},\frac{\sqrt d}s\big)\|g\|^2$."
    ),
    variables=(
        DIMENSION,
        LEVELS,
        SCALE,
        Variable(g, r"\mathbb R^d", "gradient", "(d,)"),
        Variable(s, r"\mathbb N", "levels of QSGD"),
        Variable(norm, r"\mathbb R_{>0}", "Euclidean norm of $g$"),
    ),
    assumptions=(DITHER, ROUNDING, r"$\kappa=\|g\|_\infty>0$, one block."),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("one level", {"g": _FIRST, "kappa": 3, "M": 1, "d": 4}, Rational(13, 4)),
        WorstCase(
            "one coordinate 1 and half steps elsewhere: nearly three times DQSG",
            {"g": (1, HALF, HALF, HALF), "kappa": 1, "M": 1, "d": 4},
            Rational(3, 4),
        ),
        WorstCase(
            "a point of the grid: no error at all",
            {"g": (1, 0, 0, 0), "kappa": 1, "M": 1, "d": 4},
            Integer(0),
        ),
    ),
    mutants=(
        Mutant(
            "average-phase",
            r"Use the average $\frac{\delta^2}6$ for every coordinate of stochastic rounding.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "forget-zeros",
            r"Count the nonzero coordinates only in the variance of DQSG.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "two-fold-bound",
            r"Claim at most $2D$ for a coordinate of stochastic rounding: $\frac32$ of that at half steps.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "subtracted",
            r"Subtract the dither after all: the error of a point of the grid is not 0.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "reversed", "Reverse the order of the coordinates: nothing may change.", ("exact",), neutral=True
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
