"""Tie the text of a claim to its formulas: what is said is registered, what is registered is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from theory.claim import READ_KINDS
from theory.latex.clauses import Clause, all_clauses
from theory.latex.nodes import Unreadable, names_of
from theory.latex.reading import Reader
from theory.latex.tokens import fragments
from verify.statements.explain import explained
from verify.statements.matching import Matcher, Reading
from verify.statements.pins import Pins, hash_of, kept, labels_hash, part_hash, relation_text, texts_hash
from verify.statements.refusals.assumed import assumed_otherwise
from verify.statements.refusals.declarations import misdeclared
from verify.statements.refusals.declared import node_of
from verify.statements.refusals.definitions import defined_twice
from verify.statements.refusals.kinds import unshown_kind
from verify.statements.refusals.pinned import unproved
from verify.statements.refusals.restated import restated
from verify.statements.refusals.restrictions import Restrictions
from verify.statements.refusals.told_ranges import ToldRanges
from verify.statements.refusals.wording.denials import denied
from verify.statements.refusals.wording.joined import arrows
from verify.statements.refusals.wording.only_words import only_in_words
from verify.statements.refusals.wording.proved_text import refused
from verify.statements.refusals.wording.undefined import undefined
from verify.statements.refusals.wording.words import formulas_in_words, seen_otherwise
from verify.statements.refusals.worst import wrong_worst_cases
from verify.statements.registered import comparisons
from verify.statements.said import Problem, Said
from verify.statements.slots import SLOT, outside, slot_value

if TYPE_CHECKING:
    from theory.claim import Claim, Hypothesis, Part

LABELS, TEXTS = "title, kind, symbols", "texts"
"""Places in pins.json of what a reader is told beside the texts, and of the texts as they are written."""

_SAYING = ("relation", "equation", "assumed", "unread")
"""Kinds of clauses that a sentence of a proved part may be for; what is unread is a problem of its own."""


class Checker:
    """Check the texts of one claim; what does not change between calls is read once.

    Args:
        claim: The claim.
        explain: Whether messages show readings and the nearest relation, which takes time.
    """

    def __init__(self, claim: Claim, explain: bool = True) -> None:
        self.claim = claim
        self.explain = explain
        self.matcher = Matcher(claim)
        self._ranges = ToldRanges(claim, self.matcher)
        self._read_parts: dict[int, tuple[Part, Said]] = {}
        self._printed: dict[str, tuple[str, ...]] = {}  # what hashes of hypotheses rest on

    def problems(self, pins: Pins) -> list[Problem]:
        """Return all problems of the claim."""
        found = [*self.label_problems(pins), *self.text_problems("setting", self.claim.setting, pins)]
        for name, hypothesis in self.claim.hypotheses.items():
            found += self.hypothesis_problems(name, hypothesis.words, pins)
        for part in self.claim.parts:
            found += self.part_problems(part, pins)
        return [
            *found,
            *self.formula_problems(),
            *self.definition_problems(),
            *self.restated_problems(),
            *(
                self._problem("", message)
                for message in (*misdeclared(self.claim, self.matcher.vocabulary), *unshown_kind(self.claim))
            ),
            *self.undefined_problems(),
            *self.restriction_problems(),
            *self.lost_problems(pins),
            *(self._problem("", message, case) for case, message in wrong_worst_cases(self.claim)),
        ]

    def hashes(self) -> dict[str, str]:
        """Return the hashes of the claim as it is."""
        found = {LABELS: labels_hash(self.claim), TEXTS: texts_hash(self.claim)}
        found["setting"] = self.text_hash("setting", self.claim.setting)
        for name, hypothesis in self.claim.hypotheses.items():
            found[f"hypothesis {name}"] = self.text_hash(f"hypothesis {name}", hypothesis.words)
        for part in self.claim.parts:
            found[part.label] = self.hash_of_part(part, self._part(part).words)
        return {name: found for name, found in found.items() if found}

    def label_problems(self, pins: Pins) -> list[Problem]:
        """Return the problem of title, kind, provenance, symbols and worst cases: they are not as pinned."""
        found = []
        if pins.get(LABELS) != labels_hash(self.claim):
            one = "the pinned ones" if LABELS in pins else "pinned"
            found.append(
                f"title, kind, provenance, symbols, formulas, worst cases or its paper are not {one}"
            )
        if pins.get(TEXTS) != texts_hash(self.claim):
            one = "written as the pinned ones" if TEXTS in pins else "pinned as they are written"
            found.append(f"its texts are not {one}")
        read = f"read them, then run `boundcheck pin {self.claim.id}`"
        return [self._problem("", f"{message}: {read}") for message in found]

    def lost_problems(self, pins: Pins) -> list[Problem]:
        """Return the problem of pins of parts and hypotheses that the claim does not have any more."""
        own = {LABELS, TEXTS, "setting", *(part.label for part in self.claim.parts)}
        own |= {f"hypothesis {name}" for name in self.claim.hypotheses}
        lost = [name for name in pins if name not in own]
        message = f"{', '.join(lost)} is pinned and not there any more: run `boundcheck pin {self.claim.id}`"
        return [self._problem("", message)] if lost else []

    def text_hash(self, place: str, text: str) -> str:
        """Return the hash of the setting or of the words of a hypothesis, empty for an empty text."""
        return self.hash_of_text(place, text, self._loose(place, text).words)

    def hash_of_text(self, place: str, text: str, words: str) -> str:
        """Return the hash of the setting or of a hypothesis with these words."""
        return hash_of(words, *self._rests(place)) if text else ""

    def hash_of_part(self, part: Part, words: str) -> str:
        """Return the hash of a part with these words."""
        return part_hash(self.claim, part, words, self._relation_texts)

    @cached_property
    def _relation_texts(self) -> Mapping[str, str]:
        return {name: relation_text(name, item) for name, item in self.claim.relations.items()}

    def text_problems(self, place: str, text: str, pins: Pins) -> list[Problem]:
        """Return the problems of the setting or of the words of a hypothesis."""
        said = self._loose(place, text)
        if pins.get(place, "") != self.hash_of_text(place, text, said.words):
            said.problems.append(self._outdated(place))
        return said.problems

    def hypothesis_problems(self, name: str, words: str, pins: Pins) -> list[Problem]:
        """Return the problems of a hypothesis with these words, its own or edited ones."""
        place = f"hypothesis {name}"
        found = self.text_problems(place, words, pins)
        message = assumed_otherwise(self._reader, self.claim.hypotheses[name], words)
        return [*found, self._problem(place, message)] if message else found

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.claim)

    def part_problems(self, part: Part, pins: Pins) -> list[Problem]:
        """Return the problems of a part."""
        said = self._part(part)
        problems = list(said.problems)
        for name in part.says:
            if f"relation {name}" not in said.labels:
                # A clause that could not be matched shows the nearest relation already.
                shown = (
                    f"; {explained(self.matcher, f'relation {name}')}"
                    if self.explain and not problems
                    else ""
                )
                problems.append(self._problem(part.label, f"it does not say its relation {name!r}{shown}"))
            problems += self._unsaid_hypotheses(part, name, said.labels)
        if pins.get(part.label) != self.hash_of_part(part, said.words):
            problems.append(self._outdated(part.label))
        return problems

    def formula_problems(self) -> list[Problem]:
        """Return formulas that no relation contains and that are not internal."""
        found = []
        for name, formula in self.claim.formulas.items():
            if name in self.claim.internal:
                continue
            try:
                contained = self.matcher.contains(getattr(formula, "expression", formula))
            except Unreadable as error:
                found.append(self._problem("", f"formula {name!r}: {error}"))
                continue
            if not contained:
                message = (
                    f"no relation contains the formula {name!r} = {formula}; say it or name it in `internal`"
                )
                found.append(self._problem("", message))
        unknown = [name for name in self.claim.internal if name not in self.claim.formulas]
        return found + [
            self._problem("", f"`internal` names the unknown formula {name!r}") for name in unknown
        ]

    def definition_problems(self) -> list[Problem]:
        """Return names that hypotheses of one relation define twice: what they say may contradict itself."""
        return [self._problem(f"hypothesis {name}", message) for name, message in defined_twice(self.claim)]

    def restated_problems(self) -> list[Problem]:
        """Return relations that are a hypothesis as it stands, or say that a thing is itself."""
        return [self._problem("", message) for message in restated(self.claim)]

    def restriction_problems(self) -> list[Problem]:
        """Return restrictions of proved relations that no text says."""
        found = Restrictions(self.claim, self.matcher).unsaid()
        return [self._problem(part, message) for part, message in dict.fromkeys(found)]

    def undefined_problems(self) -> list[Problem]:
        """Return proved words that have a meaning in fewer cases than their relation."""
        return [self._problem(*found) for found in undefined(self.claim, self.matcher)]

    def _part(self, part: Part) -> Said:
        # By identity: the mutator gives other parts with the same label.
        if id(part) not in self._read_parts:
            self._read_parts[id(part)] = (part, self._part_read(part))
        return self._read_parts[id(part)][1]

    def _part_read(self, part: Part) -> Said:
        labels = self.matcher.labels(part)
        pinned, problems = [], []
        for text, evidence in part.pins.items():
            places = [match.span() for match in re.finditer(re.escape(text), part.text)] if text else []
            pinned += places
            if not places:
                problems.append(self._problem(part.label, "this pin is not in the text", text))
            if not evidence:
                problems.append(self._problem(part.label, "this pin names no evidence", text))
        said = self._read(part.label, part.text, labels, pinned, loose=False)
        said.problems[:0] = problems
        found = [*arrows(part.text), *formulas_in_words(part.text)]
        if "proof" in part.evidence:
            said.problems += self._unsaid_words(part, said)
            found += refused(self.claim, part.text, said.read, labels, self.matcher)
        said.problems += [
            self._problem(part.label, message, words, place)
            for place, words, message in found
            if not any(start <= place < end for start, end in pinned)
        ]
        said.problems += self._number_problems(part)
        said.problems += [self._problem(*found) for found in unproved(self.matcher, part)]
        for label in dict.fromkeys(said.labels):
            kind, _, name = label.partition(" ")
            foreign = kind == "hypothesis" and label not in labels and "proof" in part.evidence
            if foreign and not self._defines(name, part):
                message = f"it says hypothesis {name!r}, under which no relation of this part holds"
                said.problems.append(self._problem(part.label, message))
            if kind == "relation" and name not in part.says:
                message = f"it says the relation {name!r}: name it in `says`"
                said.problems.append(self._problem(part.label, message))
        return said

    def _unsaid_words(self, part: Part, said: Said) -> Iterator[Problem]:
        formulas = [item for item in said.read if item[2] in _SAYING]
        pins = [
            (*match.span(), (evidence,) if isinstance(evidence, str) else evidence)
            for text, evidence in part.pins.items()
            for match in re.finditer(re.escape(text), part.text)
            if text
        ]
        for place, words, message in only_in_words(part.text, formulas, pins):
            yield self._problem(part.label, message, words, place)

    def _defines(self, name: str, part: Part) -> bool:
        """Return whether a hypothesis only defines names of which the relations of a part say nothing."""
        hypothesis = self.claim.hypotheses[name]
        equations = list(comparisons(hypothesis.formulas))
        if hypothesis.kind != "definition" or {item.operator for item in equations} != {"="}:
            return False
        sides = [node_of(side) for label in part.says for side in self.claim.relations[label].sides]
        used = frozenset().union(*map(names_of, sides))
        return not any(names_of(node_of(item.left)) & used for item in equations)

    def loose_labels(self, place: str) -> tuple[str, ...]:
        """Return the labels of what the setting or the words of a hypothesis may say."""
        return tuple(chain.label for chain in self.matcher.chains if chain.label == place)

    def _loose(self, place: str, text: str) -> Said:
        return self._read(place, text, self.loose_labels(place), [], loose=True)

    def _read(
        self, place: str, text: str, labels: tuple[str, ...], pinned: list[tuple[int, int]], loose: bool
    ) -> Said:
        """Read a text; `loose`: what cannot be read stays as it is and is kept by the hash."""
        said, read = Said(""), list[tuple[Clause, Reading]]()
        words, last = [], 0
        for clause in all_clauses(text):
            words.append(text[last : clause.start])
            last = clause.end
            if any(start <= clause.start and clause.end <= end for start, end in pinned):
                words.append(clause.key)
                continue
            reading = self.matcher.reading(clause, labels)
            said.labels += reading.labels
            words.append(reading.mark or clause.key)
            read.append((clause, reading))
        words.append(text[last:])
        told, untold = self._ranges.judged(text, read)
        if not place.startswith("hypothesis "):
            own, others = self._ranges.of_hypotheses(text, read)
            told, untold = told | own, [*untold, *others]
        for clause, reading in read:
            is_range = clause.start in told or self._ranges.is_in_hypothesis(place, text, clause)
            kind = self._kind(reading) if reading.mark else "range" if is_range else "unread"
            said.read.append((clause.start, clause.end, kind))
            if not reading.mark and not is_range and (clause.problem or reading.sides or not loose):
                said.problems.append(self._clause_problem(place, text, clause, reading, labels))
        for clause, message in untold:
            said.problems.append(self._problem(place, message, text[clause.start : clause.end], clause.start))
        said.words = " ".join("".join(words).split())
        for start, characters, message in (*seen_otherwise(text), *denied(text, said.read)):
            if not any(low <= start < high for low, high in pinned):
                said.problems.append(self._problem(place, message, characters, start))
        return said

    def _kind(self, reading: Reading) -> str:
        names = [label.removeprefix("hypothesis ") for label in reading.labels]
        if any(label.startswith("relation ") for label in reading.labels):
            return "equation" if "=" in reading.operators else "relation"
        if any(
            self.claim.hypotheses[name].kind not in READ_KINDS
            for name in names
            if name in self.claim.hypotheses
        ):
            return "assumed"
        return reading.mark.strip("[").partition(" ")[0]

    def _clause_problem(
        self, place: str, text: str, clause: Clause, reading: Reading, labels: tuple[str, ...]
    ) -> Problem:
        message = reading.message
        if self.explain and reading.sides:
            message += "; " + explained(self.matcher, *labels, reading=reading)
        return Problem(self.claim.id, place, clause.start, text[clause.start : clause.end], message)

    def _number_problems(self, part: Part) -> Iterator[Problem]:
        for start, words in outside(part.text, fragments(part.text)):
            for match in SLOT.finditer(words):
                try:
                    slot_value(self.claim, match.group())
                except (ValueError, LookupError) as error:
                    yield self._problem(part.label, str(error), match.group(), start + match.start())

    def _unsaid_hypotheses(self, part: Part, name: str, labels: Iterable[str]) -> Iterator[Problem]:
        for item in self.claim.relations[name].under:
            if item not in self._to_be_said or f"hypothesis {item}" in {*labels, *self._said_before(part)}:
                continue
            hypothesis: Hypothesis = self.claim.hypotheses[item]
            message = f"relation {name!r} holds under {item!r}, which neither it nor a text before says"
            yield self._problem(part.label, f"{message}: {hypothesis.words}")

    @cached_property
    def _to_be_said(self) -> frozenset[str]:
        kinds = ("parameter", "domain")
        labels = {chain.label for chain in self.matcher.chains}
        return frozenset(
            name
            for name, item in self.claim.hypotheses.items()
            if item.kind in kinds and f"hypothesis {name}" in labels
        )

    def _said_before(self, part: Part) -> list[str]:
        labels = list(self._setting_labels)
        for other in self.claim.parts:
            if other.label == part.label:
                break
            labels += self._part_labels[other.label]
        return labels

    @cached_property
    def _setting_labels(self) -> list[str]:
        return self._loose("setting", self.claim.setting).labels

    @cached_property
    def _part_labels(self) -> Mapping[str, list[str]]:
        return {part.label: self._part(part).labels for part in self.claim.parts}

    def _rests(self, place: str) -> tuple[str, ...]:
        kind, _, name = place.partition(" ")
        return self._of_hypothesis(name) if kind == "hypothesis" else ()

    def _of_hypothesis(self, name: str) -> tuple[str, ...]:
        if name not in self._printed:
            hypothesis = self.claim.hypotheses[name]
            self._printed[name] = repr(hypothesis.formula), hypothesis.kind, hypothesis.reference
        return self._printed[name]

    def _outdated(self, place: str) -> Problem:
        message = (
            "its words, pins or relations are not the pinned ones: read the text against the evidence, "
            f"then run `boundcheck pin {self.claim.id}`"
        )
        return self._problem(place, message)

    def _problem(self, part: str, message: str, text: str = "", place: int = -1) -> Problem:
        return Problem(self.claim.id, part, place, text, message)


def check(claim: Claim, pins: Pins | None = None, file: Path | None = None) -> list[Problem]:
    """Return where the text of a claim and its formulas differ; empty if it says what is registered.

    Args:
        claim: The claim.
        pins: Its hashes; by default those kept in `file`.
        file: File with hashes, by default `pins.json` of the paper.
    """
    try:
        checker = Checker(claim)
    except Unreadable as error:
        return [Problem(claim.id, "", -1, "", str(error))]
    return checker.problems(kept(claim, file) if pins is None else pins)


def hashes(claim: Claim) -> dict[str, str]:
    """Return the hashes of a claim as it is, for `pins.json`; none where `check` says what cannot be read."""
    try:
        return Checker(claim, explain=False).hashes()
    except Unreadable:
        return {}
