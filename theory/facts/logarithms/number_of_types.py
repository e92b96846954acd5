r"""Types: $\frac{n^n}{n!}\le\binom{n+a-1}{a-1}\prod_b\frac{k_b^{k_b}}{k_b!}$ for $a$ counts $k_b$ in all $n$.

The factors of $\prod_bt_{i_b}(k_b)$ are largest at $i=k$, there are $\binom{m+a-1}{a-1}$ products with
$\sum_bi_b=m$, and they sum to $t_m(n)$; see `divided_powers` for the factorials $F$.
"""

from typing import Any

from sympy import IndexedBase, Integer, Max, Sum, Symbol, exp, log, oo

from theory.facts.logarithms.divided_powers import largest_power, next_power, place, y
from theory.formula import IsInteger, eq, every, le, lt

a, b, i, m, u, v, w = (Symbol(f"types_{name}", real=True) for name in "abimuvw")
LETTERS, TOTAL, COUNTS = a, m, IndexedBase("types_k", real=True)


def weight(count: Any) -> Any:
    r"""Return $k\ln k$, 0 for $k=0$."""
    return count * log(Max(count, 1))


def _number_of_types(F: Any, letters: Any, total: Any) -> Any:
    r"""Return $\binom{m+a-1}{a-1}$."""
    return F[total + letters - 1] / (F[letters - 1] * F[total])


def _own_power(K: Any, number: Any) -> Any:
    r"""Return $y^y=\exp(y\ln\max(y,1))$ for an integer $y\ge0$."""
    zero = Integer(0)
    at_zero = K.cert(eq(y, 0), (1, K.axiom("max-is-right", y, zero)), (-1, K.axiom("max-is-right", zero, y)))
    sides = [K.rewrite(K.identity(term, term), at_zero, side="right") for term in (y**y, exp(weight(y)))]
    none = K.cert(eq(y**y, exp(weight(y))), (1, sides[0]), (-1, sides[1]))
    # Known of a fresh name only, so that nothing else rests on it.
    K.know(K.assume(IsInteger(w)), K.assume(lt(0, w)))
    K.know(K.axiom("integer-gap", zero, w))
    term = exp(weight(w))
    logs = K.cert(
        eq(weight(w), log(w**w)),
        (w, K.rewrite(K.identity(weight(w) / w, weight(w) / w), K.axiom("max-is-right", 1, w), side="right")),
        (-1, K.axiom("log-power", w, w)),
    )
    found = K.rewrite(K.identity(term, term), logs, side="right")
    some = K.cert(eq(w**w, term), (-1, found), (-1, K.axiom("exp-log", w**w)))
    return K.instantiate(K.cases(y, none, K.instantiate(some, {w: y})), {y: number})


def _rewritten(K: Any, term: Any, *equations: Any) -> Any:
    """Return that a term is what the equations make of it."""
    found = K.identity(term, term)
    for equation in equations:
        found = K.rewrite(found, equation, side="right")
    return found


def _binomial_theorem(K: Any) -> Any:
    r"""Return $\sum_{i=0}^mX_iY_{m-i}=Z_m$ for every m.

    It rests on $X_0=Y_0=Z_0=1$, $(i+1)X_{i+1}=uX_i$, $(i+1)Y_{i+1}=vY_i$, $(i+1)Z_{i+1}=(u+v)Z_i$ for all i.
    """
    X, Y, Z = map(_family, "XYZ")
    start, steps = [], []
    for family, base in ((X, u), (Y, v), (Z, u + v)):
        start.append(K.assume(eq(family[0], 1)))
        steps.append(K.assume(every(eq((i + 1) * family[i + 1], base * family[i]), (i, 0, oo))))
    K.index((m, 0, oo))

    def total(term: Any, at: Any) -> Any:
        return Sum(term * X[i] * Y[at - i], (i, 0, at))

    lower, upper = total(i, m + 1), total(m + 1 - i, m + 1)
    left = K.cert(eq((i + 1) * X[i + 1] * Y[m - i], u * X[i] * Y[m - i]), (Y[m - i], K.at(steps[0], i)))
    right = K.cert(eq((m + 1 - i) * X[i] * Y[m + 1 - i], v * X[i] * Y[m - i]), (X[i], K.at(steps[1], m - i)))
    step = K.cert(
        eq(total(1, m + 1), Z[m + 1]),
        ((u + v) / (m + 1), K.assume(eq(total(1, m), Z[m]))),
        (-1 / (m + 1), K.at(steps[2], m)),
        (1 / (m + 1), K.split_off(lower, 0)),
        (1 / (m + 1), K.split_off(upper)),
        (1 / (m + 1), K.sum_over(left, (i, 0, m))),
        (1 / (m + 1), K.sum_over(right, (i, 0, m))),
    )
    none = K.cert(eq(total(1, 0), Z[0]), (Y[0], start[0]), (1, start[1]), (-1, start[2]))
    return K.induction(m, none, step)


