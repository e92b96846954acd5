import sys
import time

import pytest
from sympy import (
    Abs,
    And,
    Eq,
    Implies,
    IndexedBase,
    Max,
    Min,
    Ne,
    Not,
    Or,
    Piecewise,
    Product,
    Rational,
    S,
    Sum,
    exp,
    sqrt,
    symbols,
)

from impl.errors import ArgumentError
from verify.evidence import prove, second_opinion

a, b, c, d, g, k, p, t, x, y, L, mu, omega = symbols("a b c d g k p t x y L mu omega", real=True)
n, i = symbols("n i", integer=True)
pos = symbols("q", positive=True)
h = IndexedBase("h", positive=True)
xs, ys = symbols("x:4", real=True), symbols("y:4", real=True)
CAUCHY_SCHWARZ_4 = sum(u * v for u, v in zip(xs, ys, strict=True)) ** 2 <= sum(u**2 for u in xs) * sum(
    v**2 for v in ys
)

LEMMAS = {
    "quarter": ([p >= 0, p <= 1], p * (1 - p) <= Rational(1, 4)),
    "min": ([t >= 0, t <= 1], t * (1 - t) <= Min(t, Rational(1, 4))),
    "young": ([c > 0], a * b <= a**2 / (2 * c) + c * b**2 / 2),
    "square-of-sum": ([c > 0], (a + b) ** 2 <= (1 + c) * a**2 + (1 + 1 / c) * b**2),
    "step": ([a >= 0, b >= 0, sqrt(a) + b > 0, g >= 0, g <= 1 / (sqrt(a) + b)], a * g**2 + b * g <= 1),
    "inverse": ([x > -1], 1 - x <= 1 / (1 + x)),
    "decay": ([a >= 0], (1 - a) * (1 + a / 2) <= 1 - a / 2),
    "rounding": ([k >= 0, k <= y, y <= k + 1], (y - k) * (k + 1 - y) <= Rational(1, 4)),
    "rounding-small": ([k >= 0, k <= y, y <= k + 1], (y - k) * (k + 1 - y) <= y),
    "powers-of-two": ([a > 0, t >= a, t <= 2 * a], (t - a) * (2 * a - t) <= t**2 / 8),
    "amgm3": ([a >= 0, b >= 0, c >= 0], a**3 + b**3 + c**3 >= 3 * a * b * c),
    "l1-l2": ([], Abs(a) + Abs(b) + Abs(c) <= sqrt(3) * sqrt(a**2 + b**2 + c**2)),
    "sup-norm": (
        [d >= 1, t >= 0, t <= 1],
        1 + (d - 1) * t <= (1 + sqrt(d)) / 2 * (1 + (d - 1) * t**2),
    ),
    "motzkin": ([], a**4 * b**2 + a**2 * b**4 + 1 - 3 * a**2 * b**2 >= 0),
    "one-step": (
        [mu > 0, mu <= x, x <= L, omega >= 0, g > 0, g * L * (1 + omega) <= 1],
        (1 - g * x) ** 2 + g**2 * x**2 * omega <= 1 - g * mu,
    ),
    "nested": ([x >= 0], 1 / (1 + sqrt(x)) <= 1),
    "power-3/2": ([x >= 0, y >= x], x ** Rational(3, 2) <= y ** Rational(3, 2)),
    "power--1/2": ([x > 0, y >= x], x ** Rational(-1, 2) >= y ** Rational(-1, 2)),
    "cube-root": ([x >= 1], x ** Rational(1, 3) <= x),
    "piecewise": ([], Piecewise((1 / x, x > 0), (0, True)) >= 0),
    "max": ([], Max(a, b, c) >= (a + b + c) / 3),
    "sign-of-symbol": ([], pos + 1 / pos >= 2),
    "indexed-sum": ([], Sum(h[i], (i, 0, 1)) ** 2 <= 2 * Sum(h[i] ** 2, (i, 0, 1))),
    "connectives": ([Or(x > 1, x < -1), Not(Eq(y, 0))], And(x**2 > 1, Implies(y > 0, y**2 > 0), Ne(y, 0))),
    "integer-as-real": ([n >= 1], n**2 >= n),
    "order-of-hypotheses": ([1 / x >= 1, x > 0], x <= 1),
    "evaluated-by-sympy": ([], x**2 >= 0),
}


