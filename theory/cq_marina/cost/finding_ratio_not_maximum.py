r"""`cq_marina/finding-ratio-not-maximum`: what 7.29 is not (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost import off_peak, peaks
from theory.cq_marina.cost import psi as psis
from theory.cq_marina.cost.bracket import BINARY, BITS_OF_THREE, TERNARY, THREE_LEVELS
from theory.cq_marina.cost.peaks import A_cq, A_iq, best_cq, best_iq, psi_cq, psi_iq
from theory.cq_marina.cost.psi import A_CQ, A_IQ, HALF, MESSAGE, THIRD, beta, c, cost, d, n, p
from theory.cq_marina.paper import PAPER
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

r, j = symbols("r j", real=True)
a = IndexedBase("a", real=True)
COORDINATES = (j, 0, d - 1)

_SIZES = {n: Integer(33299), d: Integer(10**6)}
_POINT = Rational(33, 2)
_AT_LEAST = Rational(2303, 100)
_THREE = (1 + (32 / beta - 1) * p) * (1 + sqrt((1 - p) / p) / 2)
_LENGTH = MESSAGE.subs(beta, 1)
_BOUND = 1 / cost(A_CQ, _LENGTH, p)
_ROOT = sqrt((1 - p) / p)
_BINARY, _TERNARY = (1 + 31 * p) * (1 + _ROOT), (1 + 15 * p) * (1 + _ROOT / 2)
_TRUE = 1 + 32 / beta * n ** Rational(-1, 6)

# Where the ratio with the true noise is largest, and how large: with one bit, two, and that of three levels.
_PEAKS = {
    **{"place_1": Integer(348), "height_1": Rational(2556, 1000)},
    **{"place_2": Integer(229), "height_2": Rational(2260, 1000)},
    **{"place_3": Integer(262), "height_3": Rational(2355, 1000)},
}

CLAIM = Claim(
    id="cq_marina/finding-ratio-not-maximum",
    kind="finding",
    provenance="derived",
    title="The gain of 7.29 mixes two grids and is not the largest",
    position=28,
    paper=PAPER,
    **statement(
        r"""
        In units of uncompressed rounds MARINA costs $\Psi=(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)$ at
        zero Hessian variance, up to rounding and the first round, for the noise $A>0$ of the compressor
        ($A-B$ in its AB inequality) and messages of the length $c$; $\psi$ is its minimum over $0<p\le1$.
        The limit 7.29 of `cq_marina/comm-ratio` takes the constants $\frac d{4n}$ and $\frac d{4n^2}$,
        which fit the ternary grid, with the message of the binary one. The noise of CQ at equal inputs is
        the latter on the ternary grid and four times it on the binary one (`cq_marina/cq-equal-inputs`).
        (a: binary-noise) On the binary grid a client has, for the norm $r$, at every input $a$ the error
          $$\sum_j(r^2-a_j^2)=(d-1)r^2,$$ so that <<IQ has the noise $\frac{d-1}n$ -> exact/IQ, binary>>.
          [proof; exact/IQ, binary; exact/CQ, binary]
        (b: ternary-noise, quarter) On the ternary grid it is at most $$\sum_j(r|a_j|-a_j^2)\le(\sqrt
          d-1)r^2,$$ <<attained at flat inputs -> exact/IQ, ternary>>, so that IQ has only the noise
          $\frac{\sqrt d-1}n\le\frac d{4n}$. [proof; exact/IQ, ternary; exact/CQ, ternary]
        (c: binary) Consistent on the binary grid: for $A_{\rm IQ}\le1$, $c\ge\frac1{32}$ and every $p$
          $$\psi_{\rm IQ}\le(1+31p)\Big(1+\sqrt{\frac{1-p}p}\Big)\psi_{\rm CQ}.$$ [proof; exact/binary,
          ratio; exact/binary, searched]
        (d: binary-lower) Its minimum over $p$ is at least {value:binary_lower,9},
          $${value:binary_lower,9}\le(1+31p)\Big(1+\sqrt{\frac{1-p}p}\Big),$$ <<and below
          {value:binary_upper,9} -> exact/binary, bracket>>, <<the limit of the ratio at $d=n$ ->
          exact/binary, near the limit>>. [proof; exact/binary, bracket; exact/binary, bound at its best p;
          exact/binary, near the limit]
        (e: ternary) On the ternary grid with two bits, $A_{\rm IQ}\le\frac14$ and $c\ge\frac1{16}$:
          $$\psi_{\rm IQ}\le(1+15p)\Big(1+\frac12\sqrt{\frac{1-p}p}\Big)\psi_{\rm CQ}.$$ [proof;
          exact/ternary, ratio; exact/ternary, searched]
        (f: ternary-lower) Its minimum over $p$ is at least {value:ternary_lower,9},
          $${value:ternary_lower,9}\le(1+15p)\Big(1+\frac12\sqrt{\frac{1-p}p}\Big),$$ <<and below
          {value:ternary_upper,9} -> exact/ternary, bracket>>, <<the limit of the ratio at $d=n$ with the
          noise $\frac d{4n}$ -> exact/ternary, near the limit>>. [proof; exact/ternary, bracket;
          exact/ternary, bound at its best p; exact/ternary, near the limit]
        (g: true-ternary) With its own noise at equal numbers, $A_{\rm IQ}=\frac{\sqrt n-1}n$, and $\beta$
          bits, $c\ge\frac\beta{32}$, the bound on the ratio falls with $n$: $$\psi_{\rm
          IQ}\le\Big(1+\frac{32}\beta n^{-1/6}\Big)\psi_{\rm CQ}.$$ [proof; exact/ratio with the true noise]
        (h: away) With two bits, $A_{\rm IQ}\le\frac{\sqrt n-1}n$, $A_{\rm CQ}\ge\frac1{4n}$ and
          $c=\frac1n+\frac1{16}$, the ratio is no larger than in (k) for all $n\ge2$ with
          $(n-100)(n-600)\ge0$: $$\psi_{\rm IQ}\le2.2595\psi_{\rm CQ}.$$ <<Over all $n\le2000$ it is largest
          at -> exact/place of the peak>> {value:place_2}; <<for $\log_23$ it is no larger at tested $n$
          than at -> exact/no larger ratio>> {value:place_3}, <<for one bit than at -> exact/no larger
          ratio>> {value:place_1}. [proof; exact/place of the peak; exact/no
          larger ratio]
        (i: kink) Nor are equal numbers of clients and coordinates the best case: where $A_{\rm
          IQ}\ge\frac{(1-c)^2}{4c}$, IQ gains nothing, and for every $p$ $$\psi_{\rm
          CQ}\le(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA_{\rm CQ}}\Big)\psi_{\rm IQ}.$$ [proof; exact/IQ gains
          nothing there; exact/stated bound]
        (j: high) With $A_{\rm IQ}=\frac d{4n}$, $A_{\rm CQ}=\frac d{4n^2}$, $c=\frac{32+d}{32d}$ the ratio
          is at $d=10^6$, $n=33299$ at least {value:high,2}, $${value:high,2}\psi_{\rm CQ}\le\psi_{\rm
          IQ},$$ <<above three times the limit at $d=n$ -> exact/above three times the limit at d = n>>.
          [proof; exact/above three times the limit at d = n]
        (k: two-bits) The ratio with the true noise is {value:height_2,3} at {value:place_2} <<clients with
          two bits -> exact/height of the peak>>, where $0.248425135\le\sqrt{A_{\rm IQ}}\le0.248425136$,
          $0.033040930\le\sqrt{A_{\rm CQ}}\le0.033040931$ and $0.066866812\le c\le0.066866813$:
          $$2.2595\psi_{\rm CQ}\le\psi_{\rm IQ}\le2.2605\psi_{\rm CQ}.$$ [proof; exact/height of the peak]
        (l: three-levels) The ratio with the true noise is {value:height_3,3} at {value:place_3} <<clients
          with $\log_23$ bits -> exact/height of the peak>>, where $0.240755918\le\sqrt{A_{\rm
          IQ}}\le0.240755919$, $0.030890103\le\sqrt{A_{\rm CQ}}\le0.030890104$ and $0.053346872\le
          c\le0.053346873$: $$2.3545\psi_{\rm CQ}\le\psi_{\rm IQ}\le2.3555\psi_{\rm CQ}.$$ [proof;
          exact/height of the peak]
        (m: one-bit) The ratio with the true noise is {value:height_1,3} at {value:place_1} <<clients with one
          bit -> exact/height of the peak>>, where $0.225237793\le\sqrt{A_{\rm IQ}}\le0.225237794$,
          $0.026802813\le\sqrt{A_{\rm CQ}}\le0.026802814$ and $0.034123563\le c\le0.034123564$:
          $$2.5555\psi_{\rm CQ}\le\psi_{\rm IQ}\le2.5565\psi_{\rm CQ}.$$ [proof; exact/height of the peak]
        (n: off-kink) At $d=10^6$ the ratio of (j) is <<largest near the kink $\frac
          d{4n}=\frac{(1-c)^2}{4c}$ -> exact/place>>; with $A_{\rm IQ}\le\frac d{4n}$, $A_{\rm CQ}\ge\frac
          d{4n^2}$, $c=\frac{32+d}{32d}$ it is smaller than in (j) for all $n$ with
          $(n-33000)(n-33600)\ge0$: $$\psi_{\rm IQ}\le23.02\psi_{\rm CQ}.$$ [proof; exact/place]
        (o: three) With $1.5849625\le\beta\le1.584962501$ bits in place of the two of (e), <<next to the
          $\log_23$ that three levels take -> exact/three levels, bits>>, its factor is at least
          {value:three_lower,6},
          $${value:three_lower,6}\le\Big(1+\Big(\frac{32}\beta-1\Big)p\Big)\Big(1+\frac12\sqrt{\frac{1-p}p}\Big),$$
          <<and its minimum below {value:three_upper,6} -> exact/three levels, limit>>, <<the limit of the
          ratio at $d=n$ with the noise $\frac d{4n}$ -> exact/three levels, near the limit>>. [proof;
          exact/three levels, bits; exact/three levels, limit; exact/three levels, bound at its best p;
          exact/three levels, near the limit]
        """
    ),
    variables=(
        psis.CLIENTS,
        psis.DIMENSION,
        psis.PROBABILITY,
        psis.LENGTH,
        psis.ODDS,
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "bits for each coordinate of a compressed message"),
        Variable(A_iq, r"A_{\rm IQ}", r"\mathbb R_{>0}", "noise of IQ"),
        Variable(A_cq, r"A_{\rm CQ}", r"\mathbb R_{>0}", "noise of CQ"),
        Variable(psi_iq, r"\psi_{\rm IQ}", "(0,1]", r"$\psi$ of IQ"),
        Variable(psi_cq, r"\psi_{\rm CQ}", "(0,1]", r"$\psi$ of CQ"),
        Variable(best_iq, r"p_{\rm IQ}", "(0,1]", "best probability of IQ"),
        Variable(best_cq, r"p_{\rm CQ}", "(0,1]", "best probability of CQ"),
        Variable(a, "a", r"\mathbb R^d", "input of a client", "(d,)"),
        Variable(r, "r", r"\mathbb R_{\ge0}", "its norm", aliases=(r"\|a\|_2",)),
    ),
    notation={"A-B": "noise", "A": "noise", r"\psi": "the smallest cost"},
    hypotheses={
        "p": psis.PROBABILITIES,
        "signs": domain(r"$A_{\rm IQ},A_{\rm CQ}>0$, $0<c\le1$, $\beta>0$, $r\ge0$"),
        "sizes": domain(r"$d,n\ge1$ are integers"),
        "norm": definition(r"$r^2=\sum_ja_j^2$"),
        "iq": definition(psis.minimum(r"\psi_{\rm IQ}", r"A_{\rm IQ}", r"p_{\rm IQ}")),
        "cq": definition(psis.at_most(r"\psi_{\rm CQ}", r"A_{\rm CQ}")),
        "cq-best": definition(psis.attained(r"\psi_{\rm CQ}", r"A_{\rm CQ}", r"p_{\rm CQ}")),
        "on-binary": parameter(r"$A_{\rm IQ}\le1$, $c\ge\frac1{32}$"),
        "on-ternary": parameter(r"$A_{\rm IQ}\le\frac14$, $c\ge\frac1{16}$"),
        "true": parameter(r"$A_{\rm IQ}=\frac{\sqrt n-1}n$, $c\ge\frac\beta{32}$"),
        **peaks.HYPOTHESES,
        "three-bits": parameter(r"$1.5849625\le\beta\le1.584962501$"),
        "large": parameter(r"$A_{\rm IQ}\ge\frac{(1-c)^2}{4c}$"),
        "million": parameter(
            r"$d=10^6$, $n=33299$, $A_{\rm IQ}=\frac d{4n}$, $A_{\rm CQ}=\frac d{4n^2}$, "
            r"$c=\frac{32+d}{32d}$"
        ),
        **off_peak.HYPOTHESES,
    },
    relations={
        "binary-noise": Relation(
            (Sum(r**2 - a[j] ** 2, COORDINATES), (d - 1) * r**2), ("=",), under=("norm",)
        ),
        "ternary-noise": Relation(
            (Sum(r * Abs(a[j]) - a[j] ** 2, COORDINATES), (sqrt(d) - 1) * r**2), ("<=",), under=("norm",)
        ),
        "quarter": Relation(((sqrt(d) - 1) / n, d / (4 * n)), ("<=",)),
        "binary": Relation((psi_iq, _BINARY * psi_cq), ("<=",), under=("iq", "cq", "cq-best", "on-binary")),
        "binary-lower": Relation((BINARY.lower, _BINARY), ("<=",)),
        "ternary": Relation(
            (psi_iq, _TERNARY * psi_cq), ("<=",), under=("iq", "cq", "cq-best", "on-ternary")
        ),
        "ternary-lower": Relation((TERNARY.lower, _TERNARY), ("<=",)),
        "true-ternary": Relation((psi_iq, _TRUE * psi_cq), ("<=",), under=("iq", "cq", "cq-best", "true")),
        **{name: peaks.relation(name) for name in peaks.PEAKS},
        "three": Relation((THREE_LEVELS.lower, _THREE), ("<=",), under=("three-bits",)),
        "kink": Relation((psi_cq, cost(A_cq, c, p) * psi_iq), ("<=",), under=("iq", "cq", "large")),
        "high": Relation((_AT_LEAST * psi_cq, psi_iq), ("<=",), under=("iq", "cq", "million")),
        **off_peak.RELATIONS,
    },
    formulas={
        "bound": _BOUND,
        "binary_bound": _BINARY,
        "binary_lower": BINARY.lower,
        "binary_upper": BINARY.upper,
        "ternary_bound": _TERNARY,
        "ternary_lower": TERNARY.lower,
        "ternary_upper": TERNARY.upper,
        "binary_iq": (d - 1) / n,
        "ternary_iq": (sqrt(d) - 1) / n,
        "true_ternary_upper": _TRUE,
        "three_lower": THREE_LEVELS.lower,
        "three_upper": THREE_LEVELS.upper,
        "three_bound": _THREE,
        "least_bits": BITS_OF_THREE[0],
        "most_bits": BITS_OF_THREE[1],
        **_PEAKS,
    },
    internal={
        "bound": "one over the cost of (i), with the constants of (j)",
        "binary_iq": r"$\frac{d-1}n$ of (a)",
        "binary_upper": "a value of (d)",
        "ternary_upper": "a value of (f)",
        "three_upper": "a value of (o)",
        "least_bits": "a bound of (o)",
        "most_bits": "a bound of (o)",
        **dict.fromkeys(_PEAKS, "places and heights of peaks, slots of (h) and (k) to (m)"),
    },
    values={
        "binary_lower": BINARY.lower,
        "binary_upper": BINARY.upper,
        "ternary_lower": TERNARY.lower,
        "ternary_upper": TERNARY.upper,
        "high": _AT_LEAST,
        "three_lower": THREE_LEVELS.lower,
        "three_upper": THREE_LEVELS.upper,
        **_PEAKS,
    },
    worst_cases=cases("""
        where IQ gains nothing, a million coordinates | n = 33299, d = 1000000, p = 4/1093
          | 36395807000000/1580205653111
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({d: 2, a: (3, 4), r: 5})
    half, point = HALF, Rational(9, 16)
    quarter = Rational(1, 4)
    K.example({A_iq: point, A_cq: point, c: quarter, psi_iq: 1, psi_cq: 1, best_iq: 1, best_cq: 1, p: half})
    K.example(
        {A_iq: quarter, A_cq: quarter, c: half, psi_iq: 1, psi_cq: 1, best_iq: 1, best_cq: 1, p: half, n: 4}
        | {beta: 1}
    )
    sizes = {n: 33299, d: 10**6, c: _LENGTH.subs(_SIZES), A_iq: A_IQ.subs(_SIZES), A_cq: A_CQ.subs(_SIZES)}
    K.example(sizes | {psi_iq: 1, best_iq: 1, psi_cq: Rational(1, 32), beta: 1, r: 1, p: half})
    for name in peaks.PEAKS:
        K.example(peaks.example(name))
    K.index(COORDINATES)
    _noise(K)
    K.conclude("binary-lower", BINARY.at_least(K, _BINARY))
    K.conclude("ternary-lower", TERNARY.at_least(K, _TERNARY))
    most, half_root = BITS_OF_THREE[1], 1 + _ROOT / 2
    at_most = THREE_LEVELS.at_least(K, _THREE.subs(beta, most))
    fewer = (32 * p * half_root / (beta * most), K.given("three-bits", 1))
    K.conclude("three", K.cert(le(THREE_LEVELS.lower, _THREE), (1, at_most), fewer))
    K.know(*(K.given(name, place) for name, place in (("iq", 2), ("iq", 3), ("cq-best", 1), ("cq-best", 2))))
    psis.know(K, p, c, best_iq, best_cq)
    message = psis.at_least_length(K, A_cq, c, best_cq)
    message = K.cert(le(c, psi_cq), (1, message), (-1, K.given("cq-best")))
    for name, root, place, bound, multiple in (
        ("binary", Integer(1), "on-binary", _BINARY, 32),
        ("ternary", half, "on-ternary", _TERNARY, 16),
    ):
        noise = K.cert(le((1 - p) / p * A_iq, (1 - p) / p * root**2), ((1 - p) / p, K.given(place)))
        share = p + (1 - p) * c
        terms = [] if root == 1 else [(share, K.axiom("root-product", (1 - p) / p, root**2, half))]
        ratio = K.cert(
            le(psi_iq, bound * psi_cq),
            (1, psis.at(K, "iq", psi_iq, A_iq, c, p)),
            (bound, message),
            (multiple * p * (1 + root * _ROOT), K.given(place, 1)),
            (share, K.power(noise, half)),
            *terms,
        )
        K.conclude(name, ratio)
    _true_ternary(K, message)
    for name in peaks.PEAKS:
        K.conclude(name, *peaks.height(K, name))
    _off_diagonal(K)
    off_peak.prove(K, message)


