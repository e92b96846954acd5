r"""`squant/finding-matched-budget`: the gain of order min(n, d) is an artefact of the matched budget.

About arXiv 2106.03524, derived here.
"""

from typing import Any

from sympy import Integer, Min, Rational, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import IsInteger, eq, le, lt
from theory.squant.paper import PAPER

n, d, L, mu, kappa, rho, nu_tr, nu_B, L_max = (
    Symbol(s, real=True) for s in ("n", "d", "L", "mu", "kappa", "rho", "nu_tr", "nu_B", "L_max")
)
T, T_std, T_vary, T_block = (Symbol(s, real=True) for s in ("T", "T_std", "T_vary", "T_block"))
_HALF = Rational(1, 2)

_STD = sqrt(32) + sqrt(2 * kappa * d * rho)
_AWARE = sqrt(32) + sqrt(2 * kappa * nu_tr * rho)
_BLOCK = sqrt(32 * n) + sqrt(2 * kappa * nu_B * rho * d / n)
_FEW = sqrt(32) + sqrt(2 * kappa * nu_B * rho)
_SMALLER = Min(n, d / n)
_GAIN = (_STD / _AWARE) ** 2
_GAIN_BLOCK = (_STD / _BLOCK) ** 2
_LOWER = 2 * kappa * rho * d / _AWARE**2
_BLOCK_LOWER = 2 * kappa * rho * _SMALLER / _FEW**2
_UPPER_NORMS = _STD**2 / (32 * n)
_UPPER_STEPS = n * _STD**2 / (2 * kappa * nu_B * rho * d)
_SIMILAR = 2 + kappa * d / (8 * n)
_EXPONENTS = {
    "matched": Rational(1, 2),
    "flat": Rational(1, 20),
    "order_d": Rational(19, 20),
    "wide_least": Rational(9, 10),
    "wide_most": Rational(11, 10),
    "narrow": Rational(1, 10),
    "similar": Rational(1, 10),
}


def _best(norms: Any, constant: Any) -> Any:
    """Return the cost of `squant/gain-optimal` with 32 bits for each norm and constant c."""
    return 2 * (sqrt(16 * norms * L) + sqrt(kappa * constant / n)) ** 2 / mu


_HYPOTHESES = {
    "n": Hypothesis("domain", (IsInteger(n), le(1, n)), r"$n\ge1$ is an integer"),
    "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
    "signs": Hypothesis(
        "domain",
        tuple(lt(0, item) for item in (L, mu, kappa, rho, nu_tr, nu_B, T, T_vary, T_block)),
        "matrices, constants and costs are positive",
    ),
    "rho": Hypothesis("definition", eq(L_max, rho * n * L), r"$L_{\max}=\rho nL$"),
    "std": Hypothesis(
        "definition",
        eq(T_std, _best(1, d * L_max)),
        r"the best cost of `squant/gain-optimal` at $c=dL_{\max}$",
    ),
    "vary": Hypothesis(
        "definition",
        eq(T_vary, _best(1, nu_tr * L_max)),
        "the best cost at one norm and the largest trace as $c$",
    ),
    "block": Hypothesis(
        "definition",
        eq(T_block, _best(n, nu_B * L_max * d / n)),
        r"the best cost at $n$ norms and $c=\nu_BL_{\max}d/n$",
    ),
    "trace": Hypothesis(
        "model", le(1, nu_tr), r"$1\le\nu_{\rm tr}$: a trace is at least the largest eigenvalue"
    ),
    "similar": Hypothesis("parameter", eq(rho, 1 / n), r"$\rho=\frac1n$"),
    "one-norm": Hypothesis("parameter", le(32 * L / mu, T), r"$\frac{32L}\mu\le T$"),
}

