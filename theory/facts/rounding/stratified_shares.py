r"""Shares $\varphi_k(t)=\max\{0,\min\{1,t-k\}\}$ of a level $t$ in the cells $k=0,\dots,n-1$.

They add up to $t$. $\sum_k\varphi_k(s)\varphi_k(t)$ is $\min(s,t)$, less
$\min(\alpha,\beta)(1-\max(\alpha,\beta))$ where both levels are in one cell, $\alpha=\{s\}$, $\beta=\{t\}$.
"""

from typing import Any

from sympy import Expr, Integer, KroneckerDelta, Max, Min, Sum, Symbol, floor

from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt

_ZERO, _ONE = Integer(0), Integer(1)


def share(t: Any, k: Any) -> Expr:
    """Return the share of a level in a cell."""
    return Max(0, Min(1, t - k))


def within(s: Any, t: Any) -> Expr:
    r"""Return $\min(\alpha,\beta)(1-\max(\alpha,\beta))$ in a common cell, 0 in different ones."""
    alpha, beta = s - floor(s), t - floor(t)
    return KroneckerDelta(floor(s), floor(t)) * Min(alpha, beta) * (1 - Max(alpha, beta))


def share_cases(K: Any, t: Any, k: Any) -> tuple[Any, Any, Any]:
    r"""Return that the share is 0 under $t\le k$, $t-k$ under $k\le t\le k+1$, and 1 under $k+1\le t$."""
    x, value = t - k, share(t, k)
    low = K.axiom("min-is-left", x, _ONE)
    inside = K.rewrite(K.identity(value, value), low, side="right")
    nothing = K.cert(eq(value, 0), (1, inside), (1, K.axiom("max-is-right", x, _ZERO)))
    nothing = K.discharge(nothing, K.cert(le(x, 1), (1, K.assume(le(x, 0)))))
    part = K.cert(eq(value, x), (1, inside), (1, K.axiom("max-is-right", _ZERO, x)))
    high = K.rewrite(K.identity(value, value), K.axiom("min-is-left", _ONE, x), side="right")
    whole = K.cert(eq(value, 1), (1, high), (1, K.axiom("max-is-right", _ZERO, _ONE)))
    return nothing, part, whole


def total_share(K: Any, t: Any, k: Any, n: Any) -> Any:
    r"""Return $\sum_{k=0}^{n-1}\varphi_k(t)=t$ under $0\le t\le n$, for a known integer $n\ge1$."""
    level, cell = Symbol("share_level", real=True), Symbol("share_cell", real=True)
    nothing, part, whole = share_cases(K, level, cell)
    step = Max(0, level - cell) - Max(0, level - cell - 1)
    x = level - cell
    zero, one = K.axiom("max-is-right", x, _ZERO), K.axiom("max-is-right", x - 1, _ZERO)
    up, up_one = K.axiom("max-is-right", _ZERO, x), K.axiom("max-is-right", _ZERO, x - 1)
    goal = eq(share(level, cell), step)
    below = K.cert(goal, (1, nothing), (-1, zero), (1, one))
    below = K.discharge(below, K.cert(le(x - 1, 0), (1, K.assume(le(x, 0)))))
    inside = K.cert(goal, (1, part), (-1, up), (1, one))
    above = K.cert(goal, (1, whole), (-1, up), (1, up_one))
    above = K.discharge(above, K.cert(le(0, x), (1, K.assume(lt(0, x - 1)))))
    each = K.cases(x, below, K.cases(x - 1, inside, above))
    each = K.instantiate(each, {level: t, cell: k})
    ends = telescoping_sum(K, -Max(0, t - k), k, n)
    first, last = K.axiom("max-is-right", _ZERO, t), K.axiom("max-is-right", t - n, _ZERO)
    total = K.sum_over(each, (k, 0, n - 1))
    return K.cert(eq(Sum(share(t, k), (k, 0, n - 1)), t), (1, total), (1, ends), (1, first), (-1, last))


def shared(K: Any, s: Any, t: Any, k: Any, n: Any) -> Any:
    r"""Return $\sum_{k=0}^{n-1}\varphi_k(s)\varphi_k(t)$ for levels in $[0,n]$, a known integer $n\ge1$."""
    first, second = (Symbol(f"shared_{name}", real=True) for name in ("first", "second"))
    K.know(*(K.assume(item) for x in (first, second) for item in (le(0, x), le(x, n))))
    ordered = _shared_in_order(K, first, second, k, n)
    turned = K.instantiate(ordered, {first: second, second: first})
    goal = eq(
        Sum(share(first, k) * share(second, k), (k, 0, n - 1)), Min(first, second) - within(first, second)
    )
    one = K.cert(goal, (1, ordered), (-1, K.axiom("min-is-left", first, second)))
    two = K.cert(goal, (1, turned), (-1, K.axiom("min-is-left", second, first)))
    return K.instantiate(K.cases(first - second, one, two), {first: s, second: t})


