"""Random terms: the normal form has the value of the term, and substitution commutes with evaluation.

BOUNDCHECK_FUZZ sets the number of terms.
"""

from __future__ import annotations

import os
import random

import pytest
from flint import fmpq
from random_terms import Dependent, Terms, instance

from verify.kernel.inequalities.definedness import obligations
from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import UndefinedError, _ball, sign, value
from verify.kernel.node import KernelError, name, num, substitute
from verify.kernel.normal import means, sums  # noqa: F401 - they register their normal forms
from verify.kernel.normal.forms import form_of

COUNT = int(os.environ.get("BOUNDCHECK_FUZZ", "3000"))
BATCHES = 6
LIMITS = ("too many outcomes", "irrational law", "not decided", "a range from", "is no integer", "contains")
"""What makes an instance too large for exact evaluation, not a term undefined."""


def difference(first, second):
    if isinstance(first, fmpq) and isinstance(second, fmpq):
        return first - second
    return _ball(first) - _ball(second)


def compared(node, other, needed, source, place=lambda at: at):
    """Return how often two terms were compared, the first at `place` of an instance."""
    count = 0
    for _ in range(6):
        at = instance(source)
        there = None
        try:
            there = place(at)
            if not all(holds(item, there) is True for item in needed):
                continue
            first = value(node, there)
        except UndefinedError as error:
            # What is put in may be undefined; a ball that contains 0 or an irrational law decides nothing.
            if there is at and not any(part in str(error) for part in LIMITS) and "[" not in str(error):
                pytest.fail(f"{node!r}: {error}")
            continue
        try:
            second = value(other, at)
        except UndefinedError as error:
            if not any(part in str(error) for part in LIMITS) and "[" not in str(error):
                pytest.fail(f"{node!r} is {first}, {other!r} is undefined: {error}, at {at.shown()}")
            continue
        assert sign(difference(first, second)) in (0, None), (
            f"{node!r} is {first}, and {other!r} is {second}, at {at.shown()}"
        )
        count += 1
        if count == 2:
            break
    return count


def checked_form(source):
    """Return whether the form of a random term was compared with it, None where it is refused."""
    return with_its_form(Terms(source).term(source.choice((2, 3, 3, 4))), source)


def with_its_form(node, source):
    try:
        form, needed = form_of(node), obligations(node)
    except KernelError:
        return None
    return compared(node, form.node, needed, source) > 0


class Computed(dict):
    """A family as a function of its indices."""

    def __init__(self, parameters, body, at):
        super().__init__()
        self.parameters, self.body, self.at = parameters, body, at

    def __contains__(self, places):
        return True

    def __getitem__(self, places):
        inner = self.at
        for parameter, number in zip(self.parameters, places, strict=True):
            inner = inner.within(parameter, fmpq(number))
        return value(self.body, inner)


def checked_substitution(source):
    """Compare a term with substitutions to the term at the substituted values."""
    terms = Terms(source)
    node = terms.term(source.choice((2, 3, 4)))

    def inserted(depth):
        # An expectation outside of its law has no value that could be compared.
        return next(found for found in iter(lambda: terms.term(depth), None) if "E(" not in repr(found))

    names = {"x": inserted(1), "i": name(source.choice(("j", "n", "i", "m"))), "y": inserted(1)}
    if source.random() < 0.5:
        names["n"] = name(source.choice(("m", "j"))) if source.random() < 0.5 else num(source.randint(0, 3))
    families = {"a": (("@0",), substitute(inserted(2), {"y": name("@0")}))}
    if source.random() < 0.5:
        families["b"] = (("@0", "@1"), substitute(inserted(1), {"y": name("@1"), "x": name("@0")}))
    try:
        other, needed = substitute(node, names, families), obligations(node)
    except KernelError:
        return None

    def place(at):
        there = at.within("x", fmpq(0))
        for key, item in names.items():
            there = there.within(key, value(item, at))
        for family, (parameters, body) in families.items():
            there = there.with_family(family, Computed(parameters, body, at))
        return there

    return compared(node, other, needed, source, place) > 0


@pytest.mark.parametrize("batch", range(BATCHES))
def test_form_has_the_value_of_the_term(batch):
    answers = [checked_form(random.Random(f"form/{batch}/{k}")) for k in range(COUNT // BATCHES)]
    assert answers.count(True) > 0.9 * len(answers)


def test_sums_of_differences_keep_their_signs():
    sources = [random.Random(f"differences/{k}") for k in range(COUNT // 20)]
    answers = [
        with_its_form(Dependent(source).total(depth=1 + k % 2), source) for k, source in enumerate(sources)
    ]
    assert answers.count(True) > 0.7 * len(answers)


@pytest.mark.parametrize("batch", range(2))
def test_substitution_commutes_with_evaluation(batch):
    answers = [checked_substitution(random.Random(f"substitute/{batch}/{k}")) for k in range(COUNT // 6)]
    assert answers.count(True) > 0.8 * len(answers)