CLAIM = Claim(
    id="squant/finding-matched-budget",
    kind="finding",
    provenance="derived",
    title="At best budgets the gain of varying steps is of order d, whatever n",
    position=23,
    paper=PAPER,
    setting=(
        r"$T_{\rm std}$, $T_{\rm vary}$ and $T_{\rm block}$ are the costs in bits of DCGD with a uniform "
        r"step, of DCGD+ with varying steps, and of DCGD+ with $n$ equal blocks, each at its own best budget "
        r"(`squant/gain-optimal`): a norm takes 32 bits, a unit of budget $\kappa$ bits for all methods, "
        r"and the coarse branches stand for the variance constants. $L_{\max}=\rho nL$; $\nu_{\rm tr}$, "
        r"$\nu_B$ are those of `squant/nu`."
    ),
    parts=(
        Part(
            "a",
            r"$$\frac{T_{\rm std}}{T_{\rm vary}}=\Big(\frac{\sqrt{32}+\sqrt{2\kappa "
            r"d\rho}}{\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho}}\Big)^2,\qquad\frac{T_{\rm std}}{T_{\rm "
            r"block}}=\Big(\frac{\sqrt{32}+\sqrt{2\kappa d\rho}}{\sqrt{32n}+\sqrt{2\kappa\nu_B\rho "
            r"d/n}}\Big)^2.$$",
            says=("gain-vary", "gain-block"),
            evidence=("proof", "exact/gain of varying steps", "exact/gain of blocks"),
        ),
        Part(
            "b",
            r"Varying steps gain a factor of order $d$ where $\rho$ is bounded from below and $\nu_{\rm "
            r"tr}$ is "
            r"bounded, whatever $n$: $$\frac{2\kappa\rho "
            r"d}{(\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho})^2}\le\frac{T_{\rm std}}{T_{\rm vary}}\le d.$$",
            says=("vary",),
            evidence=("proof", "exact/gain, from below", "exact/gain, from above"),
            pins={
                "Varying steps gain a factor of order": "exact/gain, from below",
                "whatever": "exact/gain, from below",
            },
        ),
        Part(
            "c",
            r"With blocks the gain is at least of order $\min\{n,d/n\}$ where $\rho$ is bounded from below "
            r"and "
            r"$\nu_B$ is bounded: "
            r"$$\frac{2\kappa\rho\min\{n,d/n\}}{(\sqrt{32}+\sqrt{2\kappa\nu_B\rho})^2}\le\frac{T_{\rm "
            r"std}}{T_{\rm block}}.$$",
            says=("block-lower",),
            evidence=("proof", "exact/gain of blocks, from below"),
            pins={r"at least of order $\min\{n,d/n\}$": "exact/gain of blocks, from below"},
        ),
        Part(
            "d",
            r"It is at most $$\frac{T_{\rm std}}{T_{\rm block}}\le\frac{(\sqrt{32}+\sqrt{2\kappa "
            r"d\rho})^2}{32n},\qquad\frac{T_{\rm std}}{T_{\rm block}}\le\frac{n(\sqrt{32}+\sqrt{2\kappa "
            r"d\rho})^2}{2\kappa\nu_B\rho d}.$$",
            says=("block-norms", "block-steps"),
            evidence=("proof", "exact/gain of blocks, norms", "exact/gain of blocks, steps"),
        ),
        Part(
            "e",
            r"For statistically similar nodes, $\rho=\frac1n$, no method with $\frac{32L}\mu\le T$ (the "
            r"bits of one norm in each round) gains more than $$\frac{T_{\rm std}}T\le2+\frac{\kappa "
            r"d}{8n}.$$",
            says=("similar",),
            evidence=("proof", "exact/gain of similar nodes"),
            pins={
                "For statistically similar nodes": "exact/gain of similar nodes",
                "no method": "exact/gain of similar nodes",
            },
        ),
        Part(
            "f",
            r"In family W with 64 coordinates the exponent in the number of nodes (4, 16, 64) is at least "
            r"{value:matched} at the matched budget of `squant/gain-vary` and within {value:flat} of 0 at "
            r"best budgets; with 16 nodes the exponent in $d$ is between {value:order_d} and 1.",
            evidence=(
                "exact/exponent in n at the matched budget, from below",
                "exact/exponent in n at best budgets, from below",
                "exact/exponent in n at best budgets, from above",
                "exact/exponent in d at best budgets, from below",
                "exact/exponent in d at best budgets, from above",
            ),
            pins={
                "In family W with 64 coordinates the exponent in the number of nodes (4, 16, 64)": (
                    "exact/exponent in n at the matched budget, from below"
                ),
                "of 0 at best budgets; with 16 nodes": "exact/exponent in n at best budgets, from above",
                "and 1": "exact/exponent in d at best budgets, from above",
            },
        ),
        Part(
            "g",
            r"In family V with $n$ blocks the exponent in $n$ is between {value:wide_least} and "
            r"{value:wide_most} for $d=8n^2$, at most {value:narrow} for $d=8n$. Where all matrices are "
            r"$I$ and $d=n$, a method with the constant of one coordinate has at most the exponent "
            r"{value:similar}.",
            evidence=(
                "exact/exponent in n of blocks, wide, from below",
                "exact/exponent in n of blocks, wide, from above",
                "exact/exponent in n of blocks, narrow, from above",
                "exact/exponent in d for similar nodes, from above",
            ),
            pins={
                r"for $d=8n^2$": "exact/exponent in n of blocks, wide, from below",
                r"for $d=8n$": "exact/exponent in n of blocks, narrow, from above",
                r"Where all matrices are $I$ and $d=n$": "exact/exponent in d for similar nodes, from above",
            },
        ),
    ),
    variables=(
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", "bits per unit of budget"),
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
        Variable(L_max, r"L_{\max}", "[L,nL]", r"largest eigenvalue of a node"),
        Variable(rho, r"\rho", "[1/n,1]", r"$L_{\max}/(nL)$, 1 where one node dominates"),
        Variable(nu_tr, r"\nu_{\rm tr}", "[1,d]", r"largest trace over $L_{\max}$"),
        Variable(nu_B, r"\nu_B", r"\mathbb R_{>0}", "heavy blocks of a node, at $n$ equal blocks"),
        Variable(T_std, r"T_{\rm std}", r"\mathbb R_{>0}", "best cost of DCGD"),
        Variable(T_vary, r"T_{\rm vary}", r"\mathbb R_{>0}", "best cost with varying steps"),
        Variable(T_block, r"T_{\rm block}", r"\mathbb R_{>0}", "best cost with blocks"),
        Variable(T, "T", r"\mathbb R_{>0}", "cost of some method"),
    ),
    notation={"I": "identity matrix", "c": "constant of `squant/gain-optimal`"},
    hypotheses=_HYPOTHESES,
    relations={
        "gain-vary": Relation((T_std / T_vary, _GAIN), ("=",)),
        "gain-block": Relation((T_std / T_block, _GAIN_BLOCK), ("=",)),
        "vary": Relation((_LOWER, T_std / T_vary, d), ("<=", "<=")),
        "block-lower": Relation((_BLOCK_LOWER, T_std / T_block), ("<=",)),
        "block-norms": Relation((T_std / T_block, _UPPER_NORMS), ("<=",)),
        "block-steps": Relation((T_std / T_block, _UPPER_STEPS), ("<=",)),
        "similar": Relation((T_std / T, _SIMILAR), ("<=",), under=("similar", "one-norm")),
    },
    formulas={
        "exact": _GAIN,
        "gain_vary": _GAIN,
        "gain_block": _GAIN_BLOCK,
        "vary_lower": _LOWER,
        "vary_upper": d,
        "similar_upper": _SIMILAR,
        "block_lower": _BLOCK_LOWER,
        "block_upper_norms": _UPPER_NORMS,
        "block_upper_steps": _UPPER_STEPS,
        **_EXPONENTS,
    },
    internal=dict.fromkeys(_EXPONENTS, "an exponent of the last parts"),
    values=_EXPONENTS,
    worst_cases=(
        WorstCase(
            r"one node dominates, $d=64$, $\kappa=8$: the gain is 11.0784271247462 for every $n$",
            {"kappa": 8, "d": 64, "rho": 1, "nu_tr": 2},
        ),
        WorstCase(
            r"$d=8n$, $\nu_B=2$, $n=1024$: $n$ blocks gain 1.85078691002758 only",
            {"kappa": 8, "d": 8192, "n": 1024, "rho": Rational(1, 2), "nu_B": 2},
        ),
        WorstCase(
            r"similar nodes, $n=d=1024$: the bound is 3",
            {"kappa": 8, "d": 1024, "n": 1024, "rho": Rational(1, 1024), "nu_tr": 1},
            Integer(3),
        ),
    ),
)

