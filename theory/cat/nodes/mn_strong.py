r"""`cat/mn-strong`: unbiased entries from several nodes, strongly convex objectives (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, exp, log, oo, symbols

from theory.cat.nodes.average import (
    COORDINATES,
    HYPOTHESES,
    NODES,
    SECOND,
    SENT,
    E,
    G,
    M,
    a,
    coordinates,
    d,
    e,
    gradient_nonnegative,
    i,
    j,
    mean,
    n,
    omega,
    q,
    second_moment,
    second_moment_bound,
    v,
    y,
)
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.one_of_minimum import one_of_minimum
from theory.facts.young import young
from theory.formula import le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

L, mu, gamma, sigma_sq, epsilon, delta, D_0 = symbols("L mu gamma sigma_sq epsilon delta D_0", real=True)
D_next, K = symbols("D_next K", real=True)
r, z, s = symbols("r z s", cls=IndexedBase, real=True)

_LEFT = 1 - gamma * mu
_BOUND = _LEFT**K * D_0 + 2 * gamma * q * sigma_sq / (n * mu) * (1 - _LEFT**K)
_STEP = 1 / (L * (1 + 2 * q / n))
_TARGET = epsilon * mu * n / (4 * q * sigma_sq)
_NOISE = 2 * gamma**2 * q * sigma_sq / n
_RATIO = 2 * D_0 / epsilon
_ROUNDS = (L / mu * (1 + 2 * q / n) + 4 * q * sigma_sq / (mu**2 * n * epsilon)) * log(_RATIO)

_HYPOTHESES = {
    **HYPOTHESES,
    "signs": domain(r"$L,\mu,\gamma>0$, $q\ge0$"),
    "spread": definition(r"$\sigma_\star^2=\frac1n\sum_i\sum_js_{ij}^2$"),
    "distance": definition(r"$\|x-x^\star\|^2=\sum_jz_j^2$"),
    "next": definition(
        r"$\mathbb E\|x^+-x^\star\|^2=\sum_j\mathbb E\bigl((z_j-\gamma(\nabla_jF(x)+\frac1n"
        r"\sum_ie_i))^2\bigr)$, over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and "
        "variance $v_{ij}$"
    ),
    "cocoercive": model(
        r"$\frac1n\sum_i\sum_j(g_{ij}-s_{ij})^2\le2L\delta$, $\|\nabla F(x)\|^2\le2L\delta$, "
        r"since the convex functions $f_i$ are $L$-smooth",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
    ),
    "strong": model(
        r"$\delta+\frac\mu2\|x-x^\star\|^2\le\sum_jz_j\nabla_jF(x)$, since $F$ is $\mu$-strongly convex",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., definition 2.1.3",
    ),
    "order": model(r"$\mu\le L$, since the functions $f_i$ are $L$-smooth"),
    "step": parameter(r"$\gamma\le\frac1{L(1+2q/n)}$"),
    "tower": model(
        r"$\mathbb E\|x_{k+1}-x^\star\|^2\le(1-\gamma\mu)\mathbb E\|x_k-x^\star\|^2"
        r"+\frac{2\gamma^2q\sigma_\star^2}n$, $\mathbb E\|x_0-x^\star\|^2=\|x_0-x^\star\|^2$, "
        "since part b bounds a round given those before"
    ),
    "tuned": parameter(
        r"$\gamma=\min\{\frac1{L(1+2q/n)},\frac{\epsilon\mu n}{4q\sigma_\star^2}\}$ and "
        r"$K\ge\Big(\frac L\mu\Big(1+\frac{2q}n\Big)+\frac{4q\sigma_\star^2}{\mu^2n\epsilon}\Big)"
        r"\log\frac{2\|x_0-x^\star\|^2}\epsilon$, $K\ge0$ is an integer"
    ),
    "noisy": domain(r"$q,\sigma_\star^2,\epsilon,\|x_0-x^\star\|^2>0$"),
}

CLAIM = Claim(
    id="cat/mn-strong",
    kind="rate",
    provenance="derived",
    title="Unbiased entries from several nodes: strongly convex objectives",
    position=22,
    paper=PAPER,
    **statement(
        r"""
        $F=\frac1n\sum_if_i$ is $\mu$-strongly convex with minimiser $x^\star$, each $f_i$ convex and
        $L$-smooth. $\hat g$ is the average of the messages of $n$ independent unbiased nodes with gradients
        $g_i$ and shares $\omega_i$ at $x$; $x^+=x-\gamma\hat g$, and $x_K$ is the point after $K$ rounds
        from $x_0$. $\sigma_\star^2$ is the average of the squared norms of the nodes' gradients at
        $x^\star$.
        (a: second) $$\mathbb E\|\hat g\|^2=\|\nabla
          F(x)\|^2+\frac1{n^2}\sum_i\Big(\frac1{\omega_i}-1\Big)\|g_i\|^2.$$ [proof; exact/variance of the
          average; exact/mean of an entry]
        (b: round) One round, with its own $\gamma$ and $q$: for $q\ge\frac1{\omega_i}-1$ for each $i$ and
          $\gamma\le\frac1{L(1+2q/n)}$ $$\mathbb
          E\|x^+-x^\star\|^2\le(1-\gamma\mu)\|x-x^\star\|^2+\frac{2\gamma^2q\sigma_\star^2}n.$$ [proof;
          exact/one round; exact/step; run/squared distance; run/step of the run; run/direction of the run;
          run/message of a node; exact/iterate; exact/bits; exact/bits before the first round; exact/cost;
          exact/arguments *; exact/records of runs]
        (c: rate) Hence, with (b) in each round, for every $K$, $$\mathbb
          E\|x_K-x^\star\|^2\le(1-\gamma\mu)^K\|x_0-x^\star\|^2+\frac{2\gamma
          q\sigma_\star^2}{n\mu}\Big(1-(1-\gamma\mu)^K\Big).$$ [proof; exact/squared distance; exact/total
          probability]
        (d: accuracy) For $q>0$, $\sigma_\star^2>0$, $\epsilon>0$, $\|x_0-x^\star\|^2>0$,
          $\gamma=\min\{\frac1{L(1+2q/n)},\frac{\epsilon\mu n}{4q\sigma_\star^2}\}$ and $K\ge\Big(\frac
          L\mu\Big(1+\frac{2q}n\Big)+\frac{4q\sigma_\star^2}{\mu^2n\epsilon}\Big)\log\frac{2\|x_0\
          -x^\star\|^2}\epsilon$ the accuracy is reached: $\mathbb E\|x_K-x^\star\|^2\le\epsilon$. [proof;
          exact/bound after the rounds]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(K, "K", r"\mathbb N_0", "number of rounds"),
        Variable(L, "L", r"\mathbb R_{>0}", r"smoothness constant of every $f_i$, $\max_iL_i$"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $F$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(q, "q", r"\mathbb R_{\ge0}", r"bound on $\frac1{\omega_i}-1$ over all nodes"),
        Variable(epsilon, r"\epsilon", r"\mathbb R_{>0}", "accuracy that is asked for"),
        Variable(sigma_sq, r"\sigma_\star^2", r"\mathbb R_{\ge0}", r"spread of the gradients at $x^\star$"),
        Variable(
            D_0,
            r"\|x-x^\star\|^2",
            r"\mathbb R_{\ge0}",
            "squared distance of the current point; in the rate of the start",
            aliases=(r"\|x_0-x^\star\|^2",),
        ),
        Variable(D_next, r"\mathbb E\|x^+-x^\star\|^2", r"\mathbb R_{\ge0}", "after one round"),
        Variable(
            r, r"\mathbb E\|x_{#1}-x^\star\|^2", r"\mathbb R_{\ge0}", "after $K$ rounds", "(oo,)", first=0
        ),
        Variable(z, "z", r"\mathbb R^d", r"$x-x^\star$", "(d,)"),
        Variable(delta, r"\delta", r"\mathbb R_{\ge0}", r"$F(x)-F(x^\star)$"),
        Variable(s, "s", r"\mathbb R^{n\times d}", r"entries of the nodes' gradients at $x^\star$", "(n,d)"),
        Variable(G, r"\|\nabla F(x)\|^2", r"\mathbb R_{\ge0}", "squared norm of the gradient"),
        Variable(M, r"\mathbb E\|\hat g\|^2", r"\mathbb R_{\ge0}", "second moment of the average"),
        Variable(E, r"\|g_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared norms of the gradients", "(n,)"),
        Variable(a, "g_{#1#2}", r"\mathbb R^{n\times d}", "entries of the gradients", "(n,d)"),
        Variable(y, r"\nabla_{#1}F(x)", r"\mathbb R^d", "entries of the gradient", "(d,)"),
        Variable(omega, r"\omega", r"(0,1]^n", "shares of the nodes", "(n,)"),
        Variable(v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances of entries of messages", "(n,d)"),
        Variable(e, "e", r"\mathbb R^n", "errors of the messages in a coordinate", "(n,)"),
    ),
    notation={
        "F": "objective",
        "f_{#1}": "function of a node",
        "g_{#1}": "gradient of a node",
        r"\hat g": "average of the messages",
        "x": "point",
        "x_{#1}": "point of a round",
        "x^+": "next point",
        r"x^\star": "minimiser",
        r"\nabla F(x)": "gradient",
    },
    ranges={"k": (0, oo)},
    hypotheses=_HYPOTHESES,
    relations={
        "second": Relation((M, SECOND), ("=",)),
        "round": Relation((D_next, _LEFT * D_0 + _NOISE), ("<=",), under=("noise", "step")),
        "rate": Relation((r[K], _BOUND), ("<=",), every=((K, 0, oo),), under=("step", "tower")),
        "accuracy": Relation((r[K], epsilon), ("<=",), under=("tower", "tuned", "noisy")),
    },
    formulas={
        "bound": _BOUND,
        "step": _STEP,
        "noise": _NOISE,
        "second_moment": SECOND,
        "target_step": _TARGET,
        "rounds": _ROUNDS,
    },
    internal={
        "step": "the largest step, said as a hypothesis of part (b)",
        "target_step": "said as a hypothesis of part (d)",
        "rounds": "said as a hypothesis of part (d)",
    },
    worst_cases=cases(r"""
        four corners, from the middle: $\gamma^2$, twice the $\gamma^2/2$ that is there | gamma = 1/5, q = 1,
          sigma_sq = 2, n = 4 | 1/25
        two nodes, three rounds | gamma = 1/10, mu = 4/3, q = 1, sigma_sq = 13/4, n = 2, K = 3, D_0 = 5
          | 901771/270000
    """),
)


