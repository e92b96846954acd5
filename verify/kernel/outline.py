"""The theorems of a derivation that a reader follows: what the conclusions rest on, without side conditions.

Nothing is proved here. A step is a theorem that a conclusion rests on, directly or through other steps. Rules
that only move formulas about (take an `every` at a place, remove a hypothesis) and side conditions (a sign,
an integer, a domain) are followed to what they rest on, and are no steps themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.kernel.bridge import formula
from verify.kernel.node import ZERO, Node
from verify.kernel.text import text
from verify.kernel.theorem import Theorem

MOST = 32
"""Steps beside the conclusions; those nearest to them are kept."""

_MOVES = frozenset(["assume", "cite", "specialise", "every", "discharge", "instantiate", "sign", "floor"])


@dataclass(frozen=True)
class OutlineStep:
    """One theorem.

    Args:
        name: Name of the relation, or `step 1`, `step 2`, ...
        rule: The rule that made it.
        formula: Its conclusion as text.
        steps: Names of the steps on which it rests directly.
        hypotheses: Names of the hypotheses of the claim that it uses directly.
        cited: References of the cited formulas that it uses directly.
        folded: Number of further theorems on which it rests and which are not shown.
    """

    name: str
    rule: str
    formula: str
    steps: tuple[str, ...]
    hypotheses: tuple[str, ...]
    cited: tuple[str, ...]
    folded: int


def outline(claim: Any, concluded: Mapping[str, Any]) -> tuple[OutlineStep, ...]:
    """Return the steps of a derivation, the conclusions first.

    Args:
        claim: The claim, whose hypotheses have names.
        concluded: What was concluded, by relation (`Kernel.concluded`).
    """
    stated = {formula(one): name for name, item in claim.hypotheses.items() for one in item.formulas}
    names: dict[int, str] = {}
    shown: list[tuple[str, tuple[Theorem, ...]]] = []
    for relation, item in concluded.items():
        shown.append((relation, item.theorems))
        names.update({id(theorem): relation for theorem in item.theorems if id(theorem) not in names})
    last, place = len(shown) + MOST, 0
    while place < len(shown):  # the list grows: what is nearest to the conclusions comes first
        for theorem in _steps_below(shown[place][1]):
            if id(theorem) not in names and len(shown) < last:
                names[id(theorem)] = f"step {len(shown) - len(concluded) + 1}"
                shown.append((names[id(theorem)], (theorem,)))
        place += 1
    return tuple(_step(name, theorems, names, stated) for name, theorems in shown)


def _step(
    name: str, theorems: tuple[Theorem, ...], names: Mapping[int, str], stated: Mapping[Node, str]
) -> OutlineStep:
    steps: dict[str, None] = {}
    hypotheses: dict[str, None] = {}
    cited: dict[str, None] = {}
    folded = 0
    seen: set[int] = set()
    pending = [parent for theorem in theorems for parent in theorem.parents]
    if any(theorem.rule in _MOVES for theorem in theorems):
        pending = [*theorems, *pending]
    while pending:
        theorem = pending.pop(0)
        if id(theorem) in seen:
            continue
        seen.add(id(theorem))
        known = names.get(id(theorem))
        if known is not None and known != name:
            steps[known] = None
            continue
        if theorem.rule == "assume" and theorem.conclusion in stated:
            hypotheses[stated[theorem.conclusion]] = None
        elif theorem.rule == "cite":
            cited.update({item.reference: None for item in theorem.cited})
        elif _is_step(theorem):
            folded += 1
        pending += theorem.parents
    rule = " and ".join(dict.fromkeys(theorem.rule for theorem in theorems))
    formulas = "\n".join(text(theorem.conclusion) for theorem in theorems)
    return OutlineStep(name, rule, formulas, tuple(steps), tuple(hypotheses), tuple(cited), folded)


def _steps_below(theorems: Iterable[Theorem]) -> list[Theorem]:
    """Return the steps that are met first on the way from theorems to what they rest on."""
    found: list[Theorem] = []
    seen: set[int] = set()
    pending = [parent for theorem in theorems for parent in theorem.parents]
    while pending:
        theorem = pending.pop(0)
        if id(theorem) in seen:
            continue
        seen.add(id(theorem))
        if _is_step(theorem):
            found.append(theorem)
        else:
            pending += theorem.parents
    return found


def _is_step(theorem: Theorem) -> bool:
    if theorem.rule in _MOVES or theorem.rule.startswith("axiom "):
        return False
    conclusion = theorem.conclusion
    if conclusion.op in ("int", "ne", "power"):
        return False
    return not (conclusion.op in ("le", "lt") and conclusion.args[0] == ZERO)
