"""Is this bound on a compressed optimization method true, how tight is it, and what is the evidence?

The names that a project of its own needs, in one place; each is loaded when it is used.

Judge: `verify`, `check_compressor`, `find_counterexample`, `cite`. Look up: `papers`, `claims`, `claim`.
State: `Paper`, `Claim`, `statement` (or `Part`), `Variable`, hypotheses `domain`, `definition`, `parameter`,
`model` (or `Hypothesis`), `Relation`, `cases` (or `WorstCase`), `ImplicitValue`, formulas
`le`, `lt`, `eq`, `ne`, `every`, `IsInteger`, expectations `E`, `bernoulli`, `INDICATOR` of equal numbers.
Check: `checks_of`, comparisons `check_eq`, `check_le`, `check_lt`, which a check yields (formulas are
stated, comparisons are measured), the tolerance `ROUND_OFF`, cases `AdversarialCase`, `MonteCarloCase`.
Implement: `TwoPointRounding`, `FixedWidth`, `power_above`, `power_below`.

`python -m boundcheck` is the command line.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from impl.coding.fixed_width import FixedWidth
    from impl.compressors import TwoPointRounding
    from impl.compressors.rounding.powers_of_two import power_above, power_below
    from theory import claim, claims, papers
    from theory.claim import (
        Claim,
        Hypothesis,
        ImplicitValue,
        Part,
        Relation,
        Variable,
        WorstCase,
    )
    from theory.expectation import E, bernoulli
    from theory.formula import IsInteger, eq, every, le, lt, ne
    from theory.hypotheses import definition, domain, model, parameter
    from theory.indicator import INDICATOR
    from theory.paper import Paper
    from theory.statement import statement
    from theory.worst_cases import cases
    from verify.authoring import checks_of
    from verify.authoring import eq as check_eq
    from verify.authoring import le as check_le
    from verify.authoring import lt as check_lt
    from verify.comparison import ROUND_OFF
    from verify.compressor_check import check_compressor, find_counterexample
    from verify.reporting.citation import cite
    from verify.rungs.adversarial import AdversarialCase
    from verify.rungs.montecarlo import MonteCarloCase
    from verify.running.runner import verify

__all__ = [
    "INDICATOR",
    "ROUND_OFF",
    "AdversarialCase",
    "Claim",
    "E",
    "FixedWidth",
    "Hypothesis",
    "ImplicitValue",
    "IsInteger",
    "MonteCarloCase",
    "Paper",
    "Part",
    "Relation",
    "TwoPointRounding",
    "Variable",
    "WorstCase",
    "bernoulli",
    "cases",
    "check_compressor",
    "check_eq",
    "check_le",
    "check_lt",
    "checks_of",
    "cite",
    "claim",
    "claims",
    "definition",
    "domain",
    "eq",
    "every",
    "find_counterexample",
    "le",
    "lt",
    "model",
    "ne",
    "papers",
    "parameter",
    "power_above",
    "power_below",
    "statement",
    "verify",
]

_HOMES = {
    "impl.coding.fixed_width": ("FixedWidth",),
    "impl.compressors": ("TwoPointRounding",),
    "impl.compressors.rounding.powers_of_two": ("power_above", "power_below"),
    "theory": ("claim", "claims", "papers"),
    "theory.claim": ("Claim", "Hypothesis", "ImplicitValue", "Part", "Relation", "Variable", "WorstCase"),
    "theory.expectation": ("E", "bernoulli"),
    "theory.formula": ("IsInteger", "eq", "every", "le", "lt", "ne"),
    "theory.hypotheses": ("definition", "domain", "model", "parameter"),
    "theory.paper": ("Paper",),
    "theory.statement": ("statement",),
    "theory.indicator": ("INDICATOR",),
    "theory.worst_cases": ("cases",),
    "verify.authoring": ("checks_of", "check_eq", "check_le", "check_lt"),
    "verify.reporting.citation": ("cite",),
    "verify.comparison": ("ROUND_OFF",),
    "verify.compressor_check": ("check_compressor", "find_counterexample"),
    "verify.rungs.adversarial": ("AdversarialCase",),
    "verify.rungs.montecarlo": ("MonteCarloCase",),
    "verify.running.runner": ("verify",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'boundcheck' has no attribute {name!r}")
    home = importlib.import_module(_HOME[name])
    own = name.removeprefix("check_") if _HOME[name] == "verify.authoring" else name
    found = getattr(home, own)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


if __name__ == "__main__":
    from verify.cli import main

    main(prog_name="boundcheck")
