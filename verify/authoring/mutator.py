"""Delete, loosen and turn round the comparisons of checks; the verdict must notice each edit.

An edit is made in what a check function yields, at all its instances and under all its mutants alike, as an
edit of its text would be. It yields once and is edited many times; other checks are taken as they are pinned.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from types import GeneratorType
from typing import Any

from verify import binding
from verify.authoring.law import Trace
from verify.authoring.unit import AuthoredUnit
from verify.comparison import LARGEST, Comparison, Tolerance, printed, rational
from verify.context import MASTER_SEED
from verify.errors import CheckError
from verify.judging.judgement import judge_unit
from verify.judging.verdicts import judge_claim
from verify.records import conditions
from verify.records.folder import Record
from verify.records.pinned import Row, kept

Place = tuple[str, str, int]
"""Check function, label, and the line of its `yield`; line 0 for a case, which is not made of comparisons."""


@dataclass(frozen=True)
class Edit:
    """An edit of the comparisons of one place."""

    place: Place
    kind: str

    def __str__(self) -> str:
        function, label, line = self.place
        return f"{function}{f', line {line}' if line else ''}: {label!r} {self.kind}"


def _scaled(number: Any, factor: Fraction) -> Any:
    """Return an equal or a scaled number, never the same object."""
    exact = rational(number)
    if isinstance(exact, Fraction):
        return exact * factor
    if isinstance(exact, float):
        return exact * float(factor)
    from sympy import Rational

    return exact * Rational(factor.numerator, factor.denominator)


def _moved(number: Any, factor: Fraction) -> Any:
    """Return a larger number for a factor above 1, else a smaller one."""
    if number == 0:
        return rational(number) + (factor - 1) / 100
    return _scaled(number, factor if float(number) > 0 else 1 / factor)


def _turned(item: Comparison, **changes: Any) -> Comparison:
    return replace(item, value=item.bound, bound=item.value, **changes)


_SAME, _HALF_MORE = Fraction(1), Fraction(3, 2)
EDITS: Mapping[str, tuple[str, Callable[[Comparison], Comparison]]] = {
    "renamed": ("eq le lt", lambda item: replace(item, label=f"{item.label} renamed")),
    "at most for equal": ("eq", lambda item: replace(item, relation="le")),
    "at least for equal": ("eq", lambda item: _turned(item, relation="le")),
    "at most for below": ("lt", lambda item: replace(item, relation="le")),
    "turned": ("le lt", _turned),
    "bound loosened": ("le lt", lambda item: replace(item, bound=_moved(item.bound, _HALF_MORE))),
    "value shrunk": ("le lt", lambda item: replace(item, value=_moved(item.value, 1 / _HALF_MORE))),
    "bound is the value": ("eq le", lambda item: replace(item, bound=_scaled(item.value, _SAME))),
    "value is the bound": ("eq le", lambda item: replace(item, value=_scaled(item.bound, _SAME))),
    "tolerance times 100": (
        "eq le lt",
        lambda item: replace(item, tolerance=Tolerance(100 * item.tolerance.relative, "wider")),
    ),
    "largest tolerance": ("eq le lt", lambda item: replace(item, tolerance=printed(3))),
}
"""Edits of single comparisons: the relations that have them, and what they make of one."""
CASE_EDITS = ("deleted", "renamed", "bound is the value")
"""Edits of cases; one that holds a value against itself rejects no mutant, so that it need not be run."""


class Mutator:
    """Edits the comparisons of a claim, and asks for its verdict.

    Args:
        claim: A claim whose comparisons are pinned.
    """

    def __init__(self, claim: Any) -> None:
        self.pins, self.under = kept(claim) or {}, conditions.kept(claim) or {}
        # What the kernel proves does not depend on comparisons.
        parts = [
            replace(part, says=(), pins={}, evidence=evidence)
            for part in claim.parts
            if (evidence := tuple({*part.evidence, *part.pins.values()} - {"proof"}))
        ]
        self.claim = replace(claim, parts=tuple(parts), relations={}, public=())
        self.units = [unit for unit in binding.plan((claim,), "quick") if unit.check.authored is not None]
        self._made: dict[Any, _Made] = {}
        self.judge: Any = importlib.import_module(binding.module_name(claim.id)).judge

    def functions(self) -> list[str]:
        """Return the names of the check functions."""
        return list(dict.fromkeys(unit.check.authored.function.__name__ for unit in self.units))  # type: ignore[union-attr]

    def edits(self, function: str) -> list[Edit]:
        """Return the edits of a check function.

        Raises:
            ValueError: The claim does not hold to begin with.
        """
        problems = self.notices(Edit((function, "", 0), "left alone"))
        if problems:
            raise ValueError(f"{function} is not as pinned to begin with: {problems[0]}")
        found: dict[Edit, None] = {}
        for unit in self.units:
            authored: Any = unit.check.authored
            if authored.function.__name__ != function:
                continue
            if not authored.yields:
                found |= {Edit((function, authored.label, 0), kind): None for kind in CASE_EDITS}
                continue
            items = self._made[authored.key, ()].items
            for place in dict.fromkeys(place for place, _ in items):
                mine = [item for at, item in items if at == place]
                kinds = ["deleted", *["only the first"] * (len(mine) > 1), *_kinds(mine, unit.check.rung)]
                found |= {Edit(place, kind): None for kind in kinds}
        return list(found)

    def notices(self, edit: Edit) -> list[str]:
        """Return what the verdict says about an edit, nothing where the claim holds as before."""
        with self._edited(edit):
            records = [found for unit in self.units for found in self._records(unit, edit)]
            try:
                result = judge_claim(self.claim, records, "quick", problems=[], pins=self.pins)
            except CheckError as error:
                return [str(error)]
        good = result.verdict in ("holds", "consistent")
        return [] if good else list(result.reasons)

    # ------------------------------------------------------------------ the same judgement, edited

    def _records(self, unit: binding.Unit, edit: Edit) -> Iterator[Record]:
        check, rows = unit.check, self.pins.get("/".join(unit.key[1:]), {})
        authored: Any = check.authored
        made = self._made.get((authored.key, ()))
        if authored.function.__name__ != edit.place[0]:
            yield self._record(check, rows)
        elif authored.yields:
            same = made is not None and all(place != edit.place for place, _ in made.items)
            yield self._record(check, rows) if same else judge_unit(unit, "quick", MASTER_SEED)
        elif authored.label != edit.place[1]:
            yield self._record(check, rows)
        elif edit.kind == "renamed":
            yield self._record(check, {f"{label} renamed": row for label, row in rows.items()})
        elif edit.kind == "bound is the value":
            passing = {label: {**row, "rejects": []} for label, row in rows.items()}
            escaped = [
                {"name": name, "neutral": False, "rejected": False, "reason": "always passes"}
                for row in rows.values()
                for name in row["rejects"]
                if name in check.mutants
            ]
            yield {**self._record(check, passing), "mutants": escaped}

    def _record(self, check: binding.Check, rows: Mapping[str, Row]) -> Record:
        """Return a record that says what is pinned."""
        good = {"verdict": "holds", "grade": "instance", "tightness": None, "reason": ""}
        labels = {}
        for label, row in rows.items():
            value, bound = row.get("means", (None, None))
            labels[label] = {**row, **good, "value": value, "bound": bound, "rejected_by": row["rejects"]}
            if "count" in row:
                labels[label]["means"] = (value, bound)
            else:
                labels[label].pop("means", None)
        about = {"rung": check.rung, "instance": check.instance, "profile": "quick", "seed": MASTER_SEED}
        nothing = {"mutants": [], "noticed": [], "unnoticed": [], "seconds": 0.0, "refuted": False}
        settings = self.under.get(f"{check.rung}/{check.instance}", {})
        return {**good, **about, **nothing, "labels": labels, "settings": settings}

    @contextmanager
    def _edited(self, edit: Edit) -> Iterator[None]:
        """Let check functions yield what the edit makes of it."""
        yielded, units = AuthoredUnit.yielded, self.judge.units

        def edited(unit: AuthoredUnit, law: Any, mutant: Any, rng: Any = None) -> Iterator[Comparison]:
            made = self._of(yielded, unit, law, mutant, rng)
            yield from _changed(made.items, edit)
            if made.error is not None:
                raise made.error

        AuthoredUnit.yielded = edited  # type: ignore[method-assign,assignment]
        if edit.kind == "deleted" and not edit.place[2]:
            self.judge.units = [unit for unit in units if _place(unit) != edit.place[:2]]
        try:
            yield
        finally:
            AuthoredUnit.yielded = yielded  # type: ignore[method-assign]
            self.judge.units = units

    def _of(self, yielded: Any, unit: AuthoredUnit, law: Any, mutant: Any, rng: Any) -> "_Made":
        """Return what a check yields, from memory where it was asked before."""
        key = (unit.key, law.changes if mutant is None else mutant.mutant.name)
        if key not in self._made:
            items, error = [], None
            made = yielded(unit, law, mutant, rng)
            try:
                for item in made:
                    items.append(((unit.function.__name__, item.label, _line(made)), item))
            except (Exception, SystemExit) as raised:
                error = raised
            self._made[key] = _Made(items, error, unit.trace)
        elif not key[1]:
            unit.trace = self._made[key].trace
        return self._made[key]


@dataclass
class _Made:
    """What a check function yielded under one law, and what it evaluated."""

    items: list[tuple[Place, Comparison]]
    error: BaseException | None
    trace: Trace


def _kinds(items: Sequence[Comparison], rung: str) -> Iterator[str]:
    """Yield the edits that make a difference to the comparisons of a place."""
    floats = [item for item in items if not item.is_rational]
    for kind, (relations, change) in EDITS.items():
        if items[0].relation not in relations.split() or ("tolerance" in kind and not floats):
            continue
        if kind == "largest tolerance" and LARGEST[rung] <= max(item.tolerance.relative for item in floats):
            continue
        if items[0].relation == "eq" or any(_form(change(item)) != _form(item) for item in items):
            yield kind


def _form(item: Comparison) -> tuple[Any, ...]:
    return item.label, item.relation, item.tolerance, float(item.value), float(item.bound)


def _changed(items: Sequence[tuple[Place, Comparison]], edit: Edit) -> Iterator[Comparison]:
    first = True
    for place, item in items:
        if place != edit.place:
            yield item
        elif edit.kind in EDITS:
            yield EDITS[edit.kind][1](item)
        elif edit.kind == "only the first" and first:
            yield item
        first = first and place != edit.place


def _place(unit: AuthoredUnit) -> tuple[str, str]:
    return unit.function.__name__, unit.label


def _line(generator: Any) -> int:
    while isinstance(getattr(generator, "gi_yieldfrom", None), GeneratorType):
        generator = generator.gi_yieldfrom
    return int(generator.gi_frame.f_lineno)
