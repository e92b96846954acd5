r"""Tangents of $\log\frac y\epsilon$, continued by $\frac y\epsilon-1$ below $\epsilon$, are above it."""

from typing import Any

from sympy import Integer, log

from theory.formula import le, lt


def tangents(kernel: Any, y: Any, epsilon: Any, delta: Any) -> None:
    """Conclude the tangents at delta for y above and for y below epsilon."""
    given = kernel.given
    large = kernel.cert(lt(0, delta), (1, given("large")), (1, given("accuracies")))
    kernel.know(large, given("large"))
    below = kernel.cert(
        le(y / epsilon - 1, log(delta / epsilon) + y / delta - 1),
        (1, kernel.axiom("log-below", epsilon / delta)),
        (-1, kernel.axiom("log-power", delta / epsilon, Integer(-1))),
        ((delta - epsilon) / (epsilon * delta), given("below", 1)),
    )
    some = kernel.cert(lt(0, y), (1, given("above")), (1, given("accuracies")))
    kernel.know(some)
    product = kernel.axiom("log-product", y / delta, delta / epsilon)
    above = kernel.cert(
        le(log(y / epsilon), log(delta / epsilon) + y / delta - 1),
        (1, kernel.axiom("log-below", y / delta)), (1, product),
    )  # fmt: skip
    kernel.conclude("tangent-below", below)
    kernel.conclude("tangent-above", above)
