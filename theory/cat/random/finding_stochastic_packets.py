r"""`cat/finding-stochastic-packets`: the cost of the mean is not the mean cost (arXiv 2003.06377)."""

from math import comb
from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, binomial, ceiling, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Hypothesis, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, b, packet, c_0, c_1, N, t, k, m, mean = symbols("d T b P_max c_0 c_1 N t k m mean", real=True)
P, V = IndexedBase("P", real=True), IndexedBase("V", real=True)
w_1, w_2, K_1, K_2, E_1, E_2, least = symbols("w_1 w_2 K_1 K_2 E_1 E_2 K", real=True)
SURVIVORS = (N, 0, d)

_EXACT = Sum(
    binomial(d, N) * (T / d) ** N * (1 - T / d) ** (d - N) * (c_0 + ceiling(b * N / packet)), SURVIVORS
)
_OF_MEAN = c_0 + ceiling(b * T / packet)
_PACKETS = Sum(P[N] * (c_0 + ceiling(b * N / packet)), SURVIVORS)


def _example(entries: int, kept: int, bits: int) -> Hypothesis:
    """Return the parameters of an example with packets of two bits."""
    return parameter(rf"$d={entries}$, $T={kept}$, $b={bits}$, $P_{{\max}}=2$, $c_0=0$")


def _said(name: str, cost: Any, of_mean: int) -> dict[str, Relation]:
    """Return the expected cost and the cost of the mean of an example."""
    return {
        name: Relation((mean, cost), ("=",), under=("equal", name)),
        f"{name}-of-mean": Relation((_OF_MEAN, Integer(of_mean)), ("=",), under=(name,)),
    }


