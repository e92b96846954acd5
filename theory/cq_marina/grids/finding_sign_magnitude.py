r"""`cq_marina/finding-sign-magnitude`: the sign must be inside the grid (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Min, Rational, Sum, Symbol, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.facts.rounding.rounding import rounding_variance
from theory.facts.rounding.rounding_quadratics import variance_below_binomial
from theory.facts.rounding.stratified_shares import share, share_cases
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, j, r, V, V_IQ, V_CQ, n, i, l, V_n, U_n = symbols("d j r V V_IQ V_CQ n i l V_n U_n", real=True)
x, t, rho, signs = symbols("x t rho s", cls=IndexedBase, real=True)
COORDINATES, CLIENTS, OTHERS = (j, 0, d - 1), (i, 0, n - 1), (l, 0, n - 1)
HALF_LEVEL = Symbol("half_level", real=True)
_HALF = Rational(1, 2)


def _total(term: Any) -> Any:
    return r**2 / 2 * Sum(term, COORDINATES)


_EXACT = _total(rho[j])
_INDEPENDENT = _total(rho[j] * (1 - rho[j]))
_CORRELATED = _total(rho[j] * (1 - 2 * rho[j]))
_LEVEL = Abs(x[j]) / r


def _first(level: Any) -> Any:
    """Return the probability of a bit 1 in the lower of two strata."""
    return share(2 * level, 0)


def _second(level: Any) -> Any:
    return share(2 * level, 1)


_BITS = t[j] * (1 - t[j])
_OUTSIDE = r**2 / 4 * (2 * _BITS - 2 * (_first(t[j]) * _second(t[j]) - t[j] ** 2))
_JOINT = (_first(t[j]) * _second(1 - t[j]) + _second(t[j]) * _first(1 - t[j])) / 2
_INSIDE = r**2 / 4 * (2 * _BITS + 2 * (_JOINT - _BITS))


# Clients with balanced signs, all of them with the level t.
_COVARIANCE = -(_BITS - rounding_variance(n * t[j]) / n) / (n - 1)
_PAIR = signs[i] * signs[l] * _COVARIANCE
_BESIDE = Sum(_PAIR, (l, 0, i - 1)) + Sum(_PAIR, (l, i + 1, n - 1))
_BALANCED = Sum(_BITS, CLIENTS) + Sum(_BESIDE, CLIENTS)
_SIGNS = Sum(signs[i], CLIENTS)
_MORE = r**2 / (n * (n - 1)) * Sum(_BITS - rounding_variance(n * t[j]) / n, COORDINATES)
_ANY = (n - _SIGNS**2) / n * _MORE

CLAIM = Claim(
    id="cq_marina/finding-sign-magnitude",
    kind="finding",
    provenance="derived",
    title="With the sign outside the grid, correlated quantization can be worse than independent",
    position=4,
    paper=PAPER,
    **statement(
        r"""
        Two clients hold $x$ and $-x$ in $\mathbb R^d$ with $r=\|x\|>0$; they quantize on the ternary grid,
        the thresholds are stratified (`cq_marina/cq-1d-exact`). Read as sign and magnitude, the thresholds
        are applied to $t_j=\frac{|x_j|}r$ and the signs are multiplied afterwards: the variance of the mean
        is $V$. $V_{CQ}$ has the sign inside the grid, $V_{IQ}$ independent thresholds;
        $\rho_j=\min\{t_j,1-t_j\}$.
        (a: outside) With the sign outside the grid $$V=\frac{r^2}2\sum_j\rho_j.$$ [proof; exact/sign
          outside; exact/closed form]
        (b: independent, worse) Independent thresholds have $$V_{IQ}=\frac{r^2}2\sum_j\rho_j(1-\rho_j)\le
          V:$$ correlation makes it no better. [proof; exact/independent; exact/independent is no worse]
        (c: inside, better) What holds instead: with the sign inside the grid
          $$V_{CQ}=\frac{r^2}2\sum_j\rho_j(1-2\rho_j)\le V_{IQ},$$ as `cq_marina/cq-dominates-iq` has it for
          all inputs. [proof; exact/sign inside]
        (d: ones-outside, ones-independent, ones-inside) At four ones, $d=4$ and $x_j=1$, the three
          variances are $V=4$, $V_{IQ}=2$ and $V_{CQ}=0$. [proof; exact/sign outside; exact/independent;
          exact/sign inside]
        (e: balanced, balanced-worse) More clients show it, too: if $n\ge2$ hold $s_ix$ with signs, $s_i^2=1$,
          <<as many positive as negative ones -> proof>>, so that $\sum_is_i=0$,
          $$V_n=U_n+\frac{r^2}{n(n-1)}\sum_j\Big(t_j(1-t_j)-\frac1n\{nt_j\}(1-\{nt_j\})\Big)\ge U_n$$ for
          the variances. [proof; exact/more clients]
        (f: any-signs, few-more) Nor need the signs be balanced: for all signs, $s_i^2=1$,
          $$V_n=U_n+\frac{(n-(\sum_is_i)^2)r^2}{n^2(n-1)}\sum_j\Big(t_j(1-t_j)-\frac1n\{nt_j\}(1-\{nt_j\})\Big),$$
          $V_n\ge U_n$ if $(\sum_is_i)^2\le n$, <<and at inputs of four clients with different levels the
          sign outside has more variance, too -> exact/independent is better>>. [proof;
          exact/signs without balance; exact/number of the specification; exact/enumeration;
          exact/independent is better; montecarlo/sampled variance]
        """
    ),
    variables=(
        Variable(x, "x", r"\mathbb R^d", "input of the first client", "(d,)"),
        Variable(r, "r", r"\mathbb R_{>0}", "its norm"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(t, "t", "[0,1]^d", "levels of the coordinates", "(d,)"),
        Variable(rho, r"\rho", r"\mathbb R^d_{\ge0}", "distance of the levels from the grid", "(d,)"),
        Variable(n, "n", r"\mathbb N_{\ge2}", "number of more clients"),
        Variable(signs, "s", r"\{-1,1\}^n", "signs of their inputs", "(n,)"),
        Variable(V_n, "V_n", r"\mathbb R_{\ge0}", "variance of their mean with the sign outside the grid"),
        Variable(U_n, "U_n", r"\mathbb R_{\ge0}", "the same with independent thresholds"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance with the sign outside the grid"),
        Variable(V_IQ, "V_{IQ}", r"\mathbb R_{\ge0}", "variance with independent thresholds"),
        Variable(V_CQ, "V_{CQ}", r"\mathbb R_{\ge0}", "variance with the sign inside the grid"),
    ),
    notation={r"s_ix": "inputs", r"\|x\|": "the norm", "-x": "input of the second client"},
    hypotheses={
        "d": domain("$d$ is a positive integer"),
        "norm": definition(r"$r>0$, $r=\sqrt{\sum_jx_j^2}$"),
        "levels": definition(r"$t_j=\frac{|x_j|}r$"),
        "nearest": definition(r"$\rho_j=\min\{t_j,1-t_j\}$"),
        "outside": definition(
            r"$V=\sum_j\frac{r^2}4\Big(2t_j(1-t_j)-2\Big(\max\{0,\min\{1,2t_j\}\}\max\{0,\min\{1,2t_j-1\}\}"
            r"-t_j^2\Big)\Big)$, since opposite signs subtract the covariance of bits of different strata"
        ),
        "independent": definition(
            r"$V_{IQ}=\sum_j\frac{r^2}4\cdot2t_j(1-t_j)$, since the bits are independent"
        ),
        "inside": definition(
            r"$V_{CQ}=\sum_j\frac{r^2}4\Big(2t_j(1-t_j)+2\Big(\frac12\Big("
            r"\max\{0,\min\{1,2t_j\}\}\max\{0,\min\{1,2(1-t_j)-1\}\}"
            r"+\max\{0,\min\{1,2t_j-1\}\}\max\{0,\min\{1,2(1-t_j)\}\}\Big)-t_j(1-t_j)\Big)\Big)$, "
            "since equal signs add the covariance of bits of different strata"
        ),
        "ones": parameter("$d=4$, $x_j=1$"),
        "more": parameter(r"$n\ge2$ is an integer; $s_i^2=1$"),
        "balance": parameter(r"$\sum_is_i=0$"),
        "few": parameter(r"$(\sum_is_i)^2\le n$"),
        "more-variances": definition(
            r"$V_n=\frac{r^2}{n^2}\sum_j\Big(\sum_{i=1}^nt_j(1-t_j)+\sum_{i=1}^n\Big(\sum_{l=1}^{i-1}s_is_l"
            r"\frac{-(t_j(1-t_j)-\frac1n\{nt_j\}(1-\{nt_j\}))}{n-1}+\sum_{l=i+1}^ns_is_l"
            r"\frac{-(t_j(1-t_j)-\frac1n\{nt_j\}(1-\{nt_j\}))}{n-1}\Big)\Big)$; "
            r"$U_n=\frac{r^2}{n^2}\sum_j\sum_{i=1}^nt_j(1-t_j)$, "
            "since bits of equal levels have these covariances",
            reference="cq_marina/cq-1d-exact",
        ),
    },
    relations={
        "outside": Relation((V, _EXACT), ("=",)),
        "independent": Relation((V_IQ, _INDEPENDENT), ("=",)),
        "worse": Relation((_INDEPENDENT, V), ("<=",)),
        "inside": Relation((V_CQ, _CORRELATED), ("=",)),
        "ones-outside": Relation((V, 4), ("=",), under=("ones",)),
        "ones-independent": Relation((V_IQ, 2), ("=",), under=("ones",)),
        "ones-inside": Relation((V_CQ, 0), ("=",), under=("ones",)),
        "balanced": Relation((V_n, U_n + _MORE), ("=",), under=("more", "balance", "more-variances")),
        "balanced-worse": Relation((U_n + _MORE, U_n), (">=",), under=("more", "more-variances")),
        "any-signs": Relation((V_n, U_n + _ANY), ("=",), under=("more", "more-variances")),
        "few-more": Relation((V_n, U_n), (">=",), under=("more", "few", "more-variances")),
        "better": Relation((_CORRELATED, V_IQ), ("<=",)),
    },
    formulas={
        "exact": _EXACT,
        "independent": _INDEPENDENT,
        "correlated": _CORRELATED,
        "nearest": Min(_LEVEL, 1 - _LEVEL),
        "level": _LEVEL,
        "more": r**2 / n * Sum(_BITS, COORDINATES) + _MORE,
        "any_signs": r**2 / n * Sum(_BITS, COORDINATES) + _ANY,
    },
    internal={
        "level": r"the definition of $t_j$",
        "more": "$V_n$ of part (e) with $U_n$ put in",
        "any_signs": "$V_n$ of part (f) with $U_n$ put in",
        "nearest": r"the definition of $\rho_j$",
    },
    worst_cases=cases("""
        all ones against all minus ones: twice the independent variance | rho = 4 * (1/2,), r = 2, d = 4 | 4
        one coordinate carries all: no variance at all | rho = (0, 0), r = 3, d = 2 | 0
    """),
)


def derive(K: Any) -> None:
    """Prove the relations, for levels below and above one half apart."""
    K.example({d: 1, x: (2,), r: 2, t: (1,), rho: (0,), V: 0, V_IQ: 0, V_CQ: 0})
    K.index(COORDINATES)
    K.know(K.given("norm"))
    level, k = t[j], Symbol("k", real=True)
    squares = Sum(x[k] ** 2, (k, 0, d - 1))
    beside = [Sum(x[k] ** 2, span) for span in ((k, 0, j - 1), (k, j + 1, d - 1))]
    below = K.cert(le(x[j] ** 2, squares), (-1, K.split_off(squares, j)), *((1, part) for part in beside))
    size = K.cert(le(Abs(x[j]), r), (1, K.power(below, _HALF)), (-1, K.given("norm", 1)))
    own = K.at(K.given("levels"), j)
    K.know(
        K.cert(le(0, level), (-1, own), (1 / r, Abs(x[j]))),
        K.cert(le(level, 1), (1, own), (1 / r, size)),
    )
    values, weight = _shares(K), r**2 / 2
    nearest = K.at(K.given("nearest"), j)
    sides: list[tuple[Any, Any, Any]] = []
    for a in (level, 1 - level):
        lower, upper, full, rest = (K.instantiate(item, {HALF_LEVEL: a}) for item in values)
        rho_a = K.cert(eq(rho[j], a), (1, nearest), (1, K.axiom("min-is-left", a, 1 - a)))
        goals = eq(_OUTSIDE, weight * rho[j]), eq(weight * _BITS, weight * rho[j] * (1 - rho[j]))
        inside = K.cert(
            eq(_INSIDE, weight * rho[j] * (1 - 2 * rho[j])),
            (weight / 2 * _second(1 - a), lower),
            (weight * a, rest),
            (weight / 2 * _first(1 - a), upper),
            (-weight * (1 - 2 * (rho[j] + a)), rho_a),
        )
        if a == level:
            outside = K.cert(goals[0], (-weight * _first(a), upper), (-weight, rho_a))
        else:
            outside = K.cert(goals[0], (-weight * _second(level), full), (-weight, rest), (-weight, rho_a))
        independent = K.cert(goals[1], (-weight * (1 - rho[j] - a), rho_a))
        sides.append((outside, independent, inside))
    found = []
    for name, low, high in zip(("outside", "independent", "inside"), *sides, strict=True):
        each = K.cases(2 * level - 1, low, high)
        total = K.sum_over(each, COORDINATES)
        left = {"outside": V, "independent": V_IQ, "inside": V_CQ}[name]
        right = {"outside": _EXACT, "independent": _INDEPENDENT, "inside": _CORRELATED}[name]
        found.append(K.cert(eq(left, right), (1, K.given(name)), (1, total)))
        K.conclude(name, found[-1])
    K.conclude("worse", K.cert(le(_INDEPENDENT, V), (-1, found[0]), (weight, Sum(rho[j] ** 2, COORDINATES))))
    K.conclude(
        "better", K.cert(le(_CORRELATED, V_IQ), (-1, found[1]), (weight, Sum(rho[j] ** 2, COORDINATES)))
    )
    _ones(K, found, nearest, own)
    _more(K)


def _ones(K: Any, found: Any, nearest: Any, own: Any) -> None:
    """All levels are one half."""
    K.example({d: 4, x: (1,) * 4, r: 2, t: (_HALF,) * 4, rho: (_HALF,) * 4, V: 4, V_IQ: 2, V_CQ: 0})
    four, one = K.given("ones"), K.at(K.given("ones", 1), j)
    squares = Sum(x[j] ** 2, COORDINATES)
    total = K.sum_over(K.cert(eq(x[j] ** 2, 1), (x[j] + 1, one)), COORDINATES)
    square = K.cert(eq(r**2, 4), (r + sqrt(squares), K.given("norm", 1)), (1, total), (1, four))
    size = K.cert(eq(r, 2), (1 / (r + 2), square))
    unit = K.rewrite(K.identity(Abs(x[j]), Abs(x[j])), one, side="right")
    level = K.cert(eq(t[j], _HALF), (1, own), (1 / r, unit), (-1 / (2 * r), size))
    both = K.axiom("min-is-left", t[j], 1 - t[j])
    both = K.discharge(both, K.cert(le(t[j], 1 - t[j]), (2, level)))
    half = K.cert(eq(rho[j], _HALF), (1, nearest), (1, both), (1, level))
    terms = (
        (rho[j], _HALF, 1),
        (rho[j] * (1 - rho[j]), _HALF**2, _HALF - rho[j]),
        (rho[j] * (1 - 2 * rho[j]), 0, -2 * rho[j]),
    )
    for name, theorem, (term, value, factor) in zip(
        ("outside", "independent", "inside"), found, terms, strict=True
    ):
        each = K.sum_over(K.cert(eq(term, value), (factor, half)), COORDINATES)
        K.conclude(
            f"ones-{name}",
            K.cert(
                CLAIM.relations[f"ones-{name}"].formulas[0],
                (1, theorem),
                (r**2 / 2, each),
                (value * d / 2, square),
                (2 * value, four),
            ),
        )


def _more(K: Any) -> None:
    r"""Signs of different clients have the products $(\sum_is_i)^2-n$ in all, times negative covariances."""
    fifth = Rational(1, 5)
    K.example(
        {
            **{d: 2, x: (3, 4), r: 5, t: (3 * fifth, 4 * fifth), rho: (2 * fifth, fifth)},
            **{V: 3 * 5 * _HALF, V_IQ: 5, V_CQ: 5 * _HALF, n: 3, signs: (1, 1, -1)},
            **{V_n: Rational(110, 27), U_n: Rational(10, 3)},
        }
    )
    K.example(
        {
            **{d: 1, x: (2,), r: 2, t: (1,), rho: (0,), V: 0, V_IQ: 0, V_CQ: 0},
            **{n: 2, signs: (1, -1), V_n: 0, U_n: 0},
        }
    )
    K.index(CLIENTS)
    K.know(K.given("more"), K.given("more", 1), K.cert(lt(0, n - 1), (1, K.given("more", 1))))
    K.know(K.cert(lt(0, n**2 - n), (n, K.sign(lt(0, n - 1)))))
    client = K.cert(
        eq(_BESIDE, signs[i] * _SIGNS * _COVARIANCE - _COVARIANCE),
        (-1, K.split_off(Sum(_PAIR, OTHERS), i)),
        (-_COVARIANCE, K.at(K.given("more", 2), i)),
    )
    written = K.cert(
        eq(_BALANCED, n * _BITS + (_SIGNS**2 - n) * _COVARIANCE), (1, K.sum_over(client, CLIENTS))
    )
    both = [K.given("more-variances", place) for place in (0, 1)]
    more = K.show("any-signs", (1, both[0]), (-1, both[1]), (r**2 / n**2, K.sum_over(written, COORDINATES)))
    K.show("balanced", (1, more), (-_SIGNS / n * _MORE, K.given("balance")))
    weight = r**2 / (n**2 * (n - 1))
    least = K.sum_over(variance_below_binomial(K, t[j], n), COORDINATES)
    worse = K.show("balanced-worse", (weight, least))
    u, v = symbols("u v", real=True)
    K.know(K.assume(le(0, u)), K.assume(le(0, v)))
    fewer = n - _SIGNS**2
    both_signs = K.instantiate(K.sign(le(0, u * v)), {u: fewer, v: _MORE})
    product = K.discharge(
        both_signs, K.cert(le(0, fewer), (1, K.given("few"))), K.cert(le(0, _MORE), (1, worse))
    )
    K.show("few-more", (-1, more), (1 / n, product))


def _shares(K: Any) -> tuple[Any, Any, Any, Any]:
    """Return the shares of a level a of at most one half, and of its complement."""
    a = HALF_LEVEL
    any_level, cell = (Symbol(f"half_{name}", real=True) for name in ("any", "cell"))
    cases = share_cases(K, any_level, cell)
    K.know(K.assume(le(0, a)), K.assume(le(2 * a, 1)))

    def at(which: int, level: Any, stratum: int) -> Any:
        return K.instantiate(cases[which], {any_level: level, cell: Integer(stratum)})

    return (
        K.cert(eq(_first(a), 2 * a), (1, at(1, 2 * a, 0))),
        at(0, 2 * a, 1),
        at(2, 2 * (1 - a), 0),
        K.cert(eq(_second(1 - a), 1 - 2 * a), (1, at(1, 2 * (1 - a), 1))),
    )
