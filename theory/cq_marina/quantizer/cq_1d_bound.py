r"""`cq_marina/cq-1d-bound`: the variance depends on the mean deviation of the inputs (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, Integer, Rational, Sum

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.quantizer.mean_deviation import (
    BOUND,
    CLIENTS,
    DISTANCE,
    LEVEL,
    OTHERS,
    REACHED,
    WIDTH,
    V,
    all_pairs,
    attained,
    cell_bound,
    delta,
    distance_bound,
    first_term,
    high,
    i,
    k,
    kappa,
    low,
    m,
    mean,
    n,
    sigma,
    slope,
    t,
    x,
    y,
)
from theory.formula import le, lt
from theory.hypotheses import definition, domain, parameter
from theory.indicator import INDICATOR
from theory.statement import statement
from theory.worst_cases import cases

_DEVIATION = Sum(Abs(x[i] - Sum(x[k], OTHERS) / n), CLIENTS) / n
_SUBJECT = r"\mathrm{Var}\Big(\frac1n\sum_iQ_i\Big)"

CLAIM = Claim(
    id="cq_marina/cq-1d-bound",
    kind="tight",
    provenance="derived",
    title="Correlated quantization: variance by the mean deviation of the inputs",
    position=2,
    paper=PAPER,
    **statement(
        r"""
        Client $i$ has an input $x_i\in[l,r]$, $l<r$, and sends $Q_i=r$ if its stratified threshold is below
        $y_i=\frac{x_i-l}{r-l}$, else $Q_i=l$ (`cq_marina/cq-1d-exact`); $\bar x$ is the mean input and
        $\sigma_{md}$ the mean absolute deviation from it.
        (a: bound) For $n\ge2$ clients
          $$\mathrm{Var}\Big(\frac1n\sum_iQ_i\Big)\le\frac{\sigma_{md}(r-l)}n+\frac{(r-l)^2}{4n^2}.$$
          [proof; exact/level; exact/variance of the mean; adversarial/searched variance]
        (b: alone) The same holds for a single one, $n=1$:
          $$\mathrm{Var}\Big(\frac1n\sum_iQ_i\Big)\le\frac{\sigma_{md}(r-l)}n+\frac{(r-l)^2}{4n^2}.$$
          [proof; exact/variance of the mean]
        (c: attained, no-deviation) The second constant is attained: if $n\ge2$, $y_i=t$ for all clients, with
          $\{nt\}=\frac12$, then
          $$\mathrm{Var}\Big(\frac1n\sum_iQ_i\Big)=\frac{\sigma_{md}(r-l)}n+\frac{(r-l)^2}{4n^2}$$ with
          $\sigma_{md}=0$. [proof; exact/attained]
        (d: first-term) The first constant is sharp by itself, in the limit of small deviations: at
          $y_0=\frac mn+\delta$, $y_1=\frac mn-\delta$ and $y_i=\frac mn$ for all others, with $0<m<n$,
          $0<\delta$ and $n\delta\le1$, $$\mathrm{Var}\Big(\frac1n\sum_iQ_i\Big)=\Big(1-\
          \frac{n\delta}{n-1}\Big)\frac{\sigma_{md}(r-l)}n.$$ [proof; exact/first term]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(x, "x", "[l,r]^n", "inputs of the clients", "(n,)", first=0),
        Variable(low, "l", r"\mathbb R", "lower end of the interval"),
        Variable(high, "r", r"\mathbb R", "upper end of the interval"),
        Variable(mean, r"\bar x", r"\mathbb R", "mean input"),
        Variable(sigma, r"\sigma_{md}", r"\mathbb R_{\ge0}", "mean deviation of the inputs"),
        Variable(y, "y", "[0,1]^n", "probabilities of the upper end", "(n,)", first=0),
        Variable(t, "t", "[0,1]", "the probability of all clients"),
        INDICATOR,
        Variable(kappa, r"\kappa", r"[0,1]^{n\times n}", "terms of common cells", "(n,n)", first=0),
        Variable(V, _SUBJECT, r"\mathbb R_{\ge0}", "variance of the mean"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "deviation of two clients"),
        Variable(m, "m", r"\mathbb N", "cell of the others"),
    ),
    notation={"Q_{#1}": "what clients send"},
    hypotheses={
        "n": domain("$n$ is a positive integer"),
        "interval": domain(r"$l<r$, $l\le x_i\le r$"),
        "levels": definition(r"$y_i=\frac{x_i-l}{r-l}$"),
        "deviation": definition(r"$\bar x=\frac1n\sum_ix_i$, $\sigma_{md}=\frac1n\sum_i|x_i-\bar x|$"),
        "many": parameter(r"$n\ge2$"),
        "cells": definition(
            r"$\kappa_{ik}=\mathbb I(\lfloor ny_i\rfloor,\lfloor ny_k\rfloor)\min\{\{ny_i\},\{ny_k\}\}"
            r"(1-\max\{\{ny_i\},\{ny_k\}\})$",
            reference="cq_marina/cq-1d-exact",
        ),
        "variance": definition(
            rf"${_SUBJECT}=(r-l)^2\Big("
            r"\frac{\sum_i\sum_k|y_i-y_k|(1-|y_i-y_k|)}{2n^2(n-1)}+"
            r"\frac{\sum_i(\sum_k\kappa_{ik}-\kappa_{ii})}{n^3(n-1)}\Big)$",
            reference="cq_marina/cq-1d-exact",
        ),
        "single": parameter("$n=1$"),
        "one-bit": definition(rf"${_SUBJECT}=(r-l)^2y_0(1-y_0)$"),
        "same": parameter(r"$y_i=t$, $\{nt\}=\frac12$"),
        "two-apart": parameter(
            r"$0<m<n$ is an integer; $0<\delta$, $n\delta\le1$, $y_0=\frac mn+\delta$, $y_1=\frac mn-\delta$"
            r"; $y_i=\frac mn$ for $i\ge2$"
        ),
    },
    relations={
        "bound": Relation((V, BOUND), ("<=",), under=("many", "cells", "variance")),
        "alone": Relation((V, BOUND), ("<=",), under=("single", "one-bit")),
        "attained": Relation((V, BOUND), ("=",), under=("many", "cells", "variance", "same")),
        "no-deviation": Relation((sigma, Integer(0)), ("=",), under=("many", "same")),
        "first-term": Relation((V, REACHED), ("=",), under=("many", "cells", "variance", "two-apart")),
    },
    formulas={"bound": BOUND, "reached": REACHED, "level": LEVEL, "mean_deviation": _DEVIATION},
    internal={
        "level": "the definition of $y_i$",
        "mean_deviation": r"the definition of $\sigma_{md}$",
    },
    worst_cases=cases("""
        identical inputs with fraction 1/2: attained | sigma_md = 0, low = 0, high = 1, n = 4 | 1/64
        a hundred clients, four fifths of them in the middle: the first term decides | sigma_md = 1/50,
          low = 0, high = 1, n = 100 | 9/40000
        one client: a fair bit has the whole bound | sigma_md = 0, low = 0, high = 2, n = 1 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter, half = Rational(1, 4), Rational(1, 2)
    ends = {low: 0, high: 1, mean: half, sigma: 0}
    K.example({**ends, n: 1, x: (half,), y: (half,), V: quarter})
    K.example(
        {**ends, n: 3, x: (half,) * 3, y: (half,) * 3, t: half, kappa: ((quarter,) * 3,) * 3, V: quarter / 9}
    )
    K.example(
        {
            **{low: 0, high: 1, mean: half, sigma: quarter, n: 2, m: 1, delta: quarter, V: Rational(1, 16)},
            **{x: (3 * quarter, quarter), y: (3 * quarter, quarter), kappa: ((quarter, 0), (0, quarter))},
        }
    )
    K.index(CLIENTS)
    K.know(K.cert(lt(0, WIDTH), (1, K.given("interval"))))
    squares = (y[0] - half) ** 2
    single = K.given("single")
    positive = K.cert(le(0, sigma), (-1, K.given("deviation", 1)), (1, Sum(Abs(x[i] - mean), CLIENTS) / n))
    K.know(positive)
    K.conclude(
        "alone",
        K.cert(
            le(V, BOUND),
            (1, K.given("one-bit")),
            (WIDTH**2, squares),
            (WIDTH**2 * (n + 1) / (4 * n**2), single),
            (WIDTH / n, positive),
        ),
    )

    K.know(K.given("many"))
    for place in (i, k):
        level = K.at(K.given("levels"), place)
        least = K.at(K.given("interval", 1), place)
        most = K.at(K.given("interval", 2), place)
        K.know(
            K.cert(le(0, n * y[place]), (-n, level), (n / WIDTH, least)),
            K.cert(le(n * y[place], n), (n, level), (n / WIDTH, most)),
        )
    distances = all_pairs(K, distance_bound(K), DISTANCE * (1 - DISTANCE), slope(i) + slope(k))
    cells = all_pairs(K, cell_bound(K), kappa[i, k], quarter)
    K.conclude(
        "bound",
        K.cert(
            le(V, BOUND),
            (1, K.given("variance")),
            (WIDTH**2 / (2 * n**2 * (n - 1)), distances),
            (WIDTH**2 / (n**3 * (n - 1)), cells),
            (-WIDTH / n, K.given("deviation", 1)),
        ),
    )
    attained(K)
    first_term(K)