def _pascal(K: Any, F: Any, rises: Any) -> Any:
    r"""Return $\sum_{i=0}^m\binom{i+a-1}{a-1}=\binom{m+a}a$ for every m, `a` an integer from 1 on."""

    def statement(at: Any) -> Any:
        return eq(Sum(_number_of_types(F, a, i), (i, 0, at)), _number_of_types(F, a + 1, at))

    next_total, next_letter, next_both = (K.at(rises, at) for at in (m, a - 1, m + a))
    step = K.cert(
        statement(m + 1),
        (1, K.assume(statement(m))),
        (1, K.split_off(statement(m + 1).left)),
        (1, _rewritten(K, _number_of_types(F, a, m + 1), next_total)),
        (1, _rewritten(K, _number_of_types(F, a + 1, m), next_letter)),
        (-1, _rewritten(K, _number_of_types(F, a + 1, m + 1), next_both, next_letter, next_total)),
    )
    return K.induction(m, K.cert(statement(0)), step)


def types_bound(K: Any, F: Any, rises: Any, first: Any) -> Any:
    r"""Return the logarithm of the inequality, without that of $n!$ on both sides.

    It is on fresh names, under $\sum_{b<a}k_b=m$: `LETTERS`, `TOTAL` and the family `COUNTS`, a natural
    number at every index from 0; `first` is $F_0=1$.
    """
    K.index((a, 1, oo), (m, 0, oo), (b, 0, oo), (i, 0, m))
    K.know(*(K.assume(every(item, (b, 0, oo))) for item in (IsInteger(COUNTS[b]), le(0, COUNTS[b]))))

    def power(base: Any, at: Any) -> Any:
        return base**at / F[at]

    def logs(letters: Any) -> Any:
        return Sum(weight(COUNTS[b]) - log(F[COUNTS[b]]), (b, 0, letters - 1))

    def counted(letters: Any) -> Any:
        return Sum(COUNTS[b], (b, 0, letters - 1))

    def statement(letters: Any) -> Any:
        most = _number_of_types(F, letters, m) * exp(logs(letters))
        return every(le(power(counted(letters), m), most), (m, 0, oo))

    def separate(letters: Any, before: Any) -> Any:
        r"""Return that the exponential takes the factor $k^k/k!$ of its last letter."""
        last, longer = COUNTS[letters], logs(letters + 1)
        inverse = K.rewrite(K.axiom("exp-log", 1 / F[last]), K.axiom("log-power", F[last], -1))
        return K.cert(
            eq(exp(longer), exp(before) * exp(weight(last)) / F[last]),
            (1, _rewritten(K, exp(longer), K.split_off(longer))),
            (1, K.axiom("exp-sum", before + weight(last), -log(F[last]))),
            (exp(before + weight(last)), inverse),
            (1 / F[last], K.axiom("exp-sum", before, weight(last))),
        )

    mode = K.rewrite(largest_power(K, F, rises), _own_power(K, y), side="right")
    one = K.cert(
        le(power(COUNTS[0], m), _number_of_types(F, 1, m) * exp(logs(1))),
        (1, K.instantiate(mode, {y: COUNTS[0], place: m})),
        (-1, separate(Integer(0), Integer(0))),
        (exp(logs(1)) / F[0], first),
    )
    total, more, rest = counted(a), COUNTS[a], exp(logs(a))
    bases = (total, more, total + more)
    powers = {_family(name): _power_of(F, base) for name, base in zip("XYZ", bases, strict=True)}
    sums = K.instantiate(_binomial_theorem(K), {**powers, u: total, v: more})
    sums = K.discharge(sums, *(next_power(K, F, rises, base) for base in bases))
    K.know(K.cert(le(0, a - 1 + i), (1, K.sign(le(1, a))), (1, i)))
    own = exp(weight(more)) / F[more]
    each = K.cert(
        le(power(total, i) * power(more, m - i), _number_of_types(F, a, i) * rest * own),
        (power(more, m - i), K.at(K.assume(statement(a)), i)),
        (_number_of_types(F, a, i) * rest, K.instantiate(mode, {y: more, place: m - i})),
    )
    most = _number_of_types(F, a + 1, m)
    step = K.cert(
        le(power(counted(a + 1), m), most * exp(logs(a + 1))),
        (1, _rewritten(K, power(counted(a + 1), m), K.split_off(counted(a + 1)))),
        (-1, K.at(sums, m)),
        (1, K.sum_over(each, (i, 0, m))),
        (rest * own, K.at(_pascal(K, F, rises), m)),
        (-most, separate(a, logs(a))),
    )
    found = K.at(K.induction(a, K.every(one, (m, 0, oo)), K.every(step, (m, 0, oo)), low=1), a, m)
    found = K.rewrite(found, K.assume(eq(total, m)), side="left")
    found, types = K.log(K.rewrite(found, _own_power(K, m), side="left")), _number_of_types(F, a, m)
    return K.cert(
        le(weight(m) + log(F[a - 1]), log(F[m + a - 1]) + logs(a)),
        (1, found),
        (-1, K.axiom("log-product", exp(weight(m)), 1 / F[m])),
        (-1, K.axiom("log-exp", weight(m))),
        (1, K.axiom("log-product", types, exp(logs(a)))),
        (1, K.axiom("log-exp", logs(a))),
        (1, K.axiom("log-product", F[m + a - 1], 1 / (F[a - 1] * F[m]))),
        (1, K.axiom("log-product", 1 / F[a - 1], 1 / F[m])),
        (1, K.axiom("log-power", F[a - 1], -1)),
    )


def _family(name: str) -> Any:
    return IndexedBase(f"types_{name}", real=True)


def _power_of(F: Any, base: Any) -> Any:
    return lambda at: base**at / F[at]
