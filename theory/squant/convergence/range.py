r"""`squant/range`: co-coercivity in the norm of the smoothness matrix (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.archimedes import archimedes
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, D, fx, fy, fz, s, q, slope_x, slope_y = symbols("d D fx fy fz s q slope_x slope_y", real=True)
i, j, k, o = symbols("i j k o", real=True)
Lplus, L, H, g, a, b, v, x, y, ahead = symbols("Lplus L H g a b v x y ahead", cls=IndexedBase, real=True)
behind = IndexedBase("behind", real=True)
ROWS, COLUMNS = (i, 0, d - 1), (j, 0, d - 1)


def _form(left: Any, matrix: Any, right: Any) -> Sum:
    """Return the bilinear form of two vectors."""
    return Sum(left[i] * matrix[i, j] * right[j], COLUMNS, ROWS)


_NORM = _form(g, Lplus, g)
_TWICE = _form(v, H, v)
_PLP = Sum(Lplus[i, k] * L[k, o] * Lplus[o, j], (k, 0, d - 1), (o, 0, d - 1))
_LPL = Sum(L[i, k] * Lplus[k, o] * L[o, j], (k, 0, d - 1), (o, 0, d - 1))
_STEPS = (k, 0, oo)

_L, _INVERSE = ((2, 1), (1, 2)), ((Rational(2, 3), Rational(-1, 3)), (Rational(-1, 3), Rational(2, 3)))

_HYPOTHESES = {
    "d": domain(r"$d\ge1$ is an integer"),
    "difference": definition(r"$g_i=a_i-b_i$, since $g$ is $\nabla f(x)-\nabla f(y)$"),
    "displacement": definition("$v_i=x_i-y_i$"),
    "divergence": definition(r"$D_f(x,y)=f(x)-f(y)-\langle\nabla f(y),x-y\rangle$"),
    "pseudo-inverse": definition(
        r"$\sum_o\sum_k\mathbf L^+_{ik}\mathbf L_{ko}\mathbf L^+_{oj}=\mathbf L^+_{ij}$, "
        r"$\sum_o\sum_k\mathbf L_{ik}\mathbf L^+_{ko}\mathbf L_{oj}=\mathbf L_{ij}$, $\mathbf "
        r"L_{ij}=\mathbf L_{ji}$, since $\mathbf L^+$ is the pseudo-inverse of the symmetric matrix "
        r"$\mathbf L$"
    ),
    "smooth": model(
        r"A1: $f(z)\le f(x)-\sum_i\sum_ja_i\mathbf "
        r"L^+_{ij}g_j+\frac12\sum_i\sum_j\sum_o\sum_kg_i\mathbf L^+_{ik}\mathbf L_{ko}\mathbf "
        r"L^+_{oj}g_j$, since $z$ is $x-\mathbf L^+g$"
    ),
    "convex": model(
        r"A1: $f(y)+\langle\nabla f(y),x-y\rangle-\sum_i\sum_jb_i\mathbf L^+_{ij}g_j\le f(z)$, "
        r"since $z$ is $x-\mathbf L^+g$"
    ),
    "convex-along": model(
        r"A1: $f(x)+k\langle\nabla f(x),u\rangle\le f(x+ku)$, $f(x)-k\langle\nabla f(x),u\rangle\le "
        "f(x-ku)$, since $f$ is convex"
    ),
    "smooth-along": model(
        r"A1: $f(x+ku)\le f(y)+\langle\nabla f(y),x-y\rangle+k\langle\nabla f(y),u\rangle+\frac "
        r"q2$, $f(x-ku)\le f(y)+\langle\nabla f(y),x-y\rangle-k\langle\nabla f(y),u\rangle+\frac "
        r"q2$, since $\mathbf Lu$ vanishes"
    ),
    "quadratic": model(
        r"$f(x)=\frac12\sum_i\sum_jx_i\mathbf H_{ij}x_j$, $f(y)=\frac12\sum_i\sum_jy_i\mathbf "
        r"H_{ij}y_j$, $\langle\nabla f(y),x-y\rangle=\sum_i\sum_jy_i\mathbf H_{ij}v_j$, $\mathbf "
        r"H_{ij}=\mathbf H_{ji}$, since $f(x)$ is $\frac12x^\top\mathbf Hx$"
    ),
    "full": model(r"$g_i=\sum_j\mathbf L_{ij}v_j$, $\mathbf H_{ij}=\mathbf L_{ij}$"),
}

CLAIM = Claim(
    id="squant/range",
    kind="upper",
    provenance="derived",
    title="Co-coercivity in the matrix norm",
    position=11,
    paper=PAPER,
    **statement(
        r"""
        Let $f$ be convex, differentiable and $\mathbf L$-smooth with $\mathbf L\succeq0$, $f(x)\le
        f(y)+\langle\nabla f(y),x-y\rangle+\frac12\|x-y\|_{\mathbf L}^2$ (A1). Let $g=\nabla f(x)-\nabla
        f(y)$, $v=x-y$ and $D_f(x,y)=f(x)-f(y)-\langle\nabla f(y),x-y\rangle$.
        (a: range) <<$\nabla f(x)-\nabla f(y)\in\mathrm{range}(\mathbf L)$ -> exact/gradient difference in
          the range>>: <<for each $u$ with $\mathbf Lu=0$ -> proof>>, $\langle\nabla
          f(x),u\rangle=\langle\nabla f(y),u\rangle$. [proof; exact/gradient difference in the range]
        (b: cocoercive) <<$\|g\|_{\mathbf L^+}^2\le2D_f(x,y)$ -> proof>>, that is $$\sum_i\sum_jg_i\mathbf
          L^+_{ij}g_j\le2D_f(x,y).$$ [proof; exact/co-coercivity; exact/co-coercivity of a node]
        (c: bregman) <<For a quadratic with Hessian $\mathbf H$ -> proof>>,
          $2D_f(x,y)=\sum_i\sum_jv_i\mathbf H_{ij}v_j$. [proof; exact/divergence of a quadratic]
        (d: attained) <<The bound is attained by quadratics with Hessian $\mathbf L$ -> proof>>:
          $\sum_i\sum_jg_i\mathbf L^+_{ij}g_j=2D_f(x,y)$. [proof; exact/equality where the Hessian is L]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(g, "g", r"\mathbb R^d", r"$\nabla f(x)-\nabla f(y)$", "(d,)"),
        Variable(v, "v", r"\mathbb R^d", r"$x-y$", "(d,)"),
        Variable(Lplus, r"\mathbf L^+", r"\mathbb R^{d\times d}", r"pseudo-inverse of $\mathbf L$", "(d, d)"),
        Variable(H, r"\mathbf H", r"\mathbb R^{d\times d}", "Hessian of a quadratic", "(d, d)"),
        Variable(x, "x", r"\mathbb R^d", "a point", "(d,)"),
        Variable(y, "y", r"\mathbb R^d", "another point", "(d,)"),
        Variable(a, "a", r"\mathbb R^d", r"entries of $\nabla f(x)$", "(d,)"),
        Variable(b, "b", r"\mathbb R^d", r"entries of $\nabla f(y)$", "(d,)"),
        Variable(L, r"\mathbf L", r"\mathbb R^{d\times d}", "smoothness matrix", "(d, d)"),
        Variable(D, "D_f(x,y)", r"\mathbb R_{\ge0}", "Bregman divergence"),
        Variable(fx, "f(x)", r"\mathbb R", "value at $x$"),
        Variable(fy, "f(y)", r"\mathbb R", "value at $y$"),
        Variable(fz, "f(z)", r"\mathbb R", r"value at $z=x-\mathbf L^+g$"),
        Variable(s, r"\langle\nabla f(y),x-y\rangle", r"\mathbb R", "slope at $y$ towards $x$"),
        Variable(
            q, "q", r"\mathbb R_{\ge0}", r"$\|x-y\|_{\mathbf L}^2$, also of the points $x\pm ku$ from $y$"
        ),
        Variable(ahead, "f(x+#1u)", r"\mathbb R", "values ahead of $x$ along $u$", "(oo,)", first=0),
        Variable(behind, "f(x-#1u)", r"\mathbb R", "values behind $x$ along $u$", "(oo,)", first=0),
        Variable(slope_x, r"\langle\nabla f(x),u\rangle", r"\mathbb R", r"slope at $x$ along $u$"),
        Variable(slope_y, r"\langle\nabla f(y),u\rangle", r"\mathbb R", r"slope at $y$ along $u$"),
    ),
    notation={"u": r"a direction with $\mathbf Lu=0$"},
    hypotheses=_HYPOTHESES,
    relations={
        "range": Relation((slope_x, slope_y), ("=",)),
        "cocoercive": Relation((_NORM, 2 * D), ("<=",)),
        "bregman": Relation((2 * D, _TWICE), ("=",), under=("quadratic",)),
        "attained": Relation((_NORM, 2 * D), ("=",), under=("quadratic", "full")),
    },
    formulas={"bound": _TWICE, "exact": _NORM, "twice_bregman": _TWICE, "twice": 2 * D},
    worst_cases=cases(r"""
        quadratic with Hessian $\mathbf L$: both sides are 6 | g = (3, 3), Lplus = ((2/3, -1/3), (-1/3, 2/3)),
          v = (1, 1), H = ((2, 1), (1, 2)), d = 2 | 6
    """),
)


