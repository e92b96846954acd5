r"""`squant/gain-optimal`: the best budget of a method and its cost there (about arXiv 2106.03524)."""

from typing import Any

from sympy import sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.hypotheses import domain, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, kappa, c, beta, n, L, mu = symbols("a kappa c beta n L mu", real=True)

_COST = (a + kappa * beta) * (L + 2 * c / (beta * n)) / mu
_ROOTS = sqrt(a * L), sqrt(2 * kappa * c / n)
_BEST = (_ROOTS[0] + _ROOTS[1]) ** 2 / mu
_BUDGET = sqrt(2 * a * c / (kappa * n * L))

CLAIM = Claim(
    id="squant/gain-optimal",
    kind="scaling",
    provenance="derived",
    title="Cost of a method at its own best budget",
    position=22,
    paper=PAPER,
    **statement(
        r"""
        The bits of a message are affine in the budget $\beta$: $a$ for its norms and $\kappa$ for each unit
        of budget. A run takes as many rounds as the condition number of `squant/dcgd` with $\mathcal
        L_{\max}=c/\beta$, as in the coarse branch, up to a common logarithm. The total cost is their
        product.
        (a: least) <<For every budget -> exact/cost at another budget>> $\beta>0$,
          $$\frac1\mu\Big(\sqrt{aL}+\sqrt{2\kappa c/n}\Big)^2\le(a+\kappa\beta)\frac{L+\frac{2c}{\beta
          n}}\mu.$$ [proof; exact/cost at another budget]
        (b: attained) <<It is attained -> exact/cost at the best budget>> where $\beta^2=\frac{2ac}{\kappa
          nL}$, $$(a+\kappa\beta)\frac{L+\frac{2c}{\beta n}}\mu=\frac1\mu\Big(\sqrt{aL}+\sqrt{2\kappa
          c/n}\Big)^2.$$ [proof; exact/cost at the best budget; exact/smallest cost; exact/best budget]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb R_{>0}", "bits of a message that do not depend on the budget"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", "bits per unit of budget"),
        Variable(
            c, "c", r"\mathbb R_{>0}", r"$\beta\mathcal L_{\max}$, a constant of the method and the matrices"
        ),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
    ),
    notation={r"\mathcal L_{\max}": "largest variance constant of the compressors"},
    hypotheses={
        "n": domain(r"$n\ge1$ is an integer"),
        "signs": domain(r"$a,\kappa,c,L,\mu>0$"),
        "budget": domain(r"$\beta>0$"),
        "best-budget": parameter(r"$\beta^2=\frac{2ac}{\kappa nL}$"),
    },
    relations={
        "least": Relation((_BEST, _COST), ("<=",)),
        "attained": Relation((_COST, _BEST), ("=",), under=("best-budget",)),
    },
    formulas={"bound": _BEST, "cost": _COST, "best_cost": _BEST, "best_budget": _BUDGET},
    internal={"best_budget": "the positive root of the square in part (b)"},
    worst_cases=cases(r"""
        one norm | a = 32, kappa = 8, c = 64, L = 1/4, n = 4, mu = 1 | (2*sqrt(2) + 16)**2
        four norms | a = 128, kappa = 8, c = 16, L = 1/4, n = 4, mu = 1 | (4*sqrt(2) + 8)**2
        rational, at $\beta=4$ | a = 4, kappa = 1, c = 8, L = 1, n = 4, mu = 1 | 16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: the cost exceeds the bound by a square, which vanishes at the stated budget."""
    K.example({a: 4, kappa: 1, c: 8, L: 1, n: 4, mu: 1, beta: 4})
    root = _ROOTS[0] * _ROOTS[1]
    place = kappa * L * beta
    K.show("least", (1 / (place * mu), (place - root) ** 2))
    # At the stated budget the squares of `place` and `root` agree.
    factor = kappa * L * (place - root) / ((place + root) * beta * mu)
    K.show("attained", (factor, K.given("best-budget")))