def _shared_in_order(K: Any, s: Any, t: Any, k: Any, n: Any) -> Any:
    """Return it for known levels under s <= t: only a common cell has shares between 0 and 1 of both."""
    A, order = floor(s), K.assume(le(s, t))
    f = share(s, k) * (1 - share(t, k))
    below, above = K.axiom("floor-below", s), K.axiom("floor-above", s)
    K.know(K.axiom("floor-integer", s), K.axiom("floor-integer", t), K.floor(K.assume(le(0, s))))
    K.know(K.cert(le(A, n), (1, below), (1, K.assume(le(s, n)))))
    full, empty = share_cases(K, t, k)[2], share_cases(K, s, k)[0]
    full = K.discharge(full, K.cert(le(1, t - k), (1, K.assume(le(k, A - 1))), (1, below), (1, order)))
    empty = K.discharge(empty, K.cert(le(s - k, 0), (1, above), (1, K.assume(le(A + 1, k)))))
    sides = (
        K.sum_over(K.cert(eq(f, 0), (-share(s, k), full)), (k, 0, A - 1)),
        K.sum_over(K.cert(eq(f, 0), (1 - share(t, k), empty)), (k, A + 1, n)),
    )
    here = _in_cell(K, s, t, order)
    total = Sum(f, (k, 0, n))
    outside = K.instantiate(share_cases(K, s, k)[0], {k: n})
    last = K.cert(eq(f.subs(k, n), 0), (1 - share(t, n), outside))
    rest = K.cert(
        eq(Sum(f, (k, 0, n - 1)), within(s, t)),
        (-1, K.split_off(total)),
        (-1, last),
        (1, K.split_off(total, A)),
        (1, here),
        *((1, side) for side in sides),
    )
    return K.cert(
        eq(Sum(share(s, k) * share(t, k), (k, 0, n - 1)), s - within(s, t)),
        (1, total_share(K, s, k, n)),
        (-1, rest),
    )


def _in_cell(K: Any, s: Any, t: Any, order: Any) -> Any:
    r"""Return $\varphi_A(s)(1-\varphi_A(t))$ for the cell A of s, under s <= t."""
    A, B = floor(s), floor(t)
    alpha, beta, delta = s - A, t - B, KroneckerDelta(A, B)
    own = K.discharge(
        share_cases(K, s, A)[1],
        K.cert(le(0, s - A), (1, K.axiom("floor-below", s))),
        K.cert(le(s - A, 1), (1, K.axiom("floor-above", s))),
    )
    goal = eq(share(s, A) * (1 - share(t, A)), within(s, t))
    low, high = K.floor(order), K.assume(le(B - A, 0))
    top = K.discharge(K.axiom("max-is-right", A, B), low)
    same = K.cert(eq(B, A), (-1, top), (1, K.axiom("max-is-right", B, A)))
    one = K.rewrite(K.identity(delta, delta), same, side="right")
    one = K.cert(eq(delta, 1), (1, one), (1, K.axiom("delta-same", A)))
    other = K.discharge(
        share_cases(K, t, A)[1],
        K.cert(le(0, t - A), (1, order), (1, K.axiom("floor-below", s))),
        K.cert(le(t - A, 1), (1, K.axiom("floor-above", t)), (1, high)),
    )
    fractions = K.cert(le(alpha, beta), (1, order), (1, high))
    least = K.discharge(K.axiom("min-is-left", alpha, beta), fractions)
    most = K.discharge(K.axiom("max-is-right", alpha, beta), fractions)
    together = K.cert(
        goal,
        (1 - share(t, A), own),
        (-alpha, other),
        (-Min(alpha, beta) * (1 - Max(alpha, beta)), one),
        (-(1 - Max(alpha, beta)), least),
        (alpha, most),
        (-alpha, same),
    )
    small, large = (Symbol(f"cell_{name}", real=True) for name in ("small", "large"))
    K.know(K.assume(lt(small, large)))
    none = K.instantiate(K.axiom("delta-other", small, large), {small: A, large: B})
    gap = K.axiom("integer-gap", A, B)
    full = K.discharge(
        share_cases(K, t, A)[2], K.cert(le(1, t - A), (1, gap), (1, K.axiom("floor-below", t)))
    )
    apart = K.cert(goal, (-share(s, A), full), (-Min(alpha, beta) * (1 - Max(alpha, beta)), none))
    return K.cases(B - A, together, apart)


def shares_ordered(K: Any, s: Any, t: Any, k: Any, other: Any) -> Any:
    r"""Return $0\le(\varphi_k(s)-\varphi_m(s))(\varphi_k(t)-\varphi_m(t))$ for two cells: both fall."""
    u, v, first, second, x = (
        Symbol(f"ordered_{name}", real=True) for name in ("u", "v", "first", "second", "x")
    )
    K.know(K.assume(le(0, u)), K.assume(le(0, v)))
    product = K.sign(le(0, u * v))
    least = Min(1, x - second)
    below = K.cert(
        le(least, x - first),
        (1, K.axiom("min-below-right", _ONE, x - second)),
        (1, K.assume(le(first, second))),
    )
    above = K.discharge(
        K.axiom("min-greatest", _ONE, x - first, least), K.axiom("min-below-left", _ONE, x - second), below
    )
    inner = K.cert(
        le(least, share(x, first)), (1, above), (1, K.axiom("max-above-right", _ZERO, Min(1, x - first)))
    )
    falls = K.discharge(K.axiom("max-least", _ZERO, least, share(x, first)), inner)
    sides = []
    for one, two in ((k, other), (other, k)):
        steps = [
            K.cert(
                le(0, share(level, one) - share(level, two)),
                (1, K.instantiate(falls, {x: level, first: one, second: two})),
            )
            for level in (s, t)
        ]
        both = K.instantiate(product, {u: share(s, one) - share(s, two), v: share(t, one) - share(t, two)})
        goal = le(0, (share(s, k) - share(s, other)) * (share(t, k) - share(t, other)))
        sides.append(K.cert(goal, (1, K.discharge(both, *steps))))
    return K.cases(k - other, *sides)
