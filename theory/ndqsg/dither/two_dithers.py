"""The sum of two dithers of points in `ndqsg/dq-uniform-error`: its errors, and the proofs."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Max, Rational, Sum, floor, symbols

from theory.claim import Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.facts.rounding.finite_dither import (
    HALF,
    error,
    offset,
    point,
    sum_by_primitive,
    sum_of_errors,
)
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter

x, t, N, mean, variance, reached = symbols("x t N mean variance reached", real=True)
j, l = symbols("j l", real=True)
hit, errors = IndexedBase("hit", real=True), IndexedBase("errors", real=True)
FIRST, SECOND = (l, 0, N - 1), (j, 0, N - 1)
LARGEST = 2 * point(N - 1, N)
VARIANCE = Rational(1, 12) * (1 - 1 / N**2)
# The first dither only moves the input.
_MOVED = x + point(l, N)
_ERROR = error(_MOVED, j, N)


def _mean(body: Any) -> Any:
    return Sum(body, SECOND, FIRST) / N**2


VARIABLES = (
    Variable(errors, "e", r"\mathbb R^{N\times N}", "errors at pairs of dithers", "(N, N)", first=0),
    Variable(mean, r"\bar e", r"\mathbb R", "their mean"),
    Variable(hit, "h", r"\{0,1\}^{N\times N}", "whether they are below $t$, or one at it", "(N, N)", first=0),
)
HYPOTHESES = {
    "points": domain(r"$N\ge1$ is an integer"),
    "errors": definition(r"$e_{ik}=\Big\lfloor x+\frac{i+k+1}N-\frac12\Big\rfloor-\frac{i+k+1}N+1-x$"),
    "two-dithers": definition(
        r"$\bar e=\frac1{N^2}\sum_i\sum_ke_{ik}$, $V=\frac1{N^2}\sum_i\sum_k(e_{ik}-\bar e)^2$"
    ),
    "hits": definition(r"$h_{ik}^2=h_{ik}$, $(2h_{ik}-1)(t-e_{ik})\ge0$, $D=\frac1{N^2}\sum_i\sum_kh_{ik}$"),
    "two-points": parameter(r"$N\ge2$"),
}
RELATIONS = {
    "sum-variance": Relation((variance, VARIANCE), ("=",), under=("errors", "two-dithers")),
    "sum-distance": Relation((Abs(reached - (t + HALF)), 1 / N), ("<=",), under=("place", "errors", "hits")),
    "sum-beyond": Relation((HALF, LARGEST, 3 * HALF), ("<=", "<"), under=("two-points",)),
}


def prove_two_dithers(K: Any) -> None:
    """Conclude the part on the sum of two dithers."""
    K.example({x: Rational(4, 3), N: 2, t: Rational(1, 4), hit: ((1, 1), (1, 1))})
    K.index(FIRST, SECOND)
    _beyond(K)
    _distance(K)
    _variance(K)


def _beyond(K: Any) -> None:
    """The largest sum is 1 - 1/N."""
    few = K.given("two-points")
    K.conclude(
        "sum-beyond",
        K.cert(le(HALF, LARGEST), (1 / (2 * N), few)),
        K.cert(lt(LARGEST, 3 * HALF), (1 / N, 1)),
    )


def _distance(K: Any) -> None:
    """With any first dither the others have their errors at N places of distance 1/N."""
    bounds, (fraction, y) = _bounds(K), symbols("two_fraction two_input", real=True)
    upper, lower, (h, z) = _hit_between(K)
    own, side = (K.at(K.given("hits", number), l, j) for number in range(2))
    away = N * (t - errors[l, j])
    side = K.cert(le(0, (2 * hit[l, j] - 1) * away), (N, side))
    total, at, found = Sum(hit[l, j], SECOND), N * (t + HALF), []
    for theorem, shift in ((upper, 0), (lower, 1)):
        here = K.discharge(K.instantiate(theorem, {h: hit[l, j], z: away}), own, side)

        def place(i: Any, rest: Any, shift: int = shift) -> Any:
            return Max(0, i + rest - N * (HALF - t) - shift)

        def body(e: Any, shift: int = shift) -> Any:
            return Max(0, N * (t - e) + 1 - shift) - Max(0, N * (t - e) - shift)

        counted = sum_by_primitive(K, y, N, body, place, SECOND)
        ends = K.instantiate(bounds[shift], {fraction: offset(y, N)})
        sides = (Sum(body(error(y, j, N)), SECOND), at + 1 - 2 * shift)
        counted = K.cert(le(*(sides[::-1] if shift else sides)), (-1 if shift else 1, counted), (1, ends))
        counted = K.instantiate(counted, {y: _MOVED})
        goal = le(at - 1, total) if shift else le(total, at + 1)
        terms = (1, K.sum_over(here, SECOND)), (-1 if shift else 1, _placed(K, body)), (1, counted)
        found.append(K.sum_over(K.cert(goal, *terms), FIRST))
    off, whole = reached - (t + HALF), K.given("hits", 2)
    upper = K.cert(le(off, 1 / N), (1, whole), (1 / N**2, found[0]))
    lower = K.cert(le(-1 / N, off), (-1, whole), (1 / N**2, found[1]))
    K.conclude("sum-distance", absolute_below(K, off, 1 / N, lower, upper))


def _bounds(K: Any) -> tuple[Any, Any]:
    """Return bounds of both counts, for a fresh name of the fraction."""
    f, low, high = symbols("two_fraction", real=True), K.given("place"), K.given("place", 1)
    start, end = K.assume(le(0, f)), K.assume(lt(f, 1))
    top, rest = N * (t + HALF) + f, f - N * (HALF - t)
    full = K.discharge(K.axiom("max-is-right", Integer(0), top), K.cert(le(0, top), (N, low), (1, start)))
    none = K.discharge(
        K.axiom("max-is-right", rest - 1, Integer(0)), K.cert(le(rest - 1, 0), (N, high), (1, end))
    )
    most = K.cert(
        le(Max(0, top) - Max(0, rest), N * (t + HALF) + 1),
        *((1, full), (1, K.axiom("max-above-left", Integer(0), rest)), (1, end)),
    )
    least = K.cert(
        le(N * (t + HALF) - 1, Max(0, top - 1) - Max(0, rest - 1)),
        *((1, K.axiom("max-above-right", Integer(0), top - 1)), (1, none), (1, start)),
    )
    return most, least


def _variance(K: Any) -> None:
    """Errors with any first dither are the same up to their order: their offset does not depend on it."""
    level, here = N * x - N / 2, N * _MOVED + HALF
    f, cell = level - floor(level), floor(level) + l + 1
    moved = K.discharge(
        K.axiom("floor-unique", here, cell),
        K.cert(le(cell, here), (1, K.axiom("floor-below", level))),
        K.cert(lt(here, cell + 1), (1, K.axiom("floor-above", level))),
    )
    sums = []
    for power in (1, 2):

        def body(e: Any, power: int = power) -> Any:
            return e**power

        found = K.rewrite(sum_of_errors(K, _MOVED, N, body, SECOND), moved)
        sums.append([(1 / N**2, K.sum_over(item, FIRST)) for item in (_placed(K, body), found)])
    first, second = sums
    middle, squares = (HALF - f) / N, Sum(errors[l, j] ** 2, SECOND, FIRST) / N**2
    at = K.cert(eq(mean, middle), (1, K.given("two-dithers")), *first)
    squared = K.cert(eq(squares, VARIANCE + middle**2), *second)
    K.conclude(
        "sum-variance",
        K.cert(
            eq(variance, VARIANCE),
            (1, K.given("two-dithers", 1)),
            (2 * mean, K.given("two-dithers")),
            (1, squared),
            (-mean - middle, at),
        ),
    )


def _placed(K: Any, body: Any) -> Any:
    """Return that a sum over the second dither of a function of the errors is one of what they are."""
    term = body(errors[l, j])
    return K.sum_over(K.rewrite(K.identity(term, term), K.at(K.given("errors"), l, j), "right"), SECOND)


def _hit_between(K: Any) -> tuple[Any, Any, tuple[Any, Any]]:
    r"""Return $h\le\max(0,z+1)-\max(0,z)$ and $\max(0,z)-\max(0,z-1)\le h$, and the names h and z.

    It is 1 if $0<z$ and 0 if $z<0$.
    """
    h, z = symbols("hit_h hit_z", real=True)
    own, side = K.assume(eq(h**2, h)), K.assume(le(0, (2 * h - 1) * z))
    least, most = K.cert(le(0, h), (1, own), (1, h**2)), K.cert(le(h, 1), (1, own), (1, (1 - h) ** 2))
    K.know(least, most)
    above, here, below = (Max(0, z + shift) for shift in (1, 0, -1))
    reach = {shift: K.axiom("max-above-right", Integer(0), z + shift) for shift in (1, -1)}
    natural = {shift: K.axiom("max-above-left", Integer(0), z + shift) for shift in (1, -1)}
    inside, outside = K.cert(le(0, h * z), (h, side), (2 * z, own)), ((1 - h) * z, 0)
    outside = K.cert(le(*outside), (1 - h, side), (-2 * z, own))
    none, positive = K.axiom("max-is-right", z, Integer(0)), K.assume(lt(0, z))
    same, more = (
        K.discharge(K.axiom("max-is-right", Integer(0), z + shift), K.cert(le(0, z + shift), (1, positive)))
        for shift in (0, 1)
    )
    upper, lower = le(h, above - here), le(here - below, h)
    return (
        K.cases(
            z,
            K.cert(upper, (1 - h, natural[1]), (h, reach[1]), (1, inside), (1, none)),
            K.cert(upper, (-1, more), (1, same), (1, most)),
        ),
        K.cases(
            z,
            K.cert(lower, (1, least), (1, natural[-1]), (1, none)),
            K.cert(lower, (1 - h, natural[-1]), (h, reach[-1]), (1, outside), (1, same)),
        ),
        (h, z),
    )
