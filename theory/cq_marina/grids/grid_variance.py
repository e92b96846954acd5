r"""Variance of correlated quantization on a grid: symbols, formulas and proofs of `cq_marina/cq-klevel`."""

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
    ceiling,
    floor,
    symbols,
)

from theory.cq_marina.quantizer.stratified import product
from theory.expectation import E
from theory.facts.absolute_value import absolute_below
from theory.facts.rounding.rounding import rounding_variance
from theory.facts.rounding.rounding_differences import variance_below_size, variance_of_difference
from theory.facts.rounding.stratified_shares import within
from theory.formula import eq, le, lt

n, beta, s, sigma, V, W, U, levels, width, fixed, shifted, i, l = (
    Symbol(name, real=True)
    for name in (
        *("n", "beta", "s", "sigma_md", "V", "W", "U", "levels", "width", "fixed", "shifted", "i", "l"),
    )
)
x, y, cov, kappa, tau, apart, b, u, z = symbols("x y cov kappa tau apart b u z", cls=IndexedBase, real=True)
CLIENTS, OTHERS = (i, 0, n - 1), (l, 0, n - 1)
BEFORE, AFTER = (l, 0, i - 1), (l, i + 1, n - 1)

LEVEL = (x[i] - s) / beta
RHO = rounding_variance((x[i] - x[l]) / beta)
COVARIANCE = -(Min(y[i], y[l]) * (1 - Max(y[i], y[l])) - kappa[i, l] / n) / (n - 1)
DEVIATION = x[i] - Sum(x[l], OTHERS) / n


def over_pairs(cell: Any) -> Any:
    """Return the leading term and one of the entries of an array over the pairs of different clients."""
    pairs = Sum(cell, OTHERS, CLIENTS) - Sum(cell.subs(l, i), CLIENTS)
    return beta**2 * Sum(RHO, OTHERS, CLIENTS) / (2 * n**2 * (n - 1)) + beta**2 * pairs / (n**3 * (n - 1))


EXACT, AVERAGED = over_pairs(kappa[i, l]), over_pairs(apart[i, l])
BOUND = beta * sigma / n + beta**2 / (4 * n**2)
AVERAGED_BOUND = beta * sigma / n + beta**2 / (6 * n**2)
INDEPENDENT = beta**2 / n**2 * Sum(rounding_variance(LEVEL), CLIENTS)
FRACTION = (x[i] - x[l]) / beta - floor((x[i] - x[l]) / beta)
DISTANCE = n * Min(FRACTION, 1 - FRACTION)
FIXED, SHIFTED = width / (levels - 1), width / (levels - 2)
USED = ceiling(width / fixed) + 1, ceiling((width - s) / shifted) - floor(-s / shifted) + 1
# The place in its cell of the lower of two clients, where the difference counts as at most half a step.
PLACE = n * y[l] - floor(n * y[l])
PLACE += floor(2 * FRACTION) * (n * y[i] - floor(n * y[i]) - PLACE)
REACH = Max(0, 1 - tau[i, l])
APART, OVERLAP = REACH**3 / 6, u[i, l] * Max(0, 1 - tau[i, l] - u[i, l])
# z is a uniform place where it is below the reach, else 0.
RANDOM = E(
    over_pairs(z[i, l] * (REACH - z[i, l])),
    *(z, CLIENTS, OTHERS),
    mean=REACH**2 / 2,
    variance=REACH**3 / 3 - REACH**4 / 4,
)


def pairwise_variance(K: Any) -> Any:
    """Each pair leaves half of its term of the differences."""
    at_i, at_l = (K.at(K.given("levels"), place) for place in (i, l))
    other = LEVEL.subs(i, l)
    own = y[i] * (1 - y[i])
    closed = own + own.subs(i, l) - 2 * Min(y[i], y[l]) + 2 * y[i] * y[l]
    written = K.rewrite(K.rewrite(K.identity(closed, closed), at_i, "right"), at_l, "right")
    pair = K.cert(eq(RHO, closed), (1, variance_of_difference(K, LEVEL, other)), (-1, written))
    simple = ((RHO - own - own.subs(i, l)) / 2 + kappa[i, l] / n) / (n - 1)
    parts = []
    for place, span in ((0, BEFORE), (1, AFTER)):
        term = K.cert(
            eq(cov[i, l], simple),
            (1, K.at(K.given("covariances", place), i, l)),
            (1 / (n - 1), product(K)),
            (-1 / (2 * (n - 1)), pair),
        )
        parts.append((1, K.sum_over(term, span)))
    beside, total = Sum(cov[i, l], BEFORE) + Sum(cov[i, l], AFTER), Sum(simple, OTHERS)
    rest = K.cert(eq(beside, total - (kappa[i, i] / n - own) / (n - 1)), *parts, (-1, K.split_off(total, i)))
    return K.cert(eq(V, EXACT), (1, K.given("variance")), (beta**2 / n**2, K.sum_over(rest, CLIENTS)))