_EXAMPLE = {
    **dict.fromkeys((n, L, mu, kappa, rho, nu_tr, nu_B, L_max), 1),
    **{d: 4, T: 50, T_std: 72, T_vary: 50, T_block: 72},
}


def derive(K: Any) -> None:
    """Prove the relations: roots of products are products of roots, all else are differences of squares."""
    K.example(_EXAMPLE)
    few, short = K.axiom("min-below-left", n, d / n), K.axiom("min-below-right", n, d / n)
    K.know(few, short, K.axiom("min-greatest", n, d / n, 0))
    std = _cost(K, "std", T_std, Integer(1), d)
    vary = _cost(K, "vary", T_vary, Integer(1), nu_tr)
    block = _cost(K, "block", T_block, n, nu_B * d / n)
    gain = K.cert(eq(T_std / T_vary, _GAIN), (1 / T_vary, std), (-_GAIN / T_vary, vary))
    of_blocks = K.cert(eq(T_std / T_block, _GAIN_BLOCK), (1 / T_block, std), (-_GAIN_BLOCK / T_block, block))
    K.conclude("gain-vary", gain)
    K.conclude("gain-block", of_blocks)
    rest = 32 + 16 * sqrt(d * kappa * rho)  # of the square of _STD
    lower = K.cert(le(_LOWER, T_std / T_vary), (-1, gain), (1 / _AWARE**2, rest))
    K.conclude("vary", lower, _upper(K, gain))
    least = K.cert(
        le(_BLOCK_LOWER, T_std / T_block),
        (-1, of_blocks),
        (1 / _BLOCK**2, rest),
        (2 * kappa * rho / (_BLOCK * _FEW) ** 2, _denominators(K, few, short)),
    )
    K.conclude("block-lower", least)
    norms, steps, mixed = (
        32 * n,
        2 * kappa * nu_B * rho * d / n,
        16 * sqrt(n) * sqrt(kappa * nu_B * rho * d / n),
    )
    for name, kept, dropped in (("block-norms", norms, steps), ("block-steps", steps, norms)):
        bound = _STD**2 / kept
        K.conclude(
            name,
            K.cert(
                le(T_std / T_block, bound),
                (1, of_blocks),
                (bound / _BLOCK**2, mixed),
                (bound / _BLOCK**2, dropped),
            ),
        )
    similar = K.cert(
        le(T_std / T, _SIMILAR),
        (1 / T, std),
        (_SIMILAR / T, K.given("one-norm")),
        (2 * L / (mu * T), (4 - sqrt(d * kappa * rho)) ** 2),
        using=[K.given("similar")],
    )
    K.conclude("similar", similar)


