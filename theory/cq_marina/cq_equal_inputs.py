r"""`cq_marina/cq-equal-inputs`: correlated quantization of n equal inputs (arXiv 2401.05518).

All clients hold the same $x$ with $r=\|x\|_2$. On the binary grid the mean of the outputs is then in law one
stochastic uniform quantizer with the step $\frac{2r}n$, on the ternary grid one with the step $\frac rn$; the
variances are at most $\frac d{n^2}r^2$ and $\frac d{4n^2}r^2$.

Derivation: with $ny_j=c+\alpha$ $c$ thresholds lie surely below $y_j$ and one more with probability $\alpha$,
so that the number of ones is $c+\mathrm{Bernoulli}(\alpha)$; $\alpha(1-\alpha)\le\frac14$. For even $n$ and
$d\ge n^2$ the tangent of $\rho(\sqrt w)$ in $w=v^2$ gives the supremum.
"""

from sympy import Expr, Integer, Rational, Sum, floor, sqrt

from theory.cq_marina.cq_equal_inputs_derivation import derivation, r, x
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, STRATIFIED, d, j, n
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["CLAIM", "derivation"]


def _rho(number: Expr) -> Expr:
    return (number - floor(number)) * (1 - (number - floor(number)))


_EXACT = 4 * r**2 / n**2 * Sum(_rho(n / 2 + n * x[j] / (2 * r)), (j, 0, d - 1))
_BOUND = d * r**2 / n**2
_FORMULAS = {
    "ternary": r**2 / n**2 * Sum(_rho(n * x[j] / r), (j, 0, d - 1)),
    "ternary_bound": d * r**2 / (4 * n**2),
    "step": 2 * r / n,
    "high_dimension": 2 * sqrt(d) / n - 1,
    "odd_at_basis": (d - 1) / n**2,
}

_MUTANTS = (
    Mutant(
        "quarter-constant",
        r"$\frac d{4n^2}$ for $\frac d{n^2}$ on the binary grid: broken by a factor 4, as at $n=4$, "
        r"$x=(3,1^7)$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "independent-thresholds",
        r"Independent thresholds: the variance is $\frac{d-1}nr^2$, whatever the input.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "half-step",
        r"Claim the step $\frac rn$ of the ternary grid for the law on the binary grid.",
        ("exact",),
    ),
    Mutant(
        "common-permutation",
        r"One permutation for all coordinates: the coordinates of the output depend on each other, the "
        r"variance is the same.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/cq-equal-inputs",
    paper=PAPER,
    kind="tight",
    provenance="derived",
    title="Correlated quantization of equal inputs is one uniform quantizer with an n times smaller step",
    statement=(
        r"All clients hold the same $x\in\mathbb R^d$, $r=\|x\|_2>0$, $\rho(t)=\{t\}(1-\{t\})$. On the "
        r"binary grid the mean of the correlated outputs is in law one stochastic uniform quantizer with the "
        r"step $\frac{2r}n$, coordinates independent: $r\big(\frac2n(\lfloor "
        r"ny_j\rfloor+\mathrm{Bernoulli}\{ny_j\})-1\big)$ with $y_j=\frac12(1+\frac{x_j}r)$. So $$V_{\rm "
        r"bin}=\frac{4r^2}{n^2}\sum_j\rho\Big(\frac n2\big(1+\frac{x_j}r\big)\Big)\le\frac d{n^2}r^2,\qquad "
        r"V_{\rm tern}=\frac{r^2}{n^2}\sum_j\rho\Big(\frac{nx_j}r\Big)\le\frac d{4n^2}r^2.$$ For even $n$ "
        r"the first bound is attained iff all $nx_j/r$ are odd integers, and such $x$ exist if $d\le n^2$ "
        r"and $d\equiv n^2\bmod8$; if $d\ge n^2$ the supremum of $V_{\rm bin}/r^2$ is $\frac{2\sqrt "
        r"d}n-1\le\frac d{n^2}$, taken at equal $|x_j|$. For odd $n$ it lies in $[\frac{d-1}{n^2},\frac "
        r"d{n^2})$, the lower end taken at $e_1$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        Variable(x, r"\mathbb R^d", "input that all clients hold", "(d,)"),
        Variable(r, r"\mathbb R_{>0}", r"norm $\|x\|_2$"),
    ),
    assumptions=(
        STRATIFIED,
        "An independent permutation for every coordinate (for the law; the variances need none).",
        "All clients hold the same input, which is not zero.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"four clients, $x=(3,1^7)$: all $nx_j/r$ are odd",
            {"x": (3, *(1,) * 7), "r": 4, "n": 4, "d": 8},
            Integer(8),
        ),
        WorstCase(
            r"two clients, nine ones: the supremum for $d\ge n^2$",
            {"x": (1,) * 9, "r": 3, "n": 2, "d": 9},
            Integer(18),
        ),
        WorstCase(
            "three clients, a basis vector in five dimensions",
            {"x": (1, 0, 0, 0, 0), "r": 1, "n": 3, "d": 5},
            Rational(4, 9),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
