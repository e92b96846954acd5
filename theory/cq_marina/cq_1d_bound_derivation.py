"""Derivation of `cq_marina/cq-1d-bound` from the exact variance for equal coefficients."""

import itertools
from collections.abc import Mapping, Sequence

from sympy import Expr, IndexedBase, Integer, Rational, Symbol, symbols

from theory.cq_marina.cq_1d_exact_cells import Cells, all_cells
from theory.cq_marina.cq_1d_exact_formulas import EXACT
from theory.cq_marina.symbols import i, n, y
from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION

sigma = Symbol("sigma_md", nonnegative=True)
width = Symbol("width", positive=True)
low = Symbol("low", real=True)
x = IndexedBase("x", real=True)

_SHOWN = (*all_cells(2), *map(Cells, ((0, 0, 0), (0, 2, 2))))
_QUARTER = Rational(1, 4)
_a, _b, _e, _g, _delta, _s = symbols("a b e g delta s", nonnegative=True)
_middle, _t = symbols("middle t", real=True)
_A, _B = symbols("A B", nonnegative=True)
_N = Symbol("N", integer=True, positive=True)  # n - 1, so that its sign is known

# Deviations from the mean in increasing order, by their signs; the opposite signs follow by reflection.
_SIGNS: Mapping[str, tuple[Expr, ...]] = {
    "-+": (-_a, _a),
    "-++": (-2 * _a - _g, _a, _a + _g),
    "-+++": (-3 * _a - 2 * _g - _e, _a, _a + _g, _a + _g + _e),
    # Two of each sign with the same sum; the size b is the smallest of the four, up to reflection.
    "--++": (-_b - _e - 2 * _g, -_b, _b + _g, _b + _g + _e),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_parts(stated), *_first_sum(stated), *_second_sum(stated), *_both(stated), SUMMATION)


def _parts(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "level",
            r"The input $x_i=l+(r-l)t$ is sent as $r$ with the stated chance $t$.",
            instance(stated["level"], {x: (low + width * _t,), i: 0}),
            _t,
        ),
        *(
            Identity(
                f"sums-cells-{cells.name}",
                r"The exact variance of $\frac1n\sum_i\mathbf 1[U_i<y_i]$ is the sum of the two stated parts "
                "(shown for two clients in all cells and three with one and two cells).",
                cells.write_out(EXACT.formulas["equal"]),
                cells.write_out(stated["between_inputs"]) + cells.write_out(stated["within_cells"]),
            )
            for cells in _SHOWN
        ),
    )


def _first_sum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "no-square",
            r"$\delta(1-\delta)\le\delta$.",
            _delta * (1 - _delta),
            _delta,
            (Term(Integer(1), _delta**2, "square of a real number"),),
        ),
        Certificate(
            "triangle-same-sign",
            r"$|z_i-z_l|\le|z_i|+|z_l|$ where both have the same sign: the difference is twice the smaller.",
            _g,
            _a + (_a + _g),
            (Term(Integer(2), _a, "a size"),),
        ),
        Identity(
            "triangle-opposite-signs",
            r"Where the signs differ, it is an equation.",
            _a - (-_b),
            _a + _b,
        ),
        *(_distances(signs, z) for signs, z in _SIGNS.items() if len(z) > 2),
        Identity(
            "pairs-any-n",
            r"For every $n$: $|z_i|$ occurs in $2(n-1)$ of the ordered pairs, so "
            r"$\sum_{i,l}|z_i-z_l|\le2(n-1)\sum_i|z_i|=2(n-1)\,n\sigma_{md}$, and over $2n^2(n-1)$ this is "
            r"$\sigma_{md}/n$.",
            2 * _N * (_N + 1) * sigma / (2 * (_N + 1) ** 2 * _N),
            sigma / (_N + 1),
        ),
        *(_first_sum_at(stated, signs) for signs in ("-+", "-++")),
    )


def _distances(signs: str, z: Sequence[Expr]) -> Certificate:
    """Return the inequality between distances and sizes for deviations of these signs."""
    pairs = list(itertools.combinations(range(len(z)), 2))
    distances = 2 * sum(z[upper] - z[lower] for lower, upper in pairs)
    sizes = sum(-item if sign == "-" else item for item, sign in zip(z, signs, strict=True))
    same = [(lower, upper) for lower, upper in pairs if signs[lower] == signs[upper]]
    return Certificate(
        f"distances{signs}",
        rf"$\sum_{{i,l}}|z_i-z_l|\le{2 * (len(z) - 1)}\sum_i|z_i|$ for $n={len(z)}$, $\sum_iz_i=0$ and the "
        f"signs {signs} in increasing order: twice the smaller of each pair of one sign is left over.",
        distances,
        2 * (len(z) - 1) * sizes,
        tuple(
            Term(Integer(4), z[lower] if signs[lower] == "+" else -z[upper], "a size")
            for lower, upper in same
        ),
    )


