r"""`cat/finding-fixed-sparsity`: a fixed sparsity saves nothing in the worst case (arXiv 2003.06377)."""

from typing import Any

from sympy import Integer, ceiling, floor, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.rounding.rounded_up import rounded_up
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, A, c_0, c_1, alpha, C = symbols("d T A c_0 c_1 alpha C", real=True)

_UP = ceiling(d / T)
_MESSAGES = 1 + floor((d - 1) / T)
_EXACT = _MESSAGES * (c_0 + c_1 * T)
_WHOLE = c_0 + c_1 * d
_BREAK_EVEN = (c_0 + c_1 * T) / (c_0 + c_1 * d)

CLAIM = Claim(
    id="cat/finding-fixed-sparsity",
    kind="finding",
    provenance="derived",
    title="A fixed sparsity saves nothing in the worst case",
    position=8,
    paper=PAPER,
    **statement(
        r"""
        One may read that sparse messages make gradient descent cheaper as a claim on guarantees. Messages
        of $T$ of $d$ entries cost $C_T=c_0+c_1T$ (no saving of indices), and the step size is $1/L$.
        (a: no-saving) It fails for every fixed $T$: <<on $\frac L2\|x\|^2$ a flat start takes $\lceil
          d/T\rceil$ messages -> exact/cost>> (`cat/worst-case-fixed`), which cost no less than one message
          with all entries: $$\lceil d/T\rceil(c_0+c_1T)=(1+\lfloor(d-1)/T\rfloor)(c_0+c_1T)\ge c_0+c_1d.$$
          [proof; exact/cost; exact/at least all entries; run/at least all entries]
        (b: divides, free) If they cost the same, $\lceil d/T\rceil(c_0+c_1T)=c_0+c_1d$, then $$T\lceil
          d/T\rceil=d,\qquad(\lceil d/T\rceil-1)c_0=0:$$ $T$ divides $d$, and it is $d$ or there is no fixed
          cost. [proof; exact/entries of all messages; exact/fixed cost of all but one]
        (c: attained) If $T\lceil d/T\rceil=d$ and $(\lceil d/T\rceil-1)c_0=0$, then they cost the same,
          $$\lceil d/T\rceil(c_0+c_1T)=c_0+c_1d.$$ [proof; exact/as much as all entries]
        (d: pays) What holds instead: with a share $\alpha\ge\frac{c_0+c_1T}{c_0+c_1d}$ of the squared norm
          in the messages the guarantee $\frac A\alpha(c_0+c_1T)$ is at most that of dense messages, $$\frac
          A\alpha(c_0+c_1T)\le A(c_0+c_1d).$$ [proof; exact/pays; exact/balanced share; exact/balanced
          guarantee]
        (e: costs) With a smaller share, $\alpha<\frac{c_0+c_1T}{c_0+c_1d}$, it is larger:
          $$A(c_0+c_1d)<\frac A\alpha(c_0+c_1T).$$ [proof; exact/does not pay]
        (f: more-than-flat, no-fixed) That share is no less than that of a flat gradient: $$\frac
          Td\le\frac{c_0+c_1T}{c_0+c_1d},$$ and for $c_0=0$ $$\frac{c_0+c_1T}{c_0+c_1d}=\frac Td.$$ [proof;
          exact/at least T/d; exact/share without fixed cost]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(A, "A", r"\mathbb R_{>0}", "iterations of gradient descent that surely suffice"),
        Variable(alpha, r"\alpha", "(0,1]", "share of the squared norm that is sent"),
        Variable(C, "C_T", r"\mathbb R_{>0}", "cost of a message"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
    ),
    notation={"L": "the smoothness constant"},
    hypotheses={
        "sizes": domain(r"$1\le T\le d$ are integers, $d\ge1$"),
        "signs": domain(r"$A,\alpha,c_1>0$, $c_0\ge0$"),
        "price": definition(r"$C_T=c_0+c_1T$"),
        "same": parameter(r"$\lceil d/T\rceil(c_0+c_1T)=c_0+c_1d$"),
        "whole-messages": parameter(r"$T\lceil d/T\rceil=d$, $(\lceil d/T\rceil-1)c_0=0$"),
        "large": parameter(r"$\alpha\ge\frac{c_0+c_1T}{c_0+c_1d}$"),
        "small": parameter(r"$\alpha<\frac{c_0+c_1T}{c_0+c_1d}$"),
        "no-fixed": parameter(r"$c_0=0$"),
    },
    relations={
        "no-saving": Relation((_UP * (c_0 + c_1 * T), _EXACT, _WHOLE), ("=", ">=")),
        "divides": Relation((T * _UP, d), ("=",), under=("same",)),
        "free": Relation(((_UP - 1) * c_0, 0), ("=",), under=("same",)),
        "attained": Relation((_UP * (c_0 + c_1 * T), _WHOLE), ("=",), under=("whole-messages",)),
        "pays": Relation((A / alpha * (c_0 + c_1 * T), A * _WHOLE), ("<=",), under=("large",)),
        "costs": Relation((A * _WHOLE, A / alpha * (c_0 + c_1 * T)), ("<",), under=("small",)),
        "more-than-flat": Relation((T / d, _BREAK_EVEN), ("<=",)),
        "no-fixed": Relation((_BREAK_EVEN, T / d), ("=",), under=("no-fixed",)),
    },
    formulas={"bound": _WHOLE, "exact": _EXACT, "break_even": _BREAK_EVEN},
    worst_cases=cases("""
        flat start, d = 64, one entry, payload only: 64 messages of 1 for one of 64 | d = 64, T = 1, c_0 = 0,
          c_1 = 1 | 64
        flat start, d = 64, twenty entries: 4 messages of 20 | d = 64, T = 20, c_0 = 0, c_1 = 1 | 80
        the share that pays for one entry of 64 at a fixed cost of 5 entries | d = 64, T = 1, c_0 = 5, c_1 = 1
          | 2/23
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: all messages hold at least d entries; compare guarantees."""
    _, enough, count = rounded_up(K, d, T)
    K.know(K.axiom("floor-integer", (d - 1) / T))
    more = K.floor(K.sign(le(0, (d - 1) / T)))
    written = K.cert(eq(_UP * (c_0 + c_1 * T), _EXACT), (c_0 + c_1 * T, count))
    no_saving = K.cert(le(_WHOLE, _EXACT), (c_0, more), (c_1, enough))
    K.conclude("no-saving", written, no_saving)
    up_enough = K.cert(le(d, T * _UP), (1, enough), (-T, count))
    up_more = K.cert(le(0, _UP - 1), (1, more), (-1, count))
    K.know(K.sign(lt(0, c_1)))
    same = K.given("same")
    below = K.cert(le(T * _UP, d), (1 / c_1, same), (c_0 / c_1, up_more))
    K.conclude("divides", antisymmetry(K, T * _UP, d, below, up_enough))
    none = K.cert(le((_UP - 1) * c_0, 0), (1, same), (c_1, up_enough))
    some = K.cert(le(0, (_UP - 1) * c_0), (c_0, up_more))
    K.conclude("free", antisymmetry(K, (_UP - 1) * c_0, Integer(0), none, some))
    whole, free = K.given("whole-messages"), K.given("whole-messages", 1)
    K.conclude("attained", K.cert(eq(_UP * (c_0 + c_1 * T), _WHOLE), (c_1, whole), (1, free)))
    scale = A * _WHOLE / alpha
    K.conclude("pays", K.cert(le(A / alpha * (c_0 + c_1 * T), A * _WHOLE), (scale, K.given("large"))))
    K.conclude("costs", K.cert(lt(A * _WHOLE, A / alpha * (c_0 + c_1 * T)), (scale, K.given("small"))))
    K.conclude("more-than-flat", K.cert(le(T / d, _BREAK_EVEN), (c_0 / (d * _WHOLE), d - T)))
    K.conclude("no-fixed", K.cert(eq(_BREAK_EVEN, T / d), using=[K.given("no-fixed")]))
