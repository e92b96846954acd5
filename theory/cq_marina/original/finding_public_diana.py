r"""`cq_marina/finding-public-diana`: step and estimate of the baseline in public code of MARINA."""

from typing import Any

from sympy import IndexedBase, Integer, Max, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.marina import run
from theory.cq_marina.marina.round import gamma
from theory.cq_marina.marina.run import ALWAYS, E_0, Delta_0, T, mean_square
from theory.cq_marina.paper import PAPER
from theory.expectation import E
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.public_constant import PublicConstant
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, omega, alpha, i, j, k = symbols("n d L omega alpha i j k", real=True)
marina_step, public_step, own_step = symbols("gamma_M gamma_P gamma_D", real=True)
G, R, late, now, after, sigma, sigma_next = symbols("G R late now after sigma sigma_next", real=True)
g, y, v, u, own, ybar, bias, V, moved, coming = symbols(
    "g y v u own ybar b V moved coming", cls=IndexedBase, real=True
)
CLIENTS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)

MARINA = 1 / (L * (1 + omega / sqrt(n)))
PUBLIC = 1 / (10 * L * sqrt(1 + omega / n) * (2 + omega))
RATIO = 10 * sqrt(1 + omega / n) * (2 + omega) / (1 + omega / sqrt(n))
_ROOT = (1 + omega) * sqrt(12 * omega / n)
STEP = 1 / (L * Max(2, _ROOT))
WEIGHT = 2 * L * gamma**2 * omega * (1 + omega) / n
_POTENTIAL = now + WEIGHT * sigma - gamma / 2 * G
_RATE = 2 * (Delta_0 + WEIGHT * E_0) / (gamma * T)
_NOISE = Sum(V[i], CLIENTS) / n**2
_LATE = (1 - alpha) ** 2 * Sum(ybar[j] ** 2, COORDINATES) + alpha**2 * _NOISE


def _over_clients(body: Any) -> Any:
    return E(body, u, CLIENTS, mean=0, variance=v[i, j])


# Coordinate j of the mean of the new shifts less the gradient; u_i is the error of the message of client i.
_LATER = Sum((alpha - 1) * y[i, j] + alpha * u[i], CLIENTS) / n
# The difference of a client at the old point, once its shift has moved.
_LEFT = E((y[i, j] - alpha * (y[i, j] + own[0])) ** 2, own, (k, 0, 0), mean=0, variance=v[i, j])
_MOVED = _over_clients((g[j] + Sum(u[i], CLIENTS) / n) ** 2)

_HYPOTHESES = {
    "sizes": domain(r"$n$ and $d$ are positive integers; $T\ge1$ is an integer"),
    "signs": domain(r"$L,\gamma,\alpha,\gamma_M,\gamma_P,\gamma_D>0$, $\omega\ge0$"),
    "variances": domain(r"$v_{ij}\ge0$"),
    "steps": definition(
        r"$\gamma_M=\frac1{L(1+\omega/\sqrt n)}$, $\gamma_P=\frac1{10L\sqrt{1+\omega/n}(2+\omega)}$, "
        r"$\gamma_D=\frac1{L\max\{2,(1+\omega)\sqrt{12\omega/n}\}}$",
    ),
    "five": parameter(r"$n=5$, $\omega=68$"),
    "mean": definition(r"$\bar y_j=\frac1n\sum_iy_{ij}$"),
    "messages": definition(r"$V_i=\sum_jv_{ij}$"),
    "late": definition(
        r"$b_j=\mathbb E\bigl(\frac1n\sum_i(\alpha u_i+y_{ij}(\alpha-1))\bigr)$, $\mathbb E\|\bar "
        r"h^+-\nabla "
        r"f\|^2=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(\alpha u_i+y_{ij}(\alpha-1)))^2\bigr)$, "
        r"over uncorrelated $u_i$, $1\le i\le n$, with mean $0$ and variance $v_{ij}$"
    ),
    "compressor": model(r"$V_i\le\omega\sum_jy_{ij}^2$"),
    "sigma": definition(
        r"$\sigma^2=\frac1n\sum_i\sum_jy_{ij}^2$, $\mathbb E\sigma_+^2=\frac1n\sum_i\mathbb E\|y_i^+\|^2$"
    ),
    "moved": definition(
        r"$D_i=\sum_j\mathbb E\bigl((y_{ij}-\alpha(\xi+y_{ij}))^2\bigr)$, over $\xi$ with mean "
        "$0$ and variance $v_{ij}$"
    ),
    "young": model(
        r"$\mathbb E\|y_i^+\|^2\le(1+\frac\alpha2)D_i+(1+\frac2\alpha)L^2\mathbb E\|x^+-x\|^2$, "
        r"since gradients of clients are $L$-Lipschitz"
    ),
    "gradient": definition(r"$\|\nabla f(x)\|^2=\sum_j(\nabla_jf(x))^2$"),
    "round": definition(
        r"$\mathbb E\|x^+-x\|^2=\gamma^2\sum_j\mathbb E\bigl((\nabla_jf(x)+\frac1n"
        r"\sum_iu_i)^2\bigr)$, over uncorrelated $u_i$, $1\le i\le n$, with mean $0$ and variance "
        "$v_{ij}$"
    ),
    "smooth": model(
        r"$\mathbb Ef(x^+)-f^\star\le f(x)-f^\star-\gamma\|\nabla f(x)\|^2+\frac L2\mathbb E\|x^+-x\|^2$, "
        r"since $f$ is $L$-smooth",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
    ),
    "rate": parameter(r"$\alpha=\frac1{1+\omega}$"),
    "step": parameter(r"$\gamma\le\gamma_D$"),
    **run.hypotheses(
        r"\frac{2L\gamma^2\omega(1+\omega)}n", r"\sigma_0^2", "f", errors=r"\mathbb E\sigma_{#1}^2"
    ),
}

