r"""`squant/finding-matched-budget`: the gain of order min(n, d) is an artefact of the matched budget.

About arXiv 2106.03524, derived here.
"""

from typing import Any

from sympy import Integer, Min, Rational, expand, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.minimum import below_minimum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, mu, kappa, rho, nu_tr, nu_B, L_max = symbols("n d L mu kappa rho nu_tr nu_B L_max", real=True)
T, T_std, T_vary, T_block = symbols("T T_std T_vary T_block", real=True)
_HALF = Rational(1, 2)


def _root(norms: Any, share: Any) -> Any:
    return sqrt(32 * norms) + sqrt(2 * kappa * share)


_OF_STD, _OF_AWARE, _OF_BLOCK = (1, d * rho), (1, nu_tr * rho), (n, nu_B * rho * d / n)
_OF_FEW, _OF_UNIT = (1, nu_B * rho), (1, Integer(1))
_STD, _AWARE, _BLOCK, _FEW, _UNIT = (_root(*x) for x in (_OF_STD, _OF_AWARE, _OF_BLOCK, _OF_FEW, _OF_UNIT))
_SMALLER, _NODES = Min(n, d / n), Min(n, d)
_GAIN, _GAIN_BLOCK = (_STD / _AWARE) ** 2, (_STD / _BLOCK) ** 2
_LOWER = 2 * kappa * rho * d / _AWARE**2
_BLOCK_LOWER = 2 * kappa * rho * _SMALLER / _FEW**2
_UPPER_NORMS = _STD**2 / (32 * n)
_UPPER_STEPS = n * _STD**2 / (2 * kappa * nu_B * rho * d)
_SIMILAR = 2 + kappa * d / (8 * n)
_MATCHED = (1 + 2 * _NODES * rho) / (1 + 2 * nu_tr * rho * _NODES / d)
_W_LOWER = kappa * d / _UNIT**2
_V_LOWER, _V_UPPER = kappa * _SMALLER / _UNIT**2, _UNIT**2 * Min(n / (2 * kappa), d / (32 * n))


_HYPOTHESES = {
    "n": domain(r"$n\ge1$ is an integer"),
    "d": domain(r"$d\ge1$ is an integer"),
    "signs": domain(r"$L,\mu,\kappa,\rho,\nu_{\rm tr},\nu_B,T,T_{\rm vary},T_{\rm block}>0$"),
    "rho": definition(r"$L_{\max}=\rho nL$"),
    "std": definition(
        r"$T_{\rm std}=\frac2\mu(\sqrt{16L}+\sqrt{\kappa dL_{\max}/n})^2$ (`squant/gain-optimal`)"
    ),
    "vary": definition(
        r"$T_{\rm vary}=\frac2\mu(\sqrt{16L}+\sqrt{\kappa\nu_{\rm tr}L_{\max}/n})^2$ (`squant/gain-optimal`)"
    ),
    "block": definition(
        r"$T_{\rm block}=\frac2\mu(\sqrt{16nL}+\sqrt{\kappa\nu_BL_{\max}d/n^2})^2$ (`squant/gain-optimal`)"
    ),
    "trace": model(r"$1\le\nu_{\rm tr}$ (the trace of a matrix bounds its eigenvalues)"),
    "similar": parameter(r"$\rho=\frac1n$"),
    "one-norm": parameter(r"$\frac{32L}\mu\le T$"),
    "W": model(
        r"$L=(1+\frac{n-1}{nd})\frac{L_{\max}}n$, $\nu_{\rm tr}=1+\sum_{j=2}^d\frac1{nd}$, since the "
        "matrices are those of family W"
    ),
    "V": model(
        r"$L=(1+\frac{n-1}n)\frac{L_{\max}}n$, $\nu_B=1+\sum_{l=2}^n\frac1n$, since the matrices are those "
        "of family V"
    ),
}

