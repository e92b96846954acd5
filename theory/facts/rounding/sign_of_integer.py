r"""The indicator $\delta_{n0}$ of an integer $n$: 1 where $n\le0\le n$, 0 where $n>0$ or $n<0$."""

from typing import Any

from sympy import Integer, KroneckerDelta, Symbol

from theory.formula import eq, le, lt


def indicator_of_zero(K: Any, term: Any) -> Any:
    r"""Return $\delta_{n0}=1$ under $n\le0$ and $0\le n$."""
    zero, delta = Integer(0), KroneckerDelta(term, 0)
    one, two = K.axiom("max-is-right", term, zero), K.axiom("max-is-right", zero, term)
    same = K.rewrite(K.identity(delta, delta), K.cert(eq(term, 0), (-1, two), (1, one)), side="right")
    return K.cert(eq(delta, 1), (1, same), (1, K.axiom("delta-same", zero)))


def indicator_of_others(K: Any, term: Any) -> tuple[Any, Any]:
    r"""Return $\delta_{n0}=0$ under $0<n$, and under $n<0$."""
    up, down = (Symbol(f"integer_{name}", real=True) for name in ("up", "down"))
    # Known of fresh names only, so that nothing else rests on it.
    K.know(K.assume(lt(0, up)), K.assume(lt(down, 0)))
    return tuple(
        K.instantiate(K.axiom("delta-other", fresh, Integer(0)), {fresh: term}) for fresh in (up, down)
    )


def nonzero_below(K: Any, term: Any, bound: Any, zero: Any, above: Any, below: Any) -> Any:
    r"""Return $1-\delta_{n0}\le b$ from $0\le b$, from $1\le b$ under $1\le n$, and from it under $n\le-1$.

    Args:
        K: Kernel.
        term: The integer n.
        bound: The bound b.
        zero: Theorem or expression that is at least 0 by its form: $b$.
        above: Function from the theorem $1\le n$ to terms of a certificate of $1\le b$.
        below: The same from $n+1\le0$.
    """
    goal = le(1 - KroneckerDelta(term, 0), bound)
    rises, falls = indicator_of_others(K, term)
    gap_up, gap_down = K.axiom("integer-gap", Integer(0), term), K.axiom("integer-gap", term, Integer(0))
    equal = K.cert(goal, (-1, indicator_of_zero(K, term)), (1, zero))
    high = K.cert(goal, (-1, rises), *above(gap_up))
    low = K.cert(goal, (-1, falls), *below(gap_down))
    return K.cases(term, K.cases(-term, equal, low), high)


def integer_below_square(K: Any, term: Any) -> Any:
    """Return that an integer is at most its square."""
    goal = le(term, term**2)
    gap = K.axiom("integer-gap", Integer(0), term)
    return K.cases(
        term,
        K.cert(goal, (1, term**2), (1, K.assume(le(term, 0)))),
        K.cert(goal, (1, gap), (1, (term - 1) ** 2)),
    )
