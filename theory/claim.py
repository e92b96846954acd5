"""A claim: one statement in numbered parts, tied to formulas, with what it is proved under.

A claim is data. `derive(K)` in the same module proves its relations when somebody asks (`theory.proof`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from theory.paper import Paper

if TYPE_CHECKING:
    from sympy import Basic, Expr, Symbol

    from theory.formula import Formula
    from theory.public_constant import PublicConstant

KINDS = ("identity", "upper", "tight", "lower", "rate", "scaling", "ordering", "distribution", "finding")
PROVENANCES = ("abstract", "rederived", "derived")
RUNGS = ("symbolic", "exact", "adversarial", "montecarlo", "run")
HYPOTHESIS_KINDS = ("domain", "definition", "parameter", "model")
READ_KINDS = ("domain", "parameter")
"""Kinds of hypotheses that are read from their words; the others may be prose."""

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class ImplicitValue:
    """A quantity without closed form: `expression` at the root `unknown` of `equation` = 0."""

    expression: Expr
    unknown: Symbol
    equation: Expr


@dataclass(frozen=True)
class Variable:
    r"""A symbol of a statement.

    Args:
        symbol: Symbol, `IndexedBase` or undefined function, without assumptions other than real.
        tex: How text writes it, without indices: `\beta`, `L`. For a quantity that text writes out, such as
            $\mathbb E\|Q(x)-x\|^2$, the whole subject. Where an index stands elsewhere than after the
            name, `#1`
            is its place: `\mathbf L_{#1#1}`.
        domain: Its domain in LaTeX, for the reader; what proofs use stands in the hypotheses.
        meaning: In words.
        shape: Shape of an array, `(d,)` or `(n, d)`.
        first: What text counts from, of each index if they differ: 1 means that `a[0]` is written $a_1$.
        aliases: Further ways in which text writes it.
    """

    symbol: Basic
    tex: str
    domain: str
    meaning: str
    shape: str = ""
    first: int | tuple[int, ...] = 1
    aliases: tuple[str, ...] = ()

    @property
    def sizes(self) -> tuple[str, ...]:
        """Return the lengths of an array along its indices."""
        return tuple(size.strip() for size in self.shape.strip("() ").split(",") if size.strip())

    @property
    def firsts(self) -> tuple[int, ...]:
        """Return what text counts each index from."""
        found = self.first if isinstance(self.first, tuple) else (self.first,) * len(self.sizes)
        if len(found) != len(self.sizes) or not all(type(first) is int for first in found):
            raise ValueError(f"{self.tex}: first={self.first} needs an integer for each size of {self.shape}")
        return found


@dataclass(frozen=True)
class Hypothesis:
    """What a claim is stated under.

    Args:
        kind: `domain`, `definition` (of a name by an expression), `parameter` (what the user chooses, such as
            a step size) or `model` (what is assumed of functions and compressors).
        formula: The hypothesis as a formula, or several; empty: its claim reads them from the words.
        words: As people say it, LaTeX in dollars.
        reference: Where a model hypothesis is justified.
    """

    kind: Literal["domain", "definition", "parameter", "model"]
    formula: Formula | tuple[Formula, ...]
    words: str
    reference: str = ""

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of the hypothesis, one or several."""
        return self.formula if isinstance(self.formula, tuple) else (self.formula,)


_OPERATORS = ("<=", "<", "=", "!=", ">=", ">")


