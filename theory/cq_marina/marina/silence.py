r"""MARINA on $\frac12x^2$ where nothing is sent, at the step for unbiased ones: part of `marina-biased`."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.round import ONE, coin, gamma, p
from theory.expectation import bernoulli
from theory.formula import eq, every, le
from theory.hypotheses import model, parameter

TIMES = 44
_ROUNDS, _P, _STEP = 40, Rational(1, 10), Rational(1, 4)
t = Symbol("t", real=True)
square, mixed, estimate = symbols("silent_xx silent_xg silent_gg", cls=IndexedBase, real=True)
_MOMENTS, _SPAN = (square, mixed, estimate), (t, 0, _ROUNDS - 2)


def _either(full: Any, silent: Any) -> Any:
    return bernoulli(coin[0] * full + (1 - coin[0]) * silent, coin, ONE, p=p)


_NEXT = (
    square[t] - 2 * gamma * mixed[t] + gamma**2 * estimate[t],
    _either(square[t + 1], mixed[t] - gamma * estimate[t]),
    _either(square[t + 1], estimate[t]),
)
VARIABLE = Variable(square, r"\mathbb E(x^{#1})^2", r"\mathbb R_{\ge0}", "expected square", "(40,)", first=0)
HYPOTHESES = {
    "silent": model(
        "from $x^0=g^0=1$; with the coin the next estimate is the next point, else it stays",
        *(eq(item[0], 1) for item in _MOMENTS),
        *(every(eq(item[t + 1], new), _SPAN) for item, new in zip(_MOMENTS, _NEXT, strict=True)),
    ),
    "tenth": parameter(r"$p=\frac1{10}$, $\gamma=\frac14$", eq(p, _P), eq(gamma, _STEP)),
}
RELATION = Relation(
    (TIMES * Rational(1, 10), Sum(square[t], (t, 0, _ROUNDS - 1)) / _ROUNDS),
    ("<=",),
    under=("silent", "tenth"),
)


def _values() -> list[tuple[Any, Any, Any]]:
    """Return the moments, round by round."""
    found = [(Rational(1),) * 3]
    for _ in range(_ROUNDS - 1):
        xx, xg, gg = found[-1]
        new = xx - 2 * _STEP * xg + _STEP**2 * gg
        found.append((new, _P * new + (1 - _P) * (xg - _STEP * gg), _P * new + (1 - _P) * gg))
    return found


def example() -> dict[Any, Any]:
    """Return the run."""
    return {p: _P, gamma: _STEP} | dict(zip(_MOMENTS, zip(*_values(), strict=True), strict=True))


def too_long(K: Any) -> Any:
    """Return that the average is large, from the moments of every round."""
    numbers = [K.given("tenth"), K.given("tenth", 1)]
    xx, xg, gg = (K.given("silent", place) for place in range(3))
    squares = [xx]
    for place, values in enumerate(_values()[1:]):
        first, second, third = (K.at(K.given("silent", 3 + number), place) for number in range(3))
        new = K.cert(
            eq(square[place + 1], values[0]),
            *((1, first), (1, xx), (-2 * gamma, xg), (gamma**2, gg)),
            using=numbers,
        )
        xg = K.cert(
            eq(mixed[place + 1], values[1]),
            *((1, second), (p, new), (1 - p, xg), (-(1 - p) * gamma, gg)),
            using=numbers,
        )
        gg = K.cert(eq(estimate[place + 1], values[2]), (1, third), (p, new), (1 - p, gg), using=numbers)
        xx = new
        squares.append(xx)
    low, total = RELATION.sides
    return K.cert(le(low, total), *((-Rational(1, _ROUNDS), item) for item in squares))
