r"""`squant/gain-diana`: a gain over DIANA needs bad conditioning (derived; about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, Max, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.cauchy_schwarz import cauchy_schwarz
from theory.formula import IsInteger, eq, every, le, lt
from theory.squant.paper import PAPER

n, d, B, L, mu, chi, rho, nu, beta, j, l = (
    Symbol(s, real=True) for s in ("n", "d", "B", "L", "mu", "chi", "rho", "nu", "beta", "j", "l")
)
L_max, Lcal_max, omega_max, omega, trace, c_block, c, W, S, K_std, K_plus, K_any = (
    Symbol(s, real=True)
    for s in (
        "L_max",
        "Lcal_max",
        "omega_max",
        "omega",
        "trace",
        "c_block",
        "c",
        "W",
        "S",
        "K_std",
        "K_plus",
        "K_any",
    )
)
L_j, d_l, F_l = (
    Symbol(s, real=True) for s in ("L_j", "d_l", "F_l")
)  # entries, for formulas that checks evaluate
D, h, w, m, F, G, g = (IndexedBase(s, real=True) for s in ("D", "h", "w", "m", "F", "G", "g"))
COORDINATES, BLOCKS = (j, 0, d - 1), (l, 0, B - 1)

_NOISE = n * mu
_VARY, _BLOCK = d + trace / _NOISE, d + c_block / _NOISE
_MIXED = n + nu * rho * chi
_STD = Max(chi * (1 + 6 * n * rho), 2 * (1 + n))
_PLUS = Max(chi + 6 * _MIXED, 2 * (1 + _MIXED))
_CONDITION = Max((L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max))
_UPPER = Max(3 * chi, 1)
_LOWER = chi * (1 + 6 * n * rho) / (chi * (1 + 6 * nu * rho) + 6 * n + 2)
_ORDER = 2 * n * rho / (3 + 2 * nu * rho)
_EXPONENTS = {"growing": Rational(17, 20), "bounded": Rational(1, 10)}


def _coordinates(term: Any) -> Sum:
    return Sum(term, COORDINATES)


def _blocks(term: Any) -> Sum:
    return Sum(term, BLOCKS)


_SPENT, _SPENT_BLOCKS = _coordinates(1 / h[j] ** 2), _blocks(sqrt(m[l]) / g[l])
_OMEGA, _CONSTANT = sqrt(_coordinates(h[j] ** 2)), sqrt(_coordinates(D[j] ** 2 * h[j] ** 2)) / _NOISE

_HYPOTHESES = {
    "sizes": Hypothesis(
        "domain",
        tuple(item for size in (n, d, B) for item in (IsInteger(size), le(1, size))),
        r"$n,d,B\ge1$ are integers",
    ),
    "signs": Hypothesis(
        "domain",
        (*(lt(0, item) for item in (L, mu, chi, rho, nu, beta, W, S, K_plus, K_any)), le(0, omega_max)),
        "constants are positive",
    ),
    "entries": Hypothesis(
        "domain",
        (
            *(every(item, COORDINATES) for item in (le(0, D[j]), lt(0, h[j]), lt(0, w[j]))),
            *(every(item, BLOCKS) for item in (lt(0, m[l]), le(0, F[l]), lt(0, G[l]), lt(0, g[l]))),
        ),
        "steps and weights are positive, diagonals nonnegative",
    ),
    "budget": Hypothesis("parameter", eq(beta, d / n), r"$\beta=\frac dn$"),
    "any-steps": Hypothesis("parameter", eq(_SPENT, beta**2), r"$\sum_j\frac1{h_j^2}=\beta^2$"),
    "any-blocks": Hypothesis(
        "parameter",
        (eq(_SPENT_BLOCKS, beta), every(le(g[l] * sqrt(m[l]), omega), BLOCKS)),
        r"$\sum_l\frac{\sqrt{d_l}}{g_l}=\beta$ and $g_l\sqrt{d_l}\le\omega$",
    ),
    "lengths": Hypothesis("definition", eq(_blocks(m[l]), d), r"the blocks have all coordinates"),
    "weights": Hypothesis(
        "definition",
        (
            every(eq(w[j], 1 + D[j] / _NOISE), COORDINATES),
            eq(W, _coordinates(w[j])),
            eq(trace, _coordinates(D[j])),
        ),
        r"$w_j=1+\frac{\mathbf L_{jj}}{n\mu}$, $W=\sum_jw_j$",
    ),
    "block-weights": Hypothesis(
        "definition",
        (
            every(eq(G[l], sqrt(m[l]) + F[l] / _NOISE), BLOCKS),
            eq(S, _blocks(sqrt(m[l]) * G[l])),
            eq(c_block, _blocks(sqrt(m[l]) * F[l])),
        ),
        r"$G_l=\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}$, $S=\sum_l\sqrt{d_l}G_l$",
    ),
    "mixture": Hypothesis(
        "parameter",
        every(eq(h[j], sqrt(W) / (beta * sqrt(w[j]))), COORDINATES),
        r"$h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$",
    ),
    "block-mixture": Hypothesis(
        "parameter", every(eq(g[l], S / (beta * G[l])), BLOCKS), r"$g_l=\frac S{\beta G_l}$"
    ),
    "condition": Hypothesis("definition", eq(L, chi * mu), r"$L=\chi\mu$"),
    "rho": Hypothesis("definition", eq(L_max, rho * n * L), r"$L_{\max}=\rho nL$"),
    "std": Hypothesis(
        "definition",
        eq(K_std, Max((L + 6 * n * L_max / n) / mu, 2 * (1 + n))),
        "the condition number of `squant/diana` for the uniform step",
    ),
    "plus": Hypothesis("definition", eq(K_plus, _CONDITION), "the condition number of `squant/diana`"),
    "mixed": Hypothesis(
        "model",
        (
            le(omega_max, (d + c / _NOISE) / beta),
            le(Lcal_max / _NOISE, (d + c / _NOISE) / beta),
            le(c, nu * L_max * d / n),
        ),
        "the constants of DCGD+ are those of part (b) or (c), with the largest trace or constant of blocks "
        "of a node, "
        r"$c\le\nu L_{\max}\frac dn$",
        "squant/gain-diana, parts (b) and (c)",
    ),
    "dominance": Hypothesis("model", le(rho, 1), r"$\rho\le1$", "squant/nu"),
    "least": Hypothesis("parameter", le(2 * (1 + n), K_any), r"$2(1+n)\le K$"),
    "ill": Hypothesis("parameter", le(n, chi), r"$n\le\chi$"),
}

_TABLE = (
    (4, "412, 181.6, 188.376470588235"),
    (16, "25072, 3387.29411764706, 3473.19587015301"),
    (64, "1580992, 56523.8153846154, 56897.4194938492"),
    (256, "100794112, 914187.953307393, 915713.479587900"),
)

CLAIM = Claim(
    id="squant/gain-diana",
    kind="scaling",
    provenance="derived",
    title="A gain of order n over DIANA needs a condition number of order n",
    position=24,
    paper=PAPER,
    setting=(
        r"All methods have the budget $\beta=\frac dn$, the coarse branches stand for $\omega$ and "
        r"$\mathcal L_{\max}$, and $K$ is that of `squant/diana`; $L=\chi\mu$, $L_{\max}=\rho nL$. DIANA+ "
        r"takes steps for a mixture of $\mathbf L$ and $n\mu I$: $w_j=1+\frac{\mathbf L_{jj}}{n\mu}$, "
        r"$W=\sum_jw_j$, or on $B$ blocks $G_l=\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}$, "
        r"$S=\sum_l\sqrt{d_l}G_l$. $T$ is the trace of $\mathbf L$, $c_{\rm "
        r"block}=\sum_l\sqrt{d_l}\|D_{ll}\|_F$."
    ),
    parts=(
        Part(
            "a",
            r"No steps have a smaller coarse bound than uniform ones: if $\sum_j\frac1{h_j^2}=\beta^2$, then "
            r"$n\le\sqrt{\sum_jh_j^2}$; if $\sum_l\frac{\sqrt{d_l}}{g_l}=\beta$ and "
            r"$g_l\sqrt{d_l}\le\omega$ for every block, then $n\le\omega$.",
            says=("any-steps", "any-blocks"),
            evidence=("proof", "exact/variance of any steps", "exact/variance of any block steps"),
            pins={"No steps have a smaller coarse bound": "exact/variance of any steps"},
        ),
        Part(
            "b",
            r"The steps $h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$ have the budget "
            r"$\sum_j\frac1{h_j^2}=\beta^2$, and $$\sqrt{\sum_jh_j^2}\le\frac{d+\frac "
            r"T{n\mu}}\beta,\qquad\frac{\sqrt{\sum_j\mathbf L_{jj}^2h_j^2}}{n\mu}\le\frac{d+\frac "
            r"T{n\mu}}\beta.$$",
            says=("vary-budget", "vary-omega", "vary-noise"),
            evidence=("proof", "exact/budget of vary", "exact/omega of vary", "exact/noise of vary"),
        ),
        Part(
            "c",
            r"The block steps $g_l=\frac S{\beta G_l}$ have the budget "
            r"$\sum_l\frac{\sqrt{d_l}}{g_l}=\beta$, and for every block "
            r"$$g_l\sqrt{d_l}\le\frac{d+\frac{c_{\rm "
            r"block}}{n\mu}}\beta,\qquad\frac{g_l\|D_{ll}\|_F}{n\mu}\le\frac{d+\frac{c_{\rm "
            r"block}}{n\mu}}\beta.$$",
            says=("block-budget", "block-omega", "block-noise"),
            evidence=("proof", "exact/budget of block", "exact/omega of block", "exact/noise of block"),
        ),
        Part(
            "d",
            r"DIANA with a uniform step has $$K_{\rm std}=\max\{\chi(1+6n\rho),2(1+n)\};$$ DIANA+ with "
            r"$\nu$ for $\nu_{\rm tr}/\beta$ or $\nu_B$ has $$K_{\rm "
            r"plus}\le\max\{\chi+6(n+\nu\rho\chi),2(1+n+\nu\rho\chi)\}.$$",
            says=("std", "plus"),
            evidence=(
                "proof",
                "exact/K of std in chi",
                "exact/K of vary, from above",
                "exact/K of block, from above",
            ),
            pins={r"with $\nu$ for $\nu_{\rm tr}/\beta$ or $\nu_B$": "exact/K of vary, from above"},
        ),
        Part(
            "e",
            r"$$\frac{\chi(1+6n\rho)}{\chi(1+6\nu\rho)+6n+2}\le\frac{K_{\rm std}}{K_{\rm "
            r"plus}};\qquad\text{if }n\le\chi,\qquad\frac{2n\rho}{3+2\nu\rho}\le\frac{K_{\rm std}}{K_{\rm "
            r"plus}}.$$",
            says=("lower", "order"),
            evidence=(
                "proof",
                "exact/gain of vary, from below",
                "exact/gain of block, from below",
                "exact/gain of vary for bad conditioning",
                "exact/gain of block for bad conditioning",
            ),
        ),
        Part(
            "f",
            r"For every method with $2(1+n)\le K$, $$\frac{K_{\rm std}}K\le\max\{3\chi,1\}.$$",
            says=("upper",),
            evidence=("proof", "exact/gain of vary, from above", "exact/gain of block, from above"),
            pins={"For every method": "exact/gain of vary, from above"},
        ),
        Part(
            "g",
            r"In family V with $d=8n^2$ and $n$ of 4, 16, 64, 256 the exponents of $\frac{K_{\rm "
            r"std}}{K_{\rm plus}}$ in $n$ are at least {value:growing} for $\mu=n^{-3}$, and at most "
            r"{value:bounded} for $\mu=\frac1n$, with both kinds of steps.",
            evidence=(
                "exact/exponent of vary, from below",
                "exact/exponent of block, from below",
                "exact/exponent of vary, from above",
                "exact/exponent of block, from above",
                "exact/K of std",
                "exact/K of vary",
                "exact/K of block",
            ),
            pins={
                r"In family V with $d=8n^2$ and $n$ of 4, 16, 64, 256": "exact/exponent of vary, from below",
                r"the exponents of $\frac{K_{\rm std}}{K_{\rm plus}}$": "exact/exponent of vary, from below",
                r"for $\mu=n^{-3}$": "exact/exponent of vary, from below",
                r"for $\mu=\frac1n$": "exact/exponent of vary, from above",
                "with both kinds of steps": "exact/exponent of block, from above",
            },
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
        Variable(L_max, r"L_{\max}", "[L,nL]", "largest eigenvalue of a node"),
        Variable(Lcal_max, r"\mathcal L_{\max}", r"\mathbb R_{\ge0}", "variance constant of the steps"),
        Variable(omega_max, r"\omega_{\max}", r"\mathbb R_{\ge0}", "variance constant, without matrix"),
        Variable(omega, r"\omega", r"\mathbb R_{>0}", "variance constant of block steps, without matrix"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(chi, r"\chi", r"[1,\infty)", r"$L/\mu$"),
        Variable(rho, r"\rho", "[1/n,1]", r"$L_{\max}/(nL)$"),
        Variable(
            nu, r"\nu", r"\mathbb R_{>0}", r"$\nu_{\rm tr}/\beta$ for varying steps, $\nu_B$ for blocks"
        ),
        Variable(trace, "T", r"\mathbb R_{\ge0}", r"trace of $\mathbf L$"),
        Variable(c, "c", r"\mathbb R_{\ge0}", "largest trace or constant of blocks of a node"),
        Variable(c_block, r"c_{\rm block}", r"\mathbb R_{\ge0}", r"$\sum_l\sqrt{d_l}\|D_{ll}\|_F$"),
        Variable(D, r"\mathbf L_{#1#1}", r"\mathbb R^d_{\ge0}", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "varying steps", "(d,)"),
        Variable(w, "w", r"\mathbb R^d_{>0}", "diagonal of the mixture", "(d,)"),
        Variable(W, "W", r"\mathbb R_{>0}", "its trace"),
        Variable(m, "d", r"\mathbb R^B_{>0}", "lengths of the blocks", "(B,)"),
        Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{\ge0}", "norms of the diagonal blocks", "(B,)"),
        Variable(G, "G", r"\mathbb R^B_{>0}", "norms of the mixture", "(B,)"),
        Variable(S, "S", r"\mathbb R_{>0}", r"$\sum_l\sqrt{d_l}G_l$"),
        Variable(g, "g", r"\mathbb R^B_{>0}", "block steps", "(B,)"),
        Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of DIANA"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of DIANA+"),
        Variable(K_any, "K", r"\mathbb R_{>0}", "condition number of some method"),
    ),
    notation={
        r"\mathbf L": "smoothness matrix of a node",
        "I": "identity matrix",
        r"\nu_{\rm tr}": "heavy coordinates of a node (`squant/nu`)",
        r"\nu_B": "heavy blocks of a node (`squant/nu`)",
    },
    hypotheses=_HYPOTHESES,
    relations={
        "any-steps": Relation((n, _OMEGA), ("<=",), under=("any-steps",)),
        "any-blocks": Relation((n, omega), ("<=",), under=("any-blocks",)),
        "vary-budget": Relation((_SPENT, beta**2), ("=",), under=("mixture",)),
        "vary-omega": Relation((_OMEGA, _VARY / beta), ("<=",), under=("mixture",)),
        "vary-noise": Relation((_CONSTANT, _VARY / beta), ("<=",), under=("mixture",)),
        "block-budget": Relation((_SPENT_BLOCKS, beta), ("=",), under=("block-mixture",)),
        "block-omega": Relation(
            (g[l] * sqrt(m[l]), _BLOCK / beta), ("<=",), every=(BLOCKS,), under=("block-mixture",)
        ),
        "block-noise": Relation(
            (g[l] * F[l] / _NOISE, _BLOCK / beta), ("<=",), every=(BLOCKS,), under=("block-mixture",)
        ),
        "std": Relation((K_std, _STD), ("=",)),
        "plus": Relation((K_plus, _PLUS), ("<=",)),
        "lower": Relation((_LOWER, K_std / K_plus), ("<=",)),
        "order": Relation((_ORDER, K_std / K_plus), ("<=",), under=("ill",)),
        "upper": Relation((K_std / K_any, _UPPER), ("<=",), under=("least",)),
    },
    formulas={
        "bound": _UPPER,
        "vary_step": sqrt(_VARY) / (beta * sqrt(1 + L_j / _NOISE)),
        "vary_bound": _VARY / beta,
        "block_step": _BLOCK / (beta * (sqrt(d_l) + F_l / _NOISE)),
        "block_bound": _BLOCK / beta,
        "condition": _CONDITION,
        "std": _STD,
        "plus": _PLUS,
        "lower": _LOWER,
        "order": _ORDER,
        "upper": _UPPER,
        **_EXPONENTS,
    },
    internal={
        "vary_step": "the steps of part (b)",
        "block_step": "the steps of part (c)",
        "condition": "the condition number of `squant/diana`",
        **dict.fromkeys(_EXPONENTS, "an exponent of part (g)"),
    },
    values=_EXPONENTS,
    worst_cases=tuple(
        WorstCase(
            rf"family V with $d=8n^2$, $\mu=n^{{-3}}$, $n={nodes}$, $K$ of DIANA, of blocks and of varying "
            rf"steps: {values}",
            {
                "n": nodes,
                "d": 8 * nodes**2,
                "mu": Rational(1, nodes**3),
                "rho": Rational(nodes, 2 * nodes - 1),
            },
        )
        for nodes, values in _TABLE
    ),
)

# One node with one coordinate, of curvature 3.
_EXAMPLE = {
    **dict.fromkeys((n, d, B, mu, rho, nu, beta, omega_max, omega), 1),
    **dict.fromkeys((L, chi, L_max, Lcal_max, trace, c_block, c), 3),
    **{W: 4, S: 4, K_std: 21, K_plus: 21, K_any: 4},
    **{D: (3,), h: (1,), w: (4,), m: (1,), F: (3,), G: (4,), g: (1,)},
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, BLOCKS)
    K.example(_EXAMPLE)
    _any_steps(K)
    _varying(K)
    _block_steps(K)
    _conditions(K)


def _any_steps(K: Any) -> None:
    # Cauchy-Schwarz for h and 1/h; a block counts as sqrt(d_l) coordinates of each.
    squares, spent, budget = _coordinates(h[j] ** 2), K.given("any-steps"), K.given("budget")
    pairs = cauchy_schwarz(K, h[j], 1 / h[j], COORDINATES)
    square = K.cert(le(n**2, squares), (1 / beta**2, pairs), (squares / beta**2, spent), using=[budget])
    root = K.cert(le(n, _OMEGA), (1, K.power(square, Rational(1, 2))), (-1, K.axiom("abs-of-nonnegative", n)))
    K.conclude("any-steps", root)
    each = K.cert(le(m[l], omega * sqrt(m[l]) / g[l]), (sqrt(m[l]) / g[l], K.at(K.given("any-blocks", 1), l)))
    total = K.cert(
        le(d, omega * beta),
        (1, K.sum_over(each, BLOCKS)),
        (-1, K.given("lengths")),
        (omega, K.given("any-blocks")),
    )
    K.conclude("any-blocks", K.cert(le(n, omega), (n / d, total), using=[budget]))


def _rooted(K: Any, square: Any, root: Any, value: Any, scale: Any, *more: Any) -> Any:
    """Return that a root is at most `value`, over `scale`, from the inequality of squares."""
    plain = K.axiom("abs-of-nonnegative", value)
    power = K.power(square, Rational(1, 2))
    return K.cert(le(root / scale, _VARY / beta), (1 / scale, power), (1 / scale, plain), *more)


def _varying(K: Any) -> None:
    step, weight, total = K.at(K.given("mixture"), j), K.at(K.given("weights"), j), K.given("weights", 1)
    value = sqrt(W) / (beta * sqrt(w[j]))
    inverse = K.cert(eq(1 / h[j] ** 2, w[j] * beta**2 / W), (-(value + h[j]) / (h[j] * value) ** 2, step))
    spent = K.cert(eq(_SPENT, beta**2), (1, K.sum_over(inverse, COORDINATES)), (-(beta**2) / W, total))
    K.conclude("vary-budget", spent)
    whole = K.cert(
        eq(W, _VARY), (1, total), (1, K.sum_over(weight, COORDINATES)), (-1 / _NOISE, K.given("weights", 2))
    )
    one = K.cert(le(1, w[j]), (1, D[j] / _NOISE), (-1, weight))
    most = K.cert(le(d, W), (1, K.sum_over(one, COORDINATES)), (-1, total))
    each = K.cert(le(h[j] ** 2, W / beta**2), (W / (beta**2 * w[j]), one), (value + h[j], step))
    square = K.cert(
        le(_coordinates(h[j] ** 2), (W / beta) ** 2), (1, K.sum_over(each, COORDINATES)), (W / beta**2, most)
    )
    K.conclude("vary-omega", _rooted(K, square, _OMEGA, W / beta, Integer(1), (1 / beta, whole)))
    factor = W * (_NOISE * w[j] + D[j]) / (beta**2 * w[j])
    noise = K.cert(
        le(D[j] ** 2 * h[j] ** 2, _NOISE**2 * W * w[j] / beta**2),
        (factor, _NOISE),
        (-factor * _NOISE, weight),
        (D[j] ** 2 * (value + h[j]), step),
    )
    square = K.cert(
        le(_coordinates(D[j] ** 2 * h[j] ** 2), (_NOISE * W / beta) ** 2),
        (1, K.sum_over(noise, COORDINATES)),
        (-(_NOISE**2) * W / beta**2, total),
    )
    root = _CONSTANT * _NOISE
    K.conclude("vary-noise", _rooted(K, square, root, _NOISE * W / beta, _NOISE, (1 / beta, whole)))


def _block_steps(K: Any) -> None:
    step, weight, root = K.at(K.given("block-mixture"), l), K.at(K.given("block-weights"), l), sqrt(m[l])
    total, value = K.given("block-weights", 1), S / (beta * G[l])
    inverse = K.cert(eq(root / g[l], root * beta * G[l] / S), (-root / (g[l] * value), step))
    spent = K.cert(eq(_SPENT_BLOCKS, beta), (1, K.sum_over(inverse, BLOCKS)), (-beta / S, total))
    K.conclude("block-budget", spent)
    part = K.cert(eq(root * G[l], m[l] + root * F[l] / _NOISE), (root, weight))
    whole = K.cert(
        eq(S, _BLOCK),
        (1, total),
        (1, K.sum_over(part, BLOCKS)),
        (1, K.given("lengths")),
        (-1 / _NOISE, K.given("block-weights", 2)),
    )
    norm = F[l] / _NOISE
    for name, kept, dropped in (("block-omega", root, norm), ("block-noise", norm, root)):
        bound = K.cert(
            le(g[l] * kept, _BLOCK / beta),
            (value, dropped),
            (-value, weight),
            (kept, step),
            (1 / beta, whole),
        )
        K.conclude(name, K.every(bound, BLOCKS))


def _conditions(K: Any) -> None:
    names = [K.given("budget"), K.given("rho"), K.given("condition")]
    std = K.cert(eq(K_std, _STD), (1, K.given("std")), using=names[1:])
    K.conclude("std", std)
    share = (1 / (_NOISE * beta), K.given("mixed", 2))
    omegas = K.cert(le(omega_max, _MIXED), (1, K.given("mixed")), share, using=names)
    noise = K.cert(le(Lcal_max / _NOISE, _MIXED), (1, K.given("mixed", 1)), share, using=names)
    gradient, shifts = chi + 6 * _MIXED, 2 * (1 + _MIXED)
    parts = (L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max)
    first = K.cert(le(parts[0], gradient), (6, noise), using=names[2:])
    second = K.cert(le(parts[1], shifts), (2, omegas))

    def at_most(bound: Any, left: Any, right: Any) -> Any:
        """Return K of DIANA+ at most a bound, from terms that fill up both parts."""
        one, two = (K.cert(le(part, bound), *terms) for part, terms in zip(parts, (left, right), strict=True))
        largest = K.discharge(K.axiom("max-least", *parts, bound), one, two)
        return K.cert(le(K_plus, bound), (1, K.given("plus")), (1, largest))

    above = [K.axiom(f"max-above-{side}", gradient, shifts) for side in ("left", "right")]
    K.conclude("plus", at_most(_PLUS, ((1, first), (1, above[0])), ((1, second), (1, above[1]))))
    sides = chi * (1 + 6 * nu * rho) + 6 * n + 2
    plus = at_most(sides, ((1, first), (2, 1)), ((1, second), (1, chi + 4 * _MIXED)))
    top = chi * (1 + 6 * n * rho)
    most = K.cert(le(top, K_std), (1, K.axiom("max-above-left", top, 2 * (1 + n))), (-1, std))
    lower = K.cert(le(_LOWER, K_std / K_plus), (1 / K_plus, most), (top / (K_plus * sides), plus))
    K.conclude("lower", lower)
    bottom = sides * (9 + 6 * nu * rho)
    order = K.cert(
        le(_ORDER, K_std / K_plus),
        (1, lower),
        (1 / bottom, chi * (9 + 6 * nu * rho)),
        (48 * n * rho / bottom, K.given("ill")),
        (12 * n * rho / bottom, K.given("sizes", 1)),
    )
    K.conclude("order", order)
    bound, three, one = (
        2 * (1 + n) * _UPPER,
        K.axiom("max-above-left", 3 * chi, 1),
        K.axiom("max-above-right", 3 * chi, 1),
    )
    large = K.cert(le(top, bound), (2 * (1 + n), three), (6 * chi * n, K.given("dominance")), (5, chi))
    small = K.cert(le(2 * (1 + n), bound), (2 * (1 + n), one))
    most = K.discharge(K.axiom("max-least", top, 2 * (1 + n), bound), large, small)
    K.know(one)
    upper = K.cert(
        le(K_std / K_any, _UPPER), (1 / K_any, std), (1 / K_any, most), (_UPPER / K_any, K.given("least"))
    )
    K.conclude("upper", upper)
