r"""$\frac{2(y-1)}{y+1}\le\ln y$ for $y\ge1$, cited."""

from typing import Any

from sympy import Symbol, log

from theory.formula import le


def logarithm_above(K: Any, ratio: Any) -> Any:
    """Return it at a ratio; that it is at least 1 stays a hypothesis."""
    y = Symbol("y", real=True)
    cited = K.cite(
        le(2 * (y - 1) / (y + 1), log(y)),
        "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 5.11: the difference grows from 0 "
        "at y = 1",
        under=(le(1, y),),
    )
    return K.instantiate(cited, {y: ratio})
