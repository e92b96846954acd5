r"""`cat/alpha-dominates-omega`: on one node the largest entries guarantee the most (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import IsInteger, eq, every, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, n, m, i, j = symbols("d T n m i j", real=True)
M, size, count = symbols("M size count", real=True)
s, p, w, Q, h, c, e, t, al = symbols("s p w Q h c e t al", cls=IndexedBase, real=True)
ALL, OUTCOMES = (j, 0, d - 1), (i, 0, n - 1)

_ENERGY = Sum(s[j] ** 2, ALL)


def _alpha(count: Any) -> Any:
    return Sum(s[j] ** 2, (j, 0, count - 1)) / _ENERGY


_SHARE = _ENERGY / Sum(s[j] ** 2 / p[j], ALL)
_MEAN = Sum(w[i] * al[i], OUTCOMES)
_AT_MEAN = _alpha(m) + (size - m) * s[m] ** 2 / _ENERGY

CLAIM = Claim(
    id="cat/alpha-dominates-omega",
    kind="ordering",
    provenance="derived",
    title="On one node random entries never beat the largest ones",
    position=18,
    paper=PAPER,
    **statement(
        r"""
        $s_1\ge\dots\ge s_d\ge0$ are the magnitudes of $g\ne0$; $\alpha(T)$ is the share of the $T$ largest
        entries in $\|g\|^2$. Signs play no part, so let $g=s$. A random $Q$ with finitely many outcomes of
        probabilities $w_i$ has $c_i$ nonzero entries in outcome $i$, $\mathbb EQ=g$ and the share
        $\omega=\|g\|^2/\mathbb E\|Q\|^2$.
        (a: dominates) Entries kept with probabilities <<$p\in(0,1]^d$ -> proof>>, $\sum_jp_j\le T$, have no
          larger share than the $T$ largest ones: $$\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^d\frac{s_j^2}\
          {p_j}}\le\frac{\sum_{j=1}^Ts_j^2}{\sum_{j=1}^ds_j^2}.$$ [proof; exact/random share;
          adversarial/searched]
        (b: flat) For equal magnitudes that share is $\frac{\sum_{j=1}^Ts_j^2}{\sum_{j=1}^ds_j^2}=\frac Td$,
          and <<random entries reach it -> exact/equal magnitudes>>. [proof; exact/equal magnitudes]
        (c: mean) For every such $Q$ $$\frac{\sum_{j=1}^ds_j^2}M\le\sum_iw_i\alpha(c_i),$$ <<that is
          $\omega\le\mathbb E\alpha(N)$, with $M=\mathbb E\|Q\|^2$ -> exact/share>>. [proof; exact/share;
          exact/mean of an entry]
        (d: jensen) With $\alpha$ interpolated linearly, this is <<at most $\alpha(\mathbb EN)$ ->
          exact/mean of alpha(N)>>: for $z=\sum_iw_ic_i$ <<between the integers $m$ and $m+1$ -> exact/mean
          of alpha(N)>> $$\sum_iw_i\alpha(c_i)\le\frac{\sum_{j=1}^ms_j^2}{\sum_{j=1}^ds_j^2}+\
          \frac{(z-m)s_{m+1}^2}{\sum_{j=1}^ds_j^2}.$$ [proof; exact/mean of alpha(N)]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(m, "m", r"\{0,\dots,d-1\}", "integer below the expected number"),
        Variable(M, "M", r"\mathbb R_{>0}", r"second moment $\mathbb E\|Q\|^2$"),
        Variable(size, "z", r"\mathbb R_{\ge0}", "expected number of nonzero entries"),
        Variable(n, "n", r"\mathbb N", "number of outcomes"),
        Variable(s, "s", r"\mathbb R^d_{\ge0}", "sorted magnitudes, largest first", "(d,)"),
        Variable(p, "p", "(0,1]^d", "probabilities", "(d,)"),
        Variable(w, "w", r"\mathbb R^n_{\ge0}", "probabilities of the outcomes", "(n,)"),
        Variable(al, r"\alpha(c_{#1})", "[0,1]^n", r"$\alpha$ at the numbers of nonzero entries", "(n,)"),
        Variable(c, "c", r"\mathbb N_0^n", "numbers of nonzero entries of the outcomes", "(n,)"),
        Variable(Q, "Q_{#1#2}", r"\mathbb R^{n\times d}", "entries of the outcomes", "(n,d)"),
        Variable(h, "h", r"\{0,1\}^{n\times d}", "where they are not 0", "(n,d)"),
        Variable(e, "e", r"\{0,1\}^{n\times d}", "where the $c_i$ largest magnitudes are", "(n,d)"),
    ),
    notation={
        "g": "gradient",
        "Q": "message",
        "N": "number of nonzero entries",
        r"\alpha": "share of the largest entries",
        r"\alpha(T)": "share of the $T$ largest entries",
        r"\|g\|^2": "squared norm",
        r"\omega": "share",
        r"\mathbb EQ": "expectation of the message",
    },
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "magnitudes": domain(r"$s_j\ge0$, $\sum_js_j^2>0$"),
        "sorted": domain(r"$s_j\ge s_l$ for $j\le l$"),
        "T": model("$T$ is an integer from 1 to $d$"),
        "feasible": parameter(r"$p_j\in(0,1]$, $\sum_jp_j\le T$"),
        "divisor": model(r"$\sum_j\frac{s_j^2}{p_j}>0$"),
        "equal": model("$s_j=s_1$"),
        "law": model(r"$n\ge1$ is an integer; $w_i\ge0$, $\sum_iw_i=1$; $0\le c_i\le d$ is an integer"),
        "counted": definition(r"$\alpha(c_i)=\frac{\sum_{j=1}^{c_i}s_j^2}{\sum_js_j^2}$"),
        "support": model(
            r"$h_{ij}\in[0,1]$, $Q_{ij}h_{ij}=Q_{ij}$, $\sum_jh_{ij}=c_i$, "
            r"since $h_{ij}$ marks nonzero entries"
        ),
        "unbiased": model(
            r"$\sum_iw_iQ_{ij}=s_j$, $M>0$, $M=\sum_iw_i\sum_jQ_{ij}^2$, since $Q$ is unbiased"
        ),
        "between": model("$m$ is an integer from 0 to $d-1$"),
        "indicator": definition(
            r"$e_{ij}\in[0,1]$, $\sum_je_{ij}=c_i$, $\sum_js_j^2e_{ij}=\sum_{j=1}^{c_i}s_j^2$"
        ),
        "size": parameter(r"$z=\sum_iw_ic_i$"),
    },
    relations={
        "dominates": Relation((_SHARE, _alpha(T)), ("<=",), under=("T", "feasible", "divisor")),
        "flat": Relation((_alpha(T), T / d), ("=",), under=("T", "equal")),
        "mean": Relation((_ENERGY / M, _MEAN), ("<=",), under=("law", "support", "unbiased")),
        "jensen": Relation((_MEAN, _AT_MEAN), ("<=",), under=("law", "between", "size", "indicator")),
    },
    formulas={"bound": _alpha(T)},
    worst_cases=cases("""
        equal magnitudes: equality | s = 4 * (1,), d = 4, T = 3 | 3/4
        top 3 of (9, 6, 5, 4, 3, 2, 1, 1) | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8, T = 3 | 142/173
    """),
)


