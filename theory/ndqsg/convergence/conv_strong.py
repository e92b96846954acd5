r"""`ndqsg/conv-strong`: linear convergence of SGD with dithered gradients (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.linear_recursion import linear_recursion
from theory.facts.young import young
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.convergence import messages
from theory.ndqsg.convergence.messages import COORDINATES, WORKERS, P, eta, j, p, v
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

L, T, G, omega, sigma_sq, mu, r_0, h, S_star, x = symbols("L T G omega sigma_sq mu r_0 h S_star x", real=True)
t = Symbol("t", real=True)
second, before, after, gap, factor = symbols("second before after gap factor", real=True)
A, A_star, gap_of, distance, moment = symbols("A A_star gap_of distance moment", cls=IndexedBase, real=True)
g, g_star, e = symbols("g g_star e", cls=IndexedBase, real=True)
ALWAYS = (t, 0, oo)

_SECOND = (1 + omega / P) * G + sigma_sq * (1 + omega) / P
_STEP, _STEP_DIFFERENT = 1 / (L * (1 + omega / P)), 1 / (L * (1 + 2 * omega / P))
_ADDED = eta**2 * sigma_sq * (1 + omega) / P
_ADDED_DIFFERENT = _ADDED + 2 * eta**2 * omega * S_star / P**2
_BOUND = (1 - eta * mu) ** T * r_0 + eta * sigma_sq * (1 + omega) / (mu * P)
_BOUND_DIFFERENT = _BOUND + 2 * eta * omega * S_star / (mu * P**2)
_FACTOR, _LARGEST = (1 - h) ** 2 + h**2 * omega / P, 1 / (1 + omega / P)
_DIFFERENCE = Sum((g[p, j] - g_star[p, j]) ** 2, COORDINATES)

CLAIM = Claim(
    id="ndqsg/conv-strong",
    kind="tight",
    provenance="derived",
    title="Strongly convex functions: linear rate, attained in one dimension without noise",
    position=20,
    paper=PAPER,
    **statement(
        r"""
        Let $f$ be $L$-smooth and $\mu$-strongly convex with the minimiser $x^*$, $r_0=\|x_0-x^*\|^2$; each
        of $P$ workers sends an unbiased gradient of variance at most $\sigma^2$, with noise that is
        independent of that of others, by DQSG with the relative variance $\omega$, and $x_{t+1}=x_t-\eta\hat
        g$ with the average $\hat g$ of the messages. All workers have the function $f$, except in (e) and
        (f).
        (a: second) Given $x_t$, $$\mathbb E\|\hat g\|^2\le\Big(1+\frac\omega P\Big)\|\nabla
          f(x_t)\|^2+\frac{\sigma^2(1+\omega)}P.$$ [proof; exact/second moment of two workers]
        (b: one-step) One step: if $\eta\le\frac1{L(1+\omega/P)}$, then $$\mathbb
          E\|x_{t+1}-x^*\|^2\le(1-\eta\mu)\|x_t-x^*\|^2+\frac{\eta^2\sigma^2(1+\omega)}P.$$ [proof;
          adversarial/one step from anywhere]
        (c: rate) Hence, with (b) in each step, for every $T$ $$\mathbb
          E\|x_T-x^*\|^2\le(1-\eta\mu)^Tr_0+\frac{\eta\sigma^2(1+\omega)}{\mu P}.$$ [proof; exact/run and
          bound; montecarlo/two steps; run/distances in one dimension; exact/numbers *; exact/traces of the
          literal run; exact/replicates beyond the range; exact/round at which it stops; exact/arguments *]
        (d: factor, attained) It is attained for every $T$: <<on a parabola in one dimension -> exact/factor
          of a step>> with exact gradients and $h$ the product of $\eta$ and the curvature, a step
          from an iterate other than zero multiplies $\mathbb Ex_t^2$ by
          $$\rho=(1-h)^2+\frac{h^2\omega}P,$$ and at the largest step $h=\frac1{1+\omega/P}$ $$\mathbb
          Ex_T^2=(1-h)^Tr_0.$$ [proof; exact/factor of a step; exact/run and bound without noise]
        (e: one-step-different) If the workers have different convex $L$-smooth $f_p$ of the mean $f$, with
          $S^*=\sum_p\|\nabla f_p(x^*)\|^2$, and $\eta\le\frac1{L(1+2\omega/P)}$, one step gives $$\mathbb
          E\|x_{t+1}-x^*\|^2\le(1-\eta\mu)\|x_t-x^*\|^2+\frac{\eta^2\sigma^2(1+\omega)}P+\frac{2\eta^2\omega
          S^*}{P^2}.$$ [proof]
        (f: rate-different) Hence, with (e) in each step, for every $T$ $$\mathbb
          E\|x_T-x^*\|^2\le(1-\eta\mu)^Tr_0+\frac{\eta\sigma^2(1+\omega)}{\mu P}+\frac{2\eta\omega S^*}{\mu
          P^2}.$$ [proof; run/distances of different workers]
        """
    ),
    variables=(
        Variable(messages.d, "d", r"\mathbb N", "number of coordinates"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(T, "T", r"\mathbb N_0", "number of steps"),
        Variable(
            L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$, of every $\nabla f_p$ in (e)"
        ),
        Variable(mu, r"\mu", "(0,L]", "constant of strong convexity"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(
            omega, r"\omega", r"\mathbb R_{\ge0}", r"relative variance $\max_bd_b/(12M^2)$ of a message"
        ),
        Variable(
            sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "bound on the variance of a gradient of a worker"
        ),
        Variable(r_0, "r_0", r"\mathbb R_{\ge0}", r"$\|x_0-x^*\|^2$"),
        Variable(
            h, "h", r"\mathbb R_{\ge0}", r"$\eta\lambda$ with the curvature $\lambda$, in one dimension"
        ),
        Variable(x, "x", r"\mathbb R", "an iterate in one dimension"),
        Variable(factor, r"\rho", r"\mathbb R_{\ge0}", "factor of the second moment in one dimension"),
        Variable(S_star, "S^*", r"\mathbb R_{\ge0}", r"$\sum_p\|\nabla f_p(x^*)\|^2$"),
        Variable(G, r"\|\nabla f(x_t)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
        Variable(A_star, r"\|\nabla f_{#1}(x^*)\|^2", r"\mathbb R_{\ge0}^P", "at the minimiser", "(P,)"),
        Variable(second, r"\mathbb E\|\hat g\|^2", r"\mathbb R_{\ge0}", "second moment of the average"),
        Variable(before, r"\|x_t-x^*\|^2", r"\mathbb R_{\ge0}", "squared distance"),
        Variable(after, r"\mathbb E\|x_{t+1}-x^*\|^2", r"\mathbb R_{\ge0}", "its expectation after a step"),
        Variable(
            distance,
            r"\mathbb E\|x_{#1}-x^*\|^2",
            r"\mathbb R_{\ge0}^\infty",
            "after so many steps",
            "(oo,)",
            first=0,
        ),
        Variable(
            moment, r"\mathbb Ex_{#1}^2", r"\mathbb R_{\ge0}^\infty", "in one dimension", "(oo,)", first=0
        ),
        *messages.VARIABLES,
        messages.PLACE,
        Variable(A, r"\|\nabla f_{#1}(x_t)\|^2", r"\mathbb R_{\ge0}^P", "their squared gradients", "(P,)"),
        Variable(gap, r"(f(x_t)-f(x^*))", r"\mathbb R_{\ge0}", "gap"),
        Variable(g, "g", r"\mathbb R^{P\times d}", r"coordinates of $\nabla f_p(x_t)$", "(P, d)"),
        Variable(g_star, "g^*", r"\mathbb R^{P\times d}", r"coordinates of $\nabla f_p(x^*)$", "(P, d)"),
        Variable(gap_of, "B", r"\mathbb R_{\ge0}^P", "Bregman divergences of $x_t$ from $x^*$", "(P,)"),
        Variable(e, "e", r"\mathbb R^P", "errors of the workers in a coordinate", "(P,)"),
    ),
    notation={
        "x^*": "the minimiser",
        "x_{#1}": "iterates",
        "f": "the objective",
        "f_{#1}": "functions of the workers",
        r"\nabla f_{#1}(x^*)": "their gradients at the minimiser",
        r"\hat g": "average of the messages",
    },
    ranges={"m": (0, oo)},
    hypotheses={
        "sizes": messages.SIZES,
        "run": domain(r"$T\ge0$ is an integer"),
        "signs": domain(r"$L,\mu,\eta>0$, $\omega,\sigma^2,S^*\ge0$"),
        "variances": messages.VARIANCES,
        **messages.average(second),
        "points": definition(
            r"$\|x_t-x^*\|^2=\sum_jz_j^2$; "
            r"$\mathbb E\|x_{t+1}-x^*\|^2=\sum_j\mathbb E\bigl((z_j-\eta(y_j+\frac1P"
            r"\sum_pe_p))^2\bigr)$, over uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and "
            "variance $v_{pj}$"
        ),
        "message": model(
            r"$\sum_jv_{pj}\le\sigma_p^2+\omega(\|\nabla f_p(x_t)\|^2+\sigma_p^2)$",
            reference="ndqsg/dqsg-variance",
        ),
        "same": model(r"$\|\nabla f_p(x_t)\|^2=\|\nabla f(x_t)\|^2$, since the workers share the function"),
        "strong": model(
            r"$(f(x_t)-f(x^*))+\frac\mu2\|x_t-x^*\|^2\le\sum_jy_jz_j$, "
            r"since $f$ is $\mu$-strongly convex"
        ),
        "smooth": model(
            r"$\|\nabla f(x_t)\|^2\le2L(f(x_t)-f(x^*))$, since $f$ is $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
        "step": parameter(r"$\eta\le\frac1{L(1+\omega/P)}$"),
        "tower": model(
            r"$\mathbb E\|x_{m+1}-x^*\|^2\le(1-\eta\mu)\mathbb E\|x_m-x^*\|^2"
            r"+\frac{\eta^2\sigma^2(1+\omega)}P$, "
            r"$\mathbb E\|x_0-x^*\|^2=r_0$, $\mu\le L$, "
            "since the tower property makes this of the bound on a step given its iterate"
        ),
        "parabola": model(
            r"$\rho x^2=\mathbb E\bigl((x-h(x+\frac1P\sum_pe_p))^2\bigr)$, "
            r"over uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance $\omega x^2$; "
            r"$x\ne0$; $\mathbb Ex_0^2=r_0$, "
            r"$\mathbb Ex_{m+1}^2=\Big((1-h)^2+\frac{h^2\omega}P\Big)\mathbb Ex_m^2$, "
            "since the tower property makes this of a step from $x$",
            reference="ndqsg/dqsg-variance",
        ),
        "largest": parameter(r"$h=\frac1{1+\omega/P}$"),
        "different": model(
            r"$\|\nabla f_p(x_t)\|^2=\sum_jg_{pj}^2$, $S^*=\sum_p\|\nabla f_p(x^*)\|^2$, "
            r"$\sum_j(g_{pj}-g^*_{pj})^2\le2LB_p$, $(f(x_t)-f(x^*))=\frac1P\sum_pB_p$, "
            r"$\|\nabla f_p(x^*)\|^2=\sum_j(g^*_{pj})^2$, since the convex $f_p$ are $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
        "shorter": parameter(r"$\eta\le\frac1{L(1+2\omega/P)}$"),
        "tower-different": model(
            r"$\mathbb E\|x_{m+1}-x^*\|^2\le(1-\eta\mu)\mathbb E\|x_m-x^*\|^2"
            r"+\frac{\eta^2\sigma^2(1+\omega)}P+\frac{2\eta^2\omega S^*}{P^2}$, "
            r"$\mathbb E\|x_0-x^*\|^2=r_0$, $\mu\le L$, "
            "since the tower property makes this of the bound on a step given its iterate"
        ),
    },
    relations={
        "second": Relation((second, _SECOND), ("<=",), under=("same",)),
        "one-step": Relation(
            (after, (1 - eta * mu) * before + _ADDED), ("<=",), under=("same", "strong", "smooth", "step")
        ),
        "rate": Relation((distance[T], _BOUND), ("<=",), under=("step", "tower")),
        "factor": Relation((factor, _FACTOR), ("=",), under=("parabola",)),
        "attained": Relation((moment[T], (1 - h) ** T * r_0), ("=",), under=("parabola", "largest")),
        "one-step-different": Relation(
            (after, (1 - eta * mu) * before + _ADDED_DIFFERENT),
            ("<=",),
            under=("different", "strong", "smooth", "shorter"),
        ),
        "rate-different": Relation(
            (distance[T], _BOUND_DIFFERENT), ("<=",), under=("shorter", "tower-different")
        ),
    },
    formulas={
        "bound": _BOUND,
        "second_moment": _SECOND,
        "step_size": _STEP,
        "factor": _FACTOR,
        "largest_h": _LARGEST,
        "step_size_different": _STEP_DIFFERENT,
        "bound_different": _BOUND_DIFFERENT,
    },
    internal={
        "step_size": "said as a hypothesis",
        "largest_h": "said as a hypothesis",
        "step_size_different": "said as a hypothesis",
    },
    worst_cases=cases(r"""
        $d=1$, $M=1$, $P=4$, $\sigma=0$, largest step: equality, the factor of a step | omega = 1/12, P = 4,
          h = 48/49 | 1/49
        $d=1$, $M=1$, $P=1$, $\sigma=0$, largest step: equality, the factor of a step | omega = 1/12, P = 1,
          h = 12/13 | 1/13
        $L=1$, $\mu=0.1$, $d=12$, $M=1$, $P=4$, $\sigma^2=\frac12$, $T=50$, largest step | mu = 1/10, r_0 = 1,
          sigma_sq = 1/2, omega = 1, P = 4, eta = 4/5, T = 50 | (23/25)**50 + 2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, WORKERS, ALWAYS)
    half = Rational(1, 2)
    unit = {messages.d: 2, P: 2, L: 1, omega: 1, sigma_sq: 1, T: 3, mu: half, eta: half, r_0: 1, S_star: 2}
    K.example({**unit, distance: (1,) * 152})
    gradient, strong, smooth = K.given("gradient"), K.given("strong"), K.given("smooth")
    message = K.cert(
        le(Sum(v[p, j], COORDINATES), sigma_sq * (1 + omega) + omega * A[p]),
        (1, K.at(K.given("message"), p)),
        (1 + omega, K.at(K.given("noise"), p)),
    )
    total = K.sum_over(message, WORKERS)
    same = K.sum_over(K.at(K.given("same"), p), WORKERS)
    second_moment = K.cert(
        le(second, _SECOND),
        (1, K.given("second")),
        (1, messages.second_moment(K)),
        (-1, gradient),
        (1 / P**2, total),
        (omega / P**2, same),
    )
    K.conclude("second", second_moment)
    moved = K.cert(
        eq(after, before - 2 * eta * messages.PRODUCT + eta**2 * (G + messages.NOISE / P**2)),
        (1, K.given("points", 1)),
        (-1, K.given("points")),
        (1, messages.after_step(K)),
        (-(eta**2), gradient),
    )
    half_gradient = K.sign(le(0, Sum(messages.y[j] ** 2, COORDINATES) / (2 * L)))
    K.know(K.cert(le(0, gap), (1 / (2 * L), smooth), (-1 / (2 * L), gradient), (1, half_gradient)))
    one_step = K.cert(
        le(after, (1 - eta * mu) * before + _ADDED),
        (1, moved),
        (2 * eta, strong),
        (eta**2 / P**2, total),
        (eta**2 * omega / P**2, same),
        (eta**2 * (1 + omega / P), smooth),
        (2 * eta * gap * L * (1 + omega / P), K.given("step")),
    )
    K.conclude("one-step", one_step)
    _different(K, moved, total)
    _parabola(K)
    K.know(K.assume(le(0, 1 - eta * mu)))
    _rate(K, "rate", omega / P, _ADDED, _BOUND)
    _rate(K, "rate-different", 2 * omega / P, _ADDED_DIFFERENT, _BOUND_DIFFERENT)


