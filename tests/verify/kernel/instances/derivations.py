"""True derivations that use every rule, for attacks on the theorems that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dcgd
from claims import claim, families, said, symbols
from sympy import Abs, KroneckerDelta, Max, Min, Rational, Sum, exp, floor, log, oo, sqrt

from theory.claim import Claim
from theory.expectation import E, bernoulli
from theory.formula import EveryFamily, IsInteger, eq, every, le, lt, ne
from verify.kernel.kernel import Kernel

x, y, z, c, q, p, n, d, m, k, i, j, l = symbols("x y z c q p n d m k i j l")
a, b, e, v, w, r = families("a b e v w r")
NODES = (i, 0, n - 1)
SIZE = (IsInteger(n), le(1, n))

DERIVATIONS: dict[str, tuple[Claim, Callable[[Kernel], Any]]] = {"dcgd": (dcgd.dcgd(), dcgd.derive)}


def derivation(**hypotheses: Any) -> Callable[[Callable[[Kernel], Any]], Callable[[Kernel], Any]]:
    """Register a derivation under hypotheses; what it makes is attacked, its relation is not concluded."""

    def register(function: Callable[[Kernel], Any]) -> Callable[[Kernel], Any]:
        DERIVATIONS[function.__name__] = (claim(said(0, "<=", 0), **hypotheses), function)
        return function

    return register


@derivation(n=SIZE)
def cauchy_schwarz(K):
    total, square = Sum(a[i] * b[i], NODES), Sum(a[i] ** 2, NODES) * Sum(b[i] ** 2, NODES)
    pairs = Sum((a[i] * b[j] - a[j] * b[i]) ** 2, NODES, (j, 0, n - 1))
    K.cert(le(total**2, square), (Rational(1, 2), pairs))


@derivation(q=(lt(0, q), le(q, 1)), step=every(le(r[k + 1], q * r[k] + c), (k, 0, oo)), c=le(0, c))
def recursion(K):
    before = K.assume(le(r[k], q**k * r[0] + c * k))
    K.index((k, 0, oo))
    after = le(r[k + 1], q ** (k + 1) * r[0] + c * (k + 1))
    step = K.cert(after, (1, K.at(K.given("step"), k)), (q, before), (c * k, K.given("q", 1)))
    rate = K.induction(k, K.cert(le(r[0], r[0])), step)
    K.at(rate, 3)
    K.instantiate(K.at(rate, m), {m: m + 1})


@derivation(n=SIZE, v=every(le(0, v[i]), NODES))
def laws(K):
    K.identity(E(Sum(w[i] * b[i], NODES) ** 2, b, NODES, mean=0, variance=v[i]), Sum(w[i] ** 2 * v[i], NODES))
    K.identity(
        E((x - Sum(b[i], NODES) / n) ** 2, b, NODES, mean=a[i], variance=v[i]),
        (x - Sum(a[i], NODES) / n) ** 2 + Sum(v[i], NODES) / n**2,
    )
    inner = E(Sum(e[l], (l, 0, n - 1)) ** 2, e, (l, 0, n - 1), mean=b[l], variance=1)
    K.identity(E(inner, b, NODES, mean=0, variance=v[i]), n + Sum(v[i], NODES))
    K.sign(le(0, E(b[0] ** 2, b, NODES, mean=0, variance=v[i])))


@derivation(p=(lt(0, p), le(p, 1)), n=SIZE)
def sparsifier(K):
    law = bernoulli((b[0] / p - 1) ** 2 * x**2, b, NODES, p=p)
    exact = K.identity(law, (1 / p - 1) * x**2)
    K.cert(le(0, law), (-1, exact), (x**2 / p, K.given("p", 1)))
    K.cert(lt(0, 1 / p), (1 / p, K.given("p", 0)), (1, 1 / p - 1))


@derivation(x=le(0, x), y=lt(0, y), order=le(x, y))
def roots(K):
    half = Rational(1, 2)
    root = K.power(K.given("order"), half)
    K.cert(le(sqrt(x) * 3, 3 * sqrt(y) + Abs(z)), (3, root), (1, K.axiom("abs-nonnegative", z)))
    K.axiom("root-product", x, y, half)
    K.axiom("power-product", y, y + 1, half)
    K.axiom("root-root", x, half, half)
    K.axiom("power-power", y, -half, 3)
    K.identity((sqrt(x) + sqrt(y)) ** 2, x + y + 2 * sqrt(x) * sqrt(y))
    K.identity(sqrt(x) ** 3 / sqrt(x + y) ** 2, x * sqrt(x) / (x + y))
    K.sign(lt(0, sqrt(x + y)))
    K.power(K.cert(lt(y, 1 + y)), -1)
    K.cert(le(2 * sqrt(x) * sqrt(y), x + y), (1, (sqrt(x) - sqrt(y)) ** 2))


@derivation(x=lt(0, x), y=lt(x, y))
def logarithms(K):
    K.log(K.given("y"))
    K.exp(K.given("y"))
    for name, arguments in {
        "log-product": (x, y), "log-power": (y, -2), "log-below": (x,), "log-exp": (z,), "exp-log": (x,),
        "exp-above": (z,), "exp-sum": (x, z),
    }.items():  # fmt: skip
        K.axiom(name, *arguments)
    product = K.axiom("log-product", x, y)
    K.rewrite(K.cert(le(log(x * y), x * y - 1), (1, K.axiom("log-below", x * y))), product)
    K.cert(le(log(y / x), y / x), (1, K.axiom("log-below", y / x)), (1, 1))


@derivation(k=IsInteger(k))
def maxima_and_floors(K):
    for name, arguments in {
        "max-above-left": (x, y), "max-above-right": (x, y), "max-least": (x, y, z), "max-is-right": (x, y),
        "min-below-left": (x, y), "min-below-right": (x, y), "min-greatest": (x, y, z), "min-is-left": (x, y),
        "floor-below": (x,), "floor-above": (x,), "floor-integer": (x,), "floor-unique": (x, k),
        "integer-gap": (k, m), "abs-above": (x,), "abs-below": (x,), "abs-of-nonnegative": (x,),
        "abs-of-nonpositive": (x,), "abs-product": (x, y), "delta-same": (x,), "delta-other": (x, y),
        "power-zero": (x,),
    }.items():  # fmt: skip
        K.axiom(name, *arguments)
    K.floor(K.axiom("floor-below", x))
    K.sign(le(0, Max(x, x**2)))
    K.identity(Max(x, y, z) + Min(y, x), Min(x, y) + Max(z, y, x))


@derivation(z=lt(0, z))
def cases(K):
    below = K.cert(le(x, Abs(x)), (1, K.assume(le(x, 0))), (1, K.axiom("abs-nonnegative", x)))
    above = K.cert(le(x, Abs(x)), (-1, K.axiom("abs-of-nonnegative", x)))
    joined = K.cases(x, below, above)
    K.instantiate(joined, {x: y / z})
    K.know(K.assume(le(0, x)))
    weak = K.cert(le(x * y, x), (x, K.assume(le(y, 1))))
    K.discharge(weak, K.cert(le(y, 1), (1, K.assume(le(y, 1 - x**2))), (1, x**2)))


@derivation(n=SIZE, positive=every(lt(0, a[i]), NODES), m=(IsInteger(m), le(0, m), le(m, n - 1)))
def sums_and_indices(K):
    K.index(NODES)
    total = Sum(a[i], NODES)
    K.sign(lt(0, total))
    K.sign(lt(0, Sum(b[i] ** 2 / a[i] + a[i], NODES)))
    K.split_off(total)
    at = K.split_off(total, m)
    K.cert(le(a[m], total), (-1, at), (1, Sum(a[i], (i, 0, m - 1))), (1, Sum(a[i], (i, m + 1, n - 1))))
    young = K.cert(le(2 * a[i] * b[i], a[i] ** 2 + b[i] ** 2), (1, (a[i] - b[i]) ** 2))
    summed = K.sum_over(young, NODES)
    K.instantiate(summed, {b: lambda t: a[t] + x, n: n + 1})
    K.every(young, NODES)
    K.sum_over(K.cert(lt(0, a[i] + b[i] ** 2), (1, K.at(K.given("positive"), i)), (1, b[i] ** 2)), NODES)
    K.identity(Sum(KroneckerDelta(i, j) * a[i] * b[j], NODES, (j, 0, n - 1)), Sum(a[i] * b[i], NODES))
    K.identity(Sum(Sum(a[i] * b[j] / a[i], NODES), (j, 0, n - 1)), n * Sum(b[i], NODES))
    K.identity(Sum(1 - KroneckerDelta(i, j), NODES, (j, 0, n - 1)), n**2 - n)
    K.identity(Sum(Sum(a[i], (i, 0, j)), (j, 0, n - 1)) * x, Sum(x * Sum(a[i], (i, 0, j)), (j, 0, n - 1)))
    K.identity(Sum((b[i] + 1) / (c * b[i] + c), NODES), n / c)
    K.identity(Sum(a[i + 1], (i, -1, n - 2)), total)


@derivation(n=SIZE, best=EveryFamily(w, le(x, Sum(w[i] ** 2, NODES) + y)), equal=eq(a[0], b[0]))
def families_and_rewriting(K):
    K.at(K.given("best"), lambda t: b[t] - a[t])
    K.rewrite(K.cert(le(a[0] ** 2, a[0] ** 2 + x**2), (1, x**2)), K.given("equal"))
    K.rewrite(K.identity(Sum(a[0] * b[i], NODES), a[0] * Sum(b[i], NODES)), K.given("equal"), "left")
    K.cite(le(log(x), x - 1), "A Book, Lemma 1", under=[lt(0, x)])
    K.smt([lt(0, x), le(x, 1)], le(x**3, x))
    K.sign(ne(1 + x**2, 0))
    K.axiom("floor-below", Sum(a[i], NODES) / n)
    K.cert(le(floor(x) + exp(y), x + exp(y)), (1, K.axiom("floor-below", x)))
