r"""`cat/expected-packets`: expected cost of a message of random size (arXiv 2003.06377).

With entries kept independently the number $N$ of survivors has the Poisson-binomial law; a message costs
$\mathbb E\varphi(N)$; for packets this need not be $\varphi(\mathbb EN)$.

Derivation: the law grows coin by coin; for affine costs the mean of $N$ decides.
"""

from collections.abc import Mapping, Sequence

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, ENTRY_COST, FIXED_COST, c_0, c_1, d, j
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, Step
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

N = Symbol("N", integer=True, nonnegative=True)
chance, stayed, grown = symbols("chance stayed grown", nonnegative=True)
p = IndexedBase("p", nonnegative=True)
P = IndexedBase("P", nonnegative=True)
C = IndexedBase("C", nonnegative=True)

_EXACT = Sum(P[N] * C[N], (N, 0, d))
_FORMULAS = {
    "grown_law": (1 - chance) * stayed + chance * grown,
    "affine": c_0 + c_1 * Sum(p[j], (j, 0, d - 1)),
}

_SIZE = 4
_ps = symbols("p_1:5", nonnegative=True)
_Cs = symbols("C_0:5", nonnegative=True)


def law(stated: Mapping[str, Expr], chances: Sequence[Expr]) -> tuple[Expr, ...]:
    """Return the law of the number of survivors, coin by coin with the stated recursion."""
    current: tuple[Expr, ...] = (Integer(1),)
    for item in chances:
        stay, more = (*current, Integer(0)), (Integer(0), *current)
        current = tuple(
            stated["grown_law"].xreplace({chance: item, stayed: old, grown: one_less})
            for old, one_less in zip(stay, more, strict=True)
        )
    return current


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def mean(size: int, costs: Sequence[Expr]) -> Expr:
        return instance(stated["exact"], {d: size, P: law(stated, _ps[:size]), C: costs})

    affine = [c_0 + c_1 * count for count in range(_SIZE + 1)]
    return (
        *(
            Identity(
                f"enumerated-{size}",
                rf"The mean cost over all $2^{size}$ outcomes of independent coins is the stated one with "
                rf"the law grown coin by coin (shown for {size} coins).",
                expectation(lambda *kept: _Cs[sum(kept)], *_ps[:size]),
                mean(size, _Cs),
            )
            for size in range(1, _SIZE + 1)
        ),
        Identity(
            "one-more-coin",
            r"A further coin: $N$ survivors come from $N$ without it or from $N-1$ with it.",
            expectation(lambda kept: kept * grown + (1 - kept) * stayed, chance),
            stated["grown_law"],
        ),
        *(
            Identity(
                f"affine-{size}",
                r"For $\varphi(N)=c_0+c_1N$ this is the stated $c_0+c_1\mathbb EN$ "
                rf"(shown for {size} coins; in every dimension by `summation`).",
                mean(size, affine),
                instance(stated["affine"], {d: size, p: _ps}),
            )
            for size in (1, 2, 3)
        ),
        INDEPENDENCE,
        SUMMATION,
    )


_MUTANTS = (
    Mutant(
        "cost-of-the-mean",
        r"Take $\varphi(\mathbb EN)$: for 2 of 4 equal entries, two to a packet, 1 instead of 5/4.",
        ("exact",),
    ),
    Mutant(
        "equal-chances",
        r"Take the binomial law with the mean chance: 1.65086 instead of 1.67006 for (3, -1, 4, 1, -5, 9, 2, "
        r"-6) with $T=2$.",
        ("exact",),
    ),
    Mutant(
        "swapped-coin",
        r"Grow the law with $p$ and $1-p$ swapped: the law of the entries that are not kept.",
        ("exact",),
    ),
    Mutant("permuted-coins", "Reverse the order of the coins: nothing may change.", ("exact",), neutral=True),
    Mutant("half-full-packets-free", "The last packet is not paid unless it is full.", ("exact",)),
    Mutant("short-preamble", "Four symbols less in the preamble of each LoRa frame.", ("exact",)),
)

_HALVES = tuple(Rational(count, 16) for count in (1, 4, 6, 4, 1))

CLAIM = Claim(
    id="cat/expected-packets",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Expected cost of a message with a random number of entries",
    statement=(
        r"Let entries be kept independently with chances $p_j$, $N$ of them survive, and a message of $N$ "
        r"entries cost $C_N$. Then the expected cost is $$\mathbb EC_N=\sum_{N=0}^dP_NC_N,$$ where the law "
        r"$P$ of $N$ begins with $P_0=1$ for no coin, and a coin with chance $p$ turns $P_N$ into "
        r"$(1-p)P_N+pP_{N-1}$: $O(d^2)$ operations. For $C_N=c_0+c_1N$ the mean of $N$ decides: "
        r"$\mathbb EC_N=c_0+c_1\sum_jp_j$; for other costs it need not. A message without survivors costs "
        r"$C_0=c_0$."
    ),
    variables=(
        DIMENSION,
        FIXED_COST,
        ENTRY_COST,
        Variable(p, r"[0,1]^d", "chances with which entries are kept", "(d,)"),
        Variable(P, r"[0,1]^{d+1}", "law of the number of survivors", "(d+1,)"),
        Variable(C, r"\mathbb R^{d+1}_{\ge0}", "cost of a message of 0, ..., d entries", "(d+1,)"),
        Variable(chance, r"[0,1]", "chance of a further coin"),
        Variable(stayed, r"[0,1]", "probability of N survivors without it"),
        Variable(grown, r"[0,1]", "probability of N - 1 survivors without it"),
    ),
    assumptions=(
        "The coins of the entries are independent.",
        "A cost depends on the number of entries only.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "two of four equal entries, two to a packet",
            {"P": _HALVES, "C": (0, 1, 1, 2, 2), "d": 4},
            Rational(5, 4),
        ),
        WorstCase("three to a packet", {"P": _HALVES, "C": (0, 1, 1, 1, 2), "d": 4}, Integer(1)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
