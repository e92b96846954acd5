"""The verdicts of the parts of a claim, from the evidence that each of them names."""

import importlib
import importlib.util
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError
from verify.judging.labels import in_short
from verify.judging.unproved import names_any, unevaluated
from verify.judging.verdicts import WEAKEST_FIRST, PartResult, undecided_reasons
from verify.outcome import CHECK_FAILED, ClaimVerdict, Grade, better, worse
from verify.records.conditions import Conditions
from verify.records.conditions import differences as other_conditions
from verify.records.conditions import kept as kept_conditions
from verify.records.folder import Record
from verify.records.pinned import Rows, differences, kept
from verify.records.source_form import form_problems

if TYPE_CHECKING:
    from theory.claim import Claim, Part
    from verify.binding import Profile


@dataclass
class _Finding:
    """What one named piece of evidence says."""

    verdict: ClaimVerdict
    grade: Grade | None = None
    reasons: list[str] = field(default_factory=list)
    cited: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()


def judge_parts(
    claim: Any,
    records: Sequence[Record],
    profile: "Profile",
    problems: Sequence[str] | None = None,
    pins: Rows | None = None,
    conditions: Conditions | None = None,
    lacking: Collection[str] = (),
) -> tuple[tuple[PartResult, ...], list[str]]:
    """Return the result of each part, and the reasons for all of them with what no check noticed.

    A part is `violated` if evidence that it names is; else `untested` if evidence is missing, a label of it
    was never seen to fail, a mutant survives there, its comparisons are not the pinned ones, or its text says
    something else than its relations; else `inconclusive` if a check of a rung that it names raised an error;
    else `holds` if evidence does; else `consistent`; else `inconclusive`. What is missing on a rung of
    `lacking` (a run was interrupted) may be in the records that are not there: the part is `inconclusive`.
    """
    if not records:
        unread = tuple(PartResult(part.label, "untested", None, _named(part)) for part in claim.parts)
        return unread, ["no check has run"]
    wrong = tie_problems(claim) if problems is None else list(problems)
    broken: list[tuple[Sequence[str], str]] = [([], line) for line in form_problems(claim)]
    broken += _broken_mutants(records)
    pinned = kept(claim) if pins is None else pins
    if pinned is not None:
        broken += [([label], f"{label!r} {told}") for label, told in differences(claim, records, pinned)]
    under = kept_conditions(claim) if conditions is None else conditions
    if under is not None:
        broken += [
            (_labels_at(key, records, pinned or {}), told)
            for key, told in other_conditions(claim, records, under)
        ]
    parts = tuple(_judge_part(claim, part, records, profile, wrong, broken, lacking) for part in claim.parts)
    reasons = told_once(parts)
    reasons += [
        f"{item['rung']}/{item['instance']}: {item['reason']}"
        for item in records
        if item["verdict"] == "violated"
    ]
    reasons += undecided_reasons(records)
    if profile == "full":
        reasons += [f"not noticed by any check: formula {change}" for change in unnoticed(records)]
    return parts, list(dict.fromkeys(reasons))


def told_once(parts: Sequence[PartResult]) -> list[str]:
    """Return the reasons of all parts, each once behind the parts that have it: `(a, c) not pinned`."""
    found: dict[str, list[str]] = {}
    for part in parts:
        for reason in dict.fromkeys(part.reasons):
            found.setdefault(reason, []).append(part.label)
    return [f"({in_short(labels)}) {reason}" for reason, labels in found.items()]


def _labels_at(key: str, records: Sequence[Record], pinned: Rows) -> list[str]:
    """Return RUNG/LABEL of what a check compares, now or where it is pinned; nothing where none is known."""
    rung = key.partition("/")[0]
    found = [
        label for item in records if f"{item['rung']}/{item['instance']}" == key for label in item["labels"]
    ]
    return [f"{rung}/{label}" for label in dict.fromkeys([*found, *pinned.get(key, {})])]


_RUNGS = ("exact", "adversarial", "montecarlo", "run", "symbolic")


def tie_problems(claim: Any) -> list[Any]:
    """Return what the text of a claim says beside its relations, as far as statements can be read.

    What breaks the reader is a problem of this claim, and costs others nothing.
    """
    try:
        if importlib.util.find_spec("verify.statements.ties") is None:
            return []
    except ModuleNotFoundError:
        return []
    ties = importlib.import_module("verify.statements.ties")
    try:
        return list(ties.check(claim))
    except UsageError:
        raise
    except Exception as error:
        told = " ".join(f"its texts cannot be read: {type(error).__name__}: {error}".split())
        return [ties.Problem(claim.id, "", -1, "", told)]


def unnoticed(records: Sequence[Record]) -> list[str]:
    """Return the changes of formulas that no comparison of any record notices."""
    noticed = {change for item in records for change in item["noticed"]}
    return sorted({change for item in records for change in item["unnoticed"]} - noticed)