def _rate(K: Any, relation: str, more: Any, added: Any, bound: Any) -> None:
    """Solve the recursion; the step is at most 1/(L (1 + more)), and mu is at most L."""
    step, tower = CLAIM.relations[relation].under
    contraction = K.cert(
        le(0, 1 - eta * mu),
        (L * (1 + more), K.given(step)),
        (eta * L * more, 1),
        (eta, K.given(tower, 2)),
    )
    found = K.at(linear_recursion(K, distance, t, 1 - eta * mu, added, K.at(K.given(tower), t)), T)
    start = ((1 - eta * mu) ** T, K.given(tower, 1))
    K.conclude(relation, K.discharge(K.cert(le(distance[T], bound), (1, found), start), contraction))


def _different(K: Any, moved: Any, total: Any) -> None:
    """By Young's inequality the squared gradients add up to at most 4 L P times the gap and 2 S*."""
    entries = K.sum_over(young(K, g[p, j] - g_star[p, j], g_star[p, j]), COORDINATES)
    node = K.cert(
        le(A[p], 4 * L * gap_of[p] + 2 * A_star[p]),
        (1, K.at(K.given("different"), p)),
        (1, entries),
        (2, K.at(K.given("different", 2), p)),
        (-2, K.at(K.given("different", 4), p)),
    )
    squares = K.cert(
        le(Sum(A[p], WORKERS), 4 * L * P * gap + 2 * S_star),
        (1, K.sum_over(node, WORKERS)),
        (-4 * L * P, K.given("different", 3)),
        (-2, K.given("different", 1)),
    )
    one_step = K.cert(
        le(after, (1 - eta * mu) * before + _ADDED_DIFFERENT),
        (1, moved),
        (2 * eta, K.given("strong")),
        (eta**2 / P**2, total),
        (eta**2 * omega / P**2, squares),
        (eta**2, K.given("smooth")),
        (2 * eta * gap * L * (1 + 2 * omega / P), K.given("shorter")),
    )
    K.conclude("one-step-different", one_step)


def _parabola(K: Any) -> None:
    K.know(K.given("parabola", 1))
    K.conclude("factor", K.cert(eq(factor, _FACTOR), (1 / x**2, K.given("parabola"))))

    def value(at: Any) -> Any:
        return eq(moment[at], (1 - h) ** at * r_0)

    each = K.at(K.given("parabola", 3), t)
    slack = h * (1 + omega / P) * moment[t]
    step = K.cert(value(t + 1), (1, each), (slack, K.given("largest")), (1 - h, K.assume(value(t))))
    base = K.cert(value(Integer(0)), (1, K.given("parabola", 2)))
    K.conclude("attained", K.at(K.induction(t, base, step), T))
