r"""`squant/finding-short-messages`: concentrated gradients have short messages (arXiv 2106.03524)."""

from typing import Any

from sympy import Abs, IndexedBase, Rational, Sum, exp, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.gains.content import MOST
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

beta, d, n, support, N, nnz, j, W, R = symbols("beta d n support N nnz j W R", real=True)
x, s = symbols("x s", cls=IndexedBase, real=True)
OVER = (j, 0, d - 1)

_STEP = sqrt(d) / beta
_SUPPORTED = beta * sqrt(support / d)
_LEVELS = Sum(Abs(x[j]) / (_STEP * N), OVER)
_HALF = Rational(1, 2)
_SENT = beta / sqrt(n)


def _gaps(number: Any) -> Any:
    return number * (1 + 2 * log((d + 1) / number, 2))


_CONTENTS = {
    "worst_least": _gaps(beta) + 2 * beta,
    "worst_most": MOST,
    "real_least": 3 * _SENT,
    "real_most": _gaps(_SENT + 1) + 2 * _SENT,
}
_BETWEEN = {"least": sqrt(n) / 2, "most": sqrt(n) * (2 + log(n, 2))}

CLAIM = Claim(
    id="squant/finding-short-messages",
    kind="finding",
    provenance="derived",
    title="The gain in bits can be the root of the gain in rounds",
    position=20,
    paper=PAPER,
    **statement(
        r"""
        By bounds on worst-case message lengths, `squant/gain-block` gives a gain of order $n$ in family H
        (node $i$ is heavy on block $i$). Real messages do not show it: the gradients live on the heavy
        blocks. One block with the uniform step $h=\sqrt d/\beta$, input $x$ with norm $N>0$ and $m$
        nonzero coordinates, where $s_j$ is 1; elsewhere it is 0.
        (a: supported) The unaware quantizer of budget $\beta$ sends $$\mathbb
          E\,\mathrm{nnz}\le\beta\sqrt{m/d}.$$ [proof; exact/expected nonzeros]
        (b: flat) A flat input, $|x_j|=s_jN/\sqrt m$, has $\sum_j\frac{\beta|x_j|}{N\sqrt
          d}=\beta\sqrt{m/d}$, which is the expected number of nonzeros <<where no level is above 1 ->
          exact/attained by a flat input>>. [proof; exact/attained by a flat input]
        (c: one-block) On one of $n$ equal blocks, $m=\frac dn$, this is $\beta\sqrt{m/d}=\frac\beta{\sqrt
          n}$, <<instead of $\beta$ -> exact/expected nonzeros>>. [proof]
        (d: lengths) So the bound $W$ of `squant/bits-bound` on the length, over the length $R$ for a flat
          input on one of $n$ blocks, both without norms, is of the order of the root of $n$, up to a
          logarithm: for $\beta=\frac dn$, $n\ge2$ and $3\le\frac\beta{\sqrt n}$, $$\frac{\sqrt n}2\le\frac
          WR\le\sqrt n(2+\log_2n).$$ [proof; exact/contents; exact/ratio of contents]
        (e) Measured, DCGD against DCGD+ <<with $n$ blocks: the rounds saved grow like $n$ -> run/rounds and
          bits>>, the bits saved like its root. The quick profile <<shows $n=4$ and $8$ -> run/rounds and
          bits>> (exponents at least {value:short[0],2} and at most {value:short[1],2}), the full one <<fits
          both on $n=4$ to $32$ -> run/rounds and bits>>, within {value:within,2} <<of 1 and of ->
          run/rounds and bits>> {value:root,1}. What holds instead: in family V the bits saved grow, too,
          see `squant/gain-block` (l). [run/rounds and bits]
        """
    ),
    variables=(
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(n, "n", r"\mathbb N", "number of nodes and of blocks"),
        Variable(support, "m", r"\{1,\dots,d\}", "number of nonzero coordinates of the input"),
        Variable(N, "N", r"\mathbb R_{>0}", "norm of the input"),
        Variable(x, "x", r"\mathbb R^d", "input", "(d,)"),
        Variable(s, "s", r"\{0,1\}^d", "1 where the input is not zero", "(d,)"),
        Variable(W, "W", r"\mathbb R_{>0}", "bound of `squant/bits-bound`, without its norm"),
        Variable(R, "R", r"\mathbb R_{>0}", "expected length for a flat input on one of $n$ blocks"),
        Variable(nnz, r"\mathbb E\,\mathrm{nnz}", r"\mathbb R_{\ge0}", "expected number of nonzeros"),
    ),
    notation={"h": "step", "i": "number of a node"},
    hypotheses={
        "sizes": domain(r"$d\ge1$ is an integer"),
        "signs": domain(r"$\beta,N,m,n,R>0$"),
        "support": definition(r"$s_j^2=s_j$, $x_j=s_jx_j$, $\sum_js_j=m$"),
        "norm": definition(r"$N^2=\sum_jx_j^2$"),
        "nonzeros": model(
            r"$\mathbb E\,\mathrm{nnz}\le\sum_j\frac{\beta|x_j|}{N\sqrt d}$, "
            "since rounding is unbiased",
            reference="squant/nnz",
        ),
        "flat": parameter(r"a flat input: $|x_j|=s_jN/\sqrt m$"),
        "one-block": parameter(r"$m=\frac dn$"),
        "matched": parameter(r"$\beta=\frac dn$"),
        "two": parameter(r"$n\ge2$"),
        "many": parameter(r"$3\le\frac\beta{\sqrt n}$"),
        "contents": model(
            r"$\beta(1+2\log_2\frac{d+1}\beta)+2\beta\le W\le(\frac "
            r"dn+1)(1+2\log_2n)+\frac{2d}n+\frac{2d}{ne}\log_2e$; $\frac{3\beta}{\sqrt n}\le "
            r"R\le\frac{2\beta}{\sqrt n}+(\frac\beta{\sqrt n}+1)(1+2\log_2\frac{d+1}{\frac\beta{\sqrt "
            "n}+1})$, since a nonzero of a flat input has a sign bit beside the bit of its level",
            reference="squant/bits-bound, squant/gain-block",
        ),
    },
    relations={
        "supported": Relation((nnz, _SUPPORTED), ("<=",)),
        "flat": Relation((_LEVELS, _SUPPORTED), ("=",), under=("flat",)),
        "one-block": Relation((_SUPPORTED, _SENT), ("=",), under=("one-block",)),
        "lengths": Relation(
            (_BETWEEN["least"], W / R, _BETWEEN["most"]),
            ("<=", "<="),
            under=("matched", "two", "many", "contents"),
        ),
    },
    formulas={"bound": _SUPPORTED, **_CONTENTS, **_BETWEEN},
    internal=dict.fromkeys(_CONTENTS, "a hypothesis"),
    values={"short": (Rational(4, 5), Rational(3, 4)), "within": Rational(3, 20), "root": _HALF},
    worst_cases=cases("""
        a flat input on 4 of 9 coordinates: nonzeros expected at budget 3 | x = 4 * (1,) + 5 * (0,), beta = 3,
          d = 9, support = 4 | 2
    """),
)

