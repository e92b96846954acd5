r"""`cat/greedy-not-optimal`: the most decrease per cost now is not the least cost (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, log, oo

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

T, j, k, m, r, q, w_1, w_2, u, after, alpha, kappa, C, d, index_bits, float_bits, sparse, dense = (
    Symbol(name, real=True)
    for name in (
        *("T", "j", "k", "m", "r", "q", "w_1", "w_2", "u", "after", "alpha", "kappa", "C", "d"),
        *("index_bits", "float_bits", "sparse", "dense"),
    )
)
left = IndexedBase("left", real=True)
SIZES = (T, 1, oo)

_EXACT = m * (r + 1) / (m + r)
_LEFT = w_2**2 / (w_1**2 + w_2**2)
_LOGARITHMIC = -log(1 - alpha / kappa) / C
_OVERHEAD = (index_bits + float_bits) / float_bits
_PART = Rational(16, 41)
_COSTS = {"four_cat": 6, "four_one": 5, "quad_cat": 740, "quad_gd": 675, "quad_four": 1089, "quad_one": 3090}

CLAIM = Claim(
    id="cat/greedy-not-optimal",
    kind="finding",
    provenance="derived",
    title="Most decrease per cost in each iteration need not give the least total cost",
    position=11,
    paper=PAPER,
    **statement(
        r"""
        Read as a claim on the total cost, efficiency in each iteration does not give the least one; what
        holds is `cat/greedy-invariant`. $C$ is the cost of a message with $T$ entries and $\gamma=\frac1L$;
        on $\frac12\|x\|^2$ an entry that is sent becomes 0.
        (a: four-first, four-then) On <<$\frac12\|x\|^2$ with the squares $(100,1,1,1)$ and $C=T+1$ ->
          exact/messages of CAT>>, one entry is most efficient, $\frac{99+T}{T+1}\le50$, then all that are
          left, $\frac T{T+1}\le\frac34$ for $T\le3$: CAT costs {value:four_cat}, one message
          {value:four_one}. [proof; exact/messages of CAT; exact/cost of CAT; exact/cost of one
          message; exact/CAT costs more]
        (b: one-at-a-time) <<With squares $q^j$ -> exact/number of messages>>, $q=\frac1{r+2}$, and
          <<$C=T+r$ -> exact/number of messages>> one entry at a time is most efficient:
          $$\frac1{T+r}\sum_{j=0}^{T-1}q^j\le\frac1{1+r}.$$ [proof; exact/number of messages]
        (c: gap) There $m$ squares cost CAT the numerator, one message the denominator of <<a factor of at
          most $m$ -> exact/gap at most m>>: $$\frac{m(r+1)}{m+r}=m-\frac{m(m-1)}{m+r}.$$ [proof; exact/cost
          of the greedy schedule; exact/cost of the one message; exact/gap; exact/gap of the rule; exact/gap
          at most m]
        (d: rank-one, left) <<On $\frac12(w^\top x)^2$ -> exact/size on rank one>>, $w_2\le w_1$, <<with
          $C=T$ -> exact/size on rank one>> one entry is no less efficient than both,
          $\frac12\le1-\frac{w_2^2}{w_1^2+w_2^2}$, and leaves $u^+=\frac{w_2^2}{w_1^2+w_2^2}u$ <<of
          $u=w^\top x$, both leave nothing -> exact/left on rank one>>. [proof; exact/size on rank one;
          exact/left on rank one]
        (e: powers, fifteen) At $w_1=5$, $w_2=4$ messages of one entry leave
          $u_k=\Big(\frac{16}{41}\Big)^ku_0$ of $u_0>0$: <<for a part of $10^{-6}$ it takes 15 of them ->
          proof>>, $u_{15}\le10^{-6}u_0<u_{14}$, <<or one of two -> exact/cost on rank one>>. [proof;
          exact/cost on rank one; exact/CAT costs more]
        (f: logarithmic) Where the gap shrinks <<by the factor $1-\frac\alpha\kappa$ -> proof>>, it is its
          logarithm per cost that counts, and <<for small $\kappa$ it may order otherwise than
          $\alpha/C$ -> exact/size by the logarithm>>: for $\alpha<\kappa$ $$\frac\alpha{\kappa
          C}\le\frac{-\log(1-\frac\alpha\kappa)}C\le\frac\alpha{(\kappa-\alpha)C}$$ [proof; exact/size by
          the efficiency; exact/size by the logarithm]
        (g) <<On a quadratic in 20 dimensions, $C=T+5$, to $\|g\|^2\le0.02$ -> exact/total cost>>, CAT costs
          {value:quad_cat}, gradient descent {value:quad_gd}, <<fixed $T=4$ -> exact/total cost>>
          {value:quad_four}, <<$T=1$ -> exact/total cost>> {value:quad_one}. [exact/total cost; exact/CAT
          costs more than gradient descent]
        (h: overhead) With $b_i$ bits for an index and $b_f$ for a number all $d$ entries cost
          $B_s=d(b_i+b_f)$, a dense message $B_d=db_f$:
          $$\frac{B_s}{B_d}=\frac{b_i+b_f}{b_f},$$ so <<on flat gradients CAT
          without the choice of a dense message is that much worse where a message costs its payload ->
          exact/all messages of CAT over a dense one>>. [proof; exact/sparse over dense; exact/all messages
          of CAT over a dense one; exact/with the choice of a dense message]
        """
    ),
    variables=(
        Variable(T, "T", r"\mathbb N", "number of entries that are sent"),
        Variable(m, "m", r"\mathbb N", "number of entries that are not zero"),
        Variable(r, "r", r"\mathbb R_{>0}", "cost of a message besides its entries, in entries"),
        Variable(q, "q", "(0,1)", "factor between neighbouring squares"),
        Variable(w_1, "w_1", r"\mathbb R_{>0}", "larger weight"),
        Variable(w_2, "w_2", r"\mathbb R_{>0}", "smaller weight"),
        Variable(u, "u", r"\mathbb R", r"$w^\top x$"),
        Variable(left, "u_{#1}", r"\mathbb R", "after so many messages of one entry", "(oo,)", first=0),
        Variable(after, "u^+", r"\mathbb R", "after the step"),
        Variable(alpha, r"\alpha", "[0,1]", r"share of $\|g\|^2$ in the entries that are sent"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", r"condition number $L/\mu$"),
        Variable(C, "C", r"\mathbb R_{>0}", "cost of a message"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(index_bits, "b_i", r"\mathbb R_{\ge0}", "bits of an index"),
        Variable(float_bits, "b_f", r"\mathbb R_{>0}", "bits of a number"),
        Variable(sparse, "B_s", r"\mathbb R_{>0}", "bits of all entries with their indices"),
        Variable(dense, "B_d", r"\mathbb R_{>0}", "bits of a dense message"),
    ),
    notation={"x": "the iterate", "w": "the weights", "g": "the gradient"},
    ranges={"k": (0, oo)},
    hypotheses={
        "signs": domain("$r,w_1,w_2,C,d,b_f>0$"),
        "m": domain(r"$m\ge1$ is an integer"),
        "ratio": parameter(r"$q=\frac1{r+2}$"),
        "weights": parameter(r"$w_2\le w_1$"),
        "step": model(r"$u^+=u-\frac{w_1^2}{w_1^2+w_2^2}u$, since the entry of $w_1$ is sent"),
        "one-by-one": model(r"$w_1=5$, $w_2=4$, $u_{k+1}=u_k-\frac{w_1^2}{w_1^2+w_2^2}u_k$, $u_0>0$"),
        "messages": definition(r"$B_s=d(b_i+b_f)$, $B_d=db_f$"),
        "condition": domain(r"$0\le\alpha<\kappa$, $1-\frac\alpha\kappa>0$"),
    },
    relations={
        "four-first": Relation(((99 + T) / (T + 1), Integer(50)), ("<=",), every=(SIZES,)),
        "four-then": Relation((T / (T + 1), Rational(3, 4)), ("<=",), every=((T, 1, 3),)),
        "one-at-a-time": Relation(
            (Sum(q**j, (j, 0, T - 1)) / (T + r), 1 / (1 + r)), ("<=",), every=(SIZES,), under=("ratio",)
        ),
        "gap": Relation((_EXACT, m - m * (m - 1) / (m + r)), ("=",)),
        "rank-one": Relation((Rational(1, 2), 1 - _LEFT), ("<=",), under=("weights",)),
        "left": Relation((after, _LEFT * u), ("=",), under=("step",)),
        "powers": Relation((left[k], _PART**k * left[0]), ("=",), every=((k, 0, oo),), under=("one-by-one",)),
        "fifteen": Relation((left[15], left[0] / 10**6, left[14]), ("<=", "<"), under=("one-by-one",)),
        "logarithmic": Relation(
            (alpha / (kappa * C), _LOGARITHMIC, alpha / ((kappa - alpha) * C)),
            ("<=", "<="),
        ),
        "overhead": Relation((sparse / dense, _OVERHEAD), ("=",)),
    },
    formulas={
        "exact": _EXACT,
        "decay": 1 / (r + 2),
        "greedy": m * (r + 1),
        "one_message": m + r,
        "left_of_rank_one": _LEFT,
        "logarithmic": _LOGARITHMIC,
        "index_overhead": _OVERHEAD,
        **{name: Integer(cost) for name, cost in _COSTS.items()},
    },
    internal={
        "decay": "the hypothesis of part (b)",
        "greedy": "the numerator of part (c)",
        "one_message": "its denominator",
        **dict.fromkeys(_COSTS, "measured, slots of parts (a) and (g)"),
    },
    values={name: Integer(cost) for name, cost in _COSTS.items()},
    worst_cases=cases("""
        eight squares, fixed cost of ten entries | m = 8, r = 10 | 44/9
        what one entry leaves of rank one, w = (5, 4) | w_1 = 5, w_2 = 4 | 16/41
        indices of 1024 coordinates beside numbers of 32 bits | index_bits = 10, float_bits = 32 | 21/16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example(
        {
            r: 10,
            w_1: 5,
            w_2: 4,
            C: 3,
            d: 4,
            sparse: 168,
            dense: 128,
            float_bits: 32,
            index_bits: 10,
            m: 8,
            alpha: Rational(1, 2),
            kappa: 2,
            u: 3,
            left: {place: _PART**place for place in (*range(5), 14, 15, 20, 21, 150, 151)},
        }
    )
    K.index(SIZES)
    first = K.cert(le((99 + T) / (T + 1), 50), (49 / (T + 1), K.assume(le(1, T))))
    K.conclude("four-first", K.every(first, SIZES))
    then = K.cert(le(T / (T + 1), Rational(3, 4)), (1 / (4 * (T + 1)), K.assume(le(T, 3))))
    K.conclude("four-then", K.every(then, (T, 1, 3)))

    ratio, below = K.given("ratio"), le(q**T, q)
    K.know(K.cert(lt(0, q), (-1, ratio), (1, K.sign(lt(0, 1 / (r + 2))))))
    small = K.cert(le(q, 1 / (r + 1)), (1, ratio), (1 / ((r + 1) * (r + 2)), 1))
    power = K.cert(le(q ** (T + 1), q), (q, K.assume(below)), (q, small), (q * r / (r + 1), 1))
    powers = K.at(K.induction(T, K.cert(le(q**1, q)), power, low=1), T)

    def total(count: Any) -> Any:
        return le(Sum(q**j, (j, 0, count - 1)), (count + r) / (1 + r))

    step = K.cert(
        total(T + 1), (1, K.assume(total(T))), (1, powers), (1, small), (1, K.split_off(total(T + 1).left))
    )
    sums = K.at(K.induction(T, K.cert(total(Integer(1))), step, low=1), T)
    one = K.cert(le(Sum(q**j, (j, 0, T - 1)) / (T + r), 1 / (1 + r)), (1 / (T + r), sums))
    K.conclude("one-at-a-time", K.every(one, SIZES))
    K.conclude("gap", K.identity(_EXACT, m - m * (m - 1) / (m + r)))

    first = K.cert(le(Rational(1, 2), 1 - _LEFT), ((w_1 + w_2) / (2 * (w_1**2 + w_2**2)), K.given("weights")))
    K.conclude("rank-one", first)
    K.conclude("left", K.cert(eq(after, _LEFT * u), (1, K.given("step"))))
    weights = [K.given("one-by-one", place) for place in range(2)]
    shrinks = K.cert(
        eq(left[k + 1], _PART ** (k + 1) * left[0]),
        (1, K.at(K.given("one-by-one", 2), k)), (_PART, K.assume(eq(left[k], _PART**k * left[0]))),
        using=weights,
    )  # fmt: skip
    powers = K.induction(k, K.cert(eq(left[0], left[0])), shrinks)
    K.conclude("powers", powers)
    start, goal = K.given("one-by-one", 3), left[0] / 10**6
    enough, few = Rational(1, 10**6) - _PART**15, _PART**14 - Rational(1, 10**6)
    K.conclude(
        "fifteen",
        K.cert(le(left[15], goal), (1, K.at(powers, 15)), (enough, start)),
        K.cert(lt(goal, left[14]), (-1, K.at(powers, 14)), (few, start)),
    )
    part = 1 - alpha / kappa
    K.know(K.cert(lt(0, kappa - alpha), (1, K.given("condition", 1))))
    K.conclude(
        "logarithmic",
        K.cert(le(alpha / (kappa * C), _LOGARITHMIC), (1 / C, K.axiom("log-below", part))),
        K.cert(
            le(_LOGARITHMIC, alpha / ((kappa - alpha) * C)),
            (1 / C, K.axiom("log-below", 1 / part)),
            (-1 / C, K.axiom("log-power", part, Integer(-1))),
        ),
    )
    K.show("overhead", using=[K.given("messages"), K.given("messages", 1)])
