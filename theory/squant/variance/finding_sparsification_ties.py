r"""`squant/finding-sparsification-ties`: no better constant than sparsification (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Rational, sqrt, symbols

from theory.claim import Claim, ImplicitValue, Relation, Variable
from theory.facts.rounding.rounding import variance_below_level
from theory.facts.rounding.rounding_quadratics import variance_above_parabola
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.squant.variance import one_block
from theory.squant.variance.one_block import COORDINATES, TERM, total
from theory.statement import statement
from theory.worst_cases import cases

V, d, j = symbols("V d j", real=True)
L, h, u, s, w = symbols("L h u s w", cls=IndexedBase, real=True)
beta, tau, c, v, r, positions = symbols("beta tau c v r positions", real=True)
quantized, sparsified = symbols("quantized sparsified", real=True)

_TRACE = total(L[j])
_INPUT = sqrt(L[j]) / (L[j] + c)
_STEP = sqrt(d) / beta
_BEST_STEP = sqrt(_TRACE) / (beta * sqrt(L[j]))
_SAVING = (v - 2) * beta - v

CLAIM = Claim(
    id="squant/finding-sparsification-ties",
    kind="finding",
    provenance="derived",
    title="Equal weights, at most half of the coordinates expected: quantization and sparsification tie",
    position=5,
    paper=PAPER,
    **statement(
        r"""
        Quantization with one block and positive steps $h_j$ of the budget $\beta$; all $L_j=\mathbf
        L_{jj}>0$. An input $x$ of unit norm has the levels $u_j=|x_j|/h_j$. The best sparsifier of $\beta$
        expected entries has the constant $c$ with $\sum_j\frac{L_j}{L_j+c}=\beta$ (`squant/sparse`). $v$ is
        the number of bits of a float.
        (a: quantizer) A smaller constant is not the advantage of quantization: with $L_j=1$,
          $h_j=\frac{\sqrt d}\beta$ and $2\beta\le d$, $$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac
          d\beta-1$$ for every $x$ of unit norm. [proof; exact/constant of the quantizer]
        (b: quantizer-attained) This is attained, $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\frac d\beta-1$, at
          equal coordinates, $u_j=\frac\beta d$. [proof; exact/variance of the quantizer]
        (c: sparsifier) With $L_j=1$ the constant of the best sparsifier is the same: $c=\frac d\beta-1$.
          [proof; exact/variance of the sparsifier; exact/both constants agree; exact/constant of the
          sparsifier]
        (d: nonzeros) At equal coordinates both have $\beta$ expected nonzeros: $\sum_ju_j=\beta$, <<no
          level above 1 -> exact/expected nonzeros>>. [proof; exact/expected nonzeros]
        (e: lower) For all steps with $\sum_j\frac1{h_j^2}=\beta^2$ some input has at least the variance
          $c$: that with $u_j=\frac{\sqrt{L_j}}{(L_j+c)h_jr}$, where $r>0$ makes its norm a unit,
          $$c\le\mathbb E\|Q(x)-x\|_{\mathbf L}^2.$$ [proof; exact/c below the variance]
        (f: reached, reached-budget) At $h_j=\frac{\sqrt{\sum_jL_j}}{\beta\sqrt{L_j}}$, for every $x$ of
          unit norm, $$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac1\beta\sum_jL_j,$$ and
          $\sum_j\frac1{h_j^2}=\beta^2$: the best steps have a constant between the two. [proof; exact/best
          known steps]
        (g: saving) What holds instead: a nonzero is cheaper: at equal coordinates the expected bits of the
          messages, $b_Q$ quantized and $b_C$ sparsified, have $b_C-b_Q=(v-2)\beta-v$: sign and level cost
          two bits, where the sparsifier sends $v$, the norm costs $v$ once, positions cost both the same.
          [proof; exact/expected bits saved]
        """
    ),
    variables=(
        *one_block.VARIABLES,
        Variable(
            beta, r"\beta", r"\mathbb R_{>0}", "budget, and expected number of entries of the sparsifier"
        ),
        Variable(tau, r"\tau", r"\mathbb R_{>0}", "expected number of entries of the sparsifier"),
        Variable(c, "c", r"\mathbb R_{\ge0}", "constant of the best sparsifier"),
        Variable(r, "r", r"\mathbb R_{>0}", r"norm of $\sqrt{L_j}/(L_j+c)$"),
        Variable(quantized, "b_Q", r"\mathbb R_{>0}", "expected bits of the quantized message"),
        Variable(sparsified, "b_C", r"\mathbb R_{>0}", "expected bits of the message of the sparsifier"),
        Variable(positions, "p", r"\mathbb R_{\ge0}", "expected bits of the positions"),
        Variable(v, "v", r"\mathbb R_{>0}", "bits of one float (entry or norm)"),
    ),
    hypotheses={
        **one_block.HYPOTHESES,
        "signs": domain(r"$\beta>0$, $L_j>0$"),
        "identity": parameter(r"$L_j=1$"),
        "uniform": parameter(r"$h_j=\frac{\sqrt d}\beta$"),
        "coarse": parameter(r"$2\beta\le d$"),
        "equal": parameter(r"$u_j=\frac\beta d$"),
        "root": definition(r"$\sum_j\frac{L_j}{L_j+c}=\beta$, $c\ge0$"),
        "budget": parameter(r"$\sum_j\frac1{h_j^2}=\beta^2$"),
        "input": definition(
            r"$r>0$, $\sum_j\frac{L_j}{(L_j+c)^2}=r^2$, $u_j=\frac{\sqrt{L_j}}{(L_j+c)h_jr}$"
        ),
        "best-steps": parameter(r"$h_j=\frac{\sqrt{\sum_jL_j}}{\beta\sqrt{L_j}}$"),
        "messages": model(
            r"$b_Q=v+p+2\sum_ju_j$, $b_C=p+v\beta$, since sign plus level 1 of a nonzero cost two bits",
            reference="squant/bits",
        ),
    },
    relations={
        "quantizer": Relation((V, d / beta - 1), ("<=",), under=("identity", "uniform", "coarse")),
        "quantizer-attained": Relation(
            (V, d / beta - 1), ("=",), under=("identity", "uniform", "coarse", "equal")
        ),
        "sparsifier": Relation((c, d / beta - 1), ("=",), under=("identity", "root")),
        "nonzeros": Relation((total(u[j]), beta), ("=",), under=("equal",)),
        "lower": Relation((c, V), ("<=",), under=("root", "budget", "input")),
        "reached": Relation((V, _TRACE / beta), ("<=",), under=("best-steps",)),
        "reached-budget": Relation((total(h[j] ** -2), beta**2), ("=",), under=("best-steps",)),
        "saving": Relation((sparsified - quantized, _SAVING), ("=",), under=("equal", "messages")),
    },
    formulas={
        "bound": _TRACE / beta,
        "exact": ImplicitValue(c, c, total(L[j] / (L[j] + c)) - beta),
        "sparse_constant": d / tau - 1,
        "quantizer_constant": d / beta - 1,
        "step": _STEP,
        "input": _INPUT,
        "saving": _SAVING,
    },
    internal={
        "sparse_constant": r"part (c) at $\tau=\beta$",
        "step": "the steps of parts (a) to (d), said as a hypothesis",
        "input": "the input of part (e) before it has unit norm",
    },
    worst_cases=cases(r"""
        $\mathbf L=I$: both bounds | L = 16 * (1,), d = 16, beta = 4, tau = 4 | 4
        two weights: the bound of both | L = (4, 1), d = 2, beta = 1, tau = 1 | 5
        four weights: the bound of both | L = (9, 4, 1, 1), d = 4, beta = 2, tau = 2 | 15/2
    """),
    notation={**one_block.NOTATION, r"\mathbf L": "the weight matrix"},
)

# Four equal coordinates at the budget 1.
EXAMPLE: dict[Any, Any] = {d: 4, beta: 1, c: 3, v: 32, r: Rational(1, 2), positions: 5}
EXAMPLE |= {L: (1,) * 4, h: (2,) * 4, u: (Rational(1, 4),) * 4}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    K.example(EXAMPLE)
    _tie(K)
    _lower(K)
    _reached(K)


def _tie(K: Any) -> None:
    unit, same, equal = (K.at(K.given(name), j) for name in ("identity", "uniform", "equal"))
    long = K.cert(le(2, d / beta), "coarse")
    upper, attained = one_block.at_uniform_step(K, _STEP, long, unit, same, equal)
    K.conclude("quantizer", upper)
    K.conclude("quantizer-attained", attained)

    K.know(K.given("root", 1))
    K.show("sparsifier", K.sum_over(K.cert(eq(L[j] / (L[j] + c), 1 / (1 + c)), unit), COORDINATES), "root")
    nonzeros = K.show("nonzeros", K.sum_over(equal, COORDINATES))
    K.show("saving", K.given("messages", 1), K.given("messages", 0), nonzeros)


def _lower(K: Any) -> None:
    K.know(K.given("root", 1), K.given("input", 0))
    # s_j and w_j stand for sqrt(L_j) and 1/(L_j + c), so that sums of them split.
    square = K.at(K.assume(every(eq(L[j], s[j] ** 2), COORDINATES)), j)
    inverse = K.at(K.assume(every(eq(w[j] * (s[j] ** 2 + c), 1), COORDINATES)), j)
    level = K.at(K.assume(every(eq(u[j], s[j] * w[j] / (h[j] * r)), COORDINATES)), j)
    K.know(K.assume(every(lt(0, s[j]), COORDINATES)), K.assume(every(lt(0, w[j]), COORDINATES)))
    parabola = variance_above_parabola(K, u[j])
    at_input = s[j] * w[j] / r
    term = K.cert(
        le(s[j] ** 2 * (h[j] * at_input - at_input**2), TERM), (L[j] * h[j] ** 2, parabola), square, level
    )
    # Hoelder's inequality, coordinate by coordinate.
    holder = K.cert(
        le(
            s[j] ** 2 * w[j],
            r * s[j] ** 3 * w[j] * h[j] / 2
            + beta * s[j] ** 2 * w[j] ** 2 / (4 * r**2)
            + h[j] ** -2 / (4 * beta),
        ),
        (s[j] * w[j] / (2 * r * h[j]), (r * s[j] * h[j] - 1) ** 2),
        (1 / (4 * beta * r**2), (beta * s[j] * w[j] - r / h[j]) ** 2),
    )
    share = K.cert(eq(c * s[j] ** 2 * w[j] ** 2, s[j] ** 2 * w[j] - s[j] ** 4 * w[j] ** 2), inverse)
    lower = K.cert(
        le(c, V),
        "variance",
        K.sum_over(term, COORDINATES),
        K.sum_over(holder, COORDINATES),
        K.sum_over(share, COORDINATES),
        K.assume(eq(total(s[j] ** 2 * w[j] ** 2), r**2)),
        "budget",
        K.assume(eq(total(s[j] ** 2 * w[j]), beta)),
    )
    lower = K.instantiate(lower, {s: lambda k: sqrt(L[k]), w: lambda k: 1 / (L[k] + c)})
    K.conclude("lower", lower)


def _reached(K: Any) -> None:
    K.know(K.sign(lt(0, _TRACE)))
    product = K.cert(
        eq(L[j] * h[j] ** 2, _TRACE / beta**2), (L[j] * (h[j] + _BEST_STEP), K.at("best-steps", j))
    )
    below = variance_below_level(K, u[j], K.at("levels", j))
    term = K.cert(
        le(TERM, L[j] / (2 * beta) + _TRACE / (2 * beta) * h[j] ** 2 * u[j] ** 2),
        (L[j] * h[j] ** 2, below),
        (beta / (2 * _TRACE), (L[j] * h[j] - _TRACE / beta * h[j] * u[j]) ** 2),
        product,
    )
    K.show("reached", "variance", K.sum_over(term, COORDINATES), "norm")
    inverse = K.cert(eq(h[j] ** -2, beta**2 * L[j] / _TRACE), product)
    K.show("reached-budget", K.sum_over(inverse, COORDINATES))
