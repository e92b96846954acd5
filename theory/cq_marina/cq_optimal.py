r"""`cq_marina/cq-optimal`: what every unbiased one-bit protocol must lose (arXiv 2401.05518).

Client $i$ sends a bit $Q_i(y_i)$ with $\mathbb EQ_i(y)=y$ for all $y\in[0,1]$; shared and private randomness
are free, the server averages. Two lower bounds show that correlated quantization is optimal in this class
up to $\frac1{4n^2}$.

Derivation: the sum of the bits is an integer with mean $n\bar y$. For inputs $y_i\in\{s,t\}$ by fair coins,
$h_i=\frac12(Q_i(s)+Q_i(t))$ and $\Delta_i=Q_i(t)-Q_i(s)$, the average over the coins is
$n^2\mathbb E_y\mathrm{Var}=\mathrm{Var}\sum_ih_i+\frac14\sum_i\mathrm{Var}\,\Delta_i$, where $\Delta_i$ has
the values $-1,0,1$ and the mean $\delta=t-s$.
"""

from sympy import Rational, Sum, floor, sqrt

from theory.cq_marina.cq_optimal_derivation import c_2, delta, derivation
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, EXACT_REALS, i, n, y
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["CLAIM", "derivation"]

_TOTAL = Sum(y[i], (i, 0, n - 1))
_FRACTION = _TOTAL - floor(_TOTAL)
_BOUND = delta * (1 - delta) / (4 * n)
_FORMULAS = {
    "integer_sum": _FRACTION * (1 - _FRACTION) / n**2,
    "mean_deviation": delta * (n - 1) / (2 * n),
    "coefficient": (1 - delta) / (2 * (n - 1)),
    "c1_needed": n / (2 * (n - 1)) * (1 - 4 * sqrt(c_2 / n)),
    "two_clients": Rational(1, 16),
}

_MUTANTS = (
    Mutant(
        "half-for-quarter",
        r"The bound $\frac{\delta(1-\delta)}{2n}$: correlated quantization stays a factor 2 below it.",
        ("exact",),
    ),
    Mutant(
        "independent-floor",
        r"$\frac1n$ for $\frac1{n^2}$ in the first bound: correlated quantization of equal inputs is below "
        r"it.",
        ("exact",),
    ),
    Mutant(
        "nearest-rounding",
        r"Round every input to the nearest bit: variance 0, but biased, so that it is no protocol of the "
        r"class.",
        ("exact",),
    ),
    Mutant(
        "reversed-clients",
        "Number the clients the other way round: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

_SIXTH = Rational(1, 6)

CLAIM = Claim(
    id="cq_marina/cq-optimal",
    paper=PAPER,
    kind="lower",
    provenance="derived",
    title="Lower bounds for unbiased one-bit protocols: correlated quantization is optimal up to 1/(4n^2)",
    statement=(
        r"Let client $i$ send a bit $Q_i(y_i)$ with $\mathbb EQ_i(y)=y$ for all $y\in[0,1]$, with any shared "
        r"and private randomness, and let the server average. (a) $\mathrm{Var}\ge\{n\bar y\}(1-\{n\bar "
        r"y\})/n^2$ at every input; correlated quantization attains it at equal inputs. (b) For inputs "
        r"$y_i\in\{s,t\}$ by independent fair coins and $\delta=t-s$, $$\mathbb "
        r"E_y\mathrm{Var}\ge\frac{\delta(1-\delta)}{4n},\qquad\mathbb "
        r"E_y\sigma_{md}=\frac{\delta(n-1)}{2n};$$ so some input has at least this variance, and some input "
        r"has $\mathrm{Var}\ge\frac{1-\delta}{2(n-1)}\sigma_{md}$. Correlated quantization attains (b) with "
        r"equality where $ns$ and $nt$ are integers. A protocol with $\mathrm{Var}\le "
        r"c_1\frac{\sigma_{md}(r-l)}n+c_2\frac{(r-l)^2}{n^2}$ on $[l,r]$ needs $c_1\ge\frac "
        r"n{2(n-1)}\big(1-4\sqrt{c_2/n}\big)$; correlated quantization has $c_1=1$, $c_2=\frac14$, and for "
        r"$n=2$ its variance is at most $\frac{(r-l)^2}{16}$, so that there $c_1=0$, $c_2=\frac14$ suffice."
    ),
    variables=(
        CLIENTS,
        Variable(y, r"[0,1]^n", r"inputs $y_i$ of the clients, scaled to $[0,1]$", "(n,)"),
        Variable(delta, r"(0,1]", r"distance $t-s$ of the two values of the inputs"),
        Variable(c_2, r"\mathbb R_{>0}", r"constant of the additive term, at most $n/4$"),
    ),
    assumptions=(
        r"One bit for each client and an unbiased bit at every input: $\mathbb EQ_i(y)=y$ for all "
        r"$y\in[0,1]$.",
        r"The estimate is the mean of the bits; at least two clients, $n\ge2$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"six clients at $\frac16$ or $\frac46$: correlated quantization attains the average bound",
            {"n": 6, "delta": Rational(1, 2), "s": _SIXTH, "t": 4 * _SIXTH},
            Rational(1, 96),
        ),
        WorstCase(
            r"four equal inputs $\frac18$: the sum is 0 or 1 with probability $\frac12$",
            {"n": 4, "y": (Rational(1, 8),) * 4},
            Rational(1, 64),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
