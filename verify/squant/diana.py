"""Checks of `squant/diana`."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import theory
from theory.derivation import ScalarLemma, Step
from verify.binding import Check
from verify.rungs.symbolic import SymbolicCase


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/diana")
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"certificate-constant": SymbolicCase(tuple(_with_a_larger_step(claim.derivation)))},
            seconds=1.5,
        ),
    )


def _with_a_larger_step(steps: Iterable[Step]) -> Iterable[Step]:
    """Claim the lemma on the coefficient of D_f for step sizes up to 1/(L + 5 Lcal_max/n); only this step."""
    for step in steps:
        if isinstance(step, ScalarLemma) and step.name == "coefficient-of-bregman":
            yield replace(step, hypotheses=tuple(_five_for_six(item) for item in step.hypotheses))


def _five_for_six(inequality: Any) -> Any:
    return inequality.replace(lambda part: part == 6, lambda _: 5)
