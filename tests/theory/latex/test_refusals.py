"""What a reader of the rendered LaTeX would see otherwise than its braces and tokens say is refused."""

import pytest
from sympy import Rational, exp, log, sqrt, sympify

from tests.theory.latex.test_parser import SIDES, VOCABULARY, a, d, j, x, y
from theory.latex.nodes import Unreadable, check_indices, from_sympy, names_of
from theory.latex.parser import read
from verify.statements.equality import Side
from verify.statements.slots import printed

SLOTS = {
    "two": (sympify(2), None),
    "twelve": (sympify(12), None),
    "half": (Rational(1, 2), None),
    "root": (1 + sqrt(2), None),
    "minus": (sympify(-3), None),
    "log": (log(2), None),
    "round": (Rational(149, 100), 0),
    "exact": (Rational(149, 100), 2),
}


def shown(text):
    return printed(*SLOTS[text.removeprefix("{value:").rstrip("}")], in_math=True)


def same(tex, expression):
    node = read(tex, VOCABULARY, shown)
    free = (("j", "j", 1),) if "j" in names_of(node) else ()
    theirs = tuple((name, name, 0) for name, _, _ in free)
    return SIDES.same(Side(node, free), Side(from_sympy(sympify(expression)), theirs))


@pytest.mark.parametrize(
    ("tex", "expression"),
    [
        ("{value:two}x", 2 * x),
        ("1{value:two}", 12),
        ("{value:two}1", 21),
        ("{value:twelve}", 12),
        ("x^{value:two}", x**2),
        ("x^{value:twelve}", 2 * x),
        ("x^{{value:twelve}}", x**12),
        ("2{value:root}x", 21 + sqrt(2) * x),
        ("2({value:root})x", 2 * (1 + sqrt(2)) * x),
        ("x{value:minus}", x - 3),
        ("x({value:minus})", -3 * x),
        (r"\frac{{value:half}}{{value:two}}", Rational(1, 4)),
        (r"x{value:log}", x * log(2)),
        ("{value:round}", 1),
        ("{value:exact}", Rational(149, 100)),
    ],
)
def test_slots_are_read_as_they_are_printed(tex, expression):
    assert same(tex, expression)


@pytest.mark.parametrize(
    ("tex", "expression"),
    [
        (r"{a_j^2}x", a[j] ** 2 * x),
        (r"{x}{+}{(y+1)}", x + y + 1),
        (r"\log{(x)}", log(x)),
        (r"\log(x)/y", log(x) / y),
        (r"\exp(x)y", exp(x) * y),
        (r"\log x\log y", log(x) * log(y)),
        (r"3\cdot\frac12", Rational(3, 2)),
        (r"3\frac y2", 3 * y / 2),
        (r"x^\frac12", sqrt(x)),
        (r"(d!)!", sympify("factorial(factorial(d))").subs({"d": d})),
    ],
)
def test_grouping_that_changes_nothing_is_read(tex, expression):
    assert same(tex, expression)


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        ("x/{x+2}", "brackets instead of the braces"),
        ("3{x-2}", "brackets instead of the braces"),
        ("x{-2}", "brackets instead of the braces"),
        (r"\frac1x{y+1}", "brackets instead of the braces"),
        (r"\log{1x}y", "brackets instead of the braces"),
        ("{12}{34}", "brackets instead of the braces"),
        ("{x^2}^3", "brackets instead of the braces"),
        (r"{\log x}y", "brackets instead of the braces"),
        (r"{\sum_ja_j}x", "brackets instead of the braces"),
        ("x{}y", "brackets instead of the braces"),
        ("2^xy^2^3", "write brackets: of what"),
        ("d!!", "write brackets: of what"),
        ("x^2!", "write brackets: of what"),
        (r"x^a_j", "write braces around ‘a _ j’"),
        (r"x^C(d)", "write braces around"),
        (r"x^(y+1)", "write braces around"),
        (r"\sqrt a_jx", "write braces around"),
        (r"\exp xy", r"how far does \\exp reach before ‘y’"),
        (r"\log x/y", "how far does"),
        (r"\log x\cdot y", "how far does"),
        (r"\log\frac xyd", "how far does"),
        (r"\log x|y|", "how far does"),
        (r"3\tfrac12", "looks like a sum"),
        (r"3\dfrac{1}{2}x", "looks like a sum"),
        ("3{value:half}", "looks like a sum"),
        ("x+{value:minus}", "cannot read on"),
    ],
)
def test_what_looks_otherwise_is_refused(tex, message):
    with pytest.raises(Unreadable, match=message):
        read(tex, VOCABULARY, shown)


@pytest.mark.parametrize("tex", ["M_{i+1j}", "M_{1ij}", r"\|B_{i;j+1j+1}\|"])
def test_indices_side_by_side_are_one_sign_each(tex):
    with pytest.raises(Unreadable, match=r"write commas|cannot read on"):
        read(tex, VOCABULARY)


@pytest.mark.parametrize("tex", ["M_{i+1,j}", "M_{ij}", "M_{12}", "M_{2k,d-1}"])
def test_indices_that_can_be_told_apart_are_read(tex):
    assert read(tex, VOCABULARY)[0] == "entry"


@pytest.mark.parametrize(
    "sides",
    [
        [r"a_j+\sum_{i\ne j}a_ia_j"],
        ["a_j", r"\sum_{i\ne j}a_ia_j"],
        ["a_i", r"\sum_{i:a_i\ge1}a_i"],
        [r"\sum_ja_j\sum_{j:a_j\ge1}1"],
    ],
)
def test_a_letter_both_free_and_in_a_condition_of_a_sum_is_refused(sides):
    with pytest.raises(Unreadable, match="stands outside of it, too"):
        check_indices([read(side, VOCABULARY) for side in sides])


@pytest.mark.parametrize(
    "tex",
    [r"a_j/\sum_ja_j", r"\sum_{i\ne j}a_ia_j", r"\sum_ja_j\sum_{i\ne j}a_i", r"\sum_ja_j\sum_j\frac1{a_j}"],
)
def test_a_letter_that_sums_bind_plainly_is_read(tex):
    check_indices([read(tex, VOCABULARY)])


def test_without_values_a_slot_is_refused():
    with pytest.raises(Unreadable, match="has no value here"):
        read("{value:two}", VOCABULARY)
