"""Checks: what binds a claim to a rung, an instance, and the mutants that must be rejected there.

The checks of `PAPER/some-slug` are in the module `verify.PAPER.some_slug`, in a function
`checks() -> tuple[Check, ...]` that builds them without computing anything.
"""

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from theory.old_form import RUNGS, Claim
from verify.errors import BudgetError
from verify.outcome import MAX_TESTS

MUTANT_SEEDS = 3
"""Fixed seeds at which a sampling rung must reject each mutant."""

Profile = Literal["quick", "full"]


@dataclass(frozen=True)
class Lazy:
    """A case that is built when it is judged, so that planning computes nothing.

    Args:
        make: Builds the case.
        tests: Statistical tests of the case, 0 or 1.
    """

    make: Callable[[], Any]
    tests: int = 0


@dataclass(frozen=True)
class Check:
    """One claim at one rung and one instance.

    Args:
        rung: Name of the rung.
        instance: Short name of the instance, unique within claim and rung.
        base: The case of the rung, or `Lazy`.
        parameters: Concrete parameters, JSON-ready, shown in the record.
        mutants: Case by name of the claim's mutant: the same case with one sabotage.
        seconds: Measured CPU time, for estimates only.
        profile: `full` keeps the check out of the quick profile.
        needs: Data set without which the check cannot run; it is then reported as not run.
    """

    rung: str
    instance: str
    base: Any
    parameters: Mapping[str, Any]
    mutants: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.1
    profile: Profile = "quick"
    needs: str = ""


@dataclass(frozen=True)
class Unit:
    """A check of a claim: the piece of work that is run, written and resumed as a whole."""

    claim: Claim
    check: Check

    @property
    def key(self) -> tuple[str, str, str]:
        """Return claim id, rung and instance."""
        return self.claim.id, self.check.rung, self.check.instance

    def selected_mutants(self, profile: Profile) -> Mapping[str, Any]:
        """Return the mutants that this profile runs."""
        slow = {mutant.name for mutant in self.claim.mutants if mutant.slow and profile == "quick"}
        return {name: case for name, case in self.check.mutants.items() if name not in slow}

    def repetitions(self, case: Any, *, mutant: bool) -> int:
        """Return how often a case is judged: sampling rungs judge each mutant at several seeds."""
        return MUTANT_SEEDS if mutant and case.tests else 1

    def tests(self, profile: Profile) -> int:
        """Return the number of statistical tests that the unit may carry out."""
        mutants = self.selected_mutants(profile).values()
        repeated = sum(case.tests * self.repetitions(case, mutant=True) for case in mutants)
        return int(self.check.base.tests + repeated)


def module_name(claim_id: str) -> str:
    """Return the module that binds a claim: `squant/steps-diana` -> `verify.squant.steps_diana`."""
    paper, slug = claim_id.split("/", 1)
    return f"verify.{paper}.{slug.replace('-', '_')}"


def checks_of(claim: Claim) -> tuple[Check, ...]:
    """Return the checks of a claim, () where no module binds it.

    Raises:
        ValueError: The checks do not fit the claim.
    """
    name = module_name(claim.id)
    try:
        if importlib.util.find_spec(name) is None:
            return ()
    except ModuleNotFoundError:
        return ()
    factory: Callable[[], tuple[Check, ...]] = importlib.import_module(name).checks
    checks = factory()
    _validate(claim, checks)
    return checks


def _validate(claim: Claim, checks: tuple[Check, ...]) -> None:
    problems = []
    known = {mutant.name: mutant for mutant in claim.mutants}
    seen: set[tuple[str, str]] = set()
    for check in checks:
        where = f"{check.rung}/{check.instance}"
        if check.rung not in RUNGS:
            problems.append(f"{where}: rung must be one of {RUNGS}")
        if (check.rung, check.instance) in seen:
            problems.append(f"{where}: instance is used twice")
        seen.add((check.rung, check.instance))
        for name in check.mutants:
            if name not in known:
                problems.append(f"{where}: unknown mutant {name!r}; the claim has {', '.join(known)}")
            elif check.rung not in known[name].rungs:
                problems.append(f"{where}: mutant {name!r} is assigned to {known[name].rungs} only")
    if problems:
        raise ValueError(f"checks of {claim.id!r} do not fit the claim: " + "; ".join(problems))


def _wanted(check: Check) -> bool:
    """Data sets beyond the embedded one are planned only where the user has named a folder with them."""
    return not check.needs or bool(os.environ.get("BOUNDCHECK_DATA"))


def plan(claims: tuple[Claim, ...], profile: Profile) -> tuple[Unit, ...]:
    """Return the units of a run, in the order of claims and checks.

    Raises:
        BudgetError: More statistical tests than `MAX_TESTS`.
    """
    units = tuple(
        Unit(claim, check)
        for claim in claims
        for check in checks_of(claim)
        if (check.profile == "quick" or profile == "full") and _wanted(check)
    )
    tests = sum(unit.tests(profile) for unit in units)
    if tests > MAX_TESTS:
        raise BudgetError(
            f"tests={tests} must be at most {MAX_TESTS}, the error budget of one run; name fewer claims or "
            "run them one after another with seeds of their own budget"
        )
    return units
