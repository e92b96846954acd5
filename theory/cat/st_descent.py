r"""`cat/st-descent`: one step with entries kept at random (arXiv 2003.06377).

Entry $j$ is kept with probability $p_j$ and sent as $g_j/p_j$. Then $\mathbb EQ=g$,
$\mathbb E\|Q\|^2=\|g\|^2/\omega(p)$, and the step $\omega/L$ makes an $L$-smooth objective fall by at least
$\frac\omega{2L}\|g\|^2$ in expectation; on $\frac L2\|x\|^2$ this is what happens.

Derivation: the mean of the smoothness inequality; only the chances of single entries enter the two moments.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.cat.symbols import (
    DIMENSION,
    GRADIENT_NORM_SQ,
    RANDOM_SHARE,
    SMOOTH,
    SMOOTHNESS,
    STEP_SIZE,
    G,
    L,
    d,
    g,
    gamma,
    j,
    omega,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import expectation

p = IndexedBase("p", positive=True)

_BOUND = omega * G / (2 * L)
_EXACT = gamma * G - L * gamma**2 * G / (2 * omega)
_SECOND = Sum(g[j] ** 2 / p[j], (j, 0, d - 1))
_FORMULAS = {
    "step": omega / L,
    "second_moment": _SECOND,
    "share": Sum(g[j] ** 2, (j, 0, d - 1)) / _SECOND,
}

_SIZE = 3
_gs = symbols("g_1:4", real=True)
_ps = symbols("p_1:4", positive=True)
_both, _first, _second, _none = symbols("r_11 r_10 r_01 r_00", nonnegative=True)
_F, _F_next = symbols("F F_+", real=True)
_x = symbols("x_1:3", real=True)


def _sent(place: int, kept: int) -> Expr:
    return kept * _gs[place] / _ps[place]


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_moments(stated), *_descent(stated), *_isotropic(stated))


def _moments(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def at(name: str, size: int, chances: Any = _ps) -> Expr:
        return instance(stated[name], {d: size, g: _gs, p: chances})

    # Any joint law of two coins: r_11, ..., r_00, with the chances r_11 + r_10 and r_11 + r_01.
    marginals = (_both + _first, _both + _second)
    joint = ((_both, 1, 1), (_first, 1, 0), (_second, 0, 1), (_none, 0, 0))
    squares = [
        chance * ((one * _gs[0] / marginals[0]) ** 2 + (two * _gs[1] / marginals[1]) ** 2)
        for chance, one, two in joint
    ]
    return (
        Identity(
            "unbiased",
            r"$\mathbb EQ_j=p_j\cdot g_j/p_j=g_j$.",
            expectation(lambda kept: _sent(0, kept), _ps[0]),
            _gs[0],
        ),
        *(
            Identity(
                f"second-moment-{size}",
                rf"$\mathbb E\|Q\|^2$ over all $2^{size}$ outcomes of independent coins is the stated sum "
                rf"(shown for {size} entries; in every dimension by `summation`).",
                expectation(lambda *kept: sum(_sent(i, bit) ** 2 for i, bit in enumerate(kept)), *_ps[:size]),
                at("second_moment", size),
            )
            for size in range(1, _SIZE + 1)
        ),
        Identity(
            "dependent-coins",
            r"Coins of any joint law have the same $\mathbb E\|Q\|^2$: the chances of single entries enter, "
            r"nothing else (shown for two entries).",
            sum(squares, Integer(0)),
            at("second_moment", 2, marginals),
        ),
        SUMMATION,
        Identity(
            "share",
            r"$\omega(p)\,\mathbb E\|Q\|^2=\|g\|^2$ for the stated share (shown for three entries).",
            at("share", _SIZE) * at("second_moment", _SIZE),
            sum((item**2 for item in _gs), Integer(0)),
        ),
    )


def _descent(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    one = {G: Integer(1)}
    return (
        Certificate(
            "descent",
            r"$\mathbb EF(x-\gamma Q)\le F(x)-\gamma\|g\|^2+\frac{L\gamma^2}2\mathbb E\|Q\|^2$: the stated "
            r"decrease for the step $\gamma$.",
            _F_next,
            _F - stated["exact"],
            (
                Term(
                    Integer(1),
                    _F - gamma * G + L * gamma**2 / 2 * (G / omega) - _F_next,
                    "hypothesis: F is L-smooth, and Q has mean g and the second moment G / omega",
                ),
            ),
        ),
        Identity(
            "at-the-step",
            r"At the stated step the decrease is the stated bound.",
            stated["exact"].xreplace({gamma: stated["step"]}),
            stated["bound"],
        ),
        Certificate(
            "best-step",
            r"No other step guarantees more.",
            stated["exact"],
            stated["bound"],
            (Term(G / (2 * L * omega), (omega - L * gamma) ** 2, "square of a real number"),),
        ),
        ScalarLemma(
            "best-step-lemma",
            r"The same for $\|g\|=1$, for a solver.",
            (),
            stated["bound"].xreplace(one) >= stated["exact"].xreplace(one),
            (Term(1 / (2 * L * omega), (omega - L * gamma) ** 2, "square of a real number"),),
        ),
        Certificate(
            "step-of-descent",
            r"The step $1/L$ guarantees $2-\frac1\omega\le\omega$ times $\frac{\|g\|^2}{2L}$ only, nothing "
            r"at all below $\omega=\frac12$.",
            stated["exact"].xreplace({gamma: 1 / L}),
            stated["bound"],
            (Term(G / (2 * L * omega), (1 - omega) ** 2, "square of a real number"),),
        ),
    )


def _isotropic(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """The smooth function with the largest curvature everywhere, written out in two dimensions."""
    norm = sum((L * item) ** 2 for item in _x)
    second = sum((L * item) ** 2 / chance for item, chance in zip(_x, _ps, strict=False))

    def next_value(*kept: int) -> Expr:
        moved = (item - gamma * bit * L * item / q for item, bit, q in zip(_x, kept, _ps, strict=False))
        return L / 2 * sum((item**2 for item in moved), Integer(0))

    return (
        Identity(
            "isotropic",
            r"For $F=\frac L2\|x\|^2$ the decrease is the stated one with equality (shown for two entries).",
            L / 2 * sum((item**2 for item in _x), Integer(0)) - expectation(next_value, *_ps[:2]),
            stated["exact"].xreplace({G: norm, omega: norm / second}),
        ),
    )


_MUTANTS = (
    Mutant(
        "step-of-descent",
        r"Take the step $1/L$: at (3, -1, 4, 1, -5, 9, 2, -6) with $T=1$ the objective rises by 307.5 in the "
        r"mean.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "unscaled",
        r"Send $g_j$ instead of $g_j/p_j$: the message is biased.",
        ("exact",),
    ),
    Mutant(
        "half-denominator",
        r"Claim the decrease $\frac\omega L\|g\|^2$, without the 2: what the slope alone promises.",
        ("exact",),
    ),
    Mutant(
        "systematic-sampling",
        r"Keep entries by one common uniform number with the same chances: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

_GI = (3, -1, 4, 1, -5, 9, 2, -6)

OLD = Claim(
    id="cat/st-descent",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="Expected decrease with randomly kept entries",
    statement=(
        r"Let entry $j$ of $g=\nabla F(x)$ be kept with probability $p_j>0$ where $g_j\ne0$, and received as "
        r"$Q_j=g_j/p_j$, else 0. Then $\mathbb EQ=g$, $\mathbb E\|Q\|^2=\|g\|^2/\omega$ with "
        r"$\omega=\|g\|^2/\sum_jg_j^2/p_j$, and for $\gamma=\omega/L$ $$\mathbb EF(x-\gamma Q)\le "
        r"F(x)-\frac\omega{2L}\|g\|^2,$$ with equality for $F=\frac L2\|x\|^2$. No other step guarantees "
        r"more. Only the chances of single entries matter: coins need not be independent, and systematic "
        r"sampling, with $\lfloor T\rfloor$ or $\lceil T\rceil$ survivors for $T=\sum_jp_j$, has the same "
        r"bound."
    ),
    variables=(
        RANDOM_SHARE,
        GRADIENT_NORM_SQ,
        SMOOTHNESS,
        STEP_SIZE,
        DIMENSION,
        Variable(g, r"\mathbb R^d", "gradient", "(d,)"),
        Variable(p, r"(0,1]^d", "chances with which entries are kept", "(d,)"),
    ),
    assumptions=(SMOOTH, r"The chances depend on $x$ only; one node."),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$\frac12\|x\|^2$ at $x=g$, $p=|g|/31$: 15.5718 of 86.5",
            {"omega": Rational(173, 961), "G": 173, "L": 1},
            Rational(173**2, 2 * 961),
        ),
        WorstCase(
            "the step 1 there: an increase by 307.5",
            {"omega": Rational(173, 961), "G": 173, "L": 1, "gamma": 1},
            Rational(-615, 2),
        ),
        WorstCase(
            "share with one entry expected",
            {"g": _GI, "p": tuple(Rational(abs(item), 31) for item in _GI), "d": 8},
            Rational(173, 961),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
