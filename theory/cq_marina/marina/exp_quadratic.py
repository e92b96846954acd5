r"""`cq_marina/exp-quadratic`: bits of four compressors on the tridiagonal quadratics (arXiv 2401.05518)."""

from typing import Any

from sympy import Eq, IndexedBase, Integer, Max, Piecewise, Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost.whole_gradients import promised, whole_gradients
from theory.cq_marina.paper import PAPER
from theory.expectation import bernoulli
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement

n, d, k, T, K_, t, r = symbols("n d k T K t r", real=True)
p, c, A, B, X, L_minus, L_plus, L_pm, gamma = symbols("p c A B X L_minus L_plus L_pm gamma", real=True)
Delta_0, message, sent = symbols("Delta_0 message sent", real=True)
coin = IndexedBase("coin", real=True)
RUN, ONE = (t, 0, k - 1), (r, 0, 0)

_ROUND = 32 * d * p + (1 - p) * message
_BITS = 32 * d + k * _ROUND
_TOSSED = bernoulli(32 * d * coin[0] + (1 - coin[0]) * message, coin, ONE, p=p)
_DEALT = 32 * Max(d / n, 1)
_WIDE, _NARROW = 32 * d * (2 * n - 1) / n**2, 32 * (d + n - 1) / n
_BOUND = 2 * Delta_0 * (L_minus + sqrt((1 - p) / p * X)) / T
_CQ, _IQ = d / n**2, (d - 1) / n
_THRESHOLD = (1 - c) ** 2 / (4 * c)


CLIENTS = (2, 10, 50, 100, 200, 400)
# Kbits and rounds at these numbers of clients.
TABLE = {
    "rand_k": (("81.92", 79), ("59.54", 354), ("27.73", 478), ("21.23", 377), ("16.81", 308), ("13.78", 261)),
    "perm_k": (("61.70", 79), ("16.39", 79), ("5.12", 79), ("4.34", 79), ("3.94", 79), ("3.75", 79)),
    "independent": (
        ("81.92", 79),
        ("77.98", 643),
        ("40.49", 364),
        ("31.39", 294),
        ("24.89", 243),
        ("20.27", 206),
    ),
    "correlated": (
        ("81.92", 79),
        ("31.66", 296),
        ("12.94", 144),
        ("10.16", 119),
        ("8.49", 103),
        ("7.56", 94),
    ),
}


def _by_clients(values: Any) -> Any:
    return Piecewise(*((Rational(value), Eq(n, size)) for value, size in zip(values, CLIENTS, strict=True)))


_KBITS = {name: tuple(Rational(kbits) for kbits, _ in row) for name, row in TABLE.items()}
_FACTORS = {
    "of_independent": Rational(1, 2),
    "of_rand_k": Rational(13, 20),
    "of_correlated": Rational(3, 5),
    "within": Rational(3, 100),
    "roughly": Rational(1, 10),
    "mild": Rational(1, 2),
    "strong": Rational(3, 4),
    "of_correlated_spread": Rational(9, 10),
}
_TABLES = {
    **{f"kbits_{name}": _by_clients(row) for name, row in _KBITS.items()},
    **{f"rounds_{name}": _by_clients([rounds for _, rounds in row]) for name, row in TABLE.items()},
}


