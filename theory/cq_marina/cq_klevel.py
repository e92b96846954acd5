r"""`cq_marina/cq-klevel`: correlated quantization on any grid, shifted or not (arXiv 2401.05518).

On the grid $s+\beta\mathbb Z$ client $i$ sends $Q_i=s+\beta(\lfloor t_i\rfloor+\mathbf 1[U_i<\{t_i\}])$,
$t_i=(x_i-s)/\beta$. The leading term of the variance does not depend on the shift $s$; a uniformly random
common shift only turns the constant $\frac14$ of the second term into $\frac16$.

Derivation: the bits are those of one dimension at $y_i=\{t_i\}$. With $\delta=|y_i-y_l|$ the pairs give
$\delta(1-\delta)=\rho(t_i-t_l)$, which is at most $|x_i-x_l|/\beta$, and $K(\alpha_i,\alpha_l)\le\frac14$
inside a cell; its average over a uniform place of the cell is $\frac16(1-\tau)_+^3$.
"""

from sympy import Abs, Eq, Expr, Min, Mod, Piecewise, Rational, Sum, floor

from theory.cq_marina.cq_klevel_cells import beta, s
from theory.cq_marina.cq_klevel_derivation import derivation, levels, sigma_md, width, x
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, EXACT_REALS, STRATIFIED, i, l, n
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["CLAIM", "derivation"]


def _fraction(number: Expr) -> Expr:
    return number - floor(number)


def _rho(number: Expr) -> Expr:
    return _fraction(number) * (1 - _fraction(number))


def _over_pairs(term: Expr) -> Expr:
    """Return the sum of a term in i and l over all pairs i < l."""
    return Sum(term, (i, 0, l - 1), (l, 1, n - 1))


def _level(index: Expr) -> Expr:
    """Return t_i, the input in steps of the grid."""
    return x[index] / beta - s / beta


def _cell(index: Expr) -> Expr:
    """Return the number of the cell of width beta / n, counted over all intervals of the grid."""
    return floor(n * _level(index))


def _place(index: Expr) -> Expr:
    return _fraction(n * _level(index))


_DIFFERENCE = x[i] / beta - x[l] / beta
_KERNEL = Min(_place(i), _place(l)) - _place(i) * _place(l)
_IN_CELL = Piecewise((_KERNEL, Eq(Mod(_cell(i) - _cell(l), n), 0)), (0, True))
# (1 - tau)_+ : only pairs less than a cell apart, modulo the step, ever share a cell.
_APART = floor(n * _DIFFERENCE)
_OVERLAP = Piecewise(
    (1 - (n * _DIFFERENCE - _APART), Eq(Mod(_APART, n), 0)),
    (n * _DIFFERENCE - _APART, Eq(Mod(_APART + 1, n), 0)),
    (0, True),
)

_EXACT = beta**2 / (n**2 * (n - 1)) * _over_pairs(_rho(_DIFFERENCE) + 2 * _IN_CELL / n)
_BOUND = beta * sigma_md / n + beta**2 / (4 * n**2)
_FORMULAS = {
    "averaged": beta**2 / (n**2 * (n - 1)) * _over_pairs(_rho(_DIFFERENCE) + _OVERLAP**3 / (3 * n)),
    "averaged_bound": beta * sigma_md / n + beta**2 / (6 * n**2),
    "independent": beta**2 / n**2 * Sum(_rho(_level(i)), (i, 0, n - 1)),
    "mean_deviation": Sum(Abs(x[i] - Sum(x[l], (l, 0, n - 1)) / n), (i, 0, n - 1)) / n,
    "fixed_step": width / (levels - 1),
    "shifted_step": width / (levels - 2),
}

