r"""The communication of MARINA at the best probability of a full round, relative to gradient descent.

$$\psi(A,c)=\min_{p\in(0,1]}\big(p+(1-p)c\big)\Big(1+\sqrt{\tfrac{1-p}pA}\Big)\le1$$ for the noise $A$ of the
compressor and its message $c$ in units of an uncompressed one; `theory` states it in `cq_marina/comm-ratio`.
"""

import math
from dataclasses import dataclass

from impl.errors import Problems


@dataclass(frozen=True)
class Best:
    """The smallest cost and where it is taken.

    Args:
        value: psi(A, c).
        probability: The minimiser p, 1 where full rounds only are best, and 0 for A = 0 and c < 1, where the
            infimum c is not taken.
    """

    value: float
    probability: float


def cost(A: float, c: float, p: float) -> float:
    """Return the cost at the probability p of a full round."""
    return (p + (1 - p) * c) * (1 + math.sqrt((1 - p) / p * A))


def psi(A: float, c: float) -> Best:
    r"""Return the smallest cost over p, to the last digits of float64.

    With $t=\sqrt{(1-p)/p}$ and $s=\sqrt A$ the cost is $(1+ct^2)(1+st)/(1+t^2)$. At t = 0 it is 1 and rises;
    it falls below 1 between the roots $t_1\le t_2$ of $cst^2-(1-c)t+s$, if there are any, and its one minimum
    between them is the root of $cst^4-(1-3c)st^2-2(1-c)t+s$ there. So p jumps to 1 where they meet.

    Args:
        A: Noise, at least 0: $V\le A\|\Delta\|^2$ at zero Hessian variance.
        c: Length of a compressed message relative to an uncompressed one, in (0, 1].

    Raises:
        ArgumentError: A or c is outside its range.
    """
    problems = Problems("psi")
    problems.require(A >= 0 and math.isfinite(A), f"A={A!r} must be finite and at least 0")
    problems.require(0 < c <= 1, f"c={c!r} must be in (0, 1], the share of an uncompressed message")
    problems.raise_if_any()
    if A == 0:
        return Best(c, 0.0 if c < 1 else 1.0)
    s = math.sqrt(A)
    discriminant = (1 - c) ** 2 - 4 * c * A
    if discriminant <= 0:
        return Best(1.0, 1.0)
    last = (1 - c + math.sqrt(discriminant)) / (2 * c * s)
    t = _minimiser(c, s, 1 / (c * last), last)
    value = (1 + c * t * t) / (1 + t * t) * (1 + s * t)
    return Best(min(value, 1.0), 1 / (1 + t * t))


def _minimiser(c: float, s: float, low: float, high: float) -> float:
    from scipy.optimize import brentq

    def slope(log: float) -> float:
        # Divided by t^2, whose fourth power could overflow.
        t = math.exp(log)
        return c * s * t * t - (1 - 3 * c) * s - 2 * (1 - c) / t + s / t / t

    ends = math.log(low), math.log(high)
    # Where the roots all but meet, round-off can hide the change of sign between them.
    if slope(ends[0]) >= 0 or slope(ends[1]) <= 0:
        return math.sqrt(low * high)
    return math.exp(brentq(slope, *ends, xtol=2.0**-52, rtol=2.0**-50))
