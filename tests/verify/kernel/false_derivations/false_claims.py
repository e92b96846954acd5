"""The holes of the former derivations, as whole claims."""

from __future__ import annotations

import dcgd
from claims import concludes, families, proved, refused, said, symbols
from dcgd import D, L, Lmax, gamma, mu, n
from sympy import Integer, Rational, Sum, floor, oo

from theory.formula import EveryFamily, IsInteger, eq, every, le, lt
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError

x, t, p, s, d, i, j, k = symbols("x t p s d i j k")
a, w = families("a w")

SMALL_STEP = le(gamma * (L + Lmax / n), 1)
"""Half of the noise term: at this step size the rate is false."""


def _run(derive, **changes):
    kernel = Kernel(dcgd.dcgd(**changes))
    derive(kernel)
    if set(kernel.concluded) != {"one-step", "rate"}:
        raise KernelError("no theorem concludes it")


@refused("the certificate leaves")
def dcgd_with_a_larger_step():
    _run(dcgd.derive, step=SMALL_STEP)


@refused("is not known to be at least 0")
def dcgd_with_a_larger_step_and_a_slack_without_proof():
    rest = 2 * gamma * D * (-gamma * Lmax / n)

    def derive(K):
        K.conclude("one-step", dcgd.one_step(K, dcgd.goal_of(dcgd.ONE_STEP), slack=(1, rest)))

    _run(derive, step=SMALL_STEP)


@refused("hypothesis 'young' (formula 0) is unknown")
def dcgd_with_a_slack_under_the_name_of_a_step():
    def derive(K):
        K.conclude("one-step", dcgd.one_step(K, dcgd.goal_of(dcgd.ONE_STEP), slack=(gamma**2, "young")))

    _run(derive, step=SMALL_STEP)


@refused("the certificate leaves")
def dcgd_with_a_wrong_constant_of_young():
    def derive(K):
        K.conclude("one-step", dcgd.one_step(K, dcgd.goal_of(dcgd.ONE_STEP), young=1))

    _run(derive, step=SMALL_STEP)


@refused("rests on what is not stated")
def dcgd_with_the_right_step_assumed():
    def derive(K):
        K.given = lambda name, place=0: (
            K.assume(dcgd.STEP) if name == "step" else Kernel.given(K, name, place)
        )
        dcgd.derive(K)

    _run(derive, step=SMALL_STEP)


@refused("is not the stated")
def dcgd_with_half_of_the_neighbourhood():
    half = dcgd.said(dcgd.R_next, "<=", (1 - gamma * mu) * dcgd.R + gamma**2 * dcgd.NOISE / n)
    _run(dcgd.derive, one_step=half)


@refused("rests on what is not stated: mu <= L")
def dcgd_without_the_order_of_the_constants():
    def derive(K):
        K.conclude("one-step", dcgd.one_step(K, dcgd.goal_of(dcgd.ONE_STEP)))
        K.given = lambda name, place=0: (
            K.assume(le(mu, L)) if name == "order" else Kernel.given(K, name, place)
        )
        K.conclude("rate", dcgd.iterated(K))

    _run(derive, without=("order",))


@refused("rests on what is not stated")
def dcgd_without_its_compressor():
    def derive(K):
        wish = dcgd.HYPOTHESES["compressor"]
        K.given = lambda name, place=0: (
            K.assume(wish) if name == "compressor" else Kernel.given(K, name, place)
        )
        dcgd.derive(K)

    _run(derive, without=("compressor",))


@refused("the solver answers 'refuted'")
def dcgd_with_a_lemma_that_is_false():
    """x**2 <= x is what the term `x - x**2` named after a lemma proved before."""
    concludes(le(x**2, x), lambda K: K.smt([le(0, x)], le(x**2, x)), x=le(0, x))


@refused("rests on what is not stated: p <= 1/10")
def bound_by_a_lemma_for_small_probabilities():
    """d p (1 - p)/s**2 <= 9 d/(100 s**2) holds for p <= 1/10, and is claimed for all p."""

    def derive(K):
        lemma = K.cert(
            le(p * (1 - p), Rational(9, 100)), (Rational(9, 10) - p, K.assume(le(p, Rational(1, 10))))
        )
        return K.cert(le(d * p * (1 - p) / s**2, 9 * d / (100 * s**2)), (d / s**2, lemma))

    hypotheses = {"p": (le(0, p), le(p, Rational(1, 2))), "d": le(1, d), "s": lt(0, s)}
    concludes(le(d * p * (1 - p) / s**2, 9 * d / (100 * s**2)), derive, **hypotheses)


