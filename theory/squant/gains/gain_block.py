r"""`squant/gain-block`: n blocks against one block, in total communication (arXiv 2106.03524, abstract)."""

from typing import Any

from sympy import E, IndexedBase, Integer, KroneckerDelta, Min, Rational, Sum, Symbol, log, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.antisymmetry import antisymmetry
from theory.facts.delta import delta_at_most_one, delta_total
from theory.formula import IsInteger, eq, every, le, lt
from theory.squant.paper import PAPER

n, d, L, mu, rho, nu_B, i, l = (Symbol(s, real=True) for s in ("n", "d", "L", "mu", "rho", "nu_B", "i", "l"))
largest, heavy, content, beta, step = (Symbol(s, real=True) for s in ("L_max", "heavy", "b_0", "beta", "h"))
L_std, L_block, K_std, K_block, T_std, T_block = (
    Symbol(s, real=True) for s in ("Lcal_std", "Lcal_block", "K_std", "K_block", "T_std", "T_block")
)
F, Lcal = (IndexedBase(name, real=True) for name in ("F", "Lcal"))
NODES, BLOCKS = (i, 0, n - 1), (l, 0, n - 1)

_LENGTH = sqrt(d / n)
_BLOCK_CONSTANT = n / d * Sum(_LENGTH * F[i, l], BLOCKS)
_GAPS = Min(d / n + 1, (d + 1) * sqrt(2) / E)
_CONTENT = _GAPS * (1 + 2 * log((d + 1) / _GAPS, 2)) + 2 * d / n + 2 * d / (n * E) * log(E, 2)
_STD = (1 + 2 * n * rho) * L / mu
_BLOCK = (1 + 2 * nu_B * rho) * L / mu
_BOUND = (1 + 2 * n * rho) / (1 + 2 * nu_B * rho) * (32 + content) / (32 * n + content)
_LINEAR = 2 * rho / (1 + 2 * nu_B * rho) * d / (16 * n**2 + d) * n
_LIMITS = {
    "rho_limit": 1 + 2 * n * rho,
    "nu_limit": (1 + 2 * n * rho) / (2 * nu_B * rho),
    "norm_limit": (1 + 2 * n * rho) * (32 + content) / (32 * n),
}
_FAMILIES = {
    "V_K_std": (2 * n - 1) / n + 2 * n,
    "V_K_block": 3 * (2 * n - 1) / n,
    "V_ratio": (2 * n**2 + 2 * n - 1) / (3 * (2 * n - 1)),
    "H_K_std": 1 + 2 * n**3 / (n**2 + n - 1),
    "H_K_block": Integer(3),
    "H_ratio": (2 * n**3 + n**2 + n - 1) / (3 * (n**2 + n - 1)),
}


def _family(name: str, rest: Any, pattern: Any, mean: Any, convexity: Any, words: str) -> Hypothesis:
    """Return the hypothesis that the matrices are 1 where the pattern is 1, and `rest` elsewhere."""
    norm = _LENGTH * (rest + (1 - rest) * pattern)
    return Hypothesis(
        "model",
        (every(eq(F[i, l], norm), BLOCKS, NODES), eq(largest, 1), eq(L, mean), eq(mu, convexity)),
        words,
    )


