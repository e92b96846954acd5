r"""`squant/sparse`: exact constant and best probabilities of Bernoulli sparsification (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, symbols

from theory.claim import Claim, ImplicitValue, Relation, Variable
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.statement import statement
from theory.worst_cases import cases

d, tau, c, M, V, norm, j, k, m = symbols("d tau c M V norm j k m", real=True)
x, p, L, W, b, q, mean = symbols("x p L W b q mean", cls=IndexedBase, real=True)
BEFORE, AFTER = (j, 0, m - 2), (j, m, d - 1)  # beside coordinate m, counted from 1


_COORDINATE = L[j] * (1 / p[j] - 1)
_OPTIMAL = L[j] / (L[j] + c)
_VARIANCE = total(L[j] * x[j] ** 2 * (1 / p[j] - 1))
_TRACE_BOUND = total(L[j]) / tau

CLAIM = Claim(
    id="squant/sparse",
    kind="tight",
    provenance="rederived",
    title="Exact constant and optimal probabilities of Bernoulli sparsification",
    position=4,
    paper=PAPER,
    **statement(
        r"""
        Let $C(x)_j=x_jb_j/p_j$ with independent $b_j\sim\mathrm{Bernoulli}(p_j)$, and $L_j=\mathbf L_{jj}$
        for a matrix $\mathbf L$, diagonal or not.
        (a: mean) $\mathbb EC(x)_j=x_j$ for each $j$. [proof; exact/mean; exact/total probability]
        (b: variance) $$\mathbb E\|C(x)-x\|_{\mathbf L}^2=\sum_jL_jx_j^2\Big(\frac1{p_j}-1\Big).$$ [proof;
          exact/enumerated variance; exact/closed form; montecarlo/sampled variance]
        (c: constant) With $M$ the largest of the $L_j(\frac1{p_j}-1)$, $\mathbb E\|C(x)-x\|_{\mathbf
          L}^2\le M\|x\|^2$ for every $x$. [proof; exact/variance]
        (d: attained) At the coordinate vector <<$x=e_m$ -> exact/variance at a coordinate vector>> of a
          coordinate $m$ whose constant is $M$, $\mathbb E\|C(x)-x\|_{\mathbf L}^2=M\|x\|^2$. [proof;
          exact/variance at a coordinate vector]
        (e: lower) Let all $L_j>0$, and $c\ge0$ with $\sum_j\frac{L_j}{L_j+c}=\tau$. For all probabilities
          with $\sum_jp_j\le\tau$, the largest constant of a coordinate is at least $c$: $c\le M$. [proof;
          exact/other probabilities]
        (f: optimum, budget) It is $c$ at $p_j=\frac{L_j}{L_j+c}$, where $\sum_jp_j=\tau$ and
          $L_j(\frac1{p_j}-1)=c$ for each $j$. [proof; exact/budget; exact/constant of a coordinate;
          adversarial/searched]
        (g: trace) $$c<\frac1\tau\sum_jL_j.$$ [proof; exact/optimal constant below the trace]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(x, "x", r"\mathbb R^d", "vector to be sent", "(d,)"),
        Variable(p, "p", r"(0,1]^d", "probabilities of sending", "(d,)"),
        Variable(L, "L", r"\mathbb R^d_{\ge0}", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(W, r"\mathbf L", r"\mathbb R^{d\times d}", "weight matrix, symmetric or not", "(d, d)"),
        Variable(mean, r"\mathbb EC(x)", r"\mathbb R^d", r"expectation of the received vector", "(d,)"),
        Variable(V, r"\mathbb E\|C(x)-x\|_{\mathbf L}^2", r"\mathbb R_{\ge0}", "weighted variance"),
        Variable(norm, r"\|x\|^2", r"\mathbb R_{\ge0}", "squared norm of $x$"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "largest constant of a coordinate"),
        Variable(m, "m", r"\mathbb N", "a coordinate whose constant is the largest"),
        Variable(tau, r"\tau", "(0,d]", "expected number of entries sent"),
        Variable(c, "c", r"\mathbb R_{\ge0}", "optimal constant"),
        Variable(b, "b", r"\{0,1\}^d", "which entries are sent", "(d,)"),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "probabilities": domain(r"$0<p_j\le1$"),
        "nonnegative": domain(r"$L_j\ge0$"),
        "diagonal": definition(r"$L_j=\mathbf L_{jj}$"),
        "received": definition(
            r"$\mathbb EC(x)_j=\mathbb E\bigl(\frac{b_jx_j}{p_j}\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
        "error": definition(
            r"$\mathbb E\|C(x)-x\|_{\mathbf L}^2=\mathbb E\bigl(\sum_{k,j}\mathbf "
            r"L_{jk}(\frac{b_jx_j}{p_j}-x_j)(\frac{b_kx_k}{p_k}-x_k)\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
        "norm": definition(r"$\|x\|^2=\sum_jx_j^2$"),
        "largest": definition(r"$L_j(\frac1{p_j}-1)\le M$ for each $j$"),
        "place": definition(r"$1\le m\le d$ is an integer, $M=L_m(\frac1{p_m}-1)$"),
        "unit": definition(r"$x_j=0$ for $j\ne m$"),
        "positive": domain(r"$L_j>0$"),
        "root": parameter(r"$\sum_j\frac{L_j}{L_j+c}=\tau$, $c\ge0$, $\tau>0$"),
        "spent": parameter(r"$\sum_jp_j\le\tau$"),
        "optimal": parameter(r"$p_j=\frac{L_j}{L_j+c}$"),
    },
    relations={
        "mean": Relation((mean[j], x[j]), ("=",), every=(COORDINATES,)),
        "variance": Relation((V, _VARIANCE), ("=",)),
        "constant": Relation((V, M * norm), ("<=",)),
        "attained": Relation((V, M * norm), ("=",), under=("place", "unit")),
        "lower": Relation((c, M), ("<=",), under=("positive", "root", "spent")),
        "optimum": Relation(
            (_COORDINATE, c), ("=",), every=(COORDINATES,), under=("positive", "root", "optimal")
        ),
        "budget": Relation((total(p[j]), tau), ("=",), under=("positive", "root", "optimal")),
        "trace": Relation((c, _TRACE_BOUND), ("<",), under=("positive", "root")),
    },
    formulas={
        "bound": _TRACE_BOUND,
        "exact": ImplicitValue(c, c, total(_OPTIMAL) - tau),
        "variance": _VARIANCE,
        "coordinate": _COORDINATE,
        "probability": _OPTIMAL,
        "trace_bound": _TRACE_BOUND,
        "uniform_probability": tau / d,
    },
    internal={
        "probability": "the optimal probability, said as the hypothesis of part (f)",
        "uniform_probability": "what the optimal probabilities are compared with",
    },
    worst_cases=cases("""
        two weights; uniform probabilities give 4 | L = (4, 1), tau = 1, p = (2/3, 1/3), d = 2 | 2
        four weights; the root is irrational, its bound is | L = (9, 4, 1, 1), tau = 2, d = 4 | 15/2
        identity in dimension 10 | L = 10 * (1,), tau = 4, p = 10 * (2/5,), d = 10 | 3/2
    """),
)

# The first worst case, at the coordinate vector of its first coordinate.
EXAMPLE: dict[Any, Any] = {d: 2, L: (4, 1), W: ((4, 1), (-2, 1)), tau: 1, p: (Rational(2, 3), Rational(1, 3))}
EXAMPLE |= {c: 2, M: 2, m: 1, x: (1, 0)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    K.example(EXAMPLE)
    K.show("mean", "received")

    spread = x[j] ** 2 * (1 / p[j] - 1)
    diagonal = K.cert(eq(W[j, j] * spread, L[j] * spread), "diagonal")
    variance = K.show("variance", "error", K.sum_over(diagonal, COORDINATES))
    coordinate = K.cert(le(L[j] * spread, M * x[j] ** 2), "largest")
    K.show("constant", variance, K.sum_over(coordinate, COORDINATES), using=["norm"])
    _attained(K, variance)
    _optimum(K)


def _attained(K: Any, variance: Any) -> None:
    K.know(*(K.given("place", item) for item in range(3)))
    terms = []
    for factor in (L[j] * (1 / p[j] - 1), Integer(1)):
        terms.append(K.split_off(total(factor * x[j] ** 2), m - 1))
        for place, others in enumerate((BEFORE, AFTER)):
            zero = K.cert(eq(factor * x[j] ** 2, 0), K.at(K.given("unit", place), j))
            terms.append(K.sum_over(zero, others))
    K.show("attained", variance, *terms, K.given("place", 3), using=["norm"])


def _optimum(K: Any) -> None:
    K.know("positive", *(K.given("root", item) for item in (1, 2)))
    # q_j stands for L_j/(L_j + c), so that sums of it split.
    weight = q[j] / (L[j] + c)
    weights = total(weight)
    chosen = K.assume(every(eq(q[j], _OPTIMAL), COORDINATES))
    K.know(K.assume(every(lt(0, q[j]), COORDINATES)))
    K.know(K.sign(lt(0, weights)))
    needed = K.cert(le(q[j] - p[j], weight * (M - c)), "largest", K.at(chosen, j))
    lower = K.cert(le(c, M), K.sum_over(needed, COORDINATES), "spent", K.assume(eq(total(q[j]), tau)))
    lower = K.instantiate(lower, {q: lambda place: _OPTIMAL.subs(j, place)})
    K.conclude("lower", lower)

    K.show("optimum", "optimal")
    K.show("budget", K.sum_over("optimal", COORDINATES), "root")

    below = K.cert(lt(c * _OPTIMAL, L[j]), K.sign(lt(0, L[j] ** 2 / (L[j] + c))))
    K.show("trace", K.sum_over(below, COORDINATES), "root")
