"""Restrictions of a proved relation that its text does not say: bounds on a name, and more for "every x".

A hypothesis that bounds a name by a number, or says that it is an integer, is said where the domain of the
variable says it, or a text does: the setting, or the part up to its end. What a model or definition asks of
names in the relation alone is said there, or in its own words. A part that speaks of every x, or of x in its
domain, says what the hypotheses of its relations ask of x, itself or in the setting.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from theory.claim import READ_KINDS
from theory.formula import Compare, text_of
from theory.latex.clauses import Clause, clauses
from theory.latex.nodes import Node, Unreadable
from theory.latex.parser import read
from theory.latex.tokens import fragments
from verify.statements.comparing.canonical import canonical
from verify.statements.comparing.written_domains import Declared, End
from verify.statements.matching import Matcher
from verify.statements.refusals.declared import (
    Bound,
    Domains,
    bounds,
    defined_name,
    name_in,
    names_in,
    node_of,
)

if TYPE_CHECKING:
    from theory.claim import Claim, Part

_EVERY = re.compile(
    r"\b(for (every|all|any|each|arbitrary)|whatever|whichever|no matter (which|what)|for(?= real))"
    r"( (real|integer|natural|number|value|choice)s?"
    r"| (possible|positive|nonnegative|single|given|of|the))*\W*\Z"
    r"|\b(every|each)( (real|integer|natural|positive|nonnegative))?( (number|value))?\W*\Z",
    re.IGNORECASE,
)
_ARBITRARY = re.compile(r"[\s$]*,?(?: is| be| being)? (?:arbitrary|freely chosen|whatever)\b", re.IGNORECASE)
"""What stands behind a name of all of whose values a text speaks."""
_CONSTANT = re.compile(
    r"\b(there (is|are|exists?)|one finds|for some|constants?)( (an?|one|some|real|number|constant))*\W*\Z",
    re.IGNORECASE,
)
"""What stands before a name that is chosen once, whatever else the text speaks of."""
_LISTED = re.compile(
    r"[\s$,;]*(and|or)?( (all|any|each|every))?( (real|integer|natural|numbers?))*[\s$]*", re.IGNORECASE
)
"""What stands between two names that are said of together: for all x and y."""
_WHOLE = r"(?:integer|natural number|whole number)"
_INTEGERS_FOLLOW = re.compile(
    rf"(?<![-\w])(?<!\bno )(?<!\bnot an ){_WHOLE}s?(?: (?:index|indices|numbers?|sizes?|values?))?[\s$]*\Z",
    re.IGNORECASE,
)
_ONE_INTEGER = re.compile(
    rf"\b(?:an?|each|every|any|one|some)(?: [\w-]+)? {_WHOLE}(?: \w+)?[\s$]*\Z", re.IGNORECASE
)
"""What leads to one name alone: $n$ in ‘for an integer $n$ and $x$’."""
_KIND = r"(?:(?:all|also|always|both|even|nonnegative|odd|positive) )*"
_ARE_INTEGERS = re.compile(
    rf"[\s$]*(?:(?:is|be) {_KIND}an? {_KIND}{_WHOLE}|(?:are|be) {_KIND}{_WHOLE}s)"
    r"(?=\s*(?:[.,;:)$]|\Z|(?:and|then|with|where)\b))",
    re.IGNORECASE,
)
"""What stands before or behind names that are said to be integers."""
_AND = re.compile(r"\$?(\s*,|,? (and|or))( (all|any|each|every))?\s*\$?")


@dataclass
class _Said:
    """What a text says: formulas, bounds on names, names of all of which it speaks, constants, integers."""

    formulas: set[tuple[tuple[Any, ...], tuple[str, ...]]] = field(default_factory=set)
    bounds: set[Bound] = field(default_factory=set)
    every: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=set)
    integers: set[str] = field(default_factory=set)

    def __or__(self, other: _Said) -> _Said:
        return _Said(
            self.formulas | other.formulas,
            self.bounds | other.bounds,
            self.every | other.every,
            self.constants | other.constants,
            self.integers | other.integers,
        )


class Restrictions:
    """Find what the texts of one claim leave out.

    Args:
        claim: The claim.
        matcher: What reads its texts.
    """

    def __init__(self, claim: Claim, matcher: Matcher) -> None:
        self._claim, self._matcher = claim, matcher
        self._domains = Domains(claim)
        self._kernel: Any = None
        self._words: dict[str, _Said] = {}
        self._spoken: dict[str, frozenset[str]] = {}
        self._special = {name for relation in claim.relations.values() for name in relation.under}

    def unsaid(self) -> Iterator[tuple[str, str]]:
        """Yield part and message of each proved relation that holds under more than its text says."""
        setting = self._said(self._claim.setting, ())
        before = setting
        for part in self._claim.parts:
            own = self._said(part.text, self._matcher.labels(part))
            before = before | own
            if "proof" in part.evidence:
                for name in part.says:
                    yield from self._of_relation(part, name, before, setting | own)

    def _of_relation(self, part: Part, name: str, before: _Said, here: _Said) -> Iterator[tuple[str, str]]:
        under = self._claim.relations[name].under
        for label, formula, indices in self._formulas(name):
            item = self._claim.hypotheses[label]
            is_read = item.kind in READ_KINDS
            equates = item.kind == "definition" and getattr(formula, "operator", "") == "="
            defined = frozenset({defined_name(formula)} - {""} if equates else ())
            told = partial(_told, name, label, formula)  # to print a formula takes longer than to read it
            to_say = is_read and (label in under or self._bounds_one(formula))
            if to_say and not self._is_told(formula, name, before):
                yield part.label, f"{told()}, which neither a domain nor a text up to here says: say it"
            to_write = not is_read and self._is_about(formula, name, indices)
            if to_write and not self._is_told(formula, name, before | self._words_of(label)):
                yield part.label, f"{told()}, which neither its words nor a text up to here says: write it"
            names = _names(formula) - indices
            for chosen in sorted(defined & here.constants):
                if others := (names - {chosen}) & here.every:
                    message = f"it speaks of one {chosen} for every {', '.join(sorted(others))}, but"
                    yield part.label, f"{message} {told()}: say it of each in words"
            about = defined if defined else names if is_read or equates else _alone(formula)
            if (asked := about & here.every) and not self._is_told(formula, name, here):
                wide = ", ".join(sorted(asked))
                message = f"it speaks of every {wide}, but {told()}: say that in this part or the setting"
                yield part.label, message

    def _is_told(self, formula: Any, name: str, said: _Said) -> bool:
        return self._is_said(formula, said) or self._follows(formula, name, said)

    def _is_about(self, formula: Any, name: str, indices: frozenset[str]) -> bool:
        """Return whether a formula that a text can say speaks of nothing but what a relation speaks of."""
        if name not in self._spoken:
            relation = self._claim.relations[name]
            ends = [end for _, *ends in relation.every for end in ends]
            self._spoken[name] = frozenset().union(*map(names_in, (*relation.sides, *ends)))
        names = _names(formula) - indices
        sides = [formula.term] if hasattr(formula, "term") else [formula.left, formula.right]
        is_about = bool(names) and names <= self._spoken[name]
        return is_about and not any(_is_unsaid(node_of(side)) for side in sides)

    def _words_of(self, label: str) -> _Said:
        """Return what the words of a hypothesis say."""
        if label not in self._words:
            own = tuple(chain.label for chain in self._matcher.chains if chain.label == f"hypothesis {label}")
            self._words[label] = self._said(self._claim.hypotheses[label].words, own)
        return self._words[label]

    def _follows(self, formula: Any, name: str, here: _Said) -> bool:
        """Return whether a formula follows from those that are said, as that a divisor is not 0."""
        if not isinstance(formula, Compare) or not (_names(formula) - _alone(formula)):
            return False
        if self._kernel is None:
            try:
                self._kernel = importlib.import_module("verify.kernel.kernel").Kernel(self._claim)
            except (ImportError, ValueError):  # then nothing is proved
                return True
        said = [item for _, item, _ in self._formulas(name) if self._is_said(item, here)]
        return bool(self._kernel.follows(formula, said))

    def _formulas(self, name: str) -> Iterator[tuple[str, Any, frozenset[str]]]:
        """Yield label, formula without its ranges, and its indices of what restricts or defines."""
        under = self._claim.relations[name].under
        for label, item in self._claim.hypotheses.items():
            if label in self._special and label not in under:
                continue
            for formula in item.formulas:
                inner: Any = formula
                indices = set()
                while hasattr(inner, "formula"):
                    indices.add(str(inner.index if hasattr(inner, "index") else inner.base.label))
                    inner = inner.formula
                yield label, inner, frozenset(indices)

    def _bounds_one(self, formula: Any) -> bool:
        """Return whether a formula bounds one variable by a number, or says that it is an integer."""
        if hasattr(formula, "term"):
            return name_in(node_of(formula.term)) in self._domains
        return any(name in self._domains for name, *_ in bounds(*_sides(formula)))

    def _is_said(self, formula: Any, said: _Said) -> bool:
        if hasattr(formula, "term"):
            name = name_in(node_of(formula.term))
            return self._domains.of(name).integer or name in said.integers
        if ((formula.left, formula.right), (formula.operator,)) in said.formulas:
            return True
        left, operator, right = _sides(formula)
        found = list(bounds(left, operator, right))
        if not found and operator == "<=":
            below, above = (self._domains.of(name_in(side)) for side in (left, right))
            return self._ends_at(below.high, right) or self._ends_at(above.low, left)
        return bool(found) and all(self._is_bounded(bound, said) for bound in found)

    def _is_bounded(self, bound: Bound, said: _Said) -> bool:
        name, operator, number, above = bound
        if operator in ("<", "<="):
            if self._domains.say(bound):
                return True
            ends = [
                End(str(limit), sign == "<")
                for other, sign, limit, side in said.bounds
                if (other, side) == (name, above) and sign in ("<", "<=", "=")
            ]
            return any(Declared(low=end, high=end).says(operator, number, above=above) for end in ends)
        return bound in said.bounds

    def _ends_at(self, end: End | None, side: Node) -> bool:
        """Return whether an end of a domain such as {1, ..., d} is a side of a formula."""
        if end is None:
            return False
        try:
            return canonical(read(end.text, self._matcher.vocabulary), {}) == canonical(side, {})
        except (Unreadable, KeyError, ValueError):
            return False

    def _said(self, text: str, labels: tuple[str, ...]) -> _Said:
        found, spoken = _Said(), 0
        row: set[str] = set()  # names of formulas that nothing but commas and "and" parts
        ended, are_integers, is_one_integer = 0, False, False
        for fragment in fragments(text):
            listed: list[str] = []
            for clause in clauses(fragment):
                name = self._named(clause)
                reading = self._matcher.reading(clause, labels)
                before = text[ended : clause.start]
                if not _AND.fullmatch(before):
                    row, are_integers = set(), bool(_INTEGERS_FOLLOW.search(before))
                elif is_one_integer:
                    row, are_integers = set(), False
                is_proved = any(label.startswith("relation ") for label in reading.labels)
                sides = () if is_proved else reading.sides
                row |= {name} if name else {name_in(side) for side in sides} - {""}
                is_one_integer = are_integers and bool(_ONE_INTEGER.search(before))
                if are_integers or _ARE_INTEGERS.match(text[clause.end :]):
                    found.integers |= row
                ended = clause.end
                if name:
                    listed.append(name)
                    if _CONSTANT.search(text[: clause.start].rstrip("$ ")[-40:]):
                        found.constants.add(name)
                    goes_on = spoken and _LISTED.fullmatch(text[spoken : clause.start])
                    spoken = 0
                    led = _EVERY.search(text[: clause.start].rstrip("$ ")[-40:])
                    if reading.in_domain or goes_on or led or _ARBITRARY.match(text, clause.end):
                        found.every |= set(listed)
                        spoken = clause.end
                    continue
                for chain, _, _ in reading.said:
                    if chain.operators:
                        found.formulas |= set(_pairs(chain.source, chain.operators))
                # The range of an index is no bound of a name.
                for sides, (operator,) in _pairs(reading.sides, reading.operators) if reading.mark else ():
                    for bound in bounds(sides[0], operator, sides[1]):
                        found.bounds |= {(name, *bound[1:]) for name in (bound[0], *listed)}
                listed = []
        return found

    def _named(self, clause: Clause) -> str:
        """Return the variable that a clause is, alone or with its domain; '' where it is none."""
        tokens = list(clause.tokens)
        word = self._matcher.vocabulary.longest(tokens, 0)
        if word is None or word.word.kind == "notation" or word.word.name not in self._domains:
            return ""
        alone = word.end == len(tokens) or tokens[word.end].text == r"\in"
        return word.word.name if alone else ""


def _pairs(
    sides: tuple[Any, ...], operators: tuple[str, ...]
) -> Iterator[tuple[tuple[Any, Any], tuple[str]]]:
    for left, operator, right in zip(sides, operators, sides[1:], strict=False):
        yield (left, right), (operator,)


def _sides(formula: Any) -> tuple[Node, str, Node]:
    return node_of(formula.left), formula.operator, node_of(formula.right)


def _names(formula: Any) -> frozenset[str]:
    """Return the names of scalars and arrays in a formula."""
    sides = [formula.term] if hasattr(formula, "term") else [formula.left, formula.right]
    return frozenset().union(*map(names_in, sides))


def _is_unsaid(node: Node) -> bool:
    """Return whether something in a node can be said by no text, such as an expectation."""
    return node[0] == "unsaid" or any(_is_unsaid(item) for item in node if isinstance(item, tuple) and item)


def _alone(formula: Any) -> set[str]:
    """Return the names of which a formula says something by themselves: on one side, or an integer."""
    nodes = [node_of(formula.term)] if hasattr(formula, "term") else _sides(formula)[::2]
    return {name_in(node) for node in nodes} - {""}


def _told(name: str, label: str, formula: Any) -> str:
    return f"relation {name!r} holds under {label!r}, {text_of(formula)}"
