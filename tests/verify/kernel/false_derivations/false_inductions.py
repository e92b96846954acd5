"""False derivations: induction."""

from __future__ import annotations

from claims import families, proved, refused, said, symbols
from sympy import oo

from theory.formula import IsInteger, every, le, lt
from verify.kernel.kernel import Kernel

c, q, k = symbols("c q k")
(r,) = families("r")


def _geometric(K: Kernel, factor, *, base=None, low=0):
    step = K.cert(
        le(r[k + 1], factor ** (k + 1) * r[0]),
        (1, K.at(K.given("step"), k)),
        (factor, K.assume(le(r[k], factor**k * r[0]))),
    )
    start = K.cert(le(r[0], factor**0 * r[0])) if base is None else base
    K.conclude("main", K.induction(k, start, step, low))


def _rate(factor):
    return said(r[k], "<=", factor**k * r[0], (k, 0, oo))


@refused("the base is")
def induction_with_a_wrong_base():
    def derive(K):
        _geometric(K, q, base=K.cert(le(r[0], 2 * r[0]), (1, K.given("start"))))

    proved(_rate(q), derive, step=every(le(r[k + 1], q * r[k]), (k, 0, oo)), q=lt(0, q), start=le(0, r[0]))


@refused("rests on what is not stated: for k = 0..infinity: r[1 + k] <= q*r[k]")
def induction_with_a_step_from_one():
    def derive(K):
        K.index((k, 0, oo))
        _geometric_assumed(K)

    proved(_rate(q), derive, step=every(le(r[k + 1], q * r[k]), (k, 1, oo)), q=lt(0, q))


def _geometric_assumed(K):
    step = K.cert(
        le(r[k + 1], q ** (k + 1) * r[0]),
        (1, K.assume(le(r[k + 1], q * r[k]))),
        (q, K.assume(le(r[k], q**k * r[0]))),
    )
    K.conclude("main", K.induction(k, K.cert(le(r[0], q**0 * r[0])), step))


@refused("rests on what is not stated: for k = 0..infinity: 1 <= k")
def induction_with_a_place_from_one():
    def derive(K):
        _geometric(K, q)

    proved(_rate(q), derive, step=every(le(r[k + 1], q * r[k]), (k, 1, oo)), q=lt(0, q))


@refused("the multiplier of a certificate: 0 <= q is not known")
def induction_with_a_factor_of_unknown_sign():
    proved(_rate(q), lambda K: _geometric(K, q), step=every(le(r[k + 1], q * r[k]), (k, 0, oo)))


@refused("rests on what is not stated")
def induction_with_another_hypothesis():
    def derive(K):
        step = K.cert(le(r[k + 1], c), (1, K.at(K.given("step"), k)), (1, K.assume(le(r[k] + 1, c))))
        K.conclude("main", K.induction(k, K.given("start"), step))

    step = every(le(r[k + 1], r[k] + 1), (k, 0, oo))
    proved(said(r[k], "<=", c, (k, 0, oo)), derive, step=step, start=le(r[0], c))


@refused("the base of the induction mentions k")
def induction_whose_base_is_at_the_index():
    def derive(K):
        step = K.cert(le(r[k + 1], c), (1, K.at(K.given("step"), k)), (1, K.assume(le(r[k], c))))
        K.conclude("main", K.induction(k, K.assume(le(r[k], c)), step))

    proved(
        said(r[k], "<=", c, (k, 0, oo)), derive, step=every(le(r[k + 1], r[k]), (k, 0, oo)), here=le(r[k], c)
    )


@refused("rests on what is not stated: for k = 0..infinity: k <= 5")
def induction_with_a_step_for_small_indices():
    def derive(K):
        step = K.cert(le(k + 1, 6), (1, K.assume(le(k, 5))))
        K.conclude("main", K.induction(k, K.cert(le(0, 6)), step))

    proved(said(k, "<=", 6, (k, 0, oo)), derive, k=IsInteger(k))
