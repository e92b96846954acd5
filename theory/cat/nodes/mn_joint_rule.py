r"""`cat/mn-joint-rule`: how many entries n nodes should send, chosen for all of them (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, sqrt, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, G, V, gamma, T, S, T_o = symbols("n d L G V gamma T S T_o", real=True)
c_0, c_1, before, after, saved, spent, whole, i, j = symbols(
    "c_0 c_1 before after saved spent whole i j", real=True
)
x, y, v, w, b = symbols("x y v w b", cls=IndexedBase, real=True)
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)


_BOUND = G**2 / (2 * L * V)
_STEP = G / (L * V)
_SHARE = n * T / (d + (n - 1) * T)
_EFFICIENCY = T / ((d + (n - 1) * T) * (c_0 + c_1 * T))
_OPTIMUM = sqrt(c_0 * d / ((n - 1) * c_1))
_GAIN = n * T * (c_0 + c_1 * d) / ((d + (n - 1) * T) * (c_0 + c_1 * T))
_SMALLER, _AT_OPTIMUM = _EFFICIENCY.subs(T, S), _EFFICIENCY.subs(T, T_o)

CLAIM = Claim(
    id="cat/mn-joint-rule",
    kind="tight",
    provenance="derived",
    title="How many entries equal nodes should send of flat gradients",
    position=26,
    paper=PAPER,
    **statement(
        r"""
        Let $\hat g$ be unbiased, $\mathbb E\hat g=\nabla F(x)$, $G=\|\nabla F(x)\|^2>0$, $V=\mathbb E\|\hat
        g\|^2$. With $n$ equal nodes $\hat g$ is the average of $n$ independent messages, each of which
        keeps each entry of $\nabla F(x)$ with the same probability, independently (the best for entries of
        equal size), $T$ of $d$ expected; a message costs $c_0$, and $c_1$ for each expected entry.
        (a: decrease) For an $L$-smooth $F$ the step $\gamma=\frac G{LV}$ guarantees $$F(x)-\mathbb
          EF(x-\gamma\hat g)\ge\frac{G^2}{2LV}.$$ [proof]
        (b: attained) <<On $F=\frac L2\|x\|^2$ -> exact/decrease>> this step attains it: $F(x)-\mathbb
          EF(x-\gamma\hat g)=\frac{G^2}{2LV}$. [proof; exact/decrease]
        (c: no-more) <<No step guarantees more: on $F=\frac L2\|x\|^2$ -> proof>>, for every $\gamma$,
          $F(x)-\mathbb EF(x-\gamma\hat g)\le\frac{G^2}{2LV}$. [proof]
        (d: share) For $n$ equal nodes and $T\le d$ $$\frac{G^2}{2LV}=\frac{nT}{d+(n-1)T}\cdot\frac G{2L}.$$
          [proof; exact/share of whole gradients]
        (e: efficiency, gain) This is $s\cdot\frac G{2L}$, $s$ times what whole gradients guarantee; all
          messages cost $B=n(c_0+c_1T)$, those of whole gradients $B_d=n(c_0+c_1d)$:
          $\frac sB=\frac T{(d+(n-1)T)(c_0+c_1T)}$ per cost, and against whole gradients a factor of
          $$\frac{s/B}{1/B_d}=\frac{nT(c_0+c_1d)}{(d+(n-1)T)(c_0+c_1T)}.$$
          [proof; exact/efficiency; exact/gain]
        (f: best) For $n\ge2$ and $c_0>0$ no real $T>0$ is more efficient than
          $T^\circ=\sqrt{\frac{c_0d}{(n-1)c_1}}$: $$\frac
          T{(d+(n-1)T)(c_0+c_1T)}\le\frac{T^\circ}{(d+(n-1)T^\circ)(c_0+c_1T^\circ)}.$$ [proof]
        (g: rises) The efficiency rises up to $T^\circ$: for $S\le T\le T^\circ$ $$\frac
          S{(d+(n-1)S)(c_0+c_1S)}\le\frac T{(d+(n-1)T)(c_0+c_1T)}.$$ [proof]
        (h: falls) It falls from there on: for $T^\circ\le S\le T$ $$\frac T{(d+(n-1)T)(c_0+c_1T)}\le\frac
          S{(d+(n-1)S)(c_0+c_1S)},$$ <<so that the best integer from 1 to $d$ is one of the two next to
          $T^\circ$, cut to this range -> exact/best size>>. [proof; exact/best size]
        (i: one-node) For $n=1$ it rises everywhere: $\frac S{(d+(n-1)S)(c_0+c_1S)}\le\frac
          T{(d+(n-1)T)(c_0+c_1T)}$ for $S\le T$; <<one node sends all entries where $c_0>0$ -> exact/best
          size>>. [proof; exact/best size]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(G, "G", r"\mathbb R_{>0}", r"$\|\nabla F(x)\|^2$"),
        Variable(V, "V", r"\mathbb R_{>0}", r"second moment $\mathbb E\|\hat g\|^2$"),
        Variable(gamma, r"\gamma", r"\mathbb R", "step size"),
        Variable(T, "T", r"\mathbb R_{>0}", "expected number of entries of a message"),
        Variable(S, "S", r"\mathbb R_{>0}", "another such number"),
        Variable(T_o, r"T^\circ", r"\mathbb R_{>0}", "the most efficient one"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(saved, "s", r"\mathbb R_{>0}", "decrease in units of that of whole gradients"),
        Variable(spent, "B", r"\mathbb R_{>0}", "cost of all messages"),
        Variable(whole, "B_d", r"\mathbb R_{>0}", "cost of all messages of whole gradients"),
        Variable(y, "y", r"\mathbb R^d", r"gradient $\nabla F(x)$", "(d,)"),
        Variable(v, "v", r"\mathbb R^d_{\ge0}", r"variances of the entries of $\hat g$", "(d,)"),
        Variable(before, "F(x)", r"\mathbb R", "objective"),
        Variable(after, r"\mathbb EF(x-\gamma\hat g)", r"\mathbb R", "expected objective after a step"),
        Variable(b, "b", r"\{0,1\}^n", "which nodes keep an entry", "(n,)"),
        Variable(w, "w", r"\mathbb R^d", r"entries of $\hat g$", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "point", "(d,)"),
    ),
    notation={"F": "objective", r"\nabla F(x)": "gradient", r"\hat g": "average of the messages"},
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers"),
        "signs": domain(r"$L,G,V>0$"),
        "costs": domain(r"$c_0\ge0$, $c_1>0$"),
        "entries": domain("$S,T>0$"),
        "divisors": domain(r"$d+(n-1)T>0$, $d+(n-1)S>0$"),
        "at-most": domain(r"$T\le d$"),
        "variances": domain(r"$v_j\ge0$"),
        "gradient": definition(r"$G=\sum_jy_j^2$"),
        "moment": definition(
            r"$V=\sum_j\mathbb E\bigl(w_j^2\bigr)$, over uncorrelated $w_j$, $1\le j\le d$, with mean "
            "$y_j$ and variance $v_j$"
        ),
        "smooth": model(
            r"$\mathbb EF(x-\gamma\hat "
            r"g)\le\frac{L\gamma^2}{2}\sum_j\mathbb E\bigl(w_j^2\bigr)+F(x)-\gamma"
            r"\sum_j\mathbb E\bigl(w_jy_j\bigr)$, over uncorrelated $w_j$, $1\le j\le d$, with mean "
            "$y_j$ and variance $v_j$, since $F$ is $L$-smooth"
        ),
        "step": parameter(r"$\gamma=\frac G{LV}$"),
        "sphere": model(
            r"$F(x)=\frac L2\sum_jx_j^2$; $\mathbb EF(x-\gamma\hat "
            r"g)=\frac L2\sum_j\mathbb E\bigl((x_j-\gamma w_j)^2\bigr)$, over uncorrelated $w_j$, "
            r"$1\le j\le d$, with mean $y_j$ and variance $v_j$; $y_j=Lx_j$"
        ),
        "equal-nodes": model(
            r"$V=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i\frac{db_iy_j}{T})^2\bigr)$, over independent "
            r"$b_i\sim\mathrm{Bernoulli}(\frac Td)$, $1\le i\le n$"
        ),
        "saved": definition(
            r"$\frac{G^2}{2LV}=s\cdot\frac G{2L}$: the decrease in units of that of whole gradients"
        ),
        "spent": definition("$B=n(c_0+c_1T)$, $B_d=n(c_0+c_1d)$"),
        "several": parameter(r"$n\ge2$, $c_0>0$"),
        "optimum": definition(r"$T^\circ=\sqrt{\frac{c_0d}{(n-1)c_1}}$, $T^\circ>0$, $d+(n-1)T^\circ>0$"),
        "below": parameter(r"$S\le T\le T^\circ$"),
        "above": parameter(r"$T^\circ\le S\le T$"),
        "one": parameter(r"$n=1$, $S\le T$"),
    },
    relations={
        "decrease": Relation((before - after, _BOUND), (">=",), under=("smooth", "step")),
        "attained": Relation((before - after, _BOUND), ("=",), under=("sphere", "step")),
        "no-more": Relation((before - after, _BOUND), ("<=",), under=("sphere",)),
        "share": Relation((_BOUND, _SHARE * G / (2 * L)), ("=",), under=("equal-nodes", "at-most")),
        "efficiency": Relation(
            (saved / spent, _EFFICIENCY), ("=",), under=("equal-nodes", "at-most", "saved", "spent")
        ),
        "gain": Relation(
            (saved / spent / (1 / whole), _GAIN), ("=",), under=("equal-nodes", "at-most", "saved", "spent")
        ),
        "best": Relation((_EFFICIENCY, _AT_OPTIMUM), ("<=",), under=("several", "optimum")),
        "rises": Relation((_SMALLER, _EFFICIENCY), ("<=",), under=("several", "optimum", "below")),
        "falls": Relation((_EFFICIENCY, _SMALLER), ("<=",), under=("several", "optimum", "above")),
        "one-node": Relation((_SMALLER, _EFFICIENCY), ("<=",), under=("one",)),
    },
    formulas={
        "bound": _BOUND,
        "step": _STEP,
        "share": _SHARE,
        "efficiency": _EFFICIENCY,
        "optimum": _OPTIMUM,
        "gain": _GAIN,
    },
    internal={
        "step": "said as the hypothesis of parts (a) and (b)",
        "optimum": r"the definition of $T^\circ$",
    },
    worst_cases=cases("""
        two nodes, d = 2, one entry: two thirds of the decrease of whole gradients | n = 2, T = 1, d = 2 | 2/3
        sixteen nodes, a fixed cost of ten entries: the gain of 26 entries | n = 16, T = 26, d = 1024,
          c_0 = 10, c_1 = 1 | 53768/6363
    """),
)