_MUTANTS = (
    Mutant(
        "independent-shifts",
        r"Every client draws a shift of its own: at equal inputs the variance is about "
        r"$\frac{\beta^2}{12n}$ instead of $\frac{\beta^2}{6n^2}$ (ratio $\frac n2+\frac1{2n}$).",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "twelfth",
        r"$\frac1{12}$ for $\frac16$ in the average over shifts: half of the truth at equal inputs.",
        ("exact",),
    ),
    Mutant(
        "eighth",
        r"$\frac18$ for $\frac14$ in the bound: broken twofold at equal inputs in the middle of a cell.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "shift-without-range",
        r"A shifted grid with the step $\frac{r-l}{k-1}$ of the fixed one: a level beyond the $k$ levels is "
        r"needed.",
        ("exact",),
    ),
    Mutant(
        "moved-together",
        "Move all inputs and the grid by the same number: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "common-draws",
        r"All coordinates share one permutation: no coordinate alone shows it.",
        ("montecarlo",),
    ),
)

_TENTH = Rational(1, 10)

CLAIM = Claim(
    id="cq_marina/cq-klevel",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Correlated quantization on any grid, with and without a random shift",
    statement=(
        r"Let $t_i=(x_i-s)/\beta$, $\rho(t)=\{t\}(1-\{t\})$, $\alpha_i=\{nt_i\}$, $K(a,b)=\min(a,b)-ab$ "
        r"and $\sigma_{md}=\frac1n\sum_i|x_i-\bar x|$. On the grid $s+\beta\mathbb Z$ the mean "
        r"of $Q_i=s+\beta(\lfloor t_i\rfloor+\mathbf 1[U_i<\{t_i\}])$ over $n\ge2$ clients is unbiased and "
        r"has the variance $$\frac{\beta^2}{n^2(n-1)}\sum_{i<l}\Big[\rho\Big(\frac{x_i-x_l}\beta\Big)+"
        r"\frac2n\mathbf 1[\lfloor nt_i\rfloor\equiv\lfloor nt_l\rfloor\bmod n]\,K(\alpha_i,\alpha_l)\Big]"
        r"\ \le\ \frac{\beta\sigma_{md}}n+\frac{\beta^2}{4n^2},$$ against "
        r"$\frac{\beta^2}{n^2}\sum_i\rho(t_i)$ with independent thresholds. Averaged over a uniformly random "
        r"common shift it is $$\frac{\beta^2}{n^2(n-1)}\sum_{i<l}\Big[\rho\Big(\frac{x_i-x_l}\beta\Big)+"
        r"\frac{(1-\tau_{il})_+^3}{3n}\Big]\ \le\ \frac{\beta\sigma_{md}}n+\frac{\beta^2}{6n^2},\qquad"
        r"\tau_{il}=\frac n\beta\,\mathrm{dist}(x_i-x_l,\beta\mathbb Z).$$ A fixed grid of $k$ levels on "
        r"$[l,r]$ has $\beta=\frac{r-l}{k-1}$, a shifted one $\beta=\frac{r-l}{k-2}$; for $k\le6$ the bound "
        r"of the fixed grid is the smaller one."
    ),
    variables=(
        CLIENTS,
        Variable(x, r"\mathbb R^n", r"inputs $x_i$ of the clients, one coordinate", "(n,)"),
        Variable(beta, r"\mathbb R_{>0}", "step of the grid"),
        Variable(s, r"\mathbb R", "shift of the grid, the same for all clients"),
        Variable(sigma_md, r"\mathbb R_{\ge0}", r"mean deviation $\frac1n\sum_i|x_i-\bar x|$"),
        Variable(levels, r"\mathbb N_{\ge3}", "number $k$ of levels of a finite grid"),
        Variable(width, r"\mathbb R_{>0}", "length $r-l$ of the range of the inputs"),
    ),
    assumptions=(
        STRATIFIED,
        r"The grid is unbounded, or covers all inputs; at least two clients, $n\ge2$.",
        "A random shift is one uniform number on an interval of length $\\beta$, independent of the strata.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "four clients in three intervals, no shift",
            {"x": (_TENTH, 9 * _TENTH, 17 * _TENTH, 26 * _TENTH), "beta": 8 * _TENTH, "s": 0, "n": 4},
            Rational(3, 320),
        ),
        WorstCase(
            r"equal inputs in the middle of a cell: $\frac{\beta^2}{4n^2}$ is attained",
            {"x": (Rational(1, 8),) * 4, "beta": 1, "s": 0, "n": 4},
            Rational(1, 64),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
