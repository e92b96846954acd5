r"""`ndqsg/conv-convex`: averaged SGD with dithered gradients on convex functions (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, oo, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.convergence import messages
from theory.ndqsg.convergence.messages import COORDINATES, WORKERS, P, d, e, eta, j, p
from theory.ndqsg.paper import PAPER
from theory.statement import statement

L, M, R, T, V, K_sq, epsilon, sigma_sq, t = symbols("L M R T V K_sq epsilon sigma_sq t", real=True)
off, before, after, now, averaged, mean_gap = symbols("off before after now averaged mean_gap", real=True)
kappa_sq, distance, gap, moment, far = symbols("kappa_sq distance gap moment far", cls=IndexedBase, real=True)
slope = IndexedBase("slope", real=True)
ALWAYS, RUN = (t, 0, oo), (t, 0, T - 1)

_VARIANCE = sigma_sq / P + d * K_sq / (12 * M**2 * P)
_BOUND = R**2 / (2 * eta * (1 - eta * L) * T) + eta * V / (2 * (1 - eta * L))
_SIMPLE = R**2 / (eta * T) + eta * V
_STEP, _ITERATIONS = R / sqrt(T * V), 4 * R**2 * V / epsilon**2
_AT_MINIMUM = eta * V / (2 * (2 - eta)) * (1 - (1 - (1 - eta) ** (2 * T)) / (T * eta * (2 - eta)))
_WITHOUT_NOISE = R**2 * (1 - (1 - eta) ** (2 * T)) / (2 * T * eta * (2 - eta))
_HALF = eta * V / (2 * (1 - eta)) * Rational(1, 2)


def _step(first: Any, value: Any) -> Any:
    """Return the bound of one step from a squared distance and the expected gap of f."""
    return first - 2 * eta * (1 - eta * L) * value + eta**2 * V


CLAIM = Claim(
    id="ndqsg/conv-convex",
    kind="rate",
    provenance="rederived",
    title="Convex functions: averaged iterate with dithered gradients",
    position=19,
    paper=PAPER,
    **statement(
        r"""
        Let $f$ be convex and $L$-smooth with a minimiser $x^*$, $R=\|x_0-x^*\|$; each of $P$ workers sends an
        unbiased gradient of variance at most $\sigma^2$, with noise that is independent of that of others, by
        DQSG with scales of $\mathbb E\kappa^2\le K^2$; $x_{t+1}=x_t-\eta\hat g$ with the average $\hat g$ of
        the messages, $V=\frac{\sigma^2}P+\frac{dK^2}{12M^2P}$, and $\bar x_T$ is the mean of the first $T$
        iterates.
        (a: variance) Given $x_t$, $$\mathbb E\|\hat g-\nabla
          f(x_t)\|^2\le\frac{\sigma^2}P+\frac{dK^2}{12M^2P}.$$ [proof; exact/variance of the average]
        (b: one-step) One step: $$\mathbb E\|x_{t+1}-x^*\|^2\le\|x_t-x^*\|^2-2\eta(1-\eta
          L)(f(x_t)-f^*)+\eta^2V.$$ [proof]
        (c: rate) Hence, with (b) in each step, for $\eta L<1$ and every $T\ge1$, $$\mathbb Ef(\bar
          x_T)-f^*\le\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*\le\frac{R^2}{2\eta(1-\eta L)T}+\frac{\eta
          V}{2(1-\eta L)}.$$ [proof; exact/mean and bound; run/averages of the objective]
        (d: simple) For $\eta L\le\frac12$ $$\frac{R^2}{2\eta(1-\eta L)T}+\frac{\eta V}{2(1-\eta
          L)}\le\frac{R^2}{\eta T}+\eta V.$$ [proof]
        (e: accuracy) So, for $R>0$, $V>0$ and $\varepsilon>0$, the step $\eta=\frac R{\sqrt{TV}}$ reaches
          $\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*\le\varepsilon$ with any $T\ge\frac{4R^2V}{\varepsilon^2}$,
          if $\varepsilon\le\frac VL$. [proof; exact/legal step; exact/accuracy; exact/simple bound]
        (f: minimum) <<For $f=\frac12x^2$ in one dimension from $x_0=x^*$ -> exact/mean of a run>> and a
          fixed scale, with $V$ the variance, $0<\eta<1$, $$\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*=\frac{\eta
          V}{2(2-\eta)}\Big(1-\frac{1-(1-\eta)^{2T}}{T\eta(2-\eta)}\Big).$$ [proof; exact/mean of a run]
        (g: half) This is at most half of the bound, <<whose $L$ is 1 and $R$ is 0 -> proof>>:
          $\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*\le\frac{\eta V}{2(1-\eta)}\cdot\frac12$. [proof]
        (h: start) <<For $f=\frac12x^2$ without noise -> exact/mean of a run without noise>>, $0<\eta<1$,
          from any $x_0$, $$\frac1T\sum_{t<T}\mathbb
          Ef(x_t)-f^*=\frac{R^2(1-(1-\eta)^{2T})}{2T\eta(2-\eta)},$$ <<at $\eta=\frac1{10}$ and $T=100$ more
          than four ninths of the bound -> exact/mean and bound>>. [proof; exact/mean of a run without
          noise; exact/mean and bound; exact/mean and simple bound]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(T, "T", r"\mathbb N", "number of steps"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(R, "R", r"\mathbb R_{\ge0}", r"$\|x_0-x^*\|$"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "bound on the variance of the averaged messages"),
        Variable(
            sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "bound on the variance of a gradient of a worker"
        ),
        Variable(K_sq, "K^2", r"\mathbb R_{\ge0}", r"bound on $\mathbb E\kappa^2$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $f$"),
        Variable(off, r"\mathbb E\|\hat g-\nabla f(x_t)\|^2", r"\mathbb R_{\ge0}", "variance of the average"),
        Variable(before, r"\|x_t-x^*\|^2", r"\mathbb R_{\ge0}", "squared distance"),
        Variable(after, r"\mathbb E\|x_{t+1}-x^*\|^2", r"\mathbb R_{\ge0}", "its expectation after a step"),
        Variable(now, r"(f(x_t)-f^*)", r"\mathbb R_{\ge0}", "gap"),
        Variable(
            averaged, r"\mathbb Ef(\bar x_T)-f^*", r"\mathbb R_{\ge0}", "expected gap of the mean iterate"
        ),
        Variable(
            mean_gap,
            r"\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*",
            r"\mathbb R_{\ge0}",
            "mean of the expected gaps",
        ),
        *messages.VARIABLES,
        Variable(distance, "r", r"\mathbb R_{\ge0}", r"$\mathbb E\|x_t-x^*\|^2$", "(oo,)", first=0),
        Variable(gap, "a", r"\mathbb R_{\ge0}", r"$\mathbb Ef(x_t)-f^*$", "(oo,)", first=0),
        Variable(
            slope,
            "s",
            r"\mathbb R",
            r"$\mathbb E\langle\nabla f(\bar x_T),x_t-\bar x_T\rangle$",
            "(oo,)",
            first=0,
        ),
        messages.PLACE,
        Variable(
            kappa_sq, r"\mathbb E\kappa_{#1}^2", r"\mathbb R_{\ge0}^P", "mean squares of the scales", "(P,)"
        ),
        Variable(moment, r"\mathbb Ex_{#1}^2", r"\mathbb R_{\ge0}", "in one dimension", "(oo,)", first=0),
        Variable(far, r"x_{#1}^2", r"\mathbb R_{\ge0}", "in one dimension without noise", "(oo,)", first=0),
        Variable(e, "e", r"\mathbb R^P", "errors of the workers in a coordinate", "(P,)"),
    ),
    notation={
        "x^*": "the minimiser",
        "x_{#1}": "iterates",
        r"\bar x_T": "their mean",
        r"\hat g": "average of the messages",
        "f": "the objective",
    },
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": messages.SIZES,
        "run": domain(r"$T\ge1$ is an integer, $M>0$"),
        "signs": domain(r"$L,\eta>0$, $\sigma^2,K^2\ge0$"),
        "variances": messages.VARIANCES,
        "V": definition(r"$V=\frac{\sigma^2}P+\frac{dK^2}{12M^2P}$"),
        "off": definition(
            r"$\mathbb E\|\hat g-\nabla "
            r"f(x_t)\|^2=\sum_{j=1}^d\mathbb E\bigl(\frac1{P^2}(\sum_pe_p)^2\bigr)$, over "
            r"uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance $v_{pj}$"
        ),
        "points": definition(
            r"$\|x_t-x^*\|^2=\sum_jz_j^2$; "
            r"$\mathbb E\|x_{t+1}-x^*\|^2=\sum_j\mathbb E\bigl((z_j-\eta(y_j+\frac1P"
            r"\sum_pe_p))^2\bigr)$, over uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and "
            "variance $v_{pj}$"
        ),
        "noise": messages.NOISES,
        "scales": model(r"$\mathbb E\kappa_p^2\le K^2$"),
        "message": model(
            r"$\sum_jv_{pj}\le\sigma_p^2+\frac d{12M^2}\mathbb E\kappa_p^2$", reference="ndqsg/dqsg-variance"
        ),
        "convex": model(r"$(f(x_t)-f^*)\le\sum_jy_jz_j$, since $f$ is convex"),
        "smooth": model(
            r"$\sum_jy_j^2\le2L(f(x_t)-f^*)$, since $f$ is $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
        "tower": model(
            r"$r_0=R^2$, $0\le r_t$, $r_{t+1}\le r_t-2\eta(1-\eta L)a_t+\eta^2V$, "
            r"$\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*=\frac1T\sum_{t=0}^{T-1}a_t$, since the tower "
            "property takes part b from step to step"
        ),
        "supported": model(r"$\mathbb Ef(\bar x_T)-f^*+s_t\le a_t$ for $t<T$, since $f$ is convex"),
        "centred": definition(
            r"$\sum_{t=0}^{T-1}s_t=0$, since the differences of the iterates from their centre cancel"
        ),
        "legal": parameter(r"$\eta L<1$"),
        "short": parameter(r"$\eta L\le\frac12$"),
        "balanced": parameter(
            r"$R>0$, $V>0$, $\eta=\frac R{\sqrt{TV}}$, $T\ge\frac{4R^2V}{\varepsilon^2}$, "
            r"$\varepsilon\le\frac VL$"
        ),
        "accuracy": domain(r"$\varepsilon>0$"),
        "minimum": model(
            r"$\mathbb Ex_0^2=0$, $\mathbb Ex_{t+1}^2=(1-\eta)^2\mathbb Ex_t^2+\eta^2V$, "
            r"$\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*=\frac1T\sum_{t=0}^{T-1}\frac{\mathbb Ex_t^2}2$",
            reference="ndqsg/quad-fixed-scale, in one dimension from the minimiser",
        ),
        "start": model(
            r"$x_0^2=R^2$, $x_{t+1}^2=(1-\eta)^2x_t^2$, "
            r"$\frac1T\sum_{t<T}\mathbb Ef(x_t)-f^*=\frac1T\sum_{t=0}^{T-1}\frac{x_t^2}2$",
            reference="ndqsg/quad-fixed-scale, in one dimension without noise",
        ),
        "below-one": parameter(r"$\eta<1$"),
    },
    relations={
        "variance": Relation((off, _VARIANCE), ("<=",)),
        "one-step": Relation((after, _step(before, now)), ("<=",), under=("convex", "smooth")),
        "rate": Relation(
            (averaged, mean_gap, _BOUND), ("<=", "<="), under=("legal", "tower", "supported", "centred")
        ),
        "simple": Relation((_BOUND, _SIMPLE), ("<=",), under=("short",)),
        "accuracy": Relation((mean_gap, epsilon), ("<=",), under=("tower", "balanced", "accuracy")),
        "minimum": Relation((mean_gap, _AT_MINIMUM), ("=",), under=("minimum", "below-one")),
        "half": Relation((mean_gap, _HALF), ("<=",), under=("minimum", "below-one")),
        "start": Relation((mean_gap, _WITHOUT_NOISE), ("=",), under=("start", "below-one")),
    },
    formulas={
        "bound": _BOUND,
        "variance": _VARIANCE,
        "simple": _SIMPLE,
        "balanced_step": _STEP,
        "iterations": _ITERATIONS,
        "at_the_minimum": _AT_MINIMUM,
        "without_noise": _WITHOUT_NOISE,
    },
    internal={"balanced_step": "said as a hypothesis", "iterations": "said as a hypothesis"},
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, WORKERS, ALWAYS)
    unit = {d: 2, P: 1, M: 1, L: 1, R: 1, K_sq: 2, sigma_sq: Rational(2, 3), V: 1, epsilon: 1}
    half = Rational(1, 2)
    still = {eta: half, distance: (1,) * 152, gap: (half,) * 152, slope: (0,) * 4}
    K.example({**unit, T: 4, **still, mean_gap: half, averaged: half})
    rising = [(1 - Rational(1, 4) ** k) / 3 for k in range(152)]
    K.example({**unit, T: 2, eta: half, moment: rising, mean_gap: Rational(1, 16)})
    falling = [Rational(1, 4) ** k for k in range(152)]
    K.example({**unit, T: 2, eta: half, far: falling, mean_gap: Rational(5, 16)})
    defined = K.given("V")
    message = K.cert(
        le(Sum(messages.v[p, j], COORDINATES), sigma_sq + d / (12 * M**2) * K_sq),
        (1, K.at(K.given("message"), p)),
        (1, K.at(K.given("noise"), p)),
        (d / (12 * M**2), K.at(K.given("scales"), p)),
    )
    noise = K.cert(le(messages.NOISE / P**2, _VARIANCE), (1 / P**2, K.sum_over(message, WORKERS)))
    K.conclude(
        "variance", K.cert(le(off, _VARIANCE), (1, K.given("off")), (1, messages.error(K)), (1, noise))
    )
    one_step = K.cert(
        le(after, _step(before, now)),
        (1, K.given("points", 1)),
        (-1, K.given("points")),
        (1, messages.after_step(K)),
        (2 * eta, K.given("convex")),
        (eta**2, K.given("smooth")),
        (eta**2, noise),
        (-(eta**2), defined),
    )
    K.conclude("one-step", one_step)
    K.know(K.cert(le(0, V), (1, _VARIANCE), (-1, defined)))
    _minimum(K)
    _start(K)
    _rate(K)


