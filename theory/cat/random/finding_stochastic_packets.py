r"""`cat/finding-stochastic-packets`: the cost of the mean is not the mean cost (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, binomial, ceiling

from theory.cat.paper import PAPER
from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import IsInteger, eq, every, le, lt

d, T, b, packet, c_0, c_1, N = (Symbol(s, real=True) for s in ("d", "T", "b", "P_max", "c_0", "c_1", "N"))
P = IndexedBase("P", real=True)
SURVIVORS = (N, 0, d)

_EXACT = Sum(
    binomial(d, N) * (T / d) ** N * (1 - T / d) ** (d - N) * (c_0 + ceiling(b * N / packet)), SURVIVORS
)
_OF_MEAN = c_0 + ceiling(b * T / packet)
_PACKETS = Sum(P[N] * (c_0 + ceiling(b * N / packet)), SURVIVORS)
_ABOVE = {d: 4, T: 2, b: 1, packet: 2, c_0: 0}
_BELOW = {d: 2, T: 1, b: 3, packet: 2, c_0: 0}


def _mean_cost(values: dict[Any, int]) -> Any:
    return _EXACT.subs(values).doit()


CLAIM = Claim(
    id="cat/finding-stochastic-packets",
    kind="finding",
    provenance="derived",
    title="Random messages do not cost what their mean size costs",
    position=21,
    paper=PAPER,
    setting=(
        r"The rule for random entries is read with the cost of a message of the expected number $T$ of "
        r"entries in "
        r"place of the expected cost. Entries have $b$ bits, packets hold $P_{\max}$ bits and cost 1 each, "
        r"a message "
        r"costs $c_0$ more; $P_N$ is the probability of $N$ survivors of $d$ entries, $T=\sum_NNP_N$."
    ),
    parts=(
        Part(
            "a",
            r"The cost of the mean is off by at most one packet: "
            r"$$c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil-1<"
            r"\sum_{k=0}^dP_k\Big(c_0+\Big\lceil\frac{bk}{P_{\max}}\Big\rceil\Big)\le "
            r"c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil+1.$$",
            says=("within",),
            evidence=("proof",),
            pins={"at most one packet": "proof"},
        ),
        Part(
            "b",
            r"It may be too small: 2 of 4 equal entries, two to a packet, cost {value:above} packets, not 1.",
            evidence=("exact/mean cost", "exact/cost of the mean", "exact/above"),
            pins={
                "2 of 4 equal entries, two to a packet, cost {value:above} packets, not 1": "exact/above",
            },
        ),
        Part(
            "c",
            r"It may be too large: 1 of 2 entries of 3 bits in packets of 2 bits cost {value:below} "
            r"packets, not 2.",
            evidence=("exact/below", "exact/equal"),
            pins={
                "1 of 2 entries of 3 bits in packets of 2 bits": "exact/below",
                "cost {value:below} packets, not 2": "exact/below",
            },
        ),
        Part(
            "d",
            r"It misleads the rule: for 4 equal entries, two to a packet, and for $(-1)^j/j$, $j\le64$, "
            r"under "
            r"`6lowpan`, it chooses another size and loses a factor of at least {value:loss}.",
            evidence=("exact/loss",),
            pins={
                "for 4 equal entries": "exact/loss",
                r"for $(-1)^j/j$, $j\le64$, under `6lowpan`": "exact/loss",
            },
        ),
        Part(
            "e",
            r"What holds instead: for affine costs the two agree, $\sum_{k=0}^dP_k(c_0+c_1k)=c_0+c_1T$; "
            r"else the law "
            r"of $N$ is needed (`cat/expected-packets`).",
            says=("affine",),
            evidence=("proof",),
        ),
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb R_{\ge0}", "expected number of entries that are kept"),
        Variable(b, "b", r"\mathbb N", "bits of an entry"),
        Variable(packet, r"P_{\max}", r"\mathbb N", "payload of a packet in bits"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its packets"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(P, "P", "[0,1]^{d+1}", "law of the number of survivors", "(d+1,)", first=0),
    ),
    notation={"N": "number of survivors", "P_N": "probability of so many survivors"},
    hypotheses={
        "sizes": Hypothesis(
            "domain", (IsInteger(d), le(1, d), lt(0, b), lt(0, packet)), r"$d,b,P_{\max}>0$ are integers"
        ),
        "law": Hypothesis(
            "definition",
            (every(le(0, P[N]), SURVIVORS), eq(Sum(P[N], SURVIVORS), 1), eq(Sum(P[N] * N, SURVIVORS), T)),
            "a law with this expectation",
        ),
    },
    relations={
        "within": Relation((_OF_MEAN - 1, _PACKETS, _OF_MEAN + 1), ("<", "<=")),
        "affine": Relation((Sum(P[N] * (c_0 + c_1 * N), SURVIVORS), c_0 + c_1 * T), ("=",)),
    },
    formulas={"exact": _EXACT, "cost_of_mean": _OF_MEAN, "loss": Rational(6, 5)},
    internal={
        "exact": "the sum of part (a) for equal entries, whose number is binomial",
        "loss": "the slot of part (d)",
    },
    values={"above": _mean_cost(_ABOVE), "below": _mean_cost(_BELOW), "loss": Rational(6, 5)},
    worst_cases=(
        WorstCase("above", {"d": 4, "T": 2, "b": 1, "P_max": 2, "c_0": 0}, Rational(5, 4)),
        WorstCase("below", {"d": 2, "T": 1, "b": 3, "P_max": 2, "c_0": 0}, Rational(7, 4)),
    ),
)


def derive(kernel: Any) -> None:
    """Prove the relations: each number of packets is less than one above its quotient."""
    given = kernel.given
    half = Rational(1, 2)
    kernel.example(
        {d: 2, b: 3, packet: 2, c_0: 1, c_1: 1, T: Rational(3, 4), P: (half, Rational(1, 4), Rational(1, 4))}
    )
    kernel.index(SURVIVORS)
    one, mean = given("law", 1), given("law", 2)
    affine = kernel.cert(eq(Sum(P[N] * (c_0 + c_1 * N), SURVIVORS), c_0 + c_1 * T), (c_0, one), (c_1, mean))
    kernel.conclude("affine", affine)
    # The number of packets of x bits is minus the floor of -x / P_max.
    ratio = b / packet
    below, above = kernel.axiom("floor-below", -ratio * N), kernel.axiom("floor-above", -ratio * N)
    least = kernel.sum_over(
        kernel.cert(le(P[N] * ratio * N, P[N] * ceiling(ratio * N)), (P[N], below)), SURVIVORS
    )
    most = kernel.sum_over(
        kernel.cert(le(P[N] * ceiling(ratio * N), P[N] * (ratio * N + 1)), (P[N], above)), SURVIVORS
    )
    low = kernel.cert(
        lt(_OF_MEAN - 1, _PACKETS),
        (1, least), (-c_0, one), (-ratio, mean), (1, kernel.axiom("floor-above", -ratio * T)),
    )  # fmt: skip
    high = kernel.cert(
        le(_PACKETS, _OF_MEAN + 1),
        (1, most), (c_0 + 1, one), (ratio, mean), (1, kernel.axiom("floor-below", -ratio * T)),
    )  # fmt: skip
    kernel.conclude("within", low, high)
