"""Derivation of `cq_marina/cq-klevel`: pairs of clients, the bound, the average over shifts, ranges."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from sympy import Add, Expr, IndexedBase, Integer, Poly, Rational, Symbol, symbols

from theory.cq_marina.cq_klevel_cells import (
    GAPS,
    PLACES,
    beta,
    enumerated_variance,
    in_gaps,
    independent_variance,
    written_out,
)
from theory.cq_marina.symbols import n
from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.summation import SUMMATION

x = IndexedBase("x", real=True)
sigma_md = Symbol("sigma_md", nonnegative=True)
levels = Symbol("levels", integer=True, positive=True)
width = Symbol("width", positive=True)

# Cells of two and three clients: one common cell, some of them in it, none, other intervals of the grid.
PATTERNS = ((0, 0), (0, 3), (1, 1, 0), (5, 1, 0))
RISING = ((0, 0), (4, 1, 0))

_c, _e = symbols("c e", integer=True, nonnegative=True)
_a, _b, _p, _k = symbols("a b p k", nonnegative=True)
_tau = Symbol("tau", nonnegative=True)
_v, _w = symbols("v w", real=True)
_N = Symbol("N", integer=True, positive=True)
_R, _D, _kappa = symbols("R D kappa", nonnegative=True)
_m = Symbol("m", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_PAIRS,
        *_exact(stated),
        *_INEQUALITIES,
        *_bound(stated),
        *_random_shift(stated),
        *_ranges(stated),
        SUMMATION,
    )


_y, _z, _far = (_c + _a) / n, (_c + 1 - _b) / n, (_e + 1 - _b) / n

_PAIRS: tuple[Step, ...] = (
    Identity(
        "pair-in-one-cell",
        r"Two clients in one cell, $y=\frac{c+a}n\le z=\frac{c+1-b}n$: their strata are two different "
        r"numbers and $\sum_k\varphi_k(y)\varphi_k(z)=c+a(1-b)$, so the covariance of the bits is "
        r"$-\frac1{n-1}\big(y(1-z)-\frac1nab\big)$, for every $n\ge2$.",
        (n**2 * _y * _z - (_c + _a * (1 - _b))) / (n * (n - 1)) - _y * _z,
        -(_y * (1 - _z) - _a * _b / n) / (n - 1),
    ),
    Identity(
        "pair-in-two-cells",
        r"In two cells $c<e$ the sum is $c+a=ny$ and the covariance $-\frac1{n-1}y(1-z)$.",
        (n**2 * _y * _far - (_c + _a)) / (n * (n - 1)) - _y * _far,
        -_y * (1 - _far) / (n - 1),
    ),
    Identity(
        "pair",
        r"$v(1-v)+w(1-w)-2v(1-w)=\delta(1-\delta)$ with $\delta=w-v$; so in the variance of the number of "
        r"ones each pair has $\frac1{n-1}\delta(1-\delta)$, and $\frac2{n(n-1)}ab$ if it shares a cell.",
        _v * (1 - _v) + _w * (1 - _w) - 2 * _v * (1 - _w),
        (_w - _v) * (1 - (_w - _v)),
    ),
    Identity(
        "shift-cancels",
        r"The fraction of $t_i-t_l$ is $\delta$ or $1-\delta$ with the distance $\delta$ of the fractions of "
        r"$t_i$ and $t_l$: $\delta(1-\delta)=\rho(t_i-t_l)$, whatever the shift.",
        (1 - _v) * (1 - (1 - _v)),
        _v * (1 - _v),
    ),
)

_INEQUALITIES: tuple[Step, ...] = (
    Certificate(
        "rho-right",
        r"$\rho(k+p)=p(1-p)\le|k+p|$ for an integer $k\ge0$ and $0\le p<1$.",
        _p * (1 - _p),
        _k + _p,
        (Term(Integer(1), _k, "an integer part"), Term(Integer(1), _p**2, "a square")),
    ),
    Certificate(
        "rho-left",
        r"The same for $-1-k+p<0$ with an integer $k\ge0$.",
        _p * (1 - _p),
        1 + _k - _p,
        (Term(Integer(1), _k, "an integer part"), Term(Integer(1), (1 - _p) ** 2, "a square")),
    ),
    ScalarLemma(
        "quarter",
        r"$ab\le\frac14$ for $a+b\le1$: two clients in one cell at the places $a\le1-b$.",
        (_a <= 1 - _b,),
        _a * _b <= Rational(1, 4),
        (
            Term(Integer(1), (_b - Rational(1, 2)) ** 2, "a square"),
            Term(_b, 1 - _b - _a, "the order of the places"),
        ),
    ),
    Certificate(
        "sixth",
        r"$\frac16(1-\tau)^3\le\frac16$ for $0\le\tau\le1$.",
        (1 - _tau) ** 3 / 6,
        Rational(1, 6),
        (
            Term(_tau / 6, (_tau - Rational(3, 2)) ** 2, "a square"),
            Term(_tau / 6, Rational(3, 4), "a positive number"),
        ),
    ),
    StandardFact(
        "triangle",
        r"$|x_i-x_l|\le|x_i-\bar x|+|x_l-\bar x|$; over all pairs $i<l$ the right sides add up to "
        r"$(n-1)\sum_i|x_i-\bar x|=n(n-1)\sigma_{md}$.",
        "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 1.37",
    ),
)


def _named(cells: Sequence[int]) -> str:
    return "-".join(str(cell) for cell in cells)


def _exact(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        *(
            Identity(
                f"exact-{_named(cells)}",
                rf"The stated variance is that over all permutations and bits, for clients in the cells "
                rf"{cells} with symbolic places (for every $n$ by `pair` and `summation`).",
                enumerated_variance(cells),
                written_out(stated["exact"], x, cells),
            )
            for cells in PATTERNS
        ),
        *(
            Identity(
                f"exact-rising-{_named(cells)}",
                rf"The same for the cells {cells} with the places in the other order.",
                enumerated_variance(cells, rising=True),
                written_out(stated["exact"], x, cells, rising=True),
            )
            for cells in RISING
        ),
        *(
            Identity(
                f"independent-{_named(cells)}",
                rf"The stated variance with independent thresholds, for the cells {cells}.",
                independent_variance(cells),
                written_out(stated["independent"], x, cells),
            )
            for cells in ((0, 3), (4, 1, 0))
        ),
    )


def _pairs_of(cells: Sequence[int]) -> list[tuple[int, Expr, Expr, Expr]]:
    """Return for each pair the cells between them (mod n), the difference of places and both places."""
    places = PLACES[: len(cells)]
    return [
        ((cells[i] - cells[j]) % len(cells), places[i] - places[j], places[i], places[j])
        for i, j in combinations(range(len(cells)), 2)
    ]


def _in_totals(cells: Sequence[int], second: Sequence[Expr]) -> Expr:
    """Return the variance from the sum R of rho over all pairs and the mean of the second terms."""
    size = len(cells)
    fractions = [(between + gap) / size for between, gap, _, _ in _pairs_of(cells)]
    values = {_R: Add(*(f * (1 - f) for f in fractions)), _kappa: Add(*second) / len(second), n: size}
    return in_gaps(_TOTAL.xreplace({key: Add(value) for key, value in values.items()}), size)


_TOTAL = beta**2 * _R / (n**2 * (n - 1)) + beta**2 * _kappa / n**2


def _bounded(name: str, bound: Expr, most: Expr, reason: str) -> Certificate:
    return Certificate(
        name,
        rf"At most the stated bound, for every $n=1+N\ge2$: $\kappa\le{most.p}/{most.q}$ and $\beta R\le "
        r"D=\sum_{i<l}|x_i-x_l|\le n(n-1)\sigma_{md}$.",
        _TOTAL.xreplace({n: 1 + _N}),
        bound.xreplace({n: 1 + _N}),
        (
            Term(beta / ((1 + _N) ** 2 * _N), _D - beta * _R, "rho-right, rho-left, summation"),
            Term(beta / ((1 + _N) ** 2 * _N), (1 + _N) * _N * sigma_md - _D, "triangle"),
            Term(beta**2 / (1 + _N) ** 2, most - _kappa, reason),
        ),
    )


def _bound(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    centre, up, down = symbols("x_0 u_1 u_2", positive=True)
    spread = {x: (centre + up + down, centre - up, centre - down), n: Integer(3)}
    cells = (1, 1, 0)
    second = [near * (1 - far) if not between else Integer(0) for between, _, far, near in _pairs_of(cells)]
    return (
        Identity(
            "mean-deviation",
            r"The stated $\sigma_{md}$ is $\frac1n\sum_i|x_i-\bar x|$ (three clients at $x_0+u_1+u_2$, "
            r"$x_0-u_1$, $x_0-u_2$).",
            instance(stated["mean_deviation"], spread),
            2 * (up + down) / 3,
        ),
        Identity(
            "exact-in-totals",
            rf"By the sum $R$ of $\rho$ over the pairs $i<l$ and the mean $\kappa$ of the second terms over "
            rf"them the stated variance is $\frac{{\beta^2R}}{{n^2(n-1)}}+\frac{{\beta^2\kappa}}{{n^2}}$ "
            rf"(at the cells {cells}).",
            written_out(stated["exact"], x, cells),
            _in_totals(cells, second),
        ),
        _bounded("bound", stated["bound"], Rational(1, 4), "quarter, summation"),
    )


def _random_shift(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    below, above = (written_out(stated["exact"], x, cells) for cells in ((0, 0), (0, 1)))
    same = below.xreplace({GAPS[0]: _tau, GAPS[1]: _a})
    apart = above.xreplace({GAPS[0]: 1 - _tau, GAPS[1]: _a + _tau - 1})
    averaged = written_out(stated["averaged"], x, (0, 0)).xreplace({GAPS[0]: _tau})
    return (
        Identity(
            "average",
            r"Two clients at the distance $\tau$ in cells, $0\le\tau\le1$: under a uniform shift the place "
            r"$a$ of the lower one is uniform, and they share a cell while $a<1-\tau$, where "
            r"$\int_0^{1-\tau}a(1-a-\tau)\,da=\frac16(1-\tau)^3$. The average of the stated variance is the "
            r"stated one (every pair of $n$ clients has such a term).",
            _integral(same, Integer(0), 1 - _tau) + _integral(apart, 1 - _tau, Integer(1)),
            averaged,
        ),
        *(
            Identity(
                f"averaged-in-totals-{_named(cells)}",
                rf"The stated average by $R$ and the mean $\kappa$ of $\frac16(1-\tau)_+^3$ over the pairs, "
                rf"at the cells {cells}: $\tau$ is the distance to the nearest point of $\beta\mathbb Z$.",
                written_out(stated["averaged"], x, cells),
                _in_totals(
                    cells, [_sixth(between, gap, len(cells)) for between, gap, _, _ in _pairs_of(cells)]
                ),
            )
            for cells in ((0, 0), (3, 0), (2, 0, 5))
        ),
        _bounded("averaged-bound", stated["averaged_bound"], Rational(1, 6), "sixth, summation"),
    )


def _sixth(between: int, gap: Expr, size: int) -> Expr:
    """Return (1 - tau)_+^3 / 6 for a pair that many cells and that part of a cell apart, modulo `size`."""
    overlap = {0: 1 - gap, size - 1: gap}.get(between, Integer(0))
    return overlap**3 / 6


def _integral(polynomial: Expr, first: Expr, last: Expr) -> Expr:
    """Return the integral over the place a; sympy's own integration is far slower on polynomials."""
    terms = Poly(polynomial, _a).terms()
    return Add(*(factor * (last ** (k + 1) - first ** (k + 1)) / (k + 1) for (k,), factor in terms))


def _ranges(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps = {name: stated[name].xreplace({levels: _m + 2}) for name in ("fixed_step", "shifted_step")}
    weight = width**2 / (12 * n**2 * _m**2 * (_m + 1) ** 2)
    return (
        Identity(
            "fixed-range",
            r"$k$ levels at the stated distance span $[l,r]$ from end to end.",
            (levels - 1) * stated["fixed_step"],
            width,
        ),
        Identity(
            "shifted-range",
            r"With a shift, which takes up to one step, they cover $[l,r]$ at the stated distance.",
            (levels - 1) * stated["shifted_step"] - stated["shifted_step"],
            width,
        ),
        Certificate(
            "few-levels",
            r"For $k=m+2\le6$ levels the bound of the fixed grid is below that of the shifted one.",
            stated["bound"].xreplace({beta: steps["fixed_step"]}),
            stated["averaged_bound"].xreplace({beta: steps["shifted_step"]}),
            (
                Term(width * sigma_md / (n * _m * (_m + 1)), Integer(1), "one"),
                Term(weight * _m, 4 - _m, "hypothesis: there are at most six levels"),
                Term(2 * weight, Integer(1), "one"),
            ),
        ),
    )