CLAIM = Claim(
    id="cq_marina/finding-public-diana",
    kind="finding",
    provenance="derived",
    title="Public code gives DIANA a step 85 times below MARINA's at five clients and one of 69 entries, and "
    "an estimate that is not DIANA's",
    position=35,
    paper=PAPER,
    **statement(
        r"""
        Public code compares MARINA with DIANA, both with full gradients of $n$ clients. $C_i(y_i)$ is an
        unbiased message, independent of those of others, of variance $V_i\le\omega\|y_i\|^2$ for $y_i=\nabla
        f_i(x)-h_i$, with shifts $h_i^+=h_i+\alpha C_i(y_i)$; $\bar y$ and $\sigma^2$ are the means of the
        $y_i$ and of their squared norms; the $\nabla f_i$ are $L$-Lipschitz. The estimate of DIANA is the
        mean of $h_i+C_i(y_i)$.
        (a: ratio) <<The code takes $\gamma_M=\frac1{L(1+\omega/\sqrt n)}$ for MARINA and
          $\gamma_P=\frac1{10L\sqrt{1+\omega/n}(2+\omega)}$ for DIANA -> exact/ratio of the steps>>, so that
          $$\frac{\gamma_M}{\gamma_P}=\frac{10\sqrt{1+\omega/n}(2+\omega)}{1+\omega/\sqrt n}.$$ [proof;
          exact/ratio of the steps]
        (b: least) For every $n$ and $\omega$ $$10\sqrt{1+\omega/n}\le\frac{\gamma_M}{\gamma_P}.$$ [proof;
          exact/least ratio]
        (c: case) <<With one of 69 entries sent by five clients -> exact/ratio at one of 69 entries>>, that
          is $n=5$, $\omega=68$, $$85<\frac{10\sqrt{1+\omega/n}(2+\omega)}{1+\omega/\sqrt n}.$$ [proof;
          exact/ratio at one of 69 entries]
        (d: bias) Its estimate is the mean of the new shifts $h_i^+$, not that of DIANA: the expected error is
          $$b_j=-(1-\alpha)\bar y_j.$$ [proof; exact/mean of the new shifts]
        (e: late) The expected squared error is $$\mathbb E\|\bar h^+-\nabla
          f\|^2=(1-\alpha)^2\sum_j\bar y_j^2+\frac{\alpha^2}{n^2}\sum_iV_i.$$ [proof; exact/error of the
          new shifts]
        (f: potential) What holds for DIANA: at $\alpha=\frac1{1+\omega}$ and
          $\gamma\le\gamma_D=\frac1{L\max\{2,(1+\omega)\sqrt{12\omega/n}\}}$ $$\mathbb
          Ef(x^+)-f^\star+\frac{2L\gamma^2\omega(1+\omega)}n\mathbb E\sigma_+^2\le
          f(x)-f^\star+\frac{2L\gamma^2\omega(1+\omega)}n\sigma^2-\frac\gamma2\|\nabla f(x)\|^2.$$
          [proof; exact/potential]
        (g: rate) Hence, with (f) in each round, for every $T\ge1$ $$\frac1T\sum_{k<T}\mathbb E\|\nabla
          f(x^k)\|^2\le\frac2{\gamma T}\Big(\Delta_0+\frac{2L\gamma^2\omega(1+\omega)}n\sigma_0^2\Big).$$
          [proof; run/averages of the squared gradient]
        (h: longer) This step of DIANA is at least $$\frac52\gamma_P\le\gamma_D.$$ [proof; exact/longer
          step]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", "Lipschitz constant of the gradients of the clients"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "relative variance of a message"),
        Variable(alpha, r"\alpha", "(0,1]", "learning rate of the shifts"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size of DIANA"),
        Variable(marina_step, r"\gamma_M", r"\mathbb R_{>0}", "step size of MARINA in the code"),
        Variable(public_step, r"\gamma_P", r"\mathbb R_{>0}", "step size of DIANA in the code"),
        Variable(own_step, r"\gamma_D", r"\mathbb R_{>0}", "step size of DIANA that is proved here"),
        Variable(y, "y", r"\mathbb R^{n\times d}", "differences to the shifts", "(n,d)"),
        Variable(v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances of messages in coordinates", "(n,d)"),
        Variable(ybar, r"\bar y", r"\mathbb R^d", "mean of the differences to the shifts", "(d,)"),
        Variable(bias, "b", r"\mathbb R^d", "expected mean of the new shifts less the gradient", "(d,)"),
        Variable(V, "V", r"\mathbb R^n_{\ge0}", "variances of the messages", "(n,)"),
        Variable(late, r"\mathbb E\|\bar h^+-\nabla f\|^2", r"\mathbb R_{\ge0}", "error of the new shifts"),
        Variable(moved, "D", r"\mathbb R^n_{\ge0}", "squared differences to the new shifts", "(n,)"),
        Variable(coming, r"\mathbb E\|y_{#1}^+\|^2", r"\mathbb R^n_{\ge0}", "at the next point", "(n,)"),
        Variable(R, r"\mathbb E\|x^+-x\|^2", r"\mathbb R_{\ge0}", "expected squared length of the step"),
        Variable(g, r"\nabla_{#1}f(x)", r"\mathbb R^d", "entries of the gradient", "(d,)"),
        Variable(G, r"\|\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
        Variable(now, r"f(x)-f^\star", r"\mathbb R_{\ge0}", "gap"),
        Variable(after, r"\mathbb Ef(x^+)-f^\star", r"\mathbb R_{\ge0}", "gap of the next point"),
        Variable(sigma, r"\sigma^2", r"\mathbb R_{\ge0}", "mean squared difference to the shifts"),
        Variable(sigma_next, r"\mathbb E\sigma_+^2", r"\mathbb R_{\ge0}", "the same after a round"),
        run.ROUNDS,
        run.FIRST_GAP,
        Variable(E_0, r"\sigma_0^2", r"\mathbb R_{\ge0}", r"$\sigma^2$ at the start"),
        run.AVERAGE,
        run.GAPS,
        Variable(
            run.error,
            r"\mathbb E\sigma_{#1}^2",
            r"\mathbb R_{\ge0}",
            r"$\sigma^2$ after so many rounds",
            "(oo,)",
            first=0,
        ),
        run.SQUARES,
        Variable(u, "u", r"\mathbb R^n", "errors of the messages in a coordinate", "(n,)"),
        Variable(own, r"\xi", r"\mathbb R", "error of the message of a client", "(1,)"),
    ),
    notation={
        "f": "the objective",
        "f_{#1}": "function of a client",
        "h_{#1}": "shift",
        "h_{#1}^+": "next shift",
        "y_{#1}": "difference",
        "C_{#1}": "compressor",
    },
    ranges=run.RANGES,
    hypotheses=_HYPOTHESES,
    relations={
        "ratio": Relation((marina_step / public_step, RATIO), ("=",)),
        "least": Relation((10 * sqrt(1 + omega / n), marina_step / public_step), ("<=",)),
        "case": Relation((85, RATIO), ("<",), under=("five",)),
        "bias": Relation((bias[j], -(1 - alpha) * ybar[j]), ("=",), every=(COORDINATES,)),
        "late": Relation((late, _LATE), ("=",)),
        "potential": Relation((after + WEIGHT * sigma_next, _POTENTIAL), ("<=",), under=("step", "rate")),
        "rate": Relation((mean_square, _RATE), ("<=",), under=("tower",)),
        "longer": Relation((Rational(5, 2) * public_step, own_step), ("<=",)),
    },
    formulas={
        "bound": _RATE,
        "exact": RATIO,
        "marina_step": MARINA,
        "public_step": PUBLIC,
        "step_size": STEP,
        "least_ratio": 10 * sqrt(1 + omega / n),
        "weight": WEIGHT,
        "late": _LATE,
        "noise": _NOISE,
        "bias": -(1 - alpha) * ybar[j],
    },
    internal={
        "noise": "the squared error of the estimate of DIANA",
        "marina_step": "a step in part (a)",
        "public_step": "a step in part (a)",
        "step_size": "the step of part (f)",
        "weight": "the weight of part (f)",
    },
    worst_cases=cases(r"""
        one of six entries, four clients: rational steps | n = 4, omega = 5 | 30
    """),
    public=(
        PublicConstant(
            code="burlachenkok/marina at 458436f",
            of="step of DIANA for nonconvex functions",
            theirs="public_step",
            ours="step_size",
            right="both",
            part="h",
            bolder="larger",
            at="L = 1, n = 5, omega = 68",
        ),
        PublicConstant(
            code="burlachenkok/marina at 458436f",
            of="squared error of the estimate of DIANA",
            theirs="late",
            ours="noise",
            right="ours",
            part="e",
        ),
    ),
)

# One client with f = x^2/2 at x = 2, a shift of 1 and an error of variance 1.
EXAMPLE: dict[Any, Any] = {n: 1, d: 1, L: 1, omega: 1, alpha: Rational(1, 2), gamma: Rational(1, 8)}
EXAMPLE |= {y: ((1,),), v: ((1,),), ybar: (1,), V: (1,), g: (2,), G: 4, R: Rational(5, 64), now: 2}
EXAMPLE |= {bias: (Rational(-1, 2),), late: Rational(1, 2), after: Rational(197, 128)}
EXAMPLE |= {moved: (Rational(1, 2),), coming: (Rational(1, 2),), sigma: 1, sigma_next: Rational(1, 2)}
# The same with an exact message, where the steps are rational.
_EXACT: dict[Any, Any] = {**run.EXAMPLE, E_0: 1, omega: 0, alpha: 1, gamma: Rational(1, 4)}
_EXACT |= {marina_step: 1, public_step: Rational(1, 20), own_step: Rational(1, 2)}
_EXACT |= {v: ((0,),), V: (0,), R: Rational(1, 4), bias: (0,), late: 0, after: Rational(9, 8)}
_EXACT |= {moved: (0,), coming: (Rational(1, 4),), sigma_next: Rational(1, 4)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES, ALWAYS)
    K.example(EXAMPLE)
    K.example({**EXAMPLE, **_EXACT})
    K.example({**EXAMPLE, **_EXACT, n: 5, omega: 68})
    _steps(K)
    _estimate(K)
    _potential(K)
    K.conclude("rate", run.average(K, WEIGHT, E_0))


def _steps(K: Any) -> None:
    steps = [K.given("steps", place) for place in range(3)]
    ratio = K.show("ratio", using=steps)
    root = K.cert(le(1, sqrt(n)), K.power(K.cert(le(1, n), K.given("sizes", 1)), Rational(1, 2)))
    part = 10 * sqrt(1 + omega / n) / (1 + omega / sqrt(n))
    K.show("least", (-1, ratio), (part * omega / sqrt(n), root), (part, Integer(1)))
    five = [K.given("five", place) for place in range(2)]
    clients = K.cert(lt(Rational(5780, 2589), sqrt(n)), squared=True, using=five)
    noise = K.cert(lt(Rational(382, 100), sqrt(1 + omega / n)), squared=True, using=five)
    total = omega + sqrt(n)
    K.show("case", (700 * sqrt(n) / total, noise), (2589 / total, clients), using=five)
    size = 4 * sqrt(1 + omega / n) * (2 + omega)
    one = K.cert(le(1, sqrt(1 + omega / n)), (1, omega / n), squared=True)
    larger = K.cert(le(sqrt(12 * omega / n), 4 * sqrt(1 + omega / n)), (4, omega / n), squared=True)
    most = K.discharge(
        K.axiom("max-least", Integer(2), _ROOT, size),
        K.cert(le(2, size), (8, one), (4 * omega, sqrt(1 + omega / n))),
        K.cert(le(_ROOT, size), (1 + omega, larger), (4, sqrt(1 + omega / n))),
    )
    K.show("longer", (Rational(5, 2) * public_step / Max(2, _ROOT), most), using=steps)


def _estimate(K: Any) -> None:
    mean = K.identity(_over_clients(_LATER), -(1 - alpha) * Sum(y[i, j], CLIENTS) / n)
    K.show("bias", (1, K.at("late", j)), (1, mean), (1 - alpha, K.at("mean", j)))
    coordinate = K.identity(
        _over_clients(_LATER**2),
        (1 - alpha) ** 2 * (Sum(y[i, j], CLIENTS) / n) ** 2 + alpha**2 / n**2 * Sum(v[i, j], CLIENTS),
    )
    square = K.cert(
        eq(ybar[j] ** 2, (Sum(y[i, j], CLIENTS) / n) ** 2),
        (ybar[j] + Sum(y[i, j], CLIENTS) / n, K.at("mean", j)),
    )
    K.show(
        "late",
        (1, K.given("late", 1)),
        (1, K.sum_over(coordinate, COORDINATES)),
        (-((1 - alpha) ** 2), K.sum_over(square, COORDINATES)),
        (-(alpha**2) / n**2, K.sum_over("messages", CLIENTS)),
    )


def _potential(K: Any) -> None:
    """The shifts learn a share of the difference, and the step is short enough for what it adds to them."""
    share = [K.given("rate")]
    squares = Sum(y[i, j] ** 2, COORDINATES)
    entry = K.identity(_LEFT, (1 - alpha) ** 2 * y[i, j] ** 2 + alpha**2 * v[i, j])
    client = K.cert(
        le(moved[i], (1 - alpha) * squares),
        (1, K.at("moved", i)),
        (1, K.sum_over(entry, COORDINATES)),
        (-(alpha**2), K.at("messages", i)),
        (alpha**2, K.at("compressor", i)),
        using=share,
    )
    noise = K.cert(
        le(_NOISE, omega * sigma / n),
        (1 / n**2, K.sum_over("compressor", CLIENTS)),
        (-omega / n, K.given("sigma")),
    )
    length = K.cert(
        le(R, gamma**2 * (G + omega * sigma / n)),
        (1, K.given("round")),
        (gamma**2, K.sum_over(K.identity(_MOVED, g[j] ** 2 + Sum(v[i, j], CLIENTS) / n**2), COORDINATES)),
        (-(gamma**2), K.given("gradient")),
        (-(gamma**2) / n**2, K.sum_over("messages", CLIENTS)),
        (gamma**2, noise),
    )
    learnt = K.cert(
        le(sigma_next, (1 + alpha / 2) * (1 - alpha) * sigma + (1 + 2 / alpha) * L**2 * R),
        (1, K.given("sigma", 1)),
        (1 / n, K.sum_over("young", CLIENTS)),
        ((1 + alpha / 2) / n, K.sum_over(client, CLIENTS)),
        (-(1 + alpha / 2) * (1 - alpha), K.given("sigma")),
    )
    K.know(
        K.cert(le(0, G), (-1, K.given("gradient")), (1, Sum(g[j] ** 2, COORDINATES))),
        K.cert(le(0, sigma), (-1, K.given("sigma")), (1 / n, Sum(squares, CLIENTS))),
    )
    short = K.cert(
        le(gamma * L * Max(2, _ROOT), 1), (L * Max(2, _ROOT), K.given("step")), using=[K.given("steps", 2)]
    )
    half = K.cert(le(2 * gamma * L, 1), (1, short), (gamma * L, K.axiom("max-above-left", Integer(2), _ROOT)))
    root = K.cert(
        le(gamma * L * _ROOT, 1), (1, short), (gamma * L, K.axiom("max-above-right", Integer(2), _ROOT))
    )
    small = K.cert(le(12 * omega * (1 + omega) ** 2 * L**2 * gamma**2, n), (n, K.power(root, 2)))
    spent = L * gamma**2 / (2 * n) * (G + omega * sigma / n)
    K.show(
        "potential",
        (1, K.given("smooth")),
        (WEIGHT, learnt),
        (L / 2 + WEIGHT * (1 + 2 / alpha) * L**2, length),
        (spent, small),
        (gamma * G / 2, half),
        (WEIGHT * omega * L**2 * gamma**2, G + omega * sigma / n),
        (WEIGHT * alpha**2 / 2, sigma),
        using=share,
    )
