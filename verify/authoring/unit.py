"""One check function at one instance, honest or with a sabotaged law or sabotaged arguments."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from verify.authoring.law import Law, Trace
from verify.binding import Lazy, Mutant, Profile
from verify.comparison import Comparison
from verify.errors import CheckError
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase


@dataclass(frozen=True)
class Kind:
    """What a decorator makes: a case of a rung with so many statistical tests."""

    rung: str
    tests: int
    yields: bool = False


CASES = {
    "exact": Kind("exact", 0, yields=True),
    "drift": Kind("run", 0, yields=True),
    "adversarial": Kind("adversarial", 0),
    "montecarlo": Kind("montecarlo", 1),
    "trajectory": Kind("run", 1),
    "costs": Kind("run", 1),
    "samples": Kind("run", 1),
}


@dataclass(frozen=True)
class LawMutant:
    """A transformation of the law, and the patterns of the checks that must reject it."""

    mutant: Mutant
    at: tuple[str, ...]
    transform: Callable[[Law], Law]


@dataclass(frozen=True)
class DataMutant:
    """A transformation of the arguments of a check."""

    mutant: Mutant
    at: tuple[str, ...]
    transform: Callable[..., Mapping[str, Any]]


@dataclass
class AuthoredUnit:
    """One check function at one instance.

    Args:
        claim_id: The claim.
        kind: Name of the decorator.
        instance: Name of the instance.
        function: The check; it receives the law, a generator where the kind is `drift`, and the arguments.
        arguments: By name; a list is a grid.
        parameters: What the record shows.
        label: Label of a check that returns one case.
        profile: `full` keeps it out of the quick profile.
        needs: Data set without which it cannot run.
        make_law: Returns the honest law.
        declared: Mutants that it must reject, by name.
        sabotaged: Whether a declared mutant has to make its label fail, here or at another check of the rung.
        trained: Whether it compares what comes from trainings so long that round-off decides digits.
        spot: Arguments that a grid varies, as they are at the point at which it is.
    """

    claim_id: str
    kind: str
    instance: str
    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    parameters: Mapping[str, Any]
    label: str
    profile: Profile
    needs: str
    make_law: Callable[[], Law]
    declared: Mapping[str, LawMutant | DataMutant] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
    sabotaged: bool = False
    trained: bool = False
    spot: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Return rung and instance."""
        return f"{CASES[self.kind].rung}/{self.instance}"

    @property
    def yields(self) -> bool:
        """Return whether the function is a generator of comparisons."""
        return CASES[self.kind].yields

    def forget(self) -> None:
        """Drop what the honest run evaluated, once it is judged: hundreds of thousands of numbers."""
        self.trace = Trace()

    @cached_property
    def law(self) -> Law:
        """Return the honest law."""
        return self.make_law()

    def case(self, mutant: LawMutant | DataMutant | None = None) -> Any:
        """Return the case that the rung judges, built when it is judged."""
        kind = CASES[self.kind]
        if not kind.yields:
            return Lazy(lambda: self.built(self._law_under(mutant), mutant), kind.tests)
        if self.kind == "drift":
            return DriftCase(
                lambda rng: self.yielded(self._law_under(mutant), mutant, rng), vetted=not mutant
            )
        return ExactCase(
            lambda: self.yielded(self._law_under(mutant), mutant), vetted=not mutant, where=lambda: self.spot
        )

    def case_under(self, law: Law) -> Any:
        """Return the case with another law."""
        kind = CASES[self.kind]
        if not kind.yields:
            return self.built(law, None)
        if self.kind == "drift":
            return DriftCase(lambda rng: self.yielded(law, None, rng))
        return ExactCase(lambda: self.yielded(law, None))

    def _law_under(self, mutant: LawMutant | DataMutant | None) -> Law:
        if isinstance(mutant, LawMutant):
            return self.changed(mutant)
        if mutant is None:
            law, self.trace = self.law.traced(keep=CASES[self.kind].yields)
            return law
        return self.law

    def changed(self, mutant: LawMutant) -> Law:
        """Return the law that a mutant makes.

        Raises:
            CheckError: It makes none.
        """
        law = mutant.transform(self.law)
        if not isinstance(law, Law):
            raise CheckError(f"mutant {mutant.mutant.name!r} returns {law!r}; return law.replace(...)")
        return law

    def points(self, mutant: LawMutant | DataMutant | None = None) -> Iterable[Mapping[str, Any]]:
        """Return the arguments, one mapping for each point of the grid."""
        axes = [
            [(name, item) for item in value] if isinstance(value, list) else [(name, value)]
            for name, value in self.arguments.items()
        ]
        for point in itertools.product(*axes):
            given = dict(point)
            if isinstance(mutant, DataMutant):
                changes = mutant.transform(**given)
                unknown = [name for name in changes if name not in given]
                if unknown:
                    raise CheckError(f"mutant {mutant.mutant.name!r} changes unknown {', '.join(unknown)}")
                given |= changes
            yield given

    def yielded(
        self, law: Law, mutant: LawMutant | DataMutant | None, rng: Any = None
    ) -> Iterable[Comparison]:
        """Yield the comparisons at all points of the grid."""
        first = (law,) if self.kind == "exact" else (law, rng)
        grid = [name for name, value in self.arguments.items() if isinstance(value, list)]
        for point in self.points(mutant):
            self.spot = {name: point[name] for name in grid}
            found = self.function(*first, **point)
            if found is None:
                raise CheckError("the check returns nothing; yield comparisons")
            yield from found

    def built(self, law: Law, mutant: LawMutant | DataMutant | None) -> Any:
        """Return the case that the function makes."""
        points = list(self.points(mutant))
        if len(points) != 1:
            raise CheckError("a list is a grid, which only checks that yield comparisons have; give a tuple")
        case = self.function(law, **points[0])
        if not hasattr(case, "tests"):
            raise CheckError(f"the check returns {case!r}, which is no case of rung {CASES[self.kind].rung}")
        return case