@refused("no instance was found that satisfies the hypotheses")
def anything_from_a_contradiction():
    def derive(K):
        wrong = K.cert(le(1, 0), (1, K.given("p", 0)), (1, K.given("p", 1)))
        return K.cert(le(d, 0), (d, wrong))

    concludes(le(d, 0), derive, p=(le(1, p), le(p, 0)), d=le(1, d))


@refused("no instance was found that satisfies the hypotheses")
def bound_on_all_integers_hidden_by_a_large_number():
    """k <= t for every k contradicts itself; at the places that are tried t = 10^6 is above all of them."""

    def derive(K):
        K.example({t: 10**6, d: 2})
        return K.cert(le(d, 0), (d, K.at(K.given("all"), floor(t) + 2)), (d, K.axiom("floor-above", t)))

    concludes(le(d, 0), derive, all=every(le(k, t), (k, 0, oo)), d=le(1, d), t=le(0, t))


@refused("no instance was found that satisfies the hypotheses")
def bound_on_all_families_hidden_by_a_large_number():
    def derive(K):
        K.example({t: 10**30, d: 2})
        above = K.at(K.given("all"), lambda j: t + 1)
        return K.cert(le(d, 0), (d, above))

    concludes(le(d, 0), derive, all=EveryFamily(w, le(w[0], t)), d=le(1, d))


@refused("the hypotheses contradict each other")
def contradiction_at_one_integer():
    """(k - 57)^2 >= 1 for every k fails at 57 alone, a place that no instance tries."""

    def derive(K):
        wrong = K.cert(le(1, 0), (1, K.at(K.given("all"), 57)))
        return K.cert(le(d, 0), (d, wrong))

    concludes(le(d, 0), derive, all=every(le(1, (k - 57) ** 2), (k, 0, oo)), d=le(1, d))


@refused("the hypotheses contradict each other")
def contradiction_at_the_example():
    """The same where the derivation gives the instance itself."""

    def derive(K):
        K.example({d: 3})
        wrong = K.cert(le(1, 0), (1, K.at(K.given("all"), 57)))
        return K.cert(le(d, 0), (d, wrong))

    concludes(le(d, 0), derive, all=every(le(1, (k - 57) ** 2), (k, 0, oo)), d=le(1, d))


@refused("the hypotheses contradict each other")
def contradiction_at_one_entry():
    def derive(K):
        wrong = K.cert(le(1, 0), (1, K.at(K.given("all"), 57)))
        return K.cert(le(d, 0), (d, wrong))

    concludes(
        le(d, 0), derive, all=every(le(1 + 0 * a[k], (k - 57) ** 2 * (1 + a[k] ** 2)), (k, 0, oo)), d=le(1, d)
    )


@refused("the hypotheses contradict each other")
def contradiction_that_a_name_hides():
    def derive(K):
        wrong = K.at(K.given("all"), 57)
        return K.cert(le(d, 0), (d, wrong), (d, K.given("t")))

    concludes(le(d, 0), derive, all=every(le(t, (k - 57) ** 2), (k, 0, oo)), d=le(1, d), t=le(1, t))


@refused("is said of no j")
def relation_over_an_empty_range():
    def derive(K):
        wrong = K.cert(le(x, x - 1), (1, K.assume(le(d, j))), (1, K.assume(le(j, d - 1))))
        K.conclude("main", K.every(wrong, (j, d, d - 1)))

    proved(said(x, "<=", x - 1, (j, d, d - 1)), derive, d=(IsInteger(d), le(1, d)))


@refused("is refused")
def every_dimension_after_two_were_shown():
    """What holds for n = 2 and n = 3 was cited for every n."""
    total = Sum(a[i], (i, 0, n - 1))
    body = le(total**2, 3 * Sum(a[i] ** 2, (i, 0, n - 1)))

    def derive(K):
        return K.cite(body, "summation", under=[IsInteger(n), le(2, n)])

    concludes(body, derive, n=(IsInteger(n), le(2, n)))


@refused("rests on what is not stated: t < 1")
def fraction_without_its_range():
    def derive(K):
        return K.cert(le(t**2, t), (t, K.assume(lt(t, 1))))

    concludes(le(t**2, t), derive, t=le(0, t))


@refused("is no theorem of this kernel")
def definition_that_nobody_stated():
    concludes(le(x, 0), lambda K: K.cert(le(x, 0), using=(eq(x, Integer(0)),)))


@refused("has the name on both sides")
def definition_by_itself():
    concludes(
        le(x, 1),
        lambda K: K.cert(le(x, 1), using=(K.given("loop"),)),
        loop=eq(x, 2 * x - floor(x)),
    )


