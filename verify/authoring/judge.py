"""The checks of one claim: functions under decorators, with the sabotages that they must reject.

judge = checks_of("squant/var", quantizer=StochasticQuantizer)

@judge.exact(instances={"norm-7": {"x": (2, 3, 6)}})
def enumerated(law, x): ...
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from verify.authoring.law import Law, formulas_of
from verify.authoring.shown import require_shown
from verify.authoring.unit import CASES, AuthoredUnit, DataMutant, LawMutant
from verify.authoring.written import written
from verify.binding import Check, Mutant, Profile
from verify.errors import CheckError

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

_SABOTAGE = re.compile(r"([\w-]+)((?:, neutral|, slow)*)(?: at ([^:]+))?: (.+)")
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


@functools.cache
def _data_sets() -> tuple[str, ...]:
    """Return the names of the data sets that a check may need."""
    from impl.problems.data import mnist
    from impl.problems.data.libsvm import available

    return (mnist.NAME, *(entry.dataset.name for entry in available()))


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
        trained: bool = False,
        **arguments: Any,
    ) -> Decorator:
        """Take a generator (law, ...) of comparisons as an exact check; see `docs/authoring.md`."""
        return self._check(
            "exact", function, instance, instances, profile, needs, parameters, "", arguments, trained
        )

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
        trained: bool = False,
    ) -> Decorator:
        if profile not in ("quick", "full"):
            raise CheckError(
                f"checks of {self.claim_id!r}: profile={profile!r} must be 'quick', or 'full' for what the "
                "quick profile leaves out"
            )
        if needs and needs not in _data_sets():
            raise CheckError(
                f"checks of {self.claim_id!r}: needs={needs!r} is no data set: {', '.join(_data_sets())}"
            )

        def decorate(check: Function) -> Function:
            named = instances or {instance or dashed(check): {}}
            for name, own in named.items():
                given = {**arguments, **own}
                shown = parameters if parameters is not None else given
                require_shown(self.claim_id, shown, given)
                words = label or check.__name__.strip("_").replace("_", " ")
                self.units.append(
                    AuthoredUnit(
                        self.claim_id,
                        kind,
                        name,
                        check,
                        given,
                        shown,
                        words,
                        profile,
                        needs,
                        self._law,
                        trained=trained,
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

    def sabotage(self, *entries: Any, at: Sequence[str] | str = (), **changes: Any) -> None:
        """Declare mutants, each by name, checks that must reject it (all, where none are named) and words.

        `"halved at exact/*, run/steps: Claim half of it. | bound = bound / 2"` says what changes, too
        (`verify/authoring/written.py`); `"turned, neutral at run/*: ..."` and `"long, slow: ..."` are
        `neutral` and `slow` as for `mutant`.

        Args:
            entries: Texts. One that does not say its change is followed by it: formulas and implementations
                by name, as `law.replace` takes them, or a function that returns the sabotaged law.
            at: Further checks that must reject each of them.
            changes: Those of the last text.

        Raises:
            CheckError: A text does not read so, or nothing is changed.
        """
        for text, change in self._paired((*entries, changes) if changes else entries):
            if isinstance(change, Mapping):
                change = functools.partial(_replaced, change)
            self._declare(self.mutant, text, at, change)

    def sabotage_data(self, *entries: Any, at: Sequence[str] | str = ()) -> None:
        """Declare mutants of arguments: texts, each followed by a function that returns the changed ones."""
        for text, change in self._paired(entries):
            self._declare(self.data_mutant, text, at, change)

    def _paired(self, entries: Sequence[Any]) -> Iterator[tuple[str, Any]]:
        if not entries:
            raise CheckError(f"checks of {self.claim_id!r}: a mutant needs a text")
        pending = ""
        for entry in (*entries, ""):
            if not isinstance(entry, str):
                if not pending:
                    raise CheckError(f"checks of {self.claim_id!r}: {entry!r} follows no text that needs it")
                yield pending, entry
                pending = ""
                continue
            if pending:
                raise CheckError(f"checks of {self.claim_id!r}: {pending!r} needs changes, in it or after it")
            words, bar, said = entry.rpartition(" | ")
            if bar:
                yield words, functools.partial(written, said)
            pending = "" if bar else entry

    def _declare(
        self,
        made: Callable[..., Decorator],
        text: str,
        at: Sequence[str] | str,
        change: Any,
    ) -> None:
        found = _SABOTAGE.fullmatch(text)
        if found is None:
            raise CheckError(f"{text!r} must read: NAME at RUNG/INSTANCE, RUNG/INSTANCE: WORDS")
        name, options, places, words = found.groups()
        units = (*(places.split(", ") if places else ()), *_patterns(at)) or ("*",)
        declared = made(words, at=units, neutral="neutral" in options, slow="slow" in options, name=name)
        declared(change)

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
        for unit in self.units:
            at = [item for item in declared if any(fnmatchcase(unit.key, pattern) for pattern in item.at)]
            unit.declared = {item.mutant.name: item for item in at}
        sabotaged = {_place(unit) for unit in self.units if _is_always_sabotaged(unit)}
        for unit in self.units:
            unit.sabotaged = _place(unit) in sabotaged
        return tuple(map(self._made, self.units))

    def _made(self, unit: AuthoredUnit) -> Check:
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


def _place(unit: AuthoredUnit) -> tuple[str, str]:
    """Return rung and label: what fails at one check of them is watched at all."""
    return CASES[unit.kind].rung, unit.label or unit.instance


def _is_always_sabotaged(unit: AuthoredUnit) -> bool:
    return not unit.needs and any(not item.mutant.neutral for item in unit.declared.values())


def dashed(function: Function) -> str:
    """Return the name of a function with dashes."""
    return function.__name__.strip("_").replace("_", "-")


def _replaced(changes: Mapping[str, Any], law: Law) -> Law:
    return law.replace(**changes)


def _patterns(at: Sequence[str] | str) -> tuple[str, ...]:
    return (at,) if isinstance(at, str) else tuple(at)
