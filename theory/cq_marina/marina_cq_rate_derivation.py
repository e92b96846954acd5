r"""Derivation of `cq_marina/marina-cq-rate`: two AB pairs, the smaller constant, its size, the rate.

The symbols are those of the claim; $n=2+\nu$, $d=2+\delta$ where signs have to be visible.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Max, Min, Symbol, symbols

from theory.cq_marina.ab_cq import CLAIM as AB_CQ
from theory.cq_marina.marina_descent import E_0
from theory.cq_marina.marina_rate import OLD as RATE
from theory.cq_marina.marina_rate_derivation import A, B, X
from theory.cq_marina.symbols import L_plus, L_pm, d, n
from theory.old_steps import Certificate, Identity, Step, Term

__all__ = ["X", "derivation"]

_nu, _delta = symbols("nu delta", nonnegative=True)
_TWO_CLIENTS = {n: 2 + _nu}
_L = Symbol("L", positive=True)
_chi = Symbol("chi", positive=True)

_AB = AB_CQ.formulas
_OF_THE_RATE = (
    "unbiased-noise",
    "noise",
    "descent",
    "small-step",
    "step-size",
    "potential",
    "telescoping",
    "independence",
)
_WIDE = d - n**2 / (2 * (n - 1))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *(step for step in RATE.derivation if step.name in _OF_THE_RATE),
        *_constants(stated),
        *_size(stated),
        *_rate(stated),
    )


def _constants(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    chi = RATE.formulas["X"]
    return (
        Identity(
            "independent-branch",
            r"$V_{CQ}\le V_{IQ}\le\frac{d-1}nM$ at all inputs (`cq_marina/cq-dominates-iq`): the pair "
            r"$A=\frac{d-1}n$, $B=0$ gives the first constant.",
            stated["X_independent"],
            chi.subs({A: _AB["A_independent"], B: 0}),
        ),
        Identity(
            "b",
            r"The stated $B$ is that of `cq_marina/ab-cq`.",
            stated["B"],
            Max(_AB["B_equal"], _AB["B_unequal"]),
        ),
        Identity(
            "correlated-branch",
            r"The pair of `cq_marina/ab-cq`, $A-B=\frac d{n^2}$ with this $B$, gives the second constant.",
            stated["X_correlated"],
            chi.subs({A: _AB["A"], B: stated["B"]}),
        ),
        Identity(
            "smaller",
            r"The stated $\mathcal X_{CQ}$ is the smaller of the two; `noise` holds with each of them, hence "
            r"with it.",
            stated["X"],
            Min(stated["X_independent"], stated["X_correlated"]),
        ),
    )


def _size(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    unequal = d / n**2 * L_plus**2 + _AB["B_unequal"] * L_pm**2
    positive = {L_plus: _L}
    wide, gain = stated["X_wide"].subs(positive), stated["gain"].subs(positive)
    independent = stated["X_independent"].subs({**positive, d: 2 + _delta})
    return (
        Identity(
            "equal-hessians",
            r"Without Hessian variance the second constant is $\frac d{n^2}L_+^2$, as stated.",
            stated["X_correlated"].subs(L_pm, 0),
            stated["X_equal_hessians"],
        ),
        Certificate(
            "smaller-at-equal-hessians",
            r"There it is the smaller one for $d\ge2$ (for $d=1$ both quantizers are exact).",
            stated["X_equal_hessians"].subs({**_TWO_CLIENTS, d: 2 + _delta}),
            stated["X_independent"].subs({**_TWO_CLIENTS, d: 2 + _delta}),
            (Term(L_plus**2 / (2 + _nu) ** 2, _nu + _delta + _nu * _delta, "nonnegative"),),
        ),
        Identity(
            "gain-at-equal-hessians",
            r"The stated factor is the quotient of the constants of the two quantizers.",
            stated["gain_equal_hessians"] * stated["X_equal_hessians"],
            stated["X_independent"],
        ),
        Certificate(
            "unequal-norms",
            r"For $d\ge\frac{n^2}{2(n-1)}$ the larger entry of $B$ is $\frac dn-\frac1{n-1}$.",
            _AB["B_equal"],
            _AB["B_unequal"],
            (Term(1 / n, _WIDE, "hypothesis: d >= n^2 / (2 (n - 1))"),),
        ),
        Certificate(
            "wide",
            r"Then the second constant is at most the stated $\frac dn(\frac{L_+^2}n+L_\pm^2)$.",
            unequal.subs(_TWO_CLIENTS),
            stated["X_wide"].subs(_TWO_CLIENTS),
            (Term(1 / (1 + _nu), L_pm**2, "square of a real number"),),
        ),
        Identity(
            "gain-of-wide",
            r"$\mathcal X_{IQ}$ over that bound is the stated gain.",
            stated["gain"] * stated["X_wide"],
            stated["X_independent"],
        ),
        Certificate(
            "gain",
            r"So the gain is at least the stated one for all $0<\mathcal X\le\frac "
            r"dn(\frac{L_+^2}n+L_\pm^2)$ (shown for $d\ge2$).",
            gain.subs(d, 2 + _delta),
            independent / _chi,
            (
                Term(
                    gain.subs(d, 2 + _delta) / _chi,
                    wide.subs(d, 2 + _delta) - _chi,
                    "wide, unequal-norms",
                ),
            ),
        ),
        Identity(
            "no-gain",
            r"At $L_\pm^2=(1-\frac1n)L_+^2$ both constants agree where $d\ge\frac{n^2}{2(n-1)}$: no gain.",
            unequal.subs(L_pm**2, (1 - 1 / n) * L_plus**2),
            stated["X_independent"],
        ),
    )


def _rate(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "stated-step",
            r"The stated step is that of `cq_marina/marina-rate`.",
            stated["step_size"],
            RATE.formulas["step_size"],
        ),
        Identity(
            "rate",
            r"The stated bound is that of `cq_marina/marina-rate` for $g^0=\nabla f(x^0)$.",
            stated["bound"],
            _bound_of_rate(),
        ),
    )


def _bound_of_rate() -> Expr:
    if RATE.bound is None:
        raise ValueError("cq_marina/marina-rate states a bound")
    bound: Expr = RATE.bound.subs(E_0, Integer(0))
    return bound
