r"""Derivation of `cq_marina/ab-cq`: a bound for each pair of clients and coordinate, then summation.

With $c_i=\|a_i\|$, $x_i=a_{ij}$, $u_i=x_i/c_i$ and $y_i=(1+u_i)/2$ the error of a coordinate is
$\frac1{2n^2(n-1)}\sum_{i\ne l}P_{il}$. In `kappa` is $K(\alpha_i,\alpha_l)$ in a common cell and 0 elsewhere.
"""

from collections.abc import Iterator, Mapping

from sympy import Add, Expr, Integer, Max, Rational, Symbol, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.cq_marina.cq_1d_exact_cells import Cells
from theory.cq_marina.cq_1d_exact_formulas import EXACT as ONE_DIMENSION
from theory.cq_marina.symbols import M, d, i, l, m, n
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.summation import SUMMATION

scale = Symbol("r", positive=True)
width = Symbol("width", positive=True)
spread = Symbol("spread", nonnegative=True)
norm_spread = Symbol("norm_spread", nonnegative=True)

COVARIANCE = StandardFact(
    "cq-1d-exact",
    r"For $i\ne l$ the covariance of the bits is $-\frac1{n-1}\big(K(y_i,y_l)-\frac1n\kappa_{il}\big)$ with "
    r"$\kappa_{il}=K(\alpha_i,\alpha_l)$ where $\lfloor ny_i\rfloor=\lfloor ny_l\rfloor$ and 0 elsewhere; "
    r"here $K(s,t)=\min(s,t)(1-\max(s,t))$ and $\alpha_i=\{ny_i\}$.",
    "claim `cq_marina/cq-1d-exact`, derived there",
)
# Three clients, the first in a cell of its own, the others in a common one.
_CELLS = Cells((0, 1, 1))
MAXIMUM = StandardFact(
    "maximum",
    r"$\max\{x,y\}\ge x$ and $\max\{x,y\}\ge y$.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., definition 1.5",
)

_c, _e = symbols("c_1 c_2", nonnegative=True)
_u, _v = symbols("u_1 u_2", real=True)
_kappa, _D, _beta = symbols("kappa D beta", nonnegative=True)
_alpha, _s, _rest = symbols("alpha s rest", nonnegative=True)
_F, _S, _G, _Q, _R = symbols("F S G Q R", nonnegative=True)
_H, _T, _w = symbols("H T omega_12", real=True)
_more = Symbol("z", integer=True, nonnegative=True)

# At least two clients, in a form whose signs are visible.
_TWO = {n: _more + 2}

_SAME_CELL = ((1 - _D) / 2 - _beta) ** 2
_OTHER_CELLS = (1 - _D) ** 2
_PAIRS = 1 / (2 * n**2 * (n - 1))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_pair_form(),
        *_pair_bound(),
        *_summation(stated),
        *_bound(stated),
        *_dominated(stated),
        *_common_scale(stated),
        *_tightness(stated),
        SUMMATION,
    )


def _pair_form() -> tuple[Step, ...]:
    y, z = (1 + _u) / 2, (1 + _v) / 2
    x, x2 = _c * _u, _e * _v
    own = 4 * _c**2 * y * (1 - y) + 4 * _e**2 * z * (1 - z)
    return (
        COVARIANCE,
        *_covariances(),
        Identity(
            "bit",
            r"$4c^2y(1-y)=c^2-x^2$ with $x=cu$.",
            4 * _c**2 * y * (1 - y),
            _c**2 - x**2,
        ),
        Identity(
            "kernel",
            r"$4c_ic_lK(y_i,y_l)=c_ic_l(1-|u_i-u_l|)-x_ix_l$, where $u_i\ge u_l$ without loss.",
            4 * _c * _e * z * (1 - y),
            _c * _e * (1 - (_u - _v)) - x * x2,
        ),
        Identity(
            "pair",
            r"So $4c_i^2y_i(1-y_i)+4c_l^2y_l(1-y_l)-8c_ic_l(K-\frac1n\kappa)=P_{il}=(c_i-c_l)^2-(x_i-x_l)^2"
            r"+2c_ic_l|u_i-u_l|+\frac{8c_ic_l}n\kappa$.",
            own - 8 * _c * _e * (z * (1 - y) - _kappa / n),
            (_c - _e) ** 2 - (x - x2) ** 2 + 2 * _c * _e * (_u - _v) + 8 * _c * _e * _kappa / n,
        ),
        Identity(
            "pairs",
            r"With $F=\sum_ic_i^2y_i(1-y_i)$ and $H=\sum_{i\ne l}c_ic_l(K-\frac1n\kappa)$ the error of the "
            r"coordinate, $\frac4{n^2}\big(F-\frac H{n-1}\big)$, is $\frac1{2n^2(n-1)}\sum_{i\ne l}P_{il}$: "
            r"each client is in $2(n-1)$ ordered pairs.",
            4 / n**2 * (_F - _H / (n - 1)),
            _PAIRS * (2 * (n - 1) * 4 * _F - 8 * _H),
        ),
    )


