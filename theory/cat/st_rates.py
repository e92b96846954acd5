r"""`cat/st-rates`: rates of gradient descent with randomly kept entries (arXiv 2003.06377).

One node, the step $\omega_k/L$ of `cat/st-descent`: bounds for smooth, for Polyak-Łojasiewicz and for convex
objectives, in terms of the shares $\omega_k$ of the run itself.

Derivation: the expected decrease is summed, divided by the factors passed so far, or put into
$\mathbb E\|x^+-x^\star\|^2$ with $\langle g,x-x^\star\rangle\ge\delta+\frac1{2L}\|g\|^2$; for the cost until
a gap it is put into a tangent of a concave function of the gap, a logarithm that goes on as a line.
"""

from sympy import Integer, Rational, log

from theory.cat.paper import PAPER
from theory.cat.st_rates_derivation import D_0, derivation
from theory.cat.symbols import (
    ACCURACY,
    CONVEXITY,
    INITIAL_GAP,
    ITERATIONS,
    LEAST_EFFICIENCY,
    POLYAK,
    SMOOTH,
    SMOOTHNESS,
    Delta_0,
    K,
    L,
    e_bar,
    epsilon,
    mu,
    omega,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_FACTOR = 1 - omega * mu / L
_BOUND = _FACTOR**K * Delta_0
_FORMULAS = {
    "step": omega / L,
    "factor": _FACTOR,
    "sum": 2 * L * Delta_0,
    "cost": 2 * L * Delta_0 / (epsilon * e_bar),
    "distance": L * D_0 / 2,
    "polyak_cost": L / mu * (log(Delta_0 / epsilon) + 1) / e_bar,
}

_MUTANTS = (
    Mutant("half-sum", r"Claim half of the bounds on $\sum\omega_k\|g_k\|^2$ and on the cost.", ("exact",)),
    Mutant(
        "half-distance",
        r"Claim half of the bound on $\sum\omega_k\delta_k$: twice too small in one dimension.",
        ("exact", "run"),
    ),
    Mutant(
        "larger-convexity",
        r"Put $\frac32\mu$ for $\mu$: for equal entries and $T=1$ in two dimensions it claims $\Delta_0/4$ "
        r"after one round instead of $\Delta_0/2$.",
        ("exact",),
    ),
    Mutant(
        "larger-convexity-in-product",
        r"Put it into the product of the factors: there $\mathbb E[\delta_1/(1-\frac32\omega_0\mu/L)]$ is "
        r"$2\Delta_0$.",
        ("exact",),
    ),
    Mutant(
        "mean-of-products",
        r"Bound $\mathbb E\delta_K$ by $\Delta_0\,\mathbb E\prod(1-\omega_k\mu/L)$: gap and factors "
        r"depend on each other.",
        ("exact",),
    ),
    Mutant(
        "half-polyak-cost",
        r"Claim half of the cost until a gap: one round in one dimension costs nearly the whole as "
        r"$\epsilon\to\Delta_0$.",
        ("exact",),
    ),
    Mutant(
        "without-last-round",
        r"Claim $\frac L\mu\log(\Delta_0/\epsilon)/\bar e$ until a gap: the last round may go far below "
        r"$\epsilon$.",
        ("exact",),
    ),
    Mutant(
        "unscaled-step",
        r"Run with the step $1/L$, without the factor $\omega_k$.",
        ("run",),
    ),
    Mutant(
        "permuted-coordinates",
        "Reverse the order of the coordinates: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/st-rates",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Rates with randomly kept entries on one node",
    statement=(
        r"Let $x_{k+1}=x_k-\frac{\omega_k}LQ_k$, $\mathbb E[Q_k|x_k]=g_k$, $\mathbb E[\|Q_k\|^2|x_k]="
        r"\|g_k\|^2/\omega_k$, $\delta_k=F(x_k)-F^\star$, where $\omega_k$ depends on $x_k$. Then (1) "
        r"$\sum_{k<K}\mathbb E[\omega_k\|g_k\|^2]\le2L\Delta_0$, and until the first $\|g_k\|^2\le\epsilon$ "
        r"the messages cost at most $2L\Delta_0/(\epsilon\bar e)$ in the mean if $\bar e\le\omega_k/\mathbb "
        r"E[C_k|x_k]$ on the way; (2) under the Polyak-Łojasiewicz inequality $\mathbb "
        r"E[\delta_K/\prod_{k<K}(1-\omega_k\mu/L)]\le\Delta_0$, so that $$\mathbb "
        r"E\delta_K\le(1-\bar\omega\mu/L)^K\Delta_0$$ for $\bar\omega\le\omega_k$, and (an addition, derived "
        r"here) until the first $\delta_k\le\epsilon$, where $\epsilon<\Delta_0$, the messages cost at most "
        r"$\frac L\mu(\log\frac{\Delta_0}\epsilon+1)/\bar e$ in the mean for such an $\bar e$; (3) for "
        r"convex $F$ $\sum_{k<K}\mathbb E[\omega_k\delta_k]\le\frac L2\|x_0-x^\star\|^2$: the first distance "
        r"suffices, unlike for the largest entries. The product in (2) is random: $\mathbb E\delta_K\le"
        r"\Delta_0\,\mathbb E\prod(1-\omega_k\mu/L)$ is false."
    ),
    variables=(
        SMOOTHNESS,
        CONVEXITY,
        ITERATIONS,
        INITIAL_GAP,
        ACCURACY,
        LEAST_EFFICIENCY,
        Variable(omega, r"(0,1]", r"lower bound $\bar\omega$ of the shares $\omega_k$, or a share"),
        Variable(D_0, r"\mathbb R_{\ge0}", r"$\|x_0-x^\star\|^2$"),
    ),
    assumptions=(
        SMOOTH,
        f"(2): {POLYAK}",
        r"(3): $F$ is convex with a minimiser $x^\star$.",
        r"The product in (2) is positive: $\omega_k\mu<L$.",
        "One node; chances and step of a round depend on its point only.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "equal entries, one of two expected: half of the gap is left",
            {"omega": Rational(1, 2), "mu": 1, "L": 1, "K": 1, "Delta_0": 1},
            Rational(1, 2),
        ),
        WorstCase(r"one dimension, $F=\frac L2x^2$: one round, (3) attained", {"L": 2, "D_0": 9}, Integer(9)),
        WorstCase(
            r"there with $C=6$, $\epsilon=\frac{99}{100}\Delta_0$: the bound of the cost until this gap; the "
            r"one round costs 6, the limit for $\epsilon\to\Delta_0$",
            {"L": 2, "mu": 2, "Delta_0": 9, "epsilon": Rational(891, 100), "e_bar": Rational(1, 6)},
            6 * (1 + log(Rational(100, 99))),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