def differences(K: Any) -> Any:
    r"""Return $\sum_l\rho(t_i-t_l)\le\frac1\beta\sum_{l\ne i}(|x_i-\bar x|+|x_l-\bar x|)$."""
    first, second, t = DEVIATION, DEVIATION.subs(i, l), (x[i] - x[l]) / beta
    size = (Abs(first) + Abs(second)) / beta
    below, above = (
        K.cert(
            goal,
            (1 / beta, K.axiom(f"abs-{one}", first)),
            (1 / beta, K.axiom(f"abs-{two}", second)),
        )
        for goal, one, two in ((le(-size, t), "below", "above"), (le(t, size), "above", "below"))
    )
    pair = K.cert(
        le(RHO, size), (1, variance_below_size(K, t)), (1, absolute_below(K, t, size, below, above))
    )
    return K.cert(
        le(Sum(RHO, OTHERS), Sum(size, OTHERS) - 2 * Abs(first) / beta),
        (1, K.split_off(Sum(RHO, OTHERS), i)),
        (1, K.sum_over(pair, BEFORE)),
        (1, K.sum_over(pair, AFTER)),
        (-1, K.split_off(Sum(size, OTHERS), i)),
    )


def bounded(K: Any, goal: Any, variance: Any, spread: Any, cell: Any) -> Any:
    """Return the goal from a variance and the bound of each of its terms of pairs."""
    cells, most = (kappa, Rational(1, 4)) if goal.left == V else (apart, Rational(1, 6))
    total = Sum(cells[i, l], OTHERS)
    others = K.cert(
        le(total, cells[i, i] + most * (n - 1)),
        (1, K.split_off(total, i)),
        (1, K.sum_over(cell, BEFORE)),
        (1, K.sum_over(cell, AFTER)),
    )
    return K.cert(
        goal,
        (1, variance),
        (beta**2 / (2 * n**2 * (n - 1)), K.sum_over(spread, CLIENTS)),
        (beta**2 / (n**3 * (n - 1)), K.sum_over(others, CLIENTS)),
        (-beta / n, K.given("spread")),
    )


def _overlaps(K: Any, p: Any, q: Any, gap: Any) -> tuple[Any, Any]:
    r"""Return the term of a common cell of known p, q in $[0,1)$, for q = p + gap and for one less."""
    first, second = n * p, n * q
    m, place = floor(first), first - floor(first)
    rest = 1 - n * gap - place
    goal = eq(within(first, second), place * Max(0, rest))
    delta = KroneckerDelta(m, floor(second))
    low, high = place, second - floor(second)
    least, most = Min(low, high), Max(low, high)
    below, above = K.axiom("floor-below", first), K.axiom("floor-above", first)
    K.know(K.axiom("floor-integer", first), K.axiom("floor-integer", second))
    small, large = (Symbol(f"apart_{name}", real=True) for name in ("small", "large"))
    K.know(K.assume(lt(small, large)))
    other = K.axiom("delta-other", small, large)

    def nothing(order: Any, ends: Any, empty: Any) -> Any:
        none = K.discharge(K.instantiate(other, dict(zip((small, large), ends, strict=True))), order)
        return K.cert(goal, (least * (1 - most), none), (-place, empty))

    near, far = K.assume(eq(q, p + gap)), K.assume(eq(q, p + gap - 1))
    same = K.discharge(
        K.axiom("floor-unique", second, m),
        K.cert(le(m, second), (1, below), (n, gap), (-n, near)),
        K.cert(lt(second, m + 1), (1, K.assume(lt(0, rest))), (n, near)),
    )
    one = K.rewrite(K.identity(delta, delta), same, side="right")
    order = K.cert(le(low, high), (n, gap), (-n, near), (1, same))
    inside = K.cert(
        goal,
        (least * (1 - most), K.cert(eq(delta, 1), (1, one), (1, K.axiom("delta-same", m)))),
        (1 - most, K.discharge(K.axiom("min-is-left", low, high), order)),
        (-place, K.discharge(K.axiom("max-is-right", low, high), order)),
        (-place, K.axiom("max-is-right", Integer(0), rest)),
        (place, same),
        (-place * n, near),
    )
    empty = K.axiom("max-is-right", rest, Integer(0))
    over = K.cert(
        lt(m, floor(second)), (1, K.assume(le(rest, 0))), (1, K.axiom("floor-above", second)), (-n, near)
    )
    outside = nothing(over, (m, floor(second)), empty)
    wrapped = K.cert(
        lt(floor(second), m),
        (1, K.axiom("floor-below", second)),
        (1, above),
        (n, far),
        (n, Rational(1, 2) - gap),
        (Rational(1, 2), n - 2),
    )
    under = K.discharge(K.axiom("integer-gap", m, n), K.cert(lt(m, n), (1, below), (n, K.sign(lt(p, 1)))))
    none = K.discharge(empty, K.cert(le(rest, 0), (n, q), (1, under), (n, far)))
    return K.cases(rest, outside, inside), nothing(wrapped, (floor(second), m), none)


