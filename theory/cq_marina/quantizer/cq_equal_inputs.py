r"""`cq_marina/cq-equal-inputs`: correlated quantization of n equal inputs (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, floor, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.cq_marina.paper import PAPER
from theory.facts.stratified_shares import share, share_cases
from theory.formula import IsInteger, eq, every, le, lt

n, d, r, h, z, V_bin, V_tern, j, k = (
    Symbol(s, real=True) for s in ("n", "d", "r", "h", "z", "V_bin", "V_tern", "j", "k")
)
x, y, t, phi = (IndexedBase(s, real=True) for s in ("x", "y", "t", "phi"))
COORDINATES = (j, 0, d - 1)
TANGENT_V, TANGENT_W = Symbol("tangent_v", real=True), Symbol("tangent_w", real=True)
_HALF = Rational(1, 2)


def rounding(level: Any) -> Any:
    """Return the variance of rounding a level to a neighbouring integer."""
    return (level - floor(level)) * (1 - level + floor(level))


_LEVEL = (1 + x[j] / r) / 2
_EXACT = 4 * r**2 / n**2 * Sum(rounding(n * y[j]), COORDINATES)
_BOUND = d * r**2 / n**2
_TERNARY = r**2 / n**2 * Sum(rounding(n * x[j] / r), COORDINATES)
_TERNARY_BOUND = d * r**2 / (4 * n**2)
_HIGH = 2 * sqrt(d) / n - 1
_CELL = floor(n * z)

CLAIM = Claim(
    id="cq_marina/cq-equal-inputs",
    kind="tight",
    provenance="derived",
    title="Correlated quantization of equal inputs is one uniform quantizer with an n times smaller step",
    position=12,
    paper=PAPER,
    setting=(
        r"All $n$ clients hold the same $x\in\mathbb R^d$ with $r=\|x\|>0$; each coordinate has stratified "
        r"thresholds of its own (`cq_marina/cq-1d-exact`). On the binary grid the bit of coordinate $j$ is "
        r"one "
        r"with probability $y_j=\frac12(1+\frac{x_j}r)$ at every client. $V_{bin}$ and $V_{tern}$ are the "
        r"variances of the mean on the binary and the ternary grid."
    ),
    parts=(
        Part(
            "a",
            r"In law the mean on the binary grid is one stochastic uniform quantizer with the step "
            r"$\frac{2r}n$: "
            r"of the independent bits in the strata of a coordinate with the probability $y$ those below its "
            r"cell "
            r"are one, $\varphi_k=1$, that of the cell is so with probability $\varphi_{\lfloor "
            r"ny\rfloor}=\{ny\}$, "
            r"and those above are zero, $\varphi_k=0$.",
            says=("below", "cell", "above"),
            evidence=("proof", "exact/law of the mean", "exact/the quantizer of QSGD"),
            pins={r"with the step $\frac{2r}n$": "exact/law of the mean"},
        ),
        Part(
            "b",
            r"On the binary grid $$V_{bin}=\frac{4r^2}{n^2}\sum_j\{ny_j\}(1-\{ny_j\})\le\frac{dr^2}{n^2}.$$",
            says=("binary", "bound"),
            evidence=(
                "proof",
                "exact/level",
                "exact/mean of a coordinate",
                "exact/binary variance",
                "exact/binary bound",
                "montecarlo/sampled variance",
            ),
        ),
        Part(
            "c",
            r"On the ternary grid $$V_{tern}=\frac{r^2}{n^2}\sum_j\Big\{\frac{nx_j}r\Big\}\Big(1-"
            r"\Big\{\frac{nx_j}r\Big\}\Big)\le\frac{dr^2}{4n^2}.$$",
            says=("ternary", "ternary-bound"),
            evidence=("proof", "exact/ternary variance", "exact/ternary bound", "exact/ternary halves"),
        ),
        Part(
            "d",
            r"The bound of (b) is attained, $V_{bin}=\frac{dr^2}{n^2}$, if $\{ny_j\}=\frac12$ for every "
            r"coordinate.",
            says=("attained",),
            evidence=("proof", "exact/odd multiples", "adversarial/largest variance"),
        ),
        Part(
            "e",
            r"For even $n$ that means odd integers $\frac{nx_j}r$; they were found for each $n\in\{2,4,6\}$ "
            r"and each "
            r"$d\le n^2$ with $d\equiv n^2$ modulo 8.",
            evidence=("exact/odd multiples",),
            pins={
                r"odd integers $\frac{nx_j}r$; they were found for each $n\in\{2,4,6\}$ and each $d\le n^2$ "
                r"with "
                r"$d\equiv n^2$ modulo 8": "exact/odd multiples"
            },
        ),
        Part(
            "f",
            r"For even $n$, $n=2h$ with an integer $h$, and $n^2\le d$ coordinates more is known: "
            r"$$V_{bin}\le"
            r"\Big(\frac{2\sqrt d}n-1\Big)r^2,$$ and entries of one modulus attain it.",
            says=("high",),
            evidence=("proof", "exact/equal entries", "adversarial/largest variance"),
            pins={"and entries of one modulus attain it": "exact/equal entries"},
        ),
        Part(
            "g",
            r"It is below the bound of (b): $$\frac{2\sqrt d}n-1\le\frac d{n^2}.$$",
            says=("order",),
            evidence=("proof",),
        ),
        Part(
            "h",
            r"For odd $n$ a basis vector has $V_{bin}=\frac{d-1}{n^2}r^2$; a search finds nothing above the "
            r"bound.",
            says=("odd",),
            evidence=("exact/basis vector", "adversarial/largest variance"),
            pins={r"a search finds nothing above the bound": "adversarial/largest variance"},
        ),
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
        Variable(phi, r"\varphi", "[0,1]^n", "probability of a one by stratum", "(oo,)", first=0),
        Variable(V_bin, "V_{bin}", r"\mathbb R_{\ge0}", "variance on the binary grid"),
        Variable(V_tern, "V_{tern}", r"\mathbb R_{\ge0}", "variance on the ternary grid"),
    ),
    notation={r"\|x\|": "the norm"},
    hypotheses={
        "sizes": Hypothesis(
            "domain", (IsInteger(n), le(1, n), IsInteger(d), le(1, d), lt(0, r)), "positive sizes and norm"
        ),
        "share": Hypothesis(
            "definition",
            (le(0, z), every(eq(phi[k], share(n * z, k)), (k, 0, n))),
            r"the probability of $U<y$ given the stratum",
            "cq_marina/cq-1d-exact",
        ),
        "levels": Hypothesis(
            "definition", every(eq(y[j], _LEVEL), COORDINATES), r"$y_j=\frac12(1+\frac{x_j}r)$"
        ),
        "binary": Hypothesis(
            "definition",
            eq(V_bin, Sum((2 * r) ** 2 * rounding(n * y[j]) / n**2, COORDINATES)),
            "the variance of the mean of equal bits, twice the norm apart, in each coordinate",
            "cq_marina/cq-1d-exact",
        ),
        "fractions": Hypothesis(
            "definition",
            every(eq(t[j], x[j] / r - floor(x[j] / r)), COORDINATES),
            "the fractional part of the level",
        ),
        "ternary": Hypothesis(
            "definition",
            eq(V_tern, Sum(r**2 * rounding(n * t[j]) / n**2, COORDINATES)),
            "the same with the norm apart",
            "cq_marina/cq-1d-exact",
        ),
        "half": Hypothesis(
            "parameter",
            every(eq(n * y[j] - floor(n * y[j]), _HALF), COORDINATES),
            r"$\{ny_j\}=\frac12$",
        ),
        "stratum": Hypothesis("domain", le(z, 1), r"$y\le1$"),
        "even": Hypothesis("parameter", (IsInteger(h), eq(n, 2 * h)), r"$n=2h$ with an integer $h$"),
        "many": Hypothesis("parameter", le(n**2, d), r"$n^2\le d$"),
        "norm": Hypothesis(
            "definition",
            eq(Sum(x[j] ** 2, COORDINATES), r**2),
            "the squares of the entries add up to that of the norm",
        ),
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
        "odd": Relation((V_bin, (d - 1) / n**2 * r**2), ("=",)),
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
    },
    internal={"level": "the definition of $y_j$", "step": "said as a pin"},
    worst_cases=(
        WorstCase(
            r"four clients, $x=(3,1^7)$: all $nx_j/r$ are odd",
            {"y": (Rational(7, 8), *(Rational(5, 8),) * 7), "r": 4, "n": 4, "d": 8},
            Integer(8),
        ),
        WorstCase(
            r"two clients, nine ones: equal entries for $d\ge n^2$",
            {"y": (Rational(2, 3),) * 9, "r": 3, "n": 2, "d": 9},
            Integer(18),
        ),
        WorstCase(
            "three clients, a basis vector in five dimensions",
            {"y": (1, *(_HALF,) * 4), "r": 1, "n": 3, "d": 5},
            Rational(4, 9),
        ),
    ),
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


def _high(K: Any, binary: Any) -> None:
    """Tangent of the rounding variance as a function of the squared level, at equal moduli."""
    K.example(
        {
            n: 2,
            h: 1,
            d: 4,
            r: 2,
            x: (1,) * 4,
            y: (3 * Rational(1, 4),) * 4,
            V_bin: 4,
            t: (_HALF,) * 4,
            V_tern: 0,
        }
    )
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
    tangent = K.discharge(K.instantiate(_tangent(K), {TANGENT_V: v, TANGENT_W: w}), small)
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


def _tangent(K: Any) -> Any:
    r"""Return $\{w\}(1-\{w\})\le\frac v2+(\frac1{2v}-1)w^2$ under $0<v\le\frac12$."""
    v, w = TANGENT_V, TANGENT_W
    K.know(K.assume(lt(0, v)), K.assume(le(v, _HALF)))
    goal = le(rounding(w), v / 2 + (1 / (2 * v) - 1) * w**2)
    fraction = w - floor(w)
    sides = []
    for sign in (1, -1):
        place = Integer(0 if sign == 1 else -1)
        cell = K.axiom("floor-unique", w, place)
        near = K.cert(goal, (1 / (2 * v), (w - sign * v) ** 2), (-(1 - 2 * w + place + floor(w)), cell))
        beyond = K.assume(le(1, sign * w))
        square = K.cert(le(1, w**2), (1, (sign * w - 1) ** 2), (2, beyond))
        far = K.cert(
            goal,
            (1, (fraction - _HALF) ** 2),
            ((1 - 2 * v) / (2 * v), square),
            (1 / (4 * v), (1 - 2 * v) * (2 - v)),
        )
        sides.append((near, far))
    right = K.cases(1 - w, sides[0][1], sides[0][0])
    left = K.cases(w + 1, sides[1][1], sides[1][0])
    return K.cases(-w, right, left)
