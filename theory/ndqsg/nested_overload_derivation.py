"""Derivation of `ndqsg/nested-overload`: integrals of the normal tail, and moments of the cell number."""

from collections.abc import Mapping, Sequence

from sympy import Expr, Integer, Poly, Rational, Symbol, diff, erfc, exp, pi, sqrt, symbols

from theory.instance import instance
from theory.ndqsg.nested_overload_symbols import (
    cells,
    cross,
    error_parts,
    innovation_parts,
    l,
    pull,
    spread,
    squares,
    tails,
)
from theory.ndqsg.nested_symbols import HALF, e, sigma, z
from theory.ndqsg.symbols import alpha, k
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term

_t = Symbol("t", real=True)
_c = Symbol("c", real=True)
_j = Symbol("j", real=True)
_n = Symbol("n", integer=True, positive=True)
_k, _s = Symbol("k", positive=True), Symbol("s", nonnegative=True)


def _tail(t: Expr) -> Expr:
    return erfc(t / sqrt(2)) / 2


def _density(t: Expr) -> Expr:
    return exp(-(t**2) / 2) / sqrt(2 * pi)


# Antiderivatives in t of the tail, of (c - t) times the tail, and of s times the density, all at t / s.
def _tail_integral(t: Expr) -> Expr:
    x = t / spread
    return spread * (x * _tail(x) - _density(x))


def _weighted_integral(t: Expr, c: Expr) -> Expr:
    x = t / spread
    return c * _tail_integral(t) - spread**2 * ((x**2 - 1) * _tail(x) - x * _density(x)) / 2


def _density_integral(t: Expr) -> Expr:
    return -(spread**2) * _tail(t / spread)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_integrals(stated), *_sums(stated), *_error(stated), *_excess(stated), *_tail_bounds(stated))


