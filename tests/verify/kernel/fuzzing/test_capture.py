"""Names that the kernel makes up never bind what stands free, at any depth."""

import random

import pytest
from flint import fmpq
from random_terms import instance

from verify.kernel.inequalities.definedness import obligations
from verify.kernel.inequalities.signs import Signs
from verify.kernel.instances.values import value
from verify.kernel.node import ONE, ZERO, Node, add, mul, name, num, rename_family, substitute
from verify.kernel.normal import means, sums  # noqa: F401 - they register their normal forms
from verify.kernel.normal.forms import form_of

N = add(name("n"), num(-1))
OUTER = name("i~1")
"""A name as renaming makes it: the index of a sum further out."""


def entry(family, *places):
    return Node("entry", family, *places)


def total(index, body, last=N):
    return Node("sum", index, ZERO, last, body)


def same_values(first, second):
    for k in range(40):
        at = instance(random.Random(k))
        at.names["i~1"] = fmpq(k % 3)
        assert value(first, at) == value(second, at)


def test_opened_sums_do_not_capture():
    inner = total("k", entry("b", name("k"), name("j")))
    node = total("j", mul(entry("b", OUTER, name("j")), inner))
    form = form_of(node).node
    assert ("name", "i~1") in form.free
    same_values(node, form)


def test_expectations_do_not_capture_their_moments():
    body = total("k", mul(entry("c", name("k")), entry("e", name("k"))))
    node = Node("mean", body, "e", (("k", ZERO, N),), OUTER, ONE)
    form = form_of(node).node
    assert ("name", "i~1") in form.free
    same_values(node, form)


def test_last_values_of_sums_are_not_captured():
    inner = total("k", entry("b", name("k"), name("j")), OUTER)
    node = total("j", mul(entry("c", name("j")), inner))
    same_values(node, form_of(node).node)


def test_substitution_renames_bound_indices_and_families():
    node = total("i", mul(name("x"), entry("a", name("i"))))
    assert substitute(node, {"x": name("i")}) == total("i~1", mul(name("i"), entry("a", OUTER)))
    law = Node("mean", mul(entry("e", ZERO), entry("a", ZERO)), "e", (("i", ZERO, N),), ZERO, ONE)
    inside = substitute(law, {}, {"a": (("@0",), entry("e", name("@0")))})
    assert ("family", "e") in inside.free
    assert form_of(inside).is_zero


def test_renamed_families_do_not_capture():
    body = add(entry("old", ZERO), entry("new", ZERO), entry("new~1", ZERO))
    node = Node("mean", body, "new", (("i", ZERO, N),), ZERO, ONE)
    renamed = rename_family(node, "old", "new")
    assert {("family", "new"), ("family", "new~1")} <= renamed.free
    assert form_of(renamed) == form_of(add(entry("new", ZERO), entry("new~1", ZERO)))


def test_ranges_of_one_canonical_name_stay_apart():
    """A sum opened within a range of the same canonical name gets another one."""
    form = form_of(
        total("i", mul(entry("c", name("i")), entry("c", name("i")), entry("a", name("i"))), name("m"))
    )
    ((monomial, _),) = form.num
    atom = monomial[0][0]
    index = atom.key[1][0][0]
    signs = Signs((), ((index, ZERO, N),))
    inner, *_ = signs._inside_sum(atom)
    names = [name for name, _, _ in inner.ranges]
    assert len(set(names)) == 2


def test_places_of_a_law_are_checked_under_their_own_binders():
    body = Node("sum", "i", ZERO, name("m"), entry("e", name("i")))
    node = Node("mean", total("i", body), "e", (("i", ZERO, N),), ZERO, ONE)
    needed = [repr(item) for item in obligations(node)]
    assert "for i~1 = 0..m: i~1 <= n - 1" in needed


@pytest.mark.parametrize("put_in", [name("i"), add(name("i"), name("i~2"))])
def test_a_renamed_index_is_none_of_the_names_around_it(put_in):
    body = add(mul(entry("b", name("i")), name("x")), mul(OUTER, name("i~2")), name("i"))
    before = total("i", body)
    after = substitute(before, {"x": put_in})
    for k in range(40):
        at = instance(random.Random(k))
        at.names |= {"i": fmpq(2), "i~1": fmpq(k % 3 + 5), "i~2": fmpq(k % 4 + 9)}
        found = value(after, at)
        at.names["x"] = value(put_in, at)
        assert found == value(before, at)
