"""The checks of one claim: functions under decorators, with the sabotages that they must reject.

judge = checks_of("squant/var", quantizer=StochasticQuantizer)

@judge.exact(instances={"norm-7": {"x": (2, 3, 6)}})
def enumerated(law, x): ...
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from verify.authoring.law import Law, formulas_of
from verify.authoring.unit import CASES, AuthoredUnit, DataMutant, LawMutant
from verify.binding import Check, Mutant, Profile
from verify.errors import CheckError

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

_SABOTAGE = re.compile(r"([\w-]+)(?: at ([^:]+))?: (.+)")
_TAKEN = (
    "claim_id",
    "formulas",
    "implementations",
    "changed",
    "changes",
    "exactly",
    "used",
    "of",
    "replace",
    "scaled",
)


def checks_of(claim_id: str, **implementations: Any) -> "Judge":
    """Begin the checks of a claim; the name `judge` in its module is how they are found.

    Args:
        claim_id: The claim.
        implementations: What is judged, by name: `law.NAME` in the checks.

    Raises:
        CheckError: A name of an implementation is one that the law has already.
    """
    taken = [name for name in implementations if name in _TAKEN or name.startswith("_")]
    if taken:
        raise CheckError(f"checks of {claim_id!r}: law has {', '.join(taken)} already; take other names")
    return Judge(claim_id, implementations)


class Judge:
    """The checks and mutants of one claim, collected by decorators."""

    def __init__(self, claim_id: str, implementations: Mapping[str, Any]) -> None:
        self.claim_id = claim_id
        self.implementations = implementations
        self.units: list[AuthoredUnit] = []
        self.law_mutants: list[LawMutant] = []
        self.data_mutants: list[DataMutant] = []

    # ------------------------------------------------------------------ checks

    def exact(
        self,
        function: Function | None = None,
        *,
        instance: str = "",
        instances: Mapping[str, Mapping[str, Any]] | None = None,
        profile: Profile = "quick",
        needs: str = "",
        parameters: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> Decorator:
        """Take a generator (law, ...) of comparisons as an exact check; see `docs/authoring.md`."""
        return self._check("exact", function, instance, instances, profile, needs, parameters, "", arguments)

    def drift(
        self,
        function: Function | None = None,
        *,
        instance: str = "",
        instances: Mapping[str, Mapping[str, Any]] | None = None,
        profile: Profile = "quick",
        needs: str = "",
        parameters: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> Decorator:
        """Take a generator (law, rng, ...) of comparisons at states that runs visit."""
        return self._check("drift", function, instance, instances, profile, needs, parameters, "", arguments)

    def adversarial(self, function: Function | None = None, **keywords: Any) -> Decorator:
        """Take a function (law, ...) that returns an `AdversarialCase`."""
        return self._case("adversarial", function, **keywords)

    def montecarlo(self, function: Function | None = None, **keywords: Any) -> Decorator:
        """Take a function (law, ...) that returns a `MonteCarloCase` or `UniformityCase`."""
        return self._case("montecarlo", function, **keywords)

    def trajectory(self, function: Function | None = None, **keywords: Any) -> Decorator:
        """Take a function (law, ...) that returns a `TrajectoryCase`."""
        return self._case("trajectory", function, **keywords)

    def costs(self, function: Function | None = None, **keywords: Any) -> Decorator:
        """Take a function (law, ...) that returns a `CostCase`."""
        return self._case("costs", function, **keywords)

    def samples(self, function: Function | None = None, **keywords: Any) -> Decorator:
        """Take a function (law, ...) that returns a Monte Carlo case along runs."""
        return self._case("samples", function, **keywords)

    def _case(
        self,
        kind: str,
        function: Function | None,
        *,
        instance: str = "",
        instances: Mapping[str, Mapping[str, Any]] | None = None,
        profile: Profile = "quick",
        needs: str = "",
        parameters: Mapping[str, Any] | None = None,
        label: str = "",
        **arguments: Any,
    ) -> Decorator:
        return self._check(kind, function, instance, instances, profile, needs, parameters, label, arguments)

    def _check(
        self,
        kind: str,
        function: Function | None,
        instance: str,
        instances: Mapping[str, Mapping[str, Any]] | None,
        profile: Profile,
        needs: str,
        parameters: Mapping[str, Any] | None,
        label: str,
        arguments: Mapping[str, Any],
    ) -> Decorator:
        def decorate(check: Function) -> Function:
            named = instances or {instance or dashed(check): {}}
            for name, own in named.items():
                given = {**arguments, **own}
                shown = parameters if parameters is not None else given
                words = label or check.__name__.strip("_").replace("_", " ")
                self.units.append(
                    AuthoredUnit(
                        self.claim_id, kind, name, check, given, shown, words, profile, needs, self._law
                    )
                )
            return check

        return decorate if function is None else decorate(function)

    # ------------------------------------------------------------------ mutants

    def mutant(
        self,
        description: str,
        *,
        at: Sequence[str] = ("*",),
        neutral: bool = False,
        slow: bool = False,
        name: str = "",
    ) -> Decorator:
        """Take a function that returns a sabotaged law.

        Args:
            description: What is changed.
            at: Patterns of `RUNG/INSTANCE`: each of these checks must reject it.
            neutral: An equivalent change, which no check may reject.
            slow: Only run in the full profile.
            name: Its name, by default that of the function with dashes.
        """

        def decorate(transform: Function) -> Function:
            made = Mutant(name or dashed(transform), description, neutral, slow)
            self.law_mutants.append(LawMutant(made, _patterns(at), transform))
            return transform

        return decorate

    def data_mutant(
        self,
        description: str,
        *,
        at: Sequence[str] = ("*",),
        neutral: bool = False,
        slow: bool = False,
        name: str = "",
    ) -> Decorator:
        """Take a function that receives the arguments of a check by name and returns the changed ones.

        Arguments as for `mutant`.
        """

        def decorate(transform: Function) -> Function:
            made = Mutant(name or dashed(transform), description, neutral, slow)
            self.data_mutants.append(DataMutant(made, _patterns(at), transform))
            return transform

        return decorate

    def sabotage(
        self,
        text: str,
        function: Function | None = None,
        *,
        at: Sequence[str] | str = (),
        neutral: bool = False,
        slow: bool = False,
        **changes: Any,
    ) -> None:
        """Declare a mutant in one text, `"halved at exact/*, run/steps: Claim half of it."`, by its changes.

        Args:
            text: Its name, the checks that must reject it (all of them where none are named), and its words.
            function: What returns the sabotaged law.
            at: Further checks.
            neutral: As for `mutant`.
            slow: As for `mutant`.
            changes: Formulas and implementations by name, in place of a function: what `law.replace` takes.

        Raises:
            CheckError: The text does not read so, or nothing is changed.
        """
        if (function is None) == (not changes):
            raise CheckError(f"checks of {self.claim_id!r}: {text!r} needs a function or changes")
        name, own, words = _read(text)
        units = (*own, *_patterns(at)) or ("*",)
        mutant = self.mutant(words, at=units, neutral=neutral, slow=slow, name=name)
        mutant(function or (lambda law: law.replace(**changes)))

    def sabotage_data(
        self,
        text: str,
        function: Function,
        *,
        at: Sequence[str] | str = (),
        neutral: bool = False,
        slow: bool = False,
    ) -> None:
        """Declare a mutant of arguments in one line; the function returns the changed ones."""
        name, own, words = _read(text)
        units = (*own, *_patterns(at)) or ("*",)
        mutant = self.data_mutant(words, at=units, neutral=neutral, slow=slow, name=name)
        mutant(function)

    # ------------------------------------------------------------------ what the engine asks for

    def _law(self) -> Law:
        formulas = formulas_of(self.claim_id)
        taken = [name for name in self.implementations if name in formulas]
        if taken:
            message = f"checks of {self.claim_id!r}: {', '.join(taken)} is a formula of the claim, too"
            raise CheckError(f"{message}; a mutant would replace the formula alone; take another name")
        return Law(self.claim_id, formulas, self.implementations)

    def mutants(self) -> tuple[Mutant, ...]:
        """Return the declared mutants."""
        declared: tuple[LawMutant | DataMutant, ...] = (*self.law_mutants, *self.data_mutants)
        return tuple(item.mutant for item in declared)

    def checks(self) -> tuple[Check, ...]:
        """Return the checks, each with its mutants; nothing is computed.

        Raises:
            CheckError: Two checks or mutants of one name, or a pattern that matches no check.
        """
        keys = [unit.key for unit in self.units]
        names = [item.name for item in self.mutants()]
        problems = [f"check {key} is there twice" for key in sorted({k for k in keys if keys.count(k) > 1})]
        problems += [f"mutant {n!r} is there twice" for n in sorted({n for n in names if names.count(n) > 1})]
        declared: tuple[LawMutant | DataMutant, ...] = (*self.law_mutants, *self.data_mutants)
        known = ", ".join(keys) or "none"
        problems += [
            f"mutant {item.mutant.name!r}: at={pattern!r} matches no check; checks: {known}"
            for item in declared
            for pattern in item.at
            if not any(fnmatchcase(key, pattern) for key in keys)
        ]
        if problems:
            raise CheckError(f"checks of {self.claim_id!r}: " + "; ".join(problems))
        return tuple(self._made(unit, declared) for unit in self.units)

    def _made(self, unit: AuthoredUnit, declared: Sequence[LawMutant | DataMutant]) -> Check:
        at = [item for item in declared if any(fnmatchcase(unit.key, pattern) for pattern in item.at)]
        unit.declared = {item.mutant.name: item for item in at}
        return Check(
            CASES[unit.kind].rung,
            unit.instance,
            unit.case(),
            unit.parameters,
            {name: unit.case(item) for name, item in unit.declared.items()},
            profile=unit.profile,
            needs=unit.needs,
            label=unit.label,
            authored=unit,
        )


def dashed(function: Function) -> str:
    """Return the name of a function with dashes."""
    return function.__name__.strip("_").replace("_", "-")


def _read(text: str) -> tuple[str, tuple[str, ...], str]:
    found = _SABOTAGE.fullmatch(text)
    if found is None:
        raise CheckError(f"{text!r} must read: NAME at RUNG/INSTANCE, RUNG/INSTANCE: WORDS")
    return found[1], tuple(found[2].split(", ")) if found[2] else (), found[3]


def _patterns(at: Sequence[str] | str) -> tuple[str, ...]:
    return (at,) if isinstance(at, str) else tuple(at)
