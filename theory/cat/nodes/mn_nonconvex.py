r"""`cat/mn-nonconvex`: unbiased entries from several nodes, smooth objectives (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, oo, sqrt, symbols

from theory.cat.nodes.average import (
    COORDINATES,
    HYPOTHESES,
    NODES,
    SENT,
    E,
    G,
    M,
    a,
    coordinates,
    d,
    e,
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
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.hypotheses import domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

L, gamma, G_sq, B_sq, Delta_0, before, after = symbols("L gamma G_sq B_sq Delta_0 before after", real=True)
K, k = symbols("K k", real=True)
gap, s = symbols("gap s", cls=IndexedBase, real=True)
t = symbols("t", real=True)
u, w = symbols("u w", cls=IndexedBase, real=True)
RUN = (k, 0, K - 1)

_FACTOR = 1 + q * B_sq / n
_STEP = 1 / (L * _FACTOR)
_ONE_STEP = -gamma * G + L * gamma**2 / 2 * (_FACTOR * G + q * G_sq / n)
_AVERAGE = Sum(s[k], RUN) / K
_BOUND = 2 * Delta_0 / (gamma * K) + L * gamma * q * G_sq / n
_ROOT = 2 * Delta_0 * n / (K * L * q * G_sq)
_TUNED_STEP = sqrt(_ROOT)
_PRODUCT = 2 * Delta_0 * L * q * G_sq / (n * K)
_TUNED = 2 * L * _FACTOR * Delta_0 / K + 2 * sqrt(_PRODUCT)
_WIDTH = Rational(1, 8)


def _summand(x: Any) -> Any:
    return x**2 / (1 + x**2)


def _tangent(x: Any, at: Any) -> Any:
    return _summand(at) + 2 * at / (1 + at**2) ** 2 * (x - at) + (x - at) ** 2


CLAIM = Claim(
    id="cat/mn-nonconvex",
    kind="rate",
    provenance="derived",
    title="Unbiased entries from several nodes: smooth objectives",
    position=23,
    paper=PAPER,
    **statement(
        r"""
        $F=\frac1n\sum_if_i$ is $L$-smooth and at least $F^\star$. $\hat g$ is the average of the messages
        of $n$ independent unbiased nodes with gradients $g_i$ and shares $\omega_i$ at $x$, where
        $q\ge\frac1{\omega_i}-1$ for each $i$ and $\frac1n\sum_i\|g_i\|^2\le G^2+B^2\|\nabla F(x)\|^2$;
        $x^+=x-\gamma\hat g$, and $x_k$ are the points of a run from $x_0$ with $\Delta_0=F(x_0)-F^\star$.
        (a: one-step) For every $\gamma>0$ $$\mathbb EF(x^+)\le F(x)-\gamma\|\nabla
          F(x)\|^2+\frac{L\gamma^2}2\Big(\Big(1+\frac{qB^2}n\Big)\|\nabla F(x)\|^2+\frac{qG^2}n\Big).$$
          [proof; exact/gap; exact/gradients of the nodes; run/change]
        (b: attained) It is attained for <<$F=\frac L2\|x\|^2+c$ -> exact/attained>> where
          $\frac1{\omega_i}-1=q$ for each $i$ and $\frac1n\sum_i\|g_i\|^2=G^2+B^2\|\nabla F(x)\|^2$:
          $$\mathbb EF(x^+)=F(x)-\gamma\|\nabla
          F(x)\|^2+\frac{L\gamma^2}2\Big(\Big(1+\frac{qB^2}n\Big)\|\nabla F(x)\|^2+\frac{qG^2}n\Big).$$
          [proof; exact/attained]
        (c: rate) Hence, with (a) in each round and $\gamma\le\frac1{L(1+qB^2/n)}$, for $K\ge1$
          $$\frac1K\sum_{k<K}\mathbb E\|\nabla F(x_k)\|^2\le\frac{2\Delta_0}{\gamma K}+\frac{L\gamma
          qG^2}n.$$ [proof; exact/mean squared gradient; exact/step; run/step; run/step of the run;
          run/direction of the run; run/message of a node]
        (d: tuned) For $\gamma=\min\{\frac1{L(1+qB^2/n)},\sqrt{\frac{2\Delta_0n}{KLqG^2}}\}$, where $q>0$,
          $G^2>0$ and $\Delta_0>0$, this is at most $$\frac{2\Delta_0}{\gamma K}+\frac{L\gamma
          qG^2}n\le\frac{2L(1+\frac{qB^2}n)\Delta_0}K+2\sqrt{\frac{2\Delta_0LqG^2}{nK}}.$$ [proof;
          exact/bound at the tuned step]
        (e: smooth-sum, chord) $F$ need not be convex: the bound that (a) takes, for the sum on the left and
          its gradient, is for all $u$ and $w$
          $$\sum_j\frac{w_j^2}{1+w_j^2}\le\sum_j\Big(\frac{u_j^2}{1+u_j^2}+\frac{2u_j}{(1+u_j^2)^2}(w_j-u_j)+(w_j-u_j)^2\Big),$$
          and its summands are above their chords where $t^2\ge1$,
          $$\frac12\Big(\frac{(t-\frac18)^2}{1+(t-\frac18)^2}+\frac{(t+\frac18)^2}{1+(t+\frac18)^2}\Big)<\frac{t^2}{1+t^2},$$
          <<as at the point from which two rounds of two nodes with this mean are taken -> exact/F above its
          chord>>: <<(a) holds there -> exact/gap>>, <<so does (c) -> exact/mean squared gradient>>. [proof;
          exact/F above its chord; exact/gap; exact/mean squared gradient]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(K, "K", r"\mathbb N", "number of rounds"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(q, "q", r"\mathbb R_{\ge0}", r"bound on $\frac1{\omega_i}-1$ over all nodes"),
        Variable(G_sq, "G^2", r"\mathbb R_{\ge0}", "constant of the bound on the gradients of the nodes"),
        Variable(B_sq, "B^2", r"\mathbb R_{\ge0}", "factor in the bound on the gradients of the nodes"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$F(x_0)-F^\star$"),
        Variable(G, r"\|\nabla F(x)\|^2", r"\mathbb R_{\ge0}", "squared norm of the gradient"),
        Variable(E, r"\|g_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared norms of the gradients", "(n,)"),
        Variable(a, "g_{#1#2}", r"\mathbb R^{n\times d}", "entries of the gradients", "(n,d)"),
        Variable(y, r"\nabla_{#1}F(x)", r"\mathbb R^d", "entries of the gradient", "(d,)"),
        Variable(omega, r"\omega", r"(0,1]^n", "shares of the nodes", "(n,)"),
        Variable(v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances of entries of messages", "(n,d)"),
        Variable(u, "u", r"\mathbb R^d", "a point", "(d,)"),
        Variable(w, "w", r"\mathbb R^d", "another one", "(d,)"),
        Variable(t, "t", r"\mathbb R", "a coordinate"),
        Variable(M, r"\mathbb E\|\hat g\|^2", r"\mathbb R_{\ge0}", "second moment of the average"),
        Variable(e, "e", r"\mathbb R^n", "errors of the messages in a coordinate", "(n,)"),
        Variable(before, "F(x)", r"\mathbb R", "objective"),
        Variable(after, r"\mathbb EF(x^+)", r"\mathbb R", "expected objective after a step"),
        Variable(gap, r"\mathbb E\delta_{#1}", r"\mathbb R_{\ge0}", r"gaps to $F^\star$", "(oo,)", first=0),
        Variable(
            s, r"\mathbb E\|\nabla F(x_{#1})\|^2", r"\mathbb R_{\ge0}", "squared gradients", "(oo,)", first=0
        ),
    ),
    notation={
        "F": "objective",
        r"F^\star": "lower bound of the objective",
        "F(x_0)": "objective at the start",
        "f_{#1}": "function of a node",
        "g_{#1}": "gradient of a node",
        r"\hat g": "average of the messages",
        "x": "point",
        "x_{#1}": "point of a round",
        "x^+": "next point",
    },
    ranges={"k": (0, oo)},
    hypotheses={
        **HYPOTHESES,
        "signs": domain(r"$L,\gamma>0$, $q,B^2\ge0$"),
        "rounds": domain(r"$K\ge1$ is an integer"),
        "bounded": model(r"$\frac1n\sum_i\|g_i\|^2\le G^2+B^2\|\nabla F(x)\|^2$"),
        "smooth": model(
            r"$\mathbb EF(x^+)\le F(x)-\gamma\sum_j\mathbb E\bigl((\nabla_jF(x)+\frac1n\sum_ie_i)"
            r"\nabla_jF(x)\bigr)+\frac{L\gamma^2}2\mathbb E\|\hat g\|^2$, over uncorrelated $e_i$, "
            r"$1\le i\le n$, with mean $0$ and variance $v_{ij}$, since $F$ is $L$-smooth"
        ),
        "quadratic": model(
            r"$\mathbb EF(x^+)=F(x)-\gamma\sum_j\mathbb E\bigl((\nabla_jF(x)+\frac1n\sum_ie_i)"
            r"\nabla_jF(x)\bigr)+\frac{L\gamma^2}2\mathbb E\|\hat g\|^2$, over uncorrelated $e_i$, "
            r"$1\le i\le n$, with mean $0$ and variance $v_{ij}$, since $F$ is a shift of $\frac L2\|x\|^2$"
        ),
        "equal-noise": parameter(
            r"$\frac1{\omega_i}-1=q$ for each $i$ and $\frac1n\sum_i\|g_i\|^2=G^2+B^2\|\nabla F(x)\|^2$"
        ),
        "step": parameter(r"$\gamma\le\frac1{L(1+qB^2/n)}$"),
        "tower": model(
            r"$\mathbb E\delta_{k+1}\le\mathbb E\delta_k-\gamma\,\mathbb E\|\nabla F(x_k)\|^2"
            r"+\frac{L\gamma^2}2((1+\frac{qB^2}n)\mathbb E\|\nabla F(x_k)\|^2+\frac{qG^2}n)$, "
            r"$\mathbb E\delta_k\ge0$, $\mathbb E\|\nabla F(x_k)\|^2\ge0$, $\mathbb E\delta_0=\Delta_0$, "
            "since part a bounds a round given those before"
        ),
        "tuned": parameter(r"$\gamma=\min\{\frac1{L(1+qB^2/n)},\sqrt{\frac{2\Delta_0n}{KLqG^2}}\}$"),
        "outside": parameter("$t^2\\ge1$"),
        "noisy": parameter(r"$q>0$, $G^2>0$, $\Delta_0>0$"),
    },
    relations={
        "one-step": Relation((after, before + _ONE_STEP), ("<=",), under=("smooth", "bounded", "noise")),
        "attained": Relation((after, before + _ONE_STEP), ("=",), under=("quadratic", "equal-noise")),
        "rate": Relation((_AVERAGE, _BOUND), ("<=",), under=("step", "tower")),
        "smooth-sum": Relation((coordinates(_summand(w[j])), coordinates(_tangent(w[j], u[j]))), ("<=",)),
        "chord": Relation(
            ((_summand(t - _WIDTH) + _summand(t + _WIDTH)) / 2, _summand(t)), ("<",), under=("outside",)
        ),
        "tuned": Relation((_BOUND, _TUNED), ("<=",), under=("tuned", "noisy")),
    },
    formulas={
        "bound": _BOUND,
        "step": _STEP,
        "one_step": _ONE_STEP,
        "tuned_step": _TUNED_STEP,
        "tuned": _TUNED,
    },
    internal={
        "step": "the largest step, said as a hypothesis of part (c)",
        "tuned_step": "said as a hypothesis of part (d)",
    },
    worst_cases=cases(r"""
        four corners, at the middle: an increase by $\gamma^2/4$, attained | gamma = 1/5, G = 0, L = 1, q = 1,
          B_sq = 1, G_sq = 2, n = 4 | 1/100
        level of the mean squared gradient there for many rounds from the middle | gamma = 1/5, L = 1, q = 1,
          G_sq = 2, n = 4, Delta_0 = 0, K = 1 | 1/10
    """),
)

# Four corners around 0 at (2, 1), half of the entries of each gradient in expectation.
MN4 = {
    n: 4,
    d: 2,
    L: 1,
    gamma: Rational(1, 5),
    q: 1,
    G_sq: 2,
    B_sq: 1,
    y: (2, 1),
    a: ((3, 2), (3, 0), (1, 2), (1, 0)),
    omega: (Rational(1, 2), Rational(1, 2), Rational(1, 2), Rational(1, 2)),
    v: ((9, 4), (9, 0), (1, 4), (1, 0)),
    before: Rational(7, 2),
}


def derive(kernel: Any) -> None:
    """Prove the relations: second moment of the average, telescoping sums, the smaller of two steps."""
    kernel.index(NODES, COORDINATES)
    given = kernel.given
    kernel.example({**MN4, after: Rational(7, 2) - 1 + Rational(27, 200)})
    kernel.know(given("signs"))
    slope = kernel.sum_over(kernel.identity(mean(y[j] * SENT), y[j] ** 2), COORDINATES)
    descent = [(-gamma, slope), (gamma, given("gradient", 1))]
    one_step = kernel.cert(
        le(after, before + _ONE_STEP),
        (1, given("smooth")), *descent, (L * gamma**2 / 2, second_moment_bound(kernel)),
        (L * gamma**2 * q / (2 * n), given("bounded")),
    )  # fmt: skip
    kernel.conclude("one-step", one_step)
    noise = kernel.at(given("equal-noise"), i)
    noises = kernel.sum_over(kernel.cert(eq((1 / omega[i] - 1) * E[i], q * E[i]), (E[i], noise)), NODES)
    attained = kernel.cert(
        eq(after, before + _ONE_STEP),
        (1, given("quadratic")), *descent, (L * gamma**2 / 2, second_moment(kernel)),
        (L * gamma**2 / (2 * n**2), noises), (L * gamma**2 * q / (2 * n), given("equal-noise", 1)),
    )  # fmt: skip
    kernel.conclude("attained", attained)
    _not_convex(kernel)
    _rate(kernel)
    _tuned(kernel)


def _not_convex(kernel: Any) -> None:
    """The curvature of a summand is at most 2, and negative beyond 1."""
    start, end, one = u[j], w[j], kernel.sign(le(0, 1))
    square = (end - start) ** 2 / (1 + start**2) ** 2
    # Over (w - u)^2 the difference is 1 + (u^2 + 2 u w - 1) / ((1 + u^2)^2 (1 + w^2)).
    smooth = kernel.cert(
        le(_summand(end), _tangent(end, start)),
        (square / (1 + end**2), (start + end) ** 2), (square * start**2 * (2 + start**2), one),
    )  # fmt: skip
    kernel.conclude("smooth-sum", kernel.sum_over(smooth, COORDINATES))
    beyond = kernel.cert(
        lt(0, 3 * t**2 - 1 - _WIDTH**2), (3, kernel.given("outside")), (2 - _WIDTH**2, kernel.sign(lt(0, 1)))
    )
    for x in (t - _WIDTH, t + _WIDTH):
        kernel.know(kernel.cert(lt(0, 1 + x**2), (1, x**2), (1, kernel.sign(lt(0, 1)))))
    product = (1 + (t - _WIDTH) ** 2) * (1 + (t + _WIDTH) ** 2)
    chord = kernel.cert(
        lt((_summand(t - _WIDTH) + _summand(t + _WIDTH)) / 2, _summand(t)),
        (_WIDTH**2 / ((1 + t**2) * product), beyond),
    )
    kernel.conclude("chord", chord)


def _rate(kernel: Any) -> None:
    given = kernel.given
    kernel.index(RUN)
    kernel.know(given("tower", 2))
    factor = kernel.cert(le(L * gamma * _FACTOR, 1), (L * _FACTOR, given("step")))
    one = kernel.cert(
        le(gap[k + 1] - gap[k], -gamma / 2 * s[k] + L * gamma**2 / 2 * q * G_sq / n),
        (1, kernel.at(given("tower"), k)), (gamma / 2 * s[k], factor),
    )  # fmt: skip
    rate = kernel.cert(
        le(_AVERAGE, _BOUND),
        (2 / (gamma * K), kernel.sum_over(one, RUN)),
        (-2 / (gamma * K), telescoping_sum(kernel, gap[k], k, K)),
        (2 / (gamma * K), given("tower", 3)),
        (2 / (gamma * K), kernel.at(given("tower", 1), K)),
    )
    kernel.conclude("rate", rate)


def _tuned(kernel: Any) -> None:
    """The root of the product is c = L q G^2 / n times the second step."""
    given, half, c = kernel.given, Rational(1, 2), L * q * G_sq / n
    kernel.know(*(given("noisy", place) for place in range(3)))
    tuned, root = given("tuned"), sqrt(_ROOT / 2)  # sympy pulls the root of 2 out
    product = kernel.axiom("root-product", c**2, _ROOT / 2, half)
    square = kernel.axiom("root-root", c, 2, half)
    equal = kernel.cert(eq(sqrt(_PRODUCT / 2), c * root), (1, product), (root, square))
    enough = one_of_minimum(kernel, gamma, _STEP, _TUNED_STEP, tuned)
    below = kernel.axiom("min-below-right", _STEP, _TUNED_STEP)
    bound = kernel.cert(
        le(_BOUND, _TUNED),
        (2 * Delta_0 / (gamma * K), enough), (c, below), (c, tuned), (-2 * sqrt(2), equal),
    )  # fmt: skip
    kernel.conclude("tuned", bound)
