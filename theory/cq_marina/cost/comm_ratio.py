r"""`cq_marina/comm-ratio`: the number 7.29 for the gain in communication (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost import bracket, far
from theory.cq_marina.cost import psi as psis
from theory.cq_marina.cost.far import best_cq, best_iq, noise_cq, noise_iq, psi_cq, psi_iq
from theory.cq_marina.cost.psi import A_CQ, A_IQ, HALF, MESSAGE, THIRD, A, best, beta, c, cost, d, n, p, psi
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

Delta, L, epsilon, gamma, m = symbols("Delta_0 L epsilon gamma m", real=True)

_UNIT = 2 * Delta * L / epsilon**2 * 32 * d
_BITS = 2 * Delta / (gamma * epsilon**2) * (32 * d * p + (1 - p) * (32 + beta * d))
_BOUND = (1 + 31 * p) * (1 + sqrt((1 - p) / p) / 2)
_SHORTFALL = 1 / (1 + 32 / n + 32 * noise_cq**THIRD)
_JUMP = c / (1 + c)
LIMIT = bracket.QUARTER

_RATIOS = {100: 3533, 1000: 5142, 10**4: 6168, 10**6: 7022}
_MEASURED = {f"ratio_{size}": Rational(thousandths, 1000) for size, thousandths in _RATIOS.items()}

CLAIM = Claim(
    id="cq_marina/comm-ratio",
    kind="tight",
    provenance="rederived",
    title="The gain of 7.29 in communication: a limit with as many coordinates as clients",
    position=27,
    paper=PAPER,
    **statement(
        r"""
        In units of uncompressed rounds MARINA costs $\Psi=(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)$ at
        zero Hessian variance, up to rounding and the first round, for the noise $A>0$ of the compressor
        ($A-B$ in its AB inequality) and messages of the length $c$; $\psi$ is its minimum over $0<p\le1$.
        IQ and CQ: independent and correlated quantization, with the noise $A_{\rm IQ}=\frac d{4n}$ and
        $A_{\rm CQ}=\frac d{4n^2}$ of a public summary of the paper. Which quantizers these belong to:
        `cq_marina/finding-ratio-not-maximum`.
        (a: bits) <<$\frac{2\Delta_0}{\gamma\varepsilon^2}$ rounds -> proof>> at the step
          $\gamma=\frac1{L(1+\sqrt{\frac{1-p}pA})}$, <<full ones of $32d$ bits and others of $32+\beta d$
          bits -> exact/length of a message>>, <<as runs are charged -> exact/bits>>, so $c=\frac{32+\beta
          d}{32d}$, take $$\frac{2\Delta_0}{\gamma\varepsilon^2}\big(32dp+(1-p)(32+\beta
          d)\big)=\frac{2\Delta_0L}{\varepsilon^2}32d(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big).$$ [proof;
          exact/bits; exact/slowest client; exact/cost]
        (b: between, small-noise) $c\le\psi\le1$ and $\psi\le c+A^{1/3}$. [proof; exact/smallest cost;
          exact/small noise]
        (c: full-rounds) If $A\ge\frac{(1-c)^2}{4c}$, then $\psi=1$: full rounds are the best. [proof;
          exact/full rounds only]
        (d: compressed) If $A<\frac{(1-c)^2}{4c}$, then $\psi<1$. [proof; exact/full rounds only]
        (e: jump) For $A=\frac{(1-c)^2}{4c}$ the cost at $p=\frac c{1+c}$ <<is 1 as well -> exact/cost at
          the jump>>, $$(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)=1,$$ and from there the best $p$ <<jumps
          to 1 -> exact/before the jump>>. [proof; exact/cost at the jump; exact/before the jump]
        (f: ratio) At $d=n\ge2$, $\beta=1$ the ratio of the best costs of IQ and CQ is for every $p$ at most
          that of (h): $$\psi_{\rm IQ}\le(1+31p)\Big(1+\frac12\sqrt{\frac{1-p}p}\Big)\psi_{\rm CQ}.$$
          [proof; exact/ratio; exact/ratio of searched costs]
        (g: shortfall) At these $d$, $n$ and $\beta$, if $m$ is at most the factor of (f) for every $p$, then
          $$\frac m{1+\frac{32}n+32A_{\rm CQ}^{1/3}}\psi_{\rm CQ}\le\psi_{\rm IQ}.$$ [proof; exact/share of
          the limit]
        (h: lower, upper) {value:lower,9} is such an $m$,
          $${value:lower,9}\le(1+31p)\Big(1+\frac12\sqrt{\frac{1-p}p}\Big),$$ and all of them are at most
          {value:upper,9}: $m\le{value:upper,9}$. So {value:lower,2} <<is the limit of the ratio as
          $d=n\to\infty$ -> exact/bracket>>. [proof; exact/bracket; exact/bound at its best p; exact/bound at
          another p]
        (i: hundred, thousand, myriad, million) The limit is far: with the $c$ of (a), $\beta=1$ and all
          noises next to the stated ones, these included, $|A_{\rm IQ}-\frac d{4n}|\le10^{-9}$ and $|A_{\rm
          CQ}-\frac d{4n^2}|\le10^{-12}$, $$3.5325\psi_{\rm CQ}\le\psi_{\rm IQ}\le3.5335\psi_{\rm CQ}$$ at
          $d=100$, $n=100$, $$5.1415\psi_{\rm CQ}\le\psi_{\rm IQ}\le5.1425\psi_{\rm CQ}$$ at $d=1000$,
          $n=1000$,
          $$6.1675\psi_{\rm CQ}\le\psi_{\rm IQ}\le6.1685\psi_{\rm CQ}$$ at $d=10000$, $n=10000$ and
          $$7.0215\psi_{\rm CQ}\le\psi_{\rm IQ}\le7.0225\psi_{\rm CQ}$$ at $d=1000000$, $n=1000000$,
          <<the ratio being -> exact/ratio in four digits>> {value:ratio_100,3}, {value:ratio_1000,3},
          {value:ratio_10000,3} and {value:ratio_1000000,3}. [proof; exact/ratio in four digits]
        """
    ),
    variables=(
        psis.CLIENTS,
        psis.DIMENSION,
        psis.PROBABILITY,
        psis.NOISE,
        psis.LENGTH,
        psis.ODDS,
        psis.PSI,
        psis.BEST,
        psis.PRICE,
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "bits for each coordinate of a compressed message"),
        Variable(Delta, r"\Delta_0", r"\mathbb R_{\ge0}", "gap at the start"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", "wanted norm of the gradient"),
        Variable(psi_iq, r"\psi_{\rm IQ}", "(0,1]", r"$\psi$ of IQ"),
        Variable(psi_cq, r"\psi_{\rm CQ}", "(0,1]", r"$\psi$ of CQ"),
        Variable(best_iq, r"p_{\rm IQ}", "(0,1]", "best probability of IQ"),
        Variable(best_cq, r"p_{\rm CQ}", "(0,1]", "best probability of CQ"),
        Variable(noise_iq, r"A_{\rm IQ}", r"\mathbb R_{>0}", "noise of IQ"),
        Variable(noise_cq, r"A_{\rm CQ}", r"\mathbb R_{>0}", "noise of CQ"),
        Variable(m, "m", r"\mathbb R", "a lower bound of the right side of (f)"),
    ),
    notation={"A-B": "noise"},
    hypotheses={
        "p": psis.PROBABILITIES,
        "signs": psis.SIGNS,
        "cost": psis.COST,
        "sizes": domain(r"$d,n\ge1$ are integers; $\beta,L,\gamma,\varepsilon>0$"),
        "length": definition(r"$c=\frac{32+\beta d}{32d}$"),
        "step": parameter(r"$\gamma=\frac1{L(1+\sqrt{\frac{1-p}pA})}$"),
        "psi": psis.MINIMUM,
        "large": parameter(r"$A\ge\frac{(1-c)^2}{4c}$"),
        "small": parameter(r"$A<\frac{(1-c)^2}{4c}$"),
        "jump": parameter(r"$A=\frac{(1-c)^2}{4c}$, $p=\frac c{1+c}$"),
        "iq": definition(psis.minimum(r"\psi_{\rm IQ}", r"A_{\rm IQ}", r"p_{\rm IQ}") + r"; $A_{\rm IQ}>0$"),
        "cq": definition(psis.minimum(r"\psi_{\rm CQ}", r"A_{\rm CQ}", r"p_{\rm CQ}") + r"; $A_{\rm CQ}>0$"),
        "noises": definition(r"$A_{\rm IQ}=\frac d{4n}$, $A_{\rm CQ}=\frac d{4n^2}$"),
        "square": parameter(r"$d=n$, $\beta=1$, $n\ge2$"),
        "near": parameter(
            r"$|A_{\rm IQ}-\frac d{4n}|\le10^{-9}$, $|A_{\rm CQ}-\frac d{4n^2}|\le10^{-12}$, $\beta=1$"
        ),
        **far.HYPOTHESES,
        "lower": definition(
            r"$m(1+v_1^2)\le(32+v_1^2)(1+\frac12|v_1|)$ for all real $v_1$, since squares of "
            "$v_1$ are the odds of compressed rounds"
        ),
    },
    relations={
        "bits": Relation((_BITS, _UNIT * cost(A, c, p)), ("=",), under=("length", "step")),
        "between": Relation((c, psi, 1), ("<=", "<="), under=("psi",)),
        "small-noise": Relation((psi, c + A**THIRD), ("<=",), under=("psi",)),
        "full-rounds": Relation((psi, 1), ("=",), under=("psi", "large")),
        "compressed": Relation((psi, 1), ("<",), under=("psi", "small")),
        "jump": Relation((cost(A, c, p), 1), ("=",), under=("jump",)),
        "ratio": Relation(
            (psi_iq, _BOUND * psi_cq), ("<=",), under=("iq", "cq", "noises", "length", "square")
        ),
        "shortfall": Relation(
            (m * _SHORTFALL * psi_cq, psi_iq),
            ("<=",),
            under=("iq", "cq", "noises", "length", "square", "lower"),
        ),
        "lower": Relation((LIMIT.lower, _BOUND), ("<=",)),
        "upper": Relation((m, LIMIT.upper), ("<=",), under=("lower",)),
        **far.RELATIONS,
    },
    formulas={
        "bound": _BOUND,
        "cost": cost(A, c, p),
        "threshold": psis.threshold(c),
        "jump": _JUMP,
        "small_noise": c + A**THIRD,
        "message": MESSAGE,
        "A_iq": A_IQ,
        "A_cq": A_CQ,
        "share": LIMIT.lower * _SHORTFALL,
        "limit_lower": LIMIT.lower,
        "limit_upper": LIMIT.upper,
        **_MEASURED,
    },
    internal={
        "A_iq": r"$A_{\rm IQ}=\frac d{4n}$",
        "A_cq": r"$A_{\rm CQ}=\frac d{4n^2}$",
        "share": "the left side of (g), over $\\psi_{\\rm CQ}$, for the $m$ of (h)",
        **dict.fromkeys(_MEASURED, "slots of part (i)"),
    },
    values={"lower": LIMIT.lower, "upper": LIMIT.upper, **_MEASURED},
    worst_cases=cases(r"""
        full rounds only | A = 961/128, c = 1/32, p = 1 | 1
        at the threshold a second best probability, $\frac1{33}$ | A = 961/128, c = 1/32, p = 1/33 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    psis.examples(K)
    for name in far.FAR:
        K.example({**far.example(name), A: 1, L: 1, gamma: 1, epsilon: 1})
    K.example(
        {
            n: 2,
            d: 2,
            beta: 1,
            c: Rational(17, 32),
            psi_iq: 1,
            best_iq: 1,
            psi_cq: 1,
            best_cq: 1,
            m: 7,
            p: HALF,
        }
    )
    psis.know(K, p, c)
    equations = [K.given("step"), K.given("length")]
    K.conclude("bits", K.cert(eq(_BITS, _UNIT * cost(A, c, p)), using=equations))
    K.know(K.given("psi", 2), K.given("psi", 3))
    psis.know(K, best)
    one = K.cert(le(psi, 1), (1, psis.at(K, "psi", psi, A, c, Integer(1))))
    attained = K.given("psi", 1)
    K.conclude("between", K.cert(le(c, psi), (1, psis.at_least_length(K, A, c, best)), (-1, attained)), one)
    K.conclude("small-noise", psis.below_small_noise(K, "psi", psi, A, c))
    least = K.cert(le(1, psi), (1, psis.full_rounds(K, A, c, best, K.given("large"))), (-1, attained))
    # Two inequalities are an equation: their difference is at least and at most 0.
    K.conclude("full-rounds", psis.equal(K, psi, Integer(1), one, least))
    K.conclude("jump", _jump(K))
    _ratio(K)
    # What it lets the kernel know holds below the threshold only.
    K.conclude("compressed", psis.below_one(K, "psi", psi, A, c, K.given("small")))


