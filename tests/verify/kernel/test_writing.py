"""Short ways to write derivations: what they find is what the rules accept, and no more."""

import pytest
from claims import claim, families, said, symbols
from sympy import Sum, sqrt

from theory.claim import Relation
from theory.formula import IsInteger, eq, every, le, lt
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError

x, y, z, c, n, i = symbols("x y z c n i")
a, b = families("a b")
NODES = (i, 0, n - 1)
SIZE = (IsInteger(n), le(1, n))


def kernel(relation=None, **hypotheses):
    return Kernel(claim(relation or said(0, "<=", 0), **hypotheses))


def test_multipliers_that_are_numbers():
    K = kernel(first=le(x, y), second=le(y, z))
    theorem = K.cert(le(2 * x, 2 * z), "first", "second")
    assert str(theorem.conclusion) == "2*x <= 2*z"
    assert len(theorem.hypotheses) == 2


def test_multipliers_that_are_expressions():
    K = kernel(sign=lt(0, c), first=le(x, c * y), second=eq(y, z / c))
    assert K.cert(le(x / c, z / c), "first", "second").conclusion.op == "le"


def test_what_is_left_is_at_least_zero_by_its_form():
    K = kernel(first=le(x, y))
    K.cert(le(x, y + z**2), "first")
    with pytest.raises(KernelError, match="no multipliers were found"):
        K.cert(le(x, y + z), "first")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        (le(y, x), "no multipliers"),  # the multiplier would be -1
        (lt(x, y), "is strict"),
        (eq(x, y), "rest on the inequality"),
        (le(c * x, c * y), "no multipliers"),  # the sign of c is not known
        (le(x, 2 * y), "no multipliers"),
    ],
)
def test_goals_that_do_not_follow(goal, message):
    with pytest.raises(KernelError, match=message):
        kernel(first=le(x, y)).cert(goal, "first")


def test_names_are_hypotheses_of_the_claim():
    K = kernel(first=le(x, y))
    with pytest.raises(KernelError, match=r"'young' .* is unknown"):
        K.cert(le(x**2, x), "young")
    with pytest.raises(KernelError, match=r"'young' .* is unknown"):
        K.cert(le(x, y), (1, "young"))


def test_hypotheses_at_their_own_indices():
    K = kernel(n=SIZE, each=every(eq(a[i], b[i]), NODES))
    K.index(NODES)
    assert K.sum_over("each", NODES) is not None
    inside = K.cert(le(2 * a[i], 2 * b[i] + 1), "each")
    with pytest.raises(KernelError, match="no slack"):
        K.cert(le(0, 1), (1, K.given("each")))
    assert K.every(inside, NODES).conclusion.op == "every"


def test_terms_are_put_in():
    K = kernel(n=SIZE, each=every(eq(a[i], x), NODES), name=eq(x, 2))
    K.index(NODES)
    assert "2^2" in str(K.put_in(a[i] ** 2, "each", "name").conclusion)


def test_roots_by_their_squares():
    K = kernel(sign=(lt(0, x), le(x, y)))
    K.cert(le(sqrt(x), sqrt(y)), K.given("sign", 1), squared=True)
    with pytest.raises(KernelError):
        kernel(order=le(x**2, y**2)).cert(le(x, y), "order", squared=True)  # x = 1, y = -2


def test_relations_are_shown():
    relation = {
        "sum": said(Sum(a[i], NODES), "<=", n * x),
        "each": Relation((a[i], x), ("<=",), every=(NODES,)),
        "chain": Relation((x, y, z), ("<=", "<=")),
    }
    K = kernel(relation, n=SIZE, bound=every(le(a[i], x), NODES), first=le(x, y), second=le(y, z))
    K.index(NODES)
    each = K.show("each", "bound")
    K.show("sum", K.sum_over(each, NODES))
    assert len(K.show("chain", ["first"], K.given("second"))) == 2
    assert list(K.concluded) == ["each", "sum", "chain"]


@pytest.mark.parametrize("links", [(), (["first"],), (["first"], ["second"], ["first"])])
def test_chains_are_shown_whole(links):
    K = kernel(Relation((x, y, z), ("<=", "<=")), first=le(x, y), second=le(y, z))
    with pytest.raises(KernelError, match="links"):
        K.show("main", *links)


def test_unknown_relations_are_refused():
    with pytest.raises(KernelError, match="is unknown; the claim has main"):
        kernel().show("other", (1, x**2))


def test_a_pair_may_name_its_source():
    K = kernel(first=le(x, y), every_node=every(le(a[i], b[i]), NODES), **{"size": SIZE})
    assert str(K.cert(le(2 * x, 2 * y), (2, "first")).conclusion) == "2*x <= 2*y"
    assert K.cert(le(3 * a[i], 3 * b[i]), (3, "every_node")).conclusion.op == "le"


def test_no_multiplier_divides_by_what_an_equation_says_to_be_zero():
    K = kernel(total=eq(x, y))
    with pytest.raises(KernelError, match="no multipliers were found"):
        K.cert(eq(x, 2 * y), "total")  # (x - 2*y)/(x - y) times x - y