def derive(kernel: Any) -> None:
    """Prove the relations: the largest entries fill a budget best."""
    given, half = kernel.given, Rational(1, 2)
    kernel.example({d: 3, T: 2, s: (3, 2, 1), p: (1, half, half)})
    kernel.example({d: 3, T: 2, s: (1, 1, 1)})
    # One of two entries with probability 1/2 each, doubled.
    pair = {
        d: 2,
        n: 2,
        s: (3, 2),
        w: (half, half),
        c: (1, 1),
        Q: ((6, 0), (0, 4)),
        h: ((1, 0), (0, 1)),
        M: 26,
    }
    kernel.example(pair | {m: 1, size: 1, e: ((1, 0), (1, 0))})
    kernel.index(ALL)
    fractional, integer = _knapsack(kernel)
    _flat(kernel)
    _law(kernel, fractional, integer)

    kernel.know(*(given("T", place) for place in range(3)), *(given("feasible", place) for place in range(3)))
    kernel.know("divisor")
    spread = Sum(s[j] ** 2 / p[j], ALL)
    schwarz = cauchy_schwarz(kernel, 1 / p[j], 1, ALL, s[j] ** 2 * p[j])
    filled = kernel.instantiate(integer, {t: lambda place: p[place], count: T})
    dominates = kernel.cert(le(_SHARE, _alpha(T)), (1 / (_ENERGY * spread), schwarz), (1 / _ENERGY, filled))
    kernel.conclude("dominates", dominates)


