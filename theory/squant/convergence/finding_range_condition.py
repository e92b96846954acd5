r"""`squant/finding-range-condition`: the range condition A3 is needed (arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.archimedes import archimedes
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, b, c, gamma, k, x1, x2, y1, y2, value, slope = symbols("a b c gamma k x1 x2 y1 y2 value slope", real=True)
K_below, m, j, z1, z2, error, excess = symbols("K m j z1 z2 error excess", real=True)
u, w, ahead, behind, phi, t = symbols("u w ahead behind phi t", cls=IndexedBase, real=True)
SAMPLES = (j, 0, m - 1)
_ALWAYS = (k, 0, oo)


def _first(one: Any, two: Any) -> Any:
    return a / 2 * one**2 + b * two


def _mean(one: Any, two: Any) -> Any:
    return (_first(one, two) + c / 2 * (one**2 + two**2)) / 2


_LINE = _first(x1, x2) + a * x1 * (y1 - x1) + b * (y2 - x2)
_ERROR, _GAP = b / c, b**2 / (4 * c)
_ZERO = Integer(0)
_AT_LIMIT = limit1, limit2 = symbols("limit1 limit2", real=True)

_HYPOTHESES = {
    "signs": domain(r"$a,b,c>0$"),
    "m": domain(r"$m\ge1$ is an integer"),
    "points": definition(r"$\bar x_1=0$, $\bar x_2=0$, $x^\star_1=0$, $x^\star_2=-\frac bc$"),
    "error": definition(r"$\|x^\star\|^2=(x^\star_1)^2+(x^\star_2)^2$, $0\le\|x^\star\|$"),
    "excess": definition(
        r"$f(0)-f(x^\star)=\frac12\Big(\frac a2\bar x_1^2+b\bar x_2+\frac c2(\bar x_1^2+\bar "
        r"x_2^2)\Big)-\frac12\Big(\frac a2(x^\star_1)^2+bx^\star_2+\frac "
        r"c2((x^\star_1)^2+(x^\star_2)^2)\Big)$"
    ),
    "step": parameter(r"$0<\gamma\le\frac2{a+c}$"),
    "method": model(
        r"$u_{k+1}=u_k-\frac\gamma2(a+c)u_k$, $w_{k+1}=w_k-\frac\gamma2cw_k$, since the projectors "
        "on the ranges of the nodes take the slope $b$ from node 1"
    ),
    "affine": model(
        r"A1: $f_i(x+ku)\le f_i(x)+k\langle\nabla f_i(x),u\rangle$, $f_i(x-ku)\le "
        r"f_i(x)-k\langle\nabla f_i(x),u\rangle$, since $\mathbf L_iu$ vanishes"
    ),
    "bounded": model(r"$K\le f_i(x+ku)$, $K\le f_i(x-ku)$, since $f_i$ is bounded below"),
    "linear-model": model(
        r"$\langle\nabla f_i(x),u\rangle=\frac1m\sum_j\varphi'_jt_j$, since $f_i(x)$ is "
        r"$\frac1m\sum_j\varphi_j(a_j^\top x)$; $\sum_jt_j^2=0$, since $\mathbf L_i$ is a multiple "
        r"of $\sum_ja_ja_j^\top$"
    ),
}

CLAIM = Claim(
    id="squant/finding-range-condition",
    kind="finding",
    provenance="derived",
    title="Without the range condition smoothness-aware methods can converge to a wrong point",
    position=12,
    paper=PAPER,
    **statement(
        r"""
        A1 (each $f_i$ is convex and $\mathbf L_i$-smooth) and A2 ($f$ is strongly convex) are not enough.
        Take two nodes and two coordinates, $f_1(x)=\frac a2x_1^2+bx_2$ with $\mathbf
        L_1=\mathrm{Diag}(a,0)$ and $f_2(x)=\frac c2\|x\|^2$ with $\mathbf L_2=cI$, where $a,b,c>0$, and
        $f=\frac12(f_1+f_2)$. A3: $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ for all $x$.
        (a: smooth) <<$f_1$ is convex and $\mathbf L_1$-smooth -> proof>>: for all $x$ and $y$, $$\frac
          a2y_1^2+by_2=\frac a2x_1^2+bx_2+ax_1(y_1-x_1)+b(y_2-x_2)+\frac a2(y_1-x_1)^2.$$ [proof]
        (b: solution) <<$f$ is strongly convex with the solution $x^\star=(0,-\frac bc)$ -> proof>>: for all
          $x$, $$\frac12\Big(\frac a2x_1^2+bx_2+\frac c2(x_1^2+x_2^2)\Big)\ge-\frac{b^2}{4c}+\frac
          c4\Big(x_1^2+\Big(x_2+\frac bc\Big)^2\Big).$$ [proof]
        (c: limit) For $0<\gamma\le\frac2{a+c}$ DCGD+ and DIANA+ without any compression, and <<without the
          check of A3 that the implementations make -> exact/runs refused outside the range>>, <<converge to
          $(0,0)$ -> run/distance of the limit from the solution>>: for every $k$,
          $$u_k^2+w_k^2\le\Big(1-\frac{\gamma c}2\Big)^{2k}(u_0^2+w_0^2),\qquad <<x^k=(u_k,w_k) ->
          proof>>.$$ [proof; exact/runs refused outside the range; run/distance of the limit from the
          solution]
        (d: error) There the error is $\|x^\star\|=\frac bc$. [proof; exact/distance of the limit from the
          solution; run/distance of the limit from the solution]
        (e: gap) There the objective is above its minimum by $f(0)-f(x^\star)=\frac{b^2}{4c}$. [proof;
          exact/objective at the limit above its minimum; run/objective at the limit above its minimum]
        (f: bounded) <<A3 holds if $f_i$ is bounded below: for each $u$ with $\mathbf L_iu=0$ -> proof>>,
          $\langle\nabla f_i(x),u\rangle=0$. [proof; run/error within the range]
        (g: linear-model) <<A3 holds for generalised linear models with their natural $\mathbf L_i$: for
          each $u$ with $\mathbf L_iu=0$ -> proof>>, $\langle\nabla f_i(x),u\rangle=0$. [proof]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb R_{>0}", "curvature of $f_1$ in its first coordinate"),
        Variable(b, "b", r"\mathbb R_{>0}", "slope of $f_1$ outside the range of its matrix"),
        Variable(c, "c", r"\mathbb R_{>0}", "curvature of $f_2$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(x1, "x_1", r"\mathbb R", "first coordinate"),
        Variable(x2, "x_2", r"\mathbb R", "second coordinate"),
        Variable(y1, "y_1", r"\mathbb R", "first coordinate of another point"),
        Variable(y2, "y_2", r"\mathbb R", "second coordinate of another point"),
        Variable(u, "u", r"\mathbb R^{\mathbb N_0}", "first coordinate of the iterates", "(oo,)", first=0),
        Variable(w, "w", r"\mathbb R^{\mathbb N_0}", "second coordinate of the iterates", "(oo,)", first=0),
        Variable(slope, r"\langle\nabla f_i(x),u\rangle", r"\mathbb R", "slope of a node along $u$"),
        Variable(error, r"\|x^\star\|", r"\mathbb R_{\ge0}", "distance of the limit from the solution"),
        Variable(excess, r"f(0)-f(x^\star)", r"\mathbb R_{\ge0}", "objective at the limit above its minimum"),
        Variable(m, "m", r"\mathbb N", "number of samples of a node"),
        Variable(limit1, r"\bar x_1", r"\mathbb R", "first coordinate of the limit"),
        Variable(limit2, r"\bar x_2", r"\mathbb R", "second coordinate of the limit"),
        Variable(z1, r"x^\star_1", r"\mathbb R", "first coordinate of the solution"),
        Variable(z2, r"x^\star_2", r"\mathbb R", "second coordinate of the solution"),
        Variable(ahead, "f_i(x+#1u)", r"\mathbb R", "values ahead of $x$ along $u$", "(oo,)", first=0),
        Variable(behind, "f_i(x-#1u)", r"\mathbb R", "values behind $x$ along $u$", "(oo,)", first=0),
        Variable(K_below, "K", r"\mathbb R", "lower bound of a node"),
        Variable(phi, r"\varphi'", r"\mathbb R^m", r"slopes of the samples at $a_j^\top x$", "(m,)"),
        Variable(t, "t", r"\mathbb R^m", r"$a_j^\top u$", "(m,)"),
        Variable(value, "f_i(x)", r"\mathbb R", "value of a node"),
    ),
    notation={"x": "a point", "y": "another point"},
    hypotheses=_HYPOTHESES,
    ranges={"k": (0, oo)},
    relations={
        "smooth": Relation((_first(y1, y2), _LINE + a / 2 * (y1 - x1) ** 2), ("=",)),
        "solution": Relation((_mean(x1, x2), -_GAP + c / 4 * (x1**2 + (x2 + b / c) ** 2)), (">=",)),
        "limit": Relation(
            (u[k] ** 2 + w[k] ** 2, (1 - gamma * c / 2) ** (2 * k) * (u[0] ** 2 + w[0] ** 2)),
            ("<=",),
            every=(_ALWAYS,),
            under=("step", "method"),
        ),
        "error": Relation((error, _ERROR), ("=",)),
        "gap": Relation((excess, _GAP), ("=",)),
        "bounded": Relation((slope, 0), ("=",), under=("affine", "bounded")),
        "linear-model": Relation((slope, 0), ("=",), under=("linear-model",)),
    },
    formulas={"exact": _ERROR, "objective_gap": _GAP},
    worst_cases=cases(r"""
        $f_1=\frac12x_1^2+x_2$, $f_2=\frac12\|x\|^2$: distance of the limit from $x^\star$ | a = 1, b = 1,
          c = 1, solution = (0, -1), limit = (0, 0) | 1
        a weak second node: a small slope is enough for a large error | a = 1, b = 1/10, c = 1/100,
          solution = (0, -10), limit = (0, 0) | 10
    """),
)


