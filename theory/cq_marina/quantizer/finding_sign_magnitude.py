r"""`cq_marina/finding-sign-magnitude`: the sign must be inside the grid (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Min, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.cq_marina.paper import PAPER
from theory.facts.stratified_shares import share, share_cases
from theory.formula import IsInteger, eq, every, le, lt

d, j, r, V, V_IQ, V_CQ = (Symbol(s, real=True) for s in ("d", "j", "r", "V", "V_IQ", "V_CQ"))
x, t, rho = (IndexedBase(s, real=True) for s in ("x", "t", "rho"))
COORDINATES = (j, 0, d - 1)
HALF_LEVEL = Symbol("half_level", real=True)
_HALF = Rational(1, 2)


def _total(term: Any) -> Any:
    return r**2 / 2 * Sum(term, COORDINATES)


_EXACT = _total(rho[j])
_INDEPENDENT = _total(rho[j] * (1 - rho[j]))
_CORRELATED = _total(rho[j] * (1 - 2 * rho[j]))
_LEVEL = Abs(x[j]) / r


def _first(level: Any) -> Any:
    """Return the probability of a bit 1 in the lower of two strata."""
    return share(2 * level, 0)


def _second(level: Any) -> Any:
    return share(2 * level, 1)


_BITS = t[j] * (1 - t[j])
_OUTSIDE = r**2 / 4 * (2 * _BITS - 2 * (_first(t[j]) * _second(t[j]) - t[j] ** 2))
_JOINT = (_first(t[j]) * _second(1 - t[j]) + _second(t[j]) * _first(1 - t[j])) / 2
_INSIDE = r**2 / 4 * (2 * _BITS + 2 * (_JOINT - _BITS))


def _at_ones(form: Any) -> Any:
    """Return a variance at x = (1, 1, 1, 1), where all levels are one half."""
    written = form.subs({d: 4, r: 2}).doit()
    return written.xreplace({rho[k]: _HALF for k in range(4)})


CLAIM = Claim(
    id="cq_marina/finding-sign-magnitude",
    kind="finding",
    provenance="derived",
    title="With the sign outside the grid, correlated quantization is worse than independent",
    position=4,
    paper=PAPER,
    setting=(
        r"Two clients hold $x$ and $-x$ in $\mathbb R^d$ with $r=\|x\|>0$; they quantize on the ternary "
        r"grid, the thresholds "
        r"are stratified (`cq_marina/cq-1d-exact`). Read as sign and magnitude, the thresholds are applied "
        r"to "
        r"$t_j=\frac{|x_j|}r$ and the signs are multiplied afterwards: the variance of the mean is $V$. "
        r"$V_{CQ}$ "
        r"has the sign inside the grid, $V_{IQ}$ independent thresholds; $\rho_j=\min\{t_j,1-t_j\}$."
    ),
    parts=(
        Part(
            "a",
            r"With the sign outside the grid $$V=\frac{r^2}2\sum_j\rho_j.$$",
            says=("outside",),
            evidence=("proof", "exact/sign outside", "exact/closed form"),
        ),
        Part(
            "b",
            r"Independent thresholds have $$V_{IQ}=\frac{r^2}2\sum_j\rho_j(1-\rho_j)\le V:$$ correlation "
            r"makes it "
            r"worse.",
            says=("independent", "worse"),
            evidence=("proof", "exact/independent", "exact/independent is no worse"),
        ),
        Part(
            "c",
            r"What holds instead: with the sign inside the grid "
            r"$$V_{CQ}=\frac{r^2}2\sum_j\rho_j(1-2\rho_j)\le V_{IQ}"
            r",$$ as `cq_marina/cq-dominates-iq` has it for all inputs.",
            says=("inside", "better"),
            evidence=("proof", "exact/sign inside"),
        ),
        Part(
            "d",
            r"At four ones, $x=(1,1,1,1)$, the three variances $V$, $V_{IQ}$ and $V_{CQ}$ are "
            r"{value:ones[0]}, "
            r"{value:ones[1]} and {value:ones[2]}.",
            evidence=("exact/sign outside", "exact/independent", "exact/sign inside"),
            pins={r"$x=(1,1,1,1)$": "exact/sign outside"},
        ),
        Part(
            "e",
            r"Inputs that are no such pair show it, too: at one of four clients the variance with the sign "
            r"outside "
            r"is above that of independent thresholds.",
            evidence=(
                "exact/number of the specification",
                "exact/enumeration",
                "exact/independent is better",
                "montecarlo/sampled variance",
            ),
        ),
    ),
    variables=(
        Variable(x, "x", r"\mathbb R^d", "input of the first client", "(d,)"),
        Variable(r, "r", r"\mathbb R_{>0}", "its norm"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(t, "t", "[0,1]^d", "levels of the coordinates", "(d,)"),
        Variable(rho, r"\rho", r"\mathbb R^d_{\ge0}", "distance of the levels from the grid", "(d,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance with the sign outside the grid"),
        Variable(V_IQ, "V_{IQ}", r"\mathbb R_{\ge0}", "variance with independent thresholds"),
        Variable(V_CQ, "V_{CQ}", r"\mathbb R_{\ge0}", "variance with the sign inside the grid"),
    ),
    notation={r"\|x\|": "the norm", "-x": "input of the second client"},
    hypotheses={
        "d": Hypothesis("domain", (IsInteger(d), le(1, d)), "$d$ is a positive integer"),
        "norm": Hypothesis(
            "definition", (lt(0, r), eq(r, sqrt(Sum(x[j] ** 2, COORDINATES)))), r"$r=\|x\|>0$"
        ),
        "levels": Hypothesis("definition", every(eq(t[j], _LEVEL), COORDINATES), r"$t_j=\frac{|x_j|}r$"),
        "nearest": Hypothesis(
            "definition", every(eq(rho[j], Min(t[j], 1 - t[j])), COORDINATES), r"$\rho_j=\min\{t_j,1-t_j\}$"
        ),
        "outside": Hypothesis(
            "definition",
            eq(V, Sum(_OUTSIDE, COORDINATES)),
            r"both bits are 1 with probability $t_j$ and have opposite signs; the clients have different "
            r"strata "
            "and the bits are independent given these",
        ),
        "independent": Hypothesis(
            "definition",
            eq(V_IQ, Sum(r**2 / 4 * 2 * _BITS, COORDINATES)),
            "the bits are independent",
        ),
        "inside": Hypothesis(
            "definition",
            eq(V_CQ, Sum(_INSIDE, COORDINATES)),
            r"the bits are 1 with the probabilities of the fractional parts of both levels, $t_j$ and its "
            r"complement, and have one sign; either order of the strata has the same probability",
        ),
    },
    relations={
        "outside": Relation((V, _EXACT), ("=",)),
        "independent": Relation((V_IQ, _INDEPENDENT), ("=",)),
        "worse": Relation((_INDEPENDENT, V), ("<=",)),
        "inside": Relation((V_CQ, _CORRELATED), ("=",)),
        "better": Relation((_CORRELATED, V_IQ), ("<=",)),
    },
    formulas={
        "exact": _EXACT,
        "independent": _INDEPENDENT,
        "correlated": _CORRELATED,
        "nearest": Min(_LEVEL, 1 - _LEVEL),
    },
    internal={"nearest": r"the definition of $\rho_j$"},
    values={"ones": tuple(map(_at_ones, (_EXACT, _INDEPENDENT, _CORRELATED)))},
    worst_cases=(
        WorstCase(
            "all ones against all minus ones: twice the independent variance",
            {"rho": (_HALF,) * 4, "r": 2, "d": 4},
            Integer(4),
        ),
        WorstCase(
            "one coordinate carries all: no variance at all", {"rho": (0, 0), "r": 3, "d": 2}, Integer(0)
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations, for levels below and above one half apart."""
    K.example({d: 1, x: (2,), r: 2, t: (1,), rho: (0,), V: 0, V_IQ: 0, V_CQ: 0})
    K.index(COORDINATES)
    K.know(K.given("norm"))
    level, k = t[j], Symbol("k", real=True)
    squares = Sum(x[k] ** 2, (k, 0, d - 1))
    beside = [Sum(x[k] ** 2, span) for span in ((k, 0, j - 1), (k, j + 1, d - 1))]
    below = K.cert(le(x[j] ** 2, squares), (-1, K.split_off(squares, j)), *((1, part) for part in beside))
    size = K.cert(le(Abs(x[j]), r), (1, K.power(below, _HALF)), (-1, K.given("norm", 1)))
    own = K.at(K.given("levels"), j)
    K.know(
        K.cert(le(0, level), (-1, own), (1 / r, Abs(x[j]))),
        K.cert(le(level, 1), (1, own), (1 / r, size)),
    )
    values, weight = _shares(K), r**2 / 2
    nearest = K.at(K.given("nearest"), j)
    sides: list[tuple[Any, Any, Any]] = []
    for a in (level, 1 - level):
        lower, upper, full, rest = (K.instantiate(item, {HALF_LEVEL: a}) for item in values)
        rho_a = K.cert(eq(rho[j], a), (1, nearest), (1, K.axiom("min-is-left", a, 1 - a)))
        goals = eq(_OUTSIDE, weight * rho[j]), eq(weight * _BITS, weight * rho[j] * (1 - rho[j]))
        inside = K.cert(
            eq(_INSIDE, weight * rho[j] * (1 - 2 * rho[j])),
            (weight / 2 * _second(1 - a), lower),
            (weight * a, rest),
            (weight / 2 * _first(1 - a), upper),
            (-weight * (1 - 2 * (rho[j] + a)), rho_a),
        )
        if a == level:
            outside = K.cert(goals[0], (-weight * _first(a), upper), (-weight, rho_a))
        else:
            outside = K.cert(goals[0], (-weight * _second(level), full), (-weight, rest), (-weight, rho_a))
        independent = K.cert(goals[1], (-weight * (1 - rho[j] - a), rho_a))
        sides.append((outside, independent, inside))
    found = []
    for name, low, high in zip(("outside", "independent", "inside"), *sides, strict=True):
        each = K.cases(2 * level - 1, low, high)
        total = K.sum_over(each, COORDINATES)
        left = {"outside": V, "independent": V_IQ, "inside": V_CQ}[name]
        right = {"outside": _EXACT, "independent": _INDEPENDENT, "inside": _CORRELATED}[name]
        found.append(K.cert(eq(left, right), (1, K.given(name)), (1, total)))
        K.conclude(name, found[-1])
    K.conclude("worse", K.cert(le(_INDEPENDENT, V), (-1, found[0]), (weight, Sum(rho[j] ** 2, COORDINATES))))
    K.conclude(
        "better", K.cert(le(_CORRELATED, V_IQ), (-1, found[1]), (weight, Sum(rho[j] ** 2, COORDINATES)))
    )


def _shares(K: Any) -> tuple[Any, Any, Any, Any]:
    """Return the shares of a level a of at most one half, and of its complement."""
    a = HALF_LEVEL
    any_level, cell = (Symbol(f"half_{name}", real=True) for name in ("any", "cell"))
    cases = share_cases(K, any_level, cell)
    K.know(K.assume(le(0, a)), K.assume(le(2 * a, 1)))

    def at(which: int, level: Any, stratum: int) -> Any:
        return K.instantiate(cases[which], {any_level: level, cell: Integer(stratum)})

    return (
        K.cert(eq(_first(a), 2 * a), (1, at(1, 2 * a, 0))),
        at(0, 2 * a, 1),
        at(2, 2 * (1 - a), 0),
        K.cert(eq(_second(1 - a), 1 - 2 * a), (1, at(1, 2 * (1 - a), 1))),
    )
