r"""`squant/finding-aware-sqrt-gain`: blocks gain $\sqrt n$ over one aware step (about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.coordinate_vector import picked
from theory.facts.sum_of_squares import sum_of_squares
from theory.formula import IsInteger, eq, every, le, lt
from theory.squant.paper import PAPER

n, d, L, mu, l = (Symbol(s, real=True) for s in ("n", "d", "L", "mu", "l"))
largest, beta, c_plus, c_block, P, Q = (
    Symbol(s, real=True) for s in ("L_max", "beta", "c_plus", "c_block", "P", "Q")
)
K_std, K_plus, K_block = (Symbol(s, real=True) for s in ("K_std", "K_plus", "K_block"))
F = IndexedBase("F", real=True)
BLOCKS = (l, 0, n - 1)

_SIZE = n**2 + n - 1
_ROOTS = {"V": sqrt(n + (n - 1) / n), "H": sqrt(n + (n - 1) / n**3)}
_PLUS = {"V": (2 * n - 1) / n + 2 * _ROOTS["V"], "H": 1 + 2 * n**2 * _ROOTS["H"] / _SIZE}
_STD = {"V": (2 * n - 1) / n + 2 * n, "H": 1 + 2 * n**3 / _SIZE}
_FORMULAS = {
    "V_K_plus": _PLUS["V"],
    "V_std_plus": _STD["V"] / _PLUS["V"],
    "V_plus_block": Rational(1, 3) + 2 * n * _ROOTS["V"] / (3 * (2 * n - 1)),
    "V_least": sqrt(n) / 3,
    "H_K_plus": _PLUS["H"],
    "H_std_plus": _STD["H"] / _PLUS["H"],
    "H_plus_block": Rational(1, 3) + 2 * n**2 * _ROOTS["H"] / (3 * _SIZE),
    "H_least": 8 * sqrt(n) / 15,
}


def _family(rest: Any, mean: Any, convexity: Any, words: str) -> Hypothesis:
    """Return the hypothesis that the heaviest node has 1 on its first block, and `rest` elsewhere."""
    norm = sqrt(d / n) * (rest + (1 - rest) * KroneckerDelta(l, 0))
    return Hypothesis(
        "model",
        (
            every(eq(F[l], norm), BLOCKS),
            eq(largest, 1),
            eq(L, mean),
            eq(mu, convexity),
            eq(Q, c_block / beta),
        ),
        words,
    )


_HYPOTHESES = {
    "n": Hypothesis("domain", (IsInteger(n), le(1, n)), r"$n\ge1$ is an integer"),
    "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
    "signs": Hypothesis(
        "domain",
        tuple(lt(0, item) for item in (L, mu, largest, beta, K_plus, K_block)),
        r"$L,\mu,L_{\max},\beta,K_{\rm plus},K_{\rm block}>0$",
    ),
    "norms": Hypothesis("domain", every(le(0, F[l]), BLOCKS), r"$\|D_{ll}\|_F\ge0$"),
    "budget": Hypothesis("definition", eq(beta, d / n), r"$\beta=d/n$"),
    "constants": Hypothesis(
        "definition",
        (eq(c_plus, sqrt(d) * sqrt(Sum(F[l] ** 2, BLOCKS))), eq(c_block, Sum(sqrt(d / n) * F[l], BLOCKS))),
        r"$c_{\rm plus}=\sqrt d\|D\|_F$ and $c_{\rm block}=\sum_l\sqrt{d/n}\|D_{ll}\|_F$ for a node with the "
        r"diagonal $D$ in blocks $D_{ll}$",
    ),
    "largest": Hypothesis(
        "model",
        (eq(P, c_plus / beta), le(c_block / beta, Q)),
        r"the node is the one of the largest $c_{\rm plus}$, $P=c_{\rm plus}/\beta$; the largest constant "
        r"with blocks is $Q\ge c_{\rm block}/\beta$",
        "squant/bounds, squant/steps",
    ),
    "conditions": Hypothesis(
        "definition",
        (
            eq(K_std, (L + 2 * largest) / mu),
            eq(K_plus, (L + 2 * P / n) / mu),
            eq(K_block, (L + 2 * Q / n) / mu),
        ),
        r"$K_{\rm std}=\frac{L+2L_{\max}}\mu$, $K_{\rm plus}=\frac{L+2P/n}\mu$ and $K_{\rm "
        r"block}=\frac{L+2Q/n}\mu$ (`squant/dcgd`, at the coarse bounds)",
    ),
    "V": _family(
        1 / n,
        (2 * n - 1) / n**2,
        1 / n,
        "family V: the heavy node has 1 on its first block, all other entries are $1/n$, so that "
        r"$L=\frac{2n-1}{n^2}$, $\mu=\frac1n$; it has the largest constant with blocks, "
        r"$Q=c_{\rm block}/\beta$",
    ),
    "H": _family(
        n**-2,
        (1 + (n - 1) / n**2) / n,
        (1 + (n - 1) / n**2) / n,
        "family H: each node has 1 on one block, all other entries are the inverse square of $n$, so that "
        r"$L=\frac{1+\frac{n-1}{n^2}}n$, $\mu=\frac{1+\frac{n-1}{n^2}}n$ and $Q=c_{\rm block}/\beta$",
    ),
}

CLAIM = Claim(
    id="squant/finding-aware-sqrt-gain",
    kind="finding",
    provenance="derived",
    title="Against the smoothness-aware single step, blocks gain only the square root of n",
    position=18,
    paper=PAPER,
    setting=(
        r"The gain of `squant/gain-block` needs the unaware method, of condition number $K_{\rm std}$, as "
        r"the one compared with. Here it is the smoothness-aware method with one step for all coordinates, "
        r"at the same budget $\beta=d/n$, with $n$ equal blocks on the other side. $K_{\rm plus}$ and "
        r"$K_{\rm block}$ are the condition numbers at the constants $c_{\rm plus}/\beta$ and $c_{\rm "
        r"block}/\beta$ of the coarse bound."
    ),
    parts=(
        Part(
            "a",
            r"For all matrices, $c_{\rm plus}\le\sqrt n\,c_{\rm block}$.",
            says=("constants",),
            evidence=("proof", "exact/c_plus"),
            pins={"For all matrices": "exact/c_plus"},
        ),
        Part(
            "b",
            r"It is attained where only one block counts.",
            evidence=("exact/one block",),
            pins={"It is attained where only one block counts": "exact/one block"},
        ),
        Part(
            "c",
            r"Hence $K_{\rm plus}\le\sqrt n\,K_{\rm block}$.",
            says=("conditions",),
            evidence=("proof", "exact/gain of the blocks"),
        ),
        Part(
            "d",
            r"Family V, the heavy node with 1 on one block and all other entries $\frac1n$: $K_{\rm plus}="
            r"\frac{2n-1}n+2\sqrt{n+\frac{n-1}n}$, $K_{\rm std}=\frac{2n-1}n+2n$, $\frac{K_{\rm "
            r"plus}}{K_{\rm block}}=\frac13+\frac{2n\sqrt{n+\frac{n-1}n}}{3(2n-1)}$.",
            says=("V_plus", "V_std", "V_plus_block"),
            evidence=("proof", "exact/closed form"),
            pins={
                r"the heavy node with 1 on one block and all other entries $\frac1n$": "exact/closed form",
            },
        ),
        Part(
            "e",
            r"There the blocks gain $\frac{\sqrt n}3\le\frac{K_{\rm plus}}{K_{\rm block}}$.",
            says=("V_least",),
            evidence=("proof", "exact/least gain of the blocks"),
        ),
        Part(
            "f",
            r"Family H, each node with 1 on one block and all other entries $n^{-2}$: $K_{\rm plus}=1+"
            r"\frac{2n^2\sqrt{n+\frac{n-1}{n^3}}}{n^2+n-1}$, $K_{\rm std}=1+\frac{2n^3}{n^2+n-1}$, "
            r"$\frac{K_{\rm plus}}{K_{\rm block}}=\frac13+\frac{2n^2\sqrt{n+\frac{n-1}{n^3}}}{3(n^2+n-1)}$.",
            says=("H_plus", "H_std", "H_plus_block"),
            evidence=("proof", "exact/closed form"),
            pins={r"each node with 1 on one block and all other entries $n^{-2}$": "exact/closed form"},
        ),
        Part(
            "g",
            r"There they gain $\frac{8\sqrt n}{15}\le\frac{K_{\rm plus}}{K_{\rm block}}$.",
            says=("H_least",),
            evidence=("proof", "exact/least gain of the blocks"),
        ),
        Part(
            "h",
            r"Over 4 to 256 nodes the gain of the blocks, and that of awareness alone, grow in V and H "
            r"with an exponent from {value:root[0],1} to {value:root[1],1}.",
            evidence=(
                "exact/exponent of the gain of the blocks, from below",
                "exact/exponent of the gain of the blocks, from above",
                "exact/exponent of the gain of awareness, from below",
                "exact/exponent of the gain of awareness, from above",
            ),
            pins={"Over 4 to 256 nodes": "exact/exponent of the gain of the blocks, from below"},
        ),
        Part(
            "i",
            r"Measured in V, the rounds saved by the blocks grow at most like $\sqrt n$.",
            evidence=("run/measured rounds",),
            pins={r"at most like $\sqrt n$": "run/measured rounds"},
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes, and of blocks"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(largest, r"L_{\max}", r"\mathbb R_{>0}", "largest eigenvalue of a matrix of a node"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity of $f$"),
        Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^n_{\ge0}", "norms of the blocks of the diagonal", "(n,)"),
        Variable(
            c_plus, r"c_{\rm plus}", r"\mathbb R_{\ge0}", "variance constant times budget, one aware step"
        ),
        Variable(c_block, r"c_{\rm block}", r"\mathbb R_{\ge0}", "variance constant times budget, blocks"),
        Variable(P, "P", r"\mathbb R_{\ge0}", "largest constant of the aware single step"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", "largest constant of the blocks"),
        Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of the unaware method"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of the aware single step"),
        Variable(K_block, r"K_{\rm block}", r"\mathbb R_{>0}", "condition number of the blocks"),
    ),
    notation={"D": "diagonal of the matrix of the node"},
    hypotheses=_HYPOTHESES,
    relations={
        "constants": Relation((c_plus, sqrt(n) * c_block), ("<=",)),
        "conditions": Relation((K_plus, sqrt(n) * K_block), ("<=",)),
        **{
            f"{name}_{quantity}": Relation(sides, (operator,), under=(name,))
            for name in ("V", "H")
            for quantity, sides, operator in (
                ("plus", (K_plus, _FORMULAS[f"{name}_K_plus"]), "="),
                ("std", (K_std, _STD[name]), "="),
                ("plus_block", (K_plus / K_block, _FORMULAS[f"{name}_plus_block"]), "="),
                ("least", (_FORMULAS[f"{name}_least"], K_plus / K_block), "<="),
            )
        },
    },
    formulas={"bound": sqrt(n), **_FORMULAS},
    internal={f"{name}_std_plus": "the quotient of two condition numbers of the part" for name in ("V", "H")},
    values={"root": (Rational(2, 5), Rational(3, 5))},
    worst_cases=(
        WorstCase(
            r"counterexample to a gain of order $n$ over aware methods: V with 256 nodes, gain 5.7 for 85.8",
            {"family": "V", "n": 256, "d": 8 * 256**2},
        ),
        WorstCase(
            r"one heavy block and nothing else: $c_{\rm plus}=\sqrt n\,c_{\rm block}$ (here $n=4$)",
            {"F": (1, 0, 0, 0), "n": 4},
            Rational(2),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(BLOCKS)
    total = Sum(F[l], BLOCKS)
    node = [K.given("constants", 0), K.given("constants", 1)]
    half = Rational(1, 2)
    length = K.axiom("root-product", n, d / n, half)
    constants = K.cert(
        le(c_plus, sqrt(n) * c_block),
        (sqrt(d), K.power(sum_of_squares(K, F[l], BLOCKS), half)),
        (sqrt(d), K.axiom("abs-of-nonnegative", total)),
        (total, length),
        using=node,
    )
    K.conclude("constants", constants)
    of_plus, of_block = (K.given("conditions", k) for k in (1, 2))
    root = K.cert(le(1, sqrt(n)), (1, K.power(K.given("n", 1), half)))
    K.know(root)
    below = K.cert(
        le(K_plus, sqrt(n) * K_block),
        (2 / (n * mu * beta), constants),
        (2 * sqrt(n) / (n * mu), K.given("largest", 1)),
        (L / mu, root),
        using=[of_plus, of_block, K.given("largest", 0)],
    )
    K.conclude("conditions", below)
    for name, rest in (("V", 1 / n), ("H", n**-2)):
        _family_values(K, name, rest)


def _family_values(K: Any, name: str, rest: Any) -> None:
    values = [K.given(name, k) for k in (1, 2, 3)]
    of_std, of_plus, of_block = (K.given("conditions", k) for k in range(3))
    delta, first = KroneckerDelta(l, 0), Integer(0)
    one, again = (picked(K, term, BLOCKS, first) for term in (Integer(1), delta))
    norms = K.at(K.given(name), l)
    norm = sqrt(d / n) * (rest + (1 - rest) * delta)
    squares = K.cert(
        eq(Sum(F[l] ** 2, BLOCKS), d / n * (1 + (n - 1) * rest**2)),
        (1, K.sum_over(K.cert(eq(F[l] ** 2, norm**2), (F[l] + norm, norms)), BLOCKS)),
        (d / n * 2 * rest * (1 - rest), one),
        (d / n * (1 - rest) ** 2, again),
    )
    budget, root, half = K.given("budget"), _ROOTS[name], Rational(1, 2)
    weight = 1 + (n - 1) * rest**2
    constant = K.cert(
        eq(c_plus, d / n * root),
        (1, K.rewrite(K.given("constants", 0), squares)),
        (-1, K.axiom("root-product", d, d / n * weight, half)),
        (1, K.axiom("root-product", (d / n) ** 2, n * weight, half)),
        (root, K.axiom("abs-of-nonnegative", d / n)),
    )
    using = [of_plus, K.given("largest", 0), constant, budget, *values]
    plus = K.cert(eq(K_plus, _PLUS[name]), using=using)
    K.conclude(f"{name}_plus", plus)
    K.conclude(f"{name}_std", K.cert(eq(K_std, _STD[name]), using=[of_std, *values]))
    share = 2 / (n * mu * beta) * sqrt(d / n)
    block = K.cert(
        eq(K_block, 3 * (2 * n - 1) / n if name == "V" else 3),
        (share, K.sum_over(norms, BLOCKS)),
        (share * sqrt(d / n) * (1 - rest), one),
        using=[of_block, K.given(name, 4), K.given("constants", 1), budget, *values],
    )
    quotient = K.cert(eq(K_plus / K_block, _FORMULAS[f"{name}_plus_block"]), using=[plus, block])
    K.conclude(f"{name}_plus_block", quotient)
    above = K.power(K.sign(le(n, n * weight)), half)
    terms: tuple[Any, ...]
    if name == "V":
        share = 2 * n / (3 * (2 * n - 1))
        terms = ((share, above), (1, Rational(1, 3) + sqrt(n) / (3 * (2 * n - 1))))
    else:
        square = 2 * sqrt(n) / (15 * _SIZE) * (n - 2) ** 2
        terms = ((2 * n**2 / (3 * _SIZE), above), (1, square), (1, Rational(1, 3)))
    least = K.cert(le(_FORMULAS[f"{name}_least"], K_plus / K_block), *terms, using=[plus, block])
    K.conclude(f"{name}_least", least)
