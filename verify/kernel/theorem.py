"""Theorems: made by the kernel only, and checked against its own register when they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.kernel.node import Family, KernelError, Node
from verify.kernel.text import text


@dataclass(frozen=True)
class Cited:
    """A cited formula with its reference."""

    formula: Node
    under: tuple[Node, ...]
    reference: str

    def __str__(self) -> str:
        conditions = f" if {', '.join(map(text, self.under))}" if self.under else ""
        return f"{text(self.formula)}{conditions} ({self.reference})"


@dataclass(frozen=True)
class Put:
    """What `instantiate` or `at` put for names and families of the first parent."""

    names: Mapping[str, Node]
    families: Mapping[str, Family]


@dataclass(frozen=True)
class Over:
    """The index that a rule bound in its parents, with its range; None is without end."""

    index: str
    low: Node
    high: Node | None


class Theorem:
    """For all values of its names: wherever all hypotheses hold, the conclusion is defined and holds."""

    __slots__ = ("binder", "cited", "conclusion", "hypotheses", "numerical", "parents", "rule")
    hypotheses: tuple[Node, ...]
    conclusion: Node
    cited: tuple[Cited, ...]
    rule: str
    parents: tuple[Theorem, ...]
    numerical: bool
    binder: Put | Over | None

    def __init__(self, *_: Any, **__: Any) -> None:
        raise KernelError("theorems are made by the rules of the kernel only")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("theorems do not change")

    def __repr__(self) -> str:
        under = f"  under {'; '.join(map(text, self.hypotheses))}" if self.hypotheses else ""
        return f"{text(self.conclusion)}{under}"


class Register:
    """The theorems of one kernel."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Theorem, tuple[Any, ...], int]] = {}

    def make(
        self,
        rule: str,
        hypotheses: tuple[Node, ...],
        conclusion: Node,
        parents: tuple[Theorem, ...] = (),
        cited: tuple[Cited, ...] = (),
        *,
        numerical: bool = False,
        binder: Put | Over | None = None,
    ) -> Theorem:
        """Make a theorem; it rests on what its parents cite, too."""
        self.check(*parents)
        theorem = object.__new__(Theorem)
        rests = dict.fromkeys((*cited, *(item for parent in parents for item in parent.cited)))
        values = {
            "rule": rule,
            "hypotheses": tuple(dict.fromkeys(hypotheses)),
            "conclusion": conclusion,
            "parents": parents,
            "cited": tuple(rests),
            "numerical": numerical or any(parent.numerical for parent in parents),
            "binder": binder,
        }
        for key, value in values.items():
            object.__setattr__(theorem, key, value)
        self._made[id(theorem)] = (theorem, self._content(theorem), len(self._made))
        return theorem

    def check(self, *theorems: Any) -> None:
        """Refuse what this kernel has not made, or what was changed since.

        Raises:
            KernelError: It is no theorem of this kernel.
        """
        for item in theorems:
            known = self._made.get(id(item))
            if type(item) is not Theorem or known is None or known[0] is not item:
                raise KernelError(f"{item!r} is no theorem of this kernel; only its rules make theorems")
            if known[1] != self._content(item):
                raise KernelError(f"the theorem {item!r} was changed after it was made")

    def theorems(self) -> tuple[Theorem, ...]:
        """Return all theorems in the order in which they were made."""
        return tuple(theorem for theorem, *_ in self._made.values())

    def ordered(self, theorems: Iterable[Theorem]) -> list[Theorem]:
        """Return theorems in the order in which they were made: sets of them have an order of addresses."""
        return sorted(theorems, key=lambda item: self._made[id(item)][2])

    @staticmethod
    def _content(theorem: Theorem) -> tuple[Any, ...]:
        return (theorem.hypotheses, theorem.conclusion, theorem.cited, theorem.numerical, theorem.binder)
