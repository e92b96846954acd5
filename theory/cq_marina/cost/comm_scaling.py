r"""`cq_marina/comm-scaling`: how the cost falls with the number of clients (arXiv 2401.05518)."""

from typing import Any

from sympy import Max, Min, Symbol, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost import psi as psis
from theory.cq_marina.cost.psi import HALF, ORDER, A, best, c, cost, d, n, p, psi
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

kappa, factor, r, psi_more, best_more, more = symbols("kappa factor r psi_more best_more more", real=True)
E = Symbol("E", real=True)

_BOUND = Min(1, ORDER)
_NOISE_IQ, _NOISE_CQ = (d - 1) / n, d / n**2
_IQ, _CQ = psis.excess(_NOISE_IQ, p), psis.excess(_NOISE_CQ, p)
_FLOATS_IQ, _FLOATS_CQ = (1 + kappa) * (1 + d / sqrt(n)), (1 + kappa) * (1 + d / n)
_PERM_K = 1 + d / n

CLAIM = Claim(
    id="cq_marina/comm-scaling",
    kind="scaling",
    provenance="rederived",
    title="The cost of correlated and independent quantizers as the number of clients grows",
    position=29,
    paper=PAPER,
    **statement(
        r"""
        In units of uncompressed rounds MARINA costs $\Psi=(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)$ at
        zero Hessian variance, up to rounding and the first round, for the noise $A>0$ of the compressor
        ($A-B$ in its AB inequality) and messages of the length $c$; $\psi$ is its minimum over $0<p\le1$.
        IQ and CQ: independent and correlated bits, with the noise of (a) and (b); the latter is the
        supremum over equal inputs for some sizes (`cq_marina/cq-equal-inputs`). What one-bit messages make
        of it: `cq_marina/finding-message-size`.
        (a: exponent-iq) At a fixed $p$ <<the excess $\frac1{\gamma L}-1$ of IQ falls like $n^{-1/2}$,
          exactly -> exact/exponent of iq>>: for $\lambda$ times the clients
          $$\sqrt{\frac{1-p}p\frac{d-1}{\lambda n}}=\frac1{\sqrt\lambda}\sqrt{\frac{1-p}p\frac{d-1}n}.$$
          [proof; exact/excess of iq; exact/exponent of iq]
        (b: exponent-cq) That of CQ <<falls like $n^{-1}$ -> exact/exponent of cq>>:
          $$\sqrt{\frac{1-p}p\frac d{(\lambda n)^2}}=\frac1\lambda\sqrt{\frac{1-p}p\frac d{n^2}}.$$ [proof;
          exact/excess of cq; exact/exponent of cq]
        (c: floats-iq) With messages of $\kappa\le d$ floats, $c=\frac\kappa d$, and $p=\frac1d$ the cost of
          IQ in floats is $$d(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}p\frac{d-1}n}\Big)\le(1+\kappa)\Big(1+\frac
          d{\sqrt n}\Big).$$ [proof; exact/floats of iq at p = 1/d; exact/no less of iq]
        (d: floats-cq) That of CQ is $$d(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}p\frac
          d{n^2}}\Big)\le(1+\kappa)\Big(1+\frac dn\Big).$$ At the best $p$ both are <<at most $d$, the cost
          at $p=1$, as well -> exact/floats at the best p>>. [proof; exact/floats of cq at p = 1/d; exact/no
          less of cq]
        (e: order) For messages of any length
          $$\frac12\min\{1,2(c+\sqrt{cA})\}\le\psi\le\min\{1,2(c+\sqrt{cA})\}.$$ [proof; exact/from above;
          exact/from below]
        (f: envelope) Let $E=\sqrt{\frac{1-p^\star}{p^\star}A}$ at the best probability $p^\star$. For the
          noise $A'=r^2A$ the minimum is $$\psi'\le\frac{1+rE}{1+E}\psi,$$ so that the local exponent
          <<$\sigma=\frac{d\ln\psi}{d\ln A}$ is $\frac E{2(1+E)}$ for $A<\frac{(1-c)^2}{4c}$, by
          $r\uparrow1$ and $r\downarrow1$ -> exact/elasticity>>; at the end of this range the best $p$ jumps
          (`cq_marina/comm-ratio`). [proof; exact/elasticity; exact/local exponent of iq; exact/local
          exponent of cq]
        (g: below-half) For $r>1$, $\psi'<r\psi$: the exponents of $n$ at the best $p$, <<$-\sigma$ for IQ
          and $-2\sigma$ for CQ -> exact/local exponent of cq>>, never reach those of (a) and (b). [proof;
          exact/below one half]
        (h: perm-k) PermK has no noise there; its $\max\{\frac dn,1\}$ floats are at most those of (d), too:
          $$\max\Big\{\frac dn,1\Big\}\le1+\frac dn.$$ [proof; exact/floats of PermK; exact/PermK in order]
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
        psis.PRICE,
        Variable(psi_more, r"\psi'", "(0,1]", "the smallest cost for another noise"),
        psis.BEST,
        Variable(best_more, r"p'", "(0,1]", "best probability for the other noise"),
        Variable(more, "A'", r"\mathbb R_{>0}", "another noise"),
        Variable(E, "E", r"\mathbb R_{\ge0}", "excess at the best $p$"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", "floats of a message"),
        Variable(factor, r"\lambda", r"\mathbb R_{>0}", "factor of the number of clients"),
        Variable(r, "r", r"\mathbb R_{>0}", "root of a factor of the noise"),
    ),
    notation={
        r"\gamma": "step size",
        "L": "smoothness constant",
        "A-B": "noise",
        r"\sigma": "local exponent",
        r"-\sigma": "local exponent of IQ",
    },
    hypotheses={
        "p": psis.PROBABILITIES,
        "signs": psis.SIGNS,
        "cost": psis.COST,
        "sizes": domain(r"$d,n\ge1$ are integers; $\kappa,\lambda,r>0$"),
        "floats": parameter(r"$p=\frac1d$, $c=\frac\kappa d$, $\kappa\le d$"),
        "psi": psis.MINIMUM,
        "more": definition(psis.minimum(r"\psi'", "A'", "p'") + "; $A'=r^2A$, $A'>0$"),
        "excess": definition(r"$E=\sqrt{\frac{1-p^\star}{p^\star}A}$"),
        "larger": parameter("$r>1$"),
    },
    relations={
        "exponent-iq": Relation((psis.excess((d - 1) / (factor * n), p), _IQ / sqrt(factor)), ("=",)),
        "exponent-cq": Relation((psis.excess(d / (factor * n) ** 2, p), _CQ / factor), ("=",)),
        "floats-iq": Relation((d * cost(_NOISE_IQ, c, p), _FLOATS_IQ), ("<=",), under=("floats",)),
        "floats-cq": Relation((d * cost(_NOISE_CQ, c, p), _FLOATS_CQ), ("<=",), under=("floats",)),
        "order": Relation((_BOUND / 2, psi, _BOUND), ("<=", "<="), under=("psi",)),
        "envelope": Relation(
            (psi_more, (1 + r * E) / (1 + E) * psi), ("<=",), under=("psi", "more", "excess")
        ),
        "below-half": Relation((psi_more, r * psi), ("<",), under=("psi", "more", "larger")),
        "perm-k": Relation((Max(d / n, 1), _PERM_K), ("<=",)),
    },
    formulas={
        "bound": _BOUND,
        "lower": _BOUND / 2,
        "order": ORDER,
        "excess_iq": _IQ,
        "excess_cq": _CQ,
        "elasticity": psis.excess(A, p) / (2 * (1 + psis.excess(A, p))),
        "floats_iq": _FLOATS_IQ,
        "floats_cq": _FLOATS_CQ,
        "floats_permk": _PERM_K,
    },
    internal={"elasticity": r"$\frac E{2(1+E)}$ of (f)"},
    worst_cases=cases("""
        no compression | A = 0, c = 1 | 1
        noise one, one bit for 32 | A = 1, c = 1/32 | 1/16 + sqrt(2)/4
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    psis.examples(K)
    K.example({p: HALF, d: 2, c: HALF, kappa: 1, n: 4})
    K.example({A: 4, c: 1, psi: 1, best: 1, r: 2, psi_more: 1, best_more: 1, E: 0})
    psis.know(K, p, c)
    perm_k = K.axiom("max-least", d / n, 1, _PERM_K)
    K.conclude("perm-k", perm_k)
    _exponents(K)
    _floats(K)
    K.know(K.given("psi", 2), K.given("psi", 3))
    psis.know(K, best)
    K.conclude("order", *psis.order(K))
    _envelope(K)


def _exponents(K: Any) -> None:
    K.know(K.cert(le(0, d - 1), (1, K.sign(le(1, d)))))
    iq, cq = psis.excess((d - 1) / (factor * n), p), psis.excess(d / (factor * n) ** 2, p)
    product = K.axiom("root-product", iq**2, factor, HALF)
    K.conclude("exponent-iq", K.cert(eq(iq, _IQ / sqrt(factor)), (-1 / sqrt(factor), product)))
    product = K.axiom("root-product", cq**2, factor**2, HALF)
    root = K.axiom("root-root", factor, 2, HALF)
    exponent = K.cert(eq(cq, _CQ / factor), (-1 / factor, product), (-cq / factor, root))
    K.conclude("exponent-cq", exponent)


def _floats(K: Any) -> None:
    """At p = 1/d the odds are d - 1."""
    equations = [K.given("floats"), K.given("floats", 1)]
    one = (1 / n, K.sign(le(1, d)))
    for name, noise, root, bound, terms in (
        ("floats-iq", _NOISE_IQ, d / sqrt(n), _FLOATS_IQ, ((1, d / n), one)),
        ("floats-cq", _NOISE_CQ, d / n, _FLOATS_CQ, ((1, d / n**2),)),
    ):
        square = (d - 1) * noise
        below = K.cert(le(square, root**2), *terms)
        share, goal = 1 + kappa * (1 - 1 / d), le(d * cost(noise, c, p), bound)
        roots = K.power(below, HALF), K.axiom("root-root", root, 2, HALF)
        costs = ((share, roots[0]), (share, roots[1]), (kappa / d, 1 + root))
        K.conclude(name, K.cert(goal, *costs, using=equations))


def _envelope(K: Any) -> None:
    """The minimum for another noise is at most the cost at the best p of the first."""
    odds, root = (1 - best) / best, psis.excess(A, best)
    share = best + (1 - best) * c
    least = psis.at_least_length(K, A, c, best)
    K.know(K.cert(lt(0, psi), (1, least), (1, K.sign(lt(0, c))), (-1, K.given("psi", 1))))
    K.know(K.given("more", 5))
    slower = K.cert(
        le(psi_more, (1 + r * root) / (1 + root) * psi),
        (1, psis.at(K, "more", psi_more, more, c, best)),
        (share, K.axiom("root-product", odds * A, r**2, HALF)),
        (share * root, K.axiom("root-root", r, 2, HALF)),
        (-(1 + r * root) / (1 + root), K.given("psi", 1)),
        using=[K.given("more", 4)],
    )
    goal = le(psi_more, (1 + r * E) / (1 + E) * psi)
    K.conclude("envelope", K.cert(goal, (1, slower), using=[K.given("excess")]))
    below = K.cert(lt(psi_more, r * psi), (psi / (1 + root), K.given("larger")), (1, slower))
    K.conclude("below-half", below)
