r"""`ndqsg/conv-nonconvex`: average squared gradient of SGD with dithered gradients (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.convergence import messages
from theory.ndqsg.convergence.messages import COORDINATES, WORKERS, P, e, eta, p
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

L, T, Delta_0, G, omega, sigma_sq, lam, x_0 = symbols("L T Delta_0 G omega sigma_sq lambda_ x_0", real=True)
t = Symbol("t", real=True)
second, now, after, mean_square = symbols("second now after mean_square", real=True)
gap, square, moment = symbols("gap square moment", cls=IndexedBase, real=True)
ALWAYS, RUN = (t, 0, oo), (t, 0, T - 1)

_SECOND = (1 + omega / P) * G + sigma_sq * (1 + omega) / P
_STEP = 1 / (L * (1 + omega / P))
_NOISE = eta * L * sigma_sq * (1 + omega) / P
_BOUND = 2 * Delta_0 / (eta * T) + _NOISE
_TOTAL = 2 * Delta_0 / eta
_FACTOR = (1 - eta * lam) ** 2 + (eta * lam) ** 2 * omega / P


def _after(gap_now: Any, gradient: Any) -> Any:
    """Return the bound of one step."""
    return gap_now - eta / 2 * gradient + eta / 2 * _NOISE


CLAIM = Claim(
    id="ndqsg/conv-nonconvex",
    kind="rate",
    provenance="derived",
    title="Smooth functions: average squared gradient, nearly attained by long runs without noise",
    position=22,
    paper=PAPER,
    **statement(
        r"""
        Let $f\ge f^*$ be $L$-smooth, not necessarily convex; each of $P$ workers sends an unbiased gradient
        of variance at most $\sigma^2$, with noise that is independent of that of others, by DQSG with the
        relative variance $\omega$, and $x_{t+1}=x_t-\eta\hat g$ with the average $\hat g$ of the messages.
        (a: second) Given $x_t$, $$\mathbb E\|\hat g\|^2\le\Big(1+\frac\omega P\Big)\|\nabla
          f(x_t)\|^2+\frac{\sigma^2(1+\omega)}P.$$ [proof; exact/step of two workers]
        (b: one-step) One step: if $\eta\le\frac1{L(1+\omega/P)}$, then $$\mathbb
          Ef(x_{t+1})-f^*\le(f(x_t)-f^*)-\frac\eta2\|\nabla f(x_t)\|^2+\frac\eta2\cdot\frac{\eta
          L\sigma^2(1+\omega)}P.$$ [proof]
        (c: rate) Hence, with (b) in each step, for every $T\ge1$ $$\frac1T\sum_{t<T}\mathbb E\|\nabla
          f(x_t)\|^2\le\frac{2\Delta_0}{\eta T}+\frac{\eta L\sigma^2(1+\omega)}P,$$ where $\Delta_0$ is the
          gap of $x_0$. [proof; exact/average of a run; adversarial/average and bound; montecarlo/average of
          ten; run/averages of the squared gradient]
        (d: attained) It is nearly attained by long runs: <<for $f=\frac\lambda2x^2$ in one dimension ->
          exact/sum of all>> with exact gradients, $L=\lambda$, and the largest step
          $\eta=\frac1{L(1+\omega/P)}$, $$T\cdot\frac1T\sum_{t<T}\mathbb E\|\nabla
          f(x_t)\|^2=\big(1-(1-\eta\lambda)^T\big)\frac{2\Delta_0}\eta,$$ which is $T$ times the bound, but
          for the first factor. [proof; exact/sum of all]
        """
    ),
    variables=(
        Variable(messages.d, "d", r"\mathbb N", "number of coordinates"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(T, "T", r"\mathbb N", "number of steps"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(
            omega, r"\omega", r"\mathbb R_{\ge0}", r"relative variance $\max_bd_b/(12M^2)$ of a message"
        ),
        Variable(
            sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "bound on the variance of a gradient of a worker"
        ),
        Variable(lam, r"\lambda", r"\mathbb R_{>0}", "curvature in one dimension"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x_0)-f^*$"),
        Variable(G, r"\|\nabla f(x_t)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
        Variable(second, r"\mathbb E\|\hat g\|^2", r"\mathbb R_{\ge0}", "second moment of the average"),
        Variable(now, r"(f(x_t)-f^*)", r"\mathbb R_{\ge0}", "gap"),
        Variable(after, r"\mathbb Ef(x_{t+1})-f^*", r"\mathbb R_{\ge0}", "its expectation after a step"),
        Variable(
            mean_square,
            r"\frac1T\sum_{t<T}\mathbb E\|\nabla f(x_t)\|^2",
            r"\mathbb R_{\ge0}",
            "average of the expected squared gradients",
        ),
        *messages.VARIABLES,
        Variable(
            square,
            r"\mathbb E\|\nabla f(x_{#1})\|^2",
            r"\mathbb R_{\ge0}",
            "expected squared gradients",
            "(oo,)",
            first=0,
        ),
        Variable(moment, r"\mathbb Ex_{#1}^2", r"\mathbb R_{\ge0}", "in one dimension", "(oo,)", first=0),
        Variable(gap, "a", r"\mathbb R_{\ge0}", r"$\mathbb Ef(x_t)-f^*$", "(oo,)", first=0),
        Variable(x_0, "z", r"\mathbb R", "first iterate in one dimension"),
        Variable(e, "e", r"\mathbb R^P", "errors of the workers in a coordinate", "(P,)"),
    ),
    notation={
        "x_{#1}": "iterates",
        "f": "the objective",
        "f^*": "a lower bound of it",
        r"\hat g": "average of the messages",
    },
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": messages.SIZES,
        "run": domain(r"$T\ge1$ is an integer"),
        "signs": domain(r"$L,\eta>0$, $\omega,\sigma^2\ge0$"),
        "variances": messages.VARIANCES,
        **messages.average(second),
        "message": model(
            r"$\sum_jv_{pj}\le\sigma_p^2+\omega(\|\nabla f(x_t)\|^2+\sigma_p^2)$",
            reference="ndqsg/dqsg-variance",
        ),
        "smooth": model(
            r"$\mathbb Ef(x_{t+1})-f^*\le\frac{L\mathbb E\|\hat "
            r"g\|^2\eta^2}{2}+(f(x_t)-f^*)-\eta\sum_j\mathbb E\bigl(y_j(y_j+\frac1P\sum_pe_p)\bigr)$, "
            r"over uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance $v_{pj}$, since $f$ "
            "is $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
        ),
        "step": parameter(r"$\eta\le\frac1{L(1+\omega/P)}$"),
        "average": definition(
            r"$\frac1T\sum_{t<T}\mathbb E\|\nabla f(x_t)\|^2"
            r"=\frac1T\sum_{t=0}^{T-1}\mathbb E\|\nabla f(x_t)\|^2$"
        ),
        "tower": model(
            r"$a_0=\Delta_0$, $0\le a_t$, $a_{t+1}\le a_t-\frac\eta2\mathbb E\|\nabla "
            r"f(x_t)\|^2+\frac\eta2\cdot\frac{\eta L\sigma^2(1+\omega)}P$, since the tower property "
            "takes part b from step to step"
        ),
        "quadratic": model(
            r"$\mathbb Ex_0^2=z^2$, $\Delta_0=\frac\lambda2z^2$, "
            r"$\mathbb Ex_{t+1}^2=((1-\eta\lambda)^2+\frac{(\eta\lambda)^2\omega}P)\mathbb Ex_t^2$, "
            r"$\mathbb E\|\nabla f(x_t)\|^2=\lambda^2\mathbb Ex_t^2$, $\lambda>0$",
            reference="ndqsg/quad-adaptive",
        ),
        "largest": parameter(r"$L=\lambda$, $\eta=\frac1{L(1+\omega/P)}$"),
    },
    relations={
        "second": Relation((second, _SECOND), ("<=",)),
        "one-step": Relation((after, _after(now, G)), ("<=",), under=("smooth", "step")),
        "rate": Relation((mean_square, _BOUND), ("<=",), under=("tower",)),
        "attained": Relation(
            (T * mean_square, (1 - (1 - eta * lam) ** T) * _TOTAL), ("=",), under=("quadratic", "largest")
        ),
    },
    formulas={"bound": _BOUND, "second_moment": _SECOND, "step_size": _STEP, "total": _TOTAL},
    internal={"step_size": "said as a hypothesis"},
    worst_cases=cases(r"""
        $f=\frac12x^2$, $x_0=1$, $M=1$, $P=1$, $T=10$, largest step | L = 1, Delta_0 = 1/2, sigma_sq = 0,
          omega = 1/12, P = 1, T = 10, eta = 12/13 | 13/120
        $f=\frac12x^2$, $x_0=1$, $M=1$, $P=4$, $T=10$, largest step | L = 1, Delta_0 = 1/2, sigma_sq = 0,
          omega = 1/12, P = 4, T = 10, eta = 48/49 | 49/480
        with noise, $d=5$, $M=2$, $P=4$, $T=100$, largest step | L = 2, Delta_0 = 2, sigma_sq = 1/20,
          omega = 5/48, P = 4, T = 100, eta = 96/197 | 45169/472800
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, WORKERS, ALWAYS)
    half, third = Rational(1, 2), Rational(1, 3)
    unit = {messages.d: 2, P: 2, L: 1, omega: 1, sigma_sq: 1, T: 3}
    K.example({**unit, eta: half, Delta_0: 2, gap: (2,) * 152, square: (half,) * 152, mean_square: half})
    powers = [third**k * 9 for k in range(152)]
    K.example({**unit, eta: 2 * third, lam: 1, x_0: 3, moment: powers, square: powers})
    gradient = K.given("gradient")
    message = K.cert(
        le(Sum(messages.v[p, messages.j], COORDINATES), sigma_sq * (1 + omega) + omega * G),
        (1, K.at(K.given("message"), p)),
        (1 + omega, K.at(K.given("noise"), p)),
    )
    second_moment = K.cert(
        le(second, _SECOND),
        (1, K.given("second")),
        (1, messages.second_moment(K)),
        (-1, gradient),
        (1 / P**2, K.sum_over(message, WORKERS)),
    )
    K.conclude("second", second_moment)
    one_step = K.cert(
        le(after, _after(now, G)),
        (1, K.given("smooth")),
        (-eta, messages.inner(K)),
        (eta, gradient),
        (L * eta**2 / 2, second_moment),
        (eta / 2 * G * L * (1 + omega / P), K.given("step")),
    )
    K.conclude("one-step", one_step)
    average = K.given("average")
    summed = K.cert(
        le(eta / 2 * Sum(square[t], RUN), Delta_0 + T * eta / 2 * _NOISE),
        (1, K.sum_over(K.at(K.given("tower", 2), t), RUN)),
        (-1, telescoping_sum(K, gap[t], t, T)),
        (1, K.given("tower")),
        (1, K.at(K.given("tower", 1), T)),
    )
    K.conclude("rate", K.cert(le(mean_square, _BOUND), (1, average), (2 / (eta * T), summed)))
    _attained(K, average)


