r"""`squant/var`: mean and exact weighted variance of the quantizers (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.rounding import rounding_variance, variance_nonnegative
from theory.facts.sums.coordinate_vector import picked
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.statement import statement
from theory.worst_cases import cases

d, j, k, m, M, V, V_diagonal, V_plain, norm = symbols("d j k m M V V_diagonal V_plain norm", real=True)
omega, largest = symbols("omega lambda_max", real=True)
x, h, N, L, W, u, s, b, v, mean = symbols("x h N L W u s b v mean", cls=IndexedBase, real=True)
OTHERS = (k, 0, d - 1)


_COORDINATE = h[j] ** 2 * N[j] ** 2 * rounding_variance(u[j])
_EXACT = total(L[j] * _COORDINATE)

_HALF = Rational(1, 2)


CLAIM = Claim(
    id="squant/var",
    kind="identity",
    provenance="rederived",
    title="Exact weighted variance of standard, block and varying-step quantization",
    position=1,
    paper=PAPER,
    **statement(
        r"""
        $Q(x)_j=N_js_jh_j(\lfloor u_j\rfloor+b_j)$, where $N_j$ is the Euclidean norm of the block of $j$,
        $s_j=\pm1$ the sign of $x_j$, $h_jN_ju_j=|x_j|$, and the $b_j\sim\mathrm{Bernoulli}(\{u_j\})$ are
        independent. A block of norm zero is sent as zeros. $L_j=\mathbf L_{jj}$ for a matrix $\mathbf L$,
        diagonal or not.
        (a: mean) $\mathbb EQ(x)_j=x_j$ for each $j$. [proof; exact/mean; exact/total probability]
        (b: variance) $$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_jL_jh_j^2N_j^2\{u_j\}(1-\{u_j\}).$$ [proof;
          exact/enumerated variance; exact/closed form; exact/closed form in floats; montecarlo/sampled
          variance]
        (c: diagonal) Entries off the diagonal do not matter: $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\mathbb
          E\|Q(x)-x\|_{\mathrm{Diag}(\mathbf L)}^2$. [proof; exact/variance for the diagonal]
        (d: largest-entry) $\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\max_jL_j\,\mathbb E\|Q(x)-x\|^2$. [proof]
        (e: constant) Let $L_j\ge0$. If $\mathbb E\|Q(x)-x\|^2\le\omega\|x\|^2$, then $\mathbb
          E\|Q(x)-x\|_{\mathbf L}^2\le\omega\max_jL_j\,\|x\|^2$. [proof]
        (f: eigenvalue) For symmetric $\mathbf L$, $\max_jL_j\le\lambda_{\max}(\mathbf L)$. [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(x, "x", r"\mathbb R^d", "vector to be quantized", "(d,)"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "quantization steps", "(d,)"),
        Variable(N, "N", r"\mathbb R^d_{\ge0}", "norm of the block of each coordinate", "(d,)"),
        Variable(u, "u", r"\mathbb R^d_{\ge0}", "levels before rounding", "(d,)"),
        Variable(s, "s", r"\{-1,1\}^d", "signs", "(d,)"),
        Variable(W, r"\mathbf L", r"\mathbb R^{d\times d}", "weight matrix, diagonal or not", "(d,d)"),
        Variable(L, "L", r"\mathbb R^d", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(mean, r"\mathbb EQ(x)", r"\mathbb R^d", "expectation of the received vector", "(d,)"),
        Variable(V, r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2", r"\mathbb R", "weighted variance"),
        Variable(
            V_diagonal,
            r"\mathbb E\|Q(x)-x\|_{\mathrm{Diag}(\mathbf L)}^2",
            r"\mathbb R",
            "variance weighted by the diagonal",
        ),
        Variable(V_plain, r"\mathbb E\|Q(x)-x\|^2", r"\mathbb R_{\ge0}", "variance"),
        Variable(M, r"\max_jL_j", r"\mathbb R", r"largest diagonal entry"),
        Variable(m, "m", r"\mathbb N", "coordinate of the largest diagonal entry"),
        Variable(norm, r"\|x\|^2", r"\mathbb R_{\ge0}", "squared norm of $x$"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "variance constant of the quantizer"),
        Variable(largest, r"\lambda_{\max}(\mathbf L)", r"\mathbb R", r"largest eigenvalue of $\mathbf L$"),
        Variable(v, "v", r"\mathbb R^d", "a vector", "(d,)"),
        Variable(b, "b", r"\{0,1\}^d", "which levels are rounded up", "(d,)"),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "levels": definition(r"$h_jN_ju_j=|x_j|$"),
        "signs": definition(r"$s_j|x_j|=x_j$, $s_j^2=1$"),
        "matrix": definition(r"$L_j=\mathbf L_{jj}$"),
        "received": definition(
            r"$\mathbb EQ(x)_j=\mathbb E\bigl(N_jh_js_j(\lfloor u_j\rfloor+b_j)\bigr)$, over "
            r"independent $b_j\sim\mathrm{Bernoulli}(\{u_j\})$, $1\le j\le d$"
        ),
        "error": definition(
            r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\mathbb E\bigl(\sum_{k,j}\mathbf "
            r"L_{jk}(N_jh_js_j(\lfloor u_j\rfloor+b_j)-x_j)(N_kh_ks_k(\lfloor "
            r"u_k\rfloor+b_k)-x_k)\bigr)$, over independent $b_j\sim\mathrm{Bernoulli}(\{u_j\})$, "
            r"$1\le j\le d$"
        ),
        "diagonal-error": definition(
            r"$\mathbb E\|Q(x)-x\|_{\mathrm{Diag}(\mathbf L)}^2=\mathbb E\bigl(\sum_j\mathbf "
            r"L_{jj}(N_jh_js_j(\lfloor u_j\rfloor+b_j)-x_j)^2\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\{u_j\})$, $1\le j\le d$"
        ),
        "plain-error": definition(
            r"$\mathbb E\|Q(x)-x\|^2=\mathbb E\bigl(\sum_j(N_jh_js_j(\lfloor "
            r"u_j\rfloor+b_j)-x_j)^2\bigr)$, over independent $b_j\sim\mathrm{Bernoulli}(\{u_j\})$, "
            r"$1\le j\le d$"
        ),
        "largest": definition(r"$L_j\le\max_jL_j$; $1\le m\le d$ is an integer, $\max_jL_j=L_m$"),
        "nonnegative": domain(r"$L_j\ge0$"),
        "omega": parameter(r"$\mathbb E\|Q(x)-x\|^2\le\omega\|x\|^2$"),
        "eigenvalue": definition(
            r"$\sum_j\sum_k\mathbf L_{jk}v_jv_k\le\lambda_{\max}(\mathbf L)\sum_jv_j^2$ "
            "for every vector $v$, since these are Rayleigh quotients"
        ),
    },
    relations={
        "mean": Relation((mean[j], x[j]), ("=",), every=(COORDINATES,), under=("received",)),
        "variance": Relation((V, _EXACT), ("=",)),
        "diagonal": Relation((V, V_diagonal), ("=",)),
        "largest-entry": Relation((V, M * V_plain), ("<=",)),
        "constant": Relation((V, omega * M * norm), ("<=",), under=("nonnegative", "omega")),
        "eigenvalue": Relation((M, largest), ("<=",), under=("eigenvalue",)),
    },
    formulas={"exact": _EXACT, "coordinate_variance": _COORDINATE},
    internal={"coordinate_variance": "the variance of one coordinate, a factor of the terms in part (b)"},
    worst_cases=cases(r"""
        integer norm 7 | x = (2, 3, 6), u = (4/7, 9/7, 24/7), h = (1/2, 1/3, 1/4), L = (1, 2, 4),
          N = (7, 7, 7), d = 3 | 74/9
        one step for all coordinates, norm 9 | x = (1, 4, 8), u = (2/9, 8/9, 16/9), h = (1/2, 1/2, 1/2),
          L = (1, 1, 1), N = (9, 9, 9), d = 3 | 9
        two blocks, norms 5 and 13 | x = (3, 4, 5, 12), u = (6/5, 8/5, 15/13, 36/13),
          h = (1/2, 1/2, 1/3, 1/3), L = (1, 2, 3, 4), N = (5, 5, 13, 13), d = 4 | 74/3
        irrational norm | x = (1, 2, 3), u = (sqrt(14)/14, 2*sqrt(14)/7, 6*sqrt(14)/7), h = (1, 1/2, 1/4),
          L = (3, 1, 2), N = (sqrt(14), sqrt(14), sqrt(14)), d = 3 | (-7/2 + sqrt(14))*(2 - 2*sqrt(14)/7) +
          (-21/4 + 3*sqrt(14)/2)*(4 - 6*sqrt(14)/7) + 3*sqrt(14)*(1 - sqrt(14)/14)
        all ones with $\mathbf L=\mathbf 1\mathbf 1^\top$ | x = 4 * (1,), u = 4 * (1/2,), h = 4 * (1,),
          L = 4 * (1,), N = 4 * (2,), d = 4 | 4
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, OTHERS)
    # x = (3, -4), N = 5, h = 1/2, 2: levels 6/5 and 2/5.
    example = {d: 2, x: (3, -4), s: (1, -1), h: (_HALF, 2), N: (5, 5), u: (Rational(6, 5), Rational(2, 5))}
    K.example(example | {W: ((2, 1), (1, 3)), L: (2, 3), M: 3, m: 2, norm: 25, omega: 2, largest: 4})
    K.know(K.every(variance_nonnegative(K, u[j]), COORDINATES))
    rounded, step = rounding_variance(u[j]), N[j] * s[j] * h[j]
    level, sign, unit = (K.at(K.given(*item), j) for item in (("levels",), ("signs", 0), ("signs", 1)))

    # Without the error of rounding nothing is left of Q(x) - x.
    exact = K.cert(eq(step * u[j] - x[j], 0), level, sign)
    K.show("mean", "received", exact)

    def variance(subject: Any, name: str, weight: Any) -> Any:
        """Return that a variance with a diagonal weight is the sum of those of the coordinates."""
        terms = K.cert(
            eq(weight * ((step * u[j] - x[j]) ** 2 + step**2 * rounded), weight * _COORDINATE),
            (weight * (step * u[j] - x[j]), exact),
            unit,
        )
        goal = eq(subject, total(weight * _COORDINATE))
        return K.cert(goal, K.given(name), K.sum_over(terms, COORDINATES))

    plain = variance(V_plain, "plain-error", Integer(1))
    diagonal = variance(V_diagonal, "diagonal-error", W[j, j])
    rest = K.cert(eq(W[j, k] * (step * u[j] - x[j]) * (step * u[j] - x[j]).subs(j, k), 0), exact)
    squares = K.cert(eq(W[j, j] * step**2 * rounded, W[j, j] * _COORDINATE), unit)
    weighted = K.cert(
        eq(V, total(W[j, j] * _COORDINATE)),
        "error",
        K.sum_over(rest, COORDINATES, OTHERS),
        K.sum_over(squares, COORDINATES),
    )
    K.show("diagonal", weighted, diagonal)
    entries = K.sum_over(K.cert(eq(W[j, j] * _COORDINATE, L[j] * _COORDINATE), "matrix"), COORDINATES)
    K.show("variance", weighted, entries)

    # The largest entry.
    below = K.cert(le(L[j] * _COORDINATE, M * _COORDINATE), (_COORDINATE, K.at("largest", j)))
    largest_entry = K.show("largest-entry", weighted, entries, K.sum_over(below, COORDINATES), plain)
    K.know(K.cert(le(0, M), K.at("largest", 0), K.at("nonnegative", 0)))
    K.show("constant", largest_entry, "omega")

    # The quadratic form at the coordinate vector of the largest entry.
    K.know(*(K.given("largest", place) for place in (1, 2, 3)))
    place = m - 1
    unit = KroneckerDelta(j, place)
    row = picked(K, W[j, k], OTHERS, place)
    rows = K.cert(eq(unit * Sum(unit.subs(j, k) * W[j, k], OTHERS), unit * W[j, place]), row)
    K.show(
        "eigenvalue",
        K.at("eigenvalue", lambda other: unit.subs(j, other)),
        K.given("largest", 4),
        K.at("matrix", place),
        K.sum_over(rows, COORDINATES),
        picked(K, W[j, place], COORDINATES, place),
        (largest, picked(K, unit, COORDINATES, place)),
        (largest, K.axiom("delta-same", place)),
    )
