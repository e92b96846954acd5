"""Attack on theorems: exact instances that satisfy the hypotheses must satisfy the conclusion."""

from __future__ import annotations

import random
from collections.abc import Sequence

from verify.kernel.definedness import obligations
from verify.kernel.instances import Instance, UndefinedError, holds, sample
from verify.kernel.node import Node
from verify.kernel.text import text
from verify.kernel.theorem import Theorem

_TRIES = 12


def attacked(theorem: Theorem, *, tries: int = _TRIES, seed: int = 0) -> tuple[int, str]:
    """Return how many instances satisfied the hypotheses, and the first failure or ''.

    "The hypotheses hold and the conclusion is undefined" is a failure, too.
    """
    return _tried(theorem.hypotheses, theorem.conclusion, tries, seed)


def refuted(hypotheses: Sequence[Node], conclusion: Node) -> str:
    """Return why a formula that is to be cited is refused, '' where nothing speaks against it."""
    met, failure = _tried(hypotheses, conclusion, 200, 1)
    if failure:
        return failure
    return "" if met else "no instance satisfies its hypotheses"


def _tried(hypotheses: Sequence[Node], conclusion: Node, tries: int, seed: int) -> tuple[int, str]:
    met = 0
    misses = 0
    for number in range(tries):
        source = random.Random(f"{seed}/{number}/{text(conclusion)}")
        at = sample(hypotheses, source)
        if at is None:
            misses += 1
            if misses > 8 and not met:
                break
            continue
        met += 1
        failure = _failure(conclusion, at)
        # What holds for every family or index was tried for some; before a failure counts, it is tried for more.
        if failure and all(holds(item, at) is True for item in hypotheses if _has_family(item) for _ in range(60)):
            at.far = True
            if any(holds(item, at) is False for item in hypotheses if _is_endless(item)):
                continue
            return met, failure
    return met, ""


def _has_family(formula: Node) -> bool:
    return formula.op == "family" or (formula.op == "every" and _has_family(formula.args[3]))


def _is_endless(formula: Node) -> bool:
    """Return whether a formula says something on all large integers, and nothing on entries of families."""
    return formula.op == "every" and formula.args[2] is None and all(kind == "name" for kind, _ in formula.free)


def _failure(conclusion: Node, at: Instance) -> str:
    try:
        undefined = [item for item in obligations(conclusion) if holds(item, at) is False]
        if undefined:
            return f"{text(undefined[0])} fails, so that {text(conclusion)} is undefined, at {at.shown()}"
        if holds(conclusion, at) is False:
            return f"{text(conclusion)} is false at {at.shown()}"
    except UndefinedError:
        return ""
    return ""
