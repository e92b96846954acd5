r"""`cat/memory-bounded`: what a memory keeps stays bounded (error feedback; arXiv 2003.06377, 1809.07599)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, oo, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.linear_recursion import linear_recursion
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.facts.young import young
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, j, t, T, delta, beta, r, M, after = symbols("d j t T delta beta r M after", real=True)
h, g, H, G, m = symbols("h g H G m", cls=IndexedBase, real=True)
ALL, EVER, RUN = (j, 0, d - 1), (t, 0, oo), (t, 0, T - 1)

_KEPT, _ADDED = (1 - delta) * (1 + beta), (1 - delta) * (1 + 1 / beta)
_FIXED = _ADDED / (1 - _KEPT)
_BOUND = r**2 / (1 - r) ** 2

CLAIM = Claim(
    id="cat/memory-bounded",
    kind="upper",
    provenance="rederived",
    title="The memory of a contraction stays bounded",
    position=35,
    paper=PAPER,
    **statement(
        r"""
        A node with the memory $h$, empty at first, sends $C(h+g)$ and keeps the rest, $h^+=h+g-C(h+g)$; $g$
        is its gradient. $C$ is a contraction with $\delta$, and $r^2=1-\delta$, $r\ge0$.
        (a: round) For every $\beta>0$ $$\mathbb
          E\|h^+\|^2\le(1-\delta)(1+\beta)\sum_{j=1}^dh_j^2+(1-\delta)\Big(1+\frac1\beta\Big)\
          \sum_{j=1}^dg_j^2.$$ [proof; exact/one round; run/one round;
          run/memory of the run]
        (b: fixed) If $\mathbb E\|g_t\|^2\le M$ in all rounds and $(1-\delta)(1+\beta)<1$, then for every $T$
          $$\mathbb E\|h_T\|^2\le\frac{(1-\delta)\Big(1+\frac1\beta\Big)}{1-(1-\delta)(1+\beta)}M.$$
          [proof; exact/fixed point; run/fixed point]
        (c: best) The least of these constants: for $(1-\delta)(1+\beta)<1$
          $$\frac{r^2}{(1-r)^2}\le\frac{(1-\delta)\Big(1+\frac1\beta\Big)}{1-(1-\delta)(1+\beta)}.$$
          [proof; exact/least constant]
        (d: kept, added, reached) It is that of $\beta=\frac1r-1$, where $r>0$: then
          $(1-\delta)(1+\beta)=r$, $(1-\delta)\Big(1+\frac1\beta\Big)=\frac{r^2}{1-r}$ and
          $$\frac{(1-\delta)\Big(1+\frac1\beta\Big)}{1-(1-\delta)(1+\beta)}=\frac{r^2}{(1-r)^2}.$$
          [proof; exact/reached]
        (e: memory, simple) So $$\mathbb
          E\|h_T\|^2\le\frac{r^2}{(1-r)^2}M,\qquad\frac{r^2}{(1-r)^2}\le\frac{4(1-\delta)}{\delta^2}.$$
          [proof; exact/memory; exact/simple constant; run/memory]
        (f: sum) In sum over the rounds no bound on gradients is needed: for every $T$
          $$\sum_{t<T}\mathbb E\|h_t\|^2\le\frac{r^2}{(1-r)^2}\sum_{t<T}\mathbb E\|g_t\|^2.$$ [proof;
          exact/sum; run/sum]
        (g: attained) The constant is the best one: <<$C(x)=(1-r)x$ with one gradient of norm one in all
          rounds keeps the norms $m_t$ -> exact/shrunk gradients>>, $$m_T=\frac{r(1-r^T)}{1-r},$$ <<whose
          squares come as close to the bound as one likes -> exact/limit>>. [proof; exact/shrunk
          gradients; exact/limit]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb N_0", "number of rounds"),
        Variable(delta, r"\delta", "(0,1]", "share that the contraction does not lose"),
        Variable(r, "r", "[0,1)", r"$\sqrt{1-\delta}$"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "parameter of Young's inequality"),
        Variable(h, "h", r"\mathbb R^d", "memory", "(d,)"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(after, r"\mathbb E\|h^+\|^2", r"\mathbb R_{\ge0}", "expected square of the next memory"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "bound of the squared gradients"),
        Variable(H, r"\mathbb E\|h_{#1}\|^2", r"\mathbb R_{\ge0}", "memories", "(oo,)", first=0),
        Variable(G, r"\mathbb E\|g_{#1}\|^2", r"\mathbb R_{\ge0}", "gradients", "(oo,)", first=0),
        Variable(m, "m", r"\mathbb R_{\ge0}", "norms of a memory", "(oo,)", first=0),
    ),
    notation={
        "C": "the contraction",
        "C(x)": "a message",
        "C(h+g)": "the message",
        "h^+": "next memory",
        "x": "a vector",
    },
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$d\ge1$, $T\ge0$ are integers"),
        "share": domain(r"$0\le r<1$, $\delta,\beta>0$"),
        "root": definition(r"$r^2=1-\delta$"),
        "contraction": model(
            r"$\mathbb E\|h^+\|^2\le(1-\delta)\sum_j(h_j+g_j)^2$, since $C$ is a contraction"
        ),
        "small": parameter(r"$(1-\delta)(1+\beta)<1$"),
        "memories": model(
            r"$\mathbb E\|h_{t+1}\|^2\le(1-\delta)(1+\beta)\mathbb E\|h_t\|^2"
            r"+(1-\delta)(1+\frac1\beta)\mathbb E\|g_t\|^2$, $\mathbb E\|h_0\|^2=0$, "
            "since $C$ is a contraction given the rounds before"
        ),
        "chosen": model(
            r"$\mathbb E\|h_{t+1}\|^2\le r\,\mathbb E\|h_t\|^2+\frac{r^2}{1-r}\mathbb E\|g_t\|^2$, "
            r"$\mathbb E\|h_0\|^2=0$, $\mathbb E\|h_t\|^2\ge0$, "
            "since $C$ is a contraction given the rounds before"
        ),
        "bounded": model(r"$\mathbb E\|g_t\|^2\le M$, $M\ge0$"),
        "positive": domain("$r>0$"),
        "choice": parameter(r"$\beta=\frac1r-1$"),
        "line": definition("$m_0=0$, $m_{t+1}=r(m_t+1)$"),
    },
    relations={
        "round": Relation(
            (after, _KEPT * Sum(h[j] ** 2, ALL) + _ADDED * Sum(g[j] ** 2, ALL)),
            ("<=",),
            under=("contraction",),
        ),
        "fixed": Relation((H[T], _FIXED * M), ("<=",), under=("memories", "bounded", "small")),
        "best": Relation((_BOUND, _FIXED), ("<=",), under=("small",)),
        "kept": Relation((_KEPT, r), ("=",), under=("positive", "choice")),
        "added": Relation((_ADDED, r**2 / (1 - r)), ("=",), under=("positive", "choice")),
        "reached": Relation((_FIXED, _BOUND), ("=",), under=("positive", "choice", "small")),
        "memory": Relation((H[T], _BOUND * M), ("<=",), under=("chosen", "bounded")),
        "simple": Relation((_BOUND, 4 * (1 - delta) / delta**2), ("<=",)),
        "sum": Relation((Sum(H[t], RUN), _BOUND * Sum(G[t], RUN)), ("<=",), under=("chosen",)),
        "attained": Relation((m[T], r * (1 - r**T) / (1 - r)), ("=",), under=("line",)),
    },
    formulas={
        "bound": _BOUND,
        "fixed": _FIXED,
        "kept": _KEPT,
        "added": _ADDED,
        "simple": 4 * (1 - delta) / delta**2,
        "norm": r * (1 - r**T) / (1 - r),
    },
    internal={
        "kept": "the factor of the memory in part (a)",
        "added": "the factor of the gradient in part (a)",
    },
    worst_cases=cases(r"""
        three quarters lost: $C(x)=\frac x2$ in the limit | r = 1/2 | 1
        there after two rounds | r = 1/2, T = 2 | 3/4
        any better constant is refused, $\beta=1$ | delta = 3/4, beta = 1 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    falling = tuple(1 - half**k for k in range(152))
    start: dict[Any, Any] = {d: 1, T: 2, delta: 3 * half / 2, r: half, beta: 1, M: 1, after: 1}
    K.example(start | {h: (1,), g: (1,), H: falling, G: (1,) * 152, m: falling})
    K.index(ALL)
    root = K.given("root")
    lost = K.cert(le(0, 1 - delta), (1, r**2), (1, root))
    K.know(lost)
    both = K.sum_over(young(K, h[j], g[j], beta), ALL)
    K.show("round", (1, K.given("contraction")), (1 - delta, both))
    K.index(EVER)
    K.know(K.given("bounded", 1))
    _sums(K)
    _fixed(K)
    _best(K)


def _fixed(K: Any) -> None:
    """The linear recursion from zero."""
    K.know(K.given("small"))
    step = K.cert(
        le(H[t + 1], _KEPT * H[t] + _ADDED * M),
        (1, K.at(K.given("memories"), t)),
        (_ADDED, K.at(K.given("bounded"), t)),
    )
    found = K.at(linear_recursion(K, H, t, _KEPT, _ADDED * M, step), T)
    K.show("fixed", (1, found), (_KEPT**T, K.given("memories", 1)))


def _best(K: Any) -> None:
    """The difference of the constants is a square over what is positive."""
    share = K.cert(eq(delta, 1 - r**2), (1, K.given("root")))
    room = K.cert(lt(0, 1 - r**2 * (1 + beta)), (1, K.given("small")), (1 + beta, K.given("root")))
    K.know(K.cert(lt(0, delta), ((1 + r), K.given("share", 1)), (-1, K.given("root"))), room)
    bottom = beta * (1 - r**2 * (1 + beta)) * (1 - r) ** 2
    K.show("best", (r**2 / bottom, (1 - r - r * beta) ** 2), using=[share])
    K.show("simple", (1, r**2 * (3 + r) / ((1 - r) * (1 + r) ** 2)), using=[share])
    K.know(K.given("positive"))
    for relation in ("kept", "added", "reached"):
        K.show(relation, using=[share, K.given("choice")])


def _sums(K: Any) -> None:
    """The recursion with the best parameter, from zero and added up; a line."""
    factor = r**2 / (1 - r)
    round_ = K.at(K.given("chosen"), t)
    step = K.cert(le(H[t + 1], r * H[t] + factor * M), (1, round_), (factor, K.at(K.given("bounded"), t)))
    found = K.at(linear_recursion(K, H, t, r, factor * M, step), T)
    K.show("memory", (1, found), (r**T, K.given("chosen", 1)))
    K.show(
        "sum",
        (1 / (1 - r), K.sum_over(round_, RUN)),
        (-1 / (1 - r), telescoping_sum(K, H[t], t, T)),
        (1 / (1 - r), K.at(K.given("chosen", 2), T)),
        (1 / (1 - r), K.given("chosen", 1)),
    )

    def norm(place: Any) -> Any:
        return eq(m[place], r * (1 - r**place) / (1 - r))

    before = K.assume(norm(t))
    after_ = K.cert(norm(t + 1), (1, K.at(K.given("line", 1), t)), (r, before))
    K.show("attained", (1, K.at(K.induction(t, K.cert(norm(0), (1, K.given("line"))), after_), T)))
