r"""Symbols and lemmas of `cq_marina/cq-1d-bound`: pairs of clients, and where it is tight.

The exact variance is a sum over pairs of distances and of terms of common cells (`cq_marina/cq-1d-exact`).
"""

from typing import Any

from sympy import (
    Abs,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Rational,
    Sum,
    Symbol,
    floor,
    symbols,
    sympify,
)

from theory.facts.absolute_value import absolute_below
from theory.facts.sums.delta import delta_at_most_one
from theory.formula import eq, le, lt

n, V, sigma, low, high, mean, t, delta, m, i = symbols("n V sigma_md low high mean t delta m i", real=True)
k, cell = symbols("k cell", real=True)
x, y, kappa = symbols("x y kappa", cls=IndexedBase, real=True)
CLIENTS, OTHERS, BEFORE, AFTER = (i, 0, n - 1), (k, 0, n - 1), (k, 0, i - 1), (k, i + 1, n - 1)

WIDTH = high - low
LEVEL = (x[i] - low) / WIDTH
FIRST = sigma * WIDTH / n
SECOND = WIDTH**2 / (4 * n**2)
BOUND = FIRST + SECOND
REACHED = (1 - n * delta / (n - 1)) * FIRST
DISTANCE = Abs(y[i] - y[k])
CELLS = Sum(Sum(kappa[i, k], OTHERS) - kappa[i, i], CLIENTS)
EXACT = Sum(DISTANCE * (1 - DISTANCE), OTHERS, CLIENTS) / (2 * n**2 * (n - 1)) + CELLS / (n**3 * (n - 1))


def attained(K: Any) -> None:
    """At identical inputs no distance is left, and each pair of clients has a quarter."""
    half, same = K.given("same", 1), [K.at(K.given("same"), place) for place in (i, k)]
    level = K.at(K.given("levels"), i)
    value = K.cert(eq(x[i], low + WIDTH * t), (-WIDTH, level), (WIDTH, same[0]))
    middle = K.cert(eq(mean, low + WIDTH * t), (1, K.given("deviation")), (1 / n, K.sum_over(value, CLIENTS)))
    size = Abs(x[i] - mean)
    size_zero = K.rewrite(K.rewrite(K.identity(size, size), value, side="right"), middle, side="right")
    none = K.cert(eq(sigma, 0), (1, K.given("deviation", 1)), (1 / n, K.sum_over(size_zero, CLIENTS)))
    K.conclude("no-deviation", none)

    cell, apart = K.at(K.given("cells"), i, k), K.identity(DISTANCE, DISTANCE)
    for item in same:
        cell, apart = (K.rewrite(theorem, item, side="right") for theorem in (cell, apart))
    fraction = n * t - floor(n * t)
    cell = K.cert(eq(kappa[i, k], Rational(1, 4)), (1, cell), (Rational(1, 2) - fraction, half))
    apart = K.cert(eq(DISTANCE * (1 - DISTANCE), 0), (1 - DISTANCE, apart))
    K.conclude(
        "attained",
        K.cert(
            eq(V, BOUND),
            (1, K.given("variance")),
            (WIDTH**2 / (2 * n**2 * (n - 1)), K.sum_over(apart, OTHERS, CLIENTS)),
            (WIDTH**2 / (n**3 * (n - 1)), K.sum_over(cell, OTHERS, CLIENTS)),
            (-(WIDTH**2) / (n**3 * (n - 1)), K.sum_over(K.instantiate(cell, {k: i}), CLIENTS)),
            (-WIDTH / n, none),
        ),
    )


