r"""`cq_marina/ab-compose`: sampling of clients followed by a scheme (arXiv 2401.05518).

If the error of the sample is $\theta(M_w-m)$ and the scheme after it obeys $V\le A_qM-B_qm$ on what was
sampled, the composition has $A=A_q+\theta(1-B_q)$ and $B=B_q+\theta(1-B_q)$.

Derivation: total variance; the squared norm of the mean of the sample is $m+\theta(M_w-m)$ on average and
the mean of the squared norms is $M_w$. The instances are PermK with a quantizer in each block, importance
sampling, and a partition of the coordinates (`theory.cq_marina.ab_compose_derivation`).
"""

from sympy import Integer, Rational

from theory.cq_marina.ab_compose_derivation import (
    A_q,
    B_q,
    M_w,
    b,
    cq_pair,
    derivation,
    groups,
    omega,
    q,
    tau,
    theta,
)
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, SQUARED_MEAN, d, m, n
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_A = A_q + theta * (1 - B_q)
_B = B_q + theta * (1 - B_q)
_BOUND = _A * M_w - _B * m
_THETA_GROUP = (n - q) / (q * (n - 1))
_GROUP = {theta: _THETA_GROUP, **cq_pair(q, b)}
_SLOTS = {theta: 1 / tau, **cq_pair(tau, d)}
_FORMULAS = {
    "A": _A,
    "B": _B,
    "theta_group": _THETA_GROUP,
    "theta_draws": 1 / tau,
    "permk_iq_A": (b - 1) / q + _THETA_GROUP,
    "permk_iq_B": _THETA_GROUP,
    "permk_cq_A": _A.xreplace(_GROUP),
    "permk_cq_B": _B.xreplace(_GROUP),
    "permk_cq_difference": d * groups / n**2,
    "is_A": (1 + omega) / tau,
    "is_B": 1 / tau,
    "is_cq_A": _A.xreplace(_SLOTS),
    "is_cq_B": _B.xreplace(_SLOTS),
}

_MUTANTS = (
    Mutant(
        "b-without-factor",
        r"Omit $1-B_q$ on $B$ only: $B=B_q+\theta$, exceeded 1.5 times by equal inputs of ones at $n=4$, "
        r"$d=8$ in two groups. Where $B_q=0$ it changes nothing.",
        ("exact",),
    ),
    Mutant(
        "theta-one-over-q",
        r"$\theta=\frac1q$ for PermK, as for draws with replacement: exceeded by one nonzero client where "
        r"$B_q>1$, ratio 1.0476 at $n=4$, $d=12$ in two groups.",
        ("exact",),
    ),
    Mutant(
        "plain-mean-square",
        r"$M$ for $M_w$: exceeded where a rarely drawn client has the largest input.",
        ("exact",),
    ),
    Mutant(
        "no-sampling-error",
        r"$A_q$ and $B_q$ for $A$ and $B$: the error of the sample is forgotten.",
        ("exact",),
    ),
    Mutant(
        "permuted-clients",
        "Number clients, with their weights, and coordinates in the reverse order: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "common-draws",
        r"All coordinates share one permutation or one owner: no coordinate alone shows it.",
        ("montecarlo",),
    ),
    Mutant(
        "uniform-weights",
        r"The owners of the weighted partition are drawn, or the bits of importance sampling are counted, "
        r"with equal weights.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "swapped-clients",
        r"The sampled clients are those with the weights of others.",
        ("montecarlo",),
    ),
)

CLAIM = Claim(
    id="cq_marina/ab-compose",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Sampling of clients followed by a compressor: how the AB constants compose",
    statement=(
        r"If the sampling of clients has the error $\theta(M_w-m)$ with $M_w=\frac1n\sum_i\frac{\|a_i\|^2}"
        r"{nw_i}$ and the scheme after it obeys $V\le A_qM-B_qm$ on what was sampled and rescaled, then "
        r"together $V\le AM_w-Bm$ with $$A=A_q+\theta(1-B_q),\qquad B=B_q+\theta(1-B_q),\qquad "
        r"A-B=A_q-B_q.$$ Instances: PermK+CQ with $m$ groups of $q=n/m\ge2$ clients and blocks of $b=d/m$ "
        r"coordinates: $\theta_q=\frac{n-q}{q(n-1)}$, inner constants of `cq_marina/ab-cq` at $(q,b)$, "
        r"$A-B=\frac{dm}{n^2}$; for $q=1$: $A=b$, $B=1$. PermK+IQ: $A=\frac{b-1}q+\theta_q$, $B=\theta_q$, "
        r"with equality. IS($\tau$, $w$): $\theta=\frac1\tau$; after it an unbiased scheme, independent "
        r"in each draw, of relative variance $\omega$: $A=\frac{1+\omega}\tau$, $B=\frac1\tau$; CQ over "
        r"$\tau\ge2$ slots: inner constants at $(\tau,d)$. Partition($w$): $A=B=1$, with equality. In the "
        r"last two "
        r"$A$ does not grow with $\max_iw_i$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        SQUARED_MEAN,
        Variable(
            M_w, r"\mathbb R_{\ge0}", r"$M_w=\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$, $M$ for $w_i=\frac1n$"
        ),
        Variable(theta, r"[0,1]", "relative error of the sampling"),
        Variable(A_q, r"\mathbb R_{\ge0}", "first constant of the inner scheme"),
        Variable(B_q, r"\mathbb R_{\ge0}", "second constant of the inner scheme"),
        Variable(q, r"\{1,\dots,n\}", "clients of a group"),
        Variable(b, r"\mathbb N", "coordinates of a block"),
        Variable(groups, r"\mathbb N", "number of groups and of blocks, a divisor of n and d"),
        Variable(tau, r"\mathbb N", "number of draws"),
        Variable(omega, r"\mathbb R_{\ge0}", "relative variance of an unbiased inner compressor"),
    ),
    assumptions=(
        "PermK with a quantizer: a random partition of the clients in groups of equal size meets an "
        "independent random partition of the coordinates in blocks of equal size; the group of a block "
        "quantizes it, each client at the scale of its own part.",
        r"IS: $\tau$ clients are drawn independently with the probabilities $w_i$ and send the scheme of "
        r"$\frac{a_i}{nw_i}$; a client that is drawn twice sends twice, with draws of its own unless the "
        r"scheme is CQ. Partition: each coordinate draws its owner, which sends the rescaled entry.",
        r"The definitions are those of the specification; the paper's own ones were not seen. $n\ge2$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "PermK+IQ in two groups at P2: equality",
            {
                "A_q": Rational(1, 2),
                "B_q": 0,
                "theta": Rational(1, 3),
                "M_w": Rational(53, 50),
                "m": Rational(4, 25),
            },
            Rational(83, 100),
        ),
        WorstCase(
            "PermK+CQ in two groups, four equal inputs of eight ones: equality",
            {"A_q": 2, "B_q": 1, "theta": Rational(1, 3), "M_w": 8, "m": 8},
            Integer(8),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