@refused("is false where its hypotheses seem to hold")
def a_family_that_no_draw_meets():
    """x <= (b - 1/7)^2 for every b contradicts 0 < x at b = 1/7 alone, which is never drawn."""

    def derive(K):
        K.example({x: Rational(1, 10**12)})
        wrong = K.at(K.given("apart"), lambda _: Rational(1, 7))
        return K.cert(le(x, -5), ((5 + x) / x, wrong))

    apart = EveryFamily(w, le(x, (w[0] - Rational(1, 7)) ** 2))
    concludes(le(x, -5), derive, positive=lt(0, x), apart=apart)


@refused("is false where its hypotheses seem to hold")
def a_sum_beside_such_a_family():
    total = Sum(a[i], (i, 0, n - 1))

    def derive(K):
        K.example({n: 1, a: (Rational(1, 10**12),)})
        wrong = K.at(K.given("apart"), lambda _: Rational(1, 7))
        return K.cert(le(total, -5), ((5 + total) / a[0], wrong))

    hypotheses = {
        "count": (IsInteger(n), le(1, n)),
        "positive": every(lt(0, a[i]), (i, 0, n - 1)),
        "apart": EveryFamily(w, le(a[0], (w[0] - Rational(1, 7)) ** 2)),
    }
    concludes(le(total, -5), derive, **hypotheses)


@refused("is false where its hypotheses seem to hold")
def an_entry_that_one_integer_contradicts():
    def derive(K):
        return K.cert(le(a[0], -5), ((5 + a[0]) / a[0], K.at(K.given("apart"), 57)))

    concludes(
        le(a[0], -5), derive, positive=lt(0, a[0]), apart=every(le(a[0], a[0] * (k - 57) ** 2), (k, 0, oo))
    )


@refused("drawn from a hypothesis at a place where that fails")
def an_entry_that_one_integer_contradicts_where_the_bound_is_true():
    def derive(K):
        return K.cert(le(a[0], 10), (2, K.at(K.given("apart"), 57)), (1, K.given("positive")))

    concludes(
        le(a[0], 10), derive, positive=lt(0, a[0]), apart=every(le(a[0], a[0] * (k - 57) ** 2), (k, 0, oo))
    )


@refused("drawn from a hypothesis at a place where that fails")
def a_family_that_no_draw_meets_where_the_bound_is_true():
    def derive(K):
        K.example({a: [Rational(1, 10**12)]})
        small = K.at(K.given("apart"), lambda _: Rational(1, 7))
        return K.cert(le(a[0], 10), (2, small), (1, K.given("positive")))

    (w,) = families("w")
    apart = EveryFamily(w, le(a[0], (w[0] - Rational(1, 7)) ** 2))
    concludes(le(a[0], 10), derive, positive=lt(0, a[0]), apart=apart)


@refused("is false where its hypotheses seem to hold")
def a_gap_that_falls_for_ever():
    """0 <= D_k and D_{k+1} <= D_k - c with c > 0 contradict each other, far beyond the places tried."""

    def below(place):
        return le(a[place], a[0] - x * place)

    def derive(K):
        K.index((k, 0, oo))
        step = K.cert(below(k + 1), (1, K.assume(below(k))), (1, K.at(K.given("step"), k)))
        always = K.induction(k, K.cert(below(0)), step)
        last, above = floor(a[0] / x), K.axiom("floor-above", a[0] / x)
        K.know(K.cert(lt(a[0], x * (last + 1)), (x, above)))
        K.know(K.axiom("floor-integer", a[0] / x))
        K.know(K.cert(le(0, last + 1), (1, above), (1, a[0] / x)))
        share = (5 + x) / (x * (last + 1) - a[0])
        gap, bound = K.at(K.given("gaps"), last + 1), K.at(always, last + 1)
        return K.cert(le(x, -5), (share, gap), (share, bound))

    hypotheses = {
        "gain": lt(0, x),
        "gaps": every(le(0, a[k]), (k, 0, oo)),
        "step": every(le(a[k + 1], a[k] - x), (k, 0, oo)),
    }
    concludes(le(x, -5), derive, **hypotheses)


@refused("is said of no j at the instance")
def relation_over_a_range_that_is_empty_for_all_sizes():
    def derive(K):
        K.index((j, n, n - d - 1))
        low, high = K.assume(le(n, j)), K.assume(le(j, n - d - 1))
        wrong = K.cert(le(x, x - 1), (1 / (d + 1), low), (1 / (d + 1), high))
        K.conclude("main", K.every(wrong, (j, n, n - d - 1)))

    sizes = {"n": (IsInteger(n), le(1, n)), "d": (IsInteger(d), le(1, d))}
    proved(said(x, "<=", x - 1, (j, n, n - d - 1)), derive, **sizes)
