"""What stops a derivation is told by its report, and what was concluded before stays."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from claims import claim, families, proved, symbols

from theory.claim import Relation, Variable
from theory.formula import IsInteger, eq, every, le, lt
from verify.kernel.derive import run
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError

(x,) = symbols("x")
TWO = {"main": Relation((0, x), ("<=",)), "other": Relation((x, x**2), ("<=",))}


def takes_long():
    end = time.monotonic() + 20  # a limit that does not work must not stop the tests
    while time.monotonic() < end:
        pass


def recurses():
    recurses()


def refuses():
    raise KernelError("one step is refused")


def raises():
    raise ValueError("no number")


def leaves():
    raise SystemExit(3)


HERE = Path(__file__).name


def line_of(function):
    return function.__code__.co_firstlineno


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        (takes_long, "the derivation took more than 0.3 s"),
        (recurses, "the derivation recurses without end"),
        (refuses, "one step is refused"),
        (raises, f"the derivation raises ValueError: no number ({HERE}, line {line_of(raises) + 1})"),
        (leaves, f"the derivation raises SystemExit: 3 ({HERE}, line {line_of(leaves) + 1})"),
    ],
)
def test_what_stops_a_derivation_is_told(stop, told):
    def derive(kernel):
        kernel.conclude("main", kernel.given("nonnegative"))
        stop()

    report = run(claim(TWO, nonnegative=le(0, x)), derive, seconds=0.3)
    assert list(report.conclusions) == ["main"]
    assert report.failed == {"": told, "other": told}


@pytest.mark.parametrize("rule", ["index", "every", "sum_over"])
def test_what_is_no_range_is_told_with_an_example(rule):
    def derive(kernel):
        given = () if rule == "index" else (kernel.given("nonnegative"),)
        getattr(kernel, rule)(*given, x)

    with pytest.raises(KernelError, match="x is no range; write index, first and last value"):
        proved(TWO, derive, nonnegative=le(0, x))


def test_a_hypothesis_that_the_relation_lacks_is_named():
    relations = {
        "main": Relation((0, x), ("<=",)),
        "other": Relation((0, x), ("<=",), under=("positive",)),
    }
    with pytest.raises(
        KernelError, match="follows from hypothesis 'positive', which the relation does not have"
    ):
        proved(relations, lambda kernel: kernel.show("main", "positive"), positive=lt(0, x))


def test_an_index_on_which_a_relation_still_rests_is_named():
    (a,) = families("a")
    d, j = symbols("d j")
    facts = {
        "size": IsInteger(d),
        "entries": every(le(a[j], x), (j, 0, d - 1)),
        "sign": every(le(0, a[j]), (j, 0, d - 1)),
    }
    stated = claim({"main": Relation((0, x), ("<=",))}, **facts)
    variables = tuple(
        Variable(symbol, tex, "", "", shape)
        for symbol, tex, shape in ((a, "a", "(d,)"), (d, "d", ""), (x, "x", ""))
    )
    kernel = Kernel(replace(stated, variables=variables))
    kernel.index((j, 0, d - 1))
    with pytest.raises(KernelError, match="j is an index: conclude what is said of it for its whole range"):
        kernel.show("main", "entries", "sign")


def test_an_equation_for_no_name_is_sent_among_the_terms():
    def derive(kernel):
        kernel.show("main", using=["square"])

    with pytest.raises(KernelError, match="no equation for a name; give others among the terms"):
        proved(TWO, derive, square=eq(x**2, x))
