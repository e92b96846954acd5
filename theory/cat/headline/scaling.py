r"""`cat/scaling`: what tuning gains as the dimension grows (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, LambertW, Rational, Sum, Symbol, exp, log, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, ImplicitValue, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.sums.geometric_sum import geometric_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, S, j, c_0, c_1, rho, decay, r, T_c, W = symbols("d T S j c_0 c_1 rho decay r T_c W", real=True)
a = IndexedBase("a", real=True)
ALL, KEPT = (j, 0, d - 1), (j, 0, T - 1)

_FLAT = T / (d * (c_0 + c_1 * T))
_EFFICIENCY = (1 - rho**T) / ((1 - rho**d) * (r + T))
_GAIN = (r + d) * (1 - rho**T) / ((r + T) * (1 - rho**d))
_MAXIMISER = (-1 - LambertW(-exp(-1 - decay * r), -1)) / decay - r
_LIMIT = (r + d) * (1 - rho**T) / (r + T)


def _kept(size: Any) -> Any:
    """Return what is kept per cost, but for a factor."""
    return (1 - exp(-decay * size)) / (r + size)


CLAIM = Claim(
    id="cat/scaling",
    kind="scaling",
    provenance="derived",
    title="Tuning gains in proportion to the dimension for steep gradients, nothing for flat ones",
    position=31,
    paper=PAPER,
    **statement(
        r"""
        The efficiency of CAT-S is the share of the $T$ largest squares $a_j$ of the gradient over the cost
        of the message; whole gradients are charged like the other messages, with their indices.
        (a: flat, flat-best) Flat gradients, $a_j=a_1$, $a_1>0$, have <<at costs $c_0+c_1T$ -> proof>> and
          integer sizes
          $1\le T\le d$ $$\frac{\sum_{j=1}^Ta_j}{(c_0+c_1T)\sum_{j=1}^da_j}=\frac
          T{d(c_0+c_1T)}\le\frac1{c_0+c_1d}:$$ no size is better than $d$, and nothing is gained. [proof;
          exact/flat size; exact/flat efficiency; exact/flat gain]
        (b: steep) <<Squares $\rho^{j-1}$ -> proof>> with $0<\rho<1$ have <<at costs $r+T$ -> proof>>
          $$\frac1{r+T}\frac{\sum_{j=0}^{T-1}\rho^j}{\sum_{j=0}^{d-1}\rho^j}=\frac{1-\rho^T}{(1\
          -\rho^d)(r+T)}.$$ [proof; exact/efficiency]
        (c: best) Let $\lambda=-\log\rho$ and $e^{-\lambda T_c}(1+\lambda(T_c+r))=1$. No real size is better
          than $T_c$, <<which does not depend on $d$ -> exact/size as d grows>>: for every $T\ge0$
          $$\frac{1-e^{-\lambda T}}{r+T}\le\frac{1-e^{-\lambda T_c}}{r+T_c}.$$ [proof; exact/size;
          exact/size as d grows]
        (d: rises, falls) It rises up to $T_c$ and falls from there, <<so that the best integer from 1 to $d$
          is one of the two next to $T_c$, cut to this range -> exact/best size>>: $$\frac{1-e^{-\lambda
          T}}{r+T}\le\frac{1-e^{-\lambda S}}{r+S}$$ where $T<S\le T_c$, and $$\frac{1-e^{-\lambda
          S}}{r+S}\le\frac{1-e^{-\lambda T}}{r+T}$$ where $T_c\le T<S$. [proof; exact/best size]
        (e: maximiser) With the lower branch of Lambert's function $\lambda(T_c+r)=-1-W_{-1}(-e^{-1-\lambda
          r})$. [proof; exact/maximiser]
        (f: gain) The gain of $T$ over whole gradients <<is in proportion to $r+d$ up to $\rho^d$ ->
          exact/gain on a line>>: $$\frac{(r+d)(1-\rho^T)}{r+T}\le\frac{(r+d)(1-\rho^T)}{(r+T)(1-\rho^d)}.$$
          [proof; exact/gain; exact/gain on a line]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb R_{\ge0}", "number of entries that are sent, in (c) and (d) a real"),
        Variable(S, "S", r"\mathbb R_{\ge0}", "another size"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the gradient, the largest first", "(d,)"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(rho, r"\rho", "(0,1)", "ratio of neighbouring squares"),
        Variable(decay, r"\lambda", r"\mathbb R_{>0}", r"$-\log\rho$"),
        Variable(r, "r", r"\mathbb R_{>0}", "cost of a message besides its entries, in entries"),
        Variable(T_c, "T_c", r"\mathbb R_{>0}", "continuous maximiser of the efficiency"),
        Variable(W, r"W_{-1}(-e^{-1-\lambda r})", r"\mathbb R", "Lambert's function on its lower branch"),
    ),
    hypotheses={
        "costs": domain(r"$c_0\ge0$, $c_1>0$, $r>0$"),
        "rho": domain(r"$0<\rho<1$, $1-\rho^d>0$"),
        "sizes": domain(r"$1\le T\le d$ are integers, $d\ge1$"),
        "flat": parameter(r"$a_j=a_1$, $a_1>0$, $\sum_ja_j>0$"),
        "decay": definition(r"$\lambda=-\log\rho$, $\lambda\ge0$"),
        "root": definition(r"$e^{-\lambda T_c}(1+\lambda(T_c+r))=1$, $T_c>0$"),
        "lambert": definition(
            r"$W_{-1}(-e^{-1-\lambda r})e^{1+W_{-1}(-e^{-1-\lambda r})}=-e^{-\lambda r}$, "
            r"$W_{-1}(-e^{-1-\lambda r})\le-1$"
        ),
        "real": parameter(r"$T\ge0$"),
        "below": parameter(r"$T<S\le T_c$"),
        "above": parameter(r"$T_c\le T<S$"),
    },
    relations={
        "flat": Relation(
            (Sum(a[j], KEPT) / ((c_0 + c_1 * T) * Sum(a[j], ALL)), _FLAT), ("=",), under=("flat", "sizes")
        ),
        "flat-best": Relation((_FLAT, 1 / (c_0 + c_1 * d)), ("<=",), under=("sizes",)),
        "steep": Relation(
            (Sum(rho**j, KEPT) / Sum(rho**j, ALL) / (r + T), _EFFICIENCY), ("=",), under=("sizes",)
        ),
        "best": Relation((_kept(T), _kept(T_c)), ("<=",), under=("decay", "root", "real")),
        "rises": Relation((_kept(T), _kept(S)), ("<=",), under=("decay", "root", "real", "below")),
        "falls": Relation((_kept(S), _kept(T)), ("<=",), under=("decay", "root", "above")),
        "maximiser": Relation((decay * (T_c + r), -1 - W), ("=",), under=("decay", "root", "lambert")),
        "gain": Relation((_LIMIT, _GAIN), ("<=",), under=("sizes",)),
    },
    formulas={
        "exact": ImplicitValue(T_c, T_c, rho**T_c * (1 - log(rho) * (T_c + r)) - 1),
        "maximiser": _MAXIMISER,
        "flat": _FLAT,
        "efficiency": _EFFICIENCY,
        "gain": _GAIN,
    },
    internal={"exact": "the root of part (c)", "maximiser": "part (e) in sympy's Lambert function"},
    worst_cases=cases("""
        one of two flat entries at a fixed cost of 1 | T = 1, d = 2, c_0 = 1, c_1 = 1 | 1/4
        squares 1, 1/2, 1/4: one entry at a fixed cost of 1 | rho = 1/2, T = 1, d = 3, r = 1 | 2/7
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: flat and geometric sums, tangents and chords of the exponential function."""
    _tangents(K)
    _lambert(K)
    K.know(*(K.given("sizes", place) for place in range(5)))
    K.index(ALL)
    _sums(K)


def _sums(K: Any) -> None:
    same, positive = K.at(K.given("flat"), j), K.given("flat", 1)
    K.know(positive, K.given("flat", 2))
    kept, whole = (
        K.cert(eq(Sum(a[j], span), n * a[0]), (1, K.sum_over(same, span)))
        for span, n in ((KEPT, T), (ALL, d))
    )
    cost = c_0 + c_1 * T
    flat = K.cert(
        eq(Sum(a[j], KEPT) / (cost * Sum(a[j], ALL)), _FLAT),
        (1 / (cost * Sum(a[j], ALL)), kept),
        (-T / (d * cost * Sum(a[j], ALL)), whole),
    )
    K.conclude("flat", flat)
    best = K.cert(le(_FLAT, 1 / (c_0 + c_1 * d)), (c_0 / (d * cost * (c_0 + c_1 * d)), K.given("sizes", 3)))
    K.conclude("flat-best", best)
    K.know(*(K.given("rho", place) for place in range(3)))
    shares = [
        K.cert(
            eq(Sum(rho**j, (j, 0, n - 1)), (1 - rho**n) / (1 - rho)),
            (1 / (1 - rho), geometric_sum(K, rho, n)),
        )
        for n in (T, d)
    ]
    kept, whole = shares
    total = Sum(rho**j, ALL)
    steep = K.cert(
        eq(Sum(rho**j, KEPT) / total / (r + T), _EFFICIENCY),
        (1 / (total * (r + T)), kept),
        (-_EFFICIENCY / total, whole),
    )
    K.conclude("steep", steep)
    sent = K.cert(le(0, 1 - rho**T), (1 - rho, Sum(rho**j, KEPT)), (1 - rho, kept))
    K.know(sent)
    least = K.cert(le(_LIMIT, _GAIN), (_GAIN, rho**d))
    K.conclude("gain", least)


def _tangents(K: Any) -> None:
    """The exponential function is above its tangents."""
    root, decay_ = K.given("root"), K.given("decay", 1)
    K.know(decay_, K.given("root", 1))
    at_root = exp(-decay * T_c)

    def tangent(at: Any, other: Any) -> Any:
        """Return exp(-decay at) (1 - decay (other - at)) <= exp(-decay other)."""
        x = -decay * (other - at)
        goal = le(exp(-decay * at) * (1 + x), exp(-decay * other))
        return K.cert(
            goal, (exp(-decay * at), K.axiom("exp-above", x)), (-1, K.axiom("exp-sum", -decay * at, x))
        )

    value = K.cert(eq(_kept(T_c), decay * at_root), (-1 / (r + T_c), root))

    def below(size: Any) -> Any:
        """Return that a size keeps at most decay * at_root per cost."""
        return K.cert(
            le(_kept(size), decay * at_root), (1 / (r + size), tangent(T_c, size)), (-1 / (r + size), root)
        )

    K.know(K.given("real"))
    K.conclude("best", K.cert(le(_kept(T), _kept(T_c)), (1, below(T)), (-1, value)))
    # Each side with names of its own, so that nothing is known of both.
    for name, relation, side in (("below", "rises", 1), ("above", "falls", -1)):
        t, s = (Symbol(f"{name}_{size}", real=True) for size in ("t", "s"))
        links = (lt(t, s), le(s, T_c)) if side > 0 else (le(T_c, s), lt(s, t))
        known = [K.assume(link) for link in links]
        K.know(*known)
        gap, far, near = side * (T_c - t), side * (T_c - s), side * (s - t)
        if side > 0:
            positive = K.assume(le(0, t))
        else:
            positive = K.cert(le(0, t), (1, known[0]), (1, known[1]), (1, T_c))
        K.know(positive, K.cert(lt(0, gap), (1, known[0]), (1, known[1])))
        K.know(*(K.sign(le(0, item)) for item in (far, near)))
        scale = 1 / (gap * (r + s) * (r + t))
        nearer = K.cert(
            le(_kept(t), _kept(s)),
            (scale * (r + t) * far, tangent(s, t)),
            (scale * (r + t) * near, tangent(s, T_c)),
            (-scale * (r + t) * near * (r + T_c), value),
            (scale * near * (T_c + r) * (r + t), below(t)),
        )
        K.conclude(relation, K.instantiate(nearer, {t: T, s: S} if side > 0 else {t: S, s: T}))


def _lambert(K: Any) -> None:
    """On numbers from 1 on $ye^{-y}$ is injective: of two with one value each is at most the other."""
    value, low, high = symbols("lambert_value lambert_low lambert_high", real=True)
    of_low, of_high = K.assume(eq(value, low * exp(1 - low))), K.assume(eq(value, high * exp(1 - high)))
    from_one = K.assume(le(1, high))
    K.know(from_one)
    half = (low - high) / 2
    root, back = exp(half), exp(low - 1)
    # low is high times the square of the root, which is at least 1 + (low - high) / 2.
    equal = K.cert(
        eq(low, high * exp(low - high)),
        (back, of_high), (-back, of_low), (high * back, K.axiom("exp-sum", 1 - low, low - high)),
        (low - high * exp(low - high), K.axiom("exp-sum", low - 1, 1 - low)),
    )  # fmt: skip
    goal, square = le(low, high), (high, K.axiom("exp-sum", half, half))
    smaller = K.cert(goal, (1, equal), square, (high * (root + 1), K.assume(le(root - 1, 0))))
    more = K.assume(lt(0, root - 1))
    factor = high * (root + 1) / 2 - 1
    K.know(more, K.cert(lt(0, factor), ((root + 1) / 2, from_one), (Rational(1, 2), more)))
    scale = high * (root + 1) / factor
    larger = K.cert(
        goal,
        (1 - scale / 2, equal), (high * (1 - scale / 2), square[1]), (scale, K.axiom("exp-above", half)),
    )  # fmt: skip
    at_most = K.cases(root - 1, smaller, larger)

    K.know(K.given("lambert", 1), K.given("decay", 1))
    start, y, z = exp(-decay * r), 1 + decay * (T_c + r), -W
    split = K.axiom("exp-sum", -decay * r, -decay * T_c)
    of_y = K.cert(eq(start, y * exp(1 - y)), (-y, split), (-start, K.given("root")))
    of_z = K.cert(eq(start, z * exp(1 - z)), (1, K.given("lambert")))
    both = [
        K.discharge(K.instantiate(at_most, {value: start, low: a, high: b}), of_a, of_b)
        for a, b, of_a, of_b in ((y, z, of_y, of_z), (z, y, of_z, of_y))
    ]
    same = antisymmetry(K, y, z, *both)
    K.conclude("maximiser", K.cert(eq(decay * (T_c + r), -1 - W), (1, same)))
