"""False derivations: quotients, roots, logarithms, powers, signs, strictness."""

from __future__ import annotations

from claims import concludes, families, proved, refused, said, symbols
from sympy import Abs, Function, Integer, Rational, Sum, floor, log, sqrt

from theory.formula import IsInteger, eq, every, le, lt, ne
from verify.kernel.analysis import Analysis
from verify.kernel.node import KernelError, Node, mul, name, num

x, y, z, c, q, k, n, j = symbols("x y z c q k n j")
a, b, hh = families("a b h")


def _conclude_node(conclusion: Node, *stated: Node):
    """Prove an equation of terms that sympy would simplify; fail where its hypotheses are not stated."""
    K = Analysis()
    form = K._made("identity", (), conclusion)
    left = [item for item in form.hypotheses if item not in stated]
    if left:
        raise KernelError(f"rests on what is not stated: {left[0]!r}")


def _inverse(node: Node) -> Node:
    return Node("pow", node, num(-1))


X, Y = name("x"), name("y")


@refused("rests on what is not stated: x != 0")
def x_over_x_is_one():
    _conclude_node(Node("eq", mul(X, _inverse(X)), num(1)))


@refused("rests on what is not stated: x != 0")
def zero_times_an_inverse_is_zero():
    _conclude_node(Node("eq", mul(num(0), _inverse(X)), num(0)))


@refused("would be needed, and is false")
def inverse_of_a_difference_of_equals():
    difference = Node("add", Y, mul(num(-1), Y))
    _conclude_node(Node("eq", mul(num(0), _inverse(difference)), num(0)))


@refused("rests on what is not stated: x^2 + x*y != 0")
def divisor_of_which_one_factor_may_be_zero():
    quotient = 1 / (x**2 + x * y)
    proved(
        said(quotient, "=", quotient),
        lambda K: K.conclude("main", K.identity(quotient, quotient)),
        side=ne(x, 0),
    )


@refused("rests on what is not stated: 0 <= x")
def square_of_a_root():
    root = Node("pow", X, num(Rational(1, 2)))
    _conclude_node(Node("eq", Node("pow", root, num(2)), X))


@refused("rests on what is not stated: -1 + x != 0")
def quotient_with_a_common_factor():
    left = (x**2 - 1) / (x - 1)
    concludes(eq(left, x + 1), lambda K: K.identity(left, x + 1))


@refused("rests on what is not stated: 0 <= x")
def square_of_a_root_times_another():
    left = sqrt(x) * (sqrt(x) + 1)
    concludes(eq(left, x + sqrt(x)), lambda K: K.identity(left, x + sqrt(x)))


@refused("the sides differ by")
def root_of_a_square():
    concludes(eq(sqrt(x**2), x), lambda K: K.identity(sqrt(x**2), x))


@refused("rests on what is not stated: 0 <= x")
def absolute_value_is_the_number():
    concludes(eq(Abs(x), x), lambda K: K.axiom("abs-of-nonnegative", x))


@refused("rests on what is not stated: 0 < x")
def logarithm_of_a_product_of_negatives():
    left, right = log(x * y), log(x) + log(y)
    concludes(eq(left, right), lambda K: K.axiom("log-product", x, y), product=lt(0, x * y))


@refused("rests on what is not stated: 0 < x")
def logarithm_of_a_square():
    concludes(eq(log(x**2), 2 * log(x)), lambda K: K.axiom("log-power", x, 2), x=ne(x, 0))


@refused("would be needed, and is false")
def logarithm_of_a_negative_number():
    concludes(le(0, 1), lambda K: K.log(K.cert(le(-3, -2))))


@refused("rests on what is not stated: 0 < x")
def logarithm_of_an_inequality_of_unknown_sign():
    concludes(le(log(x), log(y)), lambda K: K.log(K.given("order")), order=le(x, y), y=lt(0, y))


@refused("rests on what is not stated: x != 0")
def inverse_defined_by_its_own_sign():
    """0 < 1/x may not be what makes 1/x defined: a reader of `0 < 1/x or nothing` would not see it."""

    def derive(K):
        positive = K.assume(lt(0, 1 / x))
        return K.cert(le(0, 1 / x), (1, positive))

    concludes(le(0, 1 / x), derive, y=lt(0, y), x=le(0, x))


@refused("does not follow by sign")
def inverse_of_a_weakly_positive_number():
    concludes(lt(0, 1 / x), lambda K: K.sign(lt(0, 1 / x)), x=le(0, x))


@refused("rests on what is not stated")
def power_with_an_exponent_below_zero():
    left = q * q ** (k - 1)
    concludes(
        eq(left, q * q ** (k - 1)), lambda K: K.identity(left, q * q ** (k - 1)), k=(IsInteger(k), le(0, k))
    )


