r"""`cat/sq-range`: between what the share of signs lies, and what sizes guarantee (arXiv 2003.06377).

Derivation: (a) Cauchy-Schwarz. (b) With the T-th magnitude t, all others are compared with t. (c) Summation
by parts, twice: $S_T\le m\sqrt T$ for all T makes $\|g\|^2\le m^2\rho_d$; each term of $\rho_d$ is
$\tan\frac\theta2\le\operatorname{artanh}\tan\frac\theta2$ with $\sin\theta=\frac1{2j-1}$.
"""

from sympy import Integer, Max, Min, Rational, Sum, log, sqrt

from theory.cat.paper import PAPER
from theory.cat.sq_range_derivation import A, C_d, derivation, rho, s
from theory.cat.symbols import DIMENSION, SIZE, SMOOTH, TIES, T, d, j
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_ALL = Sum(s[j] ** 2, (j, 0, d - 1))
_RHO = Sum((sqrt(j + 1) - sqrt(j)) ** 2, (j, 0, d - 1))
_BOUND = Min(1 / T, T / d)
_FORMULAS = {
    "alpha": Sum(s[j] ** 2, (j, 0, T - 1)) / _ALL,
    "beta": Sum(s[j], (j, 0, T - 1)) ** 2 / (T * _ALL),
    "rho": _RHO,
    "best": 1 / _RHO,
    "rho_bound": 1 + log(d) / 4,
    "fixed_iterations": A * Max(T, d / T),
    "best_iterations": A * (1 + log(d) / 4),
    "cost": A * rho * C_d,
    "polyak_cost": (A + 1) * rho * C_d,
}

_MUTANTS = (
    Mutant(
        "share-of-flat",
        r"$\beta(T)\ge\frac Td$, as for the entries themselves: one nonzero entry, $d=T=8$, has $\frac18$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "one-half",
        r"$\max_T\beta(T)\ge\frac12$ in all dimensions: 0.4653 at the extremal vector of $d=100$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "alpha-below",
        r"$\alpha(T)\le\beta(T)$, the wrong way round.",
        ("exact",),
    ),
    Mutant(
        "without-last-message",
        r"The cost $\rho_dA\,C(d)$ under the Polyak-Łojasiewicz inequality, too: for $d=1$, $F=\frac12x^2$, "
        r"$\epsilon=\frac9{10}\Delta_0$ it is $0.105\,C(1)$, less than one message.",
        ("exact",),
    ),
    Mutant("scaled-vector", "Multiply the vector by 8: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/sq-range",
    paper=PAPER,
    kind="lower",
    provenance="derived",
    title="The share of the signs of the largest entries: its range, at fixed and at best sizes",
    statement=(
        r"Let $s_1\ge\dots\ge s_d\ge0$ be the magnitudes of $g\ne0$, $\alpha(T)=\sum_{j\le T}s_j^2/\|g\|^2$ "
        r"and $\beta(T)=(\sum_{j\le T}s_j)^2/(T\|g\|^2)$. (a) $\beta(T)\le\alpha(T)$, with equality iff "
        r"$s_1=s_T$. (b) $$\beta(T)\ge\min\Big(\frac1T,\frac Td\Big),$$ attained by one nonzero entry and by "
        r"equal ones; so with a fixed $T$ any $K\ge\max(T,\frac dT)A$ iterations suffice, where $K\ge A$ "
        r"suffice for gradient descent, and where $\sqrt d$ is whole, $T=\sqrt d$ is the best one, with a "
        r"factor $\sqrt d$. (c) $\max_T\beta(T)\ge\frac1{\rho_d}$, $\rho_d=\sum_{j\le d}(\sqrt "
        r"j-\sqrt{j-1})^2\le1+\frac14\ln d$, with equality iff $s_j$ is proportional to $\sqrt "
        r"j-\sqrt{j-1}$, where $\beta$ is constant; so with the size of the largest $\beta$ any "
        r"$K\ge(1+\frac14\ln d)A$ iterations suffice, and the messages of CAT-SQ cost at most "
        r"$\rho_dA\,C(d)$, under the Polyak-Łojasiewicz inequality $\rho_d(A+1)C(d)$, with the cost $C(d)$ "
        r"of a message of all $d$ signs. What $\beta$ lacks is monotony: `cat/finding-sq-not-unimodal`."
    ),
    variables=(
        DIMENSION,
        SIZE,
        Variable(s, r"\mathbb R_{\ge0}^d", "magnitudes of the gradient, the largest first", "(d,)"),
        Variable(A, r"\mathbb R_{>0}", r"any $K\ge A$ iterations of gradient descent surely suffice"),
        Variable(rho, r"\mathbb R_{>0}", r"$\rho_d$"),
        Variable(C_d, r"\mathbb R_{>0}", r"$C(d)$, cost of a message with all $d$ signs"),
    ),
    assumptions=(
        SMOOTH,
        TIES,
        r"Numbers of iterations as in `cat/s-rates`, costs as in `cat/cost-bound`, $\beta$ for $\alpha$; "
        r"$C$ is nondecreasing, and an accuracy of the gap has $\epsilon<\Delta_0$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "one nonzero entry of eight, all signs sent",
            {"s": (1, 0, 0, 0, 0, 0, 0, 0), "T": 8, "d": 8},
            Rational(1, 8),
        ),
        WorstCase("two of eight equal entries", {"s": (1,) * 8, "T": 2, "d": 8}, Rational(1, 4)),
        WorstCase(
            "the extremal vector for d = 2: both sizes have the same share",
            {"s": (Integer(1), sqrt(2) - 1), "T": 2, "d": 2},
            1 / (4 - 2 * sqrt(2)),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