CLAIM = Claim(
    id="cat/finding-stochastic-packets",
    kind="finding",
    provenance="derived",
    title="Random messages need not cost what their mean size costs",
    position=21,
    paper=PAPER,
    **statement(
        r"""
        The rule for random entries is read with the cost of a message of the expected number $T$ of entries
        in place of the expected cost. Entries have $b$ bits, packets hold $P_{\max}$ bits and cost 1 each,
        a message costs $c_0$ more; $P_N$ is the probability of $N$ survivors of $d$ entries,
        $T=\sum_NNP_N$.
        (a: within) The cost of the mean is off by <<at most one packet -> proof>>:
          $$c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil-1<\sum_{k=0}^dP_k\Big(c_0\
          +\Big\lceil\frac{bk}{P_{\max}}\Big\rceil\Big)\le c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil+1.$$
          [proof]
        (b: four, four-of-mean) Let $d$ equal entries be kept independently and messages cost $C_k$, in (c)
          and (d), too. The cost of the mean may be too small: <<2 of 4 entries, two to a packet -> proof>>
          ($d=4$, $T=2$, $b=1$, $P_{\max}=2$, $c_0=0$), have $\mathbb EC_N=\frac54$ and
          $c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil=1$. [proof; exact/mean cost; exact/cost of the mean;
          exact/above]
        (c: two, two-of-mean) It may be too large: <<1 of 2 entries of 3 bits in packets of 2 bits ->
          proof>> ($d=2$, $T=1$, $b=3$, $P_{\max}=2$, $c_0=0$) have $\mathbb EC_N=\frac74$ and
          $c_0+\Big\lceil\frac{bT}{P_{\max}}\Big\rceil=2$. [proof; exact/below; exact/equal]
        (d: misled, lost) It misleads the rule: for the four entries of (b) <<the share of a size $t$ is
          $\frac t4$ -> exact/loss of four entries>>, and by the cost of the mean, $\frac
          t4\le\frac12\lceil\frac t2\rceil$ for $t\le4$, <<the size 2 is best, the first with $\frac12$ ->
          exact/loss of four entries>>. <<In fact it has $\frac25$ -> exact/loss of four entries>>, as
          $\frac25\mathbb EC_N=\frac12$, <<and all four have $\frac12$ -> exact/loss of four entries>>.
          [proof; exact/loss of four entries]
        (e: affine) What holds instead: for affine costs the two agree,
          $\sum_{k=0}^dP_k(c_0+c_1k)=c_0+c_1T$; else the law of $N$ may be needed (`cat/expected-packets`).
          [proof]
        (f) The rule is misled <<for $(-1)^j/j$, $j\le64$, under `6lowpan` -> exact/loss of 64 entries>>,
          too: another size is chosen, and a factor of at least {value:loss} is lost. [exact/loss of 64
          entries]
        (g: little) Messages of many packets lose little: if at $c_0=0$ the rule takes a size of the share
          $\omega_1$ for $\omega_2$, $\frac{\omega_2}{K_2}\le\frac{\omega_1}{K_1}$ by costs of the mean
          $K_1\ge K$ and $K_2\ge K$ with $K>1$, the mean costs $E_1,E_2$ have
          $$\frac{\omega_2}{E_2}\le\frac{K+1}{K-1}\cdot\frac{\omega_1}{E_1}.$$ [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb R_{\ge0}", "expected number of entries that are kept"),
        Variable(b, "b", r"\mathbb N", "bits of an entry"),
        Variable(packet, r"P_{\max}", r"\mathbb N", "payload of a packet in bits"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its packets"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(t, "t", r"\mathbb N", "another such number"),
        Variable(mean, r"\mathbb EC_N", r"\mathbb R_{\ge0}", "expected cost"),
        Variable(w_1, r"\omega_1", r"\mathbb R_{\ge0}", "share of the size that is taken"),
        Variable(w_2, r"\omega_2", r"\mathbb R_{\ge0}", "share of another size"),
        Variable(K_1, "K_1", r"\mathbb R_{>0}", "cost of the mean of the size that is taken"),
        Variable(K_2, "K_2", r"\mathbb R_{>0}", "cost of the mean of another size"),
        Variable(least, "K", r"\mathbb R_{>0}", "packets that both have at least"),
        Variable(E_1, "E_1", r"\mathbb R_{>0}", "expected cost of the size that is taken"),
        Variable(E_2, "E_2", r"\mathbb R_{>0}", "expected cost of another size"),
        Variable(
            V,
            "V",
            r"\mathbb R^{(d+1)\times(d+1)}_{\ge0}",
            "expected costs given the entries before",
            "(d+1,d+1)",
            first=0,
        ),
        Variable(P, "P", "[0,1]^{d+1}", "law of the number of survivors", "(d+1,)", first=0),
    ),
    notation={
        "N": "number of survivors",
        "C_k": "cost of $k$ entries",
        "P_N": "probability of so many survivors",
    },
    hypotheses={
        "sizes": domain(r"$d\ge1$ is an integer, $b,P_{\max}>0$"),
        "law": definition(r"$P_k\ge0$, $\sum_kP_k=1$, $\sum_kkP_k=T$"),
        "equal": definition(
            r"$V_{d,k}=c_0+\lceil\frac{bk}{P_{\max}}\rceil$; "
            r"$V_{m,k}=(1-\frac Td)V_{m+1,k}+\frac TdV_{m+1,k+1}$ for $0\le k\le m<d$; "
            r"$\mathbb EC_N=V_{0,0}$ (`cat/expected-packets`)"
        ),
        "four": _example(4, 2, 1),
        "two": _example(2, 1, 3),
        "taken": parameter(
            r"$\omega_1,\omega_2\ge0$, $\frac{\omega_2}{K_2}\le\frac{\omega_1}{K_1}$, $K_1,K_2\ge K>1$",
        ),
        "free": parameter(r"$c_0=0$"),
        "both": model(r"$K_1-1<E_1\le K_1+1$, $K_2-1<E_2$, since these are the bounds of part a"),
    },
    relations={
        "within": Relation((_OF_MEAN - 1, _PACKETS, _OF_MEAN + 1), ("<", "<=")),
        **_said("four", Rational(5, 4), 1),
        **_said("two", Rational(7, 4), 2),
        "misled": Relation((t / 4, ceiling(t / 2) / 2), ("<=",), every=((t, 1, 4),)),
        "lost": Relation((2 * mean / 5, Rational(1, 2)), ("=",), under=("equal", "four")),
        "little": Relation(
            (w_2 / E_2, (least + 1) / (least - 1) * w_1 / E_1), ("<=",), under=("taken", "free", "both")
        ),
        "affine": Relation((Sum(P[N] * (c_0 + c_1 * N), SURVIVORS), c_0 + c_1 * T), ("=",)),
    },
    formulas={"exact": _EXACT, "cost_of_mean": _OF_MEAN, "loss": Rational(6, 5)},
    internal={
        "exact": "the sum of part (a) for equal entries, whose number is binomial",
        "loss": "the slot of part (f)",
    },
    values={"loss": Rational(6, 5)},
    worst_cases=cases("""
        above | d = 4, T = 2, b = 1, P_max = 2, c_0 = 0 | 5/4
        below | d = 2, T = 1, b = 3, P_max = 2, c_0 = 0 | 7/4
    """),
)


def derive(kernel: Any) -> None:
    """Prove the relations: each number of packets is less than one above its quotient."""
    given = kernel.given
    half = Rational(1, 2)
    kernel.example(
        {d: 2, b: 3, packet: 2, c_0: 1, c_1: 1, T: Rational(3, 4), P: (half, Rational(1, 4), Rational(1, 4))}
    )
    kernel.index(SURVIVORS)
    one, number = given("law", 1), given("law", 2)
    affine = kernel.cert(eq(Sum(P[N] * (c_0 + c_1 * N), SURVIVORS), c_0 + c_1 * T), (c_0, one), (c_1, number))
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
        (1, least), (-c_0, one), (-ratio, number), (1, kernel.axiom("floor-above", -ratio * T)),
    )  # fmt: skip
    high = kernel.cert(
        le(_PACKETS, _OF_MEAN + 1),
        (1, most), (c_0 + 1, one), (ratio, number), (1, kernel.axiom("floor-below", -ratio * T)),
    )  # fmt: skip
    kernel.conclude("within", low, high)
    costs = [_example_cost(kernel, name, size) for name, size in (("four", 4), ("two", 2))]
    kernel.conclude("lost", kernel.cert(eq(2 * mean / 5, half), (Rational(2, 5), costs[0])))
    kernel.index((t, 1, 4))
    misled = kernel.cert(le(t / 4, ceiling(t / 2) / 2), (half, kernel.axiom("floor-below", -t / 2)))
    kernel.conclude("misled", kernel.every(misled, (t, 1, 4)))
    _little(kernel)


def _little(kernel: Any) -> None:
    """What the rule loses: each mean cost is less than a packet off, of at least K."""
    kernel.example({w_1: 2, w_2: 1, K_1: 3, K_2: 2, least: 2, E_1: 3, E_2: 2, d: 1, b: 1, packet: 1})
    given = kernel.given
    share_1, share_2, chosen, many_1, more, many_2 = (given("taken", place) for place in range(6))
    low_1, high_1, low_2 = (given("both", place) for place in range(3))
    kernel.know(share_1, share_2, more, kernel.cert(lt(0, least - 1), (1, more)))
    for size, many in ((K_1, many_1), (K_2, many_2)):
        kernel.know(kernel.cert(lt(0, size), (1, many), (1, more), (1, 1)))
        kernel.know(kernel.cert(lt(0, size - 1), (1, many), (1, more)))
    kernel.know(kernel.cert(lt(0, E_1), (1, low_1), (1, K_1 - 1)))
    kernel.know(kernel.cert(lt(0, E_2), (1, low_2), (1, K_2 - 1)))
    rest = kernel.cert(le(K_2 / (K_2 - 1), least / (least - 1)), (1 / ((K_2 - 1) * (least - 1)), many_2))
    first = kernel.cert(
        le(1 / K_1, (least + 1) / (least * (K_1 + 1))), (1 / (K_1 * (K_1 + 1) * least), many_1)
    )
    kernel.show(
        "little",
        (w_2 / (E_2 * (K_2 - 1)), low_2),
        (K_2 / (K_2 - 1), chosen),
        (w_1 / K_1, rest),
        (w_1 * least / (least - 1), first),
        ((least + 1) / (least - 1) * w_1 / (E_1 * (K_1 + 1)), high_1),
    )


def _example_cost(kernel: Any, name: str, size: int) -> Any:
    """Conclude the costs of an example, added up over the numbers so far; return the expected one."""
    numbers = [kernel.given(name, place) for place in range(5)]
    relations, given = CLAIM.relations, kernel.given
    stated: Any = CLAIM.hypotheses[name].formulas
    kernel.example({item.left: item.right for item in stated})
    kernel.conclude(f"{name}-of-mean", kernel.cert(relations[f"{name}-of-mean"].formulas[0], using=numbers))
    terms = [(Rational(comb(size, n), 2**size), kernel.at(given("equal"), n)) for n in range(size + 1)]
    for place in range(size):
        coin = [kernel.at(given("equal", 1), place, n) for n in range(place + 1)]
        terms += [(Rational(comb(place, n), 2**place), item) for n, item in enumerate(coin)]
    cost = kernel.cert(relations[name].formulas[0], (1, given("equal", 2)), *terms, using=numbers)
    enough = [kernel.cert(le(n, d), (-1, numbers[0])) for n in range(2, size + 1)]
    cost = kernel.discharge(cost, *enough)
    kernel.conclude(name, cost)
    return cost
