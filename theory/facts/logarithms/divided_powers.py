r"""Divided powers $t_i(x)=x^i/i!$: their recursion, and the largest of them.

$i!$ is a family $F$ with $F_0=1$ and $F_i>0$, which must be known, and `rises`: $F_{i+1}=(i+1)F_i$ for all i.
"""

from typing import Any

from sympy import Integer, Max, Symbol, oo

from theory.formula import IsInteger, eq, le

i, j, m, x, y, back, place = (
    Symbol(f"divided_{name}", real=True) for name in ("i", "j", "m", "x", "y", "back", "place")
)


def next_power(K: Any, F: Any, rises: Any, base: Any) -> Any:
    r"""Return $(i+1)t_{i+1}(x)=xt_i(x)$ for every i; the base must be known to be at least 0."""
    K.index((i, 0, oo))
    term = (i + 1) * base ** (i + 1) / F[i + 1]
    found = K.rewrite(K.identity(term, term), K.at(rises, i), side="right")
    return K.every(K.cert(eq(term, base * base**i / F[i]), (1, found)), (i, 0, oo))


def largest_power(K: Any, F: Any, rises: Any) -> Any:
    r"""Return $t_i(y)\le t_y(y)$ for integers $i,y\ge0$, `place` and `y`: it rises to $i=y$, then falls."""
    # All of it is known of fresh names only, so that nothing else rests on it.
    for name in (y, place, back):
        K.know(K.assume(IsInteger(name)), K.assume(le(0, name)))

    def power(at: Any) -> Any:
        return y**at / F[at]

    def fallen(count: Any) -> Any:
        return le(power(y + count), power(y))

    def risen(count: Any) -> Any:
        return le(power(Max(0, y - count)), power(y))

    following = next_power(K, F, rises, y)
    step = K.cert(
        fallen(i + 1),
        (1, K.assume(fallen(i))),
        (1 / (y + i + 1), K.at(following, y + i)),
        ((i + 1) / (y + i + 1), power(y + i)),
    )
    falls = K.at(K.induction(i, K.cert(fallen(0)), step), place - y)

    here, rest = K.assume(risen(back)), y - back - 1
    less = K.cert(le(rest, 0), (1, K.assume(le(y - back, 0))), (1, Integer(1)))
    before = _at_maximum(K, F, y, rest, 0, proof=less), _at_maximum(K, F, y, y - back, 0)
    start = K.cert(risen(back + 1), (1, here), (1, before[0]), (-1, before[1]))
    gap = K.cert(le(0, rest), (1, K.axiom("integer-gap", 0, y - back)))
    inside = K.cert(
        risen(back + 1),
        (1, here),
        (1, K.discharge(K.instantiate(_rising(K, F, rises), {x: y, j: rest}), gap)),
    )
    first = K.cert(risen(0), (1, _at_maximum(K, F, y, 0, y)))
    rising = K.at(K.induction(back, first, K.cases(y - back, start, inside)), y - place)
    up = K.cert(le(power(place), power(y)), (1, rising), (-1, _at_maximum(K, F, y, 0, place)))
    return K.cases(place - y, up, falls)


def _at_maximum(K: Any, F: Any, base: Any, *places: Any, proof: Any = None) -> Any:
    """Return the power at the maximum of two places, of which the second is larger."""
    equation, at = K.axiom("max-is-right", *places), Max(*places)
    equation, term = equation if proof is None else K.discharge(equation, proof), base**at / F[at]
    return K.rewrite(K.identity(term, term), equation, side="right")


def _rising(K: Any, F: Any, rises: Any) -> Any:
    r"""Return $t_j(x)\le t_{j+1}(x)$ for $0\le j$, $j+1\le x$, at the maxima of 0 and these places."""
    K.know(K.assume(IsInteger(j)), K.assume(le(0, j)), K.assume(le(j + 1, x)))
    less, more = (x ** Max(0, at) / F[Max(0, at)] for at in (j, j + 1))
    return K.cert(
        le(less, more),
        (1, _at_maximum(K, F, x, 0, j)),
        (-1, _at_maximum(K, F, x, 0, j + 1)),
        (-1 / (j + 1), K.at(next_power(K, F, rises, x), j)),
        ((x - j - 1) / (j + 1), x**j / F[j]),
    )
