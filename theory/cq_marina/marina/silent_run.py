r"""MARINA that sends nothing, for $\frac12x^2$: the step for unbiased messages is too long."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.round import gamma, p
from theory.formula import eq, every, le
from theory.hypotheses import model, parameter

BROKEN, LAST = Integer(44), 39
average, rate, k = symbols("silent_average silent_rate k", real=True)
# By rounds: second moments of the point and the estimate, and their mean product.
point, est, both = symbols("point est both", cls=IndexedBase, real=True)
ROUNDS = (k, 0, LAST - 1)

_MOVED = point[k] - 2 * gamma * both[k] + gamma**2 * est[k]
_PRODUCT = p * point[k + 1] + (1 - p) * (both[k] - gamma * est[k])
_ESTIMATE = p * point[k + 1] + (1 - p) * est[k]
VARIABLES = (
    Variable(average, r"\bar G_{40}", r"\mathbb R_{\ge0}", "average expected squared gradient of 40 rounds"),
    Variable(rate, r"\beta_{40}", r"\mathbb R_{\ge0}", "bound of `cq_marina/marina-rate` for it"),
)
HYPOTHESES = {
    "silent": model(
        "nothing is sent: the gradient, which is the point, moves by the step times the estimate, which is "
        "the new gradient with probability $p$, else what it was; second moments of 40 rounds from 1, the "
        "first estimate being the gradient",
        every(eq(point[k + 1], _MOVED), ROUNDS),
        every(eq(both[k + 1], _PRODUCT), ROUNDS),
        every(eq(est[k + 1], _ESTIMATE), ROUNDS),
        *(eq(item[0], 1) for item in (point, both, est)),
        eq(average, Sum(point[k], (k, 0, LAST)) / (LAST + 1)),
        eq(rate, 1 / (gamma * (LAST + 1))),
    ),
    "unbiased-step": parameter(r"$p=\frac1{10}$, $\gamma=\frac1{1+\sqrt{\frac{1-p}p}}$"),
}
RELATIONS = {"too-long": Relation((BROKEN * rate, average), ("<=",), under=("silent", "unbiased-step"))}


def example() -> dict[Any, Any]:
    """Return the run."""
    chance, step, moments = Rational(1, 10), Rational(1, 4), [(Rational(1),) * 3]
    for _ in range(LAST):
        x, xg, g = moments[-1]
        moved = x - 2 * step * xg + step**2 * g
        product, square = (chance * moved + (1 - chance) * item for item in (xg - step * g, g))
        moments.append((moved, product, square))
    points, products, squares = zip(*moments, strict=True)
    found = {p: chance, gamma: step, point: points, both: products, est: squares}
    return {**found, average: sum(points) / (LAST + 1), rate: 1 / (step * (LAST + 1))}


def conclude(K: Any) -> None:
    """Add up the recursions backwards, each by what the sum of all points has of it."""
    chance = K.given("unbiased-step")
    root = K.cert(eq(sqrt((1 - p) / p), 3), using=[chance])
    step = K.cert(eq(gamma, Rational(1, 4)), using=[K.rewrite(K.given("unbiased-step", 1), root)])
    share, length = Rational(1, 10), Rational(1, 4)
    terms, weights = [], (Integer(1), Integer(0), Integer(0))
    for place in reversed(range(LAST)):
        of_point, of_both, of_est = weights
        moved = of_point + share * (of_both + of_est)
        for item, weight in enumerate((moved, of_both, of_est)):
            terms.append((-weight / (LAST + 1), K.at(K.given("silent", item), place)))
        weights = (
            1 + moved,
            (1 - share) * of_both - 2 * length * moved,
            length**2 * moved - (1 - share) * (length * of_both - of_est),
        )
    terms += [(-weight / (LAST + 1), K.given("silent", 3 + item)) for item, weight in enumerate(weights)]
    spare = sum(weights) / (LAST + 1) - BROKEN / (length * (LAST + 1))
    long = K.cert(
        le(BROKEN * rate, average),
        (-1, K.given("silent", 6)),
        (BROKEN, K.given("silent", 7)),
        *terms,
        (spare, K.sign(le(0, 1))),
        using=[chance, step],
    )
    K.conclude("too-long", long)
