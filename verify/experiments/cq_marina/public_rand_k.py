"""RandK of MARINA as public code runs it on quadratics, and with the noise of the average.

Read from public code (BlackSamorez/MiniFL at a687565): d / n entries rounded up, the noise of one client, the
length of a one-bit message, and the probability that a search from one half finds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from impl.compressors import Independent, RandK
from verify.cq_marina.fixtures.joint.psi import cost
from verify.experiments.cq_marina.methods import FLOAT_BITS, Method, with_noise
from verify.experiments.cq_marina.quadratics import quadratic_method

LEAST, START = 1e-5, 0.5
"""Where the search of the code may go and begins."""
_HALVINGS = 100


@dataclass(frozen=True)
class Parameters:
    """What the code takes.

    Args:
        noise: A of the promised cost.
        length: c of a message.
        probability: p.
    """

    noise: float
    length: float
    probability: float

    @property
    def promise(self) -> float:
        """Return the promised cost, in units of whole gradients."""
        return cost(self.noise, self.length, self.probability)


def kept(n: int, d: int) -> int:
    """Return how many entries are sent."""
    return math.ceil(d / n)


def local_minimum(function: Callable[[float], float], low: float = LEAST, high: float = START) -> float:
    """Return where a function that falls from its upper end is smallest before it rises again."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_HALVINGS):
        first, second = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, second) if function(first) <= function(second) else (first, high)
    return (low + high) / 2


def parameters(noise: float, length: float) -> Parameters:
    """Return what the code takes for a noise and a length of a message."""
    return Parameters(noise, length, local_minimum(lambda p: cost(noise, length, p)))


def methods(n: int, public: Parameters) -> dict[str, Method]:
    """Return the methods on the quadratic of n clients, by the names in the tables of the claim."""
    ours = quadratic_method(n, "rand_k")
    L, entries = ours.constants.L_minus, kept(n, ours.problem.d)
    compressor = Independent(RandK(entries, value_bits=FLOAT_BITS))
    same = replace(ours, compressor=compressor, message_bits=float(FLOAT_BITS * entries))
    return {
        "public": with_noise(same, public.noise * L**2, probability=public.probability),
        "corrected": with_noise(same, (ours.problem.d / entries - 1) / n * L**2),
        "independent": quadratic_method(n, "independent"),
        "whole": with_noise(same, 0.0, probability=1.0),
    }