def first_term(K: Any) -> None:
    """Two clients are apart by 2 delta and by delta from all others; no two share a cell with a fraction."""
    K.know(*(K.given("two-apart", place) for place in range(5)))
    K.know(K.sign(lt(0, n)))
    zero, one = Integer(0), Integer(1)
    REST, OTHER_REST = (i, 2, n - 1), (k, 2, n - 1)
    value = {zero: K.given("two-apart", 5), one: K.given("two-apart", 6)}
    for place in (i, k):
        value[place] = K.at(K.given("two-apart", 7), place)

    def put(theorem: Any, *places: Any) -> Any:
        for place in places:
            theorem = K.rewrite(theorem, value[place], side="right")
        return theorem

    def split(term: Any, index: Any) -> Any:
        """Return the sum as the terms at 0 and 1 and the rest."""
        rest = Sum(term, (index, 1, n - 1))
        first = K.split_off(Sum(term, (index, 0, n - 1)), zero)
        return K.cert(
            eq(
                Sum(term, (index, 0, n - 1)),
                term.subs(index, 0) + term.subs(index, 1) + Sum(term, (index, 2, n - 1)),
            ),
            (1, first),
            (1, K.split_off(rest, one)),
        )

    # Deviations from the mean.
    inputs = K.cert(eq(x[i], low + WIDTH * y[i]), (-WIDTH, K.at(K.given("levels"), i)))
    total = K.cert(
        eq(Sum(y[i], CLIENTS), m),
        (1, split(y[i], i)),
        (1, value[zero]),
        (1, value[one]),
        (1, K.sum_over(value[i], REST)),
    )
    middle = K.cert(
        eq(mean, low + WIDTH * m / n),
        (1, K.given("deviation")),
        (1 / n, K.sum_over(inputs, CLIENTS)),
        (WIDTH / n, total),
    )
    size = Abs(x[i] - mean)
    sizes = K.rewrite(K.rewrite(K.identity(size, size), inputs, side="right"), middle, side="right")
    far = K.axiom("abs-of-nonnegative", WIDTH * delta)
    ends = [
        K.cert(
            eq(size.subs(i, place), WIDTH * delta),
            (1, put(K.instantiate(sizes, {i: place}), place)),
            (1, far),
        )
        for place in (zero, one)
    ]
    near = K.cert(eq(size, 0), (1, put(sizes, i)))
    deviation = K.cert(
        eq(sigma, 2 * WIDTH * delta / n),
        (1, K.given("deviation", 1)),
        (1 / n, split(size, i)),
        *((1 / n, item) for item in ends),
        (1 / n, K.sum_over(near, REST)),
    )

    # Distances of two clients.
    def distance(a: Any, b: Any, gap: Any) -> Any:
        term = DISTANCE.subs({i: a, k: b}, simultaneous=True)
        if a == b:
            return K.identity(term * (1 - term), 0)
        found = put(K.identity(term, term), *dict.fromkeys((a, b)))
        if gap != 0:
            found = K.cert(eq(term, gap), (1, found), (1, K.axiom("abs-of-nonnegative", gap)))
        else:
            found = K.cert(eq(term, 0), (1, found))
        return K.cert(eq(term * (1 - term), gap * (1 - gap)), (1 - term - gap, found))

    f = DISTANCE * (1 - DISTANCE)
    rows = []
    for a, gaps in ((zero, (0, 2 * delta, delta)), (one, (2 * delta, 0, delta)), (i, (delta, delta, 0))):
        b = {0: zero, 1: one, 2: k}
        parts = [distance(a, b[place], sympify(gaps[place])) for place in range(3)]
        value_of = sum(gap * (1 - gap) for gap in gaps[:2]) + (n - 2) * gaps[2] * (1 - gaps[2])
        term = f.subs(i, a)
        rows.append(
            K.cert(
                eq(Sum(term, OTHERS), value_of),
                (1, split(term, k)),
                (1, parts[0]),
                (1, parts[1]),
                (1, K.sum_over(parts[2], OTHER_REST)),
            )
        )
    F = Sum(f, OTHERS)
    distances = K.cert(
        eq(Sum(F, CLIENTS), 4 * delta * (n - 1 - n * delta)),
        (1, split(F, i)),
        (1, rows[0]),
        (1, rows[1]),
        (1, K.sum_over(rows[2], REST)),
    )

    # Common cells.
    whole = K.axiom("floor-unique", m, m)

    def alone(a: Any, b: Any, exact: Any, free: Any) -> Any:
        """Return that the term of two clients is 0 where the level of one of them is an integer."""
        fraction = n * y[free] - floor(n * y[free])
        cell = put(K.instantiate(K.at(K.given("cells"), i, k), {i: a, k: b}), exact)
        cell = K.rewrite(cell, whole, side="right")
        K.know(K.cert(le(0, fraction), (1, K.axiom("floor-below", n * y[free]))))
        least = K.axiom("min-is-left", zero, fraction)
        factor = (1 - Max(fraction, 0)) * KroneckerDelta(floor(n * y[free]), m)
        return K.cert(eq(kappa[a, b], 0), (1, cell), (factor, least))

    bottom = K.cert(
        lt(floor(n * y[1]), m),
        (1, K.axiom("floor-below", n * y[1])),
        (n, value[one]),
        (n, K.given("two-apart", 3)),
    )
    top = K.floor(K.cert(le(m, n * y[0]), (-n, value[zero]), (n, delta)))
    small, large = (Symbol(f"cell_{name}", real=True) for name in ("small", "large"))
    K.know(K.assume(lt(small, large)))
    other = K.instantiate(
        K.axiom("delta-other", small, large), {small: floor(n * y[1]), large: floor(n * y[0])}
    )
    other = K.discharge(
        other, K.cert(lt(floor(n * y[1]), floor(n * y[0])), (1, bottom), (1, top), (-1, whole))
    )
    pairs = {}
    for a, b in ((zero, one), (one, zero)):
        cell = K.instantiate(K.at(K.given("cells"), i, k), {i: a, k: b})
        parts = [n * y[place] - floor(n * y[place]) for place in (0, 1)]
        pairs[a] = K.cert(eq(kappa[a, b], 0), (1, cell), (Min(*parts) * (1 - Max(*parts)), other))
    G = Sum(kappa[i, k], OTHERS) - kappa[i, i]
    rows = []
    for a in (zero, one):
        rows.append(
            K.cert(
                eq(G.subs(i, a), 0),
                (1, split(kappa[a, k], k)),
                (1, pairs[a]),
                (1, K.sum_over(alone(a, k, k, a), OTHER_REST)),
            )
        )
    both = alone(i, k, i, k)
    last = K.cert(eq(G, 0), (1, K.sum_over(both, OTHERS)), (-1, K.instantiate(both, {k: i})))
    cells = K.cert(
        eq(Sum(G, CLIENTS), 0),
        (1, split(G, i)),
        (1, rows[0]),
        (1, rows[1]),
        (1, K.sum_over(last, REST)),
    )
    first_term = K.cert(
        eq(V, REACHED),
        (1, K.given("variance")),
        (WIDTH**2 / (2 * n**2 * (n - 1)), distances),
        (WIDTH**2 / (n**3 * (n - 1)), cells),
        (-(1 - n * delta / (n - 1)) * WIDTH / n, deviation),
    )
    K.conclude("first-term", first_term)