def _cost(K: Any, name: str, cost: Any, norms: Any, share: Any) -> Any:
    """Return that a best cost is L/mu times the square of a sum of roots, of 32 norms and of the budget."""
    second = kappa * share * rho
    reduced, whole = 4 * sqrt(norms) + sqrt(second), 4 * sqrt(norms * L) + sqrt(kappa * share * L_max / n)
    factor = 2 * (sqrt(L) * reduced + whole) / mu
    return K.cert(
        eq(cost, 2 * L * reduced**2 / mu),
        (1, K.given(name)),
        (4 * factor, K.axiom("root-product", norms, L, _HALF)),
        (factor, K.axiom("root-product", second, L, _HALF)),
        using=[K.given("rho")],
    )


def _upper(K: Any, gain: Any) -> Any:
    """Return that varying steps gain at most d, since d and nu_tr are at least 1."""
    inner = kappa * nu_tr * rho
    below = K.cert(le(d * kappa * rho, d * inner), (d * kappa * rho, K.given("trace")))
    factor = sqrt(2) * (sqrt(d) * _AWARE + _STD) / _AWARE**2
    return K.cert(
        le(T_std / T_vary, d),
        (1, gain),
        (4 * factor, K.power(K.given("d", 1), _HALF)),
        (factor, K.power(below, _HALF)),
        (factor, K.axiom("root-product", d, inner, _HALF)),
    )


def _denominators(K: Any, few: Any, short: Any) -> Any:
    """Return that min(n, d/n) times the square of _BLOCK is at most d times that of _FEW."""
    inner = kappa * nu_B * rho
    square = K.cert(le(_SMALLER**2, d), (d / n, few), (_SMALLER, short))
    root = K.cert(
        le(_SMALLER, sqrt(d)), (1, K.power(square, _HALF)), (-1, K.axiom("abs-of-nonnegative", _SMALLER))
    )
    return K.cert(
        le(_SMALLER * _BLOCK**2, d * _FEW**2),
        (32 * n, short),
        (2 * inner * d / n, few),
        (16 * sqrt(inner) * sqrt(d), root),
        (16 * _SMALLER, K.axiom("root-product", inner, d, _HALF)),
        (-16 * _SMALLER, K.axiom("root-product", n, inner * d / n, _HALF)),
    )