def _covariances() -> Iterator[Step]:
    """Yield the covariance that `cq_marina/cq-1d-exact` states, in a common cell and in different ones."""
    inputs, fractions = _CELLS.inputs, _CELLS.fractions
    within = fractions[1] * (1 - fractions[2])
    for name, low, high, kappa in (("same", 1, 2, within), ("other", 0, 1, Integer(0))):
        yield Identity(
            f"covariance-{name}",
            r"It is what `cq_marina/cq-1d-exact` states (shown for three clients, in a common cell and in "
            r"different ones).",
            _CELLS.write_out(ONE_DIMENSION.formulas["covariance"], {i: high, l: low}),
            -(inputs[low] * (1 - inputs[high]) - kappa / 3) / 2,
        )


def _pair_bound() -> tuple[Step, ...]:
    difference = 2 * _D / n
    quadratic = 2 * _c * _e / n + n / 2 * _c * _e * difference**2
    return (
        ScalarLemma(
            "same-cell",
            r"In a common cell $\alpha_i=\beta+D$ and $\alpha_l=\beta$ with $D=n|y_i-y_l|$, so "
            r"$\kappa=\beta(1-\beta-D)\le\frac14(1-D)^2$.",
            (_beta + _D <= 1,),
            _beta * (1 - _beta - _D) <= (1 - _D) ** 2 / 4,
            (Term(Integer(1), _SAME_CELL, "square of a real number"),),
        ),
        ScalarLemma(
            "other-cells",
            r"$2D\le1+D^2$.",
            (),
            2 * _D <= 1 + _D**2,
            (Term(Integer(1), _OTHER_CELLS, "square of a real number"),),
        ),
        Certificate(
            "same-cell-pair",
            r"With $|u_i-u_l|=\frac{2D}n$ in a common cell: $2c_ic_l|u_i-u_l|+\frac{8c_ic_l}n\kappa\le\frac{2"
            r"c_ic_l}n+\frac n2c_ic_l(u_i-u_l)^2$, the linear terms cancel.",
            2 * _c * _e * difference + 8 * _c * _e / n * _beta * (1 - _beta - _D),
            quadratic,
            (Term(8 * _c * _e / n, (1 - _D) ** 2 / 4 - _beta * (1 - _beta - _D), "same-cell"),),
        ),
        Certificate(
            "other-cells-pair",
            r"The same where the cells differ, $\kappa=0$.",
            2 * _c * _e * difference,
            quadratic,
            (Term(2 * _c * _e / n, 1 + _D**2 - 2 * _D, "other-cells"),),
        ),
    )


def _pair_total(distance: Expr, first: Expr, second: Expr) -> Expr:
    """Return the bound of a pair, summed over the coordinates, for norms and squared distance."""
    excess = (first - second) ** 2
    return d * excess - distance + 2 * d * first * second / n + n / 2 * (distance - excess)


def _summed(distances: Expr, excess: Expr, squares: Expr) -> Expr:
    """Return the same in its three parts: distances, differences of norms, sum of squared norms."""
    return (d * (1 - 1 / n) - n / 2) * excess + (n / 2 - 1) * distances + d / n * squares


