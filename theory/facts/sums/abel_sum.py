r"""Abel's inequality: $0\le\sum_jw_jz_j$ where $w$ falls to $w_{d-1}\ge0$ and all $\sum_{i\le j}z_i\ge0$."""

from typing import Any

from sympy import Sum, Symbol

from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import le


def abel_sum(K: Any, w: Any, z: Any, over: tuple[Any, Any, Any], falls: Any, last: Any, partial: Any) -> Any:
    r"""Return it for terms in the index of the range `over`, which is $0,\dots,d-1$.

    Args:
        K: Kernel; $d$ must be known to be an integer of at least 1.
        w: Term in the index.
        z: The same.
        over: Range of the index j, from 0.
        falls: Theorem $w_{j+1}\le w_j$ for j up to $d-2$.
        last: Theorem $0\le w_{d-1}$.
        partial: Theorem $0\le\sum_{i\le j}z_i$.
    """
    j, _, high = over
    i = Symbol(f"{j.name}2", real=True)
    sums = Sum(z.subs(j, i), (i, 0, j))
    after, total = j + 1, Sum(w * z, over)
    split = K.split_off(sums.subs(j, after))
    K.know(partial, last)
    step = K.cert(
        le(w.subs(j, after) * sums.subs(j, after) - w * sums, w.subs(j, after) * z.subs(j, after)),
        (sums, falls),
        (w.subs(j, after), split),
    )
    return K.cert(
        le(0, total),
        (1, K.sum_over(step, (j, 0, high - 1))),
        (-1, telescoping_sum(K, w * sums, j, high)),
        (-1, K.split_off(total, 0)),
        (w.subs(j, high), K.at(K.every(partial, over), high)),
    )
