"""A claim is data: one statement of a paper with everything needed to judge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from theory.claim import KINDS, PROVENANCES, RUNGS, ImplicitValue, WorstCase
from theory.old_steps import Step
from theory.paper import Paper

if TYPE_CHECKING:
    # For annotations only: the command line reads kinds and rungs without computer algebra.
    from sympy import Basic, Expr

__all__ = [
    "KINDS",
    "PROVENANCES",
    "RUNGS",
    "Claim",
    "ImplicitValue",
    "LazySteps",
    "Mutant",
    "Variable",
    "WorstCase",
    "expressions",
]


@dataclass(frozen=True)
class Variable:
    """A symbol of a statement with its domain (LaTeX), meaning and, for arrays, shape."""

    symbol: Basic
    domain: str
    meaning: str
    shape: str = ""


def expressions(
    bound: Expr | None, exact: Expr | ImplicitValue | None, formulas: Mapping[str, Expr]
) -> dict[str, Expr]:
    """Return all expressions of a claim by name: `bound`, `exact` (or its two parts) and the formulas.

    The derivation of a claim is built from them by the function `derivation` of its module.
    """
    named: dict[str, Expr] = {}
    if bound is not None:
        named["bound"] = bound
    if isinstance(exact, ImplicitValue):
        named |= {"exact.expression": exact.expression, "exact.equation": exact.equation}
    elif exact is not None:
        named["exact"] = exact
    return {**named, **formulas}


@dataclass(frozen=True)
class Mutant:
    """A small sabotage that a check must reject; a neutral one must not be rejected.

    Args:
        name: Short name, unique within the claim.
        description: What is changed.
        rungs: The rungs assigned to it; it must be rejected on at least one of them.
        neutral: An equivalent change that no rung may reject.
        slow: Only run in the full profile.
    """

    name: str
    description: str
    rungs: tuple[str, ...]
    neutral: bool = False
    slow: bool = False


class LazySteps(Sequence[Step]):
    """The steps of a derivation, built when the first of them is looked at.

    Args:
        make: Builds them.
    """

    def __init__(self, make: Callable[[], tuple[Step, ...]]) -> None:
        self._make = make
        self._made: tuple[Step, ...] | None = None

    @property
    def made(self) -> tuple[Step, ...]:
        """Return the steps."""
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, place: int | slice) -> Step | tuple[Step, ...]:
        return self.made[place]

    def __len__(self) -> int:
        return len(self.made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazySteps | tuple) and self.made == tuple(other)

    def __hash__(self) -> int:
        return hash(self.made)

    def __repr__(self) -> str:
        return repr(self.made)


class _Derivation:
    """The field `derivation` of a claim: given as steps or as a function that builds them."""

    def __get__(self, claim: Any, owner: type | None = None) -> Sequence[Step]:
        if claim is None:
            raise AttributeError("derivation")  # so that the field has no default
        steps: Sequence[Step] = claim.__dict__["derivation"]
        return steps

    def __set__(self, claim: Any, value: Sequence[Step] | Callable[[], tuple[Step, ...]]) -> None:
        claim.__dict__["derivation"] = LazySteps(value) if callable(value) else value


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, or a finding about one.

    Args:
        id: Paper's short name, slash, slug: `squant/var`.
        paper: The paper.
        kind: One of `KINDS`.
        provenance: One of `PROVENANCES`.
        title: One line.
        statement: The statement in LaTeX.
        variables: Symbols with domains.
        assumptions: Assumptions, one sentence each.
        derivation: Steps that `verify` discharges, or a function that builds them when they are needed.
        worst_cases: Inputs at which the claim is tight or telling.
        mutants: Sabotages that must be rejected.
        bound: The stated bound, where there is one.
        exact: The exact value of what is bounded, where there is one.
        formulas: Further named formulas (branches of a bound, step sizes).
        measured: Whether the statement is about measurements, so that its weakest record gives the grade.
    """

    id: str
    paper: Paper
    kind: str
    provenance: str
    title: str
    statement: str
    variables: tuple[Variable, ...]
    assumptions: tuple[str, ...]
    derivation: _Derivation = _Derivation()  # has no default: see there
    worst_cases: tuple[WorstCase, ...]  # type: ignore[misc]
    mutants: tuple[Mutant, ...]  # type: ignore[misc]
    bound: Expr | None = None
    exact: Expr | ImplicitValue | None = None
    formulas: Mapping[str, Expr] = field(default_factory=lambda: MappingProxyType({}))
    measured: bool = False

    def __post_init__(self) -> None:
        problems = []
        if not self.id.startswith(f"{self.paper.name}/"):
            problems.append(f"id={self.id!r} must start with {self.paper.name + '/'!r}")
        if self.kind not in KINDS:
            problems.append(f"kind={self.kind!r} must be one of {KINDS}")
        if self.provenance not in PROVENANCES:
            problems.append(f"provenance={self.provenance!r} must be one of {PROVENANCES}")
        names = [mutant.name for mutant in self.mutants]
        problems += [
            f"mutant name {name!r} is used twice" for name in sorted({n for n in names if names.count(n) > 1})
        ]
        for mutant in self.mutants:
            unknown = [rung for rung in mutant.rungs if rung not in RUNGS]
            if unknown or not mutant.rungs:
                problems.append(f"mutant {mutant.name!r}: rungs={mutant.rungs} must name some of {RUNGS}")
        if problems:
            raise ValueError(f"claim {self.id!r} is not well formed: " + "; ".join(problems))

    @property
    def expressions(self) -> dict[str, Expr]:
        """Return all stated expressions by name; see the function of this name."""
        return expressions(self.bound, self.exact, self.formulas)