def _knapsack(kernel: Any) -> tuple[Any, Any]:
    r"""Return $\sum_js_j^2t_j\le\sum_{j<N}s_j^2+s_{N+1}^2(\sum_jt_j-N)$ for $N<d$, where
    $0\le t_j\le1$, and the same without the last term for $\sum_jt_j\le N\le d$.
    """
    first, rest = Symbol("first", real=True), Symbol("rest", real=True)
    assumed = (every(le(0, t[j]), ALL), every(le(t[j], 1), ALL), IsInteger(count), le(0, count))
    at_least, at_most, *place = (kernel.assume(item) for item in assumed)
    kernel.know(at_least, at_most, *place)
    total, head, budget = Sum(s[j] ** 2 * t[j], ALL), Sum(s[j] ** 2, (j, 0, count - 1)), Sum(t[j], ALL)
    within, below = kernel.assume(le(budget, count)), kernel.assume(le(count, d))

    each = kernel.cert(le(s[j] ** 2 * t[j], s[j] ** 2), (s[j] ** 2, kernel.at(at_most, j)))
    kernel.know(below)
    larger = [kernel.axiom("max-is-right", *pair) for pair in ((count, d), (d, count))]
    equal = kernel.cert(eq(count, d), (1, larger[0]), (-1, larger[1]))
    all_of_them = kernel.cert(le(total, head), (1, kernel.sum_over(each, ALL)), using=[equal])

    kernel.know(kernel.axiom("integer-gap", count, d))
    kernel.index((first, 0, count - 1), (rest, count, d - 1))
    last, order = s[count], kernel.given("sorted")
    kernel.know(kernel.cert(le(0, 1 - t[first]), (1, kernel.at(at_most, first))))
    left = kernel.cert(
        le(s[first] ** 2 * t[first], s[first] ** 2 - last**2 * (1 - t[first])),
        ((1 - t[first]) * (s[first] + last), kernel.at(order, count, first)),
    )
    right = kernel.cert(
        le(s[rest] ** 2 * t[rest], last**2 * t[rest]),
        (t[rest] * (s[rest] + last), kernel.at(order, rest, count)),
    )

    def split(term: Any) -> list[tuple[int, Any]]:
        """Return that a sum is the terms before and those from the place of the count on."""
        after = Sum(term, (j, count, d - 1))
        return [(1, kernel.split_off(Sum(term, ALL), count)), (-1, kernel.split_off(after, count))]

    fractional = kernel.cert(
        le(total, head + last**2 * (budget - count)),
        *split(s[j] ** 2 * t[j]),
        (1, kernel.sum_over(left, (first, 0, count - 1))),
        (1, kernel.sum_over(right, (rest, count, d - 1))),
        *((-(last**2) * sign, item) for sign, item in split(t[j])),
    )
    some = kernel.cert(le(total, head), (1, fractional), (last**2, within))
    return fractional, kernel.cases(d - count, all_of_them, some)


