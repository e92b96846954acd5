"""The normal tail and its first two antiderivatives, and what lies beyond a boundary by them."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Max, Min, Rational, Sum, Symbol, erfc, exp, pi, sqrt, symbols

from theory.claim import Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, model


def tail(t: Expr) -> Expr:
    r"""Return $\bar\Phi(t)$."""
    return erfc(t / sqrt(2)) / 2


def _density(t: Expr) -> Expr:
    return exp(-(t**2) / 2) / sqrt(2 * pi)


def first(t: Expr) -> Expr:
    r"""Return $A(t)=t\bar\Phi(t)-\phi(t)$."""
    return t * tail(t) - _density(t)


def second(t: Expr) -> Expr:
    r"""Return $B(t)=\frac12[(t^2-1)\bar\Phi(t)-t\phi(t)]$."""
    return ((t**2 - 1) * tail(t) - t * _density(t)) / 2


HALF = Rational(1, 2)
T, U, W, c, s, n, i = symbols("T_m U_m W_m c_m spread n i", real=True)
chance, zeta = symbols("chance zeta", cls=IndexedBase, real=True)
SIDES = {"+": (c + HALF) / s, "-": (c - HALF) / s}
tails, densities, firsts, seconds = (
    {side: Symbol(f"{name}_{word}", real=True) for side, word in (("+", "above"), ("-", "below"))}
    for name in ("tail", "density", "first", "second")
)
_VALUES = (i, 0, n - 1)
_FROM = Min(HALF, Max(-HALF, c - s * zeta[i]))
_EXCESS = {side: Max(zeta[i] - end, 0) for side, end in SIDES.items()}


def _expected(term: Any) -> Any:
    return Sum(chance[i] * term, _VALUES)


def _change(values: Any) -> Any:
    return values["+"] - values["-"]


VARIABLES = (
    Variable(T, "T_m", "[0,1]", r"$\Pr(\alpha z+e\ge c_m)$"),
    Variable(U, "U_m", r"\mathbb R", r"$\mathbb E[e\mathbf 1]$ of that event"),
    Variable(W, "W_m", r"\mathbb R", r"$\mathbb E[\alpha z\mathbf 1]$ of that event"),
    Variable(c, "c_m", r"\mathbb R", "boundary of a cell"),
    Variable(zeta, r"\zeta", r"\mathbb R^n", "values of a normal variable", "(n,)"),
    Variable(chance, "q", "[0,1]^n", "their probabilities", "(n,)"),
    *(
        Variable(values[side], f"{name}(t_{side})", r"\mathbb R", meaning)
        for name, values, meaning in (
            (r"\bar\Phi", tails, "normal tail"),
            ("A", firsts, "its antiderivative"),
            ("B", seconds, "the antiderivative of $t$ times it"),
            (r"\phi", densities, "normal density"),
        )
        for side in SIDES
    ),
)
HYPOTHESES = {
    "antiderivatives": definition(
        r"$A(t_+)=\frac{c_m+\frac12}s\bar\Phi(t_+)-\phi(t_+)$, "
        r"$B(t_+)="
        r"\frac12\Big(\Big(\Big(\frac{c_m+\frac12}s\Big)^2-1\Big)\bar\Phi(t_+)"
        r"-\frac{c_m+\frac12}s\phi(t_+)\Big)$, "
        r"$A(t_-)=\frac{c_m-\frac12}s\bar\Phi(t_-)-\phi(t_-)$, "
        r"$B(t_-)="
        r"\frac12\Big(\Big(\Big(\frac{c_m-\frac12}s\Big)^2-1\Big)\bar\Phi(t_-)"
        r"-\frac{c_m-\frac12}s\phi(t_-)\Big)$"
    ),
    "beyond": definition(
        r"$T_m=\sum_iq_i(\frac12-\min\{\frac12,\max\{-\frac12,c_m-s\zeta_i\}\})$, "
        r"$U_m=\sum_iq_i(\frac18-\frac12(\min\{\frac12,\max\{-\frac12,c_m-s\zeta_i\}\})^2)$, "
        r"$W_m=\sum_iq_is\zeta_i(\frac12-\min\{\frac12,\max\{-\frac12,c_m-s\zeta_i\}\})$, since the "
        "errors beyond the boundary reach from this minimum to their upper end"
    ),
    "normal": model(
        r"$\sum_iq_i\max\{0,\zeta_i-\frac{c_m+\frac12}s\}=\phi(t_+)-\frac{c_m+\frac12}s\bar\Phi(t_+)$, "
        r"$\sum_iq_i\zeta_i\max\{0,\zeta_i-\frac{c_m+\frac12}s\}=\bar\Phi(t_+)$, "
        r"$\sum_iq_i\max\{0,\zeta_i-\frac{c_m-\frac12}s\}=\phi(t_-)-\frac{c_m-\frac12}s\bar\Phi(t_-)$, "
        r"$\sum_iq_i\zeta_i\max\{0,\zeta_i-\frac{c_m-\frac12}s\}=\bar\Phi(t_-)$, since these are "
        "moments of the normal law",
        reference="N. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions 1, 2nd ed., "
        "section 13.10",
    ),
}
RELATIONS = {
    name: Relation((symbol, value), ("=",), under=tuple(HYPOTHESES))
    for name, symbol, value in (
        ("tail", T, s * _change(firsts)),
        ("error-part", U, s * (c * _change(firsts) - s * _change(seconds))),
        ("innovation-part", W, s**2 * (tails["-"] - tails["+"])),
    )
}


l, k = symbols("l k", real=True)
_PLACE = (l - HALF) * k
_HIGH, _LOW = ((_PLACE + side * HALF) / s for side in (1, -1))
_FIRSTS = first(_HIGH) - first(_LOW)
FORMULAS = {
    "tail": s * _FIRSTS,
    "error_part": s * (_PLACE * _FIRSTS - s * (second(_HIGH) - second(_LOW))),
    "innovation_part": s**2 * (tail(_LOW) - tail(_HIGH)),
}


def conclude_boundary(K: Any, rest: Mapping[Any, Any]) -> None:
    """Conclude what lies beyond a boundary: the length of the errors there is a difference of excesses.

    `rest` are values of the other names of the claim, for an example.
    """
    quarter = HALF / 2
    ends = {tails["+"]: quarter, tails["-"]: 3 * quarter, **dict.fromkeys(densities.values(), Rational(3, 8))}
    K.example({**rest, s: 1, n: 2, chance: (HALF, HALF), zeta: (1, -1), c: 0, **ends})
    length = _pointwise(K, HALF - _FROM, lambda end: s, lambda value: 1)
    square = _pointwise(
        K,
        (Rational(1, 4) - _FROM**2) / 2,
        lambda end: s * (c - s * (zeta[i] + end) / 2),
        lambda value: (_FROM + value) / 2,
    )
    moments, functions = (
        {side: [K.given(name, 2 * number + place) for place in range(2)] for number, side in enumerate(SIDES)}
        for name in ("normal", "antiderivatives")
    )

    def signed(theorems: Any, place: int, weight: Any) -> list[tuple[Any, Any]]:
        signs = {"+": -1, "-": 1}
        return [(signs[side] * weight(end), theorems[side][place]) for side, end in SIDES.items()]

    def conclude(name: str, place: int, pointwise: Any, factor: Any, *terms: tuple[Any, Any]) -> None:
        (symbol, value), weight = RELATIONS[name].sides, chance[i] * factor
        each = K.cert(eq(weight * pointwise[0], weight * pointwise[1]), (weight, pointwise[2]))
        summed = ((1, K.given("beyond", place)), (1, K.sum_over(each, _VALUES)))
        K.conclude(name, K.cert(eq(symbol, value), *summed, *terms))

    first = [*signed(moments, 0, lambda end: s), *signed(functions, 0, lambda end: s)]
    conclude("tail", 0, length, Integer(1), *first)
    parts = (
        *signed(moments, 0, lambda end: s * (c - s * end / 2)),
        *signed(moments, 1, lambda end: -(s**2) / 2),
        *signed(functions, 0, lambda end: s * c),
        *signed(functions, 1, lambda end: -(s**2)),
    )
    conclude("error-part", 1, square, Integer(1), *parts)
    conclude("innovation-part", 2, length, s * zeta[i], *signed(moments, 1, lambda end: s**2))


def _pointwise(K: Any, left: Any, weight: Any, slope: Any) -> tuple[Any, Any, Any]:
    """Return both sides and the theorem: a function of the first error is a difference of weighted excesses.

    It is moved by the slope where that error is replaced by its value in each of three cases.
    """
    right = weight(SIDES["-"]) * _EXCESS["-"] - weight(SIDES["+"]) * _EXCESS["+"]
    v, same = c - s * zeta[i], K.identity(_FROM, _FROM)
    last, inside = K.assume(lt(0, v - HALF)), K.assume(lt(0, v + HALF))
    some, whole = K.assume(le(v - HALF, 0)), K.assume(le(v + HALF, 0))

    def case(value: Any, inner: Any, largest: Any, *ends: tuple[str, bool, Any, int]) -> Any:
        """Return the equation where the first error has a value; each end is passed by a margin, or not."""
        outer = (v, HALF) if value == v else (value, v if value == HALF else HALF)
        least = (
            K.discharge(K.axiom("min-is-left", *outer), largest)
            if largest
            else K.axiom("min-is-left", *outer)
        )
        start = K.cert(eq(_FROM, value), (1, K.rewrite(same, inner, "right")), (1, least))
        terms = [(-slope(value), start)]
        for side, passed, margin, rest in ends:
            gap, sign = zeta[i] - SIDES[side], -1 if side == "-" else 1
            order = (Integer(0), gap) if passed else (gap, Integer(0))
            known = K.cert(le(*order), (1 / s, margin), (rest, 1 / s))
            terms.append((sign * weight(SIDES[side]), K.discharge(K.axiom("max-is-right", *order), known)))
        return K.cert(eq(left, right), *terms)

    low, high = K.axiom("max-is-right", -HALF, v), K.axiom("max-is-right", v, -HALF)
    none = case(
        HALF,
        K.discharge(low, K.cert(le(-HALF, v), (1, last))),
        K.cert(le(HALF, v), (1, last)),
        *(("-", False, last, 0), ("+", False, last, 1)),
    )
    part = case(
        v,
        K.discharge(low, K.cert(le(-HALF, v), (1, inside))),
        None,
        *(("-", True, some, 0), ("+", False, inside, 0)),
    )
    every = case(
        -HALF,
        high,
        None,
        *(("-", True, whole, 1), ("+", True, whole, 0)),
    )
    return left, right, K.cases(v - HALF, K.cases(v + HALF, every, part), none)
