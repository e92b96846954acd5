"""What stops a derivation is told by its report, and what was concluded before stays."""

import time
from pathlib import Path

import pytest
from claims import claim, symbols

from theory.claim import Relation
from theory.formula import le
from verify.kernel.derive import run
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
