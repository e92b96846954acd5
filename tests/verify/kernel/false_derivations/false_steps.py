"""False derivations: steps, slacks, lemmas, what is concluded."""

from __future__ import annotations

from claims import concludes, families, proved, refused, said, symbols
from sympy import Abs, IndexedBase, Integer, KroneckerDelta, Rational, Sum, Symbol

from theory.formula import IsInteger, eq, every, le, lt, ne
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError
from verify.kernel.theorem import Theorem

x, y, z, t, p, n, d, s, k, i, j, L, mu, omega = symbols("x y z t p n d s k i j L mu omega")
a, b = families("a b")


@refused("hypothesis 'young' (formula 0) is unknown")
def slack_under_a_steps_name():
    concludes(le(x**2, x), lambda K: K.cert(le(x**2, x), (1, "young")))


@refused("is not known to be at least 0")
def slack_as_a_bare_expression():
    concludes(le(x**2, x), lambda K: K.cert(le(x**2, x), (1, x - x**2)))


@refused("hypothesis 'x - x**2' (formula 0) is unknown")
def slack_by_string():
    concludes(le(x**2, x), lambda K: K.cert(le(x**2, x), (1, "x - x**2")))


@refused("is neither a theorem nor an expression")
def slack_as_a_pair_of_name_and_expression():
    concludes(le(x**2, x), lambda K: K.cert(le(x**2, x), (1, ("young", x - x**2))))


def _young(K: Kernel) -> Theorem:
    return K.cert(le((x + y) ** 2, 2 * x**2 + 2 * y**2), (1, (x - y) ** 2))


@refused("is not the stated")
def changed_constant_in_the_stated_formula():
    concludes(le((x + y) ** 2, Rational(19, 10) * x**2 + 2 * y**2), _young)


@refused("is not the stated")
def last_step_is_not_the_claim():
    concludes(le((x + y) ** 2, x**2 + y**2), lambda K: K.identity((x + y) ** 2, x**2 + 2 * x * y + y**2))


@refused("is not the stated")
def equation_for_a_strict_claim():
    concludes(lt(x * (x + 1), x**2 + x), lambda K: K.identity(x * (x + 1), x**2 + x))


@refused("the certificate leaves -1/1000")
def quarter_of_the_rounding_variance_lowered_by_a_thousandth():
    low = Rational(249, 1000)
    concludes(le(t * (1 - t), low), lambda K: K.cert(le(t * (1 - t), low), (1, (t - Rational(1, 2)) ** 2)))


@refused("1 links, 2 theorems were given")
def two_theorems_for_one_link():
    proved(said((x + y) ** 2, "<=", 2 * x**2 + 2 * y**2), lambda K: K.conclude("main", _young(K), _young(K)))


@refused("no theorem concludes main")
def nothing_is_concluded():
    proved(said((x + y) ** 2, "<=", 2 * x**2 + 2 * y**2), _young)


@refused("rests on what is not stated: p <= 1/10")
def lemma_used_outside_its_hypotheses():
    def derive(K):
        return K.cert(le(p * omega, omega / 10), (omega, K.assume(le(p, Rational(1, 10)))))

    concludes(le(p * omega, omega / 10), derive, domain=le(0, omega))


@refused("rests on what is not stated: 2*t <= 1")
def lemma_instantiated_outside_its_hypotheses():
    def derive(K):
        lemma = K.cert(le(x**2, x), (x, K.assume(le(x, 1))))
        return K.instantiate(lemma, {x: 2 * t})

    concludes(le(4 * t**2, 2 * t), derive, domain=le(0, t), small=le(0, x))


@refused("would be needed, and is false")
def lemma_instantiated_where_its_hypothesis_is_false():
    def derive(K):
        lemma = K.cert(le(x**2, x), (x, K.assume(le(x, 1))))
        return K.instantiate(lemma, {x: Integer(2)})

    concludes(le(4, 2), derive, small=le(0, x))


@refused("carries an assumption (positive)")
def same_name_with_another_sign():
    positive = Symbol("x", positive=True)
    concludes(lt(0, x), lambda K: K.sign(lt(0, positive)))


@refused("carries an assumption (positive)")
def family_with_a_sign():
    from sympy import IndexedBase

    concludes(lt(0, a[0]), lambda K: K.sign(lt(0, IndexedBase(Symbol("a"), positive=True)[0])))


@refused("two different symbols are named 'i'")
def two_symbols_with_one_name():
    """Bound by one, and free in sympy's reading by the other."""
    other = Symbol("i")
    left, right = Sum(a[other] * b[i], (other, 0, n - 1)), Sum(a[i] * b[i], (i, 0, n - 1))
    concludes(eq(left, right), lambda K: K.identity(left, right), size=(IsInteger(n), le(1, n)))


@refused("no instance was found that satisfies the hypotheses")
def contradictory_hypotheses():
    def derive(K):
        return K.cert(le(1, 0), (1, K.given("low")), (1, K.given("high")))

    concludes(le(1, 0), derive, low=le(1, x), high=le(x, 0))


@refused("no instance was found that satisfies the hypotheses")
def hypothesis_that_fails_far_out():
    def derive(K):
        return K.cert(le(1, 0), (1, K.at(K.given("bounded"), 101)))

    concludes(le(1, 0), derive, bounded=_below(100))


def _below(most):
    from sympy import oo

    return every(le(k, most), (k, 0, oo))


