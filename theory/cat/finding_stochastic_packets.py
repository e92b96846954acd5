r"""`cat/finding-stochastic-packets`: the cost of the mean is not the mean cost (arXiv 2003.06377).

Derivation: $T$ of $d$ equal entries survive in the mean, so that their number is binomial; instances show
the cost of the mean below, at and above the mean cost.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Sum, Symbol, binomial, ceiling

from theory.cat.expected_packets import CLAIM as EXPECTED
from theory.cat.expected_packets import C, N, P
from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, FIXED_COST, SIZE, T, c_0, d
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, Step

b = Symbol("b", integer=True, positive=True)
packet = Symbol("P_max", integer=True, positive=True)

_EXACT = Sum(
    binomial(d, N) * (T / d) ** N * (1 - T / d) ** (d - N) * (c_0 + ceiling(b * N / packet)),
    (N, 0, d),
)
_FORMULAS = {"cost_of_mean": c_0 + ceiling(b * T / packet)}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, size: int, kept: int, bits: int, frame: int) -> Expr:
        return instance(stated[name], {d: size, T: kept, b: bits, packet: frame})

    law = tuple(Rational(count, 16) for count in (1, 4, 6, 4, 1))
    return (
        Identity(
            "binomial",
            r"The stated mean is that of `cat/expected-packets` for 2 of 4 equal entries, two to a packet.",
            at("exact", 4, 2, 1, 2),
            instance(
                EXPECTED.expressions["exact"], {d: 4, P: law, C: [c_0 + sent for sent in (0, 1, 1, 2, 2)]}
            ),
        ),
        *(
            Identity(
                name,
                rf"{size} equal entries, {kept} kept in the mean, {bits} bits each, packets of {frame}: the "
                rf"mean cost is the cost of the mean plus {more}.",
                at("exact", size, kept, bits, frame),
                at("cost_of_mean", size, kept, bits, frame) + more,
            )
            for name, (size, kept, bits, frame), more in (
                ("above", (4, 2, 1, 2), Rational(1, 4)),
                ("equal", (4, 2, 1, 3), Integer(0)),
                ("below", (2, 1, 3, 2), Rational(-1, 4)),
                ("above-in-large-packets", (3, 2, 2, 4), Rational(7, 27)),
            )
        ),
    )


_MUTANTS = (
    Mutant(
        "mean-decides",
        r"Claim that the cost of the mean is the mean cost.",
        ("exact",),
    ),
    Mutant(
        "lower-bound",
        r"Claim that the cost of the mean is at least a lower bound: (3, -1, 4, 1, -5, 9, 2, -6) with $T=2$ "
        r"pays 1.67 packets instead of 2.",
        ("exact",),
    ),
    Mutant(
        "one-more-entry",
        r"State the mean cost for $d+1$ equal entries.",
        ("exact",),
    ),
    Mutant("scaled-gradient", "Multiply the gradient by -7/3: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/finding-stochastic-packets",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Random messages do not cost what their mean size costs",
    statement=(
        r"Read with the cost $C(T)$ of a message of $T$ expected entries, the rule for random sparsification "
        r"takes $\varphi(b\,\mathbb EN)$ for $\mathbb E\varphi(bN)$. For packets that fails, with either "
        r"sign: 2 of 4 equal entries, two to a packet, pay 1/4 more than $\lceil bT/P_{\max}\rceil=1$; 1 of "
        r"2 entries of 3 bits in packets of 2 bits pay 1/4 less than 2. It misleads the rule: "
        r"for 4 equal entries, two to a packet, it chooses $T=2$, whose efficiency is 4/5 of that of $T=4$; "
        r"for $(-1)^j/j$, $j\le64$, under `6lowpan`, it chooses 17 instead of 13 and loses a factor 1.21. "
        r"What holds instead: the two "
        r"agree for affine costs; else the law of $N$ is needed (`cat/expected-packets`)."
    ),
    variables=(
        DIMENSION,
        FIXED_COST,
        SIZE,
        Variable(b, r"\mathbb N", "bits of an entry"),
        Variable(packet, r"\mathbb N", r"payload $P_{\max}$ of a packet in bits"),
    ),
    assumptions=(
        "Equal entries in the formulas: all chances are T / d.",
        "Packets cost 1 each, a message $c_0$ more.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("above", {"d": 4, "T": 2, "b": 1, "P_max": 2, "c_0": 0}, Rational(5, 4)),
        WorstCase("below", {"d": 2, "T": 1, "b": 3, "P_max": 2, "c_0": 0}, Rational(7, 4)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
