r"""State, round and moments of MARINA on quadratics, for `cq_marina/marina-exact-oracle`.

State and noise have finitely many joint outcomes; the coin is independent of them.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Variable
from theory.cq_marina.marina.moments import covariances as noise
from theory.cq_marina.marina.moments.covariances import CLIENTS, COLUMNS, COORDINATES, d, i, j, k, n
from theory.hypotheses import definition, domain, model

p, gamma, outcomes, o, l, m, gap, gradient = symbols("p gamma O o l m gap gradient_norm_sq", real=True)
error = Symbol("error", real=True)
chance, e, g, xi, coin, lam, N, A = symbols("chance e g xi coin lambda_ N A", cls=IndexedBase, real=True)
A_mean, x, G, EY, EZ = symbols("A_mean x G EY EZ", cls=IndexedBase, real=True)
S_ee, S_eg, S_gg, ee_next, eg_next = symbols("S_ee S_eg S_gg ee_next eg_next", cls=IndexedBase, real=True)
gg_next = IndexedBase("gg_next", real=True)
OUTCOMES, ONCE = (o, 0, outcomes - 1), (i, 0, 0)
ROWS, LINES = (l, 0, d - 1), (m, 0, d - 1)


def mean_of(term: Any) -> Any:
    """Return the expectation over state and noise."""
    return Sum(chance[o] * term, OUTCOMES)


EE = S_ee[j, k] - gamma * (S_eg[j, k] + S_eg[k, j]) + gamma**2 * S_gg[j, k]
EG = p * lam[k] * ee_next[j, k] + (1 - p) * (1 - gamma * lam[k]) * (S_eg[j, k] - gamma * S_gg[j, k])
GG = p * lam[j] * lam[k] * ee_next[j, k] + (1 - p) * (
    (1 - gamma * lam[j]) * (1 - gamma * lam[k]) * S_gg[j, k] + gamma**2 * N[j, k]
)
GAP = Sum(lam[j] * S_ee[j, j], COORDINATES) / 2
GRADIENT = Sum(lam[j] ** 2 * S_ee[j, j], COORDINATES)
ERROR = Sum(lam[j] ** 2 * S_ee[j, j] - 2 * lam[j] * S_eg[j, j] + S_gg[j, j], COORDINATES)


def _product(matrix: Any, row: Any) -> tuple[Any, Any]:
    return Sum(matrix(row, l) * x[o, l], ROWS), Sum(matrix(row, m) * x[o, m], LINES)


def of_client(row: Any, column: Any) -> Any:
    """Return an entry of the matrix of a client."""
    return A[i, row, column]


def of_mean(row: Any, column: Any) -> Any:
    """Return an entry of the mean matrix."""
    return A_mean[row, column]


SPREAD = Sum(A[i, j, l] * G[l, m] * A[i, k, m], LINES, ROWS, CLIENTS) / n
MEAN = Sum(A_mean[j, l] * G[l, m] * A_mean[k, m], LINES, ROWS)
PAIRS = (COORDINATES, COLUMNS)


_HALF, _QUARTER = Rational(1, 2), Rational(1, 4)
# Two clients, two coordinates, two outcomes; every scheme sends or owns one coordinate.
EXAMPLE = {
    **noise.EXAMPLE,
    outcomes: 2,
    chance: (_HALF, _HALF),
    p: _HALF,
    gamma: _HALF,
    lam: (1, 2),
    e: ((1, 0), (1, 0)),
    g: ((2, 1), (2, 1)),
    xi: ((1, 1), (-1, -1)),
    N: ((4, 4), (4, 4)),
    S_ee: ((1, 0), (0, 0)),
    S_eg: ((2, 1), (0, 0)),
    S_gg: ((4, 2), (2, 1)),
    ee_next: ((0, 0), (0, _QUARTER)),
    eg_next: ((0, 0), (-_QUARTER, _QUARTER)),
    gg_next: ((1, _HALF), (_HALF, 1)),
    gap: _HALF,
    gradient: 1,
    error: 2,
    A: (((1, 0), (0, 1)), ((1, 0), (0, -1))),
    A_mean: ((1, 0), (0, 0)),
    x: ((1, 2), (1, 2)),
    G: ((1, 2), (2, 4)),
    EY: ((1, 0), (0, 4)),
    EZ: ((1, 0), (0, 0)),
}


def _matrix(symbol: Any, tex: str, meaning: str) -> Variable:
    return Variable(symbol, tex, r"\mathbb R^{d\times d}", meaning, "(d, d)")


VARIABLES = (
    Variable(n, "n", r"\mathbb N", "number of clients"),
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(p, "p", "[0,1]", "probability of a round with full gradients"),
    Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
    Variable(lam, r"\lambda", r"\mathbb R^d", r"eigenvalues of $\bar A$", "(d,)"),
    _matrix(S_ee, "S^{ee}", r"$\mathbb Eee^\top$"),
    _matrix(S_eg, "S^{eg}", r"$\mathbb Eeg^\top$"),
    _matrix(S_gg, "S^{gg}", r"$\mathbb Egg^\top$"),
    _matrix(ee_next, "S^{ee+}", "the first after a round"),
    _matrix(eg_next, "S^{eg+}", "the second after a round"),
    _matrix(gg_next, "S^{gg+}", "the third after a round"),
    _matrix(N, "N", "covariance of the noise"),
    Variable(gap, r"\mathbb E(f-f^\star)", r"\mathbb R", "expected gap"),
    Variable(gradient, r"\mathbb E\|\nabla f\|^2", r"\mathbb R_{\ge0}", "expected squared gradient"),
    Variable(error, r"\mathbb E\|g-\nabla f\|^2", r"\mathbb R_{\ge0}", "expected error of the estimate"),
    Variable(A, "A_{#1,#2#3}", r"\mathbb R^{n\times d\times d}", "matrices of the clients", "(n, d, d)"),
    _matrix(A_mean, r"\bar A", "their mean"),
    _matrix(G, "G", r"$\mathbb Egg^\top$ in the coordinates of the schemes"),
    _matrix(EY, r"\mathbb EY", "expectation of the average square"),
    _matrix(EZ, r"\mathbb EZ", "expectation of the square of the mean"),
    Variable(outcomes, "O", r"\mathbb N", "number of joint outcomes of state and noise"),
    Variable(e, "e", r"\mathbb R^{O\times d}", "$e$ for each outcome", "(O,d)"),
    Variable(g, "g", r"\mathbb R^{O\times d}", "the estimate for each outcome", "(O,d)"),
    Variable(xi, r"\xi", r"\mathbb R^{O\times d}", "error of the average message", "(O,d)"),
    Variable(x, "x", r"\mathbb R^{O\times d}", "the estimate in the coordinates of the schemes", "(O,d)"),
    Variable(chance, "P", "[0,1]^O", "their probabilities", "(O,)"),
    *noise.VARIABLES,
    Variable(coin, r"\chi", r"\{0,1\}", "coin of the round", "(1,)"),
)
HYPOTHESES = {
    "sizes": domain(r"$n,d,O\ge1$ are integers"),
    "chances": domain(r"$P_o\ge0$, $\sum_oP_o=1$, $0\le p\le1$"),
    "moments": definition(
        r"$S^{ee}_{jk}=\sum_oP_oe_{oj}e_{ok}$, $S^{eg}_{jk}=\sum_oP_oe_{oj}g_{ok}$, "
        r"$S^{gg}_{jk}=\sum_oP_og_{oj}g_{ok}$"
    ),
    "noise": model(
        r"$\sum_oP_oe_{oj}\xi_{ok}=0$, $\sum_oP_og_{oj}\xi_{ok}=0$, "
        r"$\sum_oP_o\xi_{oj}\xi_{ok}=\gamma^2N_{jk}$, since messages are unbiased"
    ),
    "round": model(
        r"$S_{kj}^{ee+}=\sum_oP_o(e_{oj}-\gamma g_{oj})(e_{ok}-\gamma g_{ok})$; "
        r"$S_{kj}^{eg+}=\mathbb E\bigl((1-\chi)\sum_oP_o(e_{ok}-\gamma g_{ok})(g_{oj}+\xi_{oj}"
        r"-\gamma\lambda_jg_{oj})+\chi\sum_oP_o\lambda_j(e_{oj}-\gamma g_{oj})(e_{ok}"
        r"-\gamma g_{ok})\bigr)$, $S_{kj}^{gg+}=\mathbb E\bigl((1-\chi)\sum_oP_o(g_{oj}+\xi_{oj}"
        r"-\gamma\lambda_jg_{oj})(g_{ok}+\xi_{ok}-\gamma\lambda_kg_{ok})+\chi"
        r"\sum_oP_o\lambda_j\lambda_k(e_{oj}-\gamma g_{oj})(e_{ok}-\gamma g_{ok})\bigr)$, over "
        r"$\chi\sim\mathrm{Bernoulli}(p)$"
    ),
    "outputs": definition(
        r"$\mathbb E(f-f^\star)=\sum_oP_o\sum_j\frac{\lambda_je_{oj}^2}2$, "
        r"$\mathbb E\|\nabla f\|^2=\sum_oP_o\sum_j(\lambda_je_{oj})^2$, "
        r"$\mathbb E\|g-\nabla f\|^2=\sum_oP_o\sum_j(g_{oj}-\lambda_je_{oj})^2$"
    ),
    "products": definition(
        r"$G_{lm}=\sum_oP_ox_{ol}x_{om}$, "
        r"$\mathbb EY_{jk}=\sum_oP_o\frac1n\sum_i\sum_lA_{i,jl}x_{ol}\sum_mA_{i,km}x_{om}$, "
        r"$\mathbb EZ_{jk}=\sum_oP_o\sum_l\bar A_{jl}x_{ol}\sum_m\bar A_{km}x_{om}$"
    ),
    **noise.HYPOTHESES,
}
