"""Codes of symbols and messages beside their entropy, for `ndqsg/coded-size`."""

from typing import Any

from sympy import IndexedBase, Max, Sum, Symbol, floor, log, symbols

from theory.claim import Variable
from theory.facts.logarithms.number_of_types import weight
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, domain, model

n, A, j, h, raw, elias, digits, a = symbols("n A j h raw elias k a", real=True)
lam, q, counts = symbols("lam q c", cls=IndexedBase, real=True)
LETTERS = (a, 0, A - 1)
COUNT, SHARE = Symbol("count", real=True), Symbol("share", real=True)
PER_WORD = floor(64 * log(2) / log(A))
ELIAS = 2 * floor(log(j + 1) / log(2)) + 2

CODE_HYPOTHESES = {
    "kraft": model(
        r"the code is uniquely decodable: $\sum_a2^{-\lambda_a}\le1$",
        reference="B. McMillan, Two inequalities implied by unique decipherability, "
        "IRE Trans. Inf. Theory 2, 1956",
    ),
    "source": domain(r"$q_a>0$, $\sum_aq_a=1$"),
    "counts": domain(r"$c_a\ge0$ are integers, $\sum_ac_a=n$"),
    "raw": definition(
        r"$A\ge2$, $h=\Big\lfloor\frac{64\ln2}{\ln A}\Big\rfloor$, $h\ge1$, "
        r"$\ell_{64}=64\Big\lceil\frac nh\Big\rceil$"
    ),
    "elias": definition(r"$k$ is an integer, $(k-1)\ln2\le\ln(j+1)<k\ln2$, $j+1>0$, $\ell_E=(k-1)+k+1$"),
}

CODE_VARIABLES = (
    Variable(lam, r"\lambda", r"\mathbb N", "bits of a word of a code", "(A,)", first=0),
    Variable(q, "q", "(0,1]", "probabilities of the words", "(A,)", first=0),
    Variable(counts, "c", r"\mathbb N", "counts of the symbols of a message", "(A,)", first=0),
    Variable(digits, "k", r"\mathbb N", "binary digits"),
)


def conclude_codes(K: Any) -> None:
    """Conclude parts (a) to (d); that ln 2 > 0 must be known."""
    K.index(LETTERS)
    K.know(K.given("source"), K.given("counts"), K.given("counts", 1))
    kraft, unit = K.given("kraft"), 1 / log(2)
    shown = 2 ** -lam[a]
    length = K.axiom("log-power", 2, -lam[a])
    each = K.cert(
        le(-q[a] * log(q[a]) - q[a] * lam[a] * log(2), shown - q[a]),
        (q[a], K.axiom("log-below", shown / q[a])),
        (-q[a], K.axiom("log-product", shown, 1 / q[a])),
        (-q[a], K.axiom("log-power", q[a], -1)),
        (-q[a], length),
    )
    source = K.cert(
        le(-Sum(q[a] * log(q[a]), LETTERS) / log(2), Sum(q[a] * lam[a], LETTERS)),
        (unit, K.sum_over(each, LETTERS)),
        (unit, kraft),
        (-unit, K.given("source", 1)),
    )
    K.conclude("source", source)
    _message(K, kraft, shown, length)
    _raw(K)
    _elias(K)


def _message(K: Any, kraft: Any, shown: Any, length: Any) -> None:
    """Conclude part (b)."""
    count, unit = counts[a], 1 / log(2)
    each = K.instantiate(symbol_cost(K), {COUNT: count, SHARE: shown})
    each = K.cert(
        le(count * log(n) - weight(count) - count * lam[a] * log(2), n * shown - count),
        (1, each),
        (-count, length),
    )
    K.conclude(
        "message-entropy",
        K.cert(
            le((n * log(n) - Sum(weight(count), LETTERS)) / log(2), Sum(count * lam[a], LETTERS)),
            (unit, K.sum_over(each, LETTERS)),
            (unit * n, kraft),
            (-unit * (log(n) + 1), K.given("counts", 2)),
        ),
    )


def symbol_cost(K: Any) -> Any:
    r"""Return $c\ln n-c\ln c+c\ln y\le ny-c$ for an integer `COUNT` $c\ge0$ and `SHARE` $y>0$."""
    c, larger = COUNT, Symbol("larger", real=True)
    # Known of fresh names only, so that nothing else rests on it.
    K.know(K.assume(IsInteger(c)), K.assume(le(0, c)), K.assume(lt(0, SHARE)), K.assume(le(1, larger)))

    def goal(at: Any) -> Any:
        return le(at * log(n) - weight(at) + at * log(SHARE), n * SHARE - at)

    zero = K.cert(eq(c, 0), (1, K.axiom("max-is-right", c, 0)), (-1, K.axiom("max-is-right", 0, c)))
    none = K.cert(goal(c), (1 + log(n) - log(Max(c, 1)) + log(SHARE), zero), (n, SHARE))
    most = log(Max(larger, 1))
    some = K.cert(
        goal(larger),
        (-larger, K.rewrite(K.identity(most, most), K.axiom("max-is-right", 1, larger), side="right")),
        (larger, K.axiom("log-below", n * SHARE / larger)),
        (-larger, K.axiom("log-product", n * SHARE, 1 / larger)),
        (-larger, K.axiom("log-product", n, SHARE)),
        (-larger, K.axiom("log-power", larger, -1)),
    )
    return K.cases(c, none, K.discharge(K.instantiate(some, {larger: c}), K.axiom("integer-gap", 0, c)))


def _raw(K: Any) -> None:
    """Conclude part (c): both are roundings."""
    K.know(K.given("raw", 2))
    K.know(K.log(K.cert(lt(1, A), (1, K.given("raw")))))
    whole, words = K.given("raw", 1), K.given("raw", 3)
    below = K.axiom("floor-below", 64 * log(2) / log(A))
    K.conclude("hold", K.cert(le(h * log(A), 64 * log(2)), (log(A), below), (log(A), whole)))
    K.conclude("enough", K.cert(le(n, h * raw / 64), (h, K.axiom("floor-below", -n / h)), (-h / 64, words)))


def _elias(K: Any) -> None:
    """Conclude part (d): the digits are one more than the logarithm, rounded down."""
    level = log(j + 1) / log(2)
    K.know(K.given("elias"))
    found = K.discharge(
        K.axiom("floor-unique", level, digits - 1),
        K.cert(le(digits - 1, level), (1 / log(2), K.given("elias", 1))),
        K.cert(lt(level, digits), (1 / log(2), K.given("elias", 2))),
    )
    K.conclude("elias", K.cert(eq(elias, ELIAS), (1, K.given("elias", 4)), (-2, found)))
