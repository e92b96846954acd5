r"""The correlated quantizer at equal inputs, one coordinate, for `cq_marina/marina-exact-oracle`."""

from typing import Any

from sympy import IndexedBase, Symbol, floor, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.moments.covariances import COORDINATES, j, n
from theory.expectation import bernoulli
from theory.facts.rounding.rounding import rounding_variance, variance_nonnegative
from theory.formula import eq, every, lt
from theory.hypotheses import model

norm, i = Symbol("norm", real=True), Symbol("i", real=True)
c, level, sent, mean = symbols("c level tree_bit tree_mean", cls=IndexedBase, real=True)
variance = IndexedBase("tree_variance", real=True)
_ESTIMATE = norm * (2 * (floor(n * level[j]) + sent[0]) / n - 1)


def _over_bits(term: Any) -> Any:
    return bernoulli(term, sent, (i, 0, 0), p=n * level[j] - floor(n * level[j]))


VARIABLES = (
    Variable(c, "c", r"\mathbb R^d", "input of all clients", "(d,)"),
    Variable(norm, "r", r"\mathbb R_{>0}", "its norm"),
    Variable(level, "y", "[0,1]^d", "its levels", "(d,)"),
    Variable(mean, r"\mathbb E\hat c_{#1}", r"\mathbb R^d", "expected estimate", "(d,)"),
    Variable(variance, r"\mathbb E(\hat c_{#1}-c_{#1})^2", r"\mathbb R^d_{\ge0}", "its variance", "(d,)"),
)
HYPOTHESES = {
    "tree": model(
        r"$y_j=\frac12(1+\frac{c_j}r)$, $r>0$; the sum of the bits is $n$ times the level, rounded at random "
        "to a neighbouring integer, unbiased",
        lt(0, norm),
        every(eq(level[j], (1 + c[j] / norm) / 2), COORDINATES),
        every(eq(mean[j], _over_bits(_ESTIMATE)), COORDINATES),
        every(eq(variance[j], _over_bits((_ESTIMATE - c[j]) ** 2)), COORDINATES),
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