def derive(kernel: Any) -> None:
    """Prove the relations."""
    kernel.index(NODES, COORDINATES)
    kernel.example(MN4)
    kernel.example({**MN4, K: 3, epsilon: 4, gamma: Rational(1, 4)})
    given = kernel.given
    kernel.conclude("second", second_moment(kernel))

    gap = kernel.cert(
        le(0, delta), (1 / (2 * L), given("cocoercive", 1)), (1 / (2 * L), gradient_nonnegative(kernel))
    )
    kernel.know(gap)
    parts = kernel.sum_over(young(kernel, a[i, j] - s[i, j], s[i, j]), COORDINATES)
    node = kernel.cert(
        le(E[i], 2 * coordinates((a[i, j] - s[i, j]) ** 2 + s[i, j] ** 2)),
        (1, parts), (1, kernel.at(given("norms"), i)),
    )  # fmt: skip
    moved = kernel.identity(
        mean((z[j] - gamma * SENT) ** 2), z[j] ** 2 - 2 * gamma * y[j] * z[j] + gamma**2 * mean(SENT**2)
    )
    one_round = kernel.cert(
        le(D_next, _LEFT * D_0 + _NOISE),
        (1, given("next")), (1, kernel.sum_over(moved, COORDINATES)), (-1, given("distance")),
        (-(gamma**2), given("average")), (gamma**2, second_moment_bound(kernel)),
        (2 * gamma, given("strong")),
        (gamma**2 * q / n**2, kernel.sum_over(node, NODES)), (gamma**2, given("cocoercive", 1)),
        (2 * gamma**2 * q / n, given("cocoercive")), (-2 * gamma**2 * q / n, given("spread")),
        (2 * gamma * delta * L * (1 + 2 * q / n), given("step")),
    )  # fmt: skip
    kernel.conclude("round", one_round)

    step = kernel.cert(
        le(0, _LEFT),
        (gamma, given("order")),
        (2 * gamma * q * L / n, 1),
        (L * (1 + 2 * q / n), given("step")),
    )
    kernel.know(step)
    before = kernel.assume(le(r[K], _BOUND))
    after = kernel.cert(
        le(r[K + 1], _BOUND.subs(K, K + 1)), (1, kernel.at(given("tower"), K)), (_LEFT, before)
    )
    base = kernel.cert(le(r[0], _BOUND.subs(K, 0)), (1, given("tower", 1)))
    rate = kernel.induction(K, base, after)
    kernel.conclude("rate", rate)
    _accuracy(kernel, rate)


