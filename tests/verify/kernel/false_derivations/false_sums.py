"""False derivations: sums, indices, delta, substitution, induction."""

from __future__ import annotations

from claims import concludes, families, proved, refused, said, symbols
from sympy import Integer, KroneckerDelta, Max, Rational, Sum

from theory.expectation import E
from theory.formula import IsInteger, eq, every, le, lt, ne
from verify.kernel.kernel import Kernel

x, y, c, q, n, d, m, k, i, j, l, s, t = symbols("x y c q n d m k i j l s t")
a, b, v, r = families("a b v r")
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)
SIZES = {"n": (IsInteger(n), le(1, n)), "d": (IsInteger(d), le(1, d))}


def _total(body, *ranges):
    return Sum(body, *(ranges or (NODES,)))


def _identity(left, right, **hypotheses):
    concludes(eq(left, right), lambda K: K.identity(left, right), **(SIZES | hypotheses))


@refused("the sides differ by")
def wrong_constant_in_a_sum():
    _identity(_total(2 * a[i] + 1), 2 * _total(a[i]) + 1)


@refused("the certificate leaves")
def wrong_constant_in_a_summed_inequality():
    def derive(K):
        K.index(NODES)
        young = K.sum_over(
            K.cert(le((a[i] + b[i]) ** 2, 2 * a[i] ** 2 + 2 * b[i] ** 2), (1, (a[i] - b[i]) ** 2)), NODES
        )
        return K.cert(le(_total((a[i] + b[i]) ** 2), _total(a[i] ** 2 + 2 * b[i] ** 2)), (1, young))

    concludes(le(_total((a[i] + b[i]) ** 2), _total(a[i] ** 2 + 2 * b[i] ** 2)), derive, **SIZES)


@refused("the sides differ by")
def product_of_sums_is_sum_of_products():
    _identity(_total(a[i]) * _total(b[i]), _total(a[i] * b[i]))


@refused("the sides differ by")
def square_of_a_sum_is_the_sum_of_squares():
    _identity(_total(a[i]) ** 2, _total(a[i] ** 2))


@refused("the sides differ by")
def n_squared_pairs_off_the_diagonal():
    pairs = Sum(1 - KroneckerDelta(i, j), NODES, (j, 0, n - 1))
    _identity(pairs, n**2)


@refused("the sides differ by")
def capture_by_instantiation():
    def derive(K):
        pulled = K.identity(_total(c * a[i]), c * _total(a[i]))
        here = K.instantiate(pulled, {c: a[i]})
        return K.rewrite(here, K.identity(_total(a[i] ** 2), a[i] * _total(a[i])))

    concludes(eq(_total(a[i] ** 2), a[i] * _total(a[i])), derive, **SIZES)


@refused("is not the stated")
def capture_by_instantiation_of_a_name():
    def derive(K):
        return K.instantiate(K.identity(_total(c * a[i]), c * _total(a[i])), {c: a[i]})

    concludes(eq(_total(a[i] ** 2), a[i] * _total(a[i])), derive, **SIZES)


@refused("is not the stated")
def capture_by_instantiation_of_a_family():
    def derive(K):
        pulled = K.identity(_total(a[0] * b[i]), a[0] * _total(b[i]))
        return K.instantiate(pulled, {a: lambda _: b[i]})

    concludes(eq(_total(b[i] ** 2), b[i] * _total(b[i])), derive, **SIZES)


@refused("does not stand in")
def rewriting_under_a_binder():
    def derive(K):
        return K.rewrite(K.identity(_total(a[i] ** 2), _total(a[i] ** 2)), K.given("here"), "right")

    concludes(eq(_total(a[i] ** 2), n), derive, here=eq(a[i], 1), **SIZES)


@refused("does not follow by sign")
def shadowed_index_has_two_ranges():
    nested = Sum(Sum(Max(n - i, -1), (i, 0, m)), (i, 0, n))
    concludes(le(0, nested), lambda K: K.sign(le(0, nested)), m=(IsInteger(m), le(0, m)), **SIZES)


