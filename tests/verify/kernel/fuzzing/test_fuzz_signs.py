"""What is decided by sign from random facts holds wherever the facts do."""

from __future__ import annotations

import os
import random

import pytest
from flint import fmpq
from random_terms import Terms, instance

from verify.kernel.inequalities.definedness import obligations
from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import UndefinedError
from verify.kernel.node import ONE, ZERO, KernelError, Node, add, name, num
from verify.kernel.rules import Rules

COUNT = int(os.environ.get("BOUNDCHECK_FUZZ", "3000")) // 6
I, J, N, M, X, Y = map(name, "ijnmxy")


def before(node):
    return add(node, num(-1))


def entry(family, *places):
    return Node("entry", family, *places)


def every(index, low, high, formula):
    return Node("every", index, low, high, formula)


FACTS = (
    Node("int", N),
    Node("le", ONE, N),
    Node("int", M),
    Node("le", ZERO, M),
    Node("le", M, N),
    Node("int", I),
    Node("le", ZERO, I),
    Node("le", I, before(N)),
    Node("int", J),
    Node("le", ZERO, X),
    Node("lt", ZERO, Y),
    Node("le", X, Y),
    Node("ne", entry("a", ZERO), ZERO),
    every("i", ZERO, before(N), Node("le", ZERO, entry("a", I))),
    every("j", ZERO, before(N), Node("lt", ZERO, entry("c", J))),
    every("i", ZERO, M, Node("int", entry("c", I))),
    every("i", ZERO, before(N), every("j", ZERO, I, Node("le", ZERO, entry("b", I, J)))),
)


def goal(source):
    terms = Terms(source)
    left, right = source.choice((ZERO, ZERO, terms.term(1))), terms.term(source.choice((1, 2, 2, 3)))
    kind = source.choice(("le", "le", "lt", "lt", "ne", "eq", "int", "every"))
    if kind == "int":
        return Node("int", right)
    if kind == "every":
        inner = Node(source.choice(("le", "lt", "ne")), ZERO, right)
        return every(source.choice("ij"), *terms._bounds(), inner)
    found = Node(kind, left, right)
    if source.random() < 0.15:
        return every(source.choice("ij"), ZERO, before(source.choice((N, M, I))), found)
    return found


def fitting(source):
    """Return an instance at which most facts hold."""
    at = instance(source)
    for k in range(-2, 6):
        at.entries.setdefault("a", {})[k,] = abs(at.entry("a", (k,)))
        at.entries.setdefault("c", {})[k,] = fmpq(abs(int(at.entry("c", (k,)))) + 1)
        for m in range(-2, 6):
            if 0 <= m <= k:
                at.entries.setdefault("b", {})[k, m] = abs(at.entry("b", (k, m)))
    at.names["x"], at.names["y"] = abs(at.name("x")), abs(at.name("y"))
    return at


def checked(source):
    """Return whether a goal that was decided was compared, None where it was not decided."""
    facts = [item for item in FACTS if source.random() < 0.8]
    aim = goal(source)
    try:
        rules = Rules(facts)
        if rules._decider.decide(aim) is None:
            return None
        theorem = rules._made("sign", [aim], aim)
        needed = obligations(aim)
    except KernelError:
        return None
    met = 0
    for _ in range(40):
        at = fitting(source)
        try:
            if all(holds(item, at) is True for item in theorem.hypotheses):
                met += 1
                assert not [item for item in needed if holds(item, at) is False], f"{theorem} at {at.shown()}"
                assert holds(aim, at) is not False, f"{theorem} at {at.shown()}"
        except UndefinedError:
            continue
        if met == 4:
            break
    return met > 0


@pytest.mark.parametrize("batch", range(2))
def test_what_is_decided_by_sign_holds(batch):
    answers = [checked(random.Random(f"signs/{batch}/{k}")) for k in range(COUNT)]
    decided = [item for item in answers if item is not None]
    assert len(decided) > COUNT / 12
    assert decided.count(True) > 0.9 * len(decided)
