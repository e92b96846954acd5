"""Names that hypotheses of one relation define twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.claim import Claim


def defined_twice(claim: Claim) -> list[tuple[str, str]]:
    """Return hypotheses that define what another one under the same relation defines, with messages."""
    special = {name for relation in claim.relations.values() for name in relation.under}
    found: dict[tuple[str, str], str] = {}
    definitions = {
        name: [text for text in map(_defined, item.formulas) if text]
        for name, item in claim.hypotheses.items()
        if item.kind == "definition"
    }
    for relation in claim.relations.values():
        seen: dict[str, str] = {}
        for name, texts in definitions.items():
            if name in special and name not in relation.under:
                continue
            for defined in texts:
                if defined in seen:
                    found[name, defined] = f"{defined} is defined by {seen[defined]!r}, too; define it once"
                seen[defined] = name
    return [(name, message) for (name, _), message in found.items()]


def _defined(formula: Any) -> str:
    """Return what an equation defines, with the range of its indices; '' for other formulas."""
    ranges = ""
    while hasattr(formula, "formula"):
        ranges += (
            f" for {formula.index} from {formula.low} to {formula.high}" if hasattr(formula, "index") else ""
        )
        formula = formula.formula
    return f"{formula.left}{ranges}" if getattr(formula, "operator", "") == "=" else ""
