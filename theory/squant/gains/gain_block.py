r"""`squant/gain-block`: n blocks against one block, in total communication (arXiv 2106.03524, abstract)."""

from dataclasses import asdict
from typing import Any

from sympy import E, IndexedBase, Integer, KroneckerDelta, Rational, Sum, fraction, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.sums.delta import delta_at_most_one, delta_total
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.squant.gains.content import CONTENT, LEAST, MOST, bounds
from theory.squant.gains.families import BLOCKS, FAMILIES, LENGTH, NODES, SIZES, VARIABLES, F, steps
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, mu, rho, nu_B, beta, step, l = symbols("n d L mu rho nu_B beta h l", real=True)
heavy, content, L_std, L_block = symbols("heavy b_0 Lcal_std Lcal_block", real=True)
K_std, K_block, T_std, T_block = symbols("K_std K_block T_std T_block", real=True)
Lcal = IndexedBase("Lcal", real=True)

_LOW = 9 * (1 + 2 * log(n, 2)) + 16 + 16 / E * log(E, 2)
_STD = (1 + 2 * n * rho) * L / mu
_BLOCK = (1 + 2 * nu_B * rho) * L / mu
_LENGTHS = (32 + content) / (32 * n + content)
_BOUND = (1 + 2 * n * rho) / (1 + 2 * nu_B * rho) * _LENGTHS
_LINEAR = 2 * rho / (1 + 2 * nu_B * rho) * d / (16 * n**2 + d) * n
_LIMITS = {
    "rho_limit": 1 + 2 * n * rho,
    "nu_limit": (1 + 2 * n * rho) / (2 * nu_B * rho),
    "norm_limit": (1 + 2 * n * rho) * (32 + content) / (32 * n),
}
_GAIN = T_std / T_block
_VALUES = {
    f"{name}_{key}": (side, asdict(FAMILIES[name])[key])
    for name in ("V", "H")
    for key, side in (("K_std", K_std), ("K_block", K_block), ("ratio", K_std / K_block))
}
# Of each family, what the gain in total cost lies between.
_BETWEEN = {"V": (n / 9, n), "H": (2 * n / 9, n), "equal": (Rational(1, 3), Integer(1))}


_EXPONENTS = {
    "least_bits": Rational(55, 100),
    "off_bits": Rational(15, 100),
    "least_rounds": Rational(3, 10),
    "most_rounds": Rational(6, 10),
    "far_rounds": Rational(5, 10),
}

