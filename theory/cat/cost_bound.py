r"""`cat/cost-bound`: total cost until an accuracy, by the efficiencies of the run itself (arXiv 2003.06377).

A message of share $\alpha$ and efficiency $e=\alpha/C$ costs $\alpha/e$. The rates of `cat/s-rates` bound
the sum of the shares until the accuracy is reached, so they bound the cost, and sharper than a number of
iterations times the cost of a message.

Derivation: sum over the iterations, with the smallest efficiency $\bar e$; the last iteration adds a share of
at most 1 where a rate is one for the gap.
"""

from sympy import Rational, log

from theory.cat.cost_bound_derivation import C_d, derivation
from theory.cat.paper import PAPER
from theory.cat.symbols import (
    ACCURACY,
    CONVEXITY,
    INITIAL_GAP,
    LEAST_EFFICIENCY,
    POLYAK,
    RADIUS,
    SMOOTH,
    SMOOTHNESS,
    TIES,
    Delta_0,
    L,
    R,
    e_bar,
    epsilon,
    mu,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_BOUND = 2 * L * Delta_0 / (epsilon * e_bar)
_FORMULAS = {
    "polyak": (L / mu * log(Delta_0 / epsilon) + 1) / e_bar,
    "convex": (2 * L * R**2 / epsilon - 3) / e_bar,
    "whole": C_d * 2 * L * Delta_0 / epsilon,
}

_MUTANTS = (
    Mutant(
        "half-bound",
        r"Half of the first bound: exceeded 1.8 times for $d=1$, $\epsilon=0.9\|g_0\|^2$.",
        ("exact",),
    ),
    Mutant(
        "without-fixed-cost",
        r"Leave $c_0$ out of $\bar e$: exceeded 5.4 times there with $c_0=5c_1$.",
        ("exact",),
    ),
    Mutant(
        "largest-efficiency",
        r"The largest efficiency of the run for the smallest: for a flat start with $d=64$, $C=T$, "
        r"$F=\frac12\|x\|^2$, exceeded 12 times under the Polyak-Łojasiewicz inequality.",
        ("exact",),
    ),
    Mutant(
        "other-signs",
        "Change the sign of every coordinate of the start: nothing may change.",
        ("exact", "run"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/cost-bound",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Total communication cost until an accuracy, by the efficiencies along the run",
    statement=(
        r"Let gradient descent with the $T^k$ largest entries and $\gamma=1/L$ have shares "
        r"$\alpha_k=\alpha^k(T^k)$ and efficiencies $e_k=\alpha_k/C(T^k)\ge\bar e$. The cost of its messages "
        r"until first $\|\nabla F\|^2\le\epsilon$ is less than (for $\Delta_0>0$) "
        r"$$\frac{2L\Delta_0}{\epsilon\,\bar e};$$ "
        r"under the Polyak-Łojasiewicz inequality the cost until $F-F^\star\le\epsilon$ is at most $(\frac "
        r"L\mu\log\frac{\Delta_0}\epsilon+1)/\bar e$, and for convex $F$ at most "
        r"$(\frac{2LR^2}\epsilon-3)/\bar e$, both for $\epsilon<\Delta_0$. CAT has "
        r"$e_k=\max_T\alpha^k(T)/C(T)\ge1/C(d)$, so the first bound is at most "
        r"$C(d)\frac{2L\Delta_0}\epsilon$, the cost that gradient descent is guaranteed, and the others are "
        r"at most $C(d)(A+1)$ and $C(d)A$ with its number of iterations $A$."
    ),
    variables=(
        SMOOTHNESS,
        CONVEXITY,
        INITIAL_GAP,
        ACCURACY,
        LEAST_EFFICIENCY,
        RADIUS,
        Variable(C_d, r"\mathbb R_{>0}", r"$C(d)$, cost of a message with all entries"),
    ),
    assumptions=(
        SMOOTH,
        TIES,
        r"For the second bound: " + POLYAK,
        r"For the third: $F$ is convex, and $R$ is the largest distance of a point of the level set of $x_0$ "
        r"to the minimisers.",
        r"Any sizes $T^k$, also fixed ones; $\gamma=1/L$ and messages of positive cost.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$F=\frac12x^2$, $x_0=1$, $\epsilon=\frac9{10}\|g_0\|^2$, a message of cost 1: one message, "
            r"bound $\frac{10}9$",
            {"L": 1, "Delta_0": Rational(1, 2), "epsilon": Rational(9, 10), "e_bar": 1},
            Rational(10, 9),
        ),
        WorstCase(
            r"the same with $\epsilon=\frac{999}{1000}$: the bound comes as close as one likes",
            {"L": 1, "Delta_0": Rational(1, 2), "epsilon": Rational(999, 1000), "e_bar": 1},
            Rational(1000, 999),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
