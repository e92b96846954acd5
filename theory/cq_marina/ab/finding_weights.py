r"""`cq_marina/finding-weights`: which weights help which compressor (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Poly, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.smoothness.gains import DIGIT, GAINS, NU, lam, tau_1
from theory.facts.antisymmetry import antisymmetry
from theory.formula import eq, le
from theory.hypotheses import domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, A, V, N, L2, R, i, k = symbols("n A V N L2 R i k", real=True)
common = Symbol("omega_max", real=True)
delta, other, omega, w, L, e = symbols("delta other omega w L e", cls=IndexedBase, real=True)
CLIENTS, AGAIN = (i, 0, n - 1), (k, 0, n - 1)


def _noise(length: Any) -> Any:
    return Sum(omega[i] * length[i] ** 2, CLIENTS) / n**2


def _mean_square(length: Any) -> Any:
    return Sum(length[i] ** 2 / (n * w[i]), CLIENTS) / n


_TOTAL, _NORMS = Sum(delta[i], CLIENTS), Sum(L[i], CLIENTS)
_NOISE, _MEAN_SQUARE = _noise(delta), _mean_square(delta)
_BOUND, _UNAWARE = A * _MEAN_SQUARE, common / n * _MEAN_SQUARE
_EXCESS = n * Sum(delta[i] ** 2, CLIENTS) / _TOTAL**2
_HELPED = A * (_NORMS / n) ** 2
_BEST = 1 / (omega[i] * Sum(1 / omega[k], AGAIN))

_HALF_DIGIT = Rational(5, 10**4)
_TRIDIAGONAL = {
    name: (count, NU.subs(lam, part) * (1 - tau_1) + least - tau_1, low, Rational(ratio, 1000))
    for (name, ratio), (count, _, part, least, low, _) in zip(
        {"ten": 1083, "five": 1223}.items(), GAINS.values(), strict=True
    )
}

_SHORT = {"short_ten": Rational(1083, 1000), "short_five": Rational(1223, 1000)}

CLAIM = Claim(
    id="cq_marina/finding-weights",
    kind="finding",
    provenance="derived",
    title="Weights proportional to L_i do not help independent compressors of equal variance",
    position=18,
    paper=PAPER,
    **statement(
        r"""
        Read as advice for every compressor, the weights $w_i\propto L_i$, which make $L_{+,w}$ smallest,
        fail. $V$ is the noise of MARINA for gradient differences of the lengths $\delta_i$; independent
        compressors have the constants $\omega_i$, which these differences attain, and $A$ is that of the AB
        inequality with $B=0$.
        (a: product) <<For every $w$ -> proof>> with $\omega_iw_i\le A$
          $$V=\frac1{n^2}\sum_i\omega_i\delta_i^2\le A\frac1n\sum_i\frac{\delta_i^2}{nw_i}.$$ [proof;
          exact/noise; exact/product; adversarial/weights]
        (b: largest) For quadratics with the matrices $A_i$ so
          $$\lambda_{\max}\Big(\frac1{n^2}\sum_i\omega_iA_i^2\Big)\le
          A\,\lambda_{\max}\Big(\sum_i\frac{A_i^2}{n^2w_i}\Big).$$ [proof; exact/noise below the product]
        (c: best) Equality holds <<for $w_i\propto\frac1{\omega_i}$ -> exact/best weight of a client>>,
          where $\omega_iw_i=A$: $$\lambda_{\max}\Big(\frac1{n^2}\sum_i\omega_iA_i^2\Big)\
          =A\,\lambda_{\max}\Big(\sum_i\frac{A_i^2}{n^2w_i}\Big).$$ [proof; exact/best weight of a client;
          exact/noise at the best weights]
        (d: unaware) Joining the constant of equal weights with $w_i\sum_i\delta_i=\delta_i$ <<is no bound
          -> exact/how far the constant of equal weights falls short>>: for $\omega_i=\omega$
          $$V=\frac{n\sum_i\delta_i^2}{(\sum_i\delta_i)^2}\cdot\frac\omega
          n\cdot\frac1n\sum_i\frac{\delta_i^2}{nw_i}.$$ [proof; exact/noise with the constant of equal
          weights]
        (e: excess) That factor is <<at least 1 -> proof>>,
          $1\le\frac{n\sum_i\delta_i^2}{(\sum_i\delta_i)^2}$. [proof]
        (f: ten) <<On `tridiag` with ten clients -> exact/noise is the product of equal weights>>, $n=10$,
          $\delta_i=(1+\frac12(\frac{2i-1}n-1))(1-\tau_1)+10^{-6}-\tau_1$, it is {value:short_ten,3},
          $$1.0825\le\frac{n\sum_i\delta_i^2}{(\sum_i\delta_i)^2}\le1.0835,$$ for
          $0.0022640387\le\tau_1\le0.0022640388$, <<which is that of 32 coordinates -> exact/how far the
          constant of equal weights falls short>>. [proof; exact/how far the constant of equal weights falls
          short; exact/noise is the product of equal weights]
        (g: five) With five, $n=5$, $\delta_i=(1+\frac45(\frac{2i-1}n-1))(1-\tau_1)+10^{-2}-\tau_1$, it is
          {value:short_five,3}, $$1.2225\le\frac{n\sum_i\delta_i^2}{(\sum_i\delta_i)^2}\le1.2235,$$ for
          $0.0495155660\le\tau_1\le0.0495155661$, <<which is that of six coordinates -> exact/how far the
          constant of equal weights falls short>>. [proof; exact/how far the constant of equal weights falls
          short]
        (h: helped) What holds instead: <<where $A$ does not grow with the weights -> exact/helped>>,
          $w_i\sum_iL_i=L_i$ and $\delta_i^2=L_i^2R$ give
          $$A\frac1n\sum_i\frac{\delta_i^2}{nw_i}=A\Big(\frac1n\sum_iL_i\Big)^2R\le\frac AnR\sum_iL_i^2.$$
          [proof; exact/helped; exact/product with its own constant; exact/noise is that of equal weights]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "constant of the AB inequality"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "noise"),
        Variable(delta, r"\delta", r"\mathbb R^n_{>0}", r"$\|\nabla f_i(x)-\nabla f_i(y)\|$", "(n,)"),
        Variable(
            other, r"\eta", r"\mathbb R^n_{\ge0}", "those where the second eigenvalue is attained", "(n,)"
        ),
        Variable(omega, r"\omega", r"\mathbb R^n_{>0}", "relative variances of the compressors", "(n,)"),
        Variable(common, r"\omega", r"\mathbb R_{>0}", "the common one"),
        Variable(w, "w", r"\mathbb R^n_{>0}", "weights of the clients, with sum 1", "(n,)"),
        Variable(L, "L", r"\mathbb R^n_{>0}", "Lipschitz constants of the gradients of the clients", "(n,)"),
        Variable(R, "R", r"\mathbb R_{\ge0}", r"$\|x-y\|^2$"),
        Variable(tau_1, r"\tau_1", "(0,1)", "smallest eigenvalue of a quarter of the tridiagonal matrix"),
        Variable(
            N,
            r"\lambda_{\max}\Big(\frac1{n^2}\sum_i\omega_iA_i^2\Big)",
            r"\mathbb R_{\ge0}",
            "largest noise for a unit difference",
        ),
        Variable(
            L2, r"\lambda_{\max}\Big(\sum_i\frac{A_i^2}{n^2w_i}\Big)", r"\mathbb R_{\ge0}", r"$L_{+,w}^2$"
        ),
        Variable(e, "e", r"\mathbb R^n", "errors of the clients", "(n,)"),
    ),
    notation={
        "A_{#1}": "the matrix of a client",
        r"L_{+,w}": "smoothness constant",
        "B": "second constant",
        "x": "a point",
        "y": "another",
    },
    hypotheses={
        "sizes": domain(r"$n\ge1$ is an integer, $R,A\ge0$, $\omega,w_i,\omega_i,\delta_i,L_i>0$"),
        "noise": model(
            r"$V=\mathbb E\bigl(\frac1{n^2}(\sum_ie_i)^2\bigr)$, over uncorrelated $e_i$, $1\le i\le "
            r"n$, with mean $0$ and variance $\delta_i^2\omega_i$, since variances of the clients "
            "attain the relative ones"
        ),
        "largest": parameter(r"$\omega_iw_i\le A$"),
        "rayleigh": model(
            r"$\lambda_{\max}\Big(\frac1{n^2}\sum_i\omega_iA_i^2\Big)=\frac1{n^2}\sum_i\omega_i\delta_i^2$, "
            r"$\frac1n\sum_i\frac{\delta_i^2}{nw_i}\le\lambda_{\max}\Big(\sum_i\frac{A_i^2}{n^2w_i}\Big)$, "
            r"$\lambda_{\max}\Big(\sum_i\frac{A_i^2}{n^2w_i}\Big)=\frac1n\sum_i\frac{\eta_i^2}{nw_i}$, "
            r"$\frac1{n^2}\sum_i\omega_i\eta_i^2\le\lambda_{\max}\Big(\frac1{n^2}\sum_i\omega_iA_i^2\Big)$, "
            "since these are Rayleigh quotients"
        ),
        "level": parameter(r"$\omega_iw_i=A$"),
        "unaware": parameter(r"$w_i\sum_i\delta_i=\delta_i$ and $\omega_i=\omega$"),
        "ten": parameter(
            r"$n=10$, $0.0022640387\le\tau_1\le0.0022640388$, "
            r"$\delta_i=(1+\frac12(\frac{2i-1}n-1))(1-\tau_1)+10^{-6}-\tau_1$ (`cq_marina/tridiag`)",
        ),
        "five": parameter(
            r"$n=5$, $0.0495155660\le\tau_1\le0.0495155661$, "
            r"$\delta_i=(1+\frac45(\frac{2i-1}n-1))(1-\tau_1)+10^{-2}-\tau_1$ (`cq_marina/tridiag`)",
        ),
        "helped": parameter(r"$w_i\sum_iL_i=L_i$ and $\delta_i^2=L_i^2R$"),
    },
    relations={
        "product": Relation((V, _NOISE, _BOUND), ("=", "<="), under=("largest",)),
        "largest": Relation((N, A * L2), ("<=",), under=("largest", "rayleigh")),
        "best": Relation((N, A * L2), ("=",), under=("level", "rayleigh")),
        "unaware": Relation((V, _EXCESS * _UNAWARE), ("=",), under=("unaware",)),
        "excess": Relation((1, _EXCESS), ("<=",)),
        **{
            name: Relation((ratio - _HALF_DIGIT, _EXCESS, ratio + _HALF_DIGIT), ("<=", "<="), under=(name,))
            for name, (*_, ratio) in _TRIDIAGONAL.items()
        },
        "helped": Relation(
            (_BOUND, _HELPED * R, A / n * R * Sum(L[i] ** 2, CLIENTS)), ("=", "<="), under=("helped",)
        ),
    },
    formulas={
        "bound": _BOUND,
        "exact": _NOISE,
        "best_weight": _BEST,
        "unaware": _UNAWARE,
        "excess": _EXCESS,
        "helped": _HELPED,
        **_SHORT,
    },
    values=_SHORT,
    internal={
        **dict.fromkeys(_SHORT, "slots of parts (f) and (g)"),
        "best_weight": "the weights of part (c), which have the sum 1",
        "unaware": "the product of part (d)",
    },
    worst_cases=cases(r"""
        $\delta=(1,3)$, $w\propto\delta$, $\omega=1$: noise $\frac52$, while $\frac\omega n$ with these
          weights gives 2 | delta = (1, 3), omega = (1, 1), n = 2 | 5/2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS)
    half = Rational(1, 2)
    same = {n: 2, A: half, omega: (1, 1), w: (half, half), delta: (1, 1), other: (1, 1), common: 1}
    K.example({**same, L: (1, 1), R: 1, V: half, N: half, L2: 1})
    share = 1 / (n**2 * w[i])
    noise = K.cert(eq(V, _NOISE), (1, K.given("noise")))
    each = K.cert(
        le(omega[i] * delta[i] ** 2 / n**2, A * delta[i] ** 2 * share),
        (delta[i] ** 2 * share, K.at(K.given("largest"), i)),
    )
    product = K.cert(le(_NOISE, _BOUND), (1, K.sum_over(each, CLIENTS)))
    K.conclude("product", noise, product)
    top = [K.given("rayleigh", place) for place in range(4)]
    K.conclude("largest", K.cert(le(N, A * L2), (1, top[0]), (1, product), (A, top[1])))

    def level(length: Any) -> Any:
        part = K.cert(
            eq(omega[i] * length[i] ** 2 / n**2, A * length[i] ** 2 * share),
            (length[i] ** 2 * share, K.at(K.given("level"), i)),
        )
        return K.sum_over(part, CLIENTS)

    below = K.cert(le(N, A * L2), (1, top[0]), (1, level(delta)), (A, top[1]))
    above = K.cert(le(A * L2, N), (A, top[2]), (-1, level(other)), (1, top[3]))
    K.conclude("best", antisymmetry(K, N, A * L2, below, above))
    # The weight of a client is its part of the total.
    total = K.sum_over(K.at(K.given("sizes", 7), i), CLIENTS)
    K.know(total, K.sum_over(K.at(K.given("sizes", 8), i), CLIENTS))
    inverse = K.cert(
        eq(delta[i] ** 2 / (n * w[i]), delta[i] * _TOTAL / n),
        (-delta[i] / (n * w[i]), K.at(K.given("unaware"), i)),
    )
    equal = K.cert(
        eq(omega[i] * delta[i] ** 2, common * delta[i] ** 2), (delta[i] ** 2, K.at(K.given("unaware", 1), i))
    )
    squares = Sum(delta[i] ** 2, CLIENTS)
    K.conclude(
        "unaware",
        K.cert(
            eq(V, _EXCESS * _UNAWARE),
            (1, noise),
            (1 / n**2, K.sum_over(equal, CLIENTS)),
            (-common * squares / (n * _TOTAL**2), K.sum_over(inverse, CLIENTS)),
        ),
    )
    spread = Sum((delta[i] - _TOTAL / n) ** 2, CLIENTS)
    K.conclude("excess", K.cert(le(1, _EXCESS), (n / _TOTAL**2, spread)))
    _tridiagonal(K)
    own = K.cert(
        eq(A * delta[i] ** 2 / (n**2 * w[i]), A * R * L[i] * _NORMS / n**2),
        (A / (n**2 * w[i]), K.at(K.given("helped", 1), i)),
        (-A * R * L[i] / (n**2 * w[i]), K.at(K.given("helped"), i)),
    )
    reached = K.cert(eq(_BOUND, _HELPED * R), (1, K.sum_over(own, CLIENTS)))
    variance = Sum((L[i] - _NORMS / n) ** 2, CLIENTS)
    goal = le(_HELPED * R, A / n * R * Sum(L[i] ** 2, CLIENTS))
    K.conclude("helped", reached, K.cert(goal, (A * R / n, variance)))


def _tridiagonal(K: Any) -> None:
    """Both sides of the factor are quadratics in the first eigenvalue, which lies in a short interval."""
    a, b = (Symbol(f"weights_{name}", real=True) for name in ("a", "b"))
    K.know(K.assume(le(0, a)), K.assume(le(0, b)))
    product = K.sign(le(0, a * b))
    for name, (count, length, low, ratio) in _TRIDIAGONAL.items():
        number, above, below = (K.given(name, place) for place in range(3))
        own, high = K.at(K.given(name, 3), i), low + DIGIT
        inside = K.discharge(
            K.instantiate(product, {a: tau_1 - low, b: high - tau_1}),
            K.cert(le(0, tau_1 - low), (1, above)),
            K.cert(le(0, high - tau_1), (1, below)),
        )
        values = [length.subs({n: count, i: place}) for place in range(count)]
        first, second = sum(values), sum(value**2 for value in values)
        square = K.cert(eq(delta[i] ** 2, length**2), (delta[i] + length, own))
        total = K.cert(eq(_TOTAL, first), (1, K.sum_over(own, CLIENTS)), using=[number])
        squares = Sum(delta[i] ** 2, CLIENTS)
        squares = K.cert(eq(squares, second), (1, K.sum_over(square, CLIENTS)), using=[number])
        links = []
        for sign, bound in ((1, ratio - _HALF_DIGIT), (-1, ratio + _HALF_DIGIT)):
            room = Poly(sign * (count * second - bound * first**2), tau_1)
            slope, bend = room.diff().eval(low), room.diff().diff().eval(low) / 2
            # room = room(low) + slope (t - low) + bend (t - low)^2.
            slope, curved = (
                (slope, (bend, (tau_1 - low) ** 2)) if bend >= 0 else (slope + bend * DIGIT, (-bend, inside))
            )
            linear = (slope, above) if slope >= 0 else (-slope, below)
            positive = K.cert(le(0, room.as_expr()), curved, linear)
            goal = le(bound, _EXCESS) if sign == 1 else le(_EXCESS, bound)
            links.append(
                K.cert(
                    goal,
                    (1 / _TOTAL**2, positive),
                    (-sign * n / _TOTAL**2, squares),
                    (sign * bound * (_TOTAL + first) / _TOTAL**2, total),
                    using=[number],
                )
            )
        K.conclude(name, *links)
