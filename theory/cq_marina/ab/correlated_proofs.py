"""The proofs of `cq_marina/ab-cq`."""

from typing import Any

from sympy import KroneckerDelta, Max, Min, Rational, Sum, Symbol, floor

from theory.cq_marina.ab.correlated_pairs import (
    A_1,
    AFTER,
    B_1,
    B_EQUAL,
    B_UNEQUAL,
    BEFORE,
    BOUND,
    CLIENTS,
    COMMON,
    COORDINATES,
    HALF,
    INDEPENDENT,
    KERNEL,
    LEVEL,
    MEAN,
    OTHERS,
    OWN,
    PRODUCT,
    REFINED,
    SLOPE,
    A,
    B,
    M,
    Q,
    V,
    c,
    chance,
    cov,
    d,
    e,
    h,
    i,
    j,
    kappa,
    l,
    m,
    n,
    o,
    r,
    s_2,
    u,
    w,
    x,
    x_0,
)
from theory.facts.rounding.stratified_shares import within
from theory.formula import eq, le, lt


def pair(K: Any) -> tuple[Any, Any]:
    r"""Return $\kappa\le\frac14(1-n|s-t|)^2$ and $\kappa\le nk(s,t)$ for the chances of a pair, both as
    bounds on $k-\frac1n\kappa$ with $k(s,t)=\min\{s,t\}(1-\max\{s,t\})$.
    """
    s, t = Symbol("chance_s", real=True), Symbol("chance_t", real=True)
    S, T = n * s, n * t
    A_s, A_t = floor(S), floor(T)
    alpha, beta, delta = S - A_s, T - A_t, KroneckerDelta(A_s, A_t)
    value = Min(alpha, beta) * (1 - Max(alpha, beta))
    order = K.cert(le(S, T), (n, K.assume(le(s, t))))
    K.know(K.axiom("floor-integer", S), K.axiom("floor-integer", T))
    for level, cell in ((S, A_s), (T, A_t)):
        below, above = K.axiom("floor-below", level), K.axiom("floor-above", level)
        K.know(K.cert(le(0, level - cell), (1, below)), K.cert(le(0, 1 - level + cell), (1, above)))
    low, high = K.floor(order), K.assume(le(A_t - A_s, 0))
    top = K.discharge(K.axiom("max-is-right", A_s, A_t), low)
    same = K.cert(eq(A_t, A_s), (-1, top), (1, K.axiom("max-is-right", A_t, A_s)))
    one = K.rewrite(K.identity(delta, delta), same, side="right")
    one = K.cert(eq(delta, 1), (1, one), (1, K.axiom("delta-same", A_s)))
    fractions = K.cert(le(alpha, beta), (1, order), (1, high))
    least = K.discharge(K.axiom("min-is-left", alpha, beta), fractions)
    most = K.discharge(K.axiom("max-is-right", alpha, beta), fractions)
    product = K.cert(
        eq(within(S, T), alpha * (1 - beta)), (value, one), (1 - Max(alpha, beta), least), (-alpha, most)
    )
    small, large = (Symbol(f"cell_{name}", real=True) for name in ("small", "large"))
    K.know(K.assume(lt(small, large)))
    none = K.instantiate(K.axiom("delta-other", small, large), {small: A_s, large: A_t})

    square = (1 - T + S) ** 2 / 4
    goal = le(within(S, T), square)
    together = K.cert(goal, (1, product), (alpha, same), (1, (alpha - (1 - T + S) / 2) ** 2))
    near = K.cases(A_t - A_s, together, K.cert(goal, (value, none), (1, square)))

    # In a common cell A: A(n - 1 - A) + (n - 1 - A) alpha beta + A(1 - alpha)(1 - beta) is what is left.
    first, last = K.cert(le(0, S), (n, K.assume(le(0, s)))), K.cert(le(T, n), (n, K.assume(le(t, 1))))
    K.know(first, K.assume(le(0, s)), K.floor(first))
    goal, inside = le(n * within(S, T), S * (n - T)), K.assume(le(A_s + 1 - n, 0))
    cell = K.cert(
        goal,
        (n, product),
        (A_s + alpha * beta, inside),
        (1, A_s * (1 - alpha) * (1 - beta)),
        (S, same),
    )
    end = K.cert(le(alpha, 0), (1, order), (1, last), (1, K.axiom("integer-gap", n, A_s + 1)))
    cell = K.cases(A_s + 1 - n, cell, K.cert(goal, (n, product), (n * (1 - beta), end), (S, last)))
    far = K.cases(A_t - A_s, cell, K.cert(goal, (n * value, none), (S, last)))

    least, most = K.axiom("min-is-left", s, t), K.axiom("max-is-right", s, t)
    rest = Min(s, t) * (1 - Max(s, t)) - within(S, T) / n
    bound = (s + t) / 2 - s * t - 1 / (4 * n) - n * (s - t) ** 2 / 4
    found = []
    for goal, factor, item in ((le(bound, rest), 1 / n, near), (le(0, rest), 1 / n**2, far)):
        ordered = K.cert(goal, (factor, item), (-(1 - Max(s, t)), least), (s, most))
        whole = K.cases(s - t, ordered, K.instantiate(ordered, {s: t, t: s}))
        found.append(K.instantiate(whole, {s: chance(i), t: chance(l)}))
    low, high = (K.at(K.given("directions", place), l, j) for place in range(2))
    ends = K.cert(le(0, chance(l)), (HALF, low)), K.cert(le(chance(l), 1), (HALF, high))
    return found[0], K.discharge(found[1], *ends)


