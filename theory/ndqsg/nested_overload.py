r"""`ndqsg/nested-overload`: overload and error for a Gaussian innovation, exactly (arXiv 1904.01197).

For $z\sim N(0,\sigma^2)$ in fine steps, $j=Q((\alpha z+e)/k)$, the mean square error in $\delta^2$ is
$$\tfrac{\alpha^2}{12}+(1-\alpha^2)^2\sigma^2-2\alpha k\Big[\alpha\mathbb E[ej]-\tfrac{1-\alpha^2}\alpha
\mathbb E[\alpha zj]\Big]+\alpha^2k^2\mathbb Ej^2,$$
with moments that are sums over the cells of integrals of the normal tail.

Derivation: the error is $\alpha e-(1-\alpha^2)z-\alpha kj$. $j$ is the number of boundaries
$c_l=(l-\frac12)k$ passed, and $\Pr(\alpha z+e\ge c)=\int\bar\Phi(\frac{c-e}s)\,de$ has the antiderivatives
$A(t)=t\bar\Phi(t)-\phi(t)$ and $B(t)=\frac12[(t^2-1)\bar\Phi(t)-t\phi(t)]$.
"""

from sympy import Expr, IndexedBase, Rational, Sum, erfc, exp, pi, sqrt

from theory.ndqsg.nested_overload_derivation import derivation
from theory.ndqsg.nested_overload_symbols import (
    cells,
    cross,
    error_parts,
    innovation_parts,
    l,
    pull,
    spread,
    squares,
    tails,
)
from theory.ndqsg.nested_symbols import DEVIATION, HALF, NESTED, UNIFORM_ERROR, sigma
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, GAIN, RATIO, ROUNDING, alpha, j, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["OLD", "derivation"]


def _tail(t: Expr) -> Expr:
    return erfc(t / sqrt(2)) / 2


def _density(t: Expr) -> Expr:
    return exp(-(t**2) / 2) / sqrt(2 * pi)


def _first(t: Expr) -> Expr:
    return t * _tail(t) - _density(t)


def _second(t: Expr) -> Expr:
    return ((t**2 - 1) * _tail(t) - t * _density(t)) / 2


_BOUNDARY = (l - HALF) * k
_HIGH, _LOW = (_BOUNDARY + HALF) / spread, (_BOUNDARY - HALF) / spread
_TAIL = spread * (_first(_HIGH) - _first(_LOW))
_FORMULAS = {
    "tail": _TAIL,
    "error_part": spread
    * (_BOUNDARY * (_first(_HIGH) - _first(_LOW)) - spread * (_second(_HIGH) - _second(_LOW))),
    "innovation_part": spread**2 * (_tail(_LOW) - _tail(_HIGH)),
    "overload": 2 * tails[0],
    "squares": Sum(2 * (2 * j + 1) * tails[j], (j, 0, cells - 1)),
    "cross": Sum(2 * error_parts[j], (j, 0, cells - 1)),
    "pull": Sum(2 * innovation_parts[j], (j, 0, cells - 1)),
    "excess_low": k * (k - 1) * squares,
    "excess_high": k * (k + 1) * squares,
    "excess_gaussian": k**2 * squares,
    "sub_gaussian": 2 * exp(-((k - 1) ** 2) / (8 * spread**2)),
    "chebyshev": 4 * (spread**2 + Rational(1, 12)) / k**2,
}
_EXACT = (
    alpha**2 / 12
    + (1 - alpha**2) ** 2 * sigma**2
    - 2 * alpha * k * (alpha * cross - (1 - alpha**2) / alpha * pull)
    + alpha**2 * k**2 * squares
)


def _array(base: IndexedBase, meaning: str) -> Variable:
    return Variable(base, r"\mathbb R^{\mathrm{cells}}", meaning, "(cells,)")


