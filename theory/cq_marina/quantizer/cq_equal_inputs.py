r"""`cq_marina/cq-equal-inputs`: correlated quantization of n equal inputs (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, floor, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.facts.antisymmetry import antisymmetry
from theory.facts.rounding.rounding import halfway
from theory.facts.rounding.rounding import rounding_variance as rounding
from theory.facts.rounding.rounding_quadratics import tangent_line
from theory.facts.rounding.stratified_shares import share_cases
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, r, h, z, V_bin, V_tern, j, k = symbols("n d r h z V_bin V_tern j k", real=True)
x, y, t, phi, o = symbols("x y t phi o", cls=IndexedBase, real=True)
COORDINATES = (j, 0, d - 1)
_HALF = Rational(1, 2)

_LEVEL = (1 + x[j] / r) / 2
_EXACT = 4 * r**2 / n**2 * Sum(rounding(n * y[j]), COORDINATES)
_BOUND = d * r**2 / n**2
_TERNARY = r**2 / n**2 * Sum(rounding(n * x[j] / r), COORDINATES)
_TERNARY_BOUND = d * r**2 / (4 * n**2)
_HIGH = 2 * sqrt(d) / n - 1
_CELL = floor(n * z)
_QUARTER = Rational(1, 4)
_STEPS = floor(n * y[j]) - h
_NEIGHBOURS = Sum(_STEPS * (_STEPS + 1), COORDINATES)

CLAIM = Claim(
    id="cq_marina/cq-equal-inputs",
    kind="tight",
    provenance="derived",
    title="Correlated quantization of equal inputs is one uniform quantizer with an n times smaller step",
    position=12,
    paper=PAPER,
    **statement(
        r"""
        All $n$ clients hold the same $x\in\mathbb R^d$ with $r=\|x\|>0$, $\sum_jx_j^2=r^2$; each coordinate
        has stratified thresholds of its own (`cq_marina/cq-1d-exact`). On the binary grid the bit of
        coordinate $j$ is one with probability $y_j=\frac12(1+\frac{x_j}r)$ at every client. $V_{bin}$ and
        $V_{tern}$ are the variances of the mean on the binary and the ternary grid.
        (a: below, cell, above) In law the mean on the binary grid is one stochastic uniform quantizer
          <<with the step $\frac{2r}n$ -> exact/law of the mean>>: of the independent bits in the strata of
          a coordinate with the probability $y$ those below its cell are one, $\varphi_k=1$ for
          $k<\lfloor ny\rfloor$, that of the cell is so with probability
          $\varphi_{\lfloor ny\rfloor}=\{ny\}$, and those above are zero, $\varphi_k=0$ for
          $\lfloor ny\rfloor<k\le n$. [proof; exact/law of the mean; exact/the quantizer of QSGD]
        (b: binary, bound) On the binary grid
          $$V_{bin}=\frac{4r^2}{n^2}\sum_j\{ny_j\}(1-\{ny_j\})\le\frac{dr^2}{n^2}.$$ [proof; exact/level;
          exact/mean of a coordinate; exact/binary variance; exact/binary bound; montecarlo/sampled
          variance]
        (c: ternary, ternary-bound) On the ternary grid $$V_{tern}=\frac{r^2}{n^2}\
          \sum_j\Big\{\frac{nx_j}r\Big\}\Big(1-\Big\{\frac{nx_j}r\Big\}\Big)\le\frac{dr^2}{4n^2}.$$ [proof;
          exact/ternary variance; exact/ternary bound; exact/ternary halves]
        (d: attained) The bound of (b) is attained, $V_{bin}=\frac{dr^2}{n^2}$, if $\{ny_j\}=\frac12$ for
          every coordinate. [proof; exact/odd multiples; adversarial/largest variance]
        (e: odd-integers, halfway) For even $n$, $n=2h$ with an integer $h$, that means odd integers: there
          $\frac{nx_j}r=2(\lfloor ny_j\rfloor-h)+1$, and $\frac{nx_j}r=2o_j+1$ with integers $o_j$ gives
          $\{ny_j\}=\frac12$. [proof; exact/odd multiples]
        (f: high) For even $n$, $n=2h$ with an integer $h$, and $n^2\le d$ coordinates more is known:
          $$V_{bin}\le\Big(\frac{2\sqrt d}n-1\Big)r^2,$$ <<and entries of one modulus attain it ->
          exact/equal entries>>. [proof; exact/equal entries; adversarial/largest variance]
        (g: order) It is at most the bound of (b): $$\frac{2\sqrt d}n-1\le\frac d{n^2}.$$ [proof]
        (h: odd) For odd $n$, $n=2h+1$ with an integer $h$, a basis vector, $x_1=r$ and $x_j=0$ <<for all
          others -> proof>>, has $$V_{bin}=\frac{d-1}{n^2}r^2.$$ [proof; exact/basis vector;
          adversarial/largest variance]
        (i: threes) So for even $n$ and <<$d\le n^2\le9d$ with $d\equiv n^2$ modulo 8 -> exact/odd multiples>>
          entries one and three attain it, $x_j=2o_j+1$ with $o_j^2=o_j$ and $8\sum_jo_j=n^2-d$:
          $V_{bin}=\frac{dr^2}{n^2}$; <<odd entries, larger ones where $9d<n^2$, attain it for even $n\le10$
          at every $d\le n^2$ with $d\equiv n^2$ modulo 8 -> exact/odd multiples>>. [proof; exact/odd
          multiples]
        (j: only-half) Only the levels of (d) attain it: $V_{bin}=\frac{dr^2}{n^2}$ needs
          $\{ny_j\}=\frac12$ for every coordinate. [proof]
        (k: strict) So for odd $n$, $n=2h+1$ with an integer $h$, the bound of (b) is never reached:
          $$V_{bin}<\frac{dr^2}{n^2}.$$ [proof]
        (l: few, triangular) For even $n$, $n=2h$ with an integer $h$, $V_{bin}=\frac{dr^2}{n^2}$ needs
          $d\le n^2$ and $$\frac{n^2-d}4=\sum_j(\lfloor ny_j\rfloor-h)(\lfloor ny_j\rfloor-h+1),$$
          <<where products of neighbours are even, so that $d\equiv n^2$ modulo 8 -> exact/odd squares>>.
          [proof; exact/odd squares]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(x, "x", r"\mathbb R^d", "input that all clients hold", "(d,)"),
        Variable(r, "r", r"\mathbb R_{>0}", "its norm"),
        Variable(y, "y", "[0,1]^d", "probabilities of a one on the binary grid", "(d,)"),
        Variable(t, "t", "[0,1]^d", "probabilities of rounding up on the ternary grid", "(d,)"),
        Variable(h, "h", r"\mathbb N", "half the number of clients"),
        Variable(z, "y", "[0,1]", "one of these probabilities"),
        Variable(o, "o", r"\mathbb Z^d", "integers", "(d,)"),
        Variable(phi, r"\varphi", "[0,1]^n", "probability of a one by stratum", "(oo,)", first=0),
        Variable(V_bin, "V_{bin}", r"\mathbb R_{\ge0}", "variance on the binary grid"),
        Variable(V_tern, "V_{tern}", r"\mathbb R_{\ge0}", "variance on the ternary grid"),
    ),
    notation={r"\|x\|": "the norm"},
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers, $r>0$"),
        "share": definition(
            r"$0\le y$; $\varphi_k=\max\{0,\min\{1,ny-k\}\}$ for $0\le k\le n$",
            reference="cq_marina/cq-1d-exact",
        ),
        "levels": definition(r"$y_j=\frac12(1+\frac{x_j}r)$"),
        "binary": definition(
            r"$V_{bin}=\sum_j\frac{(2r)^2}{n^2}\{ny_j\}(1-\{ny_j\})$", reference="cq_marina/cq-1d-exact"
        ),
        "fractions": definition(r"$t_j=\{\frac{x_j}r\}$"),
        "ternary": definition(
            r"$V_{tern}=\sum_j\frac{r^2}{n^2}\{nt_j\}(1-\{nt_j\})$", reference="cq_marina/cq-1d-exact"
        ),
        "half": parameter(r"$\{ny_j\}=\frac12$"),
        "reached": parameter(r"$V_{bin}=\frac{dr^2}{n^2}$"),
        "stratum": domain(r"$y\le1$"),
        "even": parameter("$n=2h$ with an integer $h$"),
        "integers": parameter("$o_j$ are integers"),
        "odd-entries": parameter(r"$\frac{nx_j}r=2o_j+1$"),
        "odd": parameter("$n=2h+1$ with an integer $h$"),
        "basis": parameter(r"$x_1=r$; $x_j=0$ for $j>1$"),
        "threes": parameter(r"$x_j=2o_j+1$, $o_j^2=o_j$, $8\sum_jo_j=n^2-d$"),
        "many": parameter(r"$n^2\le d$"),
        "norm": definition(r"$\sum_jx_j^2=r^2$"),
    },
    relations={
        "below": Relation((phi[k], Integer(1)), ("=",), every=((k, 0, _CELL - 1),)),
        "cell": Relation((phi[_CELL], n * z - _CELL), ("=",)),
        "above": Relation((phi[k], Integer(0)), ("=",), every=((k, _CELL + 1, n),)),
        "binary": Relation((V_bin, _EXACT), ("=",)),
        "bound": Relation((_EXACT, _BOUND), ("<=",)),
        "ternary": Relation((V_tern, _TERNARY), ("=",)),
        "ternary-bound": Relation((_TERNARY, _TERNARY_BOUND), ("<=",)),
        "attained": Relation((V_bin, _BOUND), ("=",), under=("half",)),
        "high": Relation((V_bin, _HIGH * r**2), ("<=",), under=("even", "many", "norm")),
        "order": Relation((_HIGH, d / n**2), ("<=",)),
        "odd": Relation((V_bin, (d - 1) / n**2 * r**2), ("=",), under=("odd", "basis")),
        "odd-integers": Relation(
            (n * x[j] / r, 2 * (floor(n * y[j]) - h) + 1),
            ("=",),
            every=(COORDINATES,),
            under=("even", "half"),
        ),
        "halfway": Relation(
            (n * y[j] - floor(n * y[j]), _HALF),
            ("=",),
            every=(COORDINATES,),
            under=("even", "integers", "odd-entries"),
        ),
        "threes": Relation((V_bin, _BOUND), ("=",), under=("even", "integers", "threes", "norm")),
        "only-half": Relation(
            (n * y[j] - floor(n * y[j]), _HALF), ("=",), every=(COORDINATES,), under=("reached",)
        ),
        "strict": Relation((V_bin, _BOUND), ("<",), under=("odd", "norm")),
        "few": Relation((d, n**2), ("<=",), under=("even", "reached", "norm")),
        "triangular": Relation(((n**2 - d) / 4, _NEIGHBOURS), ("=",), under=("even", "reached", "norm")),
    },
    formulas={
        "exact": _EXACT,
        "bound": _BOUND,
        "ternary": _TERNARY,
        "ternary_bound": _TERNARY_BOUND,
        "level": _LEVEL,
        "step": 2 * r / n,
        "high_dimension": _HIGH,
        "odd_at_basis": (d - 1) / n**2,
        "quarter_of_rest": (n**2 - d) / 4,
    },
    internal={"level": "the definition of $y_j$", "step": "said as a pin"},
    worst_cases=cases(r"""
        four clients, $x=(3,1^7)$: all $nx_j/r$ are odd | y = (7/8,) + 7 * (5/8,), r = 4, n = 4, d = 8 | 8
        two clients, nine ones: equal entries for $d\ge n^2$ | y = 9 * (2/3,), r = 3, n = 2, d = 9 | 18
        three clients, a basis vector in five dimensions | y = (1,) + 4 * (1/2,), r = 1, n = 3, d = 5 | 4/9
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    zero = {n: 1, d: 1, r: 1, x: (0,), y: (_HALF,), t: (0,), z: _HALF, phi: (_HALF, 0), V_bin: 1, V_tern: 0}
    K.example(zero)
    level, cell = Symbol("equal_level", real=True), Symbol("equal_cell", real=True)
    nothing, part, whole = share_cases(K, level, cell)
    lower, upper = K.axiom("floor-below", n * z), K.axiom("floor-above", n * z)
    K.know(K.axiom("floor-integer", n * z), K.floor(K.sign(le(0, n * z))), lower)
    K.know(K.cert(le(_CELL, n), (1, lower), (n, K.given("stratum"))))
    K.know(K.cert(le(0, n * z - _CELL), (1, lower)), K.cert(le(n * z - _CELL, 1), (1, upper)))

    def at(theorem: Any, place: Any) -> Any:
        return K.instantiate(theorem, {level: n * z, cell: place})

    full, empty = at(whole, k), at(nothing, k)
    full = K.discharge(full, K.cert(le(1, n * z - k), (1, K.assume(le(k, _CELL - 1))), (1, lower)))
    empty = K.discharge(empty, K.cert(le(n * z - k, 0), (1, K.assume(le(_CELL + 1, k))), (1, upper)))
    stratum = K.given("share", 1)
    K.conclude("below", K.every(K.cert(eq(phi[k], 1), (1, K.at(stratum, k)), (1, full)), (k, 0, _CELL - 1)))
    K.conclude("above", K.every(K.cert(eq(phi[k], 0), (1, K.at(stratum, k)), (1, empty)), (k, _CELL + 1, n)))
    K.conclude("cell", K.cert(eq(phi[_CELL], n * z - _CELL), (1, K.at(stratum, _CELL)), (1, at(part, _CELL))))

    K.index(COORDINATES)
    quarter = Rational(1, 4)
    binary = K.cert(eq(V_bin, _EXACT), (1, K.given("binary")))
    K.conclude("binary", binary)
    fraction = n * y[j] - floor(n * y[j])
    most = K.sum_over(K.cert(le(rounding(n * y[j]), quarter), (1, (fraction - _HALF) ** 2)), COORDINATES)
    K.conclude("bound", K.cert(le(_EXACT, _BOUND), (4 * r**2 / n**2, most)))
    half = K.cert(eq(rounding(n * y[j]), quarter), (_HALF - fraction, K.at(K.given("half"), j)))
    K.conclude(
        "attained", K.cert(eq(V_bin, _BOUND), (1, binary), (4 * r**2 / n**2, K.sum_over(half, COORDINATES)))
    )

    # {n {x/r}} = {n x/r}.
    u, own = n * x[j] / r, K.at(K.given("fractions"), j)
    whole_part, rest = floor(x[j] / r), floor(n * t[j])
    K.know(K.axiom("floor-integer", x[j] / r), K.axiom("floor-integer", n * t[j]))
    down, up = K.axiom("floor-below", n * t[j]), K.axiom("floor-above", n * t[j])
    shifted = K.discharge(
        K.axiom("floor-unique", u, n * whole_part + rest),
        K.cert(le(n * whole_part + rest, u), (1, down), (n, own)),
        K.cert(lt(u, n * whole_part + rest + 1), (1, up), (-n, own)),
    )
    one, two = u - floor(u), n * t[j] - rest
    same = K.cert(eq(one, two), (-n, own), (-1, shifted))
    term = K.cert(eq(rounding(n * t[j]), rounding(u)), (-(1 - one - two), same))
    K.conclude(
        "ternary",
        K.cert(eq(V_tern, _TERNARY), (1, K.given("ternary")), (r**2 / n**2, K.sum_over(term, COORDINATES))),
    )
    most = K.sum_over(K.cert(le(rounding(u), quarter), (1, (u - floor(u) - _HALF) ** 2)), COORDINATES)
    K.conclude("ternary-bound", K.cert(le(_TERNARY, _TERNARY_BOUND), (r**2 / n**2, most)))
    K.conclude("order", K.cert(le(_HIGH, d / n**2), (1, (sqrt(d) / n - 1) ** 2)))
    _high(K, binary)
    _odd(K, binary)
    _only(K, binary)


def _high(K: Any, binary: Any) -> None:
    """Tangent of the rounding variance as a function of the squared level, at equal moduli."""
    four = {n: 2, h: 1, d: 4, r: 2, x: (1,) * 4, y: (3 * Rational(1, 4),) * 4, V_bin: 4}
    K.example({**four, t: (_HALF,) * 4, V_tern: 0, o: (0,) * 4})
    even, root = K.given("even", 1), sqrt(d)
    K.know(K.given("even"), K.given("many"))
    K.know(K.cert(lt(0, h), (_HALF, even), (_HALF, K.sign(lt(0, n)))))
    v, w = h / root, h * x[j] / r
    K.know(K.axiom("floor-integer", w))
    level, own = n * y[j], K.at(K.given("levels"), j)
    moved = K.cert(eq(level, h + w), (n, own), ((1 + x[j] / r) / 2, even))
    shifted = K.discharge(
        K.axiom("floor-unique", level, h + floor(w)),
        K.cert(le(h + floor(w), level), (1, K.axiom("floor-below", w)), (-1, moved)),
        K.cert(lt(level, h + floor(w) + 1), (1, K.axiom("floor-above", w)), (1, moved)),
    )
    one, two = level - floor(level), w - floor(w)
    same = K.cert(eq(one, two), (1, moved), (-1, shifted))
    small = K.cert(le(n, root), (1, K.power(K.given("many"), _HALF)), (-1, K.axiom("abs-of-nonnegative", n)))
    small = K.cert(le(v, _HALF), (1 / (2 * root), small), (1 / (2 * root), K.cert(eq(2 * h, n), (-1, even))))
    tangent = K.discharge(tangent_line(K, v, w), small)
    each = K.cert(le(rounding(level), v / 2 + (1 / (2 * v) - 1) * w**2), (1, tangent), (1 - one - two, same))
    total = K.sum_over(each, COORDINATES)
    K.conclude(
        "high",
        K.cert(
            le(V_bin, _HIGH * r**2),
            (1, binary),
            (4 * r**2 / n**2, total),
            (4 * h**2 / n**2 * (1 / (2 * v) - 1), K.given("norm")),
            (-(2 * root - n - 2 * h) * r**2 / n**2, even),
        ),
    )


def _odd(K: Any, binary: Any) -> None:
    """Levels halfway between integers where the multiples are odd, and inputs of which all are."""
    three = {n: 3, h: 1, d: 2, r: 1, x: (1, 0), y: (1, _HALF), V_bin: Rational(1, 9)}
    K.example({**three, z: 0, phi: (0,) * 4, V_tern: 0, t: (0, 0), o: (0, 0)})
    even, own, half = K.given("even", 1), K.at(K.given("levels"), j), K.at(K.given("half"), j)
    level, scale = n * y[j], 4 * r**2 / n**2
    whole = K.cert(eq(n * x[j] / r, 2 * (floor(level) - h) + 1), (-2 * n, own), (2, half), (-1, even))
    K.conclude("odd-integers", K.every(whole, COORDINATES))
    K.know(K.given("even"), K.given("integers"))

    def quarters(multiple: Any) -> Any:
        same = K.cert(eq(level, h + o[j] + _HALF), (n, own), (_HALF, even), (_HALF, multiple))
        return halfway(K, level, h + o[j], same)

    K.conclude("halfway", K.every(quarters(K.at(K.given("odd-entries"), j)), COORDINATES))
    entry, zero_one = (K.at(K.given("threes", place), j) for place in range(2))
    square = K.cert(eq(x[j] ** 2, 1 + 8 * o[j]), (x[j] + 2 * o[j] + 1, entry), (4, zero_one))
    total = K.sum_over(square, COORDINATES)
    size = K.cert(
        eq(r, n), (1 / (r + n), total), (-1 / (r + n), K.given("norm")), (1 / (r + n), K.given("threes", 2))
    )
    found = quarters(K.cert(eq(n * x[j] / r, 2 * o[j] + 1), (1, entry), (-x[j] / r, size)))
    quarter = K.cert(eq(rounding(level), _HALF**2), (_HALF - level + floor(level), found))
    K.conclude("threes", K.cert(eq(V_bin, _BOUND), (1, binary), (scale, K.sum_over(quarter, COORDINATES))))
    odd, first, rest = K.given("odd", 1), K.given("basis"), K.at(K.given("basis", 1), j)
    K.know(K.given("odd"))
    at = n * y[0]
    ends = K.cert(eq(at, n), (n, K.at(K.given("levels"), 0)), (n / (2 * r), first))
    sure = K.axiom("floor-unique", at, n)
    sure = K.discharge(sure, K.cert(le(n, at), (-1, ends)), K.cert(lt(at, n + 1), (1, ends)))
    none = K.cert(
        eq(rounding(at), 0), (1 - at + floor(at), K.cert(eq(at - floor(at), 0), (1, ends), (-1, sure)))
    )
    same = K.cert(eq(level, h + _HALF), (n, own), (n / (2 * r), rest), (_HALF, odd))
    fair = halfway(K, level, h, same)
    quarter = K.cert(eq(rounding(level), _HALF**2), (_HALF - level + floor(level), fair))
    split = K.split_off(Sum(rounding(level), COORDINATES), 0)
    others = K.sum_over(quarter, (j, 1, d - 1))
    goal = eq(V_bin, (d - 1) / n**2 * r**2)
    K.conclude("odd", K.cert(goal, (1, binary), (scale, split), (scale, none), (scale, others)))


def _halves(K: Any, binary: Any, reached: Any) -> Any:
    """Return that a level is halfway between integers where the bound is reached: others would lose."""
    fraction = n * y[j] - floor(n * y[j])
    lost = (fraction - _HALF) ** 2
    losses = K.sum_over(K.identity(Rational(1, 4) - rounding(n * y[j]), lost), COORDINATES)
    at_k = lost.subs(j, k)
    scale = n**2 / (4 * r**2)
    one = K.cert(
        le(lost, 0),
        (-1, K.split_off(Sum(at_k, (k, 0, d - 1)), j)),
        *((1, Sum(at_k, span)) for span in ((k, 0, j - 1), (k, j + 1, d - 1))),
        (-1, losses),
        (scale, binary),
        (scale, reached),
    )
    size = K.power(one, _HALF)
    upper = K.cert(le(fraction, _HALF), (1, size), (1, K.axiom("abs-above", fraction - _HALF)))
    lower = K.cert(le(_HALF, fraction), (1, size), (1, K.axiom("abs-below", fraction - _HALF)))
    return antisymmetry(K, fraction, _HALF, upper, lower)


def _only(K: Any, binary: Any) -> None:
    """What reaches the bound has halves everywhere: odd multiples, which odd n does not have."""
    half = _halves(K, binary, K.cert(le(_BOUND, V_bin), (-1, K.given("reached"))))
    K.conclude("only-half", K.every(half, COORDINATES))
    own = K.at(K.given("levels"), j)
    norm, goal, spare = K.given("norm"), lt(V_bin, _BOUND), _BOUND - V_bin

    # Even n: n x_j / r = 2 m_j + 1 with integers m_j, and the squares add up to n^2.
    even = K.given("even", 1)
    K.know(K.given("even"))
    odd = K.cert(eq(n * x[j] / r, 2 * _STEPS + 1), (-2 * n, own), (2, half), (-1, even))
    squares = K.sum_over(
        K.cert(
            eq(n**2 * x[j] ** 2 / r**2, 1 + 4 * _STEPS * (_STEPS + 1)), (n * x[j] / r + 2 * _STEPS + 1, odd)
        ),
        COORDINATES,
    )
    K.conclude(
        "triangular",
        K.cert(eq((n**2 - d) / 4, _NEIGHBOURS), (_QUARTER, squares), (-(n**2) / (4 * r**2), norm)),
    )
    below = K.cert(le(0, _STEPS * (_STEPS + 1)), (1, K.assume(le(_STEPS + 1, 0))), (1, (_STEPS + 1) ** 2))
    above = K.axiom("integer-gap", Integer(-1), _STEPS)
    above = K.cert(le(0, _STEPS * (_STEPS + 1)), (1, above), (1, _STEPS**2))
    product = K.cases(_STEPS + 1, below, above)
    few = [(4, K.sum_over(product, COORDINATES)), (-1, squares), (n**2 / r**2, norm)]
    K.conclude("few", K.cert(le(d, n**2), *few))

    # Odd n: the multiples would be even, n^2 four times an integer.
    odd_n = K.given("odd", 1)
    K.know(K.given("odd"))
    half = _halves(K, binary, K.assume(le(_BOUND, V_bin)))
    doubled = K.cert(eq(n * x[j] / r, 2 * _STEPS), (-2 * n, own), (2, half), (-1, odd_n))
    total, square = (
        Sum(_STEPS**2, COORDINATES),
        K.cert(eq(n**2 * x[j] ** 2 / r**2, 4 * _STEPS**2), (n * x[j] / r + 2 * _STEPS, doubled)),
    )
    whole = h**2 + h
    between = K.cert(
        eq(total, whole + _QUARTER),
        (-_QUARTER, K.sum_over(square, COORDINATES)),
        (n**2 / (4 * r**2), norm),
        ((n + 2 * h + 1) / 4, odd_n),
    )
    own_floor = K.axiom("floor-unique", total, total)
    other = K.axiom("floor-unique", total, whole)
    other = K.discharge(
        other, K.cert(le(whole, total), (-1, between)), K.cert(lt(total, whole + 1), (1, between))
    )
    never = K.cert(eq(Integer(0), _QUARTER), (1, between), (1, own_floor), (-1, other))
    impossible = K.cert(goal, (4 * (spare - 1), never), (1, K.sign(lt(0, Integer(1)))))
    K.conclude("strict", K.cases(spare, impossible, K.cert(goal, (1, K.assume(lt(0, spare))))))