@refused("the sides differ by")
def power_shifted_down():
    concludes(
        eq(q**k, q * q ** (k - 1)),
        lambda K: K.identity(q**k, q * q ** (k - 1)),
        k=(IsInteger(k), le(0, k)),
        q=lt(0, q),
    )


@refused("rests on what is not stated: q > 0 or k is a natural number")
def power_with_a_real_exponent():
    concludes(
        eq(q ** (k + 1), q * q**k), lambda K: K.identity(q ** (k + 1), q * q**k), k=le(0, k), q=le(0, q)
    )


@refused("rests on what is not stated: q > 0 or k is a natural number")
def power_with_an_integer_exponent_of_unknown_sign():
    concludes(eq(q ** (k + 1), q * q**k), lambda K: K.identity(q ** (k + 1), q * q**k), k=IsInteger(k))


@refused("does not follow by sign")
def power_of_a_negative_base_is_positive():
    concludes(le(0, q**k), lambda K: K.sign(le(0, q**k)), k=(IsInteger(k), le(0, k)))


@refused("rests on what is not stated: for j = 0..-1 + n: 0 < h[j]")
def inverse_weights_lose_the_sign_of_the_weights():
    def derive(K):
        K.index((j, 0, n - 1))
        one = K.cert(eq(b[j] * a[j], 1), (1, K.assume(eq(b[j] * a[j], 1))))
        K.know(K.assume(lt(0, a[j])))
        mean = K.cert(le(2, a[j] + b[j]), (1 / a[j], (a[j] - 1) ** 2), (-1 / a[j], one))
        back = K.instantiate(mean, {b: lambda i: 1 / a[i]})
        return K.every(K.instantiate(back, {a: lambda i: hh[i]}), (j, 0, n - 1))

    relation = said(2, "<=", hh[j] + 1 / hh[j], (j, 0, n - 1))
    proved(
        relation,
        lambda K: K.conclude("main", derive(K)),
        n=(IsInteger(n), le(1, n)),
        h=every(ne(hh[j], 0), (j, 0, n - 1)),
    )


@refused("is strict, and no strict term has a positive multiplier")
def strict_from_weak():
    concludes(lt(x, y), lambda K: K.cert(lt(x, y), (1, K.given("order"))), order=le(x, y))


@refused("is strict, and no strict term has a positive multiplier")
def strict_by_a_vanishing_multiplier():
    concludes(
        lt(c * x, c * y),
        lambda K: K.cert(lt(c * x, c * y), (c, K.given("order"))),
        order=lt(x, y),
        c=le(0, c),
    )


@refused("is not the stated")
def strict_claim_from_a_weak_theorem():
    concludes(lt(x, y), lambda K: K.given("order"), order=le(x, y))


@refused("the multiplier of a certificate: 0 <= c is not known")
def multiplier_of_unknown_sign():
    concludes(le(c * x, c * y), lambda K: K.cert(le(c * x, c * y), (c, K.given("order"))), order=le(x, y))


@refused("the multiplier of a certificate: 0 <= -1 is not known")
def negative_multiplier():
    concludes(le(y, x), lambda K: K.cert(le(y, x), (-1, K.given("order"))), order=le(x, y))


@refused("the certificate leaves")
def certificate_with_a_rest_below_zero():
    concludes(le(x, y), lambda K: K.cert(le(x, y), (1, K.given("order"))), order=le(x, y + 1))


@refused("does not follow by sign")
def square_is_positive():
    concludes(lt(0, x**2), lambda K: K.sign(lt(0, x**2)))


@refused("does not follow by sign")
def square_of_a_difference_is_positive():
    concludes(lt(0, (x - y) ** 2), lambda K: K.sign(lt(0, (x - y) ** 2)), x=lt(0, x), y=lt(0, y))


@refused("does not follow by sign")
def root_is_positive():
    concludes(lt(0, sqrt(x)), lambda K: K.sign(lt(0, sqrt(x))), x=le(0, x))


@refused("rests on what is not stated: 0 <= x")
def root_of_any_number_is_nonnegative():
    concludes(le(0, sqrt(x)), lambda K: K.sign(le(0, sqrt(x))))


@refused("does not follow by sign")
def integers_apart_for_a_real():
    concludes(le(0, x * (x - 1)), lambda K: K.sign(le(0, x * (x - 1))), x=le(0, x))


@refused("rests on what is not stated: x is an integer")
def gap_of_integers_for_reals():
    concludes(le(x + 1, y), lambda K: K.axiom("integer-gap", x, y), order=lt(x, y), y=IsInteger(y))


@refused("rests on what is not stated")
def floor_is_a_real():
    concludes(eq(floor(x), z), lambda K: K.axiom("floor-unique", x, z), below=le(z, x), above=lt(x, z + 1))