CLAIM = Claim(
    id="squant/finding-matched-budget",
    kind="finding",
    provenance="derived",
    title="At best budgets varying steps gain order d, whatever n, if one node dominates in few coordinates",
    position=23,
    paper=PAPER,
    **statement(
        r"""
        $T_{\rm std}$, $T_{\rm vary}$ and $T_{\rm block}$ are the costs in bits of DCGD with a uniform step,
        of DCGD+ with varying steps, and of DCGD+ with $n$ equal blocks, each at its own best budget
        (`squant/gain-optimal`): a norm takes 32 bits, a unit of budget $\kappa$ bits for all methods, and
        the coarse branches stand for the variance constants. $L_{\max}=\rho nL$; $\nu_{\rm tr}$, $\nu_B$
        are those of `squant/nu`.
        (a: gain-vary, gain-block) $$\frac{T_{\rm std}}{T_{\rm vary}}=\Big(\frac{\sqrt{32}+\sqrt{2\kappa
          d\rho}}{\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho}}\Big)^2,\qquad\frac{T_{\rm std}}{T_{\rm
          block}}=\Big(\frac{\sqrt{32}+\sqrt{2\kappa d\rho}}{\sqrt{32n}+\sqrt{2\kappa\nu_B\rho
          d/n}}\Big)^2.$$ [proof; exact/gain of varying steps; exact/gain of blocks]
        (b: vary) Varying steps gain a factor of order $d$ where $\rho$ is bounded from below and $\nu_{\rm
          tr}$ is bounded, whatever $n$: $$\frac{2\kappa\rho d}{(\sqrt{32}+\sqrt{2\kappa\nu_{\rm
          tr}\rho})^2}\le\frac{T_{\rm std}}{T_{\rm vary}}\le d.$$ [proof; exact/gain, from below;
          exact/gain, from above]
        (c: block-lower) With blocks the gain is <<at least of order $\min\{n,d/n\}$ -> exact/gain of
          blocks, from below>> where $\rho$ is bounded from below and $\nu_B$ is bounded:
          $$\frac{2\kappa\rho\min\{n,d/n\}}{(\sqrt{32}+\sqrt{2\kappa\nu_B\rho})^2}\le\frac{T_{\rm
          std}}{T_{\rm block}}.$$ [proof; exact/gain of blocks, from below]
        (d: block-norms, block-steps) It is at most $$\frac{T_{\rm std}}{T_{\rm
          block}}\le\frac{(\sqrt{32}+\sqrt{2\kappa d\rho})^2}{32n},\qquad\frac{T_{\rm std}}{T_{\rm
          block}}\le\frac{n(\sqrt{32}+\sqrt{2\kappa d\rho})^2}{2\kappa\nu_B\rho d}.$$ [proof; exact/gain of
          blocks, norms; exact/gain of blocks, steps]
        (e: similar) For statistically similar nodes, $\rho=\frac1n$, no method with $\frac{32L}\mu\le T$
          (the bits of one norm in each round) gains more than $$\frac{T_{\rm std}}T\le2+\frac{\kappa
          d}{8n}.$$ [proof; exact/gain of similar nodes]
        (f: matched) In family W one node has $L_{\max}$ at one coordinate, all other entries of all nodes
          are <<$\frac{L_{\max}}{nd}$ -> exact/gain at the matched budget, from below>>. At the matched
          budget of `squant/gain-vary` the gain in rounds then satisfies
          $$\frac{\min\{n,d\}}3\le\frac{1+2\min\{n,d\}\rho}{1+2\nu_{\rm
          tr}\rho\min\{n,d\}/d}\le3\min\{n,d\}.$$ [proof; exact/*at the matched budget*]
        (g: W) At best budgets varying steps gain in W a factor of order $d$, whatever $n$: $$\frac{\kappa
          d}{(\sqrt{32}+\sqrt{2\kappa})^2}\le\frac{T_{\rm std}}{T_{\rm vary}}\le d.$$ [proof; exact/gain in
          family W]
        (h: V) In family V one node has $L_{\max}$ on one of $n$ blocks, all other entries of all nodes are
          <<$\frac{L_{\max}}n$ -> exact/gain in family V, from below>>. There the gain of blocks satisfies
          $$\frac{\kappa\min\{n,d/n\}}{(\sqrt{32}+\sqrt{2\kappa})^2}\le\frac{T_{\rm std}}{T_{\rm
          block}}\le(\sqrt{32}+\sqrt{2\kappa})^2\min\Big\{\frac n{2\kappa},\frac d{32n}\Big\}.$$ [proof;
          exact/gain in family V, *]
        """
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
    notation={"c": "constant of `squant/gain-optimal`"},
    hypotheses=_HYPOTHESES,
    relations={
        "gain-vary": Relation((T_std / T_vary, _GAIN), ("=",)),
        "gain-block": Relation((T_std / T_block, _GAIN_BLOCK), ("=",)),
        "vary": Relation((_LOWER, T_std / T_vary, d), ("<=", "<=")),
        "block-lower": Relation((_BLOCK_LOWER, T_std / T_block), ("<=",)),
        "block-norms": Relation((T_std / T_block, _UPPER_NORMS), ("<=",)),
        "block-steps": Relation((T_std / T_block, _UPPER_STEPS), ("<=",)),
        "similar": Relation((T_std / T, _SIMILAR), ("<=",), under=("similar", "one-norm")),
        "matched": Relation((_NODES / 3, _MATCHED, 3 * _NODES), ("<=", "<="), under=("W",)),
        "W": Relation((_W_LOWER, T_std / T_vary, d), ("<=", "<="), under=("W",)),
        "V": Relation((_V_LOWER, T_std / T_block, _V_UPPER), ("<=", "<="), under=("V",)),
    },
    formulas={
        "exact": _GAIN,
        "gain_block": _GAIN_BLOCK,
        "vary_lower": _LOWER,
        "vary_upper": d,
        "similar_upper": _SIMILAR,
        "block_lower": _BLOCK_LOWER,
        "block_upper_norms": _UPPER_NORMS,
        "block_upper_steps": _UPPER_STEPS,
        "matched": _MATCHED,
        "matched_lower": _NODES / 3,
        "matched_upper": 3 * _NODES,
        "W_lower": _W_LOWER,
        "V_lower": _V_LOWER,
        "V_upper": _V_UPPER,
    },
    worst_cases=cases(r"""
        one node dominates, $d=64$, $\kappa=8$: the same gain for every $n$ | kappa = 8, d = 64, rho = 1,
          nu_tr = 2 | (32 + 4 * sqrt(2))**2 / 128
        $d=8n$, $\nu_B=2$, $n=1024$: the gain of $n$ blocks | kappa = 8, d = 8192, n = 1024, rho = 1/2,
          nu_B = 2 | (256 + 4 * sqrt(2))**2 / 36992
        similar nodes, $n=d=1024$ | kappa = 8, d = 1024, n = 1024, rho = 1/1024, nu_tr = 1 | 3
    """),
)

_F = Rational
# Four nodes; two nodes of family W; 25 blocks of family V; four similar nodes.
_EXAMPLES = (
    (4, 12, _F(1, 4), _HALF, _HALF, 6, 3, _F(36, 25), 196, _F(13456, 25)),
    (2, 3, _F(49, 4), 21, _F(6, 7), 14, _F(4, 3), 5, 12544, 7),
    (25, 50, _F(49, 625), 1, _F(25, 49), 2, 3, _F(49, 25), 7, _F(379456, 625)),
    (4, 9, 9, 9, _F(1, 4), 4, 3, 2, 7, 8),
)


def derive(K: Any) -> None:
    """Prove the relations: roots of products are products of roots, all else are differences of squares."""
    names = (n, d, L, L_max, rho, kappa, nu_tr, nu_B, T_vary, T_block)
    for values in _EXAMPLES:
        K.example({mu: _F(1, 8), T: 3000, **dict(zip(names, values, strict=True))})
    few, short = K.axiom("min-below-left", n, d / n), K.axiom("min-below-right", n, d / n)
    K.know(K.sign(lt(0, _SMALLER)))
    std = _cost(K, "std", T_std, Integer(1), d)
    vary = _cost(K, "vary", T_vary, Integer(1), nu_tr)
    block = _cost(K, "block", T_block, n, nu_B * d / n)
    gain = K.show("gain-vary", std, vary)
    of_blocks = K.show("gain-block", std, block)
    rest = expand(_STD**2) - 2 * kappa * d * rho
    share = K.cert(le(kappa * d * rho, kappa * d * nu_tr * rho), "trace")
    at_most = _below(K, _OF_STD, _OF_AWARE, d, K.given("d", 1), share)
    lower, upper = K.show("vary", [gain], [gain, at_most])
    first = K.cert(le(n, d / _SMALLER), short)
    inner = kappa * nu_B * rho * d
    second = K.cert(le(inner / n, inner / _SMALLER), few)
    few_blocks = _below(K, _OF_BLOCK, _OF_FEW, d / _SMALLER, first, second)
    terms = (-1, of_blocks), (1 / _BLOCK**2, rest), (_BLOCK_LOWER / _BLOCK**2, few_blocks)
    least = K.show("block-lower", *terms)
    most = [K.show(name, of_blocks) for name in ("block-norms", "block-steps")]
    square = 2 * L / (mu * T), (4 - sqrt(d * kappa * rho)) ** 2
    terms = (1 / T, std), (_SIMILAR / T, K.given("one-norm")), square
    K.show("similar", *terms, using=["similar"])
    _family_w(K, lower, upper)
    _family_v(K, least, most)


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
        using=["rho"],
    )