@refused("rests on what is not stated: n = 2")
def two_claimed_for_all():
    def derive(K):
        total = Sum(a[i], (i, 0, n - 1))
        two = K.identity(Sum(a[i], (i, 0, 1)), a[0] + a[1])
        return K.rewrite(K.instantiate(_sum_of(K, total), {}), two)

    def _sum_of(K, total):
        equal = K.assume(eq(n, 2))
        return K.cert(eq(total, Sum(a[i], (i, 0, 1))), using=(equal,))

    concludes(eq(Sum(a[i], (i, 0, n - 1)), a[0] + a[1]), derive, size=(IsInteger(n), le(2, n)))


@refused("the sides differ by")
def two_terms_for_a_sum_of_n():
    total = Sum(a[i], (i, 0, n - 1))
    concludes(eq(total, a[0] + a[1]), lambda K: K.identity(total, a[0] + a[1]), size=(IsInteger(n), le(2, n)))


@refused("nothing that solvers of polynomials and quotients read")
def undecided_lemma():
    from sympy import exp

    concludes(le(1 + x, exp(x)), lambda K: K.smt([], le(1 + x, exp(x))))


@refused("the solver answers 'refuted'")
def false_lemma():
    concludes(le(x, x**2), lambda K: K.smt([le(0, x)], le(x, x**2)), domain=le(0, x))


@refused("the solver answers 'vacuous'")
def vacuous_lemma():
    concludes(le(1, 0), lambda K: K.smt([lt(x, 0), lt(0, x)], le(1, 0)))


@refused("the solver answers 'undefined'")
def lemma_that_divides_by_zero():
    concludes(le(0, 1 / x**2), lambda K: K.smt([le(0, x)], le(0, 1 / x**2)), domain=le(0, x))


@refused("symbol w carries an assumption")
def lemma_with_a_silent_sign():
    w = Symbol("w", extended_nonnegative=True)
    concludes(le(x**2, x), lambda K: K.instantiate(K.smt([], le(0, w)), {w: x - x**2}))


@refused("symbol w carries an assumption")
def lemma_with_a_silent_sign_of_entries():
    w = IndexedBase("w", extended_nonnegative=True)
    concludes(le(x**2, x), lambda K: K.instantiate(K.smt([], le(0, w[0])), {w: lambda j: x - x**2}))


@refused("symbol w carries an assumption")
def root_of_a_square_that_sympy_drops():
    w = Symbol("w", extended_nonnegative=True)
    concludes(le(Abs(x), x), lambda K: K.instantiate(K.identity(Abs(w), w), {w: x}))


@refused("is nothing that solvers of polynomials and quotients read")
def lemma_on_a_sum_that_sympy_evaluates():
    """sympy has 1 for the sum, which is 0 at j = 1/2."""
    chosen = Sum(KroneckerDelta(i, j), (i, 0, 3))
    lemma = ([le(0, j), le(j, 3)], eq(chosen, 1))
    concludes(eq(chosen, 1), lambda K: K.smt(*lemma), range=(le(0, j), le(j, 3)))


class _Lie(Sum):
    def doit(self, **_):
        return Integer(5)


@refused("is nothing that the kernel knows")
def lemma_on_a_sum_of_ones_own():
    concludes(le(x**2, x), lambda K: K.smt([], eq(_Lie(i, (i, 0, 1)), 5)))


class _Named(Symbol):
    pass


@refused("w (_Named) is nothing that the kernel knows")
def symbol_of_ones_own():
    w = _Named("w", real=True)
    concludes(le(x**2, x), lambda K: K.smt([le(0, w)], le(0, w)))


@refused("the sides differ by")
def product_of_two_powers_that_were_written_alike():
    """Both were x^y^z, so that their order in a monomial was any, and one of two equal ones was lost."""
    one, other = (x**y) ** z, x ** (y**z)

    def derive(K):
        for count in range(1, 7):
            some, more = sum(symbols("c0 c1 c2 c3 c4 c5")[:count]), sum(symbols("e0 e1 e2 e3 e4 e5")[:count])
            zero = t * ((one + some) * (other + more) - one * more - some * other - some * more - one * other)
            for sign in (1, -1):
                try:
                    K.identity(zero, sign * one * other * t)
                except KernelError as error:
                    told = error
                else:
                    return K.identity(zero, sign * one * other * t)
        raise told

    concludes(le(x, 5), derive)


@refused("rests on what is not stated: L = mu*omega*(1 + t)")
def undeclared_substitution():
    def derive(K):
        set_ = K.assume(eq(L, omega * mu * (1 + t)))
        return K.cert(le(omega * mu, L), (omega * mu, K.given("sign", 2)), (-1, set_))

    concludes(le(omega * mu, L), derive, sign=(le(0, omega), le(0, mu), le(0, t)))


@refused("is unknown; the claim has")
def hypothesis_that_is_not_there():
    concludes(le(x, y), lambda K: K.given("wish"))


@refused("rests on what is not stated")
def hypothesis_of_another_relation():
    def derive(K):
        K.conclude("other", K.given("coarse"))
        K.conclude("main", K.given("coarse"))

    relations = {"main": said(x, "<=", y), "other": said(x, "<=", y, under=("coarse",))}
    proved(relations, derive, coarse=le(x, y))


@refused("rests on what is not stated")
def stated_formula_undefined_somewhere():
    concludes(le(0, (x**2 - 1) / (x - 1) - x), lambda K: K.sign(le(0, 1)))


@refused("is no goal of a certificate")
def certificate_for_an_inequation():
    concludes(ne(x, y), lambda K: K.cert(ne(x, y), (1, (x - y) ** 2)))


@refused("cannot rest on the inequality")
def equation_from_an_inequality():
    concludes(eq(x, y), lambda K: K.cert(eq(x, y), (1, K.given("order"))), order=le(x, y))
