r"""`cq_marina/marina-against-sgd`: distributed SGD with the same quantizers (arXiv 2401.05518, abstract)."""

from typing import Any

from sympy import Eq, IndexedBase, Integer, Min, Piecewise, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.expectation import E
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, A, B, a, L, p, c, i, j, k = symbols("n d A B a L p c i j k", real=True)
gamma, y, T, Delta_0, epsilon, unit, rho, Psi = symbols("gamma y T Delta_0 epsilon B_0 rho Psi", real=True)
sigma_sq, S_sq, noise_sq, G, M, m, V, error = symbols("sigma_sq S_sq noise_sq G M m V error", real=True)
crossover = symbols("crossover", real=True)
u, s, v, xi, noise = symbols("u s v xi noise", cls=IndexedBase, real=True)
CLIENTS, COORDINATES, ONE = (i, 0, n - 1), (j, 0, d - 1), (k, 0, 0)

SIGMA_SQ = A * S_sq + (A + (1 - B) / n) * noise_sq
PRICE = c / (y * (1 - rho * y))
FINE = 4 * c * rho
COARSE = c * (1 + a) ** 2 / (1 + a - rho)
MARINA = (p + (1 - p) * c) * (1 + sqrt((1 - p) / p * a))
BETWEEN = (1 + a) * (1 - c * (1 + a) / Psi)
BOUND = 2 * Delta_0 / (gamma * T) + L * gamma * sigma_sq

# The squared gradient norm at which prices agree, with correlated quantizers in 32 dimensions, by clients.
SIZES = (10, 50, 200)
CROSSOVERS = {
    "shifted": ("0.00186", "0.000905", "0.00130"),
    "sampled": ("0.00611", "0.00310", "0.00442"),
    "alike": ("0.00424", "0.00220", "0.00313"),
}
_CROSSOVERS = {name: tuple(map(Rational, row)) for name, row in CROSSOVERS.items()}
_TABLES = {
    f"crossover_{name}": Piecewise(*((value, Eq(n, size)) for value, size in zip(row, SIZES, strict=True)))
    for name, row in _CROSSOVERS.items()
}
_VALUES = {"above": Rational(3), "below": Rational(6), "half": Rational(1, 2), "most": Rational(2, 3)}

# Coordinate j of the gradient of client i, and of the mean of all clients; xi is the noise.
_ONE = E((u[j] + s[i, j] + noise[0]) ** 2, noise, ONE, mean=0, variance=v[i, j])
_MEAN = E((Sum(u[j] + s[i, j] + xi[i], CLIENTS) / n) ** 2, xi, CLIENTS, mean=0, variance=v[i, j])
_LEFT = E((Sum(xi[i], CLIENTS) / n) ** 2, xi, CLIENTS, mean=0, variance=v[i, j])

