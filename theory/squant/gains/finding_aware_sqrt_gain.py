r"""`squant/finding-aware-sqrt-gain`: blocks gain $\sqrt n$ over one aware step (about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Hypothesis, Relation, Variable
from theory.facts.sums.coordinate_vector import picked
from theory.facts.sums.sum_of_squares import sum_of_squares
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model
from theory.indicator import INDICATOR
from theory.squant.gains.families import BLOCKS, FAMILIES, LENGTH, SIZES, VARIABLES, steps
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, mu, l, i, one = symbols("n d L mu l i m", real=True)
largest, beta, c_plus, c_block, P, Q = symbols("L_max beta c_plus c_block P Q", real=True)
K_std, K_plus, K_block = symbols("K_std K_plus K_block", real=True)
F = IndexedBase("F", real=True)

_HALF = Rational(1, 2)
_ONE = one - 1
# Of each family, K_plus = a + b sqrt(n weight), K_std = a + b n and K_block = 3 a.
_BASE = {"V": ((2 * n - 1) / n, Integer(2)), "H": (Integer(1), 2 * n**2 / (n**2 + n - 1))}
_WEIGHTS = {name: 1 + (n - 1) * FAMILIES[name].rest ** 2 for name in _BASE}
_ROOTS = {"V": sqrt(n + (n - 1) / n), "H": sqrt(n + (n - 1) / n**3)}
_SIDES = {
    f"{name}_{key}": sides
    for name, least, aware in (("V", Rational(1, 3), Rational(3, 4)), ("H", Rational(8, 15), Rational(5, 6)))
    for a, b in (_BASE[name],)
    for key, *sides in (
        ("plus", K_plus, a + b * _ROOTS[name]),
        ("std", K_std, FAMILIES[name].K_std),
        ("plus_block", K_plus / K_block, Rational(1, 3) + b * _ROOTS[name] / (3 * a)),
        ("least", least * sqrt(n), K_plus / K_block),
        ("aware", aware * sqrt(n), K_std / K_plus, sqrt(n)),
    )
}
_OPERATORS = {"least": ("<=",), "aware": ("<=", "<=")}
_STATED = {name: sides[name[2:] not in _OPERATORS] for name, sides in _SIDES.items()}


def _family(name: str) -> dict[str, Hypothesis]:
    """Return the hypotheses that the node is a heavy one of a family, and what its constants are."""
    family = FAMILIES[name]
    return {
        name: model(family.of_heavy),
        f"{name}-constants": model(rf"{family.said}, $Q=c_{{\rm block}}/\beta$"),
    }


_HYPOTHESES = {
    **SIZES,
    "signs": domain(r"$L,\mu,L_{\max},\beta,K_{\rm plus},K_{\rm block}>0$"),
    "norms": domain(r"$\|D_{ll}\|_F\ge0$"),
    "budget": definition(r"$\beta=d/n$"),
    "constants": definition(
        r"$c_{\rm plus}=\sqrt d\sqrt{\sum_l\|D_{ll}\|_F^2}$, $c_{\rm block}=\sum_l\sqrt{d/n}\|D_{ll}\|_F$"
    ),
    "largest": model(
        r"$P=\frac{c_{\rm plus}}\beta$, $\frac{c_{\rm block}}\beta\le Q$ (the coarse bound)",
        reference="squant/bounds, squant/steps",
    ),
    "conditions": definition(
        r"$K_{\rm std}=\frac{L+2L_{\max}}\mu$, $K_{\rm plus}=\frac{L+2P/n}\mu$ and $K_{\rm "
        r"block}=\frac{L+2Q/n}\mu$ (`squant/dcgd`, at the coarse bounds)"
    ),
    "one": definition(r"$1\le m\le n$ is an integer; $\|D_{ll}\|_F=\|D_{mm}\|_F\mathbb I(l,m)$"),
    **{key: item for name in _BASE for key, item in _family(name).items()},
}

CLAIM = Claim(
    id="squant/finding-aware-sqrt-gain",
    kind="finding",
    provenance="derived",
    title="Against the smoothness-aware single step, blocks gain only the square root of n",
    position=18,
    paper=PAPER,
    **statement(
        r"""
        The gain of `squant/gain-block` needs the unaware method, of condition number $K_{\rm std}$, as the
        one compared with. Here it is the smoothness-aware method with one step for all coordinates, at the
        same budget $\beta=d/n$, with $n$ equal blocks on the other side. $K_{\rm plus}$ and $K_{\rm block}$
        are the condition numbers at the constants $c_{\rm plus}/\beta$ and $c_{\rm block}/\beta$ of the
        coarse bound.
        (a: constants) <<For all matrices -> exact/c_plus>>, $c_{\rm plus}\le\sqrt n\,c_{\rm block}$.
          [proof; exact/c_plus]
        (b: one-block) It is attained where <<only one block counts: if all other blocks have the norm 0 ->
          exact/one block>>, then $c_{\rm plus}=\sqrt n\,c_{\rm block}$. [proof; exact/one block]
        (c: conditions) Hence $K_{\rm plus}\le\sqrt n\,K_{\rm block}$. [proof; exact/gain of the blocks]
        (d: V_plus, V_std, V_plus_block) Family V, <<the heavy node with 1 on one block and all other
          entries $\frac1n$ -> exact/closed form>>: $K_{\rm plus}=\frac{2n-1}n+2\sqrt{n+\frac{n-1}n}$,
          $K_{\rm std}=\frac{2n-1}n+2n$, $\frac{K_{\rm plus}}{K_{\rm
          block}}=\frac13+\frac{2n\sqrt{n+\frac{n-1}n}}{3(2n-1)}$. [proof; exact/closed form]
        (e: V_least) There the blocks gain $\frac{\sqrt n}3\le\frac{K_{\rm plus}}{K_{\rm block}}$. [proof;
          exact/least gain of the blocks]
        (f: H_plus, H_std, H_plus_block) Family H, <<each node with 1 on one block and all other entries
          $n^{-2}$ -> exact/closed form>>: $K_{\rm plus}=1+\frac{2n^2\sqrt{n+\frac{n-1}{n^3}}}{n^2+n-1}$,
          $K_{\rm std}=1+\frac{2n^3}{n^2+n-1}$, $\frac{K_{\rm plus}}{K_{\rm
          block}}=\frac13+\frac{2n^2\sqrt{n+\frac{n-1}{n^3}}}{3(n^2+n-1)}$. [proof; exact/closed form]
        (g: H_least) There they gain $\frac{8\sqrt n}{15}\le\frac{K_{\rm plus}}{K_{\rm block}}$. [proof;
          exact/least gain of the blocks]
        (h: V_aware, H_aware) Awareness alone gains as much, up to a constant: $$\text{in
          V}\quad\frac{3\sqrt n}4\le\frac{K_{\rm std}}{K_{\rm plus}}\le\sqrt n,\qquad\text{in
          H}\quad\frac{5\sqrt n}6\le\frac{K_{\rm std}}{K_{\rm plus}}\le\sqrt n.$$ [proof; exact/awareness,
          least; exact/awareness, most]
        """
    ),
    variables=(
        *VARIABLES,
        INDICATOR,
        Variable(
            F,
            r"\|D_{#1#1}\|_F",
            r"\mathbb R^n_{\ge0}",
            r"norms of the diagonal blocks, for the node of the largest $c_{\rm plus}$",
            "(n,)",
        ),
        Variable(one, "m", r"\mathbb N", "the only block that counts"),
        Variable(c_block, r"c_{\rm block}", r"\mathbb R_{\ge0}", "variance constant times budget, blocks"),
        Variable(c_plus, r"c_{\rm plus}", r"\mathbb R_{\ge0}", "the same for one aware step"),
        Variable(P, "P", r"\mathbb R_{\ge0}", "largest constant of the aware single step"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", "largest constant of the blocks"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of the aware single step"),
    ),
    notation={"D": "diagonal of the matrix of the node", r"\mathbf L_{#1}": "smoothness matrix of a node"},
    hypotheses=_HYPOTHESES,
    relations={
        "constants": Relation((c_plus, sqrt(n) * c_block), ("<=",)),
        "one-block": Relation((c_plus, sqrt(n) * c_block), ("=",), under=("one",)),
        "conditions": Relation((K_plus, sqrt(n) * K_block), ("<=",)),
        **{
            name: Relation(
                tuple(sides), _OPERATORS.get(name[2:], ("=",)), under=(name[0], f"{name[0]}-constants")
            )
            for name, sides in _SIDES.items()
        },
    },
    formulas={"bound": sqrt(n), **_STATED},
    worst_cases=cases(r"""
        counterexample to a gain of order $n$ over aware methods: V with 256 nodes | n = 256, d = 524288
          | 1/3 + 32/1533 * sqrt(65791)
        one heavy block and nothing else: $c_{\rm plus}=\sqrt n\,c_{\rm block}$ (here $n=4$)
          | F = (1, 0, 0, 0), n = 4 | 2
    """),
)


_FOUR = {n: 4, d: 16, beta: 4, L: 2, mu: _HALF, largest: 3, K_plus: 10, K_block: 11}
_EXAMPLES = (
    # Four blocks of four coordinates: all count, or only one.
    {**_FOUR, F: (1, 1, 3, 5), c_plus: 24, c_block: 20, P: 6, Q: 7},
    {**_FOUR, F: (0, 3, 0, 0), one: 2, c_plus: 12, c_block: 6},
    # The families; the constants of the aware single step are rational for a single node only.
    *(
        {**known, beta: 4, c_plus: 8, P: 2, F: norms[0], c_block: 2 * sum(norms[0])}
        for known, norms in (FAMILIES[name].of_four(16) for name in _BASE)
    ),
    {n: 1, d: 4, beta: 4, F: (2,), L: 1, mu: 1, largest: 1, c_plus: 4, c_block: 4},
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(BLOCKS)
    for values in _EXAMPLES:
        K.example(values)
    total = Sum(F[l], BLOCKS)
    node = [K.given("constants", 0), K.given("constants", 1)]
    length = K.axiom("root-product", n, d / n, _HALF)
    constants = K.show(
        "constants",
        K.power(sum_of_squares(K, F[l], BLOCKS), _HALF),
        K.axiom("abs-of-nonnegative", total),
        length,
        using=node,
    )
    _one_block(K, node, length)
    of_plus, of_block = (K.given("conditions", k) for k in (1, 2))
    root = K.cert(le(1, sqrt(n)), K.power(K.given("n", 1), _HALF))
    K.know(root, K.cert(lt(0, 2 * n - 1), K.given("n", 1)))
    K.show(
        "conditions", constants, K.given("largest", 1), root, using=[of_plus, of_block, K.given("largest", 0)]
    )
    for name in _BASE:
        _family_values(K, name, root)


def _one_block(K: Any, node: Any, length: Any) -> None:
    only, delta = K.at(K.given("one", 3), l), KroneckerDelta(l, _ONE)
    square = K.cert(eq(F[l] ** 2, F[_ONE] * delta * F[l]), only)
    squares = K.cert(
        eq(Sum(F[l] ** 2, BLOCKS), F[_ONE] ** 2), K.sum_over(square, BLOCKS), picked(K, F[l], BLOCKS, _ONE)
    )
    K.show(
        "one-block",
        K.rewrite(node[0], squares),
        K.axiom("abs-of-nonnegative", F[_ONE]),
        length,
        (-sqrt(n) * LENGTH, K.sum_over(only, BLOCKS)),
        picked(K, Integer(1), BLOCKS, _ONE),
        using=[node[1]],
    )


def _family_values(K: Any, name: str, root: Any) -> None:
    family, values = FAMILIES[name], [K.given(f"{name}-constants", k) for k in range(3)]
    rest, (a, b), weight, radical = family.rest, _BASE[name], _WEIGHTS[name], _ROOTS[name]
    of_std, of_plus, of_block = (K.given("conditions", k) for k in range(3))
    delta, norms, budget = KroneckerDelta(l, 0), K.at(K.given(name), l), K.given("budget")
    ones, again = (picked(K, term, BLOCKS, Integer(0)) for term in (Integer(1), delta))
    norm = LENGTH * (rest + (1 - rest) * delta)
    squares = K.cert(
        eq(Sum(F[l] ** 2, BLOCKS), d / n * weight),
        K.sum_over(K.cert(eq(F[l] ** 2, norm**2), (F[l] + norm, norms)), BLOCKS),
        ones,
        again,
    )
    constant = K.cert(
        eq(c_plus, d / n * radical),
        K.rewrite(K.given("constants", 0), squares),
        K.axiom("root-product", d, d / n * weight, _HALF),
        K.axiom("root-product", (d / n) ** 2, n * weight, _HALF),
        (radical, K.axiom("abs-of-nonnegative", d / n)),
    )
    plus = K.show(f"{name}_plus", using=[of_plus, K.given("largest", 0), constant, budget, *values])
    std = K.show(f"{name}_std", using=[of_std, *values])
    share = 2 / (n * mu * beta) * LENGTH
    block = K.cert(
        eq(K_block, family.K_block),
        (share, K.sum_over(norms, BLOCKS)),
        (share * LENGTH * (1 - rest), ones),
        using=[of_block, K.given(f"{name}-constants", 3), K.given("constants", 1), budget, *values],
    )
    K.show(f"{name}_plus_block", using=[plus, block])
    least, aware = _STATED[f"{name}_least"], _STATED[f"{name}_aware"]
    above = K.power(K.sign(le(n, n * weight)), _HALF)
    terms = above, *steps(Rational(1, 3) + b / (3 * a) * sqrt(n) - least, root=2)
    K.show(f"{name}_least", *terms, using=[plus, block])
    # The root is at most its tangent t / sqrt(n); what is left is a polynomial in sqrt(n).
    tangent = n * (1 + weight) / 2
    below = K.power(K.sign(le(n * weight, (tangent / sqrt(n)) ** 2)), _HALF)
    whole = K.axiom("abs-of-nonnegative", tangent / sqrt(n))
    slack = 1 / (2 * n) if name == "V" else Integer(0)
    square = ((sqrt(n) - 1) ** 2 - Rational(1, 4)) ** 2
    left = a + b * n - aware * (a + b * tangent / sqrt(n)) - slack * square
    share = aware * b / K_plus
    lower = [(share, below), (share, whole), (slack / K_plus, square), *steps(left, 1 / K_plus, root=2)]
    upper = [(sqrt(n) * b / K_plus, above), (a / K_plus, root)]
    K.show(f"{name}_aware", lower, upper, using=[std, plus])