_TRIED = (*range(5), 20, 21, 150, 151)
# Some places of the sequence 2 + 1/(1 + k^2). Both hypotheses hold; a convex f_i would be constant there.
_ALONG = [2 + Rational(1, 1 + place**2) if place in (0, 1, 2, 3, 20, 150) else () for place in range(151)]
EXAMPLES: tuple[dict[Any, Any], ...] = (
    {a: 1, b: 6, c: 2, z1: 0, z2: -3, **dict.fromkeys(_AT_LIMIT, 0), error: 3, excess: Rational(9, 2)},
    {K_below: 1, value: 3, slope: 0, ahead: _ALONG, behind: _ALONG},
    {m: 2, slope: 0, phi: (3, -2), t: (0, 0)},
    {a: 1, b: 1, c: 1, gamma: 1, u: (1, *(0,) * 151), w: {place: Rational(1, 2**place) for place in _TRIED}},
)


def derive(K: Any) -> None:
    """Prove the relations."""
    for example in EXAMPLES:
        K.example(example)
    K.conclude("smooth", K.identity(_first(y1, y2), _LINE + a / 2 * (y1 - x1) ** 2))
    K.show("solution", (a / 4, x1**2))
    points = [K.given("points", place) for place in range(4)]
    K.show("error", "error", using=points)
    K.show("gap", "excess", using=points)
    _range(K)
    _limit(K)