def _below(K: Any, left: Any, right: Any, factor: Any, norms: Any, shares: Any) -> Any:
    """Return that the square of a sum of roots is at most a multiple of another one, term by term."""
    both = sqrt(factor) * _root(*right) + _root(*left)
    return K.cert(
        le(_root(*left) ** 2, factor * _root(*right) ** 2),
        (sqrt(32) * both, K.power(norms, _HALF)),
        K.power(shares, _HALF),
        (sqrt(2) * both, K.axiom("root-product", factor, kappa * right[1], _HALF)),
        (both * _root(*right), K.axiom("root-product", *factor.as_coeff_Mul(), _HALF)),
    )


def _heavy(K: Any, name: str, inverse: Any, heavy: Any, size: Any) -> tuple[Any, ...]:
    """Return the constants of a family, and that rho is at least 1/2 and at most 1."""
    mean = inverse + n - 1
    found = K.cert(eq(heavy, 1 + (size - 1) / inverse), K.given(name, 1))
    share = K.cert(eq(rho, inverse / mean), (-1 / (n * L), K.given("rho")), using=[K.given(name)])
    half = K.cert(le(_HALF, rho), (n / (2 * mean), inverse / n - 1), (1 / (2 * mean), 1), using=[share])
    return found, share, half, K.cert(le(rho, 1), K.given("n", 1), using=[share])


