r"""`ndqsg/finding-rate-attained`: the rate for strongly convex functions has no slack (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Symbol, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

P, T, d, eta, h, lam, omega, r_0, sigma_sq, x = symbols("P T d eta h lambda_ omega r_0 sigma_sq x", real=True)
t, j, p = symbols("t j p", real=True)
moved, together, stated, length, largest = symbols("moved together stated length largest", real=True)
after = Symbol("after", real=True)
e, y, moment, shared = symbols("e y moment shared", cls=IndexedBase, real=True)
WORKERS, COORDINATES, ALWAYS = (p, 0, P - 1), (j, 0, d - 1), (t, 0, oo)

_LONGEST = 1 / (1 + omega / P)
_EXCESS = h * (h * (1 + omega / P) - 1)
_LEAST = omega / (omega + P)
_HALF, _SHARED = (4 * P + omega) / (2 * P + omega), (P**2 + omega) / (P + omega)
_NOISE = eta * sigma_sq * (1 + omega) / (lam * P)
_SLOW = (1 - eta * lam) ** T
_EXACT = _SLOW * r_0 + (1 - _SLOW) * _NOISE
_ONE = {omega: Rational(1, 12)}


CLAIM = Claim(
    id="ndqsg/finding-rate-attained",
    kind="finding",
    provenance="derived",
    title="In one dimension without noise the strong-convexity rate has no slack; any longer step loses it",
    position=21,
    paper=PAPER,
    **statement(
        r"""
        Rates are read as upper bounds with slack, below which small faults hide. Read so,
        `ndqsg/conv-strong` is misread. Take a step of $P$ workers from $x$ on $f=\frac\lambda2x^2$ in one
        dimension with exact gradients, the step size being $h$ over $\lambda$; $x^+$ is the next iterate.
        (a: excess) The claimed factor is off by $$\mathbb E(x^+)^2-(1-h)x^2=h\Big(h\Big(1+\frac\omega
          P\Big)-1\Big)x^2.$$ [proof; exact/excess of a step]
        (b: attained, longer) At the largest step $h=\frac1{1+\omega/P}$ the rate is attained, $\mathbb
          E(x^+)^2=(1-h)x^2$; every longer step $h>\frac1{1+\omega/P}$ exceeds it, $(1-h)x^2<\mathbb
          E(x^+)^2$ for $x\ne0$. [proof; exact/largest step; exact/bound; exact/bound as stated;
          montecarlo/two steps]
        (c: least, least-attained) No step does better: for every $h$, $\frac\omega{\omega+P}x^2\le\mathbb
          E(x^+)^2$, and at $h=\frac1{1+\omega/P}$, $\mathbb E(x^+)^2=\frac\omega{\omega+P}x^2$. With one
          level the factor is {value:one} <<for $P=1$ and -> exact/least factor>> {value:four} <<for $P=4$
          -> exact/least factor>>. [proof; exact/least factor]
        (d: noise) With gradients of variance $\sigma^2$, independent at the workers, the value at the largest
          step, $\eta\lambda=\frac1{1+\omega/P}$, after $T$ steps, is $$\mathbb
          Ex_T^2=(1-\eta\lambda)^Tr_0+\big(1-(1-\eta\lambda)^T\big)\frac{\eta\sigma^2(1+\omega)}{\lambda
          P}.$$ [proof; exact/value]
        (e: missing) The bound $B_T$ of `ndqsg/conv-strong` exceeds it by less and less, $B_T-\mathbb
          Ex_T^2=(1-\eta\lambda)^T\frac{\eta\sigma^2(1+\omega)}{\lambda P}$: by nothing without noise.
          [proof; exact/share of the noise]
        (f: half) A fault shows as a factor per step: with half of $\omega$ in the step rule,
          $h=\frac1{1+\omega/(2P)}$, it is $$\mathbb E(x^+)^2=\frac{4P+\omega}{2P+\omega}(1-h)x^2,$$
          {value:half,2} times what is claimed <<with one level and $P=1$ -> exact/half omega>>. [proof;
          exact/half omega; montecarlo/two steps]
        (g: shared) With one dither for all workers, where the expectation is $E_1$, at the largest step
          $$E_1=\frac{P^2+\omega}{P+\omega}(1-h)x^2,$$ {value:shared,2} times <<with one level and $P=4$ ->
          exact/one dither>>. [proof; exact/one dither; montecarlo/two steps]
        (h: block-attained) In $d$ dimensions with equal curvatures and one block, a step at the largest $h$
          attains the rate from a single nonzero coordinate: if $\|x\|_\infty^2=\|x\|^2$, $\mathbb
          E\|x^+\|^2=(1-h)\|x\|^2$. <<Blocks of one coordinate attain it in each step -> exact/second
          step>>. [proof; exact/first step; exact/second step]
        (i: block-below) Elsewhere it is strictly below: if $\|x\|_\infty^2<\|x\|^2$, $\mathbb
          E\|x^+\|^2<(1-h)\|x\|^2$, <<which is the case in a second step -> exact/strictly below>>. [proof;
          exact/strictly below]
        """
    ),
    variables=(
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb N_0", "number of steps"),
        Variable(h, "h", r"\mathbb R_{\ge0}", r"$\eta\lambda$"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(lam, r"\lambda", r"\mathbb R_{>0}", "curvature"),
        Variable(omega, r"\omega", r"\mathbb R_{>0}", "relative variance of a message"),
        Variable(r_0, "r_0", r"\mathbb R_{\ge0}", "$x_0^2$"),
        Variable(sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "variance of the gradient of a worker"),
        Variable(x, "x", r"\mathbb R", "iterate"),
        Variable(moved, r"\mathbb E(x^+)^2", r"\mathbb R_{\ge0}", "second moment after a step"),
        Variable(together, "E_1", r"\mathbb R_{\ge0}", "the same with one dither for all workers"),
        Variable(stated, "B_T", r"\mathbb R_{\ge0}", "bound of `ndqsg/conv-strong`"),
        Variable(length, r"\|x\|^2", r"\mathbb R_{\ge0}", "squared norm"),
        Variable(largest, r"\|x\|_\infty^2", r"\mathbb R_{\ge0}", "largest square of a coordinate"),
        Variable(after, r"\mathbb E\|x^+\|^2", r"\mathbb R_{\ge0}", "squared norm after a step"),
        Variable(
            moment, r"\mathbb Ex_{#1}^2", r"\mathbb R_{\ge0}^\infty", "second moments", "(oo,)", first=0
        ),
        Variable(e, "e", r"\mathbb R^P", "errors of the workers", "(P,)"),
        Variable(shared, r"\xi", r"\mathbb R", "error of all workers", "(1,)"),
        Variable(y, "y", r"\mathbb R^d", "coordinates of the point", "(d,)"),
    ),
    notation={"x^+": "the next iterate", "f": "the objective"},
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$P,d\ge1$ and $T\ge0$ are integers"),
        "signs": domain(r"$\omega,\eta,\lambda>0$, $\sigma^2,\|x\|_\infty^2\ge0$"),
        "step": model(
            r"$\mathbb E(x^+)^2=\mathbb E\bigl((x-h(x+\frac1P\sum_pe_p))^2\bigr)$, over uncorrelated "
            r"$e_p$, $1\le p\le P$, with mean $0$ and variance $\omega x^2$, since the gradient is "
            r"$\lambda x$",
            reference="ndqsg/dqsg-variance",
        ),
        "one-dither": model(
            r"$E_1=\mathbb E\bigl((x-h(x+\xi))^2\bigr)$, over $\xi$ with mean $0$ and variance "
            r"$\omega x^2$, since workers share the dither"
        ),
        "block": model(
            r"$\|x\|^2=\sum_jy_j^2$; "
            r"$\mathbb E\|x^+\|^2=\sum_j\mathbb E\bigl((y_j-h(y_j+\frac1P\sum_pe_p))^2\bigr)$, over "
            r"uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance "
            r"$\frac{\|x\|_\infty^2\omega}{d}$",
            reference="ndqsg/dqsg-variance",
        ),
        "runs": model(
            r"$\mathbb Ex_0^2=r_0$, "
            r"$\mathbb Ex_{t+1}^2=((1-\eta\lambda)^2+\frac{\eta^2\lambda^2\omega}P)\mathbb Ex_t^2"
            r"+\frac{\eta^2\sigma^2(1+\omega)}P$",
            reference="ndqsg/quad-adaptive",
        ),
        "stated": definition(
            r"$B_T=(1-\eta\lambda)^Tr_0+\frac{\eta\sigma^2(1+\omega)}{\lambda P}$ (`ndqsg/conv-strong`)"
        ),
        "largest": parameter(r"$h=\frac1{1+\omega/P}$"),
        "long": parameter(r"$h>\frac1{1+\omega/P}$"),
        "nonzero": parameter(r"$x\ne0$"),
        "largest-eta": parameter(r"$\eta\lambda=\frac1{1+\omega/P}$"),
        "halved": parameter(r"$h=\frac1{1+\omega/(2P)}$"),
        "single": parameter(r"$\|x\|_\infty^2=\|x\|^2$"),
        "several": parameter(r"$\|x\|_\infty^2<\|x\|^2$"),
    },
    relations={
        "excess": Relation((moved - (1 - h) * x**2, _EXCESS * x**2), ("=",)),
        "attained": Relation((moved, (1 - h) * x**2), ("=",), under=("largest",)),
        "longer": Relation(((1 - h) * x**2, moved), ("<",), under=("long", "nonzero")),
        "least": Relation((_LEAST * x**2, moved), ("<=",)),
        "least-attained": Relation((moved, _LEAST * x**2), ("=",), under=("largest",)),
        "noise": Relation((moment[T], _EXACT), ("=",), under=("runs", "largest-eta")),
        "missing": Relation((stated - moment[T], _SLOW * _NOISE), ("=",), under=("runs", "largest-eta")),
        "half": Relation((moved, _HALF * (1 - h) * x**2), ("=",), under=("halved",)),
        "shared": Relation((together, _SHARED * (1 - h) * x**2), ("=",), under=("largest",)),
        "block-attained": Relation((after, (1 - h) * length), ("=",), under=("largest", "single")),
        "block-below": Relation((after, (1 - h) * length), ("<",), under=("largest", "several")),
    },
    formulas={
        "exact": _EXACT,
        "longest": _LONGEST,
        "excess": _EXCESS,
        "least": _LEAST,
        "half_omega": _HALF,
        "one_dither": _SHARED,
    },
    internal={"longest": "said as a hypothesis"},
    values={
        "one": _LEAST.subs({**_ONE, P: 1}),
        "four": _LEAST.subs({**_ONE, P: 4}),
        "half": _HALF.subs({**_ONE, P: 1}),
        "shared": _SHARED.subs({**_ONE, P: 4}),
    },
    worst_cases=cases("""
        $P=M=1$: the least factor of a step | omega = 1/12, P = 1 | 1/13
        $P=4$, $M=1$: the least factor of a step | omega = 1/12, P = 4 | 1/49
        $P=M=1$, 1.5 times the largest step: how far it exceeds the claimed factor | omega = 1/12, P = 1,
          h = 18/13 | 9/13
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    third = Rational(1, 3)
    setting = {P: 2, d: 2, omega: 1, x: 3, h: Rational(2, 3), eta: third, lam: 2, y: (2, 0), largest: 4}
    setting |= {r_0: 5, sigma_sq: 1, T: 2}
    K.example(setting)
    K.example({**setting, h: 1})
    K.example({**setting, h: Rational(4, 5)})
    K.example({**setting, y: (2, 1)})
    noisy = [third**k * 5 + (1 - third**k) / 6 for k in range(152)]
    K.example({**setting, moment: noisy})
    excess = K.cert(eq(moved - (1 - h) * x**2, _EXCESS * x**2), (1, K.given("step")))
    K.conclude("excess", excess)
    largest_step = K.given("largest")
    K.conclude("attained", K.cert(eq(moved, (1 - h) * x**2), (1, excess), using=[largest_step]))
    K.conclude("least-attained", K.cert(eq(moved, _LEAST * x**2), (1, excess), using=[largest_step]))
    square = (1 + omega / P) * (h - _LONGEST) ** 2 * x**2
    K.conclude("least", K.cert(le(_LEAST * x**2, moved), (-1, excess), (1, square)))
    halved = K.given("halved")
    K.conclude("half", K.cert(eq(moved, _HALF * (1 - h) * x**2), (1, excess), using=[halved]))
    goal = eq(together, _SHARED * (1 - h) * x**2)
    K.conclude("shared", K.cert(goal, (1, K.given("one-dither")), using=[largest_step]))
    _runs(K)
    _blocks(K)
    positive = K.cert(lt(0, h), (1, K.given("long")), (1, _LONGEST))
    K.know(positive, K.given("nonzero"))
    over = h * (1 + omega / P) * x**2
    K.conclude("longer", K.cert(lt((1 - h) * x**2, moved), (-1, excess), (over, K.given("long"))))