OLD = Claim(
    id="ndqsg/nested-overload",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Overload probability and mean square error for a Gaussian innovation",
    statement=(
        r"For $z\sim N(0,\sigma^2)$ in fine steps, $s=\alpha\sigma$, $c_l=(l-\frac12)k$, $t_\pm=(c_l\pm"
        r"\frac12)/s$, $A(t)=t\bar\Phi(t)-\phi(t)$, $B(t)=\frac12[(t^2-1)\bar\Phi(t)-t\phi(t)]$: "
        r"$$T_l=s[A(t_+)-A(t_-)],\quad U_l=s\{c_l[A(t_+)-A(t_-)]-s[B(t_+)-B(t_-)]\},\quad "
        r"W_l=s^2[\bar\Phi(t_-)-\bar\Phi(t_+)]$$ are $\Pr(\alpha z+e\ge c_l)$, $\mathbb E[e\mathbf 1]$ and "
        r"$\mathbb E[\alpha z\mathbf 1]$ of that event. With $j=Q((\alpha z+e)/k)$: the overload probability "
        r"is $2T_1$, $\mathbb Ej^2=\sum_l2(2l-1)T_l$, $\mathbb E[ej]=2\sum_lU_l$, $\mathbb E[\alpha "
        r"zj]=2\sum_lW_l$, and $$\frac{\mathbb E(\hat g-g)^2}{\delta^2}=\frac{\alpha^2}{12}+"
        r"(1-\alpha^2)^2\sigma^2-2\alpha k\Big[\alpha\mathbb E[ej]-\frac{1-\alpha^2}\alpha\mathbb E[\alpha "
        r"zj]\Big]+\alpha^2k^2\mathbb Ej^2.$$ At $\alpha=1$ and for every law of $z$ the excess over "
        r"$\frac1{12}$ is between $k(k-1)\mathbb Ej^2$ and $k(k+1)\mathbb Ej^2$, at most $k^2\mathbb Ej^2$ "
        r"for "
        r"a Gaussian one: 72 to 144 times $D$ for each overload at $k=3$. The overload probability is at "
        r"most "
        r"$2\exp(-\frac{(k-1)^2}{8s^2})$ and at most $\frac{4(s^2+1/12)}{k^2}$."
    ),
    variables=(
        DEVIATION,
        GAIN,
        RATIO,
        Variable(spread, r"\mathbb R_{>0}", r"$s=\alpha\sigma$"),
        Variable(l, r"\mathbb N", "number of a cell boundary"),
        Variable(cells, r"\mathbb N", "number of boundaries that are summed; what is beyond is negligible"),
        _array(tails, "$T_l$"),
        _array(error_parts, "$U_l$"),
        _array(innovation_parts, "$W_l$"),
        Variable(squares, r"\mathbb R_{\ge0}", r"$\mathbb Ej^2$"),
        Variable(cross, r"\mathbb R", r"$\mathbb E[ej]$"),
        Variable(pull, r"\mathbb R", r"$\mathbb E[\alpha zj]$"),
    ),
    assumptions=(
        DITHER,
        ROUNDING,
        NESTED,
        UNIFORM_ERROR,
        r"$z$ is Gaussian with mean zero and independent of the dither; $0<\alpha\le1$, $k\ge2$.",
        r"The two-sided bounds on the excess need no Gaussian law; the exponential one holds for "
        r"sub-Gaussian "
        r"$z$ with the parameter $\sigma$, that of Chebyshev for every centred $z$ of variance $\sigma^2$.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"no overload at all: the error of `ndqsg/nested-decoding`",
            {"alpha": 1, "sigma": 1, "k": 3, "squares": 0, "cross": 0, "pull": 0},
            Rational(1, 12),
        ),
        WorstCase(
            r"one overload in a hundred, never more than one cell, at $k=3$ and independent of $e$: the "
            r"error "
            "is doubled",
            {"alpha": 1, "sigma": 1, "k": 3, "squares": Rational(1, 100), "cross": 0, "pull": 0},
            Rational(1, 12) + Rational(9, 100),
        ),
    ),
    mutants=(
        Mutant(
            "innovation-alone",
            r"Overload where $|\alpha z|\ge\frac k2$, without the fine error: 117 times too rare at "
            r"$\sigma=0.3$, 1.3 times at $\sigma=1$, $k=5$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "no-cross-term",
            r"Drop $\mathbb E[ej]$: 7 to 29 % too much where overloads are frequent.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "one-cell",
            r"The first boundary only: $2\cdot10^{-6}$ of $\mathbb Ej^2$ at $\sigma=\frac12$, $k=2$, never "
            r"seen "
            "by sampling.",
            ("exact",),
        ),
        Mutant(
            "variance-given-success",
            r"Report the error of the messages without overload as that of all: 0.0833 for 0.1428 at "
            r"$\sigma=\frac12$, $k=3$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "reflected",
            "Change the sign of the innovation: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
