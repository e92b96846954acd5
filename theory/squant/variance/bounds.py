r"""`squant/bounds`: coarse and quarter branch of the variance constant (arXiv 2106.03524)."""

from typing import Any

from sympy import Abs, IndexedBase, Min, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.minimum import below_minimum
from theory.facts.rounding.rounding import rounding_variance, variance_below_level, variance_below_quarter
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz_roots
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.statement import statement
from theory.worst_cases import cases

B, C, N, V, d, ell, h_l, j, l, m, s = symbols("B C N V d ell h_l j l m s", real=True)
x, h, L, u, c, V_l, N_l, w = symbols("x h L u c V_l N_l w", cls=IndexedBase, real=True)
BLOCKS = (l, 0, B - 1)
BEFORE, AFTER = (l, 0, m - 2), (l, m, B - 1)  # beside block m, counted from 1

_SQUARES = total(L[j] ** 2 * h[j] ** 2)
_COARSE, _QUARTER = sqrt(_SQUARES), total(L[j] * h[j] ** 2) / 4
_BOUND = Min(_COARSE, _QUARTER)
_BLOCK = h_l * sqrt(total(L[j] ** 2)), h_l**2 * total(L[j]) / 4
_STANDARD = sqrt(d) / s, d / (4 * s**2)

CLAIM = Claim(
    id="squant/bounds",
    kind="upper",
    provenance="rederived",
    title="The two branches of the variance constant",
    position=2,
    paper=PAPER,
    **statement(
        r"""
        $Q$ is the quantizer of `squant/var` with one block and the levels $u_j\ge0$ before rounding,
        $h_j\|x\|u_j=|x_j|$, except in (d) and (e); $L_j\ge0$ is the diagonal of $\mathbf L$.
        (a: branches) For every $x$, $$\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2\le\min\Big\{\Big(\sum_jL_j^2h_j^2\Big)^{1/2},\ \frac14\sum_jL_jh_j^2\Big\}\|x\|^2,$$ the
          coarse and the quarter branch. [proof; exact/variance; adversarial/searched variance;
          montecarlo/sampled variance]
        (b: block) For equal steps $h_j=h$, $$\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2\le\min\Big\{h\Big(\sum_jL_j^2\Big)^{1/2},\ \frac14h^2\sum_jL_j\Big\}\|x\|^2.$$ [proof]
        (c: standard) For $L_j=1$ and $h_j=\frac1s$, the standard quantizer with $s$ levels, $$\mathbb
          E\|Q(x)-x\|_{\mathbf L}^2\le\min\Big\{\frac{\sqrt d}s,\ \frac d{4s^2}\Big\}\|x\|^2.$$ [proof]
        (d: blocks) For several blocks with variances $V_l$, norms $N_l$ and $V_l\le c_lN_l^2$, $$\mathbb
          E\|Q(x)-x\|_{\mathbf L}^2\le\max_lc_l\,\|x\|^2.$$ [proof; exact/variance; adversarial/searched
          variance]
        (e: one-block) A constant of all is one of each block: if $\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2\le\ell\|x\|^2$ at an input with $N_l=0$ for all blocks but $m$, then $V_m\le\ell N_m^2$.
          [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(x, "x", r"\mathbb R^d", "vector to be quantized", "(d,)"),
        Variable(N, r"\|x\|", r"\mathbb R_{\ge0}", "its Euclidean norm"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "quantization steps", "(d,)"),
        Variable(L, "L", r"\mathbb R^d_{\ge0}", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(u, "u", r"\mathbb R^d_{\ge0}", "levels before rounding", "(d,)"),
        Variable(V, r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2", r"\mathbb R_{\ge0}", "weighted variance"),
        Variable(h_l, "h", r"\mathbb R_{>0}", "step of all coordinates"),
        Variable(s, "s", r"\mathbb R_{>0}", "number of levels of the standard quantizer"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(V_l, "V", r"\mathbb R^B_{\ge0}", "variances of the blocks", "(B,)"),
        Variable(N_l, "N", r"\mathbb R^B_{\ge0}", "norms of the blocks", "(B,)"),
        Variable(w, "w", r"\mathbb R^B_{\ge0}", "variances of the blocks over their squared norms", "(B,)"),
        Variable(c, "c", r"\mathbb R^B_{\ge0}", "constants of the blocks", "(B,)"),
        Variable(C, r"\max_lc_l", r"\mathbb R_{\ge0}", "the largest of them"),
        Variable(ell, r"\ell", r"\mathbb R_{\ge0}", "a constant"),
        Variable(m, "m", r"\mathbb N", "a block"),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "weights": domain(r"$L_j\ge0$"),
        "steps": domain(r"$h_j>0$"),
        "levels": definition(r"$h_j\|x\|u_j=|x_j|$, $u_j\ge0$"),
        "norm": definition(r"$\|x\|=\sqrt{\sum_jx_j^2}$"),
        "variance": definition(
            r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\|x\|^2\sum_jL_jh_j^2\{u_j\}(1-\{u_j\})$",
            reference="squant/var",
        ),
        "equal": parameter("$h_j=h$ for all coordinates, $h>0$"),
        "uniform": parameter(r"$L_j=1$, $h_j=\frac1s$, $s>0$"),
        "blocks": definition(
            r"$B\ge1$ is an integer; $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_lV_l$, $\|x\|^2=\sum_lN_l^2$",
            reference="squant/var",
        ),
        "constants": parameter(r"$V_l\le c_lN_l^2$"),
        "largest": definition(r"$c_l\le\max_lc_l$"),
        "block": definition(
            r"$1\le m\le B$ is an integer; $V_l=N_l^2w_l$, "
            r"since $w_l$ is the variance of a block of unit norm",
            reference="squant/var",
        ),
        "alone": parameter(r"$N_l=0$ for $l\ne m$"),
        "constant": parameter(r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\ell\|x\|^2$"),
    },
    relations={
        "branches": Relation((V, _BOUND * N**2), ("<=",), under=("levels", "variance", "norm")),
        "block": Relation((V, Min(*_BLOCK) * N**2), ("<=",), under=("levels", "variance", "norm", "equal")),
        "standard": Relation(
            (V, Min(*_STANDARD) * N**2), ("<=",), under=("levels", "variance", "norm", "uniform")
        ),
        "blocks": Relation((V, C * N**2), ("<=",), under=("blocks", "constants", "largest")),
        "one-block": Relation(
            (V_l[m - 1], ell * N_l[m - 1] ** 2), ("<=",), under=("blocks", "block", "alone", "constant")
        ),
    },
    formulas={"bound": _BOUND, "coarse": _COARSE, "quarter": _QUARTER},
    worst_cases=cases("""
        the bound on the ratio at steps of one norm | x = 100 * (1,), h = 100 * (1,), L = 100 * (1,), d = 100
          | 10
        the quarter branch is the smaller one | x = (1, 1), h = (3, 3), L = (4, 1), d = 2 | 45/4
        $d=64$, $h=1/8$: the quarter branch is attained with 24 coordinates at level 3/2 and 40 at 1/2
          | x = 24 * (3,) + 40 * (1,), h = 64 * (1/8,), L = 64 * (1,), d = 64 | 1/4
    """),
)


_HALF = Rational(1, 2)
ONE_BLOCK = {d: 2, x: (3, 4), N: 5, h: (_HALF, _HALF), u: (Rational(6, 5), Rational(8, 5)), h_l: _HALF, s: 2}
BLOCKS_ALONE = {B: 2, N: 5, N_l: (5, 0), w: (1, 1), V_l: (25, 0), V: 25, c: (1, 1), C: 1, ell: 1, m: 1}


def derive(K: Any) -> None:
    """Prove the relations."""
    for example in ({L: (2, 3)}, {L: (1, 1)}):
        K.example(ONE_BLOCK | example)
    K.example(BLOCKS_ALONE)
    K.index(COORDINATES)
    nonnegative = K.at(K.given("levels", 1), j)
    K.know(nonnegative, K.cert(le(0, N), "norm"))
    weight = L[j] * h[j] ** 2

    # p(1 - p) <= 1/4.
    rounded = K.cert(le(weight * rounding_variance(u[j]), weight / 4), variance_below_quarter(K, u[j]))
    quarter = K.cert(le(V, _QUARTER * N**2), "variance", K.sum_over(rounded, COORDINATES))

    # p(1 - p) <= u, and Cauchy-Schwarz for the sum of L_j h_j |x_j|.
    rounded = K.cert(
        le(N**2 * weight * rounding_variance(u[j]), N * L[j] * h[j] * Abs(x[j])),
        variance_below_level(K, u[j], nonnegative),
        "levels",
    )
    product = cauchy_schwarz_roots(K, L[j] * h[j], Abs(x[j]), COORDINATES)
    coarse = K.cert(le(V, _COARSE * N**2), "variance", K.sum_over(rounded, COORDINATES), product, "norm")
    K.conclude("branches", below_minimum(K, V, _COARSE, _QUARTER, N**2, (coarse, quarter)))

    equations, positive = [K.given("equal")], K.given("equal", 1)
    _special(K, "block", equations, positive, (coarse, quarter), _BLOCK, h_l, total(L[j] ** 2))
    *equations, positive = (K.given("uniform", place) for place in range(3))
    _special(K, "standard", equations, positive, (coarse, quarter), _STANDARD, 1 / s, d)
    _blocks(K)


def _special(
    K: Any, relation: str, equations: Any, positive: Any, below: Any, branches: Any, step: Any, weights: Any
) -> None:
    """Conclude the branches for equal steps, `weights` the sum of the squared weights."""
    K.know(positive)
    squares, halves = (
        K.sum_over(K.put_in(L[j] ** power * h[j] ** 2, *equations), COORDINATES) for power in (2, 1)
    )
    root = K.axiom("root-product", step**2, weights, Rational(1, 2))
    size = K.axiom("abs-of-nonnegative", step)
    coarse = K.cert(le(V, branches[0] * N**2), K.rewrite(below[0], squares), root, size)
    quarter = K.cert(le(V, branches[1] * N**2), below[1], halves)
    K.conclude(relation, below_minimum(K, V, branches[0], branches[1], N**2, (coarse, quarter)))


def _blocks(K: Any) -> None:
    size, total, norms = (K.given("blocks", place) for place in (1, 2, 3))
    K.know(K.given("blocks", 0), size)
    K.index(BLOCKS)
    block = K.cert(le(V_l[l], C * N_l[l] ** 2), "constants", "largest")
    K.show("blocks", total, K.sum_over(block, BLOCKS), norms)

    K.know(*(K.given("block", place) for place in range(3)))
    term = V_l[l] - ell * N_l[l] ** 2
    split = K.split_off(Sum(term, BLOCKS), m - 1)
    rest = []
    for place, span in enumerate((BEFORE, AFTER)):
        zero = K.cert(eq(term, 0), K.given("block", 3), K.at(K.given("alone", place), l))
        rest.append((-1, K.sum_over(zero, span)))
    K.show("one-block", (1, K.given("constant")), (-1, total), (ell, norms), (-1, split), *rest)
