r"""`squant/finding-blocks-add-nothing`: a single aware step may do (about arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.coordinate_vector import picked
from theory.formula import IsInteger, eq, every, le, lt
from theory.squant.paper import PAPER

n, d, L, mu, rho, j = (Symbol(s, real=True) for s in ("n", "d", "L", "mu", "rho", "j"))
largest, nu_tr, beta, c_plus, P, Q = (
    Symbol(s, real=True) for s in ("L_max", "nu_tr", "beta", "c_plus", "P", "Q")
)
K_plus, K_block = Symbol("K_plus", real=True), Symbol("K_block", real=True)
D = IndexedBase("D", real=True)
COORDINATES = (j, 0, d - 1)

_TRACE = Sum(D[j], COORDINATES)
_DELTA = 1 / (n * d)
_BOUND = 1 + 2 * sqrt(nu_tr) * rho
_FORMULAS = {
    "c_plus_bound": sqrt(d * nu_tr) * largest,
    "K_plus_bound": (1 + 2 * sqrt(nu_tr / d) * n * rho) * L / mu,
    "K_least": L / mu,
    "W_nu_tr": 1 + (d - 1) / (n * d),
    "W_rho": n * d / (n * d + n - 1),
    "W_limit": 1 + 2 * sqrt(2),
}

_HYPOTHESES = {
    "n": Hypothesis("domain", (IsInteger(n), le(1, n)), r"$n\ge1$ is an integer"),
    "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
    "signs": Hypothesis(
        "domain",
        tuple(lt(0, item) for item in (L, mu, largest, nu_tr, rho, beta, K_block)),
        r"$L,\mu,L_{\max},\nu_{\rm tr},\rho,\beta,K_{\rm block}>0$",
    ),
    "entries": Hypothesis("domain", every(le(0, D[j]), COORDINATES), r"$D_j\ge0$"),
    "largest": Hypothesis(
        "model",
        every(le(D[j], largest), COORDINATES),
        r"no entry of the diagonal of a matrix exceeds its largest eigenvalue, $D_j\le L_{\max}$",
        "the Rayleigh quotient of a coordinate vector",
    ),
    "trace": Hypothesis(
        "definition", le(_TRACE, nu_tr * largest), r"$\sum_jD_j\le\nu_{\rm tr}L_{\max}$ for each node"
    ),
    "rho": Hypothesis("definition", eq(rho, largest / (n * L)), r"$\rho=\frac{L_{\max}}{nL}$"),
    "budget": Hypothesis("definition", eq(beta, d / n), r"$\beta=d/n$"),
    "constant": Hypothesis(
        "definition",
        eq(c_plus, sqrt(d) * sqrt(Sum(D[j] ** 2, COORDINATES))),
        r"$c_{\rm plus}=\sqrt d\|D\|_F$ of the node where it is largest",
    ),
    "constants": Hypothesis(
        "model",
        (eq(P, c_plus / beta), le(0, Q)),
        r"$P=c_{\rm plus}/\beta$ is the constant of the coarse bound; that of the blocks is some $Q\ge0$",
        "squant/bounds, squant/steps",
    ),
    "conditions": Hypothesis(
        "definition",
        (eq(K_plus, (L + 2 * P / n) / mu), eq(K_block, (L + 2 * Q / n) / mu)),
        r"$K_{\rm plus}=\frac{L+2P/n}\mu$ and $K_{\rm block}=\frac{L+2Q/n}\mu$ (`squant/dcgd`)",
    ),
    "dimension": Hypothesis("parameter", le(n**2, d), r"$d\ge n^2$"),
    "W": Hypothesis(
        "model",
        (
            every(eq(D[j], _DELTA + (1 - _DELTA) * KroneckerDelta(j, 0)), COORDINATES),
            eq(largest, 1),
            eq(nu_tr, _TRACE / largest),
            eq(L, (1 + (n - 1) * _DELTA) / n),
        ),
        "family W: node 1 has 1 at one coordinate, all other entries of all nodes are the inverse of nodes "
        "times coordinates; its trace is the largest, and "
        r"$L=\frac{1+\frac{n-1}{nd}}n$, $L_{\max}=1$",
    ),
}

CLAIM = Claim(
    id="squant/finding-blocks-add-nothing",
    kind="finding",
    provenance="derived",
    title="With few heavy coordinates blocks gain a constant factor at most over the aware single step",
    position=19,
    paper=PAPER,
    setting=(
        r"A gain of the blocks over every single-block method does not follow from one dominant node with "
        r"few heavy coordinates. $\nu_{\rm tr}$ is the largest trace of a matrix over $L_{\max}$, "
        r"$\rho=\frac{L_{\max}}{nL}$; all methods have the budget $\beta=d/n$, $K_{\rm plus}$ is the "
        r"condition number of the smoothness-aware method with one step for all coordinates and one norm, "
        r"$K_{\rm block}$ that of any method with blocks."
    ),
    parts=(
        Part(
            "a",
            r"$c_{\rm plus}\le\sqrt{d\nu_{\rm tr}}L_{\max}$ and $K_{\rm plus}\le\Big(1+2\sqrt{\nu_{\rm "
            r"tr}/d}\,n\rho\Big)\frac L\mu$.",
            says=("constant", "single"),
            evidence=("proof", "exact/c_plus", "exact/K of the single step"),
        ),
        Part(
            "b",
            r"If $d\ge n^2$, then $K_{\rm plus}\le(1+2\sqrt{\nu_{\rm tr}}\,\rho)\frac L\mu$.",
            says=("high",),
            evidence=("proof", "exact/bound on the single step"),
        ),
        Part(
            "c",
            r"With any constant of the blocks $\frac L\mu\le K_{\rm block}$, so that for $d\ge n^2$ $K_{\rm "
            r"plus}\le(1+2\sqrt{\nu_{\rm tr}}\,\rho)K_{\rm block}$: blocks gain a constant factor at most "
            r"where $\nu_{\rm tr}$ is bounded.",
            says=("least", "blocks"),
            evidence=("proof", "exact/least K", "exact/gain of the blocks", "exact/gain in total cost"),
        ),
        Part(
            "d",
            r"The bounds of the single step are attained where one coordinate of one node counts and "
            r"$d=n^2$.",
            evidence=("exact/attained",),
            pins={"where one coordinate of one node counts and $d=n^2$": "exact/attained"},
        ),
        Part(
            "e",
            r"Family W: $\mathbf L_1$ is 1 at one coordinate, all other entries are $\frac1{nd}$. Then "
            r"$\nu_{\rm tr}=1+\frac{d-1}{nd}$, $\rho=\frac{nd}{nd+n-1}$ and $1+2\sqrt{\nu_{\rm "
            r"tr}}\,\rho\le1+2\sqrt2$.",
            says=("W_nu_tr", "W_rho", "W_limit"),
            evidence=("proof", "exact/trace of W", "exact/dominance in W", "exact/limit of the multiple"),
            pins={
                r"Family W: $\mathbf L_1$ is 1 at one coordinate, all other entries are $\frac1{nd}$": (
                    "exact/trace of W"
                ),
            },
        ),
        Part(
            "f",
            r"In W with $d=8n^2$ the exponent over 4 to 256 nodes is from {value:level[0],1} to "
            r"{value:level[1],1} for the gain of the blocks over the aware single step, and from "
            r"{value:linear[0],2} to {value:linear[1],2} for the gain of awareness.",
            evidence=(
                "exact/exponent of the gain of the blocks, from below",
                "exact/exponent of the gain of the blocks, from above",
                "exact/exponent of the gain of awareness, from below",
                "exact/exponent of the gain of awareness, from above",
            ),
            pins={
                "$d=8n^2$": "exact/exponent of the gain of awareness, from below",
                "over 4 to 256 nodes": "exact/exponent of the gain of awareness, from below",
            },
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes, and of blocks"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(largest, r"L_{\max}", r"\mathbb R_{>0}", "largest eigenvalue of a matrix of a node"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity of $f$"),
        Variable(rho, r"\rho", r"\mathbb R_{>0}", "1 where one node dominates"),
        Variable(nu_tr, r"\nu_{\rm tr}", r"\mathbb R_{>0}", "heavy coordinates of a node"),
        Variable(D, "D", r"\mathbb R^d_{\ge0}", "diagonal of the matrix of a node", "(d,)"),
        Variable(
            c_plus, r"c_{\rm plus}", r"\mathbb R_{\ge0}", "variance constant times budget, one aware step"
        ),
        Variable(P, "P", r"\mathbb R_{\ge0}", "largest constant of the aware single step"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", "largest constant of the blocks"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of the aware single step"),
        Variable(K_block, r"K_{\rm block}", r"\mathbb R_{>0}", "condition number of the blocks"),
    ),
    notation={r"\|D\|_F": "norm of the diagonal", r"\mathbf L_{#1}": "smoothness matrix of a node"},
    hypotheses=_HYPOTHESES,
    relations={
        "constant": Relation((c_plus, _FORMULAS["c_plus_bound"]), ("<=",)),
        "single": Relation((K_plus, _FORMULAS["K_plus_bound"]), ("<=",)),
        "high": Relation((K_plus, _BOUND * L / mu), ("<=",), under=("dimension",)),
        "least": Relation((L / mu, K_block), ("<=",)),
        "blocks": Relation((K_plus, _BOUND * K_block), ("<=",), under=("dimension",)),
        "W_nu_tr": Relation((nu_tr, _FORMULAS["W_nu_tr"]), ("=",), under=("W",)),
        "W_rho": Relation((rho, _FORMULAS["W_rho"]), ("=",), under=("W",)),
        "W_limit": Relation((_BOUND, _FORMULAS["W_limit"]), ("<=",), under=("W",)),
    },
    formulas={"bound": _BOUND, **_FORMULAS},
    values={
        "level": (Rational(-1, 10), Rational(1, 10)),
        "linear": (Rational(17, 20), Rational(23, 20)),
    },
    worst_cases=(
        WorstCase(
            r"counterexample to a growing gain of the blocks: W with 256 nodes, $d=8n^2$",
            {"family": "W", "n": 256, "d": 8 * 256**2},
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    half = Rational(1, 2)
    entry = K.cert(le(D[j] ** 2, largest * D[j]), (D[j], K.at(K.given("largest"), j)))
    squares = K.cert(
        le(d * Sum(D[j] ** 2, COORDINATES), d * nu_tr * largest**2),
        (d, K.sum_over(entry, COORDINATES)),
        (d * largest, K.given("trace")),
    )
    constant = K.cert(
        le(c_plus, sqrt(d * nu_tr) * largest),
        (1, K.power(squares, half)),
        (-1, K.axiom("root-product", d, Sum(D[j] ** 2, COORDINATES), half)),
        (1, K.axiom("root-product", d * nu_tr, largest**2, half)),
        (sqrt(d * nu_tr), K.axiom("abs-of-nonnegative", largest)),
        using=[K.given("constant")],
    )
    K.conclude("constant", constant)
    of_plus, of_block = K.given("conditions", 0), K.given("conditions", 1)
    using = [of_plus, K.given("constants", 0), K.given("budget")]
    single = K.cert(
        le(K_plus, _FORMULAS["K_plus_bound"]),
        (2 / (d * mu), constant),
        (2 * largest / (d * mu), K.axiom("root-product", d**2, nu_tr / d, half)),
        (2 * largest / (d * mu) * sqrt(nu_tr / d), K.axiom("abs-of-nonnegative", d)),
        using=[*using, K.given("rho")],
    )
    K.conclude("single", single)
    share = 2 * rho * L / mu
    high = K.cert(
        le(K_plus, _BOUND * L / mu),
        (1, single),
        (share * sqrt(nu_tr / d), K.power(K.given("dimension"), half)),
        (-share * sqrt(nu_tr / d), K.axiom("abs-of-nonnegative", n)),
        (-share, K.axiom("root-product", nu_tr / d, d, half)),
    )
    K.conclude("high", high)
    least = K.cert(le(L / mu, K_block), (2 / (n * mu), K.given("constants", 1)), using=[of_block])
    K.conclude("least", least)
    K.conclude("blocks", K.cert(le(K_plus, _BOUND * K_block), (1, high), (_BOUND, least)))
    _family(K)


def _family(K: Any) -> None:
    entries, unit, trace, mean = (K.given("W", k) for k in range(4))
    total = K.cert(
        eq(_TRACE, _FORMULAS["W_nu_tr"]),
        (1, K.sum_over(K.at(entries, j), COORDINATES)),
        (1 - _DELTA, picked(K, Integer(1), COORDINATES, Integer(0))),
    )
    nu = K.cert(eq(nu_tr, _FORMULAS["W_nu_tr"]), (1, total), using=[trace, unit])
    K.conclude("W_nu_tr", nu)
    dominance = K.cert(eq(rho, _FORMULAS["W_rho"]), using=[K.given("rho"), mean, unit])
    K.conclude("W_rho", dominance)
    few = K.cert(le(nu_tr, 2), (1 / n, K.given("n", 1)), (_DELTA, 1), using=[nu])
    one = K.cert(le(rho, 1), (1 / (n * d + n - 1), K.given("n", 1)), using=[dominance])
    limit = K.cert(
        le(_BOUND, _FORMULAS["W_limit"]), (2 * rho, K.power(few, Rational(1, 2))), (2 * sqrt(2), one)
    )
    K.conclude("W_limit", limit)
