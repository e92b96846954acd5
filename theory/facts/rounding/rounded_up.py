r"""Rounding a quotient up: $\lceil d/T\rceil=N$, $N=1+\lfloor(d-1)/T\rfloor$, $(N-1)T<d\le NT$."""

from typing import Any

from sympy import ceiling, floor

from theory.formula import eq, le, lt


def rounded_up(K: Any, d: Any, T: Any) -> tuple[Any, Any, Any]:
    r"""Return $(N-1)T<d$, $d\le NT$ and $\lceil d/T\rceil=N$ for $d$, $T$ known to be integers from 1 on."""
    N, below = 1 + floor((d - 1) / T), K.axiom("floor-below", (d - 1) / T)
    before = K.cert(lt((N - 1) * T, d), (T, below))
    above = K.cert(lt(d - 1, N * T), (T, K.axiom("floor-above", (d - 1) / T)))
    enough = K.discharge(K.axiom("integer-gap", d - 1, N * T), above)
    up, down = K.cert(le(-N, -d / T), (1 / T, enough)), K.cert(lt(-d / T, -N + 1), (1 / T, before))
    unique = K.discharge(K.axiom("floor-unique", -d / T, -N), up, down)
    return before, K.cert(le(d, N * T), (1, enough)), K.cert(eq(ceiling(d / T), N), (-1, unique))
