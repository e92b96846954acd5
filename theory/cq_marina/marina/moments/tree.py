r"""The correlated quantizer at equal inputs, one coordinate, for `cq_marina/marina-exact-oracle`."""

from typing import Any

from sympy import IndexedBase, Symbol, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.moments.covariances import COORDINATES, j, n
from theory.facts.rounding.rounding import rounding_variance, variance_nonnegative
from theory.formula import eq
from theory.hypotheses import model

norm, i = Symbol("norm", real=True), Symbol("i", real=True)
c, level, sent, mean = symbols("c level tree_bit tree_mean", cls=IndexedBase, real=True)
variance = IndexedBase("tree_variance", real=True)


VARIABLES = (
    Variable(c, "c", r"\mathbb R^d", "input of all clients", "(d,)"),
    Variable(norm, "r", r"\mathbb R_{>0}", "its norm"),
    Variable(level, "y", "[0,1]^d", "its levels", "(d,)"),
    Variable(mean, r"\mathbb E\hat c_{#1}", r"\mathbb R^d", "expected estimate", "(d,)"),
    Variable(variance, r"\mathbb E(\hat c_{#1}-c_{#1})^2", r"\mathbb R^d_{\ge0}", "its variance", "(d,)"),
    Variable(sent, r"\vartheta", r"\{0,1\}", "the bit that the strata leave open", "(1,)"),
)
HYPOTHESES = {
    "tree": model(
        r"$0<r$, $y_j=\frac12+\frac{c_j}{2r}$; $\mathbb E\hat "
        r"c_j=\mathbb E\bigl(r(\frac1n(2\lfloor ny_j\rfloor+2\vartheta)-1)\bigr)$, "
        r"$\mathbb E(\hat c_j-c_j)^2=\mathbb E\bigl((r(\frac1n(2\lfloor "
        r"ny_j\rfloor+2\vartheta)-1)-c_j)^2\bigr)$, over "
        r"$\vartheta\sim\mathrm{Bernoulli}(\{ny_j\})$, since the "
        "strata leave a bit open",
        reference="cq_marina/cq-equal-inputs",
    ),
}
RELATIONS = {
    "tree-mean": Relation((mean[j], c[j]), ("=",), every=(COORDINATES,), under=("tree",)),
    "tree-variance": Relation(
        (variance[j], 4 * norm**2 / n**2 * rounding_variance(n * level[j])),
        ("=",),
        every=(COORDINATES,),
        under=("tree",),
    ),
}


def conclude(K: Any) -> None:
    """Conclude both moments of a coordinate."""
    K.know(K.every(variance_nonnegative(K, n * level[j]), COORDINATES))
    own = K.at(K.given("tree", 1), j)
    first = K.cert(eq(mean[j], c[j]), (1, K.at(K.given("tree", 2), j)), (2 * norm, own))
    K.conclude("tree-mean", K.every(first, COORDINATES))
    stated = 4 * norm**2 / n**2 * rounding_variance(n * level[j])
    shift = norm * (2 * level[j] - 1) - c[j]
    second = K.cert(eq(variance[j], stated), (1, K.at(K.given("tree", 3), j)), (2 * norm * shift, own))
    K.conclude("tree-variance", K.every(second, COORDINATES))