def overlap(K: Any) -> Any:
    r"""Return $\kappa_{il}=u_{il}\max\{0,1-\tau_{il}-u_{il}\}$: the lower level of a pair is at $u_{il}$."""
    p, q, gap = (Symbol(f"pair_{name}", real=True) for name in ("lower", "upper", "gap"))
    half, f, t = Rational(1, 2), FRACTION, (x[i] - x[l]) / beta
    K.know(*(K.assume(item) for item in (le(0, p), lt(p, 1), le(0, q), le(0, gap), le(gap, half))))
    known = _overlaps(K, p, q, gap)
    own = {c: K.at(K.given("levels"), c) for c in (i, l)}
    for c in (i, l):
        level = LEVEL.subs(i, c)
        K.know(
            K.axiom("floor-integer", level),
            K.cert(le(0, y[c]), (-1, own[c]), (1, K.axiom("floor-below", level))),
            K.cert(lt(y[c], 1), (1, own[c]), (1, K.axiom("floor-above", level))),
        )
    K.know(K.cert(le(0, f), (1, K.axiom("floor-below", t))), K.cert(lt(f, 1), (1, K.axiom("floor-above", t))))
    far = K.at(K.given("overlap", 1), i, l)
    goal, found = eq(kappa[i, l], OVERLAP), []
    for down, order in ((0, le(y[l], y[i])), (1, lt(y[i], y[l]))):
        cell, given = floor(LEVEL) - floor(LEVEL.subs(i, l)) - down, (1, K.assume(order))
        below, above = ((1, y[i]), (1, 1 - y[l])), ((1, K.sign(lt(y[i], 1))), (1, y[l]))
        unique = K.discharge(
            K.axiom("floor-unique", t, cell),
            K.cert(le(cell, t), (1, own[i]), (-1, own[l]), *(below if down else (given,))),
            K.cert(lt(t, cell + 1), (-1, own[i]), (1, own[l]), *((given,) if down else above)),
        )
        step = K.cert(eq(y[i], y[l] + f - down), (1, own[i]), (-1, own[l]), (1, unique))
        sides = []
        for side, near in ((1, le(1 - 2 * f, 0)), (0, lt(0, 1 - 2 * f))):
            low, high, distance = (y[i], y[l], 1 - f) if side else (y[l], y[i], f)
            wraps = int(down != side)
            half_step = K.cert(le(distance, half), (half, K.assume(near)))
            rule = K.instantiate(known[wraps], {p: low, q: high, gap: distance})
            same = K.cert(eq(high, low + distance - wraps), (-1 if side else 1, step))
            rule = K.discharge(rule, same, *((half_step,) if wraps else ()))
            least = K.axiom("min-is-left", *((1 - f, f) if side else (f, 1 - f)))
            which = K.axiom("floor-unique", 2 * f, Integer(side))
            place, jump = n * low - floor(n * low), n * (y[i] - y[l]) - floor(n * y[i]) + floor(n * y[l])
            at = K.cert(eq(u[i, l], place), (1, K.at(K.given("overlap", 2), i, l)), (jump, which))
            reach = K.cert(eq(tau[i, l], n * distance), (1, far), (n, least))
            written = K.rewrite(K.rewrite(K.identity(OVERLAP, OVERLAP), at, "right"), reach, "right")
            sides.append(K.cert(goal, (1, K.at(K.given("within"), i, l)), (1, rule), (-1, written)))
        found.append(K.cases(1 - 2 * f, *sides))
    return K.cases(y[l] - y[i], *found)