def _flat(kernel: Any) -> None:
    """Equal magnitudes: both sums count their entries."""
    given, entry = kernel.given, Symbol("entry", real=True)
    kernel.know(*(given("T", place) for place in range(3)))
    squares = []
    kernel.index((entry, 0, T - 1))
    for index, span in ((j, ALL), (entry, (entry, 0, T - 1))):
        same = kernel.cert(eq(s[index] ** 2, s[0] ** 2), (s[index] + s[0], kernel.at(given("equal"), index)))
        squares.append(kernel.sum_over(same, span))
    goal = eq(_alpha(T), T / d)
    flat = kernel.cert(goal, (-T / (d * _ENERGY), squares[0]), (1 / _ENERGY, squares[1]))
    kernel.conclude("flat", flat)


def _law(kernel: Any, fractional: Any, integer: Any) -> None:
    """A random message: squares at the ratio M over the energy; budgets of the outcomes."""
    given = kernel.given
    kernel.index(OUTCOMES)
    kernel.know(*(given("law", place) for place in range(7)), *(given("support", place) for place in (0, 1)))
    kernel.know(given("unbiased", 1))
    ratio, counted = M / _ENERGY, kernel.at(given("support", 3), i)
    product = kernel.at(given("support", 2), i, j)
    entry = kernel.cert(
        le(2 * s[j] * Q[i, j], ratio * s[j] ** 2 * h[i, j] + Q[i, j] ** 2 / ratio),
        (1 / ratio, (ratio * s[j] * h[i, j] - Q[i, j]) ** 2),
        (ratio * s[j] ** 2 * h[i, j], kernel.at(given("support", 1), i, j)),
        (-2 * s[j], product),
    )
    within = kernel.cert(le(Sum(h[i, j], ALL), c[i]), (1, counted))
    kernel.know(within)
    share = kernel.at(given("counted"), i)
    energy = kernel.instantiate(integer, {t: lambda place: h[i, place], count: c[i]})
    outcome = kernel.cert(
        le(2 * w[i] * Sum(s[j] * Q[i, j], ALL), w[i] * (M * al[i] + Sum(Q[i, j] ** 2, ALL) / ratio)),
        (w[i], kernel.sum_over(entry, ALL)), (w[i] * ratio, energy), (-w[i] * M, share),
    )  # fmt: skip
    unbiased = kernel.sum_over(
        kernel.cert(
            eq(s[j] * Sum(w[i] * Q[i, j], OUTCOMES), s[j] ** 2), (s[j], kernel.at(given("unbiased"), j))
        ),
        ALL,
    )
    mean = kernel.cert(
        le(_ENERGY / M, _MEAN),
        (1 / M, kernel.sum_over(outcome, OUTCOMES)), (-2 / M, unbiased),
        (-_ENERGY / M**2, given("unbiased", 2)),
    )  # fmt: skip
    kernel.conclude("mean", mean)

    kernel.know(*(given("between", place) for place in range(3)), given("indicator"), given("indicator", 1))
    budget = kernel.instantiate(fractional, {t: lambda place: e[i, place], count: m})
    of_count = kernel.cert(
        le(w[i] * _ENERGY * al[i], w[i] * (Sum(s[j] ** 2, (j, 0, m - 1)) + s[m] ** 2 * (c[i] - m))),
        (w[i] * _ENERGY, share), (w[i], budget), (-w[i], kernel.at(given("indicator", 3), i)),
        (w[i] * s[m] ** 2, kernel.at(given("indicator", 2), i)),
    )  # fmt: skip
    jensen = kernel.cert(
        le(_MEAN, _AT_MEAN),
        (1 / _ENERGY, kernel.sum_over(of_count, OUTCOMES)),
        (_alpha(m) - m * s[m] ** 2 / _ENERGY, given("law", 3)),
        (-(s[m] ** 2) / _ENERGY, given("size")),
    )
    kernel.conclude("jensen", jensen)
