r"""`ndqsg/entropy-index`: entropy of the indices, without and with the shared dither (arXiv 1904.01197)."""

from typing import Any

from sympy import (
    Expr,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Rational,
    Sum,
    Symbol,
    erf,
    exp,
    log,
    oo,
    pi,
    sqrt,
)

from theory.claim import Claim, Relation, Variable, WorstCase
from theory.facts.rounding.sign_of_integer import indicator_of_zero
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.indicator import INDICATOR
from theory.ndqsg.coding.uniform_index import (
    CONDITIONAL,
    DITHERS,
    HALF,
    INDICES,
    INNER,
    OUTER,
    UNIFORM,
    I,
    M,
    N,
    P,
    c,
    conclude_uniform,
    conditional,
    eta,
    i,
    index,
    j,
    phi,
    s,
)
from theory.ndqsg.paper import PAPER
from theory.statement import statement

POINTS = (c, 0, I * N - 1)
theta, mutual = IndexedBase("theta", real=True), Symbol("mutual", real=True)


def _curved(t: Expr) -> Expr:
    """Return an antiderivative of the antiderivative of the normal density, up to a linear function."""
    return t * erf(t / (s * sqrt(2))) / 2 + s * exp(-(t**2) / (2 * s**2)) / sqrt(2 * pi)


_INDEX = log(2 * M) / log(2) + 1 / (2 * M)
_RAW = log(2 * M + 1) / log(2)
_ENTROPY = -((2 * M - 1) * INNER * log(INNER) + 2 * OUTER * log(OUTER)) / log(2)

_AVERAGE = Sum(eta[i * N + j], INDICES, DITHERS) / (N * log(2))
_DENSITY = Sum(eta[c], POINTS) / (N * log(2))


# Index entropy and conditional entropy in bits; sigma and b in units of the step.
TABLE = (
    ("gauss-1", r"$N(0,1)$", "2.1582872201406", "2.1048326603976"),
    ("gauss-1/2", r"$N(0,\frac14)$", "1.4145964333376", "1.2544269142853"),
    ("laplace-1/2", r"Laplace, $b=\frac12$", "1.7050251575670", "1.6059406812900"),
    ("sparse", r"0 with probability 0.9, else $N(0,1)$", "0.4605867432955", "0.4552708590245"),
    ("uniform-1", r"uniform on $[-1,1]$", "1.5000000000000", "1.3606737602222"),
    ("uniform-3", r"uniform on $[-3,3]$", "2.7516291673878", "2.7051870874619"),
)