def average(K: Any) -> Any:
    """Return W: the expectations of a place below the reach and of its square leave a sixth of the cube."""
    top = K.axiom("max-least", Integer(0), 1 - tau[i, l], Integer(1))
    K.know(K.axiom("max-above-left", Integer(0), 1 - tau[i, l]))
    spread = K.cert(le(0, REACH**3 / 3 - REACH**4 / 4), (REACH**3 / 4, top), (1, REACH**3 / 12))
    K.know(K.every(spread, OTHERS, CLIENTS))
    moments = K.identity(RANDOM, over_pairs(APART))
    pair = K.sum_over(K.at(K.given("overlap"), i, l), OTHERS, CLIENTS)
    diagonal = K.sum_over(K.at(K.given("overlap"), i, i), CLIENTS)
    weight = beta**2 / (n**3 * (n - 1))
    return K.cert(eq(W, AVERAGED), (1, K.given("shift")), (1, moments), (-weight, pair), (weight, diagonal))


def used_levels(K: Any) -> None:
    """Conclude how many levels both grids use: a shift costs less than one more."""
    K.know(K.cert(lt(0, levels - 2), (1, K.given("sizes", 5))))
    given = [K.given("grids", place) for place in (0, 1)]
    down = -width / fixed
    all_cells = K.cert(eq(down, 1 - levels), ((levels - 1) / fixed, given[0]))
    ends = K.cert(le(1 - levels, down), (-1, all_cells)), K.cert(lt(down, 2 - levels), (1, all_cells))
    exact = K.discharge(K.axiom("floor-unique", down, 1 - levels), *ends)
    K.conclude("fixed-levels", K.cert(eq(USED[0], levels), (-1, exact)))
    first, second = -(width - s) / shifted, -s / shifted
    all_cells = K.cert(eq(first + second, 2 - levels), ((levels - 2) / shifted, given[1]))
    above = [K.axiom("floor-above", end) for end in (first, second)]
    most = K.cert(lt(USED[1], levels + 1), (-1, all_cells), *((1, item) for item in above))
    most = K.discharge(K.axiom("integer-gap", USED[1], levels + 1), most)
    K.conclude("shifted-levels", K.cert(le(USED[1], levels), (1, most)))


def overlap_bound(K: Any) -> Any:
    r"""Return $\lambda_{il}\le\frac16$, the third power of a number between 0 and 1."""
    t, f = (x[i] - x[l]) / beta, FRACTION
    K.know(
        K.discharge(
            K.axiom("min-greatest", f, 1 - f, Integer(0)),
            K.cert(le(0, f), (1, K.axiom("floor-below", t))),
            K.cert(le(0, 1 - f), (1, K.axiom("floor-above", t))),
        )
    )
    far = K.at(K.given("overlap", 1), i, l)
    K.know(K.cert(le(0, tau[i, l]), (-1, far), (n, Min(f, 1 - f))))
    value = Max(0, 1 - tau[i, l])
    small = K.axiom("max-least", Integer(0), 1 - tau[i, l], Integer(1))
    K.know(K.axiom("max-above-left", Integer(0), 1 - tau[i, l]))
    return K.cert(
        le(apart[i, l], Rational(1, 6)),
        (1, K.at(K.given("overlap"), i, l)),
        ((1 + value + value**2) / 6, small),
    )


def compare_grids(K: Any, few: Any, many: Any) -> None:
    """Conclude which grid has the smaller bound, from the links to be shown."""
    steps = [K.given("grids"), K.given("grids", 1)]
    size = Sum(Abs(DEVIATION), CLIENTS) / n
    K.know(K.cert(le(0, sigma), (-1, K.given("spread")), (1, size)))
    weight = width**2 / (12 * n**2 * (levels - 1) ** 2 * (levels - 2) ** 2)
    K.know(K.cert(lt(0, levels - 2), (1, K.given("sizes", 5))))
    for name, link in (("few", few), ("many", many)):
        if name == "few":
            terms: Any = (
                (1, width * sigma / (n * (levels - 1) * (levels - 2))),
                (weight * (levels - 2), K.given("few")),
                (2 * weight, Integer(1)),
            )
        else:
            terms = ((weight * (levels - 1), K.given("many")), (3 * weight, Integer(1)))
        K.conclude(f"{name}-levels", K.cert(link, *terms, using=steps))
