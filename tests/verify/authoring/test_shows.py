"""What bound and value of a record are: of the claim, of a formula of it, or neither."""

from functools import partial
from pathlib import Path

import pytest

import verify.conformance
from verify.authoring import eq, le
from verify.conformance.arguments import arguments, taken


def _arguments(law, x):
    yield from arguments(taken, {"a square": partial(law.square, x)}, {})


def _marked(law, x):
    yield le("square", law.square(x), law.exactly("bound", x=x, y=1))
    yield le("far", law.square(x), 100, headline=True)


def _formula(law, x):
    yield le("square", law.square(x), law.exactly("bound", x=x, y=1))


def _apart(law, x):
    yield le("square", law.square(x), law.exactly("bound", x=x, y=1))
    yield le("square of another", law.square(x), law.square(x))


@pytest.mark.parametrize("kind", ["exact", "drift"])
@pytest.mark.parametrize(
    ("check", "shown", "printed"),
    [
        (_arguments, "neither", None),
        (_marked, "claim", (100.0, 4.0)),
        (_formula, "formula", (4.25, 4.0)),
        (_apart, "neither", None),
    ],
)
def test_what_a_record_shows(bench, check, kind, shown, printed):
    def checks(law, *given, x):
        yield from check(law, x)

    getattr(bench.judge, kind)(checks, instance="any", x=2)
    (record,) = bench.records()
    assert record["shows"] == shown
    judged = bench.result(found=[record])
    assert (judged.bound, judged.value) == (printed or (None, None))


def test_conformance_beside_a_claim_is_not_the_closest_approach(bench):
    @bench.judge.exact(x=2)
    def square(law, x):
        yield eq("square", law.square(x) + 1, law.exactly("bound", x=x, y=4))
        yield le("square below", law.square(x), law.exactly("bound", x=x, y=4))

    @bench.judge.exact(x=2)
    def domain(law, x):
        yield from _arguments(law, x)

    judged = bench.result()
    assert (judged.bound, judged.value) == (5.0, 4.0)


def test_no_comparison_of_conformance_is_marked_as_a_claim_or_evaluates_a_formula():
    for file in Path(verify.conformance.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "headline" not in text, file.name
        assert "law(" not in text, file.name
        assert "exactly(" not in text, file.name
