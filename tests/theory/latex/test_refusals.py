"""What a reader of the rendered LaTeX would see otherwise than its braces and tokens say is refused."""

import dataclasses
import re

import pytest
from sympy import Abs, IndexedBase, Product, Rational, exp, factorial, log, sqrt, symbols, sympify

from theory.claim import Claim, Part, Variable
from theory.formula import eq
from theory.hypotheses import definition, parameter
from theory.latex.clauses import all_clauses, conjunction
from theory.latex.nodes import Unreadable, check_indices, from_sympy, names_of
from theory.latex.parser import read
from theory.latex.tokens import fragments
from theory.latex.vocabulary import Vocabulary
from theory.paper import Paper
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.names import indices, kinds
from verify.statements.slots import printed
from verify.statements.ties import Checker

d, n, k, x, y, gamma, C, j = symbols("d n k x y gamma C j", real=True)
a, M = (IndexedBase(name, real=True) for name in ("a", "M"))
CLAIM = Claim(
    id="sample/refusals",
    kind="identity",
    provenance="derived",
    title="Refusals",
    position=1,
    paper=Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue"),
    parts=(Part("a", "Nothing.", evidence=("proof",)),),
    variables=(
        Variable(d, "d", r"\mathbb N", ""),
        Variable(n, "n", r"\mathbb N", ""),
        Variable(k, "k", r"\mathbb N", ""),
        Variable(x, "x", r"\mathbb R", ""),
        Variable(y, "y", r"\mathbb R_{>0}", ""),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", ""),
        Variable(C, "C(d)", r"\mathbb R_{>0}", ""),
        Variable(a, "a", r"\mathbb R^d_{>0}", "", "(d,)"),
        Variable(M, "M", r"\mathbb R^{n\times d}_{>0}", "", "(n, d)", aliases=(r"\|B_{#1;#2#2}\|",)),
    ),
)
VOCABULARY = Vocabulary(CLAIM, indices(CLAIM))
SIDES = Sides(kinds(CLAIM))
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
        (r"x\prod_j2a_j", x * Product(2 * a[j], (j, 0, d - 1))),
        (r"(\prod_ja_j)x", x * Product(a[j], (j, 0, d - 1))),
        (r"3\frac y2", 3 * y / 2),
        (r"x^\frac12", sqrt(x)),
        (r"(d!)!", factorial(factorial(d))),
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
        (r"\prod_ja_j\cdot x", r"inside of the \\prod over j"),
        (r"\prod_ja_j/x", r"inside of the \\prod over j"),
        (r"\max_ja_j(1-x)", r"inside of the \\max over j"),
        (r"\min_ja_j/x", r"inside of the \\min over j"),
        (r"\max_j\{a_j,x\}", "of one term"),
        (r"\sum_ja_j+a_j", "how far does the fold over j reach"),
        (r"x\max_ja_j-y-a_j", "how far does the fold over j reach"),
        (r"\log\sum_{j=1}^da_j-ya_j", "how far does the fold over j reach"),
        ("10^12", r"write \\cdot before the 2"),
        ("x^12", r"write \\cdot before the 2"),
        ("x^{value:twelve}", r"write \\cdot before the 2"),
        ("a_12", r"write \\cdot before the 2"),
        (r"\frac123", r"write \\cdot before the 3"),
        ("x2", r"write \\cdot before the 2"),
        (r"\log(1+x)(1+y)", r"how far does \\log reach before ‘\(’"),
        (r"\exp(x)[y]", r"how far does \\exp reach before ‘\[’"),
        ("|x|y|y|", r"which of the \| are a pair"),
        ("y^{(2)}", "is no power or index to all readers"),
        ("y^{[2]}", "is no power or index to all readers"),
        ("a_{(1)}", "is no power or index to all readers"),
        ("M_{[1],2}", "is no power or index to all readers"),
    ],
)
def test_what_looks_otherwise_is_refused(tex, message):
    with pytest.raises(Unreadable, match=message):
        read(tex, VOCABULARY, shown)


@pytest.mark.parametrize(
    ("tex", "expression"),
    [
        (r"\frac{x}{32}2y", x * y / 16),
        (r"10^{12}x\cdot2^k", 10**12 * x * 2**k),
        (r"\log(1+y)\cdot(1+x)", log(1 + y) * (1 + x)),
        (r"\log(1+y)x", log(1 + y) * x),
        ("|x|y", Abs(x) * y),
        ("|x||y|x", Abs(x) * Abs(y) * x),
        (r"|x|\cdot x|y|", Abs(x) * x * Abs(y)),
        ("y^{(1+x)/2}", y ** ((1 + x) / 2)),
        ("y^2(1+x)", y**2 * (1 + x)),
    ],
)
def test_neighbours_of_what_looks_otherwise_are_read(tex, expression):
    assert same(tex, expression)


