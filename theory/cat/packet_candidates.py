r"""`cat/packet-candidates`: for packets only sizes that fill packets need be looked at (arXiv 2003.06377).

Where the cost is a nondecreasing step function of the payload, the most efficient size is the largest one of
its step: for packets $T_m=\lfloor mP_{\max}/b\rfloor$, or all nonzeros.

Derivation: on a step the cost is constant and $\alpha$ nondecreasing, strictly up to the last nonzero;
$\lceil bT/P_{\max}\rceil\le m$ iff $T\le mP_{\max}/b$.
"""

from sympy import Integer, Rational, Sum, ceiling, floor

from theory.cat.old_squares import SQUARES
from theory.cat.packet_candidates_derivation import P_max, b, derivation, h, m
from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, FIXED_COST, SIZE, TIES, T, a, c_0, c_1, d, j
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_KEPT, _TOTAL = Sum(a[j], (j, 0, T - 1)), Sum(a[j], (j, 0, d - 1))
_PACKETS = ceiling(b * T / P_max)
_EXACT = _KEPT / (_TOTAL * (c_1 * _PACKETS + c_0))
_FORMULAS = {
    "candidate": floor(m * P_max / b),
    "packets": _PACKETS,
    "wire": _KEPT / (_TOTAL * (b * T + h * _PACKETS + c_0)),
}

_GI = (81, 36, 25, 16, 9, 4, 1, 1)

CLAIM = Claim(
    id="cat/packet-candidates",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Packets: the best size fills its packets",
    statement=(
        r"Let an entry take $b$ bits and a message of $T$ entries cost $C=\varphi(bT)$ with a nondecreasing "
        r"step function $\varphi$. Some maximiser of $\alpha(T)/C$ is the largest $T$ of its step, and the "
        r"smallest maximiser is the largest of its step or the number of nonzeros. For packets, "
        r"$C=c_1\lceil bT/P_{\max}\rceil+c_0$, these are $$T_m=\min\big(\lfloor "
        r"mP_{\max}/b\rfloor,\mathrm{nnz}\big),\qquad m=1,\dots,\lceil bd/P_{\max}\rceil.$$ Over $m$ the "
        r"efficiency $E(T_m)$ has one peak if $P_{\max}/b$ is an integer; in general it has not (flat, "
        r"$d=12$, $P_{\max}/b=\frac32$, $C=m+\frac12$: $12E(T_m)=\frac23,\frac65,\frac87,\frac43,\dots$, and "
        r"$\frac{24}{17}$ at $m=8$), so all $m$ are looked at. Packets with a price per bit besides are not "
        r"covered: for $g_j=2^{-j}$, $j<16$, with 36 bits an entry, $P_{\max}=11680$ and 624 bits for each "
        r"packet, $T=2$ gives 0.001347, and $T=16$, the only candidate, $\frac1{1200}$. Nor is LoRa airtime, "
        r"whose steps lie inside of frames: there the largest $T$ of every step is a candidate."
    ),
    variables=(
        DIMENSION,
        SIZE,
        FIXED_COST,
        Variable(c_1, r"\mathbb R_{>0}", "price of a packet"),
        Variable(b, r"\mathbb N", "bits of an entry"),
        Variable(P_max, r"\mathbb N", "payload bits of a packet"),
        Variable(m, r"\mathbb N", "number of packets"),
        Variable(h, r"\mathbb R_{\ge0}", "bits of a packet besides its payload"),
        SQUARES,
    ),
    assumptions=(
        r"$g\ne0$.",
        "The payload is a continuous stream: entries may straddle two packets.",
        r"Candidates with $T_m=0$ are dropped.",
        TIES,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "`gi`, two bits an entry, five bits a packet: two entries fill the first packet but for a bit",
            {"a": _GI, "T": 2, "d": 8, "b": 2, "P_max": 5, "c_0": 0, "c_1": 1},
            Rational(117, 173),
        ),
        WorstCase(
            "flat, three entries in two packets: the next candidate is worse, the one after it better",
            {"a": (1,) * 12, "T": 3, "d": 12, "b": 2, "P_max": 3, "c_0": Rational(1, 2), "c_1": 1},
            Rational(1, 10),
        ),
        WorstCase(
            r"$g_j=2^{-j}$ with a price per bit besides: all entries in one packet",
            {
                "a": tuple(Rational(1, 4**place) for place in range(16)),
                "T": 16,
                "d": 16,
                "b": 36,
                "P_max": 11680,
                "h": 624,
                "c_0": 0,
            },
            Integer(1) / 1200,
        ),
    ),
    mutants=(
        Mutant(
            "rounded-up",
            r"$\lceil mP_{\max}/b\rceil$ candidates: 1.14 times less efficient for `gi`, $b=2$, "
            r"$P_{\max}=3$.",
            ("symbolic", "exact"),
        ),
        Mutant(
            "early-stop",
            r"Stop at the first fall of $E(T_m)$: 1.176 times less efficient in the flat example.",
            ("exact",),
        ),
        Mutant(
            "packets-for-airtime",
            r"Full frames as the only candidates for LoRa airtime: 1.227 times as long for `gi`, 1.520 for "
            r"`gh`, 1.766 for $2^{-j}$, $d=16$.",
            ("exact",),
        ),
        Mutant(
            "packets-for-wire",
            r"The same for packets with a price per bit: 1.616 times less efficient for $2^{-j}$.",
            ("exact",),
        ),
        Mutant(
            "all-sizes",
            "Look at all sizes: no choice may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