_HYPOTHESES = {
    "sizes": domain(r"$n$ and $d$ are positive integers"),
    "signs": domain(r"$L,\gamma,y,c,T,\varepsilon,\Delta_0,\Psi>0$, $A,B,a,\rho\ge0$, $0<p\le1$"),
    "room": domain(r"$L\gamma\sigma^2<\varepsilon^2$, $\rho y<1$"),
    "defined": domain(r"$\rho<1+a$"),
    "constants": definition(r"$a=A-B$, $\sigma^2=AS^2+\big(A+\frac{1-B}n\big)\varsigma^2$"),
    "gradient": definition(r"$\|\nabla f(x)\|^2=\sum_ju_j^2$"),
    "shifts": definition(r"$\sum_is_{ij}=0$, $S^2=\frac1n\sum_i\sum_js_{ij}^2$"),
    "noise": definition(r"$\varsigma^2=\frac1n\sum_i\sum_jv_{ij}$"),
    "variances": domain(r"$v_{ij}\ge0$"),
    "squares": definition(
        r"$M=\frac1n\sum_{i,j}\mathbb E\bigl((\zeta+s_{ij}+u_j)^2\bigr)$, over $\zeta$ with mean "
        "$0$ and variance $v_{ij}$; "
        r"$m=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(s_{ij}+u_j+\xi_i))^2\bigr)$, "
        r"$\mathbb E\|\hat g-\nabla "
        r"f(x)\|^2=V+\sum_{j=1}^d\mathbb E\bigl(\frac1{n^2}(\sum_i\xi_i)^2\bigr)$, over "
        r"uncorrelated $\xi_i$, $1\le i\le n$, with mean $0$ and variance $v_{ij}$"
    ),
    "quantizer": model(
        r"$V\le AM-Bm$",
        reference="cq_marina/ab-cq",
    ),
    "names": definition(
        r"$y=\gamma L$, $\rho=\frac{\sigma^2}{\varepsilon^2}$, $B_0=32d\frac{2\Delta_0L}{\varepsilon^2}$"
    ),
    "rounds": parameter(r"$T=\frac{2\Delta_0}{\gamma(\varepsilon^2-L\gamma\sigma^2)}$"),
    "fine-step": parameter(r"$y=\frac1{2\rho}$, $\rho>0$"),
    "coarse": parameter(r"$2\rho\le1+a$"),
    "step": parameter(r"$y\le\frac1{1+a}$"),
    "largest": parameter(r"$y=\frac1{1+a}$"),
    "late": parameter(r"$2\rho\ge1+a$, $\rho>0$"),
    "price": definition(r"$\Psi=(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pa}\Big)$"),
    "between": parameter(r"$c(1+a)<\Psi\le2c(1+a)$"),
    "above": parameter(r"$4c\rho>\Psi$"),
    "below": parameter(r"$\rho\le\frac\Psi{4c}$"),
    "dear": parameter(r"$\Psi\ge2c(1+a)$"),
    "crossover": definition(r"$\rho^\star=(1+a)\Big(1-\frac{c(1+a)}\Psi\Big)$"),
    "before": parameter(r"$\rho\le\rho^\star$"),
    "beyond": parameter(r"$\rho>\rho^\star$"),
}