LESS = c[i] * c[l] * ((u[i, j] * u[l, j] - 1 + 1 / n) / 4 + n * (u[i, j] - u[l, j]) ** 2 / 16) / (n - 1)


def summed(K: Any, kernel: Any) -> Any:
    """Return the bound of all pairs, summed: clients with themselves are added and taken away."""
    parts = []
    for place, span in enumerate((BEFORE, AFTER)):
        pair = K.cert(
            le(PRODUCT, LESS),
            (c[i] * c[l], K.at(K.given("covariance", place), i, j, l)),
            (c[i] * c[l] / (n * (n - 1)), K.at(K.given("within"), i, j, l)),
            (c[i] * c[l] / (n - 1), kernel),
        )
        parts.append((1, K.sum_over(pair, span)))
    every_pair = Sum(LESS, OTHERS)
    beside = Sum(PRODUCT, BEFORE) + Sum(PRODUCT, AFTER)
    rest = K.cert(le(beside, every_pair - LESS.subs(l, i)), *parts, (-1, K.split_off(every_pair, i)))
    total = K.sum_over(K.sum_over(rest, CLIENTS), COORDINATES)
    whole = Sum(OWN - LESS.subs(l, i), CLIENTS) + Sum(LESS, OTHERS, CLIENTS)
    return K.cert(le(V, 4 / n**2 * Sum(whole, COORDINATES)), (1, K.given("variance")), (4 / n**2, total))


def units(K: Any) -> tuple[Any, Any]:
    r"""Return $\sum_{i,j}c_i^2u_{ij}^2=\sum_ic_i^2$, and $\sum_{i,l,j}c_ic_lu_{ij}^2=(\sum_ic_i)^2$."""
    unit, square = K.at(K.given("unit"), i), Sum(u[i, j] ** 2, COORDINATES)
    norms = K.sum_over(K.cert(eq(c[i] ** 2 * square, c[i] ** 2), (c[i] ** 2, unit)), CLIENTS)
    single = K.sum_over(K.cert(eq(c[i] * square, c[i]), (c[i], unit)), CLIENTS)
    total = Sum(c[i], CLIENTS)
    products = K.cert(eq(total * Sum(c[i] * square, CLIENTS), total**2), (total, single))
    return norms, products