@pytest.mark.parametrize("name", LEMMAS)
def test_proved(name):
    assert prove(*LEMMAS[name]) == "proved"


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        ([p >= 0, p <= 1], p * (1 - p) <= Rational(249, 1000)),
        ([a >= 0, b >= 0, sqrt(a) + b > 0, g >= 0, g <= 2 / (sqrt(a) + b)], a * g**2 + b * g <= 1),
        ([x >= 0], x**2 >= x),
        ([], S.false),
        ([x > 1], x**2 < 0),
        # Only irrational numbers satisfy these hypotheses: the model is checked as an algebraic number.
        ([Eq(x**2, 2), x > 0], x <= Rational(14, 10)),
        ([Eq(x**3, 2)], x <= Rational(1, 2)),
    ],
)
def test_refuted(hypotheses, goal):
    assert prove(hypotheses, goal) == "refuted"


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        ([x <= -1], sqrt(x) >= 0),
        ([x >= 0], 1 / x >= 0),
        ([sqrt(x) >= 1], x >= 1),  # a hypothesis does not vouch for itself
        ([], Piecewise((1 / x, x >= 0), (0, True)) >= 0),
        ([], Piecewise((x, x > 0), (-x, x < 0)) >= 0),
        ([], Piecewise((1 / x, x > 0), (2, x < 0)) >= 0),  # of two conditions, the second one fails
        ([Piecewise((x, x > 0), (-x, x < 0)) >= 1], x**2 >= 1),  # no branch of a hypothesis applies at 0
        ([x >= 0], 1 / sqrt(x) > 0),
        ([x <= -1], x ** Rational(1, 3) <= 0),  # sympy means the principal, complex root
    ],
)
def test_undefined(hypotheses, goal):
    assert prove(hypotheses, goal) == "undefined"


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [([x > 1, x < 0], x >= 5), ([S.false], x >= 0), ([pos < 0], pos > 1), ([x**2 < 0], x**2 >= 0)],
)
def test_vacuous(hypotheses, goal):
    assert prove(hypotheses, goal) == "vacuous"


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        ([], exp(x) >= 1 + x),  # not polynomial
        ([], 2**x > x),
        ([], Sum(h[i], (i, 0, n)) <= 1),
        ([], Product(h[i], (i, 1, n)) <= 1),
        ([n > 0], n**2 >= n),  # the counter-model n = 1/2 is no integer
    ],
)
def test_unknown(hypotheses, goal):
    assert prove(hypotheses, goal) == "unknown"


def test_a_wrong_model_refutes_nothing(monkeypatch):
    module = sys.modules["verify.evidence.smt_solver"]
    for value in (0, -1):  # 0 satisfies the goal, -1 contradicts the hypothesis
        monkeypatch.setattr(module, "_ask_z3", lambda *_, value=value: ("sat", {"x0": [S(value)]}))
        assert prove([x >= 0], x + 1 > 0) == "unknown"


def test_budgets_end_in_unknown():
    start = time.monotonic()
    assert prove([], CAUCHY_SCHWARZ_4, rlimit=200_000) == "unknown"
    assert prove([], CAUCHY_SCHWARZ_4, rlimit=2**31, timeout=0.5) == "unknown"
    assert time.monotonic() - start < 20  # without the hard stop the second call takes minutes


@pytest.mark.parametrize("ask", [prove, second_opinion])
@pytest.mark.parametrize(
    ("hypotheses", "goal", "number"),
    [([x >= 0.1], x >= 0, "0.1"), ([], 0.25 * x**2 <= 1, "0.25"), ([], x**0.5 >= 0, "0.5")],
)
def test_floats_are_refused_with_the_remedy(ask, hypotheses, goal, number):
    if ask is second_opinion:
        pytest.importorskip("cvc5")
    with pytest.raises(ArgumentError, match=rf'float {number}\d*, .*sympy\.Rational\("{number}"\)'):
        ask(hypotheses, goal)


@pytest.mark.parametrize("goal", [x, x + 1, 3])
def test_a_goal_must_be_a_relation(goal):
    with pytest.raises(ArgumentError, match="must be a relation"):
        prove([], goal)


@pytest.mark.parametrize("name", ["young", "step", "amgm3", "piecewise", "max"])
def test_second_opinion_agrees(name):
    pytest.importorskip("cvc5")
    assert second_opinion(*LEMMAS[name]) == "proved"


@pytest.mark.parametrize(
    ("hypotheses", "goal", "answer"),
    [
        ([p >= 0, p <= 1], p * (1 - p) <= Rational(249, 1000), "refuted"),
        ([x >= 0], 1 / x >= 0, "unknown"),
        ([x > 1, x < 0], x >= 5, "unknown"),
    ],
)
def test_second_opinion_is_no_less_careful(hypotheses, goal, answer):
    pytest.importorskip("cvc5")
    assert second_opinion(hypotheses, goal) == answer


def test_second_opinion_is_stopped():
    pytest.importorskip("cvc5")
    start = time.monotonic()
    assert second_opinion([], CAUCHY_SCHWARZ_4, timeout=1) == "unknown"
    assert time.monotonic() - start < 10


def test_second_opinion_without_cvc5(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvc5", None)
    assert second_opinion([], x**2 >= 0) == "not_run"