_HYPOTHESES = {
    "n": Hypothesis("domain", (IsInteger(n), le(1, n)), r"$n\ge1$ is an integer"),
    "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
    "signs": Hypothesis(
        "domain",
        tuple(lt(0, item) for item in (L, mu, largest, beta, rho, nu_B, content, K_block, T_block)),
        r"$L,\mu,L_{\max},\beta,\rho,\nu_B,b_0,K_{\rm block},T_{\rm block}>0$",
    ),
    "norms": Hypothesis("domain", every(le(0, F[i, l]), BLOCKS, NODES), r"$\|D_{i,ll}\|_F\ge0$"),
    "rho": Hypothesis("definition", eq(rho, largest / (n * L)), r"$\rho=\frac{L_{\max}}{nL}$"),
    "nu_B": Hypothesis(
        "definition",
        every(le(_BLOCK_CONSTANT, nu_B * largest), NODES),
        r"$\frac nd\sum_l\sqrt{d/n}\|D_{i,ll}\|_F\le\nu_BL_{\max}$ for each node, with the diagonal blocks "
        r"$D_{i,ll}$ of $\mathbf L_i$",
    ),
    "budget": Hypothesis(
        "definition", (eq(beta, d / n), eq(step, sqrt(d) / beta)), r"$\beta=d/n$, $h=\sqrt d/\beta$"
    ),
    "unaware": Hypothesis(
        "model",
        eq(L_std, sqrt(d) * step * largest),
        r"the unaware method has the constant of the coarse bound, $\mathcal L_{\rm std}=\sqrt dhL_{\max}$",
        "squant/bounds",
    ),
    "blocks": Hypothesis(
        "model",
        (
            every(eq(Lcal[i], Sum(_LENGTH * F[i, l], BLOCKS) / beta), NODES),
            every(le(Lcal[i], L_block), NODES),
            IsInteger(heavy),
            le(0, heavy),
            le(heavy, n - 1),
            eq(L_block, Lcal[heavy]),
        ),
        r"the optimal steps have the constants $\mathcal L_i=\frac1\beta\sum_l\sqrt{d/n}\|D_{i,ll}\|_F$ of "
        r"the coarse bound; $\mathcal L_{\rm block}$ is the largest of them, that of a node $i^\star$",
        "squant/steps",
    ),
    "conditions": Hypothesis(
        "definition",
        (eq(K_std, (L + 2 * L_std / n) / mu), eq(K_block, (L + 2 * L_block / n) / mu)),
        r"$K_{\rm std}=\frac{L+2\mathcal L_{\rm std}/n}\mu$ and $K_{\rm block}=\frac{L+2\mathcal L_{\rm "
        r"block}/n}\mu$ (`squant/dcgd`)",
    ),
    "content": Hypothesis("domain", le(2 * d / n, content), r"$\frac{2d}n\le b_0$, as part (c) shows"),
    "costs": Hypothesis(
        "definition",
        (eq(T_std, K_std * (32 + content)), eq(T_block, K_block * (32 * n + content))),
        r"$T_{\rm std}=K_{\rm std}(32+b_0)$ and $T_{\rm block}=K_{\rm block}(32n+b_0)$: the total cost is "
        r"the condition number times the length of a message, with one norm and with $n$",
    ),
    "four": Hypothesis("parameter", le(4, n), r"$n\ge4$"),
    "V": _family(
        "V",
        1 / n,
        KroneckerDelta(i, 0) * KroneckerDelta(l, 0),
        (2 * n - 1) / n**2,
        1 / n,
        "family V: node 1 has 1 on block 1, all other entries are $1/n$, so that "
        r"$L=\frac{2n-1}{n^2}$, $\mu=\frac1n$",
    ),
    "H": _family(
        "H",
        n**-2,
        KroneckerDelta(i, l),
        (1 + (n - 1) / n**2) / n,
        (1 + (n - 1) / n**2) / n,
        "family H: node $i$ has 1 on block $i$, all other entries are the inverse square of $n$, so that "
        r"$L=\frac{1+\frac{n-1}{n^2}}n$, $\mu=\frac{1+\frac{n-1}{n^2}}n$",
    ),
}

