r"""`cat/finding-headline-data`: on data sets the saving depends on scheme and link (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

k, j, rounds, C_dense, spent = symbols("k j rounds C_dense spent", real=True)
share, efficiency, cost = symbols("alpha E C", cls=IndexedBase, real=True)
MESSAGES = (j, 0, k - 1)

_SHARES, _SPENT = Sum(share[j], MESSAGES), Sum(share[j] / efficiency[j], MESSAGES)
_EXACT = rounds * C_dense / _SPENT
_MEAN, _EVEN = _SHARES / _SPENT, _SHARES / (rounds * C_dense)


def _thousandths(value: int) -> Rational:
    return Rational(value, 1000)


# CAT-S over gradient descent, and over the best of some fixed sizes.
_OVER_GD = {
    "breast-cancer_payload": _thousandths(909),
    "breast-cancer_affine": _thousandths(983),
    "breast-cancer_eth": Integer(1),
    "phishing_payload": _thousandths(1090),
    "phishing_affine": _thousandths(1040),
    "phishing_eth": Integer(1),
    "splice_payload": _thousandths(518),
    "splice_affine": _thousandths(688),
    "splice_eth": Integer(1),
    "mushrooms_affine": _thousandths(836),
    "mushrooms_eth": Integer(1),
}
_OVER_FIXED = {
    "phishing_payload_fixed": _thousandths(1530),
    "phishing_affine_fixed": _thousandths(1270),
    "breast-cancer_eth_fixed": Integer(1),
    "phishing_payload_size": Integer(32),
    "phishing_affine_size": Integer(34),
}
MEASURED = {
    **_OVER_GD,
    **_OVER_FIXED,
    "largest_gain": Integer(2),
    "least_signs": _thousandths(1600),
}

CLAIM = Claim(
    id="cat/finding-headline-data",
    kind="finding",
    provenance="derived",
    title="On data sets the saving depends on scheme and link",
    position=33,
    paper=PAPER,
    **statement(
        r"""
        Read without the data, the scheme and the link, that tuning makes communication significantly more
        efficient is not so. Message $j$ of CAT-S has the share $\alpha_j$, the cost $C_j$ and the
        efficiency $E_j=\frac{\alpha_j}{C_j}$; its run costs $B$, the $K$ iterations of gradient descent
        $C_{\rm dense}$ each. Measured: logistic regression with the ridge of one over the number of rows,
        to a thousandth of the first gap, numbers of 32 bits, the step $\frac1L$ from $x_0=0$. A verdict
        covers the data of its records: the quick profile has the breast cancer data with 624 bits for each
        message and under Ethernet.
        (a: gain) The gain is $$\frac{K\,C_{\rm dense}}B=\frac{K\,C_{\rm dense}}{\sum_j\alpha_j/E_j}.$$
          [proof; exact/gain by shares and efficiencies]
        (b: quotient) It is the mean efficiency of the messages over what they need to break even:
          $$\frac{K\,C_{\rm
          dense}}B=\frac{\sum_j\alpha_j}{\sum_j\alpha_j/E_j}\Big/\frac{\sum_j\alpha_j}{K\,C_{\rm dense}}.$$
          [proof; exact/mean efficiency; exact/gain over breaking even]
        (c: loses) Where $\frac{\sum_j\alpha_j}{\sum_j\alpha_j/E_j}\le\frac{\sum_j\alpha_j}{K\,C_{\rm
          dense}}$, $\frac{K\,C_{\rm dense}}B\le1$: <<a tuned run may cost more, as on
          `phishing` for the payload and with 624 bits for each message (full profile) -> exact/gradient
          descent is cheaper>>. [proof; exact/gradient descent is cheaper]
        (d) Relative to gradient descent CAT-S costs, for the payload and <<with 624 bits for each message
          -> exact/gain>>, {value:phishing_payload,2} and {value:phishing_affine,2} on `phishing`,
          {value:splice_payload,3} and {value:splice_affine,3} on `splice`; <<with the 624 bits ->
          exact/gain>> {value:mushrooms_affine,3} on `mushrooms` and {value:breast-cancer_affine,3} on the
          breast cancer data. [exact/cost over gradient descent; exact/gain; exact/iterations;
          exact/iterations of gradient descent; exact/constants; exact/gradient descent; exact/CAT-S;
          exact/sizes; exact/fixed sizes; exact/cost of a message; exact/best of all sizes; exact/share;
          exact/efficiency]
        (e) On `phishing` these are {value:phishing_payload_fixed,2} and {value:phishing_affine_fixed,2}
          times the costs of the fixed sizes {value:phishing_payload_size} and {value:phishing_affine_size}.
          [exact/cost over the best fixed size; exact/best of the fixed sizes]
        (f) Under Ethernet CAT-S costs as much as gradient descent on all four, and CAT-SQ costs at least
          {value:least_signs,1} times as much. [exact/CAT-S is gradient descent; exact/CAT-SQ loses]
        (g) CAT-SQ is the cheapest of the three for the payload on the breast cancer data, `phishing` and
          `splice`, and <<with the 624 bits on these and `mushrooms` -> exact/CAT-SQ is the cheapest>>; for
          the payload `mushrooms` was not run. [exact/CAT-SQ is the cheapest; exact/CAT-SQ]
        """
    ),
    variables=(
        Variable(k, "k", r"\mathbb N", "iterations of the tuned run"),
        Variable(share, r"\alpha", r"(0,1]^k", "share of the squared norm in each message", "(k,)", first=0),
        Variable(efficiency, "E", r"\mathbb R_{>0}^k", "share over cost of each message", "(k,)", first=0),
        Variable(cost, "C", r"\mathbb R_{>0}^k", "cost of each message", "(k,)", first=0),
        Variable(rounds, "K", r"\mathbb N", "iterations of gradient descent"),
        Variable(C_dense, r"C_{\rm dense}", r"\mathbb R_{>0}", "cost of a dense message, without indices"),
        Variable(spent, "B", r"\mathbb R_{>0}", "cost of the tuned run"),
    ),
    notation={"x_{#1}": "iterate", "L": "smoothness constant"},
    hypotheses={
        "signs": domain(r"$K,C_{\rm dense},B>0$"),
        "messages": domain(r"$k\ge1$ is an integer; $\alpha_j,C_j,E_j>0$"),
        "efficiency": definition(r"$E_j=\frac{\alpha_j}{C_j}$"),
        "spent": definition(r"$B=\sum_jC_j$"),
        "below": parameter(
            r"$\frac{\sum_j\alpha_j}{\sum_j\alpha_j/E_j}\le\frac{\sum_j\alpha_j}{K\,C_{\rm dense}}$"
        ),
    },
    relations={
        "gain": Relation((rounds * C_dense / spent, _EXACT), ("=",)),
        "quotient": Relation((rounds * C_dense / spent, _MEAN / _EVEN), ("=",)),
        "loses": Relation((rounds * C_dense / spent, Integer(1)), ("<=",), under=("below",)),
    },
    formulas={"exact": _EXACT, "mean_efficiency": _MEAN, "break_even": _EVEN, **MEASURED},
    internal=dict.fromkeys(MEASURED, "measured; slots of parts (d) to (f)"),
    values=MEASURED,
    worst_cases=cases("""
        two messages, each with half of the squared norm at 500, for ten dense ones of 100 | rounds = 10,
          C_dense = 100, k = 2, alpha = (1/2, 1/2), E = (1/1000, 1/1000) | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: a message costs its share over its efficiency."""
    K.index(MESSAGES)
    K.example(
        {k: 2, share: (Rational(1, 2), 1), cost: (2, 5), rounds: 3, C_dense: 2}
        | {efficiency: (Rational(1, 4), Rational(1, 5)), spent: 7}
    )
    K.know(*(K.at(K.given("messages", place), j) for place in (2, 3, 4)))
    own = K.at(K.given("efficiency"), j)
    paid = K.cert(eq(share[j] / efficiency[j], cost[j]), (-cost[j] / efficiency[j], own))
    total = K.cert(eq(_SPENT, spent), (1, K.sum_over(paid, MESSAGES)), (-1, K.given("spent")))
    gain = K.cert(eq(rounds * C_dense / spent, _EXACT), (rounds * C_dense / (spent * _SPENT), total))
    K.conclude("gain", gain)
    K.conclude("quotient", K.cert(eq(rounds * C_dense / spent, _MEAN / _EVEN), (1, gain)))
    loses = K.cert(le(rounds * C_dense / spent, 1), (1, gain), (rounds * C_dense / _SHARES, K.given("below")))
    K.conclude("loses", loses)
