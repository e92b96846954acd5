r"""`squant/steps-diana`: quantization steps for DIANA+ at a given budget (arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Rational, sqrt, symbols

from theory.claim import Claim, ImplicitValue, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.squant.variance.steps import BLOCKS, blocks, put_in
from theory.squant.variance.steps import CLAIM as STEPS
from theory.statement import statement
from theory.worst_cases import cases

d, n, B, mu, beta, tau, W, S, c, j, l, k = symbols("d n B mu beta tau W S c j l k", real=True)
L_j, d_l, F_l, omega, Lcal, V, r = symbols("L_j d_l F_l omega Lcal V r", real=True)
L, w, h, p, x, b, m, F, G, H, omega_l = symbols("L w h p x b m F G H omega_l", cls=IndexedBase, real=True)
Lcal_l = IndexedBase("Lcal_l", real=True)

_WEIGHT = 1 + L_j / (n * mu)
_BLOCK_WEIGHT = sqrt(d_l) + F_l / (n * mu)
_TOTAL = d + total(L[j]) / (n * mu)
_LENGTH = sqrt(total(h[j] ** 2))
_COARSE = sqrt(total(L[j] ** 2 * h[j] ** 2))
_NORM = sqrt(W * total(1 / w[j])) / beta
_NORM_BOUND = sqrt(d * W) / beta
_VALUE = sqrt(W * total(L[j] ** 2 / w[j])) / (beta * n * mu)
_BOUND = W / beta
_BLOCK_TOTAL = blocks(sqrt(m[l]) * (sqrt(m[l]) + F[l] / (n * mu)))
_PLAIN_NORM = sqrt(total(L[j]) * total(1 / L[j])) / beta
_EXCESS = total(_WEIGHT.subs(L_j, L[j]) / (_WEIGHT.subs(L_j, L[j]) + c)) - tau

_HYPOTHESES = {
    "d": domain(r"$d\ge1$ is an integer"),
    "B": domain(r"$B\ge1$ is an integer"),
    "signs": domain(r"$n,\mu,\beta>0$"),
    "diagonal": domain(r"$L_j\ge0$"),
    "steps": domain(r"$h_j,\eta_l,p_j>0$"),
    "blocks": domain(r"$d_l\ge1$, $\|D_{ll}\|_F\ge0$"),
    "weight": definition(r"$w_j=1+\frac{L_j}{n\mu}$"),
    "total": definition(r"$W=\sum_jw_j$"),
    "mixture": parameter(r"$h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$"),
    "mixtures": domain("$w_j,W,G_l,S>0$ (as their definitions give)"),
    "block-weight": definition(r"$G_l=\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}$"),
    "block-total": definition(r"$S=\sum_l\sqrt{d_l}G_l$"),
    "block-mixture": parameter(r"$\eta_l=\frac S{\beta G_l}$"),
    "probability": parameter(r"$p_j=\frac{w_j}{w_j+c}$"),
    "entries": parameter(r"$\sum_jp_j=\tau$ with $c\ge0$ and $\tau>0$"),
    "plain": parameter(r"$h_j=\frac{\sqrt{\sum_iL_i}}{\beta\sqrt{L_j}}$"),
    "no-zero": domain(r"$L_j>0$"),
    "coarse": model(
        r"$\omega\le\sqrt{\sum_jh_j^2}$ and $\mathcal L\le\sqrt{\sum_jL_j^2h_j^2}$ (the coarse bound)",
        reference="squant/bounds",
    ),
    "block-coarse": model(
        r"$\omega_l\le\eta_l\sqrt{d_l}$ and $\mathcal L_l\le\eta_l\|D_{ll}\|_F$ (the coarse bound)",
        reference="squant/bounds",
    ),
    "input": parameter(r"$x_j=\frac{h_j}r$, $r=\sqrt{\sum_jh_j^2}$"),
    "long": parameter(r"$r\ge1$"),
    "variance": definition(
        r"$\mathbb E\|Q_h(x)-x\|^2=\mathbb E\bigl(\sum_j(b_jh_j-x_j)^2\bigr)$, over independent "
        r"$b_j\sim\mathrm{Bernoulli}(\frac{x_j}{h_j})$, $1\le j\le d$"
    ),
    "constant": model(
        r"$\mathbb E\|Q_h(x)-x\|^2\le\omega\sum_jx_j^2$, since $\omega$ is a constant of the quantizer"
    ),
}

CLAIM = Claim(
    id="squant/steps-diana",
    kind="upper",
    provenance="derived",
    title="Quantization steps for DIANA+ at a given budget",
    position=7,
    paper=PAPER,
    **statement(
        r"""
        Let $\omega$ and $\mathcal L$ be the smallest constants with $\mathbb
        E\|Q_h(x)-x\|^2\le\omega\|x\|^2$ and $\mathbb E\|Q_h(x)-x\|_{\mathbf L}^2\le\mathcal L\|x\|^2$ for
        every $x$; the rate of DIANA+ contains both. Let $L_j\ge0$ be the diagonal entries of $\mathbf L$,
        $w_j=1+\frac{L_j}{n\mu}$ and $W=\sum_jw_j$. Blocks $l$ have $d_l$ coordinates, one step $\eta_l$,
        constants $\omega_l$ and $\mathcal L_l$, and $G_l=\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}$,
        $S=\sum_l\sqrt{d_l}G_l$; the constants of the whole are the largest of them (`squant/bounds`).
        (a: total, budget) $W=d+\frac{\sum_jL_j}{n\mu}$, and $h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$ have the
          budget $\sum_j\frac1{h_j^2}=\beta^2$. [proof; exact/budget]
        (b: length, omega) With $h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$,
          $\sqrt{\sum_jh_j^2}=\frac1\beta\sqrt{W\sum_j\frac1{w_j}}$, and
          $$\omega\le\frac1\beta\sqrt{W\sum_j\frac1{w_j}}\le\frac{\sqrt{dW}}\beta\le\frac W\beta.$$ [proof;
          exact/norm of the steps; exact/omega; exact/bounds where L = 0;
          adversarial/searched]
        (c: smoothness) With the same steps, $$\frac{\mathcal L}{n\mu}\le\frac1{\beta
          n\mu}\sqrt{W\sum_j\frac{L_j^2}{w_j}}\le\frac W\beta.$$ [proof; exact/constant of L over n mu;
          exact/coarse value of L over n mu]
        (d: lower) For all steps with $r=\sqrt{\sum_jh_j^2}$ and $r\ge1$, at $x_j=\frac{h_j}r$,
          $$\sqrt{\sum_jh_j^2}-1=\mathbb E\|Q_h(x)-x\|^2\le\omega.$$ [proof; exact/variance at x = h/r]
        (e: block-total, block-budget) $S=\sum_l\sqrt{d_l}\Big(\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}\Big)$,
          and block steps $\eta_l=\frac S{\beta G_l}$ have the budget
          $\sum_l\frac{\sqrt{d_l}}{\eta_l}=\beta$. [proof; exact/block budget]
        (f: block-omega, block-smoothness) With $\eta_l=\frac S{\beta G_l}$, for each block
          $\omega_l\le\frac S\beta$ and $\frac{\mathcal L_l}{n\mu}\le\frac S\beta$. [proof; exact/omega of a
          block; exact/bounds where L = 0; exact/constant of a block over n mu]
        (g: sparse-omega, sparse-smoothness, sparse-bound) A sparsifier with $p_j=\frac{w_j}{w_j+c}$ and
          $\sum_jp_j=\tau$, where $c\ge0$ and $\tau>0$, has in each coordinate the constants
          $\frac1{p_j}-1\le c$ and $\frac{L_j}{n\mu}\Big(\frac1{p_j}-1\Big)\le c$, and $c\le\frac W\tau$.
          [proof; exact/expected entries; exact/omega of the sparsifier; exact/bounds where L = 0;
          exact/constant of the sparsifier over n mu]
        (h: plain) If all $L_j>0$, the steps $h_j=\frac{\sqrt{\sum_iL_i}}{\beta\sqrt{L_j}}$ of
          `squant/steps` have $$\sqrt{\sum_jh_j^2}=\frac1\beta\sqrt{\sum_jL_j\sum_j\frac1{L_j}}.$$ [proof]
        (i: unbounded) <<This norm has no bound -> proof>>: for each $k$, <<however small $L_k$ is ->
          proof>>, $$\frac1\beta\sqrt{\frac{\sum_jL_j}{L_k}}\le\sqrt{\sum_jh_j^2}.$$ [proof]
        """
    ),
    variables=(
        *(item for item in STEPS.variables if item.symbol in {d, B, beta, h, x, m, H}),
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity of $f$"),
        Variable(tau, r"\tau", r"\mathbb R_{>0}", "expected number of entries sent"),
        Variable(L, "L", r"\mathbb R^d_{\ge0}", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(w, "w", r"\mathbb R^d_{>0}", "mixture of both weights", "(d,)"),
        Variable(W, "W", r"\mathbb R_{>0}", "sum of the mixture"),
        Variable(p, "p", r"(0,1]^d", "probabilities", "(d,)"),
        Variable(r, "r", r"\mathbb R_{>0}", "norm of the steps"),
        Variable(c, "c", r"\mathbb R_{\ge0}", r"root of $\sum_jp_j=\tau$"),
        Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{\ge0}", "norms of the weights of a block", "(B,)"),
        Variable(G, "G", r"\mathbb R^B_{>0}", "mixture of both norms of a block", "(B,)"),
        Variable(S, "S", r"\mathbb R_{>0}", "their sum"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "plain constant"),
        Variable(Lcal, r"\mathcal L", r"\mathbb R_{\ge0}", r"constant in the norm of $\mathbf L$"),
        Variable(omega_l, r"\omega", r"\mathbb R^B_{\ge0}", "plain constants of the blocks", "(B,)"),
        Variable(Lcal_l, r"\mathcal L", r"\mathbb R^B_{\ge0}", "constants of the blocks", "(B,)"),
        Variable(V, r"\mathbb E\|Q_h(x)-x\|^2", r"\mathbb R_{\ge0}", "variance at $x$"),
        Variable(L_j, r"\ell", r"\mathbb R_{\ge0}", "one diagonal entry"),
        Variable(d_l, r"\delta", r"\mathbb N", "number of coordinates of one block"),
        Variable(F_l, r"\phi", r"\mathbb R_{\ge0}", "norm of the weights of one block"),
        Variable(b, "b", r"\{0,1\}^d", "which entries are sent", "(d,)"),
    ),
    notation={r"\mathbf L": "the matrix"},
    hypotheses=_HYPOTHESES,
    relations={
        "total": Relation((W, _TOTAL), ("=",)),
        "budget": Relation((total(1 / h[j] ** 2), beta**2), ("=",), under=("mixture",)),
        "length": Relation((_LENGTH, _NORM), ("=",), under=("mixture",)),
        "omega": Relation((omega, _NORM, _NORM_BOUND, _BOUND), ("<=",) * 3, under=("mixture",)),
        "smoothness": Relation((Lcal / (n * mu), _VALUE, _BOUND), ("<=", "<="), under=("mixture",)),
        "lower": Relation((_LENGTH - 1, V, omega), ("=", "<="), under=("input", "long")),
        "block-total": Relation((S, _BLOCK_TOTAL), ("=",)),
        "block-budget": Relation((blocks(sqrt(m[l]) / H[l]), beta), ("=",), under=("block-mixture",)),
        "block-omega": Relation((omega_l[l], S / beta), ("<=",), every=(BLOCKS,), under=("block-mixture",)),
        "block-smoothness": Relation(
            (Lcal_l[l] / (n * mu), S / beta), ("<=",), every=(BLOCKS,), under=("block-mixture",)
        ),
        "sparse-omega": Relation(
            (1 / p[j] - 1, c), ("<=",), every=(COORDINATES,), under=("probability", "entries")
        ),
        "sparse-smoothness": Relation(
            (L[j] / (n * mu) * (1 / p[j] - 1), c),
            ("<=",),
            every=(COORDINATES,),
            under=("probability", "entries"),
        ),
        "sparse-bound": Relation((c, W / tau), ("<=",), under=("probability", "entries")),
        "plain": Relation((_LENGTH, _PLAIN_NORM), ("=",), under=("plain", "no-zero")),
        "unbounded": Relation(
            (sqrt(total(L[j]) / L[k]) / beta, _LENGTH),
            ("<=",),
            every=((k, 0, d - 1),),
            under=("plain", "no-zero"),
        ),
    },
    formulas={
        "bound": _BOUND,
        "weight": _WEIGHT,
        "total_weight": _TOTAL,
        "step": sqrt(W) / (beta * sqrt(_WEIGHT)),
        "norm": _NORM,
        "norm_bound": _NORM_BOUND,
        "omega_lower": _LENGTH - 1,
        "smoothness_value": _VALUE,
        "block_total": _BLOCK_TOTAL,
        "block_step": S / (beta * _BLOCK_WEIGHT),
        "block_bound": S / beta,
        "probability": _WEIGHT / (_WEIGHT + c),
        "probability_root": ImplicitValue(c, c, _EXCESS),
        "sparse_bound": W / tau,
    },
    internal={
        "weight": "the definition of $w_j$ at one coordinate",
        "step": "the steps of part (a) at one coordinate",
        "block_step": "the steps of part (e) at one block",
        "probability": "the probabilities of part (g) at one coordinate",
        "probability_root": "the root $c$ of part (g)",
    },
    worst_cases=cases(r"""
        three weights over two orders of magnitude | L = (1, 1/10, 1/100), n = 4, mu = 1/100, beta = 2, d = 3
          | 123/8
        one weight all but vanishes; plain steps have $\|h\|\approx3\cdot10^4$
          | L = 9 * (1,) + (1/100000000,), n = 1, mu = 1, beta = 1, d = 10 | 1900000001/100000000
        $\mathbf L=0$: $\omega=d/\beta-1$ against $d/\beta$ | L = 100 * (0,), n = 1, mu = 1, beta = 10,
          d = 100 | 10
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, BLOCKS)
    weight = K.at("weight", j)
    K.know(K.every(K.cert(le(1, w[j]), weight), COORDINATES))
    d_below = K.cert(le(d, W), K.show("total", "total", K.sum_over(weight, COORDINATES)))
    K.know(d_below)
    _mixture(K, weight, d_below)
    _lower(K)
    _block(K)
    _sparse(K, weight)
    _plain(K)