CLAIM = Claim(
    id="ndqsg/entropy-index",
    kind="identity",
    provenance="derived",
    title="Entropy of the indices, without and with the shared dither",
    position=15,
    paper=PAPER,
    **statement(
        r"""
        $x$, in units of the step, has a distribution function; $x+e$ is $x$ plus a uniform error of one
        step, with the density $f$. The dither $u$ is one of $N$ midpoints ($N$ is the 24th power of two in
        the codes), $\varphi_c$ the value of $f$ at points of spacing one over $N$: the index $i$ of $I$ has
        the probability $\varphi_{iN+j}$ given the dither $j$, and $P_i>0$ in all. $\eta_c$ is the information
        of $\varphi_c$ in nats. $H(q)$ and $H_N(q\mid u)$ are the entropies of the index and given the
        dither, in bits.
        (a: average) Given the dither the entropy of the index is a sum over the density of $x+e$:
          $$H_N(q\mid u)=\frac1{N\ln2}\sum_{j=0}^{N-1}\sum_{i=0}^{I-1}\eta_{iN+j}=\frac1{N\ln2}\
          \sum_{c=0}^{IN-1}\eta_c.$$ [proof]
        (b: order) It is at most that of the index: $$H_N(q\mid u)\le H(q)=-\frac1{\ln2}\sum_iP_i\ln P_i.$$
          [proof; exact/order; adversarial/atoms]
        (c: lowest, highest, inner) For uniform $x$ <<on $[-M,M]$ -> exact/probability of an index>>, for
          which $\varphi_c=\min\{1,\frac{2c+1}{4MN}\}-\max\{0,\frac{2c+1}{4MN}-\frac1{2M}\}$ and
          $\varphi_c>0$, there are $I=2M+1$ indices with $$P_0=\frac1{4M},\quad P_{2M}=\frac1{4M},$$ and
          $P_i=\frac1{2M}$ for $1\le i\le2M-1$. [proof; exact/probability of an index]
        (d: index) The entropy $H(q)$ of these probabilities is $$-\frac1{\ln2}\Big((2M-1)\
          \frac1{2M}\ln\frac1{2M}+2\cdot\frac1{4M}\ln\frac1{4M}\Big)=\log_2(2M)+\frac1{2M}.$$ [proof;
          exact/entropy of the index]
        (e: conditional) Given the dither it is, for these $x$, <<the first side in the limit of many points
          -> exact/entropy given the dither>>: $$\log_2(2M)+\frac1{4M\ln2}\le-\frac1{N\ln2}\
          \sum_{c=0}^{IN-1}\varphi_c\ln\varphi_c\le\log_2(2M)+\frac1{4M\ln2}+\frac1{4MN\ln2}.$$ [proof;
          exact/entropy given the dither]
        (f: gain) This is less than $H(q)$, by (d), which is <<at most half a bit above $\log_2(2M)$ ->
          proof>>: $$\log_2(2M)+\frac1{4M\ln2}<\log_2(2M)+\frac1{2M}\le\log_2(2M)+\frac12.$$ [proof;
          exact/entropy given the dither]
        (g: raw) The raw index costs more: $$\log_2(2M)+\frac1{2M}<\log_2(2M+1).$$ [proof; exact/raw bits]
        (h) The two entropies of normal, Laplace, sparse and uniform $x$ are, for large $N$, <<those of the
          worst cases -> exact/entropy of a law>>. [exact/entropy of a law; exact/entropy of a law given the
          dither; exact/normal probability; exact/normal density; montecarlo/index; montecarlo/conditional]
        (i) For large $N$ the sum in (a) <<is the differential entropy of $x+e$: for the six laws ->
          exact/average over the dither>> of the worst cases the average over the dither and the integral
          over the density agree. [exact/average over the dither]
        (j: information) From the received <<$\hat x=q-u$ -> exact/information>> the dither can be read, which
          tells nothing of $x$; so it says as much of $x$ as the index does given the dither: $$I(x;\hat
          x)=H_N(q\mid u).$$ [proof; exact/information]
        """
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(N, "N", r"\mathbb N", "points of the dither"),
        Variable(I, "I", r"\mathbb N", "number of indices"),
        Variable(conditional, r"H_N(q\mid u)", r"\mathbb R_{\ge0}", "entropy of the index given the dither"),
        Variable(index, "H(q)", r"\mathbb R_{\ge0}", "entropy of the index"),
        INDICATOR,
        Variable(phi, r"\varphi", r"\mathbb R_{\ge0}", "density of what is received", "(I*N,)", first=0),
        Variable(eta, r"\eta", r"\mathbb R_{\ge0}", "its information in nats", "(I*N,)", first=0),
        Variable(P, "P", "(0,1]", "probabilities of the indices", "(I,)", first=0),
        Variable(theta, r"\theta", r"\mathbb R_{\ge0}", "information of what is received", "(I*N,)", first=0),
        Variable(mutual, r"I(x;\hat x)", r"\mathbb R_{\ge0}", "information on what is sent"),
    ),
    notation={
        "x": "what is sent",
        "x+e": "what is received",
        r"\hat x": "what is received",
        "q": "index",
        "u": "dither",
        "f": "density",
    },
    ranges={"i": (0, I - 1)},
    hypotheses={
        "levels": domain(r"$M\ge1$ is an integer"),
        "sizes": domain(r"$N\ge1$ and $I\ge1$ are integers"),
        "chances": domain(r"$\varphi_c\ge0$"),
        "occurs": domain("all indices occur: $P_i>0$"),
        "information": definition(
            r"$\eta_c=-\varphi_c\log(\varphi_c+\mathbb I(\varphi_c,0))$, "
            r"since $\eta_c$ is an information content"
        ),
        "indices": definition(r"$P_i=\frac1N\sum_{j=0}^{N-1}\varphi_{iN+j}$"),
        "entropies": definition(
            r"$H_N(q\mid u)=\frac1{N\ln2}\sum_{j=0}^{N-1}\sum_{i=0}^{I-1}\eta_{iN+j}$, "
            r"$H(q)=-\frac1{\ln2}\sum_iP_i\ln P_i$"
        ),
        "received": definition(
            r"$\theta_c=-\frac{\varphi_c}N\log\frac{\varphi_c+\mathbb I(\varphi_c,0)}N$, "
            "since what is received tells the dither"
        ),
        "mutual": definition(
            r"$\sum_c\varphi_c=N$, since the probabilities of index given dither total 1; $I(x;\hat "
            r"x)=\frac{\sum_c\theta_c-\log N}{\log2}$, since the information is the entropy less that "
            "of the dither"
        ),
        "uniform": parameter(
            r"$I=2M+1$; $\varphi_c=\min\{1,\frac{2c+1}{4MN}\}-\max\{0,\frac{2c+1}{4MN}-\frac1{2M}\}$, "
            r"since $x$ is uniform on $[-M,M]$; $\varphi_c>0$"
        ),
    },
    relations={
        "average": Relation((_AVERAGE, _DENSITY), ("=",)),
        "order": Relation((conditional, index), ("<=",), under=("information",)),
        "information": Relation((mutual, conditional), ("=",), under=("information", "received", "mutual")),
        "lowest": Relation((P[0], OUTER), ("=",), under=("uniform",)),
        "highest": Relation((P[2 * M], OUTER), ("=",), under=("uniform",)),
        "inner": Relation((P[i], INNER), ("=",), every=((i, 1, 2 * M - 1),), under=("uniform",)),
        "index": Relation((_ENTROPY, _INDEX), ("=",)),
        "conditional": Relation(
            (CONDITIONAL, UNIFORM, CONDITIONAL + 1 / (4 * M * N * log(2))),
            ("<=", "<="),
            under=("uniform",),
        ),
        "gain": Relation((CONDITIONAL, _INDEX, log(2 * M) / log(2) + HALF), ("<", "<=")),
        "raw": Relation((_INDEX, _RAW), ("<",)),
    },
    formulas={
        "exact": CONDITIONAL,
        "index": _INDEX,
        "raw": _RAW,
        "inner": INNER,
        "outer": OUTER,
        "gauss_index": _curved(i + 1) - 2 * _curved(i) + _curved(i - 1),
        "gauss_density": erf((i + HALF) / (s * sqrt(2))) / 2 - erf((i - HALF) / (s * sqrt(2))) / 2,
    },
    internal={
        "gauss_index": "probabilities of a normal law, for part (b)",
        "gauss_density": "density of a normal law plus the error, for part (a)",
    },
    worst_cases=tuple(
        WorstCase(shown, {"law": name, "index": index, "conditional": given})
        for name, shown, index, given in TABLE
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    # Uniform x with two dithers; and an index that is certain, of which the entropies are rational.
    level = [Rational(part, 8) for part in (1, 3, 4, 4, 3, 1)]
    K.example({M: 1, N: 2, I: 3, i: 1, phi: level})
    certain = {phi: [1], eta: [0], P: [1], conditional: 0, index: 0, theta: [0], mutual: 0}
    K.example({M: 1, N: 1, I: 1, **certain})
    K.know(K.cert(lt(0, log(2)), (1, K.log(K.sign(lt(1, 2))))))
    K.index(INDICES, DITHERS, POINTS)
    average = _average(K)
    _order(K)
    _received(K, average)
    above_half = _above_half(K)
    _logarithms(K, above_half)
    conclude_uniform(K, above_half)


def _average(K: Any) -> Any:
    """Conclude part (a): the blocks of N points, one for each index, one after the other."""
    m = Symbol("blocks", real=True)
    K.index((m, 1, oo))
    room = K.cert(le(0, m * N - 1), (N, K.sign(le(1, m))), (1, K.given("sizes", 1)))
    K.know(room, K.every(room, (m, 1, oo)))

    def blocks(count: Any) -> Any:
        return Sum(eta[i * N + j], DITHERS, (i, 0, count - 1))

    def points(count: Any) -> Any:
        return Sum(eta[c], (c, 0, count * N - 1))

    last = K.split_off(Sum(Sum(eta[i * N + j], DITHERS), (i, 0, m)))
    split = split_sum(K, eta[c], (c, 0, (m + 1) * N - 1), m * N)
    step = K.cert(
        eq(blocks(m + 1), points(m + 1)), (1, K.assume(eq(blocks(m), points(m)))), (-1, split), (1, last)
    )
    found = K.at(K.induction(m, K.cert(eq(blocks(1), points(1))), step, low=1), I)
    same = K.cert(eq(_AVERAGE, _DENSITY), (1 / (N * log(2)), found))
    K.conclude("average", same)
    return same


def _information(K: Any) -> Any:
    r"""Return $\eta_c+\varphi_c\ln y\le y-\varphi_c$ for every c and a number y > 0."""
    y, z = (Symbol(name, real=True) for name in "yz")
    # Known of fresh names only, so that nothing else rests on it.
    K.know(K.assume(lt(0, y)), K.assume(lt(0, z)))
    found, none = log(z + KroneckerDelta(z, 0)), K.axiom("delta-other", z, Integer(0))
    K.know(K.cert(lt(0, z + KroneckerDelta(z, 0)), (1, K.assume(lt(0, z))), (-1, none)))
    larger = K.cert(
        le(z * log(y) - z * found, y - z),
        (-z, K.rewrite(K.identity(found, found), none, side="right")),
        (z, K.axiom("log-below", y / z)),
        (-z, K.axiom("log-product", y, 1 / z)),
        (-z, K.axiom("log-power", z, -1)),
    )
    value, delta = phi[c], KroneckerDelta(phi[c], 0)
    nonzero = K.instantiate(K.sign(lt(0, z + KroneckerDelta(z, 0))), {z: value})
    one = K.cert(lt(0, value + delta), (-1, indicator_of_zero(K, value)), (1, value))
    K.know(K.every(K.cases(value, one, nonzero), POINTS))
    zero = K.cert(
        eq(value, 0), (1, K.axiom("max-is-right", value, 0)), (-1, K.axiom("max-is-right", 0, value))
    )
    own, goal = K.at(K.given("information"), c), le(eta[c] + value * log(y), y - value)
    nothing = K.cert(goal, (1, own), (1 + log(y) - log(value + delta), zero), (1, y))
    some = K.cert(goal, (1, own), (1, K.instantiate(larger, {z: value})))
    return y, K.every(K.cases(value, nothing, some), POINTS)


def _order(K: Any) -> None:
    """Conclude part (b): the logarithm is at most its argument less one."""
    y, found = _information(K)
    each = K.at(K.instantiate(found, {y: P[i]}), i * N + j)
    mean = K.at(K.given("indices"), i)
    index_of = K.cert(
        le(Sum(eta[i * N + j], DITHERS), -N * P[i] * log(P[i])),
        (1, K.sum_over(each, DITHERS)),
        (N * (1 + log(P[i])), mean),
    )
    K.conclude(
        "order",
        K.cert(
            le(conditional, index),
            (1, K.given("entropies")),
            (-1, K.given("entropies", 1)),
            (1 / (N * log(2)), K.sum_over(index_of, INDICES)),
        ),
    )


def _received(K: Any, average: Any) -> None:
    r"""Conclude part (j): $\theta_c=\frac{\eta_c+\varphi_c\ln N}N$, positive or not."""
    value, unit = phi[c], 1 / log(2)
    some = value + KroneckerDelta(value, 0)
    K.know(K.given("sizes", 1))
    K.know(K.every(K.cert(lt(0, some / N), (1 / N, K.sign(lt(0, some)))), POINTS))
    own, parted = K.at(K.given("information"), c), K.at(K.given("received"), c)
    each = K.cert(
        eq(theta[c], (eta[c] + value * log(N)) / N),
        (1, parted),
        (-1 / N, own),
        (-value / N, K.axiom("log-product", some, 1 / N)),
        (-value / N, K.axiom("log-power", N, -1)),
    )
    total = K.sum_over(each, POINTS)
    terms = (1, K.given("mutual", 1)), (unit, total), (unit * log(N) / N, K.given("mutual"))
    same = K.cert(eq(mutual, conditional), *terms, (-1, K.given("entropies")), (-1, average))
    K.conclude("information", same)


def _logarithms(K: Any, strict: Any) -> None:
    """Conclude parts (d), (f) and (g)."""
    inverse, quarter = K.axiom("log-power", 2 * M, -1), K.axiom("log-power", 4 * M, -1)
    product = K.axiom("log-product", Integer(2), 2 * M)
    K.conclude(
        "index",
        K.cert(
            eq(_ENTROPY, _INDEX),
            (-(2 * M - 1) * INNER / log(2), inverse),
            (-2 * OUTER / log(2), quarter),
            (2 * OUTER / log(2), product),
        ),
    )
    K.conclude(
        "gain",
        K.cert(lt(CONDITIONAL, _INDEX), (1 / (2 * M * log(2)), strict)),
        K.cert(le(_INDEX, log(2 * M) / log(2) + HALF), (1 / (2 * M), K.given("levels", 1))),
    )
    # ln((2M + 1)/(2M)) is at least 1/(4M + 1) + 1/(4M + 2), and ln 2 at most 1/7 + ... + 1/13 < 11/15.
    steps = []
    for low in (4 * M, 4 * M + 1):
        steps += [(1, K.axiom("log-below", low / (low + 1)))]
        steps += [(-1, K.axiom("log-product", low, 1 / (low + 1))), (-1, K.axiom("log-power", low + 1, -1))]
    step = K.cert(
        le(1 / (4 * M + 1) + 1 / (4 * M + 2), log(2 * M + 1) - log(2 * M)),
        *steps,
        (1, K.axiom("log-product", Integer(2), 2 * M + 1)),
        (-1, product),
    )
    numbers, most = [], Rational(0)
    for m in map(Integer, range(7, 14)):
        most += 1 / m
        numbers += [(1, K.axiom("log-below", (m + 1) / m)), (1, K.axiom("log-product", (m + 1) / m, m))]
    two = K.cert(le(log(2), most), *numbers, (-1, K.axiom("log-product", Integer(2), Integer(7))))
    unit, least = 1 / log(2), K.given("levels", 1)
    K.conclude(
        "raw",
        K.cert(
            lt(_INDEX, _RAW),
            (unit, step),
            (unit / (2 * M), two),
            (unit / (2 * M), K.sign(lt(most, Rational(11, 15)))),
            (unit / (5 * M * (4 * M + 1)), least),
            (unit / (6 * M * (2 * M + 1)), least),
        ),
    )


def _above_half(K: Any) -> Any:
    """Return ln 2 > 1/2: it is at least 1/3 + 1/4."""
    ratios = (Rational(2, 3), Rational(3, 4))
    terms = [(1, K.axiom("log-below", ratio)) for ratio in ratios]
    product = K.axiom("log-product", *ratios)
    return K.cert(lt(HALF, log(2)), *terms, (1, product), (-1, K.axiom("log-power", Integer(2), -1)))
