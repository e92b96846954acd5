r"""`cq_marina/cq-hadamard`: one bit per coordinate after a random rotation (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, IndexedBase, Rational, Sum, floor, log, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.quantizer import sup_norm
from theory.cq_marina.quantizer.sup_norm import CLIENTS, COORDINATES, SUP, A, N, S, d, i, j, k, n
from theory.expectation import bernoulli
from theory.facts.rounding.rounding import rounding_variance, variance_below_quarter, variance_nonnegative
from theory.facts.rounding.rounding_quadratics import variance_below_binomial
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

V, equal, plain, o = symbols("V equal plain o", real=True)
# Outcomes o of the signs with their probabilities; rotated inputs z, scales R, bits b.
w, R, z, b, e, left, bit = symbols("w R z b e left bit", cls=IndexedBase, real=True)
SIGNS, ONE = (o, 0, N - 1), (k, 0, 0)

_EXACT = Sum(d * S[i] - A[i], CLIENTS) / n**2
_BOUND = (2 * log(2 * d) + 1) * Sum(A[i], CLIENTS) / n**2
_EQUAL = (2 * log(2 * d) + 2) / n**2 * A[0]

_INDEPENDENT = bernoulli(
    (Sum(R[o, i] * (2 * b[i] - 1) - z[o, i, j], CLIENTS) / n) ** 2,
    b,
    CLIENTS,
    p=(1 + z[o, i, j] / R[o, i]) / 2,
)
_LEVEL = n * (1 + z[o, 0, j] / R[o, 0]) / 2
_CORRELATED = bernoulli(
    (2 * R[o, 0] / n * (floor(_LEVEL) + left[0] - _LEVEL)) ** 2, left, ONE, p=_LEVEL - floor(_LEVEL)
)
_PLAIN = bernoulli(Sum((2 * bit[j] - 1 - e[j]) ** 2, COORDINATES), bit, COORDINATES, p=(1 + e[j]) / 2)


_TAILS = tuple(sup_norm.HYPOTHESES)

CLAIM = Claim(
    id="cq_marina/cq-hadamard",
    kind="upper",
    provenance="derived",
    title="A random rotation makes the variance of one bit per coordinate at most logarithmic in d",
    position=16,
    paper=PAPER,
    **statement(
        r"""
        $d$ is a power of two, $H$ the orthonormal Hadamard matrix, $D$ a diagonal of fair random signs that
        all $n$ clients share. Client $i$, whose input $a_i$ is not zero, sends one unbiased bit for each
        coordinate of $z_i=HDa_i$ at its own scale $\|z_i\|_\infty$; the receiver averages and applies
        $DH^\top$. $V$ is the mean squared error with independent bits, $V_c$ that with correlated ones,
        stratified over the clients with a permutation for each coordinate.
        (a: sup-norm) The scales: $$\mathbb E\|z_i\|_\infty^2\le\frac{2(\ln(2d)+1)}d\|a_i\|^2.$$ [proof;
          exact/sup norm]
        (b: variance) With independent bits <<the estimate is unbiased -> exact/mean>> and
          $$V=\frac1{n^2}\sum_i\big(d\,\mathbb E\|z_i\|_\infty^2-\|a_i\|^2\big).$$ [proof; exact/variance;
          exact/oracle]
        (c: bound) With (a) it is at most $$V\le\frac{2\ln(2d)+1}{n^2}\sum_i\|a_i\|^2.$$ [proof;
          exact/relative variance; adversarial/one client]
        (d: equal-inputs) If all clients have the input $a_1$, correlated bits have, with (a),
          $$V_c\le\frac{2\ln(2d)+2}{n^2}\|a_1\|^2.$$ [proof; exact/equal inputs; montecarlo/error at equal
          inputs; montecarlo/coordinates share a permutation]
        (e: never-worse) There, all clients having the same input, correlated bits are never worse than
          independent ones: $V_c\le V$. [proof; exact/against independent bits]
        (f: unrotated) Without the rotation the mean squared error $V_1$ of one client with the input $e_1$,
          whose scale <<is 1 -> exact/without rotation>>, is $V_1=d-1$. [proof; exact/without rotation]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates, a power of two"),
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(A, r"\|a_{#1}\|^2", r"\mathbb R^n_{>0}", "squared norms of the inputs", "(n,)"),
        Variable(S, r"\mathbb E\|z_{#1}\|_\infty^2", r"\mathbb R^n_{>0}", "expected squared scales", "(n,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "mean squared error with independent bits"),
        Variable(equal, "V_c", r"\mathbb R_{\ge0}", "with correlated bits at equal inputs"),
        Variable(plain, "V_1", r"\mathbb R_{\ge0}", r"of one client at $e_1$ without the rotation"),
        Variable(N, "N", r"\mathbb N", "number of outcomes of the signs"),
        *sup_norm.VARIABLES,
        Variable(w, "w", "[0,1]^N", "their probabilities", "(N,)"),
        Variable(R, "R", r"\mathbb R^{N\times n}_{>0}", r"$\|z_i\|_\infty$ for each outcome", "(N,n)"),
        Variable(z, "Z", r"\mathbb R^{N\times n\times d}", "entries of $z_i$ for each outcome", "(N,n,d)"),
        Variable(b, r"\chi", r"\{0,1\}^n", "bits of the clients", "(n,)"),
        Variable(bit, "b", r"\{0,1\}^d", "bits of the coordinates", "(d,)"),
        Variable(left, r"\zeta", r"\{0,1\}", "bit that the strata leave open", "(1,)"),
        Variable(e, "e", r"\mathbb R^d", "a unit vector", "(d,)"),
    ),
    notation={
        "H": "the Hadamard matrix",
        "D": "the signs",
        "z_{#1}": "the rotated input",
        "a_{#1}": "an input",
        "e_1": "the first coordinate vector",
        r"\|z_{#1}\|_\infty": "the scale",
    },
    ranges={"m": (0, N - 1)},
    hypotheses={
        "sizes": domain(r"$d,n,N\ge1$ are integers"),
        "outcomes": definition(r"$w_o\ge0$, $\sum_ow_o=1$"),
        "scales": domain(r"$R_{oi}>0$, $\|a_i\|^2>0$"),
        "largest-entry": definition(r"$Z_{oij}^2\le R_{oi}^2$"),
        "isometry": model(r"$\sum_jZ_{oij}^2=\|a_i\|^2$, since $HD$ is orthonormal"),
        "expected-scale": definition(r"$\mathbb E\|z_i\|_\infty^2=\sum_ow_oR_{oi}^2$"),
        "independent": definition(
            r"$V=\sum_ow_o\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(R_{oi}(2\chi_i-1)"
            r"-Z_{oij}))^2\bigr)$, over independent "
            r"$\chi_i\sim\mathrm{Bernoulli}(\frac12+\frac{Z_{oij}}{2R_{oi}})$, $1\le i\le n$"
        ),
        **sup_norm.HYPOTHESES,
        "same": model(r"$R_{oi}=R_{o1}$, $Z_{oij}=Z_{o1j}$"),
        "correlated": model(
            r"$V_c=\sum_ow_o\sum_j\mathbb E\bigl(\frac{4R_{o1}^2}{n^2}(\lfloor\frac n2(1+"
            r"\frac{Z_{o1j}}{R_{o1}})\rfloor+\zeta-\frac n2(1+\frac{Z_{o1j}}{R_{o1}}))^2\bigr)$, over "
            r"$\zeta\sim\mathrm{Bernoulli}(\{\frac n2(1+\frac{Z_{o1j}}{R_{o1}})\})$, since strata "
            "leave a bit open",
            reference="cq_marina/cq-equal-inputs",
        ),
        "basis-vector": definition(
            r"$\sum_je_j^2=1$; $V_1=\mathbb E\bigl(\sum_j(2b_j-e_j-1)^2\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\frac{e_j}{2}+\frac12)$, $1\le j\le d$; $e_j^2\le1$"
        ),
    },
    relations={
        "sup-norm": Relation((S[i], SUP * A[i]), ("<=",), every=(CLIENTS,), under=_TAILS),
        "variance": Relation((V, _EXACT), ("=",)),
        "bound": Relation((V, _BOUND), ("<=",), under=_TAILS),
        "equal-inputs": Relation((equal, _EQUAL), ("<=",), under=_TAILS),
        "never-worse": Relation((equal, V), ("<=",), under=("same",)),
        "unrotated": Relation((plain, d - 1), ("=",)),
    },
    formulas={
        "exact": _EXACT,
        "bound": _BOUND,
        "sup_norm": SUP,
        "equal_inputs": _EQUAL,
        "unrotated": d - 1,
    },
    internal={"sup_norm": "the factor of part (a)"},
    worst_cases=cases("""
        largest relative variance found for $d=2$ | x = (1, 1), d = 2 | 1
        largest relative variance found for $d=4$ | x = (0, 1, 1, 1), d = 4 | 2
        largest relative variance found for $d=8$ | x = (0,) + 7 * (1,), d = 8 | 3
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES, SIGNS)
    one, most = ((1,),), Rational(3, 2)
    tails = {sup_norm.T: ((1, 0),), sup_norm.X: ((0, 1),), sup_norm.tail: (one,)}
    tails |= {sup_norm.c: (one,), sup_norm.G: ((((1, most),),),)}
    K.example({**tails, d: 1, n: 1, N: 1, w: (1,), R: one, z: (one,), A: (1,), S: (1,), e: (1,), plain: 0})
    K.know(K.given("outcomes"), K.given("scales"))
    entry = K.at(K.given("largest-entry"), i, j, o)
    spread = (1 + z[o, i, j] / R[o, i]) * (1 - z[o, i, j] / R[o, i])
    K.know(
        K.every(K.cert(le(0, spread / 4), (1 / (4 * R[o, i] ** 2), entry)), CLIENTS, COORDINATES, SIGNS),
        K.every(
            K.cert(le(0, (1 - e[j] ** 2) / 4), (Rational(1, 4), K.at(K.given("basis-vector", 2), j))),
            COORDINATES,
        ),
    )
    # The bits of one outcome of the signs, then the expectation over the signs.
    kept = K.at(K.given("isometry"), i, o)
    errors = K.identity(
        Sum(_INDEPENDENT, COORDINATES),
        Sum(d * R[o, i] ** 2 - Sum(z[o, i, j] ** 2, COORDINATES), CLIENTS) / n**2,
    )
    given_signs = K.cert(
        eq(Sum(_INDEPENDENT, COORDINATES), Sum(d * R[o, i] ** 2 - A[i], CLIENTS) / n**2),
        (1, errors),
        (-1 / n**2, K.sum_over(kept, CLIENTS)),
    )
    weighted = K.cert(
        eq(
            w[o] * Sum(_INDEPENDENT, COORDINATES),
            d * w[o] * Sum(R[o, i] ** 2, CLIENTS) / n**2 - w[o] * Sum(A[i], CLIENTS) / n**2,
        ),
        (w[o], given_signs),
    )
    variance = K.cert(
        eq(V, _EXACT),
        (1, K.given("independent")),
        (1, K.sum_over(weighted, SIGNS)),
        (-d / n**2, K.sum_over(K.at(K.given("expected-scale"), i), CLIENTS)),
        (-Sum(A[i], CLIENTS) / n**2, K.given("outcomes", 1)),
    )
    K.conclude("variance", variance)
    scale = sup_norm.sup_norm(K)
    K.conclude("sup-norm", K.every(scale, CLIENTS))
    K.conclude("bound", K.cert(le(V, _BOUND), (1, variance), (d / n**2, K.sum_over(scale, CLIENTS))))
    _equal_inputs(K, K.at(K.every(scale, CLIENTS), 0))
    _never_worse(K, errors)
    K.conclude(
        "unrotated",
        K.cert(
            eq(plain, d - 1),
            (1, K.given("basis-vector", 1)),
            (1, K.identity(_PLAIN, Sum(1 - e[j] ** 2, COORDINATES))),
            (-1, K.given("basis-vector", 0)),
        ),
    )


def _equal_inputs(K: Any, scale: Any) -> None:
    """Each coordinate is rounded on a grid with steps of twice the scale over n."""
    K.know(K.every(variance_nonnegative(K, _LEVEL), COORDINATES, SIGNS))
    unit = R[o, 0] ** 2 / n**2
    rounded = K.identity(_CORRELATED, 4 * unit * rounding_variance(_LEVEL))
    coordinate = K.cert(le(_CORRELATED, unit), (1, rounded), (4 * unit, variance_below_quarter(K, _LEVEL)))
    summed = K.sum_over(coordinate, COORDINATES)
    weighted = K.cert(le(w[o] * Sum(_CORRELATED, COORDINATES), w[o] * d * unit), (w[o], summed))
    K.conclude(
        "equal-inputs",
        K.cert(
            le(equal, _EQUAL),
            (1, K.given("correlated")),
            (1, K.sum_over(weighted, SIGNS)),
            (-d / n**2, K.at(K.given("expected-scale"), 0)),
            (d / n**2, scale),
        ),
    )


def _never_worse(K: Any, errors: Any) -> None:
    """Rounding on a grid n times as fine has at most the variance of n bits."""
    chance = (1 + z[o, 0, j] / R[o, 0]) / 2
    entry, scale = z[o, 0, j], R[o, 0]
    size = K.power(K.at(K.given("largest-entry"), 0, j, o), Rational(1, 2))
    size = K.cert(le(Abs(entry), scale), (1, size), (1, K.axiom("abs-of-nonnegative", scale)))
    ends = [K.axiom(f"abs-{side}", entry) for side in ("below", "above")]
    goals = le(0, chance), le(chance, 1)
    K.know(
        *(
            K.cert(goal, *((1 / (2 * scale), x) for x in (size, end)))
            for goal, end in zip(goals, ends, strict=True)
        )
    )
    unit = R[o, 0] ** 2 / n**2
    coordinate = K.cert(
        le(_CORRELATED, (R[o, 0] ** 2 - z[o, 0, j] ** 2) / n),
        (1, K.identity(_CORRELATED, 4 * unit * rounding_variance(_LEVEL))),
        (4 * unit, variance_below_binomial(K, chance, n)),
    )
    scale, entry = K.at(K.given("same"), i, o), K.at(K.given("same", 1), i, j, o)
    alike = K.cert(
        eq(R[o, i] ** 2 - z[o, i, j] ** 2, R[o, 0] ** 2 - z[o, 0, j] ** 2),
        (R[o, i] + R[o, 0], scale),
        (-z[o, i, j] - z[o, 0, j], entry),
    )
    outcome = K.cert(
        le(Sum(_CORRELATED, COORDINATES), Sum(_INDEPENDENT, COORDINATES)),
        (1, K.sum_over(coordinate, COORDINATES)),
        (-1, errors),
        (-1 / n**2, K.sum_over(alike, COORDINATES, CLIENTS)),
    )
    weighted = K.cert(
        le(w[o] * Sum(_CORRELATED, COORDINATES), w[o] * Sum(_INDEPENDENT, COORDINATES)), (w[o], outcome)
    )
    K.conclude(
        "never-worse",
        K.cert(
            le(equal, V),
            (1, K.given("correlated")),
            (1, K.sum_over(weighted, SIGNS)),
            (-1, K.given("independent")),
        ),
    )
