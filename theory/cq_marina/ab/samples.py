"""Samples of clients for `cq_marina/ab-compose`: total variance, and the moments of independent draws."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.claim import Variable
from theory.cq_marina.ab.owners import CLIENTS, COORDINATES, V, a, abar, i, j, m, mean, n
from theory.expectation import E
from theory.formula import eq
from theory.hypotheses import definition, model, parameter

M_w, S, W, q, tau, outcomes, k, t = symbols("M_w S W q tau O k t", real=True)
w, p, sample, square, noise, e, x = symbols("w p sample square noise e x", cls=IndexedBase, real=True)
slot, length, sent = symbols("slot length sent", cls=IndexedBase, real=True)
OUTCOMES, DRAWS = (k, 0, outcomes - 1), (t, 0, tau - 1)

_RESCALED = a[i, j] / (n * w[i])
_AVERAGE = Sum(x[t], DRAWS) / tau
NOISE, NORM = Sum(noise[k, j], COORDINATES), Sum(sample[k, j] ** 2, COORDINATES)
_ERROR = Sum((sample[k, j] - abar[j]) ** 2, COORDINATES)


def _drawn(term: Any) -> Any:
    spread = Sum(w[i] * (_RESCALED - abar[j]) ** 2, CLIENTS)
    return E(term, x, DRAWS, mean=Sum(w[i] * _RESCALED, CLIENTS), variance=spread)


VARIABLES = (
    Variable(V, r"\mathbb E\|\hat g-\bar a\|^2", r"\mathbb R_{\ge0}", "error of the sample"),
    Variable(S, r"\mathbb E\hat S", r"\mathbb R_{\ge0}", "expected mean of the sampled squared norms"),
    Variable(W, "V", r"\mathbb R_{\ge0}", "expected squared error after the scheme"),
    Variable(
        M_w, "M_w", r"\mathbb R_{\ge0}", r"$\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$, $M$ for $w_i=\frac1n$"
    ),
    Variable(w, "w", r"\mathbb R^n_{>0}", "probabilities of the clients, with sum 1", "(n,)"),
    Variable(q, "q", r"\{1,\dots,n\}", "clients of a group"),
    Variable(tau, r"\tau", r"\mathbb N", "number of draws"),
    Variable(outcomes, "O", r"\mathbb N", "number of samples that there can be"),
    Variable(p, "p", r"[0,1]^O", "their probabilities", "(O,)"),
    Variable(sample, "g", r"\mathbb R^{O\times d}", "their means", "(O,d)"),
    Variable(square, "S", r"\mathbb R^O_{\ge0}", "their means of squared norms", "(O,)"),
    Variable(noise, r"\nu", r"\mathbb R^{O\times d}_{\ge0}", "variances of the scheme on each", "(O,d)"),
    Variable(length, r"\beta", r"\mathbb R^n_{\ge0}", "bits of a message of a client", "(n,)"),
    Variable(sent, r"\mathbb E\ell", r"\mathbb R^n_{\ge0}", "expected bits that a client sends", "(n,)"),
    Variable(slot, "c", r"\{0,1\}^{\tau}", "which draws name a client", "(tau,)"),
    Variable(x, "x", r"\mathbb R^{\tau}", "draws in a coordinate", "(tau,)"),
    Variable(e, r"\varepsilon", r"\mathbb R^d", "errors of the coordinates", "(d,)"),
)
HYPOTHESES = {
    "bits": definition(
        r"$w_i\le1$; $\mathbb E\ell_i=\mathbb E\bigl(\beta_i\sum_tc_t\bigr)$, over independent "
        r"$c_t\sim\mathrm{Bernoulli}(w_i)$, $1\le t\le\tau$"
    ),
    "alike-weights": parameter(r"$w_i=\frac1n$"),
    "sampled": model(
        r"$\sum_kp_k=1$, $\sum_kp_kg_{kj}=\bar a_j$, "
        r"$\sum_kp_k\sum_j(g_{kj}-\bar a_j)^2=\mathbb E\|\hat g-\bar a\|^2$, $\sum_kp_kS_k=\mathbb E\hat S$"
    ),
    "errors": model(
        r"$V=\sum_kp_k\mathbb E\bigl(\sum_j(\varepsilon_j+g_{kj}-\bar a_j)^2\bigr)$, over "
        r"uncorrelated $\varepsilon_j$, $1\le j\le d$, with mean $0$ and variance $\nu_{kj}$"
    ),
    "chosen": model(
        r"$\mathbb E\frac1Q=\frac1q$; $\mathbb E\hat "
        r"S=\mathbb E\bigl(\sum_{j,i}a_{ij}^2(\eta_i+\frac1n-\frac1n\sum_l\eta_l)\bigr)$, over "
        r"uncorrelated $\eta_i$, $1\le i\le n$, with mean $0$ and variance $v$"
    ),
    "drawn": model(
        r"$M_w=\frac1n\sum_{i,j}\frac{a_{ij}^2}{nw_i}$, $\sum_iw_i=1$; $\mathbb E\hat "
        r"g_j=\mathbb E\bigl(\frac1{\tau}\sum_tx_t\bigr)$, $\mathbb E\|\hat g-\bar "
        r"a\|^2=\sum_j\mathbb E\bigl((\frac1{\tau}\sum_tx_t-\bar a_j)^2\bigr)$, over uncorrelated "
        r"$x_t$, $1\le t\le\tau$, with mean $\sum_i\frac{a_{ij}}{n}$ and variance "
        r"$\sum_iw_i(\frac{a_{ij}}{nw_i}-\bar a_j)^2$; $\mathbb E\hat "
        r"S=\sum_{j,i}\frac{a_{ij}^2}{n^2w_i}$"
    ),
}


def total_variance(K: Any) -> tuple[Any, Any]:
    """Return the expected squared norm of the mean of a sample, and the error after the scheme."""
    given = [*(K.given("sampled", place) for place in range(4)), K.given("errors")]
    average = Sum(p[k] * sample[k, j], OUTCOMES)
    each = K.cert(eq(abar[j] * average, abar[j] ** 2), (abar[j], K.at(given[1], j)))
    norms = K.cert(
        eq(Sum(p[k] * NORM, OUTCOMES), V + m),
        (1, given[2]),
        (2, K.sum_over(each, COORDINATES)),
        (-1, K.given("inputs", 2)),
        (-Sum(abar[j] ** 2, COORDINATES), given[0]),
    )
    return norms, K.cert(eq(W, Sum(p[k] * NOISE, OUTCOMES) + V), (1, given[4]), (1, given[2]))


def draws(K: Any) -> tuple[Any, Any, Any]:
    """Return the mean of independent draws, their mean of squares, and the error of their mean."""
    given = [K.given("drawn", place) for place in range(5)]
    average, total = K.at(K.given("inputs"), j), Sum(a[i, j], CLIENTS)
    expectation = K.cert(eq(mean[j], abar[j]), (1, K.at(given[2], j)), (-1, average))
    squares = Sum(a[i, j] ** 2 / (n**2 * w[i]), CLIENTS)
    each = K.cert(
        eq(_drawn((_AVERAGE - abar[j]) ** 2), (squares - abar[j] ** 2) / tau),
        (2 * abar[j] / tau - total / n + abar[j], average),
        (abar[j] ** 2 / tau, given[1]),
    )
    error = K.cert(
        eq(V, (M_w - m) / tau),
        (1, given[3]),
        (1, K.sum_over(each, COORDINATES)),
        (-1 / tau, given[0]),
        (1 / tau, K.given("inputs", 2)),
    )
    square_mean = K.cert(eq(S, M_w), (1, given[4]), (-1, given[0]))
    return K.every(expectation, COORDINATES), square_mean, error


def conclude_bits(K: Any) -> None:
    """Each draw names a client with its weight."""
    K.index(CLIENTS)
    K.know(K.given("bits"))
    counted = K.cert(eq(sent[i], tau * w[i] * length[i]), (1, K.at(K.given("bits", 1), i)))
    K.conclude("bits", K.every(counted, CLIENTS))
    weight = K.at(K.given("alike-weights"), i)
    alike = K.cert(eq(sent[i], tau / n * length[i]), (1, counted), (tau * length[i], weight))
    K.conclude("bits-alike", K.every(alike, CLIENTS))