def examples(K: Any) -> None:
    """Offer one nonzero client, equal inputs in two and one dimensions, and levels halfway."""
    half, quarter, zero = HALF, Rational(1, 4), ((0, 0), (0, 0))
    values = {n: 2, d: 2, u: ((1, 0), (1, 0)), kappa: (zero, zero), cov: (((0, -quarter),) * 2,) * 2}
    values = {**values, A: half, B: 0, A_1: half, B_1: 0}
    K.example({**values, c: (1, 0), M: half, m: quarter, Q: quarter, V: quarter})
    values = {**values, c: (1, 1), M: 1, m: 1, Q: 0, V: 0, w: 2}
    K.example(values)
    nothing = (((0,), (0,)),) * 2
    line = {d: 1, u: ((1,), (1,)), kappa: nothing, cov: nothing, A: quarter, x: (1, 1), x_0: 0, s_2: 0}
    K.example({**values, **line})
    halfway = {
        d: 4,
        u: ((half,) * 4,) * 2,
        kappa: (((quarter,) * 4,) * 2,) * 2,
        e: (half,) * 4,
        r: 1,
        h: 1,
        o: (0,) * 4,
    }
    K.example({**values, **halfway, cov: (((-Rational(1, 16),) * 4,) * 2,) * 2, V: 1, A: 2, B: 1})


def refined(K: Any, bounded: Any, norms: Any, products: Any) -> Any:
    """Return the bound in M, m and Q."""
    mean = K.cert(eq(M, Sum(c[i] ** 2, CLIENTS) / n), (1, K.given("squares")), (1 / n, norms))
    return K.cert(
        le(V, REFINED),
        (1, bounded),
        (-1 / (n * (n - 1)), norms),
        (1 / (2 * n * (n - 1)), products),
        (-d / n**2 - B_EQUAL, mean),
        (B_EQUAL, K.given("squares", 1)),
        (-SLOPE, K.given("norms")),
    )


def norm_spread(K: Any, norms: Any, products: Any) -> tuple[Any, Any]:
    r"""Return $0\le Q\le M-m$: $M-m-Q$ is $\frac1{2n^2}\sum_{i,l}c_ic_l\|u_i-u_l\|^2$."""
    square = K.sum_over(K.sign(le(0, (c[i] - c[l]) ** 2)), OTHERS, CLIENTS)
    low = K.cert(le(0, Q), (1 / (2 * n**2), square), (-1, K.given("norms")))
    apart = K.sum_over(K.sign(le(0, c[i] * c[l] * (u[i, j] - u[l, j]) ** 2)), COORDINATES, OTHERS, CLIENTS)
    high = K.cert(
        le(Q, M - m),
        (1 / (2 * n**2), apart),
        (1 / n**2, products),
        (-1 / n, norms),
        (-1, K.given("squares")),
        (1, K.given("squares", 1)),
        (1, K.given("norms")),
    )
    return low, high


def independent(K: Any, correlated: Any, norms: Any) -> None:
    """No covariance is positive."""
    parts = []
    for place, span in enumerate((BEFORE, AFTER)):
        pair = K.cert(
            le(PRODUCT, 0),
            (c[i] * c[l], K.at(K.given("covariance", place), i, j, l)),
            (c[i] * c[l] / (n * (n - 1)), K.at(K.given("within"), i, j, l)),
            (c[i] * c[l] / (n - 1), correlated),
        )
        parts.append((1, K.sum_over(pair, span)))
    rest = K.cert(le(Sum(PRODUCT, BEFORE) + Sum(PRODUCT, AFTER), 0), *parts)
    mean = K.cert(eq(M, Sum(c[i] ** 2, CLIENTS) / n), (1, K.given("squares")), (1 / n, norms))
    K.conclude(
        "independent",
        K.cert(
            le(V, INDEPENDENT * M),
            (1, K.given("variance")),
            (4 / n**2, K.sum_over(rest, CLIENTS, COORDINATES)),
            (-1 / n**2, norms),
            (-INDEPENDENT, mean),
        ),
    )


