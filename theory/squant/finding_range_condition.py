r"""`squant/finding-range-condition`: the range condition A3 is needed (arXiv 2106.03524; derived here).

A1 and A2 alone do not give $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$. Without it the smoothness-aware
methods follow $\frac1n\sum_iP_i\nabla f_i$ instead of $\nabla f$ and converge to a wrong point, even without
any compression.

Derivation: $f_1=\frac a2x_1^2+bx_2$ is convex and $\mathrm{Diag}(a,0)$-smooth, but its gradient leaves the
range by $b$. With $f_2=\frac c2\|x\|^2$ the solution is $(0,-b/c)$; the zero of $\sum_iP_i\nabla f_i$ is the
origin.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.paper import PAPER

a, b, c = symbols("a b c", positive=True)

_ERROR = b / c
_FORMULAS = {"objective_gap": b**2 / (4 * c)}

_x1, _x2, _y1, _y2 = symbols("x_1 x_2 y_1 y_2", real=True)
_f, _K = symbols("f K", real=True)
_slope = Symbol("sigma", positive=True)


def _first(x1: Expr, x2: Expr) -> Expr:
    return a / 2 * x1**2 + b * x2


def _mean(x1: Expr, x2: Expr) -> Expr:
    return (_first(x1, x2) + c / 2 * (x1**2 + x2**2)) / 2


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    error, origin = stated["exact"], Integer(0)
    # Gradient of 2 f, and what the methods follow instead: node 1 loses its second component.
    gradient = (a * _x1 + c * _x1, b + c * _x2)
    followed = (a * _x1 + c * _x1, c * _x2)
    return (
        Certificate(
            "convex",
            r"$f_1(y)\ge f_1(x)+\langle\nabla f_1(x),y-x\rangle$ with $\nabla f_1=(ax_1,b)$.",
            _first(_x1, _x2) + a * _x1 * (_y1 - _x1) + b * (_y2 - _x2),
            _first(_y1, _y2),
            (Term(a / 2, (_y1 - _x1) ** 2, "square of a real number"),),
        ),
        Identity(
            "smooth",
            r"$f_1$ is $\mathrm{Diag}(a,0)$-smooth (A1), with equality.",
            _first(_y1, _y2),
            _first(_x1, _x2) + a * _x1 * (_y1 - _x1) + b * (_y2 - _x2) + a / 2 * (_y1 - _x1) ** 2,
        ),
        Identity(
            "solution",
            r"$\|2\nabla f\|^2$ vanishes at $(0,-b/c)$, the solution: the stated error is its distance from "
            "the origin.",
            sum(item**2 for item in gradient).subs({_x1: origin, _x2: -error}, simultaneous=True),
            Integer(0),
        ),
        Certificate(
            "only-solution",
            r"$f(x)\ge f(x^\star)+\frac c4\|x-x^\star\|^2$: $f$ is strongly convex (A2) and has no other "
            "minimiser.",
            _mean(origin, -error) + c / 4 * (_x1**2 + (_x2 + error) ** 2),
            _mean(_x1, _x2),
            (Term(a / 4, _x1**2, "square of a real number"),),
        ),
        Certificate(
            "limit",
            r"With $P_1=\mathrm{Diag}(1,0)$ the methods follow $v=P_1\nabla f_1+\nabla f_2$, and $\langle "
            r"v,x\rangle\ge c\|x\|^2$: $v$ vanishes at the origin only, and without compression they "
            r"converge to it.",
            c * (_x1**2 + _x2**2),
            followed[0] * _x1 + followed[1] * _x2,
            (Term(a, _x1**2, "square of a real number"),),
        ),
        Identity(
            "objective-gap",
            r"There the objective is above its minimum by the stated gap.",
            _mean(origin, origin) - _mean(origin, -error),
            stated["objective_gap"],
        ),
        Identity(
            "bounded-below",
            r"What holds instead: along the null space of $\mathbf L_i$ a smooth convex function is affine "
            r"(`squant/range`), $f(x-tv)=f(x)-t\sigma$; with slope $\sigma>0$ and a lower bound $K$, "
            r"$t=(f(x)-K+1)/\sigma$ gives $K-1<K$. So A3 holds if $f_i$ is bounded below.",
            _f - (_f - _K + 1) / _slope * _slope,
            _K - 1,
        ),
    )


_MUTANTS = (
    Mutant(
        "right-limit",
        "Claim that the methods find the solution all the same.",
        ("exact", "run"),
    ),
    Mutant(
        "slope-on-the-other-node",
        r"Give the slope $b$ to $f_2$, where it is in the range: the methods find the solution.",
        ("exact", "run"),
    ),
    Mutant("other-start", "Start the runs elsewhere: the limit stays.", ("run",), neutral=True),
)

CLAIM = Claim(
    id="squant/finding-range-condition",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Without the range condition smoothness-aware methods converge to a wrong point",
    statement=(
        r"Reading A1 and A2 as all that is needed, smoothness-aware methods fail: let $d=n=2$, "
        r"$f_1=\frac a2x_1^2+bx_2$ with $\mathbf L_1=\mathrm{Diag}(a,0)$ and $f_2=\frac c2\|x\|^2$ with "
        r"$\mathbf L_2=cI$, where $a,b,c>0$. Each $f_i$ is convex and $\mathbf L_i$-smooth, $f$ is strongly "
        r"convex with the solution $x^\star=(0,-b/c)$, but DCGD+ and DIANA+ without any compression "
        r"converge to $(0,0)$: an error of $b/c$, and of $b^2/(4c)$ in the objective. What holds instead: "
        r"the rates hold under A3, $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ for all $x$, which follows "
        r"if $f_i$ is bounded below, if $\mathbf L_i\succ0$, or for generalised linear models with their "
        r"natural $\mathbf L_i$; an implementation must refuse a gradient outside of the range."
    ),
    variables=(
        Variable(a, r"\mathbb R_{>0}", "curvature of $f_1$ in its first coordinate"),
        Variable(b, r"\mathbb R_{>0}", "slope of $f_1$ outside the range of its matrix"),
        Variable(c, r"\mathbb R_{>0}", "curvature of $f_2$"),
    ),
    assumptions=(
        r"A1: each $f_i$ is convex, differentiable and $\mathbf L_i$-smooth.",
        r"A2: $f$ is strongly convex. A3 is not assumed.",
        "No compression; the range check is off.",
    ),
    derivation=lambda: derivation(expressions(None, _ERROR, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$f_1=\frac12x_1^2+x_2$, $f_2=\frac12\|x\|^2$: the limit is at distance 1 from $x^\star$",
            {"a": 1, "b": 1, "c": 1, "solution": (0, -1), "limit": (0, 0)},
            Integer(1),
        ),
        WorstCase(
            "a weak second node: a small slope is enough for a large error",
            {
                "a": 1,
                "b": Rational(1, 10),
                "c": Rational(1, 100),
                "solution": (0, -10),
                "limit": (0, 0),
            },
            Integer(10),
        ),
    ),
    mutants=_MUTANTS,
    exact=_ERROR,
    formulas=_FORMULAS,
)
