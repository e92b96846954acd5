r"""MARINA that sends nothing, for $\frac12x^2$: the step for unbiased messages is too long."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.round import gamma, p
from theory.cq_marina.marina.run import T
from theory.facts.sums.telescoping_sum import telescoping_ends
from theory.formula import eq, le
from theory.hypotheses import model, parameter

BROKEN = Integer(44)
average, rate, k = symbols("silent_average silent_rate k", real=True)
# By rounds: second moments of the point and the estimate, and their mean product.
point, est, both = symbols("point est both", cls=IndexedBase, real=True)
z = IndexedBase("z", real=True)
EARLY, ROUNDS = (k, 0, T - 2), (k, 0, T - 1)

_MOVED = point[k] - 2 * gamma * both[k] + gamma**2 * est[k]
_PRODUCT = p * point[k + 1] + (1 - p) * (both[k] - gamma * est[k])
_ESTIMATE = p * point[k + 1] + (1 - p) * est[k]
_DECAY, _TIMES, _REACHED = Rational(12, 13), 234, 875
VARIABLES = (
    Variable(
        average, r"\bar G_T", r"\mathbb R_{\ge0}", "average expected squared gradient where nothing is sent"
    ),
    Variable(rate, r"\beta_T", r"\mathbb R_{\ge0}", "bound of `cq_marina/marina-rate` for it"),
    Variable(
        point, r"\mathbb E\|x^{#1}\|^2", r"\mathbb R_{\ge0}", "second moments of the point", "(T,)", first=0
    ),
    Variable(est, r"\mathbb E\|g^{#1}\|^2", r"\mathbb R_{\ge0}", "those of the estimate", "(T,)", first=0),
    Variable(
        both, r"\mathbb E\langle x^{#1},g^{#1}\rangle", r"\mathbb R", "their mean products", "(T,)", first=0
    ),
    Variable(z, "z", r"\mathbb R^1", "any multiple of the estimate", "(1,)"),
)
HYPOTHESES = {
    "silent": model(
        r"$\mathbb E\|x^{k+1}\|^2=\mathbb E\|x^k\|^2-2\gamma\mathbb E\langle x^k,g^k\rangle+\gamma^2"
        r"\mathbb E\|g^k\|^2$ for $0\le k\le T-2$, since the gradient is the point; "
        r"$\mathbb E\langle x^{k+1},g^{k+1}\rangle=p\mathbb E\|x^{k+1}\|^2+(1-p)"
        r"(\mathbb E\langle x^k,g^k\rangle-\gamma\mathbb E\|g^k\|^2)$ for $0\le k\le T-2$, since the "
        "estimate is the new gradient by the coin; "
        r"$\mathbb E\|g^{k+1}\|^2=p\mathbb E\|x^{k+1}\|^2+(1-p)\mathbb E\|g^k\|^2$ for $0\le k\le T-2$, "
        "since nothing is sent; "
        r"$\mathbb E\|x^k\|^2-2z_1\mathbb E\langle x^k,g^k\rangle+z_1^2\mathbb E\|g^k\|^2\ge0$ for all real "
        r"$z_1$; $\mathbb E\|x^k\|^2\ge0$, $\mathbb E\|g^k\|^2\ge0$, since these are second moments; "
        r"$\mathbb E\|x^0\|^2=1$, $\mathbb E\langle x^0,g^0\rangle=1$, $\mathbb E\|g^0\|^2=1$; "
        r"$\bar G_T=\frac1T\sum_{k=0}^{T-1}\mathbb E\|x^k\|^2$, $\beta_T=\frac1{\gamma T}$"
    ),
    "unbiased-step": parameter(r"$p=\frac1{10}$, $\gamma=\frac1{1+\sqrt{\frac{1-p}p}}$"),
    "long": parameter(r"$T\ge2$"),
}
RELATIONS = {
    "too-long": Relation(
        (_TIMES * _DECAY ** (T - 2) * average, rate), (">=",), under=("silent", "unbiased-step", "long")
    )
}


def example(rounds: int) -> dict[Any, Any]:
    """Return the run."""
    chance, step, moments = Rational(1, 10), Rational(1, 4), [(Rational(1),) * 3]
    while len(moments) < rounds:
        x, xg, g = moments[-1]
        moved = x - 2 * step * xg + step**2 * g
        product, square = (chance * moved + (1 - chance) * item for item in (xg - step * g, g))
        moments.append((moved, product, square))
    points, products, squares = zip(*moments, strict=True)
    found = {T: rounds, p: chance, gamma: step, point: points, both: products, est: squares}
    return {**found, average: sum(points) / rounds, rate: 1 / (step * rounds)}


def conclude(K: Any) -> None:
    """The sum 8 A - 23 B + 30 C of the moments grows by a twelfth in each round."""
    chance = K.given("unbiased-step")
    root = K.cert(eq(sqrt((1 - p) / p), 3), using=[chance])
    step = K.cert(eq(gamma, Rational(1, 4)), using=[K.rewrite(K.given("unbiased-step", 1), root)])
    numbers = [chance, step]
    K.index(EARLY)
    K.know(K.given("silent", 4), K.given("silent", 5))
    K.know(K.given("long"), K.cert(le(0, T - 2), (1, K.given("long"))))
    moves = [K.at(K.given("silent", place), k) for place in (0, 1, 2)]
    weighed = 8 * point[k] - 23 * both[k] + 30 * est[k]

    def square(multiple: Any) -> Any:
        return K.at(K.at(K.given("silent", 3), k), lambda _: multiple)

    # The next sum has (8 + 7 / 10) of the next point; what is left over is 1/30 A - 2/15 B + 7/32 C.
    rises = K.cert(
        le(weighed, _DECAY * weighed.subs(k, k + 1)),
        *((_DECAY * weight, move) for weight, move in zip((Rational(-87, 10), 23, -30), moves, strict=True)),
        (_DECAY / 30, square(2)),
        (_DECAY * (Rational(7, 32) - Rational(4, 30)), K.at(K.given("silent", 5), k)),
        using=numbers,
    )
    # 1742 A - 829 / 2 B + 395 / 16 C is left over.
    multiple = Rational(829, 4 * 1742)
    reached = K.cert(
        le(weighed, _REACHED * (point[k] + point[k + 1])),
        (-_REACHED, moves[0]),
        (1742, square(multiple)),
        (Rational(395, 16) - 1742 * multiple**2, K.at(K.given("silent", 5), k)),
        using=numbers,
    )
    power, last = weighed * _DECAY**k, _DECAY ** (T - 2)
    risen = K.cert(le(0, power.subs(k, k + 1) - power), (_DECAY**k, rises))
    total, rest = Sum(point[k], ROUNDS), Sum(point[k], EARLY)
    share = _TIMES * last / T
    part = Rational(_TIMES, _REACHED) / T
    K.show(
        "too-long",
        (-_TIMES * last, K.given("silent", 9)),
        (1, K.given("silent", 10)),
        (-share, K.split_off(total)),
        (-share, K.split_off(rest)),
        (share, Sum(point[k], (k, 0, T - 3))),
        (part * last, K.at(K.every(reached, EARLY), T - 2)),
        (part, K.sum_over(risen, (k, 0, T - 3))),
        (part, telescoping_ends(K, power, k, T - 2)),
        (-8 * part, K.given("silent", 6)),
        (23 * part, K.given("silent", 7)),
        (-30 * part, K.given("silent", 8)),
        ((15 * Rational(_TIMES, _REACHED) - 4) / T, K.sign(le(0, 1))),
        using=numbers,
    )
