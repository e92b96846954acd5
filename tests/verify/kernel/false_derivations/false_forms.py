"""False derivations: divisors and powers that an empty sum hides, and the form of the sum has outside of it.

All of them are right for n >= 1 and false for n = 0, where a sum of no terms is 0.
"""

from __future__ import annotations

from claims import concludes, families, proved, refused, said, symbols
from sympy import KroneckerDelta, Max, Rational, Sum, oo, sqrt

from theory.expectation import E
from theory.formula import IsInteger, eq, every, le, lt, ne

c, i, j, k, n, t, x = symbols("c i j k n t x")
a, b = families("a b")
HIDDEN = "rests on what is not stated: n != 0"
N = (IsInteger(n), le(0, n))
NODES = (i, 0, n - 1)
PAIRS = ((j, 0, n - 1), NODES)
SQUARE = (i + 1) ** 2 - i**2 - 2 * i - 1
"""Always 0: with it a divisor is asked of each index."""
APART = every(ne(a[i] - a[j] + n, 0), *PAIRS)


def _share(factor):
    """Return a sum that is 1 for n >= 1 where the factor is 0."""
    return Sum(1 / (n + a[i] * factor), NODES)


def _apart(factor, *ranges):
    return every(lt(0, n + a[i] * factor), NODES, *ranges)


def _one(left, **hypotheses):
    concludes(eq(left, 1), lambda K: K.identity(left, 1), n=N, **hypotheses)


@refused("rests on what is not stated: n^2 != 0")
def divisor_hidden_in_a_root():
    _one(Sum(sqrt(1 / (n**2 + SQUARE)), NODES) ** 2, a=every(lt(0, n**2 + SQUARE), NODES))


@refused("rests on what is not stated: n^4 != 0")
def divisor_hidden_in_a_root_of_a_root():
    _one(Sum(sqrt(sqrt(1 / (n**4 + SQUARE))), NODES) ** 4, a=every(lt(0, n**4 + SQUARE), NODES))


@refused("rests on what is not stated: n^4 != 0")
def divisor_hidden_in_a_root_in_a_root():
    total = Sum(sqrt(1 + sqrt(1 / (n**4 + SQUARE))), NODES)
    _one((total**2 - n**2) ** 2, a=every(lt(0, n**4 + SQUARE), NODES))


@refused(HIDDEN)
def divisor_hidden_in_roots_of_pairs():
    """The two roots are one where i = j, and their square divides by n."""
    one, two = a[i] * b[j] / (n + SQUARE), a[j] * b[j] / (n + SQUARE)
    total = Sum(Sum(KroneckerDelta(i, j) * sqrt(one) * sqrt(two) / (a[i] * b[j]), PAIRS[0]), NODES)
    positive = (every(lt(0, a[i]), NODES), every(lt(0, b[i]), NODES))
    roots = (every(le(0, one), *PAIRS), every(le(0, two), *PAIRS))
    _one(total, positive=positive, roots=roots, apart=every(ne(n + SQUARE, 0), NODES))


def _one_term(body, right, **hypotheses):
    """Conclude that a sum over m = 1 terms inside of a sum over n is the right side."""
    goal = eq(Sum(Sum(body, (j, 0, x - 1)), NODES) ** 2, right)
    number = (eq(x, 1), IsInteger(x))
    concludes(goal, lambda K: K.cert(goal, using=[K.given("x")]), n=N, x=number, **hypotheses)


@refused("rests on what is not stated: n^2 != 0")
def divisor_hidden_in_a_root_until_terms_are_counted():
    base = a[j] / (n**2 + SQUARE)
    roots = (every(lt(0, n**2 + SQUARE), NODES), every(le(0, base), (j, 0, x - 1), NODES))
    _one_term(sqrt(base), a[0], roots=roots, a=le(0, a[0]))


@refused("n > 0 or -1 + #1.0 is a natural number")
def power_hidden_until_terms_are_counted():
    _one_term((n + SQUARE) ** (j - 1), 1, n_=every(lt(0, n + SQUARE), NODES))


@refused(HIDDEN)
def divisor_hidden_in_a_maximum_of_equals():
    one, two = x / (n + SQUARE), t / (n + SQUARE)
    goal = eq(Sum(Max(one, two), NODES), x)
    apart = every(ne(n + SQUARE, 0), NODES)
    concludes(goal, lambda K: K.cert(goal, using=[K.given("t")]), n=N, t=eq(t, x), apart=apart)


def _power(left, right):
    concludes(
        eq(left, right), lambda K: K.cert(eq(left, right), using=[K.given("k")]), n=N, k=eq(k, Rational(-1))
    )


