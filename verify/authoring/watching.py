"""Mutants that the engine makes by itself, to see that each label of a check would notice something.

In the quick profile a formula is scaled as a whole, and changed in detail only where a label is unwatched,
and what is pinned as failing somewhere comes alone, as long as it fails there;
this costs evaluations of formulas, hardly ever a second run of the check.
The full profile changes each constant.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from verify.authoring.law import Evaluation, Law
from verify.authoring.perturbation import Perturbation, perturbations
from verify.authoring.unit import CASES, AuthoredUnit
from verify.binding import Profile
from verify.comparison import Comparison
from verify.context import Context
from verify.outcome import Evidence
from verify.records.pinned import GENERATED, generated_kind
from verify.rungs.dispatch import judge

FACTORS = (Fraction(16, 17), Fraction(17, 16))
DETAILS = {"quick": 12, "full": 400}
"""Changes in detail that one unit tries by evaluating formulas again."""
RERUNS = {"quick": 2, "full": 40}
"""Changes for which one unit runs its check again."""
SAMPLED = 16
"""Comparisons of one label that a change in detail looks at; all of them are looked at for a factor."""


@dataclass
class Watch:
    """What was noticed.

    Args:
        labels: Labels of the honest run.
        failing: Those at which the honest run fails itself, so that another failure says nothing.
        rejected_by: Label to the mutants that fail there.
        noticed: Names of formulas of which some change was noticed.
        unnoticed: Changes that no comparison of this unit notices.
        noticed_changes: Changes that one does.
        declared: Names of the declared mutants.
        expected: Label to what is pinned as failing there: declared mutants, and kinds of generated ones;
            None where nothing is pinned, or all is to be found anew.
        sparing: Whether generated mutants are left out that are pinned as failing nowhere new.
    """

    labels: Sequence[str]
    failing: frozenset[str] = frozenset()
    rejected_by: dict[str, list[str]] = field(default_factory=dict)
    noticed: set[str] = field(default_factory=set)
    unnoticed: dict[str, None] = field(default_factory=dict)
    noticed_changes: dict[str, None] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()
    expected: Mapping[str, Sequence[str]] | None = None
    sparing: bool = False

    def add(self, mutant: str, labels: Iterable[str], formulas: Iterable[str] = ()) -> bool:
        """Take note of a mutant that fails at these labels; return whether any is one of the honest run."""
        known = [label for label in labels if label in self.labels]
        for label in (label for label in known if label not in self.failing):
            names = self.rejected_by.setdefault(label, [])
            if mutant not in names:
                names.append(mutant)
        if known:
            self.noticed.update(formulas)
        return bool(known)

    def until(self, mutant: str) -> frozenset[str]:
        """Return the labels at which a mutant has yet to fail; comparisons after that would show nothing new.

        Those at which it is pinned as failing, and of a generated one those that nothing has made fail, but
        those that are pinned as such while `sparing`; empty where all comparisons have to be made.
        """
        if self.expected is None:
            return frozenset()
        if mutant in self.declared:
            return frozenset(label for label, names in self.expected.items() if mutant in names)
        kind = generated_kind(mutant)
        found = {
            label: {
                generated_kind(name) for name in self.rejected_by.get(label, ()) if name not in self.declared
            }
            for label in self.labels
        }
        awaited = (
            label for label in found if kind in self.expected.get(label, ()) and kind not in found[label]
        )
        pinned = self.expected if self.sparing else ()
        return frozenset((*(label for label in self.unwatched if label not in pinned), *awaited))

    def is_tried(self, mutant: str) -> bool:
        """Return whether a generated mutant may fail where nothing of its kind has failed yet."""
        return not self.sparing or self.expected is None or bool(self.until(mutant))

    @property
    def is_complete(self) -> bool:
        """Return whether each kind of generated mutant failed where it is pinned as failing."""
        return self.expected is None or not any(map(self.until, GENERATED))

    @property
    def unwatched(self) -> list[str]:
        """Return the labels that nothing made fail."""
        return [label for label in self.labels if not self.rejected_by.get(label)]


def watch(unit: AuthoredUnit, base: Evidence, watched: Watch, context: Context, profile: Profile) -> None:
    """Try generated mutants on a unit whose honest case gave `base`, and take note of what they reject."""
    used = list(unit.trace.names)
    if CASES[unit.kind].yields:
        if profile == "quick" and _is_spared(unit, base, watched, context, used):
            return
        _watch_comparisons(unit, base, watched, context, profile, used)
    elif unit.kind == "adversarial":
        _watch_search(unit, base, watched, used)
    elif profile == "full" and used and not unit.declared and not unit.sabotaged:
        _watch_samples(unit, watched, context, used)


def _is_spared(
    unit: AuthoredUnit, base: Evidence, watched: Watch, context: Context, used: Sequence[str]
) -> bool:
    """Return whether the mutants that are pinned to fail somewhere do so; else all have to be tried."""
    if watched.expected is None:
        return False
    rejected = {label: list(names) for label, names in watched.rejected_by.items()}
    tried = Watch(watched.labels, watched.failing, rejected, expected=watched.expected, sparing=True)
    tried.declared = watched.declared
    _watch_comparisons(unit, base, tried, context, "quick", used)
    if tried.is_complete:
        watched.rejected_by, watched.noticed_changes = tried.rejected_by, tried.noticed_changes
    return tried.is_complete


# ---------------------------------------------------------------------- comparisons


@dataclass(frozen=True, eq=False)
class _Link:
    """A comparison with the evaluations that are its sides, None where a side is something else."""

    item: Comparison
    value: Evaluation | None
    bound: Evaluation | None

    def fails(self, results: Mapping[int, Any]) -> bool:
        changes: dict[str, Any] = {}
        for side, evaluation in (("value", self.value), ("bound", self.bound)):
            if evaluation is not None and id(evaluation) in results:
                changes[side] = results[id(evaluation)]
        return bool(changes) and replace(self.item, **changes).excess > 0


def _watch_comparisons(
    unit: AuthoredUnit,
    base: Evidence,
    watched: Watch,
    context: Context,
    profile: Profile,
    used: Sequence[str],
) -> None:
    by_result = {id(item.result): item for item in unit.trace.evaluations}
    links = [
        _Link(item, by_result.get(id(item.value)), by_result.get(id(item.bound))) for item in base.comparisons
    ]
    direct = {side.name for link in links for side in (link.value, link.bound) if side is not None}
    for name in used:
        mine = _of(links, name)
        for factor in FACTORS if mine else ():
            results = {id(side): _times(side.result, factor) for side in _sides(mine, name)}
            text = f"{name} times {factor}"
            _add(unit, unit.law.scaled(factor, name), text, name, _failing(mine, results), watched, context)
    budget = _Budget(DETAILS[profile], RERUNS[profile])
    for name in used:
        if name not in direct and name not in watched.noticed:
            for factor in FACTORS:
                text = f"{name} times {factor}"
                if name not in watched.noticed and watched.is_tried(text) and budget.rerun():
                    _rerun(unit, unit.law.scaled(factor, name), text, name, watched, context)
    for name in used:
        if not _is_enough(name, watched, profile):
            _watch_details(unit, name, _of(links, name), watched, context, profile, budget)


def _is_enough(name: str, watched: Watch, profile: Profile) -> bool:
    """Return whether no change in detail of a formula is tried (any more)."""
    if profile == "full":
        return False
    return (name in watched.noticed and not watched.unwatched) or not watched.is_tried("changed")


@dataclass
class _Budget:
    evaluations: int
    runs: int

    def evaluate(self) -> bool:
        self.evaluations -= 1
        return self.evaluations >= 0

    def rerun(self) -> bool:
        self.runs -= 1
        return self.runs >= 0


def _watch_details(
    unit: AuthoredUnit,
    name: str,
    links: Sequence[_Link],
    watched: Watch,
    context: Context,
    profile: Profile,
    budget: _Budget,
) -> None:
    chosen = _sampled(links)
    for change in perturbations(name, unit.law.formulas[name]):
        if _is_enough(name, watched, profile):
            return
        if chosen:
            if not budget.evaluate():
                return
            noticed = _noticed_again(unit, change, chosen, watched, context)
        else:
            if not budget.rerun():
                return
            noticed = any(
                _rerun(unit, unit.law.replace(**{name: item}), _text(change), name, watched, context)
                for item in change.formulas
            )
        if noticed:
            watched.noticed_changes[_text(change)] = None
        elif not watched.sparing:  # else the check may not have run with it
            watched.unnoticed[_text(change)] = None


def _noticed_again(
    unit: AuthoredUnit, change: Perturbation, links: Sequence[_Link], watched: Watch, context: Context
) -> bool:
    """Evaluate a changed formula at the sides of the comparisons instead of running the check again."""
    noticed = False
    for formula in change.formulas:
        law = unit.law.replace(**{change.name: formula})
        results: dict[int, Any] = {}
        for side in _sides(links, change.name):
            try:
                found = law.again(side)
                float(found)  # a number that compares: not complex
                results[id(side)] = found
            except (Exception, SystemExit):  # a changed formula may be undefined here, which says nothing
                continue
        noticed |= _add(unit, law, _text(change), change.name, _failing(links, results), watched, context)
    return noticed


def _add(
    unit: AuthoredUnit,
    law: Law,
    text: str,
    name: str,
    failing: Sequence[str],
    watched: Watch,
    context: Context,
) -> bool:
    """Take note of labels that fail with changed sides; a run has to confirm it where a label never failed.

    The other side may come from the formula, too.
    """
    if all(watched.rejected_by.get(label) for label in failing):
        return watched.add(text, failing, (name,))
    if not watched.is_tried(text):
        return False
    return _rerun(unit, law, text, name, watched, context)


def _rerun(unit: AuthoredUnit, law: Law, text: str, name: str, watched: Watch, context: Context) -> bool:
    """Run the check with another law, from the same streams; return whether a label notices it."""
    try:
        sabotaged = replace(context, sabotaged=True, until=watched.until(text))
        found = judge(context.rung, unit.case_under(law), sabotaged)
    except (Exception, SystemExit):  # no verdict, hence no rejection
        return False
    failing = [label for label, item in found.labels.items() if item.verdict == "violated"]
    return watched.add(text, failing, (name,))


def _of(links: Sequence[_Link], name: str) -> list[_Link]:
    return [link for link in links if any(side.name == name for side in (link.value, link.bound) if side)]


def _sides(links: Sequence[_Link], name: str) -> Iterable[Evaluation]:
    return (side for link in links for side in (link.value, link.bound) if side and side.name == name)


def _failing(links: Sequence[_Link], results: Mapping[int, Any]) -> list[str]:
    return list(dict.fromkeys(link.item.label for link in links if link.fails(results)))


def _sampled(links: Sequence[_Link]) -> list[_Link]:
    """Return some comparisons of each label: the first ones, and the closest."""
    groups: dict[str, list[_Link]] = {}
    for link in links:
        groups.setdefault(link.item.label, []).append(link)
    return [
        link
        for group in groups.values()
        for link in dict.fromkeys([*group[: SAMPLED // 2], *sorted(group, key=_distance)[: SAMPLED // 2]])
    ]


def _distance(link: _Link) -> float:
    value, bound = float(link.item.value), float(link.item.bound)
    return (bound - value) / (abs(bound) or 1.0)


def _times(result: Any, factor: Fraction) -> Any:
    if isinstance(result, Fraction):
        return result * factor
    if isinstance(result, float):
        return result * float(factor)
    from sympy import Rational

    return result * Rational(factor.numerator, factor.denominator)


def _text(change: Perturbation) -> str:
    return f"{change.name}: {change.description}"


# ---------------------------------------------------------------------- searches and samples


def _watch_search(unit: AuthoredUnit, base: Evidence, watched: Watch, used: Sequence[str]) -> None:
    """Scale each formula and look at the input that the search found, and at its starts."""
    import numpy as np

    if base.witness is None:
        return
    for name in used:
        for factor in FACTORS:
            if name in watched.noticed and not watched.unwatched:
                break
            try:
                case = unit.case_under(unit.law.scaled(factor, name))
                inputs = np.array([base.witness["x"], *case.starts], dtype=float)
                excess = np.asarray(case.value(inputs)) - np.asarray(case.bound(inputs)) * (1 + 1e-9)
            except (Exception, SystemExit):  # no verdict, hence no rejection
                continue
            if bool((excess > 0).any()):
                watched.add(f"{name} times {factor}", [unit.label], (name,))


def _watch_samples(unit: AuthoredUnit, watched: Watch, context: Context, used: Sequence[str]) -> None:
    """Scale all formulas at once, in both directions: two tests, for which the plan has room.

    Each is a run of its own, which only a label needs that no declared mutant is for.
    """
    for factor in FACTORS:
        arm = f"mutant:all-times-{factor.numerator}-{factor.denominator}"
        try:
            case = unit.case_under(unit.law.scaled(factor, *used))
            found = judge(context.rung, case, replace(context, arm=arm))
        except (Exception, SystemExit):  # no verdict, hence no rejection
            continue
        if found.rejects:
            watched.add(f"all formulas times {factor}", [unit.label], used)
            return
