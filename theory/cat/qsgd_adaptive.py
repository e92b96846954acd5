r"""`cat/qsgd-adaptive`: the share of QSGD with s levels, and its worst case (arXiv 2003.06377).

With $Q_j=\|g\|\,\mathrm{sign}(g_j)\xi_j/s$ and $\xi_j$ the unbiased rounding of $s|g_j|/\|g\|$ the share is
$\omega_s=1/(1+s^{-2}\sum_jf_j(1-f_j))$, $f_j$ the fractional parts; a rule can choose s by $\omega_s/C$.

Derivation: rounding has the variance $f(1-f)$, which is at most $\frac14$ and at most $f$.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Abs, Expr, Integer, Min, Rational, Sum, Symbol, floor, sqrt, symbols

from theory.cat.paper import PAPER
from theory.cat.st_descent import CLAIM as DESCENT
from theory.cat.symbols import (
    DIMENSION,
    GRADIENT_NORM_SQ,
    SMOOTH,
    SMOOTHNESS,
    G,
    L,
    d,
    g,
    gamma,
    j,
    omega,
)
from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

levels = Symbol("levels", integer=True, positive=True)
norm = Symbol("N", positive=True)

_LEVEL = levels * Abs(g[j]) / norm
_FRACTION = _LEVEL - floor(_LEVEL)
_EXACT = 1 / (1 + Sum(_FRACTION * (1 - _FRACTION), (j, 0, d - 1)) / levels**2)
_FLAT, _LINEAR = d / (4 * levels**2), sqrt(d) / levels
_BOUND = 1 / (1 + Min(_FLAT, _LINEAR))
_FORMULAS = {"quarter": _FLAT, "root": _LINEAR, "decrease": omega * G / (2 * L)}

_SIZE = 3
_s, _V = Symbol("s", positive=True), Symbol("V", nonnegative=True)
_k = symbols("k_1:4", integer=True, nonnegative=True)
_ps = symbols("p_1:4", nonnegative=True)
_t = symbols("t_1:4", nonnegative=True)
# Inputs g_j = N (k_j + p_j) / s, so that the level is k_j + p_j with the fraction p_j.
_INPUT = tuple(norm * (whole + part) / levels for whole, part in zip(_k, _ps, strict=True))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_share(stated), *_worst_case(stated))


def _share(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def exact(size: int) -> Expr:
        return instance(stated["exact"], {d: size, g: _INPUT}, _ps)

    def error(size: int) -> Any:
        return lambda *ups: sum(
            (
                (norm / levels * (whole + up) - item) ** 2
                for whole, up, item in zip(_k, ups, _INPUT, strict=False)
            ),
            Integer(0),
        )

    return (
        *(
            Identity(
                f"share-{size}",
                rf"$\mathbb E\|Q-g\|^2=N^2(1/\omega_s-1)$ over all $2^{size}$ roundings, for the levels "
                rf"$k_j+p_j$ (shown for {size} entries; in every dimension by `summation`), and $\mathbb "
                r"E\|Q\|^2=\|g\|^2+\mathbb E\|Q-g\|^2$.",
                expectation(error(size), *_ps[:size]),
                norm**2 * (1 / exact(size) - 1),
            )
            for size in range(1, _SIZE + 1)
        ),
        INDEPENDENCE,
        SUMMATION,
        Identity(
            "mean",
            r"Rounding up with chance $p$ is unbiased.",
            expectation(lambda up: norm / levels * (_k[0] + up), _ps[0]),
            _INPUT[0],
        ),
        Identity(
            "decrease",
            r"By `cat/st-descent` the step $\omega_s/L$ makes $F$ fall by the stated amount in the mean: it "
            r"uses $\mathbb EQ=g$ and $\mathbb E\|Q\|^2=\|g\|^2/\omega_s$ only.",
            DESCENT.expressions["exact"].xreplace({gamma: omega / L}),
            stated["decrease"],
        ),
    )


def _worst_case(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    quarter, root = (stated[name] for name in ("quarter", "root"))
    # Any fraction p = 1 / (1 + t) has a visible sign; _V is the sum of f_j (1 - f_j).
    fraction = 1 / (1 + _t[0])
    small, large = {d: 4, levels: 1}, {d: 100, levels: 1}
    return (
        Certificate(
            "quarter",
            r"$f(1-f)\le\frac14$: summed over $d$ entries and divided by $s^2$ this is at most the first "
            r"stated term (in every dimension by `summation`).",
            fraction * (1 - fraction) / levels**2,
            quarter / d,
            (Term(1 / levels**2, (fraction - Rational(1, 2)) ** 2, "square of a real number"),),
        ),
        Certificate(
            "fraction",
            r"$f(1-f)\le f\le s|g_j|/\|g\|$, here with $f=1/(1+t)$ and the whole part $k$.",
            fraction * (1 - fraction),
            _k[0] + fraction,
            (Term(Integer(1), _k[0], "nonnegative by its symbol"), Term(fraction, fraction, "a fraction")),
        ),
        Certificate(
            "root",
            r"Summed, $\frac1{s^2}\sum_jf_j(1-f_j)\le\frac{\|g\|_1}{sN}$, at most the second stated term by "
            r"$\|g\|_1\le\sqrt d\,N$ (shown for three entries; in every dimension by `summation`).",
            _V / levels**2,
            root.xreplace({d: Integer(3)}),
            (
                Term(
                    1 / levels**2,
                    levels * sum(_ps, Integer(0)) / norm - _V,
                    "fraction",
                ),
                Term(1 / (levels * norm), sqrt(3) * norm - sum(_ps, Integer(0)), "cauchy-schwarz"),
            ),
        ),
        CAUCHY_SCHWARZ,
        Certificate(
            "bound",
            r"$1/(1+v)$ falls in $v$: with $v\le m$, $m$ the smaller term, $\omega_s\ge1/(1+m)$.",
            1 / (1 + _s),
            1 / (1 + _V),
            (Term(1 / ((1 + _s) * (1 + _V)), _s - _V, "quarter, root"),),
        ),
        *(
            Identity(
                f"smaller-term-{place}",
                rf"The stated bound takes the {which} term at $d={values[d]}$, $s=1$.",
                instance(stated["bound"], values),
                1 / (1 + instance(term, values)),
            )
            for place, which, term, values in (
                ("first", "first", quarter, small),
                ("second", "second", root, large),
                ("first-at-two", "first", quarter, {d: 4, levels: 2}),
                ("second-at-two", "second", root, {d: 100, levels: 2}),
            )
        ),
    )


_MUTANTS = (
    Mutant(
        "eighth",
        r"Take $\frac d{8s^2}$ for $\frac d{4s^2}$: twice too small for four equal entries and one level.",
        ("exact", "adversarial"),
    ),
    Mutant("monotone", r"Claim that $\omega_s$ grows with $s$.", ("exact",)),
    Mutant(
        "full-codes",
        r"Look only at $s=2^m-1$, which fill their code: for (1, 2, 2, 4) that is 3 levels and not 5.",
        ("exact",),
    ),
    Mutant("scaled-gradient", "Multiply the gradient by -7/3: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/qsgd-adaptive",
    paper=PAPER,
    kind="tight",
    provenance="derived",
    title="Share of QSGD with s levels, exact and in the worst case",
    statement=(
        r"Let $Q_j=\|g\|\,\mathrm{sign}(g_j)\xi_j/s$ with $\xi_j$ the unbiased rounding of $s|g_j|/\|g\|$ "
        r"and $f_j$ the fractional part of this number. Then $\mathbb E\|Q\|^2=\|g\|^2/\omega_s$ with "
        r"$$\omega_s=\frac1{1+\frac1{s^2}\sum_jf_j(1-f_j)}\ge\frac1{1+\min(\frac d{4s^2},\frac{\sqrt d}s)},"
        r"$$ and the step $\omega_s/L$ makes an $L$-smooth $F$ fall by at least $\frac{\omega_s}{2L}\|g\|^2$ "
        r"in the mean. The rule takes the $s$ with the largest $\omega_s/C$ among all $s\le s_{\max}$."
    ),
    variables=(
        DIMENSION,
        GRADIENT_NORM_SQ,
        SMOOTHNESS,
        Variable(g, r"\mathbb R^d", "gradient", "(d,)"),
        Variable(norm, r"\mathbb R_{>0}", r"its Euclidean norm"),
        Variable(levels, r"\mathbb N", "number of levels s"),
        Variable(omega, r"(0,1]", r"the share $\omega_s$"),
    ),
    assumptions=(SMOOTH, r"$g\ne0$; one node.", "Roundings are independent, the norm is sent exactly."),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "four equal entries, one level: the bound is attained",
            {"g": (1, 1, 1, 1), "N": 2, "d": 4, "levels": 1},
            Rational(1, 2),
        ),
        WorstCase(
            "three levels there",
            {"g": (1, 1, 1, 1), "N": 2, "d": 4, "levels": 3},
            Rational(9, 10),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
