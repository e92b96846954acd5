r"""`cat/s-descent`: what a step along the T largest entries achieves (arXiv 2003.06377).

$$F(x-\gamma Q_Tg)\le F(x)-\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2,\qquad
\alpha(T)=\frac{A_T}{\|g\|^2}.$$

Derivation: smoothness gives $F-\gamma\langle g,q\rangle+\frac{L\gamma^2}2\|q\|^2$ with
$\langle g,q\rangle=\|q\|^2=\alpha(T)\|g\|^2$; the guaranteed decrease is largest at $\gamma=1/L$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Sum, symbols

from theory.cat.descent_steps import descent, sent, squares
from theory.cat.paper import PAPER
from theory.cat.symbols import (
    DIMENSION,
    GRADIENT_NORM_SQ,
    SHARE,
    SIZE,
    SMOOTH,
    SMOOTHNESS,
    STEP_SIZE,
    TIES,
    G,
    L,
    T,
    a,
    alpha,
    d,
    gamma,
    j,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

SQUARES = Variable(a, r"\mathbb R_{\ge0}^d", r"$a_j=|g|_{(j)}^2$, squares of the sorted magnitudes", "(d,)")

_BOUND = gamma * (1 - L * gamma / 2) * alpha * G
_FORMULAS = {
    "share": Sum(a[j], (j, 0, T - 1)) / Sum(a[j], (j, 0, d - 1)),
    "step_size": 1 / L,
    "decrease": alpha * G / (2 * L),
}

_SIZE, _SENT = 3, 2
_xs = symbols("x_1:4", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    share = instance(stated["share"], {d: _SIZE, T: _SENT, a: squares()})
    total, kept = sum(squares()), sum(item**2 for item in sent(_SENT))
    # The gradient of L ||x||^2 / 2 is L x.
    flat = instance(stated["share"], {d: _SIZE, T: _SENT, a: [(L * x) ** 2 for x in _xs]})
    after = [x if place >= _SENT else x - gamma * L * x for place, x in enumerate(_xs)]
    isotropic = {alpha: flat, G: sum((L * x) ** 2 for x in _xs)}
    return (
        Identity(
            "share",
            r"$\langle g,q\rangle=\|q\|^2=\alpha(T)\|g\|^2$ with the stated share (shown for 2 of 3 "
            r"coordinates, in the order of their magnitudes).",
            kept,
            share * total,
        ),
        descent("descent", stated["bound"].xreplace({alpha: share, G: total})),
        SUMMATION,
        Identity(
            "decrease",
            r"At the stated step size the decrease is $\frac{\alpha(T)}{2L}\|g\|^2$.",
            stated["bound"].xreplace({gamma: stated["step_size"]}),
            stated["decrease"],
        ),
        Certificate(
            "largest-decrease",
            r"No step size guarantees more.",
            stated["bound"],
            stated["decrease"],
            (Term(alpha * G / (2 * L), (1 - L * gamma) ** 2, "square of a real number"),),
        ),
        Identity(
            "isotropic",
            r"On $F=\frac L2\|x\|^2$ the decrease is the stated one, for any $x$ and $\gamma$ (shown for 2 "
            r"of 3 coordinates).",
            L / 2 * (sum(x**2 for x in _xs) - sum(x**2 for x in after)),
            stated["bound"].xreplace(isotropic),
        ),
    )


_GI = (81, 36, 25, 16, 9, 4, 1, 1)

_MUTANTS = (
    Mutant(
        "long-step",
        r"Take $\gamma=\frac3{2L}$ and expect the decrease of $\frac1L$: it is $\frac43$ times too much on "
        r"$\frac L2\|x\|^2$.",
        ("exact", "adversarial", "run"),
    ),
    Mutant(
        "smallest-entries",
        r"Keep the T smallest entries: 6/173 of $\|g\|^2$ instead of 142/173 for `gi` and $T=3$.",
        ("exact", "adversarial", "run"),
    ),
    Mutant(
        "doubled-decrease",
        r"State the decrease $\frac{\alpha(T)}L\|g\|^2$.",
        ("symbolic", "exact", "adversarial", "run"),
    ),
    Mutant(
        "reversed-coordinates",
        "Number the coordinates the other way round: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/s-descent",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="Descent along the T largest entries of the gradient",
    statement=(
        r"Let $Q_T(g)$ keep the $T$ largest entries of $g=\nabla F(x)$, $A_T$ the sum of their squares and "
        r"$\alpha(T)=A_T/\|g\|^2$. For $0\le\gamma\le\frac2L$ $$F(x-\gamma "
        r"Q_T(g))\le F(x)-\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2.$$ This decrease is largest at "
        r"$\gamma=\frac1L$, where it is at least $\frac{\alpha(T)}{2L}\|g\|^2$. On $F=\frac L2\|x\|^2$ "
        r"equality holds for all $x$ and $T$."
    ),
    variables=(DIMENSION, SIZE, SMOOTHNESS, STEP_SIZE, GRADIENT_NORM_SQ, SHARE, SQUARES),
    assumptions=(SMOOTH, TIES, r"$g\ne0$."),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("`gi`, three entries", {"a": _GI, "T": 3, "d": 8}, Rational(142, 173)),
        WorstCase(
            r"$\frac12\|x\|^2$ at `gi`, three entries and $\gamma=1$: equality",
            {"L": 1, "gamma": 1, "alpha": Rational(142, 173), "G": 173},
            Integer(71),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