def _rate(K: Any) -> None:
    """Add up the steps; the last distance is at least 0."""
    short = K.cert(lt(0, 1 - eta * L), (1, K.given("short")))
    left = 2 * eta * (1 - eta * L)
    total = Sum(gap[t], RUN)
    summed = K.cert(
        le(left * total, R**2 + T * eta**2 * V),
        (1, K.sum_over(K.at(K.given("tower", 2), t), RUN)),
        (-1, telescoping_sum(K, distance[t], t, T)),
        (1, K.given("tower")),
        (1, K.at(K.given("tower", 1), T)),
    )
    K.know(K.given("legal"))  # where steps are short, it follows
    rate = K.cert(le(mean_gap, _BOUND), (1, K.given("tower", 3)), (1 / (left * T), summed))
    # Jensen's inequality: the inner products of the supporting plane at the mean add up to 0.
    jensen = K.cert(
        le(averaged, mean_gap),
        (1 / T, K.sum_over(K.at(K.given("supported"), t), RUN)),
        (-1 / T, K.given("centred")),
        (-1, K.given("tower", 3)),
    )
    K.conclude("rate", jensen, rate)
    simple = K.cert(le(_BOUND, _SIMPLE), (_SIMPLE / (1 - eta * L), K.given("short")))
    K.conclude("simple", K.discharge(simple, short))
    step, long = K.given("balanced", 2), K.given("balanced", 3)
    K.know(K.given("balanced"), K.given("balanced", 1), K.given("accuracy"))
    root = sqrt(T * V)
    u = 2 * R * root / T
    small = K.cert(le(u, epsilon), (epsilon**2 / (T * (epsilon + u)), long))
    is_short = K.cert(
        le(eta * L, Rational(1, 2)), (L, step), (L / (2 * V), small), (L / (2 * V), K.given("balanced", 4))
    )
    enough = K.cert(le(_SIMPLE, epsilon), (1, small), using=[step])
    found = K.cert(le(mean_gap, epsilon), (1, rate), (1, simple), (1, enough))
    K.conclude("accuracy", K.discharge(K.discharge(found, short), is_short))


