"""Hypotheses that contradict themselves at a place that a derivation names in a roundabout way."""

from __future__ import annotations

from claims import concludes, families, refused, symbols
from sympy import Abs, KroneckerDelta, Rational, floor, oo, sqrt

from theory.formula import EveryFamily, IsInteger, eq, every, le, lt

x, u, k, m, N = symbols("x u k m N")
b, c = families("b c")
FAILS = "drawn from a hypothesis at a place where that fails"
APART = every(le(1, (k - 57) ** 2), (k, 0, oo))
SQUARE = (x - Rational(1, 2)) ** 2


def _beside(K, place, gap):
    """Return x <= 5 + (x^2 + 40) gap, where the hypothesis at the place says that 1 <= gap."""
    return K.cert(le(x, 5 + (x**2 + 40) * gap), (x**2 + 40, K.at(K.given("apart"), place)), (1, SQUARE))


@refused(FAILS)
def a_place_that_is_put_in_later():
    concludes(le(x, 5), lambda K: K.instantiate(_beside(K, 57 + u, u**2), {u: 0}), apart=APART)


@refused(FAILS)
def a_place_that_a_family_gives():
    def derive(K):
        general = _beside(K, 57 + b[0], b[0] ** 2)
        return K.instantiate(general, {b: lambda _: 0})

    concludes(le(x, 5), derive, apart=APART)


@refused(FAILS)
def a_place_of_a_range_of_one_integer():
    def derive(K):
        K.index((u, 0, 0))
        return K.at(K.every(_beside(K, 57 + u, u**2), (u, 0, 0)), 0)

    concludes(le(x, 5), derive, apart=APART)


@refused(FAILS)
def a_far_place_of_an_endless_range():
    def derive(K):
        K.index((u, 0, oo))
        return K.at(K.every(_beside(K, u, (u - 57) ** 2), (u, 0, oo)), 57)

    concludes(le(x, 5), derive, apart=APART)


@refused(FAILS)
def a_place_of_a_sum_of_one_term():
    def derive(K):
        K.index((u, 0, 0))
        total = K.sum_over(_beside(K, 57 + u, u**2), (u, 0, 0))
        return K.cert(le(x, 5), (1, total))

    concludes(le(x, 5), derive, apart=APART)


@refused(FAILS)
def a_family_that_is_put_in_later():
    def derive(K):
        large = K.at(K.given("bounded"), lambda _: 10**31 + u)
        share = (x**2 + 40) / (9 * 10**30)
        general = K.cert(le(x, 5 - share * u), (share, large), (1, SQUARE))
        return K.instantiate(general, {u: 0})

    concludes(le(x, 5), derive, bounded=EveryFamily(b, le(b[0], 10**30)))


def _by_signs(said, known):
    """A sign tells that u is at most b^2 at 57, where b is 0."""

    def derive(K):
        K.example({x: 0, u: 1, b: dict.fromkeys(range(160), 0)})
        K.know(known(K))
        square, factor = K.sign(le(u, b[57] ** 2)), x**2 + 40
        zero = (factor * b[57], K.given("zero"))
        return K.cert(le(x, 5), (factor, square), (factor, K.given("u")), zero, (1, SQUARE))

    concludes(le(x, 5), derive, said=said, u=le(1, u), zero=eq(b[57], 0))


def _apart(of):
    """Return u <= (k - 57)^2 for every k, with entries in it: signs take it there."""
    nothing = (of[k] + 1) ** 2 - of[k] ** 2 - 2 * of[k] - 1
    return every(le(u, (k - 57) ** 2 + nothing), (k, 0, oo))


@refused(FAILS)
def a_place_that_signs_take():
    _by_signs(_apart(b), lambda K: K.given("said"))


@refused(FAILS)
def a_place_of_a_family_that_signs_take():
    _by_signs(EveryFamily(c, _apart(c)), lambda K: K.at("said", lambda j: b[j]))


def _by_induction(K, last):
    """Return x <= 5 from k <= last for every k, of which the step fails at `last`.

    An entry on both sides keeps what is concluded from being evaluated.
    """
    K.index((k, 0, oo))
    gap = K.at("apart", k + 1)
    K.know(K.assume(le(k + b[0], last + b[0])))
    below = le(last - k, 0)
    first = K.cert(lt(b[0], last - k + b[0]), (last - k, K.assume(below)), (1, gap), (1, last - k))
    second = K.cert(lt(b[0], last - k + b[0]), (1, K.assume(lt(0, last - k))))
    K.know(K.cases(last - k, first, second))
    step = K.cert(le(k + 1 + b[0], last + b[0]), (1, K.axiom("integer-gap", k, last)))
    bounded = K.at(K.induction(k, K.cert(le(0 + b[0], last + b[0])), step), last + 44)
    return K.cert(le(x, 5), ((x**2 + 40) / 44, bounded), (1, SQUARE))