def slope(place: Any) -> Any:
    """Return the deviation of a client in units of the interval."""
    return Abs(x[place] - mean) / WIDTH


def all_pairs(K: Any, term: Any, value: Any, bound: Any) -> Any:
    """Return the sum over all pairs of different clients, from the theorem value <= bound for two clients."""
    first, second = Sum(value, OTHERS), Sum(bound, OTHERS)
    row = K.cert(
        le(first - value.subs(k, i), second - bound.subs(k, i)),
        (1, K.split_off(first, i)),
        (-1, K.split_off(second, i)),
        *((1, K.sum_over(term, span)) for span in (BEFORE, AFTER)),
    )
    return K.sum_over(row, CLIENTS)


def distance_bound(K: Any) -> Any:
    r"""Return $\delta(1-\delta)\le\delta\le(|x_i-\bar x|+|x_k-\bar x|)/(r-l)$."""
    bound, levels = slope(i) + slope(k), [K.at(K.given("levels"), place) for place in (i, k)]
    sides = []
    for first, second, sign in ((i, k, 1), (k, i, -1)):
        up, down = K.axiom("abs-above", x[first] - mean), K.axiom("abs-below", x[second] - mean)
        sides.append((sign, up, down))
    below = K.cert(
        le(-bound, y[i] - y[k]),
        (1 / WIDTH, sides[1][1]),
        (1 / WIDTH, sides[1][2]),
        (-1, levels[0]),
        (1, levels[1]),
    )
    above = K.cert(
        le(y[i] - y[k], bound),
        (1 / WIDTH, sides[0][1]),
        (1 / WIDTH, sides[0][2]),
        (1, levels[0]),
        (-1, levels[1]),
    )
    return K.cert(
        le(DISTANCE * (1 - DISTANCE), bound),
        (1, absolute_below(K, y[i] - y[k], bound, below, above)),
        (1, (y[i] - y[k]) ** 2),
    )


def cell_bound(K: Any) -> Any:
    r"""Return $\kappa_{ik}\le\frac14$."""
    fractions = []
    for place in (i, k):
        level = n * y[place]
        below, above = K.axiom("floor-below", level), K.axiom("floor-above", level)
        K.know(
            K.axiom("floor-integer", level),
            K.cert(le(0, level - floor(level)), (1, below)),
            K.cert(le(0, 1 - level + floor(level)), (1, above)),
            K.floor(K.sign(le(0, level))),
            K.cert(le(floor(level), n), (1, below), (1, K.sign(le(level, n)))),
        )
        fractions.append(level - floor(level))
    least, most = Min(*fractions), Max(*fractions)
    K.know(K.axiom("min-greatest", *fractions, Integer(0)), K.axiom("max-least", *fractions, Integer(1)))
    product = least * (1 - most)
    small = K.cert(
        le(product, Rational(1, 4)),
        (1, (least - Rational(1, 2)) ** 2),
        (least, K.axiom("min-below-left", *fractions)),
        (least, K.axiom("max-above-left", *fractions)),
    )
    one = delta_at_most_one(K, (cell, 0, n), floor(n * y[i]), floor(n * y[k]))
    return K.cert(
        le(kappa[i, k], Rational(1, 4)), (1, K.at(K.given("cells"), i, k)), (product, one), (1, small)
    )