CLAIM = Claim(
    id="squant/gain-block",
    kind="scaling",
    provenance="abstract",
    title="Blocks against a single block: a gain of order n in total communication",
    position=17,
    paper=PAPER,
    setting=(
        r"DCGD with the standard quantizer on one block and DCGD+ with $n$ equal blocks and the optimal "
        r"steps of `squant/steps` have the same budget $\beta=d/n$. $K_{\rm std}$, $K_{\rm block}$ are the "
        r"condition numbers of `squant/dcgd` at the constants of the coarse bound, $T_{\rm std}$, $T_{\rm "
        r"block}$ their products with the lengths of `squant/bits-bound`; $b_0$ is such a length without "
        r"its norm, $\rho=\frac{L_{\max}}{nL}$ tells how dominant one node is, $\nu_B$ how many of its "
        r"blocks are heavy. The hypotheses of the paper were not seen: the gain of order $n$ of its "
        r"abstract is read as this statement, with the unaware method on a single block as the one "
        r"compared with."
    ),
    parts=(
        Part(
            "a",
            r"$$K_{\rm std}=(1+2n\rho)\frac L\mu,\qquad K_{\rm block}\le(1+2\nu_B\rho)\frac L\mu.$$",
            says=("std", "block"),
            evidence=("proof", "exact/condition number"),
        ),
        Part(
            "b",
            r"$$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le"
            r"\frac{T_{\rm std}}{T_{\rm block}}.$$",
            says=("ratio",),
            evidence=("proof", "exact/stated ratio", "exact/gain"),
        ),
        Part(
            "c",
            r"The length of `squant/bits-bound` without its norm, $b(d/n,d,1)-32$, is at least $\frac{2d}n$: "
            r"$$\frac{2d}n\le\min\Big(\frac dn+1,(d+1)\frac{\sqrt2}e\Big)\Big(1+2\log_2\frac{d+1}"
            r"{\min(\frac dn+1,(d+1)\frac{\sqrt2}e)}\Big)+\frac{2d}n+\frac{2d}{ne}\log_2e.$$",
            says=("content",),
            evidence=("proof", "exact/content", "exact/least content"),
            pins={"$b(d/n,d,1)-32$": "exact/content"},
        ),
        Part(
            "d",
            r"So the ratio is at least a multiple of $n$ where $\rho$ is bounded from below, $\nu_B$ is "
            r"bounded and $d\gtrsim n^2$: $$\frac{2\rho}{1+2\nu_B\rho}\cdot\frac d{16n^2+d}\,n\le"
            r"\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}.$$",
            says=("linear",),
            evidence=("proof", "exact/multiple of n"),
            pins={
                r"So the ratio is at least a multiple of $n$ where $\rho$ is bounded from below, $\nu_B$ is "
                r"bounded and $d\gtrsim n^2$": "exact/multiple of n"
            },
        ),
        Part(
            "e",
            r"Each of these conditions is needed for this bound: "
            r"$$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}"
            r"\le1+2n\rho,$$ $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le"
            r"\frac{1+2n\rho}{2\nu_B\rho},$$ $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}"
            r"\le(1+2n\rho)\frac{32+b_0}{32n}.$$",
            says=("rho_limit", "nu_limit", "norm_limit"),
            evidence=("proof", "exact/rho_limit", "exact/nu_limit", "exact/norm_limit"),
            pins={"Each of these conditions is needed for this bound": "exact/rho_limit"},
        ),
        Part(
            "f",
            r"For $n\ge4$ the coarse branch of `squant/bounds` is the smaller one for the unaware method: "
            r"$\sqrt dh\le\frac{dh^2}4$.",
            says=("branch",),
            evidence=("proof",),
        ),
        Part(
            "g",
            r"Family V: $\mathbf L_1$ is 1 on block 1 and all other entries are $\frac1n$. Then "
            r"$K_{\rm std}=\frac{2n-1}n+2n$, $K_{\rm block}=\frac{3(2n-1)}n$ and "
            r"$\frac{K_{\rm std}}{K_{\rm block}}=\frac{2n^2+2n-1}{3(2n-1)}$.",
            says=("V_std", "V_block", "V_ratio"),
            evidence=("proof", "exact/condition number", "exact/ratio", "exact/varying steps"),
            pins={
                r"Family V: $\mathbf L_1$ is 1 on block 1 and all other entries are $\frac1n$": "exact/ratio"
            },
        ),
        Part(
            "h",
            r"Family H: $\mathbf L_i$ is 1 on block $i$ and all other entries are $n^{-2}$. Then "
            r"$K_{\rm std}=1+\frac{2n^3}{n^2+n-1}$, $K_{\rm block}=3$ and "
            r"$\frac{K_{\rm std}}{K_{\rm block}}=\frac{2n^3+n^2+n-1}{3(n^2+n-1)}$.",
            says=("H_std", "H_block", "H_ratio"),
            evidence=("proof", "exact/condition number", "exact/ratio", "exact/varying steps"),
            pins={
                r"Family H: $\mathbf L_i$ is 1 on block $i$ and all other entries are $n^{-2}$": "exact/ratio"
            },
        ),
        Part(
            "i",
            r"With $d=8n^2$ the gain in total cost grows in V and H like $n$: its exponent over 4 to 256 "
            r"nodes is from {value:linear[0],2} to {value:linear[1],2}. For equal nodes it is below 1 "
            r"there, with an exponent from {value:level[0],1} to {value:level[1],1}. With $d=8n$ the "
            r"exponent "
            r"over the last three doublings is from {value:slow[0],2} to {value:slow[1],2}.",
            evidence=(
                "exact/exponent of the gain, from below",
                "exact/exponent of the gain, from above",
                "exact/exponent of the gain with exact suprema, from below",
                "exact/exponent of the gain with exact suprema, from above",
                "exact/exponent of the gain of equal nodes, from below",
                "exact/exponent of the gain of equal nodes, from above",
                "exact/gain of equal nodes",
                "exact/exponent of the gain in low dimension, from below",
                "exact/exponent of the gain in low dimension, from above",
            ),
            pins={
                "With $d=8n^2$ the gain in total cost grows in V and H like $n$": (
                    "exact/exponent of the gain, from below"
                ),
                "over 4 to 256 nodes": "exact/exponent of the gain, from above",
                "is below 1": "exact/gain of equal nodes",
                "With $d=8n$": "exact/exponent of the gain in low dimension, from above",
            },
        ),
        Part(
            "j",
            r"Measured, in runs that send real messages, the bits saved grow in V and not for equal nodes.",
            evidence=("run/measured bits",),
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes, and of blocks"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(step, "h", r"\mathbb R_{>0}", "step of the unaware method"),
        Variable(largest, r"L_{\max}", r"\mathbb R_{>0}", r"largest eigenvalue of a matrix of a node"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity of $f$"),
        Variable(rho, r"\rho", r"\mathbb R_{>0}", "1 where one node dominates, at least $1/n$"),
        Variable(nu_B, r"\nu_B", r"\mathbb R_{>0}", "heavy blocks of a node, at most $n$"),
        Variable(content, "b_0", r"\mathbb R_{>0}", "content of a message: its bits without the norms"),
        Variable(F, r"\|D_{#1,#2#2}\|_F", r"\mathbb R^{n\times n}_{\ge0}", "norms of blocks", "(n, n)"),
        Variable(Lcal, r"\mathcal L", r"\mathbb R^n_{\ge0}", "constants of the nodes with blocks", "(n,)"),
        Variable(heavy, r"i^\star", r"\mathbb N", "node of the largest constant"),
        Variable(L_std, r"\mathcal L_{\rm std}", r"\mathbb R_{>0}", "constant of the unaware method"),
        Variable(L_block, r"\mathcal L_{\rm block}", r"\mathbb R_{>0}", "largest constant with blocks"),
        Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of the unaware method"),
        Variable(K_block, r"K_{\rm block}", r"\mathbb R_{>0}", "condition number with blocks"),
        Variable(T_std, r"T_{\rm std}", r"\mathbb R_{>0}", "total cost of the unaware method"),
        Variable(T_block, r"T_{\rm block}", r"\mathbb R_{>0}", "total cost with blocks"),
    ),
    notation={r"\mathbf L_{#1}": "smoothness matrix of a node", "b": "length of a message"},
    hypotheses=_HYPOTHESES,
    relations={
        "std": Relation((K_std, _STD), ("=",)),
        "block": Relation((K_block, _BLOCK), ("<=",)),
        "ratio": Relation((_BOUND, T_std / T_block), ("<=",)),
        "content": Relation((2 * d / n, _CONTENT), ("<=",)),
        "linear": Relation((_LINEAR, _BOUND), ("<=",)),
        **{name: Relation((_BOUND, limit), ("<=",)) for name, limit in _LIMITS.items()},
        "branch": Relation((sqrt(d) * step, d * step**2 / 4), ("<=",), under=("four",)),
        **{
            f"{name}_{quantity}": Relation((side, _FAMILIES[f"{name}_{key}"]), ("=",), under=(name,))
            for name in ("V", "H")
            for quantity, key, side in (
                ("std", "K_std", K_std),
                ("block", "K_block", K_block),
                ("ratio", "ratio", K_std / K_block),
            )
        },
    },
    formulas={
        "bound": _BOUND,
        "b0": _CONTENT,
        "b0_lower": 2 * d / n,
        "K_std": _STD,
        "K_block": _BLOCK,
        "linear_lower": _LINEAR,
        **_LIMITS,
        **_FAMILIES,
    },
    values={
        "linear": (Rational(17, 20), Rational(23, 20)),
        "level": (Rational(-1, 10), Rational(1, 10)),
        "slow": (Rational(-7, 20), Rational(7, 20)),
    },
    worst_cases=(
        WorstCase(
            r"family V, $n=4$, $d=8n^2$: one heavy node, $\rho=n/(2n-1)$, $\nu_B=(2n-1)/n$",
            {"n": 4, "d": 128, "rho": Rational(4, 7), "nu_B": Rational(7, 4)},
        ),
        WorstCase(
            r"family H, $n=4$, $d=8n^2$: one heavy block on each node, $\nu=n$ but $\rho\to1$",
            {"n": 4, "d": 128, "rho": Rational(16, 19), "nu_B": Rational(19, 16)},
        ),
        WorstCase(
            r"homogeneous nodes, $n=4$, $d=8n^2$: the blocks lose",
            {"n": 4, "d": 128, "rho": Rational(1, 4), "nu_B": Integer(4)},
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, BLOCKS)
    budget = [K.given("budget", 1), K.given("budget", 0)]
    unaware = [K.given("conditions", 0), K.given("unaware"), *budget]
    std = K.cert(eq(K_std, _STD), using=[*unaware, K.given("rho")])
    K.conclude("std", std)
    constant = K.cert(
        eq(L_block, Sum(_LENGTH * F[heavy, l], BLOCKS) / beta),
        (1, K.given("blocks", 5)),
        (1, K.at(K.given("blocks", 0), heavy)),
    )
    block = K.cert(
        le(K_block, _BLOCK),
        (2 / (n * mu), K.at(K.given("nu_B"), heavy)),
        using=[K.given("conditions", 1), constant, K.given("budget", 0), K.given("rho")],
    )
    K.conclude("block", block)
    K.conclude("branch", K.cert(le(sqrt(d) * step, d * step**2 / 4), (n / 4, K.given("four")), using=budget))
    _content(K)
    _ratio(K, std, block)
    _families(K, unaware, constant)


def _content(K: Any) -> None:
    """The content is at least twice the number of nonzeros: no code has less than no bits."""
    K.know(K.sign(lt(0, _GAPS)))
    gaps_fit = K.cert(
        le(1, (d + 1) / _GAPS),
        (1 / _GAPS, K.axiom("min-below-left", d / n + 1, (d + 1) * sqrt(2) / E)),
        (d / n / _GAPS, K.given("n", 1)),
    )
    K.conclude(
        "content",
        K.cert(
            le(2 * d / n, _CONTENT),
            (2 * _GAPS / log(2), K.log(gaps_fit)),
            (1, _GAPS + 2 * d / (n * E) / log(2)),
        ),
    )


def _ratio(K: Any, std: Any, block: Any) -> None:
    least = K.given("content")
    gain, steps = 1 + 2 * n * rho, 1 / (1 + 2 * nu_B * rho)
    one, many = 32 + content, 32 * n + content
    ratio = K.cert(
        le(_BOUND, T_std / T_block),
        (gain * one * steps / (many * K_block), block),
        using=[K.given("costs", 0), K.given("costs", 1), std],
    )
    K.conclude("ratio", ratio)
    linear = K.cert(
        le(_LINEAR, _BOUND),
        (steps, one / many),
        (64 * n * rho * steps / many, 1),
        (32 * n**3 * rho * steps / (many * (16 * n**2 + d)), least),
    )
    K.conclude("linear", linear)
    fewer = 32 * gain / many
    nodes = K.given("n", 1)
    wasted = gain * one / many * 2 * nu_B * rho * steps
    limits = {
        "rho_limit": ((fewer, nodes), (1, wasted)),
        "nu_limit": ((gain * steps / (2 * nu_B * rho), 1), (fewer * steps, nodes)),
        "norm_limit": ((1, wasted), (gain * one / (32 * n * many), content)),
    }
    for name, terms in limits.items():
        K.conclude(name, K.cert(le(_BOUND, _LIMITS[name]), *terms))


def _families(K: Any, unaware: Any, constant: Any) -> None:
    condition, budget = K.given("conditions", 1), K.given("budget", 0)
    scale, first = 2 / (n * mu), Integer(0)
    for name in ("V", "H"):
        values = [K.given(name, k) for k in (1, 2, 3)]
        unaware_value, most, ratio = (_FAMILIES[f"{name}_{key}"] for key in ("K_std", "K_block", "ratio"))
        std = K.cert(eq(K_std, unaware_value), using=[*unaware, *values])
        using = [condition, budget, *values]
        norms = K.sum_over(K.at(K.given(name), heavy, l), BLOCKS)
        entries = (scale * _LENGTH / beta, norms)
        if name == "H":
            total = (scale * (1 - n**-2), delta_total(K, BLOCKS, heavy))
            block = K.cert(eq(K_block, most), entries, total, using=[condition, constant, budget, *values])
        else:
            total, gap = delta_total(K, BLOCKS, first), scale * (1 - 1 / n)
            at_most = K.cert(
                le(K_block, most),
                entries,
                (gap * KroneckerDelta(heavy, first), total),
                (gap, delta_at_most_one(K, BLOCKS, heavy, first)),
                using=[condition, constant, budget, *values],
            )
            at_least = K.cert(
                le(most, K_block),
                (scale, K.at(K.given("blocks", 1), first)),
                (-scale, K.at(K.given("blocks", 0), first)),
                (-scale * _LENGTH / beta, K.sum_over(K.at(K.given(name), first, l), BLOCKS)),
                (-gap, total),
                using=using,
            )
            block = antisymmetry(K, K_block, most, at_most, at_least)
        K.conclude(f"{name}_std", std)
        K.conclude(f"{name}_block", block)
        K.conclude(f"{name}_ratio", K.cert(eq(K_std / K_block, ratio), using=[std, block]))
