r"""`ndqsg/nested-conditional-mse`: exact error for a given innovation (arXiv 1904.01197).

With $j_0=Q(z/k)$, $w=z-kj_0$ and $\pi=\max(0,|w|-\frac{k-1}2)$ the dither moves the decoder to the next cell
with probability $\pi$, and
$$\mathbb E[(\hat g-g)^2\mid z]/\delta^2=\tfrac1{12}-k\pi(1-\pi)+k^2\big[(1-\pi)j_0^2+\pi(j_0+\mathrm{sign}\,
w)^2\big].$$

Derivation: the error is $e-kQ((z+e)/k)$, and $Q((z+e)/k)$ is $j_0$ but for the part $\pi$ of the errors $e$
at one end of the interval, where it is the next cell. Two integrals over $e$.
"""

from collections.abc import Mapping

from sympy import Eq, Expr, Integer, Max, Piecewise, Rational, Symbol, floor, sign

from theory.ndqsg.nested_symbols import (
    HALF,
    INNOVATION,
    NESTED,
    UNIFORM_ERROR,
    e,
    mean_over_error,
    with_integers_outside,
    z,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, RATIO, ROUNDING, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

cell = Symbol("cell", integer=True)
moved = Symbol("moved", nonnegative=True)
side = Symbol("side", real=True)

_EXACT = (
    Rational(1, 12) - k * moved * (1 - moved) + k**2 * ((1 - moved) * cell**2 + moved * (cell + side) ** 2)
)
_FORMULAS = {
    "cell": floor(z / k + HALF),
    "moved": Max(0, abs(z - k * cell) - (k - 1) / 2),
    "side": sign(z - k * cell),
    "bias": -k * (cell + moved * side),
    "overload": Piecewise((moved, Eq(cell, 0)), (1 - moved, Eq(cell + side, 0)), (Integer(1), True)),
}

_h, _v = Symbol("h", positive=True), Symbol("v", positive=True)
_p = Symbol("p", positive=True)
_n = Symbol("n", integer=True, nonnegative=True)
_w = Symbol("w", real=True)
# |w| = (k - 1)/2 + p with k = 1 + 2h: a part p of the errors leaves the cell.
_RATIO = 1 + 2 * _h


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        Identity(
            "cell",
            r"The stated cell of $z=kj+w$, $-\frac k2\le w<\frac k2$, is $j$: rounding leaves "
            r"$\lfloor\frac wk+\frac12\rfloor=0$.",
            with_integers_outside(stated["cell"].xreplace({z: k * cell + _w})).xreplace(
                {floor(_w / k + HALF): Integer(0)}
            ),
            cell,
        ),
        *(
            step
            for name, sign_of in (("above", 1), ("below", -1))
            for step in _one_side(stated, name, sign_of)
        ),
        *_bounds(stated),
    )


def _one_side(stated: Mapping[str, Expr], name: str, sign_of: int) -> tuple[Step, ...]:
    def at(formula: str, ratio: Expr, offset: Expr) -> Expr:
        return stated[formula].xreplace({z: k * cell + _w}).subs({_w: offset, k: ratio})

    def moving(formula: str, place: Expr = cell) -> Expr:
        return stated[formula].subs({moved: _p, side: sign_of, k: _RATIO, cell: place})

    low, high = _ends(sign_of)
    text = r"$w>0$" if sign_of > 0 else r"$w<0$"
    outside = rf"{text}, $|w|=\frac{{k-1}}2+\pi$ with $0<\pi\le\frac12$"
    cases = (
        (0, _p, r"$\pi$ where $j_0=0$"),
        (-sign_of, 1 - _p, r"$1-\pi$ where the next cell is 0"),
        (2 * sign_of, Integer(1), "1 elsewhere"),
    )
    here, there = e - _RATIO * cell, e - _RATIO * (cell + sign_of)
    return (
        Identity(
            f"moved-{name}",
            rf"For {outside}, the stated part is $\pi$.",
            at("moved", _RATIO, sign_of * (_h + _p)),
            _p,
        ),
        Identity(
            f"side-{name}",
            rf"The side for {text}.",
            at("side", _RATIO, sign_of * (_h + _p)),
            Integer(sign_of),
        ),
        Identity(
            f"not-moved-{name}",
            rf"For {text} inside the margin, $k=1+2|w|+2h$, it is zero.",
            at("moved", 1 + 2 * _v + 2 * _h, sign_of * _v),
            Integer(0),
        ),
        Identity(
            f"square-{name}",
            rf"For {outside}, the errors at one end of the interval, a part $\pi$ of all, move to the next "
            "cell: the mean of $(e-kj)^2$ is the stated one.",
            mean_over_error(here**2, *low) + mean_over_error(there**2, *high),
            moving("exact"),
        ),
        Identity(
            f"bias-{name}",
            r"The mean of $e-kj$ is the stated one.",
            mean_over_error(here, *low) + mean_over_error(there, *high),
            moving("bias"),
        ),
        *(
            Identity(
                f"overload-{name}-{place}",
                rf"The probability of another cell than 0: {label}, for {text}.",
                value,
                moving("overload", Integer(place)),
            )
            for place, value, label in cases
        ),
    )


