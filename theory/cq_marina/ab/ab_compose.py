r"""`cq_marina/ab-compose`: sampling of clients followed by a scheme (arXiv 2401.05518)."""

from typing import Any

from sympy import Expr, Integer, Max, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.ab import owners as law
from theory.cq_marina.ab import samples
from theory.cq_marina.ab.owners import CLIENTS, COORDINATES, M, V, abar, d, i, j, m, mean, n
from theory.cq_marina.ab.samples import (
    NOISE,
    NORM,
    OUTCOMES,
    M_w,
    S,
    W,
    k,
    length,
    noise,
    outcomes,
    p,
    q,
    sample,
    sent,
    square,
    tau,
    w,
)
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

A, B, A_q, B_q, theta = symbols("A B A_q B_q theta", real=True)
b, G, omega = symbols("size G omega", real=True)

_A, _B = A_q + theta * (1 - B_q), B_q + theta * (1 - B_q)
_BOUND = A * M_w - B * m
_THETA_GROUP, _THETA_DRAWS = (n - q) / (q * (n - 1)), 1 / tau


def _largest(clients: Expr, coordinates: Expr) -> Expr:
    return Max((clients - 2) / (2 * (clients - 1)), coordinates / clients - 1 / (clients - 1))


_GROUP_B, _SLOT_B = _largest(q, b), _largest(tau, d)
_PERMK, _SLOTS, _OWNED = ("constants", "group"), ("constants", "slots"), ("alike", "owners", "chosen")

