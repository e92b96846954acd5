r"""`cq_marina/finding-message-size`: the order of the cost needs short messages (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Min, Rational

from theory.claim import Claim, Relation
from theory.cq_marina.cost import psi as psis
from theory.cq_marina.cost.psi import ORDER, A, best, c, d, n, psi
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

_BOUND = 1 + d / 32
_CLAIMED = 2 * (1 + d / n)
_OVERSHOOT = (32 + n) / 128
_GAIN = 32 * d / (32 + d)
_ORDER = d * Min(1, ORDER)

CLAIM = Claim(
    id="cq_marina/finding-message-size",
    kind="finding",
    provenance="derived",
    title="The order 1 + d/n of the cost needs messages of a few floats",
    position=30,
    paper=PAPER,
    **statement(
        r"""
        In units of uncompressed rounds MARINA costs $\Psi=(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)$ at
        zero Hessian variance, up to rounding and the first round, for the noise $A>0$ of the compressor
        ($A-B$ in its AB inequality) and messages of the length $c$; $\psi$ is its minimum over $0<p\le1$.
        The order of (b) for the cost in floats holds for messages of a few floats
        (`cq_marina/comm-scaling`). With one bit for each coordinate and a norm $c=\frac1d+\frac1{32}$.
        (a: least) Read as a statement on one-bit quantizers it fails: for $d\ge2$, $c=\frac1d+\frac1{32}$
          and every noise $A$, whatever the number of clients, the cost in floats is $$d\psi\ge1+\frac
          d{32}.$$ [proof; exact/a message]
        (b: overshoot, above) For $d=n$ this is $\frac{32+n}{128}$ times the claimed order,
          $$1+\frac d{32}=\frac{32+n}{128}2\Big(1+\frac dn\Big),$$ and more than it if $n>96$,
          $1<\frac{32+n}{128}$. [proof; exact/overshoot at d = n]
        (c: order) What holds instead: $$\frac12d\min\{1,2(c+\sqrt{cA})\}\le d\psi\le
          d\min\{1,2(c+\sqrt{cA})\}.$$ [proof; exact/order; exact/half the order]
        (d: gain, limit) So, for $d\ge2$, the gain over $d$ floats of uncompressed rounds <<stays bounded ->
          exact/gain>>: $$d\le\frac{32d}{32+d}d\psi,\qquad\frac{32d}{32+d}<32.$$ [proof; exact/gain]
        """
    ),
    variables=(
        psis.CLIENTS,
        psis.DIMENSION,
        psis.PROBABILITY,
        psis.NOISE,
        psis.LENGTH,
        psis.ODDS,
        psis.PSI,
        psis.BEST,
        psis.PRICE,
    ),
    notation={"A-B": "noise"},
    hypotheses={
        "p": psis.PROBABILITIES,
        "signs": psis.SIGNS,
        "cost": psis.COST,
        "sizes": domain(r"$d,n\ge1$ are integers"),
        "psi": psis.MINIMUM,
        "square": parameter("$d=n$"),
        "many": parameter("$n>96$"),
        "message": parameter(r"$d\ge2$, $c=\frac1d+\frac1{32}$"),
    },
    relations={
        "least": Relation((d * psi, _BOUND), (">=",), under=("psi", "message")),
        "overshoot": Relation((_BOUND, _OVERSHOOT * _CLAIMED), ("=",), under=("square",)),
        "above": Relation((1, _OVERSHOOT), ("<",), under=("many",)),
        "order": Relation((_ORDER / 2, d * psi, _ORDER), ("<=", "<="), under=("psi",)),
        "gain": Relation((d, _GAIN * d * psi), ("<=",), under=("psi", "message")),
        "limit": Relation((_GAIN, 32), ("<",)),
    },
    formulas={
        "bound": _BOUND,
        "overshoot": _OVERSHOOT,
        "largest_gain": _GAIN,
        "order": _ORDER,
        "half_order": _ORDER / 2,
        "claimed": _CLAIMED,
    },
    internal={"claimed": "the claimed order of (b)", "overshoot": "the factor of (b)"},
    worst_cases=cases("""
        ten thousand coordinates and clients | n = 10000, d = 10000 | 627/2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    psis.examples(K)
    K.example({n: 100, d: 100})
    # Two coordinates: a message of 17/32 of a gradient, and full rounds are the best.
    K.example({d: 2, c: Rational(17, 32), A: 1, psi: 1, best: 1})
    psis.know(K, c)
    K.know(K.given("psi", 2), K.given("psi", 3))
    psis.know(K, best)
    half, above = psis.order(K)
    K.conclude("order", K.cert(le(_ORDER / 2, d * psi), (d, half)), K.cert(le(d * psi, _ORDER), (d, above)))
    message = psis.at_least_length(K, A, c, best)
    least = K.cert(le(_BOUND, d * psi), (d, message), (-d, K.given("psi", 1)), (-d, K.given("message", 1)))
    K.conclude("least", least)
    K.conclude("gain", K.cert(le(d, _GAIN * d * psi), (_GAIN, least)))
    K.conclude("overshoot", K.cert(eq(_BOUND, _OVERSHOOT * _CLAIMED), using=[K.given("square")]))
    K.conclude("above", K.cert(lt(1, _OVERSHOOT), (Rational(1, 128), K.given("many"))))
    K.conclude("limit", K.cert(lt(_GAIN, 32), (1024 / (32 + d), K.sign(lt(0, Integer(1))))))