def _ends(sign_of: int) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    """Return the errors that stay in the cell and those that leave it."""
    if sign_of > 0:
        return (-HALF, HALF - _p), (HALF - _p, HALF)
    return (-HALF + _p, HALF), (-HALF, -HALF + _p)


def _bounds(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    square = stated["exact"].subs({moved: _p, side: 1, k: _RATIO, cell: _n})
    return (
        Identity(
            "inside",
            r"Where nothing moves and $j_0=0$ it is $\frac1{12}$.",
            stated["exact"].subs({moved: 0, cell: 0}),
            Rational(1, 12),
        ),
        Certificate(
            "never-less",
            r"No innovation has a mean square error below $\frac1{12}$: in the cell $j_0=n\ge0$ with $w>0$ "
            r"the "
            r"excess is $k^2n^2+k\pi(2kn+k-1+\pi)$.",
            Rational(1, 12),
            square,
            (
                Term(_RATIO, _RATIO * _n**2, "a square"),
                Term(_RATIO * _p, 2 * _RATIO * _n + 2 * _h + _p, "nonnegative terms"),
            ),
        ),
    )


CLAIM = Claim(
    id="ndqsg/nested-conditional-mse",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Exact mean square error of a nested message for a given innovation",
    statement=(
        r"At $\alpha=1$ and a fixed $z=(g-y)/\delta$, with $j_0=Q(z/k)$, $w=z-kj_0$ and "
        r"$\pi=\max(0,|w|-\frac{k-1}2)\in[0,\frac12]$, $$\mathbb E\Big[\frac{(\hat "
        r"g-g)^2}{\delta^2}\,\Big|\,z\Big]=\frac1{12}-k\pi(1-\pi)+k^2\big[(1-\pi)j_0^2+\pi(j_0+\mathrm{sign}\,"
        r"w)^2\big].$$ The mean of the error is $-k[j_0+\pi\,\mathrm{sign}\,w]$ steps. The receiver is in "
        r"another cell than 0 with probability $\pi$ if $j_0=0$, $1-\pi$ if $j_0+\mathrm{sign}\,w=0$, else "
        r"1. "
        r"It is the oracle for real runs that record $z$ in each coordinate."
    ),
    variables=(
        INNOVATION,
        RATIO,
        Variable(cell, r"\mathbb Z", r"coarse cell $j_0=Q(z/k)$ of the innovation"),
        Variable(moved, r"[0,\frac12]", r"part $\pi$ of the errors that leaves this cell"),
        Variable(side, r"\{-1,0,1\}", r"$\mathrm{sign}\,w$"),
    ),
    assumptions=(DITHER, ROUNDING, NESTED, UNIFORM_ERROR, r"$\alpha=1$, $k\ge2$."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"inside the margin: $z=\frac12$, $k=3$",
            {"k": 3, "cell": 0, "moved": 0, "side": 1},
            Rational(1, 12),
        ),
        WorstCase(
            r"$z=\frac65$, $k=3$: a fifth of the errors overload",
            {"k": 3, "cell": 0, "moved": Rational(1, 5), "side": 1},
            Rational(421, 300),
        ),
        WorstCase(
            r"$z=\frac43$, $k=3$: a third of them",
            {"k": 3, "cell": 0, "moved": Rational(1, 3), "side": 1},
            Rational(29, 12),
        ),
        WorstCase(
            r"$z=2$, $k=3$: the cell is wrong for certain",
            {"k": 3, "cell": 1, "moved": 0, "side": -1},
            Rational(109, 12),
        ),
    ),
    mutants=(
        Mutant(
            "without-half-step",
            r"$\pi=\max(0,|w|-\frac k2)$, without the half step that the dither adds: no overload at all.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "dropped-cross-term",
            r"Drop $-k\pi(1-\pi)$: $\frac{565}{300}$ for $\frac{421}{300}$ at $z=\frac65$, $k=3$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "no-next-cell",
            r"Keep $j_0$ for all errors, $k^2j_0^2$ alone: $\frac1{12}$ for $\frac{421}{300}$.",
            ("exact", "run"),
        ),
        Mutant(
            "reflected", "Change the sign of the innovation: nothing may change.", ("exact",), neutral=True
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
