r"""`squant/steps`: optimal quantization steps at a given budget (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.statement import statement
from theory.worst_cases import cases

d, B, beta, i, j, l = symbols("d B beta i j l", real=True)
L_max, lambda_max, p_j, t, Lcal, V, M = symbols("L_max lambda_max p_j t Lcal V M", real=True)
L, h, g, x, b, e, m, F, H = symbols("L h g x b e m F H", cls=IndexedBase, real=True)
BLOCKS = (l, 0, B - 1)


def blocks(term: Any) -> Sum:
    """Return the sum over the blocks."""
    return Sum(term, BLOCKS)


_TRACE, _SQUARES, _ROOTS = total(L[j]), total(L[j] ** 2), total(sqrt(L[j]))
_BLOCK = blocks(sqrt(m[l]) * F[l])
_PLUS = sqrt(d * _SQUARES)
_COARSE = sqrt(total(L[j] ** 2 * h[j] ** 2))
_QUARTER = total(L[j] * h[j] ** 2) / 4
_SPENT = total(1 / h[j] ** 2)
_LOWER = _TRACE / beta - _SQUARES / _TRACE
_VARY_STEP = sqrt(_TRACE) / (beta * sqrt(L[i]))
_BLOCK_STEP = _BLOCK / (beta * F[i])


_HYPOTHESES = {
    "d": domain(r"$d\ge1$ is an integer"),
    "B": domain(r"$B\ge1$ is an integer"),
    "signs": domain(r"$\beta,t>0$"),
    "weights": domain("$L_j>0$"),
    "steps": domain(r"$h_j,g_j,\eta_l>0$"),
    "blocks": domain(r"$d_l\ge1$, $\|D_{ll}\|_F>0$"),
    "largest": definition(r"$L_j\le\max_jL_j$"),
    "largest-block": definition(r"$\eta_l\|D_{ll}\|_F\le\max_l\eta_l\|D_{ll}\|_F$"),
    "budget": parameter(r"$\sum_j\frac1{h_j^2}=\beta^2$"),
    "best": parameter(r"$h_j=\frac{\sqrt{\sum_iL_i}}{\beta\sqrt{L_j}}$"),
    "uniform": parameter(r"$h_j=\frac{\sqrt d}\beta$"),
    "inverse": parameter(r"$h_j=\frac{\sqrt{\sum_iL_i^2}}{\beta L_j}$"),
    "quarter-best": parameter(r"$h_j=\sqrt{\frac{\sum_i\sqrt{L_i}}{\beta^2\sqrt{L_j}}}$"),
    "log-best": parameter(r"$h_j=\sqrt{\frac t{L_j}}$"),
    "log-budget": parameter(r"$\sum_j\log g_j=\sum_j\log h_j$"),
    "block-budget": parameter(r"$\sum_l\frac{\sqrt{d_l}}{\eta_l}=\beta$"),
    "block-best": parameter(r"$\eta_l=\frac1{\beta\|D_{ll}\|_F}\sum_k\sqrt{d_k}\|D_{kk}\|_F$"),
    "partition": definition(
        r"$e_{lj}=e_{lj}^2$; $\sum_le_{lj}=1$; $d_l=\sum_je_{lj}$; $\|D_{ll}\|_F^2=\sum_je_{lj}L_j^2$"
    ),
    "coarse": model(
        r"$\mathcal L(Q_h,\mathbf L)\le\sqrt{\sum_jL_j^2h_j^2}$ (the coarse bound)",
        reference="squant/bounds",
    ),
    "rayleigh": model(
        r"$\max_jL_j\le\lambda_{\max}(\mathbf L)$, since $\mathbf L$ is symmetric",
        reference="R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2",
    ),
    "input": parameter(r"$x_j=\frac1{\beta h_j}$"),
    "resolved": parameter(r"$\beta\max_jL_j\le\sum_jL_j$"),
    "variance": definition(
        r"$\mathbb E\|Q_h(x)-x\|_{\mathbf L}^2=\mathbb E\bigl(\sum_jL_j(b_jh_j-x_j)^2\bigr)$, "
        r"over independent $b_j\sim\mathrm{Bernoulli}(\frac{x_j}{h_j})$, $1\le j\le d$"
    ),
    "constant": model(
        r"$\mathbb E\|Q_h(x)-x\|_{\mathbf L}^2\le\mathcal L(Q_h,\mathbf L)\sum_jx_j^2$, since $\mathcal "
        r"L(Q_h,\mathbf L)$ is a constant of the quantizer"
    ),
}

CLAIM = Claim(
    id="squant/steps",
    kind="upper",
    provenance="rederived",
    title="Optimal steps at a given budget",
    position=6,
    paper=PAPER,
    **statement(
        r"""
        Let $\mathbf L$ be symmetric with the diagonal entries $L_j>0$, so that $\mathrm{tr}\,\mathbf
        L=\sum_jL_j$, and let $\mathcal L(Q_h,\mathbf L)$ be the smallest constant with $\mathbb
        E\|Q_h(x)-x\|_{\mathbf L}^2\le\mathcal L(Q_h,\mathbf L)\|x\|^2$ for every $x$; `squant/bounds`
        bounds it by $\sqrt{\sum_jL_j^2h_j^2}$ (coarse) and by the quarter bound, on the right of part (i).
        Blocks $l$ have $d_l$ coordinates, weights with the norm $\|D_{ll}\|_F$, and one step $\eta_l$ for
        all their coordinates.
        (a: least) All steps with $\sum_j\frac1{h_j^2}=\beta^2$ have
          $$\frac{\sum_jL_j}\beta\le\sqrt{\sum_jL_j^2h_j^2}.$$ [proof]
        (b: spent, attained, constant) $h_j=\frac{\sqrt{\sum_iL_i}}{\beta\sqrt{L_j}}$ attain it:
          $\sum_j\frac1{h_j^2}=\beta^2$ and $$\sqrt{\sum_jL_j^2h_j^2}=\frac{\sum_jL_j}\beta,$$ so that
          $\mathcal L(Q_h,\mathbf L)\le\frac{\sum_jL_j}\beta$. [proof; exact/budget; exact/coarse bound at
          these steps; exact/variance at the worst input; adversarial/searched]
        (c: lower) Their bound is attained up to a term without $\beta$: if $\beta\max_jL_j\le\sum_jL_j$,
          then at $x_j=\frac1{\beta h_j}$ $$\frac{\sum_jL_j}\beta-\frac{\sum_jL_j^2}{\sum_jL_j}=\mathbb
          E\|Q_h(x)-x\|_{\mathbf L}^2\le\mathcal L(Q_h,\mathbf L).$$ [proof; exact/variance at x = 1/(beta
          h)]
        (d: uniform) A uniform step $h_j=\frac{\sqrt d}\beta$ of this budget has
          $\sqrt{\sum_jL_j^2h_j^2}=\frac1\beta\sqrt{d\sum_jL_j^2}$. [proof]
        (e: inverse) Steps $h_j=\frac{\sqrt{\sum_iL_i^2}}{\beta L_j}$ of this budget gain nothing over it:
          $\sqrt{\sum_jL_j^2h_j^2}=\frac1\beta\sqrt{d\sum_jL_j^2}$. [proof]
        (f: block-least) All block steps with $\sum_l\frac{\sqrt{d_l}}{\eta_l}=\beta$ have
          $$\frac1\beta\sum_l\sqrt{d_l}\|D_{ll}\|_F\le\max_l\eta_l\|D_{ll}\|_F.$$ [proof]
        (g: block-spent, block-attained) $\eta_l=\frac1{\beta\|D_{ll}\|_F}\sum_k\sqrt{d_k}\|D_{kk}\|_F$
          attain it: $\sum_l\frac{\sqrt{d_l}}{\eta_l}=\beta$, and for each block
          $\eta_l\|D_{ll}\|_F=\frac1\beta\sum_k\sqrt{d_k}\|D_{kk}\|_F$. [proof; exact/block budget;
          exact/value of a block; exact/supremum of one block]
        (h: chain) <<For every partition -> proof>>
          $$\sum_jL_j\le\sum_l\sqrt{d_l}\|D_{ll}\|_F\le\sqrt{d\sum_jL_j^2}\le d\max_jL_j\le
          d\,\lambda_{\max}(\mathbf L).$$ [proof]
        (i: quarter-least) All steps with $\sum_j\frac1{h_j^2}=\beta^2$ have
          $$\frac1{4\beta^2}\Big(\sum_j\sqrt{L_j}\Big)^2\le\frac14\sum_jL_jh_j^2.$$ [proof]
        (j: quarter-spent, quarter-attained) $h_j=\sqrt{\frac{\sum_i\sqrt{L_i}}{\beta^2\sqrt{L_j}}}$ attain
          it: $\sum_j\frac1{h_j^2}=\beta^2$ and
          $\frac14\sum_jL_jh_j^2=\frac1{4\beta^2}\Big(\sum_j\sqrt{L_j}\Big)^2$. [proof]
        (k: log-least) At a given sum of the logarithms the quarter bound is smallest at steps that go with
          the inverse root of the weight: if $h_j=\sqrt{\frac t{L_j}}$ and $\sum_j\log g_j=\sum_j\log h_j$,
          then $\frac14\sum_jL_jh_j^2\le\frac14\sum_jL_jg_j^2$. [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(t, "t", r"\mathbb R_{>0}", "scale of the steps"),
        Variable(
            L, "L", r"\mathbb R^d_{>0}", r"diagonal of $\mathbf L$", "(d,)", aliases=(r"\mathbf L_{#1#1}",)
        ),
        Variable(h, "h", r"\mathbb R^d_{>0}", "steps", "(d,)"),
        Variable(g, "g", r"\mathbb R^d_{>0}", "other steps", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "input", "(d,)"),
        Variable(e, "e", r"\{0,1\}^{B\times d}", "1 where a coordinate lies in a block, else 0", "(B, d)"),
        Variable(m, "d", r"\mathbb N^B", "number of coordinates of a block", "(B,)"),
        Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{>0}", "norms of the weights of a block", "(B,)"),
        Variable(H, r"\eta", r"\mathbb R^B_{>0}", "block steps", "(B,)"),
        Variable(M, r"\max_l\eta_l\|D_{ll}\|_F", r"\mathbb R_{>0}", "coarse bound of block steps"),
        Variable(L_max, r"\max_jL_j", r"\mathbb R_{>0}", "largest weight"),
        Variable(lambda_max, r"\lambda_{\max}(\mathbf L)", r"\mathbb R_{>0}", "largest eigenvalue"),
        Variable(Lcal, r"\mathcal L(Q_h,\mathbf L)", r"\mathbb R_{\ge0}", "smallest constant"),
        Variable(V, r"\mathbb E\|Q_h(x)-x\|_{\mathbf L}^2", r"\mathbb R_{\ge0}", "variance at $x$"),
        Variable(p_j, "p_j", r"(0,1]", "probability of `squant/sparse` for the steps that mimic it"),
        Variable(b, "b", r"\{0,1\}^d", "which entries are sent", "(d,)"),
    ),
    notation={r"\mathbf L": "the matrix"},
    hypotheses=_HYPOTHESES,
    relations={
        "least": Relation((_TRACE / beta, _COARSE), ("<=",), under=("budget",)),
        "spent": Relation((_SPENT, beta**2), ("=",), under=("best",)),
        "attained": Relation((_COARSE, _TRACE / beta), ("=",), under=("best",)),
        "constant": Relation((Lcal, _TRACE / beta), ("<=",), under=("best",)),
        "lower": Relation((_LOWER, V, Lcal), ("=", "<="), under=("best", "resolved", "input")),
        "uniform": Relation((_COARSE, _PLUS / beta), ("=",), under=("uniform",)),
        "inverse": Relation((_COARSE, _PLUS / beta), ("=",), under=("inverse",)),
        "block-least": Relation((_BLOCK / beta, M), ("<=",), under=("block-budget",)),
        "block-spent": Relation((blocks(sqrt(m[l]) / H[l]), beta), ("=",), under=("block-best",)),
        "block-attained": Relation(
            (H[l] * F[l], _BLOCK / beta), ("=",), every=(BLOCKS,), under=("block-best",)
        ),
        "chain": Relation((_TRACE, _BLOCK, _PLUS, d * L_max, d * lambda_max), ("<=",) * 4),
        "quarter-least": Relation((_ROOTS**2 / (4 * beta**2), _QUARTER), ("<=",), under=("budget",)),
        "quarter-spent": Relation((_SPENT, beta**2), ("=",), under=("quarter-best",)),
        "quarter-attained": Relation((_QUARTER, _ROOTS**2 / (4 * beta**2)), ("=",), under=("quarter-best",)),
        "log-least": Relation((_QUARTER, _QUARTER.subs(h, g)), ("<=",), under=("log-best", "log-budget")),
    },
    formulas={
        "bound": _TRACE / beta,
        "vary_step": _VARY_STEP,
        "block_step": _BLOCK_STEP,
        "sparse_step": 1 / sqrt(beta * p_j),
        "block_value": _BLOCK / beta,
        "lower": _LOWER,
        "c_vary": _TRACE,
        "c_block": _BLOCK,
        "c_plus": _PLUS,
        "c_max": d * L_max,
        "c_std": d * lambda_max,
        "inverse_step": sqrt(_SQUARES) / (beta * L[i]),
    },
    internal={
        "vary_step": "the steps of part (b), with the index i",
        "block_step": "the steps of part (g), with the index i",
        "inverse_step": "the steps of part (e), with the index i",
        "sparse_step": "steps with the probabilities of `squant/sparse`, which other claims compare",
    },
    worst_cases=cases("""
        two weights | L = (4, 1), beta = 1, d = 2 | 5
        one heavy coordinate | L = (4, 1, 1, 1), beta = 1, d = 4 | 7
        budget 2 | L = (9, 4, 1, 1), beta = 2, d = 4 | 15/2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, BLOCKS)
    # Four weights of 1 in one block: at the budget 2 every rule gives the step 1.
    one = (1,) * 4
    weights = {d: 4, B: 1, beta: 2, t: 1, L: one, h: one, g: one, L_max: 1, lambda_max: 1}
    K.example(
        {**weights, x: (Rational(1, 2),) * 4, V: 1, Lcal: 2, e: (one,), m: (4,), F: (2,), H: (1,), M: 2}
    )
    _varying(K)
    for name in ("uniform", "inverse"):
        K.conclude(name, _coarse(K, name, _PLUS / beta))
    _quarter(K)
    _block_steps(K)
    _chain(K)


def put_in(K: Any, term: Any, *steps: Any) -> Any:
    """Return the sum of a term in h_j with these equations put in."""
    return K.sum_over(K.put_in(term, *steps), COORDINATES)


def _coarse(K: Any, steps: Any, value: Any) -> Any:
    """Return the value of the coarse bound at these steps."""
    return K.cert(eq(_COARSE, value), put_in(K, L[j] ** 2 * h[j] ** 2, steps), squared=True)


def _varying(K: Any) -> None:
    K.show("least", cauchy_schwarz(K, L[j] * h[j], 1 / h[j], COORDINATES), "budget", squared=True)

    K.show("spent", put_in(K, 1 / h[j] ** 2, "best"))
    attained = _coarse(K, "best", _TRACE / beta)
    K.conclude("attained", attained)
    K.show("constant", "coarse", attained)

    # At x_j = 1/(beta h_j) the levels x_j/h_j are beta L_j/tr L, at most 1.
    level = K.put_in(x[j] / h[j], "input", "best")
    at_most_one = K.cert(le(x[j] / h[j], 1), level, "largest", "resolved")
    K.know(K.every(K.cert(le(0, x[j] / h[j]), level), COORDINATES))
    K.know(K.every(K.cert(le(0, x[j] / h[j] * (1 - x[j] / h[j])), at_most_one), COORDINATES))
    term = L[j] * h[j] ** 2 * (x[j] / h[j]) * (1 - x[j] / h[j])
    variance = K.cert(eq(_LOWER, V), put_in(K, term, "input", "best"), "variance")
    constant = K.cert(le(V, Lcal), "constant", put_in(K, x[j] ** 2, "input", "best"))
    K.conclude("lower", variance, constant)


def _quarter(K: Any) -> None:
    K.show("quarter-least", cauchy_schwarz(K, sqrt(L[j]) * h[j], 1 / h[j], COORDINATES), "budget")
    K.show("quarter-spent", put_in(K, 1 / h[j] ** 2, "quarter-best"))
    wanted = eq(L[j] * h[j] ** 2, _ROOTS * sqrt(L[j]) / beta**2)
    K.show("quarter-attained", K.sum_over(K.cert(wanted, K.put_in(wanted.left, "quarter-best")), COORDINATES))

    # With r_j = (g_j/h_j)^2 the sum of log r_j is 0, and log r_j <= r_j - 1.
    ratio = g[j] ** 2 * h[j] ** -2
    logarithm = K.cert(
        le(0, ratio - 1 - 2 * log(g[j]) + 2 * log(h[j])),
        K.axiom("log-below", ratio),
        K.axiom("log-product", g[j] ** 2, h[j] ** -2),
        K.axiom("log-power", g[j], 2),
        K.axiom("log-power", h[j], -2),
    )
    ours, others = put_in(K, L[j] * h[j] ** 2, "log-best"), put_in(K, t * ratio, "log-best")
    K.show("log-least", ours, K.sum_over(logarithm, COORDINATES), others, "log-budget")


def _block_steps(K: Any) -> None:
    one = K.cert(le(sqrt(m[l]) * F[l], M * sqrt(m[l]) / H[l]), "largest-block")
    K.know(K.cert(le(0, M), K.at("largest-block", 0)))
    K.show("block-least", K.sum_over(one, BLOCKS), "block-budget")
    K.show("block-spent", K.sum_over(K.put_in(sqrt(m[l]) / H[l], "block-best"), BLOCKS))
    K.show("block-attained", "block-best")


def _chain(K: Any) -> None:
    member, once, size, norm = (K.given("partition", k) for k in range(4))
    K.know(K.every(K.cert(le(0, e[l, j]), K.at(member, j, l), (1, e[l, j] ** 2)), COORDINATES, BLOCKS))
    size, norm = K.at(size, l), K.at(norm, l)
    # Cauchy-Schwarz inside a block, and over the blocks.
    block = K.cert(
        le(total(e[l, j] * L[j]), sqrt(m[l]) * F[l]),
        (1 / (2 * sqrt(m[l]) * F[l]), total(e[l, j] * (sqrt(m[l]) * L[j] - F[l]) ** 2)),
        size,
        norm,
    )
    one = K.at(once, j)
    vary = K.cert(le(_TRACE, _BLOCK), K.sum_over(block, BLOCKS), _weighted(K, one, L[j]))
    sizes = K.cert(eq(blocks(m[l]), d), K.sum_over(size, BLOCKS), K.sum_over(one, COORDINATES))
    norms = K.cert(eq(blocks(F[l] ** 2), _SQUARES), K.sum_over(norm, BLOCKS), _weighted(K, one, L[j] ** 2))
    plus = K.cert(
        le(_BLOCK, _PLUS), (1 / (2 * _PLUS * d), blocks((_PLUS * sqrt(m[l]) - d * F[l]) ** 2)), sizes, norms
    )
    K.know(K.cert(lt(0, L_max), K.at("largest", 0), K.sign(lt(0, L[0]))))
    square = K.sum_over(K.cert(le(L[j] ** 2, L_max**2), "largest"), COORDINATES)
    maximum = K.cert(le(_PLUS, d * L_max), (d / (d * L_max + _PLUS), square))
    K.conclude("chain", vary, plus, maximum, K.cert(le(d * L_max, d * lambda_max), "rayleigh"))


def _weighted(K: Any, one: Any, weight: Any) -> Any:
    """Return that the sum of a weight over blocks and their coordinates is that over all coordinates."""
    return K.sum_over(K.cert(eq(blocks(e[l, j] * weight), weight), one), COORDINATES)