@refused("rests on what is not stated")
def shadowed_every_has_two_ranges():
    inner = every(le(0, Max(n - i, -1)), (i, 0, m), (i, 0, n))

    def derive(K):
        use = K.at(K.assume(inner), 0, m)
        return K.cert(le(0, Max(n - m, -1)), (1, use))

    concludes(le(0, Max(n - m, -1)), derive, m=(IsInteger(m), le(0, m)), **SIZES)


@refused("the sides differ by")
def shadowed_index_is_the_outer_one():
    nested = Sum(Sum(a[i], (i, 0, n - 1)), (i, 0, n - 1))
    _identity(nested, Sum(a[i] * n, (i, 0, n - 1)) + 1)


@refused("is not the stated")
def two_indices_of_an_every_exchanged():
    wide = every(lt(a[i, j], 0), (j, 0, d - 1), NODES)
    relation = said(a[j, i], "<=", 0, (j, 0, d - 1), NODES)
    proved(relation, lambda K: K.conclude("main", K.given("wide")), wide=wide, **SIZES)


@refused("would be needed, and is false")
def place_in_an_empty_range():
    def derive(K):
        return K.at(K.given("all"), Integer(0))

    concludes(le(a[0], 0), derive, all=every(le(a[i], 0), (i, 0, -1)))


@refused("rests on what is not stated: 0 <= m")
def place_in_a_range_that_may_be_empty():
    concludes(
        le(a[0], 0), lambda K: K.at(K.given("all"), 0), all=every(le(a[i], 0), (i, 0, m)), m=IsInteger(m)
    )


@refused("has a negative number of terms")
def negative_number_of_terms():
    _identity(Sum(1, (i, 5, 2)), Integer(-2))


@refused("rests on what is not stated")
def number_of_terms_that_may_be_negative():
    concludes(eq(Sum(1, (i, 1, m)), m), lambda K: K.identity(Sum(1, (i, 1, m)), m), m=IsInteger(m))


@refused("is an integer would be needed, and is false")
def number_of_terms_that_is_no_integer():
    half = Rational(5, 2)
    _identity(Sum(1, (i, 1, half)), half)


@refused("rests on what is not stated: 1 <= m")
def strict_sum_over_an_empty_range():
    def derive(K):
        K.index((i, 1, m))
        return K.sum_over(K.cert(lt(a[i], a[i] + 1)), (i, 1, m))

    left, right = Sum(a[i], (i, 1, m)), Sum(a[i] + 1, (i, 1, m))
    concludes(lt(left, right), derive, m=(IsInteger(m), le(0, m)))


@refused("does not follow by sign")
def strict_sign_of_a_sum_that_may_be_empty():
    total = Sum(1 + a[i] ** 2, (i, 1, m))
    concludes(lt(0, total), lambda K: K.sign(lt(0, total)), m=(IsInteger(m), le(0, m)))


@refused("does not follow by sign")
def strict_sign_of_a_nested_sum_that_may_be_empty():
    total = Sum(Sum(1 + a[i, j] ** 2, (i, 1, m)), (j, 0, d - 1))
    concludes(lt(0, total), lambda K: K.sign(lt(0, total)), m=(IsInteger(m), le(0, m)), **SIZES)


@refused("the sides differ by")
def delta_out_of_range():
    _identity(Sum(KroneckerDelta(i, k) * a[i], NODES), a[k], k=(IsInteger(k), le(0, k)))


@refused("the sides differ by")
def delta_of_reals():
    _identity(Sum(KroneckerDelta(i, x), NODES), Integer(1), x=(le(0, x), le(x, n - 1)))


@refused("rests on what is not stated")
def delta_at_a_place_that_is_no_integer():
    def derive(K):
        return K.split_off(Sum(KroneckerDelta(i, x), NODES), x)

    parts = Sum(KroneckerDelta(i, x), (i, 0, x - 1)) + 1 + Sum(KroneckerDelta(i, x), (i, x + 1, n - 1))
    concludes(eq(Sum(KroneckerDelta(i, x), NODES), parts), derive, x=(le(0, x), le(x, n - 1)), **SIZES)