def _accuracy(kernel: Any, rate: Any) -> None:
    """The power is at most an exponential, the smaller step is one of the two."""
    given = kernel.given
    kernel.know(*(given("noisy", place) for place in range(4)), given("tuned", 2), given("tuned", 3))
    tuned, length = given("tuned"), log(_RATIO)
    step = kernel.cert(le(gamma, _STEP), (1, kernel.axiom("min-below-left", _STEP, _TARGET)), (1, tuned))
    target = kernel.cert(le(gamma, _TARGET), (1, kernel.axiom("min-below-right", _STEP, _TARGET)), (1, tuned))
    power, bound = _LEFT**K, exp(-gamma * mu * K)
    start = kernel.cert(le(1, 1))
    grown = kernel.cert(
        le(power, bound),
        (1, kernel.assume(le(power, bound))),
    )
    below = kernel.axiom("exp-above", -gamma * mu)
    product = kernel.axiom("exp-sum", -gamma * mu * K, -gamma * mu)
    grown = kernel.cert(
        le(_LEFT ** (K + 1), exp(-gamma * mu * (K + 1))),
        (_LEFT, kernel.assume(le(power, bound))), (bound, below), (-1, product),
    )  # fmt: skip
    shrinks = kernel.at(kernel.induction(K, start, grown), K)

    enough, ratio = one_of_minimum(kernel, gamma, _STEP, _TARGET, tuned), _RATIO
    goal = le(power * D_0, epsilon / 2)
    early = kernel.exp(kernel.assume(le(length, 0)))
    below_one = kernel.exp(kernel.sign(le(-gamma * mu * K, 0)))
    small = kernel.cert(
        goal,
        (D_0, shrinks),
        (D_0, below_one),
        (epsilon / 2, early),
        (-epsilon / 2, kernel.axiom("exp-log", ratio)),
    )
    kernel.know(kernel.assume(lt(0, length)))
    late = kernel.exp(
        kernel.cert(
            le(-gamma * mu * K, log(1 / ratio)),
            (gamma * mu, given("tuned", 1)), (length, enough),
            (-1, kernel.axiom("log-power", ratio, Integer(-1))),
        )
    )  # fmt: skip
    large = kernel.cert(goal, (D_0, shrinks), (D_0, late), (D_0, kernel.axiom("exp-log", 1 / ratio)))
    remainder = 2 * q * sigma_sq / (n * mu)
    reached = kernel.cert(
        le(r[K], epsilon),
        (1, kernel.at(rate, K)), (1, kernel.cases(length, small, large)),
        (remainder, target), (remainder * gamma, power),
    )  # fmt: skip
    kernel.conclude("accuracy", kernel.discharge(reached, step))


# Four corners around x* = 0 at (2, 1): one of two entries of each gradient in expectation.
MN4 = {
    n: 4,
    d: 2,
    L: 1,
    mu: 1,
    gamma: Rational(1, 5),
    q: 3,
    sigma_sq: 2,
    delta: Rational(5, 2),
    z: (2, 1),
    y: (2, 1),
    s: ((1, 1), (1, -1), (-1, 1), (-1, -1)),
    a: ((3, 2), (3, 0), (1, 2), (1, 0)),
    omega: (Rational(1, 2), Rational(1, 2), Rational(1, 2), Rational(1, 2)),
    v: ((9, 4), (9, 0), (1, 4), (1, 0)),
}