@refused(FAILS)
def a_place_below_the_one_where_an_induction_is_used():
    """At k = 56 the step fails; the conclusion is used at 100."""
    concludes(le(x, 5), lambda K: _by_induction(K, 56), apart=APART)


@refused("drawn from a hypothesis that fails at k = 301")
def a_far_place_below_the_one_where_an_induction_is_used():
    concludes(le(x, 5), lambda K: _by_induction(K, 300), apart=every(le(1, (k - 301) ** 2), (k, 0, oo)))


def _at_a_name(gap, *others):
    """Conclude x <= 5 + (x^2 + 40) gap(N), where a hypothesis says 1 <= gap(k) for every k."""
    goal = le(x, 5 + (x**2 + 40) * gap(N))
    said = every(le(1, gap(k)), (k, 0, oo), *others)

    def derive(K):
        return K.cert(goal, (x**2 + 40, K.at("apart", *(0 for _ in others), N)), (1, SQUARE))

    concludes(goal, derive, apart=said, N=(IsInteger(N), le(0, N)))


@refused("drawn from a hypothesis that fails at k = 57")
def a_far_place_that_is_a_name():
    _at_a_name(lambda at: (at - 57) ** 2)


@refused("drawn from a hypothesis that fails at k = 5700")
def a_far_place_within_a_function():
    _at_a_name(lambda at: Abs(at - 5700))


@refused("drawn from a hypothesis that fails at m = 300, k = 560")
def a_far_place_of_two_ranges():
    goal = le(x, 5 + (x**2 + 40) * ((N - 560) ** 2 + (u - 300) ** 2))
    said = every(le(1, (k - 560) ** 2 + (m - 300) ** 2), (k, 0, oo), (m, 0, oo))
    sizes = {"N": (IsInteger(N), le(0, N)), "u": (IsInteger(u), le(0, u))}
    concludes(
        goal, lambda K: K.cert(goal, (x**2 + 40, K.at("apart", u, N)), (1, SQUARE)), apart=said, **sizes
    )


@refused("drawn from a hypothesis that fails at m = 0, k = 57")
def a_far_place_beyond_another_range():
    goal = le(x, 5 + (x**2 + 40) * (N - 57) ** 2)
    said = every(le(1, (k - 57 - m) ** 2), (k, 0, oo), (m, 0, oo))
    sizes = {"N": (IsInteger(N), le(0, N))}
    concludes(
        goal, lambda K: K.cert(goal, (x**2 + 40, K.at("apart", 0, N)), (1, SQUARE)), apart=said, **sizes
    )


@refused("drawn from a hypothesis that fails at k = 5700")
def a_far_place_beside_a_function():
    _at_a_name(lambda at: (at - 5700) ** 2 * sqrt(at + 1))


@refused("drawn from a hypothesis that fails at k = 114")
def a_far_place_of_a_floor():
    _at_a_name(lambda at: (floor(at / 2) - 57) ** 2)


@refused("drawn from a hypothesis that fails at b[2] = 0, b[3] = 57")
def a_family_at_a_name():
    """For every family it is said of every number, so of one that the instance does not have."""
    goal = le(x, 5 + (x**2 + 40) * (u - 57) ** 2)
    said = EveryFamily(b, le(1, (b[3] - 57) ** 2 + b[2] ** 2))

    def derive(K):
        return K.cert(goal, (x**2 + 40, K.at("apart", lambda at: u * KroneckerDelta(at, 3))), (1, SQUARE))

    concludes(goal, derive, apart=said)


@refused("drawn from a hypothesis that fails at k = 1000000001")
def an_entry_that_two_hypotheses_squeeze():
    """At a far place one asks for more of it than the other allows."""
    low, high = every(le(k, b[k]), (k, 0, oo)), every(le(b[k], 10**9), (k, 0, oo))

    def derive(K):
        both = [(x**2 + 40, K.at(item, 10**9 + 1)) for item in ("low", "high")]
        return K.cert(le(x, 5), *both, (1, SQUARE))

    concludes(le(x, 5), derive, low=low, high=high)
