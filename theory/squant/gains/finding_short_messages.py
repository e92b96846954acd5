r"""`squant/finding-short-messages`: concentrated gradients have short messages (arXiv 2106.03524)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.cauchy_schwarz import cauchy_schwarz
from theory.formula import IsInteger, eq, every, le, lt
from theory.squant.paper import PAPER

beta, d, n, support, N, nnz, j = (
    Symbol(s, real=True) for s in ("beta", "d", "n", "support", "N", "nnz", "j")
)
x, s = (IndexedBase(name, real=True) for name in ("x", "s"))
OVER = (j, 0, d - 1)

_STEP = sqrt(d) / beta
_SUPPORTED = beta * sqrt(support / d)
_LEVELS = Sum(Abs(x[j]) / (_STEP * N), OVER)
_HALF = Rational(1, 2)

CLAIM = Claim(
    id="squant/finding-short-messages",
    kind="finding",
    provenance="derived",
    title="The gain in bits can be the root of the gain in rounds",
    position=20,
    paper=PAPER,
    setting=(
        r"Read as a statement on worst-case message lengths, `squant/gain-block` gives a gain of order $n$ "
        r"in family H (node $i$ is heavy on block $i$). Real messages do not show it: the gradients live "
        r"on the heavy blocks. One block with the uniform step $h=\sqrt d/\beta$, input $x$ with norm "
        r"$N>0$ and $m$ nonzero coordinates, where $s_j$ is 1; elsewhere it is 0."
    ),
    parts=(
        Part(
            "a",
            r"The unaware quantizer of budget $\beta$ sends $$\mathbb E\,\mathrm{nnz}\le\beta\sqrt{m/d}.$$",
            says=("supported",),
            evidence=("proof", "exact/expected nonzeros"),
        ),
        Part(
            "b",
            r"A flat input, $|x_j|=s_jN/\sqrt m$, has $\sum_j\frac{\beta|x_j|}{N\sqrt d}=\beta\sqrt{m/d}$, "
            r"which is the expected number of nonzeros where no level is above 1.",
            says=("flat",),
            evidence=("proof", "exact/attained by a flat input"),
            pins={
                r"where no level is above 1": "exact/attained by a flat input",
            },
        ),
        Part(
            "c",
            r"On one of $n$ equal blocks, $m=\frac dn$, this is $\beta\sqrt{m/d}=\frac\beta{\sqrt n}$, "
            r"instead of $\beta$.",
            says=("one-block",),
            evidence=("proof",),
            pins={r"instead of $\beta$": "exact/expected nonzeros"},
        ),
        Part(
            "d",
            r"So worst-case lengths over real ones grow in family H with an exponent from "
            r"{value:lengths[0],2} to {value:lengths[1],2} in $n$.",
            evidence=(
                "exact/exponent of worst-case over real content, from below",
                "exact/exponent of worst-case over real content, from above",
            ),
            pins={"in $n$": "exact/exponent of worst-case over real content, from above"},
        ),
        Part(
            "e",
            r"Measured, DCGD against DCGD+ with $n$ blocks: the rounds saved grow like $n$, the bits saved "
            r"like its root. The quick profile shows $n=4$ and $8$ (exponents at least {value:short[0],2} "
            r"and at most {value:short[1],2}), the full one fits both on $n=4$ to $32$, within "
            r"{value:within,2} of 1 and of {value:root,1}. What holds instead: in family V the bits saved "
            r"grow like $n$, too (`squant/gain-block`).",
            evidence=("run/rounds and bits",),
            pins={
                r"with $n$ blocks: the rounds saved grow like $n$": "run/rounds and bits",
                r"shows $n=4$ and $8$": "run/rounds and bits",
                r"fits both on $n=4$ to $32$": "run/rounds and bits",
                r"of 1 and of": "run/rounds and bits",
                r"in family V the bits saved grow like $n$, too": "run/rounds and bits",
            },
        ),
    ),
    variables=(
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(n, "n", r"\mathbb N", "number of nodes and of blocks"),
        Variable(support, "m", r"\{1,\dots,d\}", "number of nonzero coordinates of the input"),
        Variable(N, "N", r"\mathbb R_{>0}", "norm of the input"),
        Variable(x, "x", r"\mathbb R^d", "input", "(d,)"),
        Variable(s, "s", r"\{0,1\}^d", "1 where the input is not zero", "(d,)"),
        Variable(nnz, r"\mathbb E\,\mathrm{nnz}", r"\mathbb R_{\ge0}", "expected number of nonzeros"),
    ),
    notation={"h": "step", "i": "number of a node"},
    hypotheses={
        "sizes": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
        "signs": Hypothesis("domain", (lt(0, beta), lt(0, N), lt(0, support), lt(0, n)), r"$\beta,N,m,n>0$"),
        "support": Hypothesis(
            "definition",
            (
                every(eq(s[j] ** 2, s[j]), OVER),
                every(eq(x[j], s[j] * x[j]), OVER),
                eq(Sum(s[j], OVER), support),
            ),
            "$s_j$ is 1 on $m$ coordinates and 0 elsewhere, where the input is 0",
        ),
        "norm": Hypothesis(
            "definition", eq(N**2, Sum(x[j] ** 2, OVER)), r"$N$ is the Euclidean norm of the input"
        ),
        "nonzeros": Hypothesis(
            "model",
            le(nnz, _LEVELS),
            r"$\mathbb E\,\mathrm{nnz}\le\sum_ju_j$, $u_j=|x_j|/(hN)$",
            "squant/nnz",
        ),
        "flat": Hypothesis(
            "parameter",
            every(eq(Abs(x[j]), s[j] * N / sqrt(support)), OVER),
            r"a flat input: $|x_j|=s_jN/\sqrt m$",
        ),
        "one-block": Hypothesis("parameter", eq(support, d / n), r"$m=\frac dn$"),
    },
    relations={
        "supported": Relation((nnz, _SUPPORTED), ("<=",)),
        "flat": Relation((_LEVELS, _SUPPORTED), ("=",), under=("flat",)),
        "one-block": Relation((_SUPPORTED, beta / sqrt(n)), ("=",), under=("one-block",)),
    },
    formulas={"bound": _SUPPORTED, "step": _STEP, "supported": _SUPPORTED, "one_block": beta / sqrt(n)},
    internal={"step": "the step of the setting, for checks"},
    values={
        "lengths": (Rational(7, 20), Rational(13, 20)),
        "short": (Rational(4, 5), Rational(3, 4)),
        "within": Rational(3, 20),
        "root": _HALF,
    },
    worst_cases=(
        WorstCase(
            "a flat input on 4 of 9 coordinates: 2 nonzeros expected at budget 3",
            {"x": (1,) * 4 + (0,) * 5, "beta": 3, "d": 9, "support": 4},
            Integer(2),
        ),
    ),
)

# The flat input on 4 of 9 coordinates.
FLAT = {
    d: 9,
    n: 1,
    beta: 3,
    support: 4,
    N: 2,
    x: (1,) * 4 + (0,) * 5,
    s: (1,) * 4 + (0,) * 5,
    nnz: 2,
}


def derive(K: Any) -> None:
    """Prove the relations: Cauchy-Schwarz over the coordinates that are not zero."""
    K.index(OVER)
    K.example(FLAT)
    absolute = Sum(Abs(x[j]), OVER)
    total = K.given("support", 2)
    ones, inside = K.at(K.given("support", 0), j), K.at(K.given("support", 1), j)

    # sqrt(m/d) sqrt(d) = sqrt(m)
    split = K.axiom("root-product", d, support / d, _HALF)

    # |x_j| = |s_j| |x_j|, and the sum of s_j^2 is m.
    flags = K.sum_over(ones, OVER)
    product = K.axiom("abs-product", s[j], x[j])
    entry = K.sum_over(K.rewrite(K.identity(Abs(x[j]), Abs(x[j])), inside, side="right"), OVER)
    terms = K.sum_over(product, OVER)
    squares = cauchy_schwarz(K, Abs(s[j]), Abs(x[j]), OVER)
    bound = K.cert(
        le(Sum(Abs(s[j]) * Abs(x[j]), OVER) ** 2, support * N**2),
        (1, squares),
        (Sum(x[j] ** 2, OVER), flags),
        (Sum(x[j] ** 2, OVER), total),
        (-support, K.given("norm")),
    )
    root = K.power(bound, _HALF)
    positive = K.axiom("abs-of-nonnegative", Sum(Abs(s[j]) * Abs(x[j]), OVER))
    width = K.axiom("root-product", support, N**2, _HALF)
    norm = K.axiom("abs-of-nonnegative", N)
    short = K.cert(
        le(absolute, sqrt(support) * N),
        (1, root),
        (-1, positive),
        (1, width),
        (sqrt(support), norm),
        (1, entry),
        (1, terms),
    )
    K.conclude(
        "supported",
        K.cert(
            le(nnz, _SUPPORTED), (1, K.given("nonzeros")), (1 / (_STEP * N), short), (beta / sqrt(d), split)
        ),
    )
    flat = K.sum_over(K.at(K.given("flat"), j), OVER)
    K.conclude(
        "flat",
        K.cert(
            eq(_LEVELS, _SUPPORTED),
            (1 / (_STEP * N), flat),
            (1 / (_STEP * sqrt(support)), total),
            (beta / sqrt(d), split),
        ),
    )
    one = K.axiom("root-product", n, 1 / n, _HALF)
    K.conclude(
        "one-block",
        K.cert(eq(_SUPPORTED, beta / sqrt(n)), (-beta / sqrt(n), one), using=[K.given("one-block")]),
    )
