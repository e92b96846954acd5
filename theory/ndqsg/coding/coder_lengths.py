"""From one symbol to a whole message: lengths of arithmetic coders, for `ndqsg/coded-size`."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, log, oo, symbols

from theory.claim import Variable
from theory.facts.logarithms.number_of_types import weight
from theory.formula import eq, le
from theory.hypotheses import definition, model, parameter
from theory.ndqsg.coding.code_lengths import COUNT, LETTERS, SHARE, A, a, n, symbol_cost

L, X, H, T, bits, own, mean, types, m = symbols("L X H T bits own mean types w2", real=True)
share, theta, tally, size = symbols("r theta tally size", cls=IndexedBase, real=True)
t, words, second, doubled = symbols("t words second doubled", real=True)
chance, Y, Z = symbols("pt Y Z", cls=IndexedBase, real=True)
UNITS, WIDTH = Integer(2**24), Integer(2**30)
# Messages of which the overhead is said in short, and their overhead in bits.
SHORT, SHORTLY = Integer(2**17), Integer(26)
GROWTH = Rational(256, 255) * UNITS / (UNITS - A - 1)
OWN_GROWTH = WIDTH / (WIDTH - n - A)
LOST = n * log(GROWTH) / log(2) + 33
OWN_LOST = n * log(OWN_GROWTH) / log(2) + 2
ALWAYS = (t, 0, oo)
# What is left of the range.
REST = Y[n] * 2 ** (32 * words)
MESSAGES = (m, 0, T - 1)
_EMPIRICAL = n * log(n) - Sum(weight(tally[m, a]), LETTERS)
MEAN = n * H + log(types) / log(2) + LOST
_FULL, _FEW = Integer(2**64 - 1), Integer(2**33 - 2)

CODER_HYPOTHESES = {
    "cross": definition(r"$p_t>0$, $X=-\frac1{\ln2}\sum_{t=0}^{n-1}\ln p_t$"),
    "adaptive": parameter("$X=L$"),
    "coder": model(
        r"$Y_0=2^{64}-1$, $Y_t>0$, "
        r"$\frac{Y_tp_t}{\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}}\le Y_{t+1}$",
        reference="part (e): each symbol leaves at least this part of the range",
    ),
    "ending": model(
        r"$0\le E_2\le1$ is an integer, $2^{32E}Y_n\le2^{64}-1$, $2^{32E}E_2Y_n\le E_2(2^{33}-2)$, "
        r"$\ell=32(E+1+E_2)$",
        reference="the coder: each scaling sends a word, one more ends the code, and a second one where the "
        "range is less than two words wide",
    ),
    "random": model(
        r"$T\ge1$ is an integer, $\binom{n+A-1}{A-1}>0$, $r_i\ge0$, $\sum_ir_i=1$, $\theta_a>0$, "
        r"$\sum_a\theta_a=1$, $H=-\frac1{\ln2}\sum_a\theta_a\ln\theta_a$; "
        r"$C_{ia}\ge0$ is an integer, $\sum_aC_{ia}=n$, $\sum_ir_iC_{ia}=n\theta_a$, "
        r"$S_i\le\frac{n\ln n-\sum_aC_{ia}\ln\max\{C_{ia},1\}+\ln\binom{n+A-1}{A-1}}{\ln2}"
        r"+\frac n{\ln2}\ln\Big(\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$, "
        r"$\mathbb E\ell=\sum_ir_iS_i$",
        reference="part (f), with L at most as in part (d) of `ndqsg/adaptive-code-length`",
    ),
    "registers-sent": model(
        r"$Z_0=2^{32}$, $Z_t>0$, $\frac{Z_tp_t}{\frac{2^{30}}{2^{30}-n-A}}\le Z_{t+1}$, "
        r"$2^DZ_n\le2^{32}$, $\ell_{32}=D+2$",
        reference="part (i): each symbol leaves at least this part of the interval; each doubling sends a "
        "bit, and two bits end the code",
    ),
}

CODER_VARIABLES = (
    Variable(chance, "p", "(0,1]", "probabilities that the coder takes for the symbols", "(oo,)", first=0),
    Variable(types, r"\binom{n+A-1}{A-1}", r"\mathbb N", "number of types"),
    Variable(T, "T", r"\mathbb N", "number of messages"),
    Variable(share, "r", r"[0,1]", "probabilities of the messages", "(T,)", first=0),
    Variable(theta, r"\theta", "(0,1]", "probabilities of the symbols", "(A,)", first=0),
    Variable(tally, "C", r"\mathbb N", "counts of the messages", "(T, A)", first=0),
    Variable(size, "S", r"\mathbb N", "lengths of the messages", "(T,)", first=0),
    Variable(Y, "Y", r"\mathbb R_{>0}", "range without what scaling has made of it", "(oo,)", first=0),
    Variable(Z, "Z", r"\mathbb R_{>0}", "interval without its doublings", "(oo,)", first=0),
    Variable(words, "E", r"\mathbb N", "words sent by scaling"),
    Variable(second, "E_2", r"\{0,1\}", "whether a second word ends the code"),
    Variable(doubled, "D", r"\mathbb N", "doublings of the interval"),
)


def conclude_lengths(K: Any) -> None:
    """Conclude parts (f), (g) and (j); that ln 2 > 0 and what is at most n + A must be known."""
    alone = {T: 1, share: [1], theta: [1], H: 0, tally: [[6]], types: 1, size: [0], mean: 0}
    K.example({n: 6, A: 1, **alone})
    certain = {chance: [1] * 200, X: 0, L: 0, words: 0, second: 0, bits: 32, doubled: 0, own: 2}
    K.example({n: 6, A: 3, Y: [2**64 - 1] * 200, Z: [2**32] * 200, **certain})
    K.index(ALWAYS)
    unit, cross, two = 1 / log(2), K.given("cross", 1), Integer(2)
    K.know(K.given("ending"), K.given("ending", 1))
    K.know(K.given("cross"), K.given("coder", 1), K.given("registers-sent", 1))

    def logarithm(first: Any, exponent: Any) -> list[Any]:
        """Return terms that take the logarithm of what is left apart."""
        apart = K.axiom("log-product", first, two**exponent), K.axiom("log-power", two, exponent)
        return [(-unit, item) for item in apart]

    goal, after = le(bits, X + LOST), 32 * words
    start = K.rewrite(K.identity(log(Y[0]), log(Y[0])), K.given("coder"), side="right")
    ended = [
        *logarithm(Y[n], after),
        (unit, _product(K, Y, GROWTH, "coder", 2)),
        (1, K.given("ending", 5)),
        (-1, cross),
        (-unit, start),
    ]
    one = K.cert(goal, *ended, (unit, K.log(K.given("ending", 3))), (32, K.assume(le(second, 0))), (1, 1))
    K.know(K.axiom("integer-gap", 0, second))
    narrow = K.cert(le(REST, _FEW), (1 / second, K.given("ending", 4)))
    powers = [
        (K.axiom("log-product", a, two**e), K.axiom("log-power", two, e))
        for a, e in ((_FEW, 64), (_FULL, 33))
    ]
    both = K.cert(
        goal,
        *ended,
        (unit, K.log(narrow)),
        (32, K.given("ending", 2)),
        (unit, K.log(K.sign(le(_FEW * 2**64, _FULL * 2**33)))),
        *((-unit, item) for item in powers[0]),
        *((unit, item) for item in powers[1]),
    )
    fixed = K.cases(second, one, both)
    K.conclude("fixed", fixed)
    K.conclude("bound", K.cert(le(bits, L + LOST), (1, fixed), (1, K.given("adaptive"))))

    start = K.rewrite(K.identity(log(Z[0]), log(Z[0])), K.given("registers-sent"), side="right")
    short = K.cert(
        le(own, L + OWN_LOST),
        *logarithm(Z[n], doubled),
        (unit, _product(K, Z, OWN_GROWTH, "registers-sent", 2)),
        (1, K.given("registers-sent", 4)),
        (-1, cross),
        (1, K.given("adaptive")),
        (-unit, start),
        (unit, K.log(K.given("registers-sent", 3))),
    )
    K.conclude("own", short)
    _mean(K)


def _mean(K: Any) -> None:
    """Conclude part (h): no probabilities suit a message better than its own shares."""
    given = [K.given("random", place) for place in range(14)]
    K.know(*given[:4], given[5], given[8], given[9], K.cert(le(0, T), (1, given[1]), (1, 1)))
    K.index(MESSAGES, LETTERS)
    unit, count = 1 / log(2), tally[m, a]
    each = K.instantiate(symbol_cost(K), {COUNT: count, SHARE: theta[a]})
    most = (log(types) - Sum(count * log(theta[a]), LETTERS)) / log(2) + LOST
    message = K.cert(
        le(share[m] * size[m], share[m] * most),
        (share[m], K.at(given[12], m)),
        (share[m] * unit, K.sum_over(each, LETTERS)),
        (-share[m] * unit * (1 + log(n)), K.at(given[10], m)),
        (share[m] * unit * n, given[6]),
    )
    symbol = Sum(share[m] * count * log(theta[a]), MESSAGES)
    expected = K.cert(eq(symbol, n * theta[a] * log(theta[a])), (log(theta[a]), K.at(given[11], a)))
    K.conclude(
        "mean",
        K.cert(
            le(mean, MEAN),
            (1, K.sum_over(message, MESSAGES)),
            (-unit, K.sum_over(expected, LETTERS)),
            (log(types) * unit + LOST, given[4]),
            (1, given[13]),
            (-n, given[7]),
        ),
    )


def _product(K: Any, ranges: Any, growth: Any, name: str, place: int) -> Any:
    """Return how far the logarithm of the range has fallen after n symbols."""
    m = Symbol("rounds", real=True)
    K.index((m, 0, oo))

    def statement(at: Any) -> Any:
        fallen = Sum(log(chance[t]), (t, 0, at - 1)) - at * log(growth)
        return le(log(ranges[0]) + fallen, log(ranges[at]))

    step = K.log(K.at(K.given(name, place), m))
    after = Sum(log(chance[t]), (t, 0, m))
    found = K.cert(
        statement(m + 1),
        (1, K.assume(statement(m))),
        (1, step),
        (-1, K.axiom("log-product", ranges[m], chance[m] / growth)),
        (-1, K.axiom("log-product", chance[m], 1 / growth)),
        (-1, K.axiom("log-power", 1 / growth, -1)),
        (1, K.split_off(after)),
    )
    return K.at(K.induction(m, K.cert(statement(0)), found), n)


def conclude_short(K: Any) -> None:
    """The logarithm is at most its argument less one, and ln 2 is at least 1/11 + ... + 1/20."""
    K.know(K.given("short"))
    least, terms = Rational(0), []
    for m in range(10, 20):
        ratio = Rational(m, m + 1)
        least += 1 - ratio
        terms.append((1, K.axiom("log-below", ratio)))
        terms.append((1, K.axiom("log-product", ratio, Integer(m + 1))))
    double = K.axiom("log-product", Integer(2), Integer(10))
    two = K.cert(le(least, log(2)), *terms, (1, double))
    K.know(two)
    growth = K.axiom("log-below", OWN_GROWTH)
    floor_ = WIDTH - SHORT
    inverse = 1 / (log(2) * (WIDTH - n - A))
    K.conclude(
        "short",
        K.cert(
            le(OWN_LOST, SHORTLY),
            (n / log(2), growth),
            (24 / log(2), two),
            (SHORT * inverse, K.cert(le(n, SHORT), (1, K.given("short")), (1, A))),
            ((n + 24 * least) * inverse, K.given("short")),
            (inverse, 24 * least * floor_ - SHORT**2),
        ),
    )