def _integrals(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    x = _t / spread
    boundary = (l - HALF) * k
    ends = (boundary - HALF, boundary + HALF)
    return (
        Identity(
            "tail-antiderivative",
            r"$\frac d{dt}sA(t/s)=\bar\Phi(t/s)$.",
            diff(_tail_integral(_t), _t),
            _tail(x),
        ),
        Identity(
            "weighted-antiderivative",
            r"$\frac d{dt}[csA(t/s)-s^2B(t/s)]=(c-t)\bar\Phi(t/s)$.",
            diff(_weighted_integral(_t, _c), _t),
            (_c - _t) * _tail(x),
        ),
        Identity(
            "mean-above",
            r"$\mathbb E[\alpha z\mathbf 1\{\alpha z\ge t\}]=s\phi(t/s)$: its derivative is $-t$ times the "
            r"density $\phi(t/s)/s$, and both vanish at infinity.",
            diff(spread * _density(x), _t),
            -_t * _density(x) / spread,
        ),
        Identity(
            "density-antiderivative",
            r"$\frac d{dt}[-s^2\bar\Phi(t/s)]=s\phi(t/s)$.",
            diff(_density_integral(_t), _t),
            spread * _density(x),
        ),
        Identity(
            "tail",
            r"$\Pr(\alpha z+e\ge c_l)=\int\bar\Phi(\frac{c_l-e}s)\,de$ over $|e|\le\frac12$, that is over "
            r"$t=c_l-e$ from $c_l-\frac12$ to $c_l+\frac12$: the stated $T_l$.",
            _tail_integral(ends[1]) - _tail_integral(ends[0]),
            stated["tail"],
        ),
        Identity(
            "error-part",
            r"$\mathbb E[e\mathbf 1]=\int e\,\bar\Phi(\frac{c_l-e}s)\,de$ is the stated $U_l$.",
            _weighted_integral(ends[1], boundary) - _weighted_integral(ends[0], boundary),
            stated["error_part"],
        ),
        Identity(
            "innovation-part",
            r"$\mathbb E[\alpha z\mathbf 1]=\int s\phi(\frac{c_l-e}s)\,de$ is the stated $W_l$.",
            _density_integral(ends[1]) - _density_integral(ends[0]),
            stated["innovation_part"],
        ),
    )


def _sums(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    t, u, w = (symbols(f"{name}_1:4", real=True) for name in ("T", "U", "W"))
    arrays = {tails: t, error_parts: u, innovation_parts: w, cells: 3}

    def over_cells(values: Sequence[Expr], power: int) -> Expr:
        # j is n between the n-th and the next boundary, and symmetric.
        return 2 * sum(
            n**power * (here - there)
            for n, (here, there) in enumerate(zip(values, (*values[1:], Integer(0)), strict=True), start=1)
        )

    text = "(shown for three boundaries; $e$, $z$ and $j$ change their signs together)"
    named = {
        "overload": (t, 0, r"\Pr(j\ne0)"),
        "squares": (t, 2, r"\mathbb Ej^2"),
        "cross": (u, 1, r"\mathbb E[ej]"),
        "pull": (w, 1, r"\mathbb E[\alpha zj]"),
    }
    return tuple(
        Identity(
            name,
            rf"${symbol}$ is the stated one {text}.",
            over_cells(values, power),
            instance(stated[name], arrays),
        )
        for name, (values, power, symbol) in named.items()
    )


def _error(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    moments = {
        (2, 0, 0): Rational(1, 12),
        (0, 2, 0): sigma**2,
        (1, 1, 0): Integer(0),
        (1, 0, 1): cross,
        (0, 1, 1): pull / alpha,
        (0, 0, 2): squares,
    }
    square = Poly((alpha * e - (1 - alpha**2) * z - alpha * k * _j) ** 2, e, z, _j)
    return (
        Identity(
            "mean-square",
            r"The mean of the squared error $(\alpha e-(1-\alpha^2)z-\alpha kj)^2$, with $\mathbb "
            r"Ee^2=\frac1{12}$, $\mathbb Ez^2=\sigma^2$ and $\mathbb E[ez]=0$, is the stated one.",
            sum(coefficient * moments[powers] for powers, coefficient in square.terms()),
            stated["exact"],
        ),
    )


def _excess(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    excess = stated["exact"].xreplace({alpha: Integer(1)}) - Rational(1, 12)
    return (
        ScalarLemma(
            "cross-smt",
            r"$-\frac12<e\le\frac12$ and $j^2\ge|j|$, as for all integers $j$, imply $k^2j^2-2kej\ge "
            r"k(k-1)j^2$ for $k>0$ ($e=\frac1{1+s}-\frac12$ runs through the interval for $s\ge0$).",
            (_j**2 >= _j, _j**2 >= -_j),
            _k**2 * _j**2 - 2 * _k * (1 / (1 + _s) - HALF) * _j >= _k * (_k - 1) * _j**2,
            # k (1/2 + e) (j^2 - j) + k (1/2 - e) (j^2 + j)
            (
                Term(_k / (1 + _s), _j**2 - _j, "hypothesis: j is an integer"),
                Term(_k * _s / (1 + _s), _j**2 + _j, "hypothesis: j is an integer"),
            ),
        ),
        *(
            Certificate(
                name,
                rf"${sign}2ej\le j^2$ for $j=n\ge1$; for $j=0$ both sides vanish, for $j=-n$ it is the other "
                rf"one "
                rf"of the two. So ${sign}2\mathbb E[ej]\le\mathbb Ej^2$.",
                factor * 2 * e * _n,
                _n**2,
                (
                    Term(_n, _n - 1, "a positive integer is at least one"),
                    Term(_n, 1 - 2 * factor * e, "hypothesis: the fine error is at most half a step"),
                ),
            )
            for name, sign, factor in (("cross-above", "", 1), ("cross-below", "-", -1))
        ),
        Certificate(
            "excess-low",
            r"At $\alpha=1$ the excess over $\frac1{12}$ is at least the stated lower bound.",
            stated["excess_low"],
            excess,
            (Term(k, squares - 2 * cross, "cross-above"),),
        ),
        Certificate(
            "excess-high",
            "It is at most the stated upper bound.",
            excess,
            stated["excess_high"],
            (Term(k, squares + 2 * cross, "cross-below"),),
        ),
        StandardFact(
            "association",
            r"$\mathbb E[fg]\ge\mathbb Ef\,\mathbb Eg$ for increasing $f$ and $g$ of one variable. So "
            r"$\mathbb "
            r"E[e\mathbf 1\{\alpha z+e\ge c\}]=\int e\,\bar\Phi(\frac{c-e}s)\,de\ge0$ and $\mathbb "
            r"E[ej]\ge0$.",
            "G. H. Hardy, J. E. Littlewood, G. Polya, Inequalities, 2nd ed., theorem 236",
        ),
        Certificate(
            "excess-gaussian",
            "For a Gaussian innovation it is at most the stated one.",
            excess,
            stated["excess_gaussian"],
            (Term(2 * k, cross, "association"),),
        ),
    )


def _tail_bounds(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        StandardFact(
            "chernoff",
            r"$\Pr(|x|\ge ts)\le2e^{-t^2/2}$ for a sub-Gaussian $x$ with the parameter $s$.",
            "S. Boucheron, G. Lugosi, P. Massart, Concentration Inequalities, section 2.3",
        ),
        Identity(
            "sub-gaussian",
            r"An overload needs $|\alpha z|\ge\frac{k-1}2$: with $t=\frac{k-1}{2s}$ that is the stated "
            r"bound.",
            2 * exp(-(((k - 1) / (2 * spread)) ** 2) / 2),
            stated["sub_gaussian"],
        ),
        StandardFact(
            "chebyshev",
            r"$\Pr(|x|\ge r)\le\mathbb Ex^2/r^2$.",
            "P. Billingsley, Probability and Measure, 3rd ed., section 5",
        ),
        Identity(
            "chebyshev-bound",
            r"An overload needs $|\alpha z+e|\ge\frac k2$, and $\mathbb E(\alpha z+e)^2=s^2+\frac1{12}$.",
            (spread**2 + Rational(1, 12)) / (k / 2) ** 2,
            stated["chebyshev"],
        ),
    )