_HYPOTHESES = {
    **SIZES,
    "signs": domain(r"$L,\mu,L_{\max},\beta,\rho,\nu_B,b_0,K_{\rm block},T_{\rm block}>0$"),
    "norms": domain(r"$\|D_{i,ll}\|_F\ge0$"),
    "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
    "nu_B": definition(
        r"$\frac nd\sum_l\sqrt{d/n}\|D_{i,ll}\|_F\le\nu_BL_{\max}$ for each node, since $D_{i,ll}$ are the "
        r"diagonal blocks of $\mathbf L_i$"
    ),
    "budget": definition(r"$\beta=d/n$, $h=\sqrt d/\beta$"),
    "unaware": model(
        r"$\mathcal L_{\rm std}=\sqrt dhL_{\max}$ (the coarse bound)",
        reference="squant/bounds",
    ),
    "blocks": model(
        r"$\mathcal L_i=\frac1\beta\sum_l\sqrt{d/n}\|D_{i,ll}\|_F$ (the coarse bound); "
        r"$\mathcal L_i\le\mathcal L_{\rm block}$; $1\le i^\star\le n$ is an integer, $\mathcal L_{\rm "
        r"block}=\mathcal L_{i^\star}$",
        reference="squant/steps",
    ),
    "conditions": definition(
        r"$K_{\rm std}=\frac{L+2\mathcal L_{\rm std}/n}\mu$ and $K_{\rm block}=\frac{L+2\mathcal L_{\rm "
        r"block}/n}\mu$ (`squant/dcgd`)"
    ),
    "content": domain(r"$\frac{2d}n\le b_0$, since contents are as long by part c"),
    "costs": definition(
        r"$T_{\rm std}=K_{\rm std}(32+b_0)$, $T_{\rm block}=K_{\rm block}(32n+b_0)$, since a norm has 32 bits"
    ),
    "four": parameter(r"$n\ge4$"),
    "large": parameter(r"$8n^2\le d$"),
    "two": parameter(r"$n\ge2$"),
    "low": parameter(r"$d=8n$"),
    "most": model(
        r"$b_0\le(\frac dn+1)(1+2\log_2n)+\frac{2d}n+\frac{2d}{ne}\log_2e$, since part c bounds it"
    ),
    **{key: item for name, family in FAMILIES.items() for key, item in family.hypotheses(name).items()},
}
CLAIM = Claim(
    id="squant/gain-block",
    kind="scaling",
    provenance="abstract",
    title="Few heavy blocks, high dimension: blocks gain order n over an unaware method on a single block",
    position=17,
    paper=PAPER,
    **statement(
        r"""
        DCGD with the standard quantizer on one block and DCGD+ with $n$ equal blocks and the optimal steps
        of `squant/steps` have the same budget $\beta=d/n$. $K_{\rm std}$, $K_{\rm block}$ are the condition
        numbers of `squant/dcgd` at the constants of the coarse bound, $T_{\rm std}$, $T_{\rm block}$ their
        products with the lengths of `squant/bits-bound`; $b_0$ is such a length without its norm,
        $\rho=\frac{L_{\max}}{nL}$ tells how dominant one node is, $\nu_B$ how many of its blocks are heavy
        (`squant/nu`).
        The hypotheses of the paper were not seen: the gain of order $n$ of its abstract is read as this
        one, over the unaware method on a single block.
        (a: std, block) $$K_{\rm std}=(1+2n\rho)\frac L\mu,\qquad K_{\rm block}\le(1+2\nu_B\rho)\frac
          L\mu.$$ [proof; exact/condition number]
        (b: ratio) $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le\frac{T_{\rm std}}{T_{\rm
          block}}.$$ [proof; exact/stated ratio; exact/gain]
        (c: content, longest) Bounds on the length of `squant/bits-bound` without its norm,
          <<$b(d/n,d,1)-32$ -> exact/content>>, from above for $n\ge2$: $$\frac{2d}n\le\min\Big(\frac
          dn+1,(d+1)\frac{\sqrt2}e\Big)\Big(1+2\log_2\frac{d+1}{\min(\frac
          dn+1,(d+1)\frac{\sqrt2}e)}\Big)+\frac{2d}n+\frac{2d}{ne}\log_2e\le\Big(\frac
          dn+1\Big)(1+2\log_2n)+\frac{2d}n+\frac{2d}{ne}\log_2e.$$ [proof; exact/content; exact/least
          content; exact/largest content]
        (d: linear) So the ratio is at least a multiple of $n$ where $\rho$ is bounded from below, $\nu_B$
          is bounded and <<$d\gtrsim n^2$ -> exact/multiple of n>>: $$\frac{2\rho}{1+2\nu_B\rho}\cdot\frac
          d{16n^2+d}\,n\le\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}.$$ [proof; exact/multiple
          of n]
        (e: rho_limit, nu_limit, norm_limit) <<Each of these conditions is needed for this bound ->
          exact/rho_limit>>, that on $d$ up to the logarithm in (c):
          $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le1+2n\rho,$$
          $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le\frac{1+2n\rho}{2\nu_B\rho},$$
          $$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}\le(1+2n\rho)\frac{32+b_0}{32n}.$$
          [proof; exact/rho_limit; exact/nu_limit; exact/norm_limit]
        (f: branch) For $n\ge4$ the coarse branch of `squant/bounds` is the smaller one for the unaware
          method: $\sqrt dh\le\frac{dh^2}4$. [proof]
        (g: V_K_std, V_K_block, V_ratio) Family V: <<$\mathbf L_1$ is 1 on block 1 and all other entries are
          $\frac1n$ -> exact/ratio>>. Then $K_{\rm std}=\frac{2n-1}n+2n$, $K_{\rm block}=\frac{3(2n-1)}n$
          and $\frac{K_{\rm std}}{K_{\rm block}}=\frac{2n^2+2n-1}{3(2n-1)}$. [proof; exact/condition number;
          exact/ratio; exact/varying steps]
        (h: H_K_std, H_K_block, H_ratio) Family H: <<$\mathbf L_i$ is 1 on block $i$ and all other entries
          are $n^{-2}$ -> exact/ratio>>. Then $K_{\rm std}=1+\frac{2n^3}{n^2+n-1}$, $K_{\rm block}=3$ and
          $\frac{K_{\rm std}}{K_{\rm block}}=\frac{2n^3+n^2+n-1}{3(n^2+n-1)}$. [proof; exact/condition
          number; exact/ratio; exact/varying steps]
        (i: V_gain, H_gain) So the gain in total cost is of order $n$ in both families if $8n^2\le d$:
          $$\text{in V}\quad\frac n9\le\frac{T_{\rm std}}{T_{\rm block}}\le n,\qquad\text{in
          H}\quad\frac{2n}9\le\frac{T_{\rm std}}{T_{\rm block}}\le n.$$ [proof; exact/order of the gain,
          from below; exact/order of the gain, from above]
        (j: equal_gain) For equal nodes, <<$\mathbf L_i=I$ -> exact/gain of equal nodes>>, the blocks gain
          nothing, and lose at most a factor of three if $8n^2\le d$: $$\frac13\le\frac{T_{\rm std}}{T_{\rm
          block}}\le1.$$ [proof; exact/gain of equal nodes; exact/least gain of equal nodes]
        (k: H_low, low) In low dimension the gain in H is at most logarithmic in $n$: $$\frac{T_{\rm
          std}}{T_{\rm block}}\le1+\frac{b_0}{32},\qquad\text{and for}\quad d=8n,\quad n\ge2,\qquad
          b_0\le9(1+2\log_2n)+16+\frac{16}e\log_2e.$$ [proof; exact/gain in low dimension; exact/content in
          low dimension]
        (l) Measured, in runs that send real messages: <<the bits saved in V grow from $n=4$ to 8 with an
          exponent of at least -> run/measured bits>> {value:least_bits,2} <<(full profile, $n=4$ to 32:
          within -> run/measured bits>> {value:off_bits,2} <<of one), for equal nodes blocks save no bits ->
          run/measured bits>>. [run/measured bits]
        (m) Blocks are not needed for this gain where the curvature is spread over the coordinates, as <<with
          $U\mathbf L_iU^\top$ for the matrices of H, $U$ the normalised Hadamard matrix: the aware method
          with one step on a single block has the constants of varying steps and the ratio of (h), at $n=4$,
          $d=16$ and $128$, at $n=8$, $d=64$ and $512$, and at $n=16$, $d=256$ -> exact/rotated ratio>>.
          [exact/flat diagonal; exact/rotated constants; exact/rotated ratio]
        (n) Measured like (l), <<the rounds saved in V over the aware single step of
          `squant/finding-aware-sqrt-gain` grow from $n=3$ to 12 with an exponent from -> run/measured
          rounds>> {value:least_rounds,1} to {value:most_rounds,1} <<(full profile, $n=4$ to 32: from ->
          run/measured rounds>> {value:least_rounds,1} to {value:far_rounds,1}). [run/measured rounds]
        """
    ),
    variables=(
        *VARIABLES,
        Variable(step, "h", r"\mathbb R_{>0}", "step of the unaware method"),
        Variable(rho, r"\rho", r"\mathbb R_{>0}", "1 where one node dominates, at least $1/n$"),
        Variable(nu_B, r"\nu_B", r"\mathbb R_{>0}", "heavy blocks of a node, at most $n$"),
        Variable(content, "b_0", r"\mathbb R_{>0}", "content of a message: its bits without the norms"),
        INDICATOR,
        Variable(F, r"\|D_{#1,#2#2}\|_F", r"\mathbb R^{n\times n}_{\ge0}", "norms of blocks", "(n, n)"),
        Variable(Lcal, r"\mathcal L", r"\mathbb R^n_{\ge0}", "constants of the nodes with blocks", "(n,)"),
        Variable(heavy, r"i^\star", r"\mathbb N", "node of the largest constant"),
        Variable(L_std, r"\mathcal L_{\rm std}", r"\mathbb R_{>0}", "constant of the unaware method"),
        Variable(L_block, r"\mathcal L_{\rm block}", r"\mathbb R_{>0}", "largest constant with blocks"),
        Variable(T_std, r"T_{\rm std}", r"\mathbb R_{>0}", "total cost of the unaware method"),
        Variable(T_block, r"T_{\rm block}", r"\mathbb R_{>0}", "total cost with blocks"),
    ),
    notation={
        r"\mathbf L_{#1}": "smoothness matrix of a node",
        "b": "length of a message",
        "U": "an orthogonal matrix",
    },
    hypotheses=_HYPOTHESES,
    relations={
        "std": Relation((K_std, _STD), ("=",)),
        "block": Relation((K_block, _BLOCK), ("<=",)),
        "ratio": Relation((_BOUND, _GAIN), ("<=",)),
        "content": Relation((LEAST, CONTENT), ("<=",)),
        "longest": Relation((CONTENT, MOST), ("<=",), under=("two",)),
        "linear": Relation((_LINEAR, _BOUND), ("<=",)),
        **{name: Relation((_BOUND, limit), ("<=",)) for name, limit in _LIMITS.items()},
        "branch": Relation((sqrt(d) * step, d * step**2 / 4), ("<=",), under=("four",)),
        **{
            name: Relation(sides, ("=",), under=(name[0], f"{name[0]}-constants"))
            for name, sides in _VALUES.items()
        },
        **{
            f"{name}_gain": Relation(
                (low, _GAIN, high), ("<=", "<="), under=(name, f"{name}-constants", "large")
            )
            for name, (low, high) in _BETWEEN.items()
        },
        "H_low": Relation((_GAIN, 1 + content / 32), ("<=",), under=("H", "H-constants")),
        "low": Relation((content, _LOW), ("<=",), under=("low", "two", "most")),
    },
    formulas={
        "bound": _BOUND,
        "b0": CONTENT,
        "b0_lower": LEAST,
        "b0_upper": MOST,
        "b0_low": _LOW,
        "K_std": _STD,
        "K_block": _BLOCK,
        "linear_lower": _LINEAR,
        **_LIMITS,
        **{name: value for name, (_, value) in _VALUES.items()},
        **{f"{name}_least": low for name, (low, _) in _BETWEEN.items()},
        "H_low": 1 + content / 32,
        **_EXPONENTS,
    },
    internal=dict.fromkeys(_EXPONENTS, "measured; slots of parts (l) and (n)"),
    values=_EXPONENTS,
    worst_cases=cases(r"""
        family V, $n=4$, $d=8n^2$: one heavy node, $\rho=n/(2n-1)$, $\nu_B=(2n-1)/n$ | n = 4, d = 128,
          rho = 4/7, nu_B = 7/4 | 13/7
        family H, $n=4$, $d=8n^2$: one heavy block on each node, $\nu=n$ but $\rho\to1$ | n = 4, d = 128,
          rho = 16/19, nu_B = 19/16 | 49/19
        homogeneous nodes, $n=4$, $d=8n^2$: the blocks lose | n = 4, d = 128, rho = 1/4, nu_B = 4 | 2/9
    """),
)


