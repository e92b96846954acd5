r"""`squant/bits-bound`: worst-case expected message length at a given budget (about arXiv 2106.03524)."""

from typing import Any

from sympy import E, Expr, IndexedBase, Integer, Min, Rational, Sum, floor, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz_roots
from theory.formula import le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, B, M, beta, bits, count, s = symbols("d B M beta bits count s", real=True)
i, j, l, o = symbols("i j l o", real=True)
p, k, length, g, xi = symbols("p k length g xi", cls=IndexedBase, real=True)
a, h, m = symbols("a h m", cls=IndexedBase, real=True)
OUTCOMES, BLOCKS, COORDINATES = (o, 0, M - 1), (l, 0, B - 1), (j, 0, m[l] - 1)
GAPS, NONZEROS = (i, 0, k[o]), (i, 0, k[o] - 1)


def largest_nonzeros(beta: Expr, d: Expr) -> Expr:
    """Return the largest expected number of nonzeros."""
    return Min(beta, d)


def gap_maximiser(beta: Expr, d: Expr) -> Expr:
    """Return the number of gaps at which the bound on their codes is largest."""
    return Min(largest_nonzeros(beta, d) + 1, (d + 1) * sqrt(2) / E)


def level_maximiser(beta: Expr, d: Expr) -> Expr:
    """Return the number of nonzeros at which the bound on the levels is largest."""
    return Min(d, beta / E)


def gap_length(number: Expr, d: Expr) -> Expr:
    """Return the largest length of the codes of so many gaps, of sum d + 1."""
    return number * (1 + 2 * log((d + 1) / number, 2))


def level_length(number: Expr, beta: Expr) -> Expr:
    """Return the largest length of the codes of so many levels, of sum beta, beside a bit for each."""
    return 2 * number * log(beta / number, 2)


def worst_case_length(beta: Expr, d: Expr, B: Expr) -> Expr:
    r"""Return $b(\beta,d,B)$ in bits: budget beta, d coordinates, B norms of 32 bits."""
    gaps, levels = gap_maximiser(beta, d), level_maximiser(beta, d)
    return 32 * B + gap_length(gaps, d) + 2 * largest_nonzeros(beta, d) + level_length(levels, beta)


_N, _GAPS, _LEVELS = largest_nonzeros(beta, d), gap_maximiser(beta, d), level_maximiser(beta, d)
_BOUND = worst_case_length(beta, d, B)


def _gamma(number: Any) -> Expr:
    """Return the length of the Elias gamma code of a number (`squant/bits`)."""
    return 2 * floor(log(number, 2)) + 1