def _summation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    squares = _c**2 + _e**2
    distance = squares - 2 * _c * _e * _w
    a = symbols("a_1:4", real=True)
    return (
        Identity(
            "directions-coordinate",
            r"$c_ic_l(u_i-u_l)^2=(x_i-x_l)^2-(c_i-c_l)(c_iu_i^2-c_lu_l^2)$ in each coordinate.",
            _c * _e * (_u - _v) ** 2,
            (_c * _u - _e * _v) ** 2 - (_c - _e) * (_c * _u**2 - _e * _v**2),
        ),
        Identity(
            "directions",
            r"Summed over the coordinates of unit vectors: $c_ic_l\|u_i-u_l\|^2=\|a_i-a_l\|^2-(c_i-c_l)^2$ "
            r"(with $\langle u_i,u_l\rangle=\omega_{12}$).",
            _c * _e * (2 - 2 * _w),
            distance - (_c - _e) ** 2,
        ),
        Identity(
            "pair-total",
            r"The bound of a pair, summed over the coordinates, is $\big(d(1-\frac1n)-\frac n2\big)(c_i-c_l)"
            r"^2+(\frac n2-1)\|a_i-a_l\|^2+\frac dn(c_i^2+c_l^2)$, by $2c_ic_l=c_i^2+c_l^2-(c_i-c_l)^2$.",
            _pair_total(_G, _c, _e),
            _summed(_G, (_c - _e) ** 2, squares),
        ),
        Identity(
            "zero-client",
            r"A client with $c_l=0$ has no direction: there $\sum_jP_{il}=\sum_j(c_i^2-x_i^2)=(d-1)c_i^2$ is "
            r"equal to the right side.",
            d * _c**2 - _c**2,
            _summed(_c**2, _c**2, _c**2),
        ),
        Identity(
            "distances-3",
            r"$\sum_{i,l}(a_i-a_l)^2=2n\sum_ia_i^2-2\big(\sum_ia_i\big)^2$ (shown for three clients).",
            Add(*((p - q) ** 2 for p in a for q in a)),
            6 * Add(*(p**2 for p in a)) - 2 * Add(*a) ** 2,
        ),
        Identity(
            "distances",
            r"So $\sum_{i,l}\|a_i-a_l\|^2=2n^2(M-m)$ with $\sum_i\|a_i\|^2=nM$ and $\|\sum_ia_i\|^2=n^2m$.",
            2 * n * (n * M) - 2 * n**2 * m,
            2 * n**2 * (M - m),
        ),
        Identity(
            "refined",
            r"Summed over the pairs, with $\sum_{i\ne l}(c_i^2+c_l^2)=2(n-1)nM$ and "
            r"$Q=\sum_{i,l}(c_i-c_l)^2/(2n^2)$: the stated inequality (2).",
            _PAIRS * _summed(2 * n**2 * (M - m), 2 * n**2 * norm_spread, 2 * (n - 1) * n * M),
            stated["refined"],
        ),
    )


