r"""DCGD and MARINA on $f_i=\frac L2\|x\|^2+\langle s_i,x\rangle$ in exact moments."""

from typing import Any

from sympy import IndexedBase, Rational, oo, sqrt, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.cost.psi import A, c, p
from theory.formula import eq, le, lt
from theory.hypotheses import model, parameter

d, L, gamma, X, S2, k, epsilon = symbols("d L gamma X S2 k epsilon", real=True)
# By rounds: second moments of the gradient; means of gradient and estimate along the first gradient.
descent, square, mean, estimate = symbols("descent square mean estimate", cls=IndexedBase, real=True)
ALWAYS = (k, 0, oo)

_FLOOR = A / (1 + A) * S2
_ACCURACY = Rational(1, 10**4)
_FACTOR = (1 - gamma * L) ** 2 + (gamma * L) ** 2 * A
VARIABLES = (
    Variable(k, "k", r"\mathbb N_0", "number of rounds"),
    Variable(descent, "D_{#1}", r"\mathbb R_{\ge0}", "expected squared gradient of DCGD", "(oo,)", first=0),
    Variable(square, "G_{#1}", r"\mathbb R_{\ge0}", "that of MARINA", "(oo,)", first=0),
    Variable(mean, "m_{#1}", r"\mathbb R", "its mean along the first gradient", "(oo,)", first=0),
    Variable(estimate, "h_{#1}", r"\mathbb R", "that of its estimate", "(oo,)", first=0),
)
HYPOTHESES = {
    "equal": model(
        r"$D_{t+1}=((1-\gamma L)^2+(\gamma L)^2A)D_t+(\gamma L)^2AS^2$, since an error of $A$ times the "
        r"squared gradients of the clients is added; $D_0\ge0$",
        reference="cq_marina/dsgd",
    ),
    "unshifted": parameter(r"$S^2=0$"),
    "above": parameter(r"$D_0\ge\frac A{1+A}S^2$"),
    "unbiased": model(
        r"$m_{t+1}=m_t-\gamma Lh_t$; $h_{t+1}=pm_{t+1}+(1-p)(h_t+m_{t+1}-m_t)$, since messages "
        "of differences are unbiased; $h_0=m_0$, $m_0^2=G_0$, $G_0>0$, since the estimate starts as the "
        "gradient; "
        r"$m_t^2\le G_t$, since Jensen bounds the projection $m_t$ on the initial gradient"
    ),
    "rounds": parameter(r"$k\ge1$ is an integer, $p<1$"),
    "reached": parameter(r"$G_k\le10^{-4}G_0$"),
    "bits": parameter(r"$d=32$, $c=\frac1{16}$"),
}
RELATIONS = {
    "fourteen": Relation(
        (descent[14], _ACCURACY * descent[0]), ("<=",), under=("equal", "step", "one", "unshifted")
    ),
    "twice": Relation(
        (2 * 14 * 32 * d * c, 32 * d * (1 + k * (p + (1 - p) * c))),
        ("<=",),
        under=("unbiased", "differences", "marina-step", "one", "bits", "rounds", "reached"),
    ),
    "stays": Relation((_FLOOR, descent[k]), ("<=",), every=(ALWAYS,), under=("equal", "step", "above")),
}


