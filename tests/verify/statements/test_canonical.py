from fractions import Fraction

import pytest

from theory.latex.nodes import INFINITY, ZERO, Node, minus, number, over
from verify.statements.comparing.canonical import canonical
from verify.statements.comparing.digits import Undefined, agree
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.values import FAR, POINTS, Kinds, Point, value

a, b, c, n, m = (("name", name) for name in "abcnm")
i, j = ("name", "i"), ("name", "j")
ONE, TWO = number(1), number(2)
LAST = ("add", n, number(-1))


def entry(name: str, *indices: Node) -> Node:
    return "entry", name, indices


def total(body: Node, *ranges: tuple[str, Node, Node], kind: str = "sum", tests: Node = ()) -> Node:
    return "fold", kind, body, ranges, tests


x_i, x_j = entry("x", i), entry("x", j)
EQUAL = {
    "order of terms": (("add", a, b, ONE), ("add", ONE, b, a)),
    "sums in sums": (("add", a, ("add", b, ("add", ONE, TWO))), ("add", number(3), a, b)),
    "order of factors": (("mul", TWO, a, ("mul", b, number(Fraction(1, 2)))), ("mul", a, b)),
    "quotients": (over(a, ("mul", b, c)), ("mul", over(a, c), ("pow", b, number(-1)))),
    "powers of powers": (("pow", ("pow", a, number(-1)), TWO), ("pow", a, number(-2))),
    "minus": (minus(("mul", a, b)), ("mul", b, number(-1), a)),
    "names of indices": (total(x_i, ("i", ZERO, LAST)), total(x_j, ("j", ZERO, LAST))),
    "counted from 1": (
        total(entry("x", ("add", i, number(-1))), ("i", ONE, n)),
        total(x_j, ("j", ZERO, LAST)),
    ),
    "endless": (
        total(("pow", a, ("add", i, number(-1))), ("i", ONE, INFINITY)),
        total(("pow", a, i), ("i", ZERO, INFINITY)),
    ),
    "sums of sums": (
        total(total(entry("x", i, j), ("j", ZERO, i)), ("i", ZERO, LAST)),
        total(entry("x", i, j), ("i", ZERO, LAST), ("j", ZERO, i)),
    ),
    "extrema": (("max", a, ("add", b, ONE)), ("max", ("add", ONE, b), a)),
    "fractional part": (("call", "frac", a), ("add", a, minus(("call", "floor", a)))),
    "cases": (
        ("cases", (("add", a, b), ((a, "<", b),)), (c, None)),
        ("cases", (("add", b, a), ((a, "<", b),)), (c, None)),
    ),
}
DIFFERENT = {
    "another sign": (("add", a, minus(b)), ("add", b, minus(a))),
    "another number": (("add", a, ONE), ("add", a, TWO)),
    "a difference turned": (over(a, b), over(b, a)),
    "an inverse of an inverse": (("pow", ("pow", a, number(-1)), number(-1)), a),
    "a root of a square": (("pow", ("pow", a, TWO), number(Fraction(1, 2))), a),
    "another index": (
        total(entry("x", i, j), ("i", ZERO, LAST), ("j", ZERO, LAST)),
        total(entry("x", j, i), ("i", ZERO, LAST), ("j", ZERO, i)),
    ),
    "another end": (total(x_i, ("i", ZERO, LAST)), total(x_i, ("i", ZERO, n))),
    "one place later": (total(x_i, ("i", ONE, n)), total(x_i, ("i", ZERO, LAST))),
    "a product": (total(x_i, ("i", ZERO, LAST)), total(x_i, ("i", ZERO, LAST), kind="prod")),
    "products of sums": (
        total(total(x_j, ("j", ZERO, LAST)), ("i", ZERO, LAST), kind="prod"),
        total(x_j, ("i", ZERO, LAST), ("j", ZERO, LAST), kind="prod"),
    ),
    "a condition": (
        total(x_i, ("i", ZERO, LAST), tests=((i, "!=", ZERO),)),
        total(x_i, ("i", ZERO, LAST), tests=((i, "<=", ZERO),)),
    ),
    "order of arguments": (("call", "binomial", n, m), ("call", "binomial", m, n)),
    "order of cases": (
        ("cases", (a, ((a, "<", b),)), (c, None)),
        ("cases", (c, ((a, "<", b),)), (a, None)),
    ),
}


def values(node: Node) -> list[object]:
    kinds = Kinds(frozenset("nm"), tuple("abc"), ("n", "m"))
    found: list[object] = []
    for seed in (*range(POINTS), *FAR):
        try:
            found.append(value(node, Point(seed, kinds), {}))
        except Undefined:
            found.append(None)
    return found


@pytest.mark.parametrize("name", EQUAL)
def test_one_form_is_one_function(name):
    left, right = EQUAL[name]
    assert canonical(left, {}) == canonical(right, {})
    pairs = list(zip(values(left), values(right), strict=True))
    assert sum(one is not None for one, _ in pairs) >= 10
    # Of long sums only some terms are taken, at the same places here: they agree, too.
    assert all(one is other is None or agree(one, other) for one, other in pairs)


@pytest.mark.parametrize("name", DIFFERENT)
def test_other_functions_have_other_forms(name):
    left, right = DIFFERENT[name]
    assert canonical(left, {}) != canonical(right, {})


def test_a_free_index_takes_the_name_of_the_other_side_and_its_offset():
    kinds = Kinds(frozenset("n"))
    text, formula = entry("x", ("name", "k")), entry("x", ("add", i, ONE))
    same = Sides(kinds).same
    assert same(Side(text, (("k", "i", 1),)), Side(formula, (("i", "i", 0),)))
    assert not same(Side(text, (("k", "i", 0),)), Side(formula, (("i", "i", 0),)))


def test_an_index_that_hides_another_one_has_its_own_values():
    # The inner range of i ends at the outer i.
    inner = total(x_i, ("i", ZERO, i))
    hidden = total(("mul", inner, inner), ("i", ZERO, LAST))
    plain = total(("pow", total(x_j, ("j", ZERO, i)), TWO), ("i", ZERO, LAST))
    assert canonical(hidden, {}) == canonical(total(("mul", plain[2][1], plain[2][1]), *plain[3]), {})
    point, again = Point(0, Kinds(frozenset("n"))), Point(0, Kinds(frozenset("n")))
    point.known["n"] = again.known["n"] = 4
    assert agree(value(hidden, point, {}), value(plain, again, {}))