_FIVE = {n: 5, d: 64, c_0: 1, c_1: 1, T_o: 4, L: 1, G: 1, V: 1}
_HALF = Rational(1, 2)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, COORDINATES)
    for smaller, larger in ((2, 3), (5, 6)):
        K.example({**_FIVE, S: smaller, T: larger})
    kept = {n: 2, d: 2, T: 1, S: 1, y: (1, 1), G: 2, V: 3, L: 1}
    K.example({**kept, saved: Rational(2, 3), c_0: 1, c_1: 1, spent: 4, whole: 6})
    K.example({n: 1, d: 4, c_0: 1, c_1: 2, S: 1, T: 3, L: 1, G: 1, V: 1})
    moved = {n: 2, d: 2, L: 2, x: (1, _HALF), y: (2, 1), v: (4, 1), G: 5, V: 10, gamma: Rational(1, 4)}
    K.example({**moved, before: Rational(5, 2), after: Rational(15, 8)})
    K.example({**moved, L: 1, T: 1, x: (2, 1), V: Rational(15, 2), v: (2, _HALF), gamma: Rational(2, 3)})
    gradient, moment = K.given("gradient"), K.given("moment")
    second = K.cert(eq(V, Sum(y[j] ** 2 + v[j], COORDINATES)), (1, moment))

    slope = K.cert(
        le(after, before - gamma * G + L * gamma**2 / 2 * V),
        (1, K.given("smooth")), (gamma, gradient), (-L * gamma**2 / 2, second),
    )  # fmt: skip
    step = K.given("step")
    K.conclude("decrease", K.cert(le(_BOUND, before - after), (1, slope), using=[step]))
    squares = K.sum_over(
        K.cert(
            eq(L * x[j] * y[j], y[j] ** 2), (-y[j], K.at(K.given("sphere", 2), j)),
        ),
        COORDINATES,
    )  # fmt: skip
    on_sphere = K.cert(
        eq(before - after, gamma * G - L * gamma**2 / 2 * V),
        (1, K.given("sphere")), (-1, K.given("sphere", 1)), (gamma, squares), (-gamma, gradient),
        (L * gamma**2 / 2, second),
    )  # fmt: skip
    K.conclude("attained", K.cert(eq(before - after, _BOUND), (1, on_sphere), using=[step]))
    square = (G - L * V * gamma) ** 2
    K.conclude("no-more", K.cert(le(before - after, _BOUND), (1, on_sphere), (1 / (2 * L * V), square)))
    of_nodes = K.cert(
        eq(V, (d + (n - 1) * T) / (n * T) * G),
        (1, K.given("equal-nodes")), (-(d + (n - 1) * T) / (n * T), gradient),
    )  # fmt: skip
    share = _SHARE * G / (2 * L)
    share = K.cert(eq(_BOUND, share), (-share / V, of_nodes))
    K.conclude("share", share)
    saves = K.cert(eq(saved, _SHARE), (-2 * L / G, K.given("saved")), (2 * L / G, share))
    costs = [K.given("spent"), K.given("spent", 1)]
    for name in ("efficiency", "gain"):
        K.show(name, using=[saves, *costs])
    _sizes(K)


