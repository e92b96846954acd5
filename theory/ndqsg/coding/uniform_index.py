r"""Entropies of indices of uniform $x$ on $[-M,M]$ and a dither of $N$ points, for `ndqsg/entropy-index`."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, expand, log, symbols

from theory.facts.logarithms.midpoint_entropy import midpoint_entropy, midpoint_sum
from theory.facts.sums.reversed_sum import reversed_sum
from theory.facts.sums.split_sum import split_sum
from theory.facts.sums.triangular_number import triangular_number
from theory.formula import eq, le

M, N, I, conditional, index, s, i, j, c = symbols("M N I conditional index s i j c", real=True)
phi, eta, P = symbols("phi eta P", cls=IndexedBase, real=True)
HALF = Rational(1, 2)
INDICES, DITHERS = (i, 0, I - 1), (j, 0, N - 1)
INNER, OUTER = 1 / (2 * M), 1 / (4 * M)
CONDITIONAL = log(2 * M) / log(2) + 1 / (4 * M * log(2))
UNIFORM = -Sum(phi[c] * log(phi[c]), (c, 0, I * N - 1)) / (N * log(2))


def conclude_uniform(K: Any, above_half: Any) -> None:
    """Conclude parts (c) and (e): the density rises over a step, is level, and falls over a step."""
    g, room = Symbol("g", real=True), [(N, K.given("levels", 1)), (1, M * N)]
    least = [(2 * N, K.given("levels", 1)), (1, K.given("sizes", 1))]
    K.know(K.cert(le(N, 2 * M * N), *room), K.cert(le(N, 2 * M * N - 1), *least))
    K.index((g, N, 2 * M * N - 1))
    K.know(K.given("uniform"))
    few, many, more = K.sign(le(j, N - 1)), K.sign(le(g, 2 * M * N - 1)), K.given("levels", 1)
    width, step, end, one = 4 * M * N, 1 / (2 * M), 2 * M * N + j, Integer(1)
    for place, *terms in ((j, (1, few), (1, 2 * M * N)), (end, (1, few)), (g, (1, many), (1, N))):
        K.know(K.cert(le(place, I * N - 1), (-N, K.given("uniform")), *terms))

    def at(place: Any) -> Any:
        return (2 * place + 1) / width

    def density(place: Any, value: Any, first: Any, second: Any) -> Any:
        """Return the density at a place, of which the two parts are known."""
        return K.cert(
            eq(phi[place], value), (1, K.at(K.given("uniform", 1), place)), (1, first), (-1, second)
        )

    least = K.cert(le(2 * j + 1, width), (2, few), (4 * N, more), (1, 2 * N + 1))
    least = K.discharge(K.axiom("min-is-left", at(j), one), K.cert(le(at(j), 1), (1 / width, least)))
    rising = density(j, at(j), least, K.axiom("max-is-right", at(j) - step, 0))
    larger = K.cert(le(0, at(g) - step), (2 / width, K.sign(le(N, g))), (1, 1 / width))
    larger = K.discharge(K.axiom("max-is-right", 0, at(g) - step), larger)
    flat = density(g, step, K.axiom("min-is-left", at(g), one), larger)
    largest = K.axiom("max-is-right", 0, at(end) - step)
    falling = density(end, step - at(j), K.axiom("min-is-left", one, at(end)), largest)

    pairs = triangular_number(K, N)
    outermost = 2 / (width * N)
    for relation, place, piece, sign in (("lowest", 0, rising, 1), ("highest", 2 * M, falling, -1)):
        mean = K.at(K.given("indices"), place)
        total = K.sum_over(piece, DITHERS)
        found = K.cert(eq(P[place], OUTER), (1, mean), (1 / N, total), (sign * outermost, pairs))
        K.conclude(relation, found)
    K.know(
        K.cert(le(N, i * N + j), (N, K.assume(le(1, i))), (1, j)),
        K.cert(le(i * N + j, 2 * M * N - 1), (N, K.assume(le(i, 2 * M - 1))), (1, few)),
    )
    inner = K.sum_over(K.at(K.every(flat, (g, N, 2 * M * N - 1)), i * N + j), DITHERS)
    each = K.cert(eq(P[i], INNER), (1, K.at(K.given("indices"), i)), (1 / N, inner))
    K.conclude("inner", K.every(each, (i, 1, 2 * M - 1)))

    _total(K, g, at, (rising, flat, falling), above_half)


def _total(K: Any, g: Any, at: Any, pieces: Any, above_half: Any) -> None:
    """Conclude part (e): the pieces of the density, the last one the first one in reverse."""
    step, whole, levels = 1 / (2 * M), phi[c] * log(phi[c]), log(2 * M) + log(N)

    def term(value: Any) -> Any:
        return value * log(value)

    # The information is defined on each piece.
    ends = (2 * M + 1) * N - 1
    for low, high in (
        (0, N - 2),
        (0, N - 1),
        (N, 2 * M * N - 2),
        (N, 2 * M * N - 1),
        (N, ends),
        (2 * M * N, ends),
    ):
        below = K.cert(
            le(c, I * N - 1), (1, K.assume(le(c, high))), (-N, K.given("uniform")), (1, expand(ends - high))
        )
        K.know(K.every(K.discharge(K.at(K.given("uniform", 2), c), below), (c, low, high)))
    total = Sum(whole, (c, 0, I * N - 1))
    parts = [(1, K.rewrite(K.identity(total, total), K.given("uniform"), side="right"))]
    parts += [(1, split_sum(K, whole, (c, 0, (2 * M + 1) * N - 1), N))]
    parts += [(1, split_sum(K, whole, (c, N, (2 * M + 1) * N - 1), 2 * M * N))]
    places = (j, g, 2 * M * N + j), (DITHERS, (g, N, 2 * M * N - 1), DITHERS)
    for place, over, piece in zip(*places, pieces, strict=True):
        old = term(phi[place])
        parts += [(1, K.sum_over(K.rewrite(K.identity(old, old), piece, side="right"), over))]
    parts += [(1, reversed_sum(K, lambda place: term(at(place)), N))]
    logs = K.cert(
        eq(term(at(j)), at(j) * (log(j + HALF) - levels)),
        (at(j), K.axiom("log-product", j + HALF, 1 / (2 * M * N))),
        (at(j), K.axiom("log-power", 2 * M * N, -1)),
        (-at(j), K.axiom("log-product", 2 * M, N)),
    )
    parts += [(2, K.sum_over(logs, DITHERS)), (-levels / (M * N), triangular_number(K, N))]
    parts += [((2 * M - 1) * N * step, K.axiom("log-power", 2 * M, -1))]
    value = midpoint_sum(N) / (M * N) - levels * N * step - (2 * M - 1) * N * step * log(2 * M)
    found, unit = K.cert(eq(total, value), *parts), 1 / (N * log(2))
    least, most = midpoint_entropy(K, N, above_half)
    K.conclude(
        "conditional",
        K.cert(le(CONDITIONAL, UNIFORM), (unit, found), (unit / (M * N), least)),
        K.cert(le(UNIFORM, CONDITIONAL + unit / (4 * M)), (-unit, found), (unit / (M * N), most)),
    )
