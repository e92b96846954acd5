r"""The law of bits with stratified thresholds, as the claims on correlated quantization share it.

Given that client $i$ has stratum $k$ its bit is 1 with probability $\varphi_{ik}$; the stratum of one client
is uniform, the strata of two are a uniform pair of different ones, and given the strata bits are independent.
"""

from typing import Any

from sympy import IndexedBase, Max, Min, Sum, symbols

from theory.claim import Variable
from theory.facts.rounding.stratified_shares import share, shared, total_share
from theory.formula import eq, le
from theory.hypotheses import definition, domain
from theory.indicator import INDICATOR

n, V, i, l, k = symbols("n V i l k", real=True)
y, c, phi, kappa, mean, cov = symbols("y c phi kappa mean cov", cls=IndexedBase, real=True)
CLIENTS, OTHERS, STRATA = (i, 0, n - 1), (l, 0, n - 1), (k, 0, n - 1)
BEFORE, AFTER, LATER = (l, 0, i - 1), (l, i + 1, n - 1), (i, 1, n - 1)

KERNEL = Min(y[i], y[l]) * (1 - Max(y[i], y[l]))
COVARIANCE = -(KERNEL - kappa[i, l] / n) / (n - 1)
OWN = y[i] * (1 - y[i])
_PRODUCTS = Sum(phi[i, k] * phi[l, k], STRATA)

NOTATION = {"b_{#1}": "the bits", "U_{#1}": "thresholds", r"\pi": "a permutation"}
SHARED = {
    "n": domain(r"$n\ge2$ is an integer"),
    "inputs": domain(r"$0\le y_i\le1$"),
}
SHARES = definition(r"$\varphi_{ik}=\max\{0,\min\{1,ny_i-k\}\}$")
MEANS = definition(r"$\mathbb Eb_i=\frac1n\sum_k\varphi_{ik}$, since strata are uniform")
PAIRS = definition(
    r"$\mathrm{Cov}_{il}=\frac1{n(n-1)}\Big(\Big(\sum_k\varphi_{ik}\Big)\Big(\sum_k\varphi_{lk}\Big)"
    r"-\sum_k\varphi_{ik}\varphi_{lk}\Big)-\mathbb Eb_i\mathbb Eb_l$ for $l\ne i$, "
    "since bits are independent given a uniform pair of different strata"
)
VARIANCE = definition(
    r"$\mathrm{Var}\sum_ic_ib_i=\sum_ic_i^2\mathbb Eb_i(1-\mathbb Eb_i)+\sum_i\Big("
    r"\sum_{l=0}^{i-1}c_ic_l\mathrm{Cov}_{il}+\sum_{l=i+1}^{n-1}c_ic_l\mathrm{Cov}_{il}\Big)$"
)
WITHIN = definition(
    r"$\kappa_{il}=\mathbb I(\lfloor ny_i\rfloor,\lfloor ny_l\rfloor)\min\{\{ny_i\},\{ny_l\}\}"
    r"(1-\max\{\{ny_i\},\{ny_l\}\})$"
)
VARIABLES = {
    "n": Variable(n, "n", r"\mathbb N_{\ge2}", "number of clients"),
    "y": Variable(y, "y", "[0,1]^n", "probabilities of the bits", "(n,)", first=0),
    "c": Variable(c, "c", r"\mathbb R^n", "coefficients of the bits", "(n,)", first=0),
    "phi": Variable(phi, r"\varphi", r"[0,1]^{n\times n}", "shares by client and stratum", "(n,n)", first=0),
    "alike": INDICATOR,
    "kappa": Variable(kappa, r"\kappa", "[0,1]^{n\\times n}", "terms of common cells", "(n,n)", first=0),
    "mean": Variable(mean, r"\mathbb Eb_{#1}", "[0,1]^n", "expected bits", "(n,)", first=0),
    "cov": Variable(cov, r"\mathrm{Cov}", r"\mathbb R^{n\times n}", "covariances", "(n,n)", first=0),
    "V": Variable(V, r"\mathrm{Var}\sum_ic_ib_i", r"\mathbb R_{\ge0}", "variance of the sum"),
}


def levels(K: Any, *clients: Any) -> None:
    """Let the kernel know that the levels of clients lie between 0 and n."""
    for place in clients:
        low, high = K.at(K.given("inputs"), place), K.at(K.given("inputs", 1), place)
        K.know(K.cert(le(0, n * y[place]), (n, low)), K.cert(le(n * y[place], n), (n, high)))


def row(K: Any) -> Any:
    r"""Return $\sum_k\varphi_{ik}=ny_i$."""
    written = K.sum_over(K.at(K.given("share"), i, k), STRATA)
    return K.cert(eq(Sum(phi[i, k], STRATA), n * y[i]), (1, written), (1, total_share(K, n * y[i], k, n)))


def unbiased(K: Any, total: Any) -> Any:
    r"""Return $\mathbb Eb_i=y_i$ from the row."""
    return K.cert(eq(mean[i], y[i]), (1, K.at(K.given("mean"), i)), (1 / n, total))


def overlap(K: Any) -> Any:
    r"""Return $\sum_k\varphi_{ik}\varphi_{lk}=n\min\{y_i,y_l\}-\kappa_{il}$, also for $i=l$."""
    one, two = (K.at(K.given("share"), place, k) for place in (i, l))
    first, second = share(n * y[i], k), share(n * y[l], k)
    product = K.cert(eq(phi[i, k] * phi[l, k], first * second), (phi[l, k], one), (first, two))
    goal = eq(Min(n * y[i], n * y[l]), n * Min(y[i], y[l]))
    halves = []
    for a, b in ((i, l), (l, i)):
        scaled = K.axiom("min-is-left", n * y[a], n * y[b])
        scaled = K.discharge(scaled, K.cert(le(n * y[a], n * y[b]), (n, K.assume(le(y[a], y[b])))))
        halves.append(K.cert(goal, (1, scaled), (-n, K.axiom("min-is-left", y[a], y[b]))))
    return K.cert(
        eq(_PRODUCTS, n * Min(y[i], y[l]) - kappa[i, l]),
        (1, K.sum_over(product, STRATA)),
        (1, shared(K, n * y[i], n * y[l], k, n)),
        (1, K.cases(y[i] - y[l], *halves)),
        (1, K.at(K.given("within"), i, l)),
    )


def product(K: Any) -> Any:
    r"""Return $\min\{y_i,y_l\}\max\{y_i,y_l\}=y_iy_l$."""
    least, most = Min(y[i], y[l]), Max(y[i], y[l])
    halves = []
    for a, b in ((i, l), (l, i)):
        small, large = K.axiom("min-is-left", y[a], y[b]), K.axiom("max-is-right", y[a], y[b])
        halves.append(K.cert(eq(least * most, y[a] * y[b]), (most, small), (y[a], large)))
    return K.cases(y[i] - y[l], *halves)