@refused("the sides differ by")
def delta_between_ranges_of_two_lengths():
    _identity(Sum(KroneckerDelta(i, j) * a[i] * b[j], NODES, COORDINATES), _total(a[i] * b[i]))


@refused("the sides differ by")
def exchange_of_dependent_sums():
    left = Sum(Sum(a[i, j], (j, 0, i)), NODES)
    _identity(left, Sum(Sum(a[i, j], NODES), (j, 0, i)), i=(IsInteger(i), le(0, i)))


@refused("the sides differ by")
def transposition_of_dependent_sums():
    left = Sum(Sum(a[i, j], (j, 0, i)), NODES)
    _identity(left, Sum(Sum(a[j, i], (j, 0, i)), NODES))


@refused("rests on what is not stated: x is an integer")
def split_at_a_real_place():
    parts = Sum(a[i], (i, 0, x - 1)) + a[x] + Sum(a[i], (i, x + 1, n - 1))
    concludes(
        eq(_total(a[i]), parts), lambda K: K.split_off(_total(a[i]), x), x=(le(0, x), le(x, n - 1)), **SIZES
    )


@refused("rests on what is not stated: 0 <= m")
def split_of_an_empty_sum():
    total = Sum(a[i], (i, 0, m))
    concludes(
        eq(total, a[m] + Sum(a[i], (i, 0, m - 1))), lambda K: K.split_off(total), m=(IsInteger(m), le(-1, m))
    )


@refused("rests on what is not stated")
def split_outside_of_the_range():
    total = Sum(a[i], (i, 0, m))
    parts = Sum(a[i], (i, 0, k - 1)) + a[k] + Sum(a[i], (i, k + 1, m))
    concludes(
        eq(total, parts),
        lambda K: K.split_off(total, k),
        m=(IsInteger(m), le(0, m)),
        k=(IsInteger(k), le(0, k)),
    )


@refused("stands in its own range")
def index_in_its_own_bounds():
    concludes(
        le(Sum(a[i], (i, 0, i)), 0),
        lambda K: K.sum_over(K.given("here"), (i, 0, i)),
        here=le(a[i], 0),
    )


@refused("stands in its own range")
def index_in_its_own_range_of_every():
    """Within the range 2*i..5 of i the hypothesis i <= 0 would be known."""

    def derive(K):
        K.conclude("main", K.every(K.assume(le(i, 0)), (i, 2 * i, 5)))

    proved(said(i, "<=", 0, (i, 2 * i, 5)), derive, i=IsInteger(i))


@refused("rests on what is not stated: for i = 0..-1 + n: a[i] <= 0")
def one_index_used_as_all():
    proved(
        said(a[i], "<=", 0, NODES),
        lambda K: K.conclude("main", K.every(K.given("one"), NODES)),
        one=le(a[i], 0),
        **SIZES,
    )


@refused("rests on what is not stated: for i = 0..-1 + n: a[i] <= 0")
def one_index_added_up():
    concludes(
        le(_total(a[i]), 0),
        lambda K: K.cert(le(_total(a[i]), 0), (1, K.sum_over(K.given("one"), NODES))),
        one=le(a[i], 0),
        **SIZES,
    )


@refused("rests on what is not stated: i <= -1 + n")
def place_outside_of_the_range():
    concludes(
        le(a[i], 0),
        lambda K: K.at(K.given("all"), i),
        all=every(le(a[j], 0), (j, 0, n - 1)),
        i=(IsInteger(i), le(0, i)),
        **SIZES,
    )


@refused("rests on what is not stated: x is an integer")
def place_that_is_no_integer():
    concludes(
        le(a[x], 0),
        lambda K: K.at(K.given("all"), x),
        all=every(le(a[j], 0), (j, 0, n - 1)),
        x=(le(0, x), le(x, n - 1)),
        **SIZES,
    )


