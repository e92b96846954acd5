r"""`ndqsg/dither-finite`: a dither of N points keeps the variance, only the mean moves (arXiv 1904.01197).

With $u$ uniform on the $N$ points $\frac{2j+1}{2N}-\frac12$ the variance of the error is
$\frac1{12}(1-N^{-2})$ at every input, and its mean is at most $\frac1{2N}$.

Derivation: the error takes $N$ equally spaced values, the largest $\frac12-f/N$ with $f=\{Nx+\frac12\}$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, floor, summation

from theory.instance import instance
from theory.ndqsg.dither_moments import HALF, INPUT, POINTS, TRANSLATION, N, x
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import ROUNDING
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_OFFSET = N * x + HALF - floor(N * x + HALF)
_EXACT = (1 - N**-2) / 12
_BOUND = Rational(1, 12) + 1 / (6 * N**2)
_FORMULAS = {"mean": (HALF - _OFFSET) / N, "mean_bound": 1 / (2 * N)}

_f = Symbol("f", nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
_m = Symbol("m", integer=True)
_MORE = "hypothesis: f is a fractional part, f < 1"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    # Every input is x = (m - 1/2 + f) / N with an integer m and a fraction f.
    mean = instance(stated["mean"], {x: (_m - HALF + _f) / N}, (_f,))
    value = HALF - (_f + _i) / N
    average = summation(value.expand(), (_i, 0, N - 1)) / N
    second = summation((value**2).expand(), (_i, 0, N - 1)) / N
    return (
        TRANSLATION,
        Identity(
            "values",
            r"$-(x+u_i)=\frac12-\frac{f+i+m}N$, where $i+m$ runs through all residues modulo $N$: up to "
            r"whole steps the values are $\frac12-\frac{f+i}N$, $i=0,\dots,N-1$, all in "
            r"$(-\frac12,\frac12]$.",
            -(_m - HALF + _f) / N - ((2 * _i + 1) / (2 * N) - HALF),
            HALF - (_f + _i + _m) / N,
        ),
        Identity("mean", r"Their average is the stated mean.", average, mean),
        Identity(
            "variance",
            r"Their variance is the stated one: $f$ cancels.",
            second - average**2,
            stated["exact"],
        ),
        Certificate(
            "mean-above",
            r"The mean is at most $\frac1{2N}$.",
            mean,
            stated["mean_bound"],
            (Term(1 / N, _f, "a fractional part"),),
        ),
        Certificate(
            "mean-below",
            r"It is at least $-\frac1{2N}$.",
            -mean,
            stated["mean_bound"],
            (Term(1 / N, 1 - _f, _MORE),),
        ),
        Certificate(
            "mean-square",
            r"The mean square is at most the stated bound.",
            stated["exact"] + mean**2,
            stated["bound"],
            (Term(_f / N**2, 1 - _f, _MORE),),
        ),
    )


CLAIM = Claim(
    id="ndqsg/dither-finite",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="A dither of finitely many points: exact variance at every input",
    statement=(
        r"Let $u$ be uniform on the $N$ points $\frac{2j+1}{2N}-\frac12$. Then for every $x$ the error "
        r"$e=Q(x+u)-u-x$ has $$\mathrm{Var}(e)=\frac1{12}\Big(1-\frac1{N^2}\Big),\qquad\mathbb "
        r"Ee=\frac1N\Big(\frac12-\Big\{Nx+\frac12\Big\}\Big),\qquad|\mathbb Ee|\le\frac1{2N},$$ and "
        r"$\mathbb Ee^2\le\frac1{12}+\frac1{6N^2}$: the variance does not depend on the input at all, the "
        r"mean through $\{Nx\}$ only."
    ),
    variables=(INPUT, POINTS),
    assumptions=(r"The dither is uniform on its $N$ points and independent of $x$.", ROUNDING),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("four points, the mean is far from 0", {"N": 4, "x": Rational(1, 3)}, Rational(5, 64)),
        WorstCase("sixteen points", {"N": 16, "x": Rational(1, 7)}, Rational(85, 1024)),
        WorstCase("a tie: the mean is at its bound", {"N": 4, "x": Rational(1, 8)}, Rational(5, 64)),
        WorstCase("one point: plain rounding, no variance", {"N": 1, "x": Rational(1, 3)}, Integer(0)),
    ),
    mutants=(
        Mutant(
            "left-aligned",
            r"The points $\frac jN-\frac12$: the mean is off by $\frac1{2N}$, at $N=4$, $x=0$ by $\frac18$.",
            ("exact",),
        ),
        Mutant("one-point", "One point only: plain rounding, without variance.", ("exact", "montecarlo")),
        Mutant("four-bits", "Sixteen points where many are claimed.", ("montecarlo",)),
        Mutant(
            "shifted-input", "Shift the input by whole steps: nothing may change.", ("exact",), neutral=True
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
