r"""MARINA on the family of `cq_marina/neg-control` with a step that ignores the Hessian variance."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Variable
from theory.facts.sums.telescoping_sum import telescoping_ends
from theory.formula import eq, every, le, lt
from theory.hypotheses import model, parameter

n, d, L, k, p, gamma, T, average, rate = symbols("n d L k p gamma T average rate_bound", real=True)
# By rounds: second moments of the gradient and the estimate, and their mean product.
grad, est, both = symbols("grad est both", cls=IndexedBase, real=True)
EARLY, ROUNDS = (k, 0, T - 2), (k, 0, T - 1)

_NOISE = (d - 1) / n**2 * (n * L * gamma) ** 2 * est[k]
_MOVED = grad[k] - 2 * L * gamma * both[k] + (L * gamma) ** 2 * est[k]
_ESTIMATE = p * grad[k + 1] + (1 - p) * ((1 - gamma * L) ** 2 * est[k] + _NOISE)
_DECAY = Rational(81, 88)
EXCEEDS = 54 * _DECAY ** (T - 2) * average, rate
VARIABLES = (
    Variable(p, "p", "(0,1]", "probability of a full gradient"),
    Variable(T, "T", r"\mathbb N", "number of rounds"),
    Variable(average, r"\bar G_T", r"\mathbb R_{\ge0}", "average expected squared gradient"),
    Variable(rate, r"\beta_T", r"\mathbb R_{\ge0}", "bound of `cq_marina/marina-rate` for it"),
)
HYPOTHESES = {
    "numbers": parameter(r"$n=4$, $d=8$, $p=\frac19$, $T\ge2$ is an integer"),
    "round": model(
        "second moments: the gradient moves by the curvature times the step times the estimate, which is "
        "the new gradient with probability $p$, else moves by the unbiased message with the variance of "
        "(b); the sum of two gradients has a second moment, too; the run begins with the gradient",
        eq(gamma, 1 / (L + sqrt((1 - p) / p * d / n**2 * L**2))),
        every(eq(grad[k + 1], _MOVED), EARLY),
        every(eq(est[k + 1], _ESTIMATE), EARLY),
        every(le(0, grad[k + 1] + grad[k] + 2 * (grad[k] - L * gamma * both[k])), EARLY),
        *(every(le(0, grad[k]), ROUNDS), every(le(0, est[k]), ROUNDS), eq(est[0], grad[0])),
        *(eq(average, Sum(grad[k], ROUNDS) / T), eq(rate, 2 * (grad[0] / (2 * L)) / (gamma * T))),
        lt(0, gamma),
        reference="cq_marina/marina-exact-oracle",
    ),
}
EXAMPLE = {
    **{n: 4, d: 8, L: 1, p: Rational(1, 9), T: 2, grad: (9, 4), est: (9, Rational(92, 9)), both: (9,)},
    **{average: Rational(13, 2), rate: Rational(27, 2)},
}


def equations(K: Any) -> list[Any]:
    """Return the numbers, and that the step is a third of 1/L."""
    numbers = [K.given("numbers", place) for place in range(3)]
    root = sqrt((1 - p) / p * d / n**2 * L**2)
    size = K.cert(eq(root, 2 * L), (2, K.axiom("abs-of-nonnegative", L)), using=numbers)
    return [*numbers, K.rewrite(K.given("round"), size, side="right")]


def terms(K: Any) -> tuple[Any, ...]:
    """Return the terms of the inequality: with this step the noise is more than what the coin takes away."""
    K.index(EARLY)
    two = K.given("numbers", 4)
    K.know(
        K.given("numbers", 3),
        two,
        *(K.cert(le(0, T - more), (1, two), (1, Integer(2 - more))) for more in (0, 1)),
    )
    K.know(*(K.given("round", place) for place in (4, 5, 9)))
    step = equations(K)
    grown = K.cert(
        le(est[k], _DECAY * est[k + 1]),
        (-_DECAY, K.at(K.given("round", 2), k)),
        (_DECAY / 9, grad[k + 1]),
        using=step,
    )
    power, last = est[k] * _DECAY**k, _DECAY ** (T - 2)
    rises = K.cert(le(0, power.subs(k, k + 1) - power), (_DECAY**k, grown))
    moved = K.cert(
        le((L * gamma) ** 2 * est[k], 2 * grad[k + 1] + 2 * grad[k]),
        (-1, K.at(K.given("round", 1), k)),
        (1, K.at(K.given("round", 3), k)),
    )
    total = Sum(grad[k], ROUNDS)
    rest = Sum(grad[k], EARLY)
    return (
        (-54 * last, K.given("round", 7)),
        (1, K.given("round", 8)),
        (-54 * last / T, K.split_off(total)),
        (-54 * last / T, K.split_off(rest)),
        (54 * last / T, Sum(grad[k], (k, 0, T - 3))),
        (27 * last / T, K.at(K.every(moved, EARLY), T - 2)),
        (3 / T, K.sum_over(rises, (k, 0, T - 3))),
        (3 / T, telescoping_ends(K, power, k, T - 2)),
        (-3 / T, K.given("round", 6)),
    )