@dataclass(frozen=True)
class Relation:
    """An equation or inequality that a part says, or a chain of them: side, operator, side, ...

    Args:
        sides: Expressions; numbers are allowed.
        operators: `<=`, `<`, `=`, `!=`, `>=`, `>`, one fewer than sides.
        every: Ranges (index, low, high) over which it is said, as in "for each j".
        under: Names of hypotheses that only this relation has ("in the coarse regime").
    """

    sides: tuple[Any, ...]
    operators: tuple[str, ...]
    every: tuple[tuple[Any, Any, Any], ...] = ()
    under: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        operators: Any = self.operators
        under: Any = self.under
        wrong = [item for item in operators if item not in _OPERATORS]
        if isinstance(operators, str) or wrong:
            told = wrong[0] if wrong and not isinstance(operators, str) else operators
            raise TypeError(f"operators of Relation: {told!r} must be a tuple of {', '.join(_OPERATORS)}")
        if isinstance(under, str):
            raise TypeError(f"under of Relation: {under!r} must be a tuple of names, ({under!r},)")
        if len(self.sides) < 2 or len(self.operators) != len(self.sides) - 1 or None in self.sides:
            raise TypeError(
                f"Relation has {len(self.sides)} sides and {len(self.operators)} operators; give two or more "
                "expressions, and one operator fewer"
            )

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return one formula for each operator, `>=` and `>` turned round."""
        from theory.formula import Compare, every

        found = []
        for left, operator, right in zip(self.sides[:-1], self.operators, self.sides[1:], strict=True):
            if operator in (">=", ">"):
                left, right, operator = right, left, {">=": "<=", ">": "<"}[operator]
            from sympy import sympify

            found.append(every(Compare(sympify(left), operator, sympify(right)), *self.every))
        return tuple(found)


@dataclass(frozen=True)
class Part:
    r"""One assertion of a statement.

    Args:
        label: `a`, `b`, ...
        text: LaTeX text; value slots are written `{value:NAME}` or `{value:NAME,DIGITS}`.
        says: Names of the relations that the text says.
        evidence: What shows it: `proof` (every relation it says is concluded by the derivation) or
            `RUNG/LABEL`, the label of comparisons or cases of checks.
        pins: For text that is no formula ("for every law", "is attained"): text fragment to the evidence that
            shows it.
    """

    label: str
    text: str
    says: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    pins: Mapping[str, str] = field(default_factory=lambda: _EMPTY)


@dataclass(frozen=True)
class WorstCase:
    """An input at which the claim is attained or nearly so.

    Args:
        description: What is special about it.
        values: Values by name, exact sympy numbers or tuples of them.
        value: The value there, None where it has no short form.
    """

    description: str
    values: Mapping[str, Any]
    value: Expr | None = None


@dataclass(frozen=True)
class Claim:
    r"""One statement of a paper, or a finding about one. The first four arguments are literals: the index of
    claims reads them without running the file.

    Args:
        id: Paper's short name, slash, slug: `squant/var`.
        kind: One of `KINDS`.
        provenance: One of `PROVENANCES`.
        title: One line.
        position: Place among the claims of the paper.
        paper: The paper.
        setting: Notation only, LaTeX.
        parts: The assertions.
        variables: Symbols with their LaTeX.
        hypotheses: By name.
        relations: By name.
        formulas: Expressions that checks evaluate, by name; `bound` and `exact` are the usual ones.
        internal: Names of formulas that no relation contains, each with the reason.
        values: Exact values of slots, by name.
        worst_cases: Inputs at which the claim is tight or telling.
        notation: Names that text uses without a value, LaTeX to meaning: `Q`, `\mathbf L`, `\mathcal B_{#1}`.
        ranges: Ranges, as text counts, of indices that no array tells: index to (low, high).
        measured: Whether the statement is about measurements, so that its weakest record gives the grade.
        timed: Whether seconds are measured, which takes a machine for itself.
        public: Constants of public code that the claim is about.
    """

    id: str
    kind: str
    provenance: str
    title: str
    position: float
    paper: Paper
    setting: str = ""
    parts: tuple[Part, ...] = ()
    variables: tuple[Variable, ...] = ()
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=lambda: _EMPTY)
    relations: Mapping[str, Relation] = field(default_factory=lambda: _EMPTY)
    formulas: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    internal: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    values: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    worst_cases: tuple[WorstCase, ...] = ()
    notation: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    ranges: Mapping[str, tuple[Any, Any]] = field(default_factory=lambda: _EMPTY)
    measured: bool = False
    timed: bool = False
    public: tuple[PublicConstant, ...] = ()

    def __post_init__(self) -> None:
        from theory.latex.vocabulary import word_problems

        problems = (
            self._type_problems()
            or self._fix()
            or [
                *self._header_problems(),
                *self._part_problems(),
                *word_problems(self),
            ]
        )
        problems = problems or self._read_hypotheses()
        if problems:
            raise ValueError(f"claim {self.id!r} is not well formed: " + "; ".join(problems))

    def _type_problems(self) -> list[str]:
        """Return which arguments are not of the form that a claim has, and what is."""
        found = [] if isinstance(self.paper, Paper) else [f"paper={self.paper!r} must be a Paper"]
        sequences = {"parts": Part, "variables": Variable, "worst_cases": WorstCase}
        for name, kind in sequences.items():
            given = getattr(self, name)
            if not isinstance(given, tuple | list):
                found.append(f"{name} must be a tuple, ({kind.__name__}(...),), is a {type(given).__name__}")
            else:
                wrong = [item for item in given if not isinstance(item, kind)]
                found += [f"{name}: {item!r} must be a {kind.__name__}" for item in wrong]
        mappings = {"hypotheses": Hypothesis, "relations": Relation}
        others = ("formulas", "internal", "values", "notation", "ranges")
        for name in (*mappings, *others):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                found.append(f"{name} must be a mapping, {{NAME: ...}}, is a {type(given).__name__}")
            elif name in mappings:
                wrong = [key for key in given if not isinstance(given[key], mappings[name])]
                found += [
                    f"{name}[{key!r}] must be a {mappings[name].__name__}, is a {type(given[key]).__name__}"
                    for key in wrong
                ]
        return found

    def _fix(self) -> list[str]:
        """Let nothing that the claim is made of change any more; return what could be something else."""
        from theory.fixed import fixed

        if type(self) is not Claim:
            return [f"it is a {type(self).__name__}, a class of its own; take Claim itself"]
        problems = []
        for item in fields(self):
            try:
                object.__setattr__(self, item.name, fixed(getattr(self, item.name), item.name))
            except TypeError as error:
                problems.append(str(error))
        return problems

    def _read_hypotheses(self) -> list[str]:
        """Read the formulas of hypotheses that have only words; return what cannot be read."""
        if all(item.formulas for item in self.hypotheses.values()):
            return []
        from theory.formula import one_or_several
        from theory.latex.reading import Reader

        reader = None
        found, problems = dict(self.hypotheses), []
        for name, item in self.hypotheses.items():
            try:
                if not item.formulas:
                    reader = reader or Reader(self)
                    found[name] = replace(item, formula=one_or_several(reader.formulas(item.words)))
            except ValueError as error:
                ask = "write it in mathematics" if item.kind in READ_KINDS else "write its formulas"
                problems.append(f"hypothesis {name!r}: {ask}; cannot read {item.words!r}: {error}")
        object.__setattr__(self, "hypotheses", MappingProxyType(found))
        return problems

    def _header_problems(self) -> Sequence[str]:
        problems = []
        if not self.id.startswith(f"{self.paper.name}/"):
            problems.append(f"id={self.id!r} must start with {self.paper.name + '/'!r}")
        if self.kind not in KINDS:
            problems.append(f"kind={self.kind!r} must be one of {KINDS}")
        if self.provenance not in PROVENANCES:
            problems.append(f"provenance={self.provenance!r} must be one of {PROVENANCES}")
        for name, item in self.hypotheses.items():
            if item.kind not in HYPOTHESIS_KINDS:
                problems.append(f"hypothesis {name!r}: kind={item.kind!r} must be one of {HYPOTHESIS_KINDS}")
            if not item.words.strip():
                problems.append(f"hypothesis {name!r} has no words: nobody would read what is assumed")
        return problems

    def _part_problems(self) -> Sequence[str]:
        problems = []
        labels = [part.label for part in self.parts]
        if not labels:
            problems.append("it has no part")
        problems += [
            f"part {name!r} is there twice" for name in sorted({x for x in labels if labels.count(x) > 1})
        ]
        said = {name for part in self.parts for name in part.says}
        for part in self.parts:
            problems += [
                f"part {part.label!r} says the unknown relation {name!r}; "
                f"relations: {', '.join(self.relations)}"
                for name in part.says
                if name not in self.relations
            ]
            if not part.evidence:
                problems.append(f"part {part.label!r} names no evidence")
        problems += [f"no part says the relation {name!r}" for name in self.relations if name not in said]
        for name, relation in self.relations.items():
            problems += [
                f"relation {name!r} is under the unknown hypothesis {item!r}"
                for item in relation.under
                if item not in self.hypotheses
            ]
        return [*problems, *(line for item in self.public for line in item.problems(self))]

    @property
    def bound(self) -> Any:
        """Return the stated bound, where there is one."""
        return self.formulas.get("bound")

    @property
    def exact(self) -> Any:
        """Return the exact value of what is bounded, where there is one."""
        return self.formulas.get("exact")

    @property
    def statement(self) -> str:
        """Return the statement in LaTeX: setting and parts."""
        texts = [f"({part.label}) {part.text}" for part in self.parts]
        return " ".join([self.setting, *texts]).strip()

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return the hypotheses in words, definitions and domains apart."""
        return tuple(item.words for item in self.hypotheses.values() if item.kind in ("parameter", "model"))
