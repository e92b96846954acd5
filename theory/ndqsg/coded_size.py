r"""`ndqsg/coded-size`: real bits of entropy coded indices, beside entropy and raw words (arXiv 1904.01197).

Derivation: a digit of chance $p$ shrinks the coder's interval by at most the factor $p$ over a stated growth;
the length of the code is the logarithm of the whole shrinkage and an ending. Kraft's inequality is the bound
from below.
"""

from sympy import Eq, Expr, Integer, Piecewise, Rational, Sum, Symbol, ceiling, floor, log

from theory.ndqsg.adaptive_code_length import CLAIM as ADAPTIVE
from theory.ndqsg.adaptive_code_length import A, counts, n
from theory.ndqsg.coded_size_derivation import a, chances, coded_size_derivation
from theory.ndqsg.paper import PAPER
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

j = Symbol("j", integer=True)
H = Symbol("H", nonnegative=True)
scale_bits = Symbol("N", integer=True, nonnegative=True)
blocks = Symbol("B", integer=True, positive=True)
payload = Symbol("b", integer=True, nonnegative=True)

derivation = coded_size_derivation

_UNITS, _WIDTH = 2**24, 2**30
_GROWTH = Rational(256, 255) * _UNITS / (_UNITS - A - 1)
_OWN_GROWTH = _WIDTH / (_WIDTH - n - A)
_ENDING, _OWN_ENDING = Integer(33), Integer(2)


def _lost(growth: Expr, ending: Expr) -> Expr:
    return n * log(growth) / log(2) + ending


_BOUND = ADAPTIVE.exact + _lost(_GROWTH, _ENDING)
_FORMULAS = {
    "growth": _GROWTH,
    "ending": _ENDING,
    "fixed": _lost(_GROWTH, _ENDING) - Sum(counts[a] * log(chances[a]), (a, 0, A - 1)) / log(2),
    "own_growth": _OWN_GROWTH,
    "own_ending": _OWN_ENDING,
    "own": ADAPTIVE.exact + _lost(_OWN_GROWTH, _OWN_ENDING),
    "own_short": Integer(26),
    "mean": n * H + ADAPTIVE.formulas["excess"] + _lost(_GROWTH, _ENDING),
    "raw": 64 * ceiling(n / floor(64 * log(2) / log(A))),
    "elias": Piecewise((1, Eq(j, 0)), (2 * floor(log(abs(j) + 1) / log(2)) + 2, True)),
    "message": payload + scale_bits * blocks + 736,
}

_MUTANTS = (
    Mutant(
        "model-not-updated",
        r"The coder never updates its counts: about $n\log_2A$ bits, above the bound for skewed counts.",
        ("exact", "run"),
    ),
    Mutant("natural-logarithms", r"$L$ in nats, as if they were bits.", ("adversarial", "run")),
    Mutant(
        "half-ending",
        r"16 bits for the ending: but whole words of 32 bits are sent.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "no-truncation",
        r"As if the interval were cut without rounding: 33 bits, however long the message.",
        ("exact",),
    ),
    Mutant(
        "learning-for-nothing",
        r"$n\hat H$ in the place of $L$, as if the receiver knew the counts.",
        ("exact", "run"),
    ),
    Mutant(
        "no-ending",
        r"Leave out the ending: shorter than the entropy, and it does not decode.",
        ("exact",),
    ),
    Mutant("no-scale-bits", r"Scales are not counted in the message.", ("exact",)),
    Mutant(
        "other-order",
        r"Send the digits in another order: no bound may be exceeded.",
        ("exact", "adversarial"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="ndqsg/coded-size",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Bits of coded indices: entropy from below, ideal length and a stated overhead from above",
    statement=(
        r"A message of $n$ symbols of an alphabet of size $A$ with counts $c_a$ has the empirical entropy "
        r"$\hat H$ and the ideal adaptive length $L$ of `ndqsg/adaptive-code-length`. "
        r"(1) For independent symbols of entropy $H$ every uniquely decodable code needs at least $nH$ bits "
        r"in the mean. For every single message $n\hat H$ is at most $L$, at most the raw "
        r"$64\lceil n/m\rceil$ bits of words of $m=\lfloor64/\log_2A\rfloor$ symbols, and at most the length "
        r"of its Elias gamma code. "
        r"(2) A range coder with words of 32 bits, a state of 64 bits and chances in units of $2^{-24}$ "
        r"(constriction) with the adaptive model needs at most $$L+n\log_2\Big(\frac{256}{255}\cdot"
        r"\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ bits, and with fixed chances $p$ the same with the cross "
        r"entropy $-\sum_ac_a\log_2p_a$ for $L$; in the mean over independent symbols at most $nH+\log_2"
        r"\binom{n+A-1}{A-1}$ and the same overhead. "
        r"(3) The adaptive coder with 32-bit registers needs at most $L+n\log_2\frac{2^{30}}{2^{30}-n-A}+2$ "
        r"bits, which is at most $L+26$ for $n+A\le2^{17}$. "
        r"(4) A message with $B$ scales of $N$ bits and a payload of $b$ bits in whole bytes has $b+NB+736$ "
        r"bits."
    ),
    variables=(
        Variable(counts, r"\mathbb N_0^A", "counts of the symbols", "(A,)"),
        Variable(chances, r"(0,1)^A", "fixed chances of the symbols, of sum 1", "(A,)"),
        Variable(n, r"\mathbb N", r"length of the message, $\sum_ac_a$"),
        Variable(A, r"\{2,\dots,2^{16}\}", "size of the alphabet"),
        Variable(a, r"\{0,\dots,A-1\}", "symbol"),
        Variable(j, r"\mathbb Z", "index, a signed symbol"),
        Variable(H, r"\mathbb R_{\ge0}", "entropy of a random symbol in bits"),
        Variable(scale_bits, r"\{32,64\}", "$N$, bits of a scale"),
        Variable(blocks, r"\mathbb N", "$B$, number of scales"),
        Variable(payload, r"\mathbb N_0", "$b$, bits of the payload"),
    ),
    assumptions=(
        r"One model per message, known to both ends before each symbol; adaptive counts start at one.",
        r"The range coder takes the weight of a symbol as the difference of two sums of chances times "
        r"$2^{24}-A$, rounded down, and one; the sums are in double precision.",
        r"$n+A<2^{30}$ for the coder with 32-bit registers.",
        r"No checksum of the fine indices (safe mode), which takes 32 bits more.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("one symbol: a whole word for one bit", {"c": (1, 0), "n": 1, "A": 2}),
        WorstCase("two equal symbols of three", {"c": (0, 2, 0), "n": 2, "A": 3}),
        WorstCase("a stream of DQSG, $M=1$", {"c": (1651, 3302, 1617), "n": 6570, "A": 3}),
        WorstCase("each of 64 symbols once: all is learning", {"c": (1,) * 64, "n": 64, "A": 64}),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