@refused("does not follow by sign")
def floor_is_positive():
    concludes(lt(0, floor(x)), lambda K: K.sign(lt(0, floor(x))), x=lt(0, x))


@refused("rests on what is not stated: 0 <= x")
def power_of_an_inequality_of_unknown_sign():
    concludes(le(x**2, y**2), lambda K: K.power(K.given("order"), 2), order=le(x, y))


@refused("must be a rational number that is not 0")
def power_zero_of_an_inequality():
    concludes(le(1, x), lambda K: K.power(K.given("order"), 0), order=lt(0, x))


@refused("must be a rational number that is not 0")
def unknown_power_of_an_inequality():
    concludes(lt(0, x**z), lambda K: K.power(K.given("order"), z), order=lt(0, x))


@refused("rests on what is not stated: 0 < x")
def inverse_of_an_inequality_at_zero():
    concludes(
        le(1 / y, 1 / x), lambda K: K.power(K.given("order"), -1), order=le(x, y), x=le(0, x), y=lt(0, y)
    )


@refused("must be positive")
def negative_power_of_a_product_at_zero():
    concludes(eq((x * y) ** -1, x**-1 * y**-1), lambda K: K.axiom("root-product", x, y, Integer(-1)))


@refused("rests on what is not stated: 0 <= y")
def root_of_a_product_of_negatives():
    half = Rational(1, 2)
    concludes(
        eq(sqrt(x * y), sqrt(x) * sqrt(y)),
        lambda K: K.axiom("root-product", x, y, half),
        xy=le(0, x * y),
        x=le(0, x),
    )


@refused("is nothing that the kernel knows")
def undefined_function():
    f = Function("f")
    concludes(le(f(x), f(x)), lambda K: K.sign(le(f(x), f(x))))


# ---------------------------------------------------------------- cases


@refused("rests on what is not stated: x <= -1")
def cases_that_leave_something_out():
    def derive(K):
        below = K.cert(le(x, x**2), (1, x**2), (1, K.assume(le(x, -1))), (1, 1))
        above = K.cert(le(x, x**2), (1, K.assume(le(x, x**2))), (0, K.assume(lt(0, x))))
        return K.cases(x, below, above)

    concludes(le(x, x**2), derive)


@refused("rests on what is not stated: x < 0")
def cases_without_the_border():
    def derive(K):
        below = K.cert(lt(x, y), (1, K.given("y")), (1, K.assume(lt(x, 0))))
        above = K.cert(lt(x, y), (-1, K.axiom("abs-of-nonnegative", x)), (1, K.given("order")))
        return K.cases(x, below, above)

    concludes(lt(x, y), derive, y=le(0, y), order=lt(Abs(x) - x, y - x))


@refused("the cases have different conclusions")
def cases_with_different_conclusions():
    def derive(K):
        return K.cases(x, K.assume(le(x, 0)), K.assume(lt(0, x)))

    concludes(lt(0, x), derive)


@refused("rests on what is not stated: 0 <= -y")
def cases_split_at_another_term():
    def derive(K):
        below = K.cert(le(0, Abs(x) - x), (1, K.axiom("abs-above", x)))
        above = K.cert(le(0, Abs(x) - x), (1, K.axiom("abs-above", x)), (0, K.assume(le(0, -y))))
        return K.cases(x, below, above)

    concludes(le(0, Abs(x) - x), derive)


@refused("is no inequality")
def power_of_an_equation_of_unknown_sign():
    concludes(eq(x, y), lambda K: K.power(K.given("squares"), Rational(1, 2)), squares=eq(x**2, y**2))


@refused("cannot be added up")
def sum_of_inequations():
    concludes(
        ne(Sum(a[j], (j, 0, n - 1)), 0),
        lambda K: K.sum_over(K.at(K.given("all"), j), (j, 0, n - 1)),
        all=every(ne(a[j], 0), (j, 0, n - 1)),
        n=(IsInteger(n), le(1, n)),
        j=(IsInteger(j), le(0, j), le(j, n - 1)),
    )


@refused("rests on what is not stated: 0 < x")
def logarithm_that_may_be_undefined():
    concludes(lt(log(x), log(x) + 1), lambda K: K.cert(lt(log(x), log(x) + 1)))


@refused("rests on what is not stated: 0 < x")
def fact_known_under_a_hypothesis():
    def derive(K):
        K.know(K.assume(lt(0, x)))
        return K.sign(lt(0, x * y))

    concludes(lt(0, x * y), derive, y=lt(0, y))


@refused("is not the stated")
def order_turned_round():
    concludes(le(y, x), lambda K: K.given("order"), order=le(x, y))
