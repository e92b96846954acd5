r"""`ndqsg/finding-one-input-tests`: one variance test cannot see a narrow dither (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, Integer, Max, Rational, Symbol, floor, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import eq, le, lt
from theory.ndqsg.dither.dq_uniform_error import power_integral
from theory.ndqsg.paper import PAPER

w, x, v, error, bias, square = (Symbol(s, real=True) for s in ("w", "x", "v", "error", "bias", "square"))
HALF = Rational(1, 2)
_EDGE = (HALF - x) / w
_MARGIN = (1 - w) / 2
_EXACT = w**2 / 12 + x**2
_OUTER_BIAS = HALF - _EDGE - x
_OUTER = w**2 / 12 + x**2 + (1 - 2 * x) * (HALF - _EDGE) - w * (Rational(1, 4) - _EDGE**2)
_BLIND = sqrt((1 - w**2) / 12)


def _inner(n: int) -> Any:
    return power_integral(n, -w / 2 - x, w / 2 - x) / w


def _beyond(n: int) -> Any:
    return (power_integral(n, -HALF, w / 2 - x) + power_integral(n, 1 - w / 2 - x, HALF)) / w


_INTEGRALS = "the integrals of the powers of the error over the dithers of a cell"

CLAIM = Claim(
    id="ndqsg/finding-one-input-tests",
    kind="finding",
    provenance="derived",
    title="A variance test at a single input does not see a dither of half width",
    position=2,
    paper=PAPER,
    setting=(
        r"That the error of dithered rounding has the nominal variance is often tested at one input. Let the "
        r"dither $v$ be uniform on an interval of width $w\le1$ about zero, the same at both ends, and "
        r"$e=Q(x+v)-v-x$."
    ),
    parts=(
        Part(
            "a",
            r"If $|x|\le\frac{1-w}2$, all dithers $-\frac w2\le v<\frac w2$ lead to one cell, "
            r"$-\frac12\le x+v<\frac12$, and the error has the bias $\mathbb Ee=-x$ and "
            r"$$\mathbb "
            r"Ee^2=\frac{w^2}{12}+x^2.$$",
            says=("cell", "bias", "square"),
            evidence=("proof", "exact/bias", "exact/mean square"),
        ),
        Part(
            "b",
            r"If $\frac{1-w}2\le x\le\frac12$, then $\mathbb Ee=\frac12-\frac{\frac12-x}w-x$ and $\mathbb "
            r"Ee^2=\frac{w^2}{12}+x^2+(1-2x)\Big(\frac12-\frac{\frac12-x}w\Big)-w\Big(\frac14-\Big("
            r"\frac{\frac12-x}w\Big)^2\Big)$.",
            says=("outer-bias", "outer-square"),
            evidence=("proof", "exact/bias", "exact/mean square"),
        ),
        Part(
            "c",
            r"At the one input $x=\sqrt{\frac{1-w^2}{12}}$ it is nominal, $\mathbb Ee^2=\frac1{12}$: a "
            r"test of "
            r"the variance there sees nothing, if the input is as in (a).",
            says=("nominal",),
            evidence=(
                "proof",
                "exact/mean square there",
                "exact/blind input of half width",
                "montecarlo/nominal at a quarter",
            ),
        ),
        Part(
            "d",
            r"It is so for $w\le\frac12$: $\sqrt{\frac{1-w^2}{12}}\le\frac{1-w}2$.",
            says=("inside",),
            evidence=("proof",),
        ),
        Part(
            "e",
            r"What holds instead: the law shows it. With $v$ as in (a) $-\frac w2-x<e\le\frac w2-x$, where "
            r"an error of full width is with probability $w$ only; at one of these ends the distribution "
            r"functions differ by $$\frac{1-w}2\le\max\Big(\frac{1-w}2-x,\frac{1-w}2+x\Big).$$",
            says=("values", "gap"),
            evidence=("proof", "exact/law of full width", "exact/law of half width"),
        ),
        Part(
            "f",
            r"So a test of the law of the error on the grid, at a quarter and at half of a step rejects half "
            r"the width and accepts the full one.",
            evidence=("montecarlo/law at three inputs",),
        ),
    ),
    variables=(
        Variable(w, "w", "(0,1]", "width of a uniform dither in units of the step"),
        Variable(x, "x", r"\mathbb R", "input in units of the step"),
        Variable(v, "v", r"\mathbb R", "dither"),
        Variable(error, "e", r"(-\frac12,\frac12]", "error"),
        Variable(bias, r"\mathbb Ee", r"\mathbb R", "mean of the error"),
        Variable(square, r"\mathbb Ee^2", r"\mathbb R_{\ge0}", "mean square of the error"),
    ),
    hypotheses={
        "width": Hypothesis("domain", (lt(0, w), le(w, 1), le(w**2, 1)), r"$0<w\le1$"),
        "inner": Hypothesis("parameter", le(Abs(x), _MARGIN), r"$|x|\le\frac{1-w}2$"),
        "dither": Hypothesis("parameter", (le(-w / 2, v), lt(v, w / 2)), r"$-\frac w2\le v<\frac w2$"),
        "error": Hypothesis("definition", eq(error, floor(x + v + HALF) - v - x), "the error of a dither"),
        "outer": Hypothesis("parameter", (le(_MARGIN, x), le(x, HALF)), r"$\frac{1-w}2\le x\le\frac12$"),
        "integrals": Hypothesis("definition", (eq(bias, _inner(1)), eq(square, _inner(2))), _INTEGRALS),
        "two-cells": Hypothesis(
            "definition", (eq(bias, _beyond(1)), eq(square, _beyond(2))), _INTEGRALS + ", of two cells"
        ),
        "blind": Hypothesis("parameter", eq(x, _BLIND), r"$x=\sqrt{\frac{1-w^2}{12}}$"),
        "narrow": Hypothesis("parameter", le(w, HALF), r"$w\le\frac12$"),
    },
    relations={
        "cell": Relation((-HALF, x + v, HALF), ("<=", "<"), under=("inner", "dither")),
        "bias": Relation((bias, -x), ("=",), under=("inner", "integrals")),
        "square": Relation((square, _EXACT), ("=",), under=("inner", "integrals")),
        "values": Relation((-w / 2 - x, error, w / 2 - x), ("<", "<="), under=("inner", "dither", "error")),
        "gap": Relation((_MARGIN, Max(_MARGIN - x, _MARGIN + x)), ("<=",)),
        "outer-bias": Relation((bias, _OUTER_BIAS), ("=",), under=("outer", "two-cells")),
        "outer-square": Relation((square, _OUTER), ("=",), under=("outer", "two-cells")),
        "nominal": Relation((square, Rational(1, 12)), ("=",), under=("inner", "integrals", "blind")),
        "inside": Relation((_BLIND, _MARGIN), ("<=",), under=("narrow",)),
    },
    formulas={
        "exact": _EXACT,
        "inner_bias": -x,
        "outer_bias": _OUTER_BIAS,
        "outer_mse": _OUTER,
        "blind_input": _BLIND,
    },
    worst_cases=(
        WorstCase(
            "half width at a quarter: the mean square is nominal",
            {"w": HALF, "x": Rational(1, 4)},
            Rational(1, 12),
        ),
        WorstCase("half width on the grid", {"w": HALF, "x": Integer(0)}, Rational(1, 48)),
        WorstCase("width 9/10 on the grid", {"w": Rational(9, 10), "x": Integer(0)}, Rational(27, 400)),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter = Rational(1, 4)
    K.example({w: HALF, x: quarter, v: 0})
    K.example({w: HALF, x: Rational(1, 3), v: 0})
    within, before = K.given("inner"), (K.axiom("abs-above", x), K.axiom("abs-below", x))
    low = K.cert(le(-HALF, x + v), (1, within), (1, before[1]), (1, K.given("dither")))
    high = K.cert(lt(x + v, HALF), (1, within), (1, before[0]), (1, K.given("dither", 1)))
    K.conclude("cell", low, high)
    one_cell = K.axiom("floor-unique", x + v + HALF, Integer(0))
    one_cell = K.discharge(
        one_cell, K.cert(le(0, x + v + HALF), (1, low)), K.cert(lt(x + v + HALF, 1), (1, high))
    )
    value = K.cert(eq(error, -v - x), (1, K.given("error")), (1, one_cell))
    K.conclude(
        "values",
        K.cert(lt(-w / 2 - x, error), (-1, value), (1, K.given("dither", 1))),
        K.cert(le(error, w / 2 - x), (1, value), (1, K.given("dither"))),
    )
    ends, largest = (_MARGIN - x, _MARGIN + x), Max(_MARGIN - x, _MARGIN + x)
    above = [K.axiom(f"max-above-{side}", *ends) for side in ("left", "right")]
    K.conclude("gap", K.cert(le(_MARGIN, largest), *((HALF, item) for item in above)))
    K.conclude("bias", K.cert(eq(bias, -x), (1, K.given("integrals"))))
    inner = K.cert(eq(square, _EXACT), (1, K.given("integrals", 1)))
    K.conclude("square", inner)
    K.conclude("outer-bias", K.cert(eq(bias, _OUTER_BIAS), (1, K.given("two-cells"))))
    K.conclude("outer-square", K.cert(eq(square, _OUTER), (1, K.given("two-cells", 1))))
    K.know(K.cert(le(0, (1 - w**2) / 12), (Rational(1, 12) * (1 + w), 1 - w)))
    nominal = eq(square, Rational(1, 12))
    K.conclude("nominal", K.cert(nominal, (1, inner), (x + _BLIND, K.given("blind"))))
    K.know(K.given("narrow"))
    squares = le((1 - w**2) / 12, _MARGIN**2)
    roots = K.power(K.cert(squares, (Rational(1, 3) * (1 - w), K.given("narrow"))), HALF)
    root = K.axiom("abs-of-nonnegative", _MARGIN)
    K.conclude("inside", K.cert(le(_BLIND, _MARGIN), (1, roots), (1, root)))
