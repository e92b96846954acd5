"""What solvers are handed is what the formula says, term by term."""

import pytest
import sympy
from claims import families, symbols
from sympy import Abs, Max, Rational, Sum, Symbol

from theory.formula import le
from verify.kernel.bridge import formula
from verify.kernel.node import KernelError
from verify.kernel.relations import relation_of

x, n, j = symbols("x n j")
(a,) = families("a")
FIRST, SECOND = (Symbol(f"a[{place}]", real=True) for place in (1, 2))


@pytest.mark.parametrize(
    ("side", "wanted"),
    [
        (Rational(3, 7) * x, Rational(3, 7) * x),
        (1 / x**2, x**-2),
        (Abs(x) + Max(x, 1), Abs(x) + Max(x, 1)),
        (Sum(j * a[j] ** 2, (j, 1, 2)), FIRST**2 + 2 * SECOND**2),
        (Sum(x, (j, 1, 3)), 3 * x),
    ],
    ids=str,
)
def test_a_side_has_the_value_of_its_term(side, wanted):
    found = relation_of(formula(le(n, side)))
    assert isinstance(found, sympy.Le)
    assert found.lhs == n
    assert sympy.simplify(found.rhs - wanted) == 0


@pytest.mark.parametrize("side", [Sum(a[j], (j, 1, n)), Sum(a[j], (j, 0, 64)), sympy.exp(x)], ids=str)
def test_what_solvers_do_not_read_is_refused(side):
    with pytest.raises(KernelError, match="is nothing that solvers of polynomials and quotients read"):
        relation_of(formula(le(n, side)))
