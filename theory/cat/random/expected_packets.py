r"""`cat/expected-packets`: expected cost of a message of random size (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol

from theory.cat.paper import PAPER
from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.expectation import bernoulli
from theory.formula import IsInteger, eq, every, le

d, c_0, c_1, N, j, i = (Symbol(s, real=True) for s in ("d", "c_0", "c_1", "N", "j", "i"))
chance, stayed, grown, after, cost, total = (
    Symbol(s, real=True) for s in ("chance", "stayed", "grown", "after", "cost", "total")
)
p, P, Q, C, b = (IndexedBase(name, real=True) for name in ("p", "P", "Q", "C", "b"))
COORDINATES, ONE = (j, 0, d - 1), (i, 0, 0)

_EXACT = Sum(P[N] * C[N], (N, 0, d))
_GROWN = (1 - chance) * stayed + chance * grown
_AFFINE = c_0 + c_1 * Sum(p[j], COORDINATES)
_ONE_MORE = Sum(Q[N] * C[N], (N, 0, d + 1))
_LAST_COIN = Sum(P[N] * ((1 - chance) * C[N] + chance * C[N + 1]), (N, 0, d))

CLAIM = Claim(
    id="cat/expected-packets",
    kind="identity",
    provenance="derived",
    title="Expected cost of a message with a random number of entries",
    position=20,
    paper=PAPER,
    setting=(
        r"Entries are kept independently with probabilities $p_j$; $P$ is the law of their number $N$ of "
        r"survivors, "
        r"and a message of $N$ entries costs $C_N$. The law begins with one at 0 for no entry."
    ),
    parts=(
        Part(
            "a",
            r"A further entry with probability $\pi$ turns the probabilities $s$ and $t$ of $N$ and $N-1$ "
            r"survivors "
            r"into the probability $s'=(1-\pi)s+\pi t$ of $N$.",
            says=("coin",),
            evidence=("proof", "exact/total"),
            pins={"$N-1$ survivors": "proof"},
        ),
        Part(
            "b",
            r"The sum over the law $P'$ that has grown so is the expectation over the further entry, for "
            r"all costs: "
            r"$$\sum_{k=0}^{d+1}P'_kC_k=\sum_{k=0}^dP_k\big((1-\pi)C_k+\pi C_{k+1}\big).$$",
            says=("grown",),
            evidence=("proof",),
        ),
        Part(
            "c",
            r"So the expected cost is $$\sum_{k=0}^dP_kC_k,$$ in $O(d^2)$ operations, and the rule computes "
            r"it.",
            evidence=("exact/stated", "exact/rule", "exact/floats"),
            pins={
                r"$$\sum_{k=0}^dP_kC_k,$$": "exact/stated",
                r"$O(d^2)$": "exact/stated",
            },
        ),
        Part(
            "d",
            r"For the cost $c_0$ of a message and $c_1$ of an entry the expected number decides: "
            r"$\mathbb E[c_0+c_1N]=c_0+c_1\sum_jp_j$.",
            says=("affine",),
            evidence=("proof", "exact/affine"),
        ),
        Part(
            "e",
            r"A message without survivors costs what a link charges for an empty one, and the costs of all "
            r"links are "
            r"those of their definitions.",
            evidence=("exact/no survivors", "exact/cost", "exact/cost in an array", "exact/no message"),
        ),
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(N, "N", r"\mathbb N_0", "number of survivors"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(p, "p", "[0,1]^d", "probabilities with which entries are kept", "(d,)"),
        Variable(P, "P", "[0,1]^{d+1}", "law of the number of survivors", "(d+1,)", first=0),
        Variable(Q, "P'", "[0,1]^{d+2}", "law with a further entry", "(d+2,)", first=0),
        Variable(
            C, "C", r"\mathbb R^{d+2}_{\ge0}", "cost of a message of so many entries", "(d+2,)", first=0
        ),
        Variable(chance, r"\pi", "[0,1]", "probability of a further entry"),
        Variable(stayed, "s", "[0,1]", "probability of $N$ survivors without it"),
        Variable(grown, "t", "[0,1]", "probability of $N-1$ survivors without it"),
        Variable(after, "s'", "[0,1]", "probability of $N$ survivors with it"),
        Variable(cost, r"\mathbb E[c_0+c_1N]", r"\mathbb R_{\ge0}", "expected affine cost"),
    ),
    hypotheses={
        "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
        "coin": Hypothesis("domain", (le(0, chance), le(chance, 1)), r"$0\le\pi\le1$"),
        "probabilities": Hypothesis(
            "domain", (every(le(0, p[j]), COORDINATES), every(le(p[j], 1), COORDINATES)), r"$0\le p_j\le1$"
        ),
        "further": Hypothesis(
            "model",
            eq(after, bernoulli((1 - b[0]) * stayed + b[0] * grown, b, ONE, p=chance)),
            "the further entry is kept independently of the others",
        ),
        "law": Hypothesis(
            "definition",
            (
                eq(Q[0], (1 - chance) * P[0]),
                every(eq(Q[N], (1 - chance) * P[N] + chance * P[N - 1]), (N, 1, d)),
                eq(Q[d + 1], chance * P[d]),
            ),
            "the law with a further entry, grown as in (a)",
        ),
        "number": Hypothesis(
            "definition",
            eq(cost, bernoulli(c_0 + c_1 * Sum(b[j], COORDINATES), b, COORDINATES, p=p[j])),
            "$N$ counts the entries that are kept",
        ),
    },
    relations={
        "coin": Relation((after, _GROWN), ("=",)),
        "grown": Relation((_ONE_MORE, _LAST_COIN), ("=",)),
        "affine": Relation((cost, _AFFINE), ("=",)),
    },
    formulas={"exact": _EXACT, "grown_law": _GROWN, "affine": _AFFINE},
    internal={"exact": "the pinned sum of part (c)"},
    worst_cases=(
        WorstCase(
            "two of four equal entries, two to a packet",
            {"P": tuple(Rational(item, 16) for item in (1, 4, 6, 4, 1)), "C": (0, 1, 1, 2, 2), "d": 4},
            Rational(5, 4),
        ),
        WorstCase(
            "three to a packet",
            {"P": tuple(Rational(item, 16) for item in (1, 4, 6, 4, 1)), "C": (0, 1, 1, 1, 2), "d": 4},
            Integer(1),
        ),
    ),
)


def derive(kernel: Any) -> None:
    """Prove the relations: the law with a further entry, split at its ends."""
    given = kernel.given
    kernel.example(
        {d: 2, chance: Rational(1, 3), P: (Rational(1, 2), Rational(1, 3), Rational(1, 6)), C: (0, 1, 5, 2)}
        | {Q: (Rational(1, 3), Rational(7, 18), Rational(2, 9), Rational(1, 18))}
    )
    kernel.conclude("coin", kernel.cert(eq(after, _GROWN), (1, given("further"))))
    kernel.conclude("affine", kernel.cert(eq(cost, _AFFINE), (1, given("number"))))
    kernel.index((N, 1, d))
    inner = kernel.cert(
        eq(Q[N] * C[N], ((1 - chance) * P[N] + chance * P[N - 1]) * C[N]),
        (C[N], kernel.at(given("law", 1), N)),
    )
    last = kernel.split_off(_ONE_MORE)
    rest = Sum(Q[N] * C[N], (N, 0, d))
    low, high = Sum(P[N] * C[N], (N, 0, d)), Sum(P[N] * C[N + 1], (N, 0, d))
    grown_law = kernel.cert(
        eq(_ONE_MORE, _LAST_COIN),
        (1, last), (1, kernel.split_off(rest, 0)), (1, kernel.sum_over(inner, (N, 1, d))),
        (C[0], given("law")), (C[d + 1], given("law", 2)),
        (-(1 - chance), kernel.split_off(low, 0)), (-chance, kernel.split_off(high)),
    )  # fmt: skip
    kernel.conclude("grown", grown_law)
