r"""`ndqsg/dqsg-average`: the average of independently dithered workers (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

P, d, M, kappa, V, V_same, p, j, one = symbols("P d M kappa V V_same p j one", real=True)
scales, e, shared = symbols("kappa_p e shared", cls=IndexedBase, real=True)
WORKERS, ALL = (p, 0, P - 1), (j, 0, d - 1)

_EXACT = d / (12 * M**2 * P**2) * Sum(scales[p] ** 2, WORKERS)
_EQUAL = d * kappa**2 / (12 * M**2 * P)
_SAME = d * kappa**2 / (12 * M**2)


CLAIM = Claim(
    id="ndqsg/dqsg-average",
    kind="identity",
    provenance="rederived",
    title="Averaging workers with independent dithers divides the variance by their number",
    position=14,
    paper=PAPER,
    **statement(
        r"""
        $P$ workers send gradients $g_p$ of $d$ coordinates by DQSG with $M$ levels and the scales
        $\kappa_p$; the received $\hat g_p$ is $g_p$ plus the step of the worker times errors of dithered
        rounding of mean zero, uncorrelated over coordinates; $\bar e=\frac1P\sum_p(\hat g_p-g_p)$ is the
        average error. All gradients are given.
        (a: variance) With independent dithers $$\mathbb E\|\bar e\|^2=\frac d{12M^2P^2}\sum_p\kappa_p^2.$$
          [proof; exact/variance; exact/coordinates that two messages share; run/error of the average along
          a run]
        (b: equal) If all $\kappa_p=\kappa$, then $\mathbb E\|\bar e\|^2=\frac{d\kappa^2}{12M^2P}$. [proof;
          exact/equal scales; montecarlo/average of eight workers]
        (c: same-seed, factor) With one dither for all workers and equal gradients the average has the
          variance of a single worker, $V_{\mathrm{same}}=\frac{d\kappa^2}{12M^2}$, that is
          $V_{\mathrm{same}}=P\,\mathbb E\|\bar e\|^2$ with the equal scales of (b). [proof; exact/same
          seed]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(scales, r"\kappa", r"\mathbb R_{\ge0}^P", "scales of the workers", "(P,)"),
        Variable(kappa, r"\kappa", r"\mathbb R_{\ge0}", "scale of all workers"),
        Variable(
            V,
            r"\mathbb E\|\bar e\|^2",
            r"\mathbb R_{\ge0}",
            "variance of the average, independent dithers",
        ),
        Variable(
            V_same, r"V_{\mathrm{same}}", r"\mathbb R_{\ge0}", "variance of the average, one dither for all"
        ),
        Variable(e, r"\varepsilon", r"\mathbb R^P", "errors of the workers in steps", "(P,)"),
        Variable(shared, r"\xi", r"\mathbb R", "error of all workers in steps", "(1,)"),
    ),
    notation={r"\bar e": "average error", r"\hat g_{#1}": "message", "g_{#1}": "gradient"},
    hypotheses={
        "sizes": domain(r"$P$, $M$ and $d$ are positive integers"),
        "variance": definition(
            r"$\mathbb E\|\bar e\|^2=\sum_{j=0}^{d-1}\mathbb E\bigl(\frac1{P^2}(\sum_p"
            r"\frac{\varepsilon_p\kappa_p}{M})^2\bigr)$, over uncorrelated $\varepsilon_p$, $1\le "
            r"p\le P$, with mean $0$ and variance $\frac1{12}$"
        ),
        "same": definition(
            r"$V_{\mathrm{same}}=\sum_{j=0}^{d-1}\mathbb E\bigl(\frac1{P^2}(\sum_{p=0}^{P-1}"
            r"\frac{\kappa\xi}{M})^2\bigr)$, over $\xi$ with mean $0$ and variance $\frac1{12}$"
        ),
        "equal": parameter(r"$\kappa_p=\kappa$"),
    },
    relations={
        "variance": Relation((V, _EXACT), ("=",)),
        "equal": Relation((V, _EQUAL), ("=",), under=("equal",)),
        "same-seed": Relation((V_same, _SAME), ("=",)),
        "factor": Relation((V_same, P * V), ("=",), under=("equal",)),
    },
    formulas={"exact": _EXACT, "equal": _EQUAL, "same_seed": _SAME},
    worst_cases=cases("""
        4 workers with unit scales | kappa_p = 4 * (1,), P = 4, M = 1, d = 1 | 1/48
        8 workers with unit scales | kappa_p = 8 * (1,), P = 8, M = 1, d = 1 | 1/96
        16 workers with unit scales | kappa_p = 16 * (1,), P = 16, M = 1, d = 1 | 1/192
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({P: 3, M: 2, d: 4, kappa: 3, scales: (3, 3, 3)})
    K.example({P: 3, M: 2, d: 4, kappa: 3, scales: (1, 3, 2)})
    exact = K.cert(eq(V, _EXACT), (1, K.given("variance")))
    K.conclude("variance", exact)
    scale = K.at(K.given("equal"), p)
    squares = K.sum_over(K.cert(eq(scales[p] ** 2, kappa**2), (scales[p] + kappa, scale)), WORKERS)
    equal = K.cert(eq(V, _EQUAL), (1, exact), (d / (12 * M**2 * P**2), squares))
    K.conclude("equal", equal)
    same = K.cert(eq(V_same, _SAME), (1, K.given("same")))
    K.conclude("same-seed", same)
    K.conclude("factor", K.cert(eq(V_same, P * V), (1, same), (-P, equal)))
