"""Whether one formula says what another one says, or more."""

from __future__ import annotations

from verify.kernel.node import Node, name, substitute
from verify.kernel.normal.forms import form_of
from verify.kernel.normal.keys import formula_key


def implies(known: Node, wanted: Node, level: int = 0) -> bool:
    """Return whether a formula is the wanted one, or a stronger comparison of the same sides.

    Sides count as the same where their forms are: equal wherever both formulas are defined.
    """
    if formula_key(known) == formula_key(wanted):
        return True
    if known.op == "lt" and wanted.op == "le":
        return formula_key(Node("le", *known.args)) == formula_key(wanted)
    if known.op == "eq" and wanted.op == "le":
        return formula_key(wanted) in [
            formula_key(Node("le", *known.args)),
            formula_key(Node("le", *known.args[::-1])),
        ]
    if known.op == "lt" and wanted.op == "ne":
        return formula_key(Node("ne", *known.args)) == formula_key(wanted)
    if known.op == "every" and wanted.op == "every":
        index, low, high, body = known.args
        other, first, last, goal = wanted.args
        if form_of(low) == form_of(first) and _same_end(high, last):
            bound = name(f"@every{level}")  # one for each level: two indices of one `every` stay two
            return implies(substitute(body, {index: bound}), substitute(goal, {other: bound}), level + 1)
    return False


def _same_end(high: Node | None, last: Node | None) -> bool:
    if high is None or last is None:
        return high is last
    return form_of(high) == form_of(last)