def _first_sum_at(stated: Mapping[str, Expr], signs: str) -> Certificate:
    z = _SIGNS[signs]
    size = len(z)
    values = {n: Integer(size), y: tuple(_middle + item for item in z)}
    weight = Rational(1, size**2 * (size - 1))
    terms = []
    for lower, upper in itertools.combinations(range(size), 2):
        terms.append(Term(weight, (z[upper] - z[lower]) ** 2, "square of a real number"))
        if signs[lower] == signs[upper]:
            terms.append(Term(2 * weight, z[lower], "triangle-same-sign"))
    return Certificate(
        f"between-inputs{signs}",
        rf"The first part is at most $\sigma_{{md}}/n$, with the stated mean deviation (shown for "
        rf"$n={size}$; in "
        "every size by `summation` of `no-square` and the triangle inequality).",
        instance(stated["between_inputs"], values),
        instance(stated["mean_deviation"], {n: Integer(size), x: values[y]}) / size,
        tuple(terms),
    )


def _second_sum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        ScalarLemma(
            "quarter",
            r"$K(s,t)=s(1-t)\le\frac14$ for $0\le s\le t\le1$.",
            (_s <= _t, _t <= 1),
            _s * (1 - _t) <= _QUARTER,
            (
                Term(Integer(1), (_s - Rational(1, 2)) ** 2, "square of a real number"),
                Term(_s, _t - _s, "hypothesis: s is the smaller one"),
            ),
        ),
        *(_second_sum_at(stated, cells) for cells in _SHOWN),
        Identity(
            "within-cells-any-n",
            r"For every $n$: at most $n(n-1)$ ordered pairs, each at most $\frac14$, over $n^3(n-1)$.",
            (_N + 1) * _N * _QUARTER / ((_N + 1) ** 3 * _N),
            _QUARTER / (_N + 1) ** 2,
        ),
    )


def _second_sum_at(stated: Mapping[str, Expr], cells: Cells) -> Certificate:
    size = cells.size
    weight = Rational(2, size**3 * (size - 1))
    terms = []
    for lower, upper in itertools.combinations(range(size), 2):
        if cells.places[lower] == cells.places[upper]:
            alpha, beta = cells.fractions[lower], cells.fractions[upper]
            terms.append(Term(weight, (alpha - Rational(1, 2)) ** 2, "as in quarter"))
            terms.append(Term(weight * alpha, beta - alpha, "as in quarter"))
        else:
            terms.append(Term(weight, _QUARTER, "one quarter"))
    return Certificate(
        f"within-cells-{cells.name}",
        r"The second part is at most $\frac1{4n^2}$: $K\le\frac14$ for each pair (shown for two clients in "
        "all cells and three with one and two cells; in every size by `summation`).",
        cells.write_out(stated["within_cells"]),
        _QUARTER / size**2,
        tuple(terms),
    )


def _both(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    half = {n: _N + 1, y: (Rational(1, 2) / (_N + 1),), i: 0}
    return (
        Certificate(
            "bound",
            r"$(r-l)^2(A+B)$ with the two parts $A\le\frac{\sigma_{md}}{(r-l)n}$ and $B\le\frac1{4n^2}$ is "
            "at most the stated bound.",
            width**2 * (_A + _B),
            stated["bound"],
            (
                Term(width**2, sigma / (width * n) - _A, "between-inputs-+, between-inputs-++, pairs-any-n"),
                Term(width**2, _QUARTER / n**2 - _B, "quarter, within-cells-any-n"),
            ),
        ),
        Certificate(
            "one-client",
            r"One client has $(r-l)^2t(1-t)$ and $\sigma_{md}=0$.",
            width**2 * _t * (1 - _t),
            stated["bound"].subs({sigma: 0, n: 1}),
            (Term(width**2, (_t - Rational(1, 2)) ** 2, "square of a real number"),),
        ),
        Identity(
            "attained",
            r"At identical inputs with $\{ny\}=\frac12$ the exact variance is the stated bound.",
            width**2 * instance(EXACT.formulas["identical"], half),
            stated["bound"].subs({sigma: 0, n: _N + 1}),
        ),
    )