def _judge_part(
    claim: "Claim",
    part: "Part",
    records: Sequence[Record],
    profile: "Profile",
    problems: Sequence[Any],
    broken: Sequence[tuple[Sequence[str], str]],
    lacking: Collection[str],
) -> PartResult:
    named = tuple(dict.fromkeys((*part.evidence, *part.pins.values())))
    found = {name: _find(claim, part, name, records, profile, lacking) for name in named}
    verdict = _combined([item.verdict for item in found.values()])
    if lacking and any(item.verdict == "not_run" for item in found.values()):
        verdict = _weaker(verdict, "inconclusive")
    reasons = [f"{name}: {reason}" for name, item in found.items() for reason in item.reasons]
    others = {other.label for other in claim.parts} - {part.label}
    # What is not of another part concerns all of them.
    if wrong := [problem for problem in problems if getattr(problem, "part", "") not in others]:
        from verify.statements.said import told

        verdict = _weaker(verdict, "untested")
        reasons += [f"the text is not what is checked: {line}" for line in told(wrong)]
    is_whole = not lacking or not any(name.partition("/")[0] in lacking for name in named)
    for name in part.says if "proof" not in named else ():
        unrelated = unevaluated(claim, name, named, records)
        if unrelated:
            verdict = _weaker(verdict, "untested" if is_whole else "inconclusive")
            reasons.append(unrelated)
    for labels, reason in broken:
        if not names_any(named, labels) and any(names_any(_named(other), labels) for other in claim.parts):
            continue
        verdict = _weaker(verdict, "untested")
        reasons.append(reason)
    for record in records:  # its labels are not known, so it concerns each part with evidence of its rung
        same_rung = any(name.startswith(f"{record['rung']}/") for name in named)
        if same_rung and record["reason"].startswith(CHECK_FAILED):
            verdict = _weaker(verdict, "inconclusive")
            reasons.append(f"{record['rung']}/{record['instance']}: {record['reason']}")
    carriers = [item for item in found.values() if item.verdict == verdict]
    grade: Grade | None = None
    for item in carriers:
        grade = (worse if claim.measured else better)(grade, item.grade)
    proved = grade in ("proof", "proof modulo")
    pinned = [found[name] for name in dict.fromkeys(part.pins.values()) if name != "proof"]
    words: Grade | None = None
    for item in pinned:
        if proved or item.verdict == verdict:
            words = worse(words, item.grade)
    if not proved:  # each pin is a sentence that rests on its own evidence: the weakest is said
        grade, words, pinned = grade and worse(grade, words), None, []
    return PartResult(
        part.label,
        verdict,
        grade,
        named,
        tuple(dict.fromkeys(text for item in carriers for text in item.cited)),
        tuple(dict.fromkeys(text for item in carriers for text in item.hypotheses)),
        () if proved else tuple(dict.fromkeys(name for item in carriers for name in item.instances)),
        tuple(dict.fromkeys(reasons)),
        words,
        tuple(dict.fromkeys(name for item in pinned for name in item.instances)),
    )


def _named(part: "Part") -> tuple[str, ...]:
    return (*part.evidence, *part.pins.values())


def _combined(verdicts: Sequence[ClaimVerdict]) -> ClaimVerdict:
    order: tuple[ClaimVerdict, ...] = (
        "violated",
        "untested",
        "holds",
        "consistent",
        "inconclusive",
        "not_run",
    )
    return min(verdicts, key=order.index, default="untested")


def _weaker(first: ClaimVerdict, second: ClaimVerdict) -> ClaimVerdict:
    return min(first, second, key=WEAKEST_FIRST.index)


def _find(
    claim: "Claim",
    part: "Part",
    name: str,
    records: Sequence[Record],
    profile: "Profile",
    lacking: Collection[str],
) -> _Finding:
    if name == "proof":
        return _proof(claim, part, records, lacking)
    rung, slash, label = name.partition("/")
    if not slash:
        return _Finding("untested", reasons=["evidence is `proof` or RUNG/LABEL"])
    of_rung = [record for record in records if record["rung"] == rung]
    entries = [
        (record, text, item)
        for record in of_rung
        for text, item in record["labels"].items()
        if text == label or fnmatchcase(text, label)
    ]
    if not entries and rung in lacking:
        return _Finding("not_run", reasons=["no usable record has it; other records are missing"])
    if not entries:
        return _missing(claim, rung, label, of_rung, profile)
    violated = [(record, text) for record, text, item in entries if item["verdict"] == "violated"]
    if any(item["grade"] != "asymptotic" for _, _, item in entries if item["verdict"] == "violated"):
        return _Finding(
            "violated",
            _best(item for _, _, item in entries if item["verdict"] == "violated"),
            [f"{text!r} fails at {record['instance']}: {record['reason']}" for record, text in violated],
            instances=tuple(dict.fromkeys(f"{rung}/{record['instance']}" for record, _ in violated)),
        )
    watched = {text for _, text, item in entries if item["rejected_by"]}
    unwatched = sorted({text for _, text, _ in entries} - watched)
    if unwatched and rung in lacking:
        return _Finding("not_run", reasons=["what makes it fail is in records that are missing"])
    if unwatched:
        listed = ", ".join(map(repr, unwatched))
        return _Finding(
            "untested", reasons=[f"unwatched: nothing makes {listed} fail; add a mutant that does"]
        )
    # Grade asymptotic decides nothing, in neither direction.
    deciding = [item["verdict"] for _, _, item in entries if item["grade"] != "asymptotic"]
    verdict = _combined(deciding) if deciding else "inconclusive"
    carriers = [(record, item) for record, _, item in entries if item["verdict"] == verdict]
    instances = tuple(dict.fromkeys(f"{record['rung']}/{record['instance']}" for record, _ in carriers))
    return _Finding(verdict, _best(item for _, item in carriers), instances=instances)


