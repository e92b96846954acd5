r"""$\frac{2(y-1)}{y+1}\le\ln y$ for $y\ge1$: the hyperbolic tangent at half of $\ln y$."""

from typing import Any

from sympy import log

from theory.facts.logarithms.hyperbolic_tangent import tangent_below, x
from theory.formula import le


def logarithm_above(K: Any, ratio: Any) -> Any:
    """Return it at a ratio; that it is at least 1 must be known, or is left as a hypothesis."""
    K.know(K.cert(le(0, log(ratio)), (1, K.log(K.assume(le(1, ratio))))))
    found = K.instantiate(tangent_below(K), {x: log(ratio)})
    return K.rewrite(found, K.axiom("exp-log", ratio))
