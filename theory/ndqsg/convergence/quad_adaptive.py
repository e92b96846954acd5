r"""`ndqsg/quad-adaptive`: quadratics with the scale of each gradient (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import E
from theory.formula import EveryFamily, eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, M, P, T, eta, lam, s_sq, a, b, h, x0_sq, x = symbols("d M P T eta lambda_ s_sq a b h x0_sq x", real=True)
t, j, p = symbols("t j p", real=True)
a_upper, moved, largest, phi, norm, after = symbols("a_plus moved largest phi norm after", real=True)
xi, e, y, moment, length, second = symbols("xi e y moment length second", cls=IndexedBase, real=True)
fourth = IndexedBase("fourth", real=True)
WORKERS, COORDINATES, ALWAYS = (p, 0, P - 1), (j, 0, d - 1), (t, 0, oo)

_A = (1 - eta * lam) ** 2 + eta**2 * lam**2 / (12 * M**2 * P)
_B = eta**2 * s_sq / P * (1 + 1 / (12 * M**2))
_A_UPPER = (1 - eta * lam) ** 2 + eta**2 * lam**2 * d / (12 * M**2 * P)
_LARGEST = 2 / (1 + d / (12 * M**2 * P))
_FOURTH = (
    (1 - h) ** 4
    + 6 * (1 - h) ** 2 * h**2 / (12 * M**2 * P)
    + h**4 / (M**4 * P**3) * (Rational(1, 80) + (P - 1) / 48)
)
_SECOND = ((1 - h) ** 2 + h**2 / (12 * M**2 * P)) ** 2
_EXACT = a**T * x0_sq + b * (1 - a**T) / (1 - a)
_MU_2, _MU_4 = Rational(1, 12), Rational(1, 80)
# Gradients lam x + xi_p of the workers, whose messages have errors of the variance g^2 / (12 M^2).
_GRADIENT = lam * x + xi[p]
_STEP = E(
    E(
        (x - eta * Sum(_GRADIENT + e[p], WORKERS) / P) ** 2,
        e,
        WORKERS,
        mean=0,
        variance=_GRADIENT**2 / (12 * M**2),
    ),
    xi,
    WORKERS,
    mean=0,
    variance=s_sq,
)

CLAIM = Claim(
    id="ndqsg/quad-adaptive",
    kind="identity",
    provenance="derived",
    title="Quadratics with the scale of each gradient: exact recursion and two-sided rate",
    position=25,
    paper=PAPER,
    **statement(
        r"""
        $P$ workers with DQSG of $M$ levels, each with the scale $\|g_p\|_\infty$ of its own gradient, and
        $x^+$ is the iterate after a step of size $\eta$. In one dimension, or with blocks of one
        coordinate, $f=\frac\lambda2x^2$ and the gradients have independent noises of variance $s_n^2$; in $d$
        dimensions $f=\frac\lambda2\|x\|^2$ with exact gradients and one block.
        (a: step) In one dimension $\mathbb E(x^+)^2=ax^2+b$ with
          $$a=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2}{12M^2P},\qquad
          b=\frac{\eta^2s_n^2}P\Big(1+\frac1{12M^2}\Big).$$ [proof; exact/second moment after a step]
        (b: run) Hence, with (a) in each step, if $a\ne1$, for every $T$ $$\mathbb
          Ex_T^2=a^Tx_0^2+b\frac{1-a^T}{1-a}.$$ [proof; exact/second moment of a run; run/squares after a
          run]
        (c: sandwich) In $d$ dimensions, with $a_+=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2d}{12M^2P}$,
          $$a\|x\|^2\le\mathbb E\|x^+\|^2\le a_+\|x\|^2.$$ [proof; adversarial/both rates; exact/both rates
          in one dimension; montecarlo/surprise of a step]
        (d: rates) Hence, with (c) in each step, for every $T$ $$a^T\|x_0\|^2\le\mathbb E\|x_T\|^2\le
          a_+^T\|x_0\|^2.$$ [proof]
        (e: stable) This is stable from every start: if $\eta\lambda<\frac2{1+d/(12M^2P)}$, then $a_+<1$.
          [proof; exact/upper rate at the largest step]
        (f: fourth) In one dimension without noise a step, with $h$ for the product of $\eta$ and $\lambda$,
          multiplies $\mathbb Ex^4$ by $$\varphi=(1-h)^4+\frac{6(1-h)^2h^2}{12M^2P}+\frac{h^4}{M^4P^3}\
          \Big(\frac1{80}+\frac{P-1}{48}\Big).$$ [proof; exact/fourth moment]
        (g: heavy) It grows faster than the square of the second moment,
          $$\Big((1-h)^2+\frac{h^2}{12M^2P}\Big)^2<\varphi$$ if $h>0$: the kurtosis grows in each step.
          [proof; exact/square of the second moment]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(T, "T", r"\mathbb N_0", "number of steps"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(lam, r"\lambda", r"\mathbb R_{>0}", "curvature"),
        Variable(s_sq, "s_n^2", r"\mathbb R_{\ge0}", "variance of the gradient of a worker"),
        Variable(a, "a", r"\mathbb R_{\ge0}", "factor of the second moment"),
        Variable(a_upper, "a_+", r"\mathbb R_{\ge0}", "upper rate"),
        Variable(b, "b", r"\mathbb R_{\ge0}", "what a step adds to it"),
        Variable(h, "h", r"\mathbb R_{\ge0}", r"$\eta\lambda$"),
        Variable(phi, r"\varphi", r"\mathbb R_{\ge0}", r"factor of $\mathbb Ex^4$"),
        Variable(x, "x", r"\mathbb R", "iterate"),
        Variable(x0_sq, "x_0^2", r"\mathbb R_{\ge0}", "square of the start"),
        Variable(moved, r"\mathbb E(x^+)^2", r"\mathbb R_{\ge0}", "second moment after a step"),
        Variable(after, r"\mathbb E\|x^+\|^2", r"\mathbb R_{\ge0}", "squared norm after a step"),
        Variable(norm, r"\|x\|^2", r"\mathbb R_{\ge0}", "squared norm of the iterate"),
        Variable(
            moment, r"\mathbb Ex_{#1}^2", r"\mathbb R_{\ge0}^\infty", "second moments", "(oo,)", first=0
        ),
        Variable(
            length,
            r"\mathbb E\|x_{#1}\|^2",
            r"\mathbb R_{\ge0}^\infty",
            "squared norms",
            "(oo,)",
            first=0,
            aliases=(r"\|x_{#1}\|^2",),
        ),
        Variable(second, r"\mu", r"\mathbb R_{\ge0}", "second moments of sums of errors", "(oo,)", first=0),
        Variable(fourth, r"\nu", r"\mathbb R_{\ge0}", "fourth moments of sums of errors", "(oo,)", first=0),
        Variable(e, "e", r"\mathbb R^P", "errors of the messages", "(P,)"),
        Variable(y, "y", r"\mathbb R^d", "coordinates of the point", "(d,)"),
        Variable(largest, r"\|x\|_\infty^2", r"\mathbb R_{\ge0}", "largest squared coordinate"),
    ),
    notation={
        r"\mathbb Ex^4": "fourth moment",
        "x^+": "the next iterate",
        "f": "the objective",
        r"\|g_p\|_\infty": "scale of a worker",
    },
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$P,d\ge1$ and $T\ge0$ are integers, $M>0$"),
        "signs": domain(r"$\eta,\lambda>0$, $s_n^2,h\ge0$"),
        "rates": definition(
            r"$a=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2}{12M^2P}$, "
            r"$a_+=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2d}{12M^2P}$"
        ),
        "added": definition(r"$b=\frac{\eta^2s_n^2}P\Big(1+\frac1{12M^2}\Big)$"),
        "step": model(
            "the noises are uncorrelated over the workers, and so are the errors given the gradients, which "
            "have mean 0 and the variance of a uniform variable on a step of the own scale, at least 0 "
            "whatever the noise",
            eq(moved, _STEP),
            EveryFamily(xi, every(le(0, _GRADIENT**2 / (12 * M**2)), WORKERS)),
            reference="ndqsg/dq-uniform-error",
        ),
        "runs": model(
            r"$\mathbb Ex_0^2=x_0^2$, $\mathbb Ex_{t+1}^2=a\mathbb Ex_t^2+b$",
            reference="part (a), in expectation over the iterates (tower property)",
        ),
        "not-one": parameter(r"$a\ne1$"),
        "block": model(
            r"$\mathbb E\|x^+\|^2=\sum_j\mathbb E\bigl((y_j-\eta(\lambda y_j+\frac1P"
            r"\sum_pe_p))^2\bigr)$, over uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and "
            r"variance $\frac{\|x\|_\infty^2\lambda^2}{12M^2}$; $\|x\|^2=\sum_jy_j^2$, "
            r"$y_j^2\le\|x\|_\infty^2$, $\|x\|_\infty^2\le\|x\|^2$, $0\le\|x\|_\infty^2$",
            reference="ndqsg/dqsg-variance",
        ),
        "long-runs": model(
            r"$a\mathbb E\|x_t\|^2\le\mathbb E\|x_{t+1}\|^2\le a_+\mathbb E\|x_t\|^2$",
            reference="part (c), in expectation over the iterates (tower property)",
        ),
        "short": parameter(r"$\eta\lambda<\frac2{1+d/(12M^2P)}$"),
        "moments": model(
            r"$\mu_0=0$, $\nu_0=0$, $\mu_{t+1}=\mu_t+\frac1{12}$, "
            r"$\nu_{t+1}=\nu_t+\frac{6\mu_t}{12}+\frac1{80}$, "
            r"$\varphi=(1-h)^4+\frac{6(1-h)^2h^2\mu_P}{(MP)^2}+\frac{h^4\nu_P}{(MP)^4}$, "
            r"since these are moments of sums of independent uniform variables",
            reference="ndqsg/dq-uniform-error",
        ),
        "positive": parameter(r"$h>0$"),
    },
    relations={
        "step": Relation((moved, a * x**2 + b), ("=",)),
        "run": Relation((moment[T], _EXACT), ("=",), under=("runs", "not-one")),
        "sandwich": Relation((a * norm, after, a_upper * norm), ("<=", "<="), under=("block",)),
        "rates": Relation(
            (a**T * length[0], length[T], a_upper**T * length[0]), ("<=", "<="), under=("long-runs",)
        ),
        "stable": Relation((a_upper, 1), ("<",), under=("short",)),
        "fourth": Relation((phi, _FOURTH), ("=",), under=("moments",)),
        "heavy": Relation((_SECOND, phi), ("<",), under=("moments", "positive")),
    },
    formulas={
        "exact": _EXACT,
        "a": _A,
        "b": _B,
        "a_upper": _A_UPPER,
        "largest_h": _LARGEST,
        "fourth": _FOURTH,
        "second_squared": _SECOND,
    },
    internal={"largest_h": "said as a hypothesis"},
    worst_cases=cases(r"""
        $\lambda=2$, $x_0=3$, $\eta=\frac14$, $M=2$, $P=3$, $s_n^2=\frac1{10}$: a step | lambda_ = 2,
          eta = 1/4, M = 2, P = 3 | 145/576
        one coordinate beside zeros: the upper rate is attained in the first step | lambda_ = 1, eta = 1/2,
          M = 1, P = 2, d = 10, x = (1,) + 9 * (0,) | 17/48
        constant modulus: the lower rate is attained in the first step | lambda_ = 1, eta = 1/2, M = 1, P = 2,
          d = 10, x = 10 * (1,) | 25/96
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    half = Rational(1, 2)
    setting = {P: 2, d: 2, T: 2, M: 1, eta: half, lam: 1, s_sq: 1, h: half, x: 3, y: (2, 1), largest: 4}
    rate, upper, added = Rational(25, 96), Rational(13, 48), Rational(13, 96)
    runs = [rate**k + added * (1 - rate**k) / (1 - rate) for k in range(152)]
    K.example({**setting, x0_sq: 1, moment: runs, length: [upper**k for k in range(152)]})
    sums = [Rational(k, 12) for k in range(152)]
    K.example(
        {**setting, second: sums, fourth: [Rational(k, 80) + Rational(k * (k - 1), 48) for k in range(152)]}
    )
    factor, more, noise = K.given("rates"), K.given("rates", 1), K.given("added")
    K.conclude("step", K.cert(eq(moved, a * x**2 + b), (1, K.given("step")), (-(x**2), factor), (-1, noise)))
    K.know(K.cert(le(0, a), (1, _A), (-1, factor)), K.cert(le(0, a_upper), (1, _A_UPPER), (-1, more)))
    _runs(K)
    _blocks(K, factor, more)
    _fourth(K)


def _runs(K: Any) -> None:
    """Solve the recursion, and multiply the two rates."""
    K.know(K.given("not-one"))

    def value(at: Any) -> Any:
        return eq(moment[at], _EXACT.subs(T, at))

    step = K.cert(value(t + 1), (1, K.at(K.given("runs", 1), t)), (a, K.assume(value(t))))
    base = K.cert(value(Integer(0)), (1, K.given("runs")))
    K.conclude("run", K.at(K.induction(t, base, step), T))
    found = []
    for rate, place in ((a, 0), (a_upper, 1)):

        def bound(at: Any, rate: Any = rate, place: int = place) -> Any:
            sides = (rate**at * length[0], length[at])
            return le(*(sides if place == 0 else sides[::-1]))

        each = K.at(K.given("long-runs", place), t)
        step = K.cert(bound(t + 1), (1, each), (rate, K.assume(bound(t))))
        found.append(K.at(K.induction(t, K.cert(bound(Integer(0))), step), T))
    K.conclude("rates", *found)


def _blocks(K: Any, factor: Any, more: Any) -> None:
    """The square of the norm is at most d times the largest square, and at least that."""
    weight = eta**2 * lam**2 / (12 * M**2 * P)
    K.know(K.given("block", 4))
    moved_block = K.cert(
        eq(after, (1 - eta * lam) ** 2 * norm + weight * d * largest),
        (1, K.given("block")),
        (-((1 - eta * lam) ** 2), K.given("block", 1)),
    )
    spread = K.sum_over(K.at(K.given("block", 2), j), COORDINATES)
    K.conclude(
        "sandwich",
        K.cert(
            le(a * norm, after),
            (-1, moved_block),
            (norm, factor),
            (weight, spread),
            (weight, K.given("block", 1)),
        ),
        K.cert(le(after, a_upper * norm), (1, moved_block), (-norm, more), (weight * d, K.given("block", 3))),
    )
    K.know(K.given("short"))
    slope = eta * lam * (1 + d / (12 * M**2 * P))
    K.conclude("stable", K.cert(lt(a_upper, 1), (1, more), (slope, K.given("short"))))


def _fourth(K: Any) -> None:
    """Moments of a sum of t uniform variables, by induction."""

    def square(at: Any) -> Any:
        return eq(second[at], at * _MU_2)

    def power(at: Any) -> Any:
        return eq(fourth[at], at * (_MU_4 + (at - 1) / 48))

    step = K.cert(square(t + 1), (1, K.at(K.given("moments", 2), t)), (1, K.assume(square(t))))
    squares = K.induction(t, K.cert(square(Integer(0)), (1, K.given("moments"))), step)
    step = K.cert(
        power(t + 1),
        (1, K.at(K.given("moments", 3), t)),
        (1, K.assume(power(t))),
        (6 * _MU_2, K.at(squares, t)),
    )
    powers = K.induction(t, K.cert(power(Integer(0)), (1, K.given("moments", 1))), step)
    fourth_moment = K.cert(
        eq(phi, _FOURTH),
        (1, K.given("moments", 4)),
        (6 * (1 - h) ** 2 * h**2 / (M * P) ** 2, K.at(squares, P)),
        (h**4 / (M * P) ** 4, K.at(powers, P)),
    )
    K.conclude("fourth", fourth_moment)
    K.know(K.given("positive"))
    # What is left: 4 (1 - h)^2 h^2 u + h^4 (P/72 - 1/120)/(M^4 P^3), u = 1/(12 M^2 P).
    rest = h**4 / (72 * M**4 * P**3)
    heavy = K.cert(
        lt(_SECOND, phi),
        (-1, fourth_moment),
        (h**2 / (3 * M**2 * P), (1 - h) ** 2),
        (rest, K.given("sizes", 1)),
        (1, K.sign(lt(0, rest * (1 - Rational(72, 120))))),
    )
    K.conclude("heavy", heavy)
