r"""The rational number that all terms of a sum share: 2 of $2n-8$, 1/2 of $D-(t+\frac12)$."""

import functools
import itertools
import math
from fractions import Fraction

from theory.latex.nodes import Node

_MOST = 64


@functools.lru_cache(maxsize=10_000)
def content(node: Node) -> Fraction:
    """Return the largest number of which all terms of a sum, multiplied out, are integer multiples."""
    sizes = [size for size in _sizes(node) if size]
    if not sizes:
        return Fraction(1)
    below = math.lcm(*(size.denominator for size in sizes))
    return Fraction(math.gcd(*(int(size * below) for size in sizes)), below)


def _sizes(node: Node) -> list[Fraction]:
    """Return the sizes of the rational factors of the terms of a node; 1 for what is no sum of terms."""
    if node[0] == "number":
        return [abs(Fraction(node[1]))]
    if node[0] == "add":
        return [size for term in node[1:] for size in _sizes(term)]
    if node[0] == "mul":
        factors = list(map(_sizes, node[1:]))
        if math.prod(map(len, factors)) <= _MOST:
            return [math.prod(item, start=Fraction(1)) for item in itertools.product(*factors)]
    elif node[0] == "pow" and node[2][0] == "number" and node[2][1].denominator == 1:
        base, power = _sizes(node[1]), int(node[2][1])
        if len(base) == 1 and base[0] and abs(power) <= 1000:
            return [base[0] ** power]
    return [Fraction(1)]
