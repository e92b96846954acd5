r"""`cq_marina/cq-optimal`: what every unbiased one-bit protocol must lose (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Integer, Max, Min, Rational, Sum, floor, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.expectation import E, bernoulli
from theory.facts.rounding.rounding_differences import common_cell_below_square
from theory.facts.rounding.stratified_shares import within
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.statement import statement
from theory.worst_cases import cases

n, N, s, t, delta, V, A, S, C, c_1, c_2, V_c, v = symbols("n N s t delta V A S C c_1 c_2 V_c v", real=True)
i, l, o = symbols("i l o", real=True)
# Outcomes o of the randomness with probabilities w: the sum of the bits, and the bits of both inputs.
y, w, total, low, high, z, b = symbols("y w total low high z b", cls=IndexedBase, real=True)
CLIENTS, OTHERS, OUTCOMES = (i, 0, n - 1), (l, 0, n - 1), (o, 0, N - 1)
HALF = Rational(1, 2)

_SUM = Sum(y[i], CLIENTS)
_FLOOR = floor(_SUM)
_INTEGER = (_SUM - _FLOOR) * (1 - (_SUM - _FLOOR)) / n**2
_BOUND = delta * (1 - delta) / (4 * n)
_DEVIATION = delta * (n - 1) / (2 * n)
_COEFFICIENT = (1 - delta) / (2 * (n - 1))
_NEEDED = n / (2 * (n - 1)) * (1 - 4 * sqrt(c_2 / n))
_CENTRED = (low[o, i] + high[o, i]) / 2 - (s + t) / 2
_SPREAD = (high[o, i] - low[o, i] - delta) / 2
_AVERAGE = E(
    Sum(w[o] * Sum(_CENTRED + z[i] * _SPREAD, CLIENTS) ** 2, OUTCOMES) / n**2, z, CLIENTS, mean=0, variance=1
)
_NUMBER = Sum(b[i], CLIENTS)
_MEAN_DEVIATION = bernoulli(2 * delta * _NUMBER * (n - _NUMBER) / n**2, b, CLIENTS, p=HALF)


def _input(place: Any) -> Any:
    return s + delta * b[place]


# Covariances of two clients at multiples of 1/n: the minimum of two inputs is s + delta b b'.
_KERNEL = s + delta * b[i] * b[l] - _input(i) * _input(l)
_SAME = s + delta * b[i] ** 2 - _input(i) ** 2
_CORRELATED = bernoulli(
    (
        Sum(_input(i) * (1 - _input(i)), CLIENTS)
        - (Sum(_KERNEL, OTHERS, CLIENTS) - Sum(_SAME, CLIENTS)) / (n - 1)
    )
    / n**2,
    b,
    CLIENTS,
    p=HALF,
)

_PAIR = -(Min(y[i], y[l]) * (1 - Max(y[i], y[l])) - within(n * y[i], n * y[l]) / n) / (n - 1)
_BESIDE = Sum(_PAIR, (l, 0, i - 1)) + Sum(_PAIR, (l, i + 1, n - 1))

CLAIM = Claim(
    id="cq_marina/cq-optimal",
    kind="lower",
    provenance="derived",
    title="Lower bounds for unbiased one-bit protocols, and where correlated quantization attains them",
    position=6,
    paper=PAPER,
    **statement(
        r"""
        Client $i$ of $n$ sends a bit $Q_i(y_i)$ with $\mathbb EQ_i(y)=y$ for all $y\in[0,1]$, with any
        shared and private randomness of finitely many outcomes, and the server averages the bits; $V$ is the
        variance of the mean. $\mathbb E_y$ is the average over inputs $y_i\in\{s,t\}$ by independent fair
        coins, $\delta=t-s$; $\sigma_{md}$ is the mean of the $|y_i-\bar y|$.
        (a: integer-sum) At every input $$V\ge\frac{\{\sum_iy_i\}(1-\{\sum_iy_i\})}{n^2}.$$ [proof;
          exact/least variance; exact/probability of a bit]
        (b: equal-inputs) Correlated quantization, whose variance is $V_c$, attains it at equal inputs
          $y_i=v$: $$V_c=\frac{\{\sum_iy_i\}(1-\{\sum_iy_i\})}{n^2}.$$ [proof; exact/attained at equal
          inputs]
        (c: average) The average over the two-point inputs is $$\mathbb
          E_yV\ge\frac{\delta(1-\delta)}{4n},$$ so <<some input has at least this variance -> exact/average
          variance>>. [proof; exact/average variance]
        (d: deviation) $$\mathbb E_y\sigma_{md}=\frac{\delta(n-1)}{2n}.$$ [proof; exact/mean deviation]
        (e: coefficient) Hence $\mathbb E_yV\ge\frac{1-\delta}{2(n-1)}\mathbb E_y\sigma_{md}$: <<no protocol
          keeps a smaller multiple -> exact/this multiple on average>> of $\sigma_{md}$ at every input.
          [proof; exact/this multiple on average]
        (f: attained) Correlated quantization attains (c) <<where $ns$ and $nt$ are integers ->
          exact/attained>>: its average is $$\mathbb E_yV_c=\frac{\delta(1-\delta)}{4n}.$$ [proof;
          exact/attained]
        (g: needed) A protocol with <<at most $c_1\frac{\sigma_{md}}n+\frac{c_2}{n^2}$ at each input ->
          proof>>, hence $\mathbb E_yV\le\frac{c_1}n\mathbb E_y\sigma_{md}+\frac{c_2}{n^2}$
          at $\delta=2\sqrt{\frac{c_2}n}$, needs $$c_1\ge\frac n{2(n-1)}\Big(1-4\sqrt{\frac{c_2}n}\Big).$$
          [proof; exact/no more than one]
        (h: limit) This <<tends to one half -> proof>> with the number of clients:
          $$\frac12-4\sqrt{\frac{c_2}n}\le\frac
          n{2(n-1)}\Big(1-4\sqrt{\frac{c_2}n}\Big)\le\frac12+\frac1{2(n-1)}.$$ [proof; exact/limit one half]
        (i: two-clients) Of two clients, $n=2$, correlated quantization has $V_c\le\frac1{4n^2}=\frac1{16}$,
          so that there <<zero for $c_1$ and a quarter for $c_2$ suffice -> proof>>.
          [proof; exact/two clients]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N_{\ge2}", "number of clients"),
        Variable(y, "y", "[0,1]^n", "inputs of the clients", "(n,)"),
        Variable(s, "s", "[0,1]", "the smaller of two inputs"),
        Variable(t, "t", "[0,1]", "the larger of two inputs"),
        Variable(delta, r"\delta", "(0,1]", "their distance"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of the mean of the bits"),
        Variable(A, r"\mathbb E_yV", r"\mathbb R_{\ge0}", "its average over the two-point inputs"),
        Variable(C, r"\mathbb E_yV_c", r"\mathbb R_{\ge0}", "that of correlated quantization"),
        Variable(S, r"\mathbb E_y\sigma_{md}", r"\mathbb R_{\ge0}", "average mean deviation"),
        Variable(V_c, "V_c", r"\mathbb R_{\ge0}", "variance of correlated quantization"),
        Variable(v, "v", "[0,1]", "input that all clients hold"),
        INDICATOR,
        Variable(N, "N", r"\mathbb N", "number of outcomes of the randomness, finite as the bits are"),
        Variable(w, "w", "[0,1]^N", "their probabilities", "(N,)"),
        Variable(total, "B", r"\mathbb Z^N", "sum of the bits for each outcome", "(N,)"),
        Variable(low, "b", r"\{0,1\}^{N\times n}", "bits at $s$ for each outcome", "(N,n)"),
        Variable(high, "b'", r"\{0,1\}^{N\times n}", "bits at $t$ for each outcome", "(N,n)"),
        Variable(c_1, "c_1", r"\mathbb R_{\ge0}", "multiple of the mean deviation"),
        Variable(c_2, "c_2", r"\mathbb R_{>0}", "constant of the additive term"),
        Variable(b, r"\zeta", r"\{0,1\}^n", "which inputs are at $t$", "(n,)"),
        Variable(z, "z", r"\mathbb R^n", "signs, one for each client", "(n,)"),
    ),
    notation={
        "Q_{#1}(y_{#1})": "the bit of a client",
        "Q_{#1}": "the bits",
        r"\sigma_{md}": "mean deviation",
        r"\mathbb E_y": "average",
        r"\bar y": "mean input",
    },
    hypotheses={
        "sizes": domain(r"$n\ge2$, $N\ge1$ are integers; $0<\delta\le1$, $c_2>0$"),
        "randomness": definition(r"$w_o\ge0$, $\sum_ow_o=1$"),
        "sum": model(r"$B_o$ are integers; $\sum_iy_i=\sum_ow_oB_o$"),
        "variance": definition(r"$V=\frac{\sum_ow_oB_o^2-(\sum_iy_i)^2}{n^2}$"),
        "bits": model(r"$b_{oi}$, $b'_{oi}$ are integers; $\sum_ow_ob_{oi}=s$, $\sum_ow_ob'_{oi}=t$"),
        "distance": definition(r"$\delta=t-s$"),
        "average": definition(
            r"$\mathbb E_yV=\mathbb E\bigl(\frac1{n^2}\sum_ow_o(\sum_i(z_i(\frac{b'_{oi}}{2}-"
            r"\frac{\delta}{2}-\frac{b_{oi}}{2})+\frac{b'_{oi}}{2}+\frac{b_{oi}}{2}-\frac s2-"
            r"\frac t2))^2\bigr)$, over uncorrelated $z_i$, $1\le i\le n$, with mean $0$ and variance "
            "$1$"
        ),
        "deviation": model(
            r"$\mathbb E_y\sigma_{md}=\mathbb E\bigl(\frac{2\delta}{n^2}(n-\sum_i\zeta_i)"
            r"\sum_i\zeta_i\bigr)$, over independent $\zeta_i\sim\mathrm{Bernoulli}(\frac12)$, $1\le "
            r"i\le n$"
        ),
        "correlated": model(
            r"$\mathbb E_yV_c=\mathbb E\bigl(\frac1{n^2}(\sum_i(\delta\zeta_i+s)(1-\delta\zeta_i-s)"
            r"-\frac1{n-1}(\sum_{i,l}(\delta\zeta_i\zeta_l+s-(\delta\zeta_i+s)(\delta\zeta_l+s))-"
            r"\sum_i(\delta\zeta_i^2+s-(\delta\zeta_i+s)^2)))\bigr)$, over independent "
            r"$\zeta_i\sim\mathrm{Bernoulli}(\frac12)$, $1\le i\le n$",
            reference="cq_marina/cq-1d-exact",
        ),
        "at-inputs": definition(
            r"$V_c=\frac1{n^2}\Big(\sum_iy_i(1-y_i)+\sum_i\Big(\sum_{l=1}^{i-1}"
            r"\frac{\frac1n\mathbb I(\lfloor ny_i\rfloor,\lfloor ny_l\rfloor)\min\{\{ny_i\},\{ny_l\}\}"
            r"(1-\max\{\{ny_i\},\{ny_l\}\})-\min\{y_i,y_l\}(1-\max\{y_i,y_l\})}{n-1}"
            r"+\sum_{l=i+1}^n"
            r"\frac{\frac1n\mathbb I(\lfloor ny_i\rfloor,\lfloor ny_l\rfloor)\min\{\{ny_i\},\{ny_l\}\}"
            r"(1-\max\{\{ny_i\},\{ny_l\}\})-\min\{y_i,y_l\}(1-\max\{y_i,y_l\})}{n-1}"
            r"\Big)\Big)$"
            ", since variances of the bits stand beside their covariances under stratified thresholds",
            reference="cq_marina/cq-1d-exact",
        ),
        "equal": parameter("$y_i=v$"),
        "two": parameter("$n=2$"),
        "kept": parameter(
            r"$\mathbb E_yV\le\frac{c_1}n\mathbb E_y\sigma_{md}+\frac{c_2}{n^2}$, "
            r"$\delta=2\sqrt{\frac{c_2}n}$"
        ),
    },
    relations={
        "integer-sum": Relation((V, _INTEGER), (">=",)),
        "average": Relation((A, _BOUND), (">=",)),
        "deviation": Relation((S, _DEVIATION), ("=",)),
        "coefficient": Relation((A, _COEFFICIENT * S), (">=",)),
        "attained": Relation((C, _BOUND), ("=",)),
        "equal-inputs": Relation((V_c, _INTEGER), ("=",), under=("at-inputs", "equal")),
        "limit": Relation((HALF - 4 * sqrt(c_2 / n), _NEEDED, HALF + 1 / (2 * (n - 1))), ("<=", "<=")),
        "two-clients": Relation(
            (V_c, 1 / (4 * n**2), Rational(1, 16)), ("<=", "="), under=("at-inputs", "two")
        ),
        "needed": Relation((c_1, _NEEDED), (">=",), under=("kept",)),
    },
    formulas={
        "bound": _BOUND,
        "integer_sum": _INTEGER,
        "mean_deviation": _DEVIATION,
        "coefficient": _COEFFICIENT,
        "c1_needed": _NEEDED,
        "two_clients": Rational(1, 16),
    },
    internal={
        "coefficient": "the factor of part (e)",
        "two_clients": "the value of part (i)",
    },
    worst_cases=cases(r"""
        six clients at $\frac16$ or $\frac46$: correlated quantization attains the average bound | n = 6,
          delta = 1/2, s = 1/6, t = 2/3 | 1/96
        four equal inputs $\frac18$: the sum is 0 or 1 with probability $\frac12$ | n = 4, y = 4 * (1/8,)
          | 1/64
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter = Rational(1, 4)
    example = {n: 2, N: 2, w: (HALF, HALF), y: (HALF, HALF), total: (1, 1), s: 0, t: HALF, delta: HALF}
    example |= {low: ((0, 0), (0, 0)), high: ((1, 0), (0, 1)), c_1: 2, c_2: quarter / 2}
    K.example(example)
    K.index(CLIENTS, OUTCOMES)
    K.know(K.given("randomness"), K.cert(lt(0, n - 1), (1, K.given("sizes", 1))))
    _integer_sum(K)
    average = _average(K)
    K.conclude("average", average)
    deviation = K.cert(
        eq(S, _DEVIATION), (1, K.given("deviation")), (1, K.identity(_MEAN_DEVIATION, _DEVIATION))
    )
    K.conclude("deviation", deviation)
    K.know(K.sign(le(0, 1 - delta)))
    K.conclude("coefficient", K.cert(le(_COEFFICIENT * S, A), (1, average), (_COEFFICIENT, deviation)))
    K.conclude(
        "attained", K.cert(eq(C, _BOUND), (1, K.given("correlated")), (1, K.identity(_CORRELATED, _BOUND)))
    )
    u = sqrt(c_2 / n)
    K.conclude(
        "needed",
        K.cert(
            le(_NEEDED, c_1),
            (n**2 / (u * (n - 1)), K.given("kept")),
            (n**2 / (u * (n - 1)), average),
            (c_1 * n / (u * (n - 1)), deviation),
            using=[K.given("kept", 1)],
        ),
    )
    lower = K.cert(
        le(HALF - 4 * u, _NEEDED), (1 / (2 * (n - 1)), Integer(1)), (2 * u / (n - 1), K.given("sizes", 1))
    )
    upper = K.cert(le(_NEEDED, HALF + 1 / (2 * (n - 1))), (1, 2 * u * n / (n - 1)))
    K.conclude("limit", lower, upper)
    _correlated(K)


def _correlated(K: Any) -> None:
    r"""Equal inputs; two at the distance D have the variance $D(1-D)+\kappa$, $\kappa\le\frac14(1-2D)^2$."""
    K.example({n: 2, N: 1, w: (1,), delta: 1, c_2: 1, y: (HALF, HALF), v: HALF, V_c: 0, s: 0, t: 1})
    K.index(OTHERS)
    K.know(K.cert(lt(0, n**2 - n), (n, K.cert(lt(0, n - 1), (1, K.given("sizes", 1))))))
    at_i, at_l = (K.at(K.given("equal"), place) for place in (i, l))
    pair = K.rewrite(K.rewrite(K.identity(_PAIR, _PAIR), at_i, "right"), at_l, "right")
    beside = [K.sum_over(pair, span) for span in ((l, 0, i - 1), (l, i + 1, n - 1))]
    own = K.cert(eq(y[i] * (1 - y[i]), v * (1 - v)), (1 - y[i] - v, at_i))
    total = K.cert(eq(_SUM, n * v), (1, K.sum_over(at_i, CLIENTS)))
    integer = K.rewrite(K.identity(_INTEGER, _INTEGER), total, "right")
    beside = K.cert(eq(_BESIDE, (n - 1) * _PAIR.subs({y[i]: v, y[l]: v})), *((1, part) for part in beside))
    K.conclude(
        "equal-inputs",
        K.cert(
            eq(V_c, _INTEGER),
            (1, K.given("at-inputs")),
            (1 / n**2, K.sum_over(own, CLIENTS)),
            (1 / n**2, K.sum_over(beside, CLIENTS)),
            (-1, integer),
        ),
    )
    two, first, second = K.given("two"), y[0], y[1]
    goal, sides = le(V_c, 1 / (4 * n**2)), []
    for low, high in ((first, second), (second, first)):
        cell = common_cell_below_square(K, 2 * low, 2 * high)
        least, most = K.axiom("min-is-left", low, high), K.axiom("max-is-right", low, high)
        order = ((high - 1) / 2, least), (Min(low, high) / 2, most)
        sides.append(K.cert(goal, (1, K.given("at-inputs")), (HALF**2, cell), *order, using=[two]))
    found = K.cases(first - second, *sides)
    K.conclude("two-clients", found, K.cert(eq(1 / (4 * n**2), Rational(1, 16)), using=[two]))


def _integer_sum(K: Any) -> None:
    """An integer is never strictly between two neighbours of its expectation."""
    k, m = _FLOOR, total[o]
    K.know(K.axiom("floor-integer", _SUM), K.given("sum"))
    goal = le((2 * k + 1) * m - k * (k + 1), m**2)
    under = K.cert(goal, (1, (k - m) ** 2), (1, K.assume(le(m - k, 0))))
    over = K.cert(goal, (1, (m - k - 1) ** 2), (1, K.axiom("integer-gap", k, m)))
    each = K.cases(m - k, under, over)
    weighted = K.cert(le(w[o] * goal.left, w[o] * m**2), (w[o], each))
    least = K.cert(
        le(_INTEGER, V),
        (-1, K.given("variance")),
        (1 / n**2, K.sum_over(weighted, OUTCOMES)),
        ((2 * k + 1) / n**2, K.given("sum", 1)),
        (k * (k + 1) / n**2, K.given("randomness", 1)),
    )
    K.conclude("integer-sum", least)


def _average(K: Any) -> Any:
    """The variances of the differences of the two bits of each client do not cancel."""
    P, T = low[o, i], high[o, i]
    K.know(*(K.at(K.given("bits", place), i, o) for place in (0, 1)))
    # An integer is at most its square.
    m = T - P
    under = K.cert(le(m, m**2), (1, m**2), (1, K.assume(le(m, 0))))
    over = K.cert(le(m, m**2), (1, (m - 1) ** 2), (1, K.axiom("integer-gap", Integer(0), m)))
    bit = K.cases(m, under, over)
    spread = w[o] * (T - P - delta) ** 2
    each = K.cert(le(w[o] * ((T - P) * (1 - 2 * delta) + delta**2), spread), (w[o], bit))
    means = [K.at(K.given("bits", place), i) for place in (2, 3)]
    client = K.cert(
        le(delta - delta**2, Sum(spread, OUTCOMES)),
        (1, K.sum_over(each, OUTCOMES)),
        (-(1 - 2 * delta), means[1]),
        (1 - 2 * delta, means[0]),
        (-(delta**2), K.given("randomness", 1)),
        (1 - 2 * delta, K.given("distance")),
    )
    written = K.identity(
        _AVERAGE,
        Sum(w[o] * Sum(_CENTRED, CLIENTS) ** 2, OUTCOMES) / n**2
        + Sum(Sum(spread, OUTCOMES), CLIENTS) / (4 * n**2),
    )
    return K.cert(
        le(_BOUND, A),
        (-1, K.given("average")),
        (-1, written),
        (1 / n**2, Sum(w[o] * Sum(_CENTRED, CLIENTS) ** 2, OUTCOMES)),
        (1 / (4 * n**2), K.sum_over(client, CLIENTS)),
    )