@pytest.mark.parametrize(
    "tex",
    [
        r"\Big(\sum_ja_j\Big)+a_j",
        r"\frac{\sum_ja_j}x+a_j",
        r"a_j-\sum_ja_j",
        r"\sum_ja_j+\sum_ja_j^2",
        r"a_j\sum_ja_j",
        r"\max_j\{a_j\}x",
        r"\max_ja_ja_j^2",
        r"\max_j\frac{a_j}x",
        r"\sum_ja_jx",
    ],
)
def test_folds_of_which_the_end_is_seen_are_read(tex):
    read(tex, VOCABULARY)


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


@pytest.mark.parametrize("tex", [r"\sum_{j=1}^dx_jy", r"\max_ja_j(x_ja_j)", r"\sum_ja_{j}(\log x_j)"])
def test_a_name_with_the_index_of_a_sum_is_no_entry(tex):
    name = Variable(symbols("u", real=True), "x_j", r"\mathbb R", "")
    said = dataclasses.replace(CLAIM, variables=(*CLAIM.variables, name))
    with pytest.raises(Unreadable, match="‘x _ j’ does not depend on the index j"):
        read(tex, Vocabulary(said))
    assert read(r"x_j\sum_ja_j", Vocabulary(said))[1] == ("name", "u")


def test_without_values_a_slot_is_refused():
    with pytest.raises(Unreadable, match="has no value here"):
        read("{value:two}", VOCABULARY)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (r"$x\ge1\\+y$", r"begins with \+"),
        (r"$x\ge1\\y\le2$", "end that with a comma"),
        (r"$x\ge1\quad-y\le2$", "begins with -"),
        (r"$x\ge1,+y$", r"begins with \+"),
        (r"$x\ge1\quad y$", "without a relation"),
        (r"$x\ge1\text{ times }y$", "without a relation"),
        (r"$x\ge1\text{}y\le2$", "has no words"),
        (r"$x\ge1\text{ 2}$", "has no words"),
        ("$x\\ge1$$y$", "no word and no punctuation"),
        ("$x\\ge1$ $y$", "no word and no punctuation"),
        ("$x\\ge1$-$y$", "no word and no punctuation"),
        ("$x\\ge1$ $$+y$$", "no word and no punctuation"),
    ],
)
def test_a_clause_that_looks_like_the_rest_of_another_is_refused(text, message):
    (problem,) = [clause.problem for clause in all_clauses(text) if clause.problem]
    assert re.search(message, problem)


@pytest.mark.parametrize(
    "text",
    [
        r"$x\ge1,\\y\le2$",
        r"$x\ge1\quad y\le2$",
        r"$x\ge1,\quad y$",
        r"$x\ge1\text{ for }y\le2$",
        r"$x\ge1$, $y$ and $-x\le1$",
        r"For $x\ge1$ $$-x\le y.$$ $y$ is large",
        r"$x,-y\le1$",
    ],
)
def test_clauses_that_stand_apart_are_read(text):
    assert not [clause.problem for clause in all_clauses(text) if clause.problem]


def test_a_doubtful_clause_is_refused_in_parts_setting_and_hypotheses():
    text = r"Let $x\ge1\quad y$."
    (part,) = CLAIM.parts
    for claim in (
        dataclasses.replace(CLAIM, setting=text),
        dataclasses.replace(CLAIM, parts=(dataclasses.replace(part, text=text),)),
    ):
        found = [str(problem) for problem in Checker(claim, explain=False).problems({})]
        assert any("without a relation it looks like the rest" in line for line in found)
    with pytest.raises(Unreadable, match="looks like the rest of the row"):
        conjunction(fragments(r"$x\ge1\\y\le2$")[0])


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        (Variable(sympify("z"), "7", "", ""), "which is no name"),
        (Variable(sympify("z"), "2.5", "", ""), "which is no name"),
        (Variable(sympify("z"), "z", "", "", aliases=("-1",)), "which is no name"),
        (Variable(sympify("z"), "", "", ""), "which is no name"),
        (Variable(sympify("z"), r"\frac15", "", ""), "is a number to a reader"),
        (Variable(sympify("z"), "z", "", "", aliases=(r"\sqrt2",)), "is a number to a reader"),
        (Variable(sympify("z"), "z", "", "", aliases=("x",)), "'x' and 'z' are both written 'x'"),
        (Variable(sympify("z"), r"\gamma", "", ""), "'gamma' and 'z' are both written"),
    ],
)
def test_variables_that_text_cannot_write_are_refused(variable, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(CLAIM, variables=(*CLAIM.variables, variable))


@pytest.mark.parametrize("tex", ["e", r"\pi"])
def test_a_letter_that_is_a_number_elsewhere_is_no_other_number(tex):
    z = symbols("z", real=True)
    variables = (*CLAIM.variables, Variable(z, tex, r"\mathbb R", ""))
    dataclasses.replace(CLAIM, variables=variables)
    dataclasses.replace(CLAIM, variables=variables, hypotheses={"z": parameter(f"${tex}=3$")})  # is said
    with pytest.raises(ValueError, match="is a number to a reader"):
        dataclasses.replace(CLAIM, variables=variables, hypotheses={"z": definition("it", eq(z, 3))})
