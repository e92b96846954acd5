r"""MARINA on the family of `cq_marina/neg-control`: with the stated step, and with one that is too long."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, sqrt, symbols

from theory.claim import Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_ends
from theory.formula import eq, le
from theory.hypotheses import domain, model, parameter

n, d, L, r, k, p, gamma, T = symbols("n d L r k p gamma T", real=True)
average, rate = symbols("average rate_bound", real=True)
# By rounds: second moments of the gradient and the estimate, and their mean product.
grad, est, both = symbols("grad est both", cls=IndexedBase, real=True)
v = IndexedBase("v", real=True)
EARLY, ROUNDS = (k, 0, T - 2), (k, 0, T - 1)

_STEP = gamma * L
_NOISE = (d - 1) / n**2 * (n * _STEP) ** 2 * est[k]
_MOVED = grad[k] - 2 * _STEP * both[k] + _STEP**2 * est[k]
_ESTIMATE = p * grad[k + 1] + (1 - p) * ((1 - _STEP) ** 2 * est[k] + _NOISE)
_PRODUCT = p * grad[k + 1] + (1 - p) * (1 - _STEP) * (both[k] - _STEP * est[k])
_RIGHT, _WRONG = sqrt((1 - p) / p * (d - 1) * L**2), sqrt((1 - p) / p * d / n**2 * L**2)
_DECAY, BROKEN = Rational(5, 6), 10**6
VARIABLES = (
    Variable(p, "p", "(0,1]", "probability of a full gradient"),
    Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
    Variable(T, "T", r"\mathbb N", "number of rounds"),
    Variable(average, r"\bar G_T", r"\mathbb R_{\ge0}", "average expected squared gradient"),
    Variable(rate, r"\beta_T", r"\mathbb R_{\ge0}", "bound of `cq_marina/marina-rate` for it"),
    Variable(
        grad,
        r"\mathbb E\|\nabla f(x^{#1})\|^2",
        r"\mathbb R_{\ge0}",
        "expected squared gradients",
        "(T,)",
        first=0,
    ),
    Variable(est, r"\mathbb E\|g^{#1}\|^2", r"\mathbb R_{\ge0}", "those of the estimate", "(T,)", first=0),
    Variable(
        both,
        r"\mathbb E\langle\nabla f(x^{#1}),g^{#1}\rangle",
        r"\mathbb R",
        "mean products",
        "(T,)",
        first=0,
    ),
    Variable(v, "v", r"\mathbb R^1", "any multiple of the estimate", "(1,)"),
)
HYPOTHESES = {
    "run": domain(r"$T\ge1$ is an integer; $\gamma>0$, $0<p\le1$"),
    "round": model(
        r"$\mathbb E\|\nabla f(x^{k+1})\|^2=\mathbb E\|\nabla f(x^k)\|^2-2\gamma L\mathbb E\langle"
        r"\nabla f(x^k),g^k\rangle+\gamma^2L^2\mathbb E\|g^k\|^2$ for $0\le k\le T-2$; "
        r"$\mathbb E\|g^{k+1}\|^2=p\mathbb E\|\nabla f(x^{k+1})\|^2+(1-p)\Big((1-\gamma L)^2"
        r"\mathbb E\|g^k\|^2+\frac{d-1}{n^2}(n\gamma L)^2\mathbb E\|g^k\|^2\Big)$ for $0\le k\le T-2$, "
        "since the message has the variance of part b; "
        r"$\mathbb E\langle\nabla f(x^{k+1}),g^{k+1}\rangle=p\mathbb E\|"
        r"\nabla f(x^{k+1})\|^2+(1-p)(1-\gamma L)(\mathbb E\langle\nabla f(x^k),g^k\rangle-\gamma L"
        r"\mathbb E\|g^k\|^2)$ for $0\le k\le T-2$, since the message is unbiased; "
        r"$\mathbb E\|\nabla f(x^k)\|^2-2v_1\mathbb E\langle\nabla f(x^k),g^k\rangle+v_1^2"
        r"\mathbb E\|g^k\|^2\ge0$ for all real $v_1$; $\mathbb E\|\nabla f(x^k)\|^2\ge0$, $"
        r"\mathbb E\|g^k\|^2\ge0$, since these are second moments; "
        r"$\mathbb E\|g^0\|^2=\mathbb E\|\nabla f(x^0)\|^2$, $\mathbb E\langle"
        r"\nabla f(x^0),g^0\rangle=\mathbb E\|\nabla f(x^0)\|^2$, since the estimate starts as the gradient; "
        r"$\bar G_T=\frac1T\sum_{k=0}^{T-1}\mathbb E\|\nabla f(x^k)\|^2$, $\beta_T="
        r"\frac{\mathbb E\|\nabla f(x^0)\|^2}{L\gamma T}$",
        reference="cq_marina/marina-exact-oracle",
    ),
    "right-step": parameter(r"$\gamma=\frac1{L+\sqrt{\frac{1-p}p(d-1)L^2}}$"),
    "wrong-step": parameter(r"$\gamma=\frac1{L+\sqrt{\frac{1-p}p\frac d{n^2}L^2}}$"),
    "numbers": parameter(r"$n=4$, $d=8$, $p=\frac19$"),
    "long": parameter(r"$T\ge2$"),
    "hundred": parameter(r"$T=100$"),
}
_FROM = ("round", "wrong-step", "numbers")
RELATIONS = {
    "kept": Relation((average, rate), ("<=",), under=("round", "right-step")),
    "average": Relation((57 * _DECAY ** (T - 2) * average, rate), (">=",), under=(*_FROM, "long")),
    "broken": Relation((BROKEN * rate, average), ("<=",), under=(*_FROM, "hundred")),
}


def example(rounds: int, step: Any, size: int, chance: Any) -> dict[Any, Any]:
    """Return the run itself of four clients at this step, number of coordinates and probability."""
    moments = [(Rational(9), Rational(9), Rational(9))]
    while len(moments) < rounds:
        g, h, e = moments[-1]
        moved = g - 2 * step * h + step**2 * e
        product = chance * moved + (1 - chance) * (1 - step) * (h - step * e)
        noisy = chance * moved + (1 - chance) * ((1 - step) ** 2 + (size - 1) * step**2) * e
        moments.append((moved, product, noisy))
    gradients, products, estimates = zip(*moments, strict=True)
    return {
        **{n: 4, d: size, L: 1, r: 1, p: chance, gamma: step, T: rounds},
        **{grad: gradients, both: products, est: estimates},
        **{average: sum(gradients) / rounds, rate: 9 / (step * rounds)},
    }


def prove(K: Any) -> None:
    """Prove the relations of the run."""
    third, ninth = Rational(1, 3), Rational(1, 9)
    K.example(example(3, Rational(1, 5), 9, third))
    K.example(example(2, third, 8, ninth))
    K.example(example(100, third, 8, ninth))
    K.index(EARLY)
    K.know(K.given("run", 2), K.cert(le(0, T - 1), (1, K.given("run", 1))))
    K.know(K.given("round", 4), K.given("round", 5))
    _kept(K)
    _grown(K)


def _kept(K: Any) -> None:
    """The potential, gap and error of the estimate, pays for the squared gradients."""
    spent = 1 - _STEP - (1 - p) / p * (d - 1) * _STEP**2
    size = (1 + gamma * _RIGHT) * (L + _RIGHT)
    room = K.cert(le(0, spent), (size, K.given("right-step")), (gamma**2 * L, _RIGHT))
    moves = [K.at(K.given("round", place), k) for place in (0, 1, 2)]
    error = est[k] - 2 * both[k] + grad[k]
    potential = grad[k] / (2 * L) + gamma / (2 * p) * error
    fall = K.cert(
        le(potential.subs(k, k + 1), potential - gamma / 2 * grad[k]), *moves, (gamma / 2 * est[k], room)
    )
    last = T - 1
    K.know(K.at(K.given("round", 4), last))
    no_error = K.at(K.at(K.given("round", 3), last), lambda _: 1)
    below = K.cert(le(_STEP, 1), (1, room), (1, (1 - p) / p * (d - 1) * _STEP**2))
    total, scale = Sum(grad[k], ROUNDS), 2 / (gamma * T)
    K.show(
        "kept",
        (1, K.given("round", 8)),
        (-1, K.given("round", 9)),
        (1 / T, K.split_off(total)),
        (scale, K.sum_over(fall, EARLY)),
        (-scale, telescoping_ends(K, potential, k, last)),
        (scale * gamma / (2 * p), no_error),
        (scale * grad[last] / (2 * L), below),
        (1 / (T * p), K.given("round", 6)),
        (-2 / (T * p), K.given("round", 7)),
    )


def _grown(K: Any) -> None:
    """With a third of 1/L the sum 3 G - 4 H + 10 E of the moments grows by a fifth in each round."""
    numbers = [K.given("numbers", place) for place in range(3)]
    root = K.cert(eq(_WRONG, 2 * L), (2, K.axiom("abs-of-nonnegative", L)), using=numbers)
    step = [*numbers, K.rewrite(K.given("wrong-step"), root, side="right")]
    K.know(K.given("long"), K.cert(le(0, T - 2), (1, K.given("long"))))
    moves = [K.at(K.given("round", place), k) for place in (0, 1, 2)]
    weighed = 3 * grad[k] - 4 * both[k] + 10 * est[k]

    def square(multiple: Any) -> Any:
        return K.at(K.at(K.given("round", 3), k), lambda _: multiple)

    rises = K.cert(
        le(weighed, _DECAY * weighed.subs(k, k + 1)),
        *((_DECAY * weight, move) for weight, move in zip((Rational(-11, 3), -10, 4), moves, strict=True)),
        (_DECAY / 15, square(Rational(1, 9))),
        (Rational(37, 729), est[k]),
        using=step,
    )
    reached = K.cert(
        le(weighed, 171 * (grad[k] + grad[k + 1])),
        (-171, moves[0]),
        (Rational(55, 3) ** 2, square(Rational(9, 55))),
        (Rational(26, 9), grad[k]),
        using=step,
    )
    power, last = weighed * _DECAY**k, _DECAY ** (T - 2)
    risen = K.cert(le(0, power.subs(k, k + 1) - power), (_DECAY**k, rises))
    third = 1 / (3 * T)
    total, rest = Sum(grad[k], ROUNDS), Sum(grad[k], EARLY)
    grown = K.show(
        "average",
        (-57 * last, K.given("round", 8)),
        (1, K.given("round", 9)),
        (-57 * last / T, K.split_off(total)),
        (-57 * last / T, K.split_off(rest)),
        (57 * last / T, Sum(grad[k], (k, 0, T - 3))),
        (third * last, K.at(K.every(reached, EARLY), T - 2)),
        (third, K.sum_over(risen, (k, 0, T - 3))),
        (third, telescoping_ends(K, power, k, T - 2)),
        (4 * third, K.given("round", 7)),
        (-10 * third, K.given("round", 6)),
        using=step,
    )
    hundred, grows = K.given("hundred"), 1 / (57 * _DECAY**98)
    long = K.discharge(grown, K.cert(le(2, T), (-1, hundred)))
    first = K.cert(le(0, rate), (-1, K.given("round", 9)), (1 / (L * T * gamma), grad[0]))
    K.show("broken", (grows, long), (grows - BROKEN, first), using=[hundred])