# The flat input on 4 of 9 coordinates.
_ENTRIES = (1,) * 4 + (0,) * 5
FLAT = {d: 9, n: 2, beta: 3, support: 4, N: 2, R: 1, x: _ENTRIES, s: _ENTRIES, nnz: 2}
# The first of 4 blocks of 36 coordinates.
_BLOCK = {d: 144, n: 4, beta: 36, support: 36, N: 6, W: 288, R: 100}


def derive(K: Any) -> None:
    """Prove the relations: Cauchy-Schwarz over the coordinates that are not zero."""
    K.index(OVER)
    K.example(FLAT)
    K.example(_BLOCK)
    count = K.given("support", 2)
    split = K.axiom("root-product", d, support / d, _HALF)  # sqrt(m/d) sqrt(d) = sqrt(m)
    # |x_j| = |s_j| |x_j|, and the sum of s_j^2 is m.
    entry = K.put_in(Abs(x[j]), K.given("support", 1))
    product = Sum(Abs(s[j]) * Abs(x[j]), OVER)
    bound = K.cert(
        le(product**2, support * N**2),
        cauchy_schwarz(K, Abs(s[j]), Abs(x[j]), OVER),
        K.sum_over("support", OVER),
        count,
        "norm",
    )
    short = K.cert(
        le(Sum(Abs(x[j]), OVER), sqrt(support) * N),
        K.power(bound, _HALF),
        K.axiom("abs-of-nonnegative", product),
        K.axiom("root-product", support, N**2, _HALF),
        K.axiom("abs-of-nonnegative", N),
        *((1, K.sum_over(item, OVER)) for item in (entry, K.axiom("abs-product", s[j], x[j]))),
    )
    terms = (1, K.given("nonzeros")), (1 / (_STEP * N), short), (beta / sqrt(d), split)
    K.show("supported", *terms)
    K.show("flat", K.sum_over("flat", OVER), count, split)
    K.show("one-block", K.axiom("root-product", n, 1 / n, _HALF), using=["one-block"])
    _lengths(K)


def _lengths(K: Any) -> None:
    """Gaps have logarithms near that of n, and e log 2 is at least 1."""
    longest, shortest, least, most = (K.given("contents", k) for k in range(4))
    matched, many = K.given("matched"), K.given("many")
    one = K.cert(le(1, n), "two")
    K.know(one, K.power(one, _HALF), K.log(one))
    root, bits = sqrt(n), log(n) / log(2)
    worst = K.log(K.cert(le(n, (d + 1) / beta), (1 / beta, 1), using=[matched]))
    mean, gaps = (d + 1) / (_SENT + 1), _SENT + 1
    real = K.log(K.cert(le(mean, n * root), (n / gaps, root - 1), (1 / gaps, n - 1), using=[matched]))
    lower = K.cert(
        le(_BETWEEN["least"], W / R),
        (1 / R, longest),
        (root / (2 * R), most),
        (2 * beta / (R * log(2)), worst),
        *((root * gaps / (R * log(2)), item) for item in (real, K.axiom("log-product", n, root))),
        (root * gaps / (R * log(2)), K.axiom("log-power", n, _HALF)),
        (root * (3 + bits) / (2 * R), many),
        (4 * root / R, 1),
        using=[matched],
    )
    half = K.cert(le(_HALF, log(2)), K.axiom("log-below", _HALF), K.axiom("log-product", 2, _HALF))
    inverse = K.cert(le(exp(-1), _HALF), K.axiom("exp-above", 1), K.axiom("exp-sum", 1, -1))
    upper = K.cert(
        le(W / R, _BETWEEN["most"]),
        shortest,
        least,
        half,
        inverse,
        (root * (1 + bits) / R, many),
        (3 * (1 + bits) / R, root - 1),
        (1 / R, 2 + bits),
        using=[matched],
    )
    K.conclude("lengths", lower, upper)