@refused("is not the stated")
def sum_over_another_range():
    def derive(K):
        return K.sum_over(K.at(K.given("all"), i), (i, 0, n - 1))

    concludes(
        le(Sum(a[i], (i, 0, n)), Sum(b[i], (i, 0, n))),
        _with_index(derive),
        all=every(le(a[i], b[i]), NODES),
        **SIZES,
    )


def _with_index(derive):
    def indexed(K: Kernel):
        K.index(NODES)
        return derive(K)

    return indexed


@refused("rests on what is not stated: n != 0")
def divisor_hidden_by_an_empty_sum():
    """The form is n/n, and the sum is 0 for n = 0."""
    left = Sum((b[i] + 1) / (n * b[i] + n), NODES)
    hypotheses = {"n": (IsInteger(n), le(0, n)), "b": every(lt(0, (b[i] + 1) * n), NODES)}
    concludes(eq(left, 1), lambda K: K.identity(left, 1), **hypotheses)


def _opposite(total, value, *apart):
    """Conclude minus the value of a sum over pairs for n = 2: names of indices turn the sign of a divisor."""
    goal, two = eq(total, -value), (eq(n, 2), IsInteger(n))
    concludes(goal, lambda K: K.cert(goal, using=[K.given("n")]), n=two, d=SIZES["d"], apart=apart)


LATER = (l, 0, n - 2 - i)
PAIRS = (every(ne(b[i], b[i + l + 1]), LATER, NODES), ne(b[0], b[1]))


@refused("the certificate leaves")
def opposite_of_a_sum_of_quotients():
    total = Sum(Sum(1 / (b[i + l + 1] - b[i]), LATER), NODES)
    _opposite(total, 1 / (b[1] - b[0]), *PAIRS)


@refused("the certificate leaves")
def opposite_of_a_sum_in_another_one():
    total = Sum(a[j] * Sum(Sum(1 / (b[i + l + 1, j] - b[i, j]), LATER), NODES), COORDINATES)
    value = Sum(a[j] / (b[1, j] - b[0, j]), COORDINATES)
    pairs = every(ne(b[i, j], b[i + l + 1, j]), LATER, NODES, COORDINATES)
    _opposite(total, value, pairs, every(ne(b[0, j], b[1, j]), COORDINATES))


@refused("the certificate leaves")
def opposite_of_a_random_sum():
    total = Sum(v[i] * Sum(1 / (b[i + l + 1] - b[i]), LATER), NODES)
    _opposite(E(total, v, NODES, mean=1, variance=1), 1 / (b[1] - b[0]), *PAIRS)


_ONCE = Sum(1 / n, (i, 1, n))
"""The form of it is 1; for n = 0 it is 0."""


@refused("rests on what is not stated: n != 0")
def divisor_that_a_hypothesis_hides_and_gives():
    """At n = 0 the hypothesis is 1 <= 1; its form is 1 <= n, from which n != 0 would follow."""
    size = {"n": (IsInteger(n), le(0, n)), "h": le(1, n + 1 - _ONCE)}
    concludes(le(1, n), lambda K: K.cert(le(1, n), (1, K.given("h"))), **size)


@refused("rests on what is not stated: n != 0")
def divisor_that_a_hypothesis_hides_and_is():
    concludes(ne(n, 0), lambda K: K.assume(ne(n, 0)), n=(IsInteger(n), le(0, n)), h=ne(n + 1 - _ONCE, 0))


@refused("rests on what is not stated: n != 0")
def divisors_that_two_hypotheses_hide_and_give():
    first, second = le(1, n + 1 - _ONCE), le(2, n + 2 - 2 * _ONCE)
    size = {"n": (IsInteger(n), le(0, n)), "first": first, "second": second}
    concludes(le(2, n), lambda K: K.cert(le(2, n), (1, K.given("second"))), **size)