def _four_nodes(name: str) -> dict[Any, Any]:
    """Return an instance with 36 coordinates in a block."""
    known, norms = FAMILIES[name].of_four(144)
    known |= {rho: 1 / (4 * known[L]), L_block: sum(norms[0]) / 6, T_block: 228 * known[K_block]}
    return {**known, beta: 36, step: Rational(1, 3), content: 100, nu_B: 5, heavy: 1, F: norms}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, BLOCKS)
    for values in (*map(_four_nodes, FAMILIES), {n: 2, d: 16, content: 50}):
        K.example(values)
    budget = [K.given("budget", 1), K.given("budget", 0)]
    unaware = [K.given("conditions", 0), K.given("unaware"), *budget]
    std = K.show("std", using=[*unaware, "rho"])
    node = heavy - 1
    total = Sum(LENGTH * F[node, l], BLOCKS)
    constant = K.cert(eq(L_block, total / beta), K.given("blocks", 5), K.at("blocks", node))
    block = K.show(
        "block", K.at("nu_B", node), using=[K.given("conditions", 1), constant, K.given("budget", 0), "rho"]
    )
    K.show("branch", "four", using=budget)
    for name, theorem in zip(("content", "longest"), bounds(K, K.given("n", 1), K.given("two")), strict=True):
        K.conclude(name, theorem)
    K.show("low", "most", using=["low"])
    _ratio(K, std, block)
    _families(K, unaware, constant)


