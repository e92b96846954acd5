from boundcheck import Claim, Part, Relation, Variable, eq, le, parameter
from natural.paper import PAPER
from sympy import Rational, Symbol

x, a = (Symbol(name, real=True) for name in ("x", "a"))
_VARIANCE, _BOUND = (x - a) * (2 * a - x), x**2 / 8
CLAIM = Claim(
    id="natural/omega", kind="tight", provenance="rederived", position=2,
    title="The constant 1/8 of natural compression is attained", paper=PAPER,
    parts=(
        Part("a", r"$(x-a)(2a-x)\le\frac{x^2}8$.", ("bound",), ("proof", "exact/bound", "adversarial/searched")),
        Part("b", r"If $x=\frac43a$, then $(x-a)(2a-x)=\frac{x^2}8$.", ("attained",), ("proof", "exact/attained")),
    ),
    variables=(Variable(x, "x", r"\mathbb R", "entry"), Variable(a, "a", r"\mathbb R_{>0}", "power of two")),
    hypotheses={"third": parameter(r"$x=\frac43a$")},
    relations={"bound": Relation((_VARIANCE, _BOUND), ("<=",)),
               "attained": Relation((_VARIANCE, _BOUND), ("=",), under=("third",))},
    formulas={"exact": _VARIANCE, "bound": _BOUND},
)


def derive(K):
    K.conclude("bound", K.cert(le(_VARIANCE, _BOUND), (Rational(1, 8), (3 * x - 4 * a) ** 2)))
    K.conclude("attained", K.cert(eq(_VARIANCE, _BOUND), using=[K.given("third")]))
