r"""`squant/gain-vary`: varying steps against a uniform step at the matched budget (arXiv 2106.03524).

At $\beta=d/\min(n,d)$ the smoothness-unaware method has $\omega=\min(n,d)$ and the method with varying steps
$\mathcal L_i\le\mathrm{tr}\,\mathbf L_i/\beta$, at one norm per message both. The bounds on the rounds have
the ratio $(1+2\min(n,d)\rho)/(1+2\nu_{\rm tr}\rho/\beta)$, which is $\Theta(\min(n,d))$ where one node
dominates and its matrix has few heavy coordinates.

Derivation: the ratio is that of the condition numbers of `squant/dcgd` at the constants of `squant/bounds`
and `squant/steps`; since $\rho\le1$ and $\beta\ge1$ it lies between $2\rho\min(n,d)/(1+2\nu_{\rm tr}\rho)$
and $3\min(n,d)$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Min, Rational, Symbol, sqrt, symbols

from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.bounds import OLD as BOUNDS
from theory.squant.bounds import s as levels
from theory.squant.dcgd import OLD as DCGD
from theory.squant.dcgd_derivation import L, Lcal_max, mu
from theory.squant.paper import PAPER
from theory.squant.steps import OLD as STEPS
from theory.squant.symbols import L as diagonal
from theory.squant.symbols import beta, d, n

rho = Symbol("rho", positive=True)
nu_tr = Symbol("nu_tr", positive=True)
L_max = Symbol("L_max", positive=True)
trace = Symbol("trace", positive=True)

_t = Symbol("t", integer=True, nonnegative=True)
_Ls = symbols("L_1:4", positive=True)
_SMALLER = Min(n, d)
_RATIO = (1 + 2 * _SMALLER * rho) / (1 + 2 * nu_tr * rho * _SMALLER / d)
_FORMULAS = {
    "budget": d / _SMALLER,
    "condition_std": (L + 2 * _SMALLER * L_max / n) / mu,
    "condition_vary": (L + 2 * trace * _SMALLER / (d * n)) / mu,
    "lower": 2 * rho * _SMALLER / (1 + 2 * nu_tr * rho),
    "upper": 3 * _SMALLER,
}

# Both cases of the minimum, in terms of the difference t.
_CASES = (
    ("few-nodes", r"$d=n+t$", {d: n + _t}, n, n + _t),
    ("few-coordinates", r"$n=d+t$", {n: d + _t}, d, d),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    condition = DCGD.formulas["condition"]
    shares = {trace: nu_tr * L_max, L_max: rho * n * L}
    return (
        *(
            Identity(
                f"budget-{name}",
                rf"The stated budget is $\max(1,d/n)$: {text}, $t\ge0$.",
                stated["budget"].subs(case),
                dimension / smaller,
            )
            for name, text, case, smaller, dimension in _CASES
        ),
        Identity(
            "condition-std",
            r"The stated $K_{\rm std}$ is $K$ of `squant/dcgd` with $\mathcal L_{\max}=\omega L_{\max}$, the "
            r"coarse $\omega$ of `squant/bounds` with $s\sqrt d=\beta$ at the stated budget.",
            stated["condition_std"],
            condition.subs(
                Lcal_max,
                BOUNDS.formulas["standard_coarse"].subs(levels, stated["budget"] / sqrt(d)) * L_max,
            ),
        ),
        Identity(
            "trace-over-budget",
            r"The value of the varying steps in `squant/steps` is $\mathrm{tr}\,\mathbf L/\beta$ (shown for "
            r"3 "
            "coordinates).",
            instance(STEPS.formulas["value"], {diagonal: _Ls, d: 3}),
            sum(_Ls) / beta,
        ),
        Identity(
            "condition-vary",
            r"The stated $K_{\rm vary}$ is $K$ of `squant/dcgd` with $\mathcal "
            r"L_{\max}=\max_i\mathrm{tr}\,\mathbf L_i/\beta$ at the stated budget.",
            stated["condition_vary"],
            condition.subs(Lcal_max, trace / stated["budget"]),
        ),
        Identity(
            "ratio",
            r"The stated ratio is $K_{\rm std}/K_{\rm vary}$ with $L_{\max}=\rho nL$ and "
            r"$\max_i\mathrm{tr}\,\mathbf L_i=\nu_{\rm tr}L_{\max}$.",
            stated["exact"],
            (stated["condition_std"] / stated["condition_vary"])
            .subs(trace, shares[trace])
            .subs(L_max, shares[L_max]),
        ),
        *(step for case in _CASES for step in _order(stated, *case)),
    )


def _order(
    stated: Mapping[str, Expr], name: str, text: str, case: Mapping[Symbol, Expr], smaller: Expr, size: Expr
) -> tuple[Step, ...]:
    """Return both bounds on the ratio where the minimum is `smaller` and the dimension `size`."""
    ratio = stated["exact"].subs(case)
    vary, loose = 1 + 2 * nu_tr * rho * smaller / size, 1 + 2 * nu_tr * rho
    return (
        Certificate(
            f"lower-{name}",
            rf"The stated lower bound: $\beta\ge1$ in the denominator ({text}, $t\ge0$).",
            stated["lower"].subs(case),
            ratio,
            (
                Term(1 / vary, Integer(1), "one is positive"),
                Term(
                    4 * smaller * nu_tr * rho**2 / (vary * loose * size),
                    size - smaller,
                    "nonnegative by its form",
                ),
            ),
        ),
        Certificate(
            f"upper-{name}",
            rf"The stated upper bound: $1+2\min(n,d)\rho\le3\min(n,d)$ ({text}, $t\ge0$).",
            ratio,
            stated["upper"].subs(case),
            (
                Term(1 / vary, smaller - 1, "positive integers are at least one"),
                Term(
                    2 * smaller / vary,
                    1 - rho,
                    "hypothesis: rho is at most 1 (L_max is at most n L)",
                ),
                Term(6 * smaller**2 * nu_tr * rho / (size * vary), Integer(1), "one is positive"),
            ),
        ),
    )


def _heavy_coordinate(nodes: int, dimension: int = 64) -> dict[str, int | Expr]:
    """Return the values of family W: L_1 = diag(1, delta, ...), L_i = delta I, delta = 1/(n d)."""
    delta = Rational(1, nodes * dimension)
    mean = (1 + (nodes - 1) * delta) / nodes
    return {
        "n": nodes,
        "d": dimension,
        "rho": 1 / (nodes * mean),
        "nu_tr": 1 + (dimension - 1) * delta,
        "L": mean,
    }


_MUTANTS = (
    Mutant(
        "no-dominant-coordinate",
        r"Family W with $\mathbf L_1=I$: $\nu_{\rm tr}=d$, and varying steps gain nothing.",
        ("exact",),
    ),
    Mutant(
        "similar-nodes",
        r"Every node has the matrix of node 1: $\rho=1/n$, and the ratio stays below 3.",
        ("exact",),
    ),
    Mutant("fixed-budget", r"Both methods at $\beta=\sqrt d$ instead of $\max(1,d/n)$.", ("exact",)),
    Mutant("unmatched-budget", r"The varying steps at $\beta=1$, whatever the uniform step has.", ("exact",)),
    Mutant(
        "permuted-coordinates", "Permute the coordinates: the ratio depends on traces only.", ("exact",), True
    ),
)

OLD = Claim(
    id="squant/gain-vary",
    paper=PAPER,
    kind="scaling",
    provenance="abstract",
    title="Varying steps save a factor of order min(n, d) at the matched budget",
    statement=(
        r"Both methods at the budget $\beta=\max(1,d/n)$, so with equal bits (one norm each): DCGD with a "
        r"uniform step, which ignores the matrices, and DCGD+ with the varying steps of `squant/steps`. With "
        r"the coarse bounds as $\mathcal L_i$, $$\frac{K_{\rm std}}{K_{\rm "
        r"vary}}=\frac{1+2\min(n,d)\rho}{1+2\nu_{\rm "
        r"tr}\rho/\beta},\qquad\rho=\frac{L_{\max}}{nL},\quad\nu_{\rm tr}=\max_i\frac{\mathrm{tr}\,\mathbf "
        r"L_i}{L_{\max}},$$ and this lies between $\frac{2\rho}{1+2\nu_{\rm tr}\rho}\min(n,d)$ and "
        r"$3\min(n,d)$: it is $\Theta(\min(n,d))$ if $\rho=\Theta(1)$ and $\nu_{\rm tr}=O(1)$. We read the "
        r"abstract's $O(\min(n,d))$ as this. No lower bound on $d$ is needed. In family W ($\mathbf "
        r"L_1=\mathrm{diag}(1,\delta,..,\delta)$, $\mathbf L_i=\delta I$, $\delta=\frac1{nd}$) the ratio "
        r"grows with $n$ and saturates at $n\ge d$."
    ),
    variables=(
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(d, r"\mathbb N", "number of coordinates"),
        Variable(L, r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"(0,L]", "strong convexity of $f$"),
        Variable(L_max, r"[L,nL]", r"$\max_i\lambda_{\max}(\mathbf L_i)$"),
        Variable(trace, r"\mathbb R_{>0}", r"$\max_i\mathrm{tr}\,\mathbf L_i$"),
        Variable(rho, r"[1/n,1]", r"$L_{\max}/(nL)$, 1 where one node dominates"),
        Variable(nu_tr, r"[1,d]", r"$\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$"),
    ),
    assumptions=(
        r"A1-A3 of `squant/dcgd`; the step size is the largest allowed by the bounds.",
        r"The coarse branch of `squant/bounds` stands for $\omega$ and $\mathcal L_i$.",
        r"The bits of a message depend on $\beta$ and the number of norms only (`squant/bits`).",
    ),
    derivation=lambda: derivation(expressions(None, _RATIO, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(rf"family W, $d=64$, $n={nodes}$: {value}", _heavy_coordinate(nodes))
        for nodes, value in (
            (4, "7.71894604767880"),
            (16, "21.3630331753555"),
            (64, "42.3536907910555"),
            (256, "42.6743988855914"),
            (1024, "42.7553360942975"),
        )
    ),
    mutants=_MUTANTS,
    exact=_RATIO,
    formulas=_FORMULAS,
)