def _sizes(K: Any) -> None:
    """The difference of two efficiencies is a positive multiple of (T - S)(d c_0 - (n - 1) c_1 S T)."""

    def difference(one: Any, other: Any, *terms: Any) -> Any:
        bottom = [(d + (n - 1) * item) * (c_0 + c_1 * item) for item in (one, other)]
        goal = le(_EFFICIENCY.subs(T, one), _EFFICIENCY.subs(T, other))
        return K.cert(goal, *((factor / (bottom[0] * bottom[1]), item) for factor, item in terms))

    K.know(K.given("below"))  # S <= T
    alone = (T - S) / (d * (c_0 + c_1 * S) * (c_0 + c_1 * T))
    goal = le(_SMALLER, _EFFICIENCY)
    K.conclude("one-node", K.cert(goal, (alone, c_0), using=[K.given("one")]))
    K.know(K.given("several"), K.given("several", 1), K.given("optimum", 1))
    K.know(K.cert(le(1, n - 1), (1, K.given("several"))), K.given("optimum", 2))
    slack = (n - 1) * c_1
    root = K.given("optimum")
    squared = K.cert(eq(T_o**2, c_0 * d / slack), (T_o + _OPTIMUM, root))
    K.conclude("best", difference(T, T_o, (slack * T_o, (T - T_o) ** 2), ((T_o - T) * slack, squared)))
    gap = (T - S) * slack
    upper = K.given("below", 1)
    K.conclude("rises", difference(S, T, (gap * (T_o + T), upper), (gap * T, T - S), (gap, squared)))
    lower = K.given("above")
    K.conclude("falls", difference(T, S, (gap * (T + T_o), lower), (gap * T_o, T - S), (-gap, squared)))