def prove(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example(
        {
            **{A: 1, L: 1, gamma: half, S2: 0, c: half, p: half, epsilon: 1},
            descent: [Rational(1, 2**t) for t in range(160)],
        }
    )
    K.example({**{A: 1, L: 1, gamma: half, S2: 2, c: half, p: half, epsilon: 1}, descent: (1,) * 160})
    means = [Rational(3, 4) ** t for t in range(170)]
    K.example(
        {
            **{
                A: 1,
                L: 1,
                X: 1,
                p: Rational(1, 10),
                gamma: Rational(1, 4),
                d: 32,
                c: Rational(1, 16),
                k: 20,
                epsilon: 1,
            },
            **{mean: means, estimate: means, square: [item**2 for item in means]},
        }
    )
    K.index(ALWAYS)
    _descent(K)
    _twice(K)


def _descent(K: Any) -> None:
    """Each round of DCGD multiplies the squared gradient, less the floor, by A / (1 + A)."""
    q = A / (1 + A)
    step, move = K.given("step"), K.at(K.given("equal"), k)
    fall = K.cert(eq(descent[k + 1], _FLOOR + q * (descent[k] - _FLOOR)), (1, move), using=[step])
    above = K.cert(le(_FLOOR, descent[k + 1]), (-1, fall), (q, K.assume(le(_FLOOR, descent[k]))))
    K.conclude("stays", K.induction(k, K.given("above"), above))
    halved = K.cert(
        eq(2 ** (k + 1) * descent[k + 1], descent[0]),
        (2 ** (k + 1), fall),
        (1, K.assume(eq(2**k * descent[k], descent[0]))),
        using=[K.given("one"), K.given("unshifted")],
    )
    powers = K.induction(k, K.cert(eq(descent[0], descent[0])), halved)
    part = Rational(1, 2**14)
    K.show("fourteen", (part, K.at(powers, 14)), (_ACCURACY - part, K.given("equal", 1)))


def _twice(K: Any) -> None:
    """The mean gradient of MARINA moves as that of gradient descent with its step."""
    half, root = Rational(1, 2), sqrt((1 - p) / p)
    K.know(K.given("rounds", 1), K.cert(lt(0, 1 - p), (1, K.given("rounds", 2))))
    K.know(K.given("unbiased", 4))
    full = K.cert(
        eq(sqrt((1 - p) / p * X), root * L),
        (1, K.axiom("root-product", (1 - p) / p, L**2, half)),
        (root, K.axiom("root-root", L, 2, half)),
        using=[K.given("differences"), K.given("one")],
    )
    step = K.rewrite(K.given("marina-step"), full, side="right")
    moves = [K.at(K.given("unbiased", place), k) for place in (0, 1)]
    same = K.cert(
        eq(estimate[k + 1], mean[k + 1]), (1, moves[1]), (1 - p, K.assume(eq(estimate[k], mean[k])))
    )
    equal = K.at(K.induction(k, K.given("unbiased", 2), same), k)
    left = root / (1 + root)
    start = square[0]
    moved = K.cert(eq(mean[k + 1], left * mean[k]), (1, moves[0]), (-gamma * L, equal), using=[step])
    power = K.cert(
        eq(mean[k + 1] ** 2, left ** (2 * k + 2) * start),
        (mean[k + 1] + left * mean[k], moved),
        (left**2, K.assume(eq(mean[k] ** 2, left ** (2 * k) * start))),
    )
    closed = K.at(K.induction(k, K.given("unbiased", 3), power), k)
    small = K.cert(
        le(left ** (2 * k), _ACCURACY),
        (1 / start, K.given("reached")),
        (1 / start, K.at(K.given("unbiased", 5), k)),
        (-1 / start, closed),
    )
    near = Rational(5, 6)
    logs = K.log(K.cert(le(left ** (2 * k), near**48), (1, small)))
    many = K.cert(
        le(4, k / root),
        (half, logs),
        K.axiom("log-power", left, 2 * k),
        K.axiom("log-power", left, Rational(-1)),
        K.axiom("log-power", near, Rational(48)),
        (24, K.axiom("log-below", near)),
        (k, K.axiom("log-below", 1 / left)),
    )
    numbers = [K.given("bits"), K.given("bits", 1)]
    share, goal = 64 * (1 + 15 * p), RELATIONS["twice"].formulas[0]
    often = K.assume(lt(0, p - Rational(4, 5)))
    rare = K.assume(le(p - Rational(4, 5), 0))
    first = K.cert(goal, (share, K.given("rounds", 1)), (960, often), (64, 1), using=numbers)
    quarter = K.cert(le(Rational(1, 4), (1 - p) / p), (Rational(5, 4) / p, rare))
    odds = K.power(quarter, half)
    square_of_root = (root - Rational(5, 4)) ** 2 + Rational(211, 16)
    other = K.cert(goal, (share * root, many), (256 * p * square_of_root, odds), (1120, p), using=numbers)
    K.conclude("twice", K.cases(p - Rational(4, 5), other, first))
