"""What claims in the old form still take from `cq_marina/ab-permk`, with their symbols."""

from types import SimpleNamespace

from sympy import Integer, Piecewise, Symbol, floor

from theory.cq_marina.symbols import d, n
from theory.old_steps import StandardFact

q = Symbol("q", integer=True, positive=True)
_s, _t = floor(n / d), n - floor(n / d) * d
THETA = Piecewise(
    (Integer(1), d >= n), ((n * ((d - _t) / (d * _s) + _t / (d * (_s + 1))) - 1) / (n - 1), True)
)
CLAIM = SimpleNamespace(
    formulas={"theta_sample": (n - q) / (q * (n - 1)), "theta_divisible": (d - 1) / (n - 1)}
)
SAMPLING = StandardFact(
    "inclusion",
    r"A simple random sample of $q$ of $n$ clients contains each client with probability $\frac qn$ and each "
    r"pair of clients with probability $\frac{q(q-1)}{n(n-1)}$.",
    "W. G. Cochran, Sampling Techniques, 3rd ed., sections 2.3 and 2.8",
)
TOTAL_VARIANCE = StandardFact(
    "total-variance",
    r"$\mathrm{Var}\,X=\mathbb E\,\mathrm{Var}(X\mid Y)+\mathrm{Var}\,\mathbb E(X\mid Y)$, coordinate by "
    r"coordinate.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 34",
)
OWNERS = (
    r"PermK: for $d\ge n$ each coordinate is owned by exactly one client, uniformly distributed, which sends "
    r"$n$ times its entry; for $d<n$ each client sends one coordinate, coordinate $j$ is held by a uniformly "
    r"random set of $q_j\in\{\lfloor n/d\rfloor,\lceil n/d\rceil\}$ clients (the sizes are dealt at random) "
    r"and its estimate is the plain average of their entries."
)
