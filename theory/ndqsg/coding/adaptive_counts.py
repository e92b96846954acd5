r"""Counts of an adaptive model: what one symbol changes, for `ndqsg/adaptive-code-length`."""

from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, factorial, log, oo

from theory.formula import eq, le

A, n, a, b, i, W = (Symbol(name, real=True) for name in "AnabiW")
counts, sent = IndexedBase("c", real=True), IndexedBase("s", real=True)
chance, F, f, seen = (IndexedBase(name, real=True) for name in "pFfr")
last, below = IndexedBase("counts", real=True), IndexedBase("D", real=True)
whole = Symbol("L", real=True)
SYMBOLS, ALWAYS = (a, 0, A - 1), (n, 0, oo)


def each(term: Expr) -> Expr:
    """Return the sum over the symbols."""
    return Sum(term, SYMBOLS)


def know_signs(K: Any) -> None:
    """Make known what is positive at the places that are met."""
    K.know(K.given("sizes"), K.given("sizes", 1))
    least = K.cert(le(0, n + A - 1), (1, K.given("sizes", 1)), (1, n))
    K.know(least, K.every(least, ALWAYS))
    K.know(K.every(K.at(K.given("positive"), n + A - 1), ALWAYS))
    for place in range(3):
        K.know(K.at(K.given("message", place), n))
    for at in ((sent[n], n), (a, n), (a, 0), (a, n + 1)):
        K.know(*(K.at(K.given("counts", place), *at) for place in range(2)))
    for at in (n, n + 1, n + A, n + A - 1, A - 1, counts[n, sent[n]], counts[n, a], counts[n + 1, a]):
        K.know(K.at(K.given("positive"), at))
    for at in (n, n + 1):
        K.know(K.at(K.given("positive", 1), at))


def counted(K: Any, value: Any) -> Any:
    """Return the change of the sum of a function of the counts by one symbol."""
    place = sent[n]
    after, before = (each(value(counts[at, a])) for at in (n + 1, n))
    parts = [(1, K.split_off(after, place)), (-1, K.split_off(before, place))]

    def risen(at: Any, equation: Any) -> Any:
        term = value(counts[n + 1, at])
        return K.rewrite(K.identity(term, term), equation, side="right")

    for number, span in ((4, (a, 0, place - 1)), (5, (a, place + 1, A - 1))):
        same = risen(a, K.at(K.given("counts", number), n, a))
        parts.append((1, K.sum_over(same, span)))
    parts.append((1, risen(place, K.at(K.given("counts", 3), n))))
    return K.cert(eq(after - before, value(counts[n, place] + 1) - value(counts[n, place])), *parts)


def factor(K: Any, at: Any) -> Any:
    """Return the logarithm of the next factorial."""
    return K.cert(
        eq(log(F[at + 1]), log(at + 1) + log(F[at])),
        (1, logarithm(K, K.at(K.given("factorials", 1), at), F[at + 1])),
        (1, K.axiom("log-product", at + 1, F[at])),
    )


def multiplied(K: Any) -> Any:
    """Return the change of the sum of the logarithms of the factorials of the counts."""
    change = counted(K, lambda count: log(F[count]))
    after, before = (each(log(F[counts[at, a]])) for at in (n + 1, n))
    place = counts[n, sent[n]]
    return K.cert(eq(after - before, log(place + 1)), (1, change), (1, factor(K, place)))


def logarithm(K: Any, equation: Any, term: Any) -> Any:
    """Return the logarithm of both sides of an equation for a term."""
    return K.rewrite(K.identity(log(term), log(term)), equation, side="right")


def total_count(K: Any) -> Any:
    """Return that the counts sum to n."""

    def statement(at: Any) -> Any:
        return eq(each(counts[at, a]), at)

    none = K.sum_over(K.at(K.given("counts", 2), a), SYMBOLS)
    step = K.cert(statement(n + 1), (1, counted(K, lambda count: count)), (1, K.assume(statement(n))))
    return K.at(K.induction(n, K.cert(statement(0), (1, none)), step), n)


def none_counted(K: Any) -> Any:
    """Return that the logarithms of the factorials vanish before the first symbol."""
    count = log(F[counts[0, a]])
    found = K.rewrite(K.identity(count, count), K.at(K.given("counts", 2), a), side="right")
    return K.sum_over(
        K.cert(eq(count, 0), (1, found), (1, logarithm(K, K.given("factorials"), F[0]))), SYMBOLS
    )


def two_in_turns() -> dict[Any, Any]:
    """Two symbols that take turns."""
    far = 160
    order = [t % 2 for t in range(far)]
    tally = [((t + 1) // 2, t // 2) for t in range(far)]
    chances = [Integer(1)]
    for t in range(far - 1):
        chances.append(chances[-1] * Rational(tally[t][order[t]] + 1, t + 2))
    return {
        **{A: 2, n: 3, sent: order, counts: tally, chance: chances, W: 5},
        F: [factorial(t) for t in range(far + 2)],
        seen: [tally[t][order[t]] for t in range(far)],
    }