def _best(items: Iterable[Any]) -> Grade | None:
    grade: Grade | None = None
    for item in items:
        grade = better(grade, item["grade"])
    return grade


def _proof(claim: "Claim", part: "Part", records: Sequence[Record], lacking: Collection[str]) -> _Finding:
    """Return what the derivation says of the relations of a part: all of them have to be concluded."""
    derivation = next((record for record in records if record["rung"] == "symbolic"), None)
    if derivation is None:
        lost = _has_derivation(claim)
        told = "there is no usable record of the derivation" if lost else "the claim has no derivation"
        return _Finding("not_run" if lost and "symbolic" in lacking else "untested", reasons=[told])
    if not part.says:
        return _Finding("untested", reasons=["the part says no relation that could be proved"])
    grade: Grade | None = None
    cited: list[str] = []
    hypotheses: list[str] = []
    missing = []
    for name in part.says:
        item = derivation["labels"].get(name)
        if item is None or item["verdict"] != "holds":
            because = f": {item['reason']}" if item and item["reason"] else ""
            missing.append(f"relation {name!r} is not concluded{because or ': ' + derivation['reason']}")
            continue
        if not item["rejected_by"]:
            missing.append(f"relation {name!r} is unwatched: the kernel concludes it changed, too")
        grade = worse(grade, item["grade"])
        cited += item["cited"]
        hypotheses += item["hypotheses"]
    if missing:
        return _Finding("untested", reasons=missing)
    return _Finding("holds", grade, cited=tuple(cited), hypotheses=tuple(hypotheses))


def _has_derivation(claim: "Claim") -> bool:
    from verify.binding import checks_of

    return any(check.rung == "symbolic" for check in checks_of(claim))


def _missing(
    claim: "Claim", rung: str, label: str, of_rung: Sequence[Record], profile: "Profile"
) -> _Finding:
    if rung not in _RUNGS:
        remedy = f"evidence is proof, or RUNG/LABEL with a rung of {', '.join(_RUNGS)}"
        return _Finding("untested", reasons=[f"no rung {rung!r} in {f'{rung}/{label}'!r}; {remedy}"])
    failed = [record for record in of_rung if not record["labels"]]
    if failed:
        shown = failed[0]
        verdict: ClaimVerdict = "not_run" if shown["verdict"] == "not_run" else "untested"
        return _Finding(verdict, reasons=[f"{rung}/{shown['instance']} says {shown['reason']!r}"])
    if profile == "quick" and _left_out(claim, rung):
        return _Finding("not_run", reasons=["only checked in the full profile, or on data that are not here"])
    known = sorted({text for record in of_rung for text in record["labels"]})
    listed = f"; labels of {rung}: {', '.join(known)}" if known else ""
    return _Finding("untested", reasons=[f"no check has the label {label!r}{listed}"])


def _left_out(claim: "Claim", rung: str) -> bool:
    """Return whether a claim has checks of a rung that the quick profile, or this machine, leaves out."""
    from verify.binding import checks_of

    return any(check.rung == rung and (check.profile == "full" or check.needs) for check in checks_of(claim))


def _broken_mutants(records: Sequence[Record]) -> list[tuple[Sequence[str], str]]:
    """Return the mutants that a check does not tell apart: its labels, and the reason."""
    found: list[tuple[Sequence[str], str]] = []
    for record in records:
        labels = [f"{record['rung']}/{label}" for label in record["labels"]]
        for item in record["mutants"]:
            where = f"{record['rung']}/{record['instance']}"
            if item["neutral"] and item["rejected"]:
                found.append(
                    (labels, f"neutral mutant {item['name']!r} is rejected at {where}: the check is wrong")
                )
            elif not item["neutral"] and not item["rejected"]:
                found.append((labels, f"mutant {item['name']!r} survives at {where}: {item['reason']}"))
    return found
