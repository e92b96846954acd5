r"""`cq_marina/finding-zero-norm`: a zero norm replaced by one makes noise of nothing (arXiv 2401.05518)."""

from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.expectation import bernoulli
from theory.facts.rounding.rounding import rounding_variance, variance_nonnegative
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, p, gamma, zeros, V, honest, correlated, jump = symbols("n d p gamma zeros V V_0 V_c jump", real=True)
m, i, j, k = symbols("m i j k", real=True)
# Inputs a, scales s, 1 where the input is zero, bits b, coin.
a, s, zero, b, left, coin = symbols("a s zero b left coin", cls=IndexedBase, real=True)
CLIENTS, COORDINATES, ONE = (i, 0, n - 1), (j, 0, d - 1), (k, 0, 0)

_EXACT = zeros * d / n**2
_HALF = n / 2
_CORRELATED = 4 * d / n**2 * rounding_variance(_HALF)
_JUMP = (1 - p) * gamma**2 * d / n


def _error(scale: Expr) -> Any:
    """Return the squared error of coordinate j, whose bits have the probabilities of the scale s."""
    error = Sum(scale * (2 * b[i] - 1) - a[i, j], CLIENTS) / n
    return bernoulli(error**2, b, CLIENTS, p=(1 + a[i, j] / s[i]) / 2)


_GUARDED, _HONEST = _error(s[i]), _error(s[i] - zero[i])
_STRATIFIED = bernoulli((2 * (floor(_HALF) + left[0] - _HALF) / n) ** 2, left, ONE, p=_HALF - floor(_HALF))
_TOSSED = bernoulli((1 - coin[0]) * gamma**2 * V, coin, ONE, p=p)