def _ratio(K: Any, std: Any, block: Any) -> None:
    gain, share = 1 + 2 * n * rho, 1 / (1 + 2 * nu_B * rho)
    one, many = 32 + content, 32 * n + content
    costs = [K.given("costs", 0), K.given("costs", 1)]
    K.show("ratio", block, using=[*costs, std])
    K.show("linear", (share, one / many), (64 * n * rho * share / many, 1), "content")
    fewer, nodes, wasted = 32 * gain / many, K.given("n", 1), gain * one / many * 2 * nu_B * rho * share
    K.show("rho_limit", (fewer, nodes), (1, wasted))
    K.show("nu_limit", (gain * share / (2 * nu_B * rho), 1), (fewer * share, nodes))
    K.show("norm_limit", (1, wasted), (gain * one / (32 * n * many), content))


def _families(K: Any, unaware: Any, constant: Any) -> None:
    block_terms = [K.given("conditions", 1), constant, K.given("budget", 0)]
    scale, first, node = 2 / (n * mu), Integer(0), heavy - 1
    for name, family in FAMILIES.items():
        values = [K.given(f"{name}-constants", k) for k in range(3)]
        std, most = K.cert(eq(K_std, family.K_std), using=[*unaware, *values]), family.K_block
        using, gap = [*block_terms, *values], scale * (1 - family.rest)
        entries = (scale * LENGTH / beta, K.sum_over(K.at(K.given(name), node, l), BLOCKS))
        if name == "V":
            total = delta_total(K, BLOCKS, first)
            one = (gap, delta_at_most_one(K, BLOCKS, node, first))
            terms = entries, (gap * KroneckerDelta(node, first), total), one
            at_most = K.cert(le(K_block, most), *terms, using=using)
            at_least = K.cert(
                le(most, K_block),
                (scale, K.at(K.given("blocks", 1), first)),
                (-scale, K.at(K.given("blocks", 0), first)),
                (-scale * LENGTH / beta, K.sum_over(K.at(K.given(name), first, l), BLOCKS)),
                (-gap, total),
                using=using,
            )
            block = antisymmetry(K, K_block, most, at_most, at_least)
        else:
            block = K.cert(eq(K_block, most), entries, (gap, delta_total(K, BLOCKS, node)), using=using)
        if name != "equal":
            K.conclude(f"{name}_K_std", std)
            K.conclude(f"{name}_K_block", block)
            K.show(f"{name}_ratio", using=[std, block])
        _totals(K, name, [K.given("costs", 0), K.given("costs", 1), std, block])


def _totals(K: Any, name: str, using: Any) -> None:
    """The quotient of the lengths is at most 1, and at least (n + 2) / (3 n) from the content 16 n on."""
    (low, high), ratio, many = _BETWEEN[name], FAMILIES[name].ratio, 32 * n + content
    for side in fraction(ratio):
        K.know(K.cert(lt(0, side), (1, K.cert(le(1, side), *steps(side - 1)))))
    enough = K.cert(le(16 * n, content), "content", "large")
    least = [(ratio * (2 * n - 2) / (3 * n * many), enough), *steps(ratio * (n + 2) / (3 * n) - low)]
    most = [(ratio * 32 / many, n - 1), *steps(high - ratio)]
    K.show(f"{name}_gain", least, most, using=using)
    if name == "H":
        terms = (_LENGTHS / 32, content), *steps(n - ratio, _LENGTHS)
        K.show("H_low", *terms, using=using)
