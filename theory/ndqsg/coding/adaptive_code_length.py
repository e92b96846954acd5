r"""`ndqsg/adaptive-code-length`: ideal length of the adaptive code of the indices (arXiv 1904.01197)."""

from typing import Any

from sympy import (
    Eq,
    Expr,
    IndexedBase,
    Integer,
    Max,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    factorial,
    log,
    oo,
)

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import IsInteger, eq, every, le, lt
from theory.ndqsg.paper import PAPER

A, n, a, i, j = (Symbol(name, real=True) for name in ("A", "n", "a", "i", "j"))
counts, sent = IndexedBase("c", real=True), IndexedBase("s", real=True)
chance = IndexedBase("p", real=True)
# (m + A - 1)!/(A - 1)!, factorials and m ln m of the counts, and the count of the next symbol.
G, F, f, seen = (IndexedBase(name, real=True) for name in ("G", "F", "f", "r"))
last = IndexedBase("counts", real=True)
whole = Symbol("L", real=True)
SYMBOLS, ALWAYS = (a, 0, A - 1), (n, 0, oo)
_NEXT = (counts[n, a] + 1) / (n + A)
_EXCESS = log(G[n]) - log(F[n])


def _each(term: Expr) -> Expr:
    return Sum(term, SYMBOLS)


_ENTROPY = n * log(Max(n, 1)) - _each(counts[n, a] * log(Max(counts[n, a], 1)))
_LENGTH = log(G[n]) - _each(log(f[n, a]))
_EXACT = (log(factorial(n + A - 1)) - log(factorial(A - 1)) - _each(log(factorial(last[a])))) / log(2)
_CHANCE = factorial(A - 1) * Product(factorial(last[a]), SYMBOLS) / factorial(n + A - 1)
_EMPIRICAL = (n * log(n) - _each(Piecewise((0, Eq(last[a], 0)), (last[a] * log(last[a]), True)))) / log(2)

