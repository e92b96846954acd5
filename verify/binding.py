"""Checks: what binds a claim to a rung, an instance, and the mutants that must be rejected there.

The checks of `PAPER/some-slug` are in the module `some_slug` of `verify/PAPER` or of a topic in it: under the
name `judge` (`verify.authoring`).
Nothing is computed before a check is judged.
"""

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from verify.errors import BudgetError, CheckError
from verify.outcome import MAX_TESTS

if TYPE_CHECKING:
    from theory.claim import Claim
    from verify.authoring.unit import AuthoredUnit

MUTANT_SEEDS = 3
"""Fixed seeds at which a sampling rung must reject each mutant."""

Profile = Literal["quick", "full"]


@dataclass(frozen=True)
class Mutant:
    """A sabotage that the checks which have it must reject.

    Args:
        name: Short name, unique within the claim.
        description: What is changed.
        neutral: An equivalent change, which no check may reject.
        slow: Only run in the full profile.
    """

    name: str
    description: str
    neutral: bool = False
    slow: bool = False


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
        profile: `full` keeps the check out of the quick profile.
        needs: Data set without which the check cannot run; it is then reported as not run.
        label: Label of a case that is not made of comparisons, by default its instance.
        authored: The check function, on which the engine tries mutants of its own.
    """

    rung: str
    instance: str
    base: Any
    parameters: Mapping[str, Any]
    mutants: Mapping[str, Any] = field(default_factory=dict)
    profile: Profile = "quick"
    needs: str = ""
    label: str = ""
    authored: "AuthoredUnit | None" = None


@dataclass(frozen=True)
class Unit:
    """A check of a claim: the piece of work that is run, written and resumed as a whole."""

    claim: "Claim"
    check: Check

    @property
    def key(self) -> tuple[str, str, str]:
        """Return claim id, rung and instance."""
        return self.claim.id, self.check.rung, self.check.instance

    def selected_mutants(self, profile: Profile) -> Mapping[str, Any]:
        """Return the mutants that this profile runs."""
        slow = {mutant.name for mutant in mutants_of(self.claim) if mutant.slow and profile == "quick"}
        return {name: case for name, case in self.check.mutants.items() if name not in slow}

    def repetitions(self, case: Any, *, mutant: bool) -> int:
        """Return how often a case is judged: sampling rungs judge each mutant at several seeds."""
        return MUTANT_SEEDS if mutant and case.tests else 1

    def tests(self, profile: Profile) -> int:
        """Return the number of statistical tests of which one must err before the unit raises a false alarm.

        A neutral mutant that is refused at any seed is one. Another mutant is rejected by luck only where all
        its seeds err, so it counts once.
        """
        neutral = {mutant.name for mutant in mutants_of(self.claim) if mutant.neutral}
        repeated = sum(
            case.tests * (self.repetitions(case, mutant=True) if name in neutral else 1)
            for name, case in self.selected_mutants(profile).items()
        )
        return int(self.check.base.tests + repeated) + self.generated_tests(profile)

    def generated_tests(self, profile: Profile) -> int:
        """Return the number of tests of generated mutants: two of a sampling check without declared ones."""
        authored = self.check.authored
        if profile != "full" or authored is None or not self.check.base.tests or self.check.mutants:
            return 0
        return 0 if authored.sabotaged else 2  # a declared one makes its label fail elsewhere


def module_name(claim_id: str) -> str:
    """Return the module of the checks: `squant/steps-diana` -> `verify.squant.steps_diana`, or in a topic.

    Where there is none, the name that it would have without a topic.
    """
    paper, slug = claim_id.split("/", 1)
    return _module(claim_id, "verify") or f"verify.{paper}.{slug.replace('-', '_')}"


def _module(claim_id: str, package: str) -> str:
    """Return the module of a claim (`theory`) or of its checks (`verify`), empty where there is none."""
    import theory

    try:
        entry = theory.entry(claim_id)
    except (theory.UnknownClaimError, theory.ClaimFileError):
        return ""
    name = entry.module if package == "theory" else entry.verify_module
    try:
        return name if importlib.util.find_spec(name) else ""
    except ModuleNotFoundError:
        return ""


def checks_of(claim: "Claim") -> tuple[Check, ...]:
    """Return the checks of a claim, its derivation included, () where there is none.

    Raises:
        CheckError: The checks are those of another claim, or their file cannot be used.
    """
    module = _checks_module(claim.id)
    implied = _derivation(claim)
    if module is None:
        return implied
    judge = getattr(module, "judge", None)
    if judge is not None:
        if judge.claim_id != claim.id:
            raise CheckError(f"{module.__name__} begins with checks_of({judge.claim_id!r}), not {claim.id!r}")
        return (*implied, *judge.checks())
    return implied  # a helper that happens to have the name of a claim


def mutants_of(claim: "Claim") -> tuple[Mutant, ...]:
    """Return the declared mutants of a claim."""
    judge = getattr(_checks_module(claim.id), "judge", None)
    return () if judge is None else tuple(judge.mutants())


def _checks_module(claim_id: str) -> Any:
    name = _module(claim_id, "verify")
    try:
        return importlib.import_module(name) if name else None
    except (Exception, SystemExit) as error:  # whatever a file of checks does
        raise CheckError(unusable(name, error)) from error


def unusable(module: str, error: BaseException) -> str:
    """Return that checks cannot be used, and why."""
    text = " ".join(str(error).split())
    begins = f"checks in {module} cannot be used: "
    return text if text.startswith(begins) else f"{begins}{type(error).__name__}: {text}"


def _derivation(claim: "Claim") -> tuple[Check, ...]:
    """Return the check that the derivation of a claim is, where it has one."""
    name = _module(claim.id, "theory")
    if not name or not hasattr(importlib.import_module(name), "derive"):
        return ()
    from verify.rungs.symbolic import DerivationCase

    return (Check("symbolic", "derivation", DerivationCase(claim.id), {}),)


def _wanted(check: Check) -> bool:
    """Data sets beyond the embedded one are planned only where the user has named a folder with them."""
    return not check.needs or bool(os.environ.get("BOUNDCHECK_DATA"))


def left_out_for_data(claims: "tuple[Claim, ...]", profile: Profile) -> int:
    """Return how many checks of a profile are not planned since no folder of data sets is named."""
    return sum(
        not _wanted(check) and (check.profile == "quick" or profile == "full")
        for claim in claims
        for check in checks_of(claim)
    )


def plan(claims: "tuple[Claim, ...]", profile: Profile) -> tuple[Unit, ...]:
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