# The quadratic with Hessian (2, 1; 1, 2) at x = (2, 3) and y = (1, 2), where z = y.
GOLDEN = {
    **{d: 2, L: _L, H: _L, Lplus: _INVERSE, x: (2, 3), y: (1, 2), v: (1, 1), a: (7, 8), b: (4, 5), g: (3, 3)},
    **{fx: 19, fy: 7, fz: 7, s: 9, D: 3, q: 6, slope_x: 0, slope_y: 0},
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example(GOLDEN)
    K.index(ROWS, COLUMNS)
    below, above = _slope(K, 0, slope_x - slope_y), _slope(K, 1, slope_y - slope_x)
    below = K.cert(le(slope_x, slope_y), below)
    above = K.cert(le(slope_y, slope_x), above)
    K.conclude("range", antisymmetry(K, slope_x, slope_y, below, above))

    # The quadratic term of z = x - L^+ g is the norm of g, since L^+ L L^+ = L^+.
    image = _sum(K, K.at("pseudo-inverse", i, j), _PLP, Lplus[i, j], g[i] * g[j], COLUMNS, ROWS)
    gradient = _sum(K, K.at("difference", i), g[i], a[i] - b[i], Sum(Lplus[i, j] * g[j], COLUMNS), ROWS)
    K.show("cocoercive", "smooth", "convex", image, gradient, "divergence")
    _quadratic(K)


def _sum(K: Any, equation: Any, left: Any, right: Any, factor: Any, *ranges: Any) -> Any:
    """Multiply an equation by a factor and add it up."""
    return K.sum_over(K.cert(eq(factor * left, factor * right), equation), *ranges)


def _slope(K: Any, place: int, slope: Any) -> Any:
    """Conclude that a slope difference is at most 0, since k times it is bounded for every k."""
    gap = fy - fx + s + q / 2
    bounded = K.every(
        K.cert(
            le(k * slope, gap),
            K.at(K.given("convex-along", place), k),
            K.at(K.given("smooth-along", place), k),
        ),
        (k, 0, oo),
    )
    return archimedes(K, slope, gap, bounded)


def _quadratic(K: Any) -> None:
    place = K.at("displacement", i)
    parts = [
        _sum(K, place, v[i], x[i] - y[i], factor, ROWS)
        for factor in (
            Sum(H[i, j] * x[j], COLUMNS),
            Sum(y[j] * H[j, i], COLUMNS),
            Sum(v[j] * H[j, i], COLUMNS),
        )
    ]
    symmetric = _sum(K, K.at(K.given("quadratic", 3), i, j), H[i, j], H[j, i], v[i] * y[j], COLUMNS, ROWS)
    fx_of, fy_of, slope_of = (K.given("quadratic", k) for k in range(3))
    bregman = K.show("bregman", *parts, symmetric, fx_of, fy_of, slope_of, K.given("divergence"))

    # With g = L v the norm is v L L^+ L v = v L v.
    gradient, smoothness = K.at("full", i), Sum(L[i, j] * v[j], COLUMNS)
    right = _sum(K, gradient, g[i], smoothness, Sum(Lplus[i, k] * g[k], (k, 0, d - 1)), ROWS)
    image = Sum(Lplus[k, i] * L[k, o] * v[o], (k, 0, d - 1), (o, 0, d - 1))
    left = _sum(K, gradient, g[i], smoothness, image, ROWS)
    turned = Sum(Lplus[j, k] * L[k, o] * v[o], (k, 0, d - 1), (o, 0, d - 1))
    swapped = _sum(
        K, K.at(K.given("pseudo-inverse", 2), i, j), L[i, j], L[j, i], v[i] * turned, COLUMNS, ROWS
    )
    inverse = _sum(K, K.at(K.given("pseudo-inverse", 1), i, j), _LPL, L[i, j], v[i] * v[j], COLUMNS, ROWS)
    hessian = _sum(K, K.at(K.given("full", 1), i, j), H[i, j], L[i, j], v[i] * v[j], COLUMNS, ROWS)
    K.show("attained", right, left, swapped, inverse, hessian, bregman)
