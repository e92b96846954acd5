r"""`cat/packet-candidates`: for packets only sizes that fill packets need be looked at (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, ceiling, floor, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.geometric_sum import geometric_sum
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, S, m, w, b, P_max, h, c_0, c_1, j, k, t, i = symbols("d T S m w b P_max h c_0 c_1 j k t i", real=True)
a, A, C, E = symbols("a A C E", cls=IndexedBase, real=True)
ALL, SIZES = (j, 0, d - 1), (t, 1, d)

_KEPT, _TOTAL = Sum(a[j], (j, 0, T - 1)), Sum(a[j], ALL)
_PACKETS, _CANDIDATE = ceiling(b * T / P_max), floor(m * P_max / b)
_EXACT = _KEPT / (_TOTAL * (c_1 * _PACKETS + c_0))
_WIRE = _KEPT / (_TOTAL * (b * T + h * _PACKETS + c_0))
FLAT = {1: Rational(2, 3), 3: Rational(6, 5), 4: Rational(8, 7), 6: Rational(4, 3), 12: Rational(24, 17)}
"""Twelve times the efficiency of flat gradients, by size."""


def _block(first: Any) -> Sum:
    return Sum(a[first + i], (i, 0, w - 1))


_HYPOTHESES = {
    "sizes": domain(r"$d,T,m,b,P_{\max},w\ge1$ are integers, $T\le d$"),
    "sorted": definition(r"$a_j\ge a_k$ for $k\ge j$"),
    "squares": domain(r"$a_j\ge0$, $\sum_ja_j>0$"),
    "kept": definition(r"$A_t=\sum_{j=1}^ta_j$"),
    "positive": domain(r"$C_t>0$ for $1\le t\le d$"),
    "efficiency": definition(r"$E_t=\frac{A_t}{A_dC_t}$ for $1\le t\le d$"),
    "before": domain(r"$1\le S\le T$ is an integer"),
    "same-step": parameter(r"$C_S=C_T$"),
    "below": domain(r"$T\le d-1$"),
    "maximiser": parameter(r"$E_{T+1}\le E_T$"),
    "nonzero": parameter(r"$a_{T+1}>0$"),
    "fits": parameter(r"$\lceil bT/P_{\max}\rceil\le m$"),
    "small": parameter(r"$T\le\lfloor mP_{\max}/b\rfloor$"),
    "packets": parameter(
        r"$c_1>0$, $c_0\ge0$; $C_t=c_1\lceil bt/P_{\max}\rceil+c_0$ for $1\le t\le d$; "
        r"$c_1\lceil bT/P_{\max}\rceil+c_0>0$"
    ),
    "whole": parameter(r"$P_{\max}=wb$"),
    "next-packet": domain(r"$w(m+1)\le d$"),
    "flat": model(
        r"$d=12$, $b=2$, $P_{\max}=3$; $a_j=1$ for $1\le j\le12$; "
        r"$C_t=\lceil\frac23t\rceil+\frac12$ for $1\le t\le d$"
    ),
    "wire": model(
        r"$d=16$; $a_j=(\frac14)^{j-1}$ for $1\le j\le16$; "
        r"$C_t=36t+624\lceil\frac{36}{11680}t\rceil$ for $1\le t\le d$"
    ),
}

CLAIM = Claim(
    id="cat/packet-candidates",
    kind="identity",
    provenance="derived",
    title="Packets: a best size is the largest in its number of packets",
    position=4,
    paper=PAPER,
    **statement(
        r"""
        $a_1\ge\dots\ge a_d$ are the squares of the entries of $g\ne0$, $A_t=\sum_{j=1}^ta_j$, and a message
        of $t$ entries of $b$ bits costs $C_t>0$. Its efficiency is $E_t=\frac{A_t}{A_dC_t}$. Entries may
        straddle two packets.
        (a: same-step) Sizes of the same cost: if $S\le T$ and $C_S=C_T$, then $E_S\le E_T$. So some
          maximiser of $E$ is the largest size of its step, whatever the steps: <<LoRa airtime, whose steps
          lie inside of frames, included -> exact/best of all>>. [proof; exact/best of all]
        (b: last) Each maximiser is the largest size of its step or has no nonzero left: if $T\le d-1$,
          $E_{T+1}\le E_T$ and $a_{T+1}>0$, then $C_T<C_{T+1}$. [proof; exact/smallest maximiser;
          exact/choice of the rule]
        (c: exact) Packets, $C_t=c_1\lceil bt/P_{\max}\rceil+c_0$ with $c_1>0$, $c_0\ge0$ and
          $c_1\lceil bT/P_{\max}\rceil+c_0>0$, have the
          efficiency $$E_T=\frac{\sum_{j=1}^Ta_j}{(\sum_{j=1}^da_j)(c_1\lceil bT/P_{\max}\rceil+c_0)}.$$
          [proof; exact/cost; exact/efficiency]
        (d: enough) $\lfloor mP_{\max}/b\rfloor$ is the largest size in $m$ packets: if $T\le\lfloor
          mP_{\max}/b\rfloor$, then $\lceil bT/P_{\max}\rceil\le m$. [proof; exact/candidate]
        (e: largest) No larger one fits: if $\lceil bT/P_{\max}\rceil\le m$, then $T\le\lfloor
          mP_{\max}/b\rfloor$. [proof; exact/number of candidates]
        (f: whole, blocks) If $P_{\max}=wb$, packets are as entries in `cat/affine-unimodal`, and <<$E$ has
          one peak over full packets -> exact/one peak>>: $\lfloor mP_{\max}/b\rfloor=wm$, and the squares
          in a packet add up to no more than before,
          $$\sum_{i=1}^wa_{wm+i}\le\sum_{i=1}^wa_{w(m-1)+i},\qquad w(m+1)\le d.$$ [proof; exact/one peak]
        (g: flat-1, flat-3, flat-4, flat-6, flat-12) It can have more than one peak: <<for flat
          gradients with $d=12$, $b=2$, $P_{\max}=3$ and $C_t=\lceil2t/3\rceil+\frac12$ -> exact/flat
          efficiency>> full packets have $12E_{1}={value:flat[0]}$, $12E_{3}={value:flat[1]}$,
          $12E_{4}={value:flat[2]}$, $12E_{6}={value:flat[3]}$ and $12E_{12}={value:flat[4]}$. [proof;
          exact/flat efficiency]
        (h: wire) A price per bit besides is not covered: <<for $g_j=2^{-j}$, $j<16$, with 36 bits an entry
          and 624 bits for a packet of 11680 -> exact/efficiency with a price per bit>>, two entries are
          more efficient than all in one packet, $$E_{16}=\frac1{1200}<E_2.$$ [proof; exact/efficiency with
          a price per bit]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(S, "S", r"\{1,\dots,d\}", "another number of entries"),
        Variable(m, "m", r"\mathbb N", "number of packets"),
        Variable(w, "w", r"\mathbb N", "entries of a packet"),
        Variable(b, "b", r"\mathbb N", "bits of an entry"),
        Variable(P_max, r"P_{\max}", r"\mathbb N", "payload bits of a packet"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its packets"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "price of a packet"),
        Variable(h, "h", r"\mathbb R_{\ge0}", "bits of a packet besides its payload"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the entries, the largest first", "(d,)"),
        Variable(A, "A", r"\mathbb R_{\ge0}^{d+1}", "sums of the largest ones", "(d+1,)", first=0),
        Variable(C, "C", r"\mathbb R_{\ge0}^{d+1}", "costs", "(d+1,)", first=0),
        Variable(E, "E", r"\mathbb R_{\ge0}^{d+1}", "efficiencies", "(d+1,)", first=0),
    ),
    notation={"g": "the gradient", "E": "the efficiency"},
    hypotheses=_HYPOTHESES,
    relations={
        "same-step": Relation((E[S], E[T]), ("<=",), under=("before", "same-step")),
        "last": Relation((C[T], C[T + 1]), ("<",), under=("below", "maximiser", "nonzero")),
        "exact": Relation((E[T], _EXACT), ("=",), under=("packets",)),
        "enough": Relation((_PACKETS, m), ("<=",), under=("small",)),
        "largest": Relation((T, _CANDIDATE), ("<=",), under=("fits",)),
        "whole": Relation((_CANDIDATE, w * m), ("=",), under=("whole",)),
        "blocks": Relation((_block(w * m), _block(w * (m - 1))), ("<=",), under=("next-packet",)),
        **{
            f"flat-{size}": Relation((12 * E[size], value), ("=",), under=("flat",))
            for size, value in FLAT.items()
        },
        "wire": Relation((E[16], Rational(1, 1200), E[2]), ("=", "<"), under=("wire",)),
    },
    formulas={"exact": _EXACT, "candidate": _CANDIDATE, "packets": _PACKETS, "wire": _WIRE},
    internal={"wire": "the efficiency with a price per bit, evaluated in part (h)"},
    values={"flat": tuple(FLAT.values())},
    worst_cases=cases("""
        `gi`, two bits an entry, five bits a packet: two entries fill the first packet but for a bit
          | a = (81, 36, 25, 16, 9, 4, 1, 1), T = 2, d = 8, b = 2, P_max = 5, c_0 = 0, c_1 = 1 | 117/173
        flat, three entries in two packets: the next candidate is worse, the one after it better
          | a = 12 * (1,), T = 3, d = 12, b = 2, P_max = 3, c_0 = 1/2, c_1 = 1 | 1/10
        $g_j=2^{-j}$ with a price per bit besides: all entries in one packet | a = (1, 1/4, 1/16, 1/64, 1/256,
          1/1024, 1/4096, 1/16384, 1/65536, 1/262144, 1/1048576, 1/4194304, 1/16777216, 1/67108864,
          1/268435456, 1/1073741824), T = 16, d = 16, b = 36, P_max = 11680, h = 624, c_0 = 0 | 1/1200
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: sums and roundings compared, and two examples evaluated."""
    K.index(SIZES)
    same, first = K.sum_over(K.at(K.given("sorted"), 0, j), ALL), K.split_off(Sum(a[j], (j, 0, t - 1)), 0)
    largest = K.cert(lt(0, a[0]), (1 / d, K.sign(lt(0, _TOTAL))), (1 / d, same))
    terms = ((1, largest), (1, Sum(a[j], (j, 1, t - 1))), (-1, first), (-1, _kept(K, t)))
    total = K.cert(lt(0, A[d]), (1, K.sign(lt(0, _TOTAL))), (-1, _kept(K, d)))
    K.know(K.every(K.cert(lt(0, A[t]), *terms), SIZES), total)
    _rounding(K)
    written = _efficiency(K, T)
    for equation in (K.at(K.given("packets", 2), T), _kept(K, T), _kept(K, d)):
        written = K.rewrite(written, equation, side="right")
    K.conclude("exact", K.cert(eq(E[T], _EXACT), (1, written)))
    _steps(K)
    _blocks(K)
    _examples(K)


def _kept(K: Any, place: Any) -> Any:
    return K.at(K.given("kept"), place)


def _efficiency(K: Any, place: Any) -> Any:
    return K.at(K.given("efficiency"), place)


def _rounding(K: Any) -> None:
    """T entries fill at most m packets where bT <= m P_max."""
    fits, small = K.given("fits"), K.given("small")
    integer = K.axiom("floor-integer", -b * T / P_max)
    K.know(integer, K.axiom("floor-integer", m * P_max / b))
    up = K.cert(le(T, m * P_max / b), (P_max / b, fits), (P_max / b, K.axiom("floor-below", -b * T / P_max)))
    rounded = K.floor(up)
    same = K.axiom("floor-unique", T, T)
    K.conclude("largest", K.cert(le(T, _CANDIDATE), (1, rounded), (-1, same)))
    down = K.cert(
        le(-m, -b * T / P_max),
        (b / P_max, small),
        (b / P_max, K.axiom("floor-below", m * P_max / b)),
    )
    whole = K.axiom("floor-unique", -m, -m)
    K.conclude("enough", K.cert(le(_PACKETS, m), (1, K.floor(down)), (-1, whole)))
    integer = K.axiom("floor-unique", w * m, w * m)
    quotient = K.cert(eq(m * P_max / b, w * m), (m / b, K.given("whole")))
    K.conclude("whole", K.rewrite(integer, K.cert(eq(w * m, m * P_max / b), (-1, quotient)), side="left"))


def _steps(K: Any) -> None:
    """At the same cost more entries are not worse; a maximiser is followed by a dearer size."""
    K.know(K.given("below"))
    total = K.split_off(Sum(a[j], (j, 0, T)))
    grown = K.cert(eq(A[T + 1], A[T] + a[T]), (1, _kept(K, T + 1)), (-1, _kept(K, T)), (1, total))
    scale = A[d] * C[T] * C[T + 1] / A[T]
    last = K.cert(
        lt(C[T], C[T + 1]),
        *((scale, K.given("maximiser")), (scale, _efficiency(K, T)), (-scale, _efficiency(K, T + 1))),
        *((-C[T] / A[T], grown), (C[T] / A[T], K.given("nonzero"))),
    )
    K.conclude("last", last)
    K.know(*(K.given("before", place) for place in range(3)))
    terms = ((-1, split_sum(K, a[j], (j, 0, T - 1), S)), (1, _kept(K, S)), (-1, _kept(K, T)))
    more = K.cert(le(0, A[T] - A[S]), (1, Sum(a[j], (j, S, T - 1))), *terms)
    fewer = K.rewrite(_efficiency(K, S), K.given("same-step"), side="right")
    terms = ((1, fewer), (-1, _efficiency(K, T)), (1 / (A[d] * C[T]), more))
    K.conclude("same-step", K.cert(le(E[S], E[T]), *terms))


def _blocks(K: Any) -> None:
    """Each square of a packet is at most the one w places before."""
    here, before, packets = w * m + i, w * (m - 1) + i, (i, 0, w - 1)
    inside, after = K.assume(le(i, w - 1)), K.assume(le(0, i))
    K.know(
        K.every(K.cert(le(here, d - 1), (1, K.given("next-packet")), (1, inside)), packets),
        K.every(K.cert(le(before, d - 1), (1, K.given("next-packet")), (1, inside), (1, w)), packets),
        K.every(K.cert(le(0, before), (w, m - 1), (1, after)), packets),
    )
    entry = K.at(K.given("sorted"), before, here)
    K.conclude("blocks", K.sum_over(entry, packets))


def _examples(K: Any) -> None:
    """Evaluate efficiencies with numbers."""
    one = K.at(K.given("flat", 3), j)
    for size, value in FLAT.items():
        sums = {place: K.sum_over(one, (j, 0, place - 1)) for place in (size, 12)}
        found = _evaluated(K, "flat", size, 12, sums, {size: K.at(K.given("flat", 4), size)})
        K.conclude(f"flat-{size}", K.cert(eq(12 * E[size], value), (12, found)))
    quarter, pair = Rational(1, 4), Sum(a[j], (j, 0, 1))
    powers = K.sum_over(K.at(K.given("wire", 1), j), (j, 0, 15))
    total = (1 - quarter**16) / (1 - quarter)
    whole = K.cert(
        eq(Sum(a[j], (j, 0, 15)), total), (1, powers), (1 / (1 - quarter), geometric_sum(K, quarter, 16))
    )
    entries = (K.at(K.given("wire", 1), place) for place in (0, 1))
    splits = (K.split_off(pair), K.split_off(Sum(a[j], (j, 0, 0))))
    two = K.cert(eq(pair, 1 + quarter), *((1, item) for item in (*splits, *entries)))
    sums, costs = {2: two, 16: whole}, {size: K.at(K.given("wire", 2), size) for size in (2, 16)}
    all_sent, inside = (_evaluated(K, "wire", size, 16, sums, costs) for size in (16, 2))
    one_packet = Rational(1, 1200)
    last = K.cert(eq(E[16], one_packet), (1, all_sent))
    K.conclude("wire", last, K.cert(lt(one_packet, E[2]), (-1, inside)))


def _evaluated(K: Any, name: str, size: int, whole: int, sums: Any, costs: Any) -> Any:
    """Return the efficiency of a size, from the sums of squares and the cost, for `whole` coordinates."""
    number = K.given(name)
    found = K.rewrite(_efficiency(K, size), number, side="right")
    for place in dict.fromkeys((size, whole)):
        kept = K.rewrite(_kept(K, place), sums[place], side="right")
        found = K.rewrite(found, kept, side="right")
    found = K.discharge(K.rewrite(found, costs[size], side="right"), K.cert(lt(0, A[whole]), (-1, kept)))
    proofs = [K.cert(le(place, d), (-1, number)) for place in dict.fromkeys((size, whole)) if place > 1]
    if size > 1:
        found = K.discharge(found, K.at(K.given("positive"), size))
    return K.discharge(found, *proofs)
