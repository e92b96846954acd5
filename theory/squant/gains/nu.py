r"""`squant/nu`: the range of the constants of heterogeneity (about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.coordinate_vector import picked
from theory.facts.sums.sum_of_squares import sum_of_squares
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, B, m, i, j, k, l, a = symbols("n d B m i j k l a", real=True)
L, L_max, nu, rho, nu_B, nu_tr, heavy, node = symbols("L L_max nu rho nu_B nu_tr heavy node", real=True)
Lambda, W, x, v, w, D, F, M = symbols("Lambda W x v w D F M", cls=IndexedBase, real=True)
NODES, ROWS, COLUMNS = (i, 0, n - 1), (j, 0, d - 1), (k, 0, d - 1)
BLOCKS, PLACES = (l, 0, B - 1), (a, 0, m - 1)
t = IndexedBase("t", real=True)
t_max, nu_1, nu_2, place = symbols("t_max nu_1 nu_2 place", real=True)


def _form(number: Any, vector: Any) -> Sum:
    """Return the quadratic form of a node at a vector."""
    return Sum(Sum(W[number, j, k] * vector[j] * vector[k], COLUMNS), ROWS)


def _square(vector: Any) -> Sum:
    return Sum(vector[j] ** 2, ROWS)


_MEAN = Sum(_form(i, x), NODES) / n
_NU = Sum(Lambda[i], NODES) / L_max
_NODE = sqrt(B / d) * Sum(F[l], BLOCKS) / L_max
_MAXIMA = Sum(M[l], BLOCKS) / L_max
_TRACE = sqrt(B / d) * nu_tr
_NU_1, _NU_2 = Sum(t[j], ROWS) / t_max, Sum(sqrt(t[j]), ROWS) / sqrt(t_max)

_HYPOTHESES = {
    "sizes": domain(r"$n,d,B,m\ge1$ are integers"),
    "length": definition("$d=Bm$"),
    "signs": domain(r"$L,L_{\max},\nu,t_{\max}>0$"),
    "semidefinite": model(
        r"$\sum_j\sum_k\mathbf L_{ijk}x_jx_k\ge0$ for every vector $x$, "
        r"since the matrices are semidefinite"
    ),
    "eigenvalues": definition(
        r"$\sum_j\sum_k\mathbf L_{ijk}x_jx_k\le L_i\sum_jx_j^2$ for every vector $x$, "
        "since these are Rayleigh quotients"
    ),
    "largest": definition(
        r"$L_i\le L_{\max}$; $1\le i^\star\le n$ is an integer; "
        r"$\sum_j\sum_k\mathbf L_{i^\star,j,k}v_jv_k=L_{\max}$, $\sum_jv_j^2=1$, since $v$ is an eigenvector"
    ),
    "mean": definition(
        r"$\frac1n\sum_i\sum_j\sum_k\mathbf L_{ijk}x_jx_k\le L\sum_jx_j^2$ for every vector $x$; "
        r"$\frac1n\sum_i\sum_j\sum_k\mathbf L_{ijk}w_jw_k=L$, $\sum_jw_j^2=1$, since $w$ is an eigenvector"
    ),
    "nu": definition(r"$\nu=\frac{\sum_iL_i}{L_{\max}}$"),
    "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
    "blocks": definition(
        r"$1\le r\le n$ is an integer; $\delta_{la}=\mathbf L_{r,(l-1)m+a,(l-1)m+a}$, "
        r"since $\delta$ is the diagonal of $\mathbf L_r$"
    ),
    "norms": definition(
        r"$\|D_{ll}\|_F=\sqrt{\sum_a\delta_{la}^2}$, since these are Frobenius norms of diagonal "
        "blocks"
    ),
    "nu_B": definition(r"$\nu_B=\frac1{L_{\max}}\frac Bd\sum_l\sqrt{d/B}\|D_{ll}\|_F$"),
    "maxima": definition(r"$\delta_{lp}\le M_l$, since $M_l$ is the maximum of its block"),
    "nu_tr": definition(
        r"$\sum_l\sum_a\delta_{la}\le\nu_{\rm tr}L_{\max}$, since $\nu_{\rm tr}$ is "
        r"$\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$"
    ),
    "diagonal": definition(
        r"$1\le r\le n$ is an integer; $t_j=\mathbf L_{rjj}$, $t_j\le t_{\max}$; "
        r"$1\le c\le d$ is an integer; $t_c=t_{\max}$, since $t$ is the diagonal of $\mathbf L_r$"
    ),
    "nu_s": definition(
        r"$\nu_1=\frac{\sum_jt_j}{t_{\max}}$, $\nu_2=\frac{\sum_j\sqrt{t_j}}{\sqrt{t_{\max}}}$"
    ),
    "largest-trace": definition(
        r"$\nu_{\rm tr}=\frac{\sum_jt_j}{L_{\max}}$, since the trace of the node is the maximum"
    ),
    "H": parameter(r"$L_i=1$, $L_{\max}=1$, $L=\frac{1+\frac{n-1}{n^2}}n$"),
}

CLAIM = Claim(
    id="squant/nu",
    kind="upper",
    provenance="derived",
    title="Range of the constants of heterogeneity",
    position=16,
    paper=PAPER,
    **statement(
        r"""
        The $\mathbf L_i$ are symmetric positive semidefinite and not all 0,
        $L_i=\lambda_{\max}(\mathbf L_i)$, $L_{\max}$ is the largest of them,
        $L=\lambda_{\max}(\frac1n\sum_i\mathbf L_i)$, $\nu=\frac{\sum_iL_i}{L_{\max}}$ and
        $\rho=\frac{L_{\max}}{nL}$. In parts (c) and (d) the coordinates are in $B$ equal blocks, $D$ is the
        diagonal of a matrix, $M_l$ its largest entry in block $l$, and $\nu_{\rm
        tr}=\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$.
        (a: range) $$\frac{L_{\max}}n\le L\le\nu\frac{L_{\max}}n.$$ [proof; exact/smallest L; exact/largest
          L; exact/L of one node]
        (b: rho) $$\frac1n\le\frac1\nu\le\rho\le1.$$ [proof; exact/least rho; exact/largest rho;
          exact/largest nu]
        (c: maxima, blocks) For any node, as for the one where
          $\frac1{L_{\max}}\frac Bd\sum_l\sqrt{d/B}\|D_{ll}\|_F$ is largest, this value is
          $$\nu_B=\sqrt{B/d}\frac{\sum_l\|D_{ll}\|_F}{L_{\max}}\le\frac{\sum_lM_l}{L_{\max}},\qquad\nu_B\le
          B.$$ [proof; exact/nu_B by its definition; exact/nu_B and the largest entries; exact/nu_B and the
          blocks; exact/nu_B at single coordinates]
        (d: trace) For any node, as in (c), $$\nu_B\le\sqrt{B/d}\,\nu_{\rm tr}.$$ [proof; exact/nu_B and the
          trace; exact/trace at single coordinates]
        (e: H-nu, H-rho) <<A bounded $\nu$ is not needed for a $\rho$ near 1 -> exact/rho in family H>>:
          <<with $\mathbf L_i$ equal to 1 on block $i$ of $n$ and $\frac1{n^2}$ elsewhere -> exact/nu in
          family H>>, $L_i=1$, $L_{\max}=1$, $L=\frac{1+\frac{n-1}{n^2}}n$, $\nu=n$ and $1-\frac1n\le\rho$.
          [proof; exact/L in
          family H; exact/nu in family H; exact/rho in family H]
        (f: order) A node with the diagonal $t_j$, whose largest entry is $t_{\max}$, has
          $\nu_1=\frac{\sum_jt_j}{t_{\max}}$ and $\nu_2=\frac{\sum_j\sqrt{t_j}}{\sqrt{t_{\max}}}$, with
          $$1\le\nu_1\le\nu_2\le d.$$ <<The largest $\nu_1$ and $\nu_2$ of all nodes are in this order, too ->
          exact/nu_1 and nu_2>>. [proof; exact/least nu_1; exact/nu_1 and nu_2; exact/nu_1 and nu_2 of a node;
          exact/largest nu_2]
        (g: trace-order) At the node of largest trace $$\nu_{\rm tr}\le\nu_1.$$ [proof; exact/nu_tr and
          nu_1]
        """
    ),
    variables=(
        Variable(Lambda, "L", r"\mathbb R^n_{\ge0}", "largest eigenvalue of each node", "(n,)"),
        Variable(L_max, r"L_{\max}", r"\mathbb R_{>0}", r"$\max_iL_i$"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}(\frac1n\sum_i\mathbf L_i)$"),
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(nu, r"\nu", "[1,n]", r"$\sum_iL_i/L_{\max}$"),
        Variable(rho, r"\rho", "[1/n,1]", r"$L_{\max}/(nL)$: 1 where one node dominates"),
        Variable(nu_B, r"\nu_B", "(0,B]", "heavy blocks of a node"),
        Variable(nu_tr, r"\nu_{\rm tr}", "(0,d]", "heavy coordinates of a node"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(m, "m", r"\mathbb N", "length of a block"),
        Variable(t, "t", r"\mathbb R^d_{\ge0}", "diagonal of the matrix of one node", "(d,)"),
        Variable(t_max, r"t_{\max}", r"\mathbb R_{>0}", "its largest entry"),
        Variable(nu_1, r"\nu_1", "[1,d]", "heavy coordinates of that node"),
        Variable(nu_2, r"\nu_2", "[1,d]", "the same of the roots"),
        Variable(
            F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{\ge0}", "norms of the diagonal blocks of one node", "(B,)"
        ),
        Variable(
            D,
            r"\delta",
            r"\mathbb R^{B\times m}_{\ge0}",
            "diagonal of the matrix of one node by block",
            "(B, m)",
        ),
        Variable(
            W,
            r"\mathbf L",
            r"\mathbb R^{n\times d\times d}",
            r"entries of the matrices $\mathbf L_i$",
            "(n,d,d)",
        ),
        *(Variable(base, str(base), r"\mathbb R^d", "a vector", "(d,)") for base in (x, v, w)),
        Variable(heavy, r"i^\star", r"\mathbb N", "node of the largest eigenvalue"),
        Variable(node, "r", r"\mathbb N", "any node"),
        Variable(place, "c", r"\mathbb N", "place of its largest diagonal entry"),
        Variable(M, "M", r"\mathbb R^B_{\ge0}", "largest diagonal entry of each block of one node", "(B,)"),
    ),
    ranges={"l": (1, B), "a": (1, m)},
    notation={r"\mathbf L_{#1}": "smoothness matrix of a node", "D": "diagonal of a matrix"},
    hypotheses=_HYPOTHESES,
    relations={
        "range": Relation((L_max / n, L, nu * L_max / n), ("<=", "<=")),
        "rho": Relation((1 / n, 1 / nu, rho, Integer(1)), ("<=", "<=", "<=")),
        "maxima": Relation((nu_B, _NODE, _MAXIMA), ("=", "<=")),
        "blocks": Relation((nu_B, B), ("<=",)),
        "trace": Relation((nu_B, _TRACE), ("<=",)),
        "order": Relation((Integer(1), nu_1, nu_2, d), ("<=", "<=", "<=")),
        "trace-order": Relation((nu_tr, nu_1), ("<=",), under=("largest-trace",)),
        "H-nu": Relation((nu, n), ("=",), under=("H",)),
        "H-rho": Relation((1 - 1 / n, rho), ("<=",), under=("H",)),
    },
    formulas={
        "bound": nu * L_max / n,
        "nu": _NU,
        "rho": L_max / (n * L),
        "L_lower": L_max / n,
        "rho_lower": 1 / nu,
        "nu_B_node": _NODE,
        "nu_B_maxima": _MAXIMA,
        "nu_B_trace": _TRACE,
        "nu_1": _NU_1,
        "nu_2": _NU_2,
        "H_L": (1 + (n - 1) / n**2) / n,
        "H_rho": 1 - 1 / n,
    },
    worst_cases=cases(r"""
        one heavy node: $L_1=1$, the others $1/n$; $\nu=(2n-1)/n$, $\rho=n/(2n-1)$ (here $n=4$)
          | Lambda = (1, 1/4, 1/4, 1/4), n = 4, L_max = 1, L = 7/16 | 7/16
        one heavy block for each of four nodes, $1/16$ elsewhere: $\nu=4$ and $\rho=1/1.1875$
          | Lambda = 4 * (1,), n = 4, L_max = 1, L = 19/64 | 19/64
        homogeneous nodes $\mathbf L_i=I$: $\nu=n$, $\rho=1/n$, $\nu_B=B$ | Lambda = 4 * (1,), n = 4,
          L_max = 1, L = 1 | 1
    """),
)

# One node 4 I with one block of 4 coordinates, whose norm is rational.
_ONE = {
    **dict.fromkeys((n, B, nu, rho, nu_B), 1),
    **dict.fromkeys((d, m, L, L_max, nu_tr), 4),
    **{heavy: 1, node: 1, Lambda: (4,), v: (1, 0, 0, 0), w: (1, 0, 0, 0)},
    **{D: ((4, 4, 4, 4),), F: (8,), M: (4,)},
    **{t: (4,) * 4, t_max: 4, place: 1, nu_1: 4, nu_2: 4},
    W: (tuple(tuple(4 * (r == s) for s in range(4)) for r in range(4)),),
}
# Two nodes of family H, with one coordinate in a block.
_H = {
    **dict.fromkeys((n, d, B, nu), 2),
    **{m: 1, L_max: 1, L: Rational(5, 8), rho: Rational(4, 5), heavy: 1, node: 1},
    **{Lambda: (1, 1), v: (1, 0), w: (1, 0)},
    W: (((1, 0), (0, Rational(1, 4))), ((Rational(1, 4), 0), (0, 1))),
}


def derive(K: Any) -> None:
    """Prove the relations: Rayleigh quotients at eigenvectors and coordinate vectors, block by block."""
    K.index(NODES, BLOCKS, PLACES)
    K.example(_ONE)
    K.example(_H)
    K.know(
        *(K.given("largest", place) for place in (1, 2, 3)), *(K.given("blocks", place) for place in range(3))
    )
    _eigenvalues(K)
    _blocks(K)
    _coordinates(K)
    s = n**2 + (n - 1)
    K.show("H-nu", "nu", K.sum_over("H", NODES), using=[K.given("H", 1)])
    values = [K.given("rho"), K.given("H", 1), K.given("H", 2)]
    K.show("H-rho", (1 / s, 1), (1 / (n * s), n - 1), using=values)


def _eigenvalues(K: Any) -> None:
    """Rayleigh quotients of all nodes at the eigenvectors of the heaviest one and of the mean."""
    total = Sum(_form(i, v), NODES)
    before, after = symbols("i_before i_after", real=True)
    others = [
        (1 / n, K.sum_over(K.at("semidefinite", index, lambda place: v[place]), span))
        for index, span in ((before, (before, 0, heavy - 2)), (after, (after, heavy, n - 1)))
    ]
    lower = K.cert(
        le(L_max / n, L),
        K.at("mean", lambda place: v[place]),
        K.given("largest", 5),
        K.split_off(total, heavy - 1),
        K.given("largest", 4),
        *others,
    )
    quotients = K.sum_over(K.at("eigenvalues", i, lambda place: w[place]), NODES)
    lower, upper = K.show("range", lower, [quotients, K.given("mean", 1), K.given("mean", 2), "nu"])
    K.show("rho", [K.cert(le(nu, n), K.sum_over("largest", NODES), "nu")], [upper, "rho"], [lower, "rho"])


def _blocks(K: Any) -> None:
    """Norms of blocks against their entries, which Rayleigh quotients at coordinate vectors bound."""
    at, length = l * m + a, K.given("length")
    K.know(K.cert(le(at, d - 1), length))
    nonnegative, below = _entry(K, D[l, a], at, K.at(K.given("blocks", 3), a, l))
    K.know(nonnegative)
    stated = K.cert(eq(nu_B, _NODE), "nu_B", K.axiom("root-product", B / d, d / B, Rational(1, 2)))
    K.know(K.every(nonnegative, PLACES, BLOCKS))
    K.know(K.cert(le(0, M[l]), K.at("maxima", l, 0)))
    inverse = K.axiom("root-product", 1 / m, m, Rational(1, 2))
    maxima, full = (
        K.sum_over(_norm(K, *given), BLOCKS) for given in ((M[l], K.at("maxima", l, a)), (L_max, below))
    )
    K.show("maxima", stated, K.cert(le(_NODE, _MAXIMA), maxima, inverse, using=[length]))
    K.show("blocks", stated, K.cert(le(_NODE, B), full, inverse, using=[length]))
    total, whole = Sum(D[l, a], PLACES), K.power(sum_of_squares(K, D[l, a], PLACES), Rational(1, 2))
    norm = K.cert(le(F[l], total), whole, K.given("norms"), K.axiom("abs-of-nonnegative", total))
    K.show("trace", stated, K.sum_over(norm, BLOCKS), "nu_tr")


def _coordinates(K: Any) -> None:
    """Entries of the diagonal over the largest one are below their roots, and these are below one."""
    K.know(*(K.given("diagonal", number) for number in (0, 1, 2, 5, 6, 7)))
    at, first = symbols("nu_at", real=True), place - 1
    K.index((at, 0, d - 1))
    nonnegative, _ = _entry(K, t[at], at, K.at(K.given("diagonal", 3), at))
    _, most = _entry(K, t[first], first, K.at(K.given("diagonal", 3), first))
    most = K.cert(le(t_max, L_max), most, K.given("diagonal", 8))
    K.know(nonnegative, K.every(nonnegative, (at, 0, d - 1)))
    below = K.power(K.at(K.given("diagonal", 4), at), Rational(1, 2))
    part = sqrt(t[at]) / sqrt(t_max)
    order = K.sum_over(K.cert(le(t[at] / t_max, part), (part / sqrt(t_max), below)), (at, 0, d - 1))
    one = K.sum_over(K.cert(le(part, 1), (1 / sqrt(t_max), below)), (at, 0, d - 1))
    others = [
        (1 / t_max, K.sum_over(K.instantiate(nonnegative, {at: index}), span))
        for index, span in ((i, (i, 0, place - 2)), (k, (k, place, d - 1)))
    ]
    whole = K.split_off(Sum(t[j], ROWS), place - 1)
    ones, second, equal = K.given("nu_s"), K.given("nu_s", 1), K.given("diagonal", 8)
    least = K.cert(le(1, nu_1), (-1, ones), (-1 / t_max, equal), (-1 / t_max, whole), *others)
    K.show("order", least, [(1, order), (1, ones), (-1, second)], [(1, one), (1, second)])
    K.know(K.sum_over(nonnegative, (at, 0, d - 1)))
    trace = (Sum(t[j], ROWS) / (t_max * L_max), most)
    K.show("trace-order", (1, K.given("largest-trace")), (-1, ones), trace)


def _entry(K: Any, entry: Any, at: Any, equation: Any) -> Any:
    """Return that an entry of the diagonal, by the equation, is at least 0, at most L_max."""
    unit = KroneckerDelta(j, at)
    inner = unit * Sum(unit.subs(j, k) * W[node - 1, j, k], COLUMNS)
    inner = K.cert(eq(inner, unit * W[node - 1, j, at]), picked(K, W[node - 1, j, k], COLUMNS, at))
    rows, column = K.sum_over(inner, ROWS), picked(K, W[node - 1, j, at], ROWS, at)

    def coordinate(number: Any) -> Any:
        return unit.subs(j, number)

    nonnegative = K.cert(le(0, entry), K.at("semidefinite", node - 1, coordinate), rows, column, equation)
    below = K.cert(
        le(entry, L_max),
        K.at("largest", node - 1),
        K.at("eigenvalues", node - 1, coordinate),
        *((Lambda[node - 1], item) for item in (picked(K, unit, ROWS, at), K.axiom("delta-same", at))),
        *((-1, item) for item in (rows, column)),
        equation,
    )
    return nonnegative, below


def _norm(K: Any, bound: Any, at_most: Any) -> Any:
    """Return that the norm of a block is at most the root of its length times a bound on its entries."""
    squares = K.sum_over(K.cert(le(D[l, a] ** 2, bound**2), at_most), PLACES)
    return K.cert(
        le(F[l], sqrt(m) * bound),
        K.power(squares, Rational(1, 2)),
        K.given("norms"),
        K.axiom("root-product", m, bound**2, Rational(1, 2)),
        K.axiom("abs-of-nonnegative", bound),
    )
