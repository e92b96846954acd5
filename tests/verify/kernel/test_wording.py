"""Terms as texts write them: only told where the words are defined."""

from fractions import Fraction

import pytest

from theory.latex.nodes import INFINITY
from verify.kernel.node import KernelError
from verify.kernel.text import text
from verify.kernel.wording import worded

J, N = ("name", "j"), ("name", "n")
ONE = ("number", Fraction(1))


def endless(*conditions):
    return ("fold", "sum", J, (("j", ONE, INFINITY),), conditions)


@pytest.mark.parametrize(
    ("condition", "written"),
    [((J, "<=", N), "Sum[j=1..n] j"), ((J, "<", N), "Sum[j=1..n - 1] j")],
)
def test_a_sum_without_an_end_ends_at_the_bound_of_its_index(condition, written):
    assert text(worded(endless((ONE, "<=", J), condition), {})) == written


@pytest.mark.parametrize("conditions", [(), ((ONE, "<=", J),), ((J, "!=", N),), ((J, "<", J),)])
def test_a_sum_that_no_condition_ends_has_no_term(conditions):
    with pytest.raises(KernelError, match="no sum without an end"):
        worded(endless(*conditions), {})
