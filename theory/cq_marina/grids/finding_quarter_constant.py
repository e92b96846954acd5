r"""`cq_marina/finding-quarter-constant`: the factor 1/4 belongs to the ternary grid (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.expectation import bernoulli
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz_roots
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.public_constant import PublicConstant
from theory.statement import statement
from theory.worst_cases import cases

n, d, K_sent, M, A_CQ, V_bin, V_tern, V_K, W_bin = symbols("n d K M A_CQ V_bin V_tern V_K W_bin", real=True)
W_tern, R, B_bin, B_tern, norm_bits, i, j = symbols("W_tern R B_bin B_tern norm_bits i j", real=True)
a, r, p, alpha, beta, sent = symbols("a r p alpha beta sent", cls=IndexedBase, real=True)
CLIENTS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)

_BOUND = d / (4 * n)
_EXACT = (d - 1) / n
_RATIO = 4 * (d - 1) / d
_CLAIMED = d / (4 * n**2)
_EQUAL = d / n**2
_SHARP = (sqrt(d) - 1) / n
_OMEGA = d / K_sent - 1
_ONE_SENT = bernoulli((d / K_sent * sent[0] - 1) ** 2, sent, (j, 0, 0), p=K_sent / d)

CLAIM = Claim(
    id="cq_marina/finding-quarter-constant",
    kind="finding",
    provenance="derived",
    title="The constants d/(4n) and d/(4n^2) do not hold for the one-bit quantizer",
    position=13,
    paper=PAPER,
    **statement(
        r"""
        Public code by one of the authors takes $V\le AM$ with $M=\frac1n\sum_i\|a_i\|^2$ and the constants
        $A_{IQ}=\frac d{4n}$ for independent and, at equal inputs, $A_{CQ}=\frac d{4n^2}$ for correlated
        thresholds, together with the one-bit quantizer of levels $\pm\|a\|$. $V_{bin}$ and $V_{tern}$ are
        the variances of the mean with independent thresholds on the binary and the ternary grid, $W_{bin}$
        and $W_{tern}$ those with correlated ones at $n$ equal inputs of norm $r$.
        (a: binary, factor, exceeds) Independent bits have exactly $$V_{bin}=\frac{d-1}nM$$ at every input,
          which exceeds the constant in use, $\frac d{4n}M<V_{bin}$ for $d\ge2$ and $M>0$, by the factor
          $\frac{(d-1)/n}{d/(4n)}=\frac{4(d-1)}d$. [proof; exact/one bit; exact/one bit in floats;
          exact/factor; exact/one bit exceeds the constant in use]
        (b: two-exact, two-claimed) For a single client, $n=1$, in two dimensions, $d=2$, they are
          $\frac{d-1}n=1$ and $\frac d{4n}=\frac12$. [proof; exact/one bit; exact/factor]
        (c: middle, fourfold) Correlated bits of equal inputs exceed theirs by the factor {value:four} where
          all levels are in the middle of a cell, $\{ny_j\}=\frac12$: then $$W_{bin}=\frac
          d{n^2}r^2=4A_{CQ}\,r^2.$$ [proof; exact/correlated bits; exact/fourfold;
          adversarial/largest error]
        (d: ternary, ternary-equal) What holds instead: on the ternary grid both are valid,
          $$V_{tern}\le\frac d{4n}M,\qquad W_{tern}\le\frac d{4n^2}r^2.$$ [proof; exact/ternary keeps the
          constant in use]
        (e: sharp, below) Independent thresholds even have $$V_{tern}\le\frac{\sqrt d-1}nM\le\frac d{4n}M.$$
          [proof; exact/ternary, smaller constant; exact/smaller than the one in use]
        (f: binary-bits, ternary-bits) A message of a norm of $\beta_0=32$ bits, one bit for each sign and
          on the ternary grid one for each magnitude takes $\beta_b=32+d$ bits on the binary,
          $\beta_t=32+2d$ on the other: the one-bit cost and the factor belong to different quantizers.
          [proof; exact/bits of a message]
        (g: rand-k, rand-k-valid) For RandK $$V_K=\frac1n\Big(\frac dK-1\Big)M.$$ The same code takes the
          constant of one client: $V_K\le\Big(\frac dK-1\Big)M$ is valid, but $n$ times too large. [proof;
          exact/constant of RandK; exact/constant in use for RandK]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(K_sent, "K", r"\mathbb N", "number of coordinates that RandK sends"),
        Variable(a, "a", r"\mathbb R^{n\times d}", "inputs", "(n,d)"),
        Variable(r, r"\|a_{#1}\|", r"\mathbb R^n_{\ge0}", "norms of the inputs", "(n,)"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "mean of their squares"),
        Variable(A_CQ, "A_{CQ}", r"\mathbb R_{>0}", "constant in use for correlated thresholds"),
        Variable(V_bin, "V_{bin}", r"\mathbb R_{\ge0}", "variance of independent bits"),
        Variable(V_tern, "V_{tern}", r"\mathbb R_{\ge0}", "the same on the ternary grid"),
        Variable(V_K, "V_K", r"\mathbb R_{\ge0}", "variance of independent RandK"),
        Variable(p, "p", r"[0,1]^{n\times d}", "probabilities of rounding up, ternary grid", "(n,d)"),
        Variable(W_bin, "W_{bin}", r"\mathbb R_{\ge0}", "variance of correlated bits at equal inputs"),
        Variable(W_tern, "W_{tern}", r"\mathbb R_{\ge0}", "the same on the ternary grid"),
        Variable(R, "r", r"\mathbb R_{\ge0}", "norm of the equal inputs"),
        Variable(alpha, r"\{ny_{#1}\}", "[0,1]^d", "fractional parts of $n$ times the binary levels", "(d,)"),
        Variable(norm_bits, r"\beta_0", r"\mathbb N", "bits of a norm"),
        Variable(B_bin, r"\beta_b", r"\mathbb N", "bits of a message on the binary grid"),
        Variable(B_tern, r"\beta_t", r"\mathbb N", "bits of a message on the ternary grid"),
        Variable(beta, r"\{nt_{#1}\}", "[0,1]^d", "fractional parts of $n$ times the ternary levels", "(d,)"),
        Variable(sent, "c", r"\{0,1\}", "whether a coordinate is sent", "(1,)"),
    ),
    notation={
        "V": "a variance",
        "A": "a constant",
        "A_{IQ}": "a constant",
        r"\|a\|": "a norm",
    },
    hypotheses={
        "sizes": domain("$n$ and $d$ are positive integers"),
        "norms": definition(r"$\|a_i\|=\sqrt{\sum_ja_{ij}^2}$, $M=\frac1n\sum_i\|a_i\|^2$"),
        "binary": definition(
            r"$V_{bin}=\frac1{n^2}\sum_i\sum_j(\|a_i\|^2-a_{ij}^2)$, since the bits are unbiased"
        ),
        "levels": definition(r"$\|a_i\|p_{ij}=|a_{ij}|$"),
        "ternary": definition(r"$V_{tern}=\frac1{n^2}\sum_i\|a_i\|^2\sum_jp_{ij}(1-p_{ij})$"),
        "in-use": definition(r"$A_{CQ}=\frac d{4n^2}$"),
        "equal-binary": definition(
            r"$W_{bin}=\frac{4r^2}{n^2}\sum_j\{ny_j\}(1-\{ny_j\})$",
            reference="cq_marina/cq-equal-inputs",
        ),
        "equal-ternary": definition(
            r"$W_{tern}=\frac{r^2}{n^2}\sum_j\{nt_j\}(1-\{nt_j\})$",
            reference="cq_marina/cq-equal-inputs",
        ),
        "messages": definition(r"$\beta_0=32$, $\beta_b=\beta_0+d$, $\beta_t=\beta_0+2d$"),
        "two": parameter("$n=1$, $d=2$"),
        "several": parameter(r"$d\ge2$, $M>0$"),
        "half": parameter(r"$\{ny_j\}=\frac12$"),
        "sent": definition(
            r"$1\le K$, $K\le d$; "
            r"$V_K=\frac1{n^2}\sum_{i,j}a_{ij}^2\mathbb E\bigl((\frac{dc}{K}-1)^2\bigr)$, over "
            r"$c\sim\mathrm{Bernoulli}(\frac Kd)$"
        ),
    },
    relations={
        "binary": Relation((V_bin, _EXACT * M), ("=",)),
        "two-exact": Relation((_EXACT, 1), ("=",), under=("two",)),
        "two-claimed": Relation((_BOUND, Rational(1, 2)), ("=",), under=("two",)),
        "binary-bits": Relation((B_bin, 32 + d), ("=",)),
        "ternary-bits": Relation((B_tern, 32 + 2 * d), ("=",)),
        "factor": Relation((_EXACT / _BOUND, _RATIO), ("=",)),
        "exceeds": Relation((_BOUND * M, V_bin), ("<",), under=("several",)),
        "middle": Relation((W_bin, _EQUAL * R**2), ("=",), under=("half",)),
        "fourfold": Relation((_EQUAL * R**2, 4 * A_CQ * R**2), ("=",)),
        "ternary": Relation((V_tern, _BOUND * M), ("<=",)),
        "ternary-equal": Relation((W_tern, _CLAIMED * R**2), ("<=",)),
        "sharp": Relation((V_tern, _SHARP * M), ("<=",)),
        "below": Relation((_SHARP * M, _BOUND * M), ("<=",)),
        "rand-k": Relation((V_K, _OMEGA / n * M), ("=",)),
        "rand-k-valid": Relation((V_K, _OMEGA * M), ("<=",)),
    },
    formulas={
        "bound": _BOUND,
        "exact": _EXACT,
        "ratio_iq": _RATIO,
        "claimed_cq": _CLAIMED,
        "equal_cq": _EQUAL,
        "ternary_iq": _SHARP,
        "rand_k": _OMEGA / n,
        "rand_k_claimed": _OMEGA,
        "binary_bits": 32 + d,
        "ternary_bits": 32 + 2 * d,
    },
    values={"four": _EQUAL / _CLAIMED},
    worst_cases=cases("""
        one client in two dimensions, over the squared norm | n = 1, d = 2 | 1
    """),
    public=(
        PublicConstant(
            code="BlackSamorez/MiniFL at a687565",
            of="noise of independent one-bit quantizers",
            theirs="bound",
            ours="exact",
            right="ours",
            part="a",
            at="n = 1, d = 2",
        ),
        PublicConstant(
            code="BlackSamorez/MiniFL at a687565",
            of="noise of correlated one-bit quantizers at equal inputs",
            theirs="claimed_cq",
            ours="equal_cq",
            right="ours",
            part="c",
            at="n = 4, d = 8",
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half, quarter = Rational(1, 2), Rational(1, 4)
    one = {
        n: 1,
        d: 2,
        a: ((3, 4),),
        r: (5,),
        M: 25,
        V_bin: 25,
        p: ((3 * Rational(1, 5), 4 * Rational(1, 5)),),
    }
    K.example(
        {
            **one,
            V_tern: 10,
            R: 1,
            A_CQ: half,
            alpha: (half, half),
            W_bin: 2,
            beta: (half, half),
            W_tern: half,
            K_sent: 1,
            V_K: 25,
            norm_bits: 32,
            B_bin: 34,
            B_tern: 36,
        }
    )
    K.index(CLIENTS, COORDINATES)
    mean, squares = K.given("norms", 1), Sum(a[i, j] ** 2, COORDINATES)
    norm = K.at(K.given("norms"), i)
    K.know(K.cert(le(0, r[i]), (-1, norm), (1, sqrt(squares))))
    square = K.cert(eq(r[i] ** 2, squares), (r[i] + sqrt(squares), norm))
    total = K.sum_over(square, CLIENTS)
    binary = K.cert(eq(V_bin, _EXACT * M), (1, K.given("binary")), (1 / n**2, total), (-_EXACT, mean))
    K.conclude("binary", binary)
    K.conclude("factor", K.identity(_EXACT / _BOUND, _RATIO))
    K.show("fourfold", "in-use")
    middle = K.cert(eq(alpha[j] * (1 - alpha[j]), quarter), (half - alpha[j], K.at(K.given("half"), j)))
    K.conclude(
        "middle",
        K.cert(
            eq(W_bin, _EQUAL * R**2),
            (1, K.given("equal-binary")),
            (4 * R**2 / n**2, K.sum_over(middle, COORDINATES)),
        ),
    )

    below = K.cert(le(beta[j] * (1 - beta[j]), quarter), (1, (beta[j] - half) ** 2))
    K.conclude(
        "ternary-equal",
        K.cert(
            le(W_tern, _CLAIMED * R**2),
            (1, K.given("equal-ternary")),
            (R**2 / n**2, K.sum_over(below, COORDINATES)),
        ),
    )
    below = K.cert(le(p[i, j] * (1 - p[i, j]), quarter), (1, (p[i, j] - half) ** 2))
    client = K.cert(
        le(r[i] ** 2 * Sum(p[i, j] * (1 - p[i, j]), COORDINATES), r[i] ** 2 * d / 4),
        (r[i] ** 2, K.sum_over(below, COORDINATES)),
    )
    K.conclude(
        "ternary",
        K.cert(
            le(V_tern, _BOUND * M),
            (1, K.given("ternary")),
            (1 / n**2, K.sum_over(client, CLIENTS)),
            (-_BOUND, mean),
        ),
    )
    level = K.at(K.given("levels"), i, j)
    entry = K.cert(
        eq(r[i] ** 2 * p[i, j] * (1 - p[i, j]), r[i] * Abs(a[i, j]) - a[i, j] ** 2),
        (r[i] - r[i] * p[i, j] - Abs(a[i, j]), level),
    )
    flat = cauchy_schwarz_roots(K, Abs(a[i, j]), Integer(1), COORDINATES)
    client = K.cert(
        le(r[i] ** 2 * Sum(p[i, j] * (1 - p[i, j]), COORDINATES), (sqrt(d) - 1) * r[i] ** 2),
        (1, K.sum_over(entry, COORDINATES)),
        (r[i], flat),
        (-r[i] * sqrt(d), norm),
        (1, square),
    )
    K.conclude(
        "sharp",
        K.cert(
            le(V_tern, _SHARP * M),
            (1, K.given("ternary")),
            (1 / n**2, K.sum_over(client, CLIENTS)),
            (-_SHARP, mean),
        ),
    )
    K.know(K.cert(le(0, M), (-1, mean), (1 / n, Sum(r[i] ** 2, CLIENTS))))
    K.conclude("below", K.cert(le(_SHARP * M, _BOUND * M), (M / n, (sqrt(d) / 2 - 1) ** 2)))
    sent_one = K.identity(_ONE_SENT, _OMEGA)
    sent_all = K.sum_over(
        K.cert(eq(a[i, j] ** 2 * _ONE_SENT, a[i, j] ** 2 * _OMEGA), (a[i, j] ** 2, sent_one)),
        COORDINATES,
        CLIENTS,
    )
    rand_k = K.cert(
        eq(V_K, _OMEGA / n * M),
        (1, K.given("sent", 2)),
        (1 / n**2, sent_all),
        (-_OMEGA / n**2, total),
        (-_OMEGA / n, mean),
    )
    K.conclude("rand-k", rand_k)
    K.know(K.given("sent"), K.given("sent", 1))
    K.know(K.cert(le(0, _OMEGA), (1 / K_sent, K.given("sent", 1))))
    K.conclude(
        "rand-k-valid", K.cert(le(V_K, _OMEGA * M), (1, rand_k), (_OMEGA * M / n, K.given("sizes", 1)))
    )
    two = [K.given("two", place) for place in (0, 1)]
    for name in ("two-exact", "two-claimed"):
        K.show(name, using=two)
    for place, name in ((1, "binary-bits"), (2, "ternary-bits")):
        K.show(name, (1, K.given("messages", place)), (1, K.given("messages")))
    K.know(K.given("several"), K.given("several", 1))
    K.conclude(
        "exceeds",
        K.cert(
            lt(_BOUND * M, V_bin),
            (-1, binary),
            (3 * M / (4 * n), K.given("several")),
            (M / (2 * n), K.sign(lt(0, 1))),
        ),
    )