def _noise(K: Any) -> None:
    norm = K.given("norm")
    goal = eq(Sum(r**2 - a[j] ** 2, COORDINATES), (d - 1) * r**2)
    K.conclude("binary-noise", K.cert(goal, (1, norm)))
    # Cauchy-Schwarz for the magnitudes and ones.
    magnitudes = Sum(Abs(a[j]), COORDINATES)
    schwarz = cauchy_schwarz(K, Abs(a[j]), Integer(1), COORDINATES)
    root = 1 / (2 * sqrt(d))
    goal = le(Sum(r * Abs(a[j]) - a[j] ** 2, COORDINATES), (sqrt(d) - 1) * r**2)
    terms = ((root, (sqrt(d) * r - magnitudes) ** 2), (root, schwarz), (1 - sqrt(d) / 2, norm))
    K.conclude("ternary-noise", K.cert(goal, *terms))
    K.conclude("quarter", K.cert(le((sqrt(d) - 1) / n, d / (4 * n)), (1 / n, (sqrt(d) / 2 - 1) ** 2)))


def _true_ternary(K: Any, message: Any) -> None:
    """The noise is at most n^(-1/2), of which IQ costs at most the third root more than a message."""
    small = K.cert(le(A_iq, 1 / sqrt(n)), (1, K.given("true")), (1, 1 / n))
    ratio = K.cert(
        le(psi_iq, _TRUE * psi_cq),
        (1, psis.below_small_noise(K, "iq", psi_iq, A_iq, c)),
        (_TRUE, message),
        (32 / beta * n ** Rational(-1, 6), K.given("true", 1)),
        (1, K.power(small, THIRD)),
        (1, K.axiom("power-power", n, -HALF, THIRD)),
    )
    K.conclude("true-ternary", ratio)


def _off_diagonal(K: Any) -> None:
    """IQ costs 1, and CQ at most its cost at any p."""

    def full(large: Any) -> Any:
        rounds = psis.full_rounds(K, A_iq, c, best_iq, large)
        return K.cert(le(1, psi_iq), (1, rounds), (-1, K.given("iq", 1)))

    below = psis.at(K, "cq", psi_cq, A_cq, c, p)
    goal = le(psi_cq, cost(A_cq, c, p) * psi_iq)
    K.conclude("kink", K.cert(goal, (1, below), (cost(A_cq, c, p), full(K.given("large")))))
    size, clients, noise_iq, noise_cq, length = (K.given("million", place) for place in range(5))
    large = K.cert(le(psis.threshold(c), A_iq), using=[noise_iq, length, size, clients])
    below = psis.at(K, "cq", psi_cq, A_cq, c, 1 / (1 + _POINT**2))
    goal = le(_AT_LEAST * psi_cq, psi_iq)
    terms = ((_AT_LEAST, below), (1, full(large)))
    K.conclude("high", K.cert(goal, *terms, using=[noise_cq, length, size, clients]))