def _mixture(K: Any, weight: Any, d_below: Any) -> None:
    K.show("budget", put_in(K, 1 / h[j] ** 2, "mixture"), "total")

    length = K.cert(eq(_LENGTH, _NORM), put_in(K, h[j] ** 2, "mixture"), squared=True)
    inverse = K.sum_over(K.cert(le(1 / w[j], 1), K.sign(le(1, w[j]))), COORDINATES)
    below = K.cert(le(_NORM, _NORM_BOUND), inverse, squared=True)
    bound = K.cert(le(_NORM_BOUND, _BOUND), d_below, squared=True)
    K.conclude("length", length)
    K.conclude("omega", K.cert(le(omega, _NORM), "coarse", length), below, bound)

    root = n * mu * _VALUE
    squares = K.cert(le(_COARSE**2, root**2), put_in(K, L[j] ** 2 * h[j] ** 2, "mixture"))
    power, positive = K.power(squares, Rational(1, 2)), K.axiom("abs-of-nonnegative", root)
    roots = K.cert(le(_COARSE, root), power, positive)
    value = K.cert(le(Lcal / (n * mu), _VALUE), K.given("coarse", 1), roots)
    # (L/(n mu))^2/w <= w, since w = 1 + L/(n mu).
    term = K.cert(le((L[j] / (n * mu)) ** 2 / w[j], w[j]), weight, (1, (w[j] + L[j] / (n * mu)) / w[j]))
    square = K.cert(le(_VALUE**2, _BOUND**2), K.sum_over(term, COORDINATES), "total")
    K.show("smoothness", value, [(1 / (_VALUE + _BOUND), square)])


