r"""`squant/bits-bound`: worst-case expected message length at a given budget (arXiv 2106.03524; derived).

For every input and all steps of budget $\beta$ the expected length of `squant/bits` is at most
$b(\beta,d,B)=32B+m(1+2\log_2\frac{d+1}m)+2N+2t\log_2\frac\beta t$ with $N=\min(\beta,d)$,
$m=\min(N+1,(d+1)\sqrt2/e)$ and $t=\min(N,\beta/e)$.

Derivation: a gamma code of $k$ has at most $1+2\log_2k$ bits. The tangents of the logarithm at $(d+1)/m$
for the gaps, whose sum is $d+1$, and at $\beta/t$ for the levels, whose sum has mean at most $\beta$, give a
bound that is linear in the mean number of nonzeros, with a slope that is not negative; that number is at most
$N$.
"""

from sympy import E, Expr, Integer, Min, Rational, log, sqrt

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.bits_bound_derivation import derivation
from theory.squant.paper import PAPER
from theory.squant.symbols import BUDGET, DIMENSION, QUANTIZER, B, beta, d

_NORM_BITS = 32


def largest_nonzeros(beta: Expr, d: Expr) -> Expr:
    """Return $N$, the largest mean number of nonzeros."""
    return Min(beta, d)


def gap_maximiser(beta: Expr, d: Expr) -> Expr:
    """Return $m$, the mean number of gaps at which they are longest."""
    return Min(largest_nonzeros(beta, d) + 1, (d + 1) * sqrt(2) / E)


def level_maximiser(beta: Expr, d: Expr) -> Expr:
    """Return $t$, the mean number of nonzeros at which the levels are longest."""
    return Min(d, beta / E)


def worst_case_length(beta: Expr, d: Expr, B: Expr) -> Expr:
    r"""Return $b(\beta,d,B)$ in bits: budget beta, d coordinates, B norms of 32 bits."""
    m, t = gap_maximiser(beta, d), level_maximiser(beta, d)
    gaps = m * (1 + 2 * log((d + 1) / m, 2))
    levels = 2 * t * log(beta / t, 2)
    return _NORM_BITS * B + gaps + 2 * largest_nonzeros(beta, d) + levels


_BOUND = worst_case_length(beta, d, B)
_FORMULAS = {
    "nonzeros": largest_nonzeros(beta, d),
    "gap_maximiser": gap_maximiser(beta, d),
    "level_maximiser": level_maximiser(beta, d),
}

_MUTANTS = (
    Mutant(
        "no-sentinel",
        "Leave out the gap to the sentinel: one gap fewer than the message has.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "single-log",
        r"Count $\log_2$ without the factor 2 of a self-delimiting code, in gaps and levels.",
        ("exact", "adversarial"),
    ),
    Mutant("one-norm", r"Charge one norm for $B$ blocks: $32(B-1)$ bits too few.", ("exact",)),
    Mutant(
        "reversed-coordinates",
        "Reverse input, steps and blocks alike: the length changes, its bound does not.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="squant/bits-bound",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Worst-case expected message length at a given budget",
    statement=(
        r"Let the steps have the budget $\beta=\sum_l\|h_{\mathcal B_l}^{-1}\|_2$, and put "
        r"$N=\min(\beta,d)$, $m=\min(N+1,\,(d+1)\sqrt2/e)$ and $t=\min(N,\beta/e)$. For every input the "
        r"message of `squant/bits` (Elias gamma, $B$ norms of 32 bits) has $$\mathbb E\,\mathrm{bits}\le "
        r"b(\beta,d,B):=32B+m\Big(1+2\log_2\frac{d+1}m\Big)+2N+2t\log_2\frac\beta t.$$ Here $N$ bounds "
        r"the mean number of nonzeros, and $m$ and $t$ are the mean numbers of gaps and of nonzeros at which "
        r"the lengths of the gaps and of the levels are largest."
    ),
    variables=(BUDGET, DIMENSION, Variable(B, r"\mathbb N", "number of blocks, so of norms")),
    assumptions=(
        QUANTIZER,
        r"The budget of several blocks is the sum of theirs, $\beta=\sum_l\beta_l$ with "
        r"$\beta_l=\|h_{\mathcal B_l}^{-1}\|_2$.",
        "Header and shape are not counted; a norm of 32 bits is taken as exact.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("few nonzeros", {"beta": 4, "d": 64, "B": 1}),
        WorstCase("sixteen norms", {"beta": 16, "d": 256, "B": 16}),
        WorstCase("many levels", {"beta": 300, "d": 100, "B": 1}),
        WorstCase("ten nonzeros", {"beta": 10, "d": 100, "B": 1}),
        WorstCase(
            "one coordinate and hardly any budget: only the gap to the sentinel is left, 3 bits",
            {"x": (Integer(1),), "h": (Integer(8000),), "beta": Rational(1, 8000), "d": 1, "B": 1},
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
