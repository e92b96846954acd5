from boundcheck import Claim, Hypothesis, Part, Relation, Variable, bernoulli, eq, le, lt
from natural.paper import PAPER
from sympy import IndexedBase, Symbol

x, a, j, mean, variance = (Symbol(name, real=True) for name in ("x", "a", "j", "mean", "variance"))
b = IndexedBase("b", real=True)
_EXACT, _LAW = (x - a) * (2 * a - x), {"p": (x - a) / a}
_MEAN, _VARIANCE = (bernoulli(body, b, (j, 0, 0), **_LAW) for body in (a + a * b[0], (a + a * b[0] - x) ** 2))
CLAIM = Claim(
    id="natural/variance", kind="identity", provenance="rederived", position=1,
    title="Natural compression is unbiased and has this variance", paper=PAPER,
    parts=(
        Part("a", r"For $0<a$, $a\le x$ and $x\le2a$: $\mathbb E\,C(x)=x$.", ("mean",), ("proof", "exact/mean")),
        Part("b", r"Then $\mathbb E(C(x)-x)^2=(x-a)(2a-x)$.", ("variance",), ("proof", "exact/variance")),
    ),
    variables=(
        Variable(x, "x", r"\mathbb R_{>0}", "entry"), Variable(a, "a", r"\mathbb R_{>0}", "power of two below it"),
        Variable(mean, r"\mathbb E\,C(x)", "", "mean"), Variable(variance, r"\mathbb E(C(x)-x)^2", "", "variance"),
    ),
    hypotheses={
        "range": Hypothesis("domain", (lt(0, a), le(a, x), le(x, 2 * a)), r"$0<a$, $a\le x$, $x\le2a$"),
        "law": Hypothesis("definition", (eq(mean, _MEAN), eq(variance, _VARIANCE)), "rounding to a or 2a, unbiased"),
    },
    relations={"mean": Relation((mean, x), ("=",)), "variance": Relation((variance, _EXACT), ("=",))},
    formulas={"exact": _EXACT, "mean": x},
)


def derive(K):
    K.conclude("mean", K.cert(eq(mean, x), (1, K.given("law"))))
    K.conclude("variance", K.cert(eq(variance, _EXACT), (1, K.given("law", 1))))
