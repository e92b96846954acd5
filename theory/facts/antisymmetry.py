r"""From $a\le b$ and $b\le a$ conclude $a=b$: both are $\max(a,b)$."""

from typing import Any

from theory.formula import eq


def antisymmetry(K: Any, left: Any, right: Any, below: Any, above: Any) -> Any:
    """Return `left = right` from theorems that conclude `left <= right` and `right <= left`."""
    is_right = K.discharge(K.axiom("max-is-right", left, right), below)
    is_left = K.discharge(K.axiom("max-is-right", right, left), above)
    return K.cert(eq(left, right), (-1, is_left), (1, is_right))
