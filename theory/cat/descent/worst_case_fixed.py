r"""`cat/worst-case-fixed`: what a fixed number of entries costs in the worst case (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, ceiling, floor, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.rounded_up import rounded_up
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

d, T, A, c_0, c_1, alpha, k, N, C = symbols("d T A c_0 c_1 alpha k N C", real=True)
n = IndexedBase("n", real=True)

_EXACT = 1 + floor((d - 1) / T)
_BOUND = d / T * A * (c_0 + c_1 * T)
_SAVED = A * c_0 * d / (T * (T + 1))

CLAIM = Claim(
    id="cat/worst-case-fixed",
    kind="tight",
    provenance="rederived",
    title="A fixed number of entries costs d/T times as many iterations, rounded up, in the worst case",
    position=7,
    paper=PAPER,
    **statement(
        r"""
        Any $A$ iterations of gradient descent suffice, and $A$ divided by $\alpha$ of them where each sends
        a share of at least $\alpha$ (`cat/s-rates`). Now each sends the $T$ largest of $d$ entries with
        step size $1/L$, and costs $C_T=c_0+c_1T$.
        (a: iterations, cost) Since $\frac Td\le\alpha$ (`cat/alpha-shape`), $$\frac A\alpha\le\frac dTA$$
          iterations suffice, which cost $$\frac A\alpha(c_0+c_1T)\le\frac dTA(c_0+c_1T).$$ [proof;
          exact/all entries]
        (b: count, reached, not-before) As a quotient of counts this is attained, rounded up: <<on $F=\frac
          L2\|x\|^2$ from a flat start -> exact/iterations>> exactly $$N=\lceil
          d/T\rceil=1+\lfloor(d-1)/T\rfloor$$ iterations <<reach 0 -> exact/iterations>>: of the $n_k$
          nonzeros after $k$ iterations $$n_N=0,\qquad0<n_{N-1}.$$ [proof; exact/iterations; exact/share of
          the first message; exact/nonzeros that are left; run/iterations; run/cost]
        (c: payload) $$\frac dTA(c_0+c_1T)=Ac_1d+\frac dTAc_0:$$ without a fixed cost this bound is the
          same for every $T$. [proof; exact/payload]
        (d: saved, falls) It falls <<from $T$ to $T+1$ -> exact/saved by one more>> by $$\frac
          dTA(c_0+c_1T)-\frac d{T+1}A(c_0+c_1(T+1))=\frac{Ac_0d}{T(T+1)},\qquad0\le\frac{Ac_0d}{T(T+1)},$$
          so that it is smallest where all entries are sent. [proof; exact/saved by one more; exact/one more
          is no dearer]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(A, "A", r"\mathbb R_{>0}", "iterations of gradient descent that surely suffice"),
        Variable(alpha, r"\alpha", "(0,1]", "lower bound of the shares along the run"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(C, "C_T", r"\mathbb R_{>0}", "cost of a message"),
        Variable(N, "N", r"\mathbb N", "number of iterations from a flat start"),
        Variable(n, "n", r"\mathbb N_0^\infty", "nonzeros of the iterates", "(oo,)", first=0),
    ),
    notation={"F": "the objective", "L": "its smoothness constant"},
    hypotheses={
        "sizes": domain(r"$1\le T\le d$ are integers"),
        "signs": domain(r"$A,c_1>0$, $c_0\ge0$"),
        "share": model(r"$\alpha>0$, $\frac Td\le\alpha$", reference="cat/alpha-shape"),
        "flat": model(r"$n_k=\max(0,d-kT)$ for $0\le k\le d$, since entries vanish that are sent"),
        "number": definition(r"$N=1+\lfloor(d-1)/T\rfloor$"),
        "price": definition(r"$C_T=c_0+c_1T$"),
    },
    relations={
        "iterations": Relation((A / alpha, d / T * A), ("<=",), under=("share",)),
        "cost": Relation((A / alpha * (c_0 + c_1 * T), _BOUND), ("<=",), under=("share",)),
        "count": Relation((N, ceiling(d / T), _EXACT), ("=", "="), under=("number",)),
        "reached": Relation((n[N], 0), ("=",), under=("number", "flat")),
        "not-before": Relation((0, n[N - 1]), ("<",), under=("number", "flat")),
        "payload": Relation((_BOUND, A * c_1 * d + d / T * A * c_0), ("=",)),
        "saved": Relation((_BOUND - _BOUND.subs(T, T + 1), _SAVED), ("=",)),
        "falls": Relation((0, _SAVED), ("<=",)),
    },
    formulas={"bound": _BOUND, "exact": _EXACT, "payload": A * c_1 * d, "saved_by_one_more": _SAVED},
    worst_cases=cases("""
        flat start, d = 64, one entry | d = 64, T = 1 | 64
        flat start, d = 64, three entries | d = 64, T = 3 | 22
        flat start, d = 64, twenty entries | d = 64, T = 20 | 4
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: count the nonzeros that are left, and compare costs."""
    before, enough, count = rounded_up(K, d, T)
    number = K.given("number")
    K.conclude("count", K.cert(eq(N, ceiling(d / T)), (1, number), (-1, count)), count)
    K.conclude("payload", K.identity(_BOUND, A * c_1 * d + d / T * A * c_0))
    K.conclude("saved", K.identity(_BOUND - _BOUND.subs(T, T + 1), _SAVED))
    K.conclude("falls", K.sign(le(0, _SAVED)))
    K.know(K.axiom("floor-integer", (d - 1) / T))
    K.know(K.cert(le(0, floor((d - 1) / T)), (1, K.floor(K.sign(le(0, (d - 1) / T))))))
    last_one, flat, zero = _EXACT - 1, K.given("flat"), Integer(0)
    K.know(K.cert(le(_EXACT, d), (1, K.axiom("floor-below", (d - 1) / T)), ((d - 1) / T, T - 1)))
    some = K.axiom("max-above-left", d - last_one * T, zero)
    positive = K.cert(lt(0, n[last_one]), (-1, K.at(flat, last_one)), (1, before), (1, some))
    gone = K.cert(le(d - _EXACT * T, 0), (1, enough))
    none = K.discharge(K.axiom("max-is-right", d - _EXACT * T, zero), gone)
    reached = K.cert(eq(n[_EXACT], 0), (1, K.at(flat, _EXACT)), (1, none))
    named = K.cert(eq(_EXACT, N), (-1, number))
    K.conclude("reached", K.rewrite(reached, named))
    last = K.cert(eq(_EXACT - 1, N - 1), (-1, number))
    K.conclude("not-before", K.rewrite(positive, last))
    K.know(K.given("share"), K.given("share", 1))
    iterations = K.cert(le(A / alpha, d / T * A), (d * A / (T * alpha), K.given("share", 1)))
    K.conclude("iterations", iterations)
    K.conclude("cost", K.cert(le(A / alpha * (c_0 + c_1 * T), _BOUND), (c_0 + c_1 * T, iterations)))