@refused("rests on what is not stated: n > 0 or k is a natural number")
def power_hidden_by_an_empty_sum():
    _power(Sum((n + SQUARE) ** k, NODES), 1)


@refused("rests on what is not stated: n > 0 or k is a natural number")
def power_hidden_in_a_root():
    _power(Sum(sqrt((n + SQUARE) ** k), NODES) ** 2, n)


@refused("the sides differ by")
def divisor_hidden_on_a_diagonal():
    _one(Sum(Sum(KroneckerDelta(i, j) / (a[i] - a[j] + n), PAIRS[0]), NODES), apart=APART)


@refused("the sides differ by")
def divisor_hidden_in_roots_on_a_diagonal():
    above, below = 1 / (n**2 + i - j), 1 / (n**2 + j - i)
    total = Sum(Sum(KroneckerDelta(i, j) * sqrt(above) * sqrt(below), PAIRS[0]), NODES)
    _one(
        n * total,
        above=(every(ne(1 / above, 0), *PAIRS), every(le(0, above), *PAIRS)),
        below=(every(ne(1 / below, 0), *PAIRS), every(le(0, below), *PAIRS)),
    )


@refused("the certificate leaves")
def power_hidden_on_a_diagonal():
    _power(Sum(Sum(KroneckerDelta(i, j) * (n + i - j) ** k, PAIRS[0]), NODES), 1)


@refused("the sides differ by")
def divisor_hidden_on_the_diagonal_of_a_second_moment():
    total = Sum(Sum(b[i] * b[j] / (a[i] - a[j] + n), PAIRS[0]), NODES)
    _one(E(total, b, NODES, mean=0, variance=1), apart=APART)


@refused("rests on what is not stated: 0 <= -1 + n")
def moment_hidden_at_a_place():
    place = SQUARE.subs(i, j)
    _one(
        E(Sum(b[place], (j, 0, x - 1)), b, NODES, mean=1 / (i + x), variance=1),
        x=(IsInteger(x), le(0, x)),
        apart=every(ne(i + x, 0), NODES),
        place=every(le(place, n - 1), (j, 0, x - 1)),
    )


@refused(HIDDEN)
def divisor_hidden_in_a_mean_at_a_place():
    share = _share(t)
    _one(E(b[0], b, (t, 0, 5), mean=share, variance=1), apart=_apart(t, (t, 0, 5)))


@refused(HIDDEN)
def divisor_hidden_in_a_sum_that_is_written_out():
    two, one = Sum(_share(t), (t, 0, 1)), 1 + _share(1)
    concludes(eq(two, one), lambda K: K.identity(two, one), n=N, a=_apart(t, (t, 0, 1)), first=_apart(1))


@refused(HIDDEN)
def divisor_hidden_by_an_equation():
    goal = eq(_share(x), 1)
    concludes(goal, lambda K: K.cert(goal, using=[K.given("x")]), n=N, x=eq(x, 0), a=_apart(x))


@refused("does not follow by sign")
def divisor_hidden_at_an_entry():
    far = (t, 0, 5)
    concludes(
        le(1, b[0]),
        lambda K: K.sign(le(1, b[0])),
        n=N,
        below=every(le(_share(t), b[t]), far),
        a=_apart(t, far),
    )


@refused("does not follow by sign")
def divisor_hidden_in_a_range_at_an_entry():
    outer = (t, 0, 4)
    concludes(
        le(1, b[3, 0]),
        lambda K: K.sign(le(1, b[3, 0])),
        n=N,
        whole=every(IsInteger(3 * _share(t)), outer),
        above=every(le(1, b[j, t]), (j, 0, 3 * _share(t)), outer),
        a=_apart(t, outer),
    )


@refused(HIDDEN)
def divisor_hidden_in_the_base_of_an_induction():
    def bound(place):
        return le(1, _share(place) + place**2)

    def derive(K):
        K.index((k, 0, oo))
        base = K.cert(le(1, 1))
        step = K.cert(bound(k + 1), (1, _share(k + 1)), (1, k), (1, k * (k + 1)))
        K.conclude("main", K.induction(k, base, step))

    positive = every(le(0, a[i]), NODES)
    relation = said(1, "<=", _share(k) + k**2, (k, 0, oo))
    proved(relation, derive, n=N, a=_apart(k, (k, 0, oo)), positive=positive)


@refused(HIDDEN)
def divisor_hidden_in_what_is_stated():
    total = Sum((b[i] + 1) / (n * b[i] + n), NODES)
    concludes(
        le(1, c), lambda K: K.assume(le(1, c)), n=N, b=every(lt(0, n * b[i] + n), NODES), c=le(total, c)
    )