def _start(K: Any) -> None:
    """Solve the recursion without noise, and add up the geometric series."""

    def second(at: Any) -> Any:
        return eq(far[at], (1 - eta) ** (2 * at) * R**2)

    step = K.cert(second(t + 1), (1, K.at(K.given("start", 1), t)), ((1 - eta) ** 2, K.assume(second(t))))
    solved = K.induction(t, K.cert(second(Integer(0)), (1, K.given("start"))), step)
    n = Symbol("n", real=True)
    K.index((n, 0, oo))
    total = Sum(far[t] / 2, (t, 0, n - 1))

    def summed(at: Any) -> Any:
        return eq(total.subs(n, at), R**2 * (1 - (1 - eta) ** (2 * at)) / (2 * eta * (2 - eta)))

    after = K.cert(
        summed(n + 1),
        (1, K.split_off(total.subs(n, n + 1))),
        (1, K.assume(summed(n))),
        (Rational(1, 2), K.at(solved, n)),
    )
    sums = K.at(K.induction(n, K.cert(summed(Integer(0))), after), T)
    K.conclude("start", K.cert(eq(mean_gap, _WITHOUT_NOISE), (1, K.given("start", 2)), (1 / T, sums)))


def _minimum(K: Any) -> None:
    """Solve the recursion, and add it up, both by induction."""
    K.know(K.given("below-one"))

    def second(at: Any) -> Any:
        return eq(moment[at], eta * V / (2 - eta) * (1 - (1 - eta) ** (2 * at)))

    step = K.cert(second(t + 1), (1, K.at(K.given("minimum", 1), t)), ((1 - eta) ** 2, K.assume(second(t))))
    solved = K.induction(t, K.cert(second(Integer(0)), (1, K.given("minimum"))), step)
    n = Symbol("n", real=True)
    K.index((n, 0, oo))
    total = Sum(moment[t] / 2, (t, 0, n - 1))

    def summed(at: Any) -> Any:
        value = at - (1 - (1 - eta) ** (2 * at)) / (eta * (2 - eta))
        return eq(total.subs(n, at), eta * V / (2 * (2 - eta)) * value)

    after = K.cert(
        summed(n + 1),
        (1, K.split_off(total.subs(n, n + 1))),
        (1, K.assume(summed(n))),
        (Rational(1, 2), K.at(solved, n)),
    )
    sums = K.at(K.induction(n, K.cert(summed(Integer(0))), after), T)
    minimum = K.cert(eq(mean_gap, _AT_MINIMUM), (1, K.given("minimum", 2)), (1 / T, sums))
    K.conclude("minimum", minimum)
    limit = eta * V / (2 * (2 - eta))
    each = K.cert(le(moment[t] / 2, limit), (Rational(1, 2), K.at(solved, t)), (limit, (1 - eta) ** (2 * t)))
    most = K.cert(le(mean_gap, limit), (1, K.given("minimum", 2)), (1 / T, K.sum_over(each, RUN)))
    K.conclude("half", K.cert(le(mean_gap, _HALF), (1, most), (limit * eta / (2 * (1 - eta)), 1)))
