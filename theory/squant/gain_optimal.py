r"""`squant/gain-optimal`: the best budget of a method and its cost there (derived; about arXiv 2106.03524).

A message of $a+\kappa\beta$ bits and $K=(L+\frac{2c}{\beta n})/\mu$ rounds cost together at least
$$T^\star=\frac1\mu\big(\sqrt{aL}+\sqrt{2\kappa c/n}\big)^2,\qquad\beta^\star=\sqrt{2ac/(\kappa nL)}.$$

Derivation: the product is $\frac1\mu(aL+\frac{2\kappa c}n+\kappa\beta L+\frac{2ac}{\beta n})$; the last two
terms exceed their geometric mean by a square, which vanishes at $\beta^\star$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt, symbols

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.dcgd import OLD as DCGD
from theory.squant.dcgd_derivation import L, Lcal_max, mu
from theory.squant.paper import PAPER
from theory.squant.symbols import beta, n

a = Symbol("a", positive=True)
kappa = Symbol("kappa", positive=True)
c = Symbol("c", positive=True)

# Square roots of a, kappa, c, L, n and beta.
_qa, _qk, _qc, _qL, _qn, _qb = symbols("q_a q_kappa q_c q_L q_n q_beta", positive=True)
_SQUARES = {a: _qa**2, kappa: _qk**2, c: _qc**2 / 2, L: _qL**2, n: _qn**2, beta: _qb**2}

_COST = (a + kappa * beta) * (L + 2 * c / (beta * n)) / mu
_BEST = (sqrt(a * L) + sqrt(2 * kappa * c / n)) ** 2 / mu
_FORMULAS = {
    "cost": _COST,
    "best_cost": _BEST,
    "best_budget": sqrt(2 * a * c / (kappa * n * L)),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    cost = stated["cost"].subs(_SQUARES)
    return (
        Identity(
            "cost",
            r"The stated cost is bits per round times $K$ of `squant/dcgd` with $\mathcal L_{\max}=c/\beta$.",
            stated["cost"],
            (a + kappa * beta) * DCGD.formulas["condition"].subs(Lcal_max, c / beta),
        ),
        *(
            step
            for name, best in (("best-cost", stated["best_cost"]), ("bound", stated["bound"]))
            for step in (
                Certificate(
                    name,
                    r"The stated $T^\star$ is at most the cost at any $\beta$ (all quantities written as "
                    r"squares, $c=q_c^2/2$).",
                    best.subs(_SQUARES),
                    cost,
                    (
                        Term(
                            1 / mu,
                            (_qk * _qL * _qb - _qa * _qc / (_qn * _qb)) ** 2,
                            "square of a real number",
                        ),
                    ),
                ),
                Identity(
                    f"{name}-attained",
                    r"The cost at the stated $\beta^\star$ is the stated $T^\star$.",
                    stated["cost"].subs(beta, stated["best_budget"]).subs(_SQUARES),
                    best.subs(_SQUARES),
                ),
            )
        ),
    )


_MUTANTS = (
    Mutant(
        "dropped-norms",
        r"Leave out the bits $a$ of the norms in the optimum: $T=2\kappa c/(n\mu)$ is not reached.",
        ("exact",),
    ),
    Mutant(
        "no-cross-term",
        r"Add the squares without the mixed term: $T=(aL+2\kappa c/n)/\mu$.",
        ("exact",),
    ),
    Mutant("other-units", r"Count bytes instead of bits: $T^\star$ is an eighth of it.", ("exact",), True),
)

OLD = Claim(
    id="squant/gain-optimal",
    paper=PAPER,
    kind="scaling",
    provenance="derived",
    title="Cost of a method at its own best budget",
    statement=(
        r"Let a message take $a+\kappa\beta$ bits ($a=32B$ for $B$ norms) and a run $K=(L+\frac{2c}{\beta "
        r"n})/\mu$ rounds up to the logarithm, $c=\beta\mathcal L_{\max}$ in the coarse branch. The total "
        r"cost $(a+\kappa\beta)K$ is smallest over all $\beta>0$ at $$\beta^\star=\sqrt{\frac{2ac}{\kappa "
        r"nL}},\qquad\text{where it is }T^\star=\frac1\mu\Big(\sqrt{aL}+\sqrt{2\kappa c/n}\Big)^2.$$"
    ),
    variables=(
        Variable(a, r"\mathbb R_{>0}", "bits of a message that do not depend on the budget"),
        Variable(kappa, r"\mathbb R_{>0}", "bits per unit of budget"),
        Variable(
            c, r"\mathbb R_{>0}", r"$c=\beta\mathcal L_{\max}$, a constant of the method and the matrices"
        ),
        Variable(beta, r"\mathbb R_{>0}", "budget"),
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(L, r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"(0,L]", "strong convexity of $f$"),
    ),
    assumptions=(
        r"A1-A3 of `squant/dcgd`; the coarse branch, so that $\mathcal L_{\max}=c/\beta$.",
        r"The length of a message is affine in $\beta$ (up to a logarithm of $d$ in $\kappa$, see "
        r"`squant/bits`).",
    ),
    derivation=lambda: derivation(expressions(_BEST, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"one norm: $T^\star=354.509667991878$, $\beta^\star=22.6274169979695$",
            {"a": 32, "kappa": 8, "c": 64, "L": Rational(1, 4), "n": 4, "mu": 1},
            (sqrt(8) + 16) ** 2,
        ),
        WorstCase(
            r"four norms: $T^\star=186.509667991878$",
            {"a": 128, "kappa": 8, "c": 16, "L": Rational(1, 4), "n": 4, "mu": 1},
            (sqrt(32) + 8) ** 2,
        ),
        WorstCase(
            r"rational: $T^\star=16$ at $\beta^\star=4$",
            {"a": 4, "kappa": 1, "c": 8, "L": 1, "n": 4, "mu": 1},
            Integer(16),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BEST,
    formulas=_FORMULAS,
)