def _family_w(K: Any, lower: Any, upper: Any) -> None:
    trace, _, half, one = _heavy(K, "W", n * d, nu_tr, d)
    two = K.cert(le(nu_tr, 2), K.given("n", 1), (1 / (n * d), 1), using=[trace])
    below, least = K.axiom("min-below-right", n, d), K.axiom("min-greatest", n, d, 1)
    K.know(least)
    vary = 1 + 2 * nu_tr * rho * _NODES / d
    share = 2 * _NODES / (3 * vary)
    terms = (share * nu_tr * rho / d, below), (share, half), (share * rho, two), (1 / vary, 1)
    over = (1 / vary, least), (3 * share, one), (9 * share * _NODES * nu_tr * rho / d, 1)
    K.show("matched", [*terms], K.cert(le(_MATCHED, 3 * _NODES), *over))
    first = K.cert(le(1, 2 * rho), half)
    second = K.cert(le(kappa * nu_tr * rho, 2 * rho * kappa), two)
    aware = _below(K, _OF_AWARE, _OF_UNIT, 2 * rho, first, second)
    K.show("W", [lower, aware], upper)


def _family_v(K: Any, least: Any, most: Any) -> None:
    heavy, share, _, one = _heavy(K, "V", n, nu_B, n)
    values, gain, unit = [heavy, share], T_std / T_block, _UNIT**2
    lower = K.cert(le(_V_LOWER, gain), least, using=values)
    whole = _below(K, _OF_STD, _OF_UNIT, d, K.given("d", 1), K.cert(le(kappa * d * rho, kappa * d), one))
    few, many = d / (32 * n), n / (2 * kappa)
    norms = K.cert(le(gain, few * unit), most[0], whole)
    steps = K.cert(le(gain, many * unit), most[1], whole, using=values)
    K.conclude("V", lower, below_minimum(K, gain, many, few, unit, (steps, norms)))