def attained(K: Any, norms: Any) -> None:
    """Equal inputs whose levels are halfway, and one nonzero client."""
    first, second = K.given("same"), K.given("same", 1)
    scale_i, scale_l = (K.at(first, place) for place in (i, l))
    entry_i, entry_l = K.at(second, i, j), K.at(second, l, j)
    term = within(n * chance(i), n * chance(l))
    cell = K.rewrite(K.rewrite(K.identity(term, term), entry_i, side="right"), entry_l, side="right")
    fraction = LEVEL - floor(LEVEL)
    cell = K.cert(
        eq(kappa[i, l, j], Rational(1, 4)),
        (1, K.at(K.given("within"), i, j, l)),
        (1, cell),
        (HALF - fraction, K.at(K.given("half"), j)),
    )
    kernel = K.rewrite(K.rewrite(K.identity(KERNEL, KERNEL), entry_i, side="right"), entry_l, side="right")
    value = -((1 - e[j] ** 2) / 4 - 1 / (4 * n)) / (n - 1)
    pairs = []
    for place, span in enumerate((BEFORE, AFTER)):
        both = K.cert(
            eq(PRODUCT, r**2 * value),
            (c[l] * cov[i, l, j], scale_i),
            (r * cov[i, l, j], scale_l),
            (r**2, K.at(K.given("covariance", place), i, j, l)),
            (r**2 / (n * (n - 1)), cell),
            (-(r**2) / (n - 1), kernel),
        )
        pairs.append((1, K.sum_over(both, span)))
    beside = Sum(PRODUCT, BEFORE) + Sum(PRODUCT, AFTER)
    rest = K.cert(eq(beside, (n - 1) * r**2 * value), *pairs)
    own = K.cert(
        eq(OWN, r**2 * (1 - e[j] ** 2) / 4),
        ((c[i] + r) * (1 - u[i, j] ** 2) / 4, scale_i),
        (-(r**2) * (u[i, j] + e[j]) / 4, entry_i),
    )
    total = K.cert(
        eq(V, d * r**2 / n**2),
        (1, K.given("variance")),
        (4 / n**2, K.sum_over(own, CLIENTS, COORDINATES)),
        (4 / n**2, K.sum_over(rest, CLIENTS, COORDINATES)),
    )
    square = K.cert(eq(c[i] ** 2, r**2), (c[i] + r, scale_i))
    mean = K.cert(eq(M, r**2), (1, K.given("squares")), (1 / n, norms), (1 / n, K.sum_over(square, CLIENTS)))
    entry = K.cert(eq(c[i] * u[i, j], r * e[j]), (u[i, j], scale_i), (r, entry_i))
    average = K.cert(eq(MEAN, r * e[j]), (1 / n, K.sum_over(entry, CLIENTS)))
    squared = K.cert(eq(MEAN**2, (r * e[j]) ** 2), (MEAN + r * e[j], average))
    same = K.cert(eq(u[i, j] ** 2, e[j] ** 2), (u[i, j] + e[j], entry_i))
    unit = K.cert(
        eq(Sum(e[j] ** 2, COORDINATES), 1), (1, K.at(K.given("unit"), i)), (-1, K.sum_over(same, COORDINATES))
    )
    unit = K.cert(eq(Sum(e[j] ** 2, COORDINATES), 1), (1 / n, K.sum_over(unit, CLIENTS)))
    norm = K.cert(
        eq(m, r**2), (1, K.given("squares", 1)), (1, K.sum_over(squared, COORDINATES)), (r**2, unit)
    )
    K.conclude(
        "attained",
        K.cert(eq(V, BOUND), (1, total), (-A, mean), (B, norm), (-(r**2), K.given("constants", 1))),
    )


def one_client(K: Any, norms: Any) -> None:
    """Nothing is correlated; the squared norm of the mean is M/n."""
    parts, cross = [], []
    products = c[i] * c[l] * u[i, j] * u[l, j]
    for place, span in enumerate((BEFORE, AFTER)):
        none = K.at(K.given("alone", place), i, l)
        parts.append((1, K.sum_over(K.cert(eq(PRODUCT, 0), (cov[i, l, j], none)), span)))
        cross.append((1, K.sum_over(K.cert(eq(products, 0), (u[i, j] * u[l, j], none)), span)))
    rest = K.cert(eq(Sum(PRODUCT, BEFORE) + Sum(PRODUCT, AFTER), 0), *parts)
    mean = K.cert(eq(M, Sum(c[i] ** 2, CLIENTS) / n), (1, K.given("squares")), (1 / n, norms))
    alone = K.cert(
        eq(V, INDEPENDENT * M),
        (1, K.given("variance")),
        (4 / n**2, K.sum_over(rest, CLIENTS, COORDINATES)),
        (-1 / n**2, norms),
        (-INDEPENDENT, mean),
    )
    K.conclude("alone", alone)
    row = Sum(products, OTHERS)
    own = K.cert(eq(row, products.subs(l, i)), (1, K.split_off(row, i)), *cross)
    norm = K.cert(
        eq(m, M / n),
        (1, K.given("squares", 1)),
        (1 / n**2, K.sum_over(own, CLIENTS, COORDINATES)),
        (-1 / n, K.given("squares")),
    )
    larger = K.discharge(
        K.axiom("max-is-right", B_EQUAL, B_UNEQUAL),
        K.cert(le(B_EQUAL, B_UNEQUAL), (1 / (n - 1), K.given("wide"))),
    )
    least = K.cert(eq(B, B_UNEQUAL), (1, K.given("constants")), (1, larger))
    regime = K.cert(
        eq(INDEPENDENT * M, BOUND),
        (-M, K.given("constants", 1)),
        (-M * (1 - 1 / n), least),
        (B, norm),
    )
    K.conclude("regime", regime)
    K.know(K.given("other"))
    K.conclude(
        "smallest",
        K.cert(
            le(B, B_1),
            (1, least),
            (n / (M * (n - 1)), K.given("other", 1)),
            (-n / (M * (n - 1)), alone),
            (n / (n - 1), K.given("other", 2)),
            (-n * B_1 / (M * (n - 1)), norm),
        ),
    )