CLAIM = Claim(
    id="squant/bits-bound",
    kind="upper",
    provenance="derived",
    title="Bound on the expected message length at a given budget",
    position=10,
    paper=PAPER,
    **statement(
        r"""
        The message of `squant/bits` in the Elias gamma code, with $B$ norms of 32 bits that are taken as
        exact; header and shape are not counted. The steps have the budget $\beta$, the sum of
        $\|h_{\mathcal B_l}^{-1}\|_2$ over the blocks. Expectations are over the rounding, whose outcomes
        are finitely many.
        (a: nonzeros) <<For every input -> proof>> the expected number of nonzeros is $\mathbb
          E\,\mathrm{nnz}\le\min(\beta,d)$. [proof]
        (b: bound) <<For every input -> adversarial/searched bits>>, $$\mathbb E\,\mathrm{bits}\le32B+\min\
          \Big(\min(\beta,d)+1,(d+1)\frac{\sqrt2}e\Big)\Big(1+2\log_2\frac{d+1}{\min\Big(\min(\beta,d)\
          +1,(d+1)\frac{\sqrt2}e\Big)}\Big)+2\min(\beta,d)+2\min\Big(d,\frac\beta
          e\Big)\log_2\frac\beta{\min\Big(d,\frac\beta e\Big)}.$$ [proof; exact/expected bits; exact/literal
          bound; exact/bits of messages; adversarial/searched bits]
        (c: gaps) Its first minimum is the number of gaps at which the bound on their codes is largest:
          for $0<s\le\min(\beta,d)+1$, $$s\Big(1+2\log_2\frac{d+1}s\Big)\le\min\Big(\min(\beta,d)+1,(d+1)\
          \frac{\sqrt2}e\Big)\Big(1+2\log_2\frac{d+1}{\min\Big(\min(\beta,d)+1,(d+1)\frac{\sqrt2}e\Big)}\
          \Big).$$ [proof]
        (d: levels) Its last one is the number of nonzeros at which the bound on the levels is largest:
          for $0<s\le d$,
          $$2s\log_2\frac\beta s\le2\min\Big(d,\frac\beta e\Big)\log_2\frac\beta{\min\Big(d,\frac\beta
          e\Big)}.$$ [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks, so of norms"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(m, "d", r"\mathbb N^B", "lengths of the blocks", "(B,)"),
        Variable(a, "a", r"\mathbb R_{\ge0}", "sizes of the entries over the norm of their block", "(B, d)"),
        Variable(h, "h", r"\mathbb R_{>0}", "quantization steps by block", "(B, d)"),
        Variable(M, "M", r"\mathbb N", "number of outcomes of the rounding"),
        Variable(p, "p", r"\mathbb R^M_{\ge0}", "probabilities of the outcomes", "(M,)", first=0),
        Variable(k, "k", r"\mathbb N_0^M", "numbers of nonzeros of the outcomes", "(M,)", first=0),
        Variable(g, "g", r"\mathbb N", "gaps of the outcomes, the last to the sentinel", "(M, oo)", first=0),
        Variable(xi, r"\xi", r"\mathbb N", "levels of the nonzeros of the outcomes", "(M, oo)", first=0),
        Variable(length, r"\mathrm{bits}", r"\mathbb N^M", "lengths of the messages", "(M,)", first=0),
        Variable(bits, r"\mathbb E\,\mathrm{bits}", r"\mathbb R_{\ge0}", "expected length of a message"),
        Variable(count, r"\mathbb E\,\mathrm{nnz}", r"\mathbb R_{\ge0}", "expected number of nonzeros"),
        Variable(s, "s", r"\mathbb R_{>0}", "a number of gaps or levels"),
    ),
    notation={r"\|h_{\mathcal B_{#1}}^{-1}\|_2": "budget of a block"},
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "B": domain(r"$B\ge1$ is an integer"),
        "beta": domain(r"$\beta>0$"),
        "blocks": domain(r"$d_l\ge1$ are integers"),
        "steps": domain(r"$h_{lj}>0$ for $j\le d_l$"),
        "input": definition(
            r"$a_{lj}\ge0$ for $j\le d_l$; $\sum_{j=1}^{d_l}a_{lj}^2\le1$, since $a_{lj}$ are the sizes of "
            "the entries of a block over its Euclidean norm"
        ),
        "budget": definition(r"$\beta=\sum_l\sqrt{\sum_{j=1}^{d_l}\frac1{h_{lj}^2}}$"),
        "law": domain(
            r"$M\ge1$ is an integer; $p_o\ge0$; $\sum_op_o=1$, since the outcomes of the rounding have the "
            r"probabilities $p_o$; $k_o\ge0$ are integers"
        ),
        "messages": definition(
            r"$g_{oi}\ge1$ for $i\le k_o$; $\sum_{i=0}^{k_o}g_{oi}=d+1$; $\xi_{oi}\ge1$ for $i<k_o$; "
            r"$\mathrm{bits}_o=32B+\sum_{i=0}^{k_o}(2\lfloor\log_2g_{oi}\rfloor+1)"
            r"+\sum_{i=0}^{k_o-1}(2\lfloor\log_2\xi_{oi}\rfloor+2)$, since the code is that of Elias gamma"
        ),
        "expectations": definition(
            r"$\mathbb E\,\mathrm{bits}=\sum_op_o\mathrm{bits}_o$, $\mathbb E\,\mathrm{nnz}=\sum_op_ok_o$"
        ),
        "unbiased": model(
            r"$\sum_op_o\sum_{i=0}^{k_o-1}\xi_{oi}=\sum_l\sum_{j=1}^{d_l}\frac{a_{lj}}{h_{lj}}$, since "
            "rounding is unbiased",
            reference="squant/var",
        ),
        "gaps": parameter(r"$0<s\le\min(\beta,d)+1$"),
        "levels": parameter(r"$0<s\le d$"),
    },
    relations={
        "nonzeros": Relation((count, _N), ("<=",)),
        "bound": Relation((bits, _BOUND), ("<=",)),
        "gaps": Relation((gap_length(s, d), gap_length(_GAPS, d)), ("<=",), under=("gaps",)),
        "levels": Relation((level_length(s, beta), level_length(_LEVELS, beta)), ("<=",), under=("levels",)),
    },
    formulas={"bound": _BOUND, "nonzeros": _N, "gap_maximiser": _GAPS, "level_maximiser": _LEVELS},
    worst_cases=cases("""
        few nonzeros | beta = 4, d = 64, B = 1 | 45 + (8 * exp(-1) + 10 * log(13)) / log(2)
        sixteen norms | beta = 16, d = 256, B = 16 | 561 + (32 * exp(-1) + 34 * log(257/17)) / log(2)
        many levels | beta = 300, d = 100, B = 1
          | 232 + (202 * sqrt(2) * exp(-1) + 200 * log(3)) / log(2)
        ten nonzeros | beta = 10, d = 100, B = 1 | 63 + (20 * exp(-1) + 22 * log(101/11)) / log(2)
        one coordinate and hardly any budget: only the gap to the sentinel is left | x = (1,), h = (8000,),
          beta = 1/8000, d = 1, B = 1 | 264003/8000 + (exp(-1) + 8001 * log(16000/8001)) / (4000 * log(2))
    """),
)

# One coordinate at level 1, without randomness.
ONE: dict[Any, Any] = {d: 1, B: 1, M: 1, m: (1,), a: ((1,),), h: ((1,),), beta: 1, p: (1,), k: (1,)}
ONE |= {g: ((1, 1),), xi: ((1,),)}


def derive(K: Any) -> None:
    """Prove the relations: tangents of the logarithm at the maximisers, then linear expectations."""
    K.index(OUTCOMES, BLOCKS)
    K.example(ONE)
    K.know(K.sign(lt(0, _N)), K.sign(lt(0, _GAPS)), K.sign(lt(0, _LEVELS)))
    level_sum = _level_sum(K)
    nonzeros = _nonzeros(K, level_sum)
    K.conclude("nonzeros", nonzeros)
    scale, c, q = 2 / log(2), (d + 1) / _GAPS, beta / _LEVELS
    gaps = _coded(K, g[o, i], c, GAPS, K.at(K.given("messages", 0), o, i), 0)
    levels = _coded(K, xi[o, i], q, NONZEROS, K.at(K.given("messages", 2), o, i), 1)
    # By gaps that add up to d + 1, a bound that is linear in the number and the sum of the levels.
    gap, level = 1 + scale * (log(c) - 1), 2 + scale * (log(q) - 1)
    most = 32 * B + (k[o] + 1) * gap + scale * _GAPS + k[o] * level + scale / q * Sum(xi[o, i], NONZEROS)
    message = K.cert(
        le(p[o] * length[o], p[o] * most), gaps, levels, K.given("messages", 1), K.given("messages", 3)
    )
    gaps_longest, levels_longest = _longest(K, d + 1, sqrt(2), _N + 1), _longest(K, beta, Integer(1), d)
    more = K.cert(le(count + 1, _N + 1), nonzeros)
    few = K.cert(le(count, d), nonzeros, K.axiom("min-below-right", beta, d))
    K.show(
        "bound",
        (1, K.sum_over(message, OUTCOMES)),
        K.given("law", 3),
        level_sum,
        K.discharge(K.instantiate(gaps_longest, {s: count + 1}), more),
        K.discharge(K.instantiate(levels_longest, {s: count}), few),
        nonzeros,
        using=[K.given("expectations", 0), K.given("expectations", 1)],
    )
    for name, theorem, mean, at in (
        ("gaps", gaps_longest, (d + 1) / s, c),
        ("levels", levels_longest, beta / s, q),
    ):
        K.know(K.given(name, 0))
        terms = (scale * s, _tangent(K, mean, at)), (scale, theorem)
        K.conclude(name, K.cert(le(*CLAIM.relations[name].sides), *terms))


def _level_sum(K: Any) -> Any:
    """Return that the expected sum of the levels is at most the budget."""
    K.index(COORDINATES)
    half = Rational(1, 2)
    inverse = 1 / h[l, j]
    unit = K.power(K.at(K.given("input", 1), l), half)
    root = sqrt(Sum(inverse**2, COORDINATES))
    block = K.cert(
        le(Sum(a[l, j] * inverse, COORDINATES), root),
        cauchy_schwarz_roots(K, a[l, j], inverse, COORDINATES),
        unit,
    )
    total = Sum(p[o] * Sum(xi[o, i], NONZEROS), OUTCOMES)
    return K.cert(le(total, beta), K.sum_over(block, BLOCKS), "unbiased", "budget")


def _nonzeros(K: Any, level_sum: Any) -> Any:
    """Return that the expected number of nonzeros is at most budget and dimension."""
    K.index(GAPS)
    within = K.cert(le(k[o], d), K.sum_over("messages", GAPS), K.given("messages", 1))
    levels = K.sum_over(K.given("messages", 2), NONZEROS)
    mean = K.given("expectations", 1)
    by_dimension = K.cert(
        le(count, d),
        K.sum_over(K.cert(le(p[o] * k[o], p[o] * d), within), OUTCOMES),
        K.given("law", 3),
        using=[mean],
    )
    weighted = K.cert(le(p[o] * k[o], p[o] * Sum(xi[o, i], NONZEROS)), levels)
    by_budget = K.cert(le(count, beta), K.sum_over(weighted, OUTCOMES), level_sum, using=[mean])
    return K.discharge(K.axiom("min-greatest", beta, d, count), by_budget, by_dimension)


def _tangent(K: Any, number: Any, at: Any) -> Any:
    """Return that the logarithm is below its tangent."""
    below, product = K.axiom("log-below", number / at), K.axiom("log-product", number / at, at)
    return K.cert(le(log(number), log(at) + number / at - 1), below, product)


def _coded(K: Any, number: Any, at: Any, over: Any, positive: Any, sign_bits: int) -> Any:
    """Return that the codes of an outcome are at most as long as the tangent of the logarithm says."""
    K.know(positive)
    code = K.cert(
        le(sign_bits + _gamma(number), sign_bits + 1 + 2 / log(2) * (log(at) + number / at - 1)),
        K.axiom("floor-below", log(number) / log(2)),
        _tangent(K, number, at),
    )
    return K.sum_over(code, over)


def _longest(K: Any, total: Any, root: Any, first: Any) -> Any:
    """Return (most - s) log(total root / (e most)) >= 0 for s <= first, most = min(first, total root / e)."""
    second = total * root / E
    most = Min(first, second)
    mean, best = total / most, E / root
    unit = K.axiom("exp-sum", 1, -1)
    lower = K.log(K.cert(le(best, mean), K.axiom("min-below-right", first, second), unit))
    upper = K.log(K.cert(le(mean, best), K.axiom("min-is-left", second, first), unit))
    values = [(-1, K.axiom("log-exp", 1))]
    slope = log(mean) - 1
    if root != 1:
        values += [(1, K.axiom("log-product", best, root)), (1, K.axiom("log-power", 2, Rational(1, 2)))]
        slope += log(2) / 2
    rises = K.cert(le(0, slope), (1, lower), *values)
    falls = K.cert(le(slope, 0), (1, upper), *((-sign, item) for sign, item in values))
    flat = antisymmetry(K, Integer(0), slope, rises, falls)
    K.know(rises)
    goal = le(0, (most - s) * slope)
    left = K.cert(goal, K.axiom("min-is-left", first, second), K.assume(le(s, first)))
    return K.cases(first - second, left, K.cert(goal, flat))
