r"""`ndqsg/finding-one-input-tests`: one variance test cannot see a narrow dither (arXiv 1904.01197)."""

from typing import Any

from sympy import Integer, Max, Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

w, x, v, error, bias, square = symbols("w x v error bias square", real=True)
HALF = Rational(1, 2)
_EDGE = (HALF - x) / w
_MARGIN = (1 - w) / 2
_EXACT = w**2 / 12 + x**2
_OUTER_BIAS = HALF - _EDGE - x
_OUTER = w**2 / 12 + x**2 + (1 - 2 * x) * (HALF - _EDGE) - w * (Rational(1, 4) - _EDGE**2)
_BLIND = sqrt((1 - w**2) / 12)


CLAIM = Claim(
    id="ndqsg/finding-one-input-tests",
    kind="finding",
    provenance="derived",
    title="A test of the mean square error at a quarter of a step does not see a dither of half width",
    position=2,
    paper=PAPER,
    **statement(
        r"""
        That the error of dithered rounding has the nominal mean square is often tested at one input. Let the
        dither $v$ be uniform on an interval of width $w\le1$ about zero, the same at both ends, and
        $e=Q(x+v)-v-x$.
        (a: cell, bias, square) If $|x|\le\frac{1-w}2$, all dithers $-\frac w2\le v<\frac w2$ lead to one
          cell, $-\frac12\le x+v<\frac12$, and the error has the bias $\mathbb Ee=-x$ and $$\mathbb
          Ee^2=\frac{w^2}{12}+x^2.$$ [proof; exact/bias; exact/mean square]
        (b: outer-bias, outer-square) If $\frac{1-w}2\le x\le\frac12$, then $\mathbb
          Ee=\frac12-\frac{\frac12-x}w-x$ and $\mathbb Ee^2=\frac{w^2}{12}+x^2+(1-2x)\Big(\frac12-\
          \frac{\frac12-x}w\Big)-w\Big(\frac14-\Big(\frac{\frac12-x}w\Big)^2\Big)$. [proof; exact/bias;
          exact/mean square]
        (c: nominal) At the input $x=\sqrt{\frac{1-w^2}{12}}$ it is nominal, $\mathbb Ee^2=\frac1{12}$:
          a test of the mean square there sees nothing, if the input is as in (a). [proof; exact/mean square
          there; exact/blind input of half width; montecarlo/nominal at a quarter]
        (d: inside) It is so for $w\le\frac12$: $\sqrt{\frac{1-w^2}{12}}\le\frac{1-w}2$. [proof]
        (e: values, gap) What holds instead: the law shows it: with $x$ and $v$ as in (a), $-\frac
          w2-x<e\le\frac w2-x$, where an error of full width is with probability $w$ only; at one of these
          ends the distribution functions differ by
          $$\frac{1-w}2\le\max\Big(\frac{1-w}2-x,\frac{1-w}2+x\Big).$$ [proof; exact/law of full width;
          exact/law of half width]
        (f) So a test of the law of the error on the grid, at a quarter and at half of a step rejects half
          the width and accepts the full one. [montecarlo/law at three inputs]
        """
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
        "width": domain(r"$0<w\le1$, so that $w^2\le1$"),
        "inner": parameter(r"$|x|\le\frac{1-w}2$"),
        "dither": parameter(r"$-\frac w2\le v<\frac w2$"),
        "error": definition(r"$e=\lfloor x+v+\frac12\rfloor-v-x$"),
        "outer": parameter(r"$\frac{1-w}2\le x\le\frac12$"),
        "integrals": definition(
            r"$\mathbb Ee=\frac{(\frac w2-x)^2-(-\frac w2-x)^2}{2w}$, "
            r"$\mathbb Ee^2=\frac{(\frac w2-x)^3-(-\frac w2-x)^3}{3w}$, "
            r"since these are integrals over the dithers of a cell"
        ),
        "two-cells": definition(
            r"$\mathbb Ee=\frac{(\frac w2-x)^2-\frac14}{2w}+\frac{\frac14-(1-\frac w2-x)^2}{2w}$, "
            r"$\mathbb Ee^2=\frac{(\frac w2-x)^3+\frac18}{3w}+\frac{\frac18-(1-\frac w2-x)^3}{3w}$, "
            r"since these are integrals over the dithers of two cells"
        ),
        "blind": parameter(r"$x=\sqrt{\frac{1-w^2}{12}}$"),
        "narrow": parameter(r"$w\le\frac12$"),
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
    worst_cases=cases("""
        half width at a quarter: the mean square is nominal | w = 1/2, x = 1/4 | 1/12
        half width on the grid | w = 1/2, x = 0 | 1/48
        width 9/10 on the grid | w = 9/10, x = 0 | 27/400
    """),
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