def one_scale(K: Any, bounded: Any, refined: Any, norms: Any) -> None:
    """The pair bound with one scale for all clients."""
    scale_i, scale_l = (K.at(K.given("common"), place) for place in (i, l))
    own = K.cert(eq(c[i] ** 2, w**2 / 4), (c[i] + w / 2, scale_i))
    both = K.cert(eq(c[i] * c[l], w**2 / 4), (c[l], scale_i), (w / 2, scale_l))
    own = K.sum_over(own, CLIENTS)
    both = K.sum_over(both, OTHERS, CLIENTS)
    # Both sides of a square of an entry with the scale of another client.
    other = K.cert(
        eq(c[i] * c[l] * u[i, j] ** 2, c[i] ** 2 * u[i, j] ** 2),
        (c[i] * u[i, j] ** 2, scale_l),
        (-c[i] * u[i, j] ** 2, scale_i),
    )
    other = K.sum_over(other, OTHERS, CLIENTS, COORDINATES)
    common = K.cert(
        le(V, COMMON),
        (1, bounded),
        (1 / (2 * n * (n - 1)), other),
        (d / n**2 * (1 + (1 - 1 / n) / (n - 1)), own),
        (-d / n**2 * (1 - 1 / n) / (n - 1), both),
        (-B_EQUAL, K.given("squares")),
        (B_EQUAL, K.given("squares", 1)),
    )
    K.conclude("common", common)
    mean = K.cert(eq(M, w**2 / 4), (1, K.given("squares")), (1 / n, norms), (1 / n, own))
    K.conclude("equal-norms", K.cert(le(V, d / n**2 * M + B_EQUAL * (M - m)), (1, common), (-d / n**2, mean)))
    line = K.given("line")
    entry = K.at(K.given("bits"), i)
    total = K.sum_over(entry, CLIENTS)
    offset = K.cert(
        eq(x[i] - Sum(x[l], OTHERS) / n, c[i] * u[i, 0] - Sum(c[l] * u[l, 0], OTHERS) / n),
        (1, entry),
        (-1 / n, total),
    )
    left, right = x[i] - Sum(x[l], OTHERS) / n, c[i] * u[i, 0] - Sum(c[l] * u[l, 0], OTHERS) / n
    squared = K.sum_over(K.cert(eq(left**2, right**2), (left + right, offset)), CLIENTS)
    squares = [K.rewrite(K.given("squares", place), line) for place in range(2)]
    spread = K.cert(
        eq(M - m, s_2),
        (1, squares[0]),
        (-1, squares[1]),
        (-1, K.given("bits", 1)),
        (-1 / n, squared),
    )
    thin = K.cert(le(V, w**2 / (4 * n**2) + B_EQUAL * (M - m)), (1, common), (w**2 / (4 * n**2), line))
    K.conclude("line", K.cert(le(V, w**2 / (4 * n**2) + B_EQUAL * s_2), (1, thin), (B_EQUAL, spread)))
    two = K.given("two")
    K.conclude("two", K.rewrite(thin, two))