CLAIM = Claim(
    id="cq_marina/marina-against-sgd",
    kind="ordering",
    provenance="abstract",
    title="MARINA against distributed SGD with the same quantizers: where the guarantees cross",
    position=37,
    paper=PAPER,
    **statement(
        r"""
        Distributed SGD (Suresh et al. 2022): $x^+=x-\gamma\hat g$, where $\hat g$ is the mean of the
        quantized $g_i=\nabla f(x)+s_i+\xi_i$: shifts that sum to zero, of mean square $S^2$, and independent
        noise of mean square $\varsigma^2$, none for full gradients. The quantizer is unbiased and has the
        constants $A$ and $B$ of the AB inequality, messages $c$ times as long as $d$ numbers; $a=A-B$. MARINA
        sends differences of full gradients, in which shifts cancel. Prices are bits for each client, those
        that guarantees need, in units of $B_0=32d\frac{2\Delta_0L}{\varepsilon^2}$, those of gradient descent
        to $\varepsilon^2$; $\rho=\frac{\sigma^2}{\varepsilon^2}$, $y=\gamma L$, and steps have
        $L\gamma\sigma^2<\varepsilon^2$, that is $\rho y<1$. Prices at the largest step are for $\rho<1+a$.
        Measured, on quadratics: medians over runs of the bits until the squared gradient norm of a run is
        first at most a number, for MARINA the expected bits of those rounds. A verdict covers the clients of
        its records: the quick profile has 10 in (n) and (o), in (n) those with noise only.
        (a: noise) With $\sigma^2=AS^2+\big(A+\frac{1-B}n\big)\varsigma^2$ the estimate has $$\mathbb E\|\hat
          g-\nabla f(x)\|^2\le a\|\nabla f(x)\|^2+\sigma^2.$$ [proof; exact/error of stochastic gradients;
          exact/error with correlated quantizers]
        (b: reached) So the bound of `cq_marina/dsgd` at its steps is the accuracy after
          $T=\frac{2\Delta_0}{\gamma(\varepsilon^2-L\gamma\sigma^2)}$ rounds, without rounding:
          $$\frac{2\Delta_0}{\gamma T}+L\gamma\sigma^2=\varepsilon^2.$$ [proof]
        (c: bits) In these a client sends $$32dcT=\frac c{y(1-\rho y)}B_0.$$ [proof; exact/price of a step]
        (d: any) No step has a lower price than $4c\rho$: $$4c\rho\le\frac c{y(1-\rho y)}.$$ [proof;
          exact/price of every step]
        (e: fine, allowed) At $y=\frac1{2\rho}$, $\rho>0$, it is $$\frac c{y(1-\rho y)}=4c\rho.$$
          For $2\rho\ge1+a$
          the guarantee allows this step: $\frac1{2\rho}\le\frac1{1+a}$. [proof; exact/price of the best
          step]
        (f: coarse) For $2\rho\le1+a$ and $y\le\frac1{1+a}$ $$\frac{c(1+a)^2}{1+a-\rho}\le\frac c{y(1-\rho
          y)}.$$ [proof; exact/price of every step]
        (g: largest) At $y=\frac1{1+a}$ this is attained: $$\frac c{y(1-\rho
          y)}=\frac{c(1+a)^2}{1+a-\rho}.$$ [proof; exact/price of the best step]
        (h: above-fine) The price of MARINA is $\Psi=(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pa}\Big)$
          (`cq_marina/finding-identical-clients`). Where $4c\rho>\Psi$ the guarantee of SGD costs more at
          every step: $$\Psi<\frac c{y(1-\rho y)}.$$ [proof; exact/beyond the crossover]
        (i: below-fine) If $\Psi\ge2c(1+a)$, <<the crossover is there -> exact/crossover>>: for
          $\rho\le\frac\Psi{4c}$ the price of (e) is at most that of MARINA, $$4c\rho\le\Psi.$$ [proof;
          exact/before the crossover]
        (j: below-coarse) So is then that of (g) for $2\rho\le1+a$, $$\frac{c(1+a)^2}{1+a-\rho}\le\Psi.$$
          [proof; exact/before the crossover]
        (k: below-between) If $c(1+a)<\Psi\le2c(1+a)$, <<the crossover is at
          $\rho^\star=(1+a)\Big(1-\frac{c(1+a)}\Psi\Big)$ -> exact/crossover>>: for $\rho\le\rho^\star$ the
          guarantee of SGD at its largest step costs at most as much,
          $$\frac{c(1+a)^2}{1+a-\rho}\le\Psi.$$ [proof; exact/before the crossover]
        (l: above-between) In the case of (k), for $\rho>\rho^\star$ and $2\rho\le1+a$ it costs more:
          $$\Psi<\frac{c(1+a)^2}{1+a-\rho}.$$ [proof; exact/beyond the crossover]
        (m) <<Quadratics of `cq_marina/tridiag` with equal matrices, $d=32$, correlated quantizers
          -> exact/crossover of *>>: at {value:sizes[0]},
          {value:sizes[1]} and {value:sizes[2]} clients the squared gradient norms of the crossover are
          {value:shifted[0],3}, {value:shifted[1],3} and {value:shifted[2],3} for shifts and full gradients,
          {value:sampled[0],3}, {value:sampled[1],3} and {value:sampled[2],3} for shifts and noise,
          {value:alike[0],3}, {value:alike[1],3} and {value:alike[2],3} for noise. [exact/crossover of *]
        (n) Measured on both sides, each method at its own step: to {value:above} times that squared
          norm SGD needs <<in the median -> run/medians of the bits>> at most {value:half} of the bits of
          MARINA; to {value:sixth} of it MARINA needs at most {value:most} of those of SGD.
          [run/medians of the bits]
        (o) Without shifts and noise <<no squared gradient norm is beyond a crossover -> run/medians
          without shifts and noise>>: measured <<to $10^{-2}$ and $10^{-3}$ -> run/medians without
          shifts and noise>>, SGD needs at most {value:half} of the bits of MARINA. [run/medians without
          shifts and noise]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(p, "p", "(0,1]", "probability of a round of MARINA with full gradients"),
        Variable(c, "c", "(0,1]", "length of a compressed message relative to an uncompressed one"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "first constant of the quantizer"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "its second constant"),
        Variable(a, "a", r"\mathbb R_{\ge0}", "their difference"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(y, "y", r"\mathbb R_{>0}", "step size relative to $1/L$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
        Variable(T, "T", r"\mathbb R_{>0}", "number of rounds"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{>0}", r"$f(x^0)-f^\star$"),
        Variable(unit, "B_0", r"\mathbb R_{\ge0}", "bits of gradient descent"),
        Variable(sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "bound on the error that stays at the solution"),
        Variable(S_sq, "S^2", r"\mathbb R_{\ge0}", "mean square of the shifts"),
        Variable(noise_sq, r"\varsigma^2", r"\mathbb R_{\ge0}", "mean square of the noise"),
        Variable(rho, r"\rho", r"\mathbb R_{\ge0}", "that bound relative to the squared accuracy"),
        Variable(Psi, r"\Psi", r"\mathbb R_{>0}", "price of MARINA"),
        Variable(u, "u", r"\mathbb R^d", r"$\nabla f(x)$", "(d,)"),
        Variable(s, "s", r"\mathbb R^{n\times d}", "shifts of the gradients of the clients", "(n,d)"),
        Variable(v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances of their noise", "(n,d)"),
        Variable(G, r"\|\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
        Variable(error, r"\mathbb E\|\hat g-\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "error of the estimate"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "expected error of the quantizers"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "expected mean square of the stochastic gradients"),
        Variable(m, "m", r"\mathbb R_{\ge0}", "expected square of their mean"),
        Variable(crossover, r"\rho^\star", r"\mathbb R", "the crossover"),
        Variable(noise, r"\zeta", r"\mathbb R", "noise of a client in a coordinate", "(1,)"),
        Variable(xi, r"\xi", r"\mathbb R^n", "noises of the clients in a coordinate", "(n,)"),
    ),
    notation={
        r"\hat g": "the estimate",
        r"\nabla f(x)": "the gradient",
        "x^+": "the next point",
        "x": "a point",
        "g_{#1}": "gradients of the clients",
        "s_{#1}": "shifts",
    },
    hypotheses=_HYPOTHESES,
    relations={
        "noise": Relation((error, a * G + sigma_sq), ("<=",)),
        "reached": Relation((BOUND, epsilon**2), ("=",), under=("rounds",)),
        "bits": Relation((32 * d * c * T, PRICE * unit), ("=",), under=("rounds",)),
        "any": Relation((FINE, PRICE), ("<=",)),
        "fine": Relation((PRICE, FINE), ("=",), under=("fine-step",)),
        "allowed": Relation((1 / (2 * rho), 1 / (1 + a)), ("<=",), under=("late",)),
        "coarse": Relation((COARSE, PRICE), ("<=",), under=("defined", "coarse", "step")),
        "largest": Relation(
            (PRICE, COARSE),
            ("=",),
            under=(
                "defined",
                "largest",
            ),
        ),
        "above-fine": Relation((Psi, PRICE), ("<",), under=("above",)),
        "below-fine": Relation((FINE, Psi), ("<=",), under=("below", "dear")),
        "below-coarse": Relation((COARSE, Psi), ("<=",), under=("defined", "coarse", "dear")),
        "below-between": Relation(
            (COARSE, Psi), ("<=",), under=("defined", "crossover", "between", "before")
        ),
        "above-between": Relation(
            (Psi, COARSE), ("<",), under=("defined", "crossover", "between", "beyond", "coarse")
        ),
    },
    formulas={
        "bound": PRICE,
        "sigma_sq": SIGMA_SQ,
        "fine": FINE,
        "coarse": COARSE,
        "marina": MARINA,
        "crossover_fine": Psi / (4 * c),
        "crossover_coarse": BETWEEN,
        "step": Min(1 / (1 + a), 1 / (2 * rho)),
        **_TABLES,
        **_VALUES,
    },
    internal={
        "marina": r"the definition of $\Psi$",
        "step": "the steps of (e) and (g)",
        "crossover_fine": "the crossover of (i)",
        **dict.fromkeys(_TABLES, "measured, said as a value"),
        **dict.fromkeys(_VALUES, "a number of (m) or (n), said as a value"),
    },
    values={**_VALUES, **_CROSSOVERS, "sixth": 1 / _VALUES["below"], "sizes": tuple(map(Integer, SIZES))},
    worst_cases=cases(r"""
        no error that stays: the price of `cq_marina/finding-identical-clients` | a = 1, c = 1/16, rho = 0,
          y = 1/2 | 1/8
        where both steps are the same one | a = 1, c = 1/16, rho = 1, y = 1/2 | 1/4
    """),
)


# One client with the gradient 2 and noise of variance 1; messages without error; the step of both regimes.
EXAMPLE: dict[Any, Any] = {n: 1, d: 1, A: 1, B: 1, a: 0, u: (2,), s: ((0,),), v: ((1,),), G: 4, S_sq: 0}
EXAMPLE |= {noise_sq: 1, sigma_sq: 1, M: 5, m: 5, V: 0, error: 1, L: 1, epsilon: 2, rho: Rational(1, 4)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES)
    K.example(EXAMPLE)
    _noise(K)
    _prices(K)
    _crossovers(K)


def _noise(K: Any) -> None:
    """The constants of the quantizer at the expected squares of the gradients, and the mean of the noise."""
    shift = K.at("shifts", j)
    one = K.sum_over(K.sum_over(K.identity(_ONE, (u[j] + s[i, j]) ** 2 + v[i, j]), COORDINATES), CLIENTS)
    total = Sum(s[i, j], CLIENTS)
    cross = K.sum_over(K.cert(eq(u[j] * total, 0), (u[j], shift)), COORDINATES)
    first = K.cert(
        eq(M, G + S_sq + noise_sq),
        (1, K.given("squares")),
        (1 / n, one),
        (2 / n, cross),
        (-1, K.given("shifts", 1)),
        (-1, K.given("noise")),
        (-1, K.given("gradient")),
    )
    noise = Sum(v[i, j], CLIENTS) / n**2
    mean = K.cert(
        eq(_MEAN, u[j] ** 2 + noise),
        (1, K.identity(_MEAN, (u[j] + total / n) ** 2 + noise)),
        (2 * u[j] / n + total / n**2, shift),
    )
    second = K.cert(
        eq(m, G + noise_sq / n),
        (1, K.given("squares", 1)),
        (1, K.sum_over(mean, COORDINATES)),
        (-1 / n, K.given("noise")),
        (-1, K.given("gradient")),
    )
    rest = K.cert(
        eq(error, V + noise_sq / n),
        (1, K.given("squares", 2)),
        (1, K.sum_over(K.identity(_LEFT, noise), COORDINATES)),
        (-1 / n, K.given("noise")),
    )
    K.show(
        "noise",
        (1, rest),
        (1, K.given("quantizer")),
        (A, first),
        (-B, second),
        using=[K.given("constants"), K.given("constants", 1)],
    )


def _prices(K: Any) -> None:
    steps = [K.given("names"), K.given("names", 1), K.given("names", 2)]
    K.show("reached", using=[K.given("rounds")])
    K.show("bits", using=[*steps, K.given("rounds")])
    share = c / (y * (1 - rho * y))
    K.show("any", (share, (1 - 2 * rho * y) ** 2))
    K.show("fine", using=[K.given("fine-step")])
    h = 1 / (1 + a)
    K.know(K.given("defined"), K.cert(le(0, h - y), (1, K.given("step"))))
    few = K.cert(le(0, 1 - 2 * rho * h), (h, K.given("coarse")))
    K.show(
        "coarse",
        (share * (1 + a) ** 2 / (1 + a - rho) * (h - y), few),
        (share * (1 + a) ** 2 / (1 + a - rho) * rho, (h - y) ** 2),
    )
    K.show("largest", using=[K.given("largest")])


def _crossovers(K: Any) -> None:
    any_step = K.cert(le(FINE, PRICE), (PRICE, (1 - 2 * rho * y) ** 2))
    K.show("above-fine", (1, K.given("above")), (1, any_step))
    K.show("below-fine", (4 * c, K.given("below")))
    K.show("below-coarse", (1, K.given("dear")), (c * (1 + a) / (1 + a - rho), K.given("coarse")))
    where = [K.given("crossover")]
    K.show("below-between", (Psi / (1 + a - rho), K.given("before")), using=where)
    K.show("above-between", (Psi / (1 + a - rho), K.given("beyond")), using=where)
    K.know(K.given("late", 1))
    K.show("allowed", (1 / (2 * rho * (1 + a)), K.given("late")))