def _limit(K: Any) -> None:
    K.know(K.given("step"))
    factor = 1 - gamma * c / 2
    # 0 <= 1 - gamma (a + c)/2 <= 1 - gamma c/2.
    first = K.cert(le(0, 1 - gamma * (a + c) / 2), K.given("step", 1))
    K.know(first)
    K.know(K.cert(le(0, factor), first))
    before = u[k] ** 2 + w[k] ** 2
    bound = factor ** (2 * k) * (u[0] ** 2 + w[0] ** 2)
    moved = [K.at(K.given("method", place), k) for place in range(2)]
    shrunk = K.cert(
        le(u[k + 1] ** 2, factor**2 * u[k] ** 2),
        moved[0],
        (u[k] ** 2 * a * gamma / 2, 1 - gamma * (a + c) / 2),
        (u[k] ** 2 * a * gamma / 2, factor),
    )
    other = K.cert(eq(w[k + 1] ** 2, factor**2 * w[k] ** 2), moved[1])
    assumed = K.assume(le(before, bound))
    step = K.cert(le(u[k + 1] ** 2 + w[k + 1] ** 2, bound.subs(k, k + 1)), shrunk, other, assumed)
    K.conclude("limit", K.induction(k, K.cert(le(before.subs(k, 0), bound.subs(k, 0))), step))


def _range(K: Any) -> None:
    """Conclude that slopes along the null space vanish."""
    bounded = []
    for place, sign in ((0, -1), (1, 1)):
        multiple = K.cert(
            le(k * sign * slope, value - K_below),
            K.at(K.given("affine", place), k),
            K.at(K.given("bounded", place), k),
        )
        found = archimedes(K, sign * slope, value - K_below, K.every(multiple, _ALWAYS))
        bounded.append(K.cert(le(sign * slope, 0), found))
    below, above = K.cert(le(slope, 0), bounded[1]), K.cert(le(0, slope), bounded[0])
    K.conclude("bounded", antisymmetry(K, slope, _ZERO, below, above))

    # slope^2 <= (mean of the squares of phi') (sum of the t_j^2) = 0.
    products = cauchy_schwarz(K, phi[j], t[j], SAMPLES)
    square = K.cert(le(slope**2, 0), "linear-model", (1 / m**2, products), K.given("linear-model", 1))
    size = K.power(square, Rational(1, 2))
    below = K.cert(le(slope, 0), K.axiom("abs-above", slope), size)
    above = K.cert(le(0, slope), K.axiom("abs-below", slope), size)
    K.conclude("linear-model", antisymmetry(K, slope, _ZERO, below, above))