CLAIM = Claim(
    id="cq_marina/ab-compose",
    kind="upper",
    provenance="derived",
    title="Sampling of clients followed by a compressor: how the AB constants compose",
    position=15,
    paper=PAPER,
    **statement(
        r"""
        Clients are sampled, $n\ge2$ in all, with finitely many outcomes; $\hat g$ is the mean and $\hat S$
        the mean of the squared norms of what was sampled and rescaled. A scheme that is unbiased given the
        sample is applied to it; $V$ is the expected squared error after it. The AB inequality bounds an error
        by $A$ times a mean of squared norms less $B$ times the squared norm of the mean. The definitions are
        those of the specification; the paper's own ones were not seen.
        (a: upper) If the sample is unbiased with $\mathbb E\|\hat g-\bar a\|^2=\theta(M_w-m)$ and $\mathbb
          E\hat S=M_w$, and the scheme after it obeys the AB inequality with $A_q$ and $B_q$ <<on each
          sample -> proof>>, $$V\le AM_w-Bm,\qquad A=A_q+\theta(1-B_q),\quad B=B_q+\theta(1-B_q).$$ [proof;
          exact/error; adversarial/search]
        (b: attained) With equality in the scheme's inequality <<on each sample -> proof>>, $V=AM_w-Bm$.
          [proof; exact/attained]
        (c: difference, nonnegative) $A-B=A_q-B_q$, and $B\ge0$ for $0\le\theta\le1$. [proof;
          exact/difference of the constants]
        (d: group-mean, group-square, group) The mean of $q$ of the $n$ clients, all clients and pairs being
          alike, has $\mathbb E\hat g_j=\bar a_j$, $\mathbb E\hat S=M$ and $$\mathbb E\|\hat g-\bar
          a\|^2=\frac{n-q}{q(n-1)}(M-m).$$ [proof; exact/mean of the sample; exact/squares of the sample;
          exact/error of the sample]
        (e: draws-mean, draws-square, draws) The mean of $\tau$ independent draws of clients <<with the
          probabilities $w_i$, rescaled by $\frac1{nw_i}$ -> proof>>, has $\mathbb E\hat g_j=\bar a_j$,
          $\mathbb E\hat S=M_w$ and $$\mathbb E\|\hat g-\bar a\|^2=\frac1\tau(M_w-m).$$ [proof; exact/mean
          of the sample; exact/squares of the sample; exact/error of the sample]
        (f: permk-iq-A, permk-iq-B) PermK with independent thresholds, groups of $q$ clients on blocks of
          $b$ coordinates: $\theta=\frac{n-q}{q(n-1)}$, $A_q=\frac{b-1}q$, $B_q=0$, <<with equality ->
          exact/attained>>, and $A=\frac{b-1}q+\frac{n-q}{q(n-1)}$, $B=\frac{n-q}{q(n-1)}$. [proof;
          exact/attained; exact/constants of independent thresholds]
        (g: single-A, single-B) For $q=1$ these are $A=b$ and $B=1$. [proof; exact/constants of single
          clients]
        (h: permk-cq) PermK with CQ and $G$ groups, $q=\frac nG$, $q\ge2$, $b=\frac dG$: by
          `cq_marina/ab-cq` $B_q=\max\Big\{\frac{q-2}{2(q-1)},\frac bq-\frac1{q-1}\Big\}$, $A_q=\frac
          b{q^2}+B_q$, and $$A-B=\frac b{q^2}=\frac{dG}{n^2}.$$ [proof; exact/error; exact/difference of the
          constants; exact/constants of CQ; exact/difference of the constants of CQ; montecarlo/groups of
          two coordinates]
        (i: is-A, is-B) For $\tau$ draws of clients, $\theta=\frac1\tau$, and then an unbiased scheme of
          relative variance $\omega$, independent in each draw, $A_q=\frac\omega\tau$, $B_q=0$:
          $A=\frac{1+\omega}\tau$, $B=\frac1\tau$. [proof; exact/attained; exact/constants of draws;
          montecarlo/client of a slot]
        (j: is-cq, is-cq-B) With CQ over $\tau\ge2$ slots, $B_q=\max\Big\{\frac{\tau-2}{2(\tau-1)},\frac
          d\tau-\frac1{\tau-1}\Big\}$ and $A_q=\frac d{\tau^2}+B_q$: $$A-B=\frac d{\tau^2},\quad
          B=B_q+\frac{1-B_q}\tau.$$ [proof; exact/error; exact/difference of the constants; exact/constants
          of CQ; adversarial/search]
        (k: partition-A, partition-B) Partition: each coordinate draws its owner, $\tau=1$, which sends the
          entry exactly, $A_q=0$ and $B_q=0$: so $A=1$, $B=1$, <<with equality -> exact/attained>>. [proof;
          exact/attained; montecarlo/owners of two coordinates; montecarlo/owner of a coordinate]
        (l: is-A, is-cq, is-cq-B, partition-A) $A=\frac{1+\omega}\tau$ in (i), $A-B=\frac d{\tau^2}$ and
          $B=B_q+\frac{1-B_q}\tau$ in (j), $A=1$ in (k): <<none of these constants depends on the weights ->
          proof>>. [proof; exact/error]
        (m: bits, bits-alike) A client that sends a message of $\beta_i$ bits for each draw of (e) that
          names it sends $\mathbb E\ell_i=\tau w_i\beta_i$ expected bits; with equal weights $w_i=\frac1n$
          that is $\mathbb E\ell_i=\frac\tau n\beta_i$. [proof; exact/bits of a client]
        """
    ),
    variables=(
        *(item for item in law.VARIABLES if item.symbol != V),
        *samples.VARIABLES,
        Variable(A, "A", r"\mathbb R", "constant of the AB inequality"),
        Variable(b, "b", r"\mathbb N", "coordinates of a block"),
        Variable(B, "B", r"\mathbb R", "its other constant"),
        Variable(A_q, "A_q", r"\mathbb R_{\ge0}", "constant of the scheme"),
        Variable(B_q, "B_q", r"\mathbb R_{\ge0}", "other constant of the scheme"),
        Variable(theta, r"\theta", "[0,1]", "relative error of the sample"),
        Variable(G, "G", r"\mathbb N", "number of groups and of blocks, a divisor of n and d"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "relative variance of an unbiased scheme"),
    ),
    notation={**law.NOTATION, r"\hat S": "mean of the sampled squared norms"},
    hypotheses={
        **{name: law.HYPOTHESES[name] for name in ("sizes", "inputs")},
        "positive": domain(
            r"$w_i>0$, $B_q\ge0$, $q,b\ge1$, $G>0$; $\tau,O\ge1$ are integers; $p_k\ge0$, $\nu_{kj}\ge0$"
        ),
        "constants": definition(r"$A=A_q+\theta(1-B_q)$, $B=B_q+\theta(1-B_q)$"),
        "relative": model(r"$\mathbb E\|\hat g-\bar a\|^2=\theta(M_w-m)$, $\mathbb E\hat S=M_w$"),
        "scheme": model(r"$\sum_j\nu_{kj}\le A_qS_k-B_q\sum_jg_{kj}^2$"),
        "scheme-equality": model(r"$\sum_j\nu_{kj}=A_qS_k-B_q\sum_jg_{kj}^2$"),
        "range": parameter(r"$0\le\theta\le1$"),
        "alike": law.alike(r"\mathbb E\|\hat g-\bar a\|^2"),
        "owners": law.HYPOTHESES["owners"],
        **samples.HYPOTHESES,
        "group": parameter(r"$\theta=\frac{n-q}{q(n-1)}$"),
        "independent": parameter(r"$A_q=\frac{b-1}q$, $B_q=0$ (`cq_marina/ab-independent`)"),
        "single": parameter("$q=1$"),
        "correlated": parameter(
            r"$q=\frac nG$, $q\ge2$, $b=\frac dG$, $B_q=\max\Big\{\frac{q-2}{2(q-1)},\frac "
            r"bq-\frac1{q-1}\Big\}$, $A_q=\frac b{q^2}+B_q$ (`cq_marina/ab-cq`)"
        ),
        "slots": parameter(r"$\theta=\frac1\tau$"),
        "unbiased": parameter(r"$A_q=\frac\omega\tau$, $B_q=0$"),
        "correlated-slots": parameter(
            r"$\tau\ge2$, $B_q=\max\Big\{\frac{\tau-2}{2(\tau-1)},\frac d\tau-\frac1{\tau-1}\Big\}$, "
            r"$A_q=\frac d{\tau^2}+B_q$ (`cq_marina/ab-cq`)"
        ),
        "exact": parameter(r"$\tau=1$, $A_q=0$, $B_q=0$"),
    },
    relations={
        "upper": Relation(
            (W, _BOUND), ("<=",), under=("constants", "sampled", "errors", "relative", "scheme")
        ),
        "attained": Relation(
            (W, _BOUND), ("=",), under=("constants", "sampled", "errors", "relative", "scheme-equality")
        ),
        "difference": Relation((A - B, A_q - B_q), ("=",), under=("constants",)),
        "nonnegative": Relation((B, 0), (">=",), under=("constants", "range")),
        "group-mean": Relation((mean[j], abar[j]), ("=",), every=(COORDINATES,), under=_OWNED),
        "group-square": Relation((S, M), ("=",), under=_OWNED),
        "group": Relation((V, _THETA_GROUP * (M - m)), ("=",), under=_OWNED),
        "draws-mean": Relation((mean[j], abar[j]), ("=",), every=(COORDINATES,), under=("drawn",)),
        "draws-square": Relation((S, M_w), ("=",), under=("drawn",)),
        "draws": Relation((V, _THETA_DRAWS * (M_w - m)), ("=",), under=("drawn",)),
        "permk-iq-A": Relation((A, (b - 1) / q + _THETA_GROUP), ("=",), under=(*_PERMK, "independent")),
        "permk-iq-B": Relation((B, _THETA_GROUP), ("=",), under=(*_PERMK, "independent")),
        "single-A": Relation((A, b), ("=",), under=(*_PERMK, "independent", "single")),
        "single-B": Relation((B, 1), ("=",), under=(*_PERMK, "independent", "single")),
        "permk-cq": Relation((A - B, b / q**2, d * G / n**2), ("=", "="), under=(*_PERMK, "correlated")),
        "is-A": Relation((A, (1 + omega) / tau), ("=",), under=(*_SLOTS, "unbiased")),
        "is-B": Relation((B, 1 / tau), ("=",), under=(*_SLOTS, "unbiased")),
        "is-cq": Relation((A - B, d / tau**2), ("=",), under=(*_SLOTS, "correlated-slots")),
        "is-cq-B": Relation((B, B_q + (1 - B_q) / tau), ("=",), under=(*_SLOTS, "correlated-slots")),
        "bits": Relation((sent[i], tau * w[i] * length[i]), ("=",), every=(CLIENTS,), under=("bits",)),
        "bits-alike": Relation(
            (sent[i], tau / n * length[i]), ("=",), every=(CLIENTS,), under=("bits", "alike-weights")
        ),
        "partition-A": Relation((A, 1), ("=",), under=(*_SLOTS, "exact")),
        "partition-B": Relation((B, 1), ("=",), under=(*_SLOTS, "exact")),
    },
    formulas={
        "bound": _BOUND,
        "A": _A,
        "B": _B,
        "theta_group": _THETA_GROUP,
        "theta_draws": _THETA_DRAWS,
        "independent_A": (b - 1) / q,
        "permk_iq_A": (b - 1) / q + _THETA_GROUP,
        "group_difference": b / q**2,
        "unbiased_A": omega / tau,
        "is_A": (1 + omega) / tau,
        "slot_difference": d / tau**2,
        "group_B": _GROUP_B,
        "slot_B": _SLOT_B,
    },
    worst_cases=cases("""
        PermK with independent thresholds in two groups at P2: equality | A = 5/6, B = 1/3, M_w = 53/50,
          m = 4/25 | 83/100
        PermK with CQ in two groups, four equal inputs of eight ones: equality | A = 2, B = 1, M_w = 8, m = 8
          | 8
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: total variance, then the moments of the two samples."""
    _examples(K)
    samples.conclude_bits(K)
    K.index(COORDINATES)
    _composed(K)
    K.know(K.cert(lt(0, q), (1, K.given("positive", 2))), K.cert(lt(0, tau), (1, K.given("positive", 6))))
    K.know(K.cert(lt(0, n - 1), (1, K.given("sizes", 1))))
    _samples(K)
    _constants(K)


def _examples(K: Any) -> None:
    half = Rational(1, 2)
    inputs = ((1, 2), (4, 0))
    both = {w: (half, half), G: 2, omega: 0, b: 1, length: (8, 8), M_w: Rational(21, 2), S: Rational(21, 2)}
    one = {q: 1, tau: 1, theta: 1, A_q: 0, B_q: 0, A: 1, B: 1, outcomes: 2, p: (half, half), sample: inputs}
    known = law.example(inputs, Integer(1))
    K.example({**known, **both, **one, square: (5, 16), noise: ((0, 0), (0, 0)), W: known[V]})
    pair = {q: 2, tau: 2, G: 1, b: 2, A_q: half, B_q: 0, outcomes: 1, p: (1,), square: (1,)}
    rest = {**law.example(inputs, half), **both, **pair, sample: ((1, 1),), noise: ((0, 0),), W: 0}
    K.example({**rest, theta: 0, A: half, B: 0})
    K.example({**rest, theta: half, A: 1, B: half})


def _composed(K: Any) -> None:
    norms, total = samples.total_variance(K)
    given = K.given("sampled", 3)
    K.index(OUTCOMES)
    for name, relation, goal in (("upper", "scheme", le), ("attained", "scheme-equality", eq)):
        each = K.cert(
            goal(p[k] * NOISE, p[k] * (A_q * square[k] - B_q * NORM)), (p[k], K.at(K.given(relation), k))
        )
        K.conclude(
            name,
            K.cert(
                goal(W, _BOUND),
                (1, total),
                (1, K.sum_over(each, OUTCOMES)),
                (A_q, given),
                (-B_q, norms),
                (1 - B_q, K.given("relative")),
                (A_q, K.given("relative", 1)),
                (-M_w, K.given("constants")),
                (m, K.given("constants", 1)),
            ),
        )


def _constants(K: Any) -> None:
    first, second = K.given("constants"), K.given("constants", 1)
    difference = K.cert(eq(A - B, A_q - B_q), (1, first), (-1, second))
    K.conclude("difference", difference)
    at_most = K.given("range", 1)
    K.conclude("nonnegative", K.cert(le(0, B), (B_q, at_most), (1, K.given("range")), (-1, second)))

    def both(names: tuple[str, str], goals: tuple[Any, Any], *hypotheses: Any) -> None:
        for name, symbol, goal, stated in zip(names, (A, B), goals, (first, second), strict=True):
            K.conclude(name, K.cert(eq(symbol, goal), (1, stated), using=list(hypotheses)))

    group, slots = K.given("group"), K.given("slots")
    iq = [K.given("independent", place) for place in range(2)]
    unbiased = [K.given("unbiased", place) for place in range(2)]
    exact = [K.given("exact", place) for place in range(3)]
    both(("permk-iq-A", "permk-iq-B"), ((b - 1) / q + _THETA_GROUP, _THETA_GROUP), group, *iq)
    both(("single-A", "single-B"), (b, Integer(1)), group, *iq, K.given("single"))
    both(("is-A", "is-B"), ((1 + omega) / tau, 1 / tau), slots, *unbiased)
    both(("partition-A", "partition-B"), (Integer(1), Integer(1)), slots, *exact)
    shares = [K.given("correlated", place) for place in range(5)]
    K.know(K.cert(lt(0, q - 1), (1, shares[1])))
    apart = K.cert(eq(A - B, b / q**2), (1, difference), (1, shares[4]))
    K.conclude("permk-cq", apart, K.cert(eq(b / q**2, d * G / n**2), using=[shares[0], shares[2]]))
    two = [K.given("correlated-slots", place) for place in range(3)]
    K.know(K.cert(lt(0, tau - 1), (1, two[0])))
    K.conclude("is-cq", K.cert(eq(A - B, d / tau**2), (1, difference), (1, two[2])))
    K.conclude("is-cq-B", K.cert(eq(B, B_q + (1 - B_q) / tau), (1, second), using=[slots]))


def _samples(K: Any) -> None:
    unbiased, whole = law.moments(K)
    K.conclude("group-mean", unbiased)
    K.conclude("group", K.cert(eq(V, _THETA_GROUP * (M - m)), (1, whole), using=[K.given("chosen")]))
    K.conclude("group-square", K.cert(eq(S, M), (1, K.given("chosen", 1)), (-1, K.given("inputs", 1))))
    for name, theorem in zip(("mean", "square", "error"), samples.draws(K), strict=True):
        K.conclude("draws" if name == "error" else f"draws-{name}", theorem)
