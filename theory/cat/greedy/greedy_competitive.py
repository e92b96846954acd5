r"""`cat/greedy-competitive`: how far greedy messages can be from the cheapest schedule (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, exp, oo, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.split_sum import split_sum
from theory.formula import le
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

d, T, j, k, n, m, messages, L, Delta_0, epsilon = symbols("d T j k n m messages L Delta_0 epsilon", real=True)
delta, B, B_star, nu = symbols("delta B B_star nu", real=True)
a, z, C, t, held, gap, paid, spent = symbols("a z C t held gap paid spent", cls=IndexedBase, real=True)
possible, price, unsent, number = symbols("possible price unsent number", cls=IndexedBase, real=True)
ALL, KEPT, REST, STEPS = (j, 0, d - 1), (j, 0, T - 1), (j, T, d - 1), (k, 0, oo)
MESSAGES = (k, 0, messages - 1)

_EXACT = Sum(a[j], REST) / (2 * L)
_LEFT = Sum(unsent[k, j] * a[j], (j, 0, m - 1)) / (2 * L)
_BOUND = epsilon + (Delta_0 - epsilon) * exp(-B / B_star)

CLAIM = Claim(
    id="cat/greedy-competitive",
    kind="upper",
    provenance="derived",
    title="Greedy messages against the cheapest schedule on the isotropic quadratic",
    position=12,
    paper=PAPER,
    **statement(
        r"""
        $F=\frac L2\|x\|^2$ and $\gamma=\frac1L$, so that an entry that is sent becomes 0; $a_1\ge\dots\ge
        a_d$ are the squares of the entries of the first gradient, $\Delta_0$ is the first gap, and $C_n$ is
        the cost of a message with $n$ entries.
        (a: anytime) With $C_n$ in proportion to $n$ <<CAT has sent the $T$ largest entries when it has paid
          for $T$ -> exact/stated gap>>, and no $T$ entries leave less: where $z_j$ marks what another
          schedule has sent, $\sum_jz_j\le T$,
          $$\frac1{2L}\sum_{j=T+1}^da_j\le\frac1{2L}\sum_{j=1}^d(1-z_j)a_j.$$ [proof; exact/stated gap;
          exact/least gap]
        (b: least-cost) Let $C$ be nondecreasing and subadditive. A schedule whose messages hold $t_k$
          entries, at least $m$ together, costs at least as much as one message with $m$:
          $$C_m\le\sum_kC_{t_k}.$$ [proof; exact/least cost]
        (c: price, left) Let $B^\star$ be this cost for the fewest largest entries $m$ without which the gap
          is at most $\epsilon$, and let $y_{kj}$ mark what CAT has not sent in its first $k$ messages. Of
          the $m$ largest entries those that are not sent yet, $w_k$ of them, cost at most $B^\star$ and
          leave at most $\epsilon$ of the gap $\delta_k$: for every $k$
          $$C_{w_k}\le B^\star,\qquad\delta_k-\epsilon\le\frac1{2L}\sum_{j=1}^my_{kj}a_j.$$ [proof;
          exact/price of the others; exact/left of the gap]
        (d: message) The next message of CAT removes at least as much per cost as these would (its rule, a
          hypothesis): so while its gaps are above $\epsilon$, messages of cost $c_k$ have
          $$\delta_{k+1}-\epsilon\le(\delta_k-\epsilon)\Big(1-\frac{c_k}{B^\star}\Big).$$ [proof;
          exact/excess after a message]
        (e: decay) So when CAT has spent $B$ and its gap $\delta$ is still above $\epsilon$,
          $$\delta\le\epsilon+(\Delta_0-\epsilon)e^{-B/B^\star}.$$ [proof; exact/gap while above]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are paid for"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the first gradient, the largest first", "(d,)"),
        Variable(z, "z", r"\{0,1\}^d", "what another schedule has sent", "(d,)"),
        Variable(C, "C", r"\mathbb R_{\ge0}", "cost of a message, by its entries", "(oo,)", first=0),
        Variable(n, "n", r"\mathbb N", "number of entries of a message"),
        Variable(t, "t", r"\mathbb N", "entries of the messages of a schedule", "(oo,)", first=0),
        Variable(messages, "K", r"\mathbb N", "number of messages of the schedule"),
        Variable(held, "h", r"\mathbb N", "entries of its first messages together", "(oo,)", first=0),
        Variable(m, "m", r"\mathbb N", "the fewest entries that suffice"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{>0}", "first gap"),
        Variable(epsilon, r"\epsilon", r"\mathbb R_{\ge0}", "accuracy"),
        Variable(gap, r"\delta", r"\mathbb R_{\ge0}", "gaps of CAT", "(oo,)", first=0),
        Variable(paid, "c", r"\mathbb R_{\ge0}", "costs of its messages", "(oo,)", first=0),
        Variable(nu, r"\nu", r"\mathbb N_0", "number of messages so far"),
        Variable(spent, "b", r"\mathbb R_{\ge0}", "costs of its first messages together", "(oo,)", first=0),
        Variable(
            price,
            "p",
            r"\mathbb R_{>0}",
            "cost of a message with those of the $m$ largest entries that are not sent yet",
            "(oo,)",
            first=0,
        ),
        Variable(possible, "r", r"\mathbb R", "what this message would remove", "(oo,)", first=0),
        Variable(unsent, "y", r"\{0,1\}", "what CAT has not sent yet", "(oo,d)", first=(0, 1)),
        Variable(
            number, "w", r"\mathbb N_0", "how many of the $m$ largest entries that are", "(oo,)", first=0
        ),
        Variable(delta, r"\delta", r"\mathbb R_{\ge0}", "its gap"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "what it has spent"),
        Variable(B_star, r"B^\star", r"\mathbb R_{>0}", r"least cost of a schedule that reaches $\epsilon$"),
    ),
    ranges={"k": (0, messages - 1), "i": (1, oo), "l": (0, oo), "u": (0, oo)},
    hypotheses={
        "sizes": domain(r"$1\le T\le d$ are integers"),
        "signs": domain(r"$L>0$, $B^\star>0$"),
        "squares": definition(r"$a_j\ge a_q$ for $q\ge j$; $a_j\ge0$"),
        "competitor": model(r"$z_j\in[0,1]$, $\sum_jz_j\le T$"),
        "schedule": model(r"$K\ge1$ is an integer; $h_1=t_0$, $h_{i+1}=h_i+t_i$"),
        "cost": model(
            r"$C_{h_i+t_i}\le C_{h_i}+C_{t_i}$, $C_m\le C_{h_K}$, "
            "since $C$ is a nondecreasing subadditive function"
        ),
        "suffice": definition(r"$1\le m\le d$ is an integer; $\frac1{2L}\sum_{j=m+1}^da_j\le\epsilon$"),
        "nondecreasing": model(r"$C_u\le C_v$ for $v\ge u$"),
        "least": definition(r"$B^\star=C_m$"),
        "unsent": definition(
            r"$0\le y_{lj}\le1$, $\delta_l=\frac1{2L}\sum_jy_{lj}a_j$; $w_l$ are integers, "
            r"$w_l=\sum_{j=1}^my_{lj}$"
        ),
        "others": definition(r"$p_l=C_{w_l}$, $r_l=\frac1{2L}\sum_{j=1}^my_{lj}a_j$"),
        "run": model(
            r"$c_l\ge0$, $\delta_l\ge\epsilon$, since messages after the run count as zeros; $p_l>0$, "
            r"$c_lr_l\le p_l(\delta_l-\delta_{l+1})$, "
            r"since $p_l$ is the price of a message that removes $r_l$",
            reference="cat/greedy-invariant",
        ),
        "spent": definition(
            r"$\delta_0=\Delta_0$, $b_0=0$, $b_{l+1}=b_l+c_l$; $\nu\ge0$ is an integer; "
            r"$B=b_\nu$, $\delta=\delta_\nu$"
        ),
    },
    relations={
        "anytime": Relation((_EXACT, Sum((1 - z[j]) * a[j], ALL) / (2 * L)), ("<=",), under=("competitor",)),
        "least-cost": Relation((C[m], Sum(C[t[k]], MESSAGES)), ("<=",), under=("schedule", "cost")),
        "price": Relation((C[number[k]], B_star), ("<=",), every=(STEPS,)),
        "left": Relation((gap[k] - epsilon, _LEFT), ("<=",), every=(STEPS,)),
        "message": Relation(
            (gap[k + 1] - epsilon, (gap[k] - epsilon) * (1 - paid[k] / B_star)),
            ("<=",),
            every=(STEPS,),
            under=("run",),
        ),
        "decay": Relation((delta, _BOUND), ("<=",), under=("run", "spent")),
    },
    formulas={"bound": _BOUND, "exact": _EXACT, "others": _LEFT},
    worst_cases=cases("""
        at the start the bound is the gap itself | B = 0, B_star = 5, Delta_0 = 2, epsilon = 1 | 2
        squares 4, 2, 1 after one entry | a = (4, 2, 1), d = 3, T = 1, L = 1 | 3/2
    """),
)


