r"""`cat/expected-packets`: expected cost of a message of random size (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.facts.sums.triangular_number import triangular_number
from theory.formula import eq
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

d, c_0, c_1, N, j, i, k, m = symbols("d c_0 c_1 N j i k m", real=True)
chance, stayed, grown, after, cost, expected = symbols("chance stayed grown after cost expected", real=True)
p, P, Q, C, R, V, b, kept = symbols("p P Q C R V b kept", cls=IndexedBase, real=True)
COORDINATES, ROUNDS = (j, 0, d - 1), (m, 0, d - 1)

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
    **statement(
        r"""
        Entries are kept independently with probabilities $p_j$; $P$ is the law of their number $N$ of
        survivors, and a message of $N$ entries costs $C_N$. The law begins with one at 0 for no entry.
        (a: coin) A further entry with probability $\pi$ turns the probabilities $s$ and $t$ of $N$ and
          <<$N-1$ survivors -> proof>> into the probability $s'=(1-\pi)s+\pi t$ of $N$. [proof; exact/total]
        (b: grown) The sum over the law $P'$ that has grown so is the expectation over the further entry,
          for all costs: $$\sum_{k=0}^{d+1}P'_kC_k=\sum_{k=0}^dP_k\big((1-\pi)C_k+\pi C_{k+1}\big).$$
          [proof]
        (c: expected, steps) So the expected cost, entry after entry, is $$\mathbb
          EC_N=\sum_{k=0}^dP_kC_k,$$ where $P$ takes $\sum_{m=1}^d(m+1)=\frac{d(d+3)}2$ <<steps of (a) ->
          proof>>. [proof; exact/stated; exact/rule; exact/floats; exact/no survivors; exact/cost;
          exact/cost in an array; exact/no message; exact/arguments inside of the domain; exact/arguments
          outside of the domain; exact/equal ones; exact/different ones; exact/ones that equal words]
        (d: affine) For the cost $c_0$ of a message and $c_1$ of an entry the expected number decides:
          $\mathbb E[c_0+c_1N]=c_0+c_1\sum_jp_j$. [proof; exact/affine]
        """
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
        Variable(R, "R", "[0,1]^{(d+1)\\times(d+1)}", "laws of the first entries", "(d+1,d+1)", first=0),
        Variable(
            V, "V", r"\mathbb R^{(d+1)\times(d+1)}_{\ge0}", "expected costs given these", "(d+1,d+1)", first=0
        ),
        Variable(chance, r"\pi", "[0,1]", "probability of a further entry"),
        Variable(stayed, "s", "[0,1]", "probability of $N$ survivors without it"),
        Variable(grown, "t", "[0,1]", "probability of $N-1$ survivors without it"),
        Variable(after, "s'", "[0,1]", "probability of $N$ survivors with it"),
        Variable(expected, r"\mathbb EC_N", r"\mathbb R_{\ge0}", "expected cost"),
        Variable(cost, r"\mathbb E[c_0+c_1N]", r"\mathbb R_{\ge0}", "expected affine cost"),
        Variable(b, "b", r"\{0,1\}", "whether the further entry is kept", "(1,)", first=0),
        Variable(kept, r"\zeta", r"\{0,1\}^d", "which entries are kept", "(d,)"),
    ),
    ranges={"k": (0, d)},
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "coin": domain(r"$0\le\pi\le1$"),
        "probabilities": domain(r"$0\le p_j\le1$"),
        "further": model(
            r"$s'=\mathbb E\bigl(tb+s(1-b)\bigr)$, over $b\sim\mathrm{Bernoulli}(\pi)$, since the "
            "further entry is kept independently of them"
        ),
        "law": definition(
            r"$P'_0=(1-\pi)P_0$, $P'_{d+1}=\pi P_d$; $P'_{k+1}=(1-\pi)P_{k+1}+\pi P_k$ for $k<d$, "
            "since the law grows by a further entry"
        ),
        "entries": definition(
            r"$R_{0,0}=1$; $R_{m+1,0}=(1-p_{m+1})R_{m,0}$ for $0\le m<d$; "
            r"$R_{m+1,k+1}=(1-p_{m+1})R_{m,k+1}+p_{m+1}R_{m,k}$ for $0\le k<m<d$; "
            r"$R_{m+1,m+1}=p_{m+1}R_{m,m}$ for $0\le m<d$; $P_k=R_{d,k}$, since these are laws of survivors"
        ),
        "conditional": definition(
            r"$V_{d,l}=C_l$ for $0\le l\le d$; $\mathbb EC_N=V_{0,0}$; "
            r"$V_{m,k}=(1-p_{m+1})V_{m+1,k}+p_{m+1}V_{m+1,k+1}$ for $0\le k\le m<d$, "
            r"since $V_{m,k}$ is the conditional cost given $k$ survivors of $m$ entries"
        ),
        "number": definition(
            r"$\mathbb E[c_0+c_1N]=\mathbb E\bigl(c_0+c_1\sum_j\zeta_j\bigr)$, over independent "
            r"$\zeta_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
    },
    relations={
        "coin": Relation((after, _GROWN), ("=",)),
        "grown": Relation((_ONE_MORE, _LAST_COIN), ("=",)),
        "expected": Relation((expected, _EXACT), ("=",), under=("entries", "conditional")),
        "steps": Relation((Sum(m + 1, (m, 1, d)), d * (d + 3) / 2), ("=",)),
        "affine": Relation((cost, _AFFINE), ("=",)),
    },
    formulas={"exact": _EXACT, "grown_law": _GROWN, "affine": _AFFINE},
    worst_cases=cases("""
        two of four equal entries, two to a packet | P = (1/16, 1/4, 3/8, 1/4, 1/16), C = (0, 1, 1, 2, 2),
          d = 4 | 5/4
        three to a packet | P = (1/16, 1/4, 3/8, 1/4, 1/16), C = (0, 1, 1, 1, 2), d = 4 | 1
    """),
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
    law = (given("law"), kernel.at(given("law", 2), N - 1), given("law", 1))
    kernel.conclude(
        "grown", _grown(kernel, N, d, (lambda n: P[n], lambda n: Q[n], lambda n: C[n]), chance, law)
    )
    up_to = kernel.split_off(Sum(m, (m, 0, d)), 0)
    steps = kernel.cert(
        eq(Sum(m + 1, (m, 1, d)), d * (d + 3) / 2), (1, triangular_number(kernel, d + 1)), (-1, up_to)
    )
    kernel.conclude("steps", steps)
    _expected(kernel)


def _grown(kernel: Any, n: Any, last: Any, families: Any, chance: Any, law: Any) -> Any:
    """Return (b) for laws with `last` and one more entries, from the equations of their growth."""
    before, after, costs = families
    total = Sum(after(n) * costs(n), (n, 0, last + 1))
    inner = kernel.cert(
        eq(after(n) * costs(n), ((1 - chance) * before(n) + chance * before(n - 1)) * costs(n)),
        (costs(n), law[1]),
    )
    low, high = (Sum(before(n) * costs(place), (n, 0, last)) for place in (n, n + 1))
    one_more = Sum(before(n) * ((1 - chance) * costs(n) + chance * costs(n + 1)), (n, 0, last))
    return kernel.cert(
        eq(total, one_more),
        (1, kernel.split_off(total)), (1, kernel.split_off(Sum(after(n) * costs(n), (n, 0, last)), 0)),
        (1, kernel.sum_over(inner, (n, 1, last))),
        (costs(0), law[0]), (costs(last + 1), law[2]),
        (-(1 - chance), kernel.split_off(low, 0)), (-chance, kernel.split_off(high)),
    )  # fmt: skip


def _expected(kernel: Any) -> None:
    """The sum over the law of the expected costs where so many survive is the same after each entry."""
    half, third, sixth = Rational(1, 2), Rational(1, 3), Rational(1, 6)
    kernel.example(
        {d: 2, p: (third, half), R: ((1,), (2 * third, third), (third, half, sixth)), P: (third, half, sixth)}
        | {C: (0, 1, 5), V: ((4 * third,), (half, 3), (0, 1, 5)), expected: 4 * third}
    )
    kernel.index((k, 1, m), ROUNDS)
    entries = [kernel.at(kernel.given("entries", place), m) for place in (1, 2, 3)]
    law = (entries[0], kernel.at(entries[1], k - 1), entries[2])
    families = (lambda n: R[m, n], lambda n: R[m + 1, n], lambda n: V[m + 1, n])
    coin = _grown(kernel, k, m, families, p[m], law)
    kernel.index((j, 0, m))
    mean = kernel.cert(
        eq(R[m, j] * V[m, j], R[m, j] * ((1 - p[m]) * V[m + 1, j] + p[m] * V[m + 1, j + 1])),
        (R[m, j], kernel.at(kernel.given("conditional", 2), m, j)),
    )
    kept = Sum(R[m, j] * V[m, j], (j, 0, m))
    same = kernel.cert(eq(kept.subs(m, m + 1) - kept, 0), (1, coin), (-1, kernel.sum_over(mean, (j, 0, m))))
    ends = kernel.cert(
        eq(R[d, i] * V[d, i], P[i] * C[i]),
        (-C[i], kernel.at(kernel.given("entries", 4), i)),
        (R[d, i], kernel.at(kernel.given("conditional"), i)),
    )
    total = kernel.cert(
        eq(expected, _EXACT),
        (1, kernel.given("conditional", 1)), (-V[0, 0], kernel.given("entries")),
        (1, telescoping_sum(kernel, kept, m, d)), (-1, kernel.sum_over(same, ROUNDS)),
        (1, kernel.sum_over(ends, (i, 0, d))),
    )  # fmt: skip
    kernel.conclude("expected", total)