CLAIM = Claim(
    id="cq_marina/exp-quadratic",
    kind="ordering",
    provenance="rederived",
    title="On quadratics, from ten identical clients on, fewer bits than independent quantization and RandK, "
    "more than PermK",
    position=33,
    paper=PAPER,
    **statement(
        r"""
        MARINA with RandK, PermK, independent (IQ) and correlated quantization (CQ), one bit for a
        coordinate, on the quadratics of `cq_marina/tridiag` with identical clients ($\lambda=0$, 32
        coordinates, $\mu=10^{-6}$, $x^0=0$), steps of `cq_marina/marina-rate`, $p=\arg\min\psi$
        ($p=\frac1n$ for PermK); RandK keeps an $n$-th of the coordinates, rounded, at least one. Numbers in
        single precision, shared draws cost nothing. Kbits of a client to $\mathbb E\|\nabla
        f\|^2\le10^{-4}$, for CQ the median over runs, are for 2, 10, 50, 100, 200 and 400 clients; a
        verdict covers the clients of its records: the quick profile has 2 and 10 with exact expectations,
        10 and 50 for CQ, and 10 that differ by the larger $\lambda$.
        (a: bits) With compressed messages of $b$ bits a client sends for the first gradient and $k$ rounds
          in expectation $$\mathbb EB_k=32d+k\,(32dp+(1-p)b).$$ [proof]
        (b: wide, narrow) A round of PermK, $p=\frac1n$, $b=32\max\{\frac dn,1\}$, costs for $d\ge n$ and
          for $d\le n$ $$32dp+(1-p)b=\frac{32d(2n-1)}{n^2},\qquad32dp+(1-p)b=\frac{32(d+n-1)}n.$$ [proof]
        (c: permk) PermK, $A=B$, has no noise on identical clients, $L_\pm=0$: $$\mathcal X=0.$$ [proof]
        (d: noise, cost) For $n,d\ge2$ the noise of CQ at equal inputs is at most that of IQ, whose messages
          are as long, and so is the cost of the guarantee at each $p$: $$\frac
          d{n^2}\le\frac{d-1}n,\qquad(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}p\tfrac
          d{n^2}}\Big)\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}p\tfrac{d-1}n}\Big).$$ [proof]
        (e: full) Full rounds only, <<of cost 1 -> proof>>, are the best for a noise of
          $A\ge\frac{(1-c)^2}{4c}$: at each $p$ $$1\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big).$$ [proof]
        (f) <<At two clients -> exact/noise at two clients>> that is so for RandK, IQ and CQ, which then are
          gradient descent. [exact/noise at two clients; exact/rounds of correlated quantization]
        (g) The messages of the compressors have the bits that are charged, and their noise at equal
          differences is within the constants of the steps. [exact/message of *; exact/noise of *]
        (h: rate) The bound of the rate at its step $\gamma=\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}$, with
          an exact first estimate, is $$\frac{2\Delta_0}{\gamma
          T}=\frac{2\Delta_0(L_-+\sqrt{\frac{1-p}p\mathcal X})}T;$$ <<the averages of RandK, PermK and IQ
          stay below it -> exact/average of *>>, those of runs of CQ <<at 16 clients for 60 rounds are
          consistent with it -> run/averages of the squared gradient>>. [proof; exact/average of *;
          run/averages of the squared gradient]
        (i) RandK needs {value:rand_k[0],2}, {value:rand_k[1],2}, {value:rand_k[2],2}, {value:rand_k[3],2},
          {value:rand_k[4],2}, {value:rand_k[5],2} kbits in exact expectations. [exact/kbits of RandK;
          exact/rounds of RandK]
        (j) PermK needs {value:perm_k[0],2}, {value:perm_k[1],2}, {value:perm_k[2],2}, {value:perm_k[3],2},
          {value:perm_k[4],2}, {value:perm_k[5],2} kbits in exact expectations. [exact/kbits of PermK;
          exact/rounds of PermK]
        (k) IQ needs {value:independent[0],2}, {value:independent[1],2}, {value:independent[2],2},
          {value:independent[3],2}, {value:independent[4],2}, {value:independent[5],2} kbits in exact
          expectations. [exact/kbits of independent quantization; exact/rounds of independent quantization]
        (l) The median run of CQ is within {value:within} (in the quick profile, with fewer runs,
          {value:roughly}) of {value:correlated[0],2}, {value:correlated[1],2}, {value:correlated[2],2},
          {value:correlated[3],2}, {value:correlated[4],2}, {value:correlated[5],2} kbits. [run/medians of
          the bits; exact/kbits of correlated quantization]
        (m) So <<from ten clients on -> run/medians of the bits>> the median of CQ is at most
          {value:of_independent} of the bits of IQ and {value:of_rand_k} of those of RandK, while PermK
          needs at most {value:of_correlated} of those of CQ. [run/medians of the bits]
        (n) For clients that differ, <<$\lambda=\frac3{10}$ and $\frac8{10}$ with $\lambda_b=\frac12$ ->
          run/medians of the bits>>, <<the advantage over IQ shrinks -> run/medians of the bits>>, to at
          most {value:mild} and {value:strong} of its bits <<at ten and fifty clients -> run/medians of the
          bits>>, and PermK needs at most {value:of_correlated_spread} of the bits of CQ. [run/medians of
          the bits]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
        Variable(k, "k", r"\mathbb N_0", "rounds after the first gradient"),
        Variable(T, "T", r"\mathbb N", "number of rounds of the average"),
        Variable(message, "b", r"\mathbb R_{>0}", "expected bits of a compressed message"),
        Variable(sent, r"\mathbb EB_k", r"\mathbb R_{\ge0}", "expected bits of a client"),
        Variable(c, "c", "(0,1]", r"length of a compressed message, $b/(32d)$"),
        Variable(A, "A", r"\mathbb R_{>0}", "constant of the AB inequality; the noise at equal inputs"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "the other one"),
        Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise"),
        Variable(L_minus, "L_-", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(L_plus, "L_+", r"\mathbb R_{\ge0}", "of the gradients of the clients"),
        Variable(L_pm, r"L_\pm", r"\mathbb R_{\ge0}", "Hessian variance"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(coin, r"\zeta", r"\{0,1\}", "coin of a round", "(1,)"),
    ),
    notation={r"\psi": "the smallest cost", "f": "the objective"},
    hypotheses={
        "sizes": domain(r"$k\ge0$ is an integer; $n>0$, $d\ge1$, $T>0$"),
        "signs": domain(r"$0<p\le1$, $0<c\le1$, $L_->0$, $\mathcal X\ge0$, $\gamma>0$"),
        "sent": definition(
            r"$\mathbb EB_k=32d+\sum_{t=0}^{k-1}\mathbb E\bigl(32d\zeta+b(1-\zeta)\bigr)$, over "
            r"$\zeta\sim\mathrm{Bernoulli}(p)$"
        ),
        "perm": parameter(r"$p=\frac1n$, $b=32\max\{\frac dn,1\}$"),
        "wide": parameter(r"$d\ge n$"),
        "narrow": parameter(r"$d\le n$"),
        "X": definition(r"$\mathcal X=(A-B)L_+^2+BL_\pm^2$"),
        "permk": model("$A=B$", reference="cq_marina/ab-permk"),
        "identical": model(r"$L_\pm=0$"),
        "many": domain(r"$n,d\ge2$"),
        "noisy": parameter(r"$A>0$ and $A\ge\frac{(1-c)^2}{4c}$"),
        "step": parameter(r"$\gamma=\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}$"),
    },
    relations={
        "bits": Relation((sent, _BITS), ("=",)),
        "wide": Relation((_ROUND, _WIDE), ("=",), under=("perm", "wide")),
        "narrow": Relation((_ROUND, _NARROW), ("=",), under=("perm", "narrow")),
        "permk": Relation((X, 0), ("=",), under=("permk", "identical")),
        "noise": Relation((_CQ, _IQ), ("<=",), under=("many",)),
        "cost": Relation((promised(p, c, _CQ), promised(p, c, _IQ)), ("<=",), under=("many",)),
        "full": Relation((1, promised(p, c, A)), ("<=",), under=("noisy",)),
        "rate": Relation((2 * Delta_0 / (gamma * T), _BOUND), ("=",), under=("step",)),
    },
    formulas={
        "bound": _BOUND,
        "exact": _BITS,
        "message_rand_k": 32 * K_,
        "message_perm_k": _DEALT,
        "message_one_bit": 32 + d,
        "A_rand_k": (d / K_ - 1) / n,
        "A_independent": _IQ,
        "A_correlated": _CQ,
        "threshold": _THRESHOLD,
        "round_perm_k": _WIDE,
        "round_perm_k_small": _NARROW,
        **_TABLES,
        **_FACTORS,
    },
    internal={
        "message_rand_k": "RandK sends so many numbers",
        "message_perm_k": "said as a hypothesis of part (b)",
        "message_one_bit": "a norm and one bit for each coordinate",
        "A_rand_k": "each coordinate is kept with probability K/d, independently over clients",
        "threshold": "said as a hypothesis of part (e)",
        **dict.fromkeys(_TABLES, "the table, said as values"),
        **dict.fromkeys(_FACTORS, "a factor between medians, said as a value"),
    },
    values={**_KBITS, **_FACTORS},
    measured=True,
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(RUN)
    half = Rational(1, 2)
    shared = {k: 2, T: 1, p: half, gamma: half, L_minus: 1, X: 1, Delta_0: 1}
    K.example({**shared, n: 2, d: 4, message: 64, sent: 320, c: half, A: 1})
    K.example({**shared, n: 2, d: 2, message: 32, sent: 160, c: half, A: 1})
    K.example({**shared, A: 1, B: 1, L_plus: 1, L_pm: 0, X: 0, n: 2, d: 2})
    tossed = K.sum_over(K.identity(_TOSSED, _ROUND), RUN)
    K.conclude("bits", K.cert(eq(sent, _BITS), (1, K.given("sent")), (1, tossed)))
    _permk(K)
    K.know(K.cert(le(0, d - 1), (1, K.given("sizes", 3))))
    noise = K.cert(le(_CQ, _IQ), ((d - 1) / n**2, K.given("many")), (1 / n**2, K.given("many", 1)))
    K.conclude("noise", noise)
    odds = (1 - p) / p
    root = K.power(K.cert(le(odds * _CQ, odds * _IQ), (odds, noise)), half)
    K.conclude("cost", K.cert(le(promised(p, c, _CQ), promised(p, c, _IQ)), (p + (1 - p) * c, root)))
    K.know(K.given("noisy"))
    K.conclude("full", whole_gradients(K, p, c, A, K.given("noisy", 1)))
    inverse = L_minus + sqrt(odds * X)
    rate = K.cert(
        eq(2 * Delta_0 / (gamma * T), _BOUND), (-2 * Delta_0 * inverse / (gamma * T), K.given("step"))
    )
    K.conclude("rate", rate)


def _permk(K: Any) -> None:
    chance, dealt = K.given("perm"), K.given("perm", 1)
    for name, item, largest in (("wide", _WIDE, d / n), ("narrow", _NARROW, Integer(1))):
        other = Integer(1) if name == "wide" else d / n
        below = K.cert(le(other, largest), (1 / n, K.given(name)))
        branch = K.discharge(K.axiom("max-is-right", other, largest), below)
        goal = K.cert(
            eq(_ROUND, item),
            (1 - p, dealt),
            (32 * (1 - p), branch),
            (32 * d - 32 * largest, chance),
        )
        K.conclude(name, goal)
    zero = K.cert(
        eq(X, 0),
        (1, K.given("X")),
        (L_plus**2, K.given("permk")),
        (B * L_pm, K.given("identical")),
    )
    K.conclude("permk", zero)
