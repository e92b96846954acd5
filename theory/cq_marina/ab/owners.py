r"""Owners of a coordinate, as the claims on PermK share them: what is known of a random set of clients.

Client $i$ counts $h_i$ in the estimate of a coordinate: $1/Q$ for its $Q$ owners, 0 for the others.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Hypothesis, Variable
from theory.expectation import E
from theory.formula import eq
from theory.hypotheses import definition, domain, model

n, d, V, M, m, i, j, l = symbols("n d V M m i j l", real=True)
v, inverse = Symbol("v", real=True), Symbol("inverse", real=True)
a, abar, mean, b = symbols("a abar mean_estimate b", cls=IndexedBase, real=True)
CLIENTS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)
SHARE = 1 / n + b[i] - Sum(b[l], (l, 0, n - 1)) / n
ESTIMATE = Sum(SHARE * a[i, j], CLIENTS)
SPREAD = Sum(a[i, j] ** 2, CLIENTS) / n - abar[j] ** 2


def expected(term: Any) -> Any:
    """Return the expectation over the owners of a coordinate."""
    return E(term, b, CLIENTS, mean=0, variance=v)


ERROR = expected((ESTIMATE - abar[j]) ** 2)
VARIABLES = (
    Variable(n, "n", r"\mathbb N", "number of clients"),
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(M, "M", r"\mathbb R_{\ge0}", r"$\frac1n\sum_i\|a_i\|^2$"),
    Variable(m, "m", r"\mathbb R_{\ge0}", r"$\|\bar a\|^2$"),
    Variable(V, "V", r"\mathbb R_{\ge0}", r"$\mathbb E\|\hat g-\bar a\|^2$"),
    Variable(v, "v", r"\mathbb R_{\ge0}", "variance of the errors of shares"),
    Variable(inverse, r"\mathbb E\frac1Q", "(0,1]", "expected inverse of the number of owners"),
    Variable(a, "a", r"\mathbb R^{n\times d}", "inputs of the clients", "(n,d)"),
    Variable(abar, r"\bar a", r"\mathbb R^d", "mean input", "(d,)"),
    Variable(mean, r"\mathbb E\hat g", r"\mathbb R^d", "expected estimate", "(d,)"),
    Variable(b, r"\eta", r"\mathbb R^n", "errors of the shares of the clients", "(n,)"),
)
NOTATION = {
    r"\hat g": "the estimate",
    r"\|a_{#1}\|^2": "squared norm of an input",
    r"\|\bar a\|^2": "squared norm of their mean",
    "h_i": "share of a client",
    "Q": "number of owners",
}


def alike(error: str) -> Hypothesis:
    """Return that clients are alike, where text writes the squared error like this."""
    return model(
        r"$\mathbb E\hat g_j=\mathbb E\bigl(\sum_ia_{ij}(\eta_i+\frac1n-\frac1n\sum_l\eta_l)\bigr)$, "
        rf"${error}=\sum_j\mathbb E\bigl((\sum_ia_{{ij}}(\eta_i+\frac1n-\frac1n\sum_l\eta_l)"
        r"-\bar a_j)^2\bigr)$, over uncorrelated $\eta_i$, $1\le i\le n$, with mean $0$ and variance $v$, "
        "since clients are alike"
    )


HYPOTHESES = {
    "sizes": domain(r"$n\ge2$ and $d\ge1$ are integers; $v\ge0$"),
    "inputs": definition(
        r"$\bar a_j=\frac1n\sum_ia_{ij}$, $M=\frac1n\sum_j\sum_ia_{ij}^2$, $m=\sum_j\bar a_j^2$"
    ),
    "alike": alike("V"),
    "owners": model(
        r"$\mathbb E\frac1Q=\mathbb E\bigl(\sum_i(\eta_i+\frac1n-\frac1n\sum_l\eta_l)^2\bigr)$, over "
        r"uncorrelated $\eta_i$, $1\le i\le n$, with mean $0$ and variance $v$, since owners share evenly"
    ),
}


def moments(K: Any) -> tuple[Any, Any]:
    r"""Return $\mathbb E\hat g_j=\bar a_j$, and $V=\frac{nR-1}{n-1}(M-m)$ with $R=\mathbb E\frac1Q$."""
    K.index(COORDINATES)
    average, total = K.at(K.given("inputs"), j), Sum(a[i, j], CLIENTS)
    unbiased = K.cert(eq(mean[j], abar[j]), (1, K.at(K.given("alike"), j)), (-1, average))
    gap = n * abar[j] - total
    error = K.cert(eq(ERROR, n * v * SPREAD), (gap / n + v * (n * abar[j] + total), average))
    spread = K.cert(eq(v, (inverse - 1 / n) / (n - 1)), (-1 / (n - 1), K.given("owners")))
    factor = n * v
    whole = K.cert(
        eq(V, (n * inverse - 1) / (n - 1) * (M - m)),
        (1, K.given("alike", 1)),
        (1, K.sum_over(error, COORDINATES)),
        (-factor, K.given("inputs", 1)),
        (factor, K.given("inputs", 2)),
        (n * (M - m), spread),
    )
    return K.every(unbiased, COORDINATES), whole


def single(K: Any, whole: Any) -> Any:
    """Return V = M - m for one owner of each coordinate."""
    return K.cert(eq(V, M - m), (1, whole), using=[K.given("one-owner")])


def example(inputs: Any, chance: Any) -> dict[Any, Any]:
    """Return values for the inputs of the clients and the expected inverse of the number of owners."""
    clients, columns = len(inputs), list(zip(*inputs, strict=True))
    averages = tuple(Rational(sum(column), clients) for column in columns)
    square, norm = Rational(sum(x**2 for row in inputs for x in row), clients), sum(x**2 for x in averages)
    size = {n: clients, d: len(columns), a: inputs, abar: averages, mean: averages, M: square, m: norm}
    spread = (chance - Rational(1, clients)) / (clients - 1)
    return {**size, inverse: chance, v: spread, V: clients * spread * (square - norm)}