CLAIM = Claim(
    id="ndqsg/adaptive-code-length",
    kind="identity",
    provenance="derived",
    title="Ideal length of the adaptive code, within the number of types of the entropy",
    position=16,
    paper=PAPER,
    setting=(
        r"An adaptive model starts with the counts $c_{0a}=0$ of $A$ symbols; $s_n$ is the symbol that "
        r"follows the first $n$ ones and raises its count by 1. The first $n$ symbols have the probability "
        r"$p_n$ in the model; minus its binary logarithm is their ideal length. $r_n$ is the count of the "
        r"next "
        r"symbol, $f_{na}$ the factorial of $c_{na}$, $F_n$ that of $n$; $G_n$ is the product of the $n$ "
        r"integers "
        r"from $A$ on. $\hat H$ is the empirical entropy."
    ),
    parts=(
        Part(
            "a",
            r"They are the probabilities of one symbol: $$\sum_a\frac{c_{na}+1}{n+A}=1.$$",
            says=("normalised",),
            evidence=("proof",),
        ),
        Part(
            "b",
            r"With $p_0=1$ and $p_{n+1}=p_n\frac{r_n+1}{n+A}$, for every order of the symbols, "
            r"$$-\ln p_n=\ln G_n-\sum_a\ln f_{na}.$$",
            says=("length",),
            evidence=("proof", "exact/probability of a message"),
            pins={"for every order of the symbols": "proof"},
        ),
        Part(
            "c",
            r"So a message of $n$ symbols with the counts $k_a$ has the ideal length "
            r"$$L=\frac{\ln((n+A-1)!)-\ln((A-1)!)-\sum_a\ln(k_a!)}{\ln2}.$$",
            says=("factorials",),
            evidence=("exact/length", "exact/ideal bits"),
        ),
        Part(
            "d",
            r"It exceeds $n\hat H$, in nats the first two terms, by at most the logarithm of the number of "
            r"types, which is "
            r"$\binom{n+A-1}{A-1}=G_n/F_n$: $$-\ln p_n\le n\ln\max\{n,1\}-\sum_ac_{na}\ln\max\{c_{na},1\}"
            r"+\ln G_n-\ln F_n.$$",
            says=("at-most",),
            evidence=(
                "proof",
                "exact/entropy and number of types",
                "exact/entropy and excess",
                "adversarial/upper",
            ),
            pins={
                r"the logarithm of the number of types, which is $\binom{n+A-1}{A-1}=G_n/F_n$": (
                    "exact/entropy and number of types"
                )
            },
        ),
        Part(
            "e",
            r"It is at least $n\hat H$ for all counts of up to 12 symbols of an alphabet of up to 4, and for "
            "those that a search tries beyond.",
            evidence=("exact/entropy", "exact/entropy in bits", "adversarial/lower"),
            pins={
                r"It is at least $n\hat H$ for all counts of up to 12 symbols": "exact/entropy",
                "of an alphabet of up to 4": "exact/entropy",
                "those that a search tries beyond": "adversarial/lower",
            },
        ),
        Part(
            "f",
            r"All messages of up to 5 symbols of an alphabet of 2 or 3 come back from the adaptive coder in "
            "registers of 32 bits, and so do recorded messages; for its length see `ndqsg/coded-size`.",
            evidence=(
                "exact/wrong digits",
                "exact/wrong digits of the decoder",
                "run/wrong digits",
                "run/wrong digits of the decoder",
            ),
            pins={
                "All messages of up to 5 symbols of an alphabet of 2 or 3 come back": "exact/wrong digits",
                "registers of 32 bits": "exact/wrong digits of the decoder",
                "so do recorded messages": "run/wrong digits",
            },
        ),
    ),
    variables=(
        Variable(A, "A", r"\mathbb N", "size of the alphabet"),
        Variable(n, "n", r"\mathbb N", "symbols sent so far, or length of the message"),
        Variable(counts, "c", r"\mathbb N", "counts after so many symbols", "(oo, A)", first=0),
        Variable(last, "k", r"\mathbb N", "counts of a whole message", "(A,)", first=0),
        Variable(sent, "s", r"\mathbb N", "symbols in the order in which they are sent", "(oo,)", first=0),
        Variable(chance, "p", "(0,1]", "probability of the first symbols in the model", "(oo,)", first=0),
        Variable(whole, "L", r"\mathbb R_{\ge0}", "ideal length of the message in bits"),
        Variable(seen, "r", r"\mathbb N", "count of the next symbol", "(oo,)", first=0),
        Variable(f, "f", r"\mathbb N", "factorials of the counts", "(oo, A)", first=0),
        Variable(F, "F", r"\mathbb N", "factorials", "(oo,)", first=0),
        Variable(G, "G", r"\mathbb N", "quotients of factorials", "(oo,)", first=0),
    ),
    notation={r"\hat H": "empirical entropy", r"n\hat H": "its sum over the message"},
    ranges={"a": (0, A - 1)},
    hypotheses={
        "sizes": Hypothesis(
            "domain", (IsInteger(A), le(1, A), IsInteger(n), le(0, n)), r"$A\ge1$ and $n\ge0$ are integers"
        ),
        "message": Hypothesis(
            "domain",
            (
                every(IsInteger(sent[n]), ALWAYS),
                every(le(0, sent[n]), ALWAYS),
                every(le(sent[n], A - 1), ALWAYS),
            ),
            r"symbols are the integers from 0 to $A-1$",
        ),
        "counts": Hypothesis(
            "definition",
            (
                every(IsInteger(counts[n, a]), SYMBOLS, ALWAYS),
                every(le(0, counts[n, a]), SYMBOLS, ALWAYS),
                every(eq(counts[0, a], 0), SYMBOLS),
                every(eq(counts[n + 1, sent[n]], counts[n, sent[n]] + 1), ALWAYS),
                every(eq(counts[n + 1, a], counts[n, a]), (a, 0, sent[n] - 1), ALWAYS),
                every(eq(counts[n + 1, a], counts[n, a]), (a, sent[n] + 1, A - 1), ALWAYS),
            ),
            "counts start at 0, and each symbol raises its own by 1",
        ),
        "next": Hypothesis(
            "definition",
            every(eq(seen[n], counts[n, sent[n]]), ALWAYS),
            "$r_n$ is the count of the next symbol",
        ),
        "chance": Hypothesis(
            "definition",
            (
                eq(chance[0], 1),
                every(eq(chance[n + 1], chance[n] * (seen[n] + 1) / (n + A)), ALWAYS),
            ),
            r"$p_0=1$, $p_{n+1}=p_n\frac{r_n+1}{n+A}$",
        ),
        "factorials": Hypothesis(
            "definition",
            (
                every(eq(f[0, a], 1), SYMBOLS),
                every(eq(f[n + 1, sent[n]], (seen[n] + 1) * f[n, sent[n]]), ALWAYS),
                every(eq(f[n + 1, a], f[n, a]), (a, 0, sent[n] - 1), ALWAYS),
                every(eq(f[n + 1, a], f[n, a]), (a, sent[n] + 1, A - 1), ALWAYS),
                eq(F[0], 1),
                every(eq(F[n + 1], (n + 1) * F[n]), ALWAYS),
                eq(G[0], 1),
                every(eq(G[n + 1], (n + A) * G[n]), ALWAYS),
            ),
            "factorials start at 1 and are multiplied by the next integer",
        ),
        "positive": Hypothesis(
            "domain",
            (
                every(lt(0, f[n, a]), SYMBOLS, ALWAYS),
                every(lt(0, F[n]), ALWAYS),
                every(lt(0, G[n]), ALWAYS),
                every(lt(0, chance[n]), ALWAYS),
            ),
            "factorials and probabilities are positive",
        ),
    },
    relations={
        "normalised": Relation((_each(_NEXT), 1), ("=",)),
        "length": Relation((-log(chance[n]), _LENGTH), ("=",)),
        "factorials": Relation((whole, _EXACT), ("=",)),
        "at-most": Relation((-log(chance[n]), _ENTROPY + _EXCESS), ("<=",)),
    },
    formulas={
        "exact": _EXACT,
        "probability": _CHANCE,
        "empirical": _EMPIRICAL,
        "excess": (log(factorial(n + A - 1)) - log(factorial(A - 1)) - log(factorial(n))) / log(2),
    },
    internal={
        "probability": r"$2^{-L}$ of part (c)",
        "empirical": r"$n\hat H$ of the setting in bits",
        "excess": "the excess of part (d) in bits",
    },
    worst_cases=(
        WorstCase("three symbols, skewed", {"counts": (10, 20, 70), "n": 100, "A": 3}),
        WorstCase("four symbols", {"counts": (1, 2, 3, 4), "n": 10, "A": 4}),
        WorstCase(
            "a single symbol occurs: entropy 0, all is excess", {"counts": (0, 0, 1000), "n": 1000, "A": 3}
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations by induction over the message."""
    K.index(SYMBOLS, ALWAYS)
    K.example(_example())
    _signs(K)
    total = _total(K)
    K.conclude("normalised", K.cert(eq(_each(_NEXT), 1), (1 / (n + A), total)))
    length = _length(K)
    K.conclude("length", length)
    _most(K, length, total)


def _signs(K: Any) -> None:
    """Make known what is positive at the places that are met."""
    K.know(K.given("sizes"), K.given("sizes", 1))
    for place in range(3):
        K.know(K.at(K.given("message", place), n))
    for at in ((n, sent[n]), (n, a), (0, a), (n + 1, a)):
        K.know(*(K.at(K.given("counts", place), *at) for place in range(2)))
    for at in ((n, sent[n]), (n, a), (0, a), (n + 1, a), (n + 1, sent[n])):
        K.know(K.at(K.given("positive"), *at))
    for place in range(1, 4):
        for at in (n, n + 1):
            K.know(K.at(K.given("positive", place), at))


def _raised(K: Any, family: Any, name: str, first: int, risen: Any, own: Any, value: Any) -> Any:
    """Return the change of the sum of a function of a family by one symbol, whose entry becomes `risen`."""
    place = sent[n]
    after, before = (_each(value(family[at, a])) for at in (n + 1, n))
    parts = [(1, K.split_off(after, place)), (-1, K.split_off(before, place))]
    for number, span in ((first, (a, 0, place - 1)), (first + 1, (a, place + 1, A - 1))):
        term = value(family[n + 1, a])
        same = K.rewrite(K.identity(term, term), K.at(K.given(name, number), n, a), side="right")
        parts.append((1, K.sum_over(same, span)))
    term = value(family[n + 1, place])
    rises = K.rewrite(K.identity(term, term), own, side="right")
    return K.cert(eq(after - before, value(risen) - value(family[n, place])), *parts, (1, rises))


def _counted(K: Any, value: Any) -> Any:
    risen = counts[n, sent[n]] + 1
    return _raised(K, counts, "counts", 4, risen, K.at(K.given("counts", 3), n), value)


def _multiplied(K: Any) -> Any:
    """Return the change of the sum of the logarithms of the factorials of the counts."""
    place, next_one = f[n, sent[n]], counts[n, sent[n]] + 1
    own = K.rewrite(K.at(K.given("factorials", 1), n), K.at(K.given("next"), n), side="right")
    raised = _raised(K, f, "factorials", 2, next_one * place, own, log)
    after, before = (_each(log(f[at, a])) for at in (n + 1, n))
    return K.cert(
        eq(after - before, log(next_one)), (1, raised), (1, K.axiom("log-product", next_one, place))
    )


def _logarithm(K: Any, equation: Any, term: Any) -> Any:
    """Return the logarithm of both sides of an equation for a term."""
    return K.rewrite(K.identity(log(term), log(term)), equation, side="right")


def _factor(K: Any, family: Any, number: int, factor: Any) -> Any:
    """Return the logarithm of the next factorial."""
    equation = K.at(K.given("factorials", number), n)
    return K.cert(
        eq(log(family[n + 1]), log(factor) + log(family[n])),
        (1, _logarithm(K, equation, family[n + 1])),
        (1, K.axiom("log-product", factor, family[n])),
    )


def _total(K: Any) -> Any:
    """Return that the counts sum to n."""

    def statement(at: Any) -> Any:
        return eq(_each(counts[at, a]), at)

    none = K.sum_over(K.at(K.given("counts", 2), a), SYMBOLS)
    step = K.cert(statement(n + 1), (1, _counted(K, lambda count: count)), (1, K.assume(statement(n))))
    return K.at(K.induction(n, K.cert(statement(0), (1, none)), step), n)


def _none(K: Any) -> Any:
    """Return that the logarithms of the factorials vanish before the first symbol."""
    return K.sum_over(_logarithm(K, K.at(K.given("factorials"), a), f[0, a]), SYMBOLS)


def _length(K: Any) -> Any:
    """Return part (b): the factor of each symbol is one of a factorial."""

    def statement(at: Any) -> Any:
        return eq(-log(chance[at]), _LENGTH.subs(n, at))

    next_one, total = counts[n, sent[n]] + 1, n + A
    equation = K.rewrite(K.at(K.given("chance", 1), n), K.at(K.given("next"), n), side="right")
    step = K.cert(
        statement(n + 1),
        (1, K.assume(statement(n))),
        (-1, _logarithm(K, equation, chance[n + 1])),
        (-1, K.axiom("log-product", chance[n], next_one / total)),
        (-1, K.axiom("log-product", next_one, 1 / total)),
        (-1, K.axiom("log-power", total, -1)),
        (-1, _factor(K, G, 7, n + A)),
        (1, _multiplied(K)),
    )
    none = K.cert(
        statement(0),
        (-1, _logarithm(K, K.given("chance"), chance[0])),
        (-1, _logarithm(K, K.given("factorials", 6), G[0])),
        (1, _none(K)),
    )
    return K.at(K.induction(n, none, step), n)


def _quotient(K: Any, top: Any, bottom: Any) -> Any:
    """Return the logarithm of a quotient."""
    return K.cert(
        eq(log(top / bottom), log(top) - log(bottom)),
        (1, K.axiom("log-product", top, 1 / bottom)),
        (1, K.axiom("log-power", bottom, -1)),
    )


def _above_one(K: Any, number: Any) -> Any:
    """Return that the logarithm of max(number, 1) is that of a number of at least 1."""
    K.know(K.sign(le(1, number)))
    least = K.axiom("max-is-right", 1, number)
    return _logarithm(K, least, Max(1, number))


def _gain(at: Any) -> Any:
    """What m ln m gains beyond the logarithm of m! at the next place: it grows."""
    return at * (log(at + 1) - log(Max(at, 1)))


def _grows(K: Any) -> Any:
    """Return that the gain grows: logarithms are concave."""
    first = K.cert(le(_gain(Integer(0)), _gain(Integer(1))), (1, K.log(K.sign(lt(1, 2)))))
    # m + 1 times (m + 2)/(m + 1) and once 1 have the mean (m + 3)/(m + 2).
    one, two, three = i + 1, i + 2, i + 3
    ratio, other = two / one, two / three
    rises = K.cert(
        le(_gain(one), _gain(two)),
        (one, K.axiom("log-below", ratio * other)),
        (1, K.axiom("log-below", other)),
        (-one, K.axiom("log-product", ratio, other)),
        (-one, _quotient(K, two, one)),
        (-two, _quotient(K, two, three)),
        (-one, _above_one(K, one)),
        (two, _above_one(K, two)),
    )
    grows = K.induction(i, first, rises)
    step = K.cert(
        le(_gain(j), _gain(j + i + 1)), (1, K.assume(le(_gain(j), _gain(j + i)))), (1, K.at(grows, j + i))
    )
    return K.every(K.induction(i, K.cert(le(_gain(j), _gain(j))), step), (j, 0, oo))


def _most(K: Any, length: Any, total: Any) -> None:
    """Conclude part (d): each symbol adds what grows from its count, which is at most n, to n."""
    K.index((i, 0, oo), (j, 0, oo))
    grows, place = _grows(K), counts[n, sent[n]]
    spans = (a, 0, sent[n] - 1), (a, sent[n] + 1, A - 1)
    K.know(K.given("counts", 1))
    others = [Sum(counts[n, a], span) for span in spans]
    split = K.split_off(_each(counts[n, a]), sent[n])
    K.know(K.cert(le(place, n), (1, total), (-1, split), *((1, item) for item in others)))

    def value(count: Any) -> Any:
        return count * log(Max(count, 1))

    def statement(at: Any) -> Any:
        return le(_each(value(counts[at, a])) - _each(log(f[at, a])), value(at) - log(F[at]))

    empty = value(counts[0, a])
    zero = K.rewrite(K.identity(empty, empty), K.at(K.given("counts", 2), a), side="right")
    none = K.cert(
        statement(Integer(0)),
        (1, K.sum_over(zero, SYMBOLS)),
        (-1, _none(K)),
        (1, _logarithm(K, K.given("factorials", 4), F[0])),
    )
    step = K.cert(
        statement(n + 1),
        (1, K.assume(statement(n))),
        (1, _counted(K, value)),
        (-1, _multiplied(K)),
        (1, K.at(grows, place, n - place)),
        (1, _factor(K, F, 5, n + 1)),
        (place + 1, _above_one(K, place + 1)),
        (-n - 1, _above_one(K, n + 1)),
    )
    entropy = K.at(K.induction(n, none, step), n)
    K.conclude("at-most", K.cert(le(-log(chance[n]), _ENTROPY + _EXCESS), (1, length), (1, entropy)))


def _example() -> dict[Any, Any]:
    """Two symbols that take turns."""
    far = 160
    order = [t % 2 for t in range(far)]
    tally = [((t + 1) // 2, t // 2) for t in range(far)]
    chances, powers = [Integer(1)], [Integer(1)]
    for t in range(far - 1):
        chances.append(chances[-1] * Rational(tally[t][order[t]] + 1, t + 2))
        powers.append(powers[-1] * (t + 2))
    return {
        **{A: 2, n: 3, sent: order, counts: tally, chance: chances, G: powers},
        F: [factorial(t) for t in range(far)],
        seen: [tally[t][order[t]] for t in range(far)],
        f: [[factorial(count) for count in pair] for pair in tally],
    }