_FAR = 160
"""Entries of sequences without end."""
_EXAMPLE = {
    **{d: 3, T: 2, L: Rational(1, 2), a: (9, 4, 1), z: (1, 0, 1)},
    **{C: tuple(range(1, 2 * _FAR + 2)), t: (1, 2, *[1] * _FAR), held: (0, 1, *range(3, _FAR + 3))},
    **{messages: 3, m: 2, epsilon: 1, Delta_0: 14, B_star: 3, nu: 1},
    **{gap: (14, 5, *[1] * _FAR), paid: (2, 2, *[0] * _FAR), spent: (0, 2, *[4] * _FAR)},
    **{price: (3, 2, *[1] * _FAR), possible: (13, 4, *[0] * _FAR)},
    **{unsent: ((1, 1, 1), (0, 1, 1), *[(0, 0, 1)] * _FAR), number: (2, 1, *[0] * _FAR)},
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example(_EXAMPLE)
    K.index(ALL, STEPS)
    _anytime(K)
    _least_cost(K)
    _decay(K)


def _anytime(K: Any) -> None:
    """What is sent instead of a kept entry is at most the last of these."""
    last, half = a[T - 1], 1 / (2 * L)
    before, after = (K.at(K.given("squares"), *places) for places in ((j, T - 1), (T - 1, j)))
    nonnegative, at_most_one = (K.at(K.given("competitor", place), j) for place in range(2))
    K.know(nonnegative, K.cert(le(0, 1 - z[j]), (1, at_most_one)))
    kept = K.cert(le(last * (1 - z[j]), (1 - z[j]) * a[j]), (1 - z[j], before))
    rest = K.cert(le(a[j] - last * z[j], (1 - z[j]) * a[j]), (z[j], after))
    anytime = K.cert(
        le(_EXACT, Sum((1 - z[j]) * a[j], ALL) / (2 * L)),
        (-half, split_sum(K, (1 - z[j]) * a[j], ALL, T)),
        (half, K.sum_over(kept, KEPT)),
        (half, K.sum_over(rest, REST)),
        (half * last, K.given("competitor", 2)),
        (-half * last, split_sum(K, z[j], ALL, T)),
    )
    K.conclude("anytime", anytime)


def _least_cost(K: Any) -> None:
    """By induction the messages cost at least as much as one with all that they hold."""
    K.index((n, 1, oo))
    subadditive, more = K.given("cost"), K.given("cost", 1)
    first, following = K.given("schedule", 2), K.given("schedule", 3)
    K.know(K.given("schedule"), K.given("schedule", 1))
    total = Sum(C[t[k]], (k, 0, n - 1))

    def statement(count: Any) -> Any:
        return le(C[held[count]], total.subs(n, count))

    base = K.cert(
        statement(Integer(1)), (1, K.rewrite(K.identity(C[held[1]], C[held[1]]), first, side="right"))
    )
    together = K.rewrite(K.identity(C[held[n + 1]], C[held[n + 1]]), K.at(following, n), side="right")
    step = K.cert(
        statement(n + 1),
        (1, together),
        (1, K.at(subadditive, n)),
        (1, K.assume(statement(n))),
        (-1, K.split_off(total.subs(n, n + 1))),
    )
    whole = K.at(K.induction(n, base, step, low=1), messages)
    K.conclude("least-cost", K.cert(le(C[m], Sum(C[t[k]], MESSAGES)), (1, more), (1, whole)))


def _others(K: Any) -> tuple[Any, Any]:
    """The price of the largest entries that are not sent yet, and what they leave."""
    first, half = (j, 0, m - 1), 1 / (2 * L)
    low, high = (K.at(K.given("unsent", p), j, k) for p in range(2))
    value, count = K.at(K.given("unsent", 2), k), K.at(K.given("unsent", 4), k)
    K.know(K.given("suffice", 0), K.given("suffice", 1), K.given("suffice", 2))
    few = K.cert(le(number[k], m), (1, count), (1, K.sum_over(high, first)))
    some = K.cert(le(0, number[k]), (-1, count), (1, K.sum_over(low, first)))
    K.know(K.at(K.given("unsent", 3), k), few, some)
    monotone = K.at(K.given("nondecreasing"), number[k], m)
    cheap = K.cert(le(C[number[k]], B_star), (1, monotone), (-1, K.given("least")))
    rest = K.cert(le(unsent[k, j] * a[j], a[j]), (a[j], high))
    left = K.cert(
        le(gap[k] - epsilon, _LEFT),
        (1, value),
        (half, split_sum(K, unsent[k, j] * a[j], ALL, m)),
        (half, K.sum_over(rest, (j, m, d - 1))),
        (1, K.given("suffice", 3)),
    )
    K.conclude("price", K.every(cheap, STEPS))
    K.conclude("left", K.every(left, STEPS))
    return cheap, left


def _decay(K: Any) -> None:
    """The factor of a message is at most its exponential."""
    below, left = _others(K)
    nonnegative, above, positive, efficient = (K.at(K.given("run", p), k) for p in range(4))
    at_price, removed = (K.at(K.given("others", p), k) for p in range(2))
    cheap = K.cert(le(price[k], B_star), (1, below), (1, at_price))
    enough = K.cert(le(gap[k] - epsilon, possible[k]), (1, left), (-1, removed))
    excess = gap[k] - epsilon
    K.know(
        nonnegative, positive, K.cert(le(0, excess), (1, above)), K.cert(le(0, B_star - price[k]), (1, cheap))
    )
    removes = K.cert(
        le(0, gap[k] - gap[k + 1]),
        (1 / price[k], efficient),
        (paid[k] / price[k], enough),
        (paid[k] / price[k], excess),
    )
    message = K.cert(
        le(gap[k + 1] - epsilon, excess * (1 - paid[k] / B_star)),
        ((B_star - price[k]) / B_star, removes),
        (1 / B_star, efficient),
        (paid[k] / B_star, enough),
    )
    K.conclude("message", K.every(message, STEPS))

    def statement(place: Any) -> Any:
        return le(gap[place], _BOUND.subs(B, spent[place]))

    def same(place: Any, equation: Any) -> Any:
        """Return the factor after some messages, with what they cost in its exponent."""
        factor = exp(-spent[place] / B_star)
        return K.rewrite(K.identity(factor, factor), equation, side="right")

    x, width = paid[k] / B_star, Delta_0 - epsilon
    base = K.cert(statement(Integer(0)), (1, K.given("spent")), (-width, same(0, K.given("spent", 1))))
    step = K.cert(
        statement(k + 1),
        (1, message),
        (excess, K.axiom("exp-above", -x)),
        (exp(-x), K.assume(statement(k))),
        (-width, K.axiom("exp-sum", -spent[k] / B_star, -x)),
        (-width, same(k + 1, K.at(K.given("spent", 2), k))),
    )
    K.know(*(K.given("spent", place) for place in (3, 4)))
    ends = [K.given("spent", place) for place in (5, 6)]
    K.conclude("decay", K.cert(le(delta, _BOUND), (1, K.at(K.induction(k, base, step), nu)), using=ends))