def _jump(K: Any) -> Any:
    root = K.axiom("root-root", (1 - c) / (2 * c), 2, HALF)
    equations = [K.given("jump"), K.given("jump", 1)]
    return K.cert(eq(cost(A, c, p), 1), (2 * c / (1 + c), root), using=equations)


def _ratio(K: Any) -> None:
    """The cost of CQ is at least the length of its messages, that of IQ is at least its limit."""
    K.know(*(K.given(name, place) for name in ("iq", "cq") for place in (2, 3, 4)))
    psis.know(K, best_iq, best_cq)
    quarter, one = Rational(1, 4), K.sign(le(0, Integer(1)))
    equations = [K.given("noises"), K.given("length"), K.given("square"), K.given("square", 1)]
    message = psis.at_least_length(K, noise_cq, c, best_cq)
    message = K.cert(le(c, psi_cq), (1, message), (-1, K.given("cq", 1)))
    ratio = K.cert(
        le(psi_iq, _BOUND * psi_cq),
        (1, psis.at(K, "iq", psi_iq, noise_iq, c, p)),
        (_BOUND, message),
        ((1 + sqrt((1 - p) / p) / 2) * p * 32 / n, one),
        (p + (1 - p) * c, K.axiom("root-product", (1 - p) / p, quarter, HALF)),
        using=equations,
    )
    K.conclude("ratio", ratio)
    K.know(K.cert(lt(0, psi_cq), (1, message), (1, K.sign(lt(0, c)))))
    others = psis.at_least_length(K, noise_iq, c, best_iq)
    K.know(K.cert(le(0, psi_iq), (1, others), (1, c), (-1, K.given("iq", 1))))
    odds = (1 - best_iq) / best_iq
    lowest = K.cert(
        le(_BOUND.subs(p, best_iq), 32 * psi_iq),
        (-32, K.given("iq", 1)),
        (-32 * (best_iq + (1 - best_iq) * c), K.axiom("root-product", odds, quarter, HALF)),
        (32 * (1 - best_iq) / n * (1 + sqrt(odds) / 2), one),
        using=equations,
    )
    shortfall = K.cert(
        le(m * _SHORTFALL * psi_cq, psi_iq),
        (_SHORTFALL * psi_cq, LIMIT.at(K, m, best_iq)),
        (_SHORTFALL * psi_cq, lowest),
        (32 * _SHORTFALL * psi_iq, psis.below_small_noise(K, "cq", psi_cq, noise_cq, c)),
        using=equations[1:],
    )
    K.conclude("shortfall", shortfall)
    K.conclude("lower", LIMIT.at_least(K, _BOUND))
    K.conclude("upper", LIMIT.at_most(K, m))
    far.conclude(K)
