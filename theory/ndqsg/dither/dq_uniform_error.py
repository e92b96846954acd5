r"""`ndqsg/dq-uniform-error`: the error of dithered rounding is uniform at every input (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, Expr, Integer, Max, Min, Rational, Symbol, floor, pi, sin

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.absolute_value import absolute_below
from theory.formula import IsInteger, eq, le, lt, ne
from theory.ndqsg.paper import PAPER

x, u, p, t, w, b, j, error, F, density = (
    Symbol(s, real=True) for s in ("x", "u", "p", "t", "w", "b", "j", "error", "F", "density")
)
HALF = Rational(1, 2)
moments = {n: Symbol(f"m_{n}", real=True) for n in (1, 2, 3, 4)}
_VALUES = {1: Integer(0), 2: Rational(1, 12), 3: Integer(0), 4: Rational(1, 80)}
_LAW = Min(1 - p, t + HALF) + Max(t + p - HALF, 0)


def power_integral(n: int, low: Any, high: Any) -> Expr:
    r"""Return $\int v^ndv$ between two ends."""
    return (high ** (n + 1) - low ** (n + 1)) / (n + 1)


CLAIM = Claim(
    id="ndqsg/dq-uniform-error",
    kind="distribution",
    provenance="rederived",
    title="The error of a dithered quantizer is uniform and independent of the input",
    position=1,
    paper=PAPER,
    setting=(
        r"Let $e=Q(x+u)-u-x$ with $Q(v)=\lfloor v+\frac12\rfloor$, any real input $x$ in units of the step "
        r"and a dither $u$ that is uniform on $[-\frac12,\frac12)$ and independent of $x$; let $p=\{x\}$."
    ),
    parts=(
        Part(
            "a",
            r"$|e|\le\frac12$ for each dither.",
            says=("range",),
            evidence=("proof", "exact/largest error"),
        ),
        Part(
            "b",
            r"The input $p$ is rounded down by dithers below $\frac12-p$, $\Big\lfloor "
            r"p+u+\frac12\Big\rfloor=0$ "
            r"if $-\frac12\le u<\frac12-p$, and else up, $\Big\lfloor p+u+\frac12\Big\rfloor=1$ if "
            r"$\frac12-p\le u<\frac12$.",
            says=("low-cell", "high-cell"),
            evidence=("proof",),
        ),
        Part(
            "c",
            r"Hence $e$ is uniform on $(-\frac12,\frac12]$ at every input: $\mathbb P(e\le t)=t+\frac12$ if "
            r"$-\frac12\le t\le\frac12$.",
            says=("law",),
            evidence=(
                "proof",
                "exact/distance from uniform",
                "montecarlo/uniform errors",
                "run/uniform errors",
            ),
            pins={r"uniform on $(-\frac12,\frac12]$": "exact/distance from uniform"},
        ),
        Part(
            "d",
            r"$$\mathbb Ee=0,\qquad\mathbb Ee^2=\frac1{12},\qquad\mathbb Ee^3=0,\qquad\mathbb "
            r"Ee^4=\frac1{80}.$$",
            says=("moment-1", "moment-2", "moment-3", "moment-4"),
            evidence=("proof", "exact/variance", "exact/fourth moment at 0", "adversarial/variance"),
        ),
        Part(
            "e",
            r"A dither uniform on an interval of width $w$ gives errors of density $\rho$ at a place $b$ "
            r"modulo "
            r"the step, $w\rho=\lfloor b+w\rfloor-\lfloor b\rfloor$. If $w$ is an integer, then $\rho=1$.",
            says=("integer-width",),
            evidence=("proof", "exact/Fourier coefficient"),
            pins={"$w$ is an integer": "exact/Fourier coefficient"},
        ),
        Part(
            "f",
            r"If $w\ne\lfloor w\rfloor$, it is not uniform: at $b=0$ $\rho<1$.",
            says=("other-width",),
            evidence=("proof", "exact/Fourier coefficient"),
        ),
        Part(
            "g",
            r"The Fourier coefficient of order $j$ of the law of the error at width $w$ is $\frac{\sin\pi "
            r"jw}{\pi jw}$, Schuchman's condition.",
            evidence=("exact/Fourier coefficient",),
            pins={r"$\frac{\sin\pi jw}{\pi jw}$": "exact/Fourier coefficient"},
        ),
        Part(
            "h",
            r"Only the width of one step keeps the alphabet: there the largest inputs have indices of at "
            r"most "
            r"the number of levels, with the width of two steps one more.",
            evidence=("exact/largest index",),
        ),
    ),
    variables=(
        Variable(x, "x", r"\mathbb R", "input in units of the step"),
        Variable(u, "u", r"[-\frac12,\frac12)", "dither"),
        Variable(p, "p", "[0,1)", "fractional part of the input"),
        Variable(t, "t", r"[-\frac12,\frac12]", "where the distribution function is taken"),
        Variable(error, "e", r"(-\frac12,\frac12]", "error"),
        Variable(F, r"\mathbb P(e\le t)", "[0,1]", "distribution function of the error"),
        *(
            Variable(
                item, r"\mathbb Ee" if n == 1 else rf"\mathbb Ee^{n}", r"\mathbb R", f"moment of order {n}"
            )
            for n, item in moments.items()
        ),
        Variable(w, "w", r"\mathbb R_{>0}", "width of a uniform dither in units of the step"),
        Variable(b, "b", r"\mathbb R", "a place"),
        Variable(density, r"\rho", r"\mathbb R_{\ge0}", "density of the error at a place, modulo the step"),
        Variable(j, "j", r"\mathbb N", "order of a Fourier coefficient"),
    ),
    hypotheses={
        "phase": Hypothesis("definition", eq(p, x - floor(x)), r"$p=\{x\}$"),
        "width": Hypothesis("domain", lt(0, w), r"$w>0$"),
        "error": Hypothesis("definition", eq(error, floor(x + u + HALF) - u - x), "the error of a dither"),
        "low": Hypothesis("parameter", (le(-HALF, u), lt(u, HALF - p)), r"$-\frac12\le u<\frac12-p$"),
        "high": Hypothesis("parameter", (le(HALF - p, u), lt(u, HALF)), r"$\frac12-p\le u<\frac12$"),
        "place": Hypothesis("parameter", (le(-HALF, t), le(t, HALF)), r"$-\frac12\le t\le\frac12$"),
        "law": Hypothesis(
            "definition",
            eq(F, _LAW),
            "the length of the dithers of error at most $t$: the upper ends of the two cells",
        ),
        "moments": Hypothesis(
            "definition",
            tuple(
                eq(item, power_integral(n, -HALF, HALF - p) + power_integral(n, HALF - p, HALF))
                for n, item in moments.items()
            ),
            "the integrals of the powers of the error over the dithers of both cells",
        ),
        "density": Hypothesis(
            "definition",
            eq(w * density, floor(b + w) - floor(b)),
            "the number of dithers that lead to the place, over the width",
        ),
        "integer": Hypothesis("parameter", IsInteger(w), r"$w$ is an integer"),
        "no-integer": Hypothesis("parameter", (ne(w, floor(w)), eq(b, 0)), r"$w\ne\lfloor w\rfloor$, $b=0$"),
    },
    relations={
        "range": Relation((Abs(error), HALF), ("<=",)),
        "low-cell": Relation((floor(p + u + HALF), 0), ("=",), under=("low",)),
        "high-cell": Relation((floor(p + u + HALF), 1), ("=",), under=("high",)),
        "law": Relation((F, t + HALF), ("=",), under=("place",)),
        **{f"moment-{n}": Relation((item, _VALUES[n]), ("=",)) for n, item in moments.items()},
        "integer-width": Relation((density, 1), ("=",), under=("integer",)),
        "other-width": Relation((density, 1), ("<",), under=("no-integer",)),
    },
    formulas={
        "exact": _VALUES[2],
        "bound": HALF,
        "fourth_moment": _VALUES[4],
        "characteristic": sin(pi * j * w) / (pi * j * w),
    },
    internal={"characteristic": "said in part (g), which rests on computed coefficients"},
    worst_cases=(
        WorstCase("a point of the grid", {"x": Integer(0)}, _VALUES[2]),
        WorstCase("a cell's edge", {"x": HALF}, _VALUES[2]),
        WorstCase("a quarter, where half the width is nominal", {"x": HALF / 2}, _VALUES[2]),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter = Rational(1, 4)
    K.example({x: Rational(4, 3), u: 0, t: quarter, b: 0, w: Rational(3, 2)})
    K.example({x: Rational(4, 3), u: quarter, t: quarter, b: quarter, w: 2})
    level = x + u + HALF
    floors = [K.axiom("floor-below", level), K.axiom("floor-above", level)]
    above = K.cert(le(error, HALF), (1, K.given("error")), (1, floors[0]))
    below = K.cert(le(-HALF, error), (-1, K.given("error")), (1, floors[1]))
    K.conclude("range", absolute_below(K, error, HALF, below, above))

    phase = [
        K.cert(le(0, p), (-1, K.given("phase")), (1, K.axiom("floor-below", x))),
        K.cert(lt(p, 1), (1, K.given("phase")), (1, K.axiom("floor-above", x))),
    ]
    for name, cell in (("low", 0), ("high", 1)):
        at_least, before = K.given(name), K.given(name, 1)
        here = p + u + HALF
        inside = (
            K.cert(le(cell, here), (1, at_least), *(() if cell else ((1, phase[0]),))),
            K.cert(lt(here, cell + 1), (1, before), *(((1, phase[1]),) if cell else ())),
        )
        K.conclude(f"{name}-cell", K.discharge(K.axiom("floor-unique", here, Integer(cell)), *inside))
    # One of the two ends of the lower cell is the smaller one.
    low, high, law = 1 - p, t + HALF, K.given("law")
    few = (K.axiom("min-is-left", high, low), K.axiom("max-is-right", high - low, Integer(0)))
    many = (K.axiom("min-is-left", low, high), K.axiom("max-is-right", Integer(0), high - low))
    ends = (K.cert(eq(F, high), (1, law), *((1, item) for item in side)) for side in (few, many))
    K.conclude("law", K.cases(high - low, *ends))
    for n, item in moments.items():
        K.conclude(f"moment-{n}", K.cert(eq(item, _VALUES[n]), (1, K.given("moments", n - 1))))
    # An integer is passed on by the floor; else the floor is below the width.
    whole = K.axiom("floor-unique", b + w, floor(b) + w)
    for item in (K.axiom("floor-below", b), K.axiom("floor-above", b)):
        whole = K.discharge(whole, item)
    K.conclude("integer-width", K.cert(eq(density, 1), (1 / w, K.given("density")), (1 / w, whole)))
    K.know(K.axiom("floor-below", w), K.given("no-integer"))
    part = K.sign(lt(floor(w), w))
    K.conclude(
        "other-width",
        K.cert(lt(density, 1), (1 / w, K.given("density")), (1 / w, part), using=[K.given("no-integer", 1)]),
    )