def _runs(K: Any) -> None:
    step = K.given("largest-eta")

    def value(at: Any) -> Any:
        return eq(moment[at], _EXACT.subs(T, at))

    base = K.cert(value(Integer(0)), (1, K.given("runs")))
    slack = eta * lam * (1 + omega / P) * moment[t]
    after_step = K.cert(
        value(t + 1), (1, K.at(K.given("runs", 1), t)), (slack, step), (1 - eta * lam, K.assume(value(t)))
    )
    run = K.at(K.induction(t, base, after_step), T)
    K.conclude("noise", run)
    K.conclude("missing", K.cert(eq(stated - moment[T], _SLOW * _NOISE), (1, K.given("stated")), (-1, run)))


def _blocks(K: Any) -> None:
    step, before = K.given("largest"), K.given("block")
    noise = h**2 * omega / P
    block = K.cert(
        eq(after, (1 - h) ** 2 * length + noise * largest),
        (1, K.given("block", 1)),
        (-((1 - h) ** 2), before),
    )
    goal = (1 - h) * length
    single = K.cert(eq(after, goal), (1, block), (noise, K.given("single")), using=[step])
    K.conclude("block-attained", single)
    weight = (_LONGEST**2) * omega / P
    below = K.cert(lt(after, goal), (1, block), (weight, K.given("several")), using=[step])
    K.conclude("block-below", below)