CLAIM = Claim(
    id="cq_marina/finding-zero-norm",
    kind="finding",
    provenance="derived",
    title="A zero norm replaced by one: noise out of nothing once a run has converged",
    position=8,
    paper=PAPER,
    **statement(
        r"""
        One bit for each of $d$ coordinates, at the norm of the input as its scale, divides by the norm. The
        usual guard replaces a zero norm by 1 and so sends $\pm1$ for a zero vector. Of $n$ clients $z$ have
        a zero vector; $V$ is the mean squared error of the average with the guard, $V_0$ that of the
        quantizer that sends zeros, both with independent bits.
        (a: added) The guard adds $V-V_0=\frac{zd}{n^2}$, however small the other inputs are. [proof;
          exact/independent]
        (b: noise, silence) So no bound $AM-Bm$ holds: for $z=n$ zero vectors $V=\frac dn$ and $V_0=0$.
          [proof; exact/independent; exact/error of nothing]
        (c: correlated) With stratified thresholds the error $V_c$ of $n$ zero vectors is
          $$V_c=\frac{4d}{n^2}\Big\{\frac n2\Big\}\Big(1-\Big\{\frac n2\Big\}\Big).$$ [proof;
          exact/correlated; exact/honest]
        (d: odd, even) It is $V_c=\frac d{n^2}$ for $n=2m+1$ with an integer $m$, and $V_c=0$ for $n=2m$.
          [proof; exact/correlated]
        (e: jump) At the solution of $<<f=\frac12\|x\|^2 -> exact/jump>>$ with <<the estimate 0 ->
          exact/jump>> and $z=n$, the step that follows a round of MARINA leads to $$\mathbb E\|\nabla
          f(x^+)\|^2=(1-p)\gamma^2\frac dn$$ with independent bits. [proof; exact/jump]
        (f) Runs on quadratics with identity Hessians, <<with independent bits at four clients and with
          stratified ones at three, look perfect until -> run/guarded: converged>> the differences of the
          gradients are zero in double precision; then they jump by <<at least the expectation of (e), with
          stratified bits an $n$-th of it -> run/guarded: jumps after that>>. [run/guarded: converged;
          run/guarded: jumps after that]
        (g) What holds instead: compressors that <<send zeros for zero vectors -> exact/outcomes other than
          zero>> <<stay at round-off -> run/past convergence>>. [exact/outcomes other than zero;
          exact/entries other than zero; exact/error of nothing; run/past convergence]
        (h: ternary) On the ternary grid zero is a level, and the guard is <<harmless -> exact/ternary
          outcomes other than zero>>: for $z=n$ rounding $a_{ij}$ at the scale $s_i$ has the variance
          $$s_i^2\Big\{\frac{a_{ij}}{s_i}\Big\}\Big(1-\Big\{\frac{a_{ij}}{s_i}\Big\}\Big)=0.$$ [proof;
          exact/ternary outcomes other than zero]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(a, "a", r"\mathbb R^{n\times d}", "inputs", "(n, d)"),
        Variable(s, "s", r"\mathbb R^n_{>0}", "scales: norms, 1 where they are zero", "(n,)"),
        Variable(zero, r"\zeta", r"\{0,1\}^n", "1 for a zero vector, whose scale is 1", "(n,)"),
        Variable(zeros, "z", r"\mathbb N_0", "number of clients with a zero vector"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "mean squared error with the guard"),
        Variable(honest, "V_0", r"\mathbb R_{\ge0}", "mean squared error of what sends zeros"),
        Variable(correlated, "V_c", r"\mathbb R_{\ge0}", "the same with stratified thresholds"),
        Variable(m, "m", r"\mathbb N_0", "an integer"),
        Variable(p, "p", "[0,1]", "probability of a round with full gradients"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(
            jump, r"\mathbb E\|\nabla f(x^+)\|^2", r"\mathbb R_{\ge0}", "expected squared gradient afterwards"
        ),
        Variable(b, "b", r"\{0,1\}^n", "bits of the clients", "(n,)"),
        Variable(coin, r"\chi", r"\{0,1\}", "coin of the round", "(1,)"),
        Variable(left, r"\eta", r"\{0,1\}", "bit that the strata leave open", "(1,)"),
    ),
    notation={"AM-Bm": "a bound by the mean squares of the inputs"},
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers, $\gamma>0$, $p\in[0,1]$"),
        "guard": definition(
            r"$s_i>0$, $\zeta_i^2=\zeta_i$, $\zeta_is_i=\zeta_i$, $\zeta_ia_{ij}=0$, $a_{ij}^2\le s_i^2$, "
            r"$z=\sum_i\zeta_i$"
        ),
        "errors": definition(
            r"$V=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(s_i(2b_i-1)-a_{ij}))^2\bigr)$, "
            r"$V_0=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i((2b_i-1)(s_i-\zeta_i)-a_{ij}))^2\bigr)$, "
            r"over independent $b_i\sim\mathrm{Bernoulli}(\frac{a_{ij}}{2s_i}+\frac12)$, $1\le i\le n$"
        ),
        "all-zero": parameter("$z=n$"),
        "stratified": model(
            r"$V_c=\sum_{j=0}^{d-1}\mathbb E\bigl(\frac1{n^2}(2\lfloor\frac n2\rfloor+2\eta"
            r"-n)^2\bigr)$, over $\eta\sim\mathrm{Bernoulli}(\{\frac n2\})$, since strata leave a bit "
            "open",
            reference="cq_marina/cq-equal-inputs",
        ),
        "odd": parameter("$n=2m+1$ with an integer $m$"),
        "even": parameter("$n=2m$ with an integer $m$"),
        "round": definition(
            r"$\mathbb E\|\nabla f(x^+)\|^2=\mathbb E\bigl(V\gamma^2(1-\chi)\bigr)$, over "
            r"$\chi\sim\mathrm{Bernoulli}(p)$"
        ),
    },
    relations={
        "added": Relation((V - honest, _EXACT), ("=",)),
        "noise": Relation((V, d / n), ("=",), under=("all-zero",)),
        "silence": Relation((honest, Integer(0)), ("=",), under=("all-zero",)),
        "correlated": Relation((correlated, _CORRELATED), ("=",)),
        "odd": Relation((correlated, d / n**2), ("=",), under=("odd",)),
        "even": Relation((correlated, Integer(0)), ("=",), under=("even",)),
        "jump": Relation((jump, _JUMP), ("=",), under=("all-zero",)),
        "ternary": Relation(
            (s[i] ** 2 * rounding_variance(a[i, j] / s[i]), Integer(0)),
            ("=",),
            every=(COORDINATES, CLIENTS),
            under=("all-zero",),
        ),
    },
    formulas={"exact": _EXACT, "correlated": _CORRELATED, "jump": _JUMP},
    worst_cases=cases("""
        one client | zeros = 1, d = 2, n = 1 | 2
        two of three clients | zeros = 2, d = 2, n = 3 | 4/9
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES)
    common = {d: 1, p: Rational(1, 2), gamma: 1}
    K.example({**common, n: 3, m: 1, a: ((0,),) * 3, s: (1,) * 3, zero: (1,) * 3, zeros: 3})
    K.example({**common, n: 2, m: 1, a: ((3,), (0,)), s: (3, 1), zero: (0, 1), zeros: 1})
    K.example({**common, n: 2, m: 1, a: ((0,),) * 2, s: (1,) * 2, zero: (1,) * 2, zeros: 2})
    K.know(K.given("guard"))
    spread = (1 + a[i, j] / s[i]) * (1 - a[i, j] / s[i])
    entry = K.at(K.given("guard", 4), i, j)
    K.know(K.every(K.cert(le(0, spread / 4), (1 / (4 * s[i] ** 2), entry)), CLIENTS, COORDINATES))
    square, unit, none = (
        K.at(K.given("guard", 1), i),
        K.at(K.given("guard", 2), i),
        K.at(K.given("guard", 3), i, j),
    )
    # (s - z) a / s - a = 0 where z a = 0.
    share = a[i, j] / s[i]
    centred = K.cert(eq((s[i] - zero[i]) * share - a[i, j], 0), (-1 / s[i], none))
    own = (s[i] - zero[i]) ** 2 * (1 - share**2)
    left = K.cert(
        eq(own, s[i] ** 2 - a[i, j] ** 2 - zero[i]),
        (-2, unit),
        (1, square),
        ((2 * s[i] - zero[i]) * share / s[i], none),
    )
    centre = Sum((s[i] - zero[i]) * share - a[i, j], CLIENTS) / n**2
    plain = K.cert(
        eq(_HONEST, Sum(s[i] ** 2 - a[i, j] ** 2 - zero[i], CLIENTS) / n**2),
        (centre, K.sum_over(centred, CLIENTS)),
        (1 / n**2, K.sum_over(left, CLIENTS)),
    )
    guarded = K.identity(_GUARDED, Sum(s[i] ** 2 - a[i, j] ** 2, CLIENTS) / n**2)
    without = K.cert(
        eq(honest, Sum(Sum(s[i] ** 2 - a[i, j] ** 2 - zero[i], CLIENTS), COORDINATES) / n**2),
        (1, K.given("errors", 1)),
        (1, K.sum_over(plain, COORDINATES)),
    )
    added = K.cert(
        eq(V - honest, _EXACT),
        (1, K.given("errors", 0)),
        (1, K.sum_over(guarded, COORDINATES)),
        (-1, without),
        (-d / n**2, K.given("guard", 5)),
    )
    K.conclude("added", added)
    # With nothing but zeros each scale is 1 and each entry 0.
    one = _all_zero(K)
    scale = K.cert(eq(s[i], 1), (1, unit), (1 - s[i], one))
    empty = K.cert(eq(a[i, j], 0), (1, none), (-a[i, j], one))
    rest = K.cert(eq(s[i] ** 2 - a[i, j] ** 2 - zero[i], 0), (s[i] + 1, scale), (-a[i, j], empty), (-1, one))
    nothing = K.cert(eq(honest, 0), (1, without), (1 / n**2, K.sum_over(rest, CLIENTS, COORDINATES)))
    K.conclude("silence", nothing)
    level = a[i, j] / s[i]
    inside = (
        K.cert(le(0, level), (-1 / s[i], empty)),
        K.cert(lt(level, 1), (1 / s[i], empty)),
    )
    whole = K.discharge(K.axiom("floor-unique", level, Integer(0)), *inside)
    ternary = eq(s[i] ** 2 * rounding_variance(level), 0)
    fraction = level - floor(level)
    ternary = K.cert(ternary, (s[i] * (1 - fraction), empty), (-(s[i] ** 2) * (1 - fraction), whole))
    K.conclude("ternary", K.every(ternary, COORDINATES, CLIENTS))
    noise = K.cert(
        eq(V, d / n),
        (1, added),
        (1, nothing),
        (d / n**2, K.given("guard", 5)),
        (d / n**2, K.sum_over(one, CLIENTS)),
    )
    K.conclude("noise", noise)
    K.conclude(
        "jump",
        K.cert(
            eq(jump, _JUMP),
            (1, K.given("round")),
            (1, K.identity(_TOSSED, (1 - p) * gamma**2 * V)),
            ((1 - p) * gamma**2, noise),
        ),
    )
    _stratified(K)


def _all_zero(K: Any) -> Any:
    """Return that each client has a zero vector: the others have room for at most n - 1."""
    square = K.at(K.given("guard", 1), i)
    at_most = K.cert(le(zero[i], 1), (1, (1 - zero[i]) ** 2), (1, square))
    others = []
    for name, low, high in (("before", 0, i - 1), ("after", i + 1, n - 1)):
        place = Symbol(name, real=True)
        others.append(K.sum_over(K.instantiate(at_most, {i: place}), (place, low, high)))
    at_least = K.cert(
        le(1, zero[i]),
        (-1, K.given("all-zero")),
        (1, K.given("guard", 5)),
        (1, K.split_off(Sum(zero[i], CLIENTS).subs(i, k), i)),
        *((1, other) for other in others),
    )
    K.know(K.cert(lt(0, zero[i]), (1, at_least)))
    return K.cert(eq(zero[i], 1), (1 / zero[i], square))


def _stratified(K: Any) -> None:
    """The fraction of n/2 is 0 or one half."""
    K.know(variance_nonnegative(K, _HALF))
    same = K.identity(Sum(_STRATIFIED, COORDINATES), _CORRELATED)
    error = K.cert(eq(correlated, _CORRELATED), (1, K.given("stratified")), (1, same))
    K.conclude("correlated", error)
    for name, bound in (("odd", d / n**2), ("even", Integer(0))):
        K.know(K.given(name))
        half = K.given(name, 1)
        inside = (
            K.cert(
                le(m, _HALF),
                *(((Rational(1, 2), K.sign(le(0, 1))),) if name == "odd" else ()),
                (Rational(-1, 2), half),
            ),
            K.cert(lt(_HALF, m + 1), (Rational(1, 2), half)),
        )
        whole = K.discharge(K.axiom("floor-unique", _HALF, m), *inside)
        rounded = K.rewrite(K.identity(_CORRELATED, _CORRELATED), whole, "right")
        K.conclude(name, K.cert(eq(correlated, bound), (1, error), (1, rounded), using=[half]))
