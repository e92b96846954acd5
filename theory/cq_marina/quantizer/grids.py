r"""Variance of correlated quantization on a grid: symbols, formulas and proofs of `cq_marina/cq-klevel`."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Max, Min, Rational, Sum, Symbol, floor

from theory.cq_marina.quantizer.stratified import product
from theory.facts.absolute_value import absolute_below
from theory.facts.rounding import rounding_variance
from theory.facts.rounding_differences import variance_below_size, variance_of_difference
from theory.formula import eq, le, lt

n, beta, s, sigma, V, W, U, levels, width, fixed, shifted, i, l = (
    Symbol(name, real=True)
    for name in (
        *("n", "beta", "s", "sigma_md", "V", "W", "U", "levels", "width", "fixed", "shifted", "i", "l"),
    )
)
x, y, cov, kappa, tau, apart, b = (
    IndexedBase(name, real=True) for name in ("x", "y", "cov", "kappa", "tau", "apart", "b")
)
CLIENTS, OTHERS = (i, 0, n - 1), (l, 0, n - 1)
BEFORE, AFTER = (l, 0, i - 1), (l, i + 1, n - 1)

LEVEL = (x[i] - s) / beta
RHO = rounding_variance((x[i] - x[l]) / beta)
COVARIANCE = -(Min(y[i], y[l]) * (1 - Max(y[i], y[l])) - kappa[i, l] / n) / (n - 1)
DEVIATION = x[i] - Sum(x[l], OTHERS) / n


def over_pairs(cells: Any) -> Any:
    """Return the leading term and one of an array over the pairs of different clients."""
    pairs = Sum(cells[i, l], OTHERS, CLIENTS) - Sum(cells[i, i], CLIENTS)
    return beta**2 * Sum(RHO, OTHERS, CLIENTS) / (2 * n**2 * (n - 1)) + beta**2 * pairs / (n**3 * (n - 1))


EXACT, AVERAGED = over_pairs(kappa), over_pairs(apart)
BOUND = beta * sigma / n + beta**2 / (4 * n**2)
AVERAGED_BOUND = beta * sigma / n + beta**2 / (6 * n**2)
INDEPENDENT = beta**2 / n**2 * Sum(rounding_variance(LEVEL), CLIENTS)
FRACTION = (x[i] - x[l]) / beta - floor((x[i] - x[l]) / beta)
DISTANCE = n * Min(FRACTION, 1 - FRACTION)
APART = Max(0, 1 - tau[i, l]) ** 3 / 6
FIXED, SHIFTED = width / (levels - 1), width / (levels - 2)


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
    K.know(K.cert(lt(0, levels - 2), (1, K.given("sizes", 4))))
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
