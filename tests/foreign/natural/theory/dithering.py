from boundcheck import Claim, Hypothesis, Part, Relation, Variable, IsInteger, eq, le
from natural.paper import PAPER
from sympy import Abs, IndexedBase, Rational, Sum, Symbol, sqrt

from theory.facts.sums.cauchy_schwarz import cauchy_schwarz

t, y, N, d, j = (Symbol(name, real=True) for name in ("t", "y", "N", "d", "j"))
x, over = IndexedBase("x", real=True), (j, 0, d - 1)
_SMALL, _TOTAL = y * (t - y), Sum(x[j] ** 2 / 8 + t * N * Abs(x[j]), over)
_BOUND = (Rational(1, 8) + t * sqrt(d)) * N**2
CLAIM = Claim(
    id="natural/dithering", kind="upper", provenance="rederived", position=3,
    title="Variance of natural dithering", paper=PAPER,
    parts=(
        Part("a", r"For $y\ge0$, $y(t-y)\le ty$.", ("small",), ("proof", "exact/small", "exact/entry")),
        Part("b", r"If $N=\sqrt{\sum_jx_j^2}$, then $\sum_j\big(\frac{x_j^2}8+tN|x_j|\big)\le\big(\frac18+t\sqrt d\big)N^2$.",
             ("total",), ("proof", "exact/total")),
    ),
    variables=(
        Variable(t, "t", r"\mathbb R_{\ge0}", "smallest level"), Variable(y, "y", r"\mathbb R_{\ge0}", "entry below"),
        Variable(N, "N", r"\mathbb R_{\ge0}", "norm"), Variable(d, "d", r"\mathbb N", "dimension"),
        Variable(x, "x", r"\mathbb R^d", "vector", "(d,)"),
    ),
    hypotheses={
        "signs": Hypothesis("domain", (le(0, y), le(0, t), IsInteger(d), le(1, d)), r"$y\ge0$, $t\ge0$, $d\ge1$ is an integer"),
        "norm": Hypothesis("definition", eq(N, sqrt(Sum(x[j] ** 2, over))), r"$N=\sqrt{\sum_jx_j^2}$"),
    },
    relations={"small": Relation((_SMALL, t * y), ("<=",)), "total": Relation((_TOTAL, _BOUND), ("<=",))},
    formulas={"entry": _SMALL, "small": t * y, "bound": _BOUND},
)


def derive(K):
    K.conclude("small", K.cert(le(_SMALL, t * y), (1, y**2)))
    S, half, square = Sum(Abs(x[j]), over), Rational(1, 2), Sum(x[j] ** 2, over)
    root = K.power(cauchy_schwarz(K, Abs(x[j]), 1, over), half)
    positive, product = K.axiom("abs-of-nonnegative", S), K.axiom("root-product", d, square, half)
    norm = K.given("norm")
    linear = K.cert(le(S, sqrt(d) * N), (1, root), (-1, positive), (1, product), using=[norm])
    K.know(K.cert(le(0, N), (1, sqrt(square)), using=[norm]))
    K.conclude("total", K.cert(le(_TOTAL, _BOUND), (t * N, linear), using=[norm]))