def _lower(K: Any) -> None:
    length, long = K.given("input", 1), K.given("long")
    K.know(long)
    level = K.put_in(x[j] / h[j], "input")
    spread = x[j] / h[j] * (1 - x[j] / h[j])
    K.know(K.every(K.cert(le(0, spread), K.put_in(spread, "input"), ((1 - 1 / r) / r, 1)), COORDINATES))
    K.know(K.every(K.cert(le(0, x[j] / h[j]), level), COORDINATES))
    square = K.cert(eq(r**2, total(h[j] ** 2)), (r + _LENGTH, length))
    terms = put_in(K, h[j] ** 2 * spread, "input")
    variance = K.cert(eq(_LENGTH - 1, V), "variance", terms, square, length)
    constant = K.cert(le(V, omega), "constant", put_in(K, x[j] ** 2, "input"), square)
    K.conclude("lower", variance, constant)


def _block(K: Any) -> None:
    times = K.sum_over(
        K.cert(eq(sqrt(m[l]) * G[l], sqrt(m[l]) * (sqrt(m[l]) + F[l] / (n * mu))), "block-weight"), BLOCKS
    )
    K.show("block-total", "block-total", times)
    spent = K.sum_over(K.put_in(sqrt(m[l]) / H[l], "block-mixture"), BLOCKS)
    K.show("block-budget", spent, "block-total")
    K.show("block-omega", "block-coarse", "block-mixture", "block-weight")
    K.show("block-smoothness", K.given("block-coarse", 1), "block-mixture", "block-weight")


def _sparse(K: Any, weight: Any) -> None:
    K.know(K.given("entries", 1), K.given("entries", 2))
    constant = K.put_in(1 / p[j] - 1, "probability")
    K.show("sparse-omega", (1, constant), K.sign(le(1, w[j])))
    K.show("sparse-smoothness", constant, weight, (c / w[j], 1))
    entries = K.sum_over(K.cert(le(c * p[j], w[j]), "probability"), COORDINATES)
    K.show("sparse-bound", (1 / tau, entries), "entries", "total")


def _plain(K: Any) -> None:
    K.know("no-zero")
    K.show("plain", put_in(K, h[j] ** 2, "plain"), squared=True)
    K.index((k, 0, d - 1))
    K.show("unbounded", K.put_in(h[k] ** 2, K.at("plain", k)), K.split_off(total(h[j] ** 2), k), squared=True)