def _attained(K: Any, average: Any) -> None:
    """At the largest step each second moment is 1 less eta lambda times the one before."""
    K.know(K.given("quadratic", 4))
    largest = K.cert(
        eq(eta * lam * (1 + omega / P), 1),
        (lam * (1 + omega / P), K.given("largest", 1)),
        (-1 / L, K.given("largest")),
    )
    fall = K.cert(
        eq(square[t + 1] - square[t], -eta * lam * square[t]),
        (1, K.at(K.given("quadratic", 3), t + 1)),
        (-1 + eta * lam, K.at(K.given("quadratic", 3), t)),
        (lam**2, K.at(K.given("quadratic", 2), t)),
        (eta * lam * lam**2 * moment[t], largest),
    )

    def value(at: Any) -> Any:
        return eq(square[at], (1 - eta * lam) ** at * 2 * lam * Delta_0)

    step = K.cert(value(t + 1), (1, fall), (1 - eta * lam, K.assume(value(t))))
    base = K.cert(
        value(Integer(0)),
        (1, K.at(K.given("quadratic", 3), 0)),
        (lam**2, K.given("quadratic")),
        (-2 * lam, K.given("quadratic", 1)),
    )
    last = K.at(K.induction(t, base, step), T)
    total = K.cert(
        eq(T * mean_square, (1 - (1 - eta * lam) ** T) * _TOTAL),
        (T, average),
        (1 / (eta * lam), K.sum_over(fall, RUN)),
        (-1 / (eta * lam), telescoping_sum(K, square[t], t, T)),
        (-1 / (eta * lam), last),
        (1 / (eta * lam), base),
    )
    K.conclude("attained", total)
