r"""Linear recursions: $r_{k+1}\le qr_k+c$ with $0\le q<1\le c+1$ gives $r_k\le q^kr_0+\frac c{1-q}$."""

from typing import Any

from theory.formula import le


def linear_recursion(K: Any, r: Any, k: Any, q: Any, c: Any, step: Any) -> Any:
    r"""Return it for all integers $k\ge0$ from `step`, $r_{k+1}\le qr_k+c$ (as `every` or at the index `k`).

    `r` is an indexed family; $0\le q<1$ and $0\le c$ must be known. `c` may be 0.
    """

    def bound(at: Any) -> Any:
        return le(r[at], q**at * r[0] + c / (1 - q))

    before = K.assume(bound(k))
    after = K.cert(bound(k + 1), (1, step), (q, before))
    return K.induction(k, K.cert(bound(0), (1, c / (1 - q))), after)
