r"""`cq_marina/marina-exact-oracle`: exact second moments of a whole run of MARINA (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer

from theory.claim import Claim, Relation
from theory.cq_marina.marina.moments import covariances as noise
from theory.cq_marina.marina.moments import tree
from theory.cq_marina.marina.moments.covariances import CLIENTS, COORDINATES, j, k, n
from theory.cq_marina.marina.moments.quadratic_round import (
    EE,
    EG,
    ERROR,
    EXAMPLE,
    EY,
    EZ,
    GAP,
    GG,
    GRADIENT,
    HYPOTHESES,
    LINES,
    MEAN,
    OUTCOMES,
    PAIRS,
    ROWS,
    SPREAD,
    VARIABLES,
    G,
    N,
    S_ee,
    S_eg,
    S_gg,
    e,
    ee_next,
    eg_next,
    error,
    g,
    gamma,
    gap,
    gg_next,
    gradient,
    l,
    lam,
    m,
    mean_of,
    o,
    of_client,
    of_mean,
    p,
    x,
)
from theory.cq_marina.paper import PAPER
from theory.formula import eq
from theory.statement import statement

_ALIKE = lam[j] * lam[k]
_MATRIX = p * (
    _ALIKE * S_ee[j, k] - gamma * _ALIKE * (S_eg[j, k] + S_eg[k, j]) + gamma**2 * _ALIKE * S_gg[j, k]
) + (1 - p) * ((1 - gamma * lam[j]) * (1 - gamma * lam[k]) * S_gg[j, k] + gamma**2 * N[j, k])

CLAIM = Claim(
    id="cq_marina/marina-exact-oracle",
    kind="identity",
    provenance="derived",
    title="Exact second moments of a whole run of MARINA on quadratics",
    position=22,
    paper=PAPER,
    **statement(
        r"""
        MARINA on $f_i(x)=\frac12x^\top A_ix-b_i^\top x$ with symmetric $A_i$ whose mean $\bar A$ is
        invertible, $e=x-x^\star$; $\lambda_j$, $e_j$, $g_j$ belong to an eigenbasis of $\bar A$. Given $x$
        and $g$, the average message at the differences $-\gamma A_ig$ is unbiased with covariance
        $\gamma^2N$. $S^{ee}_{jk}=\mathbb Ee_je_k$, $S^{eg}_{jk}=\mathbb Ee_jg_k$, $S^{gg}_{jk}=\mathbb
        Eg_jg_k$, and with a plus the same after a round. State and noise have finitely many joint outcomes.
        (a: ee) One round moves the iterate:
          $$S^{ee+}_{jk}=S^{ee}_{jk}-\gamma(S^{eg}_{jk}+S^{eg}_{kj})+\gamma^2S^{gg}_{jk}.$$ [proof;
          exact/matrix of a round]
        (b: eg) Iterate and estimate:
          $$S^{eg+}_{jk}=p\lambda_kS^{ee+}_{jk}+(1-p)(1-\gamma\lambda_k)(S^{eg}_{jk}-\gamma S^{gg}_{jk}).$$
          [proof; exact/matrix of a round]
        (c: gg) The estimate, if $N_{jk}$ is the expectation of the covariance over the state:
          $$S^{gg+}_{jk}=p\lambda_j\lambda_kS^{ee+}_{jk}+(1-p)\big((1-\gamma\lambda_j)(1\
          -\gamma\lambda_k)S^{gg}_{jk}+\gamma^2N_{jk}\big).$$ [proof; exact/matrix of a round]
        (d: matrix) In matrices <<$S^+=pM_1SM_1^\top+(1-p)(M_2SM_2^\top+\gamma^2\,0\oplus N)$, where $M_1$
          maps $(e,g)$ to $(e-\gamma g,\bar A(e-\gamma g))$ and $M_2$ to $(e-\gamma g,g-\gamma\bar Ag)$ ->
          exact/matrix of a round>>. Written out, with (a), $$S^{gg+}_{jk}=\
          p\big(\lambda_j\lambda_kS^{ee}_{jk}-\gamma\lambda_j\lambda_k(S^{eg}_{jk}+S^{eg}_{kj})\
          +\gamma^2\lambda_j\lambda_kS^{gg}_{jk}\big)+(1-p)\big((1-\gamma\lambda_j)(1\
          -\gamma\lambda_k)S^{gg}_{jk}+\gamma^2N_{jk}\big).$$ [proof; exact/matrix of a round]
        (e: gap, gradient, error) Of the moments, $$\mathbb
          E(f-f^\star)=\frac12\sum_j\lambda_jS^{ee}_{jj},\quad\mathbb E\|\nabla
          f\|^2=\sum_j\lambda_j^2S^{ee}_{jj},\quad\mathbb E\|g-\nabla
          f\|^2=\sum_j\big(\lambda_j^2S^{ee}_{jj}-2\lambda_jS^{eg}_{jj}+S^{gg}_{jj}\big).$$ [proof;
          exact/gap by entries; exact/squared gradient by entries; exact/error of the estimate by entries;
          exact/whole run; montecarlo/sampled gradient]
        (f: spread, mean) In the coordinates of the schemes, with the second moments $G$ of the estimate,
          and $Y$, $Z$ of the inputs that the $A_i$ make of it, $$\mathbb
          EY_{jk}=\frac1n\sum_i\sum_l\sum_mA_{i,jl}G_{lm}A_{i,km},\quad\mathbb EZ_{jk}=\sum_l\sum_m\bar
          A_{jl}G_{lm}\bar A_{km}.$$ [proof]
        (g: rand-k-diagonal, rand-k-off) RandK with $1\le K\le d$ and $d\ge2$ has
          $N^R_{jj}=\frac1n\big(\frac dK-1\big)Y_{jj}$, and for two different coordinates
          $$N^R_{jk}=\frac1n\Big(\frac{d(K-1)}{K(d-1)}-1\Big)Y_{jk},\qquad k<j.$$ [proof; exact/covariance of
          RandK]
        (h: one-bit-diagonal, one-bit-off) One-bit quantizers, <<whose covariance is quadratic in the input
          -> proof>>, have $N^B_{jj}=\frac1n(\mathrm{tr}Y-Y_{jj})$, and for two different coordinates
          $N^B_{jk}=0$, $k<j$. [proof; exact/covariance of one bit]
        (i: perm-diagonal, perm-off) PermK with $q$ owners of each coordinate and equally many coordinates
          for each client, $1\le q\le n$, $n\ge2$, $d\ge2$, $\theta=\frac{n-q}{q(n-1)}$, has
          $N^P_{jj}=\theta(Y_{jj}-Z_{jj})$, and for two different coordinates
          $$N^P_{jk}=-\frac\theta{d-1}(Y_{jk}-Z_{jk}),\qquad k<j.$$ [proof; exact/covariance of PermK]
        (j: wide-diagonal, wide-off) For $q=1$, where $d$ is a multiple of $n$, these are
          $N^P_{jj}=Y_{jj}-Z_{jj}$ and $$N^P_{jk}=-\frac{Y_{jk}-Z_{jk}}{d-1},\qquad k<j.$$ [proof;
          exact/covariance of PermK]
        (k: tall-diagonal, tall-off) For $q=\frac nd$ they are $N^P_{jj}=\frac{d-1}{n-1}(Y_{jj}-Z_{jj})$ and
          $$N^P_{jk}=-\frac{Y_{jk}-Z_{jk}}{n-1},\qquad k<j.$$ [proof; exact/covariance of PermK]
        (l: group-diagonal, group-off) Groups of $q$ clients with one-bit quantizers on blocks of $b\ge1$
          coordinates, $n=\frac{qd}b$, have
          $$N^G_{jj}=\theta(Y_{jj}-Z_{jj})+\frac{b-1}{q(d-1)}(\mathrm{tr}Y-Y_{jj}),\qquad
          N^G_{jk}=-\frac\theta{d-1}(Y_{jk}-Z_{jk}),\quad k<j,$$ on and off the diagonal. [proof;
          exact/covariance of groups]
        (m: tree-mean, tree-variance) With the correlated quantizer and equal $A_i$ all clients have the
          same input $c$ of norm $r>0$: coordinate $j$ of the estimate takes the level
          $y_j=\frac12(1+\frac{c_j}r)$ and a bit (`cq_marina/cq-equal-inputs`): <<in the tree over coin and
          bits -> exact/tree of the correlated quantizer>> it has $$\mathbb E\hat c_j=c_j,\qquad\mathbb
          E(\hat c_j-c_j)^2=\frac{4r^2}{n^2}\{ny_j\}(1-\{ny_j\}).$$ [proof; exact/tree of the correlated
          quantizer]
        """
    ),
    variables=(*VARIABLES, *tree.VARIABLES),
    notation={
        "f_{#1}": "function of a client",
        "A_{#1}": "its matrix",
        "b_{#1}": "its linear part",
        r"x^\star": "the stationary point",
        "e_{#1}": "coordinate of $e$",
        "g_{#1}": "coordinate of the estimate",
        "a_{#1}": "input of a client",
        r"\bar a": "mean input",
    },
    hypotheses={**HYPOTHESES, **tree.HYPOTHESES},
    relations={
        "ee": Relation((ee_next[j, k], EE), ("=",), every=PAIRS),
        "eg": Relation((eg_next[j, k], EG), ("=",), every=PAIRS),
        "gg": Relation((gg_next[j, k], GG), ("=",), every=PAIRS),
        "gap": Relation((gap, GAP), ("=",)),
        "gradient": Relation((gradient, GRADIENT), ("=",)),
        "error": Relation((error, ERROR), ("=",)),
        "spread": Relation((EY[j, k], SPREAD), ("=",), every=PAIRS),
        "mean": Relation((EZ[j, k], MEAN), ("=",), every=PAIRS),
        "matrix": Relation((gg_next[j, k], _MATRIX), ("=",), every=PAIRS),
        **noise.RELATIONS,
        **tree.RELATIONS,
    },
    formulas={
        "ee_next": EE,
        "eg_next": EG,
        "exact": GG,
        "gap": GAP,
        "gradient_norm_sq": GRADIENT,
        "error": ERROR,
        **noise.FORMULAS,
    },
)


def derive(K: Any) -> None:
    """Prove the relations: the expectation over coin and noise, then the covariances."""
    K.example(EXAMPLE)
    K.index(*PAIRS, ROWS, LINES, OUTCOMES)

    def moment(place: int, row: Any, column: Any) -> Any:
        return K.at(K.given("moments", place), row, column)

    def entry(name: str, place: int, row: Any = j, column: Any = k) -> Any:
        places = (column, row) if name == "round" else (row, column)
        return K.at(K.given(name, place), *places)

    moved = K.cert(
        eq(ee_next[j, k], EE),
        (1, entry("round", 0)),
        (-1, moment(0, j, k)),
        (gamma, moment(1, j, k)),
        (gamma, moment(1, k, j)),
        (-(gamma**2), moment(2, j, k)),
    )
    K.conclude("ee", K.every(moved, *PAIRS))
    first = entry("round", 0)
    quiet = (1 - p) * (1 - gamma * lam[k])
    mixed = K.cert(
        eq(eg_next[j, k], EG),
        (1, entry("round", 1)),
        (-p * lam[k], first),
        (-quiet, moment(1, j, k)),
        (quiet * gamma, moment(2, j, k)),
        (1 - p, entry("noise", 0)),
        (-(1 - p) * gamma, entry("noise", 1)),
    )
    K.conclude("eg", K.every(mixed, *PAIRS))
    left, right = (1 - gamma * lam[place] for place in (j, k))
    estimate = K.cert(
        eq(gg_next[j, k], GG),
        (1, entry("round", 2)),
        (-p * lam[j] * lam[k], first),
        (-(1 - p) * left * right, moment(2, j, k)),
        ((1 - p) * left, entry("noise", 1)),
        ((1 - p) * right, entry("noise", 1, k, j)),
        (1 - p, entry("noise", 2)),
    )
    K.conclude("gg", K.every(estimate, *PAIRS))
    matrix = K.cert(eq(gg_next[j, k], _MATRIX), (1, estimate), (p * _ALIKE, moved))
    K.conclude("matrix", K.every(matrix, *PAIRS))
    own = [moment(place, j, j) for place in range(3)]
    for name, place, symbol, value, weights in (
        ("gap", 0, gap, GAP, (lam[j] / 2, 0, 0)),
        ("gradient", 1, gradient, GRADIENT, (lam[j] ** 2, 0, 0)),
        ("error", 2, error, ERROR, (lam[j] ** 2, -2 * lam[j], 1)),
    ):
        parts = tuple((weight, item) for weight, item in zip(weights, own, strict=True) if weight)
        stated = sum(
            (weight * S[j, j] for weight, S in zip(weights, (S_ee, S_eg, S_gg), strict=True)), Integer(0)
        )
        found = sum(
            (
                weight * mean_of(pair)
                for weight, pair in zip(weights, (e[o, j] ** 2, e[o, j] * g[o, j], g[o, j] ** 2), strict=True)
            ),
            Integer(0),
        )
        each = K.sum_over(K.cert(eq(stated, found), *parts), COORDINATES)
        K.conclude(name, K.cert(eq(symbol, value), (1, K.given("outputs", place)), (-1, each)))
    _products(K, entry)
    tree.conclude(K)
    noise.conclude(K)


def _products(K: Any, entry: Any) -> None:
    """The expectation goes into both sums."""
    second = K.at(K.given("products"), l, m)
    for name, place, goal, matrix, over in (
        ("spread", 1, eq(EY[j, k], SPREAD), of_client, (CLIENTS,)),
        ("mean", 2, eq(EZ[j, k], MEAN), of_mean, ()),
    ):
        factor = matrix(j, l) * matrix(k, m)
        value = eq(factor * G[l, m], factor * mean_of(x[o, l] * x[o, m]))
        each = K.sum_over(K.cert(value, (factor, second)), LINES, ROWS, *over)
        weight = 1 / n if over else Integer(1)
        K.conclude(name, K.every(K.cert(goal, (1, entry("products", place)), (-weight, each)), *PAIRS))