def _bound(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    parts = {M: m + _Q + _R}
    squares = _c**2 + _e**2
    return (
        CAUCHY_SCHWARZ,
        Certificate(
            "norm-differences",
            r"$(c_i-c_l)^2\le\|a_i-a_l\|^2$; summed over the pairs $Q\le M-m$, by `distances`.",
            (_c - _e) ** 2,
            squares - 2 * _c * _e * _w,
            (Term(2 * _c * _e, 1 - _w, "cauchy-schwarz"),),
        ),
        MAXIMUM,
        Identity("B", "The stated B is the larger of its two values.", stated["B"], _larger(stated)),
        Identity("A", r"$A-B=\frac d{n^2}$.", stated["A"] - stated["B"], d / n**2),
        Identity("AB", r"The bound is $AM-Bm$.", stated["bound"], stated["A"] * M - stated["B"] * m),
        Certificate(
            "nonnegative",
            r"$B\ge\frac{n-2}{2(n-1)}\ge0$ for $n\ge2$.",
            Integer(0),
            stated["B_equal"].xreplace(_TWO),
            (Term(1 / (2 * (_more + 1)), _more, "there are at least two clients"),),
        ),
        Certificate(
            "bound",
            r"(2) is at most the stated bound: with $M-m=Q+R$ and $Q,R\ge0$ (`norm-differences`) it is "
            r"$\frac d{n^2}M+B_{\rm equal}R+B_{\rm unequal}Q$.",
            stated["refined"].xreplace({**parts, norm_spread: _Q}),
            stated["bound"].xreplace(parts),
            (
                Term(_R, stated["B"] - stated["B_equal"], "maximum"),
                Term(_Q, stated["B"] - stated["B_unequal"], "maximum"),
            ),
        ),
    )


def _larger(stated: Mapping[str, Expr]) -> Expr:
    return Max(stated["B_equal"], stated["B_unequal"])


def _dominated(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    last = _s + _rest
    return (
        Certificate(
            "no-positive-covariance",
            r"In a common cell $s\in\{0,\dots,n-1\}$ with $\alpha\le\beta$: $n\alpha(1-\beta)\le(s+\alpha)(n-"
            r"s-\beta)$, so $\frac1nK(\alpha,\beta)\le K(y_i,y_l)$ and no covariance is positive "
            r"($n=s+1+\mathrm{rest}$).",
            (last + 1) * _alpha * (1 - _beta),
            (_s + _alpha) * (last + 1 - _s - _beta),
            (
                Term(_s * _rest, Integer(1), "one"),
                Term(_rest * _alpha, _beta, "a fraction"),
                Term(_s, (1 - _alpha) * (1 - _beta), "hypothesis: alpha and beta are at most 1"),
            ),
        ),
        Identity(
            "independent",
            r"So the error is at most that of independent thresholds, $\frac1{n^2}\sum_i\sum_j(c_i^2-a_{ij}^"
            r"2)=\frac{d-1}nM$.",
            (d * (n * M) - n * M) / n**2,
            stated["A_independent"] * M,
        ),
    )


def _common_scale(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    pairs = n * (n - 1)
    return (
        Identity(
            "common-scale",
            r"With one scale $r\ge\max_i\|a_i\|$ for all clients $c_i=c_l=r$ and $c_ic_l\|u_i-u_l\|^2=\|a_i-"
            r"a_l\|^2$, so the bound of a pair is $(\frac n2-1)\|a_i-a_l\|^2+\frac{2d}nr^2$.",
            _PAIRS * ((n / 2 - 1) * 2 * n**2 * (M - m) + pairs * 2 * d * scale**2 / n),
            stated["common_scale"],
        ),
        Identity(
            "equal-norms",
            r"Equal norms are their own common scale, $r^2=M$: (2) without its last term.",
            stated["common_scale"].subs(scale**2, M),
            stated["refined"].subs(norm_spread, 0),
        ),
        Identity(
            "one-dimension",
            r"Bits on $[l,r]$ are the case $d=1$ with the scale $\frac{r-l}2$ about the middle of the "
            r"interval; a shift of all inputs leaves $M-m=s^2$ as it is.",
            stated["common_scale"].xreplace({d: Integer(1), scale: width / 2, M: m + spread}),
            stated["one_dimension"],
        ),
        Identity(
            "two-clients",
            r"For $n=2$ it is $\frac{(r-l)^2}{16}$ whatever the inputs.",
            stated["one_dimension"].xreplace({n: Integer(2)}),
            width**2 / 16,
        ),
    )


def _tightness(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    B = stated["B_unequal"]
    return (
        Identity(
            "equal-inputs",
            r"At equal inputs, $M=m$, the bound is $\frac d{n^2}\|a\|^2$, the supremum of "
            r"`cq_marina/cq-equal-inputs` for even $n$ with $d\le n^2$ and $d\equiv n^2$ modulo 8.",
            stated["bound"].xreplace({M: m}),
            d / n**2 * m,
        ),
        Identity(
            "one-nonzero-client",
            r"With one nonzero client, $M=nm$, and the second value of $B$ the bound is $\frac{d-1}nM$: the "
            r"exact error, since nothing is correlated.",
            (d / n**2 + B) * n * m - B * m,
            stated["A_independent"] * n * m,
        ),
        Certificate(
            "regimes",
            r"The second value of $B$ is the larger one where $d\frac{n-1}n\ge\frac n2$.",
            stated["B_equal"].xreplace(_TWO),
            stated["B_unequal"].xreplace(_TWO),
            (
                Term(
                    1 / (_more + 1),
                    (d * (n - 1) / n - n * Rational(1, 2)).xreplace(_TWO),
                    "hypothesis: d (n - 1)/n is at least n/2",
                ),
            ),
        ),
    )
