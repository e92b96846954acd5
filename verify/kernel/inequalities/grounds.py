"""Which hypotheses may be used by their forms.

What a form of a hypothesis needs, as n != 0 for the sum of 1/n up to n, must follow from other ones: the form
itself may say it where the hypothesis, of an empty sum, does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verify.kernel.inequalities.definedness import of_form
from verify.kernel.inequalities.implication import implies
from verify.kernel.inequalities.signs import Signs
from verify.kernel.node import Node
from verify.kernel.normal.keys import truth
from verify.kernel.theorem import Theorem


def grounded(stated: Sequence[tuple[Node, Theorem]]) -> tuple[Signs, Mapping[Node, Node]]:
    """Return what hypotheses decide that say what their forms do, and what is missing by each other one.

    Args:
        stated: Hypotheses, and the theorem that each of them holds.
    """
    hidden = {item: needed[0] for item, _ in stated if (needed := of_form(item))}
    while True:
        before = len(hidden)
        signs = Signs(fact for item, fact in stated if item not in hidden)
        clear = [item for item, _ in stated if item not in hidden]
        for item in tuple(hidden):
            missing = next((needed for needed in of_form(item) if not _follows(needed, clear, signs)), None)
            if missing is None:
                del hidden[item]
            else:
                hidden[item] = missing
        if len(hidden) == before:
            return signs, hidden


def _follows(needed: Node, stated: Sequence[Node], signs: Signs) -> bool:
    """Return whether a formula is stated or decided, and so is what its own form needs."""
    if not (
        truth(needed) or any(implies(item, needed) for item in stated) or signs.decide(needed) is not None
    ):
        return False
    return all(_follows(item, stated, signs) for item in of_form(needed))
