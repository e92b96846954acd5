r"""`squant/finding-blocks-add-nothing`: a single aware step may do (about arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.coordinate_vector import picked
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.squant.gains.families import VARIABLES, K_block, K_std, L, beta, d, largest, mu, n
from theory.squant.paper import PAPER
from theory.statement import statement

rho, j, nu_tr, c_plus, P, Q, K_plus = symbols("rho j nu_tr c_plus P Q K_plus", real=True)
D = IndexedBase("D", real=True)
COORDINATES = (j, 0, d - 1)

_TRACE, _SQUARES = Sum(D[j], COORDINATES), Sum(D[j] ** 2, COORDINATES)
_NORM = sqrt(d) * sqrt(_SQUARES)
_FIRST, _DELTA, _HALF = KroneckerDelta(j, 0), 1 / (n * d), Rational(1, 2)
_BOUND, _LIMIT = 1 + 2 * sqrt(nu_tr) * rho, 1 + 2 * sqrt(2)
_MOST, _FEW, _MANY = sqrt(d * nu_tr) * largest, (1 + 2 * sqrt(nu_tr / d) * n * rho) * L / mu, _BOUND * L / mu
_LEAST_W, _MOST_W = 2 * n / 3, 2 * n + 1
_TRACE_W, _RHO_W = 1 + (d - 1) / (n * d), n * d / (n * d + n - 1)

_HYPOTHESES = {
    "n": domain(r"$n\ge1$ is an integer"),
    "d": domain(r"$d\ge1$ is an integer"),
    "signs": domain(r"$L,\mu,L_{\max},\nu_{\rm tr},\rho,\beta,K_{\rm plus},K_{\rm block}>0$"),
    "entries": domain(r"$D_j\ge0$"),
    "largest": model(
        r"$D_j\le L_{\max}$ (the largest eigenvalue of a matrix bounds its diagonal)",
        reference="the Rayleigh quotient of a coordinate vector",
    ),
    "trace": definition(r"$\sum_jD_j\le\nu_{\rm tr}L_{\max}$"),
    "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
    "budget": definition(r"$\beta=d/n$"),
    "constant": definition(r"$c_{\rm plus}=\sqrt d\sqrt{\sum_jD_j^2}$"),
    "constants": model(
        r"$0\le P\le\frac{\sqrt d\sqrt{\sum_jD_j^2}}\beta$, $Q\ge0$, "
        r"since $P$ is a constant of the single step under its coarse bound",
        reference="squant/bounds, squant/steps",
    ),
    "conditions": definition(
        r"$K_{\rm std}=\frac{L+2dL_{\max}/(\beta n)}\mu$, $K_{\rm plus}=\frac{L+2P/n}\mu$ and $K_{\rm "
        r"block}=\frac{L+2Q/n}\mu$ (`squant/dcgd`)"
    ),
    "dimension": parameter(r"$d\ge n^2$"),
    "square": parameter(r"$d=n^2$"),
    "one": model(r"$D_j=L_{\max}\mathbb I(j,1)$, since the node has a single heavy coordinate"),
    "one-constants": model(
        r"$\nu_{\rm tr}=\frac{\sum_jD_j}{L_{\max}}$, since the trace of the node is the maximum; "
        r"$P=\frac{\sqrt d\sqrt{\sum_jD_j^2}}\beta$ (the coarse bound)"
    ),
    "W": model(
        r"$D_j=\frac1{nd}+\Big(1-\frac1{nd}\Big)\mathbb I(j,1)$, since this is the diagonal of family W"
    ),
    "W-constants": model(
        r"$L_{\max}=1$, $\nu_{\rm tr}=\frac{\sum_jD_j}{L_{\max}}$, $L=\frac{1+\frac{n-1}{nd}}n$, "
        "since the trace of the node is the maximum"
    ),
}

CLAIM = Claim(
    id="squant/finding-blocks-add-nothing",
    kind="finding",
    provenance="derived",
    title="With few heavy coordinates and d >= n^2 blocks gain at most a constant over the aware single step",
    position=19,
    paper=PAPER,
    **statement(
        r"""
        A gain of the blocks over every single-block method does not follow from one dominant node with few
        heavy coordinates. $\nu_{\rm tr}$ is the largest trace of a matrix over $L_{\max}$,
        $\rho=\frac{L_{\max}}{nL}$; all methods have the budget $\beta=d/n$, $K_{\rm plus}$ is the condition
        number of the smoothness-aware method with one step for all coordinates and one norm, $K_{\rm
        block}$ that of any method with blocks, $K_{\rm std}$ that of the unaware method.
        (a: constant, single) $c_{\rm plus}\le\sqrt{d\nu_{\rm tr}}L_{\max}$ and $K_{\rm
          plus}\le\Big(1+2\sqrt{\nu_{\rm tr}/d}\,n\rho\Big)\frac L\mu$. [proof; exact/c_plus; exact/K of the
          single step]
        (b: high) If $d\ge n^2$, then $K_{\rm plus}\le(1+2\sqrt{\nu_{\rm tr}}\,\rho)\frac L\mu$. [proof;
          exact/bound on the single step]
        (c: least, blocks) With any constant of the blocks $\frac L\mu\le K_{\rm block}$, so that for $d\ge
          n^2$, $K_{\rm plus}\le(1+2\sqrt{\nu_{\rm tr}}\,\rho)K_{\rm block}$: blocks gain a constant factor
          at most where $\nu_{\rm tr}$ is bounded. [proof; exact/least K; exact/gain of the blocks;
          exact/gain in total cost]
        (d: attained, attained_K) With the coarse bound as the constant, those of the single step are
          attained where one coordinate of one node counts and $d=n^2$: $c_{\rm plus}=\sqrt{d\nu_{\rm
          tr}}L_{\max}$ and $K_{\rm plus}=\Big(1+2\sqrt{\nu_{\rm tr}/d}\,n\rho\Big)\frac
          L\mu=(1+2\sqrt{\nu_{\rm tr}}\,\rho)\frac L\mu$. [proof; exact/attained]
        (e: W_nu_tr, W_rho, W_limit) Family W: $\mathbf L_1$ <<is 1 at one coordinate, all other entries are
          $\frac1{nd}$ -> exact/trace of W>>. Then $\nu_{\rm tr}=1+\frac{d-1}{nd}$, $\rho=\frac{nd}{nd+n-1}$
          and $1+2\sqrt{\nu_{\rm tr}}\,\rho\le1+2\sqrt2$. [proof; exact/trace of W; exact/dominance in W;
          exact/limit of the multiple]
        (f: W_blocks, W_awareness) In W with $d\ge n^2$ the gain of the blocks over the aware single step is
          bounded, $K_{\rm plus}\le(1+2\sqrt2)K_{\rm block}$, and that of awareness is of order $n$:
          $$\frac{2n}3\le\frac{K_{\rm std}}{K_{\rm plus}}\le2n+1.$$ [proof; exact/gain of * in W*]
        """
    ),
    variables=(
        *VARIABLES,
        Variable(rho, r"\rho", r"\mathbb R_{>0}", "1 where one node dominates"),
        Variable(nu_tr, r"\nu_{\rm tr}", r"\mathbb R_{>0}", "heavy coordinates of a node"),
        INDICATOR,
        Variable(D, "D", r"\mathbb R^d_{\ge0}", r"diagonal of the node of the largest $\|D\|_F$", "(d,)"),
        Variable(c_plus, r"c_{\rm plus}", r"\mathbb R_{\ge0}", "variance constant times budget, aware step"),
        Variable(P, "P", r"\mathbb R_{\ge0}", "largest constant of the aware single step"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", "largest constant of the blocks"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of the aware single step"),
    ),
    notation={r"\|D\|_F": "norm of the diagonal", r"\mathbf L_{#1}": "smoothness matrix of a node"},
    hypotheses=_HYPOTHESES,
    relations={
        "constant": Relation((c_plus, _MOST), ("<=",)),
        "single": Relation((K_plus, _FEW), ("<=",)),
        "high": Relation((K_plus, _MANY), ("<=",), under=("dimension",)),
        "least": Relation((L / mu, K_block), ("<=",)),
        "blocks": Relation((K_plus, _BOUND * K_block), ("<=",), under=("dimension",)),
        "attained": Relation((c_plus, _MOST), ("=",), under=("one", "one-constants")),
        "attained_K": Relation((K_plus, _FEW, _MANY), ("=", "="), under=("one", "one-constants", "square")),
        "W_nu_tr": Relation((nu_tr, _TRACE_W), ("=",), under=("W", "W-constants")),
        "W_rho": Relation((rho, _RHO_W), ("=",), under=("W", "W-constants")),
        "W_limit": Relation((_BOUND, _LIMIT), ("<=",), under=("W", "W-constants")),
        "W_blocks": Relation((K_plus, _LIMIT * K_block), ("<=",), under=("W", "W-constants", "dimension")),
        "W_awareness": Relation(
            (_LEAST_W, K_std / K_plus, _MOST_W), ("<=", "<="), under=("W", "W-constants", "dimension")
        ),
    },
    formulas={
        **{"bound": _BOUND, "c_plus_bound": _MOST, "K_plus_bound": _FEW, "K_least": L / mu},
        **{"W_nu_tr": _TRACE_W, "W_rho": _RHO_W, "W_limit": _LIMIT, "W_least": _LEAST_W, "W_most": _MOST_W},
    },
)


_NAMES = (n, d, largest, L, mu, nu_tr, rho, beta, c_plus, P, Q, K_std, K_plus, K_block)
# Two nodes: nine coordinates, one that counts, and family W.
_EXAMPLES = {
    (5, 3, 1, 1, 0, 0, 0, 0, 0): "2 9 6 4 1/2 2 3/4 9/2 18 7/2 1 32 15 10",
    (3, 0, 0, 0): "2 4 3 2 1/2 1 3/4 2 6 3 1 16 10 6",
    (1, *(Rational(1, 8),) * 3): "2 4 1 9/16 1/4 11/8 8/9 2 3 1 1/2 41/4 25/4 17/4",
}


def derive(K: Any) -> None:
    """Prove the relations: no entry exceeds the largest, so that the trace bounds the sum of squares."""
    K.index(COORDINATES)
    for diagonal, values in _EXAMPLES.items():
        K.example({D: diagonal, **dict(zip(_NAMES, values.split(), strict=True))})
    positive, size = (K.axiom("abs-of-nonnegative", item) for item in (largest, n))
    short, long = (K.axiom("root-product", item, d, _HALF) for item in (nu_tr / d, nu_tr))
    of_std, of_plus, of_block = (K.given("conditions", place) for place in range(3))
    shares = [K.given("budget"), K.given("rho")]
    entry = K.cert(le(D[j] ** 2, largest * D[j]), "largest")
    squares = K.cert(le(_SQUARES, nu_tr * largest**2), K.sum_over(entry, COORDINATES), "trace")
    product = K.axiom("root-product", nu_tr, largest**2, _HALF)
    norm = K.cert(le(sqrt(_SQUARES), sqrt(nu_tr) * largest), K.power(squares, _HALF), product, positive)
    K.show("constant", norm, long, using=["constant"])
    single = K.show("single", K.given("constants", 1), norm, short, using=[of_plus, *shares])
    high = K.show("high", single, K.cert(le(n, sqrt(d)), K.power(K.given("dimension"), _HALF), size), short)
    blocks = K.show("blocks", high, K.show("least", K.given("constants", 2), using=[of_block]))
    _attained(K, positive, size, of_plus, shares)
    std = K.cert(eq(K_std, (1 + 2 * n * rho) * L / mu), using=[of_std, *shares])
    _family(K, high, blocks, std, K.cert(le(L / mu, K_plus), "constants", using=[of_plus]))


def _attained(K: Any, positive: Any, size: Any, of_plus: Any, shares: Any) -> None:
    """With one entry only, trace and norm are that entry."""
    entries, square, first = K.given("one"), K.given("square"), Integer(0)
    one, again = (picked(K, term, COORDINATES, first) for term in (largest, D[j]))
    nu = K.cert(eq(nu_tr, 1), K.given("one-constants"), K.sum_over(K.at(entries, j), COORDINATES), one)
    product = K.cert(eq(D[j] ** 2, largest * _FIRST * D[j]), K.at(entries, j))
    terms = K.sum_over(product, COORDINATES), again, K.at(entries, first)
    root = K.put_in(sqrt(_SQUARES), K.cert(eq(_SQUARES, largest**2), *terms))
    norm = K.cert(eq(sqrt(_SQUARES), largest), root, positive)
    K.show("attained", "constant", norm, using=[nu])
    constant = K.cert(eq(P, n * largest / beta), K.given("one-constants", 1), norm, size, using=[square])
    inverse = K.axiom("power-power", n, -2, _HALF)
    equal = K.cert(eq(_FEW, _MANY), inverse, using=[nu, square])
    using = [of_plus, constant, *shares, nu, square]
    K.conclude("attained_K", K.cert(eq(K_plus, _FEW), inverse, using=using), equal)


def _family(K: Any, high: Any, blocks: Any, std: Any, plus: Any) -> None:
    """In W trace and dominance are near 1, and the root of a trace is at most the mean of it and 1."""
    unit, trace, mean = (K.given("W-constants", k) for k in range(3))
    one = picked(K, Integer(1), COORDINATES, Integer(0))
    nu = K.show("W_nu_tr", K.sum_over("W", COORDINATES), one, using=[trace, unit])
    dominance = K.show("W_rho", using=["rho", mean, unit])
    nodes, size = K.given("n", 1), n * d + n - 1
    few = K.cert(le(nu_tr, 2), nodes, (_DELTA, 1), using=[nu])
    one = K.cert(le(rho, 1), nodes, using=[dominance])
    K.show("W_blocks", (1, blocks), K.show("W_limit", K.power(few, _HALF), one))
    share = L / (mu * K_plus)
    rest = share / (3 * size)
    square = 2 * n * rho * share / 3, (1 - sqrt(nu_tr)) ** 2
    wide = (n * rest, K.given("dimension")), (6 * rest, nodes), (rest, n * (n - 1) ** 2 + 3)
    terms = (-1 / K_plus, std), (_LEAST_W / K_plus, high), square, *wide
    below = K.cert(le(_LEAST_W, K_std / K_plus), *terms, using=[nu, dominance])
    K.show("W_awareness", below, [std, plus, one])
